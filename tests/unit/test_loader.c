/*
 * Hostile ELF files: every truncation and every damaged byte is loaded or rejected with a message that names the
 * file, and nothing is written outside RAM (checked by the sanitizers and physmem's hole).
 */
#include <setjmp.h>
#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "src/machine/loader.h"

enum { RAM_SIZE = 1 << 20, TEXT_SIZE = 64, BSS_SIZE = 32, LOAD_AT = 0x2000 };

/* An executable with one segment. */
struct file {
    Elf32_Ehdr header;
    Elf32_Phdr segment;
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

static bool load(const struct file *file, size_t size, struct loaded_image *image, struct err *err)
{
    struct physmem *mem = new_ram();
    write_file(file, size);
    bool done = loader_load_elf(mem, path, image, err);
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
    file.segment.p_vaddr = 0x00400000;
    expect_refusal(&file, "kseg0");
    file = good_file();
    file.segment.p_memsz = TEXT_SIZE - 1;
    expect_refusal(&file, "damaged");
    file = good_file();
    file.segment.p_memsz = RAM_SIZE - LOAD_AT + 1;
    expect_refusal(&file, "does not fit");
    file = good_file();
    file.segment.p_memsz = UINT32_MAX;
    expect_refusal(&file, "does not fit");
    file = good_file();
    file.segment.p_offset = UINT32_MAX;
    expect_refusal(&file, "truncated");
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
        cmocka_unit_test(a_good_file_is_loaded),      cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(no_damaged_byte_does_harm),  cmocka_unit_test(what_is_wrong_is_said),
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
