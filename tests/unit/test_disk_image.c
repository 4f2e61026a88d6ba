/* Disk images: the guest's view, and that the file does not change. */
#include "devices/disk/disk_image.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum { BLOCKS = 600, TAIL = 1024, SIZE = BLOCKS * DISK_BLOCK_SIZE + TAIL };

struct file {
    char path[64];
    uint8_t bytes[SIZE];
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void make_file(char *path, const uint8_t *bytes, size_t size)
{
    strcpy(path, P_tmpdir "/simos-disk-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

static int setup(void **state)
{
    struct file *file = calloc(1, sizeof *file);
    uint32_t seed = 1;
    for (size_t i = 0; i < SIZE; i++)
        file->bytes[i] = (uint8_t)next_random(&seed);
    make_file(file->path, file->bytes, SIZE);
    *state = file;
    return 0;
}

static int teardown(void **state)
{
    struct file *file = *state;
    unlink(file->path);
    free(file);
    return 0;
}

static void assert_file_holds(const struct file *file, const uint8_t *bytes)
{
    uint8_t *now = malloc(SIZE + 1);
    FILE *in = fopen(file->path, "rb");
    assert_non_null(in);
    assert_int_equal(fread(now, 1, SIZE + 1, in), SIZE);
    fclose(in);
    assert_memory_equal(now, bytes, SIZE);
    free(now);
}

static void assert_refused(const char *path, enum disk_mode mode, const char *reason)
{
    struct err err = {""};
    assert_null(disk_image_open(path, mode, &err));
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, reason));
    assert_null(strchr(err.text, '\n'));
}

static void test_refused(void **state)
{
    char path[64];
    uint8_t bytes[1000] = {0};
    (void)state;
    assert_refused("/nonexistent/disk.img", DISK_COPY_ON_WRITE, "No such file");
    assert_refused(P_tmpdir, DISK_COPY_ON_WRITE, "not a regular file or block device");
    make_file(path, bytes, 1000);
    assert_refused(path, DISK_COPY_ON_WRITE, "1000 bytes");
    unlink(path);
    make_file(path, bytes, 0);
    assert_refused(path, DISK_READ_ONLY, "0 bytes");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(path, DISK_READ_ONLY, "not a regular file or block device"); /* opening does not wait for a writer */
    unlink(path);
}

static void test_copy_on_write(void **state)
{
    struct file *file = *state;
    uint8_t buffer[10000], *model = malloc(SIZE);
    struct disk_image *image = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    uint32_t seed = 2;
    assert_non_null(image);
    assert_int_equal(disk_image_sectors(image), SIZE / 512);
    assert_false(disk_image_is_read_only(image));
    memcpy(model, file->bytes, SIZE);
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t offset = next_random(&seed) % SIZE;
        uint32_t size = next_random(&seed) % sizeof buffer;
        if (size > SIZE - offset)
            size = (uint32_t)(SIZE - offset);
        if (i % 3) {
            assert_true(disk_image_read(image, offset, buffer, size));
            assert_memory_equal(buffer, model + offset, size);
        } else {
            for (uint32_t k = 0; k < size; k++)
                buffer[k] = (uint8_t)next_random(&seed);
            assert_true(disk_image_write(image, offset, buffer, size));
            memcpy(model + offset, buffer, size);
        }
        assert_true(disk_image_overlay_bytes(image) <= (BLOCKS + 1) * (uint64_t)DISK_BLOCK_SIZE);
    }
    assert_true(disk_image_overlay_bytes(image) > BLOCKS / 2 * (uint64_t)DISK_BLOCK_SIZE);
    assert_true(disk_image_flush(image));
    uint8_t *all = malloc(SIZE);
    assert_true(disk_image_read(image, 0, all, SIZE));
    assert_memory_equal(all, model, SIZE);
    assert_file_holds(file, file->bytes);
    disk_image_close(image);

    image = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL); /* the changes were discarded */
    assert_true(disk_image_read(image, 0, all, SIZE));
    assert_memory_equal(all, file->bytes, SIZE);
    disk_image_close(image);
    free(all);
    free(model);
}

static void test_last_short_block(void **state)
{
    struct file *file = *state;
    uint8_t sector[512], buffer[TAIL];
    struct disk_image *image = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    memset(sector, 0xab, sizeof sector);
    assert_true(disk_image_write(image, SIZE - 512, sector, 512));
    assert_int_equal(disk_image_overlay_bytes(image), DISK_BLOCK_SIZE);
    assert_true(disk_image_read(image, SIZE - TAIL, buffer, TAIL));
    assert_memory_equal(buffer, file->bytes + SIZE - TAIL, TAIL - 512);
    assert_memory_equal(buffer + TAIL - 512, sector, 512);
    disk_image_close(image);
}

static void test_range(void **state)
{
    struct file *file = *state;
    uint8_t byte = 0;
    struct disk_image *image = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    assert_true(disk_image_read(image, SIZE - 1, &byte, 1));
    assert_true(disk_image_read(image, SIZE, &byte, 0));
    assert_false(disk_image_read(image, SIZE, &byte, 1));
    assert_false(disk_image_read(image, SIZE + 1, &byte, 0));
    assert_false(disk_image_read(image, UINT64_MAX, &byte, 1));
    assert_false(disk_image_read(image, 1, &byte, UINT32_MAX));
    assert_false(disk_image_write(image, SIZE, &byte, 1));
    assert_false(disk_image_write(image, UINT64_MAX - 10, &byte, UINT32_MAX));
    assert_int_equal(disk_image_overlay_bytes(image), 0);
    disk_image_close(image);
}

static void test_read_only(void **state)
{
    struct file *file = *state;
    uint8_t buffer[512] = {0};
    struct disk_image *image = disk_image_open(file->path, DISK_READ_ONLY, NULL);
    assert_true(disk_image_is_read_only(image));
    assert_false(disk_image_write(image, 0, buffer, 512));
    assert_true(disk_image_read(image, 0, buffer, 512));
    assert_memory_equal(buffer, file->bytes, 512);
    disk_image_close(image);
    assert_file_holds(file, file->bytes);
}

static void test_write_through(void **state)
{
    struct file *file = *state;
    uint8_t buffer[5000];
    struct disk_image *image = disk_image_open(file->path, DISK_WRITE_THROUGH, NULL);
    memset(buffer, 0xcd, sizeof buffer);
    assert_true(disk_image_write(image, 3000, buffer, sizeof buffer));
    assert_false(disk_image_write(image, SIZE - 1000, buffer, sizeof buffer));
    assert_true(disk_image_flush(image));
    memcpy(file->bytes + 3000, buffer, sizeof buffer);
    assert_file_holds(file, file->bytes);
    assert_int_equal(disk_image_overlay_bytes(image), 0);
    disk_image_close(image);
}

static void test_two_images_of_one_file(void **state)
{
    struct file *file = *state;
    uint8_t buffer[512] = {1, 2, 3}, other[512];
    struct disk_image *a = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    struct disk_image *b = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    assert_true(disk_image_write(a, 0, buffer, 512));
    assert_true(disk_image_read(b, 0, other, 512));
    assert_memory_equal(other, file->bytes, 512);
    disk_image_close(a);
    disk_image_close(b);
}

static void test_file_cut_under_way(void **state)
{
    struct file *file = *state;
    uint8_t buffer[512];
    struct disk_image *image = disk_image_open(file->path, DISK_COPY_ON_WRITE, NULL);
    assert_int_equal(truncate(file->path, 8192), 0);
    assert_true(disk_image_read(image, 8192 - 512, buffer, 512));
    assert_false(disk_image_read(image, 8192, buffer, 512));
    assert_false(disk_image_write(image, 8192, buffer, 512)); /* the file ends within the block */
    assert_int_equal(disk_image_overlay_bytes(image), 0);
    disk_image_close(image);
}

/* Two writers, or a writer and a reader, of one file are rejected. */
static void test_one_writer(void **state)
{
    struct file *file = *state;
    static const enum disk_mode modes[] = {DISK_COPY_ON_WRITE, DISK_READ_ONLY, DISK_WRITE_THROUGH};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct err err = {""};
        struct disk_image *first = disk_image_open(file->path, DISK_WRITE_THROUGH, NULL);
        assert_non_null(first);
        assert_null(disk_image_open(file->path, modes[i], &err));
        assert_non_null(strstr(err.text, file->path));
        assert_non_null(strstr(err.text, "in use"));
        disk_image_close(first);
        struct disk_image *again = disk_image_open(file->path, modes[i], NULL);
        assert_non_null(again);
        assert_null(disk_image_open(file->path, DISK_WRITE_THROUGH, NULL));
        disk_image_close(again);
    }
}

/* A disk without a file, with generated content. */
static void test_memory(void **state)
{
    (void)state;
    uint8_t sector[512] = {7, 8, 9}, back[512];
    int fd = memfd_create("disk", MFD_CLOEXEC);
    assert_null(disk_image_open_fd(dup(fd), DISK_READ_ONLY, "empty", NULL));
    assert_int_equal(ftruncate(fd, 64 * 512), 0);
    struct disk_image *image = disk_image_open_fd(fd, DISK_WRITE_THROUGH, "made here", NULL);
    assert_int_equal(disk_image_sectors(image), 64);
    assert_true(disk_image_write(image, 512, sector, 512) && disk_image_flush(image));
    assert_true(disk_image_read(image, 512, back, 512));
    assert_memory_equal(back, sector, 512);
    disk_image_close(image);
}

/* A full host disk (here: the file size limit) is an I/O error, and existing data stays. */
static void test_file_may_not_be_written(void **state)
{
    struct file *file = *state;
    const struct rlimit limit = {.rlim_cur = 8192, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    uint8_t sector[512] = {1, 2, 3};
    struct disk_image *image = disk_image_open(file->path, DISK_WRITE_THROUGH, NULL);
    signal(SIGXFSZ, SIG_IGN); /* as the simulator does */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool inside = disk_image_write(image, 4096, sector, 512), outside = disk_image_write(image, 8192, sector, 512);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(inside);
    assert_false(outside);
    int reason;
    assert_int_equal(disk_image_finish(image, &reason), 1);
    assert_int_equal(reason, EFBIG);
    memcpy(file->bytes + 4096, sector, 512);
    assert_file_holds(file, file->bytes);
    disk_image_close(image);
}

/* Images of other formats, by their marks as their specifications give them, are refused with the command that makes a
 * raw one; whatever their size, and whether the guest may write or not. Another mark at the same place is nothing. */
static void test_other_formats(void **state)
{
    (void)state;
    static const struct {
        const char *name, *command, *mark;
        size_t length;
        int at; /* negative: from the end */
    } formats[] = {
        {"qcow", "qemu-img convert -O raw ", "QFI\xfb\0\0\0\3", 8, 0},
        {"VMDK", "qemu-img convert -O raw ", "KDMV\1\0\0\0", 8, 0},
        {"VMDK", "qemu-img convert -O raw ", "# Disk DescriptorFile\n", 22, 0},
        {"VDI", "qemu-img convert -O raw ", "\x7f\x10\xda\xbe", 4, 64},
        {"VHDX", "qemu-img convert -O raw ", "vhdxfile", 8, 0},
        {"VHD", "qemu-img convert -O raw ", "conectix", 8, 0},
        {"VHD", "qemu-img convert -O raw ", "conectix", 8, -512},
        {"gzip", "gzip -dc ", "\x1f\x8b\x08\0", 4, 0},
        {"xz", "xz -dc ", "\xfd\x37\x7a\x58\x5a\0", 6, 0},
        {"bzip2", "bzip2 -dc ", "BZh9", 4, 0},
        {"zstd", "zstd -dc ", "\x28\xb5\x2f\xfd", 4, 0},
        {"zip", "unzip -p ", "PK\3\4", 4, 0},
    };
    static uint8_t bytes[8192 + 100], before[sizeof bytes];
    for (size_t i = 0; i < 3 * sizeof formats / sizeof formats[0]; i++) {
        const size_t size = i % 3 ? 8192 : sizeof bytes, n = i / 3;
        const size_t at = formats[n].at < 0 ? size - (size_t)-formats[n].at : (size_t)formats[n].at;
        struct err err = {""};
        char path[64];
        memset(bytes, 0x55, sizeof bytes);
        memcpy(bytes + at, formats[n].mark, formats[n].length);
        memcpy(before, bytes, sizeof bytes);
        make_file(path, bytes, size);
        assert_null(disk_image_open(path, i % 3 == 1 ? DISK_WRITE_THROUGH : DISK_COPY_ON_WRITE, &err));
        if (!strstr(err.text, path) || !strstr(err.text, formats[n].name) || !strstr(err.text, formats[n].command) ||
            strchr(err.text, '\n'))
            fail_msg("%s: %s", formats[n].name, err.text);
        unlink(path);
        bytes[at] ^= 1;
        make_file(path, bytes, 8192);
        struct disk_image *image = size == 8192 ? disk_image_open(path, DISK_READ_ONLY, &err) : NULL;
        if (size == 8192)
            assert_non_null(image);
        disk_image_close(image);
        unlink(path);
    }
}

#define DISK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DISK_TEST(test_refused),
        DISK_TEST(test_copy_on_write),
        DISK_TEST(test_last_short_block),
        DISK_TEST(test_range),
        DISK_TEST(test_read_only),
        DISK_TEST(test_write_through),
        DISK_TEST(test_two_images_of_one_file),
        DISK_TEST(test_file_cut_under_way),
        DISK_TEST(test_file_may_not_be_written),
        DISK_TEST(test_one_writer),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_other_formats),
    };
    return cmocka_run_group_tests_name("disk_image", tests, NULL, NULL);
}
