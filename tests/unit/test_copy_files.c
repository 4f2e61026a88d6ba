/* --copy-in and --copy-out: parsing, the stream to the guest, and hostile streams from the guest (copy_files.h). */
#include "src/host/copy_files.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>
#include "tests/unit/test.h"

enum { BLOCK = 512, DISK = 65536, START = 1000000000 };

struct bench {
    char path[64];
    struct copy_files *copy;
    struct err err;
    uint8_t disk[DISK]; /* the disk to which the guest writes files that are copied out */
    size_t used;
};

static int setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    strcpy(bench->path, P_tmpdir "/simos-copy-XXXXXX");
    assert_non_null(mkdtemp(bench->path));
    assert_int_equal(chdir(bench->path), 0);
    assert_int_equal(mkdir("to", 0777), 0);
    bench->copy = copy_files_create();
    *state = bench;
    return 0;
}

static int teardown(void **state)
{
    struct bench *bench = *state;
    char command[128];
    copy_files_free(bench->copy);
    snprintf(command, sizeof command, "rm -rf %s", bench->path);
    assert_int_equal(system(command), 0);
    free(bench);
    return 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char bytes[64] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s is not there", path);
    size_t count = fread(bytes, 1, sizeof bytes - 1, f);
    bytes[count] = 0;
    fclose(f);
    assert_string_equal(bytes, text);
}

/* Requests */

static void test_requests_in(void **state)
{
    struct bench *bench = *state;
    struct copy_files *copy = bench->copy;
    assert_true(copy_files_add_in(copy, "a/b", &bench->err));
    assert_string_equal(copy->in[0].from, "a/b");
    assert_string_equal(copy->in[0].to, "root");
    assert_true(copy_files_add_in(copy, "x:y:/tmp//d/./e/", &bench->err));
    assert_string_equal(copy->in[1].from, "x:y");
    assert_string_equal(copy->in[1].to, "tmp/d/e");
    /* the part after the colon is no absolute path, so all of it is the host path */
    assert_true(copy_files_add_in(copy, "x:y", &bench->err));
    assert_string_equal(copy->in[2].from, "x:y");
    assert_true(copy_files_add_in(copy, "x:/", &bench->err));
    assert_string_equal(copy->in[3].to, "");
    assert_false(copy_files_add_in(copy, "", &bench->err));
    assert_false(copy_files_add_in(copy, ":/tmp", &bench->err));
    assert_false(copy_files_add_in(copy, "a:/tmp/../x", &bench->err));
    bench->err.text[0] = 0;
    assert_false(copy_files_add_in(copy, "a:/proc", &bench->err));
    assert_string_equal(bench->err.text, "/proc: no file of the host can be put there");
    assert_false(copy_files_add_in(copy, "a:/./sys/kernel", &bench->err));
    assert_true(copy_files_add_in(copy, "a:/processes", &bench->err));
}

static void test_requests_out(void **state)
{
    struct bench *bench = *state;
    struct copy_files *copy = bench->copy;
    assert_true(copy_files_add_out(copy, "/tmp/./a", &bench->err));
    assert_string_equal(copy->out[0].from, "tmp/a");
    assert_string_equal(copy->out[0].to, ".");
    assert_true(copy_files_add_out(copy, "a.out:/x:y", &bench->err));
    assert_string_equal(copy->out[1].from, "root/a.out");
    assert_string_equal(copy->out[1].to, "/x:y");
    static const char *const wrong[] = {"", ":x", "/a:", "/", "/.", "/a/../b", "/a\nb", "//"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (copy_files_add_out(copy, wrong[i], &bench->err))
            fail_msg("\"%s\" was taken", wrong[i]);
    char header[COPY_HEADER_SIZE];
    copy_out_write_header(copy, header);
    assert_string_equal(header, "simos copy-out\n");
    assert_string_equal(header + BLOCK, "tmp/a\nroot/a.out\n\n");
}

/* Every colon may be part of a name on either side; rule: the last one before a slash, "./", "../", "." or "..", else
 * the last one. */
static void test_colons(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *text, *from, *to;
    } cases[] = {
        {"/root/10:30.log:.", "root/10:30.log", "."},
        {"/root/10:30.log:..", "root/10:30.log", ".."},
        {"/root/10:30.log:./", "root/10:30.log", "./"},
        {"/root/10:30.log:/tmp/d", "root/10:30.log", "/tmp/d"},
        {"/root/10:30.log:to", "root/10:30.log", "to"},
        {"10:30.log:to", "root/10:30.log", "to"},
        {"10:30.log:./to", "root/10:30.log", "./to"},
        {"10:30.log:../to", "root/10:30.log", "../to"},
        {"10:30:/a:b", "root/10:30", "/a:b"},
        {"10:30:./a:b", "root/10:30", "./a:b"},
        {"a:b:..c", "root/a:b", "..c"},
        {"a:/b:./c", "root/a:/b", "./c"},
        {"a::.", "root/a:", "."},
        {"a:...", "root/a", "..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct copy_files *copy = copy_files_create();
        if (!copy_files_add_out(copy, cases[i].text, &bench->err))
            fail_msg("%s: %s", cases[i].text, bench->err.text);
        assert_string_equal(copy->out[0].from, cases[i].from);
        assert_string_equal(copy->out[0].to, cases[i].to);
        copy_files_free(copy);
    }
    /* A folder that is not there is most likely the rest of a name: the message says what to write. */
    assert_true(copy_files_add_out(bench->copy, "/root/10:30.log", &bench->err));
    assert_false(copy_out_check(bench->copy, &bench->err));
    assert_non_null(strstr(bench->err.text, "folder 30.log: "));
    assert_non_null(strstr(bench->err.text, "write \":.\""));
}

static void test_folder_must_be_there(void **state)
{
    struct bench *bench = *state;
    assert_true(copy_files_add_out(bench->copy, "/a:to", &bench->err));
    assert_true(copy_out_check(bench->copy, &bench->err));
    assert_true(copy_files_add_out(bench->copy, "/a:nowhere", &bench->err));
    assert_false(copy_out_check(bench->copy, &bench->err));
    assert_non_null(strstr(bench->err.text, "nowhere"));
}

/* In */

/* A file of 1 TB with five blocks takes these on the disk; what the line, the list and the blocks say is the file.
 * Where the host has holes does not matter: the same disk from a file whose zeros were written. */
static void test_sparse(void **state)
{
    struct bench *bench = *state;
    static const uint64_t blocks[] = {0, 1, 77, 1000000, 16777215};
    static char disks[2][1 << 20];
    char line[COPY_SECTOR], block[65536];
    for (unsigned way = 0; way < 2; way++) {
        int fd = open("from", O_RDWR | O_CREAT | O_TRUNC, 0644);
        assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(pwrite(fd, "data", 4, (off_t)(blocks[i] * 65536 + 5 * i)), 4);
        if (way == 1) /* zeros that are there */
            assert_int_equal(pwrite(fd, disks[1], 300000, 20 * 65536), 300000);
        close(fd);
        struct copy_files *copy = copy_files_create();
        assert_true(copy_files_add_in(copy, "from:/tmp", &bench->err));
        if (!copy_in_pack(copy, 1000, &bench->err))
            fail_msg("%s", bench->err.text);
        unsigned long long length, list_at, list_size, first;
        assert_int_equal(pread(copy->stream, line, sizeof line, 0), sizeof line);
        assert_int_equal(sscanf(line, "simos copy-in %llu %llu %llu %llu\n", &length, &list_at, &list_size, &first), 4);
        assert_int_equal(list_at, length + COPY_SECTOR);
        assert_int_equal(pread(copy->stream, block, list_size, (off_t)list_at), list_size);
        block[list_size] = 0;
        assert_string_equal(block, "1099511627776 1000 4\n/tmp/from\n0 2 0\n77 1 2\n1000000 1 3\n16777215 1 4\n");
        assert_int_equal(copy->stream_size, (first + 5) * 65536);
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal(pread(copy->stream, block, 65536, (off_t)((first + i) * 65536)), 65536);
            assert_memory_equal(block + 5 * i, "data", 4);
        }
        assert_true(copy->stream_size <= sizeof disks[0]);
        assert_int_equal(pread(copy->stream, disks[way], copy->stream_size, 0), copy->stream_size);
        memset(disks[1 - way], 0, way ? 0 : sizeof disks[1]);
        copy_files_free(copy);
    }
    assert_memory_equal(disks[0], disks[1], sizeof disks[0]);
    unlink("from");
}

static void make_sources(bool other_order)
{
    assert_int_equal(mkdir("from", 0755), 0);
    assert_int_equal(mkdir("from/sub", 0755), 0);
    for (int i = 0; i < 8; i++) {
        char path[32];
        snprintf(path, sizeof path, "from/sub/%c", 'a' + (other_order ? 7 - i : i));
        write_file(path, path);
        assert_int_equal(chmod(path, 0644), 0);
    }
    assert_int_equal(symlink("sub/a", "from/l"), 0);
}

/* Read the stream; its length is in the disk's first sector. */
static size_t read_stream(const struct copy_files *copy, uint8_t *bytes, size_t size)
{
    char sector[BLOCK] = "";
    unsigned long long length;
    assert_int_equal(pread(copy->stream, sector, sizeof sector, 0), sizeof sector);
    assert_int_equal(sscanf(sector, COPY_IN_MAGIC " %llu\n", &length), 1);
    assert_true(length % BLOCK == 0 && length <= size);
    assert_int_equal(pread(copy->stream, bytes, length, BLOCK), length);
    return length;
}

/* The stream does not depend on creation order, times or owners of the files. */
static void test_stream_is_a_function_of_the_files(void **state)
{
    static uint8_t first[DISK], second[DISK];
    struct bench *bench = *state;
    make_sources(false);
    assert_true(copy_files_add_in(bench->copy, "from", &bench->err));
    assert_true(copy_in_pack(bench->copy, START, &bench->err));
    size_t length = read_stream(bench->copy, first, sizeof first);
    assert_int_equal(system("rm -r from"), 0);
    make_sources(true);
    const struct utimbuf times = {.actime = 1, .modtime = 2};
    assert_int_equal(utime("from/sub/c", &times), 0);
    struct copy_files *again = copy_files_create();
    assert_true(copy_files_add_in(again, "from", &bench->err));
    assert_true(copy_in_pack(again, START, &bench->err));
    assert_int_equal(read_stream(again, second, sizeof second), length);
    assert_memory_equal(first, second, length);
    copy_files_free(again);
    /* ustar header: name at 0, size at 124, time at 136, kind at 156 */
    assert_string_equal((char *)first, "root/from/");
    assert_int_equal(strtol((char *)first + 136, NULL, 8), START);
    assert_int_equal(first[156], '5');
    assert_string_equal((char *)first + BLOCK, "root/from/l");
    assert_int_equal(first[BLOCK + 156], '2');
    assert_string_equal((char *)first + 3 * BLOCK, "root/from/sub/a");
}

static void test_what_cannot_be_packed(void **state)
{
    static const char *const paths[] = {"nowhere", "pipe", "has-a-pipe", "/"};
    struct bench *bench = *state;
    assert_int_equal(mkfifo("pipe", 0666) | mkdir("has-a-pipe", 0777) | mkfifo("has-a-pipe/p", 0666), 0);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct copy_files *copy = copy_files_create();
        bench->err.text[0] = 0;
        assert_true(copy_files_add_in(copy, paths[i], &bench->err));
        assert_false(copy_in_pack(copy, START, &bench->err));
        if (!strstr(bench->err.text, paths[i]))
            fail_msg("%s: %s", paths[i], bench->err.text);
        copy_files_free(copy);
    }
}

/* Out */

/* Append a ustar header that claims SIZE bytes, and DATA. */
static void add_entry(struct bench *bench, const char *name, char kind, const char *link, const char *data, size_t size)
{
    char *header = (char *)bench->disk + bench->used;
    unsigned sum = 0;
    snprintf(header, 100, "%s", name);
    memcpy(header + 100, "0000644", 8);
    memcpy(header + 108, "0000000", 8);
    memcpy(header + 116, "0000000", 8);
    char octal[32];
    snprintf(octal, sizeof octal, "%011zo", size);
    memcpy(header + 124, octal, 12);
    memcpy(header + 136, "00000000000", 12);
    memset(header + 148, ' ', 8);
    header[156] = kind;
    snprintf(header + 157, 100, "%s", link);
    memcpy(header + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += (uint8_t)header[i];
    snprintf(header + 148, 8, "%06o", sum);
    memcpy(header + BLOCK, data, strlen(data));
    bench->used += BLOCK + (strlen(data) + BLOCK - 1) / BLOCK * BLOCK;
}

static void add_file(struct bench *bench, const char *name, const char *data)
{
    add_entry(bench, name, '0', "", data, strlen(data));
}

static bool read_disk(void *opaque, uint64_t offset, void *buffer, uint32_t size)
{
    const struct bench *bench = opaque;
    if (offset > DISK || size > DISK - offset)
        return false;
    memcpy(buffer, bench->disk + offset, size);
    return true;
}

static bool unpack(struct bench *bench)
{
    bench->err.text[0] = 0;
    return copy_out_unpack(bench->copy, read_disk, bench, DISK, &bench->err);
}

static void test_unpacks_what_was_asked_for(void **state)
{
    struct bench *bench = *state;
    assert_true(copy_files_add_out(bench->copy, "/tmp/a:to", &bench->err));
    assert_true(copy_files_add_out(bench->copy, "/tmp:to", &bench->err));
    add_file(bench, "tmp/a", "first");
    add_entry(bench, "./tmp/", '5', "", "", 0);
    add_file(bench, "tmp/d/b", "second");
    add_file(bench, "tmpx", "not requested");
    add_entry(bench, "tmp/h", '1', "tmp/a", "", 0);
    assert_true(unpack(bench));
    assert_holds("to/a", "first");
    assert_holds("to/tmp/a", "first");
    assert_holds("to/tmp/d/b", "second");
    assert_holds("to/tmp/h", "first");
    assert_int_not_equal(access("to/tmpx", F_OK), 0);
}

static void test_missing_files_are_said(void **state)
{
    struct bench *bench = *state;
    assert_true(copy_files_add_out(bench->copy, "/tmp/a:to", &bench->err));
    assert_true(copy_files_add_out(bench->copy, "/tmp/b:to", &bench->err));
    add_file(bench, "tmp/b", "there");
    assert_false(unpack(bench));
    assert_non_null(strstr(bench->err.text, "/tmp/a: the guest has no such file"));
    assert_holds("to/b", "there"); /* a missing file does not prevent copying the others */
    copy_out_write_header(bench->copy, (char *)bench->disk);
    assert_false(unpack(bench));
    assert_non_null(strstr(bench->err.text, "before the guest"));
}

/* Entries that would leave the folder, and entries that are no files, are skipped and reported; the others are
 * copied. */
static void test_hostile_entries(void **state)
{
    struct bench *bench = *state;
    write_file("victim", "safe");
    assert_true(copy_files_add_out(bench->copy, "/d:to", &bench->err));
    add_file(bench, "d/../../victim", "bad");
    add_file(bench, "d/..", "bad");
    add_file(bench, "/d/x", "bad");
    add_file(bench, "../victim", "bad");
    add_entry(bench, "d/link", '2', "../../..", "", 0);
    add_file(bench, "d/link/victim", "inside");
    add_entry(bench, "d/up", '2', "..", "", 0);
    add_file(bench, "d/up/victim", "bad");
    add_entry(bench, "d/hard", '1', "../victim", "", 0);
    add_entry(bench, "d/hard2", '1', "d/../../victim", "", 0);
    add_entry(bench, "d/pipe", '6', "", "", 0);
    add_entry(bench, "d/disk", '4', "", "", 0);
    add_entry(bench, "d/tty", '3', "", "", 0);
    add_file(bench, "d/good", "good");
    assert_false(unpack(bench));
    assert_holds("to/d/good", "good");
    assert_holds("victim", "safe");
    static const char *const absent[] = {"to/victim", "to/x",      "to/d/hard", "to/d/hard2",
                                         "to/d/pipe", "to/d/disk", "to/d/tty"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        if (access(absent[i], F_OK) == 0)
            fail_msg("%s is there", absent[i]);
    struct stat status;
    /* a folder, made for "inside", not the link */
    assert_true(lstat("to/d/link", &status) == 0 && S_ISDIR(status.st_mode));
}

static void test_sizes_are_bounded(void **state)
{
    struct bench *bench = *state;
    assert_true(copy_files_add_out(bench->copy, "/d:to", &bench->err));
    add_entry(bench, "d/huge", '0', "", "x", 077777777777);
    assert_false(unpack(bench));
    assert_int_not_equal(access("to/d/huge", F_OK), 0);
    bench->used = 0;
    memset(bench->disk, 0, sizeof bench->disk);
    add_entry(bench, "d/cut", '0', "", "x", DISK - BLOCK + 1); /* ends behind the disk */
    assert_false(unpack(bench));
    assert_int_not_equal(access("to/d/cut", F_OK), 0);
    assert_int_not_equal(access("to/d/.simos-copy-out", F_OK), 0);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Arbitrary bytes: nothing appears outside the folder, and nothing crashes (see the sanitizer build). */
static void test_random_streams(void **state)
{
    struct bench *bench = *state;
    uint32_t seed = 1;
    static uint8_t whole[DISK];
    assert_true(copy_files_add_out(bench->copy, "/d:to", &bench->err));
    add_entry(bench, "d/", '5', "", "", 0);
    add_file(bench, "d/a", "some text");
    add_entry(bench, "d/l", '2', "a", "", 0);
    add_entry(bench, "././@LongLink", 'L', "", "d/long", 7);
    add_file(bench, "d/short", "named by the entry before");
    add_entry(bench, "d/pax", 'x', "", "20 path=d/from-pax\n\n", 20);
    add_file(bench, "d/h", "x");
    add_entry(bench, "d/h2", '1', "d/h", "", 0);
    memcpy(whole, bench->disk, sizeof whole);
    int messages = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_int_equal(dup2(nowhere, STDERR_FILENO), STDERR_FILENO);
    for (int round = 0; round < 3000; round++) {
        memcpy(bench->disk, whole, sizeof whole);
        for (uint32_t i = 0, count = 1 + next_random(&seed) % 6; i < count; i++) {
            size_t entry = next_random(&seed) % bench->used / BLOCK * BLOCK;
            bench->disk[entry + next_random(&seed) % BLOCK] =
                (uint8_t)(next_random(&seed) % 3 ? '0' + i : next_random(&seed));
            unsigned sum = 8 * ' '; /* mostly with a valid header */
            for (size_t at = 0; at < BLOCK; at++)
                sum += at >= 148 && at < 156 ? 0 : bench->disk[entry + at];
            if (next_random(&seed) % 4)
                snprintf((char *)bench->disk + entry + 148, 8, "%06o", sum);
        }
        unpack(bench);
    }
    assert_int_equal(dup2(messages, STDERR_FILENO), STDERR_FILENO);
    close(messages);
    close(nowhere);
    int count = 0;
    FILE *list = popen("ls -A", "r");
    char line[64];
    while (fgets(line, sizeof line, list))
        count++;
    pclose(list);
    assert_int_equal(count, 1); /* only the folder "to" itself */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests_in, setup, teardown),
        cmocka_unit_test_setup_teardown(test_requests_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_colons, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sparse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folder_must_be_there, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_is_a_function_of_the_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_packed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unpacks_what_was_asked_for, setup, teardown),
        cmocka_unit_test_setup_teardown(test_missing_files_are_said, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile_entries, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_random_streams, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
