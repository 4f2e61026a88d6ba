/*
 * An account: cycles, stalls, misses and instructions (struct bucket), and, if misses are classified (cache.classify),
 * the misses by class.
 *
 * A row of miss classes belongs to one cache and one kind of access (instruction or data). The first MISS_KINDS rows
 * hold cycles instead: those spent waiting for responses from beyond the last cache level.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNT_H
#define SIMOS_ANNOTATIONS_ACCOUNT_H

#include "annotations/symbols/machine_view.h"
#include "cache/classify/classify.h"
#include "src/base/json_writer.h"
#include <stdio.h>

enum { ACCOUNT_CACHES = 6, ACCOUNT_ROWS = MISS_KINDS + ACCOUNT_CACHES };

struct account {
    struct bucket bucket;
    uint64_t row[ACCOUNT_ROWS][CLASS_COUNT]; /* [kind]: cycles waited; from MISS_KINDS on: misses of plan.row */
};

/* Describes the rows of an account; no rows if misses are not classified. */
struct account_plan {
    const struct classify *classify;
    unsigned rows;
    struct account_row {
        uint8_t cache; /* of the rows from MISS_KINDS on */
        uint8_t kind;
    } row[ACCOUNT_ROWS];
};
struct account_plan account_plan_of(const struct machine_view *subject);

/* The live counters of row ROW of CPU in MODE. */
const uint64_t *account_source(const struct account_plan *plan, unsigned cpu, enum mode mode, unsigned row);
/* Copy all current counters of CORE in MODE to NOW. */
void account_read(const struct account_plan *plan, const struct core *core, enum mode mode, struct account *now);

/* Cycles of pipeline stall, over all causes (enum pipeline_stall). */
cycles account_pipeline(const struct bucket *bucket);

/* Write the members of a JSON object, without brackets: those of the bucket; "pipeline" if nonzero; "class" and
 * "class_wait" if misses are classified. Classes with count 0 are omitted. */
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
    return (unsigned)(sizeof(struct bucket) / sizeof(uint64_t)) + plan->rows * CLASS_COUNT;
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
