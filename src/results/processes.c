#include "src/results/processes.h"

#include "src/base/array.h"
#include "src/base/log.h"
#include "src/results/name_index.h"
#include "src/results/accounts.h"
#include "src/base/printable.h"
#include <stdlib.h>
#include <string.h>

enum { FIGURES = sizeof(struct process_figures) / sizeof(double) };

static void add(struct process_figures *to, const struct process_figures *part)
{
    double *a = (double *)to;
    const double *b = (const double *)part;
    for (unsigned i = 0; i < FIGURES; i++)
        a[i] += b[i];
}

bool own_caches_are_first(const struct own_caches *own)
{
    return own->name[KIND_DATA] && own->name[KIND_DATA][1] == '1';
}

static void read_classes(struct process_figures *figures, const json_t *share, const struct own_caches *own)
{
    static const char *const kinds[KIND_COUNT] = {"insn", "data"};
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        char member[64];
        if (!own->name[kind])
            continue;
        snprintf(member, sizeof member, "%s_%s", own->name[kind], kinds[kind]);
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

static struct process_figures read_share(const json_t *share, const struct own_caches *own)
{
    const json_t *stall = json_object_get(share, "stall"), *miss = json_object_get(share, "miss");
    struct process_figures figures = {
        .calls = results_number_of(share, "calls"),
        .cycles = results_number_of(share, "cycles"),
        .wait = results_number_of(share, "wait"),
        .insns = results_number_of(share, "insns"),
        .insn = results_stall_of(stall, SIDE_INSN),
        .data = results_stall_of(stall, SIDE_DATA),
        .misses = results_number_of(miss, "l2_insn") + results_number_of(miss, "l2_data"),
        .dispatches = results_number_of(share, "dispatches"),
        .queued = results_number_of(share, "queued"),
    };
    if (own_caches_are_first(own))
        figures.misses =
            results_number_of(miss, "l1i") + results_number_of(miss, "l1d_read") + results_number_of(miss, "l1d_write");
    read_classes(&figures, share, own);
    return figures;
}

/* The figures of row NAME in ROWS, whose names NAMES has; the row is added if missing. */
static struct process_figures *row_of(struct process_row **rows, size_t *count, struct name_index *names,
                                      const char *name)
{
    const size_t i = name_index_number(names, name);
    if (i == *count) {
        *rows = array_room(*rows, *count, sizeof **rows);
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
        list->process = array_room(list->process, number, sizeof *list->process);
        reading->services = array_room(reading->services, number, sizeof *reading->services);
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

bool service_is_idle(const char *service)
{
    return strcmp(service, "IDLE") == 0;
}

bool service_is_of_kernel(const char *service)
{
    return !service_is_idle(service) && strcmp(service, "USER") != 0;
}

void process_list_read(struct process_list *list, const json_t *annotations, const struct own_caches *own)
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
        const double members = results_number_of(one, "members");
        const char *name;
        process->processes += members > 0 && members < 1e9 ? (unsigned)members : 1;
        json_object_foreach(services, name, share)
        {
            const struct process_figures figures = read_share(share, own);
            add(row_of(&process->service, &process->count, &reading.services[at], name), &figures);
            if (!service_is_idle(name))
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

void service_list_read(struct service_list *services, const struct process_list *list)
{
    struct process_row *rows = NULL;
    struct name_index names = {NULL};
    *services = (struct service_list){0};
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->process[i].count; j++)
            add(row_of(&rows, &services->count, &names, list->process[i].service[j].name),
                &list->process[i].service[j].figures);
    name_index_release(&names);
    if (services->count)
        qsort(rows, services->count, sizeof *rows, by_cycles);
    services->service = checked_memory(calloc(services->count + 1, sizeof *services->service));
    for (size_t i = 0; i < services->count; i++) {
        services->service[i].row = rows[i];
        name_index_add(&names, rows[i].name, i);
    }
    free(rows);
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->process[i].count; j++) {
            const struct process_row *row = &list->process[i].service[j];
            struct service_processes *of = &services->service[name_index_find(&names, row->name)];
            of->process = array_room(of->process, of->count, sizeof *of->process);
            of->process[of->count++] = (struct process_row){list->process[i].name, row->figures};
        }
    name_index_release(&names);
    for (size_t i = 0; i < services->count; i++)
        qsort(services->service[i].process, services->service[i].count, sizeof *services->service[i].process,
              by_cycles);
}

void service_list_release(struct service_list *services)
{
    for (size_t i = 0; i < services->count; i++) {
        free((char *)services->service[i].row.name);
        free(services->service[i].process);
    }
    free(services->service);
    *services = (struct service_list){0};
}
