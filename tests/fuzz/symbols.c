/*
 * What is beside a kernel: `guest.symbols`, kernel.layout, and the tables of exported symbols in its image. The first
 * byte of an input says which.
 */
#include "annotations/symbols/layouts.h"
#include "src/base/symbols.h"
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

static void list(const uint8_t *input, size_t size)
{
    struct err err = {""};
    fuzz_file_fill(&file, input, size);
    struct symbols *symbols = symbols_load(file.path, &err);
    fuzz_check(symbols, &err);
    if (symbols) {
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
