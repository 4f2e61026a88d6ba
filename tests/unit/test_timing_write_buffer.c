/* The write buffer alone: "not at t-1, at t". Entries retire at a fixed rate, or into a next level that is a
 * reservation table. */
#include "timing_fixture.h"

/* A buffer that retires at its own rate, or, if PORT is not NULL, to a level that is busy for 10 cycles with each. */
static struct write_buffer *buffer_of(const char *settings, uint32_t line, struct resource *port)
{
    struct params *params = timing_params(settings);
    struct write_buffer_config config;
    struct err err = {""};
    if (!write_buffer_config(&config, params, "l1d", line, &err))
        fail_msg("%s", err.text);
    params_free(params);
    struct write_buffer *buffer = malloc(sizeof *buffer);
    write_buffer_init(buffer, &config, &(struct write_buffer_next){.time = 10, .port = {.bank = port, .count = 1}});
    return buffer;
}

static void done(struct write_buffer *buffer)
{
    write_buffer_release(buffer);
    free(buffer);
}

static unsigned write_word(struct write_buffer *buffer, cycles now, paddr address)
{
    return (unsigned)write_buffer_write(buffer, now, address, 4, 0);
}

#define NAME       "cache.l1d.write_buffer."
#define DECSTATION NAME "depth=4 " NAME "width=4 " NAME "retire=5 "

/* Monster, section 5: 4 entries of a word, "retired to main memory at a rate of one word per 5 cycles". */
static void decstation_stalls_when_full(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(DECSTATION, 4, NULL);
    for (cycles now = 0; now < 4; now++)
        assert_int_equal(write_word(b, now, 0x100 + 4 * now), 0); /* retired at 5, 10, 15, 20 */
    assert_int_equal(write_word(b, 4, 0x110), 1);                 /* the buffer is full until 5 */
    assert_int_equal(write_word(b, 9, 0x114), 1);
    assert_int_equal(write_word(b, 15, 0x118), 0); /* the third entry retired at 15 */
    assert_int_equal(write_word(b, 16, 0x11c), 4); /* the buffer is full until 20 */
    assert_int_equal(b->counts.full, 3);
    assert_int_equal(b->counts.full_wait, 6);
    assert_int_equal(b->counts.peak, 4);
    assert_int_equal(write_buffer_read(b, 100, 0x1000, 4), 0);
    assert_int_equal(b->counts.occupied, 5 + 9 + 13 + 17 + 20 + 20 + 20 + 20); /* from write to retirement */
    done(b);
}

/* A long run of stores, one per cycle, proceeds at the retirement rate: the cause of bzero's 4.5 cycles per
 * instruction. */
static void a_run_of_stores_goes_at_the_rate_of_retirement(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(DECSTATION, 4, NULL);
    cycles now = 0;
    for (unsigned i = 0; i < 1000; i++)
        now += 1 + write_word(b, now, 4 * i);
    assert_int_equal(now, 1 + 5 * (1000 - 4)); /* the last got its entry when the one 4 before it had retired */
    done(b);
}

static void without_a_buffer_nothing_takes_time(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of("", 64, NULL);
    assert_false(write_buffer_exists(b));
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(write_buffer_write(b, 0, 64 * i, 64, 0), 0);
    assert_int_equal(write_buffer_read(b, 0, 0, 64), 0);
    write_buffer_resume(b);
    assert_int_equal(write_buffer_drain(b, 0), 0);
    done(b);
}

static void a_long_write_takes_an_entry_a_block(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(NAME "depth=4 " NAME "width=8 " NAME "retire=10", 32, NULL);
    assert_int_equal(write_buffer_write(b, 0, 0x1000, 32, 0), 0); /* retired at 10, 20, 30, 40 */
    assert_int_equal(write_buffer_count(b), 4);
    assert_int_equal(write_buffer_write(b, 10, 0x2004, 8, 0), 10); /* two blocks: at 10, and at 20 */
    write_buffer_settle(b);
    assert_int_equal(b->counts.entries, 6);
    assert_int_equal(b->counts.writes, 2);
    done(b);
}

static void a_longer_retirement(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(NAME "depth=1 " NAME "width=8 " NAME "retire=10", 32, NULL);
    assert_int_equal(write_buffer_write(b, 0, 0, 8, 25), 0);
    assert_int_equal(write_buffer_ready(b, 3), 35);
    assert_int_equal(write_buffer_drain(b, 3), 32);
    assert_int_equal(write_word(b, 34, 8), 1);
    done(b);
}

static void merging(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(NAME "depth=2 " NAME "width=16 " NAME "retire=10 " NAME "merge=on", 16, NULL);
    assert_int_equal(write_word(b, 0, 0x00), 0);  /* written to the next level in [0, 10) */
    assert_int_equal(write_word(b, 1, 0x10), 0);  /* written in [10, 20) */
    assert_int_equal(write_word(b, 2, 0x14), 0);  /* merges with the second entry */
    assert_int_equal(write_word(b, 10, 0x18), 0); /* merges: the write of the second entry has not begun at 10 */
    assert_int_equal(b->counts.merged, 2);
    /* at 11 it has begun, so this takes the entry that the first has left */
    assert_int_equal(write_word(b, 11, 0x1c), 0);
    assert_int_equal(b->counts.merged, 2);
    assert_int_equal(write_word(b, 12, 0x00),
                     8); /* the first has retired: no entry holds it, and both entries are in use */
    write_buffer_settle(b);
    assert_int_equal(b->counts.entries, 4);
    done(b);
}

/* Wait of a 16-byte read from ADDRESS at NOW, with three words written at 0. */
static unsigned read_after_writes(cycles now, paddr address)
{
    struct write_buffer *b = buffer_of(DECSTATION NAME "reads=match", 16, NULL);
    write_word(b, 0, 0x100); /* retired at 5 */
    write_word(b, 0, 0x204); /* retired at 10 */
    write_word(b, 0, 0x300); /* retired at 15 */
    unsigned wait = (unsigned)write_buffer_read(b, now, address, 16);
    assert_int_equal(b->counts.reads_held, wait != 0);
    assert_int_equal(b->counts.read_wait, wait);
    done(b);
    return wait;
}

static void reads_that_match_wait(void **state)
{
    (void)state;
    assert_int_equal(read_after_writes(1, 0x400), 0); /* another line */
    assert_int_equal(read_after_writes(1, 0x1f0), 0); /* ends before the word */
    assert_int_equal(read_after_writes(1, 0x208), 0); /* begins after the word */
    assert_int_equal(read_after_writes(2, 0x200), 8); /* the second is in this line */
    assert_int_equal(read_after_writes(9, 0x200), 1);
    assert_int_equal(read_after_writes(10, 0x200), 0);
}

static void reads_that_are_answered_never_wait(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(DECSTATION NAME "reads=forward", 16, NULL);
    write_word(b, 0, 0x100);
    assert_int_equal(write_buffer_read(b, 0, 0x100, 16), 0);
    done(b);
}

static void reads_that_keep_order_wait_for_all(void **state)
{
    (void)state;
    struct write_buffer *b = buffer_of(DECSTATION NAME "reads=drain", 16, NULL);
    write_word(b, 0, 0x100);
    write_word(b, 0, 0x204);
    assert_int_equal(write_buffer_read(b, 1, 0x400, 16), 9);
    assert_int_equal(write_buffer_read(b, 10, 0x400, 16), 0);
    done(b);
}

static void a_busy_next_level_holds_the_buffer_up(void **state)
{
    (void)state;
    struct resource *port = malloc(sizeof *port);
    resource_init(port);
    struct write_buffer *b = buffer_of(NAME "depth=2 " NAME "width=16", 16, port);
    resource_reserve(port, 0, 30, NULL);
    write_word(b, 0, 0x00); /* uses the port in [30, 40) */
    write_word(b, 1, 0x10); /* uses the port in [40, 50) */
    assert_int_equal(write_word(b, 2, 0x20), 38);
    done(b);
    free(port);
}

/* A read passes writes that have not begun: it finds the next level as if they were not there. */
static void a_read_goes_past_what_has_not_begun(void **state)
{
    (void)state;
    struct resource *port = malloc(sizeof *port);
    resource_init(port);
    struct write_buffer *b = buffer_of(NAME "depth=4 " NAME "width=16 " NAME "reads=match", 16, port);
    for (unsigned i = 0; i < 4; i++)
        write_word(b, 0, 16 * i); /* use the port in [0, 10), [10, 20), [20, 30), [30, 40) */
    assert_int_equal(write_buffer_read(b, 5, 0x100, 16), 0);
    assert_int_equal(resource_reserve(port, 5, 10, NULL), 10); /* directly after the first write, which has begun */
    write_buffer_resume(b);
    assert_int_equal(write_buffer_ready(b, 5), 50); /* the other three writes follow the read */
    assert_int_equal(write_word(b, 29, 0x200), 0);  /* the fourth entry: the first left at 10 */
    assert_int_equal(write_word(b, 29, 0x300), 1);  /* no entry is free until the second, [20, 30), has left */
    write_buffer_settle(b);
    assert_int_equal(port->counts.requests, 7);
    assert_int_equal(port->counts.busy, 70);
    done(b);
    free(port);
}

/* A read that matches waits for the entry, and then passes the ones behind it. */
static void a_matching_read_goes_past_the_rest(void **state)
{
    (void)state;
    struct resource *port = malloc(sizeof *port);
    resource_init(port);
    struct write_buffer *b = buffer_of(NAME "depth=4 " NAME "width=16 " NAME "reads=match", 16, port);
    for (unsigned i = 0; i < 4; i++)
        write_word(b, 0, 16 * i);
    assert_int_equal(write_buffer_read(b, 5, 0x10, 16), 15);
    assert_int_equal(resource_reserve(port, 20, 10, NULL), 20);
    write_buffer_resume(b);
    assert_int_equal(write_buffer_ready(b, 5), 50);
    done(b);
    free(port);
}

static void a_buffer_must_suit_its_cache(void **state)
{
    (void)state;
    struct params *params = timing_params(NAME "depth=4 " NAME "width=64");
    struct write_buffer_config config;
    struct err err = {""};
    assert_false(write_buffer_config(&config, params, "l1d", 32, &err));
    assert_string_equal(err.text, "cache.l1d.write_buffer.width is 64 bytes: at most cache.l1d.line = 32 possible");
    params_free(params);
}

/* A write at 0 retires until 25. A read at 11 waits for it; its victim, evicted at 11, retires from 25 to 50, so that
 * the next read, at 36, waits 14 too. In a buffer of one entry the victim waits until 25 for it. */
static void the_victim_of_a_read_retires_after_what_the_read_awaited(void **state)
{
    (void)state;
    static const char *const reads[] = {"drain", "match"};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned depth = 1; depth <= 4; depth *= 4) {
            char settings[128];
            snprintf(settings, sizeof settings, NAME "depth=%u " NAME "retire=25 " NAME "reads=%s", depth, reads[i]);
            struct write_buffer *b = buffer_of(settings, 16, NULL);
            assert_int_equal(write_buffer_write(b, 0, 0x100, 16, 0), 0);
            assert_int_equal(write_buffer_read(b, 11, 0x100, 16), 14);
            write_buffer_resume(b);
            assert_int_equal(write_buffer_write(b, 11, 0x200, 16, 0), depth == 1 ? 14 : 0);
            assert_int_equal(write_buffer_read(b, 36, 0x200, 16), 14);
            write_buffer_resume(b);
            assert_int_equal(b->counts.read_wait, 28);
            assert_int_equal(b->counts.full_wait, depth == 1 ? 14 : 0);
            assert_int_equal(b->counts.peak, depth == 1 ? 1 : 2);
            done(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decstation_stalls_when_full),
        cmocka_unit_test(a_run_of_stores_goes_at_the_rate_of_retirement),
        cmocka_unit_test(without_a_buffer_nothing_takes_time),
        cmocka_unit_test(a_long_write_takes_an_entry_a_block),
        cmocka_unit_test(a_longer_retirement),
        cmocka_unit_test(merging),
        cmocka_unit_test(reads_that_match_wait),
        cmocka_unit_test(reads_that_are_answered_never_wait),
        cmocka_unit_test(reads_that_keep_order_wait_for_all),
        cmocka_unit_test(a_busy_next_level_holds_the_buffer_up),
        cmocka_unit_test(a_read_goes_past_what_has_not_begun),
        cmocka_unit_test(a_matching_read_goes_past_the_rest),
        cmocka_unit_test(the_victim_of_a_read_retires_after_what_the_read_awaited),
        cmocka_unit_test(a_buffer_must_suit_its_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
