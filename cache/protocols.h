/* The coherence protocols of pages. protocols.def has a row for each. */
#ifndef SIMOS_CACHE_PROTOCOLS_H
#define SIMOS_CACHE_PROTOCOLS_H

#include "src/base/types.h"

struct memsys;

enum memsys_protocol {
#define PROTOCOL(ID, ...) MEMSYS_##ID,
#include "cache/protocols.def"
#undef PROTOCOL
};

/* Sets the protocol of all pages that overlap FIRST to LAST (physical addresses, inclusive). Where CPUs share caches it
 * is one that invalidates. */
void memsys_set_protocol(struct memsys *memsys, paddr first, paddr last, enum memsys_protocol protocol);

/* What diagrams say about the protocol called NAME, a value of cache.protocol. */
const char *memsys_protocol_brief(const char *name);

#endif
