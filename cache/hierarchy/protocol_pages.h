/* Pages with a protocol other than cache.protocol. Private to cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_PROTOCOL_PAGES_H
#define SIMOS_CACHE_HIERARCHY_PROTOCOL_PAGES_H

#include "src/base/log.h"
#include "src/base/types.h"

struct memsys;

/* Sets Firefly for the pages of TEXT ("FIRST-LAST,...", the parameter cache.update_pages). Returns false with ERR if
 * the format is wrong. */
bool protocol_pages_from_text(struct memsys *memsys, const char *text, struct err *err);

/* Adds the section "protocols", timing state: the protocol of each page. */
struct saved;
void protocol_pages_register_saved(struct memsys *memsys, struct saved *saved);

#endif
