/* Traces: every kind of reference is read back as written; din text as Dinero III documents it; filters; damaged files;
 * write errors. */
#include "cache/observe/trace.h"
#include "cache/observe/trace_block.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/unit/test.h"
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static char *temporary(void)
{
    char *path = strdup("/tmp/simos-trace.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

static void remove_file(char *path)
{
    unlink(path);
    free(path);
}

/* A reference as observers generate it: fields that its kind lacks are zero. */
static struct reference random_reference(uint64_t *state, const struct trace_info *info)
{
    struct reference r = {
        .kind = (enum reference_kind)draw(state, info->level == 0 ? REFERENCE_KINDS : REFERENCE_EXCEPTION)};
    r.cpu = (uint8_t)(draw(state, 4) ? 3 : draw(state, 64));
    if (reference_is_access(r.kind) || r.kind == REFERENCE_INSNS) {
        r.mode = (enum mode)draw(state, MODE_COUNT);
        r.process = (uint16_t)(draw(state, 3) ? 7 : draw(state, 65536));
    }
    if (r.kind != REFERENCE_FLUSH && r.kind < REFERENCE_INSNS) {
        r.address = draw(state, 8) ? 0x1000 + 4 * draw(state, 64) : draw(state, UINT32_MAX);
        r.size = draw(state, 3) ? 4 : draw(state, 10000);
    }
    if (reference_is_access(r.kind) || r.kind == REFERENCE_CACHE_OP)
        r.virtual_address = draw(state, 4) ? r.address + 0x80000000u : draw(state, UINT32_MAX);
    if (r.kind == REFERENCE_CACHE_OP) {
        r.cache = (enum memsys_cache)draw(state, 3);
        r.op = (enum memsys_cache_op)draw(state, 4);
    }
    if (r.kind == REFERENCE_READ)
        r.walk = draw(state, 3) == 0;
    if (r.kind == REFERENCE_INSNS)
        r.insns = (uint64_t)draw(state, UINT32_MAX) << draw(state, 33);
    if (r.kind == REFERENCE_FETCH && info->level == 0)
        r.word = draw(state, UINT32_MAX);
    if (r.kind == REFERENCE_EXCEPTION) {
        r.virtual_address = draw(state, UINT32_MAX);
        r.code = (uint8_t)draw(state, 32);
        if (r.code == 8) /* a system call */
            r.word = draw(state, 2) ? 4000 + draw(state, 400) : draw(state, UINT32_MAX);
    }
    if (info->times)
        r.now = (uint64_t)draw(state, 1000000) << draw(state, 40);
    return r;
}

static bool same(const struct reference *a, const struct reference *b)
{
    return a->kind == b->kind && a->cpu == b->cpu && a->mode == b->mode && a->process == b->process &&
           a->address == b->address && a->virtual_address == b->virtual_address && a->size == b->size &&
           a->cache == b->cache && a->op == b->op && a->now == b->now && a->insns == b->insns && a->word == b->word &&
           a->code == b->code && a->walk == b->walk;
}

enum { MANY = 400000 /* several blocks */, FEW = 300, LOAD_MAX = 1 << 24 };

static const struct trace_info info_times = {
    .level = 2, .cpus = 64, .times = true, .whole = true, .process = TRACE_PROCESS, .fetch_line = 64};
static const struct trace_info info_plain = {.level = 1, .cpus = 64};
static const struct trace_info info_insns = {
    .level = 0, .cpus = 64, .is_mips1 = true, .times = true, .process = TRACE_THREAD, .fetch_line = 4};

static void write_random(const char *path, enum trace_format format, const struct trace_info *info, unsigned count)
{
    struct err err = {""};
    uint64_t state = 5;
    struct trace_writer *writer = trace_writer_create(path, format, info, &err);
    assert_non_null(writer);
    for (unsigned i = 0; i < count; i++) {
        struct reference r = random_reference(&state, info);
        trace_writer_add(writer, &r);
    }
    assert_true(format == TRACE_DIN || trace_writer_count(writer) == count);
    assert_true(trace_writer_close(writer, &err));
}

/* Read PATH, which holds a prefix of the references of write_random(). Returns their number; *DAMAGED: followed by
 * damage. */
static unsigned read_random(const char *path, bool *damaged, struct err *err)
{
    struct trace_info info;
    struct reference got;
    uint64_t state = 5;
    unsigned count = 0;
    enum trace_next next;
    struct trace_reader *reader = trace_reader_open(path, &info, err);
    *damaged = reader == NULL;
    if (!reader)
        return 0;
    while ((next = trace_reader_next(reader, &got, err)) == TRACE_REFERENCE) {
        struct reference wanted = random_reference(&state, &info);
        if (!same(&got, &wanted))
            fail_msg("reference %u is not what was written", count);
        count++;
    }
    *damaged = next == TRACE_DAMAGED;
    assert_int_equal(trace_reader_next(reader, &got, err), next);
    assert_true(trace_reader_fraction(reader) > 0 && trace_reader_fraction(reader) <= 1);
    trace_reader_close(reader);
    return count;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    const struct {
        const struct trace_info *info;
        unsigned count;
    } cases[] = {{&info_times, MANY}, {&info_plain, MANY}, {&info_plain, 0}, {&info_times, 1}, {&info_insns, MANY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = temporary();
        struct err err = {""};
        bool damaged;
        write_random(path, TRACE_BINARY, cases[i].info, cases[i].count);
        assert_int_equal(read_random(path, &damaged, &err), cases[i].count);
        assert_false(damaged);
        assert_string_equal(err.text, "");
        remove_file(path);
    }
}

static void header_says_what_it_is(void **state)
{
    (void)state;
    struct trace_info info;
    struct err err = {""};
    char *path = temporary();
    write_random(path, TRACE_BINARY, &info_times, 1);
    struct trace_reader *reader = trace_reader_open(path, &info, &err);
    assert_memory_equal(&info, &info_times, sizeof info);
    trace_reader_close(reader);
    remove_file(path);
}

static uint8_t *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(LOAD_MAX);
    *size = fread(bytes, 1, LOAD_MAX, file);
    assert_true(*size < LOAD_MAX);
    fclose(file);
    return bytes;
}

static void save(const char *path, const uint8_t *bytes, size_t size)
{
    unlink(path); /* to truncate a file that has just been written makes ext4 write it to the disk */
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Every truncation and every changed byte is detected. (In the header only invalid values: another level is another
 * trace.) No more references are returned than were written. */
static void damage_anywhere_is_found(void **state)
{
    (void)state;
    char *path = temporary();
    size_t size;
    bool damaged;
    write_random(path, TRACE_BINARY, &info_plain, FEW);
    uint8_t *bytes = load(path, &size);
    for (size_t length = 0; length < size; length++) {
        struct err err = {""};
        save(path, bytes, length);
        assert_in_range(read_random(path, &damaged, &err), 0, FEW);
        assert_true(damaged);
        assert_non_null(strstr(err.text, path));
    }
    for (size_t at = TRACE_HEADER_BYTES; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit += 3) {
            struct err err = {""};
            bytes[at] ^= (uint8_t)(1u << bit);
            save(path, bytes, size);
            assert_in_range(read_random(path, &damaged, &err), 0, FEW);
            if (!damaged || !strstr(err.text, "damaged: block "))
                fail_msg("byte %zu changed: %s", at, err.text);
            bytes[at] ^= (uint8_t)(1u << bit);
        }
    bytes[size] = 0;
    save(path, bytes, size + 1);
    struct err err = {""};
    read_random(path, &damaged, &err);
    assert_true(damaged);
    free(bytes);
    remove_file(path);
}

/* Of version 1: a CACHE instruction is recorded without a virtual address, which is then the physical one. */
static void the_version_before_is_read(void **state)
{
    (void)state;
    char *path = temporary();
    size_t size;
    struct err err = {""};
    const struct reference written = {.kind = REFERENCE_CACHE_OP,
                                      .address = 0x1240,
                                      .virtual_address = 0x1240,
                                      .size = 0,
                                      .cache = MEMSYS_L1D,
                                      .op = MEMSYS_INDEX_INVALIDATE};
    struct trace_writer *writer = trace_writer_create(path, TRACE_BINARY, &info_plain, &err);
    assert_non_null(writer);
    trace_writer_add(writer, &written);
    assert_true(trace_writer_close(writer, &err));
    uint8_t *bytes = load(path, &size);
    assert_int_equal(bytes[8], TRACE_VERSION);
    bytes[8] = 1;
    save(path, bytes, size);
    struct trace_info info;
    struct reference got;
    struct trace_reader *reader = trace_reader_open(path, &info, &err);
    assert_non_null(reader);
    assert_int_equal(trace_reader_next(reader, &got, &err), TRACE_REFERENCE);
    assert_true(same(&got, &written));
    trace_reader_close(reader);
    free(bytes);
    remove_file(path);
}

/* Of version 3: an exception by a system call is recorded without the call's number. */
static void system_calls_have_numbers_since_version_4(void **state)
{
    (void)state;
    enum { SYSTEM_CALL = 8, OTHER = 4 };
    char *path = temporary();
    size_t size;
    struct err err = {""};
    const struct trace_info instructions = {.level = 0, .cpus = 1};
    struct trace_info info;
    struct reference got;
    for (unsigned version = 3; version <= 4; version++) {
        const struct reference written = {.kind = REFERENCE_EXCEPTION,
                                          .virtual_address = 0x400120,
                                          .code = version == 3 ? OTHER : SYSTEM_CALL,
                                          .word = version == 3 ? 0 : 4004};
        struct trace_writer *writer = trace_writer_create(path, TRACE_BINARY, &instructions, &err);
        trace_writer_add(writer, &written);
        assert_true(trace_writer_close(writer, &err));
        uint8_t *bytes = load(path, &size);
        bytes[8] = (uint8_t)version;
        save(path, bytes, size);
        free(bytes);
        struct trace_reader *reader = trace_reader_open(path, &info, &err);
        assert_non_null(reader);
        assert_int_equal(info.calls, version >= 4);
        assert_int_equal(trace_reader_next(reader, &got, &err), TRACE_REFERENCE);
        assert_true(same(&got, &written));
        trace_reader_close(reader);
    }
    /* the bytes of a system call without its number */
    const uint8_t old[] = {REFERENCE_EXCEPTION, SYSTEM_CALL, 0x20, 0x01, 0x40, 0};
    struct trace_state decoder = {.cpu = 0};
    assert_int_equal(trace_decode(&decoder, old, sizeof old, trace_fields_of(0, false, false), 1, &got), sizeof old);
    assert_int_equal(got.code, SYSTEM_CALL);
    assert_int_equal(got.word, 0);
    assert_int_equal(trace_decode(&decoder, old, sizeof old, trace_fields_of(0, false, true), 1, &got), 0);
    remove_file(path);
}

static void header_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const struct {
        size_t at;
        uint8_t value;
        const char *says;
    } cases[] = {{0, 'X', "is not a trace: neither"},
                 {8, 0, "another version"},
                 {8, 5, "another version"},
                 {9, 5, "damaged"},
                 {9, 255, "damaged"},
                 {10, 0, "damaged"},
                 {10, 65, "damaged"},
                 {11, 4, "damaged"}};
    char *path = temporary();
    size_t size;
    write_random(path, TRACE_BINARY, &info_plain, FEW);
    uint8_t *bytes = load(path, &size);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err = {""};
        struct trace_info info;
        uint8_t old = bytes[cases[i].at];
        bytes[cases[i].at] = cases[i].value;
        save(path, bytes, size);
        assert_null(trace_reader_open(path, &info, &err));
        assert_non_null(strstr(err.text, cases[i].says));
        bytes[cases[i].at] = old;
    }
    free(bytes);
    remove_file(path);
    struct err err = {""};
    struct trace_info info;
    assert_null(trace_reader_open("/nowhere/trace", &info, &err));
    assert_string_equal(err.text, "trace /nowhere/trace: No such file or directory");
}

/* Random bytes with a valid checksum: end or "damaged", and no read outside the block (under the sanitizers). */
static void random_records_are_safe(void **state)
{
    (void)state;
    uint64_t random = 1;
    char *path = temporary();
    for (int round = 0; round < 500; round++) {
        uint8_t raw[64], file[400] = TRACE_MAGIC "\1\1\20\1\0\0\0\0";
        file[9] = (uint8_t)(round % 2); /* the level */
        uLongf packed = sizeof file - TRACE_HEADER_BYTES - TRACE_BLOCK_HEADER_BYTES;
        size_t size = 1 + draw(&random, sizeof raw - 1);
        for (size_t i = 0; i < size; i++)
            raw[i] = (uint8_t)(draw(&random, 2) ? draw(&random, 8) : draw(&random, 256));
        uint8_t *block = file + TRACE_HEADER_BYTES;
        assert_int_equal(compress(block + TRACE_BLOCK_HEADER_BYTES, &packed, raw, size), Z_OK);
        trace_put(block, size, 4);
        trace_put(block + 4, packed, 4);
        trace_put(block + 8, crc32(0, block + TRACE_BLOCK_HEADER_BYTES, (uInt)packed), 4);
        save(path, file, TRACE_HEADER_BYTES + TRACE_BLOCK_HEADER_BYTES + packed);
        struct err err = {""};
        struct trace_info info;
        struct reference r;
        struct trace_reader *reader = trace_reader_open(path, &info, &err);
        assert_non_null(reader);
        enum trace_next next;
        while ((next = trace_reader_next(reader, &r, &err)) == TRACE_REFERENCE)
            assert_true(r.cpu < 64 && r.kind < REFERENCE_KINDS && r.mode < MODE_COUNT);
        assert_int_equal(next, TRACE_DAMAGED);
        trace_reader_close(reader);
    }
    remove_file(path);
}

/* Dinero III: "label address" per line, label 0 read, 1 write, 2 instruction fetch, address in hexadecimal. */
static void din_is_text(void **state)
{
    (void)state;
    struct err err = {""};
    char *path = temporary();
    struct trace_writer *writer = trace_writer_create(path, TRACE_DIN, &info_plain, &err);
    const struct reference references[] = {{.kind = REFERENCE_FETCH, .address = 0x430d70, .size = 16},
                                           {.kind = REFERENCE_READ, .address = 0, .size = 1},
                                           {.kind = REFERENCE_DMA_WRITE, .address = 64, .size = 64},
                                           {.kind = REFERENCE_WRITE, .address = 0xffffffff, .size = 1},
                                           {.kind = REFERENCE_FLUSH},
                                           {.kind = REFERENCE_WRITE_BACK, .address = 0x1000, .size = 16}};
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        trace_writer_add(writer, &references[i]);
    assert_int_equal(trace_writer_count(writer), 4);
    assert_true(trace_writer_close(writer, &err));
    size_t size;
    uint8_t *bytes = load(path, &size);
    bytes[size] = 0;
    assert_string_equal((char *)bytes, "2 430d70\n0 0\n1 ffffffff\n1 1000\n");
    free(bytes);
    remove_file(path);
}

/* Every reference of PATH, as din text: to be freed. ERR as trace_reader_next() left it. */
static char *print_all(const char *path, struct err *err)
{
    struct trace_info info;
    struct reference reference;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct trace_reader *reader = trace_reader_open(path, &info, err);
    while (reader && trace_reader_next(reader, &reference, err) == TRACE_REFERENCE) {
        if (reference.kind == REFERENCE_FLUSH)
            fputs("flush\n", out);
        assert_true(trace_print_din(out, &reference));
    }
    trace_reader_close(reader);
    fclose(out);
    return text;
}

static void din_text_is_read(void **state)
{
    (void)state;
    char *path = temporary();
    struct trace_info info;
    static const char text[] = "2 0 This is an instruction fetch at hex address 0.\n0 1000\n\n1 70f60888\r\n"
                               "3 1 unknown\n \t2\t0x2CB5\n4 0\n0 ffffffff";
    struct err err = {""};
    save(path, (const uint8_t *)text, sizeof text - 1);
    char *read = print_all(path, &err);
    assert_string_equal(err.text, "");
    assert_string_equal(read, "2 0\n0 1000\n1 70f60888\n2 2cb5\nflush\n0 ffffffff\n");
    free(read);
    struct trace_reader *reader = trace_reader_open(path, &info, &err);
    assert_true(info.is_din && info.level == 1 && info.cpus == 1);
    trace_reader_close(reader);
    const struct {
        const char *text, *says;
    } rows[] = {{"", "is not a trace"},
                {"root:*:19000:0:99999:7:::\n", "is not a trace: neither a binary one of simos nor din text"},
                {"5 0\n", "is not a trace"},
                {"2 g\n", "is not a trace"},
                {"2 100000000\n", "is not a trace"},
                {"20\n", "is not a trace"},
                {"2 0\n0 4\nx 8\n", "line 3 is not \"LABEL ADDRESS\""},
                {"2 0\n0 100000000\n", "line 2 is not"},
                {"2 0\n0 4z\n", "line 2 is not"},
                {"2 0\n0\n", "line 2 is not"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        err = (struct err){""};
        save(path, (const uint8_t *)rows[i].text, strlen(rows[i].text));
        free(print_all(path, &err));
        if (!strstr(err.text, rows[i].says) || strstr(err.text, "root"))
            fail_msg("\"%s\": \"%s\"", rows[i].text, err.text);
    }
    remove_file(path);
}

/* A text longer than a block, and one that is a line longer than that. */
static void din_text_of_any_length_is_read(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    char *path = temporary();
    struct err err = {""};
    FILE *out = fopen(path, "w");
    for (unsigned i = 0; i < LINES; i++)
        fprintf(out, "%u %x\n", i % 3, i * 64);
    fclose(out);
    size_t size;
    uint8_t *bytes = load(path, &size);
    char *read = print_all(path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(strlen(read), size);
    assert_memory_equal(read, bytes, size);
    free(read);
    free(bytes);
    bytes = malloc(TRACE_BLOCK_BYTES + 16);
    memset(bytes, 'c', TRACE_BLOCK_BYTES + 16);
    memcpy(bytes, "2 0\n2 0 ", 8);
    save(path, bytes, TRACE_BLOCK_BYTES + 16);
    free(print_all(path, &err));
    assert_non_null(strstr(err.text, "line 2 is too long"));
    free(bytes);
    remove_file(path);
}

/* Compress SIZE BYTES to PATH, as one file whose last quarter is another stream. */
static void compress_file(const char *path, int (*add_filter)(struct archive *archive), const uint8_t *bytes,
                          size_t size)
{
    static uint8_t packed[1 << 24];
    size_t used = 0, total = 0;
    for (int stream = 0; stream < 2; stream++) {
        struct archive *archive = archive_write_new();
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, "data");
        archive_entry_set_filetype(entry, S_IFREG);
        assert_int_equal(add_filter(archive), ARCHIVE_OK);
        assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
        assert_int_equal(archive_write_open_memory(archive, packed + total, sizeof packed - total, &used), ARCHIVE_OK);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        const size_t first = size - size / 4, part = stream ? size / 4 : first;
        assert_int_equal(archive_write_data(archive, bytes + (stream ? first : 0), part), part);
        assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
        archive_entry_free(entry);
        archive_write_free(archive);
        total += used;
    }
    save(path, packed, total);
}

/* gzip, xz and zstd are recognised by content; what is damaged or truncated is refused. */
static void compressed_traces_are_read(void **state)
{
    (void)state;
    static int (*const filters[])(struct archive * archive) = {
        archive_write_add_filter_gzip, archive_write_add_filter_xz, archive_write_add_filter_zstd};
    for (int format = 0; format < 6; format++) {
        const bool din = format & 1;
        char *path = temporary();
        struct err err = {""};
        size_t size, packed;
        write_random(path, din ? TRACE_DIN : TRACE_BINARY, &info_times, MANY / 4);
        uint8_t *bytes = load(path, &size);
        char *plain = print_all(path, &err);
        compress_file(path, filters[format / 2], bytes, size);
        char *read = print_all(path, &err);
        assert_string_equal(err.text, "");
        assert_string_equal(read, plain);
        free(read);
        free(bytes);
        bytes = load(path, &packed);
        save(path, bytes, packed - 20);
        free(print_all(path, &err));
        if (!strstr(err.text, path))
            fail_msg("%d: a truncated file: \"%s\"", format, err.text);
        err = (struct err){""};
        bytes[packed / 2] ^= 0x55;
        save(path, bytes, packed);
        free(print_all(path, &err));
        if (!strstr(err.text, path))
            fail_msg("%d: a damaged file: \"%s\"", format, err.text);
        free(bytes);
        free(plain);
        remove_file(path);
    }
}

static void full_disk_is_an_error(void **state)
{
    (void)state;
    for (int format = TRACE_BINARY; format <= TRACE_DIN; format++) {
        struct err err = {""};
        uint64_t random = 1;
        struct trace_writer *writer = trace_writer_create("/dev/full", (enum trace_format)format, &info_plain, &err);
        assert_non_null(writer);
        for (int i = 0; i < MANY; i++) {
            struct reference r = random_reference(&random, &info_plain);
            trace_writer_add(writer, &r);
        }
        assert_true(trace_writer_failed(writer)); /* detected before the end, so that the run can stop */
        assert_false(trace_writer_close(writer, &err));
        assert_string_equal(err.text, "trace /dev/full: No space left on device");
    }
    struct err err = {""};
    assert_null(trace_writer_create("/nowhere/trace", TRACE_BINARY, &info_plain, &err));
    assert_string_equal(err.text, "trace /nowhere/trace: No such file or directory");
}

static bool filter_of(struct trace_filter *filter, const char *name, const char *value, struct err *err)
{
    struct params *params = params_create();
    params_define(params, trace_param_defs, trace_param_count);
    assert_true(params_set(params, name, value, err));
    bool done = trace_filter_from_params(filter, params, err);
    params_free(params);
    return done;
}

static void filters_keep_what_they_say(void **state)
{
    (void)state;
    const struct reference read = {.kind = REFERENCE_READ, .cpu = 2, .mode = MODE_KERNEL, .address = 0x2000, .size = 4};
    const struct reference dma = {.kind = REFERENCE_DMA_WRITE, .address = 0x1000, .size = 0x1000};
    const struct reference insns = {.kind = REFERENCE_INSNS, .cpu = 2, .mode = MODE_KERNEL, .insns = 9};
    const struct {
        const char *name, *value;
        bool read, dma, insns;
    } cases[] = {
        {"trace.cpus", "all", true, true, true},
        {"trace.cpus", "2", true, true, true},
        {"trace.cpus", "0,1,3-63", false, true, false},
        {"trace.cpus", "34", false, true, false},
        {"trace.cpus", "1-2", true, true, true},
        {"trace.modes", "kernel", true, true, true},
        {"trace.modes", "user,idle", false, true, false},
        {"trace.kinds", "fetch,read", true, false, true},
        {"trace.kinds", "dma-write", false, true, true},
        {"trace.addresses", "0x2003-0x2fff", true, false, true},
        {"trace.addresses", "0-0x1fff", false, true, true},
        {"trace.addresses", "0x1fff-0x1FFF", false, true, true},
        {"trace.addresses", "0x2004-0xffffffff", false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace_filter filter;
        struct err err = {""};
        assert_true(filter_of(&filter, cases[i].name, cases[i].value, &err));
        if (trace_filter_passes(&filter, &read) != cases[i].read ||
            trace_filter_passes(&filter, &dma) != cases[i].dma ||
            trace_filter_passes(&filter, &insns) != cases[i].insns)
            fail_msg("%s=%s", cases[i].name, cases[i].value);
    }
    assert_true(trace_filter_passes(&trace_filter_all, &read));
}

static void bad_filters_are_named(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"trace.cpus", ""},
        {"trace.cpus", "64"},
        {"trace.cpus", "0-63,x"},
        {"trace.cpus", "3-1"},
        {"trace.cpus", "1,"},
        {"trace.cpus", "x"},
        {"trace.cpus", "1 2"},
        {"trace.modes", ""},
        {"trace.modes", "user,"},
        {"trace.modes", "userx"},
        {"trace.kinds", "loads"},
        {"trace.addresses", "0x1000"},
        {"trace.addresses", "0x2-0x1"},
        {"trace.addresses", "1-0x2"},
        {"trace.addresses", "0-2"},
        {"trace.addresses", "0-1fff"},
        {"trace.addresses", "00-0x2"},
        {"trace.addresses", "0x-0x2"},
        {"trace.addresses", "-"},
        {"trace.addresses", ""},
        {"trace.addresses", "0-0x1 2 3"},
        {"trace.addresses", "0-0x100000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace_filter filter;
        struct err err = {""};
        if (filter_of(&filter, cases[i][0], cases[i][1], &err) || strstr(err.text, cases[i][0]) != err.text)
            fail_msg("%s=%s: %s", cases[i][0], cases[i][1], err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(header_says_what_it_is),
        cmocka_unit_test(damage_anywhere_is_found),
        cmocka_unit_test(header_that_makes_no_sense_is_refused),
        cmocka_unit_test(random_records_are_safe),
        cmocka_unit_test(the_version_before_is_read),
        cmocka_unit_test(system_calls_have_numbers_since_version_4),
        cmocka_unit_test(din_is_text),
        cmocka_unit_test(din_text_is_read),
        cmocka_unit_test(din_text_of_any_length_is_read),
        cmocka_unit_test(compressed_traces_are_read),
        cmocka_unit_test(full_disk_is_an_error),
        cmocka_unit_test(filters_keep_what_they_say),
        cmocka_unit_test(bad_filters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
