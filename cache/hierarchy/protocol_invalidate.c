/* The invalidation protocols. With three states (invalid, shared, dirty: SOSP'95 section 3.5), even the first store to
 * a block without other sharers pays an upgrade. With a fourth, clean-exclusive, caches supply clean blocks, too
 * (Papamarcos and Patel, ISCA'84, "Illinois"). */
#include "cache/state/outcome.h"
#include "cache/hierarchy/protocol.h"

struct transaction invalidate_write_shared(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = units_at(&memsys->units, address);
    TELL(memsys, upgrade, cpu, request, unit_of(memsys, address));
    memsys->node[cpu].counts.upgrades++;
    note_told(memsys, TOLD_UPGRADE);
    protocol_remove(memsys, protocol_others(*record, cpu), cpu, address);
    *record = unit_of_one(cpu, UNIT_M);
    return (struct transaction){.owned = true, .asked = true, .time = memsys->upgrade_time};
}

/* Read-exclusive: another CPU or memory supplies the block, and all other copies are invalidated. */
struct transaction invalidate_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    const paddr address = request->address;
    uint32_t *record = units_at(&memsys->units, address);
    const uint32_t others = protocol_others(*record, cpu);
    bool supplied = true;
    if (*record & UNIT_MODIFIED)
        memsys->node[protocol_lowest(others)].counts.interventions++;
    else if (others && protocol_at(memsys, address)->supplies_clean)
        memsys->node[protocol_lowest(others)].counts.clean_supplies++;
    else
        supplied = false;
    protocol_remove(memsys, others, cpu, address);
    note_served(memsys, supplied ? SERVED_CACHE : SERVED_MEMORY);
    if (!supplied)
        memsys->fills++;
    *record = unit_of_one(cpu, UNIT_M);
    return (struct transaction){.owned = true, .time = supplied ? memsys->intervention_time : memsys->miss_time};
}

void invalidate_write_past(struct memsys *memsys, unsigned cpu, paddr address)
{
    const uint32_t record = *units_at(&memsys->units, address), others = protocol_others(record, cpu);
    if (record & UNIT_MODIFIED)
        protocol_count_write_back(memsys, protocol_lowest(others));
    protocol_remove(memsys, others, cpu, address);
}
