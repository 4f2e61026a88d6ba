/*
 * The DECstation 3100 (board KN01) and 5000/200 (KN02): interrupts go to the processor's pins, or through the KN02's
 * CSR, and the boot PROM starts the kernel.
 *
 * Interrupt inputs as the rows count them: 2 to 7 are Cause.IP2 to IP7 of processor 0; 8 to 15 the inputs of the KN02's
 * CSR, as Linux numbers them (asm/dec/kn02.h). IP7 is the FPU's, which the processor itself drives.
 */
#ifndef SIMOS_BOARDS_BOARD_DECSTATION_H
#define SIMOS_BOARDS_BOARD_DECSTATION_H

#include "cpu/core.h"
#include "devices/device_type.h"
#include "src/boards/device_tree.h"

/* The boot PROM of each board: jump table, REX. */
extern const struct device_type board_kn01_prom_type, board_kn02_prom_type;

#endif
