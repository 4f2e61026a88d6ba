/* Which partition of a disk holds the root file system: GPT and MBR, tables that lie, disks without one. */
#include "devices/disk/disk_partitions.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include "tests/unit/test.h"

enum { SECTORS = 4096, SECTOR = 512 };

static uint8_t disk[SECTORS * SECTOR];

static void put(size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        disk[at + i] = (uint8_t)(value >> 8 * i);
}

static void put_ext(uint64_t sector)
{
    put(sector * SECTOR + 1024 + 56, 0xef53, 2);
}

static void put_mbr(uint64_t sector, unsigned entry, unsigned type, uint32_t start, uint32_t count)
{
    size_t at = sector * SECTOR + 446 + 16 * entry;
    disk[at + 4] = (uint8_t)type;
    put(at + 8, start, 4);
    put(at + 12, count, 4);
    put(sector * SECTOR + 510, 0xaa55, 2);
}

/* Types as UEFI and the Discoverable Partitions Specification print them. */
#define LINUX                                                                                                          \
    "\xaf\x3d\xc6\x0f\x83\x84\x72\x47\x8e\x79\x3d\x69\xd8\x47\x7d\xe4" /* 0fc63daf-8483-4772-8e79-3d69d8477de4 */
#define ROOT                                                                                                           \
    "\x8a\x8d\xc5\x37\x13\xd9\x56\x41\xa2\x5f\x48\xb1\xb6\x4e\x07\xf0" /* 37c58c8a-d913-4156-a25f-48b1b64e07f0 */

static void put_gpt_entry(unsigned entry, const char *type, uint64_t first, uint64_t last)
{
    memcpy(disk + 2 * SECTOR + entry * 128, type, 16);
    put(2 * SECTOR + entry * 128 + 32, first, 8);
    put(2 * SECTOR + entry * 128 + 40, last, 8);
}

static void seal_gpt(void)
{
    put_mbr(0, 0, 0xee, 1, SECTORS - 1);
    memcpy(disk + SECTOR, "EFI PART\0\0\1\0\x5c\0\0\0", 16);
    put(SECTOR + 72, 2, 8);
    put(SECTOR + 80, 128, 4);
    put(SECTOR + 84, 128, 4);
    put(SECTOR + 88, (uint32_t)crc32(0, disk + 2 * SECTOR, 128 * 128), 4);
    put(SECTOR + 16, 0, 4);
    put(SECTOR + 16, (uint32_t)crc32(0, disk + SECTOR, 92), 4);
}

static unsigned root_of_disk(void)
{
    struct err err = {""};
    int fd = memfd_create("disk", 0);
    assert_int_equal(write(fd, disk, sizeof disk), sizeof disk);
    struct disk_image *image = disk_image_open_fd(fd, DISK_COPY_ON_WRITE, "disk", &err);
    assert_non_null(image);
    unsigned number = disk_root_partition(image);
    disk_image_close(image);
    return number;
}

static int clear(void **state)
{
    (void)state;
    memset(disk, 0, sizeof disk);
    return 0;
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(root_of_disk(), 0);
    put_ext(0);
    assert_int_equal(root_of_disk(), 0);
    put_mbr(0, 0, 0x83, 100, 100); /* a file system over the whole disk wins over what is left of a table */
    put_ext(100);
    assert_int_equal(root_of_disk(), 0);
}

static void test_mbr(void **state)
{
    (void)state;
    put_mbr(0, 0, 0x83, 100, 100);
    put_mbr(0, 1, 0x82, 200, 1000);
    assert_int_equal(root_of_disk(), 0); /* no file system */
    put_ext(100);
    assert_int_equal(root_of_disk(), 1);
    put_mbr(0, 2, 0x83, 1300, 100);
    put_ext(1300);
    assert_int_equal(root_of_disk(), 1); /* among equals the first */
    put_mbr(0, 2, 0x83, 1300, 101);
    assert_int_equal(root_of_disk(), 3); /* the largest */
    put_mbr(0, 3, 0x83, 1500, SECTORS);
    put_ext(1500);
    assert_int_equal(root_of_disk(), 3); /* one that leaves the disk is none */
}

static void test_logical(void **state)
{
    (void)state;
    put_mbr(0, 0, 0x83, 100, 100);
    put_ext(100);
    put_mbr(0, 1, 0x05, 1000, 3000);
    put_mbr(1000, 0, 0x83, 10, 50);
    put_ext(1010);
    put_mbr(1000, 1, 0x05, 500, 600);
    put_mbr(1500, 0, 0x83, 10, 500);
    put_ext(1510);
    assert_int_equal(root_of_disk(), 6);
    put_mbr(1500, 1, 0x05, 500, 600); /* a list that never ends */
    assert_int_equal(root_of_disk(), 6);
    put_mbr(1500, 1, 0x05, 0xffffffff, 600);
    assert_int_equal(root_of_disk(), 6);
}

static void test_gpt(void **state)
{
    (void)state;
    put_gpt_entry(0, LINUX, 100, 199);
    put_gpt_entry(3, LINUX, 200, 999);
    put_gpt_entry(4, LINUX, 1000, 1009);
    put_ext(200);
    put_ext(1000);
    seal_gpt();
    assert_int_equal(root_of_disk(), 4);
    put_gpt_entry(4, ROOT, 1000, 1009);
    seal_gpt();
    assert_int_equal(root_of_disk(), 5); /* by its type, however small */
}

static void test_gpt_that_lies(void **state)
{
    (void)state;
    put_gpt_entry(0, LINUX, 100, 199);
    put_gpt_entry(1, LINUX, 300, 200);
    put_gpt_entry(2, LINUX, 300, UINT64_MAX);
    put_gpt_entry(3, LINUX, UINT64_MAX - 1, UINT64_MAX);
    put_ext(100);
    put_ext(300);
    seal_gpt();
    assert_int_equal(root_of_disk(), 1);
    for (size_t at = SECTOR; at < 2 * SECTOR + 128; at += at < SECTOR + 96 ? 1 : 7) { /* no damaged byte is used */
        if (at >= SECTOR + 92 && at < 2 * SECTOR)
            continue;
        disk[at] ^= 0x40;
        assert_int_equal(root_of_disk(), 0);
        disk[at] ^= 0x40;
    }
    static const struct {
        size_t at;
        uint64_t value;
    } sealed[] = {{12, 8192},       {12, 8}, {72, UINT64_MAX}, {72, SECTORS}, {80, 0},
                  {80, UINT32_MAX}, {84, 0}, {84, 100},        {84, 1u << 31}};
    for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
        uint8_t before[SECTOR];
        memcpy(before, disk + SECTOR, SECTOR);
        put(SECTOR + sealed[i].at, sealed[i].value, sealed[i].at == 72 ? 8 : 4);
        put(SECTOR + 16, 0, 4);
        put(SECTOR + 16, (uint32_t)crc32(0, disk + SECTOR, 92), 4);
        assert_int_equal(root_of_disk(), 0);
        memcpy(disk + SECTOR, before, SECTOR);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_none, clear),          cmocka_unit_test_setup(test_mbr, clear),
        cmocka_unit_test_setup(test_logical, clear),       cmocka_unit_test_setup(test_gpt, clear),
        cmocka_unit_test_setup(test_gpt_that_lies, clear),
    };
    return cmocka_run_group_tests_name("disk_partitions", tests, NULL, NULL);
}
