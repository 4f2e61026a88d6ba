/*
 * Pages whose protocol is not cache.protocol. Private to cache/.
 */
#ifndef SIMOS_CACHE_PROTOCOL_PAGES_H
#define SIMOS_CACHE_PROTOCOL_PAGES_H

#include "src/base/log.h"
#include "src/base/types.h"

struct memsys;

/* The pages of TEXT ("FIRST-LAST,...", the parameter cache.update_pages) follow Firefly. False with ERR if it is not of
 * that form. */
bool protocol_pages_from_text(struct memsys *memsys, const char *text, struct err *err);

/* Add the section "protocols", of timing: which pages follow which protocol. */
struct saved;
void protocol_pages_register_saved(struct memsys *memsys, struct saved *saved);

#endif
