/* Location of sectors (PCS-TR94-220; Ruemmler and Wilkes 1994): regions, skews, capacity; and movements of the
 * mechanism. */
#include "devices/disk/disk_geometry.h"
#include "devices/disk/disk_mechanism.h"
#include <math.h>
#include <stdlib.h>
#include "tests/unit/test.h"

enum { TRACK = 72, CYLINDER = 72 * 19, REGION = 645 * CYLINDER };

/* "1355 MB formatted" (HP 97556/58/60 SCSI technical reference, as drive lists quote it). */
static void test_capacity(void **state)
{
    (void)state;
    assert_int_equal(DISK_DRIVE_SECTORS, 3 * REGION);
    assert_int_equal(DISK_DRIVE_SECTORS * 512ull / 1000000, 1355);
    assert_int_equal(disk_geometry_of(1).cylinders, 1962);
    assert_int_equal(disk_geometry_of(DISK_DRIVE_SECTORS).cylinders, 1962);
    assert_true(disk_geometry_of(DISK_DRIVE_SECTORS + 1).cylinders > 1962);
}

static void assert_place(uint64_t sector, uint64_t cylinder, unsigned head)
{
    struct disk_position place = disk_geometry_position(sector);
    assert_int_equal(place.cylinder, cylinder);
    assert_int_equal(place.head, head);
}

static void test_regions(void **state)
{
    (void)state;
    assert_place(0, 1, 4);
    assert_place(TRACK - 1, 1, 4);
    assert_place(TRACK, 1, 5);
    assert_place(15 * TRACK, 2, 0);
    assert_place(REGION - 1, 646, 3);
    assert_place(REGION, 654, 0);
    assert_place(2 * REGION - 1, 1298, 18);
    assert_place(2 * REGION, 1308, 0);
    assert_place(3 * REGION - 1, 1952, 18);
    assert_place(3 * REGION, 1953, 0); /* only on a disk larger than the drive */
}

/* Angles: sectors of a track are consecutive; the first of a track is skewed by 8, of a cylinder by 18. Every location
 * holds one sector. */
static void test_skews(void **state)
{
    (void)state;
    for (uint64_t sector = 1; sector < 3 * REGION; sector++) {
        struct disk_position last = disk_geometry_position(sector - 1), place = disk_geometry_position(sector);
        unsigned step = (place.slot + 72 - last.slot) % 72;
        if (sector % REGION == 0)
            continue; /* spare tracks lie between two regions */
        if (sector % TRACK)
            assert_true(step == 1 && place.head == last.head && place.cylinder == last.cylinder);
        else if (place.cylinder == last.cylinder)
            assert_true(step == 1 + 8 && place.head == last.head + 1);
        else
            assert_true(step == 1 + 18 && place.cylinder == last.cylinder + 1 && place.head == 0 && last.head == 18);
    }
}

/* A larger disk has closer tracks: from first to last cylinder is a full stroke of the drive. */
static void test_large_disk(void **state)
{
    (void)state;
    struct disk_geometry drive = disk_geometry_of(1000), large = disk_geometry_of(4ull * DISK_DRIVE_SECTORS);
    assert_int_equal(disk_geometry_distance(&drive, 700, 5), 695);
    assert_int_equal(disk_geometry_distance(&large, 9, 9), 0);
    assert_int_equal(disk_geometry_distance(&large, 9, 10), 1);
    unsigned stroke = disk_geometry_distance(&large, 0, large.cylinders);
    assert_int_equal(stroke, 1962);
    assert_in_range(disk_geometry_distance(&large, large.cylinders / 2, 0), 980, 981);
}

static void test_seek_curve(void **state)
{
    (void)state;
    assert_int_equal(disk_seek_time(0), 0);
    for (unsigned d = 1; d < 1962; d++) {
        double published = d < 383 ? 3.24 + 0.400 * sqrt(d) : 8.00 + 0.008 * d; /* ms */
        assert_true(fabs((double)disk_seek_time(d) - published * 1e6) <= 1);
    }
}

/* 4002 revolutions per minute at any time, for years; each slot begins once per revolution. */
static void test_rotation(void **state)
{
    (void)state;
    const nsec minute = 60000000000ull, year = 365 * 1440 * minute;
    assert_int_equal(disk_slot_start(0, 0), 0);
    for (nsec base = 0; base <= 100 * year; base += 50 * year)
        for (unsigned slot = 0; slot < 72; slot++) {
            nsec first = disk_slot_start(slot, base + 123);
            assert_true(first >= base + 123 - 1 && first - base < 123 + 14992504);
            assert_int_equal(disk_slot_start(slot, first + minute), first + minute);
            assert_int_equal(disk_slot_start(slot, first), first);
            nsec next = disk_slot_start(slot, first + 2);
            assert_true(next - first == 14992503 || next - first == 14992504);
        }
}

/* Track and cylinder switches fit into the skews, with less than two sectors to spare (1.6 ms of 8 sectors, 3.64 ms of
 * 18). */
static void test_skews_fit_switches(void **state)
{
    (void)state;
    struct disk_geometry geometry = disk_geometry_of(DISK_DRIVE_SECTORS);
    struct disk_arm arm = {.cylinder = 1, .head = 4};
    nsec time = 12345;
    for (uint64_t sector = 0; sector < 3 * CYLINDER; sector++) {
        struct disk_pass pass = disk_mechanism_pass(&geometry, &arm, sector, time, 0);
        assert_int_equal(pass.end - time, pass.seek + pass.rotation + pass.transfer);
        assert_true(pass.transfer >= 208228 && pass.transfer <= 208230);
        bool new_track = sector > 0 && sector % TRACK == 0;
        bool new_cylinder = new_track && arm.head == 0;
        assert_int_equal(pass.seek, new_cylinder ? 3640000 : new_track ? 1600000 : 0);
        if (new_track)
            assert_true(pass.rotation < 2 * 208230);
        else if (sector > 0)
            assert_int_equal(pass.rotation, 0);
        time = pass.end;
    }
}

/* A sector that is not ready waits for its next revolution; the arm moves meanwhile. */
static void test_not_ready(void **state)
{
    (void)state;
    struct disk_geometry geometry = disk_geometry_of(DISK_DRIVE_SECTORS);
    struct disk_arm arm = {.cylinder = 500, .head = 0}, same = arm;
    struct disk_pass soon = disk_mechanism_pass(&geometry, &arm, 0, 1000, 0);
    struct disk_pass late = disk_mechanism_pass(&geometry, &same, 0, 1000, soon.end);
    assert_int_equal(arm.cylinder, 1);
    assert_int_equal(late.seek, soon.seek);
    assert_true(late.end - soon.end == 14992503 || late.end - soon.end == 14992504);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacity),   cmocka_unit_test(test_regions),
        cmocka_unit_test(test_skews),      cmocka_unit_test(test_large_disk),
        cmocka_unit_test(test_seek_curve), cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_not_ready),  cmocka_unit_test(test_skews_fit_switches),
    };
    return cmocka_run_group_tests_name("disk_geometry", tests, NULL, NULL);
}
