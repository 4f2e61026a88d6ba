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

struct board_disk {
    struct disk_image *image; /* NULL: there is none of this number */
    struct virtio_block *block;
};

/* Zero-initialise. */
struct board_disks {
    struct scsi_bus *bus; /* NULL: no disk that uses it */
    struct board_disk disk[BOARD_DISKS];
};

/* Open the images that MACHINE's parameters name and make a disk of each, whose interrupts go to GIC. Registers are
 * not yet anywhere. False with ERR naming the image and what is wrong. */
bool board_disks_create(struct board_disks *disks, const struct machine *machine, struct gic *gic, struct err *err);
/* Before the event queue is freed. */
void board_disks_free(struct board_disks *disks);

/* Register diskN.* of those that are there, and scsi.*. */
void board_disks_register_stats(const struct board_disks *disks, struct stats *stats);

#endif
