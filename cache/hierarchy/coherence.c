#include "cache/hierarchy/coherence.h"

#include "cache/state/response.h"
#include "cache/hierarchy/protocol.h"

void protocol_count_write_back(struct memsys *memsys, unsigned owner)
{
    memsys->node[owner].counts.coherence_write_backs++;
    memsys->write_backs++;
}

void protocol_clean_owner(struct memsys *memsys, unsigned owner, paddr address)
{
    node_clean(memsys, owner, coherence_block_of(memsys, address));
    *directory_at(&memsys->directory, address) = 1u << owner;
    if (memsys->validates)
        node_update_state(memsys, owner, address); /* partly valid lines have left */
    protocol_count_write_back(memsys, owner);
}

void protocol_invalidate_sharers(struct memsys *memsys, uint32_t set, unsigned cpu, paddr address)
{
    const struct removal removal = {.why = REMOVED_INVALIDATION, .by_cpu = cpu};
    while (set)
        node_invalidate(memsys, protocol_take_lowest(&set), coherence_block_of(memsys, address), &removal);
}

/* Another cache of CPU's own node holds the block: a modified block comes from there, a clean one from memory. */
static cycles read_within_node(struct memsys *memsys, enum coherence_state state)
{
    note_source(memsys, state == COHERENCE_M ? SOURCE_NODE : SOURCE_MEMORY);
    if (state != COHERENCE_M)
        memsys->fills++;
    return engine_response_time(memsys, memsys->miss_time);
}

cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address)
{
    uint32_t *record = directory_at(&memsys->directory, address);
    const uint32_t other = protocol_other_sharers(*record, cpu), own_bit = 1u << cpu;
    enum coherence_state state = coherence_state(*record, cpu);
    if (SIM_UNLIKELY(state != COHERENCE_I))
        return read_within_node(memsys, state);
    if (*record & DIRECTORY_MODIFIED) {
        unsigned owner = protocol_lowest(other);
        protocol_clean_owner(memsys, owner, address);
        memsys->node[owner].counts.interventions++;
        *record |= own_bit;
        note_source(memsys, SOURCE_CACHE);
        note_memory_updated(memsys);
        return engine_response_time(memsys, memsys->intervention_time);
    }
    const struct protocol *protocol = protocol_at(memsys, address);
    if (!other || !protocol->supplies_clean) {
        *record = other ? other | own_bit : protocol_sole_sharer(protocol, cpu);
        memsys->fills++;
        note_source(memsys, SOURCE_MEMORY);
        return engine_response_time(memsys, memsys->miss_time);
    }
    memsys->node[protocol_lowest(other)].counts.clean_interventions++;
    *record = other | own_bit;
    note_source(memsys, SOURCE_CACHE);
    return engine_response_time(memsys, memsys->intervention_time);
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

struct transaction coherence_upgrade(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = directory_at(&memsys->directory, address);
    enum coherence_state state = coherence_state(*record, cpu);
    if (state != COHERENCE_S || !memsys->upgrades) {
        *record = directory_owned_by(cpu, COHERENCE_M);
        return (struct transaction){.owned = true};
    }
    touch_outer(memsys, cpu, address);
    return protocol_at(memsys, address)->write_shared(memsys, cpu, request);
}

static struct transaction read_exclusive_within_node(struct memsys *memsys, unsigned cpu,
                                                     const struct memsys_request *request, enum coherence_state state)
{
    cycles time = read_within_node(memsys, state);
    struct transaction upgrade = coherence_upgrade(memsys, cpu, request);
    if (upgrade.time < time)
        upgrade.time = time;
    return upgrade;
}

struct transaction coherence_read_exclusive(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    enum coherence_state state = coherence_state(*directory_at(&memsys->directory, address), cpu);
    if (state != COHERENCE_I)
        return read_exclusive_within_node(memsys, cpu, request, state);
    return protocol_at(memsys, address)->write_miss(memsys, cpu, request);
}

bool coherence_owns_unread(const struct memsys *memsys, paddr address)
{
    return !protocol_at(memsys, address)->updates;
}

struct transaction coherence_allocate(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = directory_at(&memsys->directory, address);
    if (coherence_state(*record, cpu) != COHERENCE_I)
        return coherence_upgrade(memsys, cpu, request);
    if (*record & DIRECTORY_MODIFIED)
        protocol_count_write_back(memsys, protocol_lowest(*record & DIRECTORY_SHARERS));
    if (memsys->upgrades)
        return protocol_at(memsys, address)->write_shared(memsys, cpu, request);
    *record = directory_owned_by(cpu, COHERENCE_M);
    return (struct transaction){.owned = true};
}

cycles coherence_read_rest(struct memsys *memsys)
{
    memsys->fills++;
    note_source(memsys, SOURCE_MEMORY);
    return engine_response_time(memsys, memsys->miss_time);
}

void coherence_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    memsys->writes++;
    if (protocol_other_sharers(*directory_at(&memsys->directory, address), cpu))
        protocol_at(memsys, address)->write_around(memsys, cpu, address);
}

void coherence_keep(struct memsys *memsys, unsigned cpu, paddr address)
{
    uint32_t *record = directory_at(&memsys->directory, address);
    if (coherence_state(*record, cpu) != COHERENCE_I)
        return;
    const uint32_t others = protocol_other_sharers(*record, cpu);
    *record = others ? others | 1u << cpu : protocol_sole_sharer(protocol_at(memsys, address), cpu);
}

void coherence_device_read(struct memsys *memsys, paddr block)
{
    uint32_t record = directory_read(&memsys->directory, block);
    if (record & DIRECTORY_MODIFIED)
        protocol_clean_owner(memsys, protocol_lowest(record & DIRECTORY_SHARERS), block);
}

void coherence_device_write(struct memsys *memsys, paddr block, bool whole)
{
    uint32_t record = directory_read(&memsys->directory, block), all = record & DIRECTORY_SHARERS;
    if (record & DIRECTORY_MODIFIED && !whole)
        protocol_count_write_back(memsys, protocol_lowest(all));
    while (all) {
        unsigned holder = protocol_take_lowest(&all);
        const struct removal removal = {.why = REMOVED_DMA, .by_cpu = holder, .dropped = whole};
        node_invalidate(memsys, holder, block, &removal);
    }
}

void coherence_device_update(struct memsys *memsys, paddr block, bool whole)
{
    uint32_t record = directory_read(&memsys->directory, block);
    if (!(record & DIRECTORY_MODIFIED))
        return;
    if (!whole) {
        coherence_device_read(memsys, block);
        return;
    }
    unsigned owner = protocol_lowest(record & DIRECTORY_SHARERS);
    node_clean(memsys, owner, block);
    *directory_at(&memsys->directory, block) = 1u << owner;
    if (memsys->validates)
        node_update_state(memsys, owner, block);
}
