/* Guarded sequential instruction prefetch: start, end, and cost. Xia and Torrellas, IEEE TC 1999, section 4.2.1. L1
 * lines have 16 bytes, L2 lines 128; L2 hit 10 cycles, memory 100. */
#include "timing_machine.h"

#define GUARDED "prefetch.insn.trigger=miss "

static bool in_l1i(const struct machine *m, paddr line)
{
    return memsys_look(m->memsys, 0, MEMSYS_L1I, line).valid;
}

/* "all the memory lines until it stops when it finds a guard bit set": the line with the guard is fetched too. */
static void ends_with_the_line_of_a_guard(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED);
    memsys_set_guard(m->memsys, A + 0x58, true);
    assert_int_equal(fetch_at(m, 0, A, 0), 100);
    for (paddr line = A; line <= A + 0x50; line += 16)
        assert_true(in_l1i(m, line));
    assert_false(in_l1i(m, A + 0x60));
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 5);
    assert_int_equal(value(m, "cpu0.l1i.misses"), 1);
    assert_int_equal(value(m, "cpu0.l2.insn_misses"), 1);
    done(m);
}

/* A guard in the line that the CPU fetches: no prefetch. Otherwise up to the next guard. */
static void does_not_begin_in_the_line_of_a_guard(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED);
    memsys_set_guard(m->memsys, A + 4, true);
    memsys_set_guard(m->memsys, A + 0x20, true);
    fetch_at(m, 0, A, 0);
    assert_false(in_l1i(m, A + 16));
    memsys_set_guard(m->memsys, A + 4, false);
    assert_int_equal(memsys_guards(m->memsys), 1);
    fetch_at(m, 0, A + L1_STRIDE, 200); /* another page, without guards */
    assert_false(in_l1i(m, A + L1_STRIDE + 16));
    fetch_at(m, 0, A + 2 * L1_STRIDE, 400);
    fetch_at(m, 0, A, 600); /* it was evicted */
    assert_true(in_l1i(m, A + 0x20));
    assert_false(in_l1i(m, A + 0x30));
    done(m);
}

/* "An on-chip hardware prefetching scheme": lines that the second level does not have stay where they are, and the
 * prefetcher goes on behind them. */
static void reaches_the_second_level(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED "prefetch.insn.reach=2");
    memsys_set_guard(m->memsys, A + 0x118, true);
    load_at(m, 0, A + 0x100, 0);
    fetch_at(m, 0, A, 200);
    for (paddr line = A + 0x10; line <= A + 0x70; line += 16)
        assert_true(in_l1i(m, line)); /* its second-level line came with the fetch */
    for (paddr line = A + 0x80; line <= A + 0xf0; line += 16)
        assert_false(in_l1i(m, line));
    assert_true(in_l1i(m, A + 0x110));
    assert_int_equal(value(m, "cpu0.prefetch.insn.dropped"), 8);
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 9);
    assert_int_equal(fetch_at(m, 0, A + 0x80, 400), 100);
    done(m);
}

/* The TLB entry's bit "to turn the prefetcher on and off": clear for pages without guards, unless set for all. */
static void pages_without_guards(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED);
    fetch_at(m, 0, A, 0);
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 0);
    done(m);
    m = machine(1, GUARDED "prefetch.insn.pages=all");
    fetch_at(m, 0, A + 0xf80, 0);
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 7); /* to the end of the page */
    assert_false(in_l1i(m, A + 0x1000));
    done(m);
}

/* prefetch.insn.lines: an N-line lookahead prefetcher, which first uses advance. */
static void so_many_lines_ahead(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED "prefetch.insn.pages=all prefetch.insn.lines=2");
    fetch_at(m, 0, A, 0);
    assert_true(in_l1i(m, A + 32));
    assert_false(in_l1i(m, A + 48));
    assert_int_equal(fetch_at(m, 0, A + 16, 1000), 0);
    assert_true(in_l1i(m, A + 48));
    assert_false(in_l1i(m, A + 64));
    assert_int_equal(fetch_at(m, 0, A + 16, 1001), 0); /* not the first use */
    assert_int_equal(value(m, "cpu0.prefetch.insn.issued"), 3);
    assert_int_equal(value(m, "cpu0.prefetch.insn.requests"), 2);
    done(m);
}

/* Trigger "reference": a fetch that hits also starts prefetching, so it must not take the fast path. */
static void at_every_reference(void **state)
{
    (void)state;
    static const char *const triggers[] = {"prefetch.insn.trigger=miss", "prefetch.insn.trigger=reference"};
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = machine(1, triggers[i]);
        fetch_at(m, 0, A, 0);
        assert_int_equal(m->permission, i == 0 ? PERMIT_READ : PERMIT_NONE);
        memsys_set_guard(m->memsys, A + 0x20, true);
        assert_int_equal(fetch_at(m, 0, A, 200), 0);
        assert_int_equal(in_l1i(m, A + 0x20), i);
        done(m);
    }
}

/* A prefetched line that is evicted before its use is useless; it is counted when the entry is filled again. */
static void useless(void **state)
{
    (void)state;
    struct machine *m = machine(1, GUARDED "prefetch.insn.pages=all prefetch.insn.lines=1 cache.l1i.ways=1");
    fetch_at(m, 0, A, 0);
    assert_true(in_l1i(m, A + 16));
    fetch_at(m, 0, A + 16 + 0x4000, 300);
    assert_false(in_l1i(m, A + 16));
    assert_int_equal(value(m, "cpu0.prefetch.insn.useless"), 1);
    assert_int_equal(fetch_at(m, 0, A + 16, 600), 10);
    assert_int_equal(value(m, "cpu0.prefetch.insn.useful"), 0);
    done(m);
}

/* Off: no statistics, guards are not stored, and fetches are unaffected. */
static void off(void **state)
{
    (void)state;
    struct machine *m = machine(1, "");
    double nothing;
    memsys_set_guard(m->memsys, A, true);
    assert_int_equal(memsys_guards(m->memsys), 0);
    assert_false(memsys_takes_guards(m->memsys));
    fetch_at(m, 0, A, 0);
    assert_int_equal(fetch_at(m, 0, A + 16, 200), 10);
    assert_false(stats_value(m->stats, "cpu0.prefetch.insn.issued", &nothing));
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_with_the_line_of_a_guard),
        cmocka_unit_test(does_not_begin_in_the_line_of_a_guard),
        cmocka_unit_test(reaches_the_second_level),
        cmocka_unit_test(pages_without_guards),
        cmocka_unit_test(so_many_lines_ahead),
        cmocka_unit_test(at_every_reference),
        cmocka_unit_test(useless),
        cmocka_unit_test(off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
