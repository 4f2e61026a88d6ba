/*
 * The drive as a whole against the published HP 97560, within 2 %, as measured over its bus. Expected values are
 * computed here from the published parameters (Ruemmler and Wilkes 1994, PCS-TR94-220), without the model's code.
 */
#include "tests/unit/drive_fixture.h"
#include <math.h>

enum { TRACK = 72, CYLINDER = 19 * TRACK, REGION_CYLINDERS = 645, DRIVE = 3 * REGION_CYLINDERS * CYLINDER };

#define WITHIN 0.02

static const struct disk_config plain = {.model = DISK_HP97560, .speed = 1};
static const struct disk_config usual = {
    .model = DISK_HP97560, .speed = 1, .read_ahead = true, .immediate_report = true};

static double published_seek(unsigned d)
{
    return d == 0 ? 0 : d < 383 ? 3.24 + 0.400 * sqrt(d) : 8.00 + 0.008 * d;
}

/* The seek curve, measured as on a real drive: the minimum time to read a sector D cylinders away, over many start
 * times, excludes rotational latency. */
static void test_seek_curve(void **state)
{
    (void)state;
    static const unsigned distances[] = {1, 2, 5, 10, 50, 100, 200, 382, 383, 400, 600, 644};
    struct drive *drive = drive_open(&plain, DRIVE);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        double shortest = 1e9;
        for (unsigned k = 0; k < 720; k++) { /* steps of a tenth of a sector */
            /* in the second region, whose first cylinder has no spare tracks */
            drive_time(drive, DISK_READ, REGION_CYLINDERS * CYLINDER + 30, 1);
            drive_pass(drive, (nsec)k * MSEC(SECTOR) / 10);
            double time = drive_time(drive, DISK_READ, (uint64_t)(REGION_CYLINDERS + distances[i]) * CYLINDER + 30, 1);
            if (time < shortest)
                shortest = time;
        }
        assert_near(shortest - OVERHEAD - SECTOR - BUS_SECTOR, published_seek(distances[i]), WITHIN);
    }
    drive_close(drive);
}

/* Mean over all pairs of the drive's data cylinders. */
static double mean_seek(void)
{
    static const unsigned first[] = {1, 654, 1308};
    double sum = 0;
    for (unsigned a = 0; a < 3 * REGION_CYLINDERS; a++)
        for (unsigned b = 0; b < 3 * REGION_CYLINDERS; b++) {
            unsigned from = first[a / REGION_CYLINDERS] + a % REGION_CYLINDERS;
            unsigned to = first[b / REGION_CYLINDERS] + b % REGION_CYLINDERS;
            sum += published_seek(from > to ? from - to : to - from);
        }
    return sum / (9.0 * REGION_CYLINDERS * REGION_CYLINDERS);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 20;
}

/* Random reads of 8 KB: overhead, mean seek, half a revolution, 16 sectors, the bus, and for those that cross a track
 * end (15 of 72) the skew of 8 sectors, or 18 at a cylinder end. */
static void test_random_read(void **state)
{
    (void)state;
    enum { READS = 20000 };
    double skew = (18.0 / 19 * 8 + 1.0 / 19 * 18) * SECTOR;
    double expected = OVERHEAD + mean_seek() + REVOLUTION / 2 + 16 * SECTOR + 15.0 / 72 * skew + 16 * BUS_SECTOR;
    static const struct disk_config *const configs[] = {&plain, &usual};
    for (size_t i = 0; i < 2; i++) {
        struct drive *drive = drive_open(configs[i], DRIVE);
        uint64_t seed = 7;
        double sum = 0;
        for (unsigned k = 0; k < READS; k++)
            sum += drive_time(drive, DISK_READ, next_random(&seed) % (DRIVE - 16), 16);
        assert_near(sum / READS, expected, WITHIN);
        assert_near(drive_figure(drive, "d.mean_response") / 1e6, expected, WITHIN);
        double switches = 15.0 / 72 * (18.0 / 19 * 1.6 + 1.0 / 19 * published_seek(1));
        assert_near(drive_figure(drive, "d.seek_time") / 1e6 / READS, mean_seek() + switches, WITHIN);
        assert_near(drive_figure(drive, "d.utilisation"), 1, 1e-6);
        drive_close(drive);
    }
    assert_near(expected, 27.04, 0.001); /* ms, as documented */
}

/* Sequential reads and immediately reported writes of 64 KB run at media rate: the 1368 sectors of a cylinder in the
 * time of 1368 + 18 * 8 + 18 sectors. */
static void test_sequential_rate(void **state)
{
    (void)state;
    enum { REQUESTS = 400, SECTORS = 128 };
    double expected = 512 * 1368.0 / ((1368 + 18 * 8 + 18) * SECTOR * 1e-3); /* bytes a second */
    static const enum disk_kind kinds[] = {DISK_READ, DISK_WRITE};
    for (size_t i = 0; i < 2; i++) {
        struct drive *drive = drive_open(&usual, DRIVE);
        drive_time(drive, kinds[i], 0, SECTORS); /* not measured: it seeks and fills the buffer */
        drive_time(drive, kinds[i], SECTORS, SECTORS);
        cycles start = drive->queue->now;
        for (unsigned k = 2; k < REQUESTS + 2; k++)
            drive_time(drive, kinds[i], k * SECTORS, SECTORS);
        double seconds = (double)(drive->queue->now - start) / 1e9;
        assert_near(512.0 * SECTORS * REQUESTS / seconds, expected, WITHIN);
        drive_close(drive);
    }
    assert_near(expected, 2.1985e6, 0.001);
}

/* Buffer hits run at the rate of controller and bus: 8 KB in 2.2 + 0.82 ms. */
static void test_buffer_hit(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    drive_time(drive, DISK_READ, 1000, 16);
    drive_pass(drive, MSEC(200));
    for (unsigned k = 1; k < 10; k++)
        assert_near(drive_time(drive, DISK_READ, 1000 + 16 * k, 16), OVERHEAD + 16 * BUS_SECTOR, 0.001);
    assert_near(drive_figure(drive, "d.buffer_hits"), 9, 0);
    drive_close(drive);
}

/* Random writes of 8 KB: reported when in the buffer; without immediate report they take the time of a read, the bus
 * transfer overlapped with the seek. */
static void test_random_write(void **state)
{
    (void)state;
    enum { WRITES = 20000 };
    struct drive *drive = drive_open(&usual, DRIVE);
    double skew = (18.0 / 19 * 8 + 1.0 / 19 * 18) * SECTOR;
    uint64_t seed = 9;
    double sum = 0;
    for (unsigned k = 0; k < WRITES; k++)
        sum += drive_time(drive, DISK_WRITE_MEDIUM, next_random(&seed) % (DRIVE - 16), 16);
    assert_near(sum / WRITES, OVERHEAD + mean_seek() + REVOLUTION / 2 + 16 * SECTOR + 15.0 / 72 * skew, WITHIN);
    drive_pass(drive, MSEC(100));
    assert_near(drive_time(drive, DISK_WRITE, 5000, 16), OVERHEAD + 16 * BUS_SECTOR, 0.001);
    drive_close(drive);
}

/* A drive of speed N: all times divided by N. */
static void test_speed(void **state)
{
    (void)state;
    static const unsigned speeds[] = {1, 4, 100};
    double base = 0;
    for (size_t i = 0; i < 3; i++) {
        struct disk_config config = usual;
        config.speed = speeds[i];
        struct drive *drive = drive_open(&config, DRIVE);
        uint64_t seed = 3;
        double sum = 0;
        for (unsigned k = 0; k < 2000; k++)
            sum += drive_time(drive, DISK_READ, next_random(&seed) % (DRIVE - 16), 16);
        base = i ? base : sum;
        assert_near(sum * speeds[i], base, 0.0001);
        assert_near(drive_figure(drive, "d.response_time") / 1e6, sum, 0.0001);
        assert_near(drive_figure(drive, "d.service_time") / 1e6, sum, 0.0001);
        drive_close(drive);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seek_curve), cmocka_unit_test(test_random_read),  cmocka_unit_test(test_sequential_rate),
        cmocka_unit_test(test_buffer_hit), cmocka_unit_test(test_random_write), cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests_name("disk_figures", tests, NULL, NULL);
}
