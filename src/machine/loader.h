/*
 * Files into guest memory: ELF images and raw files. What is in a file is untrusted: everything is checked against the
 * file's size and against RAM before anything is written.
 *
 * Not handled: relocation, 64-bit and big-endian images, compressed kernels (vmlinuz: expand it first).
 */
#ifndef SIMOS_LOADER_H
#define SIMOS_LOADER_H

#include "src/base/log.h"
#include "src/base/physmem.h"
#include "src/base/types.h"

struct loaded_image {
    vaddr entry;       /* as the file says */
    paddr first, last; /* lowest byte and last byte that it occupies, bss included */
};

/* Load the ELF32 little-endian MIPS executable PATH to the physical addresses of its kseg0 or kseg1 addresses. ERR
 * names the file and what is wrong with it. */
bool loader_load_elf(struct physmem *mem, const char *path, struct loaded_image *image, struct err *err);

/* Size of the file PATH in bytes, for planning. WHAT ("initrd") opens the error line. */
bool loader_file_size(const char *what, const char *path, uint64_t *size, struct err *err);

/* Read all of the file PATH, SIZE bytes long, to ADDRESS, which is RAM. */
bool loader_load_file(struct physmem *mem, const char *what, const char *path, paddr address, uint32_t size,
                      struct err *err);

#endif
