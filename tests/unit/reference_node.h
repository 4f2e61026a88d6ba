/*
 * Reference model, part 4: the caches of all CPUs, coherence states, evictions and invalidations. Every query
 * searches all caches.
 *
 * Terms: a block is a coherence block, of the last level's line size. A node is the caches of one CPU; it has a
 * state (I, S, E or M) for each block. A path is the sequence of caches that an access visits, from the CPU outwards.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_NODE_H
#define SIMOS_TESTS_UNIT_REFERENCE_NODE_H

#include "tests/unit/reference_classes.h"

struct ref_node {
    struct ref_cache cache[MEMSYS_CACHES];
    struct ref_map state; /* by block: 0 (I), 'S', 'E' or 'M' */
    struct bucket bucket;
    uint64_t uncached;
};

struct ref_page_range {
    paddr first, last;
    enum memsys_protocol protocol;
};

enum { REF_RANGES = 64 };
struct ref_model {
    struct ref_settings s;
    struct ref_node node[REF_CPUS];
    struct ref_classes classes;
    struct ref_page_range range[REF_RANGES]; /* a later range takes precedence */
    unsigned ranges;
    uint32_t block_size;
    uint64_t clock;
    uint64_t fills, write_backs, writes, updates, dma_reads, dma_writes; /* memory traffic */
};

/* The current access. */
struct ref_access {
    unsigned cpu;
    enum memsys_access kind;
    paddr address;
    vaddr virtual_address;
    uint8_t space; /* address space of virtual_address */
    uint32_t size;
    bool stores_here; /* the lookup is for the store itself, not for a line that an inner cache reads */
};

static inline void reference_make(struct ref_model *r, const struct ref_settings *s)
{
    r->s = *s;
    r->block_size = s->cache[ref_id(s, s->levels, false)].line;
    ref_classes_make(&r->classes, s);
    for (unsigned i = 0; i < s->update_ranges; i++)
        r->range[r->ranges++] = (struct ref_page_range){s->update_first[i], s->update_last[i], MEMSYS_FIREFLY};
    for (unsigned cpu = 0; cpu < s->cpus; cpu++) {
        r->node[cpu].state.size = 1;
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            ref_cache_make(&r->node[cpu].cache[id], s, cpu, id, &r->clock);
    }
}

static inline void reference_free(struct ref_model *r)
{
    ref_classes_free(&r->classes);
    for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
        ref_map_free(&r->node[cpu].state);
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            ref_cache_free(&r->node[cpu].cache[id]);
    }
}

/* --- queries ---------------------------------------------------------------------------------------------------- */

static inline enum memsys_protocol ref_protocol(const struct ref_model *r, paddr address)
{
    enum memsys_protocol protocol = r->s.protocol;
    for (unsigned i = 0; i < r->ranges; i++)
        if (address / PAGE_SIZE >= r->range[i].first / PAGE_SIZE && address / PAGE_SIZE <= r->range[i].last / PAGE_SIZE)
            protocol = r->range[i].protocol;
    return protocol;
}

static inline char *ref_state(struct ref_model *r, unsigned cpu, paddr address)
{
    return ref_cell(&r->node[cpu].state, address / r->block_size);
}

static inline bool ref_holds(struct ref_model *r, unsigned cpu, paddr address)
{
    return *ref_state(r, cpu, address) != 0;
}

/* The cache at LEVEL of the data path, or of the instruction path. */
static inline struct ref_cache *ref_at(struct ref_model *r, unsigned cpu, unsigned level, bool insn)
{
    return &r->node[cpu].cache[ref_id(&r->s, level, insn)];
}

/* The protocol's counters: those of the last level's data cache. */
static inline uint64_t *ref_last_counts(struct ref_model *r, unsigned cpu)
{
    return ref_at(r, cpu, r->s.levels, false)->count;
}

/* Count the entries of CPU's block at ADDRESS in all caches, and the dirty ones. */
static inline void ref_count_unit(struct ref_model *r, unsigned cpu, paddr address, unsigned *held, unsigned *dirty)
{
    struct ref_entry *inside[REF_INSIDE_MAX];
    *held = *dirty = 0;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache *c = &r->node[cpu].cache[id];
        unsigned count =
            c->s.exists ? ref_inside(c, address / r->block_size * r->block_size, r->block_size, inside) : 0;
        *held += count;
        for (unsigned i = 0; i < count; i++)
            *dirty += inside[i]->dirty;
    }
}

/* Update CPU's state of the block after evictions or cleaning. */
static inline void ref_settle(struct ref_model *r, unsigned cpu, paddr address)
{
    unsigned held, dirty;
    char *state = ref_state(r, cpu, address);
    ref_count_unit(r, cpu, address, &held, &dirty);
    if (held == 0)
        *state = 0;
    else if (*state == 'M' && dirty == 0)
        *state = ref_protocol(r, address / r->block_size * r->block_size) == MEMSYS_INVALIDATE ? 'S' : 'E';
}

/* --- evictions and invalidations -------------------------------------------------------------------------------- */

/* Write modified data back from LEVEL to the next level outwards. */
static inline void ref_write_back(struct ref_model *r, unsigned cpu, unsigned level, paddr address)
{
    while (++level <= r->s.levels) {
        struct ref_cache *c = ref_at(r, cpu, level, false);
        struct ref_entry *entry = ref_find(c, address);
        if (c->s.inclusive && entry && !entry->dirty)
            fail_msg("reference: an inclusive cache does not know that a line inside it is modified");
        if (entry) {
            entry->dirty = true;
            return;
        }
    }
    r->write_backs++;
}

/* Is cache INNER inside cache OUTER on a path? */
static inline bool ref_is_inside(const struct ref_model *r, enum memsys_cache inner, enum memsys_cache outer)
{
    if (ref_level(inner) >= ref_level(outer) || !r->s.cache[inner].exists)
        return false;
    return !r->s.split[ref_level(outer)] || ref_is_insn(inner) == ref_is_insn(outer);
}

enum ref_inner { REF_INNER_LEAVE, REF_INNER_LEAVE_LOST, REF_INNER_CLEAN };

static inline void ref_drop_partial(struct ref_model *r, unsigned cpu, struct ref_cache *c, struct ref_entry *entry);

/* Drop the lines of C inside the block of SIZE bytes at BLOCK that are partly valid. */
static inline void ref_drop_partials(struct ref_model *r, unsigned cpu, struct ref_cache *c, paddr block, uint32_t size)
{
    struct ref_entry *inside[REF_INSIDE_MAX];
    unsigned count = c->hole ? ref_inside(c, block, size, inside) : 0;
    for (unsigned i = 0; i < count; i++)
        if (!ref_is_whole(c, inside[i]))
            ref_drop_partial(r, cpu, c, inside[i]);
}

/* Invalidate (with or without loss of data) or clean the inner caches' copies of LINE of OUTER. Of those to be cleaned
 * the partly valid ones go, the outermost first. */
static inline void ref_inner_lines(struct ref_model *r, unsigned cpu, const struct ref_cache *outer, paddr line,
                                   enum ref_inner what, enum ref_past why)
{
    struct ref_entry *inside[REF_INSIDE_MAX];
    for (enum memsys_cache id = MEMSYS_CACHES; what == REF_INNER_CLEAN && id-- > 0;)
        if (ref_is_inside(r, id, outer->id))
            ref_drop_partials(r, cpu, &r->node[cpu].cache[id], line, outer->s.line);
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache *c = &r->node[cpu].cache[id];
        unsigned count = ref_is_inside(r, id, outer->id) ? ref_inside(c, line, outer->s.line, inside) : 0;
        for (unsigned i = 0; i < count; i++) {
            if (inside[i]->dirty && what != REF_INNER_LEAVE_LOST)
                c->count[REF_WRITE_BACKS]++;
            inside[i]->dirty = false;
            if (what == REF_INNER_CLEAN)
                continue;
            inside[i]->valid = false;
            c->count[REF_INVALIDATIONS]++;
            ref_class_leave(&r->classes, cpu, id, inside[i]->line, why);
        }
    }
}

/* Evict ENTRY and write its data back. */
static inline void ref_evict(struct ref_model *r, unsigned cpu, struct ref_cache *c, struct ref_entry *entry,
                             enum ref_past why, enum ref_past inner_why)
{
    if (ref_level(c->id) > 1 && c->s.inclusive)
        ref_inner_lines(r, cpu, c, entry->line, REF_INNER_LEAVE, inner_why);
    entry->valid = false;
    ref_class_leave(&r->classes, cpu, c->id, entry->line, why);
    if (entry->dirty) {
        c->count[REF_WRITE_BACKS]++;
        ref_write_back(r, cpu, ref_level(c->id), entry->line);
    }
    entry->dirty = false;
}

/* Invalidate all of CPU's copies of the block, because of a store of another CPU or a device. */
static inline void ref_remove(struct ref_model *r, unsigned cpu, paddr address, bool device, bool data_lost)
{
    struct ref_entry *inside[REF_INSIDE_MAX];
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache *c = &r->node[cpu].cache[id];
        unsigned count =
            c->s.exists ? ref_inside(c, address / r->block_size * r->block_size, r->block_size, inside) : 0;
        bool last = ref_level(id) == r->s.levels;
        for (unsigned i = 0; i < count; i++) {
            c->count[last && device ? REF_DMA_INVALIDATIONS : REF_INVALIDATIONS]++;
            if (inside[i]->dirty && !last && !data_lost)
                c->count[REF_WRITE_BACKS]++;
            inside[i]->valid = inside[i]->dirty = false;
            ref_class_leave(&r->classes, cpu, id, inside[i]->line, REF_COHERENCE);
        }
    }
    *ref_state(r, cpu, address) = 0;
}

/* A line that is partly valid cannot stay when it is cleaned: it goes, with what is inside it. */
static inline void ref_drop_partial(struct ref_model *r, unsigned cpu, struct ref_cache *c, struct ref_entry *entry)
{
    if (ref_level(c->id) > 1 && c->s.inclusive)
        ref_inner_lines(r, cpu, c, entry->line, REF_INNER_LEAVE, REF_COHERENCE);
    c->count[REF_INVALIDATIONS]++;
    if (ref_level(c->id) != r->s.levels)
        c->count[REF_WRITE_BACKS]++;
    entry->valid = entry->dirty = false;
}

/* Clean all of CPU's copies of the block; memory gets the data. Those partly valid go, the outermost first. */
static inline void ref_clean(struct ref_model *r, unsigned cpu, paddr address)
{
    struct ref_entry *inside[REF_INSIDE_MAX];
    for (enum memsys_cache id = MEMSYS_CACHES; id-- > 0;)
        ref_drop_partials(r, cpu, &r->node[cpu].cache[id], address / r->block_size * r->block_size, r->block_size);
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache *c = &r->node[cpu].cache[id];
        unsigned count =
            c->s.exists ? ref_inside(c, address / r->block_size * r->block_size, r->block_size, inside) : 0;
        for (unsigned i = 0; i < count; i++) {
            if (inside[i]->dirty && ref_level(id) != r->s.levels)
                c->count[REF_WRITE_BACKS]++;
            inside[i]->dirty = false;
        }
    }
    ref_last_counts(r, cpu)[REF_COHERENCE_WRITE_BACKS]++;
    r->write_backs++;
    *ref_state(r, cpu, address) = 'S';
    ref_settle(r, cpu, address);
}

#endif
