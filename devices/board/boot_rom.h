/*
 * The boot ROM: 4 MB at physical address 0x1fc00000, where a MIPS processor fetches its first instruction after reset
 * (MIPS32 PRA, MD00090, "Reset": 0xbfc00000), as on the Malta board. It is there only if the loader has put something
 * into it; otherwise accesses are bus errors. CPUs and devices do not change it.
 *
 * The first page is also the L2-only sync region of the coherence manager, where Linux puts it: stores there go to it.
 *
 * Not modelled: the commands of flash memory.
 */
#ifndef SIMOS_DEVICES_BOARD_BOOT_ROM_H
#define SIMOS_DEVICES_BOARD_BOOT_ROM_H

#include "devices/device_type.h"
#include "src/memory/physmem.h"

extern const struct device_type boot_rom_type;

/* Put the ROM, all zero, into MEM, unless it is there. False with ERR if the host refuses the memory. */
bool boot_rom_install(struct physmem *mem, struct err *err);

#endif
