/* The reservation table: the first free time, whatever the order of requests; compared with a map of single cycles. */
#include "timing_fixture.h"

static struct resource *free_resource(void)
{
    struct resource *resource = malloc(sizeof *resource);
    resource_init(resource);
    return resource;
}

static void one_after_the_other(void **state)
{
    (void)state;
    struct resource *r = free_resource();
    assert_int_equal(resource_reserve(r, 100, 10, NULL), 100);
    assert_int_equal(resource_reserve(r, 109, 10, NULL), 110); /* not in the previous one's last cycle ... */
    assert_int_equal(resource_reserve(r, 120, 10, NULL), 120); /* ... but in the first after it */
    assert_int_equal(r->counts.requests, 3);
    assert_int_equal(r->counts.waited, 1);
    assert_int_equal(r->counts.busy, 30);
    assert_int_equal(r->counts.wait, 1);
    free(r);
}

static void an_earlier_time_takes_the_gap(void **state)
{
    (void)state;
    struct resource *r = free_resource();
    resource_reserve(r, 100, 10, NULL);
    resource_reserve(r, 120, 10, NULL);
    assert_int_equal(resource_reserve(r, 50, 10, NULL), 50);
    assert_int_equal(resource_reserve(r, 105, 11, NULL), 130); /* the gap of 10 is too small by one */
    assert_int_equal(resource_reserve(r, 105, 10, NULL), 110); /* fits exactly */
    assert_int_equal(resource_reserve(r, 61, 39, NULL), 61);   /* up to 100 */
    assert_int_equal(resource_reserve(r, 61, 1, NULL), 60 + 81);
    free(r);
}

static void no_time_is_no_request(void **state)
{
    (void)state;
    struct resource *r = free_resource();
    resource_reserve(r, 100, 10, NULL);
    assert_int_equal(resource_reserve(r, 105, 0, NULL), 105);
    assert_int_equal(resource_find(r, 105, 0), 105);
    assert_int_equal(r->counts.requests, 1);
    free(r);
}

static void what_is_taken_back_is_free(void **state)
{
    (void)state;
    struct resource *r = free_resource();
    struct reservations log = {0};
    resource_reserve(r, 100, 10, NULL);
    assert_int_equal(resource_reserve(r, 100, 10, &log), 110);
    resource_reserve(r, 120, 10, NULL);
    assert_int_equal(r->counts.wait, 10);
    reservations_cancel(&log);
    assert_int_equal(log.count, 0);
    assert_int_equal(r->counts.requests, 2);
    assert_int_equal(r->counts.wait, 0);
    assert_int_equal(r->counts.busy, 20);
    assert_int_equal(resource_reserve(r, 100, 10, NULL), 110);
    assert_int_equal(resource_reserve(r, 100, 10, NULL), 130);
    free(r);
}

/* More separate reservations than the table holds: the oldest is dropped, its time is not reserved again. */
static void the_oldest_is_forgotten(void **state)
{
    (void)state;
    struct resource *r = free_resource();
    for (cycles i = 0; i < RESOURCE_INTERVALS; i++)
        resource_reserve(r, 100 + 10 * i, 5, NULL);
    assert_int_equal(resource_reserve(r, 50, 5, NULL),
                     50); /* the table is full: there is free time before, and one is dropped */
    assert_int_equal(r->counts.late, 0);
    resource_reserve(r, 100 + 10 * RESOURCE_INTERVALS, 5, NULL);
    resource_reserve(r, 110 + 10 * RESOURCE_INTERVALS, 5, NULL);
    cycles start = resource_reserve(r, 20, 5, NULL);
    assert_int_equal(r->counts.late, 1);
    assert_true(start >= 55);
    free(r);
}

/* Random requests, some cancelled: never two at once, and always the first free time. */
enum { MAP = 20000 };

static void check_against_map(unsigned seed, cycles disorder, cycles longest, cycles step)
{
    struct resource *r = free_resource();
    static bool busy[MAP];
    static struct reservations logs[64];
    memset(busy, 0, sizeof busy);
    memset(logs, 0, sizeof logs);
    cycles now = disorder;
    for (unsigned i = 0; now < MAP - 4000 && i < 5000; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned random = seed >> 8;
        struct reservations *log = &logs[i % 64];
        if (log->count && random % 3 == 0 && log->reservation[0].start >= now) {
            memset(busy + log->reservation[0].start, 0, log->reservation[0].duration);
            reservations_cancel(log);
        }
        log->count = 0;
        cycles asked = now - random % (disorder + 1);
        cycles duration = 1 + random / 7 % longest;
        cycles expected = asked;
        for (cycles run = 0; run < duration; run++)
            if (busy[expected + run])
                expected += run + 1, run = (cycles)-1;
        assert_int_equal(resource_find(r, asked, duration), expected);
        assert_int_equal(resource_reserve(r, asked, duration, log), expected);
        memset(busy + expected, 1, duration);
        now += random / 13 % step;
    }
    assert_int_equal(r->counts.late, 0);
    free(r);
}

static void agrees_with_a_map(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        check_against_map(seed, 0, 10, 12);
        check_against_map(seed, 200, 20, 16);
        check_against_map(seed, 1000, 30, 60);
        check_against_map(seed, 50, 3, 9);
    }
}

/* Far more disorder than the table holds: later than necessary, but never two at once. */
static void never_two_at_once(void **state)
{
    (void)state;
    static uint8_t busy[200000];
    struct resource *r = free_resource();
    memset(busy, 0, sizeof busy);
    unsigned seed = 7;
    for (unsigned i = 0; i < 20000; i++) {
        seed = seed * 1103515245 + 12345;
        cycles asked = (seed >> 8) % 100000, duration = 1 + (seed >> 5) % 5;
        cycles start = resource_reserve(r, asked, duration, NULL);
        assert_true(start >= asked);
        assert_true(start + duration <= sizeof busy);
        for (cycles t = start; t < start + duration; t++)
            assert_int_equal(busy[t]++, 0);
    }
    assert_true(r->counts.late > 0);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other),     cmocka_unit_test(an_earlier_time_takes_the_gap),
        cmocka_unit_test(no_time_is_no_request),   cmocka_unit_test(what_is_taken_back_is_free),
        cmocka_unit_test(the_oldest_is_forgotten), cmocka_unit_test(agrees_with_a_map),
        cmocka_unit_test(never_two_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
