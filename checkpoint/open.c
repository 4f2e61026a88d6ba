/* Opening a checkpoint: one pass over the whole file verifies all checksums; nothing is used before its checksum has
 * been verified. */
#include "checkpoint/reader.h"

#include "src/base/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* State of the sequential read. */
struct scan {
    struct checkpoint *checkpoint;
    uint32_t checksum; /* of the bytes read so far */
    struct err *err;
};

static bool scan_bytes(struct scan *scan, void *bytes, size_t count, const char *what)
{
    struct checkpoint *checkpoint = scan->checkpoint;
    size_t got = fread(bytes, 1, count, checkpoint->file);
    scan->checksum = (uint32_t)crc32_z(scan->checksum, bytes, got);
    if (got == count)
        return true;
    if (ferror(checkpoint->file))
        return err_set(scan->err, "checkpoint %s: %s", checkpoint->path, strerror(errno));
    return err_set(scan->err, "checkpoint %s: %s: truncated", checkpoint->path, what);
}

static bool scan_header(struct scan *scan, struct format_header *header)
{
    const char *path = scan->checkpoint->path;
    if (!scan_bytes(scan, header, sizeof *header, "header"))
        return false;
    if (memcmp(header->magic, FORMAT_MAGIC, sizeof header->magic) != 0)
        return err_set(scan->err, "%s is not a checkpoint", path);
    if (header->checksum != crc32_z(0, (const void *)header, offsetof(struct format_header, checksum)))
        return err_set(scan->err, "checkpoint %s: header: altered: its checksum is wrong", path);
    if (header->format != CHECKPOINT_FORMAT)
        return err_set(scan->err, "checkpoint %s: header: format %u; this version of simos reads format %d%s", path,
                       header->format, CHECKPOINT_FORMAT, header->format > CHECKPOINT_FORMAT ? ": it is newer" : "");
    if (header->board != CHECKPOINT_BOARD)
        return err_set(scan->err,
                       "checkpoint %s: header: board version %u; this version of simos reads board version %d", path,
                       header->board, CHECKPOINT_BOARD);
    if (header->sections > CHECKPOINT_SECTIONS_MAX)
        return err_set(scan->err, "checkpoint %s: header: %u sections; at most %d", path, header->sections,
                       CHECKPOINT_SECTIONS_MAX);
    return true;
}

static bool is_name(const char name[SAVED_NAME_MAX + 1])
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._";
    size_t length = strnlen(name, SAVED_NAME_MAX + 1);
    return length > 0 && length <= SAVED_NAME_MAX && strspn(name, allowed) == length;
}

/* Verify the compressed bytes of a section: length and checksum as in its header. */
static bool scan_stored(struct scan *scan, const struct format_section *header)
{
    uint8_t piece[1 << 14];
    char what[SAVED_NAME_MAX + 16];
    uint32_t checksum = 0;
    snprintf(what, sizeof what, "section %s", header->name);
    for (uint64_t left = header->stored; left;) {
        size_t part = left < sizeof piece ? (size_t)left : sizeof piece;
        if (!scan_bytes(scan, piece, part, what))
            return false;
        checksum = (uint32_t)crc32_z(checksum, piece, part);
        left -= part;
    }
    return checksum == header->stored_checksum ||
           err_set(scan->err, "checkpoint %s: section %s: altered: its checksum is wrong", scan->checkpoint->path,
                   header->name);
}

static bool scan_section(struct scan *scan, struct checkpoint_entry *entry)
{
    struct checkpoint *checkpoint = scan->checkpoint;
    struct format_section header;
    char what[32];
    snprintf(what, sizeof what, "section %zu", checkpoint->count);
    if (!scan_bytes(scan, &header, sizeof header, what))
        return false;
    bool timing = header.mark == FORMAT_TIMING_MARK && header.version;
    if ((header.mark != FORMAT_SECTION_MARK && !timing) || !is_name(header.name) ||
        header.checksum != crc32_z(0, (const void *)&header, offsetof(struct format_section, checksum)))
        return err_set(scan->err, "checkpoint %s: %s: altered: its header is invalid", checkpoint->path, what);
    for (size_t i = 0; i < checkpoint->count; i++)
        if (strcmp(checkpoint->entries[i].section.name, header.name) == 0)
            return err_set(scan->err, "checkpoint %s: section %s occurs twice", checkpoint->path, header.name);
    long at = ftell(checkpoint->file);
    *entry = (struct checkpoint_entry){
        .section = {.version = header.version, .timing = timing, .size = header.size, .stored = header.stored},
        .at = at};
    memcpy(entry->section.name, header.name, sizeof header.name);
    return at >= 0 && scan_stored(scan, &header);
}

static bool scan_end(struct scan *scan)
{
    struct checkpoint *checkpoint = scan->checkpoint;
    uint32_t checksum = scan->checksum;
    struct format_end end;
    if (!scan_bytes(scan, &end, sizeof end, "end"))
        return false;
    if (end.mark != FORMAT_END_MARK || end.checksum != checksum)
        return err_set(scan->err, "checkpoint %s: end: altered: the checksum of the file is wrong", checkpoint->path);
    return fgetc(checkpoint->file) == EOF ||
           err_set(scan->err, "checkpoint %s: end: data follows it", checkpoint->path);
}

static bool scan_file(struct checkpoint *checkpoint, struct err *err)
{
    struct scan scan = {.checkpoint = checkpoint, .err = err};
    struct format_header header;
    if (!scan_header(&scan, &header))
        return false;
    for (uint32_t i = 0; i < header.sections; i++) {
        struct checkpoint_entry entry;
        if (!scan_section(&scan, &entry))
            return false;
        checkpoint->entries =
            checked_memory(realloc(checkpoint->entries, (checkpoint->count + 1) * sizeof *checkpoint->entries));
        checkpoint->entries[checkpoint->count++] = entry;
    }
    return scan_end(&scan);
}

/* Accepts regular files only, as loading reads the file a second time. */
static bool open_file(struct checkpoint *checkpoint, struct err *err)
{
    checkpoint->file = input_file_stream(INPUT_CHECKPOINT, checkpoint->path, err);
    return checkpoint->file;
}

struct checkpoint *checkpoint_open(const char *path, struct err *err)
{
    struct checkpoint *checkpoint = checked_memory(calloc(1, sizeof *checkpoint));
    checkpoint->path = checked_memory(strdup(path));
    if (open_file(checkpoint, err) && scan_file(checkpoint, err))
        return checkpoint;
    checkpoint_close(checkpoint);
    return NULL;
}

bool checkpoint_is(const char *path, struct err *err)
{
    struct checkpoint checkpoint = {.path = (char *)path};
    struct scan scan = {.checkpoint = &checkpoint, .err = err};
    struct format_header header;
    if (!open_file(&checkpoint, err))
        return false;
    bool done = scan_header(&scan, &header);
    fclose(checkpoint.file);
    return done;
}

void checkpoint_close(struct checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    if (checkpoint->file)
        fclose(checkpoint->file);
    free(checkpoint->entries);
    free(checkpoint->path);
    free(checkpoint);
}

const char *checkpoint_path(const struct checkpoint *checkpoint)
{
    return checkpoint->path;
}

const struct checkpoint_section *checkpoint_section_at(const struct checkpoint *checkpoint, size_t index)
{
    return index < checkpoint->count ? &checkpoint->entries[index].section : NULL;
}
