/* The invalidation protocols. With three states (invalid, shared, dirty: SOSP'95 section 3.5), even the first store to
 * a block without other sharers pays an upgrade. With a fourth, clean-exclusive, caches supply clean blocks, too
 * (Papamarcos and Patel, ISCA'84, "Illinois"). */
#include "cache/state/response.h"
#include "cache/hierarchy/numa.h"
#include "cache/hierarchy/protocol.h"

struct transaction invalidate_write_shared(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                           const struct memsys_request *request, bool counted)
{
    const paddr address = request->address;
    const unsigned member = tier_member(tier, cpu);
    struct directory_record *record = directory_at(&tier->directory, address);
    if (!counted) {
        TELL(memsys, upgrade, cpu, data_cache(tier->level), request, coherence_block_of(tier, address));
        memsys->node[cpu].member[tier->number].upgrades++;
        request->bucket->miss[MISS_UPGRADE]++;
        note_message(memsys, tier, MESSAGE_UPGRADE);
    }
    const uint64_t others = protocol_other_sharers(record, member);
    const cycles time = upgrade_time(memsys, tier, cpu, others, address);
    protocol_invalidate_sharers(memsys, tier, others, cpu, address);
    *record = directory_owned_by(member, COHERENCE_M);
    return (struct transaction){.owned = true, .sent = true, .time = time};
}

/* Read-exclusive: another CPU or memory supplies the block, and all other copies are invalidated. */
struct transaction invalidate_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    struct tier *tier = &memsys->tier[0];
    const unsigned member = tier_member(tier, cpu);
    struct directory_record *record = directory_at(&tier->directory, address);
    const uint64_t others = protocol_other_sharers(record, member);
    bool supplied = true;
    if (record->modified)
        memsys->node[protocol_lowest(others)].member[0].interventions++;
    else if (others && protocol_at(memsys, address)->supplies_clean)
        memsys->node[protocol_lowest(others)].member[0].clean_interventions++;
    else
        supplied = false;
    protocol_invalidate_sharers(memsys, tier, others, cpu, address);
    note_source(memsys, supplied ? SOURCE_CACHE : SOURCE_MEMORY);
    if (!supplied)
        memsys->fills++;
    *record = directory_owned_by(member, COHERENCE_M);
    const cycles time =
        supplied ? supply_time(memsys, cpu, protocol_lowest(others), address) : memory_time(memsys, cpu, address);
    return (struct transaction){.owned = true, .time = engine_response_time(memsys, time)};
}

void invalidate_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct tier *tier = &memsys->tier[0];
    const struct directory_record *record = directory_at(&tier->directory, address);
    const uint64_t others = tier_others(tier, record->sharers, cpu);
    if (record->modified)
        protocol_count_write_back(memsys, tier, protocol_lowest(others));
    protocol_invalidate_sharers(memsys, tier, others, cpu, address);
}
