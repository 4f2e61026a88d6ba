/* The invalidation protocols. With three states (invalid, shared, dirty: SOSP'95 section 3.5), even the first store to
 * a block without other sharers pays an upgrade. With a fourth, clean-exclusive, caches supply clean blocks, too
 * (Papamarcos and Patel, ISCA'84, "Illinois"). */
#include "cache/state/response.h"
#include "cache/hierarchy/protocol.h"

struct transaction invalidate_write_shared(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = directory_at(&memsys->directory, address);
    TELL(memsys, upgrade, cpu, request, coherence_block_of(memsys, address));
    memsys->node[cpu].counts.upgrades++;
    request->bucket->miss[MISS_UPGRADE]++;
    note_message(memsys, MESSAGE_UPGRADE);
    protocol_invalidate_sharers(memsys, protocol_other_sharers(*record, cpu), cpu, address);
    *record = directory_owned_by(cpu, COHERENCE_M);
    return (struct transaction){.owned = true, .sent = true, .time = memsys->upgrade_time};
}

/* Read-exclusive: another CPU or memory supplies the block, and all other copies are invalidated. */
struct transaction invalidate_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = directory_at(&memsys->directory, address);
    const uint32_t others = protocol_other_sharers(*record, cpu);
    bool supplied = true;
    if (*record & DIRECTORY_MODIFIED)
        memsys->node[protocol_lowest(others)].counts.interventions++;
    else if (others && protocol_at(memsys, address)->supplies_clean)
        memsys->node[protocol_lowest(others)].counts.clean_interventions++;
    else
        supplied = false;
    protocol_invalidate_sharers(memsys, others, cpu, address);
    note_source(memsys, supplied ? SOURCE_CACHE : SOURCE_MEMORY);
    if (!supplied)
        memsys->fills++;
    *record = directory_owned_by(cpu, COHERENCE_M);
    const cycles time = supplied ? memsys->intervention_time : memsys->miss_time;
    return (struct transaction){.owned = true, .time = engine_response_time(memsys, time)};
}

void invalidate_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    const uint32_t record = *directory_at(&memsys->directory, address), others = protocol_other_sharers(record, cpu);
    if (record & DIRECTORY_MODIFIED)
        protocol_count_write_back(memsys, protocol_lowest(others));
    protocol_invalidate_sharers(memsys, others, cpu, address);
}
