/* Instruction stream buffers: Jouppi, ISCA'90, section 4; Xia and Torrellas, IEEE TC 1999, section 4.2.2. In the 1994
 * machine they serve the first level (lines of 16 bytes) and look up the second. */
#include "timing_machine.h"

#define ONE "prefetch.stream.buffers=1 prefetch.stream.depth=4 prefetch.stream.allocate=miss "

static unsigned stream(const struct machine *m, const char *counter)
{
    char name[64];
    snprintf(name, sizeof name, "cpu0.prefetch.stream.%s", counter);
    double result = -1;
    assert_true(stats_value(m->stats, name, &result));
    return (unsigned)result;
}

/* A miss allocates it; each hit advances it by the entries used. */
static void follows_the_fetches(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE);
    assert_int_equal(fetch_at(m, 0, A, 0), 100);
    assert_int_equal(stream(m, "issued"), 4);
    assert_int_equal(fetch_at(m, 0, A + 16, 1000), 0);
    assert_int_equal(stream(m, "issued"), 5);
    /* any entry may hit; the entries before it are dropped */
    assert_int_equal(fetch_at(m, 0, A + 64, 2000), 0);
    assert_int_equal(stream(m, "issued"), 8);
    assert_int_equal(stream(m, "useful"), 2);
    assert_int_equal(stream(m, "useless"), 2);
    assert_int_equal(value(m, "cpu0.l1i.misses"), 3); /* they count as misses of lower cost */
    assert_int_equal(m->bucket[0].streamed, 2);
    done(m);
}

/* A line in flight: the remaining time. The second entry is requested at 1002 from the second level with hits of 10
 * cycles. */
static void late_by_the_rest(void **state)
{
    (void)state;
    for (cycles now = 1001; now < 1020; now++) {
        struct machine *m = machine(1, ONE "prefetch.stream.hit_time=10"); /* 2 cycles */
        load_at(m, 0, A, 0);
        assert_int_equal(fetch_at(m, 0, A, 1000), 10);
        assert_int_equal(fetch_at(m, 0, A + 32, now), 2 + (now < 1012 ? 1012 - (unsigned)now : 0));
        assert_int_equal(m->bucket[0].late_streamed, now < 1012);
        assert_int_equal(counts_sum(m->bucket[0].late, LATE_COUNT), 0); /* the second level had it */
        done(m);
    }
}

/* "after they recognize such a stride": the line after a recent miss. */
static void begins_with_a_sequence(void **state)
{
    (void)state;
    struct machine *m = machine(1, "prefetch.stream.buffers=1 prefetch.stream.depth=4");
    fetch_at(m, 0, A, 0);
    assert_int_equal(stream(m, "issued"), 0);
    fetch_at(m, 0, A + 0x10000, 200);
    assert_int_equal(stream(m, "issued"), 0);
    fetch_at(m, 0, A + 16, 400);
    assert_int_equal(stream(m, "issued"), 4);
    assert_int_equal(fetch_at(m, 0, A + 32, 600), 0);
    done(m);
}

/* "two buffers to be able to intercept references to the caller and callee procedures": with one buffer, the callee
 * replaces the caller's stream. */
static void caller_and_callee(void **state)
{
    (void)state;
    static const unsigned stalls[] = {10, 0};
    for (unsigned buffers = 1; buffers <= 2; buffers++) {
        char settings[128];
        snprintf(settings, sizeof settings, "prefetch.stream.buffers=%u prefetch.stream.allocate=miss", buffers);
        struct machine *m = machine(1, settings);
        const paddr caller = A, callee = A + 0x10400;
        fetch_at(m, 0, caller, 0);
        fetch_at(m, 0, callee, 500);
        assert_int_equal(fetch_at(m, 0, callee + 16, 1000), 0);
        assert_int_equal(fetch_at(m, 0, caller + 16, 1500), stalls[buffers - 1]);
        done(m);
    }
}

/* Not across a page boundary: physical pages are not consecutive. */
static void page_end(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE);
    fetch_at(m, 0, A + 0xfd0, 0);
    assert_int_equal(stream(m, "issued"), 2);
    assert_int_equal(fetch_at(m, 0, A + 0xff0, 500), 0);
    assert_int_equal(stream(m, "issued"), 2);
    done(m);
}

/* A line that another CPU or a device invalidates in the second level must not hit in a buffer. */
static void coherence(void **state)
{
    (void)state;
    struct machine *m = machine(2, ONE);
    fetch_at(m, 0, A + 0x70, 0);
    store_at(m, 1, A + 0x80, 500);
    assert_int_equal(fetch_at(m, 0, A + 0x80, 1000), 100);
    assert_int_equal(stream(m, "useful"), 0);
    assert_int_equal(stream(m, "useless"), 1);
    done(m);
}

/* Three levels: the buffers serve the second level and look up the third; a hit takes as long as one in the second. */
static void three_levels(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.model=three-level cache.l2.size=64K " ONE);
    fetch_at(m, 0, A, 0);
    assert_int_equal(fetch_at(m, 0, A + 16, 500), 10); /* second-level hit: the buffers are not looked up */
    assert_int_equal(stream(m, "useful"), 0);
    assert_int_equal(fetch_at(m, 0, A + 128, 1000), 10);
    assert_int_equal(stream(m, "useful"), 1);
    assert_int_equal(value(m, "memory.fills"), 6);
    done(m);
}

/* With sequential prefetching: buffers serve its requests, too, and the misses that it hides keep the buffer
 * advancing. */
static void with_sequential_prefetch(void **state)
{
    (void)state;
    struct machine *m = machine(1, ONE "prefetch.insn.trigger=miss prefetch.insn.pages=all prefetch.insn.lines=1");
    fetch_at(m, 0, A, 0);
    fetch_at(m, 0, A + 16, 1000); /* prefetched from the buffer; prefetches the next one from it */
    assert_int_equal(stream(m, "useful"), 2);
    assert_int_equal(fetch_at(m, 0, A + 32, 1002), 0); /* no wait: the buffer had it */
    done(m);
}

static void no_level_beyond(void **state)
{
    (void)state;
    struct params *params = make_params("cache.model=one-level prefetch.stream.buffers=2");
    struct err err = {""};
    assert_null(memsys_create(params, 1, 200 * MHZ, &err));
    assert_memory_equal(err.text, "prefetch.stream.buffers", 23);
    params_free(params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_fetches),
        cmocka_unit_test(late_by_the_rest),
        cmocka_unit_test(begins_with_a_sequence),
        cmocka_unit_test(caller_and_callee),
        cmocka_unit_test(page_end),
        cmocka_unit_test(coherence),
        cmocka_unit_test(three_levels),
        cmocka_unit_test(with_sequential_prefetch),
        cmocka_unit_test(no_level_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
