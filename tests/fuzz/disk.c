/*
 * Disk images and the files of their overlays: `--disk FILE`, `--disk FILE,overlay=FILE`. An input is
 *
 *     8    bytes of the image, which has some of the input at its begin and no more
 *     1    even: the header of the overlay is made to fit the image; below 128: of the image's size the lowest 17 bits
 * count 40   that header 11   each of eight requests: offset (8), length in 64 bytes (1), whether it writes (1),
 * whether it flushes (1)
 *     ...  the overlay's index and blocks
 */
#include "devices/disk/disk_file.h"
#include "devices/disk/disk_image.h"
#include "tests/fuzz/fuzz.h"

enum { WHOLE_SIZE = 128, SMALL_SIZE = 0x7fff };
enum { HEADER_BYTES = 40, SIZE = 16, FINGERPRINT = 24, CHECKSUM = 32, REQUESTS = 8, REQUEST_BYTES = 11 };

static struct fuzz_file image, overlay;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    image = fuzz_file_create();
    overlay = fuzz_file_create();
    return 0;
}

static void make_fit(uint8_t header[HEADER_BYTES], uint64_t size)
{
    uint64_t fingerprint = 0;
    disk_file_fingerprint(image.fd, size, &fingerprint);
    memcpy(header + SIZE, &size, sizeof size);
    memcpy(header + FINGERPRINT, &fingerprint, sizeof fingerprint);
    uint64_t checksum = disk_file_fnv1a(DISK_FILE_FNV1A_INIT, header, CHECKSUM);
    memcpy(header + CHECKSUM, &checksum, sizeof checksum);
}

static void request(struct disk_image *disk, const uint8_t bytes[REQUEST_BYTES])
{
    static uint8_t buffer[256 * 64], again[256 * 64];
    uint64_t offset;
    uint32_t length = bytes[8] * 64u;
    memcpy(&offset, bytes, sizeof offset);
    if (bytes[9] & 1) {
        memset(buffer, bytes[8], length);
        if (disk_image_write(disk, offset, buffer, length) &&
            (!disk_image_read(disk, offset, again, length) || memcmp(buffer, again, length) != 0))
            fuzz_fail("disk", "what was written is not there");
    } else {
        disk_image_read(disk, offset, buffer, length);
    }
    if (bytes[10] & 1)
        disk_image_flush(disk);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint64_t bytes;
    uint8_t kind, header[HEADER_BYTES], requests[REQUESTS][REQUEST_BYTES];
    struct err err = {""};
    fuzz_take(&input, &size, &bytes, sizeof bytes);
    fuzz_take(&input, &size, &kind, 1);
    fuzz_take(&input, &size, header, sizeof header);
    fuzz_take(&input, &size, requests, sizeof requests);
    fuzz_file_fill(&image, input, size);
    bytes &= kind < WHOLE_SIZE ? SMALL_SIZE : INT64_MAX;
    if (ftruncate(image.fd, (off_t)bytes) != 0)
        return -1; /* the host has no such files */
    if (kind % 2 == 0)
        make_fit(header, bytes);
    fuzz_file_fill(&overlay, header, kind % 16 == 4 ? 0 : sizeof header);
    if (pwrite(overlay.fd, input, size, 4096) != (ssize_t)size)
        fuzz_fail("overlay", "cannot be written");
    if (kind % 16 == 4 && ftruncate(overlay.fd, 0) != 0) /* a new one */
        fuzz_fail("overlay", "cannot be emptied");
    struct disk_image *disk = kind % 16 == 5   ? disk_image_open(image.path, DISK_WRITE_THROUGH, &err)
                              : kind % 16 == 7 ? disk_image_open(image.path, DISK_READ_ONLY, &err)
                              : kind % 16 == 9 ? disk_image_open(image.path, DISK_COPY_ON_WRITE, &err)
                                               : disk_image_open_overlay(image.path, overlay.path, &err);
    fuzz_check(disk, &err);
    for (unsigned i = 0; disk && i < REQUESTS; i++)
        request(disk, requests[i]);
    if (disk)
        disk_image_has_ext(disk);
    disk_image_close(disk);
    return 0;
}
