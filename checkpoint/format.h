/*
 * The file format. All numbers are little-endian.
 *
 *     header    magic, format, board, number of sections, checksum of these
 *     section   header: mark, version, compressed and uncompressed length, name, checksum of the compressed bytes,
 *               checksum of the header; then the section's bytes, compressed by zlib
 *     ...
 *     end       mark, checksum of everything before it
 *
 * A section of version 0 is a text. Any other consists of the table of its fields, their values, and its content
 * (saved_write()).
 */
#ifndef SIMOS_CHECKPOINT_FORMAT_H
#define SIMOS_CHECKPOINT_FORMAT_H

#include "checkpoint/checkpoint.h"

#define FORMAT_MAGIC "simosCKP"

enum {
    FORMAT_SECTION_MARK = 0x54434553, /* "SECT" */
    FORMAT_TIMING_MARK = 0x454d4954,  /* "TIME": a timing section */
};
enum { FORMAT_END_MARK = 0x20444e45 /* "END " */ };

struct format_header {
    char magic[8];
    uint32_t format, board, sections;
    uint32_t checksum;
};

struct format_section {
    uint32_t mark, version;
    uint64_t stored, size;
    char name[SAVED_NAME_MAX + 1];
    uint32_t stored_checksum;
    uint32_t checksum;
};

struct format_end {
    uint32_t mark, checksum;
};

_Static_assert(sizeof(struct format_header) == 24 && sizeof(struct format_section) == 72 &&
                   sizeof(struct format_end) == 8,
               "no holes: they are the file's bytes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file is little-endian, and so must the host be");

#endif
