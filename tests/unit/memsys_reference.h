/*
 * A reference model of the memory system, deliberately simple: one flat array of records a cache, linear search, a time
 * stamp a record for LRU, every CPU scanned on every miss. It shares no code and no idea (recency order, directory,
 * write tags) with cache/; of the headers it uses only the names of accesses and operations, and struct bucket.
 */
#ifndef TESTS_UNIT_MEMSYS_REFERENCE_H
#define TESTS_UNIT_MEMSYS_REFERENCE_H

#include "cache/memsys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct record {
    bool valid;
    bool dirty; /* first level: stored to since filled or cleaned; second level: owned and modified */
    uint32_t line;
    uint64_t stamp; /* time of last use */
};

struct cache {
    unsigned sets, ways, line_size;
    struct record *records;
};

struct node {
    struct cache l1i, l1d, l2;
    uint64_t l1i_misses, l1i_invalidations, l1d_read_misses, l1d_write_misses, l1d_write_backs, l1d_invalidations;
    uint64_t l2_insn_misses, l2_read_misses, l2_write_misses, l2_upgrades, l2_write_backs, l2_coherence_write_backs;
    uint64_t l2_interventions, l2_invalidations, l2_dma_invalidations, uncached;
    struct bucket bucket;
};

struct reference {
    unsigned cpus;
    bool free_upgrades;
    unsigned hit_cycles, miss_cycles, upgrade_cycles, uncached_cycles;
    uint64_t now;
    uint64_t fills, write_backs;
    struct node node[16];
};

static inline void cache_make(struct cache *c, unsigned size, unsigned line_size, unsigned ways)
{
    c->sets = size / (line_size * ways);
    c->ways = ways;
    c->line_size = line_size;
    c->records = calloc((size_t)c->sets * ways, sizeof *c->records);
}

static inline struct record *set_of(struct cache *c, uint32_t address)
{
    return c->records + (size_t)(address / c->line_size % c->sets) * c->ways;
}

static inline struct record *look(struct cache *c, uint32_t address)
{
    struct record *set = set_of(c, address);
    for (unsigned i = 0; i < c->ways; i++) {
        if (set[i].valid && set[i].line == address - address % c->line_size)
            return &set[i];
    }
    return NULL;
}

/* The record to be replaced: an empty one, or the one unused for longest. */
static inline struct record *oldest(struct cache *c, uint32_t address)
{
    struct record *set = set_of(c, address);
    struct record *best = NULL;
    for (unsigned i = 0; i < c->ways; i++) {
        if (!set[i].valid)
            return &set[i];
        if (!best || set[i].stamp < best->stamp)
            best = &set[i];
    }
    return best;
}

static inline struct record *place(struct reference *r, struct cache *c, uint32_t address, bool dirty)
{
    struct record *record = oldest(c, address);
    *record = (struct record){true, dirty, address - address % c->line_size, ++r->now};
    return record;
}

/* Every first-level line inside the second-level line at LINE goes. */
static inline void drop_inner(struct node *n, uint32_t line, bool lose_data)
{
    for (unsigned offset = 0; offset < n->l2.line_size; offset += n->l1i.line_size) {
        struct record *record = look(&n->l1i, line + offset);
        if (record) {
            record->valid = false;
            n->l1i_invalidations++;
        }
    }
    for (unsigned offset = 0; offset < n->l2.line_size; offset += n->l1d.line_size) {
        struct record *record = look(&n->l1d, line + offset);
        if (record) {
            if (record->dirty && !lose_data)
                n->l1d_write_backs++;
            record->valid = false;
            n->l1d_invalidations++;
        }
    }
}

/* The dirty second-level line RECORD becomes a clean one. */
static inline void clean_outer(struct node *n, struct record *record)
{
    record->dirty = false;
    for (unsigned offset = 0; offset < n->l2.line_size; offset += n->l1d.line_size) {
        struct record *inner = look(&n->l1d, record->line + offset);
        if (inner && inner->dirty) {
            inner->dirty = false;
            n->l1d_write_backs++;
        }
    }
}

static inline void take_from_others(struct reference *r, unsigned cpu, uint32_t address, bool *was_dirty)
{
    for (unsigned other = 0; other < r->cpus; other++) {
        struct node *n = &r->node[other];
        struct record *record = other == cpu ? NULL : look(&n->l2, address);
        if (!record)
            continue;
        if (record->dirty) {
            *was_dirty = true;
            n->l2_interventions++;
        }
        record->valid = false;
        drop_inner(n, record->line, false);
        n->l2_invalidations++;
    }
}

static inline unsigned reference_access(struct reference *r, unsigned cpu, enum memsys_access kind, uint32_t address)
{
    struct node *n = &r->node[cpu];
    struct bucket *b = &n->bucket;
    bool fetch = kind == MEMSYS_FETCH;
    bool write = kind == MEMSYS_WRITE;
    struct cache *l1 = fetch ? &n->l1i : &n->l1d;
    struct record *inner = look(l1, address);
    struct record *outer = look(&n->l2, address);
    bool lost = false;

    if (inner)
        inner->stamp = ++r->now;
    if (inner && (!write || inner->dirty))
        return 0;
    if (inner) {
        inner->dirty = true;
        if (outer->dirty)
            return 0;
        outer->dirty = true;
        if (r->free_upgrades)
            return 0;
        outer->stamp = ++r->now;
        take_from_others(r, cpu, address, &lost);
        assert_false(lost);
        n->l2_upgrades++;
        b->miss[MISS_UPGRADE]++;
        b->stall[STALL_UPGRADE] += r->upgrade_cycles;
        return r->upgrade_cycles;
    }

    unsigned stall = r->hit_cycles;
    enum stall where = fetch ? STALL_L1I : STALL_L1D;
    if (fetch) {
        n->l1i_misses++;
        b->miss[MISS_L1I]++;
    } else if (write) {
        n->l1d_write_misses++;
        b->miss[MISS_L1D_WRITE]++;
    } else {
        n->l1d_read_misses++;
        b->miss[MISS_L1D_READ]++;
    }
    if (outer) {
        outer->stamp = ++r->now;
        if (write && !outer->dirty) {
            outer->dirty = true;
            if (!r->free_upgrades) {
                take_from_others(r, cpu, address, &lost);
                assert_false(lost);
                n->l2_upgrades++;
                b->miss[MISS_UPGRADE]++;
                stall = r->upgrade_cycles > r->hit_cycles ? r->upgrade_cycles : r->hit_cycles;
                where = STALL_UPGRADE;
            }
        }
    } else {
        stall = r->miss_cycles;
        where = fetch ? STALL_L2I : STALL_L2D;
        b->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA]++;
        if (write) {
            n->l2_write_misses++;
            take_from_others(r, cpu, address, &lost);
        } else {
            if (fetch)
                n->l2_insn_misses++;
            else
                n->l2_read_misses++;
            for (unsigned other = 0; other < r->cpus; other++) {
                struct node *o = &r->node[other];
                struct record *record = look(&o->l2, address);
                if (!record || !record->dirty)
                    continue;
                clean_outer(o, record);
                o->l2_interventions++;
                o->l2_coherence_write_backs++;
                r->write_backs++;
                lost = true;
            }
        }
        if (!lost)
            r->fills++;
        struct record *victim = oldest(&n->l2, address);
        if (victim->valid) {
            drop_inner(n, victim->line, false);
            if (victim->dirty) {
                n->l2_write_backs++;
                r->write_backs++;
            }
        }
        place(r, &n->l2, address, write);
    }
    struct record *victim = oldest(l1, address);
    if (victim->valid && victim->dirty)
        n->l1d_write_backs++;
    place(r, l1, address, write);
    b->stall[where] += stall;
    return stall;
}

static inline void reference_uncached(struct reference *r, unsigned cpu)
{
    r->node[cpu].uncached++;
    r->node[cpu].bucket.stall[STALL_UNCACHED] += r->uncached_cycles;
}

/* One record of CPU's cache is operated on. */
static inline void reference_operate(struct reference *r, struct node *n, struct cache *c, struct record *record,
                                     bool write_back, bool invalidate)
{
    if (c == &n->l2) {
        if (write_back && record->dirty) {
            clean_outer(n, record);
            n->l2_write_backs++;
            r->write_backs++;
        }
        if (invalidate) {
            record->valid = false;
            drop_inner(n, record->line, !write_back);
        }
        return;
    }
    if (write_back && record->dirty)
        n->l1d_write_backs++;
    if (write_back)
        record->dirty = false;
    if (invalidate)
        record->valid = false;
}

static inline void reference_cache_op(struct reference *r, unsigned cpu, enum memsys_cache which,
                                      enum memsys_cache_op op, uint32_t address)
{
    struct node *n = &r->node[cpu];
    struct cache *c = which == MEMSYS_L1I ? &n->l1i : which == MEMSYS_L1D ? &n->l1d : &n->l2;
    if (op == MEMSYS_INDEX_INVALIDATE) {
        for (unsigned way = 0; way < c->ways; way++) {
            struct record *record = set_of(c, address) + way;
            if (record->valid)
                reference_operate(r, n, c, record, true, true);
        }
        return;
    }
    struct record *record = look(c, address);
    if (record)
        reference_operate(r, n, c, record, op != MEMSYS_HIT_INVALIDATE, op != MEMSYS_HIT_WRITEBACK);
}

static inline void reference_dma(struct reference *r, bool write, uint32_t address, uint32_t size)
{
    unsigned line_size = r->node[0].l2.line_size;
    uint64_t end = (uint64_t)address + size;
    for (uint64_t line = address - address % line_size; line < end; line += line_size) {
        bool whole = line >= address && line + line_size <= end;
        for (unsigned cpu = 0; cpu < r->cpus; cpu++) {
            struct node *n = &r->node[cpu];
            struct record *record = look(&n->l2, (uint32_t)line);
            if (!record)
                continue;
            if (record->dirty && !(write && whole)) {
                clean_outer(n, record);
                n->l2_coherence_write_backs++;
                r->write_backs++;
            }
            if (write) {
                record->valid = false;
                drop_inner(n, record->line, true);
                n->l2_dma_invalidations++;
            }
        }
    }
}

static inline void reference_flush(struct reference *r)
{
    for (unsigned cpu = 0; cpu < r->cpus; cpu++) {
        struct cache *caches[] = {&r->node[cpu].l1i, &r->node[cpu].l1d, &r->node[cpu].l2};
        for (int i = 0; i < 3; i++)
            memset(caches[i]->records, 0, (size_t)caches[i]->sets * caches[i]->ways * sizeof(struct record));
    }
}

#endif
