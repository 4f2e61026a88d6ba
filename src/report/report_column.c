#include "src/report/report_column.h"
#include "src/report/report_accounts.h"

#include "src/machine/machine.h"
#include "src/base/printable.h"
#include "src/base/sums.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The modes of each sum. */
static const bool in_sum[REPORT_SUMS][MODE_COUNT] = {[REPORT_USER] = {[MODE_USER] = true},
                                                     [REPORT_KERNEL] = {[MODE_KERNEL] = true},
                                                     [REPORT_BUSY] = {[MODE_USER] = true, [MODE_KERNEL] = true},
                                                     [REPORT_IDLE] = {[MODE_IDLE] = true},
                                                     [REPORT_TOTAL] = {true, true, true}};

static json_t *member(const json_t *object, const char *first, const char *second)
{
    return json_object_get(json_object_get(object, first), second);
}

static uint64_t count_of(const json_t *value)
{
    return report_is_count(value) ? (uint64_t)json_integer_value(value) : 0;
}

static struct report_row *row_for(struct report_column *column, const char *key)
{
    for (unsigned i = 0; i < column->row_count; i++)
        if (strcmp(column->rows[i].key, key) == 0)
            return &column->rows[i];
    if (column->row_count == REPORT_ROWS_MAX || strlen(key) >= REPORT_KEY_SIZE)
        return NULL;
    struct report_row *row = &column->rows[column->row_count++];
    *row = (struct report_row){.key = ""};
    snprintf(row->key, sizeof row->key, "%s", key);
    return row;
}

/* Add VALUE to row KEY. False if there are too many rows, or VALUE is no count. */
static bool add(struct report_column *column, const char *key, enum mode mode, const json_t *value)
{
    struct report_row *row = report_is_count(value) ? row_for(column, key) : NULL;
    if (row)
        sum_add(&row->value[mode], count_of(value));
    return row;
}

/* Add every count of GROUP to the row PREFIX.NAME. */
static bool add_group(struct report_column *column, const char *prefix, enum mode mode, json_t *group)
{
    const char *name;
    json_t *value;
    char key[2 * REPORT_KEY_SIZE];
    bool done = true;
    json_object_foreach(group, name, value)
    {
        snprintf(key, sizeof key, "%s.%.64s", prefix, name);
        done &= add(column, key, mode, value);
    }
    return done;
}

static bool add_mode(struct report_column *column, enum mode mode, const json_t *account)
{
    static const char *const counts[] = {"cycles", "insns", "execute", "wait"};
    bool done = json_is_object(account);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        done = done && add(column, counts[i], mode, json_object_get(account, counts[i]));
    json_t *interlock = json_object_get(account, "interlock"); /* only of a machine with instruction costs */
    return done && add_group(column, "stall", mode, json_object_get(account, "stall")) &&
           (interlock == NULL || add_group(column, "interlock", mode, interlock)) &&
           add_group(column, "miss", mode, json_object_get(account, "miss"));
}

/* Add miss classes: rows "class.CACHE", or "class.CACHE.KIND" if kinds (insn, data) are counted separately. */
static bool add_classes(struct report_column *column, const char *prefix, json_t *group)
{
    const char *name;
    json_t *value;
    char key[2 * REPORT_KEY_SIZE];
    bool done = true;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (json_object_get(group, mode_name(mode)))
            done &= add_group(column, prefix, mode, json_object_get(group, mode_name(mode)));
    json_object_foreach(group, name, value)
    {
        if (strcmp(name, "insn") != 0 && strcmp(name, "data") != 0)
            continue;
        snprintf(key, sizeof key, "%.48s.%s", prefix, name);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            done &= add_group(column, key, mode, json_object_get(value, mode_name(mode)));
    }
    return done;
}

static bool add_cpu(struct report_column *column, json_t *cpu)
{
    const char *name;
    json_t *value;
    char prefix[REPORT_KEY_SIZE];
    const json_t *modes = json_object_get(cpu, "mode");
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        if (!add_mode(column, mode, json_object_get(modes, mode_name(mode))))
            return false;
    json_object_foreach(cpu, name, value)
    {
        snprintf(prefix, sizeof prefix, "class.%.40s", name);
        if (json_is_object(json_object_get(value, "miss")) &&
            !add_classes(column, prefix, json_object_get(value, "miss")))
            return false;
    }
    sum_add(&column->tlb_refills_load, count_of(member(cpu, "tlb", "refills_load")));
    sum_add(&column->tlb_refills_store, count_of(member(cpu, "tlb", "refills_store")));
    return true;
}

static void take_text(char *to, size_t size, const json_t *text)
{
    const char *value = json_string_value(text);
    snprintf(to, size, "%s", value && *value ? value : "-");
    printable_replace(to, '?');
}

static uint64_t clock_of(const char *text)
{
    struct machine_options options;
    machine_options_init(&options);
    bool known = params_set(options.params, "cpu.clock", text, NULL);
    uint64_t hz = known ? params_u64(options.params, "cpu.clock") : 0;
    machine_options_release(&options);
    return hz;
}

static void read_window(struct report_column *column, const json_t *window)
{
    uint64_t warmup = count_of(json_object_get(window, "warmup"));
    snprintf(column->window, sizeof column->window, "-");
    snprintf(column->warmup, sizeof column->warmup, "-");
    if (report_is_count(json_object_get(window, "start")))
        snprintf(column->window, sizeof column->window, "insn %" PRIu64, count_of(json_object_get(window, "start")));
    else if (report_is_count(json_object_get(window, "count")))
        snprintf(column->window, sizeof column->window, "%" PRIu64 " windows",
                 count_of(json_object_get(window, "count")));
    if (warmup > 0)
        snprintf(column->warmup, sizeof column->warmup, "%" PRIu64, warmup);
}

static void read_version(struct report_column *column, const json_t *root)
{
    version_describe(json_string_value(member(root, "simos", "version")),
                     json_string_value(member(root, "simos", "commit")), column->simos);
    if (!*column->simos)
        snprintf(column->simos, sizeof column->simos, "-");
    printable_replace(column->simos, '?');
}

static void read_machine(struct report_column *column, const json_t *root)
{
    const json_t *parameters = json_object_get(root, "parameters");
    take_text(column->machine, sizeof column->machine, member(root, "machine", "name"));
    take_text(column->model, sizeof column->model, member(root, "machine", "model"));
    take_text(column->memory, sizeof column->memory, member(parameters, "machine", "memory"));
    take_text(column->clock, sizeof column->clock, member(parameters, "cpu", "clock"));
    take_text(column->tlb_entries, sizeof column->tlb_entries, member(parameters, "cpu", "tlb_entries"));
    column->clock_hz = clock_of(column->clock);
    column->time = count_of(member(root, "machine", "time"));
    read_window(column, json_object_get(root, "window"));
    column->measured_from = count_of(json_object_get(member(root, "cpu0", "before"), "cycles"));
    if (column->measured_from > column->time)
        column->measured_from = column->time;
}

/* A new reference to VALUE; NULL if it is no object. */
static json_t *object_of(json_t *value)
{
    return json_is_object(value) ? json_incref(value) : NULL;
}

void report_column_release(struct report_column *column)
{
    json_decref(column->over_time);
    json_decref(column->services);
    json_decref(column->root);
    column->over_time = column->services = column->root = NULL;
    mix_table_release(&column->mix);
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
    return report_is_count(time) || err_set(err, "%.256s: %s: machine.time is no count of cycles", title, what);
}

bool report_column_read(struct report_column *column, const char *title, const json_t *root, struct err *err)
{
    char name[16];
    *column = (struct report_column){.root = json_incref((json_t *)root)};
    snprintf(column->title, sizeof column->title, "%s", title);
    printable_replace(column->title, '?');
    if (!is_of_run(root, title, err) || !report_check_annotations(root, title, err))
        return false;
    read_version(column, root);
    read_machine(column, root);
    column->over_time = object_of(json_object_get(root, "over_time"));
    column->services = object_of(member(root, "annotations", "services"));
    mix_table_read(&column->mix, root);
    for (;;) {
        snprintf(name, sizeof name, "cpu%u", column->cpus);
        json_t *cpu = json_object_get(root, name);
        if (!cpu)
            return true;
        if (column->cpus == BOARD_MAX_CPUS || !add_cpu(column, cpu))
            return err_set(err, "%.256s: not the statistics of a run: %s has no accounts by mode", title, name);
        column->cpus++;
    }
}

const struct report_row *report_column_row(const struct report_column *column, const char *key)
{
    for (unsigned i = 0; i < column->row_count; i++)
        if (strcmp(column->rows[i].key, key) == 0)
            return &column->rows[i];
    return NULL;
}

static uint64_t sum_row(const struct report_row *row, enum report_sum sum)
{
    uint64_t total = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum_add(&total, in_sum[sum][mode] ? row->value[mode] : 0);
    return total;
}

uint64_t report_column_sum(const struct report_column *column, const char *key, enum report_sum sum)
{
    const struct report_row *row = report_column_row(column, key);
    return row ? sum_row(row, sum) : 0;
}

uint64_t report_column_sum_all(const struct report_column *column, const char *prefix, enum report_sum sum)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < column->row_count; i++)
        if (strncmp(column->rows[i].key, prefix, strlen(prefix)) == 0)
            sum_add(&total, sum_row(&column->rows[i], sum));
    return total;
}

static double per_insn(const struct report_column *column, uint64_t cycles, enum report_sum sum)
{
    uint64_t insns = report_column_sum(column, "insns", sum);
    return insns ? (double)cycles / (double)insns : 0;
}

double report_column_cpi(const struct report_column *column, enum report_sum sum)
{
    return per_insn(column, report_column_sum(column, "cycles", sum) - report_column_sum(column, "wait", sum), sum);
}

static double mcpi(const struct report_column *column, enum report_sum sum, enum measure_side side)
{
    const struct measure_cause *cause;
    uint64_t cycles = 0;
    for (unsigned i = 0; (cause = measure_cause_at(i)); i++)
        if (cause->side == side) {
            char key[64];
            snprintf(key, sizeof key, "stall.%s", cause->name);
            sum_add(&cycles, report_column_sum(column, key, sum));
        }
    return per_insn(column, cycles, sum);
}

double report_column_i_mcpi(const struct report_column *column, enum report_sum sum)
{
    return mcpi(column, sum, SIDE_INSN);
}

double report_column_d_mcpi(const struct report_column *column, enum report_sum sum)
{
    return mcpi(column, sum, SIDE_DATA);
}

static double to_seconds(const struct report_column *column, uint64_t time)
{
    return column->clock_hz ? (double)time / (double)column->clock_hz : 0;
}

double report_column_seconds(const struct report_column *column)
{
    return to_seconds(column, column->time - column->measured_from);
}

double report_column_busy_seconds(const struct report_column *column)
{
    return to_seconds(column, report_column_sum(column, "cycles", REPORT_BUSY));
}
