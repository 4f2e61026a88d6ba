/* The table of a report. */
#include "src/report/report.h"
#include "src/base/printable.h"
#include "src/measure/measures.h"

#include <inttypes.h>
#include <string.h>

enum { LABEL = 22, COLUMN_LEAST = 15 };

static const char *const sum_names[MODES_SUMS] = {[MODES_USER] = "user",
                                                  [MODES_KERNEL] = "kernel",
                                                  [MODES_BUSY] = "user+kernel",
                                                  [MODES_IDLE] = "idle",
                                                  [MODES_TOTAL] = "total"};

/* The catalogue's label of a row that `simos run` prints; false if it has none. */
static bool label_of_row(const char *key, char *label, size_t size)
{
    const bool is_stall = strncmp(key, "stall.", strlen("stall.")) == 0;
    const struct measure_cause *cause = measure_cause_named(is_stall ? key + strlen("stall.") : key);
    if (cause && cause->family == (is_stall ? MEASURE_STALL : MEASURE_TIME))
        return snprintf(label, size, "%s%s", is_stall ? "stall " : "", cause->label);
    for (unsigned miss = 0; strncmp(key, "miss.", strlen("miss.")) == 0 && miss < MISS_COUNT; miss++)
        if (strcmp(key + strlen("miss."), miss_name(miss)) == 0)
            return snprintf(label, size, "%s", miss_label(miss));
    return strcmp(key, "insns") == 0 && snprintf(label, size, "instructions");
}

/* Miss classes are labelled by cache: "class.l1i.cold" is "L1-I cold", "class.l2.data.cold" is "L2 data cold". Other
 * keys are labels with blanks for "." and "_". */
void report_label(const char *key, char *label, size_t size)
{
    static const char *const names[][2] = {{"class.l1i", "L1-I"}, {"class.l1d", "L1-D"}, {"class.l", "L"}};
    if (label_of_row(key, label, size))
        return;
    snprintf(label, size, "%s", key);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(key, names[i][0], strlen(names[i][0])) == 0) {
            snprintf(label, size, "%s%s", names[i][1], key + strlen(names[i][0]));
            break;
        }
    for (char *at = label; *at; at++)
        if (*at == '.' || *at == '_')
            *at = ' ';
    printable_replace(label, '?');
}

struct printing {
    const struct result_files *report;
    FILE *out;
    int width; /* of a column */
};

static void put_label(const struct printing *printing, const char *label)
{
    fprintf(printing->out, "%-*s", LABEL, label);
}

static void put_text(const struct printing *printing, const char *text)
{
    fprintf(printing->out, " %*s", printing->width, text);
}

static void put_count(const struct printing *printing, uint64_t count)
{
    fprintf(printing->out, " %*" PRIu64, printing->width, count);
}

/* Print a number; "-" if it is not KNOWN. */
static void put_number(const struct printing *printing, bool known, double number, int digits, const char *unit)
{
    if (known)
        fprintf(printing->out, " %*.*f%s", printing->width - (int)strlen(unit), digits, number, unit);
    else
        put_text(printing, "-");
}

static void end_row(const struct printing *printing)
{
    fputc('\n', printing->out);
}

/* Machine configurations */

static void put_texts(const struct printing *printing, const char *label, size_t offset)
{
    put_label(printing, label);
    for (unsigned i = 0; i < printing->report->count; i++)
        put_text(printing, (const char *)printing->report->columns[i] + offset);
    end_row(printing);
}

static void put_machines(const struct printing *printing)
{
    put_texts(printing, "", offsetof(struct results, title));
    put_texts(printing, "machine", offsetof(struct results, machine));
    put_texts(printing, "CPU model", offsetof(struct results, model));
    put_label(printing, "CPUs");
    for (unsigned i = 0; i < printing->report->count; i++)
        put_count(printing, printing->report->columns[i]->cpus);
    end_row(printing);
    put_texts(printing, "clock", offsetof(struct results, clock));
    put_texts(printing, "RAM", offsetof(struct results, memory));
    put_texts(printing, "TLB entries", offsetof(struct results, tlb_entries));
}

/* Times */

typedef double seconds_fn(const struct results *column);

static double begun_seconds(const struct results *column)
{
    return column->clock_hz ? (double)column->measured_from / (double)column->clock_hz : 0;
}

static void put_seconds(const struct printing *printing, const char *label, seconds_fn *seconds)
{
    put_label(printing, label);
    for (unsigned i = 0; i < printing->report->count; i++)
        put_number(printing, printing->report->columns[i]->clock_hz != 0, seconds(printing->report->columns[i]), 6,
                   " s");
    end_row(printing);
}

/* Speedup relative to the first column. */
static void put_speed_up(const struct printing *printing, const char *label, seconds_fn *seconds)
{
    double first = seconds(printing->report->columns[0]);
    put_label(printing, label);
    for (unsigned i = 0; i < printing->report->count; i++) {
        double own = seconds(printing->report->columns[i]);
        put_number(printing, own > 0 && first > 0, own > 0 ? first / own : 0, 2, "");
    }
    end_row(printing);
}

/* Does any column have a window? */
static bool has_windows(const struct result_files *report)
{
    for (unsigned i = 0; i < report->count; i++)
        if (strcmp(report->columns[i]->window, "-") != 0)
            return true;
    return false;
}

/* Does the measured part of any column begin after power-on? */
static bool begins_later(const struct result_files *report)
{
    for (unsigned i = 0; i < report->count; i++)
        if (report->columns[i]->measured_from != 0)
            return true;
    return false;
}

static void put_times(const struct printing *printing)
{
    end_row(printing);
    if (has_windows(printing->report)) {
        put_texts(printing, "window begins at", offsetof(struct results, window));
        put_texts(printing, "warm-up, insns", offsetof(struct results, warmup));
    }
    if (!has_windows(printing->report) || begins_later(printing->report))
        put_seconds(printing, "measured from", begun_seconds);
    put_seconds(printing, "simulated time", results_seconds);
    put_seconds(printing, "non-idle CPU time", results_busy_seconds);
    put_speed_up(printing, "speed-up", results_seconds);
    put_speed_up(printing, "speed-up, non-idle", results_busy_seconds);
}

/* Accounts */

static void put_figures(const struct printing *printing, enum formula formula, enum modes sum, int digits,
                        const char *unit)
{
    put_label(printing, measure_formula(formula)->label);
    for (unsigned i = 0; i < printing->report->count; i++)
        put_number(printing, true, results_figure(printing->report->columns[i], formula, sum), digits, unit);
    end_row(printing);
}

/* Print a row of counts; "-" in a column without that row. */
static void put_row(const struct printing *printing, const char *key, enum modes sum)
{
    char label[RESULTS_KEY_SIZE];
    uint64_t any = 0;
    for (unsigned i = 0; i < printing->report->count; i++)
        any |= results_sum(printing->report->columns[i], key, sum);
    if (any == 0)
        return;
    report_label(key, label, sizeof label);
    put_label(printing, label);
    for (unsigned i = 0; i < printing->report->count; i++)
        if (results_row(printing->report->columns[i], key))
            put_count(printing, results_sum(printing->report->columns[i], key, sum));
        else
            put_text(printing, "-");
    end_row(printing);
}

struct visiting {
    const struct printing *printing;
    enum modes sum;
};

static void put_visited(void *opaque, const char *key)
{
    const struct visiting *visiting = opaque;
    put_row(visiting->printing, key, visiting->sum);
}

static void put_rows(const struct printing *printing, const char *prefix, enum modes sum)
{
    struct visiting visiting = {printing, sum};
    result_files_visit_rows(printing->report, prefix, put_visited, &visiting);
}

static bool is_empty(const struct result_files *report, enum modes sum)
{
    for (unsigned i = 0; i < report->count; i++)
        if (results_sum(report->columns[i], "cycles", sum) != 0)
            return false;
    return true;
}

static void put_account(const struct printing *printing, enum modes sum)
{
    bool no_idle = is_empty(printing->report, MODES_IDLE);
    if (is_empty(printing->report, sum) || (sum == MODES_TOTAL && no_idle)) /* total equals user+kernel */
        return;
    fprintf(printing->out, "\n%s\n", sum_names[sum]);
    put_row(printing, "cycles", sum);
    put_figures(printing, FORMULA_SHARE, sum, 2, " %");
    put_row(printing, "insns", sum);
    for (enum formula formula = 0; formula < FORMULAS; formula++)
        if (measure_formula(formula)->is_statistic)
            put_figures(printing, formula, sum, 4, "");
    put_row(printing, "execute", sum);
    put_rows(printing, "stall.", sum);
    put_rows(printing, "interlock.", sum);
    put_row(printing, "wait", sum);
    put_rows(printing, "miss.", sum);
    put_rows(printing, "class.", sum);
}

static void put_refills(const struct printing *printing)
{
    fputs("\nTLB refills\n", printing->out);
    put_label(printing, "load or fetch");
    for (unsigned i = 0; i < printing->report->count; i++)
        put_count(printing, printing->report->columns[i]->tlb_refills_load);
    end_row(printing);
    put_label(printing, "store");
    for (unsigned i = 0; i < printing->report->count; i++)
        put_count(printing, printing->report->columns[i]->tlb_refills_store);
    end_row(printing);
}

/* Do the measured parts of both columns begin at the same point of the run, as far as the files show? */
static bool begin_at_same_point(const struct results *one, const struct results *other)
{
    return (one->measured_from == 0) == (other->measured_from == 0) && strcmp(one->window, other->window) == 0;
}

/* Warn if the measured parts begin at different points: then they cover different work. */
static void put_warning(const struct printing *printing)
{
    const struct result_files *report = printing->report;
    for (unsigned i = 1; i < report->count; i++)
        if (!begin_at_same_point(report->columns[0], report->columns[i])) {
            fputs("\nThe measured parts begin at different points: their times are not of the same work. (`restore "
                  "--warmup 0` begins them at the checkpoint.)\n",
                  printing->out);
            return;
        }
}

/* Is WRITERS[I] the first of its version? */
static bool is_first(const struct report_writer *writers, unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (strcmp(writers[j].simos, writers[i].simos) == 0)
            return false;
    return true;
}

static void put_titles_of(const struct report_writer *writers, unsigned count, const char *simos, FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(writers[i].simos, simos) == 0) {
            fprintf(out, "%s %s", any ? "," : ":", PRINTABLE(writers[i].title));
            any = true;
        }
}

void report_print_writers(const struct report_writer *writers, unsigned count, FILE *out)
{
    unsigned kinds = 0, put = 0;
    for (unsigned i = 0; i < count; i++)
        kinds += is_first(writers, i);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(writers[i].simos, "-") == 0 || !is_first(writers, i))
            continue;
        fprintf(out, "%sstatistics of simos %s", put++ ? "" : "\n", PRINTABLE(writers[i].simos));
        if (kinds > 1)
            put_titles_of(writers, count, writers[i].simos, out);
        fputc('\n', out);
    }
}

static void put_writers(const struct printing *printing)
{
    struct report_writer writers[RESULT_FILES_MAX];
    for (unsigned i = 0; i < printing->report->count; i++)
        writers[i] = (struct report_writer){printing->report->columns[i]->title, printing->report->columns[i]->simos};
    report_print_writers(writers, printing->report->count, printing->out);
}

void report_print(const struct result_files *report, FILE *out)
{
    struct printing printing = {.report = report, .out = out, .width = COLUMN_LEAST};
    for (unsigned i = 0; i < report->count; i++)
        if ((int)strlen(report->columns[i]->title) > printing.width)
            printing.width = (int)strlen(report->columns[i]->title);
    put_machines(&printing);
    put_times(&printing);
    for (unsigned sum = 0; sum < MODES_SUMS; sum++)
        put_account(&printing, sum);
    put_refills(&printing);
    put_warning(&printing);
    put_writers(&printing);
}
