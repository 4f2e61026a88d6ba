#include "src/observe/over_time.h"

#include "annotations/accounts/account.h"
#include "annotations/services/service_queues.h"
#include "src/measure/measures.h"
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

static void write_mode(struct json_writer *json, const struct bucket *b)
{
    json_begin_object(json);
    json_member_count(json, "cycles", b->cycles);
    json_member_count(json, "insns", b->insns);
    json_member_count(json, "wait", b->wait);
    json_member_object(json, "stall");
    for (unsigned i = 0; i < STALL_COUNT; i++)
        if (stall_is_listed((enum stall)i, b->stall[i]))
            json_member_count(json, stall_name(i), b->stall[i]);
    json_end_object(json);
    json_end_object(json);
}

static void write_group(struct json_writer *json, const char *name, const struct bucket *bucket)
{
    json_member_object(json, name);
    json_member_count(json, "cycles", bucket->cycles);
    json_member_count(json, "stall", bucket_stall(bucket));
    json_end_object(json);
}

static void write_groups(struct json_writer *json, const struct row *row, unsigned cpus)
{
    json_line(json, 7);
    json_member_array(json, "queued");
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        json_put_count(json, row->queued[cpu]);
    json_end_array(json);
    json_line(json, 7);
    write_group(json, "sync", &row->groups.sync);
    json_member_object(json, "groups");
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        write_group(json, service_group_name(group), &row->groups.group[group]);
    json_end_object(json);
}

static void write_row(struct json_writer *json, const struct over_time *over_time, const struct row *row)
{
    json_begin_object(json);
    json_member_count(json, "end", row->end);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        json_line(json, 7);
        json_key(json, mode_name(mode));
        write_mode(json, &row->mode[mode]);
    }
    if (over_time->has_groups)
        write_groups(json, row, over_time->machine->cpus);
    json_end_object(json);
}

void over_time_write_json(const struct over_time *over_time, struct json_writer *json)
{
    json_begin_object(json);
    json_line(json, 4);
    json_member_count(json, "interval", over_time->interval);
    json_line(json, 4);
    json_member_count(json, "begin", over_time->begin);
    json_line(json, 4);
    json_member_array(json, "rows");
    for (unsigned i = 0; i < over_time->count; i++) {
        json_line(json, 6);
        write_row(json, over_time, &over_time->rows[i]);
    }
    json_line(json, 4);
    json_end_array(json);
    json_line(json, 2);
    json_end_object(json);
}
