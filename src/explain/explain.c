#include "src/explain/explain.h"
#include "src/results/values.h"

#include "src/measure/measures.h"
#include "src/results/result_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Leaves and the rests of routines that are this part of the difference, or more, are causes of their own. */
enum { NAMED_PART = 20 };

static ticks size_of(ticks amount)
{
    return amount < 0 ? -amount : amount;
}

/* *RESULT is BEFORE * MORE / COUNT, rounded towards 0. False if it, or what it takes, is larger than MOST: counts of a
 * file that no run has written. */
static bool scale(ticks before, ticks more, uint64_t count, ticks most, ticks *result)
{
    ticks whole, rest;
    if (__builtin_mul_overflow(before / (ticks)count, more, &whole) ||
        __builtin_mul_overflow(before % (ticks)count, more, &rest) || size_of(whole) > most)
        return false;
    *result = whole + rest / (ticks)count;
    return size_of(*result) <= most;
}

/* The two parts of a leaf's difference (explain.h). */
static void divide(const struct explanation *e, struct explain_leaf *leaf)
{
    const ticks before = (ticks)leaf->cycles[0] * (ticks)e->ticks_per_cycle[0];
    const ticks after = (ticks)leaf->cycles[1] * (ticks)e->ticks_per_cycle[1];
    const ticks more = (ticks)leaf->count[1] - (ticks)leaf->count[0];
    const ticks most = ((ticks)1 << 62) * (ticks)e->ticks_per_cycle[0]; /* more than any run has */
    const bool one_sided = (leaf->count[0] == 0) != (leaf->count[1] == 0);
    leaf->difference = after - before;
    leaf->by_count = 0;
    if (one_sided || (leaf->count[0] > 0 && !scale(before, more, leaf->count[0], most, &leaf->by_count)))
        leaf->by_count = leaf->difference;
    leaf->by_cost = leaf->difference - leaf->by_count;
}

static void merge(struct explanation *e, struct leaf *const rows[EXPLAIN_SIDES], const size_t counts[EXPLAIN_SIDES])
{
    size_t at[EXPLAIN_SIDES] = {0, 0};
    e->leaves = checked_memory(calloc(counts[0] + counts[1] + 1, sizeof *e->leaves));
    while (at[0] < counts[0] || at[1] < counts[1]) {
        const int order = at[0] == counts[0]   ? 1
                          : at[1] == counts[1] ? -1
                                               : leaf_name_order(&rows[0][at[0]].name, &rows[1][at[1]].name);
        struct explain_leaf *leaf = &e->leaves[e->leaf_count++];
        for (unsigned side = 0; side < EXPLAIN_SIDES; side++) {
            if (side == 0 ? order > 0 : order < 0)
                continue;
            const struct leaf *row = &rows[side][at[side]++];
            leaf->name = row->name;
            leaf->count[side] = row->count;
            leaf->cycles[side] = row->cycles;
            e->cycles[side] += row->cycles;
            if (strcmp(row->name.cause, "execute") == 0)
                e->insns[side] += row->count;
        }
        divide(e, leaf);
    }
    e->difference =
        (ticks)e->cycles[1] * (ticks)e->ticks_per_cycle[1] - (ticks)e->cycles[0] * (ticks)e->ticks_per_cycle[0];
}

static int order_of(ticks a, ticks b)
{
    return (size_of(a) < size_of(b)) - (size_of(a) > size_of(b));
}

static int by_size(const void *a, const void *b)
{
    const struct explain_leaf *x = a, *y = b;
    const int order = order_of(x->difference, y->difference);
    return order ? order : leaf_name_order(&x->name, &y->name);
}

/* Causes */

static const char *text_of(const char *text)
{
    return text ? text : "";
}

static int cause_by_size(const void *a, const void *b)
{
    const struct explain_cause *x = a, *y = b;
    const struct leaf_name first = {text_of(x->name.routine), text_of(x->name.cause), text_of(x->name.data),
                                    text_of(x->name.class)};
    const struct leaf_name second = {text_of(y->name.routine), text_of(y->name.cause), text_of(y->name.data),
                                     text_of(y->name.class)};
    const int order = order_of(x->difference, y->difference);
    return order ? order : leaf_name_order(&first, &second);
}

/* Leaves in the order of their causes, and within one of their routines. */
static int by_cause(const void *a, const void *b)
{
    const struct explain_leaf *x = *(struct explain_leaf *const *)a, *y = *(struct explain_leaf *const *)b;
    const int order = strcmp(x->name.cause, y->name.cause);
    return order ? order : leaf_name_order(&x->name, &y->name);
}

static void add_to(struct explain_cause *cause, const struct explain_leaf *leaf)
{
    cause->leaves++;
    for (unsigned side = 0; side < EXPLAIN_SIDES; side++) {
        cause->count[side] += leaf->count[side];
        cause->cycles[side] += leaf->cycles[side];
    }
    cause->difference += leaf->difference;
    cause->by_count += leaf->by_count;
    cause->by_cost += leaf->by_cost;
}

/* Is AMOUNT large enough for a cause of its own? */
static bool is_large(const struct explanation *e, ticks amount)
{
    return size_of(amount) * NAMED_PART >= size_of(e->difference);
}

/* ROUTINE has AMOUNT of CAUSE, the rest of all routines. */
static void note_routine(struct explain_cause *cause, const char *routine, ticks amount)
{
    unsigned at = EXPLAIN_MOST;
    if (amount == 0)
        return;
    while (at > 0 && (!cause->most[at - 1] || size_of(amount) > size_of(cause->most_difference[at - 1])))
        at--;
    for (unsigned i = EXPLAIN_MOST - 1; i > at; i--) {
        cause->most[i] = cause->most[i - 1];
        cause->most_difference[i] = cause->most_difference[i - 1];
    }
    if (at == EXPLAIN_MOST)
        return;
    cause->most[at] = routine;
    cause->most_difference[at] = amount;
}

/* The leaves LEAF of one routine and one kind become causes, or are added to the rest REST of that kind. */
static void add_routine(struct explanation *e, struct explain_leaf *const *leaf, size_t count,
                        struct explain_cause *rest)
{
    struct explain_cause own = {.name = {leaf[0]->name.routine, leaf[0]->name.cause, NULL, NULL}, .whole = true};
    for (size_t i = 0; i < count; i++) {
        if (count > 1 && !is_large(e, leaf[i]->difference)) {
            add_to(&own, leaf[i]);
            continue;
        }
        if (count == 1 && !is_large(e, leaf[i]->difference)) {
            add_to(rest, leaf[i]);
            note_routine(rest, leaf[i]->name.routine, leaf[i]->difference);
            return;
        }
        struct explain_cause *cause = &e->causes[e->cause_count++];
        *cause = (struct explain_cause){.name = leaf[i]->name, .whole = true};
        add_to(cause, leaf[i]);
        leaf[i]->is_named = true;
        own.whole = rest->whole = false;
    }
    if (own.leaves > 0 && is_large(e, own.difference)) {
        e->causes[e->cause_count++] = own;
        rest->whole = false;
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!leaf[i]->is_named)
            add_to(rest, leaf[i]);
    if (own.leaves > 0)
        note_routine(rest, own.name.routine, own.difference);
}

static void find_causes(struct explanation *e)
{
    struct explain_leaf **order = checked_memory(calloc(e->leaf_count + 1, sizeof *order));
    e->causes = checked_memory(calloc(2 * e->leaf_count + 1, sizeof *e->causes));
    for (size_t i = 0; i < e->leaf_count; i++)
        order[i] = &e->leaves[i];
    qsort(order, e->leaf_count, sizeof *order, by_cause);
    for (size_t i = 0, end; i < e->leaf_count; i = end) {
        struct explain_cause rest = {.name = {NULL, order[i]->name.cause, NULL, NULL}, .whole = true};
        for (end = i; end < e->leaf_count && strcmp(order[end]->name.cause, rest.name.cause) == 0;) {
            const size_t first = end;
            while (end < e->leaf_count && strcmp(order[end]->name.cause, rest.name.cause) == 0 &&
                   strcmp(order[end]->name.routine, order[first]->name.routine) == 0)
                end++;
            add_routine(e, order + first, end - first, &rest);
        }
        if (rest.leaves > 0)
            e->causes[e->cause_count++] = rest;
    }
    free(order);
    qsort(e->causes, e->cause_count, sizeof *e->causes, cause_by_size);
}

/* Creation */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Ticks of which both clocks are multiples; one a cycle if a clock is unknown. */
static void set_clocks(struct explanation *e)
{
    const uint64_t hz[EXPLAIN_SIDES] = {e->column[0]->clock_hz, e->column[1]->clock_hz};
    e->ticks_per_cycle[0] = e->ticks_per_cycle[1] = 1;
    if (hz[0] == 0 || hz[1] == 0)
        return;
    const uint64_t divisor = common_divisor(hz[0], hz[1]);
    e->ticks_per_cycle[0] = hz[1] / divisor;
    e->ticks_per_cycle[1] = hz[0] / divisor;
    e->ticks_per_second = (double)hz[0] * (double)(hz[1] / divisor);
}

static bool read_side(struct explanation *e, unsigned side, const char *const titles[EXPLAIN_SIDES], json_t *root,
                      struct err *err)
{
    result_title_among(e->title[side], sizeof e->title[side], titles, EXPLAIN_SIDES, (int)side);
    e->column[side] = checked_memory(calloc(1, sizeof *e->column[side]));
    e->name[side] = side ? "B" : "A";
    return results_read(e->column[side], titles[side], root, err);
}

struct explanation *explanation_create(const char *const titles[EXPLAIN_SIDES], json_t *const roots[EXPLAIN_SIDES],
                                       struct err *err)
{
    struct explanation *e = checked_memory(calloc(1, sizeof *e));
    struct leaf *rows[EXPLAIN_SIDES] = {NULL, NULL};
    size_t counts[EXPLAIN_SIDES] = {0, 0};
    bool done = read_side(e, 0, titles, roots[0], err) && read_side(e, 1, titles, roots[1], err);
    if (done) {
        const enum leaf_level levels[EXPLAIN_SIDES] = {leaf_level_of(e->column[0]), leaf_level_of(e->column[1])};
        e->level = levels[0] < levels[1] ? levels[0] : levels[1];
        set_clocks(e);
        for (unsigned side = 0; side < EXPLAIN_SIDES && done; side++)
            done = leaves_read(e->column[side], titles[side], e->level, &rows[side], &counts[side], err);
    }
    if (done) {
        merge(e, rows, counts);
        if (e->leaf_count > 0)
            qsort(e->leaves, e->leaf_count, sizeof *e->leaves, by_size);
        find_causes(e);
        if (!explanation_is_exact(e))
            log_bug("the parts of the difference do not add up to it");
    }
    free(rows[0]);
    free(rows[1]);
    if (done)
        return e;
    explanation_free(e);
    return NULL;
}

void explanation_free(struct explanation *e)
{
    if (!e)
        return;
    for (unsigned side = 0; side < EXPLAIN_SIDES; side++) {
        if (e->column[side])
            results_release(e->column[side]);
        free(e->column[side]);
    }
    free(e->leaves);
    free(e->causes);
    free(e);
}

bool explanation_is_exact(const struct explanation *e)
{
    ticks leaves = 0, causes = 0, parts = 0;
    int64_t cycles = 0;
    for (size_t i = 0; i < e->leaf_count; i++) {
        leaves += e->leaves[i].difference;
        parts += e->leaves[i].by_count + e->leaves[i].by_cost;
        cycles += e->leaves[i].cycles[1] - e->leaves[i].cycles[0];
    }
    for (size_t i = 0; i < e->cause_count; i++)
        causes += e->causes[i].difference;
    return leaves == e->difference && causes == e->difference && parts == e->difference &&
           cycles == e->cycles[1] - e->cycles[0];
}

double explanation_share(const struct explanation *e, ticks amount)
{
    return e->difference && amount ? 100.0 * (double)amount / (double)e->difference : 0;
}

/* Work */

/* Do A and B differ by more than 1 % of the larger? */
static bool is_other_work(uint64_t a, uint64_t b)
{
    const uint64_t more = a > b ? a : b, less = a > b ? b : a;
    return more - less > more / 100;
}

bool explanation_same_work(const struct explanation *e, char *text, size_t size)
{
    const char *command[EXPLAIN_SIDES];
    uint64_t ended[EXPLAIN_SIDES], user[EXPLAIN_SIDES], busy[EXPLAIN_SIDES];
    bool has_ended = true;
    for (unsigned side = 0; side < EXPLAIN_SIDES; side++) {
        command[side] = results_text(e->column[side], "machine.command");
        has_ended &= results_count(e->column[side], "machine.exit_status", &ended[side]);
        user[side] = results_sum(e->column[side], "insns", MODES_USER);
        busy[side] = results_sum(e->column[side], "insns", MODES_BUSY);
    }
    if (command[0] && command[1] && strcmp(command[0], command[1]) != 0)
        return snprintf(text, size, "their commands differ"), false;
    if (has_ended && ended[0] != ended[1])
        return snprintf(text, size, "their commands ended with status %" PRIu64 " and %" PRIu64, ended[0], ended[1]),
               false;
    const bool programs = user[0] > 0 || user[1] > 0;
    const uint64_t *const insns = programs ? user : busy;
    if (!is_other_work(insns[0], insns[1]))
        return true;
    snprintf(text, size, "%s executed %" PRIu64 " and %" PRIu64 " instructions", programs ? "programs" : "the kernels",
             insns[0], insns[1]);
    return false;
}

/* What if */

/* Append TEXT to the value of whatif.free at *USED of VALUE, with backslashes before the characters that divide it. */
static void append(char *value, size_t size, size_t *used, const char *text, bool quote)
{
    for (; *text && *used + 3 < size; text++) {
        if (quote && strchr("\\,|*", *text))
            value[(*used)++] = '\\';
        value[(*used)++] = *text;
    }
    value[*used] = '\0';
    if (*text)
        *used = size; /* too long */
}

/* Are all members of NAME that are not NULL those of OTHER? */
static bool includes(const struct leaf_name *name, const struct leaf_name *other)
{
    return (!name->routine || strcmp(name->routine, other->routine) == 0) &&
           (!name->cause || strcmp(name->cause, other->cause) == 0) &&
           (!name->data || strcmp(name->data, other->data) == 0) &&
           (!name->class || strcmp(name->class, other->class) == 0);
}

int64_t explanation_cycles(const struct explanation *e, unsigned side, const struct leaf_name *name)
{
    int64_t sum = 0;
    for (size_t i = 0; i < e->leaf_count; i++)
        if (includes(name, &e->leaves[i].name))
            sum += e->leaves[i].cycles[side];
    return sum;
}

void explanation_leave_out(struct explanation *e, const struct leaf_name *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->leaf_count; i++) {
        struct explain_leaf leaf = e->leaves[i];
        if (includes(name, &leaf.name)) {
            e->difference -= leaf.difference;
            for (unsigned side = 0; side < EXPLAIN_SIDES; side++)
                e->cycles[side] -= leaf.cycles[side];
            continue;
        }
        leaf.is_named = false;
        e->leaves[kept++] = leaf;
    }
    e->leaf_count = kept;
    free(e->causes);
    e->cause_count = 0;
    find_causes(e);
    if (!explanation_is_exact(e))
        log_bug("the parts of the rest of a difference do not add up to it");
}

static bool is_miss(const char *name)
{
    const struct measure_cause *cause = measure_cause_named(name);
    return cause && cause->times;
}

/* "miss:ROUTINE|DATA|CLASS|CAUSE" */
static void say_miss(const struct leaf_name *name, char *text, size_t size, size_t *used)
{
    const char *const parts[] = {name->routine, name->data, name->class, name->cause};
    append(text, size, used, "miss:", false);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        append(text, size, used, i ? "|" : "", false);
        append(text, size, used, parts[i] ? parts[i] : "*", parts[i]);
    }
}

bool explanation_whatif(const struct explanation *e, size_t index, char *text, size_t size, struct leaf_name *free_name)
{
    static const char lock[] = "lock ";
    const struct explain_cause *cause = &e->causes[index];
    const struct leaf_name *name = &cause->name;
    size_t used = 0;
    *free_name = (struct leaf_name){name->routine, NULL, NULL, NULL};
    if (e->level != LEAVES_BY_PLACE || !cause->whole)
        return false;
    if (name->data && strncmp(name->data, lock, strlen(lock)) == 0) {
        append(text, size, &used, "lock:", false);
        append(text, size, &used, name->data + strlen(lock), true);
        *free_name = (struct leaf_name){.data = name->data};
    } else if (is_miss(name->cause)) {
        say_miss(name, text, size, &used);
        *free_name = *name;
    } else if (!name->routine || name->routine[0] == '(' || strcmp(name->cause, "execute") != 0) {
        if (!name->routine || strcmp(name->routine, "(TLB refill)") != 0)
            return false;
        append(text, size, &used, "tlb", false);
    } else {
        append(text, size, &used, "routine:", false);
        append(text, size, &used, name->routine, true);
    }
    return used < size;
}
