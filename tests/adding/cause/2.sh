# It is charged where the time of an uncached access is known.
swap cache/hierarchy/memsys.c 'charge(request->bucket, STALL_UNCACHED, memsys->uncached_latency + wait)' \
    'charge(request->bucket, request->access == MEMSYS_WRITE ? STALL_TOY : STALL_UNCACHED, memsys->uncached_latency + wait)'
