/*
 * What a guest writes for --copy-out: a tar stream that is unpacked below a folder of the host, and nowhere else. An
 * input is the disk that it is on; checksums of its headers are made right if its first byte, which is not of the disk,
 * is even.
 *
 * The folder is in the working directory, which has nothing else in it, before and afterwards: what is there besides
 * was written outside.
 */
#include "src/host/copy_files.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define FOLDER "copied"

enum { BLOCK = 512, CHECKSUM = 148, CHECKSUM_DIGITS = 8 };

static struct {
    uint8_t *bytes;
    size_t size;
} disk;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

static bool read_disk(void *opaque, uint64_t offset, void *buffer, uint32_t size)
{
    (void)opaque;
    if (offset > disk.size || size > disk.size - offset)
        return false;
    memcpy(buffer, disk.bytes + offset, size);
    return true;
}

/* In every block that says it is a header. */
static void make_checksums(void)
{
    for (size_t at = 0; at + BLOCK <= disk.size; at += BLOCK) {
        uint8_t *block = disk.bytes + at;
        unsigned sum = 0;
        if (memcmp(block + 257, "ustar", 5) != 0)
            continue;
        memset(block + CHECKSUM, ' ', CHECKSUM_DIGITS);
        for (unsigned i = 0; i < BLOCK; i++)
            sum += block[i];
        snprintf((char *)block + CHECKSUM, CHECKSUM_DIGITS, "%06o", sum);
    }
}

static int open_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (S_ISREG(status->st_mode) && status->st_mode & (S_ISUID | S_ISGID))
        fuzz_fail("a file with privileges", path);
    if (kind == FTW_DNR || S_ISDIR(status->st_mode))
        chmod(path, 0700);
    return 0;
}

static void check_outside(void)
{
    const struct dirent *entry;
    DIR *here = checked_memory(opendir("."));
    while ((entry = readdir(here)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, FOLDER) != 0)
            fuzz_fail("written outside", entry->d_name);
    closedir(here);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct err err = {""};
    if (size < 2)
        return 0;
    disk.size = (size - 1 + BLOCK - 1) / BLOCK * BLOCK;
    disk.bytes = checked_memory(calloc(1, disk.size));
    memcpy(disk.bytes, input + 1, size - 1);
    if (input[0] % 2 == 0)
        make_checksums();
    struct copy_files *copy = copy_files_create();
    if (TEMP_FAILURE_RETRY(mkdir(FOLDER, 0700)) != 0 || !copy_files_add_out(copy, "/root/a:" FOLDER, &err) ||
        !copy_files_add_out(copy, "/b:" FOLDER, &err))
        fuzz_fail("no folder to copy to", *err.text ? err.text : strerror(errno));
    fuzz_check(copy_out_unpack(copy, read_disk, NULL, disk.size, &err), &err);
    copy_files_free(copy);
    nftw(FOLDER, open_one, 16, FTW_PHYS);
    nftw(FOLDER, fuzz_remove_one, 16, FTW_PHYS | FTW_DEPTH);
    check_outside();
    free(disk.bytes);
    return 0;
}
