/*
 * The kernel's tables of exported symbols (__ksymtab and __ksymtab_gpl, adjacent): entries of three words, value, name,
 * namespace (include/linux/export-internal.h for 32-bit addresses), sorted by name. Their address is unknown; they are
 * found by their contents, which nothing else resembles.
 */
#include "src/base/symbols.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_WORDS = 3, ENTRY_BYTES = 4 * ENTRY_WORDS, LEAST_ENTRIES = 1000, NAME_MAX_BYTES = 128 };

static bool is_inside(const struct symbols_image *image, uint32_t address)
{
    return address - image->base < image->size;
}

/* The symbol name at ADDRESS; NULL if there is none. */
static const char *name_at(const struct symbols_image *image, uint32_t address)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    if (!is_inside(image, address))
        return NULL;
    const char *name = (const char *)image->bytes + (address - image->base);
    const size_t room = image->size - (address - image->base);
    const char *end = memchr(name, 0, room < NAME_MAX_BYTES ? room : NAME_MAX_BYTES);
    return end && end > name && strspn(name, letters) == (size_t)(end - name) ? name : NULL;
}

static void read_entry(const struct symbols_image *image, size_t at, uint32_t entry[ENTRY_WORDS])
{
    memcpy(entry, image->bytes + at, ENTRY_BYTES);
}

/* Does a valid entry begin at offset AT of the image? The first word rules out most positions. */
static bool is_entry(const struct symbols_image *image, size_t at)
{
    uint32_t entry[ENTRY_WORDS];
    if (image->size - at < ENTRY_BYTES)
        return false;
    memcpy(entry, image->bytes + at, sizeof entry[0]);
    if (entry[0] >> 30 != 2)
        return false;
    read_entry(image, at, entry);
    return is_inside(image, entry[1]) && (entry[2] == 0 || is_inside(image, entry[2])) && name_at(image, entry[1]);
}

static int compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Copy COUNT entries from offset AT on and their names, since the guest may change its memory. */
static struct symbol *take(const struct symbols_image *image, size_t at, size_t count)
{
    uint32_t entry[ENTRY_WORDS];
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        read_entry(image, at + i * ENTRY_BYTES, entry);
        bytes += strlen(name_at(image, entry[1])) + 1;
    }
    struct symbol *symbols = checked_memory(malloc(count * sizeof *symbols + bytes));
    char *name = (char *)(symbols + count);
    for (size_t i = 0; i < count; i++) {
        read_entry(image, at + i * ENTRY_BYTES, entry);
        symbols[i] = (struct symbol){.address = entry[0], .name = name};
        name = stpcpy(name, name_at(image, entry[1])) + 1;
    }
    qsort(symbols, count, sizeof *symbols, compare);
    return symbols;
}

struct symbol *symbols_find_exports(const struct symbols_image *image, size_t *count)
{
    *count = 0;
    for (size_t at = 0; at + ENTRY_BYTES <= image->size; at += 4) {
        size_t entries = 0;
        while (is_entry(image, at + entries * ENTRY_BYTES))
            entries++;
        if (entries >= LEAST_ENTRIES) {
            *count = entries;
            return take(image, at, entries);
        }
        at += entries > 0 ? (entries - 1) * ENTRY_BYTES : 0;
    }
    return NULL;
}
