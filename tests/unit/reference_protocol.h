/*
 * Reference model, part 4: the protocols. Invalidation with three states, Illinois, Firefly; all CPUs are asked one
 * after the other.
 */
#ifndef TESTS_UNIT_REFERENCE_PROTOCOL_H
#define TESTS_UNIT_REFERENCE_PROTOCOL_H

#include "tests/unit/reference_node.h"

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

/* CPU, which has nothing of the unit, asks for a copy. Whether a cache supplied it. */
static inline bool ref_ask_copy(struct ref_model *r, unsigned cpu, paddr address)
{
    bool supplied = false, others = ref_count_others(r, cpu, address) > 0;
    bool clean_supply = ref_protocol(r, address / r->unit * r->unit) != MEMSYS_INVALIDATE;
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
        if (!supplied && clean_supply) {
            ref_last_counts(r, other)[REF_CLEAN_SUPPLIES]++;
            supplied = true;
        }
        *ref_state(r, other, address) = 'S';
    }
    r->fills += !supplied;
    *ref_state(r, cpu, address) = others || !clean_supply ? 'S' : 'E';
    return supplied;
}

/* A load or fetch found nothing on its way to memory. The stall. */
static inline cycles ref_coherent_read(struct ref_model *r, const struct ref_access *a)
{
    if (ref_holds(r, a->cpu, a->address)) { /* elsewhere in the node */
        r->fills += *ref_state(r, a->cpu, a->address) != 'M';
        return r->s.miss;
    }
    return ref_ask_copy(r, a->cpu, a->address) ? r->s.intervention : r->s.miss;
}

/* The node holds the unit, and wants to store. *ASKED: others had to be asked. The stall. */
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
    r->node[a->cpu].bucket.miss[MISS_UPGRADE]++;
    if (ref_protocol(r, a->address / r->unit * r->unit) == MEMSYS_FIREFLY) {
        ref_update_others(r, a->cpu, a->address);
        count[REF_UPDATES]++;
        r->updates++;
        *state = ref_count_others(r, a->cpu, a->address) ? 'S' : 'E';
        return r->s.update;
    }
    ref_class_upgrade(&r->classes, a->cpu, ref_id(&r->s, r->s.levels, false));
    ref_remove_others(r, a->cpu, a->address);
    count[REF_UPGRADES]++;
    *state = 'M';
    return r->s.upgrade;
}

/* A store found nothing on its way to memory, and its line is brought in. The stall. */
static inline cycles ref_coherent_own(struct ref_model *r, const struct ref_access *a)
{
    char *state = ref_state(r, a->cpu, a->address);
    bool supplied = false, asked;
    if (*state == 'M') /* the node has the data elsewhere */
        return r->s.miss;
    if (*state != 0) {
        cycles stall = ref_gain(r, a, &asked);
        r->fills++;
        return stall > r->s.miss ? stall : r->s.miss;
    }
    enum memsys_protocol protocol = ref_protocol(r, a->address / r->unit * r->unit);
    if (protocol == MEMSYS_FIREFLY) {
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
    for (unsigned other = 0; protocol == MEMSYS_MESI && !supplied && other < r->s.cpus; other++) {
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

/* A store that no cache took reaches memory. */
static inline void ref_coherent_write(struct ref_model *r, const struct ref_access *a)
{
    bool update = ref_protocol(r, a->address / r->unit * r->unit) == MEMSYS_FIREFLY;
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
        *ref_state(r, other, a->address) = 'S';
        ref_last_counts(r, other)[REF_UPDATES_RECEIVED]++;
    }
}

#endif
