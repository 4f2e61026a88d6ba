#include "src/report/report_processes.h"

#include "src/base/log.h"
#include "src/report/name_index.h"
#include "src/report/report_accounts.h"
#include "src/base/printable.h"
#include <stdlib.h>
#include <string.h>

enum { PERCENT = 1, FIGURES = sizeof(struct process_figures) / sizeof(double) };

/* Reading */

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : 0;
}

static void add(struct process_figures *to, const struct process_figures *part)
{
    double *a = (double *)to;
    const double *b = (const double *)part;
    for (unsigned i = 0; i < FIGURES; i++)
        a[i] += b[i];
}

static void read_classes(struct process_figures *figures, const json_t *share, const char *outermost)
{
    static const char *const kinds[] = {"insn", "data"};
    for (unsigned kind = 0; kind < 2; kind++) {
        char member[64];
        snprintf(member, sizeof member, "%s_%s", outermost, kinds[kind]);
        const json_t *classes = json_object_get(share, member);
        const char *name;
        json_t *count;
        json_object_foreach((json_t *)classes, name, count)
        {
            const double value = json_number_value(count);
            const struct measure_class *class = measure_class_named(name);
            switch (class ? class->group : CLASS_GROUP_OTHER) {
            case CLASS_GROUP_COLD: figures->cold += value; break;
            case CLASS_GROUP_UPGRADE: figures->upgrade += value; break;
            case CLASS_GROUP_COHERENCE: figures->coherence += value; break;
            case CLASS_GROUP_REPLACED:
            case CLASS_GROUP_OTHER: figures->others += value; break;
            }
        }
    }
}

static struct process_figures read_share(const json_t *share, const char *outermost)
{
    const json_t *stall = json_object_get(share, "stall"), *miss = json_object_get(share, "miss");
    struct process_figures figures = {
        .calls = number(share, "calls"),
        .cycles = number(share, "cycles"),
        .wait = number(share, "wait"),
        .insns = number(share, "insns"),
        .insn = report_stall_of(stall, SIDE_INSN),
        .data = report_stall_of(stall, SIDE_DATA),
        .misses = number(miss, "l2_insn") + number(miss, "l2_data"),
        .dispatches = number(share, "dispatches"),
        .queued = number(share, "queued"),
    };
    if (outermost)
        read_classes(&figures, share, outermost);
    return figures;
}

/* The figures of row NAME in ROWS, whose names NAMES has; the row is added if missing. */
static struct process_figures *row_of(struct process_row **rows, size_t *count, struct name_index *names,
                                      const char *name)
{
    const size_t i = name_index_number(names, name);
    if (i == *count) {
        *rows = checked_memory(realloc(*rows, (*count + 1) * sizeof **rows));
        (*rows)[(*count)++] = (struct process_row){.name = checked_memory(strdup(name))};
    }
    return &(*rows)[i].figures;
}

/* The list while it is read. */
struct reading {
    struct process_list *list;
    struct name_index processes, *services; /* one of services for each process */
};

/* The number of the process NAME in the list. */
static size_t process_of(struct reading *reading, const char *name)
{
    struct process_list *const list = reading->list;
    struct process_services wanted = {.name = ""};
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    const size_t number = name_index_number(&reading->processes, wanted.name);
    if (number == list->count) {
        list->process = checked_memory(realloc(list->process, (number + 1) * sizeof *list->process));
        reading->services = checked_memory(realloc(reading->services, (number + 1) * sizeof *reading->services));
        list->process[number] = wanted;
        reading->services[number] = (struct name_index){NULL};
        list->count++;
    }
    return number;
}

static void release_reading(struct reading *reading)
{
    for (size_t i = 0; i < reading->list->count; i++)
        name_index_release(&reading->services[i]);
    free(reading->services);
    name_index_release(&reading->processes);
}

/* There is one idle process per CPU, swapper/N; they are combined. */
static const char *name_of(const json_t *process)
{
    const char *name = json_string_value(json_object_get(process, "name"));
    return !name ? "" : strncmp(name, "swapper/", 8) == 0 ? "swapper" : name;
}

static int by_cycles(const void *a, const void *b)
{
    const struct process_row *x = a, *y = b;
    if (x->figures.cycles != y->figures.cycles)
        return x->figures.cycles < y->figures.cycles ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int by_busy_cycles(const void *a, const void *b)
{
    const struct process_services *x = a, *y = b;
    if (x->all.cycles != y->all.cycles)
        return x->all.cycles < y->all.cycles ? 1 : -1;
    return strcmp(x->name, y->name);
}

static bool is_idle(const char *service)
{
    return strcmp(service, "IDLE") == 0;
}

void process_list_read(struct process_list *list, const json_t *annotations, const char *outermost)
{
    struct reading reading = {.list = list};
    *list = (struct process_list){0};
    size_t index;
    json_t *one, *share;
    json_array_foreach(json_object_get(annotations, "processes"), index, one)
    {
        json_t *services = json_object_get(one, "services");
        if (!json_is_object(services))
            continue;
        const size_t at = process_of(&reading, name_of(one));
        struct process_services *process = &list->process[at];
        const double members = number(one, "members");
        const char *name;
        process->processes += members > 0 && members < 1e9 ? (unsigned)members : 1;
        json_object_foreach(services, name, share)
        {
            const struct process_figures figures = read_share(share, outermost);
            add(row_of(&process->service, &process->count, &reading.services[at], name), &figures);
            if (!is_idle(name))
                add(&process->all, &figures);
        }
    }
    release_reading(&reading);
    for (size_t i = 0; i < list->count; i++)
        if (list->process[i].count)
            qsort(list->process[i].service, list->process[i].count, sizeof *list->process[i].service, by_cycles);
    if (list->count)
        qsort(list->process, list->count, sizeof *list->process, by_busy_cycles);
}

static void release_rows(struct process_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)rows[i].name);
    free(rows);
}

void process_list_release(struct process_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        release_rows(list->process[i].service, list->process[i].count);
    free(list->process);
    *list = (struct process_list){0};
}

/* Text */

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void print_row(const char *name, unsigned indent, const struct process_figures *figures, double whole,
                      double clock_hz, FILE *out)
{
    const double thousands = figures->insns / 1000;
    const double classes[] = {figures->cold, figures->others, figures->coherence, figures->upgrade};
    const bool classified = figures->misses == 0 || figures->cold + figures->others + figures->coherence > 0;
    fprintf(out, "%*s%-*.*s %6.2f%% %9.0f %6.2f %6.2f %6.2f %7.2f", (int)indent, "", 24 - (int)indent, 24 - (int)indent,
            PRINTABLE(name), 100 * ratio(figures->cycles, whole), figures->calls,
            ratio(figures->cycles - figures->wait, figures->insns), ratio(figures->insn, figures->insns),
            ratio(figures->data, figures->insns), ratio(figures->misses, thousands));
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classified)
            fprintf(out, " %7.2f", ratio(classes[i], thousands));
        else
            fprintf(out, " %7s", "-");
    fprintf(out, " %8.0f %10.1f\n", figures->dispatches, figures->queued * 1e6 / clock_hz);
}

static void print_headings(const char *first, FILE *out)
{
    fprintf(out, "%-24s %7s %9s %6s %6s %6s %7s %7s %7s %7s %7s %8s %10s\n", first, "time", "calls", "CPI", "i-MCPI",
            "d-MCPI", "misses", "cold", "others", "coher", "upgrade", "queued", "wait, us");
}

/* Print the ROWS with at least PERCENT of OWN; the idle service is excluded. WHOLE: the denominator of the shares. */
static void print_parts(const struct process_row *rows, size_t count, double own, double whole, double clock_hz,
                        FILE *out)
{
    for (size_t i = 0; i < count; i++)
        if (!is_idle(rows[i].name) && 100 * rows[i].figures.cycles >= PERCENT * own)
            print_row(rows[i].name, 2, &rows[i].figures, whole, clock_hz, out);
}

static void print_by_service(const struct process_list *list, double whole, double clock_hz, FILE *out)
{
    struct process_row *services = NULL;
    struct name_index names = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->process[i].count; j++)
            add(row_of(&services, &count, &names, list->process[i].service[j].name),
                &list->process[i].service[j].figures);
    name_index_release(&names);
    if (count)
        qsort(services, count, sizeof *services, by_cycles);
    fputc('\n', out);
    print_headings("service / process", out);
    for (size_t i = 0; i < count; i++) {
        if (is_idle(services[i].name) || 100 * services[i].figures.cycles < PERCENT * whole)
            continue;
        struct process_row *processes = checked_memory(calloc(list->count, sizeof *processes));
        size_t found = 0;
        for (size_t j = 0; j < list->count; j++)
            for (size_t k = 0; k < list->process[j].count; k++)
                if (strcmp(list->process[j].service[k].name, services[i].name) == 0)
                    processes[found++] =
                        (struct process_row){list->process[j].name, list->process[j].service[k].figures};
        if (found)
            qsort(processes, found, sizeof *processes, by_cycles);
        print_row(services[i].name, 0, &services[i].figures, whole, clock_hz, out);
        print_parts(processes, found, services[i].figures.cycles, whole, clock_hz, out);
        free(processes);
    }
    release_rows(services, count);
}

void process_list_print(const struct process_list *list, const char *title, double clock_hz, FILE *out)
{
    double whole = 0;
    for (size_t i = 0; i < list->count; i++)
        whole += list->process[i].all.cycles;
    if (whole == 0)
        return;
    fprintf(out,
            "\nServices of processes, %s: time that is not idle; misses of the outermost cache in thousand "
            "instructions;\nhow often processes waited in a run queue, and how long in all\n",
            PRINTABLE(title));
    print_headings("process / service", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct process_services *process = &list->process[i];
        char name[40];
        if (100 * process->all.cycles < PERCENT * whole)
            continue;
        snprintf(name, sizeof name, "%s%s%.0u", process->name, process->processes > 1 ? " x " : "",
                 process->processes > 1 ? process->processes : 0);
        print_row(name, 0, &process->all, whole, clock_hz, out);
        print_parts(process->service, process->count, process->all.cycles, whole, clock_hz, out);
    }
    print_by_service(list, whole, clock_hz, out);
}

/* JSON */

static void write_figures(const struct process_figures *figures, struct json_writer *json)
{
    static const char *const names[FIGURES] = {"calls",   "cycles",     "wait",  "insns",  "insn",
                                               "data",    "misses",     "cold",  "others", "coherence",
                                               "upgrade", "dispatches", "queued"};
    const double *value = (const double *)figures;
    json_begin_object(json);
    for (unsigned i = 0; i < FIGURES; i++) {
        json_key(json, names[i]);
        json_put_rounded(json, "%.0f", value[i]);
    }
    json_end_object(json);
}

void process_list_write_json(const struct process_list *list, struct json_writer *json)
{
    json_begin_array(json);
    for (size_t i = 0; i < list->count; i++) {
        const struct process_services *process = &list->process[i];
        json_line(json, 8);
        json_begin_object(json);
        json_member_text(json, "name", process->name);
        json_member_count(json, "processes", process->processes);
        json_member_object(json, "services");
        for (size_t j = 0; j < process->count; j++) {
            json_line(json, 10);
            json_key(json, process->service[j].name);
            write_figures(&process->service[j].figures, json);
        }
        json_end_object(json);
        json_end_object(json);
    }
    json_end_array(json);
}
