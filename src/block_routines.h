/*
 * Which of the guest kernel's routines copy and clear blocks of memory: annotations that tell the memory system's
 * block-transfer engine (docs/reference/prefetch.md). They change nothing that the guest sees.
 */
#ifndef SIMOS_BLOCK_ROUTINES_H
#define SIMOS_BLOCK_ROUTINES_H

#include "src/log.h"

struct machine;

/* Watch the routines of block.routines, if there is an engine. Fails naming one that is none, or has no symbol. */
bool block_routines_watch(struct machine *machine, struct err *err);

#endif
