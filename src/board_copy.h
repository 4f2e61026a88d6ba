/*
 * The board's two disks for files in and out of the guest (src/copy_files.h), in the virtio slots BOARD_SLOT_COPY_IN
 * and BOARD_SLOT_COPY_OUT. They take no time and have no statistics; what they hold is in memory.
 */
#ifndef SIMOS_BOARD_COPY_H
#define SIMOS_BOARD_COPY_H

#include "devices/gic.h"
#include "devices/virtio_block.h"
#include "src/machine.h"

struct board_copy_disk {
    struct disk_image *image; /* NULL: there is none */
    struct virtio_block *block;
};

struct board_copy {
    struct board_copy_disk in, out;
};

/* guest.copy_out. */
extern const struct param_def board_copy_params[];
extern const size_t board_copy_param_count;

/* The disks that the machine's copy_files ask for. False with ERR naming the host's file that cannot be read. */
bool board_copy_create(struct board_copy *copy, struct machine *machine, struct gic *gic, struct err *err);
void board_copy_free(struct board_copy *copy);

/* Add the sections of the disks that there are, copy_in and copy_out. The files of the way in are not in them. */
void board_copy_register_saved(const struct board_copy *copy, struct saved *saved);

/* After a run: bring the files that were asked for to the host; true if none were. As copy_out_unpack(). */
bool board_copy_unpack(const struct machine *machine, struct err *err);

#endif
