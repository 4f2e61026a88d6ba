#include "annotations/accounts/account.h"

#include "cache/memsys.h"
#include "src/measure/measures.h"
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct account, row) == sizeof(struct bucket), "an account is a row of numbers");

struct account_plan account_plan_of(const struct machine_view *machine)
{
    struct account_plan plan = {.classify = machine->memsys ? memsys_classification(machine->memsys) : NULL};
    plan.has_mix = machine->cpus > 0 && machine->cores[0]->executions != NULL;
    if (!plan.classify)
        return plan;
    plan.rows = MISS_KINDS;
    for (unsigned cache = 0; classify_cache_name(plan.classify, cache); cache++)
        for (enum miss_kind kind = 0; kind < MISS_KINDS; kind++) {
            if (!classify_cache_takes_kind(plan.classify, cache, kind))
                continue;
            if (plan.rows == ACCOUNT_ROWS)
                log_bug("more than %d kinds of misses", ACCOUNT_CACHES);
            plan.row[plan.rows++] = (struct account_row){(uint8_t)cache, (uint8_t)kind};
        }
    return plan;
}

const uint64_t *account_source(const struct account_plan *plan, unsigned cpu, enum mode mode, unsigned row)
{
    if (row < MISS_KINDS)
        return classify_wait_cycles(plan->classify, cpu, mode)[row];
    return classify_counts(plan->classify, cpu, plan->row[row].cache)->miss[mode][plan->row[row].kind];
}

void account_read(const struct account_plan *plan, const struct core *core, enum mode mode, struct account *now)
{
    now->bucket = core->mode_buckets[mode];
    for (unsigned row = 0; row < plan->rows; row++)
        memcpy(now->row[row], account_source(plan, core->number, mode, row), sizeof now->row[row]);
    if (plan->has_mix)
        memcpy(account_mix(plan, now), core->executions->mix[mode], sizeof core->executions->mix[mode]);
}

/* JSON */

typedef const char *name_of_row(unsigned number);

static const char *const kinds[MISS_KINDS] = {[MISS_INSN] = "insn", [MISS_DATA] = "data"};

static const char *class_name(unsigned i)
{
    return classify_class_name((enum miss_class)i);
}

static const char *mix_name(unsigned i)
{
    return mix_names[i];
}

/* The object KEY with all COUNTS numbers. */
static void write_all(struct json_writer *json, const char *key, const uint64_t *count, unsigned counts,
                      name_of_row *name)
{
    json_member_object(json, key);
    for (unsigned i = 0; i < counts; i++)
        json_member_count(json, name(i), count[i]);
    json_end_object(json);
}

static void write_stalls(struct json_writer *json, const uint64_t stall[STALL_COUNT])
{
    json_member_object(json, "stall");
    for (unsigned i = 0; i < STALL_COUNT; i++)
        if (stall_is_listed((enum stall)i, stall[i]))
            json_member_count(json, stall_name(i), stall[i]);
    json_end_object(json);
}

static void write_interlocks(struct json_writer *json, const uint64_t interlock[INTERLOCK_COUNT])
{
    json_member_object(json, "interlock");
    for (unsigned i = 0; i < INTERLOCK_COUNT; i++)
        if (interlock_is_listed((enum interlock)i, interlock[i]))
            json_member_count(json, interlock_name(i), interlock[i]);
    json_end_object(json);
}

/* The object KEY with those of COUNTS numbers that are not 0; of the mix they may be negative (account_mix()). */
static void write_nonzero(struct json_writer *json, const char *key, const uint64_t *count, unsigned counts,
                          name_of_row *name)
{
    json_member_object(json, key);
    for (unsigned i = 0; i < counts; i++)
        if (count[i] != 0) {
            json_key(json, name(i));
            json_put_integer(json, (int64_t)count[i]);
        }
    json_end_object(json);
}

/* As above; nothing if all are 0. */
static void write_if_any(struct json_writer *json, const char *key, const uint64_t *count, unsigned counts,
                         name_of_row *name)
{
    unsigned i = 0;
    while (i < counts && count[i] == 0)
        i++;
    if (i < counts)
        write_nonzero(json, key, count, counts, name);
}

static void write_misses(const struct account_plan *plan, const struct account *account, struct json_writer *json)
{
    json_member_object(json, "class");
    for (unsigned row = MISS_KINDS; row < plan->rows; row++) {
        const struct account_row *at = &plan->row[row];
        bool first = row == MISS_KINDS || at[-1].cache != at->cache;
        bool last = row + 1 == plan->rows || at[1].cache != at->cache;
        if (first)
            json_member_object(json, classify_cache_name(plan->classify, at->cache));
        write_nonzero(json, kinds[at->kind], account->row[row], CLASS_COUNT, class_name);
        if (last)
            json_end_object(json);
    }
    json_end_object(json);
    json_member_object(json, "class_wait");
    for (unsigned kind = 0; kind < MISS_KINDS; kind++)
        write_nonzero(json, kinds[kind], account->row[kind], CLASS_COUNT, class_name);
    json_end_object(json);
}

void account_write_json(const struct account_plan *plan, const struct account *account, struct json_writer *json)
{
    const struct bucket *b = &account->bucket;
    json_member_count(json, "cycles", b->cycles);
    json_member_count(json, "insns", b->insns);
    json_member_count(json, "wait", b->wait);
    write_stalls(json, b->stall);
    write_all(json, "miss", b->miss, MISS_COUNT, miss_name);
    if (bucket_pipeline(b) > 0)
        write_all(json, "pipeline", b->pipeline, PIPELINE_COUNT, pipeline_name);
    if (bucket_interlock(b) > 0)
        write_interlocks(json, b->interlock);
    if (plan->rows > 0)
        write_misses(plan, account, json);
    if (plan->has_mix)
        write_nonzero(json, "mix", account->row[plan->rows], MIX_KINDS, mix_name);
}

void account_write_sparse_json(const struct account_plan *plan, const struct account *account, struct json_writer *json)
{
    const struct bucket *b = &account->bucket;
    json_member_count(json, "cycles", b->cycles);
    json_member_count(json, "insns", b->insns);
    if (b->wait)
        json_member_count(json, "wait", b->wait);
    write_if_any(json, "stall", b->stall, STALL_COUNT, stall_name);
    write_if_any(json, "miss", b->miss, MISS_COUNT, miss_name);
    write_if_any(json, "pipeline", b->pipeline, PIPELINE_COUNT, pipeline_name);
    write_if_any(json, "interlock", b->interlock, INTERLOCK_COUNT, interlock_name);
    for (unsigned row = MISS_KINDS; row < plan->rows; row++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", classify_cache_name(plan->classify, plan->row[row].cache),
                 kinds[plan->row[row].kind]);
        write_if_any(json, name, account->row[row], CLASS_COUNT, class_name);
    }
}
