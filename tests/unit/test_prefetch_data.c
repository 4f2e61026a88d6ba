/* PREF: fills the line into the first-level data cache without a stall (prefetch.data). */
#include "timing_machine.h"

#include "cache/classify/miss_observer.h"

static void prefetch_at(struct machine *m, unsigned cpu, paddr address, cycles now)
{
    const struct memsys_request request = {
        .address = address, .virtual_address = address, .now = now, .size = 4, .bucket = &m->bucket[cpu]};
    memsys_prefetch(m->memsys, cpu, &request);
}

static void a_load_behind_it_waits_for_the_rest(void **state)
{
    (void)state;
    for (cycles now = 1001; now < 1110; now += 9) {
        struct machine *m = machine(1, "prefetch.data=on");
        prefetch_at(m, 0, A + 4, 1000);
        assert_int_equal(charged(m, 0), 0);
        assert_int_equal(load_at(m, 0, A + 8, now), now < 1100 ? 1100 - (unsigned)now : 0);
        assert_int_equal(value(m, "cpu0.l1d.read_misses"), 0);
        assert_int_equal(value(m, "cpu0.l2.read_misses"), 0);
        assert_int_equal(value(m, "cpu0.prefetch.data.useful"), 1);
        done(m);
    }
}

/* A store to the line stalls like a load; with several CPUs the line is shared, so the store also upgrades. */
static void a_store_behind_it(void **state)
{
    (void)state;
    struct machine *m = machine(2, "prefetch.data=on");
    prefetch_at(m, 0, A, 1000);
    assert_int_equal(memsys_state(m->memsys, 0, A), 'S');
    assert_int_equal(store_at(m, 0, A, 1090), 10 + 100);
    assert_int_equal(m->bucket[0].stall[STALL_UPGRADE], 100);
    assert_int_equal(charged(m, 0), 110);
    done(m);
}

static void of_a_line_that_is_there(void **state)
{
    (void)state;
    struct machine *m = machine(1, "prefetch.data=on");
    load_at(m, 0, A, 0);
    prefetch_at(m, 0, A, 200);
    assert_int_equal(load_at(m, 0, A, 201), 0);
    assert_int_equal(value(m, "cpu0.prefetch.data.requests"), 1);
    assert_int_equal(value(m, "cpu0.prefetch.data.issued"), 0);
    done(m);
}

/* The victim's line loses its fast-path permission, and so does the MRU line. */
static void fast_path_permissions(void **state)
{
    (void)state;
    struct machine *m = machine(1, "prefetch.data=on");
    load_at(m, 0, A, 0);
    assert_int_equal(m->permission, PERMIT_READ);
    prefetch_at(m, 0, A + L1_STRIDE, 200);
    assert_int_equal(m->permission, PERMIT_NONE);
    load_at(m, 0, A + L1_STRIDE, 400);
    assert_int_equal(m->permission, PERMIT_READ);
    prefetch_at(m, 0, A + 2 * L1_STRIDE, 600);
    assert_int_equal(m->permission, PERMIT_NONE);
    assert_false(memsys_look(m->memsys, 0, MEMSYS_L1D, A).valid);
    done(m);
}

/* Another CPU's modified line is supplied as for a load. */
static void coherence(void **state)
{
    (void)state;
    struct machine *m = machine(2, "prefetch.data=on");
    store_at(m, 1, A, 0);
    prefetch_at(m, 0, A, 200);
    assert_int_equal(value(m, "cpu1.l2.interventions"), 1);
    assert_int_equal(store_at(m, 1, A, 500), 100); /* shared now: CPU 0 loses its copy */
    assert_int_equal(load_at(m, 0, A, 700), 100);
    assert_int_equal(value(m, "cpu0.prefetch.data.useful"), 0);
    assert_int_equal(value(m, "cpu0.prefetch.data.useless"), 1);
    done(m);
}

struct observed {
    unsigned misses, upgrades;
};

static void count_miss(void *opaque, const struct observed_miss *miss)
{
    struct observed *seen = opaque;
    seen->misses += !miss->upgrade;
    seen->upgrades += miss->upgrade;
}

/* What observers of misses are told is what the caches count, whichever prefetcher makes the accesses. */
static void observers_see_every_miss(void **state)
{
    static const char *const prefetchers[] = {"prefetch.data=off", "prefetch.data=on",
                                              "prefetch.data=on prefetch.insn.trigger=reference",
                                              "prefetch.stream.buffers=2 prefetch.insn.trigger=miss"};
    (void)state;
    for (size_t i = 0; i < sizeof prefetchers / sizeof prefetchers[0]; i++) {
        struct machine *m = machine(2, prefetchers[i]);
        struct observed seen = {0};
        struct miss_observer *observer = miss_observer_begin(m->memsys, count_miss, &seen);
        cycles now = 0;
        for (unsigned n = 0; n < 40; n++) {
            const unsigned cpu = n % 2;
            if (n % 4 < 2)
                prefetch_at(m, cpu, A + n / 4 * 16, now);
            now += load_at(m, cpu, A + n / 4 * 16, now + 1);
            now += store_at(m, cpu, A + n / 4 * 16, now + 2);
            now += fetch_at(m, cpu, A + 0x10000 + n / 4 * 16, now + 3);
        }
        unsigned misses = 0, upgrades = 0;
        for (unsigned cpu = 0; cpu < 2; cpu++) {
            const uint64_t *miss = m->bucket[cpu].miss;
            upgrades += (unsigned)miss[MISS_UPGRADE];
            for (unsigned kind = 0; kind < MISS_UPGRADE; kind++)
                misses += (unsigned)miss[kind];
        }
        assert_true(misses > 0 && upgrades > 0);
        assert_int_equal(seen.misses, misses);
        assert_int_equal(seen.upgrades, upgrades);
        miss_observer_end(observer);
        done(m);
    }
}

static void off(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    prefetch_at(m, 0, A, 0);
    assert_false(memsys_prefetches(m->memsys));
    assert_int_equal(load_at(m, 0, A, 200), 100);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_behind_it_waits_for_the_rest),
        cmocka_unit_test(a_store_behind_it),
        cmocka_unit_test(of_a_line_that_is_there),
        cmocka_unit_test(fast_path_permissions),
        cmocka_unit_test(coherence),
        cmocka_unit_test(observers_see_every_miss),
        cmocka_unit_test(off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
