/*
 * What is beside a kernel: `guest.symbols`, kernel.layout, and the tables of exported symbols in its image. The first
 * byte of an input says which.
 */
#include "annotations/symbols/layouts.h"
#include "src/base/symbols.h"
#include "src/guest/kernel_placement.h"
#include "tests/fuzz/fuzz.h"

enum { LIST, LAYOUT, IMAGE, KINDS };
enum { ENTRIES = 1000 };

#define IMAGE_BASE 0x80100000u

static struct fuzz_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    file = fuzz_file_create();
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct layout_piece *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* The kernel of SYMBOLS in a random order, and one half of it in the places of the whole: no two objects are at one
 * place (guest.placement_seed, guest.placement_of). */
static void place(const struct symbols *symbols, uint32_t seed)
{
    struct kernel_objects like;
    struct err err = {""};
    const bool found = kernel_objects_find(&like, symbols, true, &err);
    fuzz_check(found, &err);
    for (unsigned part = 1; found && part <= 2; part++) {
        struct kernel_objects own = like;
        struct layout_piece *pieces = checked_memory(calloc(like.count + 1, sizeof *pieces));
        bool moved;
        own.object += own.count - own.count / part;
        own.count /= part;
        const bool fits = kernel_placement_make(&own, &like, seed, pieces, &moved, &err);
        fuzz_check(fits, &err);
        if (fits && own.count > 0)
            qsort(pieces, own.count, sizeof *pieces, by_place);
        for (size_t i = 1; fits && i < own.count; i++)
            if (pieces[i].to - pieces[i - 1].to < pieces[i - 1].size)
                fuzz_fail("two objects", "are at one place");
        free(pieces);
    }
    kernel_objects_release(&like);
}

static void list(const uint8_t *input, size_t size)
{
    struct err err = {""};
    fuzz_file_fill(&file, input, size);
    struct symbols *symbols = symbols_load(file.path, &err);
    fuzz_check(symbols, &err);
    if (symbols) {
        place(symbols, (uint32_t)(size % 3));
        symbols_move(symbols, 0x10000);
        for (size_t i = 0; symbols_get(symbols, i); i++) {
            const struct symbol *symbol = symbols_get(symbols, i);
            if (!symbols_find(symbols, symbol->name) || !symbols_at(symbols, symbol->address))
                fuzz_fail("a symbol is lost", symbol->name);
        }
        symbols_at(symbols, 0);
    }
    symbols_free(symbols);
}

static void layout(const uint8_t *input, size_t size)
{
    struct layouts layouts = {0};
    struct err err = {""};
    char *text = fuzz_text(input, size);
    bool done = layouts_read(&layouts, text, "kernel.layout", &err);
    fuzz_check(done, &err);
    for (const struct layout *at = layouts.first; at; at = at->next)
        for (unsigned i = 0; i < at->count; i++)
            if (!layout_field(at, at->field[i].name))
                fuzz_fail("a field is lost", at->field[i].name);
    layouts_free(&layouts);
    free(text);
}

/* Tables are long: what INPUT begins with, an entry's 12 bytes, is there ENTRIES times. */
static void image(const uint8_t *input, size_t size)
{
    uint8_t entry[12];
    fuzz_take(&input, &size, entry, sizeof entry);
    const size_t whole = ENTRIES * sizeof entry + size;
    uint8_t *bytes = checked_memory(malloc(whole));
    for (size_t i = 0; i < ENTRIES; i++)
        memcpy(bytes + i * sizeof entry, entry, sizeof entry);
    memcpy(bytes + ENTRIES * sizeof entry, input, size);
    const struct symbols_image there = {bytes, IMAGE_BASE, whole};
    size_t count = 0;
    struct symbol *found = symbols_find_exports(&there, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(fuzz_sink(), "%s", found[i].name);
    free(found);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static void (*const kinds[KINDS])(const uint8_t *input, size_t size) = {list, layout, image};
    if (size > 0)
        kinds[input[0] % KINDS](input + 1, size - 1);
    return 0;
}
