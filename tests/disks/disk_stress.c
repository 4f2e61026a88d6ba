/*
 * Stress of the disks from within the guest, past its caches (O_DIRECT); the same program, compiled for the host, looks
 * at the images afterwards.
 *
 *   disk_stress stress SEED REQUESTS DEVICE...   four processes a device, each in its own part of the first 16 MB:
 *                                                random writes, reads that are compared, fdatasync; then all of it is
 *                                                read once more. Prints "DEVICE PART DIGEST" for each part.
 *   disk_stress digest IMAGE PART                the digest of a part as an image holds it
 *   disk_stress journal DEVICE                   for ever: records one after the other, an fdatasync after every few,
 *                                                then "flushed N" on standard output
 *   disk_stress check DEVICE N                   are the first N records of a journal there?
 *
 * Exit status 0, or 1 with a line that says what is wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECTOR = 512, PARTS = 4, PART_SECTORS = 8192, MOST = 64, JOURNAL_BYTES = 4096, JOURNAL_RECORDS = 4000 };

static uint32_t versions[PART_SECTORS];
static uint8_t *buffer; /* aligned, MOST sectors */

static _Noreturn void die(const char *what, uint64_t number)
{
    printf("disk_stress: %s at %llu: %s\n", what, (unsigned long long)number, strerror(errno));
    fflush(stdout);
    _exit(1);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* Every 16 bytes of SIZE say whose they are, which version, and where in it. */
static void stamp(uint8_t *bytes, uint32_t size, uint64_t number, uint32_t version)
{
    for (uint32_t i = 0; i < size; i += 16) {
        memcpy(bytes + i, &number, 8);
        memcpy(bytes + i + 8, &version, 4);
        memcpy(bytes + i + 12, &i, 4);
    }
}

/* Are SIZE bytes what was stamped? Version 0 was never written: zeros. */
static int is_stamped(const uint8_t *bytes, uint32_t size, uint64_t number, uint32_t version)
{
    uint8_t expected[JOURNAL_BYTES] = {0};
    if (version)
        stamp(expected, size, number, version);
    return memcmp(bytes, expected, size) == 0;
}

static uint64_t digest(uint64_t sum, uint64_t number, uint32_t version)
{
    return (sum ^ (number << 32 ^ version)) * 0x100000001b3u;
}

static void do_write(int fd, uint64_t base, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        stamp(buffer + i * SECTOR, SECTOR, base + first + i, ++versions[first + i]);
    if (pwrite(fd, buffer, count * SECTOR, (off_t)((base + first) * SECTOR)) != (ssize_t)(count * SECTOR))
        die("write", base + first);
}

static void do_read(int fd, uint64_t base, uint32_t first, uint32_t count)
{
    memset(buffer, 0xee, count * SECTOR);
    if (pread(fd, buffer, count * SECTOR, (off_t)((base + first) * SECTOR)) != (ssize_t)(count * SECTOR))
        die("read", base + first);
    for (uint32_t i = 0; i < count; i++)
        if (!is_stamped(buffer + i * SECTOR, SECTOR, base + first + i, versions[first + i]))
            die("wrong data", base + first + i);
}

static void stress_part(const char *device, unsigned part, uint64_t seed, uint64_t requests)
{
    uint64_t base = (uint64_t)part * PART_SECTORS, sum = 0;
    int fd = open(device, O_RDWR | O_DIRECT);
    if (fd < 0)
        die(device, 0);
    for (uint64_t i = 0; i < requests; i++) {
        uint32_t dice = next_random(&seed) % 100, count = 1 + next_random(&seed) % (dice % 4 ? 8 : MOST);
        uint32_t first = next_random(&seed) % (dice % 2 ? 128 : PART_SECTORS - MOST);
        if (dice < 50)
            do_write(fd, base, first, count);
        else if (dice < 92)
            do_read(fd, base, first, count);
        else if (fdatasync(fd) != 0)
            die("fdatasync", i);
    }
    for (uint32_t first = 0; first < PART_SECTORS; first += MOST)
        do_read(fd, base, first, MOST);
    if (fdatasync(fd) != 0)
        die("fdatasync", requests);
    for (uint32_t i = 0; i < PART_SECTORS; i++)
        sum = digest(sum, base + i, versions[i]);
    printf("%s %u %016llx\n", device, part, (unsigned long long)sum);
    fflush(stdout);
    _exit(0);
}

static int stress(uint64_t seed, uint64_t requests, char **devices, int count)
{
    int failed = 0, status;
    for (int device = 0; device < count; device++)
        for (unsigned part = 0; part < PARTS; part++) {
            pid_t child = fork();
            if (child < 0)
                die("fork", part);
            if (child == 0)
                stress_part(devices[device], part, seed + 100 * (unsigned)device + part,
                            requests / PARTS / (unsigned)count);
        }
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}

static int print_digest(const char *image, unsigned part)
{
    uint64_t base = (uint64_t)part * PART_SECTORS, sum = 0;
    int fd = open(image, O_RDONLY);
    if (fd < 0)
        die(image, 0);
    for (uint32_t i = 0; i < PART_SECTORS; i++) {
        uint32_t version;
        if (pread(fd, buffer, SECTOR, (off_t)((base + i) * SECTOR)) != SECTOR)
            die("read", base + i);
        memcpy(&version, buffer + 8, 4);
        if (!is_stamped(buffer, SECTOR, base + i, version))
            die("torn or misplaced sector", base + i);
        sum = digest(sum, base + i, version);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}

static int journal(const char *device)
{
    int fd = open(device, O_RDWR | O_DIRECT);
    if (fd < 0)
        die(device, 0);
    for (uint64_t n = 1; n <= JOURNAL_RECORDS; n++) {
        stamp(buffer, JOURNAL_BYTES, n, 1);
        if (pwrite(fd, buffer, JOURNAL_BYTES, (off_t)((n - 1) * JOURNAL_BYTES)) != JOURNAL_BYTES)
            die("write", n);
        if (n % 7 == 0) {
            if (fdatasync(fd) != 0)
                die("fdatasync", n);
            printf("flushed %llu\n", (unsigned long long)n);
            fflush(stdout);
        }
    }
    for (;;)
        pause();
}

static int check(const char *device, uint64_t count)
{
    int fd = open(device, O_RDONLY);
    if (fd < 0)
        die(device, 0);
    for (uint64_t n = 1; n <= count; n++) {
        if (pread(fd, buffer, JOURNAL_BYTES, (off_t)((n - 1) * JOURNAL_BYTES)) != JOURNAL_BYTES)
            die("read", n);
        if (!is_stamped(buffer, JOURNAL_BYTES, n, 1))
            die("a flushed record is missing", n);
    }
    printf("%llu records\n", (unsigned long long)count);
    return 0;
}

int main(int argc, char **argv)
{
    if (posix_memalign((void **)&buffer, 4096, MOST * SECTOR) != 0)
        return 1;
    if (argc >= 5 && strcmp(argv[1], "stress") == 0)
        return stress(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), argv + 4, argc - 4);
    if (argc == 4 && strcmp(argv[1], "digest") == 0)
        return print_digest(argv[2], (unsigned)atoi(argv[3]));
    if (argc == 3 && strcmp(argv[1], "journal") == 0)
        return journal(argv[2]);
    if (argc == 4 && strcmp(argv[1], "check") == 0)
        return check(argv[2], strtoull(argv[3], NULL, 0));
    fprintf(stderr, "disk_stress: the head of tests/disks/disk_stress.c says how it is used\n");
    return 2;
}
