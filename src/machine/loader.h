/*
 * Loads ELF images and raw files into guest memory. Files are untrusted: sizes and addresses are checked against the
 * file size and RAM before anything is written.
 *
 * Not handled: relocation, 64-bit and big-endian images, compressed kernels (vmlinuz: expand it first).
 */
#ifndef SIMOS_LOADER_H
#define SIMOS_LOADER_H

#include "src/base/input_file.h"
#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/types.h"

struct loaded_image {
    vaddr entry;       /* entry point in the file's header */
    paddr first, last; /* lowest and highest byte occupied, bss included */
};

/* Load the ELF32 little-endian MIPS executable PATH to the physical addresses of its kseg0 or kseg1 addresses. ERR
 * names the file and the error. */
bool loader_load_elf(struct physmem *mem, const char *path, struct loaded_image *image, struct err *err);

/* Size of the file PATH in bytes, for the memory layout. KIND begins the error line. */
bool loader_file_size(enum input_kind kind, const char *path, uint64_t *size, struct err *err);

/* Read the entire file PATH, SIZE bytes long, to ADDRESS in RAM. */
bool loader_load_file(struct physmem *mem, enum input_kind kind, const char *path, paddr address, uint32_t size,
                      struct err *err);

#endif
