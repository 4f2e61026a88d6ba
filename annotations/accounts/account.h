/*
 * An account: cycles, stalls, misses and instructions (struct bucket); if misses are classified (cache.classify), the
 * misses by class; and if the instruction mix is counted (execution.counts), the instructions by kind.
 *
 * A row of miss classes belongs to one cache and one kind of access (instruction or data). The first MISS_KINDS rows
 * hold cycles instead: those spent waiting for responses from beyond the caches that the CPU does not share. The mix
 * follows the rows in use, so that an account without it costs nothing more.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_ACCOUNT_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_ACCOUNT_H

#include "annotations/symbols/machine_view.h"
#include "cache/classify/classify.h"
#include "cpu/observe/executions.h"
#include "src/base/json_writer.h"
#include <stdio.h>

enum {
    ACCOUNT_CACHES = 6,
    ACCOUNT_ROWS = MISS_KINDS + ACCOUNT_CACHES,
    ACCOUNT_MIX_ROWS = (MIX_KINDS + CLASS_COUNT - 1) / CLASS_COUNT,
};

struct account {
    struct bucket bucket;
    /* [kind]: cycles waited; from MISS_KINDS on: misses of plan.row; from plan.rows on: the mix (account_mix()) */
    uint64_t row[ACCOUNT_ROWS + ACCOUNT_MIX_ROWS][CLASS_COUNT];
};

/* Describes the rows of an account; no rows if misses are not classified. */
struct account_plan {
    const struct classify *classify;
    bool has_mix; /* the mix was counted when the plan was made */
    unsigned rows;
    struct account_row {
        uint8_t cache; /* of the rows from MISS_KINDS on */
        uint8_t kind;
    } row[ACCOUNT_ROWS];
};
struct account_plan account_plan_of(const struct machine_view *machine);

/* The mix of ACCOUNT, by enum mix_kind: MIX_KINDS counts. plan.has_mix. A conditional branch whose delay slot was in
 * progress when an account ended is MIX_NOT_TAKEN there; if it is taken, the next account has one MIX_NOT_TAKEN less
 * and one MIX_TAKEN more. So the counts are signed. */
static inline uint64_t *account_mix(const struct account_plan *plan, struct account *account)
{
    return account->row[plan->rows];
}

/* The live counters of row ROW of CPU in MODE. */
const uint64_t *account_source(const struct account_plan *plan, unsigned cpu, enum mode mode, unsigned row);
/* Copy all current counters of CORE in MODE to NOW. */
void account_read(const struct account_plan *plan, const struct core *core, enum mode mode, struct account *now);

/* Write the members of a JSON object, without brackets: those of the bucket; "pipeline" and "interlock" if nonzero;
 * "class" and "class_wait" if misses are classified; "mix" if it is counted. Classes and kinds with count 0 are
 * omitted. */
void account_write_json(const struct account_plan *plan, const struct account *account, struct json_writer *json);

/* The same without zero members and without class_wait. Misses by class are one member for each cache and kind, as
 * "l2_data". */
void account_write_sparse_json(const struct account_plan *plan, const struct account *account,
                               struct json_writer *json);

/* Add COUNT numbers PART to TO. */
static inline void numbers_add(uint64_t *to, const uint64_t *part, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] += part[i];
}

/* Add the differences NOW - BEFORE of COUNT numbers to TO. */
static inline void numbers_add_difference(uint64_t *to, const uint64_t *now, const uint64_t *before, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] += now[i] - before[i];
}

/* Number of 64-bit counters in an account. */
static inline unsigned account_numbers(const struct account_plan *plan)
{
    return (unsigned)(sizeof(struct bucket) / sizeof(uint64_t)) + plan->rows * CLASS_COUNT +
           (plan->has_mix ? MIX_KINDS : 0);
}

/* Add PART, or NOW - BEFORE, to TO. */
static inline void account_add(const struct account_plan *plan, struct account *to, const struct account *part)
{
    numbers_add((uint64_t *)to, (const uint64_t *)part, account_numbers(plan));
}

static inline void account_add_difference(const struct account_plan *plan, struct account *to,
                                          const struct account *now, const struct account *before)
{
    numbers_add_difference((uint64_t *)to, (const uint64_t *)now, (const uint64_t *)before, account_numbers(plan));
}

/* The same for a bucket alone. */
static inline void bucket_add(struct bucket *to, const struct bucket *part)
{
    numbers_add((uint64_t *)to, (const uint64_t *)part, sizeof *to / sizeof(uint64_t));
}

static inline void bucket_add_difference(struct bucket *to, const struct bucket *now, const struct bucket *before)
{
    numbers_add_difference((uint64_t *)to, (const uint64_t *)now, (const uint64_t *)before,
                           sizeof *to / sizeof(uint64_t));
}

#endif
