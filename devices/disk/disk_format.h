/*
 * The format of a disk image, by its marks: an image of another format than raw must not be taken for the disk's
 * sectors, which a guest that writes would destroy.
 *
 * Known: qcow, qcow2, VMDK, VDI, VHDX, VHD (vpc), QED, Parallels, bochs, cloop, DMG; and compressed files: gzip, xz,
 * bzip2, zstd, lz4, zip, 7z. Their marks are at places where a raw disk has a boot loader or nothing: none of a
 * partition table and none of a file system's superblock.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_FORMAT_H
#define SIMOS_DEVICES_DISK_DISK_FORMAT_H

#include "src/base/log.h"
#include "src/base/types.h"

/* Is the file FD of SIZE bytes a raw image? False with ERR, which begins with NAME and says how to make one of it. */
bool disk_format_check(int fd, uint64_t size, const char *name, struct err *err);

#endif
