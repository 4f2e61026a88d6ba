#include "cache/hierarchy/coherence.h"

#include "cache/state/response.h"
#include "cache/hierarchy/numa.h"
#include "cache/hierarchy/protocol.h"

void protocol_count_write_back(struct memsys *memsys, const struct tier *tier, unsigned owner)
{
    memsys->node[owner].member[tier->number].coherence_write_backs++;
    if (!tier->outer)
        memsys->write_backs++;
}

/* A member of TIER that CPU shares a home with has written the block of ADDRESS back, or is about to lose it modified:
 * the home has the data, or if it does not have the line, the next cache outwards or memory that does. */
static void write_to_home(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    struct array *home = memsys->node[cpu].cache[data_cache(tier->level + 1)];
    for (; home; home = home->next) {
        const uint32_t entry = array_find(home, address & home->line_mask);
        if (entry != NO_ENTRY) {
            home->word[entry] |= ENTRY_DIRTY;
            return;
        }
    }
    memsys->write_backs++;
}

/* OWNER's modified lines of the block become clean; it keeps them in state S, if it keeps them. */
static void clean_owner(struct memsys *memsys, struct tier *tier, unsigned owner, paddr address)
{
    node_clean(memsys, tier, owner, coherence_block_of(tier, address));
    node_disown_inside(tier, address);
    *directory_at(&tier->directory, address) = directory_shared_by(directory_bit(owner));
    if (memsys->validates)
        node_update_state(memsys, tier, owner, address); /* partly valid lines have left */
}

void protocol_clean_owner(struct memsys *memsys, struct tier *tier, unsigned owner, paddr address)
{
    clean_owner(memsys, tier, owner, address);
    protocol_count_write_back(memsys, tier, owner);
}

void protocol_invalidate_sharers(struct memsys *memsys, struct tier *tier, uint64_t set, unsigned cpu, paddr address)
{
    const struct removal removal = {.why = REMOVED_INVALIDATION, .by_cpu = cpu};
    while (set)
        node_invalidate(memsys, tier, protocol_take_lowest(&set), coherence_block_of(tier, address), &removal);
}

/* Another cache of CPU's own node holds the block: a modified block comes from there, a clean one from memory. */
static cycles read_within_node(struct memsys *memsys, unsigned cpu, paddr address, enum coherence_state state)
{
    note_source(memsys, state == COHERENCE_M ? SOURCE_NODE : SOURCE_MEMORY);
    if (state == COHERENCE_M)
        return engine_response_time(memsys, memsys->miss_time);
    memsys->fills++;
    return engine_response_time(memsys, memory_time(memsys, cpu, address));
}

/* OWNER has modified the block of ADDRESS and supplies it to CPU's member of TIER, which shares it from now on. */
static cycles read_from_owner(struct memsys *memsys, struct tier *tier, unsigned cpu, unsigned owner, paddr address)
{
    protocol_clean_owner(memsys, tier, owner, address);
    memsys->node[owner].member[tier->number].interventions++;
    directory_at(&tier->directory, address)->sharers |= directory_bit(tier_member(tier, cpu));
    if (tier->outer) {
        write_to_home(memsys, tier, cpu, address);
        node_update_outer(memsys, tier, cpu, address);
    } else { /* otherwise it comes by way of the home, as the home's own data */
        note_source(memsys, SOURCE_CACHE);
        note_memory_updated(memsys);
    }
    return engine_response_time(memsys,
                                tier->outer ? tier->intervention_time : supply_time(memsys, cpu, owner, address));
}

cycles coherence_read(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct tier *tier = &memsys->tier[0];
    struct directory_record *record = directory_at(&tier->directory, address);
    const unsigned member = tier_member(tier, cpu);
    const uint64_t other = protocol_other_sharers(record, member), own_bit = directory_bit(member);
    enum coherence_state state = coherence_state(record, member);
    if (SIM_UNLIKELY(state != COHERENCE_I))
        return read_within_node(memsys, cpu, address, state);
    if (record->modified)
        return read_from_owner(memsys, tier, cpu, protocol_lowest(other), address);
    const struct protocol *protocol = protocol_at(memsys, address);
    if (record->owned)
        node_disown_inside(tier, address);
    if (!other || !protocol->supplies_clean || !numa_may_supply(memsys, cpu, address)) {
        *record = other ? directory_shared_by(other | own_bit) : protocol_sole_sharer(protocol, member);
        memsys->fills++;
        note_source(memsys, SOURCE_MEMORY);
        return engine_response_time(memsys, memory_time(memsys, cpu, address));
    }
    memsys->node[protocol_lowest(other)].member[0].clean_interventions++;
    *record = directory_shared_by(other | own_bit);
    note_source(memsys, SOURCE_CACHE);
    return engine_response_time(memsys, supply_time(memsys, cpu, protocol_lowest(other), address));
}

/* The state of the block of ADDRESS in the member of TIER that CPU is in. */
static enum coherence_state state_in(struct tier *tier, unsigned cpu, paddr address)
{
    const struct directory_record record = directory_read(&tier->directory, address);
    return coherence_state(&record, tier_member(tier, cpu));
}

/* CPU's member of TIER gets a clean copy of the block beside those of other members. */
static void add_sharer(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    struct directory_record *record = directory_at(&tier->directory, address);
    const unsigned member = tier_member(tier, cpu);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    if (others) {
        if (record->owned)
            node_disown_inside(tier, address);
        *record = directory_shared_by(record->sharers | directory_bit(member));
    } else if (state_in(tier->outer, cpu, address) >= COHERENCE_E) {
        *record = protocol_sole_sharer(protocol_at(memsys, address), member);
    } else {
        record->sharers |= directory_bit(member);
    }
}

cycles coherence_read_home(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    struct directory_record *record = directory_at(&tier->directory, address);
    const unsigned member = tier_member(tier, cpu);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    if (coherence_state(record, member) != COHERENCE_I)
        return 0; /* another cache of the member has it */
    if (others && record->modified)
        return read_from_owner(memsys, tier, cpu, protocol_lowest(others), address);
    add_sharer(memsys, tier, cpu, address);
    return 0;
}

/* The lines around ADDRESS in the outer levels of CPU's data path, up to that of TIER's home, take part in the
 * transaction: makes them MRU lines. */
static void touch_outer(struct memsys *memsys, const struct tier *tier, unsigned cpu, paddr address)
{
    for (struct array *cache = memsys->node[cpu].first[1]->next; cache && cache->level <= tier->level + 1;
         cache = cache->next) {
        uint32_t entry = array_find(cache, address & cache->line_mask);
        if (entry != NO_ENTRY)
            array_touch(cache, entry);
    }
}

struct transaction coherence_upgrade(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                     const struct memsys_request *request)
{
    const paddr address = request->address;
    const unsigned member = tier_member(tier, cpu);
    struct transaction outside = {.owned = true};
    struct directory_record *record = directory_at(&tier->directory, address);
    enum coherence_state state = coherence_state(record, member);
    if (tier->outer && state != COHERENCE_M)
        outside = coherence_upgrade(memsys, tier->outer, cpu, request);
    if (state != COHERENCE_S || !tier->upgrades) {
        *record = directory_owned_by(member, COHERENCE_M);
        return outside;
    }
    if (!outside.sent)
        touch_outer(memsys, tier, cpu, address);
    struct transaction upgrade = protocol_at(memsys, address)->write_shared(memsys, tier, cpu, request, outside.sent);
    if (upgrade.time < outside.time)
        upgrade.time = outside.time;
    return upgrade;
}

struct transaction coherence_own_home(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                      const struct memsys_request *request)
{
    const paddr address = request->address;
    if (state_in(tier, cpu, address) != COHERENCE_I)
        return coherence_upgrade(memsys, tier, cpu, request);
    struct transaction result = coherence_upgrade(memsys, tier->outer, cpu, request);
    struct directory_record *record = directory_at(&tier->directory, address);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    cycles time = 0;
    if (others && record->modified) {
        memsys->node[protocol_lowest(others)].member[tier->number].interventions++;
        time = engine_response_time(memsys, tier->intervention_time);
    } else if (others) {
        time = tier->upgrade_time;
    }
    protocol_invalidate_sharers(memsys, tier, others, cpu, address);
    *record = directory_owned_by(tier_member(tier, cpu), COHERENCE_M);
    if (result.time < time)
        result.time = time;
    return result;
}

bool coherence_supply(struct memsys *memsys, struct tier *tier, unsigned cpu, const struct memsys_request *request,
                      bool store, struct transaction *result)
{
    const paddr address = request->address;
    struct directory_record *record = directory_at(&tier->directory, address);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    const bool modified = record->modified;
    if (state_in(tier, cpu, address) != COHERENCE_I || !others ||
        (!modified && !protocol_at(memsys, address)->supplies_clean))
        return false;
    struct member_counts *counts = &memsys->node[protocol_lowest(others)].member[tier->number];
    if (store) {
        *result = coherence_upgrade(memsys, tier->outer, cpu, request);
    } else if (modified) {
        *result = (struct transaction){.time = read_from_owner(memsys, tier, cpu, protocol_lowest(others), address)};
        return true;
    } else {
        *result = (struct transaction){0};
    }
    *(modified ? &counts->interventions : &counts->clean_interventions) += 1;
    const cycles time = engine_response_time(memsys, tier->intervention_time);
    if (result->time < time)
        result->time = time;
    if (store) {
        protocol_invalidate_sharers(memsys, tier, others, cpu, address);
        *record = directory_owned_by(tier_member(tier, cpu), COHERENCE_M);
    } else {
        add_sharer(memsys, tier, cpu, address);
    }
    return true;
}

void coherence_enter(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address, bool owned)
{
    struct directory_record *record = directory_at(&tier->directory, address);
    const unsigned member = tier_member(tier, cpu);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    if (owned) {
        protocol_invalidate_sharers(memsys, tier, others, cpu, address);
        *record = directory_owned_by(member, COHERENCE_M);
    } else if (coherence_state(record, member) == COHERENCE_I) /* otherwise another cache of the member has it */
        add_sharer(memsys, tier, cpu, address);
}

/* The entry of BLOCK leaves the directory of CPU's home: no member keeps the block. */
static void evict_directory_entry(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr block)
{
    const struct removal removal = {.why = REMOVED_DIRECTORY, .by_cpu = cpu};
    const struct directory_record record = directory_read(&tier->directory, block);
    const uint64_t sharers = record.sharers & tier_home(tier, cpu);
    memsys->node[tier_member(tier, cpu)].member[tier->number].directory_evictions++;
    if (record.modified) {
        protocol_count_write_back(memsys, tier, protocol_lowest(sharers));
        write_to_home(memsys, tier, cpu, block);
    }
    for (uint64_t members = sharers; members;)
        node_invalidate(memsys, tier, protocol_take_lowest(&members), block, &removal);
    node_update_outer(memsys, tier, cpu, block);
}

void coherence_hold(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    const struct sparse *sparse = &tier->sparse;
    const uint64_t home = tier_home(tier, cpu);
    paddr *set = sparse_set(sparse, cpu / tier->home_cpus, address);
    uint32_t way = sparse_way(sparse, set, address), free = sparse->ways;
    for (uint32_t i = 0; way == sparse->ways && i < sparse->ways; i++)
        if (!(directory_read(&tier->directory, set[i] & ~(paddr)SPARSE_USED).sharers & home))
            free = i;
    if (way == sparse->ways && free == sparse->ways)
        evict_directory_entry(memsys, tier, cpu, set[way - 1] & ~(paddr)SPARSE_USED);
    if (way == sparse->ways)
        way = free < sparse->ways ? free : sparse->ways - 1;
    sparse_use(sparse, set, way, address);
}

void coherence_write_within(struct memsys *memsys, struct tier *tier, unsigned cpu, paddr address)
{
    const struct directory_record record = directory_read(&tier->directory, address);
    const uint64_t others = tier_others(tier, record.sharers, cpu);
    if (others && record.modified) {
        protocol_count_write_back(memsys, tier, protocol_lowest(others));
        write_to_home(memsys, tier, cpu, address);
    }
    protocol_invalidate_sharers(memsys, tier, others, cpu, address);
    if (others)
        node_update_outer(memsys, tier, cpu, address);
}

static struct transaction read_exclusive_within_node(struct memsys *memsys, unsigned cpu,
                                                     const struct memsys_request *request, enum coherence_state state)
{
    cycles time = read_within_node(memsys, cpu, request->address, state);
    struct transaction upgrade = coherence_upgrade(memsys, &memsys->tier[0], cpu, request);
    if (upgrade.time < time)
        upgrade.time = time;
    return upgrade;
}

struct transaction coherence_read_exclusive(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const enum coherence_state state = state_in(&memsys->tier[0], cpu, request->address);
    if (state != COHERENCE_I)
        return read_exclusive_within_node(memsys, cpu, request, state);
    return protocol_at(memsys, request->address)->write_miss(memsys, cpu, request);
}

bool coherence_owns_unread(const struct memsys *memsys, paddr address)
{
    return !protocol_at(memsys, address)->updates;
}

struct transaction coherence_allocate(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct tier *tier = &memsys->tier[0];
    const paddr address = request->address;
    struct directory_record *record = directory_at(&tier->directory, address);
    if (coherence_state(record, tier_member(tier, cpu)) != COHERENCE_I)
        return coherence_upgrade(memsys, tier, cpu, request);
    if (record->modified)
        protocol_count_write_back(memsys, tier, protocol_lowest(record->sharers));
    if (tier->upgrades)
        return protocol_at(memsys, address)->write_shared(memsys, tier, cpu, request, false);
    *record = directory_owned_by(tier_member(tier, cpu), COHERENCE_M);
    return (struct transaction){.owned = true};
}

cycles coherence_read_rest(struct memsys *memsys, unsigned cpu, paddr address)
{
    memsys->fills++;
    note_source(memsys, SOURCE_MEMORY);
    return engine_response_time(memsys, memory_time(memsys, cpu, address));
}

void coherence_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct tier *tier = &memsys->tier[0];
    memsys->writes++;
    if (tier_others(tier, directory_at(&tier->directory, address)->sharers, cpu))
        protocol_at(memsys, address)->write_around(memsys, cpu, address);
}

void coherence_keep(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct tier *tier = &memsys->tier[0];
    const unsigned member = tier_member(tier, cpu);
    struct directory_record *record = directory_at(&tier->directory, address);
    if (coherence_state(record, member) != COHERENCE_I)
        return;
    const uint64_t others = protocol_other_sharers(record, member);
    *record = others ? directory_shared_by(others | directory_bit(member))
                     : protocol_sole_sharer(protocol_at(memsys, address), member);
}

void coherence_device_read(struct memsys *memsys, paddr block)
{
    struct tier *tier = &memsys->tier[0];
    const struct directory_record record = directory_read(&tier->directory, block);
    if (record.modified)
        protocol_clean_owner(memsys, tier, protocol_lowest(record.sharers), block);
}

void coherence_device_write(struct memsys *memsys, paddr block, bool whole)
{
    struct tier *tier = &memsys->tier[0];
    const struct directory_record record = directory_read(&tier->directory, block);
    uint64_t all = record.sharers;
    if (record.modified && !whole)
        protocol_count_write_back(memsys, tier, protocol_lowest(all));
    while (all) {
        unsigned holder = protocol_take_lowest(&all);
        const struct removal removal = {.why = REMOVED_DMA, .by_cpu = holder, .dropped = whole};
        node_invalidate(memsys, tier, holder, block, &removal);
    }
}

void coherence_device_update(struct memsys *memsys, paddr block, bool whole)
{
    struct tier *tier = &memsys->tier[0];
    const struct directory_record record = directory_read(&tier->directory, block);
    if (!(record.modified))
        return;
    if (whole)
        clean_owner(memsys, tier, protocol_lowest(record.sharers), block);
    else
        coherence_device_read(memsys, block);
}
