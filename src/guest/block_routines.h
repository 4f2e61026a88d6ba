/*
 * Block copy and clear routines of the guest kernel: PC hooks on them notify the memory system's block-transfer engine
 * (docs/reference/prefetch.md). They do not change guest-visible state.
 */
#ifndef SIMOS_GUEST_BLOCK_ROUTINES_H
#define SIMOS_GUEST_BLOCK_ROUTINES_H

#include "annotations/symbols/machine_view.h"

/* Hook the routines NAMES (the value of block.routines) of the kernel of VIEW, if there is a block-transfer engine.
 * Fails naming a routine that is unknown or has no symbol. */
bool block_routines_watch(const struct machine_view *view, const char *names, struct err *err);

#endif
