#include "cache/coherence.h"

#include "cache/outcome.h"

static unsigned take_lowest(uint32_t *set)
{
    unsigned cpu = (unsigned)__builtin_ctz(*set);
    *set &= *set - 1;
    return cpu;
}

static uint32_t others(uint32_t record, unsigned cpu)
{
    return record & UNIT_HOLDERS & ~(1u << cpu);
}

static unsigned lowest(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}

/* OWNER's modified unit goes to memory because another wants it; it keeps it, shared. */
static void clean_owner(struct memsys *memsys, unsigned owner, paddr address)
{
    node_clean(memsys, owner, unit_of(memsys, address));
    *units_at(&memsys->units, address) = 1u << owner;
    memsys->node[owner].counts.coherence_write_backs++;
    memsys->write_backs++;
}

/* All CPUs in SET lose the unit to CPU's store. */
static void remove_from(struct memsys *memsys, uint32_t set, unsigned cpu, paddr address)
{
    const struct departure departure = {.why = LEAVE_INVALIDATED, .by_cpu = cpu};
    while (set)
        node_remove(memsys, take_lowest(&set), unit_of(memsys, address), &departure);
}

static void tell_of_update(struct memsys *memsys, unsigned cpu, uint32_t set)
{
    memsys->node[cpu].counts.updates++;
    memsys->updates++;
    while (set)
        memsys->node[take_lowest(&set)].counts.updates_received++;
}

/* CPU's node holds the unit, but not where CPU looked for it: who supplies? */
static cycles read_within_node(struct memsys *memsys, enum unit_state state)
{
    note_served(memsys, state == UNIT_M ? SERVED_NODE : SERVED_MEMORY);
    if (state != UNIT_M)
        memsys->fills++;
    return memsys->miss_time;
}

cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address)
{
    uint32_t *record = units_at(&memsys->units, address);
    const uint32_t other = others(*record, cpu), me = 1u << cpu;
    enum unit_state state = unit_state(*record, cpu);
    if (SIM_UNLIKELY(state != UNIT_I))
        return read_within_node(memsys, state);
    if (*record & UNIT_MODIFIED) {
        unsigned owner = lowest(other);
        clean_owner(memsys, owner, address);
        memsys->node[owner].counts.interventions++;
        *record |= me;
        note_served(memsys, SERVED_CACHE);
        note_memory_updated(memsys);
        return memsys->intervention_time;
    }
    if (protocol_of(memsys, address) == MEMSYS_INVALIDATE || !other) {
        bool alone = protocol_of(memsys, address) != MEMSYS_INVALIDATE && !other;
        *record = alone ? unit_of_one(cpu, UNIT_E) : other | me;
        memsys->fills++;
        note_served(memsys, SERVED_MEMORY);
        return memsys->miss_time;
    }
    memsys->node[lowest(other)].counts.clean_supplies++;
    *record = other | me;
    note_served(memsys, SERVED_CACHE);
    return memsys->intervention_time;
}

/* Every line around ADDRESS that CPU's data path holds beyond the first level takes part in the transaction. */
static void touch_outer(struct memsys *memsys, unsigned cpu, paddr address)
{
    for (struct array *cache = memsys->node[cpu].first[1]->next; cache; cache = cache->next) {
        uint32_t entry = array_find(cache, address & cache->line_mask);
        if (entry != NO_ENTRY)
            array_touch(cache, entry);
    }
}

struct transaction coherence_gain(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = units_at(&memsys->units, address);
    const uint32_t other = others(*record, cpu);
    enum unit_state state = unit_state(*record, cpu);
    if (state != UNIT_S || !memsys->upgrades) {
        *record = unit_of_one(cpu, UNIT_M);
        return (struct transaction){.owned = true};
    }
    request->bucket->miss[MISS_UPGRADE]++;
    touch_outer(memsys, cpu, address);
    if (protocol_of(memsys, address) == MEMSYS_FIREFLY) {
        note_told(memsys, TOLD_UPDATE);
        tell_of_update(memsys, cpu, other);
        if (!other)
            *record = unit_of_one(cpu, UNIT_E);
        return (struct transaction){.asked = true, .time = memsys->update_time};
    }
    TELL(memsys, upgrade, cpu, request, unit_of(memsys, address));
    memsys->node[cpu].counts.upgrades++;
    note_told(memsys, TOLD_UPGRADE);
    remove_from(memsys, other, cpu, address);
    *record = unit_of_one(cpu, UNIT_M);
    return (struct transaction){.owned = true, .asked = true, .time = memsys->upgrade_time};
}

static struct transaction own_within_node(struct memsys *memsys, unsigned cpu, const struct memsys_request *request,
                                          enum unit_state state)
{
    cycles time = read_within_node(memsys, state);
    struct transaction gain = coherence_gain(memsys, cpu, request);
    if (gain.time < time)
        gain.time = time;
    return gain;
}

/* The unit, and its ownership, come from the other CPUs or from memory. */
static cycles take_over(struct memsys *memsys, unsigned cpu, paddr address, uint32_t record)
{
    const uint32_t other = others(record, cpu);
    bool supplied = true;
    if (record & UNIT_MODIFIED)
        memsys->node[lowest(other)].counts.interventions++;
    else if (other && protocol_of(memsys, address) == MEMSYS_MESI)
        memsys->node[lowest(other)].counts.clean_supplies++;
    else
        supplied = false;
    remove_from(memsys, other, cpu, address);
    note_served(memsys, supplied ? SERVED_CACHE : SERVED_MEMORY);
    if (!supplied)
        memsys->fills++;
    return supplied ? memsys->intervention_time : memsys->miss_time;
}

struct transaction coherence_own(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = units_at(&memsys->units, address);
    enum unit_state state = unit_state(*record, cpu);
    if (state != UNIT_I)
        return own_within_node(memsys, cpu, request, state);
    if (protocol_of(memsys, address) == MEMSYS_FIREFLY) {
        const uint32_t other = others(*record, cpu);
        cycles time = coherence_read(memsys, cpu, address);
        if (!other)
            *record = unit_of_one(cpu, UNIT_M);
        else
            tell_of_update(memsys, cpu, other);
        return (struct transaction){.owned = !other, .time = time};
    }
    cycles time = take_over(memsys, cpu, address, *record);
    *record = unit_of_one(cpu, UNIT_M);
    return (struct transaction){.owned = true, .time = time};
}

void coherence_write(struct memsys *memsys, unsigned cpu, paddr address)
{
    uint32_t *record = units_at(&memsys->units, address);
    uint32_t other = others(*record, cpu);
    memsys->writes++;
    if (!other)
        return;
    bool updates = protocol_of(memsys, address) == MEMSYS_FIREFLY;
    unsigned owner = lowest(other);
    if (*record & UNIT_MODIFIED && updates) {
        clean_owner(memsys, owner, address);
    } else if (*record & UNIT_MODIFIED) {
        memsys->node[owner].counts.coherence_write_backs++;
        memsys->write_backs++;
    }
    if (!updates) {
        remove_from(memsys, other, cpu, address);
        return;
    }
    *record &= UNIT_HOLDERS; /* owned by nobody: another CPU stores to it */
    while (other)
        memsys->node[take_lowest(&other)].counts.updates_received++;
}

void coherence_device_read(struct memsys *memsys, paddr unit)
{
    uint32_t record = units_get(&memsys->units, unit);
    if (record & UNIT_MODIFIED)
        clean_owner(memsys, lowest(record & UNIT_HOLDERS), unit);
}

void coherence_device_write(struct memsys *memsys, paddr unit, bool whole)
{
    uint32_t record = units_get(&memsys->units, unit), all = record & UNIT_HOLDERS;
    if (record & UNIT_MODIFIED && !whole) {
        memsys->node[lowest(all)].counts.coherence_write_backs++;
        memsys->write_backs++;
    }
    while (all) {
        unsigned holder = take_lowest(&all);
        const struct departure departure = {.why = LEAVE_DMA, .by_cpu = holder, .dropped = whole};
        node_remove(memsys, holder, unit, &departure);
    }
}

void coherence_device_update(struct memsys *memsys, paddr unit, bool whole)
{
    uint32_t record = units_get(&memsys->units, unit);
    if (!(record & UNIT_MODIFIED))
        return;
    if (!whole) {
        coherence_device_read(memsys, unit);
        return;
    }
    unsigned owner = lowest(record & UNIT_HOLDERS);
    node_clean(memsys, owner, unit);
    *units_at(&memsys->units, unit) = 1u << owner;
}
