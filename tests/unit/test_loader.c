/*
 * Kernels in ELF files: where segments go, in RAM and the boot ROM, and what is refused. Hostile files: every
 * truncation and every damaged byte is loaded or rejected with a message that names the file, and nothing is written
 * outside RAM (checked by the sanitizers and physmem's hole). Other formats are in test_image.c.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/test.h"
#include "src/base/board.h"
#include "cpu/architecture.h"
#include "src/image/loader.h"

enum { RAM_SIZE = 1 << 20, TEXT_SIZE = 64, BSS_SIZE = 32, LOAD_AT = 0x2000 };

/* An executable with one segment; there is room for two. */
struct file {
    Elf32_Ehdr header;
    Elf32_Phdr segment, second;
    uint8_t text[TEXT_SIZE];
};

static char path[] = "/tmp/simos-loader-XXXXXX";

static struct file good_file(void)
{
    struct file file = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_MIPS,
                   .e_version = EV_CURRENT,
                   .e_entry = 0x80000000 + LOAD_AT + 8,
                   .e_phoff = offsetof(struct file, segment),
                   .e_ehsize = sizeof(Elf32_Ehdr),
                   .e_phentsize = sizeof(Elf32_Phdr),
                   .e_phnum = 1},
        .segment = {.p_type = PT_LOAD,
                    .p_offset = offsetof(struct file, text),
                    .p_vaddr = 0x80000000 + LOAD_AT,
                    .p_filesz = TEXT_SIZE,
                    .p_memsz = TEXT_SIZE + BSS_SIZE},
    };
    for (unsigned i = 0; i < TEXT_SIZE; i++)
        file.text[i] = (uint8_t)(i + 1);
    return file;
}

static void write_file(const void *bytes, size_t size)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

static struct physmem *new_ram(void)
{
    struct err err = {""};
    struct physmem *mem = physmem_create(NULL, &err);
    assert_non_null(mem);
    assert_true(physmem_add_ram(mem, 0, RAM_SIZE, &err));
    return mem;
}

static bool load_into(struct physmem *mem, struct loaded_image *image, struct err *err)
{
    struct kernel_source source;
    return loader_split_source(&source, path, err) && loader_load_kernel(mem, &source, image, err);
}

static bool load(const struct file *file, size_t size, struct loaded_image *image, struct err *err)
{
    struct physmem *mem = new_ram();
    write_file(file, size);
    bool done = load_into(mem, image, err);
    if (done && image->first == LOAD_AT)
        assert_memory_equal(physmem_host(mem, LOAD_AT), file->text, file->segment.p_filesz);
    physmem_free(mem);
    return done;
}

static void a_good_file_is_loaded(void **state)
{
    (void)state;
    struct file file = good_file();
    struct loaded_image image;
    struct err err = {""};
    assert_true(load(&file, sizeof file, &image, &err));
    assert_int_equal(image.entry, 0x80002008);
    assert_int_equal(image.first, LOAD_AT);
    assert_int_equal(image.last, LOAD_AT + TEXT_SIZE + BSS_SIZE - 1);
    file.segment.p_vaddr += 0x20000000; /* kseg1 */
    assert_true(load(&file, sizeof file, &image, &err));
    assert_int_equal(image.first, LOAD_AT);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    const struct file file = good_file();
    for (size_t size = 0; size < sizeof file; size++) {
        struct loaded_image image;
        struct err err = {""};
        assert_false(load(&file, size, &image, &err));
        assert_non_null(strstr(err.text, path));
    }
}

static void no_damaged_byte_does_harm(void **state)
{
    (void)state;
    static const uint8_t damage[] = {0x01, 0x80, 0xff};
    for (size_t at = 0; at < offsetof(struct file, text); at++)
        for (size_t i = 0; i < sizeof damage; i++) {
            struct file file = good_file();
            struct loaded_image image;
            struct err err = {""};
            ((uint8_t *)&file)[at] ^= damage[i];
            if (!load(&file, sizeof file, &image, &err))
                assert_non_null(strstr(err.text, path));
        }
}

static void expect_refusal(const struct file *file, const char *says)
{
    struct loaded_image image;
    struct err err = {""};
    assert_false(load(file, sizeof *file, &image, &err));
    if (!strstr(err.text, says) || !strstr(err.text, path))
        fail_msg("%s", err.text);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct file file = good_file();
    file.header.e_machine = EM_386;
    expect_refusal(&file, "not for 32-bit little-endian MIPS");
    file = good_file();
    file.header.e_type = ET_DYN;
    expect_refusal(&file, "not an executable");
    file = good_file();
    file.header.e_entry = 0x1000;
    expect_refusal(&file, "entry point");
    file = good_file();
    file.header.e_entry |= 2;
    expect_refusal(&file, "entry point");
    file = good_file();
    file.segment.p_type = PT_NOTE;
    expect_refusal(&file, "nothing to load");
    file = good_file();
    file.segment.p_vaddr = 0xc0002000;
    expect_refusal(&file, "0xc0002000 is mapped by the TLB");
    file = good_file();
    file.segment.p_vaddr = 0x00400000;
    expect_refusal(&file, "do not fit in RAM");
    file = good_file();
    file.segment.p_memsz = TEXT_SIZE - 1;
    expect_refusal(&file, "damaged");
    file = good_file();
    file.segment.p_memsz = RAM_SIZE - LOAD_AT + 1;
    expect_refusal(&file, "do not fit in RAM");
    file = good_file();
    file.segment.p_memsz = UINT32_MAX;
    expect_refusal(&file, "do not fit in RAM");
    file = good_file();
    file.segment.p_offset = UINT32_MAX;
    expect_refusal(&file, "truncated");
}

/* A file with two segments of half the text each, at physical addresses A and B. */
static struct file two_segments(uint32_t a, uint32_t b)
{
    struct file file = good_file();
    file.header.e_phnum = 2;
    file.segment.p_filesz = file.segment.p_memsz = TEXT_SIZE / 2;
    file.second = file.segment;
    file.second.p_offset += TEXT_SIZE / 2;
    file.segment.p_paddr = a;
    file.second.p_paddr = b;
    return file;
}

/* Physical addresses decide; kseg0 and kseg1 are masked; the virtual addresses only if no segment has a physical one.
 */
static void segments_are_placed_by_physical_address(void **state)
{
    (void)state;
    static const uint32_t places[][2] = {{0x80005000, 0x80009000},
                                         {0xa0005000, 0x00009000},
                                         {0x00005000, 0xa0009000},
                                         {0x5000, 0x80009000},
                                         {0x9000, 0x5000}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct file file = two_segments(places[i][0], places[i][1]);
        struct physmem *mem = new_ram();
        struct loaded_image image;
        struct err err = {""};
        write_file(&file, sizeof file);
        assert_true(load_into(mem, &image, &err));
        assert_memory_equal(physmem_host(mem, places[i][0] & 0xffff), file.text, TEXT_SIZE / 2);
        assert_memory_equal(physmem_host(mem, places[i][1] & 0xffff), file.text + TEXT_SIZE / 2, TEXT_SIZE / 2);
        assert_int_equal(*physmem_host(mem, LOAD_AT), 0);
        assert_int_equal(image.first, 0x5000);
        assert_int_equal(image.last, 0x9000 + TEXT_SIZE / 2 - 1);
        assert_int_equal(image.entry, 0x80002008);
        assert_false(image.reset);
        physmem_free(mem);
    }
    struct file file = two_segments(0, 0x80009000); /* 0 is a physical address beside another */
    struct loaded_image image;
    struct err err = {""};
    assert_true(load(&file, sizeof file, &image, &err));
    assert_int_equal(image.first, 0);
}

static void overlapping_segments_are_refused(void **state)
{
    (void)state;
    enum { HALF = TEXT_SIZE / 2 };
    struct file file = two_segments(0x80005000, 0x80005000 + HALF - 1);
    expect_refusal(&file, "overlap");
    file = two_segments(0x80005000, 0xa0005000); /* the same memory */
    expect_refusal(&file, "overlap");
    file = two_segments(0x80005000, 0x80005000 + HALF);
    file.segment.p_memsz = HALF + 1; /* one byte of bss under the other's content */
    expect_refusal(&file, "33 bytes at 0x80005000 and 32 at 0x80005020 overlap");
    file.segment.p_memsz = HALF;
    struct loaded_image image;
    struct err err = {""};
    assert_true(load(&file, sizeof file, &image, &err));
    file.second.p_paddr = 0x80005000;
    file.second.p_filesz = file.second.p_memsz = 0; /* an empty segment is nowhere */
    assert_true(load(&file, sizeof file, &image, &err));
}

static void the_edges_of_memory(void **state)
{
    (void)state;
    struct loaded_image image;
    static const struct {
        uint32_t pa;
        bool good;
    } places[] = {
        {RAM_SIZE - TEXT_SIZE / 2, true},
        {RAM_SIZE - TEXT_SIZE / 2 + 1, false},
        {0x7fffffff, false},
        {0xffffffff, false},
        {0x1fbffff0, false},
        {BOARD_ROM_BASE, true},
        {0xbfc00000, true},
        {0x9fc00000, true},
        {BOARD_ROM_BASE + BOARD_ROM_SIZE - TEXT_SIZE / 2, true},
        {BOARD_ROM_BASE + BOARD_ROM_SIZE - TEXT_SIZE / 2 + 1, false},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct file file = two_segments(0x80005000, places[i].pa);
        struct err err = {""};
        if (load(&file, sizeof file, &image, &err) != places[i].good)
            fail_msg("0x%x: %s", places[i].pa, err.text);
        if (places[i].good)
            assert_int_equal(image.last, places[i].pa < RAM_SIZE ? RAM_SIZE - 1 : 0x5000 + TEXT_SIZE / 2 - 1);
    }
}

static void a_boot_rom(void **state)
{
    (void)state;
    struct file file = good_file();
    struct physmem *mem = new_ram();
    struct loaded_image image;
    struct err err = {""};
    file.segment.p_vaddr = 0xbfc00000;
    file.header.e_entry = 0xbfc00000;
    write_file(&file, sizeof file);
    assert_true(load_into(mem, &image, &err));
    assert_int_equal(image.entry, 0xbfc00000);
    assert_true(image.reset);
    assert_int_equal(image.last, 0);
    assert_memory_equal(physmem_host(mem, BOARD_ROM_BASE), file.text, TEXT_SIZE);
    assert_true(physmem_is_ram(mem, BOARD_ROM_BASE, BOARD_ROM_SIZE));
    assert_false(physmem_is_writable(mem, BOARD_ROM_BASE, 1));
    assert_false(physmem_dma_write(mem, BOARD_ROM_BASE, "x", 1));
    assert_int_equal(mem->ram_bytes, RAM_SIZE);
    physmem_free(mem);
    file.header.e_entry = 0xbfc00008; /* the CPU starts at the reset vector nevertheless */
    assert_true(load(&file, sizeof file, &image, &err));
    assert_int_equal(image.entry, 0xbfc00000);
    file.segment.p_vaddr = 0xbfc00004;
    expect_refusal(&file, "nothing is at the reset vector 0xbfc00000");
    file.header.e_entry = 0x80002000; /* started in RAM */
    assert_true(load(&file, sizeof file, &image, &err));
    assert_false(image.reset);
}

static void processors_are_named(void **state)
{
    (void)state;
    struct file file = good_file();
    file.header.e_machine = EM_X86_64;
    expect_refusal(&file, "for 32-bit little-endian x86-64, not for 32-bit little-endian MIPS");
    file.header.e_machine = 0x4242;
    expect_refusal(&file, "little-endian ELF machine 16962,");
    file = good_file();
    file.header.e_flags = 0x90000000; /* mips32r6 */
    expect_refusal(&file, "release 6");
    file.header.e_flags = EF_MIPS_ABI2;
    expect_refusal(&file, "n32");
    struct {
        Elf64_Ehdr header;
        uint8_t rest[64];
    } wide = {.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2MSB, EV_CURRENT},
                         .e_type = __builtin_bswap16(ET_EXEC),
                         .e_machine = __builtin_bswap16(EM_MIPS),
                         .e_version = __builtin_bswap32(EV_CURRENT)}};
    struct physmem *mem = new_ram();
    struct loaded_image image;
    struct err err = {""};
    write_file(&wide, sizeof wide);
    assert_false(load_into(mem, &image, &err));
    assert_non_null(strstr(err.text, "for 64-bit big-endian MIPS, not"));
    physmem_free(mem);
}

/* A program for a later instruction set than the processor's is refused. */
static void instruction_sets_are_the_processors(void **state)
{
    static const struct {
        uint32_t flags;
        bool r3000, mips32r2;
    } rows[] = {{0, true, true}, {0x10000000, false, true}, {0x50000000, false, true}, {0x70000000, false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct file file = good_file();
        struct kernel_source source;
        struct loaded_image image;
        struct err err = {""};
        struct physmem *mem = new_ram();
        file.header.e_flags = rows[i].flags;
        write_file(&file, sizeof file);
        assert_true(loader_split_source(&source, path, &err));
        source.architecture = &mips32r2;
        assert_int_equal(loader_load_kernel(mem, &source, &image, &err), rows[i].mips32r2);
        source.architecture = &r3000;
        assert_int_equal(loader_load_kernel(mem, &source, &image, &err), rows[i].r3000);
        if (!rows[i].r3000)
            assert_non_null(strstr(err.text, "cpu.architecture=r3000"));
        physmem_free(mem);
    }
}

/* The symbol table: labels with a place in memory, and nothing of the assembler's. */
static void the_symbol_table_is_read(void **state)
{
    (void)state;
    struct {
        struct file file;
        Elf32_Shdr sections[4];
        Elf32_Sym symbols[7];
        char names[64];
    } all = {.file = good_file(),
             .sections = {[1] = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC},
                          [2] = {.sh_type = SHT_SYMTAB,
                                 .sh_offset = offsetof(typeof(all), symbols),
                                 .sh_size = sizeof all.symbols,
                                 .sh_entsize = sizeof(Elf32_Sym),
                                 .sh_link = 3},
                          [3] = {.sh_type = SHT_STRTAB,
                                 .sh_offset = offsetof(typeof(all), names),
                                 .sh_size = sizeof all.names}},
             .symbols = {[1] = {.st_name = 1, .st_value = 0x80002010, .st_info = STT_FUNC, .st_shndx = 1},
                         [2] = {.st_name = 6, .st_value = 0x80002000, .st_shndx = 1},
                         [3] = {.st_name = 12, .st_value = 0x80002004, .st_shndx = 1},
                         [4] = {.st_name = 18, .st_value = 0x12345, .st_shndx = SHN_ABS},
                         [5] = {.st_name = 24, .st_value = 0, .st_shndx = SHN_UNDEF},
                         [6] = {.st_name = 9999, .st_value = 0x80002008, .st_shndx = 1}},
             .names = "\0main\0start\0.Lxyz\0const\0undef"};
    all.file.header.e_shoff = offsetof(typeof(all), sections);
    all.file.header.e_shnum = 4;
    all.file.header.e_shentsize = sizeof(Elf32_Shdr);
    write_file(&all, sizeof all);
    struct symbols *symbols = loader_symbols(path);
    assert_non_null(symbols);
    assert_string_equal(symbols_get(symbols, 0)->name, "start");
    assert_string_equal(symbols_get(symbols, 1)->name, "main");
    assert_null(symbols_get(symbols, 2));
    assert_int_equal(symbols_find(symbols, "main")->address, 0x80002010);
    symbols_free(symbols);
    for (size_t at = 0; at < sizeof all; at += 3) { /* damaged tables */
        ((uint8_t *)&all)[at] ^= 0xff;
        write_file(&all, sizeof all);
        symbols_free(loader_symbols(path));
        ((uint8_t *)&all)[at] ^= 0xff;
    }
    all.file.header.e_shnum = 0;
    write_file(&all, sizeof all);
    assert_null(loader_symbols(path));
    assert_null(loader_symbols("/nonexistent"));
}

static void other_files_are_read_whole(void **state)
{
    (void)state;
    struct physmem *mem = new_ram();
    struct err err = {""};
    uint64_t size;
    write_file("some bytes", 10);
    assert_true(loader_file_size(INPUT_INITRD, path, &size, &err));
    assert_int_equal(size, 10);
    assert_true(loader_load_file(mem, INPUT_INITRD, path, RAM_SIZE - 10, 10, &err));
    assert_memory_equal(physmem_host(mem, RAM_SIZE - 10), "some bytes", 10);
    /* it was truncated meanwhile */
    assert_false(loader_load_file(mem, INPUT_INITRD, path, 0, 11, &err));
    err = (struct err){""};
    assert_false(loader_file_size(INPUT_INITRD, "/nonexistent", &size, &err));
    assert_non_null(strstr(err.text, "initrd /nonexistent"));
    err = (struct err){""};
    assert_false(loader_file_size(INPUT_INITRD, "/", &size, &err));
    assert_non_null(strstr(err.text, "not a regular file"));
    physmem_free(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_file_is_loaded),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(no_damaged_byte_does_harm),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(segments_are_placed_by_physical_address),
        cmocka_unit_test(overlapping_segments_are_refused),
        cmocka_unit_test(the_edges_of_memory),
        cmocka_unit_test(a_boot_rom),
        cmocka_unit_test(instruction_sets_are_the_processors),
        cmocka_unit_test(processors_are_named),
        cmocka_unit_test(the_symbol_table_is_read),
        cmocka_unit_test(other_files_are_read_whole),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
