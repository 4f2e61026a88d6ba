/* Many caches in one pass (Mattson et al. 1970, Hill and Smith 1989, Thompson and Smith 1989) against each cache alone:
 * a simple model with time stamps, independent of stack distances. */
#include "cache/observe/sweep_stack.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

/* A single cache */

enum { MEMORY_LINES = 4096, NOBODY = -1, DEVICE = -2, FLUSH = -3, KERNEL = -4 };

struct way {
    bool valid, dirty;
    uint32_t line;
    uint64_t used;
};

struct plain {
    uint32_t line, sets, ways;
    struct way *way;
    int evictor[MEMORY_LINES];
    uint64_t time;
    struct sweep_counts counts;
};

static struct plain *plain_create(uint32_t line, uint32_t sets, uint32_t ways)
{
    struct plain *plain = calloc(1, sizeof *plain);
    *plain = (struct plain){.line = line, .sets = sets, .ways = ways};
    plain->way = calloc((size_t)sets * ways, sizeof *plain->way);
    for (int i = 0; i < MEMORY_LINES; i++)
        plain->evictor[i] = NOBODY;
    return plain;
}

static void plain_free(struct plain *plain)
{
    free(plain->way);
    free(plain);
}

static struct way *plain_find(struct plain *plain, uint32_t line)
{
    struct way *set = plain->way + (size_t)(line % plain->sets) * plain->ways;
    for (uint32_t i = 0; i < plain->ways; i++)
        if (set[i].valid && set[i].line == line)
            return &set[i];
    return NULL;
}

static struct way *plain_victim(struct plain *plain, uint32_t line)
{
    struct way *set = plain->way + (size_t)(line % plain->sets) * plain->ways, *victim = set;
    for (uint32_t i = 0; i < plain->ways; i++) {
        if (!set[i].valid)
            return &set[i];
        if (set[i].used < victim->used)
            victim = &set[i];
    }
    return victim;
}

static enum sweep_cause plain_cause(int evictor, int owner)
{
    if (evictor == NOBODY)
        return SWEEP_COLD;
    if (evictor == DEVICE || evictor == FLUSH)
        return evictor == DEVICE ? SWEEP_COHERENCE : SWEEP_FLUSHED;
    return evictor == owner ? SWEEP_SELF : SWEEP_OTHER;
}

static void plain_refer(struct plain *plain, struct sweep_context by, enum memsys_access access, paddr address)
{
    uint32_t line = address / plain->line;
    int owner = by.mode == MODE_USER ? (int)by.process : KERNEL;
    struct way *way = plain_find(plain, line);
    if (!way) {
        plain->counts.misses[by.mode][access == MEMSYS_FETCH ? SWEEP_INSN : SWEEP_DATA]
                            [plain_cause(plain->evictor[line], owner)]++;
        way = plain_victim(plain, line);
        if (way->valid) {
            plain->evictor[way->line] = owner;
            plain->counts.write_backs += way->dirty;
        }
        *way = (struct way){.valid = true, .line = line};
    }
    way->used = ++plain->time;
    way->dirty |= access == MEMSYS_WRITE;
}

static void plain_invalidate(struct plain *plain, paddr address, int by, bool keep)
{
    struct way *way = plain_find(plain, address / plain->line);
    if (!way)
        return;
    plain->counts.write_backs += way->dirty && keep;
    plain->evictor[way->line] = by;
    *way = (struct way){.valid = false};
}

static void plain_index_invalidate(struct plain *plain, paddr address)
{
    for (uint32_t i = 0; i < plain->ways; i++) {
        const struct way *way = &plain->way[(size_t)(address / plain->line % plain->sets) * plain->ways + i];
        if (way->valid)
            plain_invalidate(plain, way->line * plain->line, FLUSH, true);
    }
}

static void plain_clean(struct plain *plain, paddr address)
{
    struct way *way = plain_find(plain, address / plain->line);
    if (way) {
        plain->counts.write_backs += way->dirty;
        way->dirty = false;
    }
}

static void plain_write_back(struct plain *plain, paddr address)
{
    struct way *way = plain_find(plain, address / plain->line);
    if (way)
        way->dirty = true;
}

static void plain_flush(struct plain *plain)
{
    for (uint32_t line = 0; line < MEMORY_LINES; line++)
        plain_invalidate(plain, line * plain->line, FLUSH, false);
}

/* A stream: a walk with loops, jumps, and rare distant addresses. */

struct walk {
    uint64_t state;
    paddr address;
};

static uint32_t draw(struct walk *walk, uint32_t below)
{
    walk->state = walk->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(walk->state >> 33) % below;
}

static paddr next_address(struct walk *walk, uint32_t line)
{
    uint32_t choice = draw(walk, 16);
    if (choice < 8)
        walk->address += 4;
    else if (choice < 11)
        walk->address -= draw(walk, 64 * line);
    else if (choice < 13)
        walk->address += draw(walk, 64 * line);
    else if (choice == 13)
        walk->address = draw(walk, MEMORY_LINES) * line;
    else
        walk->address = draw(walk, 40) * 16 * line; /* addresses that map to few sets */
    walk->address %= MEMORY_LINES * line;
    return walk->address;
}

struct shape_case {
    struct sweep_stack_shape shape;
    bool invalidations;
};

#define WAYS(n) (UINT64_C(1) << (n))
#define TO_4    (WAYS(1) | WAYS(2) | WAYS(4))
#define TO_8    (TO_4 | WAYS(8))

static const struct shape_case cases[] = {
    {{.line = 32, .sets_min = 1, .sets_max = 64, .ways = TO_8}, true},
    {{.line = 64, .sets_min = 8, .sets_max = 128, .ways = WAYS(1) | WAYS(2)}, true},
    {{.line = 16, .sets_min = 16, .sets_max = 16, .ways = TO_4}, true},
    {{.line = 128, .sets_min = 4, .sets_max = 512, .ways = WAYS(1)}, true},
    {{.line = 32, .sets_min = 4, .sets_max = 32, .ways = TO_4}, false},
    {{.line = 8, .sets_min = 1, .sets_max = 1, .ways = TO_8}, true},
    {{.line = 64, .sets_min = 3, .sets_max = 96, .ways = WAYS(3) | WAYS(12)}, true},
    {{.line = 32, .sets_min = 11, .sets_max = 11, .ways = TO_8 | WAYS(5) | WAYS(20) | WAYS(32)}, true},
    {{.line = 16, .sets_min = 20, .sets_max = 40, .ways = WAYS(6) | WAYS(7)}, false},
};
enum { CASES = sizeof cases / sizeof cases[0], ALONE_MAX = 64, STEPS = 60000 };

/* Create all caches of SHAPE as single ones. */
static unsigned create_alone(const struct sweep_stack_shape *shape, struct plain **alone)
{
    unsigned count = 0;
    for (uint32_t sets = shape->sets_min; sets <= shape->sets_max; sets *= 2)
        for (uint32_t ways = 1; ways <= SWEEP_STACK_WAYS_MAX; ways++)
            if (shape->ways >> ways & 1)
                alone[count++] = plain_create(shape->line, sets, ways);
    return count;
}

static void compare_and_free(struct sweep_stack *stack, struct plain **alone, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct sweep_counts *counts = sweep_stack_counts(stack, alone[i]->sets, alone[i]->ways);
        if (memcmp(counts, &alone[i]->counts, sizeof *counts) != 0)
            fail_msg("%u sets of %u ways: not as by itself", alone[i]->sets, alone[i]->ways);
        plain_free(alone[i]);
    }
    sweep_stack_free(stack);
}

static struct sweep_context draw_owner(struct walk *walk, struct sweep_context last)
{
    if (draw(walk, 50))
        return last;
    return (struct sweep_context){.mode = (enum mode)draw(walk, MODE_COUNT), .process = (uint16_t)draw(walk, 3)};
}

/* Rarely: an event that is no reference. */
static void disturb(struct walk *walk, struct sweep_stack *stack, struct plain **alone, unsigned count, uint32_t line)
{
    uint32_t what = draw(walk, 400);
    if (what > 20)
        return;
    paddr address = draw(walk, 2) ? walk->address : draw(walk, MEMORY_LINES) * line;
    bool keep = draw(walk, 2);
    if (what == 0 && draw(walk, 20) == 0) {
        sweep_stack_flush(stack);
        for (unsigned i = 0; i < count; i++)
            plain_flush(alone[i]);
    } else if (what < 6) {
        sweep_stack_invalidate(stack, address, what < 3 ? SWEEP_COHERENCE : SWEEP_FLUSHED, keep);
        for (unsigned i = 0; i < count; i++)
            plain_invalidate(alone[i], address, what < 3 ? DEVICE : FLUSH, keep);
    } else if (what == 6) {
        sweep_stack_index_invalidate(stack, address);
        for (unsigned i = 0; i < count; i++)
            plain_index_invalidate(alone[i], address);
    } else if (what > 9) {
        sweep_stack_write_back(stack, address);
        for (unsigned i = 0; i < count; i++)
            plain_write_back(alone[i], address);
    } else {
        sweep_stack_clean(stack, address);
        for (unsigned i = 0; i < count; i++)
            plain_clean(alone[i], address);
    }
}

static void every_size_is_as_by_itself(void **state)
{
    (void)state;
    for (unsigned c = 0; c < CASES; c++) {
        const struct sweep_stack_shape *shape = &cases[c].shape;
        struct plain *alone[ALONE_MAX];
        unsigned count = create_alone(shape, alone);
        struct sweep_stack *stack = sweep_stack_create(shape);
        struct walk walk = {.state = c + 1};
        struct sweep_context owner = {MODE_KERNEL, 0};
        for (int step = 0; step < STEPS; step++) {
            if (cases[c].invalidations)
                disturb(&walk, stack, alone, count, shape->line);
            owner = draw_owner(&walk, owner);
            enum memsys_access access = (enum memsys_access)draw(&walk, 3);
            paddr address = next_address(&walk, shape->line);
            sweep_stack_refer(stack, owner, access, address);
            for (unsigned i = 0; i < count; i++)
                plain_refer(alone[i], owner, access, address);
        }
        compare_and_free(stack, alone, count);
    }
}

/* References that fast-path bytes permit are filtered: the counts do not change. A byte covers 16 bytes, or a line if
 * that is smaller. */
static void what_need_not_be_told_changes_nothing(void **state)
{
    (void)state;
    for (unsigned c = 0; c < CASES; c++) {
        const struct sweep_stack_shape *shape = &cases[c].shape;
        uint32_t piece = shape->line < 16 ? shape->line : 16;
        struct plain *alone[ALONE_MAX];
        unsigned count = create_alone(shape, alone);
        struct sweep_stack *stack = sweep_stack_create(shape);
        /* each line has two virtual addresses */
        uint8_t *permission = calloc(2, (size_t)MEMORY_LINES * shape->line / piece);
        struct walk walk = {.state = 100 + c};
        struct sweep_context owner = {MODE_USER, 1};
        unsigned told = 0;
        for (int step = 0; step < STEPS; step++) {
            if (cases[c].invalidations)
                disturb(&walk, stack, alone, count, shape->line);
            owner = draw_owner(&walk, owner);
            enum memsys_access access = (enum memsys_access)draw(&walk, 3);
            paddr address = next_address(&walk, shape->line);
            uint8_t *byte = permission + 2 * (size_t)(address / piece) + draw(&walk, 2);
            if (*byte < (access == MEMSYS_WRITE ? PERMIT_READ_STORE : PERMIT_READ)) {
                *byte = (uint8_t)sweep_stack_refer(stack, owner, access, address);
                sweep_stack_add_permission(stack, address, byte);
                told++;
            }
            for (unsigned i = 0; i < count; i++)
                plain_refer(alone[i], owner, access, address);
        }
        assert_in_range(told, STEPS / 4, STEPS * 9 / 10); /* some are filtered and some are not */
        compare_and_free(stack, alone, count);
        free(permission);
    }
}

/* The causes of section 4.4.1 one by one, in a direct-mapped cache of one line. */
static void causes_are_those_of_the_paper(void **state)
{
    (void)state;
    const struct sweep_context kernel = {MODE_KERNEL, 0}, one = {MODE_USER, 1}, two = {MODE_USER, 2},
                               idle = {MODE_IDLE, 0};
    const struct {
        struct sweep_context evictor, owner;
        enum sweep_cause cause;
    } table[] = {
        {kernel, kernel, SWEEP_SELF}, {one, kernel, SWEEP_OTHER}, {one, one, SWEEP_SELF},   {two, one, SWEEP_OTHER},
        {kernel, one, SWEEP_OTHER},   {idle, kernel, SWEEP_SELF}, {idle, two, SWEEP_OTHER}, {two, idle, SWEEP_OTHER},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sweep_stack *stack = sweep_stack_create(&(struct sweep_stack_shape){32, 1, 1, WAYS(1)});
        const struct sweep_counts *counts = sweep_stack_counts(stack, 1, 1);
        sweep_stack_refer(stack, table[i].owner, MEMSYS_READ, 0x1000);
        assert_int_equal(counts->misses[table[i].owner.mode][SWEEP_DATA][SWEEP_COLD], 1);
        sweep_stack_refer(stack, table[i].evictor, MEMSYS_READ, 0x2000);
        sweep_stack_refer(stack, table[i].owner, MEMSYS_WRITE, 0x1000);
        assert_int_equal(counts->misses[table[i].owner.mode][SWEEP_DATA][table[i].cause], 1);
        sweep_stack_invalidate(stack, 0x1000, SWEEP_COHERENCE, true);
        assert_int_equal(counts->write_backs, 1);
        sweep_stack_refer(stack, table[i].owner, MEMSYS_FETCH, 0x1000);
        assert_int_equal(counts->misses[table[i].owner.mode][SWEEP_INSN][SWEEP_COHERENCE], 1);
        sweep_stack_invalidate(stack, 0x1000, SWEEP_FLUSHED, true);
        sweep_stack_refer(stack, table[i].owner, MEMSYS_FETCH, 0x1000);
        assert_int_equal(counts->misses[table[i].owner.mode][SWEEP_INSN][SWEEP_FLUSHED], 1);
        assert_int_equal(counts->write_backs, 1);
        sweep_stack_reset(stack);
        assert_int_equal(counts->write_backs, 0);
        sweep_stack_refer(stack, table[i].owner, MEMSYS_FETCH, 0x1000);
        assert_int_equal(counts->misses[table[i].owner.mode][SWEEP_INSN][SWEEP_FLUSHED], 0);
        sweep_stack_free(stack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_are_those_of_the_paper),
        cmocka_unit_test(every_size_is_as_by_itself),
        cmocka_unit_test(what_need_not_be_told_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
