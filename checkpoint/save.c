/* Writing a checkpoint. */
#include "checkpoint/format.h"

#include "src/base/save_file.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The fastest level. The best one makes the RAM of a booted guest one third smaller, but takes ten times as long. */
enum { LEVEL = Z_BEST_SPEED, PIECE = 1 << 16 };

/* A section being compressed. In memory, because its header, which comes first, contains the length. */
struct packer {
    z_stream zlib;
    uint8_t *bytes;
    size_t room;
    uint64_t size;
};

static void grow(struct packer *packer)
{
    size_t used = packer->zlib.total_out;
    packer->room = packer->room ? 2 * packer->room : PIECE;
    packer->bytes = checked_memory(realloc(packer->bytes, packer->room));
    packer->zlib.next_out = packer->bytes + used;
    packer->zlib.avail_out = (uInt)(packer->room - used < UINT32_MAX ? packer->room - used : UINT32_MAX);
}

static void pack(struct packer *packer, int flush)
{
    int result;
    do {
        if (packer->zlib.avail_out == 0)
            grow(packer);
        result = deflate(&packer->zlib, flush);
        if (result == Z_STREAM_ERROR)
            log_bug("zlib");
    } while (packer->zlib.avail_in > 0 || (flush == Z_FINISH && result != Z_STREAM_END));
}

static void put(void *opaque, const void *bytes, size_t count)
{
    struct packer *packer = opaque;
    const uint8_t *at = bytes;
    packer->size += count;
    while (count) {
        uInt part = count < PIECE ? (uInt)count : PIECE;
        packer->zlib.next_in = (Bytef *)(uintptr_t)at;
        packer->zlib.avail_in = part;
        pack(packer, Z_NO_FLUSH);
        at += part;
        count -= part;
    }
}

/* The output file, and the checksum of its contents. */
struct target {
    FILE *out;
    uint32_t checksum;
};

static void emit(struct target *target, const void *bytes, size_t count)
{
    target->checksum = (uint32_t)crc32_z(target->checksum, bytes, count);
    fwrite(bytes, 1, count, target->out); /* save_file() checks for errors */
}

static uint32_t checksum_of(const void *bytes, size_t count)
{
    return (uint32_t)crc32_z(0, bytes, count);
}

static void begin_section(struct packer *packer)
{
    *packer = (struct packer){0};
    if (deflateInit(&packer->zlib, LEVEL) != Z_OK)
        log_bug("out of memory");
}

static void end_section(struct packer *packer, struct target *target, uint32_t mark, const char *name, uint32_t version)
{
    struct format_section header = {.mark = mark, .version = version, .size = packer->size};
    packer->zlib.avail_in = 0;
    pack(packer, Z_FINISH);
    header.stored = packer->zlib.total_out;
    header.stored_checksum = checksum_of(packer->bytes, header.stored);
    snprintf(header.name, sizeof header.name, "%s", name);
    header.checksum = checksum_of(&header, offsetof(struct format_section, checksum));
    emit(target, &header, sizeof header);
    emit(target, packer->bytes, header.stored);
    deflateEnd(&packer->zlib);
    free(packer->bytes);
}

struct content {
    const struct saved *saved;
    const struct checkpoint_text *texts;
    size_t text_count;
    bool part;
};

static void write_all(const void *opaque, FILE *out)
{
    const struct content *content = opaque;
    const struct saved_section *section;
    struct target target = {.out = out};
    struct packer packer;
    struct saved_out to = {.put = put, .opaque = &packer, .series = content->part};
    struct format_header header = {.magic = FORMAT_MAGIC, .format = CHECKPOINT_FORMAT, .board = CHECKPOINT_BOARD};
    header.sections = (uint32_t)content->text_count;
    for (size_t i = 0; saved_at(content->saved, i); i++)
        header.sections++;
    header.checksum = checksum_of(&header, offsetof(struct format_header, checksum));
    emit(&target, &header, sizeof header);
    for (size_t i = 0; i < content->text_count; i++) {
        begin_section(&packer);
        saved_put(&to, content->texts[i].text, strlen(content->texts[i].text));
        end_section(&packer, &target, FORMAT_SECTION_MARK, content->texts[i].name, 0);
    }
    for (size_t i = 0; (section = saved_at(content->saved, i)); i++) {
        begin_section(&packer);
        saved_write(section, &to);
        end_section(&packer, &target, section->timing ? FORMAT_TIMING_MARK : FORMAT_SECTION_MARK, section->name,
                    section->version);
    }
    struct format_end end = {.mark = FORMAT_END_MARK, .checksum = target.checksum};
    emit(&target, &end, sizeof end);
}

static bool save(const char *path, const struct content *content, struct err *err)
{
    return saved_check_events(content->saved, err) && save_file("checkpoint", path, write_all, content, err);
}

bool checkpoint_save(const char *path, const struct saved *saved, const struct checkpoint_text *texts, size_t count,
                     struct err *err)
{
    return save(path, &(struct content){saved, texts, count, false}, err);
}

bool checkpoint_save_part(const char *path, const struct saved *saved, const struct checkpoint_text *texts,
                          size_t count, struct err *err)
{
    return save(path, &(struct content){saved, texts, count, true}, err);
}
