/*
 * A checkpoint file in memory, each section unpacked: to be looked at, changed, and made a file again whose checksums
 * are right.
 */
#ifndef SIMOS_TESTS_CHECKPOINT_CONTENTS_H
#define SIMOS_TESTS_CHECKPOINT_CONTENTS_H

#include "checkpoint/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct bytes {
    uint8_t *at;
    size_t size;
};

struct section {
    struct format_section header;
    struct bytes content;
};

struct contents {
    struct format_header header;
    struct section *sections;
    uint32_t count;
};

/* A field as the table of a section says: where its values are in the content. */
struct field {
    char name[SAVED_NAME_MAX + 1];
    unsigned kind, width; /* bytes of an element in the file */
    uint32_t elements;
    size_t at;
};

static inline bool bytes_read(struct bytes *bytes, const char *path)
{
    FILE *in = fopen(path, "rb");
    *bytes = (struct bytes){NULL, 0};
    if (!in || fseek(in, 0, SEEK_END) != 0)
        return false;
    bytes->size = (size_t)ftell(in);
    bytes->at = checked_memory(malloc(bytes->size + 1));
    rewind(in);
    bool done = fread(bytes->at, 1, bytes->size, in) == bytes->size;
    fclose(in);
    return done;
}

static inline bool bytes_write(const struct bytes *bytes, const char *path)
{
    FILE *out = fopen(path, "wb");
    bool done = out && fwrite(bytes->at, 1, bytes->size, out) == bytes->size;
    return out && fclose(out) == 0 && done;
}

static inline void bytes_append(struct bytes *bytes, const void *more, size_t count)
{
    bytes->at = checked_memory(realloc(bytes->at, bytes->size + count + 1));
    memcpy(bytes->at + bytes->size, more, count);
    bytes->size += count;
}

/* Of FILE, a whole one that simos has written. */
static inline bool contents_of(struct contents *contents, const struct bytes *file)
{
    size_t at = sizeof contents->header;
    *contents = (struct contents){.count = 0};
    if (file->size < at)
        return false;
    memcpy(&contents->header, file->at, at);
    contents->sections = checked_memory(calloc(contents->header.sections, sizeof *contents->sections));
    for (; contents->count < contents->header.sections; contents->count++) {
        struct section *section = &contents->sections[contents->count];
        if (file->size - at < sizeof section->header)
            return false;
        memcpy(&section->header, file->at + at, sizeof section->header);
        at += sizeof section->header;
        uLongf size = section->header.size;
        section->content.at = checked_memory(malloc(size + 1));
        if (file->size - at < section->header.stored ||
            uncompress(section->content.at, &size, file->at + at, section->header.stored) != Z_OK)
            return false;
        section->content.size = size;
        at += section->header.stored;
    }
    return true;
}

static inline void contents_free(struct contents *contents)
{
    for (uint32_t i = 0; i < contents->count; i++)
        free(contents->sections[i].content.at);
    free(contents->sections);
}

static inline struct section *contents_find(const struct contents *contents, const char *name)
{
    for (uint32_t i = 0; i < contents->count; i++)
        if (strcmp(contents->sections[i].header.name, name) == 0)
            return &contents->sections[i];
    return NULL;
}

/* SECTION behind what is in FILE: packed as LEVEL of zlib says, with its checksums. */
static inline void contents_append_section(struct bytes *file, const struct section *section, int level)
{
    struct format_section header = section->header;
    uLongf stored = compressBound(section->content.size);
    uint8_t *packed = checked_memory(malloc(stored));
    if (compress2(packed, &stored, section->content.at, section->content.size, level) != Z_OK)
        abort();
    header.stored = stored;
    header.stored_checksum = (uint32_t)crc32_z(0, packed, stored);
    header.checksum = (uint32_t)crc32_z(0, (const void *)&header, offsetof(struct format_section, checksum));
    bytes_append(file, &header, sizeof header);
    bytes_append(file, packed, stored);
    free(packed);
}

/* What is stored of the section whose header is at PLACE is PACKED: its length and checksums say so. */
static inline void contents_sign_section(uint8_t *place, const struct bytes *packed)
{
    struct format_section header;
    memcpy(&header, place, sizeof header);
    header.stored = packed->size;
    header.stored_checksum = (uint32_t)crc32_z(0, packed->at, packed->size);
    header.checksum = (uint32_t)crc32_z(0, (const void *)&header, offsetof(struct format_section, checksum));
    memcpy(place, &header, sizeof header);
}

/* Everything as a file. Lengths that sections claim stay as they are. */
static inline struct bytes contents_to_file(const struct contents *contents, int level)
{
    struct bytes file = {NULL, 0};
    struct format_header header = contents->header;
    header.sections = contents->count;
    header.checksum = (uint32_t)crc32_z(0, (const void *)&header, offsetof(struct format_header, checksum));
    bytes_append(&file, &header, sizeof header);
    for (uint32_t i = 0; i < contents->count; i++)
        contents_append_section(&file, &contents->sections[i], level);
    struct format_end end = {FORMAT_END_MARK, (uint32_t)crc32_z(0, file.at, file.size)};
    bytes_append(&file, &end, sizeof end);
    return file;
}

/* The fields of SECTION in the order of its table, at most MOST; how many there are. *REST: where its content of no
 * fixed length begins. */
static inline uint32_t section_fields(const struct section *section, struct field *fields, uint32_t most, size_t *rest)
{
    static const unsigned widths[SAVED_KINDS] = {1, 2, 4, 8, 1, 8, 17};
    const uint8_t *content = section->content.at;
    uint32_t count = 0;
    size_t at = 0;
    if (section->header.version == 0 || section->content.size < sizeof count) {
        *rest = 0;
        return 0;
    }
    memcpy(&count, content, sizeof count);
    count = count < most ? count : most;
    at = sizeof count;
    for (uint32_t i = 0; i < count; i++) {
        struct field *field = &fields[i];
        size_t length = content[at++];
        *field = (struct field){.at = 0};
        memcpy(field->name, content + at, length < SAVED_NAME_MAX ? length : SAVED_NAME_MAX);
        at += length;
        field->kind = content[at++];
        field->width = field->kind < SAVED_KINDS ? widths[field->kind] : 0;
        memcpy(&field->elements, content + at, sizeof field->elements);
        at += sizeof field->elements;
    }
    for (uint32_t i = 0; i < count; i++) {
        fields[i].at = at;
        at += (size_t)fields[i].width * fields[i].elements;
    }
    *rest = at;
    return count;
}

#endif
