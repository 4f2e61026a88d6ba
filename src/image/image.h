/*
 * The content of a kernel file: pieces of memory with their addresses, and an entry point. One reader per format
 * (image_elf.c, image_records.c, image_uimage.c); loader.c selects it by content and places the pieces.
 *
 * Files are untrusted: sizes are bounded before memory is allocated, and a piece lies within the content.
 */
#ifndef SIMOS_IMAGE_IMAGE_H
#define SIMOS_IMAGE_IMAGE_H

#include "cpu/architecture.h"
#include "src/base/log.h"
#include "src/base/symbols.h"
#include "src/base/types.h"
#include <stddef.h>

/* Bytes of a file that is not ELF, and of any file after gzip is undone. */
#define IMAGE_MAX_BYTES (256u << 20)

struct image_piece {
    uint32_t address;      /* as in the file: virtual in kseg0 or kseg1, or physical */
    uint64_t offset, size; /* its bytes in the content */
    uint64_t memory;       /* size in memory: at least SIZE; the rest is zero */
};

struct image {
    const char *path; /* for messages; owned by the caller */
    int fd;           /* content is here, SIZE bytes; -1: it is in BYTES */
    uint8_t *bytes;
    uint64_t size;
    struct image_piece *pieces;
    size_t count;
    bool has_entry;
    vaddr entry; /* as in the file */
};

enum image_format {
    IMAGE_UNKNOWN,
    IMAGE_ELF,
    IMAGE_UIMAGE,
    IMAGE_S_RECORDS,
    IMAGE_INTEL_HEX,
};

/* Open PATH. A gzip file is expanded in memory, up to IMAGE_MAX_BYTES. Release IMAGE with image_close(), also after a
 * failure. */
bool image_open(struct image *image, const char *path, struct err *err);
void image_close(struct image *image);

/* The format of the content, from its first bytes. False with ERR if it is a known format that cannot be loaded. */
bool image_recognise(const struct image *image, enum image_format *format, struct err *err);

/* Copy bytes [offset, offset + size) of the content to TO; they must exist. False with ERR if they cannot be read. */
bool image_copy(const struct image *image, uint64_t offset, uint64_t size, void *to, struct err *err);

/* Take the content into memory if it is not yet there. */
bool image_hold(struct image *image, struct err *err);

/* Replace the content by the SIZE bytes at BYTES (allocated), now owned by IMAGE. */
void image_replace(struct image *image, uint8_t *bytes, size_t size);

void image_add(struct image *image, const struct image_piece *piece);

/* Expand the gzip file of SIZE bytes at FROM. The result is allocated. NULL with ERR. */
uint8_t *image_expand(const struct image *image, const uint8_t *from, size_t size, size_t *length, struct err *err);

/* The readers: fill in the pieces and the entry point. False with ERR. */
/* ELF32 little-endian MIPS executable, for an instruction set that ARCHITECTURE has (NULL: any). */
bool image_read_elf(struct image *image, const struct architecture *architecture, struct err *err);
bool image_read_uimage(struct image *image, struct err *err);  /* legacy image of U-Boot, plain or gzip */
bool image_read_records(struct image *image, struct err *err); /* Motorola S-records */
bool image_read_hex(struct image *image, struct err *err);     /* Intel HEX */

/* The symbol table of an ELF file; NULL if it has none. */
struct symbols *image_elf_symbols(const struct image *image);

#endif
