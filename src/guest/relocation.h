/*
 * A kernel with KASLR (no `nokaslr` in the boot arguments) relocates itself early in the boot in relocate_kernel(),
 * which returns the new address of start_kernel().
 */
#ifndef SIMOS_GUEST_RELOCATION_H
#define SIMOS_GUEST_RELOCATION_H

#include "annotations/symbols/machine_view.h"

/* Watched by relocation_watch(); it stays where it is as long as the cores. */
struct relocation_watch {
    const struct symbols *symbols;
    void (*moved)(void *opaque, uint32_t offset); /* the kernel has moved by OFFSET bytes */
    void *opaque;
};

/* Call watch->moved once, if the kernel of VIEW moves itself. Needs its symbols. */
void relocation_watch(struct relocation_watch *watch, const struct machine_view *view);

#endif
