/*
 * The rows of the DECstations' boards KN01 and KN02 that need nothing but their devices: system registers, clock, and
 * the disks that they have not.
 */
#ifndef SIMOS_BOARDS_BOARD_KN_H
#define SIMOS_BOARDS_BOARD_KN_H

#include "devices/dec/kn02.h"
#include "devices/device_type.h"

extern const struct device_type board_kn01_csr_type, board_kn01_error_address_type;
extern const struct device_type board_kn02_csr_type, board_kn02_errors_type; /* the first is a struct kn02 */
extern const struct device_type board_mc146818_type;

/* The place of the disks on a board without: refuses machine.diskN, --copy-in and --copy-out. A struct board_disks. */
extern const struct device_type board_no_disks_type;

#endif
