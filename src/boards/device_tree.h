/*
 * The device tree passed to the kernel, built with libfdt from the machine's parameters. It describes exactly the
 * configured hardware; clocks are the board's constants, independent of the CPU clock.
 */
#ifndef SIMOS_BOARDS_DEVICE_TREE_H
#define SIMOS_BOARDS_DEVICE_TREE_H

#include "src/base/log.h"
#include "src/machine/boards.h"
#include "src/machine/machine.h"

enum { DEVICE_TREE_MAX = 32 << 10 }; /* bytes */

/* Write the tree of MACHINE, whose guest is at PLACES, to BUFFER (DEVICE_TREE_MAX bytes). *SIZE is the tree's size in
 * bytes. False with ERR if it does not fit (boot arguments too long), or if there is no room for the pages of
 * guest.page_seed. */
bool device_tree_write(const struct machine *machine, const struct guest_places *places, void *buffer, uint32_t *size,
                       struct err *err);

#endif
