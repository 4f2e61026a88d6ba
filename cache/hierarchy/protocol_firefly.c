/* Firefly (Thacker, Stewart and Satterthwaite, IEEE Transactions on Computers, August 1988): an update protocol. A
 * store to a shared block goes to memory and to all sharers; a block without other sharers is written back. CPUs that
 * use it share no cache: the members of memory's tier are the CPUs. */
#include "cache/state/response.h"
#include "cache/hierarchy/protocol.h"

/* Counts an update in the CPUs of SET. */
static void count_updates_received(struct memsys *memsys, uint64_t set)
{
    while (set)
        memsys->node[protocol_take_lowest(&set)].member[0].updates_received++;
}

/* CPU sends an update to memory and to the CPUs in SET. */
static void send_update(struct memsys *memsys, unsigned cpu, uint64_t set)
{
    memsys->node[cpu].member[0].updates++;
    memsys->updates++;
    count_updates_received(memsys, set);
}

struct transaction firefly_write_shared(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                        const struct memsys_request *request, bool counted)
{
    struct directory_record *record = directory_at(&tier->directory, request->address);
    const uint64_t others = protocol_other_sharers(record, cpu);
    (void)counted;
    note_message(memsys, tier, MESSAGE_UPDATE);
    send_update(memsys, cpu, others);
    if (!others)
        *record = directory_owned_by(cpu, COHERENCE_E);
    return (struct transaction){.sent = true, .time = tier->update_time};
}

struct transaction firefly_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct directory_record *record = directory_at(&memsys->tier[0].directory, request->address);
    const uint64_t others = protocol_other_sharers(record, cpu);
    const cycles time = coherence_read(memsys, cpu, request->address);
    if (!others)
        *record = directory_owned_by(cpu, COHERENCE_M);
    else
        send_update(memsys, cpu, protocol_other_sharers(record, cpu));
    return (struct transaction){.owned = !others, .time = time};
}

void firefly_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct tier *tier = &memsys->tier[0];
    struct directory_record *record = directory_at(&tier->directory, address);
    if (record->modified)
        protocol_clean_owner(memsys, tier, protocol_lowest(protocol_other_sharers(record, cpu)), address);
    directory_disown(record); /* no owner, since another CPU stores to it */
    const uint64_t others = protocol_other_sharers(record, cpu);
    if (others) /* a modified block that is partly valid has left */
        send_update(memsys, cpu, others);
}
