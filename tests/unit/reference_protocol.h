/*
 * Reference model, part 5: the coherence protocols, one row each; all CPUs are snooped one after the other. A
 * protocol whose stores neither invalidate nor update other copies needs its own case in ref_gain(),
 * ref_coherent_own() and ref_coherent_write().
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_PROTOCOL_H
#define SIMOS_TESTS_UNIT_REFERENCE_PROTOCOL_H

#include "tests/unit/reference_node.h"

enum { REF_PROTOCOLS_MAX = 16 };

/* A protocol, by enum memsys_protocol. */
static const struct ref_rules {
    const char *name;    /* value of cache.protocol */
    bool exclusive;      /* a read of a block without other sharers gets state E */
    bool supplies_clean; /* a cache supplies a clean block (clean intervention) */
    bool updates;        /* a store to a shared block updates the other copies instead of invalidating them */
} ref_protocols[REF_PROTOCOLS_MAX] = {
    [MEMSYS_INVALIDATE] = {.name = "invalidate"},
    [MEMSYS_MESI] = {.name = "mesi", .exclusive = true, .supplies_clean = true},
    [MEMSYS_FIREFLY] = {.name = "firefly", .exclusive = true, .supplies_clean = true, .updates = true},
};

static inline unsigned ref_protocol_count(void)
{
    unsigned count = 0;
    while (count < REF_PROTOCOLS_MAX && ref_protocols[count].name)
        count++;
    return count;
}

/* The protocol of the block at ADDRESS. */
static inline const struct ref_rules *ref_rules(const struct ref_model *r, paddr address)
{
    return &ref_protocols[ref_protocol(r, address / r->block_size * r->block_size)];
}

static inline unsigned ref_count_others(struct ref_model *r, unsigned cpu, paddr address)
{
    unsigned others = 0;
    for (unsigned other = 0; other < r->s.cpus; other++)
        others += other != cpu && ref_holds(r, other, address);
    return others;
}

static inline void ref_remove_others(struct ref_model *r, unsigned cpu, paddr address)
{
    for (unsigned other = 0; other < r->s.cpus; other++)
        if (other != cpu && ref_holds(r, other, address))
            ref_remove(r, other, address, false, false);
}

static inline void ref_update_others(struct ref_model *r, unsigned cpu, paddr address)
{
    for (unsigned other = 0; other < r->s.cpus; other++)
        if (other != cpu && ref_holds(r, other, address))
            ref_last_counts(r, other)[REF_UPDATES_RECEIVED]++;
}

/* Read request of CPU, which has no copy of the block. True if a cache supplied it. */
static inline bool ref_ask_copy(struct ref_model *r, unsigned cpu, paddr address)
{
    bool supplied = false, others = ref_count_others(r, cpu, address) > 0;
    const struct ref_rules *rules = ref_rules(r, address);
    for (unsigned other = 0; other < r->s.cpus; other++) {
        if (other == cpu || *ref_state(r, other, address) != 'M')
            continue;
        ref_last_counts(r, other)[REF_INTERVENTIONS]++;
        ref_clean(r, other, address);
        supplied = true;
    }
    for (unsigned other = 0; other < r->s.cpus; other++) {
        if (other == cpu || !ref_holds(r, other, address))
            continue;
        if (!supplied && rules->supplies_clean) {
            ref_last_counts(r, other)[REF_CLEAN_SUPPLIES]++;
            supplied = true;
        }
        *ref_state(r, other, address) = 'S';
    }
    r->fills += !supplied;
    *ref_state(r, cpu, address) = others || !rules->exclusive ? 'S' : 'E';
    return supplied;
}

/* A load or fetch that missed in all caches. Returns the stall cycles. */
static inline cycles ref_coherent_read(struct ref_model *r, const struct ref_access *a)
{
    if (ref_holds(r, a->cpu, a->address)) { /* another cache of the node has it */
        r->fills += *ref_state(r, a->cpu, a->address) != 'M';
        return r->s.miss;
    }
    return ref_ask_copy(r, a->cpu, a->address) ? r->s.intervention : r->s.miss;
}

/* Upgrade: the node has the block and stores to it. *ASKED: other CPUs were snooped. Returns the stall cycles. */
static inline cycles ref_gain(struct ref_model *r, const struct ref_access *a, bool *asked)
{
    char *state = ref_state(r, a->cpu, a->address);
    uint64_t *count = ref_last_counts(r, a->cpu);
    *asked = false;
    if (*state != 'S' || (r->s.cpus == 1 && !r->s.upgrades_alone)) {
        *state = 'M';
        return 0;
    }
    *asked = true;
    for (unsigned level = 2; level <= r->s.levels; level++) {
        struct ref_cache *c = ref_at(r, a->cpu, level, false);
        struct ref_entry *entry = ref_find(c, a->address);
        if (entry)
            ref_touch(c, entry);
    }
    if (ref_rules(r, a->address)->updates) {
        ref_update_others(r, a->cpu, a->address);
        count[REF_UPDATES]++;
        r->updates++;
        *state = ref_count_others(r, a->cpu, a->address) ? 'S' : 'E';
        return r->s.update;
    }
    r->node[a->cpu].bucket.miss[MISS_UPGRADE]++;
    ref_class_upgrade(&r->classes, a->cpu, ref_id(&r->s, r->s.levels, false));
    ref_remove_others(r, a->cpu, a->address);
    count[REF_UPGRADES]++;
    *state = 'M';
    return r->s.upgrade;
}

/* Read-exclusive: a store that missed in all caches and fills its line. Returns the stall cycles. */
static inline cycles ref_coherent_own(struct ref_model *r, const struct ref_access *a)
{
    char *state = ref_state(r, a->cpu, a->address);
    bool supplied = false, asked;
    if (*state == 'M') /* another cache of the node has the data */
        return r->s.miss;
    if (*state != 0) {
        cycles stall = ref_gain(r, a, &asked);
        r->fills++;
        return stall > r->s.miss ? stall : r->s.miss;
    }
    const struct ref_rules *rules = ref_rules(r, a->address);
    if (rules->updates) {
        supplied = ref_ask_copy(r, a->cpu, a->address);
        if (*state == 'S') {
            ref_update_others(r, a->cpu, a->address);
            ref_last_counts(r, a->cpu)[REF_UPDATES]++;
            r->updates++;
        } else {
            *state = 'M';
        }
        return supplied ? r->s.intervention : r->s.miss;
    }
    for (unsigned other = 0; other < r->s.cpus; other++) {
        if (other != a->cpu && *ref_state(r, other, a->address) == 'M') {
            ref_last_counts(r, other)[REF_INTERVENTIONS]++;
            supplied = true;
        }
    }
    for (unsigned other = 0; rules->supplies_clean && !supplied && other < r->s.cpus; other++) {
        if (other != a->cpu && ref_holds(r, other, a->address)) {
            ref_last_counts(r, other)[REF_CLEAN_SUPPLIES]++;
            supplied = true;
        }
    }
    ref_remove_others(r, a->cpu, a->address);
    r->fills += !supplied;
    *state = 'M';
    return supplied ? r->s.intervention : r->s.miss;
}

/* The node becomes the owner of a block that it allocates without reading it: as an upgrade, but another node's
 * modified data go to memory. Returns the stall cycles. */
static inline cycles ref_coherent_allocate(struct ref_model *r, const struct ref_access *a, bool *asked)
{
    if (ref_holds(r, a->cpu, a->address))
        return ref_gain(r, a, asked);
    for (unsigned other = 0; other < r->s.cpus; other++) {
        if (*ref_state(r, other, a->address) != 'M')
            continue;
        ref_last_counts(r, other)[REF_COHERENCE_WRITE_BACKS]++;
        r->write_backs++;
    }
    *ref_state(r, a->cpu, a->address) = 'S';
    return ref_gain(r, a, asked);
}

/* A store that no cache holds is written to memory. */
static inline void ref_coherent_write(struct ref_model *r, const struct ref_access *a)
{
    const bool update = ref_rules(r, a->address)->updates;
    bool sent = false;
    r->writes++;
    for (unsigned other = 0; other < r->s.cpus; other++) {
        if (other == a->cpu || !ref_holds(r, other, a->address))
            continue;
        if (!update && *ref_state(r, other, a->address) == 'M') {
            ref_last_counts(r, other)[REF_COHERENCE_WRITE_BACKS]++;
            r->write_backs++;
        }
        if (!update) {
            ref_remove(r, other, a->address, false, false);
            continue;
        }
        if (*ref_state(r, other, a->address) == 'M')
            ref_clean(r, other, a->address);
        if (!ref_holds(r, other, a->address))
            continue;
        *ref_state(r, other, a->address) = 'S';
        ref_last_counts(r, other)[REF_UPDATES_RECEIVED]++;
        sent = true;
    }
    ref_last_counts(r, a->cpu)[REF_UPDATES] += sent;
    r->updates += sent;
}

#endif
