/*
 * The board's two disks that copy files into and out of the guest (src/host/copy_files.h), in the virtio slots
 * BOARD_SLOT_COPY_IN and BOARD_SLOT_COPY_OUT. They take no simulated time and have no statistics; their contents are in
 * host memory.
 */
#ifndef SIMOS_BOARDS_BOARD_COPY_H
#define SIMOS_BOARDS_BOARD_COPY_H

#include "devices/device_type.h"
#include "src/machine/machine.h"

/* The disks required by the machine's copy_files. Saved sections copy_in and copy_out; the files copied in are not
 * saved. Parameter: guest.copy_out. */
extern const struct device_type board_copy_type;

/* After a run: copy the requested files to the host, as copy_out_unpack(); true if none were requested. */
bool board_copy_unpack(const struct machine *machine, struct err *err);

#endif
