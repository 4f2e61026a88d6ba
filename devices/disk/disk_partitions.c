#include "devices/disk/disk_partitions.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    SECTOR = DISK_SECTOR_SIZE,
    ENTRIES_MAX = 1024,  /* of a GPT */
    LOGICAL_MAX = 60,    /* logical partitions, as Linux has minor numbers */
    SUPERBLOCK_AT = 1024 /* bytes from the start of an ext file system */
};

struct search {
    struct disk_image *image;
    uint64_t largest; /* sectors */
    unsigned number;  /* 0: none yet */
};

static uint32_t get32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get64(const uint8_t *at)
{
    return get32(at) | (uint64_t)get32(at + 4) << 32;
}

static bool has_ext_at(struct disk_image *image, uint64_t sector)
{
    uint8_t magic[2];
    return disk_image_read(image, sector * SECTOR + SUPERBLOCK_AT + 56, magic, sizeof magic) && magic[0] == 0x53 &&
           magic[1] == 0xef;
}

/* Consider partition NUMBER of COUNT sectors at START. */
static void consider(struct search *search, unsigned number, uint64_t start, uint64_t count)
{
    uint64_t all = disk_image_sectors(search->image);
    if (start == 0 || count == 0 || start >= all || count > all - start || count <= search->largest ||
        !has_ext_at(search->image, start))
        return;
    search->largest = count;
    search->number = number;
}

/* Read the entries of the GPT with the header HEADER, all COUNT of SIZE bytes; NULL if the table is damaged. */
static uint8_t *read_entries(struct disk_image *image, uint8_t *header, uint32_t count, uint32_t size)
{
    uint32_t length = get32(header + 12), checksum = get32(header + 16);
    if (length < 92 || length > SECTOR || count == 0 || count > ENTRIES_MAX || size < 128 || size > SECTOR ||
        size % 8 != 0 || get64(header + 72) > disk_image_sectors(image))
        return NULL;
    memset(header + 16, 0, 4);
    uint8_t *entries = checked_memory(calloc(count, size));
    if ((uint32_t)crc32(0, header, length) == checksum &&
        disk_image_read(image, get64(header + 72) * SECTOR, entries, count * size) &&
        (uint32_t)crc32(0, entries, count * size) == get32(header + 88))
        return entries;
    free(entries);
    return NULL;
}

/* Is there a valid GPT? Then *NUMBER is its root. */
static bool search_gpt(struct disk_image *image, unsigned *number)
{
    static const uint8_t root[] = {0x8a, 0x8d, 0xc5, 0x37, 0x13, 0xd9, 0x56, 0x41,  /* 37c58c8a-d913-4156- */
                                   0xa2, 0x5f, 0x48, 0xb1, 0xb6, 0x4e, 0x07, 0xf0}; /* a25f-48b1b64e07f0 */
    uint8_t header[SECTOR];
    struct search search = {.image = image};
    if (!disk_image_read(image, SECTOR, header, SECTOR) || memcmp(header, "EFI PART", 8) != 0)
        return false;
    const uint32_t count = get32(header + 80), size = get32(header + 84);
    uint8_t *entries = read_entries(image, header, count, size);
    if (!entries)
        return false;
    *number = 0;
    for (uint32_t i = 0; i < count && !*number; i++) {
        const uint8_t *entry = entries + (size_t)i * size;
        const uint64_t first = get64(entry + 32), last = get64(entry + 40);
        if (memcmp(entry, root, sizeof root) == 0)
            *number = i + 1;
        else if (last >= first)
            consider(&search, i + 1, first, last - first + 1);
    }
    free(entries);
    if (!*number)
        *number = search.number;
    return true;
}

static bool is_extended(uint8_t type)
{
    return type == 0x05 || type == 0x0f || type == 0x85;
}

static bool read_mbr(struct disk_image *image, uint64_t sector, uint8_t mbr[SECTOR])
{
    return sector < disk_image_sectors(image) && disk_image_read(image, sector * SECTOR, mbr, SECTOR) &&
           mbr[510] == 0x55 && mbr[511] == 0xaa;
}

enum { TABLE_AT = 446, ENTRY_SIZE = 16, TYPE_AT = 4, START_AT = 8, COUNT_AT = 12 };

/* The logical partitions of the extended one at START: a list of tables, each with a partition and the next table. */
static void search_logical(struct search *search, uint64_t start)
{
    uint8_t mbr[SECTOR];
    uint64_t table = start;
    for (unsigned number = 5; number < 5 + LOGICAL_MAX && read_mbr(search->image, table, mbr); number++) {
        const uint8_t *own = mbr + TABLE_AT, *next = own + ENTRY_SIZE;
        consider(search, number, table + get32(own + START_AT), get32(own + COUNT_AT));
        if (!is_extended(next[TYPE_AT]) || get32(next + START_AT) == 0)
            return;
        table = start + get32(next + START_AT);
    }
}

unsigned disk_root_partition(struct disk_image *image)
{
    uint8_t mbr[SECTOR];
    struct search search = {.image = image};
    unsigned number;
    if (search_gpt(image, &number))
        return number;
    if (disk_image_has_ext(image) || !read_mbr(image, 0, mbr))
        return 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *entry = mbr + TABLE_AT + i * ENTRY_SIZE;
        if (is_extended(entry[TYPE_AT]))
            search_logical(&search, get32(entry + START_AT));
        else if (entry[TYPE_AT])
            consider(&search, i + 1, get32(entry + START_AT), get32(entry + COUNT_AT));
    }
    return search.number;
}
