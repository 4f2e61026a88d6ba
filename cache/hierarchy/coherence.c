#include "cache/hierarchy/coherence.h"

#include "cache/state/outcome.h"
#include "cache/hierarchy/protocol.h"

void protocol_count_write_back(struct memsys *memsys, unsigned owner)
{
    memsys->node[owner].counts.coherence_write_backs++;
    memsys->write_backs++;
}

void protocol_clean_owner(struct memsys *memsys, unsigned owner, paddr address)
{
    node_clean(memsys, owner, unit_of(memsys, address));
    *units_at(&memsys->units, address) = 1u << owner;
    protocol_count_write_back(memsys, owner);
}

void protocol_remove(struct memsys *memsys, uint32_t set, unsigned cpu, paddr address)
{
    const struct departure departure = {.why = LEAVE_INVALIDATED, .by_cpu = cpu};
    while (set)
        node_remove(memsys, protocol_take_lowest(&set), unit_of(memsys, address), &departure);
}

/* Another cache of CPU's own node holds the block: a modified block comes from there, a clean one from memory. */
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
    const uint32_t other = protocol_others(*record, cpu), own_bit = 1u << cpu;
    enum unit_state state = unit_state(*record, cpu);
    if (SIM_UNLIKELY(state != UNIT_I))
        return read_within_node(memsys, state);
    if (*record & UNIT_MODIFIED) {
        unsigned owner = protocol_lowest(other);
        protocol_clean_owner(memsys, owner, address);
        memsys->node[owner].counts.interventions++;
        *record |= own_bit;
        note_served(memsys, SERVED_CACHE);
        note_memory_updated(memsys);
        return memsys->intervention_time;
    }
    const struct protocol *protocol = protocol_at(memsys, address);
    if (!other || !protocol->supplies_clean) {
        *record = other ? other | own_bit : protocol_alone(protocol, cpu);
        memsys->fills++;
        note_served(memsys, SERVED_MEMORY);
        return memsys->miss_time;
    }
    memsys->node[protocol_lowest(other)].counts.clean_supplies++;
    *record = other | own_bit;
    note_served(memsys, SERVED_CACHE);
    return memsys->intervention_time;
}

/* The lines around ADDRESS in the outer levels of CPU's data path take part in the transaction: makes them MRU lines.
 */
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
    enum unit_state state = unit_state(*record, cpu);
    if (state != UNIT_S || !memsys->upgrades) {
        *record = unit_of_one(cpu, UNIT_M);
        return (struct transaction){.owned = true};
    }
    request->bucket->miss[MISS_UPGRADE]++;
    touch_outer(memsys, cpu, address);
    return protocol_at(memsys, address)->write_shared(memsys, cpu, request);
}

static struct transaction read_exclusive_within_node(struct memsys *memsys, unsigned cpu,
                                                     const struct memsys_request *request, enum unit_state state)
{
    cycles time = read_within_node(memsys, state);
    struct transaction upgrade = coherence_gain(memsys, cpu, request);
    if (upgrade.time < time)
        upgrade.time = time;
    return upgrade;
}

struct transaction coherence_own(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    enum unit_state state = unit_state(*units_at(&memsys->units, address), cpu);
    if (state != UNIT_I)
        return read_exclusive_within_node(memsys, cpu, request, state);
    return protocol_at(memsys, address)->write_miss(memsys, cpu, request);
}

void coherence_write(struct memsys *memsys, unsigned cpu, paddr address)
{
    memsys->writes++;
    if (protocol_others(*units_at(&memsys->units, address), cpu))
        protocol_at(memsys, address)->write_past(memsys, cpu, address);
}

void coherence_device_read(struct memsys *memsys, paddr unit)
{
    uint32_t record = units_get(&memsys->units, unit);
    if (record & UNIT_MODIFIED)
        protocol_clean_owner(memsys, protocol_lowest(record & UNIT_HOLDERS), unit);
}

void coherence_device_write(struct memsys *memsys, paddr unit, bool whole)
{
    uint32_t record = units_get(&memsys->units, unit), all = record & UNIT_HOLDERS;
    if (record & UNIT_MODIFIED && !whole)
        protocol_count_write_back(memsys, protocol_lowest(all));
    while (all) {
        unsigned holder = protocol_take_lowest(&all);
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
    unsigned owner = protocol_lowest(record & UNIT_HOLDERS);
    node_clean(memsys, owner, unit);
    *units_at(&memsys->units, unit) = 1u << owner;
}
