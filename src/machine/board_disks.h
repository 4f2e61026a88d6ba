/*
 * The disks of a machine, and the SCSI bus that they share, from its parameters machine.diskN and disk.*.
 */
#ifndef SIMOS_BOARD_DISKS_H
#define SIMOS_BOARD_DISKS_H

#include "devices/device_type.h"
#include "devices/disk/disk_image.h"
#include "devices/disk/scsi_bus.h"
#include "devices/virtio/virtio_block.h"
#include "src/base/board.h"
#include "src/machine/machine.h"
#include "src/base/saved.h"

struct board_disk {
    struct disk_image *image; /* NULL: there is none of this number */
    struct virtio_block *block;
};

/* The device of board_disks_type. */
struct board_disks {
    struct scsi_bus *bus; /* NULL: no disk */
    bool uses_bus;
    struct board_disk disk[BOARD_DISKS];
};

/* Opens the images that the parameters name, and makes a disk of each. */
extern const struct device_type board_disks_type;

/* MACHINE's; never NULL. */
struct board_disks *board_disks_of(const struct machine *machine);

/* A disk as a parameter asks for it: "FILE", "FILE,ro", "FILE,write" or "FILE,overlay=FILE"; "": none. */
struct disk_text {
    char path[4200];
    const char *overlay; /* in path, behind its end; NULL: none */
    enum disk_mode mode;
};
void board_disk_parse(struct disk_text *disk, const char *text);

/* Has the guest's first disk, the one that it mounts, no file system that it knows (ext2, ext3, ext4)? Then TEXT is
 * what PARAMS call it, "machine.disk0 FILE". False also if there is no disk. */
bool board_disks_first_is_bare(const struct board_disks *disks, const struct params *params, char *text, size_t size);

/* Add the sections diskN, diskN.virtio, diskN.queue, diskN.drive and diskN.image of those that are there, and scsi: the
 * same for any disk.model and disk.speed. */
void board_disks_register_saved(const struct board_disks *disks, struct saved *saved);

/* Can they be in a checkpoint? False with ERR naming one that is written through: what it holds is not the machine's
 * alone. */
bool board_disks_check_saved(const struct board_disks *disks, struct err *err);

/* Which images they have: a line "diskN BYTES SHA-256 PATH" each, the path of PARAMS from the root, or the name alone
 * of one in the folder of the file CHECKPOINT (NULL: that of none), to be freed. NULL with ERR if one cannot be read.
 */
char *board_disks_identify(const struct board_disks *disks, const struct params *params, const char *checkpoint,
                           struct err *err);
/* Are they those that THERE, such a text, says? False with ERR naming one that is not, and the file of PARAMS. */
bool board_disks_check_identity(const struct board_disks *disks, const struct params *params, const char *there,
                                struct err *err);

/* The disk VALUE as a checkpoint calls it: the path, and whether it is read only. An overlay's blocks are in the
 * checkpoint, so that its file is not needed. */
void board_disk_saved_text(const char *value, char *text, size_t size);
/* And as disk NUMBER is restored from the file CHECKPOINT: an image that is not there is looked for where DISKS, such a
 * text as above, has it, and beside the checkpoint. */
void board_disk_restored_text(const char *value, unsigned number, const char *disks, const char *checkpoint, char *text,
                              size_t size);
/* May a disk HERE, parameter NAME, be restored that was THERE? Its path is not looked at. False with ERR. */
bool board_disk_compare(const char *name, const char *here, const char *there, struct err *err);

#endif
