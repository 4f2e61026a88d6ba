# Stores are those of Illinois.
create cache/hierarchy/protocol_toy.c <<'END'
#include "cache/hierarchy/protocol.h"

struct transaction toy_write_shared(struct memsys *memsys, struct tier *tier, unsigned cpu,
                                    const struct memsys_request *request, bool counted)
{
    return invalidate_write_shared(memsys, tier, cpu, request, counted);
}

struct transaction toy_write_miss(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    return invalidate_write_miss(memsys, cpu, request);
}

void toy_write_around(struct memsys *memsys, unsigned cpu, paddr address)
{
    invalidate_write_around(memsys, cpu, address);
}
END
