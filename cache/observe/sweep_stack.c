#include "cache/observe/sweep_stack.h"

#include "cache/state/modulo.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

/* The evicting context as stored for an evicted line, or another reason why the line is absent. */
enum { EVICTOR_NONE, EVICTOR_COHERENCE, EVICTOR_FLUSH, EVICTOR_KERNEL, EVICTOR_USER /* + process number */ };

/* Limits of the numbers of sets (levels) and of the caches: a cache is one combination of sets and ways, and one bit of
 * a word. */
enum { LEVELS_MAX = 16, CACHES_MAX = 64 };

/* Maximum number of permission bytes of one line, which may be accessed by several addresses and in several parts. One
 * more replaces an old one, which is cleared. */
enum { PERMISSIONS_MAX = 8 };
#define NO_LINE 1u /* not the address of any line */

/* Lines are numbered from 1 in the order of their first references. */
enum { CHUNK_SHIFT = 20, CHUNKS = 1 << (32 - CHUNK_SHIFT), HOLE = 0 };

/* The MRU line of a set in the coarsest division, which hits in all caches, and its permission bytes. */
struct front {
    paddr line;     /* address; NO_LINE: none */
    bool all_dirty; /* modified in all caches */
    uint8_t used, next;
    uint8_t *permission[PERMISSIONS_MAX];
};

struct sweep_stack {
    uint32_t line_shift, line_mask, ways_max;
    unsigned levels;                /* number of set counts */
    struct modulo sets[LEVELS_MAX]; /* [level]: each twice that before */
    unsigned kinds;                 /* number of associativities */
    uint32_t ways[CACHES_MAX];      /* [kind]: ascending; the last is ways_max */
    unsigned caches;                /* levels * kinds */
    uint64_t all;                   /* one bit for each cache */

    uint32_t *number[CHUNKS]; /* line number by address; NULL: no reference to this megabyte */
    uint32_t lines, lines_room;
    uint64_t *dirty;   /* [number]: bit mask of the caches in which the line is modified */
    uint16_t *evictor; /* [number * caches + cache]: the context that evicted it last */
    paddr *address;    /* [number]: address of the line */

    uint32_t *stack[LEVELS_MAX]; /* [set * ways_max + depth]: line numbers, MRU first; HOLE: empty */
    struct front *fronts;        /* [set] of level 0 */
    struct sweep_counts counts[CACHES_MAX];
};

static unsigned cache_of(const struct sweep_stack *stack, unsigned level, unsigned kind)
{
    return level * stack->kinds + kind;
}

/* The number of set counts of SHAPE; 0 if they are none that fit. */
static unsigned levels_of(const struct sweep_stack_shape *shape)
{
    unsigned levels = 1;
    for (uint64_t sets = shape->sets_min; sets < shape->sets_max; sets *= 2)
        if (++levels > LEVELS_MAX)
            return 0;
    return shape->sets_min > 0 && shape->sets_min << (levels - 1) == shape->sets_max ? levels : 0;
}

bool sweep_stack_fits(const struct sweep_stack_shape *shape)
{
    return is_power_of_two(shape->line) && shape->line >= 8 && shape->line <= 4096 && levels_of(shape) > 0 &&
           shape->ways > 1 && !(shape->ways & 1) &&
           levels_of(shape) * (unsigned)__builtin_popcountll(shape->ways) <= CACHES_MAX;
}

struct sweep_stack *sweep_stack_create(const struct sweep_stack_shape *shape)
{
    if (!sweep_stack_fits(shape))
        log_bug("a sweep of lines of %u bytes, %u to %u sets, ways 0x%llx", shape->line, shape->sets_min,
                shape->sets_max, (unsigned long long)shape->ways);
    struct sweep_stack *stack = checked_memory(calloc(1, sizeof *stack));
    stack->line_shift = log2_rounded_up(shape->line);
    stack->line_mask = ~(shape->line - 1);
    stack->levels = levels_of(shape);
    for (unsigned level = 0; level < stack->levels; level++)
        stack->sets[level] = modulo_by(shape->sets_min << level);
    for (uint64_t ways = shape->ways; ways; ways &= ways - 1)
        stack->ways[stack->kinds++] = stack->ways_max = (uint32_t)__builtin_ctzll(ways);
    stack->caches = stack->levels * stack->kinds;
    stack->all = stack->caches == 64 ? UINT64_MAX : (UINT64_C(1) << stack->caches) - 1;
    stack->lines = 1;
    for (unsigned level = 0; level < stack->levels; level++)
        stack->stack[level] =
            checked_memory(calloc((size_t)stack->sets[level].divisor * stack->ways_max, sizeof(uint32_t)));
    stack->fronts = checked_memory(calloc(shape->sets_min, sizeof *stack->fronts));
    for (uint32_t set = 0; set < shape->sets_min; set++)
        stack->fronts[set].line = NO_LINE;
    return stack;
}

void sweep_stack_free(struct sweep_stack *stack)
{
    if (!stack)
        return;
    for (unsigned chunk = 0; chunk < CHUNKS; chunk++)
        free(stack->number[chunk]);
    for (unsigned level = 0; level < stack->levels; level++)
        free(stack->stack[level]);
    free(stack->fronts);
    free(stack->dirty);
    free(stack->evictor);
    free(stack->address);
    free(stack);
}

/* Line numbers */

static void *grow(void *memory, size_t bytes)
{
    void *bigger = checked_memory(realloc(memory, bytes));
    return bigger;
}

static void make_room(struct sweep_stack *stack)
{
    if (stack->lines < stack->lines_room)
        return;
    size_t room = stack->lines_room ? 2 * (size_t)stack->lines_room : 4096;
    stack->dirty = grow(stack->dirty, room * sizeof *stack->dirty);
    stack->evictor = grow(stack->evictor, room * stack->caches * sizeof *stack->evictor);
    stack->address = grow(stack->address, room * sizeof *stack->address);
    stack->lines_room = (uint32_t)room;
}

/* Pointer to the number of ADDRESS's line, or NULL. */
static uint32_t *number_slot(const struct sweep_stack *stack, paddr address)
{
    uint32_t *chunk = stack->number[address >> CHUNK_SHIFT];
    return chunk ? chunk + ((address & ((1u << CHUNK_SHIFT) - 1)) >> stack->line_shift) : NULL;
}

static uint32_t known_line(const struct sweep_stack *stack, paddr address)
{
    const uint32_t *slot = number_slot(stack, address);
    return slot ? *slot : 0;
}

static uint32_t line_number(struct sweep_stack *stack, paddr address)
{
    uint32_t *slot = number_slot(stack, address);
    if (!slot) {
        stack->number[address >> CHUNK_SHIFT] =
            checked_memory(calloc((1u << CHUNK_SHIFT) >> stack->line_shift, sizeof(uint32_t)));
        slot = number_slot(stack, address);
    }
    if (!*slot) {
        make_room(stack);
        *slot = stack->lines++;
        stack->dirty[*slot] = 0;
        stack->address[*slot] = address & stack->line_mask;
        memset(stack->evictor + (size_t)*slot * stack->caches, 0, stack->caches * sizeof *stack->evictor);
    }
    return *slot;
}

/* Permission bytes */

static struct front *front_of(struct sweep_stack *stack, paddr address)
{
    return &stack->fronts[modulo_of(&stack->sets[0], address >> stack->line_shift)];
}

/* Withdraws all permissions for FRONT, whose line or state changes. */
static void withdraw_permissions(struct front *front)
{
    front->line = NO_LINE;
    for (uint32_t i = 0; i < front->used; i++)
        *front->permission[i] = PERMIT_NONE;
    front->used = front->next = 0;
}

void sweep_stack_add_permission(struct sweep_stack *stack, paddr address, uint8_t *permission)
{
    struct front *front = front_of(stack, address);
    for (uint32_t i = 0; i < front->used; i++)
        if (front->permission[i] == permission)
            return;
    if (front->used < PERMISSIONS_MAX) {
        front->permission[front->used++] = permission;
        return;
    }
    *front->permission[front->next] = PERMIT_NONE;
    front->permission[front->next] = permission;
    front->next = (front->next + 1) % PERMISSIONS_MAX;
}

/* Stacks */

static uint32_t *set_of(const struct sweep_stack *stack, unsigned level, paddr address)
{
    const uint32_t set = modulo_of(&stack->sets[level], address >> stack->line_shift);
    return stack->stack[level] + (size_t)set * stack->ways_max;
}

/* The depth of LINE in SET; ways_max if it is not in SET. */
static uint32_t depth_of(const struct sweep_stack *stack, const uint32_t *set, uint32_t line)
{
    uint32_t depth = 0;
    while (depth < stack->ways_max && set[depth] != line)
        depth++;
    return depth;
}

/* CACHE evicts or loses LINE. KEEP: write it back if modified. EVICTOR: the reason to store. */
static void evict(struct sweep_stack *stack, unsigned cache, uint32_t line, uint16_t evictor, bool keep)
{
    uint64_t bit = UINT64_C(1) << cache;
    stack->evictor[(size_t)line * stack->caches + cache] = evictor;
    if (keep && stack->dirty[line] & bit)
        stack->counts[cache].write_backs++;
    stack->dirty[line] &= ~bit;
}

/* Moves LINE from DEPTH (ways_max: not in SET) to the top of SET. The lines above move down by one, as far as the first
 * hole or DEPTH; a line that moves past the last way of a cache is evicted from it. */
static void move_to_top(struct sweep_stack *stack, unsigned level, uint32_t *set, uint32_t line, uint32_t depth,
                        uint16_t evictor)
{
    uint32_t end = 0;
    while (end < depth && set[end] != HOLE)
        end++;
    for (unsigned kind = 0; kind < stack->kinds && stack->ways[kind] <= end; kind++)
        evict(stack, cache_of(stack, level, kind), set[stack->ways[kind] - 1], evictor, true);
    if (end < depth && depth < stack->ways_max)
        set[depth] = HOLE;
    for (uint32_t at = end < stack->ways_max ? end : stack->ways_max - 1; at > 0; at--)
        set[at] = set[at - 1];
    set[0] = line;
}

static enum sweep_cause cause_of(uint16_t evictor, uint16_t owner)
{
    switch (evictor) {
    case EVICTOR_NONE: return SWEEP_COLD;
    case EVICTOR_COHERENCE: return SWEEP_COHERENCE;
    case EVICTOR_FLUSH: return SWEEP_FLUSHED;
    default: return evictor == owner ? SWEEP_SELF : SWEEP_OTHER;
    }
}

/* A reference to LINE that may not be the MRU line of its set. */
static void refer_not_front(struct sweep_stack *stack, uint16_t owner, enum mode mode, enum sweep_kind kind,
                            paddr address, uint32_t line)
{
    const uint16_t *evictors = stack->evictor + (size_t)line * stack->caches;
    for (unsigned level = 0; level < stack->levels; level++) {
        uint32_t *set = set_of(stack, level, address);
        uint32_t depth = depth_of(stack, set, line);
        if (depth == 0)
            return; /* a hit in every finer division too */
        for (unsigned i = 0; i < stack->kinds && stack->ways[i] <= depth; i++) {
            unsigned cache = cache_of(stack, level, i);
            stack->counts[cache].misses[mode][kind][cause_of(evictors[cache], owner)]++;
        }
        if (level == 0)
            withdraw_permissions(front_of(stack, address));
        move_to_top(stack, level, set, line, depth, owner);
    }
}

enum memsys_permission sweep_stack_refer(struct sweep_stack *stack, struct sweep_context owner,
                                         enum memsys_access access, paddr address)
{
    const paddr line_address = address & stack->line_mask;
    const bool write = access == MEMSYS_WRITE;
    struct front *front = front_of(stack, address);
    if (front->line != line_address || (write && !front->all_dirty)) {
        uint32_t line = line_number(stack, address);
        refer_not_front(stack, owner.mode == MODE_USER ? (uint16_t)(EVICTOR_USER + owner.process) : EVICTOR_KERNEL,
                        owner.mode, access == MEMSYS_FETCH ? SWEEP_INSN : SWEEP_DATA, address, line);
        if (write)
            stack->dirty[line] = stack->all;
        front->line = line_address;
        front->all_dirty = stack->dirty[line] == stack->all;
    }
    return front->all_dirty ? PERMIT_READ_STORE : PERMIT_READ;
}

/* Removes the line at DEPTH from SET and leaves a hole in the caches that held it. */
static void remove_line(struct sweep_stack *stack, unsigned level, uint32_t *set, uint32_t depth, uint16_t evictor,
                        bool keep)
{
    if (depth == stack->ways_max || set[depth] == HOLE)
        return;
    for (unsigned kind = 0; kind < stack->kinds; kind++)
        if (stack->ways[kind] > depth)
            evict(stack, cache_of(stack, level, kind), set[depth], evictor, keep);
    set[depth] = HOLE;
}

void sweep_stack_invalidate(struct sweep_stack *stack, paddr address, enum sweep_cause cause, bool keep)
{
    uint32_t line = known_line(stack, address);
    if (!line)
        return;
    if (set_of(stack, 0, address)[0] == line)
        withdraw_permissions(front_of(stack, address));
    for (unsigned level = 0; level < stack->levels; level++) {
        uint32_t *set = set_of(stack, level, address);
        remove_line(stack, level, set, depth_of(stack, set, line),
                    cause == SWEEP_FLUSHED ? EVICTOR_FLUSH : EVICTOR_COHERENCE, keep);
    }
}

void sweep_stack_index_invalidate(struct sweep_stack *stack, paddr address)
{
    withdraw_permissions(front_of(stack, address));
    for (unsigned level = 0; level < stack->levels; level++)
        for (uint32_t depth = 0; depth < stack->ways_max; depth++)
            remove_line(stack, level, set_of(stack, level, address), depth, EVICTOR_FLUSH, true);
}

void sweep_stack_clean(struct sweep_stack *stack, paddr address)
{
    uint32_t line = known_line(stack, address);
    if (!line || !stack->dirty[line])
        return;
    for (unsigned cache = 0; cache < stack->caches; cache++)
        stack->counts[cache].write_backs += stack->dirty[line] >> cache & 1;
    stack->dirty[line] = 0;
    if (set_of(stack, 0, address)[0] == line)
        withdraw_permissions(front_of(stack, address));
}

void sweep_stack_write_back(struct sweep_stack *stack, paddr address)
{
    uint32_t line = known_line(stack, address);
    for (unsigned level = 0; line && level < stack->levels; level++) {
        uint32_t depth = depth_of(stack, set_of(stack, level, address), line);
        for (unsigned kind = 0; kind < stack->kinds; kind++)
            if (stack->ways[kind] > depth)
                stack->dirty[line] |= UINT64_C(1) << cache_of(stack, level, kind);
    }
}

void sweep_stack_flush(struct sweep_stack *stack)
{
    for (uint32_t line = 1; line < stack->lines; line++)
        sweep_stack_invalidate(stack, stack->address[line], SWEEP_FLUSHED, false);
}

void sweep_stack_reset(struct sweep_stack *stack)
{
    memset(stack->counts, 0, sizeof stack->counts);
}

const struct sweep_counts *sweep_stack_counts(const struct sweep_stack *stack, uint32_t sets, uint32_t ways)
{
    unsigned level = 0, kind = 0;
    while (level < stack->levels && stack->sets[level].divisor != sets)
        level++;
    while (kind < stack->kinds && stack->ways[kind] != ways)
        kind++;
    if (level == stack->levels || kind == stack->kinds)
        log_bug("%u sets of %u ways are not part of this sweep", sets, ways);
    return &stack->counts[cache_of(stack, level, kind)];
}
