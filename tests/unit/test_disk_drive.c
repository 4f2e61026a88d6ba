/* The drive's rules (devices/disk/disk.h, devices/disk/disk_cache.h): order of service, buffering of reads and writes,
 * flushes, accounting of time. */
#include "tests/unit/drive_fixture.h"

enum { DRIVE = 2000000, FAR = 1500000 };

static const struct disk_config usual = {
    .model = DISK_HP97560, .speed = 1, .read_ahead = true, .immediate_report = true};
static const struct disk_config no_read_ahead = {.model = DISK_HP97560, .speed = 1, .immediate_report = true};
static const struct disk_config no_report = {.model = DISK_HP97560, .speed = 1, .read_ahead = true};
static const struct disk_config fixed = {.model = DISK_FIXED, .speed = 1, .latency = 5000};

#define HIT(sectors) (OVERHEAD + (sectors)*BUS_SECTOR)

/* First come, first served, without seek optimisation; also with constant latencies. */
static void test_order(void **state)
{
    static const struct disk_config *const configs[] = {&usual, &fixed};
    static const uint64_t sectors[] = {1000, FAR, 1008, FAR + 8, 0, 1016};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct drive *drive = drive_open(configs[c], DRIVE);
        for (unsigned i = 0; i < 6; i++)
            drive_submit(drive, i % 2 ? DISK_WRITE : DISK_READ, i, sectors[i], 8);
        drive_finish(drive);
        assert_int_equal(drive->count, 6);
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(drive->order[i], i);
        assert_int_equal(drive->moved, 48);
        drive_close(drive);
    }
}

static void test_fixed_times(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&fixed, DRIVE);
    for (unsigned i = 0; i < 3; i++)
        drive_submit(drive, i == 2 ? DISK_FLUSH : DISK_WRITE, i, i * 100000, i == 2 ? 0 : 8);
    drive_finish(drive);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(drive->ended[i], (i + 1) * 5000);
    drive_close(drive);
}

/* Read-ahead continues until the buffer's 128 KB are full. */
static void test_read_ahead_fills_the_buffer(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    drive_time(drive, DISK_READ, 7200, 8);
    drive_pass(drive, MSEC(500));
    assert_near(drive_figure(drive, "d.read_ahead_bytes"), 128 << 10, 0);
    /* the last request that the buffer holds */
    assert_near(drive_time(drive, DISK_READ, 7208 + 248, 8), HIT(8), 0.0001);
    assert_near(drive_figure(drive, "d.buffer_hits"), 1, 0);
    drive_close(drive);

    drive = drive_open(&usual, DRIVE);
    drive_time(drive, DISK_READ, 7200, 8);
    drive_pass(drive, MSEC(500));
    drive_time(drive, DISK_READ, 7208 + 256, 8);
    assert_near(drive_figure(drive, "d.buffer_hits"), 0, 0);
    drive_close(drive);
}

/* Sectors already transferred may be overwritten by read-ahead; until then they can be read again. */
static void test_read_again(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    drive_time(drive, DISK_READ, 7200, 128);
    assert_near(drive_time(drive, DISK_READ, 7200, 128), HIT(128), 0.0001);
    drive_pass(drive, MSEC(500)); /* now sectors 7328.. fill the buffer */
    drive_time(drive, DISK_READ, 7200, 128);
    assert_near(drive_figure(drive, "d.buffer_hits"), 1, 0);
    drive_close(drive);
}

static void test_no_read_ahead(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&no_read_ahead, DRIVE);
    double first = drive_time(drive, DISK_READ, 7200, 8);
    drive_pass(drive, MSEC(500));
    assert_true(drive_time(drive, DISK_READ, 7208, 8) > HIT(8) + SECTOR);
    assert_near(drive_figure(drive, "d.read_ahead_bytes") + 1, 1, 0);
    assert_true(first > HIT(8));
    drive_close(drive);
}

/* A read of sectors that read-ahead is reading waits only for the missing sectors. */
static void test_read_meets_read_ahead(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    drive_time(drive, DISK_READ, 7200, 8); /* during its bus transfer sector 7208 passes the head */
    double time = drive_time(drive, DISK_READ, 7208, 32);
    assert_true(time > 32 * SECTOR && time < 34 * SECTOR + 32 * BUS_SECTOR);
    drive_close(drive);
}

/* Immediate report: a write ends early, and is written later. The next request waits for it unless it continues the
 * write. */
static void test_immediate_report(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    assert_near(drive_time(drive, DISK_WRITE, FAR, 8), HIT(8), 0.0001);
    assert_near(drive_time(drive, DISK_WRITE, FAR + 8, 8), HIT(8), 0.0001);
    assert_near(drive_figure(drive, "d.immediate_reports"), 2, 0);
    double flush = drive_time(drive, DISK_FLUSH, 0, 0);
    assert_true(flush > OVERHEAD + 1);
    assert_near(drive_figure(drive, "d.drain_time") / 1e6, flush - OVERHEAD, 0.0001);
    assert_near(drive_figure(drive, "d.transfer_time") / 1e6, 16 * SECTOR, 0.001);
    assert_near(drive_time(drive, DISK_FLUSH, 0, 0), OVERHEAD, 0.0001); /* nothing left to write */

    drive_time(drive, DISK_WRITE, 100, 8);
    /* does not continue the run: it waits for the write and a long seek */
    assert_true(drive_time(drive, DISK_WRITE, FAR, 8) > HIT(8) + 5);
    assert_true(drive_time(drive, DISK_READ, FAR, 8) > HIT(8) + SECTOR);
    drive_close(drive);
}

/* The buffer accepts 128 KB of writes at bus rate; more waits for the medium. */
static void test_write_fills_the_buffer(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    assert_near(drive_time(drive, DISK_WRITE, FAR, 256), HIT(256), 0.0001);
    drive_pass(drive, MSEC(500));
    double long_write = drive_time(drive, DISK_WRITE, FAR, 1024);
    assert_true(long_write > (1024 - 256) * SECTOR);
    assert_true(long_write < (1024 - 256) * SECTOR * 1.13 + HIT(256) + 2 * REVOLUTION);
    drive_close(drive);
}

/* Without permission of drive and guest a write ends when it is on the medium. */
static void test_written_through(void **state)
{
    static const struct disk_config *const configs[] = {&usual, &no_report};
    static const enum disk_kind kinds[] = {DISK_WRITE_MEDIUM, DISK_WRITE};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct drive *drive = drive_open(configs[i], DRIVE);
        assert_true(drive_time(drive, kinds[i], FAR, 8) > OVERHEAD + 9 + 8 * SECTOR);
        assert_near(drive_time(drive, DISK_FLUSH, 0, 0), OVERHEAD, 0.0001);
        drive_close(drive);
    }
}

/* Every nanosecond of service is in one phase; response time is queueing plus service. */
static void test_account(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    uint64_t seed = 5, requests = 3000;
    for (uint64_t i = 0; i < requests; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t dice = (uint32_t)(seed >> 33), sectors = 1 + dice / 16 % 400;
        uint64_t sector = i % 3 ? (seed >> 20) % (DRIVE - 400) : i * 8;
        enum disk_kind kind = dice % 8 == 0 ? DISK_FLUSH : dice % 2 ? DISK_READ : DISK_WRITE;
        drive_submit(drive, kind, (unsigned)i % DISK_QUEUE, sector, kind == DISK_FLUSH ? 0 : sectors);
        if (dice % 5 == 0)
            drive_finish(drive);
        else
            drive_pass(drive, MSEC(2));
        while (disk_pending(drive->disk) > 200)
            drive_pass(drive, MSEC(10));
        if (dice % 50 == 0)
            drive_pass(drive, MSEC(300));
    }
    drive_finish(drive);
    assert_int_equal(drive->count, requests);
    double service = drive_figure(drive, "d.service_time");
    assert_true(service == drive_figure(drive, "d.controller_time") + drive_figure(drive, "d.drain_time") +
                               drive_figure(drive, "d.medium_time") + drive_figure(drive, "d.bus_time"));
    assert_true(drive_figure(drive, "d.response_time") == drive_figure(drive, "d.queue_time") + service);
    /* there is no other disk on the bus */
    assert_true(drive_figure(drive, "d.bus_transfer_time") == drive_figure(drive, "d.bus_time"));
    assert_true(drive_figure(drive, "d.controller_time") == (double)requests * 2.2e6);
    drive_close(drive);
}

static void test_owner_fails(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    drive->fails = true;
    drive_time(drive, DISK_READ, 0, 1000);
    assert_int_equal(drive->moved, 128); /* the request was aborted at its first part */
    drive_time(drive, DISK_WRITE, 0, 1000);
    assert_int_equal(drive->moved, 256);
    drive->fails = false;
    drive_time(drive, DISK_WRITE, 0, 1000);
    drive_close(drive);
}

/* No request ends after a reset at any time; afterwards the drive works. */
static void test_reset(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    for (unsigned i = 0; i < 200; i++) {
        unsigned before = drive->count;
        drive_submit(drive, i % 2 ? DISK_READ : DISK_WRITE, 0, i * 5000, 300);
        drive_submit(drive, DISK_FLUSH, 1, 0, 0);
        drive_pass(drive, MSEC(0.3) * i);
        unsigned ended = drive->count - before;
        disk_reset(drive->disk);
        assert_int_equal(disk_pending(drive->disk), 0);
        drive_submit(drive, DISK_READ, 2, i * 5000, 8);
        drive_finish(drive);
        assert_int_equal(drive->count, before + ended + 1);
        drive_pass(drive, MSEC(100));
        assert_int_equal(drive->count, before + ended + 1);
    }
    drive_close(drive);
}

static void test_queue_is_bounded(void **state)
{
    (void)state;
    struct drive *drive = drive_open(&usual, DRIVE);
    for (unsigned i = 0; i < DISK_QUEUE; i++)
        drive_submit(drive, DISK_COMMAND, i, 0, 0);
    assert_false(disk_submit(drive->disk, DISK_COMMAND, 0, 0, 0, 0));
    drive_finish(drive);
    assert_int_equal(drive->count, DISK_QUEUE);
    drive_close(drive);
}

/* ---- several disks on the bus ---- */

enum { DISKS = 4 };

struct several {
    struct event_queue *queue;
    struct scsi_bus *bus;
    struct drive drives[DISKS];
};

static void several_open(struct several *all)
{
    memset(all, 0, sizeof *all);
    all->queue = event_queue_create(1000000000);
    all->bus = scsi_bus_create((struct disk_clock){.queue = all->queue, .speed = 1});
    for (unsigned i = 0; i < DISKS; i++) {
        all->drives[i].queue = all->queue;
        all->drives[i].disk = disk_create(all->queue, &usual, DRIVE, all->bus, i, &drive_ops, &all->drives[i]);
    }
}

static void several_close(struct several *all)
{
    for (unsigned i = 0; i < DISKS; i++)
        disk_free(all->drives[i].disk);
    scsi_bus_free(all->bus);
    event_queue_free(all->queue);
}

/* Four disks that request the bus at the same time get it by number, whatever the order of requests; each transfer is
 * exclusive. */
static void test_arbitration(void **state)
{
    (void)state;
    static const unsigned orders[][DISKS] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
    for (size_t k = 0; k < 3; k++) {
        struct several all;
        several_open(&all);
        for (unsigned i = 0; i < DISKS; i++)
            drive_submit(&all.drives[orders[k][i]], DISK_WRITE, 0, 0, 128);
        event_queue_run(all.queue, MSEC(100));
        for (unsigned i = 0; i < DISKS; i++)
            assert_int_equal(all.drives[i].ended[0], MSEC(OVERHEAD) + (i + 1) * 6553600u);
        several_close(&all);
    }
}

/* Transfers are not preempted; a lower number has priority over longer waiting ones. */
static void test_priority(void **state)
{
    struct several all;
    (void)state;
    several_open(&all);
    drive_submit(&all.drives[3], DISK_WRITE, 0, 0, 128);
    drive_submit(&all.drives[2], DISK_WRITE, 0, 0, 128);
    event_queue_run(all.queue, MSEC(5)); /* 2 is on the bus, 3 waits */
    drive_submit(&all.drives[0], DISK_WRITE, 0, 0, 128);
    event_queue_run(all.queue, MSEC(100));
    assert_int_equal(all.drives[2].ended[0], MSEC(OVERHEAD) + 6553600u);
    assert_int_equal(all.drives[0].ended[0], MSEC(OVERHEAD) + 2 * 6553600u);
    assert_int_equal(all.drives[3].ended[0], MSEC(OVERHEAD) + 3 * 6553600u);
    several_close(&all);
}

/* A reset disk occupies the bus to the end of its transfer; a waiting disk is removed from arbitration. */
static void test_reset_on_the_bus(void **state)
{
    struct several all;
    (void)state;
    several_open(&all);
    for (unsigned i = 0; i < 3; i++)
        drive_submit(&all.drives[i], DISK_WRITE, 0, 0, 128);
    event_queue_run(all.queue, MSEC(5));
    disk_reset(all.drives[0].disk);
    disk_reset(all.drives[1].disk);
    event_queue_run(all.queue, MSEC(100));
    assert_int_equal(all.drives[0].count + all.drives[1].count, 0);
    assert_int_equal(all.drives[2].ended[0], MSEC(OVERHEAD) + 2 * 6553600u);
    several_close(&all);
}

/* Four disks that read sequentially need 4 * 2.2 of 10 MB/s: the bus sustains nearly their own rate. */
static void test_bus_is_shared(void **state)
{
    enum { REQUESTS = 100, SECTORS = 128 };
    struct several all;
    (void)state;
    several_open(&all);
    unsigned left[DISKS] = {0};
    for (unsigned i = 0; i < DISKS; i++)
        drive_submit(&all.drives[i], DISK_READ, 0, 0, SECTORS);
    for (bool busy = true; busy;) {
        event_queue_run(all.queue, event_queue_next(all.queue));
        busy = false;
        for (unsigned i = 0; i < DISKS; i++) {
            if (!disk_pending(all.drives[i].disk) && ++left[i] < REQUESTS)
                drive_submit(&all.drives[i], DISK_READ, 0, (uint64_t)left[i] * SECTORS, SECTORS);
            busy |= disk_pending(all.drives[i].disk) != 0;
        }
    }
    double rate = 512.0 * SECTORS * REQUESTS * DISKS / ((double)all.queue->now / 1e9);
    assert_true(rate > 7.5e6 && rate < 4 * 2.1985e6);
    several_close(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_fixed_times),
        cmocka_unit_test(test_read_ahead_fills_the_buffer),
        cmocka_unit_test(test_read_again),
        cmocka_unit_test(test_no_read_ahead),
        cmocka_unit_test(test_read_meets_read_ahead),
        cmocka_unit_test(test_immediate_report),
        cmocka_unit_test(test_write_fills_the_buffer),
        cmocka_unit_test(test_written_through),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_owner_fails),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_queue_is_bounded),
        cmocka_unit_test(test_arbitration),
        cmocka_unit_test(test_priority),
        cmocka_unit_test(test_reset_on_the_bus),
        cmocka_unit_test(test_bus_is_shared),
    };
    return cmocka_run_group_tests_name("disk_drive", tests, NULL, NULL);
}
