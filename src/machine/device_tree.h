/*
 * The device tree passed to the kernel, built with libfdt from the machine's parameters. It describes exactly the
 * configured hardware; clocks are the board's constants, independent of the CPU clock.
 */
#ifndef SIMOS_DEVICE_TREE_H
#define SIMOS_DEVICE_TREE_H

#include "src/base/log.h"
#include "src/machine/machine.h"

enum { DEVICE_TREE_MAX = 32 << 10 }; /* bytes */

/* Write the tree of MACHINE to BUFFER (DEVICE_TREE_MAX bytes). The initrd is at physical [initrd, initrd +
 * initrd_size); size 0: none. *SIZE is the tree's size in bytes. False with ERR if it does not fit (boot arguments too
 * long). */
bool device_tree_write(const struct machine *machine, paddr initrd, uint32_t initrd_size, void *buffer, uint32_t *size,
                       struct err *err);

#endif
