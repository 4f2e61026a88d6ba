/*
 * System controller: a block of plain 32-bit registers, the first of which reboots the board.
 *
 * Register table
 *
 *   0x000 (WO)       REBOOT  writing 0x42 reboots; other values are ignored; reads as 0
 *   0x004 .. 0xffc   SCRATCH storage; reads back the last value written, initially 0
 *
 * Device tree:
 *
 *     syscon@18020000 {
 *         compatible = "syscon", "simple-mfd";
 *         reg = <0x18020000 0x1000>;
 *         reboot { compatible = "syscon-reboot"; offset = <0>; value = <0x42>; };
 *     };
 */
#ifndef SIMOS_DEVICES_BOARD_SYSCON_H
#define SIMOS_DEVICES_BOARD_SYSCON_H

#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"

enum { SYSCON_REBOOT_VALUE = 0x42 };

struct syscon;

/* Create a system controller. It calls REBOOT(OPAQUE) inside the guest's store to REBOOT. LOG must outlive it. */
struct syscon *syscon_create(void (*reboot)(void *opaque), void *opaque, struct log *log);
void syscon_free(struct syscon *syscon);

/* Register accesses: BOARD_SYSCON_SIZE bytes, opaque = the syscon. */
extern const struct device_ops syscon_device_ops;

/* Register the saved section "syscon". */
void syscon_register_saved(struct syscon *syscon, struct saved *saved);

#endif
