/*
 * A guest that is loaded: `--kernel FILE --initrd FILE --set guest.symbols=FILE --set guest.bootargs=TEXT`, up to a
 * machine that executes it. An input is
 *
 *     8    bytes of the initrd, which has some of the input at its begin and no more
 *     12   address and length of the kernel's segment in memory, entry point
 *     1    length of the boot arguments, which follow
 *     ...  the file of symbols; the same is what the initrd and the segment have
 */
#include "src/image/loader.h"
#include "tests/fuzz/machine.h"

#include <elf.h>

enum { INSNS = 200, CODE_MAX = 256 };

static struct fuzz_file kernel, initrd, symbols;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    kernel = fuzz_file_create();
    initrd = fuzz_file_create();
    symbols = fuzz_file_create();
    return 0;
}

static void write_kernel(const uint32_t place[3], const uint8_t *code, size_t size)
{
    struct {
        Elf32_Ehdr header;
        Elf32_Phdr segment;
        uint8_t code[CODE_MAX];
    } image = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                          .e_type = ET_EXEC,
                          .e_machine = EM_MIPS,
                          .e_version = EV_CURRENT,
                          .e_entry = place[2],
                          .e_phoff = sizeof image.header,
                          .e_ehsize = sizeof image.header,
                          .e_phentsize = sizeof image.segment,
                          .e_phnum = 1},
               .segment = {.p_type = PT_LOAD, .p_vaddr = place[0], .p_paddr = place[0], .p_memsz = place[1]}};
    image.segment.p_offset = offsetof(__typeof__(image), code);
    image.segment.p_filesz = (Elf32_Word)(size < CODE_MAX ? size : CODE_MAX);
    if (image.segment.p_filesz > place[1])
        image.segment.p_filesz = place[1];
    memcpy(image.code, code, image.segment.p_filesz);
    fuzz_file_fill(&kernel, &image, sizeof image);
}

static void load(const char *bootargs)
{
    struct machine_options options;
    struct err err = {""};
    fuzz_options(&options, NULL);
    bool done = params_set(options.params, "guest.kernel", kernel.path, &err) &&
                params_set(options.params, "guest.initrd", initrd.path, &err) &&
                params_set(options.params, "guest.symbols", symbols.path, &err) &&
                params_set(options.params, "guest.bootargs", bootargs, &err);
    fuzz_check(done, &err);
    struct machine *machine = done ? machine_create(&options, NULL, NULL, &err) : NULL;
    fuzz_check(machine, &err);
    done = machine && machine_load(machine, &err);
    fuzz_check(done, &err);
    if (done) {
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, INSNS});
        fuzz_must(machine_check_accounts(machine, &err), "accounts", &err);
    }
    machine_free(machine);
    machine_options_release(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint64_t bytes;
    uint32_t place[3];
    uint8_t length;
    char bootargs[256] = "";
    fuzz_take(&input, &size, &bytes, sizeof bytes);
    fuzz_take(&input, &size, place, sizeof place);
    fuzz_take(&input, &size, &length, 1);
    fuzz_take(&input, &size, bootargs, length);
    write_kernel(place, input, size);
    fuzz_file_fill(&symbols, input, size);
    fuzz_file_fill(&initrd, input, size);
    if (ftruncate(initrd.fd, (off_t)(bytes & INT64_MAX)) != 0)
        return -1; /* the host has no such files */
    load(bootargs);
    return 0;
}
