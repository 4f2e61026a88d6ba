/*
 * Texts of hexadecimal records: Motorola S-records (M68000 Family Programmer's Reference Manual, appendix C) and Intel
 * HEX (Hexadecimal Object File Format Specification, 1988). Each record has a checksum; a line that is no valid record
 * is an error that names the line.
 */
#include "src/image/image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_MAX = 260 }; /* bytes of a record: 255 of data and at most 5 around them */

struct records {
    struct image *image;
    const char *format;
    struct err *err;
    uint8_t *data; /* the data of all records, one after the other */
    size_t length;
    unsigned line;
    bool ended;
    bool counted;              /* S-records: the last record gives their number, so that none is missing */
    uint64_t count;            /* S-records: records of data so far */
    uint32_t base;             /* Intel HEX: upper part of the addresses */
    uint8_t bytes[RECORD_MAX]; /* the present record */
    size_t size;
};

static bool wrong(struct records *records, const char *what)
{
    return err_set(records->err, "kernel %s, line %u: %s record: %s", records->image->path, records->line,
                   records->format, what);
}

static unsigned digit(int c)
{
    return isdigit(c) ? (unsigned)(c - '0') : (unsigned)(tolower(c) - 'a') + 10;
}

/* Read the hexadecimal digits of [AT, END) to records->bytes. */
static bool read_bytes(struct records *records, const uint8_t *at, const uint8_t *end)
{
    records->size = 0;
    for (; at < end; at += 2) {
        if (end - at < 2 || !isxdigit(at[0]) || !isxdigit(at[1]))
            return wrong(records, "not pairs of hexadecimal digits");
        if (records->size == RECORD_MAX)
            return wrong(records, "too long");
        records->bytes[records->size++] = (uint8_t)(digit(at[0]) << 4 | digit(at[1]));
    }
    return true;
}

/* SIZE bytes of the record from AT on, as a big-endian number. */
static uint32_t number(const struct records *records, size_t at, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | records->bytes[at + i];
    return value;
}

static uint8_t sum(const struct records *records)
{
    unsigned total = 0;
    for (size_t i = 0; i < records->size; i++)
        total += records->bytes[i];
    return (uint8_t)total;
}

/* Add SIZE bytes of the record from AT on, whose place in memory is ADDRESS. */
static bool add_data(struct records *records, uint32_t address, size_t at, size_t size)
{
    struct image *image = records->image;
    struct image_piece *last = image->count ? &image->pieces[image->count - 1] : NULL;
    if (size == 0)
        return true;
    if (size - 1 > UINT32_MAX - address)
        return wrong(records, "its address is beyond 32 bits");
    memcpy(records->data + records->length, records->bytes + at, size);
    if (last && last->address + last->size == address) {
        last->size += size;
        last->memory += size;
    } else {
        image_add(image, &(struct image_piece){address, records->length, size, size});
    }
    records->length += size;
    return true;
}

/* S-records: S, type, then in hexadecimal the number of bytes that follow, the address, the data and the checksum. */
static bool read_s_record(struct records *records, const uint8_t *at, const uint8_t *end)
{
    static const uint8_t address_bytes[10] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
    if (end - at < 2 || at[0] != 'S' || !isdigit(at[1]))
        return wrong(records, "does not begin with S and its type");
    const unsigned type = at[1] - '0', bytes = address_bytes[type];
    if (!read_bytes(records, at + 2, end))
        return false;
    if (bytes == 0)
        return wrong(records, "type S4 has no meaning");
    if (records->size < 2u + bytes || records->bytes[0] != records->size - 1)
        return wrong(records, "its length is not the one that it gives");
    if (sum(records) != 0xff)
        return wrong(records, "wrong checksum");
    const uint32_t value = number(records, 1, bytes);
    records->counted = type == 5 || type == 6;
    switch (type) {
    case 0: return true;
    case 1:
    case 2:
    case 3: records->count++; return add_data(records, value, 1 + bytes, records->size - 2 - bytes);
    case 5:
    case 6: return value == records->count || wrong(records, "does not give the number of records before it");
    default:
        records->ended = true;
        records->image->has_entry = value != 0;
        records->image->entry = value;
        return true;
    }
}

/* Intel HEX: a colon, then in hexadecimal the number of bytes of data, the low half of the address, the type, the data
 * and the checksum. */
static bool read_hex_record(struct records *records, const uint8_t *at, const uint8_t *end)
{
    enum { DATA, END, SEGMENT, START_SEGMENT, LINEAR, START_LINEAR, TYPES };
    static const uint8_t lengths[TYPES] = {[SEGMENT] = 2, [START_SEGMENT] = 4, [LINEAR] = 2, [START_LINEAR] = 4};
    if (end - at < 1 || at[0] != ':')
        return wrong(records, "does not begin with a colon");
    if (!read_bytes(records, at + 1, end))
        return false;
    if (records->size < 5 || records->bytes[0] != records->size - 5)
        return wrong(records, "its length is not the one that it gives");
    if (sum(records) != 0)
        return wrong(records, "wrong checksum");
    const unsigned size = records->bytes[0], type = records->bytes[3];
    if (type >= TYPES)
        return wrong(records, "its type is not 00 to 05");
    if (type != DATA && size != lengths[type])
        return wrong(records, "its type has another length");
    switch (type) {
    case DATA:
        if (records->base + number(records, 1, 2) < records->base)
            return wrong(records, "its address is beyond 32 bits");
        return add_data(records, records->base + number(records, 1, 2), 4, size);
    case END: records->ended = true; break;
    case SEGMENT: records->base = number(records, 4, 2) << 4; break;
    case LINEAR: records->base = number(records, 4, 2) << 16; break;
    case START_SEGMENT: /* CS:IP of an 8086 */
        records->image->entry = (number(records, 4, 2) << 4) + number(records, 6, 2);
        records->image->has_entry = true;
        break;
    default: records->image->entry = number(records, 4, 4); records->image->has_entry = true;
    }
    return true;
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Read every line with READ_LINE. The data of a record are less than half as long as its text, so they fit. */
static bool read_lines(struct image *image, const char *format, const char *last,
                       bool (*read_line)(struct records *, const uint8_t *, const uint8_t *), struct err *err)
{
    if (!image_hold(image, err))
        return false;
    struct records records = {.image = image, .format = format, .err = err};
    records.data = checked_memory(malloc((size_t)image->size / 2 + 1));
    const uint8_t *at = image->bytes, *end = at + image->size, *next;
    for (bool good = true; good && at < end; at = next) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *stop = newline ? newline : end;
        next = newline ? newline + 1 : end;
        records.line++;
        while (at < stop && is_blank(*at))
            at++;
        while (stop > at && is_blank(stop[-1]))
            stop--;
        if (at == stop)
            continue;
        good = records.ended ? wrong(&records, "there is one behind the last") : read_line(&records, at, stop);
        if (!good) {
            free(records.data);
            return false;
        }
    }
    image_replace(image, records.data, records.length);
    /* srec_cat leaves out S7 to S9 for data that have no entry point, as raw bytes. */
    return records.ended || records.counted ||
           err_set(err, "kernel %s: truncated: no %s at the end", image->path, last);
}

bool image_read_records(struct image *image, struct err *err)
{
    return read_lines(image, "S", "S5 to S9 record", read_s_record, err);
}

bool image_read_hex(struct image *image, struct err *err)
{
    return read_lines(image, "Intel HEX", "end-of-file record (type 01)", read_hex_record, err);
}
