/*
 * Kernel files that are not ELF: raw bytes, S-records, Intel HEX, uImage, gzip. What they load, what is refused and
 * how; every truncation and every changed byte of a file with checksums is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/unit/test.h"
#include "src/base/board.h"
#include "src/image/loader.h"

enum { RAM_SIZE = 1 << 20, HEADER_BYTES = 64 };

static char path[] = "/tmp/simos-image-XXXXXX";

static void write_file(const void *bytes, size_t size)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

static struct physmem *mem;

/* Load the file with SUFFIX ("@0x...") behind its name into a new memory. */
static bool load(const char *suffix, struct loaded_image *image, struct err *err)
{
    char text[80];
    struct kernel_source source;
    physmem_free(mem);
    *err = (struct err){""};
    mem = physmem_create(NULL, err);
    assert_true(physmem_add_ram(mem, 0, RAM_SIZE, err));
    snprintf(text, sizeof text, "%s%s", path, suffix);
    return loader_split_source(&source, text, err) && loader_load_kernel(mem, &source, image, err);
}

static bool load_bytes(const void *bytes, size_t size, const char *suffix, struct loaded_image *image, struct err *err)
{
    write_file(bytes, size);
    return load(suffix, image, err);
}

/* LINE says why; it names the file. */
static void expect_refusal(const void *bytes, size_t size, const char *suffix, const char *line)
{
    struct loaded_image image;
    struct err err;
    if (load_bytes(bytes, size, suffix, &image, &err))
        fail_msg("loaded, not refused: %s", line);
    if (!strstr(err.text, line) || !strstr(err.text, path))
        fail_msg("\"%s\" lacks \"%s\"", err.text, line);
}

static void expect_loaded(const void *bytes, size_t size, const char *suffix, vaddr entry)
{
    struct loaded_image image;
    struct err err;
    if (!load_bytes(bytes, size, suffix, &image, &err))
        fail_msg("%s", err.text);
    assert_int_equal(image.entry, entry);
    assert_int_equal(image.reset, entry == 0xbfc00000);
}

static const uint8_t code[] = {0x01, 0xb8, 0x08, 0x3c, 0x07, 0x00, 0x09, 0x34};

static void raw_bytes_need_an_address(void **state)
{
    (void)state;
    static const struct {
        const char *suffix;
        vaddr entry;
        paddr pa;
    } good[] = {
        {"@0x80002000", 0x80002000, 0x2000},
        {"@0xa0002000", 0xa0002000, 0x2000},
        {"@0x2000", 0x80002000, 0x2000},
        {"@0X0000002000", 0x80002000, 0x2000},
        {"@0x0", 0x80000000, 0},
        {"@0x800ffff8", 0x800ffff8, 0xffff8},
        {"@0x1fc00000", 0xbfc00000, 0x1fc00000},
        {"@0xbfc00000", 0xbfc00000, 0x1fc00000},
        {"@0x9fc00000", 0xbfc00000, 0x1fc00000},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        expect_loaded(code, sizeof code, good[i].suffix, good[i].entry);
        assert_memory_equal(physmem_host(mem, good[i].pa), code, sizeof code);
    }
    expect_refusal(code, sizeof code, "", "raw bytes need their address");
    expect_refusal(code, sizeof code, "@0x800ffffc", "do not fit");
    expect_refusal(code, sizeof code, "@0x20000000", "do not fit");
    expect_refusal(code, sizeof code, "@0x80002002", "not a word");
    expect_refusal(code, sizeof code, "@0x1fc00004", "nothing is at the reset vector");
    expect_refusal(code, sizeof code, "@0xc0000000", "mapped by the TLB");
    expect_refusal(code, sizeof code, "@80002000", "with 0x");
    expect_refusal(code, sizeof code, "@0x180002000", "the address is 0x0 to 0xffffffff");
    expect_refusal(code, sizeof code, "@0xhello", "No such file"); /* a name with an @ */
    expect_refusal(code, 0, "@0x2000", "nothing to load");
    expect_refusal("\177ELF", 4, "@0x2000", "has its own addresses");
    char moved[sizeof path + 20];
    snprintf(moved, sizeof moved, "%s@0x2000", path);
    assert_int_equal(rename(path, moved), 0); /* a file of this whole name is taken itself */
    struct loaded_image image;
    struct err err;
    assert_false(load("@0x2000", &image, &err));
    assert_non_null(strstr(err.text, "@0x2000: not an ELF file"));
    unlink(moved);
}

/* An S-record of TYPE with ADDRESS of WIDTH bytes and SIZE bytes of DATA, appended to TEXT. */
static void put_record(char *text, unsigned type, unsigned width, uint32_t address, const uint8_t *data, unsigned size)
{
    unsigned total = width + size + 1;
    char *at = text + strlen(text);
    at += sprintf(at, "S%u%02X", type, total);
    for (unsigned i = width; i-- > 0;) {
        at += sprintf(at, "%02X", address >> 8 * i & 0xff);
        total += address >> 8 * i & 0xff;
    }
    for (unsigned i = 0; i < size; i++) {
        at += sprintf(at, "%02x", data[i]);
        total += data[i];
    }
    sprintf(at, "%02X\r\n", ~total & 0xff);
}

static void put_hex(char *text, unsigned type, unsigned address, const uint8_t *data, unsigned size)
{
    unsigned total = size + (address >> 8) + (address & 0xff) + type;
    char *at = text + strlen(text);
    at += sprintf(at, ":%02X%04X%02X", size, address, type);
    for (unsigned i = 0; i < size; i++) {
        at += sprintf(at, "%02X", data[i]);
        total += data[i];
    }
    sprintf(at, "%02X\n", -total & 0xff);
}

static void expect_text_refused(const char *text, const char *line)
{
    expect_refusal(text, strlen(text), "", line);
}

/* Every other digit in every place makes the record wrong. */
static void every_digit_counts(const char *text, size_t from)
{
    char changed[400];
    struct loaded_image image;
    struct err err;
    for (size_t at = from; text[at]; at++) {
        if (strchr("\r\n", text[at]))
            continue;
        snprintf(changed, sizeof changed, "%s", text);
        changed[at] = text[at] == '5' ? '6' : '5';
        if (load_bytes(changed, strlen(changed), "", &image, &err))
            fail_msg("loaded with another digit in place %zu", at);
        assert_non_null(strstr(err.text, path));
        changed[at] = 'x';
        assert_false(load_bytes(changed, strlen(changed), "", &image, &err));
    }
}

static void s_records_of_every_width(void **state)
{
    (void)state;
    static const struct {
        unsigned data, width, end;
        uint32_t address;
        vaddr entry;
    } rows[] = {{1, 2, 9, 0x2000, 0x80002000},
                {2, 3, 8, 0x012000, 0x80012000},
                {3, 4, 7, 0x80002000, 0x80002000},
                {3, 4, 7, 0xa0002000, 0xa0002000},
                {3, 4, 7, 0xbfc00000, 0xbfc00000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400] = "";
        const uint32_t pa = rows[i].address & 0x1fffffff;
        put_record(text, 0, 2, 0, (const uint8_t *)"HDR", 3);
        put_record(text, rows[i].data, rows[i].width, rows[i].address, code, 4);
        put_record(text, rows[i].data, rows[i].width, rows[i].address + 0x10, code, sizeof code);
        put_record(text, rows[i].data, rows[i].width, rows[i].address + 4, code + 4, 4);
        put_record(text, 5, 2, 3, NULL, 0);
        put_record(text, rows[i].end, rows[i].width, rows[i].address, NULL, 0);
        expect_loaded(text, strlen(text), "", rows[i].entry);
        assert_memory_equal(physmem_host(mem, pa), code, sizeof code);
        assert_memory_equal(physmem_host(mem, pa + 0x10), code, sizeof code);
        every_digit_counts(text, 2);
    }
}

/* As srec_cat writes raw bytes: there is no entry point, but the number of records says that none is missing. */
static void s_records_with_a_count_alone(void **state)
{
    (void)state;
    static const unsigned types[2] = {5, 6}, widths[2] = {2, 3};
    for (size_t i = 0; i < 2; i++) {
        char text[400] = "";
        put_record(text, 0, 2, 0, (const uint8_t *)"HDR", 3);
        put_record(text, 3, 4, 0x1fc00000, code, 4);
        put_record(text, 3, 4, 0x1fc00004, code + 4, 4);
        put_record(text, types[i], widths[i], 2, NULL, 0);
        expect_loaded(text, strlen(text), "", 0xbfc00000);
        assert_memory_equal(physmem_host(mem, 0x1fc00000), code, 8);
        every_digit_counts(text, 2);
        put_record(text, 3, 4, 0x1fc00008, code, 4);
        expect_text_refused(text, "truncated: no S5 to S9 record");
    }
}

static void s_records_that_are_refused(void **state)
{
    (void)state;
    char text[400] = "", ended[400];
    put_record(text, 3, 4, 0x80002000, code, 8);
    expect_text_refused(text, "truncated: no S5 to S9 record");
    strcpy(ended, text);
    put_record(ended, 7, 4, 0, NULL, 0);
    expect_text_refused(ended, "no entry point");
    put_record(ended, 3, 4, 0x80003000, code, 8);
    expect_text_refused(ended, ", line 3: S record: there is one behind the last");
    strcpy(ended, text);
    put_record(ended, 3, 4, 0x80002007, code, 8);
    put_record(ended, 7, 4, 0x80002000, NULL, 0);
    expect_text_refused(ended, "8 bytes at 0x80002000 and 8 at 0x80002007 overlap");
    strcpy(ended, text);
    put_record(ended, 5, 2, 2, NULL, 0);
    expect_text_refused(ended, ", line 2: S record: does not give the number of records");
    strcpy(ended, text);
    put_record(ended, 3, 4, 0xfffffffc, code, 8);
    expect_text_refused(ended, "beyond 32 bits");
    expect_text_refused("S00600004844521B\nS4030000FC\n", "line 2: S record: type S4");
    expect_text_refused("S00600004844521B\nhello\n", "line 2: S record: does not begin with S");
    expect_text_refused("S00600004844521B\nS1\n", "line 2: S record: its length");
    expect_text_refused("S00600004844521B\nS113\n", "line 2: S record: its length");
    expect_text_refused("S00600004844521B\nS1130\n", "line 2: S record: not pairs");
}

static void intel_hex(void **state)
{
    (void)state;
    static const uint8_t upper[2] = {0x80, 0x00}, start[4] = {0x80, 0x00, 0x20, 0x00};
    static const uint8_t rom[2] = {0xbf, 0xc0}, segment[2] = {0x02, 0x00}, cs_ip[4] = {0x01, 0x00, 0x10, 0x00};
    char text[400] = "";
    put_hex(text, 4, 0, upper, 2);
    put_hex(text, 0, 0x2000, code, 8);
    put_hex(text, 0, 0x2100, code, 8);
    put_hex(text, 5, 0, start, 4);
    put_hex(text, 1, 0, NULL, 0);
    expect_loaded(text, strlen(text), "", 0x80002000);
    assert_memory_equal(physmem_host(mem, 0x2000), code, 8);
    assert_memory_equal(physmem_host(mem, 0x2100), code, 8);
    every_digit_counts(text, 1);
    text[0] = 0; /* 8086 segments: 0x200 << 4 is 0x2000, and 0x100:0x1000 too */
    put_hex(text, 2, 0, segment, 2);
    put_hex(text, 0, 0, code, 8);
    put_hex(text, 3, 0, cs_ip, 4);
    put_hex(text, 1, 0, NULL, 0);
    expect_loaded(text, strlen(text), "", 0x80002000);
    text[0] = 0; /* a ROM needs no entry point */
    put_hex(text, 4, 0, rom, 2);
    put_hex(text, 0, 0, code, 8);
    expect_text_refused(text, "truncated: no end-of-file record");
    put_hex(text, 1, 0, NULL, 0);
    expect_loaded(text, strlen(text), "", 0xbfc00000);
    put_hex(text, 1, 0, NULL, 0);
    expect_text_refused(text, ", line 4: Intel HEX record: there is one behind the last");
    text[0] = 0;
    put_hex(text, 0, 0x2000, code, 8);
    put_hex(text, 1, 0, NULL, 0);
    expect_text_refused(text, "no entry point");
    text[0] = 0;
    put_hex(text, 0, 0x2000, code, 8);
    put_hex(text, 6, 0, NULL, 0);
    expect_text_refused(text, ", line 2: Intel HEX record: its type is not 00 to 05");
    text[0] = 0;
    put_hex(text, 0, 0x2000, code, 8);
    put_hex(text, 4, 0, upper, 1);
    expect_text_refused(text, ", line 2: Intel HEX record: its type has another length");
}

static void put_word(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* A uImage of SIZE bytes at DATA in FILE; returns its length. */
static size_t make_uimage(uint8_t *file, const void *data, size_t size, unsigned arch, unsigned type,
                          unsigned compression)
{
    memset(file, 0, HEADER_BYTES);
    put_word(file, 0x27051956);
    put_word(file + 12, (uint32_t)size);
    put_word(file + 16, 0x80002000);
    put_word(file + 20, 0x80002004);
    put_word(file + 24, (uint32_t)crc32(0, data, (uInt)size));
    file[28] = 17; /* U-Boot */
    file[29] = (uint8_t)arch;
    file[30] = (uint8_t)type;
    file[31] = (uint8_t)compression;
    put_word(file + 4, (uint32_t)crc32(0, file, HEADER_BYTES));
    memcpy(file + HEADER_BYTES, data, size);
    return HEADER_BYTES + size;
}

/* gzip of SIZE bytes at FROM; returns its length. */
static size_t make_gzip(uint8_t *to, size_t room, const void *from, size_t size)
{
    z_stream stream = {
        .next_in = (uint8_t *)(uintptr_t)from, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static void uimages(void **state)
{
    (void)state;
    enum { MIPS = 5, STANDALONE = 1, KERNEL = 2, FIRMWARE = 5, NONE = 0, GZIP = 1 };
    uint8_t file[512], packed[256];
    static const unsigned types[] = {STANDALONE, KERNEL, FIRMWARE};
    size_t size;
    for (unsigned i = 0; i < 3; i++) {
        size = make_uimage(file, code, sizeof code, MIPS, types[i], NONE);
        expect_loaded(file, size, "", 0x80002004);
        assert_memory_equal(physmem_host(mem, 0x2000), code, sizeof code);
    }
    for (size_t at = 4; at < size; at++) { /* every changed byte, every truncation */
        file[at] ^= 0x10;
        expect_refusal(file, size, "", "damaged");
        file[at] ^= 0x10;
        expect_refusal(file, at, "", "truncated");
    }
    const size_t length = make_gzip(packed, sizeof packed, code, sizeof code);
    size = make_uimage(file, packed, length, MIPS, KERNEL, GZIP);
    expect_loaded(file, size, "", 0x80002004);
    assert_memory_equal(physmem_host(mem, 0x2000), code, sizeof code);
    assert_int_equal(*physmem_host(mem, 0x2000 + sizeof code), 0);
    size = make_uimage(file, packed, length - 1, MIPS, KERNEL, GZIP);
    expect_refusal(file, size, "", "truncated");
    size = make_uimage(file, code, sizeof code, MIPS, KERNEL, GZIP);
    expect_refusal(file, size, "", "gzip data are damaged");
    size = make_uimage(file, code, sizeof code, 2, KERNEL, NONE);
    expect_refusal(file, size, "", "uImage for ARM (architecture 2), not MIPS");
    size = make_uimage(file, code, sizeof code, 200, KERNEL, NONE);
    expect_refusal(file, size, "", "uImage for another CPU (architecture 200)");
    size = make_uimage(file, code, sizeof code, MIPS, 3, NONE);
    expect_refusal(file, size, "", "uImage of a RAM disk (type 3)");
    size = make_uimage(file, code, sizeof code, MIPS, KERNEL, 3);
    expect_refusal(file, size, "", "compressed with lzma (3)");
    size = make_uimage(file, "", 0, MIPS, KERNEL, NONE);
    expect_refusal(file, size, "", "nothing to load");
    size = make_uimage(file, code, sizeof code, MIPS, KERNEL, NONE);
    expect_refusal(file, size, "@0x2000", "has its own addresses");
}

static void gzip_of_everything(void **state)
{
    (void)state;
    uint8_t file[600], packed[600];
    char text[300] = "";
    put_record(text, 3, 4, 0x80002000, code, 8);
    put_record(text, 7, 4, 0x80002000, NULL, 0);
    size_t size = make_gzip(packed, sizeof packed, text, strlen(text));
    expect_loaded(packed, size, "", 0x80002000);
    for (size_t length = 2; length < size; length++)
        expect_refusal(packed, length, "", "gzip data are truncated");
    packed[size - 6] ^= 1; /* the checksum */
    expect_refusal(packed, size, "", "gzip data are damaged");
    size = make_gzip(packed, sizeof packed, file, make_uimage(file, code, sizeof code, 5, 2, 0));
    expect_loaded(packed, size, "", 0x80002004);
    size = make_gzip(packed, sizeof packed, code, sizeof code);
    size += make_gzip(packed + size, sizeof packed - size, code, sizeof code); /* two members */
    expect_loaded(packed, size, "@0x2000", 0x80002000);
    assert_memory_equal(physmem_host(mem, 0x2000 + sizeof code), code, sizeof code);
    expect_refusal(packed, size, "", "raw bytes need their address");
    size = make_gzip(file, sizeof file, packed, size);
    expect_refusal(file, size, "", "compressed twice");
    uint8_t *zeros = calloc(1, 300 << 20), *bomb = malloc(1 << 20);
    size = make_gzip(bomb, 1 << 20, zeros, 300 << 20);
    free(zeros);
    expect_refusal(bomb, size, "@0x2000", "more than 256 MB when expanded");
    free(bomb);
}

static void other_formats_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } rows[] = {
        {"\xd0\x0d\xfe\xed", 4, "FIT image"},
        {"\xfd"
         "7zXZ\0",
         6, "with xz"},
        {"BZh91AY", 7, "with bzip2"},
        {"\x28\xb5\x2f\xfd", 4, "with zstd"},
        {"\x04\x22\x4d\x18", 4, "with lz4"},
        {"\x5d\0\0\x80", 4, "with lzma"},
        {"MZ", 2, "EFI"},
        {"070701", 6, "--initrd"},
        {"!<arch>\n", 8, "archive"},
        {"", 0, "not an ELF file"},
        {"S", 1, "not an ELF file"},
        {":", 1, "not an ELF file"},
        {"S:0", 3, "not an ELF file"},
        {":10000000000000", 9, "not an ELF file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_refusal(rows[i].bytes, rows[i].size, "", rows[i].says);
    FILE *out = fopen(path, "w"); /* a sparse file of 300 MB */
    assert_non_null(out);
    assert_int_equal(fwrite("\x27\x05\x19\x56", 1, 4, out), 4);
    assert_int_equal(ftruncate(fileno(out), 300 << 20), 0);
    fclose(out);
    struct loaded_image image;
    struct err err;
    assert_false(load("", &image, &err));
    assert_non_null(strstr(err.text, "at most 256 MB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_bytes_need_an_address),
        cmocka_unit_test(s_records_of_every_width),
        cmocka_unit_test(s_records_with_a_count_alone),
        cmocka_unit_test(s_records_that_are_refused),
        cmocka_unit_test(intel_hex),
        cmocka_unit_test(uimages),
        cmocka_unit_test(gzip_of_everything),
        cmocka_unit_test(other_formats_are_named),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    physmem_free(mem);
    unlink(path);
    return failed;
}
