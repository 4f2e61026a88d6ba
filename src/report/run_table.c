#include "src/report/run_table.h"
#include "src/base/printable.h"
#include "src/report/miss_table.h"

#include "cache/memsys.h"
#include "src/base/style.h"
#include "src/base/wrap.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns: the modes of SOSP'95 table 2.1, and their sums. */
enum { LABEL = 18, WIDTH = 11, /* 78 columns */ CONTINUED = 8 /* indentation of continuation lines */ };
enum { COLUMN_BUSY = MODE_COUNT, COLUMN_TOTAL, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {"user", "kernel", "idle", "user+kernel", "total"};
/* Print order. */
static const unsigned column_order[COLUMN_COUNT] = {MODE_USER, MODE_KERNEL, COLUMN_BUSY, MODE_IDLE, COLUMN_TOTAL};

static void add(struct bucket *sum, const struct bucket *part)
{
    sum->cycles += part->cycles;
    sum->insns += part->insns;
    sum->wait += part->wait;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        sum->stall[i] += part->stall[i];
    for (unsigned i = 0; i < MISS_COUNT; i++)
        sum->miss[i] += part->miss[i];
    for (unsigned i = 0; i < PIPELINE_COUNT; i++)
        sum->pipeline[i] += part->pipeline[i];
    for (unsigned i = 0; i < INTERLOCK_COUNT; i++)
        sum->interlock[i] += part->interlock[i];
}

static uint64_t named(const struct machine *machine, unsigned cpu, unsigned mode, const char *group, const char *name)
{
    char path[96];
    double value = 0;
    snprintf(path, sizeof path, "cpu%u.mode.%s.%s%s", cpu, mode_name(mode), group, name);
    stats_value(machine->stats, path, &value);
    return (uint64_t)value;
}

/* The account of CPU in MODE since the statistics were last reset. */
static struct bucket bucket_of(const struct machine *machine, unsigned cpu, unsigned mode)
{
    struct bucket bucket = {.cycles = named(machine, cpu, mode, "", "cycles"),
                            .insns = named(machine, cpu, mode, "", "insns"),
                            .wait = named(machine, cpu, mode, "", "wait")};
    for (unsigned i = 0; i < STALL_COUNT; i++)
        bucket.stall[i] = named(machine, cpu, mode, "stall.", stall_name(i));
    for (unsigned i = 0; i < MISS_COUNT; i++)
        bucket.miss[i] = named(machine, cpu, mode, "miss.", miss_name(i));
    for (unsigned i = 0; i < PIPELINE_COUNT; i++) /* 0 if the statistics have no pipeline stalls */
        bucket.pipeline[i] = named(machine, cpu, mode, "pipeline.", pipeline_name(i));
    for (unsigned i = 0; i < INTERLOCK_COUNT; i++) /* likewise */
        bucket.interlock[i] = named(machine, cpu, mode, "interlock.", interlock_name(i));
    return bucket;
}

static void sum_up(const struct machine *machine, struct bucket columns[COLUMN_COUNT])
{
    memset(columns, 0, COLUMN_COUNT * sizeof *columns);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        for (unsigned i = 0; i < machine->cpus; i++) {
            struct bucket part = bucket_of(machine, i, mode);
            add(&columns[mode], &part);
        }
        add(&columns[COLUMN_TOTAL], &columns[mode]);
        if (mode != MODE_IDLE)
            add(&columns[COLUMN_BUSY], &columns[mode]);
    }
}

/* Values of a column */

typedef uint64_t count_fn(const struct bucket *bucket);

static uint64_t count_cycles(const struct bucket *b)
{
    return b->cycles;
}
static uint64_t count_execute(const struct bucket *b)
{
    return bucket_execute(b);
}
static uint64_t count_pipeline(const struct bucket *b)
{
    return bucket_pipeline(b);
}
static uint64_t count_interlock(const struct bucket *b)
{
    return bucket_interlock(b);
}
static uint64_t count_wait(const struct bucket *b)
{
    return b->wait;
}
static uint64_t count_insns(const struct bucket *b)
{
    return b->insns;
}

/* A figure of the account B; 0 where it has none. */
static double figure_of(const struct bucket *b, const struct bucket *total, enum formula formula)
{
    double terms[TERMS];
    measure_bucket_terms(b, terms);
    terms[TERM_WHOLE] = (double)total->cycles;
    return measure_figure_or_0(formula, terms);
}

/* Print COUNT in a column; if it is too long, in thousands (K), millions (M) ..., truncated. */
static void put_count(FILE *out, uint64_t count)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRIu64, count);
    for (const char *unit = "KMGT"; length > WIDTH && *unit; unit++) {
        count /= 1000;
        length = snprintf(text, sizeof text, "%" PRIu64 "%c", count, *unit);
    }
    fprintf(out, " %*s", WIDTH, text);
}

static void print_counts(FILE *out, const char *label, const struct bucket columns[], count_fn *count)
{
    fprintf(out, "%-*s", LABEL, label);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        put_count(out, count(&columns[column_order[i]]));
    fputc('\n', out);
}

static void print_figures(FILE *out, enum formula formula, const char *unit, int digits, const struct bucket columns[])
{
    fprintf(out, "%-*s", LABEL, measure_formula(formula)->label);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        fprintf(out, " %*.*f%s", WIDTH - (int)strlen(unit), digits,
                figure_of(&columns[column_order[i]], &columns[COLUMN_TOTAL], formula), unit);
    fputc('\n', out);
}

/* Print a row of the counts of cause or access INDEX of an array within the accounts; FIELD: that of the first. */
static void print_element(FILE *out, const char *label, const struct bucket columns[], const uint64_t *field,
                          unsigned index)
{
    const size_t offset = (size_t)((const char *)field - (const char *)columns) + index * sizeof *field;
    fprintf(out, "%-*s", LABEL, label);
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        uint64_t value;
        memcpy(&value, (const char *)&columns[column_order[c]] + offset, sizeof value);
        put_count(out, value);
    }
    fputc('\n', out);
}

static void print_stalls(FILE *out, const struct bucket columns[])
{
    const struct measure_cause *cause;
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        if (cause->family == MEASURE_STALL &&
            stall_is_listed((enum stall)cause->number, columns[COLUMN_TOTAL].stall[cause->number])) {
            char label[64];
            snprintf(label, sizeof label, "stall %s", cause->label);
            print_element(out, label, columns, columns[0].stall, cause->number);
        }
}

/* The sum of the statistics PREFIXn.NAME over all CPUs n. */
static uint64_t sum_named(const struct machine *machine, const char *prefix, const char *name)
{
    double sum = 0, value;
    char path[96];
    for (unsigned i = 0; i < machine->cpus; i++) {
        snprintf(path, sizeof path, "%s%u.%s", prefix, i, name);
        if (stats_value(machine->stats, path, &value))
            sum += value;
    }
    return (uint64_t)sum;
}

/* A row of strings, wrapped to several lines. LABEL is printed before the first string; without strings nothing is
 * printed. */
struct row {
    const char *label;
    struct wrap wrap;
};

static void begin_row(struct row *row, const char *label, FILE *out)
{
    *row = (struct row){.label = label, .wrap = {.out = out, .indent = LABEL + 1}};
}

static void put_in_row(struct row *row, const char *text)
{
    enum { BETWEEN = 3 };
    const bool first = row->wrap.at == 0;
    if (first) {
        fprintf(row->wrap.out, "%-*s ", LABEL, row->label);
        row->wrap.at = row->wrap.indent;
    }
    wrap_put(&row->wrap, first ? 0 : BETWEEN, text, (int)strlen(text));
}

static void end_row(struct row *row)
{
    if (row->wrap.at > 0)
        wrap_end(&row->wrap);
}

/* Print all non-zero counters "PREFIX0.GROUP*", summed over the CPUs. */
static void print_group(const struct machine *machine, const char *label, const char *prefix, const char *group,
                        FILE *out)
{
    char start[64], text[96];
    const char *name;
    struct row row;
    begin_row(&row, label, out);
    snprintf(start, sizeof start, "%s0.%s", prefix, group);
    for (size_t i = 0; (name = stats_name_at(machine->stats, i)); i++) {
        if (strncmp(name, start, strlen(start)) != 0)
            continue;
        uint64_t sum = sum_named(machine, prefix, name + strlen(prefix) + 2);
        if (sum == 0)
            continue;
        snprintf(text, sizeof text, "%s %" PRIu64, name + strlen(start), sum);
        put_in_row(&row, text);
    }
    end_row(&row);
}

/* Print what the page-table walkers did, and what spared them walks and loads, if there are any. */
static void print_walks(const struct machine *machine, FILE *out)
{
    const struct core *core = machine->cores[0];
    if (!core->has_page_walker)
        return;
    fprintf(out, "%-*s load or fetch %" PRIu64 "   store %" PRIu64 "   failed %" PRIu64 "   loads %" PRIu64 "\n", LABEL,
            "page walks", sum_named(machine, "cpu", "tlb.walks_load"), sum_named(machine, "cpu", "tlb.walks_store"),
            sum_named(machine, "cpu", "tlb.walks_failed"), sum_named(machine, "cpu", "tlb.walk_loads"));
    if (core->translation != NULL)
        fprintf(out, "%-*s second-level TLB %" PRIu64 "   page-walk cache %" PRIu64 "\n", LABEL, "  hits instead",
                sum_named(machine, "cpu", "tlb.tlb2_hits"), sum_named(machine, "cpu", "tlb.walk_cache_hits"));
}

/* Print the instructions executed by each CPU model if there was more than one. */
static void print_models(const struct machine *machine, FILE *out)
{
    const char *name;
    char path[64], text[96];
    double executed = 0;
    struct row row;
    begin_row(&row, "CPU models", out);
    stats_value(machine->stats, "machine.insns", &executed);
    uint64_t total = (uint64_t)executed;
    for (size_t i = 0; (name = machine_cpu_model_at(i)); i++) {
        snprintf(path, sizeof path, "models.%s.insns", name);
        uint64_t insns = sum_named(machine, "cpu", path);
        if (insns == 0 || insns == total)
            continue;
        snprintf(text, sizeof text, "%s %" PRIu64 " instructions", name, insns);
        put_in_row(&row, text);
    }
    end_row(&row);
}

static void print_machine(const struct machine *machine, FILE *out)
{
    char memory[32], clock[32], text[256];
    params_text(machine->params, "machine.memory", memory, sizeof memory);
    params_text(machine->params, "cpu.clock", clock, sizeof clock);
    snprintf(text, sizeof text, "machine %s: %u CPU%s %s %s, RAM %s, %u TLB entries", machine->name, machine->cpus,
             machine->cpus > 1 ? "s" : "", machine_cpu_model(machine), clock, memory, machine->cores[0]->tlb_entries);
    printable_replace(text, '?');
    fputs(style_on(out, STYLE_HEADING), out);
    wrap_lines(out, CONTINUED, text);
    fputs(style_off(out), out);
}

static double seconds_of(const struct machine *machine)
{
    return (double)machine->now / (double)machine->queue->clock_hz;
}

static void print_memory_system(const struct machine *machine, FILE *out)
{
    char *text;
    size_t size;
    FILE *words = checked_memory(open_memstream(&text, &size));
    memsys_describe(machine->memsys, words);
    fclose(words);
    wrap_lines(out, CONTINUED, text);
    free(text);
}

static void print_heading(const struct machine *machine, FILE *out)
{
    print_machine(machine, out);
    print_memory_system(machine, out);
    fprintf(out, "%.6f simulated seconds\n\n%-*s", seconds_of(machine), LABEL, "");
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        fprintf(out, " %*s", WIDTH, column_names[column_order[i]]);
    fputc('\n', out);
}

static void print_full(const struct machine *machine, const struct bucket columns[COLUMN_COUNT], FILE *out)
{
    print_heading(machine, out);
    print_counts(out, "cycles", columns, count_cycles);
    print_figures(out, FORMULA_SHARE, " %", 2, columns);
    print_counts(out, "instructions", columns, count_insns);
    for (enum formula formula = 0; formula < FORMULAS; formula++)
        if (measure_formula(formula)->is_statistic)
            print_figures(out, formula, "", 4, columns);
    print_counts(out, "execution", columns, count_execute);
    if (count_pipeline(&columns[COLUMN_TOTAL]))
        print_counts(out, "  pipeline stall", columns, count_pipeline);
    if (count_interlock(&columns[COLUMN_TOTAL]))
        print_counts(out, "interlock", columns, count_interlock);
    print_stalls(out, columns);
    print_counts(out, "wait", columns, count_wait);
    for (unsigned i = 0; i < MISS_COUNT; i++)
        print_element(out, miss_label(i), columns, columns[0].miss, i);
    fputc('\n', out);
    miss_table_print(machine, out);
    print_models(machine, out);
    fprintf(out, "%-*s load or fetch %" PRIu64 "   store %" PRIu64 "\n", LABEL, "TLB refills",
            sum_named(machine, "cpu", "tlb.refills_load"), sum_named(machine, "cpu", "tlb.refills_store"));
    print_walks(machine, out);
    print_group(machine, "exceptions", "cpu", "exceptions.", out);
    print_group(machine, "interrupts", "gic.cpu", "", out);
    if (!machine->idle_loop_known)
        fputs("idle time is only `wait`: without a symbol file the idle loop is unknown\n", out);
}

/* The summary: machine, execution time, and shares of the modes. */
static void print_short(const struct machine *machine, const struct bucket columns[COLUMN_COUNT], FILE *out)
{
    const struct bucket *total = &columns[COLUMN_TOTAL];
    print_machine(machine, out);
    fprintf(out, "%.6f simulated seconds, %" PRIu64 " instructions, CPI without wait %.4f\n", seconds_of(machine),
            total->insns, figure_of(total, total, FORMULA_CPI));
    fprintf(out, "user %.2f %%, kernel %.2f %%, idle %.2f %% of %" PRIu64 " cycles\n",
            figure_of(&columns[MODE_USER], total, FORMULA_SHARE),
            figure_of(&columns[MODE_KERNEL], total, FORMULA_SHARE),
            figure_of(&columns[MODE_IDLE], total, FORMULA_SHARE), total->cycles);
}

void run_table_print(const struct machine *machine, enum run_table table, double set_up, double host, FILE *out)
{
    struct bucket columns[COLUMN_COUNT];
    if (table == RUN_TABLE_NONE)
        return;
    sum_up(machine, columns);
    fputc('\n', out);
    (table == RUN_TABLE_SHORT ? print_short : print_full)(machine, columns, out);
    fprintf(out, "host: set up in %.3f s, ran %.2f s, %.1f million instructions a second\n", set_up, host,
            host > 0 ? (double)(machine_insns(machine) - machine->insns_loaded) / host * 1e-6 : 0);
}
