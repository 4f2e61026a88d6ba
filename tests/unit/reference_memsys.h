/*
 * Reference model, part 6: accesses, devices, the CACHE instruction.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_MEMSYS_H
#define SIMOS_TESTS_UNIT_REFERENCE_MEMSYS_H

#include "tests/unit/reference_protocol.h"

/* --- accesses --------------------------------------------------------------------------------------------------- */

static inline struct ref_cache *ref_on_path(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    return ref_at(r, a->cpu, level, a->kind == MEMSYS_FETCH);
}

static inline void ref_count_miss(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    static const enum ref_count counts[] = {
        [MEMSYS_FETCH] = REF_INSN_MISSES, [MEMSYS_READ] = REF_READ_MISSES, [MEMSYS_WRITE] = REF_WRITE_MISSES};
    static const enum miss first[] = {
        [MEMSYS_FETCH] = MISS_L1I, [MEMSYS_READ] = MISS_L1D_READ, [MEMSYS_WRITE] = MISS_L1D_WRITE};
    struct ref_cache *c = ref_on_path(r, a, level);
    static const enum outer_miss second[] = {
        [MEMSYS_FETCH] = OUTER_L2_INSN, [MEMSYS_READ] = OUTER_L2_READ, [MEMSYS_WRITE] = OUTER_L2_WRITE};
    static const enum outer_miss third[] = {
        [MEMSYS_FETCH] = OUTER_L3_INSN, [MEMSYS_READ] = OUTER_L3_READ, [MEMSYS_WRITE] = OUTER_L3_WRITE};
    uint64_t *miss = r->node[a->cpu].bucket.miss, *outer = r->node[a->cpu].bucket.outer;
    c->count[counts[a->kind]]++;
    if (level > 1)
        outer[(level == 2 ? second : third)[a->kind]]++;
    if (level == 1)
        miss[first[a->kind]]++;
    else if (level == 2)
        miss[a->kind == MEMSYS_FETCH ? MISS_L2_INSN : MISS_L2_DATA]++;
    ref_class_miss(&r->classes, a->cpu, c->id, a->kind == MEMSYS_FETCH, a->address, a->size);
}

/* Does ENTRY of C, at LEVEL, have what the access needs? In the first level the bytes that it loads, or the words that
 * it stores to in part; further out the line of the level before. */
static inline bool ref_has_enough(struct ref_model *r, const struct ref_access *a, unsigned level,
                                  const struct ref_cache *c, const struct ref_entry *entry)
{
    uint32_t inner = level > 1 ? ref_on_path(r, a, level - 1)->s.line : 0;
    if (level > 1 && !a->stores_here)
        return ref_has_bytes(c, entry, a->address / inner * inner, inner);
    if (a->kind == MEMSYS_WRITE && a->address % REF_WORD == 0 && a->size % REF_WORD == 0)
        return true;
    return ref_has_bytes(c, entry, a->address, a->size);
}

/* Look up and use the entry at LEVEL; NULL if it misses. */
static inline struct ref_entry *ref_use(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    struct ref_cache *c = ref_on_path(r, a, level);
    struct ref_entry *entry = ref_find_at(c, a->address, a->virtual_address, a->space);
    if (entry && !ref_has_enough(r, a, level, c, entry))
        return NULL;
    if (entry) {
        ref_touch(c, entry);
        ref_class_use(&r->classes, a->cpu, c->id, a->address);
        c->count[REF_ASSIST_HITS] += ref_is_assist(c, entry);
    }
    return entry;
}

/* Mark the line modified at LEVEL of the store path and in the outer caches that include it. */
static inline void ref_mark_dirty(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    for (unsigned outer = level; outer <= r->s.levels; outer++) {
        struct ref_cache *c = ref_at(r, a->cpu, outer, false);
        struct ref_entry *entry = outer == level || c->s.inclusive ? ref_find(c, a->address) : NULL;
        if (!entry && (outer == level || c->s.inclusive))
            fail_msg("reference: an inclusive cache does not have what is inside it");
        if (entry)
            entry->dirty = true;
    }
}

/* Evict ENTRY, if it is valid, for the fill of A. */
static inline void ref_make_room(struct ref_model *r, const struct ref_access *a, struct ref_cache *c,
                                 struct ref_entry *entry)
{
    if (!entry->valid)
        return;
    paddr victim = entry->line;
    ref_evict(r, a->cpu, c, entry, REF_REPLACED, REF_INCLUSION);
    if (victim / r->block_size != a->address / r->block_size) /* the state of its own block is updated after the fill */
        ref_settle(r, a->cpu, victim);
}

/* The same for LINE in ENTRY of a set: the lines of another sector that are in the way leave, too. */
static inline void ref_make_room_in_set(struct ref_model *r, const struct ref_access *a, struct ref_cache *c,
                                        struct ref_entry *entry, paddr line)
{
    const struct ref_sector *sector = ref_sector_of_entry(c, entry);
    const uint32_t size = c->s.sector_lines * c->s.line;
    for (uint32_t nth = 0; nth < c->s.sector_lines; nth++) {
        struct ref_entry *other = ref_line_of_sector(c, sector, nth);
        if (other->valid && other->line / size != line / size)
            ref_make_room(r, a, c, other);
    }
}

/* The next slot of the assist cache; its line moves into a set, or is evicted if it is streamed. */
static inline struct ref_entry *ref_next_slot(struct ref_model *r, const struct ref_access *a, struct ref_cache *c)
{
    struct ref_entry *slot = c->entries + c->sets * c->s.ways + c->next_slot;
    c->next_slot = (c->next_slot + 1) % c->s.assist;
    if (slot->valid && !slot->streamed) {
        struct ref_entry *entry = ref_choose(c, slot->line, slot->virtual, slot->space);
        ref_make_room_in_set(r, a, c, entry, slot->line);
        *entry = *slot;
        ref_place(c, entry);
        slot->valid = slot->dirty = false;
        c->count[REF_ASSIST_MOVED]++;
    }
    c->count[REF_ASSIST_DROPPED] += slot->valid;
    ref_make_room(r, a, c, slot);
    return slot;
}

static inline void ref_fill(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    struct ref_cache *c = ref_on_path(r, a, level);
    const paddr line = a->address / c->s.line * c->s.line;
    struct ref_entry *partial = ref_find_at(c, a->address, a->virtual_address, a->space);
    if (partial) {
        ref_make_holes(c, partial, partial->line, c->s.line, false);
        ref_touch(c, partial);
        return;
    }
    struct ref_entry *entry =
        c->s.assist ? ref_next_slot(r, a, c) : ref_choose(c, a->address, a->virtual_address, a->space);
    if (!c->s.assist)
        ref_make_room_in_set(r, a, c, entry, line);
    *entry = (struct ref_entry){.valid = true,
                                .line = line,
                                .virtual = a->virtual_address,
                                .space = a->space,
                                .streamed = c->s.assist && ref_use_hint(c, line)};
    ref_make_holes(c, entry, line, c->s.line, false);
    ref_place(c, entry);
    ref_class_fill(&r->classes, a->cpu, c->id, a->address);
}

/* The words of the SIZE bytes at ADDRESS, stored at LEVEL, are valid there and in outer caches that include it. */
static inline void ref_fill_holes(struct ref_model *r, const struct ref_access *a, unsigned level, paddr address,
                                  uint32_t size)
{
    for (unsigned outer = level; outer <= r->s.levels; outer++) {
        struct ref_cache *c = ref_at(r, a->cpu, outer, false);
        if (outer == level || c->s.inclusive)
            ref_make_holes(c, ref_find(c, a->address), address, size, false);
    }
}

/* The first level outside LEVEL that has the line, whatever words of it; one more than there are if none. */
static inline unsigned ref_level_with_tag(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    do
        level++;
    while (level <= r->s.levels && !ref_find(ref_at(r, a->cpu, level, false), a->address));
    return level;
}

/* Is the line of the store, which missed at LEVEL, allocated without a read? */
static inline bool ref_allocates(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    bool whole = a->address % REF_WORD == 0 && a->size % REF_WORD == 0;
    const unsigned end = ref_level_with_tag(r, a, level);
    for (unsigned l = level; l < end; l++)
        if (!ref_at(r, a->cpu, l, false)->s.validate)
            return false;
    return whole && !ref_rules(r, a->address)->updates;
}

/* Allocate the line in LEVEL and in the outer levels that do not have it; COUNT: count the misses. Returns the stall of
 * the upgrade; *ASKED: there was one. */
static inline cycles ref_allocate(struct ref_model *r, const struct ref_access *a, unsigned level, bool count,
                                  bool *asked)
{
    unsigned end = ref_level_with_tag(r, a, level);
    for (unsigned l = level + 1; l < end && count; l++)
        ref_count_miss(r, a, l);
    if (end <= r->s.levels) {
        struct ref_cache *c = ref_at(r, a->cpu, end, false);
        ref_touch(c, ref_find(c, a->address));
        ref_class_use(&r->classes, a->cpu, c->id, a->address);
    }
    cycles stall = ref_coherent_allocate(r, a, asked);
    while (--end >= level) {
        struct ref_cache *c = ref_at(r, a->cpu, end, false);
        ref_fill(r, a, end);
        const struct ref_entry *entry = ref_find(c, a->address);
        ref_make_holes(c, entry, entry->line, c->s.line, true);
        c->count[REF_ALLOCATIONS]++;
    }
    ref_mark_dirty(r, a, level);
    ref_settle(r, a->cpu, a->address);
    return stall;
}

/* Fill the line of an access that missed at LEVEL, up to LEVEL; OWN: for a store. Returns the stall cycles; *WHERE: the
 * kind of stall, if the CPU waits. */
static inline cycles ref_insert_line(struct ref_model *r, const struct ref_access *a, unsigned level, bool own,
                                     enum stall *where)
{
    bool asked = false, partial = false;
    cycles stall;
    unsigned from = level + 1;
    struct ref_access read = *a;
    if (own && ref_allocates(r, a, level) && !ref_find(ref_on_path(r, a, level), a->address)) {
        stall = ref_allocate(r, a, level, true, &asked);
        ref_fill_holes(r, a, level, a->address, a->size);
        *where = asked ? STALL_UPGRADE : STALL_L1D;
        return stall;
    }
    read.stores_here = false;
    while (from <= r->s.levels && !ref_use(r, &read, from))
        ref_count_miss(r, a, from++);
    for (unsigned l = level; l < from; l++)
        partial |= ref_find(ref_on_path(r, a, l), a->address) != NULL;
    if (a->kind == MEMSYS_FETCH)
        *where = from == 2 ? STALL_L1I : STALL_L2I;
    else
        *where = from == 2 ? STALL_L1D : STALL_L2D;
    if (from <= r->s.levels) {
        cycles gain = own ? ref_gain(r, a, &asked) : 0;
        stall = gain > r->s.level_time[from] ? gain : r->s.level_time[from];
        if (asked)
            *where = STALL_UPGRADE;
    } else if (partial) { /* memory has the words that are not valid */
        r->fills++;
        stall = r->s.miss;
    } else {
        stall = own ? ref_coherent_own(r, a) : ref_coherent_read(r, a);
    }
    while (--from >= level)
        ref_fill(r, a, from);
    if (own && *ref_state(r, a->cpu, a->address) == 'M')
        ref_mark_dirty(r, a, level);
    ref_settle(r, a->cpu, a->address);
    return stall;
}

/* Write stored bytes through to LEVEL; the CPU does not stall. */
static inline void ref_post(struct ref_model *r, const struct ref_access *a, unsigned level)
{
    bool asked;
    enum stall nowhere;
    if (level > r->s.levels) {
        ref_coherent_write(r, a);
        return;
    }
    struct ref_access store = *a;
    store.stores_here = true;
    struct ref_cache *c = ref_on_path(r, a, level);
    struct ref_entry *entry = ref_use(r, &store, level);
    if (entry && !c->s.through)
        ref_fill_holes(r, a, level, a->address, a->size);
    if (!entry) {
        ref_count_miss(r, a, level);
        if (c->s.allocate)
            ref_insert_line(r, a, level, !c->s.through, &nowhere);
        if (c->s.allocate && !c->s.through)
            return;
    } else if (!c->s.through) {
        if (entry->dirty)
            return;
        ref_gain(r, a, &asked);
        if (*ref_state(r, a->cpu, a->address) == 'M')
            ref_mark_dirty(r, a, level);
        return;
    }
    ref_post(r, a, level + 1);
}

/* A store that hit ENTRY in the first level. Returns the stall cycles. */
static inline cycles ref_store_found(struct ref_model *r, const struct ref_access *a, struct ref_entry *entry)
{
    bool asked;
    if (ref_on_path(r, a, 1)->s.through) {
        ref_post(r, a, 2);
        return 0;
    }
    ref_fill_holes(r, a, 1, a->address, a->size);
    if (entry->dirty)
        return 0;
    cycles stall = ref_gain(r, a, &asked);
    if (*ref_state(r, a->cpu, a->address) == 'M')
        ref_mark_dirty(r, a, 1);
    r->node[a->cpu].bucket.stall[STALL_UPGRADE] += stall;
    return stall;
}

/* Evict a copy of the line under another virtual address (alias). */
static inline void ref_drop_alias(struct ref_model *r, const struct ref_access *a)
{
    struct ref_cache *c = ref_on_path(r, a, 1);
    struct ref_entry *alias = ref_find(c, a->address);
    if (!alias || alias == ref_find_at(c, a->address, a->virtual_address, a->space))
        return;
    ref_evict(r, a->cpu, c, alias, REF_REPLACED, REF_INCLUSION);
    c->count[REF_ALIASES]++;
    ref_settle(r, a->cpu, a->address);
}

/* The word that the store A, which missed the first level, has passed on becomes a line there, if every cache that
 * includes the first has it. */
static inline void ref_keep_word(struct ref_model *r, const struct ref_access *a)
{
    char *state = ref_state(r, a->cpu, a->address);
    if (a->size != REF_WORD || a->address % REF_WORD != 0)
        return;
    for (unsigned outer = 2; outer <= r->s.levels; outer++) {
        const struct ref_cache *c = ref_at(r, a->cpu, outer, false);
        if (c->s.inclusive && !ref_find(c, a->address))
            return;
    }
    if (*state == 0)
        *state = ref_count_others(r, a->cpu, a->address) || !ref_rules(r, a->address)->exclusive ? 'S' : 'E';
    ref_fill(r, a, 1);
    ref_on_path(r, a, 1)->count[REF_ALLOCATIONS]++;
}

static inline cycles ref_access_missed(struct ref_model *r, const struct ref_access *a)
{
    const struct ref_cache *c = ref_on_path(r, a, 1);
    enum stall where;
    ref_count_miss(r, a, 1);
    ref_drop_alias(r, a);
    if (a->kind == MEMSYS_WRITE && !c->s.allocate) {
        ref_post(r, a, 2);
        if (c->s.words)
            ref_keep_word(r, a);
        ref_settle(r, a->cpu, a->address);
        return 0;
    }
    cycles stall = ref_insert_line(r, a, 1, a->kind == MEMSYS_WRITE && !c->s.through, &where);
    r->node[a->cpu].bucket.stall[where] += stall;
    if (a->kind == MEMSYS_WRITE && c->s.through)
        ref_post(r, a, 2);
    return stall;
}

/* One access of a CPU. Returns the stall cycles. */
static inline cycles reference_access(struct ref_model *r, const struct ref_access *a)
{
    cycles stall = 0;
    r->classes.event++;
    struct ref_entry *entry = ref_use(r, a, 1);
    if (!entry)
        stall = ref_access_missed(r, a);
    else if (a->kind == MEMSYS_WRITE)
        stall = ref_store_found(r, a, entry);
    if (a->kind == MEMSYS_WRITE)
        ref_class_store(&r->classes, a->cpu, a->address, a->size);
    return stall;
}

/* PREF "streamed" of ADDRESS. */
static inline void reference_hint(struct ref_model *r, unsigned cpu, paddr address)
{
    struct ref_cache *c = ref_at(r, cpu, 1, false);
    struct ref_entry *entry = ref_find(c, address);
    if (entry)
        entry->streamed = ref_is_assist(c, entry);
    else if (c->s.assist)
        ref_hint(c, address / c->s.line * c->s.line);
}

/* PREF with hint 30 (MIPS32 vol. II, PrepareForStore). Returns the stall cycles. */
static inline cycles reference_prepare(struct ref_model *r, const struct ref_access *a)
{
    bool asked = false;
    struct ref_access line = *a;
    struct ref_cache *c = ref_at(r, a->cpu, 1, false);
    line.kind = MEMSYS_WRITE;
    if (r->s.prepare != REF_PREPARE_ALLOCATES || ref_find_at(c, a->address, a->virtual_address, a->space) ||
        ref_rules(r, a->address)->updates)
        return 0;
    r->classes.event++;
    ref_drop_alias(r, &line);
    cycles stall = ref_allocate(r, &line, 1, false, &asked);
    ref_fill_holes(r, &line, 1, a->address / c->s.line * c->s.line, c->s.line);
    r->node[a->cpu].bucket.stall[STALL_UPGRADE] += stall;
    return stall;
}

static inline cycles reference_uncached(struct ref_model *r, unsigned cpu)
{
    r->node[cpu].uncached++;
    r->node[cpu].bucket.stall[STALL_UNCACHED] += r->s.uncached;
    return r->s.uncached;
}

/* --- devices, the CACHE instruction ------------------------------------------------------------------------------ */

static inline void reference_dma(struct ref_model *r, bool write, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size;
    r->classes.event++;
    *(write ? &r->dma_writes : &r->dma_reads) += 1;
    for (uint64_t block = address / r->block_size * r->block_size; block < end && block < UINT64_C(1) << 32;
         block += r->block_size) {
        bool whole = block >= address && block + r->block_size <= end;
        for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
            if (*ref_state(r, cpu, (paddr)block) == 'M' && !write)
                ref_clean(r, cpu, (paddr)block);
            if (*ref_state(r, cpu, (paddr)block) == 'M' && write && !whole) {
                ref_last_counts(r, cpu)[REF_COHERENCE_WRITE_BACKS]++;
                r->write_backs++;
            }
            if (write && ref_holds(r, cpu, (paddr)block))
                ref_remove(r, cpu, (paddr)block, true, whole);
        }
    }
    if (write)
        ref_class_store(&r->classes, REF_DEVICE, address, (uint32_t)(end > UINT64_C(1) << 32 ? -address : size));
}

static inline void ref_cache_op(struct ref_model *r, struct ref_cache *c, enum memsys_cache_op op,
                                const struct ref_access *a)
{
    const unsigned cpu = a->cpu;
    bool includes = ref_level(c->id) > 1 && c->s.inclusive;
    if (op == MEMSYS_INDEX_INVALIDATE) {
        struct ref_entry *set = ref_set(c, a->address, a->virtual_address, a->space);
        for (uint32_t way = 0; way < c->s.ways; way++) {
            if (!set[way].valid)
                continue;
            ref_evict(r, cpu, c, &set[way], REF_FLUSHED, REF_FLUSHED);
            ref_settle(r, cpu, set[way].line);
        }
        for (struct ref_entry *slot = c->entries + c->sets * c->s.ways; slot < c->entries + ref_entries(c); slot++) {
            if (!slot->valid || ref_set(c, slot->line, slot->virtual, slot->space) != set)
                continue;
            ref_evict(r, cpu, c, slot, REF_FLUSHED, REF_FLUSHED);
            ref_settle(r, cpu, slot->line);
        }
        return;
    }
    struct ref_entry *entry = ref_find(c, a->address);
    if (!entry)
        return;
    if (op == MEMSYS_HIT_INVALIDATE) {
        if (includes)
            ref_inner_lines(r, cpu, c, entry->line, REF_INNER_LEAVE_LOST, REF_FLUSHED);
        entry->valid = entry->dirty = false;
        ref_class_leave(&r->classes, cpu, c->id, entry->line, REF_FLUSHED);
    } else if (op == MEMSYS_HIT_WRITEBACK_INVALIDATE) {
        ref_evict(r, cpu, c, entry, REF_FLUSHED, REF_FLUSHED);
    } else if (entry->dirty && !ref_is_whole(c, entry)) {
        c->count[REF_INVALIDATIONS]++;
        ref_evict(r, cpu, c, entry, REF_FLUSHED, REF_FLUSHED);
    } else if (entry->dirty) {
        if (includes)
            ref_inner_lines(r, cpu, c, entry->line, REF_INNER_CLEAN, REF_FLUSHED);
        c->count[REF_WRITE_BACKS]++;
        ref_write_back(r, cpu, ref_level(c->id), entry->line);
        entry->dirty = false;
    }
    ref_settle(r, cpu, entry->line);
}

/* OP on the line, or the set, of CPU, addresses and space of A. */
static inline void reference_cache_op(struct ref_model *r, enum memsys_cache cache, enum memsys_cache_op op,
                                      const struct ref_access *a)
{
    unsigned level = ref_level(cache);
    r->classes.event++;
    if (level > r->s.levels)
        return;
    ref_cache_op(r, ref_at(r, a->cpu, level, ref_is_insn(cache)), op, a);
    if (level > 1 && r->s.split[level])
        ref_cache_op(r, ref_at(r, a->cpu, level, !ref_is_insn(cache)), op, a);
}

static inline void reference_flush(struct ref_model *r)
{
    r->classes.event++;
    for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            struct ref_cache *c = &r->node[cpu].cache[id];
            for (uint32_t i = 0; c->s.exists && i < ref_entries(c); i++) {
                if (!c->entries[i].valid)
                    continue;
                c->entries[i].valid = c->entries[i].dirty = false;
                ref_class_leave(&r->classes, cpu, id, c->entries[i].line, REF_FLUSHED);
                *ref_state(r, cpu, c->entries[i].line) = 0;
            }
            for (uint32_t set = 0; c->s.exists && set < c->sets / c->s.sector_lines; set++)
                memset(c->tree[set], 0, sizeof c->tree[set]);
            c->next_slot = c->hint_count = 0;
            r->classes.witness[cpu][id].held = 0; /* the fully associative reference cache is emptied, too */
        }
    }
}

static inline void reference_set_protocol(struct ref_model *r, paddr first, paddr last, enum memsys_protocol protocol)
{
    if (r->ranges == REF_RANGES)
        fail_msg("reference: too many ranges of pages");
    r->range[r->ranges++] = (struct ref_page_range){first, last, protocol};
}

#endif
