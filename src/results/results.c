#include "src/results/results.h"
#include "src/results/accounts.h"

#include "src/base/board.h"
#include "src/base/params.h"
#include "src/base/printable.h"
#include "src/base/sums.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The modes of each sum. */
static const bool in_sum[MODES_SUMS][MODE_COUNT] = {[MODES_USER] = {[MODE_USER] = true},
                                                    [MODES_KERNEL] = {[MODE_KERNEL] = true},
                                                    [MODES_BUSY] = {[MODE_USER] = true, [MODE_KERNEL] = true},
                                                    [MODES_IDLE] = {[MODE_IDLE] = true},
                                                    [MODES_TOTAL] = {true, true, true}};

static json_t *member(const json_t *object, const char *first, const char *second)
{
    return json_object_get(json_object_get(object, first), second);
}

static struct results_row *row_for(struct results *results, const char *key)
{
    for (unsigned i = 0; i < results->row_count; i++)
        if (strcmp(results->rows[i].key, key) == 0)
            return &results->rows[i];
    if (results->row_count == RESULTS_ROWS_MAX || strlen(key) >= RESULTS_KEY_SIZE)
        return NULL;
    struct results_row *row = &results->rows[results->row_count++];
    *row = (struct results_row){.key = ""};
    snprintf(row->key, sizeof row->key, "%s", key);
    return row;
}

/* Add VALUE to row KEY. False if there are too many rows, or VALUE is no count. */
static bool add(struct results *results, const char *key, enum mode mode, const json_t *value)
{
    struct results_row *row = results_is_count(value) ? row_for(results, key) : NULL;
    if (row)
        sum_add(&row->value[mode], results_count_in(value));
    return row;
}

/* Add every count of GROUP to the row PREFIX.NAME. */
static bool add_group(struct results *results, const char *prefix, enum mode mode, json_t *group)
{
    const char *name;
    json_t *value;
    char key[2 * RESULTS_KEY_SIZE];
    bool done = true;
    json_object_foreach(group, name, value)
    {
        snprintf(key, sizeof key, "%s.%.64s", prefix, name);
        done &= add(results, key, mode, value);
    }
    return done;
}

static bool add_mode(struct results *results, enum mode mode, const json_t *account)
{
    static const char *const counts[] = {"cycles", "insns", "execute", "wait"};
    bool done = json_is_object(account);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        done = done && add(results, counts[i], mode, json_object_get(account, counts[i]));
    json_t *interlock = json_object_get(account, "interlock"); /* only of a machine with instruction costs */
    return done && add_group(results, "stall", mode, json_object_get(account, "stall")) &&
           (interlock == NULL || add_group(results, "interlock", mode, interlock)) &&
           add_group(results, "miss", mode, json_object_get(account, "miss"));
}

/* Add miss classes: rows "class.CACHE", or "class.CACHE.KIND" if kinds (insn, data) are counted separately. */
static bool add_classes(struct results *results, const char *prefix, json_t *group)
{
    const char *name;
    json_t *value;
    char key[2 * RESULTS_KEY_SIZE];
    bool done = true;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (json_object_get(group, mode_name(mode)))
            done &= add_group(results, prefix, mode, json_object_get(group, mode_name(mode)));
    json_object_foreach(group, name, value)
    {
        if (strcmp(name, "insn") != 0 && strcmp(name, "data") != 0)
            continue;
        snprintf(key, sizeof key, "%.48s.%s", prefix, name);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            done &= add_group(results, key, mode, json_object_get(value, mode_name(mode)));
    }
    return done;
}

static bool add_cpu(struct results *results, json_t *cpu)
{
    const char *name;
    json_t *value;
    char prefix[RESULTS_KEY_SIZE];
    const json_t *modes = json_object_get(cpu, "mode");
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (!add_mode(results, mode, json_object_get(modes, mode_name(mode))))
            return false;
    json_object_foreach(cpu, name, value)
    {
        snprintf(prefix, sizeof prefix, "class.%.40s", name);
        if (json_is_object(json_object_get(value, "miss")) &&
            !add_classes(results, prefix, json_object_get(value, "miss")))
            return false;
    }
    sum_add(&results->tlb_refills_load, results_count_in(member(cpu, "tlb", "refills_load")));
    sum_add(&results->tlb_refills_store, results_count_in(member(cpu, "tlb", "refills_store")));
    return true;
}

static void take_text(char *to, size_t size, const json_t *text)
{
    const char *value = json_string_value(text);
    snprintf(to, size, "%s", value && *value ? value : "-");
    printable_replace(to, '?');
}

/* The clock TEXT; 0 if it is none that a machine can have. */
static uint64_t clock_of(const char *text)
{
    uint64_t hz;
    return params_parse_number(PARAM_HZ, text, &hz) && hz >= CLOCK_HZ_MIN && hz <= CLOCK_HZ_MAX ? hz : 0;
}

static void read_window(struct results *results, const json_t *window)
{
    uint64_t warmup = results_count_of(window, "warmup");
    snprintf(results->window, sizeof results->window, "-");
    snprintf(results->warmup, sizeof results->warmup, "-");
    if (results_is_count(json_object_get(window, "start")))
        snprintf(results->window, sizeof results->window, "insn %" PRIu64, results_count_of(window, "start"));
    else if (results_is_count(json_object_get(window, "count")))
        snprintf(results->window, sizeof results->window, "%" PRIu64 " windows", results_count_of(window, "count"));
    if (warmup > 0)
        snprintf(results->warmup, sizeof results->warmup, "%" PRIu64, warmup);
}

static void read_version(struct results *results, const json_t *root)
{
    version_describe(json_string_value(member(root, "simos", "version")),
                     json_string_value(member(root, "simos", "commit")), results->simos);
    if (!*results->simos)
        snprintf(results->simos, sizeof results->simos, "-");
    printable_replace(results->simos, '?');
}

static void read_machine(struct results *results, const json_t *root)
{
    const json_t *parameters = json_object_get(root, "parameters");
    take_text(results->machine, sizeof results->machine, member(root, "machine", "name"));
    take_text(results->model, sizeof results->model, member(root, "machine", "model"));
    take_text(results->memory, sizeof results->memory, member(parameters, "machine", "memory"));
    take_text(results->clock, sizeof results->clock, member(parameters, "cpu", "clock"));
    take_text(results->tlb_entries, sizeof results->tlb_entries, member(parameters, "cpu", "tlb_entries"));
    results->clock_hz = clock_of(results->clock);
    results->time = results_count_in(member(root, "machine", "time"));
    read_window(results, json_object_get(root, "window"));
    results->measured_from = results_count_in(json_object_get(member(root, "cpu0", "before"), "cycles"));
    if (results->measured_from > results->time)
        results->measured_from = results->time;
}

/* A new reference to VALUE; NULL if it is no object. */
static json_t *object_of(json_t *value)
{
    return json_is_object(value) ? json_incref(value) : NULL;
}

void results_release(struct results *results)
{
    json_decref(results->over_time);
    json_decref(results->services);
    json_decref(results->root);
    results->over_time = results->services = results->root = NULL;
    mix_table_release(&results->mix);
}

/* Has ROOT, called TITLE, what the statistics of every run have? */
static bool is_of_run(const json_t *root, const char *title, struct err *err)
{
    static const char what[] = "not the statistics of a run";
    const json_t *cpu = json_object_get(root, "cpu0"), *time = member(root, "machine", "time");
    if (!cpu || !time)
        return err_set(err, "%.256s: %s: there is no %s", title, what, cpu ? "machine.time" : "cpu0");
    if (!json_is_object(cpu))
        return err_set(err, "%.256s: %s: cpu0 is no object", title, what);
    return results_is_count(time) || err_set(err, "%.256s: %s: machine.time is no count of cycles", title, what);
}

bool results_read(struct results *results, const char *title, const json_t *root, struct err *err)
{
    char name[16];
    *results = (struct results){.root = json_incref((json_t *)root)};
    snprintf(results->title, sizeof results->title, "%s", title);
    printable_replace(results->title, '?');
    if (!is_of_run(root, title, err) || !results_check_annotations(root, title, err))
        return false;
    read_version(results, root);
    read_machine(results, root);
    results->over_time = object_of(json_object_get(root, "over_time"));
    results->services = object_of(member(root, "annotations", "services"));
    mix_table_read(&results->mix, root);
    for (;;) {
        snprintf(name, sizeof name, "cpu%u", results->cpus);
        json_t *cpu = json_object_get(root, name);
        if (!cpu)
            return true;
        if (results->cpus == BOARD_MAX_CPUS || !add_cpu(results, cpu))
            return err_set(err, "%.256s: not the statistics of a run: %s has no accounts by mode", title, name);
        results->cpus++;
    }
}

const struct results_row *results_row(const struct results *results, const char *key)
{
    for (unsigned i = 0; i < results->row_count; i++)
        if (strcmp(results->rows[i].key, key) == 0)
            return &results->rows[i];
    return NULL;
}

static uint64_t sum_row(const struct results_row *row, enum modes sum)
{
    uint64_t total = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum_add(&total, in_sum[sum][mode] ? row->value[mode] : 0);
    return total;
}

uint64_t results_sum(const struct results *results, const char *key, enum modes sum)
{
    const struct results_row *row = results_row(results, key);
    return row ? sum_row(row, sum) : 0;
}

uint64_t results_sum_all(const struct results *results, const char *prefix, enum modes sum)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < results->row_count; i++)
        if (strncmp(results->rows[i].key, prefix, strlen(prefix)) == 0)
            sum_add(&total, sum_row(&results->rows[i], sum));
    return total;
}

void results_terms(const struct results *results, enum modes sum, double terms[TERMS])
{
    const struct measure_cause *cause;
    uint64_t of_side[SIDE_DATA + 1] = {0};
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        if (cause->family == MEASURE_STALL) {
            char key[RESULTS_KEY_SIZE];
            snprintf(key, sizeof key, "stall.%s", cause->name);
            sum_add(&of_side[cause->side], results_sum(results, key, sum));
        }
    for (unsigned term = 0; term < TERMS; term++)
        terms[term] = 0;
    terms[TERM_CYCLES] = (double)results_sum(results, "cycles", sum);
    terms[TERM_WAIT] = (double)results_sum(results, "wait", sum);
    terms[TERM_INSNS] = (double)results_sum(results, "insns", sum);
    terms[TERM_STALL] = (double)results_sum_all(results, "stall.", sum);
    terms[TERM_INSN_STALL] = (double)of_side[SIDE_INSN];
    terms[TERM_DATA_STALL] = (double)of_side[SIDE_DATA];
    terms[TERM_WHOLE] = (double)results_sum(results, "cycles", MODES_TOTAL);
}

double results_figure(const struct results *results, enum formula formula, enum modes sum)
{
    double terms[TERMS];
    results_terms(results, sum, terms);
    return measure_figure_or_0(formula, terms);
}

static double to_seconds(const struct results *results, uint64_t time)
{
    return results->clock_hz ? (double)time / (double)results->clock_hz : 0;
}

double results_seconds(const struct results *results)
{
    return to_seconds(results, results->time - results->measured_from);
}

double results_busy_seconds(const struct results *results)
{
    return to_seconds(results, results_sum(results, "cycles", MODES_BUSY));
}
