#include "src/report/report_processes.h"

#include "src/base/printable.h"
#include "src/measure/measures.h"
#include <string.h>

enum { PERCENT = 1, FIGURES = sizeof(struct process_figures) / sizeof(double) };

static double per_thousand(double misses, const double terms[TERMS])
{
    double of[TERMS];
    memcpy(of, terms, sizeof of);
    of[TERM_MISSES] = misses;
    return measure_figure_or_0(FORMULA_MPKI, of);
}

static void print_row(const char *name, unsigned indent, const struct process_figures *figures, double whole,
                      double clock_hz, FILE *out)
{
    const double terms[TERMS] = {
        [TERM_CYCLES] = figures->cycles,   [TERM_WAIT] = figures->wait,       [TERM_INSNS] = figures->insns,
        [TERM_INSN_STALL] = figures->insn, [TERM_DATA_STALL] = figures->data, [TERM_WHOLE] = whole};
    const double classes[] = {figures->cold, figures->others, figures->coherence, figures->upgrade};
    const bool classified = figures->misses == 0 || figures->cold + figures->others + figures->coherence > 0;
    fprintf(out, "%*s%-*.*s %6.2f%% %9.0f %6.2f %6.2f %6.2f %7.2f", (int)indent, "", 24 - (int)indent, 24 - (int)indent,
            PRINTABLE(name), measure_figure_or_0(FORMULA_SHARE, terms), figures->calls,
            measure_figure_or_0(FORMULA_CPI, terms), measure_figure_or_0(FORMULA_I_MCPI, terms),
            measure_figure_or_0(FORMULA_D_MCPI, terms), per_thousand(figures->misses, terms));
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (classified)
            fprintf(out, " %7.2f", per_thousand(classes[i], terms));
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
        if (!service_is_idle(rows[i].name) && 100 * rows[i].figures.cycles >= PERCENT * own)
            print_row(rows[i].name, 2, &rows[i].figures, whole, clock_hz, out);
}

static void print_by_service(const struct process_list *list, double whole, double clock_hz, FILE *out)
{
    struct service_list services;
    service_list_read(&services, list);
    fputc('\n', out);
    print_headings("service / process", out);
    for (size_t i = 0; i < services.count; i++) {
        const struct service_processes *of = &services.service[i];
        if (service_is_idle(of->row.name) || 100 * of->row.figures.cycles < PERCENT * whole)
            continue;
        print_row(of->row.name, 0, &of->row.figures, whole, clock_hz, out);
        print_parts(of->process, of->count, of->row.figures.cycles, whole, clock_hz, out);
    }
    service_list_release(&services);
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
