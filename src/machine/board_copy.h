/*
 * The board's two disks for files in and out of the guest (src/host/copy_files.h), in the virtio slots BOARD_SLOT_COPY_IN
 * and BOARD_SLOT_COPY_OUT. They take no time and have no statistics; what they hold is in memory.
 */
#ifndef SIMOS_BOARD_COPY_H
#define SIMOS_BOARD_COPY_H

#include "devices/device_type.h"
#include "src/machine/machine.h"

/* The disks that the machine's copy_files ask for. Their sections of a checkpoint are copy_in and copy_out; the files
 * of the way in are not in them. The parameter is guest.copy_out. */
extern const struct device_type board_copy_type;

/* After a run: bring the files that were asked for to the host; true if none were. As copy_out_unpack(). */
bool board_copy_unpack(const struct machine *machine, struct err *err);

#endif
