/* Overlay files: writes persist to the next run, a wrong image is rejected, damage is an error; and the contents after
 * a kill (the rules of devices/disk/disk_overlay.h). */
#include "devices/disk/disk_image.h"
#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/test.h"

enum { SECTORS = 4001, SIZE = SECTORS * 512 }; /* the last block is partial */

struct files {
    char directory[64], image[96], overlay[96];
    uint8_t bytes[SIZE];
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static int setup(void **state)
{
    struct files *files = calloc(1, sizeof *files);
    uint32_t seed = 3;
    for (size_t i = 0; i < SIZE; i++)
        files->bytes[i] = (uint8_t)next_random(&seed);
    strcpy(files->directory, P_tmpdir "/simos-overlay-XXXXXX");
    assert_non_null(mkdtemp(files->directory));
    snprintf(files->image, sizeof files->image, "%s/image", files->directory);
    snprintf(files->overlay, sizeof files->overlay, "%s/overlay", files->directory);
    put_file(files->image, files->bytes, SIZE);
    *state = files;
    return 0;
}

static int teardown(void **state)
{
    struct files *files = *state;
    unlink(files->image);
    unlink(files->overlay);
    rmdir(files->directory);
    free(files);
    return 0;
}

static void assert_image_holds(const char *path, const uint8_t *bytes)
{
    uint8_t *now = malloc(SIZE);
    struct disk_image *image = disk_image_open(path, DISK_READ_ONLY, NULL);
    assert_non_null(image);
    assert_true(disk_image_read(image, 0, now, SIZE));
    assert_memory_equal(now, bytes, SIZE);
    disk_image_close(image);
    free(now);
}

static struct disk_image *open_overlay(const struct files *files)
{
    struct err err = {""};
    struct disk_image *image = disk_image_open_overlay(files->image, files->overlay, &err);
    if (!image)
        fail_msg("%s", err.text);
    return image;
}

/* Random reads and writes over several runs. */
static void test_runs(void **state)
{
    struct files *files = *state;
    uint8_t *model = malloc(SIZE), buffer[20000];
    uint32_t seed = 11;
    memcpy(model, files->bytes, SIZE);
    for (unsigned run = 0; run < 5; run++) {
        struct disk_image *image = open_overlay(files);
        for (unsigned i = 0; i < 400; i++) {
            uint64_t offset = next_random(&seed) % (SIZE - 20000);
            uint32_t size = next_random(&seed) % 20000;
            if (i % 4 == 0)
                offset = SIZE - size;
            if (i % 2) {
                assert_true(disk_image_read(image, offset, buffer, size));
                assert_memory_equal(buffer, model + offset, size);
                continue;
            }
            for (uint32_t k = 0; k < size; k++)
                buffer[k] = (uint8_t)next_random(&seed);
            assert_true(disk_image_write(image, offset, buffer, size));
            memcpy(model + offset, buffer, size);
            if (i % 10 == 0)
                assert_true(disk_image_flush(image));
        }
        disk_image_close(image);
    }
    struct disk_image *image = open_overlay(files);
    uint8_t *now = malloc(SIZE);
    assert_true(disk_image_read(image, 0, now, SIZE));
    assert_memory_equal(now, model, SIZE);
    assert_true(disk_image_overlay_bytes(image) > 0);
    disk_image_close(image);
    assert_image_holds(files->image, files->bytes);
    free(now);
    free(model);
}

/* The file grows with the changes, not with the image. */
static void test_sparse(void **state)
{
    struct files *files = *state;
    struct stat status;
    assert_int_equal(truncate(files->image, 4ll << 30), 0);
    struct disk_image *image = open_overlay(files);
    uint8_t sector[512] = {1};
    assert_true(disk_image_write(image, (4ll << 30) - 512, sector, 512));
    disk_image_close(image);
    assert_int_equal(stat(files->overlay, &status), 0);
    assert_true(status.st_blocks * 512ll < 200000);
    image = open_overlay(files);
    uint8_t back[512];
    assert_true(disk_image_read(image, (4ll << 30) - 512, back, 512));
    assert_memory_equal(back, sector, 512);
    disk_image_close(image);
}

static void assert_refused(const struct files *files, const char *why)
{
    struct err err = {""};
    assert_null(disk_image_open_overlay(files->image, files->overlay, &err));
    if (!strstr(err.text, why) || !strstr(err.text, files->overlay))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void test_refused(void **state)
{
    struct files *files = *state;
    put_file(files->overlay, "not an overlay", 14);
    assert_refused(files, "not an overlay");
    put_file(files->overlay, files->bytes, SIZE);
    assert_refused(files, "not an overlay");
    unlink(files->overlay);

    struct disk_image *image = open_overlay(files);
    assert_refused(files, "in use");
    disk_image_close(image);

    files->bytes[700]++; /* the image is changed, or another one */
    put_file(files->image, files->bytes, SIZE);
    assert_refused(files, "another disk image");
    files->bytes[700]--;
    put_file(files->image, files->bytes, SIZE - 512);
    assert_refused(files, "another disk image");
    put_file(files->image, files->bytes, SIZE);
    disk_image_close(open_overlay(files));

    FILE *out = fopen(files->overlay, "r+b"); /* one bit of the header */
    assert_non_null(out);
    fseek(out, 17, SEEK_SET);
    fputc(0x55, out);
    fclose(out);
    assert_refused(files, "not an overlay");
    unlink(files->overlay);
    assert_int_equal(mkdir(files->overlay, 0777), 0);
    struct err err = {""};
    assert_null(disk_image_open_overlay(files->image, files->overlay, &err));
    assert_int_equal(rmdir(files->overlay), 0);
}

/* Blocks missing from the file: reading them is an error, other blocks work. */
static void test_cut(void **state)
{
    struct files *files = *state;
    uint8_t block[4096] = {5};
    struct disk_image *image = open_overlay(files);
    assert_true(disk_image_write(image, 0, block, 4096) && disk_image_write(image, 409600, block, 4096));
    disk_image_close(image);
    assert_int_equal(truncate(files->overlay, 8192 + 8192), 0);
    image = open_overlay(files);
    assert_true(disk_image_read(image, 0, block, 4096));
    assert_int_equal(block[0], 5);
    assert_false(disk_image_read(image, 409600, block, 512));
    assert_true(disk_image_read(image, 4096, block, 4096));
    assert_memory_equal(block, files->bytes + 4096, 4096);
    disk_image_close(image);
}

/* A full host disk: the write fails, earlier data stays readable, and flushed data persists. */
static void test_full(void **state)
{
    struct files *files = *state;
    struct rlimit before, limit = {.rlim_max = RLIM_INFINITY, .rlim_cur = 8192 + 409600};
    uint8_t block[4096], back[4096];
    memset(block, 7, sizeof block);
    struct disk_image *image = open_overlay(files);
    assert_true(disk_image_write(image, 0, block, 4096) && disk_image_flush(image));
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool fits = disk_image_write(image, 409600 - 4096, block, 4096),
         full = disk_image_write(image, 409600, block, 4096);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(fits);
    assert_false(full);
    int reason;
    assert_int_equal(disk_image_finish(image, &reason), 1);
    assert_int_equal(reason, EFBIG);
    assert_true(disk_image_read(image, 409600, back, 4096));
    assert_memory_equal(back, files->bytes + 409600, 4096);
    disk_image_close(image);
    image = open_overlay(files);
    assert_true(disk_image_read(image, 0, back, 4096));
    assert_memory_equal(back, block, 4096);
    disk_image_close(image);
}

/* ---- power loss ---- */

enum { RECORDS = 512 }; /* sectors of the disk in use here */

/* Shared memory in which the killed process records, for each sector, the last version that it began to write, and the
 * last before a completed flush. */
struct diary {
    uint32_t begun[RECORDS], flushed[RECORDS];
    uint64_t writes, flushes;
};

/* A sector filled with its number and version. */
static void stamp(uint8_t *sector, uint32_t number, uint32_t version)
{
    for (unsigned i = 0; i < 512; i += 8) {
        memcpy(sector + i, &number, 4);
        memcpy(sector + i + 4, &version, 4);
    }
}

static _Noreturn void write_for_ever(struct disk_image *image, struct diary *diary, uint32_t seed)
{
    static uint8_t buffer[32 * 512];
    uint32_t written[RECORDS];
    memcpy(written, diary->begun, sizeof written);
    for (;;) {
        uint32_t first = next_random(&seed) % RECORDS, count = 1 + next_random(&seed) % 32;
        if (count > RECORDS - first)
            count = RECORDS - first;
        for (uint32_t i = 0; i < count; i++)
            stamp(buffer + i * 512, first + i, ++diary->begun[first + i]);
        if (!disk_image_write(image, first * 512ull, buffer, count * 512))
            _exit(1);
        memcpy(written + first, diary->begun + first, count * sizeof *written);
        diary->writes++;
        if (next_random(&seed) % 8 == 0) {
            if (!disk_image_flush(image))
                _exit(2);
            memcpy(diary->flushed, written, sizeof written);
            diary->flushes++;
        }
    }
}

/* Every sector is untorn, and no older than the last flush. */
static void check_survivors(struct disk_image *image, const struct diary *diary, const uint8_t *original)
{
    uint8_t sector[512], expected[512];
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t version;
        assert_true(disk_image_read(image, i * 512ull, sector, 512));
        memcpy(&version, sector + 4, 4);
        if (memcmp(sector, original + i * 512, 512) == 0)
            version = 0;
        else
            stamp(expected, i, version);
        if (version)
            assert_memory_equal(sector, expected, 512);
        assert_true(version >= diary->flushed[i] && version <= diary->begun[i]);
    }
}

/* Continue with the surviving contents. */
static void begin_run(struct disk_image *image, struct diary *diary, const uint8_t *original)
{
    uint8_t sector[512];
    for (uint32_t i = 0; i < RECORDS; i++) {
        assert_true(disk_image_read(image, i * 512ull, sector, 512));
        uint32_t version = 0;
        if (memcmp(sector, original + i * 512, 512) != 0)
            memcpy(&version, sector + 4, 4);
        diary->begun[i] = diary->flushed[i] = version;
    }
}

static struct disk_image *open_kind(const struct files *files, bool through)
{
    return through ? disk_image_open(files->image, DISK_WRITE_THROUGH, NULL) : open_overlay(files);
}

static void kill_often(struct files *files, bool through)
{
    struct diary *diary = mmap(NULL, sizeof *diary, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(diary != MAP_FAILED);
    for (uint32_t round = 0; round < 40; round++) {
        struct disk_image *image = open_kind(files, through);
        begin_run(image, diary, files->bytes);
        disk_image_close(image);
        /* some are killed early, the others after flushes */
        const volatile uint64_t *progress = round % 4 ? &diary->flushes : &diary->writes;
        uint64_t before = *progress;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            write_for_ever(open_kind(files, through), diary, round + 1);
        int status;
        while (*progress == before && waitpid(child, &status, WNOHANG) == 0)
            usleep(100);
        usleep(round * 97 % 3000);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        image = open_kind(files, through);
        check_survivors(image, diary, files->bytes);
        disk_image_close(image);
    }
    assert_true(diary->flushes > 0);
    munmap(diary, sizeof *diary);
}

static void test_killed_with_overlay(void **state)
{
    struct files *files = *state;
    kill_often(files, false);
    assert_image_holds(files->image, files->bytes);
}

static void test_killed_writing_through(void **state)
{
    kill_often(*state, true);
}

#define OVERLAY_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVERLAY_TEST(test_runs),
        OVERLAY_TEST(test_sparse),
        OVERLAY_TEST(test_refused),
        OVERLAY_TEST(test_cut),
        OVERLAY_TEST(test_full),
        OVERLAY_TEST(test_killed_with_overlay),
        OVERLAY_TEST(test_killed_writing_through),
    };
    return cmocka_run_group_tests_name("disk_overlay", tests, NULL, NULL);
}
