/*
 * ELF files: the guest's kernel (`--kernel`), and programs of the guest whose names and lines are wanted (`--symbols`).
 * The first byte of an input says which it is.
 */
#include "annotations/symbols/program_file.h"
#include "src/machine/loader.h"
#include "src/base/physmem.h"
#include "tests/fuzz/fuzz.h"

enum { KERNEL, PROGRAM, KINDS };
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

static void kernel(void)
{
    struct loaded_image image;
    struct err err = {""};
    bool done = loader_load_elf(mem, file.path, &image, &err);
    fuzz_check(done, &err);
    if (done && (image.last >= RAM_BYTES || image.first > image.last))
        fuzz_fail("kernel", "loaded beyond RAM");
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
    static void (*const kinds[KINDS])(void) = {kernel, program};
    if (size < 1)
        return 0;
    fuzz_file_fill(&file, input + 1, size - 1);
    kinds[input[0] % KINDS]();
    return 0;
}
