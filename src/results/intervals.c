#include "src/results/intervals.h"

#include "src/base/log.h"
#include "src/base/sums.h"
#include "src/results/accounts.h"
#include <stdlib.h>

static uint64_t stall_of(json_t *mode)
{
    uint64_t sum = 0;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(mode, "stall"), name, value) sum_add(&sum, results_count_in(value));
    return sum;
}

static uint64_t insns_of(const json_t *row)
{
    static const char *const modes[] = {"user", "kernel", "idle"};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        sum_add(&sum, results_count_of(json_object_get(row, modes[i]), "insns"));
    return sum;
}

/* Subtract AMOUNT from *WHOLE, at most down to 0. Returns the difference. */
static uint64_t take(uint64_t *whole, uint64_t amount)
{
    uint64_t taken = amount < *whole ? amount : *whole;
    *whole -= taken;
    return taken;
}

/* Convert a row of the statistics. Spin-lock cycles are excluded from the kernel's execution and stall cycles. */
static struct interval interval_of(const json_t *row)
{
    json_t *user = json_object_get(row, "user"), *kernel = json_object_get(row, "kernel");
    const json_t *sync = json_object_get(row, "sync");
    uint64_t of_user = results_count_of(user, "cycles"), of_kernel = results_count_of(kernel, "cycles");
    uint64_t sync_stall = results_count_of(sync, "stall"), stall = stall_of(kernel);
    struct interval interval = {.end = results_count_of(row, "end"), .insns = insns_of(row)};
    interval.part[INTERVAL_USER_STALLS] = take(&of_user, stall_of(user));
    interval.part[INTERVAL_USER_RUNS] = of_user;
    interval.part[INTERVAL_SYNC] = take(&of_kernel, results_count_of(sync, "cycles"));
    interval.part[INTERVAL_KERNEL_STALLS] = take(&of_kernel, stall > sync_stall ? stall - sync_stall : 0);
    interval.part[INTERVAL_KERNEL_RUNS] = of_kernel;
    interval.part[INTERVAL_IDLE] = results_count_in(json_object_get(json_object_get(row, "idle"), "cycles"));
    return interval;
}

/* The intervals have executed EXECUTED instructions: how many had been before? False if the file does not say. */
static bool insns_before(const struct results *results, uint64_t executed, uint64_t *before)
{
    const json_t *window = json_object_get(results->root, "window");
    const uint64_t all = results_count_of(json_object_get(results->root, "machine"), "insns");
    if (window) {
        *before = results_count_of(window, "start");
        return results_is_count(json_object_get(window, "start"));
    }
    *before = all - executed;
    return all >= executed;
}

static void count_insns(const struct results *results, struct intervals *intervals)
{
    uint64_t executed = 0, before;
    for (size_t i = 0; i < intervals->count; i++) {
        sum_add(&executed, intervals->row[i].insns);
        intervals->row[i].insns = executed;
    }
    intervals->has_insns = executed > 0 && insns_before(results, executed, &before);
    for (size_t i = 0; intervals->has_insns && i < intervals->count; i++)
        sum_add(&intervals->row[i].insns, before);
}

struct intervals intervals_read(const struct results *results)
{
    const json_t *rows = json_object_get(results->over_time, "rows"), *row;
    size_t i;
    struct intervals intervals = {.begin = results_count_in(json_object_get(results->over_time, "begin"))};
    intervals.row = checked_memory(calloc(json_array_size(rows) + 1, sizeof *intervals.row));
    json_array_foreach(rows, i, row)
    {
        intervals.row[intervals.count++] = interval_of(row);
        intervals.has_sync |= json_is_object(json_object_get(row, "sync"));
    }
    count_insns(results, &intervals);
    return intervals;
}
