/*
 * Block copy and clear routines of the guest kernel: PC hooks on them notify the memory system's block-transfer engine
 * (docs/reference/prefetch.md). They do not change guest-visible state.
 */
#ifndef SIMOS_MACHINE_BLOCK_ROUTINES_H
#define SIMOS_MACHINE_BLOCK_ROUTINES_H

#include "src/base/log.h"

struct machine;

/* Hook the routines named by block.routines, if there is a block-transfer engine. Fails naming a routine that is
 * unknown or has no symbol. */
bool block_routines_watch(struct machine *machine, struct err *err);

#endif
