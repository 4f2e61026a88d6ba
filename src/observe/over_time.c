#include "src/observe/over_time.h"

#include "annotations/accounts/account.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cumulative values at one time; in a row, their increase during the interval. */
struct row {
    cycles end;
    struct bucket mode[MODE_COUNT];
    struct service_groups groups;
    cycles queued[BOARD_MAX_CPUS]; /* time that processes spent in the run queue of each CPU */
};

struct over_time {
    struct machine *machine;
    cycles interval, begin;
    bool has_groups;
    struct row before; /* values at the start of the current interval */
    unsigned count;
    struct row rows[OVER_TIME_ROWS];
};

static void add_row(struct row *to, const struct row *part)
{
    for (unsigned i = 0; i < MODE_COUNT; i++)
        bucket_add(&to->mode[i], &part->mode[i]);
    for (unsigned i = 0; i < GROUP_COUNT; i++)
        bucket_add(&to->groups.group[i], &part->groups.group[i]);
    bucket_add(&to->groups.sync, &part->groups.sync);
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++)
        to->queued[cpu] += part->queued[cpu];
}

/* The increase from BEFORE to NOW. */
static struct row row_between(const struct row *before, const struct row *now)
{
    struct row row = {.end = now->end};
    for (unsigned i = 0; i < MODE_COUNT; i++)
        bucket_add_difference(&row.mode[i], &now->mode[i], &before->mode[i]);
    for (unsigned i = 0; i < GROUP_COUNT; i++)
        bucket_add_difference(&row.groups.group[i], &now->groups.group[i], &before->groups.group[i]);
    bucket_add_difference(&row.groups.sync, &now->groups.sync, &before->groups.sync);
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++)
        row.queued[cpu] = now->queued[cpu] - before->queued[cpu];
    return row;
}

static void read_counters(struct over_time *over_time, struct services *services, struct row *now)
{
    struct machine *machine = over_time->machine;
    *now = (struct row){.end = machine_now(machine)};
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++) {
        core_sync(machine->cores[cpu]);
        core_account(machine->cores[cpu]);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            bucket_add(&now->mode[mode], &machine->cores[cpu]->mode_buckets[mode]);
    }
    if (services)
        services_sum_groups(services, &now->groups);
    for (unsigned cpu = 0; services && cpu < machine->cpus; cpu++)
        now->queued[cpu] = services_queued(services, cpu);
    over_time->has_groups |= services != NULL;
}

/* Combine pairs of rows; the last of an odd number stays single. */
static void halve(struct over_time *over_time)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < over_time->count; i += 2) {
        struct row row = over_time->rows[i];
        if (i + 1 < over_time->count) {
            row.end = over_time->rows[i + 1].end;
            add_row(&row, &over_time->rows[i + 1]);
        }
        over_time->rows[kept++] = row;
    }
    over_time->count = kept;
    over_time->interval *= 2;
}

static void end_interval(struct over_time *over_time, struct services *services)
{
    struct row now;
    read_counters(over_time, services, &now);
    if (now.end <= over_time->before.end)
        return;
    if (over_time->count == OVER_TIME_ROWS)
        halve(over_time);
    over_time->rows[over_time->count++] = row_between(&over_time->before, &now);
    over_time->before = now;
}

struct over_time *over_time_create(struct machine *machine, cycles interval)
{
    struct over_time *over_time = checked_memory(calloc(1, sizeof *over_time));
    over_time->machine = machine;
    over_time->interval = interval;
    over_time_reset(over_time, NULL);
    return over_time;
}

void over_time_free(struct over_time *over_time)
{
    free(over_time);
}

cycles over_time_next(const struct over_time *over_time)
{
    cycles passed = over_time->before.end - over_time->begin;
    return over_time->begin + (passed / over_time->interval + 1) * over_time->interval;
}

void over_time_sample(struct over_time *over_time, struct services *services)
{
    if (machine_now(over_time->machine) >= over_time_next(over_time))
        end_interval(over_time, services);
}

void over_time_reset(struct over_time *over_time, struct services *services)
{
    over_time->count = 0;
    read_counters(over_time, services, &over_time->before);
    over_time->begin = over_time->before.end;
}

void over_time_end(struct over_time *over_time, struct services *services)
{
    end_interval(over_time, services);
}

/* JSON */

static void write_mode(FILE *out, const struct bucket *b)
{
    fprintf(out, "{\"cycles\": %" PRIu64 ", \"insns\": %" PRIu64 ", \"wait\": %" PRIu64 ", \"stall\": {", b->cycles,
            b->insns, b->wait);
    for (unsigned i = 0; i < STALL_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", core_stall_name(i), b->stall[i]);
    fputs("}}", out);
}

static void write_group(FILE *out, const char *name, const struct bucket *bucket)
{
    uint64_t stall = 0;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        stall += bucket->stall[i];
    fprintf(out, "\"%s\": {\"cycles\": %" PRIu64 ", \"stall\": %" PRIu64 "}", name, bucket->cycles, stall);
}

static void write_groups(FILE *out, const struct row *row, unsigned cpus)
{
    fputs(",\n       \"queued\": [", out);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        fprintf(out, "%s%" PRIu64, cpu ? ", " : "", row->queued[cpu]);
    fputc(']', out);
    fputs(",\n       ", out);
    write_group(out, "sync", &row->groups.sync);
    fputs(", \"groups\": {", out);
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        fputs(group ? ", " : "", out);
        write_group(out, service_group_name(group), &row->groups.group[group]);
    }
    fputc('}', out);
}

void over_time_write_json(const struct over_time *over_time, FILE *out)
{
    fprintf(out, "{\n    \"interval\": %" PRIu64 ",\n    \"begin\": %" PRIu64 ",\n    \"rows\": [", over_time->interval,
            over_time->begin);
    for (unsigned i = 0; i < over_time->count; i++) {
        const struct row *row = &over_time->rows[i];
        fprintf(out, "%s\n      {\"end\": %" PRIu64, i ? "," : "", row->end);
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            fprintf(out, ",\n       \"%s\": ", core_mode_name(mode));
            write_mode(out, &row->mode[mode]);
        }
        if (over_time->has_groups)
            write_groups(out, row, over_time->machine->cpus);
        fputc('}', out);
    }
    fputs("\n    ]\n  }", out);
}
