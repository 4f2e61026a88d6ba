/*
 * The disks of a machine and the SCSI bus that they share, from the parameters machine.diskN and disk.*.
 */
#ifndef SIMOS_MACHINE_BOARD_DISKS_H
#define SIMOS_MACHINE_BOARD_DISKS_H

#include "devices/device_type.h"
#include "devices/disk/disk_image.h"
#include "devices/disk/scsi_bus.h"
#include "devices/virtio/virtio_block.h"
#include "src/base/board.h"
#include "src/machine/machine.h"
#include "src/base/saved.h"

struct board_disk {
    struct disk_image *image; /* NULL: no disk with this number */
    struct virtio_block *block;
};

/* The device of board_disks_type. */
struct board_disks {
    struct scsi_bus *bus; /* NULL: no disks */
    bool uses_bus;
    struct board_disk disk[BOARD_DISKS];
};

/* Opens the images named by the parameters and creates a disk for each. */
extern const struct device_type board_disks_type;

/* The disks of MACHINE; never NULL. */
struct board_disks *board_disks_of(const struct machine *machine);

/* A disk parameter, parsed: "FILE", "FILE,ro", "FILE,write" or "FILE,overlay=FILE"; "": no disk. */
struct disk_text {
    char path[4200];
    const char *overlay; /* points into path, behind its terminating NUL; NULL: none */
    enum disk_mode mode;
};
void board_disk_parse(struct disk_text *disk, const char *text);

/* Does the first disk, which the guest mounts, lack a known file system (ext2, ext3, ext4)? If so TEXT is its parameter
 * name and file from PARAMS, "machine.disk0 FILE". False also without disks. */
bool board_disks_first_has_no_fs(const struct board_disks *disks, const struct params *params, char *text, size_t size);

/* Call at the end of a run. False with ERR, a line for each image or overlay file that the host did not let the guest
 * write completely. PARAMS name the files. */
bool board_disks_finish(struct board_disks *disks, const struct params *params, struct err *err);

/* Register the saved sections diskN, diskN.virtio, diskN.queue, diskN.drive and diskN.image of all disks, and scsi: the
 * same for all values of disk.model and disk.speed. */
void board_disks_register_saved(const struct board_disks *disks, struct saved *saved);

/* Can the disks be saved in a checkpoint? False with ERR naming a write-through disk: its image is outside the
 * checkpoint. */
bool board_disks_check_saved(const struct board_disks *disks, struct err *err);

/* Identity of the images: a line "diskN BYTES SHA-256 PATH" each, with the absolute path from PARAMS, or the bare name
 * if the image is in the directory of the file CHECKPOINT (may be NULL). The caller frees the text. NULL with ERR if an
 * image cannot be read. */
char *board_disks_identify(const struct board_disks *disks, const struct params *params, const char *checkpoint,
                           struct err *err);
/* Do the images match the identity text THERE of board_disks_identify()? False with ERR naming a disk that differs and
 * its file from PARAMS. */
bool board_disks_check_identity(const struct board_disks *disks, const struct params *params, const char *there,
                                struct err *err);

/* The parameter value VALUE as saved in a checkpoint: path and read-only flag. The overlay file is omitted, since its
 * blocks are in the checkpoint. */
void board_disk_saved_text(const char *value, char *text, size_t size);
/* The value of disk NUMBER for a restore from the file CHECKPOINT: an image missing at its path is searched at its path
 * in DISKS, an identity text as above, and in the directory of the checkpoint. */
void board_disk_restored_text(const char *value, unsigned number, const char *disks, const char *checkpoint, char *text,
                              size_t size);
/* May a disk with the value HERE of parameter NAME replace the saved value THERE? Paths are not compared. False with
 * ERR. */
bool board_disk_compare(const char *name, const char *here, const char *there, struct err *err);

#endif
