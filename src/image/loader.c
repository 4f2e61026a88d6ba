#include "src/image/loader.h"

#include "cpu/segments.h"
#include "devices/board/boot_rom.h"
#include "src/base/board.h"
#include "src/base/input_file.h"
#include "src/base/read_at.h"
#include "src/image/image.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Addresses */

/* False: the address is of a mapped segment, kseg2 or kseg3. */
static bool physical(uint32_t address, paddr *pa)
{
    *pa = vaddr_is_unmapped(address) ? vaddr_physical(address) : address;
    return vaddr_in_kuseg(address) || vaddr_is_unmapped(address);
}

static bool is_in_rom(uint64_t pa, uint64_t size)
{
    return pa >= BOARD_ROM_BASE && pa <= BOARD_ROM_BASE + (uint64_t)BOARD_ROM_SIZE &&
           size <= BOARD_ROM_BASE + (uint64_t)BOARD_ROM_SIZE - pa;
}

/* A piece and its place. */
struct place {
    const struct image_piece *piece;
    paddr pa;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static bool place_piece(const struct physmem *mem, const struct image *image, bool no_rom,
                        const struct image_piece *piece, struct place *place, struct err *err)
{
    place->piece = piece;
    if (!physical(piece->address, &place->pa))
        return err_set(err, "kernel %s: address 0x%08x is mapped by the TLB (kseg2), not an address of memory",
                       image->path, piece->address);
    const bool fits = physmem_is_writable(mem, place->pa, piece->memory);
    if (!fits && no_rom)
        return err_set(err, "kernel %s: %llu bytes at 0x%08x do not fit in RAM (machine.memory)", image->path,
                       (unsigned long long)piece->memory, piece->address);
    if (!fits && !is_in_rom(place->pa, piece->memory))
        return err_set(err,
                       "kernel %s: %llu bytes at 0x%08x do not fit in RAM (machine.memory) or in the boot ROM "
                       "(0x%08x to 0x%08x)",
                       image->path, (unsigned long long)piece->memory, piece->address, BOARD_ROM_BASE,
                       BOARD_ROM_BASE + BOARD_ROM_SIZE - 1);
    return true;
}

static bool check_overlap(const struct image *image, const struct place *places, struct err *err)
{
    for (size_t i = 1; i < image->count; i++)
        if (places[i].pa - places[i - 1].pa < places[i - 1].piece->memory)
            return err_set(err, "kernel %s: %llu bytes at 0x%08x and %llu at 0x%08x overlap", image->path,
                           (unsigned long long)places[i - 1].piece->memory, places[i - 1].piece->address,
                           (unsigned long long)places[i].piece->memory, places[i].piece->address);
    return true;
}

/* The sorted places of all pieces, allocated; NULL with ERR. */
static struct place *place_all(const struct physmem *mem, const struct image *image, bool no_rom, struct err *err)
{
    struct place *places = checked_memory(calloc(image->count + 1, sizeof *places));
    bool good = image->count > 0 || err_set(err, "kernel %s: nothing to load in it", image->path);
    for (size_t i = 0; good && i < image->count; i++)
        good = place_piece(mem, image, no_rom, &image->pieces[i], &places[i], err);
    qsort(places, image->count, sizeof *places, compare_places);
    if (good && check_overlap(image, places, err))
        return places;
    free(places);
    return NULL;
}

/* Entry */

static bool has_reset_vector(const struct image *image, const struct place *places)
{
    for (size_t i = 0; i < image->count; i++)
        if (places[i].pa <= BOARD_ROM_BASE && BOARD_ROM_BASE - places[i].pa < places[i].piece->memory)
            return true;
    return false;
}

static bool find_entry(const struct image *image, const struct place *places, bool virtual_only,
                       struct loaded_image *loaded, struct err *err)
{
    const bool vector = has_reset_vector(image, places);
    vaddr entry = image->entry;
    if (!image->has_entry && !vector)
        return err_set(err, "kernel %s: has no entry point", image->path);
    if (!image->has_entry)
        entry = vaddr_of_kseg1(BOARD_ROM_BASE);
    if (!virtual_only && entry <= UNMAPPED_PHYSICAL)
        entry = is_in_rom(entry, 4) ? vaddr_of_kseg1(entry) : vaddr_of_kseg0(entry);
    if (!vaddr_is_unmapped(entry) || entry & 3)
        return err_set(err, "kernel %s: entry point 0x%08x is not a word in kseg0 or kseg1", image->path, entry);
    loaded->reset = is_in_rom(vaddr_physical(entry), 4);
    loaded->entry = loaded->reset ? vaddr_of_kseg1(BOARD_ROM_BASE) : entry;
    return !loaded->reset || vector ||
           err_set(err, "kernel %s: entry point 0x%08x is in the boot ROM, but nothing is at the reset vector 0x%08x",
                   image->path, entry, vaddr_of_kseg1(BOARD_ROM_BASE));
}

/* Loading */

static bool copy_pieces(struct physmem *mem, const struct image *image, const struct place *places,
                        struct loaded_image *loaded, struct err *err)
{
    loaded->first = UINT32_MAX;
    loaded->last = 0;
    for (size_t i = 0; i < image->count; i++) {
        const struct image_piece *piece = places[i].piece;
        const paddr pa = places[i].pa, last = pa + (paddr)piece->memory - 1;
        if (is_in_rom(pa, piece->memory) && !boot_rom_install(mem, err))
            return false;
        /* memory is initially zero, so bss needs no write */
        if (!image_copy(image, piece->offset, piece->size, physmem_host(mem, pa), err))
            return false;
        if (pa >= BOARD_LOW_RAM_MAX)
            continue;
        loaded->first = pa < loaded->first ? pa : loaded->first;
        loaded->last = last > loaded->last ? last : loaded->last;
    }
    if (loaded->last == 0)
        loaded->first = 0;
    return true;
}

static bool place_image(struct physmem *mem, const struct image *image, bool no_rom, bool virtual_only,
                        struct loaded_image *loaded, struct err *err)
{
    struct place *places = place_all(mem, image, no_rom, err);
    const bool done =
        places && find_entry(image, places, virtual_only, loaded, err) && copy_pieces(mem, image, places, loaded, err);
    free(places);
    return done;
}

/* The content is raw. */
static bool read_raw(struct image *image, enum image_format format, uint32_t address, struct err *err)
{
    if (format != IMAGE_UNKNOWN)
        return err_set(err, "kernel %s: has its own addresses; name it without @0x%x", image->path, address);
    image->has_entry = true;
    image->entry = address;
    if (image->size > 0)
        image_add(image, &(struct image_piece){address, 0, image->size, image->size});
    return true;
}

static bool read_formatted(struct image *image, enum image_format format, const struct architecture *architecture,
                           struct err *err)
{
    switch (format) {
    case IMAGE_ELF: return image_read_elf(image, architecture, err);
    case IMAGE_UIMAGE: return image_read_uimage(image, err);
    case IMAGE_S_RECORDS: return image_read_records(image, err);
    case IMAGE_INTEL_HEX: return image_read_hex(image, err);
    default:
        return err_set(err,
                       "kernel %s: not an ELF file, uImage, S-records or Intel HEX; raw bytes need their address: "
                       "FILE@ADDRESS",
                       image->path);
    }
}

bool loader_load_kernel(struct physmem *mem, const struct kernel_source *source, struct loaded_image *loaded,
                        struct err *err)
{
    struct image image;
    enum image_format format;
    bool done = image_open(&image, source->path, err) && image_recognise(&image, &format, err) &&
                (source->raw ? read_raw(&image, format, source->address, err)
                             : read_formatted(&image, format, source->architecture, err)) &&
                place_image(mem, &image, source->no_rom, format == IMAGE_ELF, loaded, err);
    image_close(&image);
    return done;
}

struct symbols *loader_symbols(const char *path)
{
    struct image image;
    struct err ignored = {""};
    struct symbols *symbols = image_open(&image, path, &ignored) ? image_elf_symbols(&image) : NULL;
    image_close(&image);
    return symbols;
}

bool loader_is_elf(const char *path)
{
    struct image image;
    struct err ignored = {""};
    enum image_format format = IMAGE_UNKNOWN;
    const bool is_elf =
        image_open(&image, path, &ignored) && image_recognise(&image, &format, &ignored) && format == IMAGE_ELF;
    image_close(&image);
    return is_elf;
}

bool loader_split_source(struct kernel_source *source, const char *text, struct err *err)
{
    const char *at = strrchr(text, '@');
    char *end;
    *source = (struct kernel_source){.raw = false};
    if ((size_t)snprintf(source->path, sizeof source->path, "%s", text) >= sizeof source->path)
        return err_set(err, "guest.kernel: path too long (at most %zu bytes)", sizeof source->path - 1);
    if (!at || !isxdigit((unsigned char)at[1]) || access(text, F_OK) == 0)
        return true;
    const bool prefixed = at[1] == '0' && (at[2] == 'x' || at[2] == 'X');
    const unsigned long long address = strtoull(at + 1, &end, 16);
    if (*end)
        return true; /* a name with an @ */
    if (!prefixed || address > UINT32_MAX)
        return err_set(err, "guest.kernel: \"%s\": the address is 0x0 to 0xffffffff, with 0x", text);
    source->path[at - text] = 0;
    source->raw = true;
    source->address = (uint32_t)address;
    return true;
}

/* Files that are loaded as they are */

bool loader_file_size(enum input_kind kind, const char *path, uint64_t *size, struct err *err)
{
    int fd = input_file_open(kind, path, size, err);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

bool loader_load_file(struct physmem *mem, enum input_kind kind, const char *path, paddr address, uint32_t size,
                      struct err *err)
{
    int fd = input_file_open(kind, path, NULL, err);
    if (fd < 0)
        return false;
    bool done = read_at(fd, physmem_host(mem, address), size, 0) == (int64_t)size;
    close(fd);
    return done || err_set(err, "%s %s: cannot be read", input_file_name(kind), path);
}
