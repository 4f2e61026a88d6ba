/*
 * Loads the kernel or bare program and raw files into guest memory. Files are untrusted: sizes and addresses are
 * checked against the content, RAM and ROM before anything is written.
 *
 * Formats, recognised by content (image.h): ELF, legacy uImage, Motorola S-records, Intel HEX, each also compressed
 * with gzip; and raw bytes with a given address.
 *
 * Not handled: relocation, 64-bit and big-endian images, other compressions.
 */
#ifndef SIMOS_IMAGE_LOADER_H
#define SIMOS_IMAGE_LOADER_H

#include "src/base/input_file.h"
#include "src/base/log.h"
#include "src/memory/physmem.h"
#include "src/base/symbols.h"
#include "src/base/types.h"

struct loaded_image {
    vaddr entry;       /* first instruction, in kseg0 or kseg1 */
    bool reset;        /* it is the reset vector, in the boot ROM: the CPU starts as after a reset */
    paddr first, last; /* lowest and highest byte in low RAM, bss included; LAST 0: nothing is there */
};

/* Where the kernel comes from: parameter guest.kernel, "FILE" or "FILE@ADDRESS". */
enum { KERNEL_PATH_MAX = 4096 };
struct kernel_source {
    char path[KERNEL_PATH_MAX];
    const struct architecture *architecture; /* of the processors: an ELF file must be for it; NULL: for any of ours */
    bool no_rom; /* nothing of the file may be for the boot ROM: the board has another one */
    bool raw;    /* the file has raw bytes for ADDRESS, and begins with the first instruction */
    uint32_t address;
};

/* Split TEXT. A file whose whole name is TEXT is that file. False with ERR if ADDRESS is no 32-bit number. */
bool loader_split_source(struct kernel_source *source, const char *text, struct err *err);

/*
 * Load SOURCE. Addresses in kseg0 and kseg1 denote the physical addresses below them, others are physical; ELF segments
 * are placed by p_paddr, as QEMU's Malta board does. The boot ROM is created if a piece is there. ERR names the file
 * and the error; memory is unchanged then.
 */
bool loader_load_kernel(struct physmem *mem, const struct kernel_source *source, struct loaded_image *image,
                        struct err *err);

/* The symbol table of the ELF file PATH (perhaps compressed with gzip). NULL if there is none, or no such file. */
struct symbols *loader_symbols(const char *path);
/* Is PATH an ELF file? */
bool loader_is_elf(const char *path);

/* Size of the file PATH in bytes, for the memory layout. KIND begins the error line. */
bool loader_file_size(enum input_kind kind, const char *path, uint64_t *size, struct err *err);

/* Read the entire file PATH, SIZE bytes long, to ADDRESS in RAM. */
bool loader_load_file(struct physmem *mem, enum input_kind kind, const char *path, paddr address, uint32_t size,
                      struct err *err);

#endif
