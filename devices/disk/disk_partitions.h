/*
 * The partition table of a disk, GPT or MBR, and which partition holds the root file system. The table is not trusted.
 *
 * Rule: a disk whose first sectors are an ext2, ext3 or ext4 file system has none. Of a GPT the root is the partition
 * of the type "root, MIPS little-endian 32-bit" of the Discoverable Partitions Specification; if there is none, and of
 * an MBR, the largest partition that holds an ext file system, among equals the first.
 *
 * GPT: UEFI specification 2.10, chapter 5; the primary table, with both checksums. MBR: four primary partitions, and
 * the logical ones of an extended partition, numbered from 5 as Linux does.
 */
#ifndef SIMOS_DEVICES_DISK_DISK_PARTITIONS_H
#define SIMOS_DEVICES_DISK_DISK_PARTITIONS_H

#include "devices/disk/disk_image.h"

/* The number of IMAGE's root partition, as in Linux's /dev/vdaN; 0 if it has no partition table or no such partition.
 */
unsigned disk_root_partition(struct disk_image *image);

#endif
