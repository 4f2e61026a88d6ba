#include "tests/diff/image.h"
#include "src/base/log.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* driver.S, assembled by driver_blob.S */
extern const uint8_t driver_bytes[], driver_bytes_end[];

enum { LO_CACHED = 3 << 3, LO_UNCACHED = 2 << 3, LO_DIRTY = 4, LO_VALID = 2, LO_GLOBAL = 1 };

void image_create(struct image *image)
{
    memset(image, 0, sizeof *image);
    image->bytes = calloc(1, LAYOUT_END);
    if (!image->bytes)
        log_bug("out of memory");
}

void image_free(struct image *image)
{
    free(image->bytes);
    image->bytes = NULL;
}

void image_put(struct image *image, paddr address, const void *bytes, uint32_t size)
{
    if (size == 0)
        return;
    memcpy(image->bytes + address, bytes, size);
    for (uint32_t page = address >> PAGE_SHIFT; page <= (address + size - 1) >> PAGE_SHIFT; page++)
        image->used[page] = true;
}

void image_put_word(struct image *image, paddr address, uint32_t word)
{
    image_put(image, address, &word, sizeof word);
}

/* Address of the page-table entry for ADDRESS in TABLE. */
static paddr entry_place(paddr table, vaddr address)
{
    return table + (address >> 13) * 16 + (address >> 12 & 1) * 4;
}

static uint32_t entry(paddr pa, uint32_t flags)
{
    return (pa >> 12) << 6 | flags;
}

static void map(struct image *image, vaddr address, paddr pa, uint32_t flags)
{
    image_put_word(image, entry_place(LAYOUT_TABLE, address), entry(pa, flags | LO_GLOBAL));
}

uint32_t image_interesting_word(struct random *random)
{
    static const uint32_t values[] = {0,          1,          2,          3,          0x7f,       0x80,   0xff,
                                      0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    31,     32,
                                      0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x5555, 0xaaaaaaaa};
    switch (random_below(random, 4)) {
    case 0: return random_word(random);
    case 1: return 1u << random_below(random, 32);
    case 2: return (uint32_t)(int32_t)(int16_t)random_word(random);
    default: return values[random_below(random, sizeof values / sizeof values[0])];
    }
}

uint32_t image_interesting_single(struct random *random)
{
    /* Zero, one, small and large integers, smallest and largest, denormalized, infinity, quiet and signalling NaN. */
    static const uint32_t values[] = {0,          0x3f800000, 0x40000000, 0x3f000000, 0x4f000000, 0x4effffff,
                                      0x3f800001, 0x00800000, 0x7f7fffff, 0x00000001, 0x007fffff, 0x7f800000,
                                      0x7fbfffff, 0x7fc00000, 0x40490fdb, 0x5f000000, 0x33800000, 0x34000000};
    if (random_one_in(random, 3))
        return random_word(random);
    if (random_one_in(random, 2)) /* near 1, so that sums and differences are not rounded away */
        return (0x3e000000 + (random_word(random) & 0x03ffffff)) | (random_word(random) & 0x80000000);
    return values[random_below(random, sizeof values / sizeof values[0])] ^ (random_word(random) & 0x80000000);
}

uint64_t image_interesting_double(struct random *random)
{
    static const uint64_t values[] = {0,
                                      0x3ff0000000000000,
                                      0x4000000000000000,
                                      0x3fe0000000000000,
                                      0x41dfffffffc00000,
                                      0x41e0000000000000,
                                      0x43e0000000000000,
                                      0x0010000000000000,
                                      0x7fefffffffffffff,
                                      0x0000000000000001,
                                      0x000fffffffffffff,
                                      0x7ff0000000000000,
                                      0x7ff7ffffffffffff,
                                      0x7ff8000000000000,
                                      0x400921fb54442d18,
                                      0x47efffffe0000000,
                                      0x3690000000000000,
                                      0x3810000000000000};
    uint64_t sign = (uint64_t)(random_word(random) & 0x80000000) << 32;
    uint64_t bits = (uint64_t)random_word(random) << 32 | random_word(random);
    if (random_one_in(random, 3))
        return bits;
    if (random_one_in(random, 2))
        return (0x3fb0000000000000 + (bits & 0x007fffffffffffff)) | sign;
    return values[random_below(random, sizeof values / sizeof values[0])] ^ sign;
}

static void fill_windows(struct image *image, struct random *random)
{
    for (paddr at = LAYOUT_DATA; at < LAYOUT_DATA_END; at += 8) {
        switch (random_below(random, 4)) {
        case 0:
            image_put_word(image, at, image_interesting_single(random));
            image_put_word(image, at + 4, image_interesting_single(random));
            break;
        case 1: image_put(image, at, &(uint64_t){image_interesting_double(random)}, 8); break;
        default:
            image_put_word(image, at, image_interesting_word(random));
            image_put_word(image, at + 4, image_interesting_word(random));
        }
    }
}

void image_prepare(struct image *image, struct random *random)
{
    image_put(image, LAYOUT_DRIVER, driver_bytes, (uint32_t)(driver_bytes_end - driver_bytes));
    const uint32_t rw = LO_CACHED | LO_VALID | LO_DIRTY;
    for (paddr page = LAYOUT_CODE; page < LAYOUT_CODE_END; page += PAGE_SIZE)
        map(image, page, page, rw);
    map(image, WINDOW_RW, WINDOW_RW, rw);
    map(image, WINDOW_RW + PAGE_SIZE, WINDOW_RW + PAGE_SIZE, rw);
    map(image, WINDOW_READ_ONLY, WINDOW_READ_ONLY, LO_CACHED | LO_VALID);
    map(image, WINDOW_INVALID, WINDOW_INVALID, LO_CACHED | LO_DIRTY);
    map(image, WINDOW_EDGE, WINDOW_EDGE, rw);
    map(image, WINDOW_UNCACHED, WINDOW_RW, LO_UNCACHED | LO_VALID | LO_DIRTY);
    map(image, WINDOW_CODE_ALIAS, LAYOUT_CODE, rw);
    map(image, WINDOW_BUS_ERROR, 0x1a000000, rw);
    map(image, WINDOW_KSEG2, LAYOUT_DATA + 0x8000, rw);
    fill_windows(image, random);
}

/* Map the range identically in both address spaces. */
static void copy_entries(struct image *image, vaddr first, vaddr end)
{
    for (vaddr address = first; address < end; address += 2 * PAGE_SIZE)
        image_put(image, entry_place(LAYOUT_TABLE_1, address), image->bytes + entry_place(LAYOUT_TABLE, address), 16);
}

void image_add_spaces(struct image *image)
{
    copy_entries(image, LAYOUT_CODE, LAYOUT_CODE_END);
    copy_entries(image, LAYOUT_DATA, LAYOUT_DATA + 0x10000);
    copy_entries(image, WINDOW_KSEG2, WINDOW_KSEG2 + 2 * PAGE_SIZE);
    for (uint32_t n = 0; n < SPACE_PAGES; n++) {
        vaddr address = WINDOW_SPACE + 2 * PAGE_SIZE * n;
        const uint32_t flags = LO_CACHED | LO_VALID | LO_DIRTY;
        image_put_word(image, entry_place(LAYOUT_TABLE, address), entry(LAYOUT_CODE + PAGE_SIZE * n, flags));
        image_put_word(image, entry_place(LAYOUT_TABLE_1, address), entry(LAYOUT_CODE + PAGE_SIZE * (n ^ 1), flags));
    }
}

void image_set_variables(struct image *image, unsigned cpu, uint32_t flip, uint32_t period)
{
    paddr variables = LAYOUT_VARIABLES + cpu * LAYOUT_VARIABLES_SIZE;
    uint32_t log = 0x80000000u + LAYOUT_LOG + cpu * LOG_BYTES;
    image_put_word(image, variables + V_LOG, log);
    image_put_word(image, variables + V_LOG_START, log);
    image_put_word(image, variables + V_LOG_END, log + LOG_BYTES);
    image_put_word(image, variables + V_FLIP, flip);
    image_put_word(image, variables + V_PERIOD, period);
}

/* Write one program header for each run of used pages. */
static unsigned segments(const struct image *image, Elf32_Phdr *headers, unsigned limit)
{
    unsigned count = 0;
    for (uint32_t page = 0; page < LAYOUT_END >> PAGE_SHIFT;) {
        if (!image->used[page]) {
            page++;
            continue;
        }
        uint32_t first = page;
        while (page < LAYOUT_END >> PAGE_SHIFT && image->used[page])
            page++;
        if (count == limit)
            log_bug("more than %u segments", limit);
        paddr address = first << PAGE_SHIFT;
        uint32_t size = (page - first) << PAGE_SHIFT;
        headers[count++] = (Elf32_Phdr){.p_type = PT_LOAD,
                                        .p_vaddr = 0x80000000u + address,
                                        .p_paddr = 0x80000000u + address,
                                        .p_filesz = size,
                                        .p_memsz = size,
                                        .p_flags = PF_R | PF_W | PF_X,
                                        .p_align = PAGE_SIZE};
    }
    return count;
}

bool image_write_elf(const struct image *image, const char *path)
{
    enum { LIMIT = 64 };
    Elf32_Phdr headers[LIMIT];
    unsigned count = segments(image, headers, LIMIT);
    Elf32_Ehdr ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_EXEC,
                       .e_machine = EM_MIPS,
                       .e_version = EV_CURRENT,
                       .e_entry = 0x80000000u + LAYOUT_ENTRY,
                       .e_phoff = sizeof ehdr,
                       .e_flags = EF_MIPS_NOREORDER | 0x1000 | 0x70000000, /* o32, MIPS32r2 */
                       .e_ehsize = sizeof ehdr,
                       .e_phentsize = sizeof headers[0],
                       .e_phnum = (Elf32_Half)count};
    uint32_t offset = PAGE_SIZE;
    for (unsigned i = 0; i < count; i++) {
        headers[i].p_offset = offset;
        offset += headers[i].p_filesz;
    }
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    bool done = fwrite(&ehdr, sizeof ehdr, 1, out) == 1 && fwrite(headers, sizeof headers[0], count, out) == count;
    for (unsigned i = 0; i < count; i++)
        done = done && fseek(out, (long)headers[i].p_offset, SEEK_SET) == 0 &&
               fwrite(image->bytes + (headers[i].p_paddr & 0x1fffffff), headers[i].p_filesz, 1, out) == 1;
    return fclose(out) == 0 && done;
}
