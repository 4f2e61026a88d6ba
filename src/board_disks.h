/*
 * The disks of a machine, and the SCSI bus that they share, from its parameters machine.diskN and disk.*.
 */
#ifndef SIMOS_BOARD_DISKS_H
#define SIMOS_BOARD_DISKS_H

#include "devices/disk_image.h"
#include "devices/gic.h"
#include "devices/scsi_bus.h"
#include "devices/virtio_block.h"
#include "src/board.h"
#include "src/machine.h"
#include "src/saved.h"

struct board_disk {
    struct disk_image *image; /* NULL: there is none of this number */
    struct virtio_block *block;
};

/* Zero-initialise. */
struct board_disks {
    struct scsi_bus *bus; /* NULL: no disk */
    bool uses_bus;
    struct board_disk disk[BOARD_DISKS];
};

/* Open the images that MACHINE's parameters name and make a disk of each, whose interrupts go to GIC. Registers are
 * not yet anywhere. False with ERR naming the image and what is wrong. */
bool board_disks_create(struct board_disks *disks, const struct machine *machine, struct gic *gic, struct err *err);
/* Before the event queue is freed. */
void board_disks_free(struct board_disks *disks);

/* Add the sections diskN, diskN.virtio, diskN.queue, diskN.drive and diskN.image of those that are there, and scsi: the
 * same for any disk.model and disk.speed. */
void board_disks_register_saved(const struct board_disks *disks, struct saved *saved);

/* Can they be in a checkpoint? False with ERR naming one that is written through: what it holds is not the machine's
 * alone. */
bool board_disks_check_saved(const struct board_disks *disks, struct err *err);

/* Register diskN.* of those that are there, and scsi.*. */
void board_disks_register_stats(const struct board_disks *disks, struct stats *stats);

#endif
