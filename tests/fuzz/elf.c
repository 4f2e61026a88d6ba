/*
 * The guest's kernel in every format (`--kernel`), raw bytes for an address (`--kernel FILE@ADDRESS`; the address is in
 * front of them), the names in an ELF kernel, and programs of the guest whose names and lines are wanted (`--symbols`).
 * The first byte of an input says which it is.
 */
#include "annotations/symbols/program_file.h"
#include "src/image/loader.h"
#include "src/base/board.h"
#include "src/memory/physmem.h"
#include "tests/fuzz/fuzz.h"

enum { KERNEL, PROGRAM, RAW, NAMES, KINDS };
enum { RAM_BYTES = 4 << 20 };

static struct fuzz_file file;
static struct physmem *mem;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct err err = {""};
    file = fuzz_file_create();
    mem = physmem_create(NULL, &err);
    fuzz_must(mem && physmem_add_ram(mem, 0, RAM_BYTES, &err), "RAM", &err);
    return 0;
}

static void load(const char *text)
{
    struct kernel_source source;
    struct loaded_image image;
    struct err err = {""};
    bool done = loader_split_source(&source, text, &err) && loader_load_kernel(mem, &source, &image, &err);
    fuzz_check(done, &err);
    if (done && (image.last >= RAM_BYTES || image.first > image.last || image.entry >> 30 != 2))
        fuzz_fail("kernel", "loaded beyond RAM");
    if (mem->rom_bytes != 0 && mem->rom_bytes != BOARD_ROM_SIZE)
        fuzz_fail("kernel", "a ROM of another size");
}

static void kernel(void)
{
    load(file.path);
}

static void names(void)
{
    struct symbols *symbols = loader_symbols(file.path);
    const struct symbol *symbol;
    for (size_t i = 0; symbols && (symbol = symbols_get(symbols, i)); i++)
        if (!symbols_find(symbols, symbol->name) || !symbols_at(symbols, symbol->address))
            fuzz_fail("a name is lost", symbol->name);
    symbols_free(symbols);
}

static void look(struct program_file *program, vaddr address)
{
    char text[256];
    const struct symbol *symbol = program_file_at(program, address);
    if (symbol && !program_file_find(program, symbol->name))
        fuzz_fail("a symbol is lost", symbol->name);
    if (program_file_line(program, address, text, sizeof text))
        fputs(text, fuzz_sink());
}

static void program(void)
{
    struct err err = {""};
    vaddr first, last, address;
    size_t size;
    uint32_t offset;
    struct program_file *program = program_file_open(file.path, &err);
    fuzz_check(program, &err);
    if (!program)
        return;
    program_file_range(program, &first, &last);
    const uint8_t *id = program_file_build_id(program, &size, &offset);
    for (size_t i = 0; id && i < size; i++)
        fputc(id[i], fuzz_sink());
    look(program, first);
    look(program, last);
    look(program, first + (last - first) / 2);
    if (program_file_address_of(program, 0x100, &address))
        look(program, address);
    program_file_close(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    enum { ADDRESS_BYTES = 4 };
    static void (*const kinds[KINDS])(void) = {kernel, program, NULL, names};
    if (size < 1)
        return 0;
    if (input[0] % KINDS != RAW) {
        fuzz_file_fill(&file, input + 1, size - 1);
        kinds[input[0] % KINDS]();
    } else if (size > ADDRESS_BYTES) {
        char text[80];
        uint32_t address;
        memcpy(&address, input + 1, sizeof address);
        snprintf(text, sizeof text, "%s@0x%x", file.path, address);
        fuzz_file_fill(&file, input + 1 + ADDRESS_BYTES, size - 1 - ADDRESS_BYTES);
        load(text);
    }
    return 0;
}
