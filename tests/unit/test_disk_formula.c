/*
 * Every random read, not only their mean, takes the time that docs/reference/disk.md gives: 2.2 ms of overhead, the
 * seek from where the last read or the read-ahead behind it has brought the arm, the wait for the sector, the transfer,
 * a track or cylinder switch where the request crosses one, and the bus. The expected time is computed here from the
 * published parameters with real numbers, without the model's code and without its rounding to nanoseconds.
 */
#include "tests/unit/drive_fixture.h"
#include <math.h>

enum {
    TRACK = 72,
    HEADS = 19,
    REGION_TRACKS = 645 * HEADS,
    DRIVE = 3 * REGION_TRACKS * TRACK,
    BUFFER = 256,
    MOST = 32
};

/* ms. The model rounds points in time to a nanosecond at each of the few steps of a sector. */
#define ROUNDING 1e-4L
#define ONE      (60e3L / 4002 / TRACK)

struct place {
    unsigned cylinder, head, slot;
};

/* The drive after the last request. Sectors FIRST to NEXT are in the buffer; the last one was read at WHEN; read-ahead
 * ends at LIMIT. Nothing passes before READY. */
struct reference {
    bool read_ahead, tight;
    struct place arm;
    uint64_t first, next, limit;
    long double when, ready;
};

static struct place place_of(uint64_t sector)
{
    static const unsigned first_track[] = {HEADS + 4, 654 * HEADS, 1308 * HEADS};
    unsigned track = (unsigned)(sector / TRACK), region = track / REGION_TRACKS;
    track = first_track[region] + track % REGION_TRACKS;
    unsigned skews = track / HEADS * (18 * 8 + 18) + track % HEADS * 8; /* in front of this track */
    return (struct place){track / HEADS, track % HEADS, (unsigned)((sector % TRACK + skews) % TRACK)};
}

static long double movement(struct place from, struct place to)
{
    unsigned d = from.cylinder < to.cylinder ? to.cylinder - from.cylinder : from.cylinder - to.cylinder;
    if (d == 0)
        return from.head == to.head ? 0 : 1.6L;
    return d < 383 ? 3.24L + 0.400L * sqrtl(d) : 8.00L + 0.008L * d;
}

/* The end of the next sector's transfer. Notes whether the arm arrives so near the beginning of the sector that the
 * model's rounding decides whether a revolution is lost. */
static long double pass(struct reference *drive)
{
    struct place to = place_of(drive->next);
    long double arrival = fmaxl(drive->when + movement(drive->arm, to), drive->ready);
    long double wait = fmodl(to.slot - fmodl(arrival / ONE, TRACK) + TRACK, TRACK);
    bool near = fminl(wait, TRACK - wait) * ONE < ROUNDING;
    drive->tight |= near && arrival > drive->when + ROUNDING;
    return arrival + (near && wait > 1 ? 1 : wait + 1) * ONE;
}

static void read_sector(struct reference *drive, long double end)
{
    drive->arm = place_of(drive->next++);
    drive->when = end;
}

/* The time at which a read that is decoded at DECODED has all its sectors. *HIT: the buffer had its first one. */
static long double read_sectors(struct reference *drive, uint64_t sector, uint32_t count, long double decoded,
                                bool *hit)
{
    drive->tight = false;
    while (drive->next < drive->limit) {
        long double end = pass(drive);
        drive->tight |= fabsl(end - decoded) < ROUNDING;
        if (end > decoded)
            break;
        read_sector(drive, end);
    }
    uint64_t oldest = drive->next > drive->first + BUFFER ? drive->next - BUFFER : drive->first;
    bool full = drive->next == drive->limit;
    *hit = sector >= oldest && sector < drive->next;
    if (sector < oldest || sector > drive->next) {
        drive->first = drive->next = sector;
        drive->when = drive->ready = decoded;
    } else if (full)
        drive->ready = decoded;
    drive->limit = sector + (drive->read_ahead ? count + BUFFER : count);
    if (drive->limit > DRIVE)
        drive->limit = DRIVE;
    while (drive->next < sector + count)
        read_sector(drive, pass(drive));
    return fmaxl(drive->when, decoded);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 20;
}

struct totals {
    unsigned hits, turns; /* turns: off by a revolution, where rounding decides */
};

/* READS reads of up to MOST sectors below RANGE, with pauses of up to GAP ms between them. */
static struct totals compare(bool read_ahead, unsigned reads, uint64_t range, unsigned gap)
{
    const struct disk_config config = {.model = DISK_HP97560, .speed = 1, .read_ahead = read_ahead};
    struct drive *drive = drive_open(&config, DRIVE);
    struct reference reference = {.read_ahead = read_ahead, .arm = place_of(0)};
    struct totals totals = {0};
    uint64_t seed = 11;
    for (unsigned k = 0; k < reads; k++) {
        bool hit;
        uint32_t count = 1 + (uint32_t)(next_random(&seed) % MOST);
        uint64_t sector = next_random(&seed) % (range - MOST);
        drive_pass(drive, next_random(&seed) % MSEC(gap));
        long double now = (long double)drive->queue->now / 1e6L;
        long double expected = read_sectors(&reference, sector, count, now + 2.2L, &hit) + count * 512 / 10e3L - now;
        long double off = drive_time(drive, DISK_READ, sector, count) - expected;
        totals.hits += hit;
        if (fabsl(off) < ROUNDING)
            continue;
        if (!reference.tight || fabsl(fabsl(off) - REVOLUTION) > ROUNDING)
            fail_msg("read %u, of %u sectors at %llu: %.6Lf ms off %.6Lf ms", k, count, (unsigned long long)sector, off,
                     expected);
        totals.turns++;
        reference.when += off;
    }
    assert_int_equal((unsigned)drive_figure(drive, "d.buffer_hits"), totals.hits);
    drive_close(drive);
    return totals;
}

static void test_without_read_ahead(void **state)
{
    (void)state;
    struct totals totals = compare(false, 50000, DRIVE, 20);
    assert_true(totals.turns <= 2);
}

static void test_with_read_ahead(void **state)
{
    (void)state;
    static const unsigned gaps[] = {1, 20, 200};
    for (size_t i = 0; i < 3; i++) {
        assert_true(compare(true, 20000, DRIVE, gaps[i]).turns <= 2);
        /* 64 MB: short seeks, and read-ahead that the next request meets */
        struct totals totals = compare(true, 20000, 131072, gaps[i]);
        assert_true(totals.hits > 0 && totals.turns <= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_read_ahead),
                                       cmocka_unit_test(test_with_read_ahead)};
    return cmocka_run_group_tests_name("disk_formula", tests, NULL, NULL);
}
