/* The block-transfer engine: Xia and Torrellas, IEEE TC 1999, section 4.3. 200 MHz CPUs, a bus of 50 MHz and 8
 * bytes: copying a page takes 512 * 2 bus cycles = 4096 cycles, clearing half of that, starting 100 cycles after the
 * request. */
#include "timing_machine.h"

#define ENGINE "block.engine=on "

enum { PAGE = 4096, FROM = A, TO = A + 0x40000, SETUP = 100, COPY = SETUP + 4096, CLEAR = SETUP + 2048 };

static bool begins(struct machine *m, paddr to, paddr from, uint32_t size, bool copies, cycles now)
{
    const struct memsys_block block = {.pieces = 1, .to = {to}, .from = {from}, .size = {size}, .copies = copies};
    return memsys_block_begin(m->memsys, 0, &block, &m->bucket[0], now);
}

/* "The processor that was supposed to perform the block operation waits": at the last store, for the remaining time. */
static void waits_for_the_rest(void **state)
{
    (void)state;
    for (cycles now = 1000 + COPY - 20; now < 1000 + COPY + 20; now++) {
        struct machine *m = machine(1, ENGINE);
        assert_true(begins(m, TO, FROM, PAGE, true, 1000));
        assert_int_equal(load_at(m, 0, FROM, 1001), 0);
        assert_int_equal(store_at(m, 0, TO, 1002), 0);
        assert_int_equal(store_at(m, 0, TO + PAGE - 8, 1003), 0);
        unsigned rest = now < 1000 + COPY ? 1000 + COPY - (unsigned)now : 0;
        assert_int_equal(store_at(m, 0, TO + PAGE - 4, now), rest);
        assert_int_equal(m->bucket[0].stall[STALL_UNCACHED], rest);
        assert_int_equal(value(m, "cpu0.block.wait"), rest);
        assert_int_equal(value(m, "cpu0.block.busy"), COPY);
        assert_int_equal(store_at(m, 0, TO + PAGE - 4, 9000), 100); /* the transfer has ended: an ordinary store */
        done(m);
    }
}

static void clearing_takes_half(void **state)
{
    (void)state;
    struct machine *m = machine(1, ENGINE);
    assert_true(begins(m, TO, 0, PAGE, false, 1000));
    /* the block is cleared, so it has no source, and this is an ordinary load */
    assert_int_equal(load_at(m, 0, FROM, 1001), 100);
    assert_int_equal(store_at(m, 0, TO + PAGE - 4, 2000), 1000 + CLEAR - 2000);
    assert_int_equal(value(m, "cpu0.block.clears"), 1);
    assert_int_equal(value(m, "cpu0.block.bytes"), PAGE);
    done(m);
}

/* "Caches are not polluted with either the source or the destination". */
static void caches_stay_as_they_are(void **state)
{
    (void)state;
    struct machine *m = machine(1, ENGINE);
    begins(m, TO, FROM, PAGE, true, 0);
    for (paddr offset = 0; offset < PAGE; offset += 4) {
        load_at(m, 0, FROM + offset, offset);
        store_at(m, 0, TO + offset, offset + 1);
    }
    assert_int_equal(value(m, "cpu0.l1d.read_misses") + value(m, "cpu0.l1d.write_misses"), 0);
    for (paddr offset = 0; offset < PAGE; offset += 16) {
        assert_false(memsys_look(m->memsys, 0, MEMSYS_L2, FROM + offset).valid);
        assert_false(memsys_look(m->memsys, 0, MEMSYS_L1D, TO + offset).valid);
    }
    done(m);
}

/* "Caches of all the processors are read or updated if they contain the source or destination cache line": the
 * destination's lines stay, "the update propagates all the way to the on-chip caches", and are clean. */
static void caches_that_hold_lines(void **state)
{
    (void)state;
    struct machine *m = machine(2, ENGINE "block.cache_time=10");
    store_at(m, 1, FROM, 0);
    store_at(m, 1, TO + 0x80, 0);
    load_at(m, 1, TO + 0x100, 0);
    begins(m, TO, FROM, PAGE, true, 1000);
    assert_int_equal(memsys_state(m->memsys, 1, FROM), 'S');
    assert_int_equal(memsys_state(m->memsys, 1, TO + 0x80), 'S');
    assert_int_equal(load_at(m, 1, TO + 0x80, 1500), 0);
    assert_int_equal(load_at(m, 1, TO + 0x100, 1501), 0);
    assert_int_equal(value(m, "cpu0.block.supplied"), 1);
    assert_int_equal(value(m, "cpu0.block.updated"), 2);
    assert_int_equal(value(m, "cpu1.l2.coherence_write_backs"), 1); /* the source line's; the other is overwritten */
    assert_int_equal(store_at(m, 0, TO + PAGE - 4, 1600), 1000 + COPY + 3 * 2 - 1600);
    assert_int_equal(value(m, "cpu0.block.busy"), COPY + 3 * 2);
    done(m);
}

/* "Lowering the Busy time thanks to not having to execute the instructions": the cycles in which the CPU executes while
 * the engine is busy are counted, so that they can be taken from its execution. Other stalls in between are not. */
static void execution_meanwhile(void **state)
{
    (void)state;
    for (unsigned stall = 0; stall <= 100; stall += 100) {
        struct machine *m = machine(1, ENGINE);
        load_at(m, 0, A + 0x80000, 0); /* a stall before the block */
        begins(m, TO, FROM, PAGE, true, 1000);
        if (stall)
            assert_int_equal(fetch_at(m, 0, A + 0x90000, 1010), stall);
        assert_int_equal(store_at(m, 0, TO + PAGE - 4, 3000), 1000 + COPY - 3000);
        assert_int_equal(value(m, "cpu0.block.overlapped"), 2000 - stall);
        assert_int_equal(value(m, "cpu0.block.overlapped") + value(m, "cpu0.block.wait") + stall, COPY);
        /* one that the CPU is slower with: what it executes after the engine has finished is its own time */
        begins(m, TO, FROM, PAGE, true, 10000);
        assert_int_equal(store_at(m, 0, TO + PAGE - 4, 20000), 0);
        assert_int_equal(value(m, "cpu0.block.overlapped"), 2000 - stall + COPY);
        assert_int_equal(value(m, "cpu0.block.busy"), 2 * COPY);
        done(m);
    }
}

/* A copy of user memory is a list of physically contiguous pieces; the engine starts each with a datum of its own. */
static void several_pieces(void **state)
{
    (void)state;
    struct machine *m = machine(2, ENGINE);
    const struct memsys_block block = {.pieces = 3,
                                       .to = {TO + 0x3ff0, TO, TO + 0x8000},
                                       .from = {FROM, FROM + 0x7000, FROM + 0x2000},
                                       .size = {12, 2048, 100},
                                       .copies = true,
                                       .left = 500};
    const unsigned time = SETUP + (2 + 256 + 13) * 2 * 4;
    store_at(m, 1, FROM + 0x2000, 0);
    store_at(m, 1, TO + 0x8000, 0);
    assert_true(memsys_block_begin(m->memsys, 0, &block, &m->bucket[0], 1000));
    assert_int_equal(memsys_state(m->memsys, 1, FROM + 0x2000), 'S');
    for (unsigned i = 0; i < block.pieces; i++)
        for (uint32_t at = 0; at < block.size[i]; at += 4) {
            assert_int_equal(load_at(m, 0, block.from[i] + at, 1001), 0);
            if (i < 2 || at < 96)
                assert_int_equal(store_at(m, 0, block.to[i] + at, 1002), 0);
        }
    assert_int_equal(load_at(m, 0, FROM + 0x3000, 1003), 100); /* between the pieces */
    assert_int_equal(store_at(m, 0, TO + 0x8000 + 96, 1200), 1000 + time - 1200);
    assert_int_equal(value(m, "cpu0.block.bytes"), 12 + 2048 + 100);
    assert_int_equal(value(m, "cpu0.block.left"), 500);
    assert_int_equal(value(m, "cpu0.block.supplied"), 1);
    assert_int_equal(value(m, "cpu0.block.updated"), 1);
    assert_int_equal(value(m, "cpu0.block.busy"), time);
    done(m);
}

/* During a transfer the CPU must not hit lines of the block on the fast path. */
static void fast_path_permissions(void **state)
{
    (void)state;
    struct machine *m = machine(1, ENGINE);
    load_at(m, 0, FROM + 64, 0);
    assert_int_equal(m->permission, PERMIT_READ);
    begins(m, TO, FROM, PAGE, true, 1000);
    assert_int_equal(m->permission, PERMIT_NONE);
    load_at(m, 0, FROM + 64, 1001);
    assert_int_equal(m->permission, PERMIT_NONE);
    done(m);
}

/* "While holding the bus for the duration of the block transfer". */
static void holds_the_bus(void **state)
{
    (void)state;
    static const char *const models[] = {BUS ENGINE, BUS ENGINE "bus.model=atomic"};
    for (unsigned i = 0; i < 2; i++) {
        struct machine *m = machine(2, models[i]);
        begins(m, TO, FROM, PAGE, true, 1000); /* arbitration: 4 cycles */
        assert_int_equal(store_at(m, 0, TO + PAGE - 4, 1100), 1000 + COPY + 4 - 1100);
        assert_int_equal(load_at(m, 1, A + 0x80000, 2000), 100 + 1000 + COPY + 4 - 2004);
        done(m);
    }
}

/* Blocks below block.least, and all blocks without an engine, are left to the CPU. */
static void left_to_the_cpu(void **state)
{
    (void)state;
    struct machine *m = machine(1, ENGINE "block.least=512");
    assert_false(begins(m, TO, FROM, 511, true, 0));
    assert_int_equal(store_at(m, 0, TO, 0), 100);
    assert_true(begins(m, TO, FROM, 512, true, 200));
    done(m);
    m = machine(1, "");
    assert_false(memsys_moves_blocks(m->memsys));
    assert_false(begins(m, TO, FROM, PAGE, true, 0));
    assert_int_equal(load_at(m, 0, FROM, 0), 100);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_the_rest),      cmocka_unit_test(clearing_takes_half),
        cmocka_unit_test(caches_stay_as_they_are), cmocka_unit_test(caches_that_hold_lines),
        cmocka_unit_test(fast_path_permissions),   cmocka_unit_test(holds_the_bus),
        cmocka_unit_test(left_to_the_cpu),         cmocka_unit_test(execution_meanwhile),
        cmocka_unit_test(several_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
