/*
 * What is charged to somebody: cycles, stalls, misses and instructions (struct bucket), and the misses once more by
 * class, if they are classified (cache.classify).
 *
 * A row is one cache and what it was asked for, instructions or data; two more have the cycles waited for what came
 * from beyond the last level. Within a row, misses by class.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNT_H
#define SIMOS_ANNOTATIONS_ACCOUNT_H

#include "annotations/symbols/subject.h"
#include "cache/classify/classify.h"
#include <stdio.h>

enum { ACCOUNT_CACHES = 6, ACCOUNT_ROWS = MISS_KINDS + ACCOUNT_CACHES };

struct account {
    struct bucket bucket;
    uint64_t row[ACCOUNT_ROWS][CLASS_COUNT]; /* [kind]: cycles waited; then as the plan says */
};

/* Which rows there are; none where misses are not classified. */
struct account_plan {
    const struct classify *classify;
    unsigned rows;
    struct account_row {
        uint8_t cache; /* of those behind the first MISS_KINDS */
        uint8_t kind;
    } row[ACCOUNT_ROWS];
};
struct account_plan account_plan_of(const struct subject *subject);

/* The present figures of row ROW of CPU in MODE. */
const uint64_t *account_source(const struct account_plan *plan, unsigned cpu, enum mode mode, unsigned row);
/* All present figures of CORE in MODE. */
void account_read(const struct account_plan *plan, const struct core *core, enum mode mode, struct account *now);

/* Cycles of pipeline stall, of all causes (enum pipeline_stall). */
cycles account_pipeline(const struct bucket *bucket);

/* As members of a JSON object, without braces: those of the bucket, "pipeline" if it has some; "class" and "class_wait"
 * where misses are classified. A class that is not there is 0. */
void account_write_json(const struct account_plan *plan, const struct account *account, FILE *out);

/* The same without what is 0, and without class_wait. Of misses by class a member for each cache and kind, "l2_data".
 */
void account_write_sparse_json(const struct account_plan *plan, const struct account *account, FILE *out);

/* Rows of COUNT numbers: TO gains PART; or what NOW has more than BEFORE. */
static inline void numbers_add(uint64_t *to, const uint64_t *part, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] += part[i];
}

static inline void numbers_add_difference(uint64_t *to, const uint64_t *now, const uint64_t *before, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        to[i] += now[i] - before[i];
}

/* The figures of an account as a row of numbers: COUNT of them. */
static inline unsigned account_numbers(const struct account_plan *plan)
{
    return (unsigned)(sizeof(struct bucket) / sizeof(uint64_t)) + plan->rows * CLASS_COUNT;
}

static inline void account_add(const struct account_plan *plan, struct account *to, const struct account *part)
{
    numbers_add((uint64_t *)to, (const uint64_t *)part, account_numbers(plan));
}

static inline void account_add_difference(const struct account_plan *plan, struct account *to,
                                          const struct account *now, const struct account *before)
{
    numbers_add_difference((uint64_t *)to, (const uint64_t *)now, (const uint64_t *)before, account_numbers(plan));
}

/* The same of a bucket alone. */
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
