/* Device accesses: invalidations in the CPUs' caches, and bus contention. */
#include "timing_machine.h"

/* A device writes a line at 1000: address [1004, 1008), data [1008, 1072). */
static void a_line_that_was_written_misses(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS);
    load_at(m, 0, A, 0);
    assert_int_equal(load_at(m, 0, A, 999), 0);
    memsys_dma_write(m->memsys, A, 128, 1000);
    assert_int_equal(load_at(m, 0, A, 2000), 100);
    assert_int_equal(value(m, "cpu0.l2.dma_invalidations"), 1);
    assert_int_equal(value(m, "bus.dma_lines"), 1);
    done(m);
}

/* A CPU's miss at the same time waits for the address phase and for the data wires. */
static void the_device_has_the_bus(void **state)
{
    (void)state;
    for (cycles now = 1000; now < 1100; now++) {
        struct machine *m = machine(1, BUS);
        memsys_dma_write(m->memsys, 2 * A, 128, 1000);
        cycles address = now + 4 < 1008 ? 1008 : now + 4;
        cycles data = address + 4 + 28 < 1072 ? 1072 : address + 4 + 28;
        assert_int_equal(load_at(m, 0, A, now), data + DATA - now);
        done(m);
    }
}

/* Contention off: devices delay nobody. */
static void without_contention(void **state)
{
    (void)state;
    struct machine *m = machine(1, "cache.l1d.write_buffer.depth=1");
    memsys_dma_write(m->memsys, 2 * A, 4096, 1000);
    assert_int_equal(load_at(m, 0, A, 1000), 100);
    done(m);
}

/* A page: each line is requested when the previous one is done, so a CPU waits for one of them. */
static void a_page(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS "bus.model=atomic");
    memsys_dma_write(m->memsys, 2 * A, 4096, 1000);     /* [1004, 1072), [1076, 1144) ... */
    assert_int_equal(load_at(m, 0, A, 1080), 100 + 60); /* requested at 1084, data at 1144 */
    load_at(m, 0, 3 * A, 10000);
    assert_int_equal(value(m, "bus.dma_lines"), 32);
    assert_int_equal(value(m, "bus.wires.busy"), 32 * (4 + DATA) + 2 * 96);
    done(m);
}

/* A dirty line is supplied by the cache for a device read; before a partial device write it is written back. */
static void dirty_lines(void **state)
{
    (void)state;
    struct machine *m = machine(2, BUS "dram.banks=1");
    store_at(m, 0, A, 0);
    memsys_dma_read(m->memsys, A, 128, 1000);
    assert_int_equal(value(m, "memory.write_backs"), 1);
    assert_int_equal(value(m, "dram.bank0.requests"), 2); /* miss, write-back */
    assert_int_equal(store_at(m, 0, A, 2000), 100);
    assert_int_equal(value(m, "bus.upgrades"), 1);
    memsys_dma_write(m->memsys, A + 64, 64, 3000);
    load_at(m, 1, 2 * A, 9000);
    assert_int_equal(value(m, "bus.dma_lines"), 3);
    assert_int_equal(value(m, "bus.data.busy"), DATA /* miss */ + DATA /* read */ + DATA + DATA / 2 + DATA /* miss */);
    done(m);
}

/* A dirty line that the device overwrites as a whole is discarded. */
static void dirty_lines_that_are_overwritten(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS);
    store_at(m, 0, A, 0);
    memsys_dma_write(m->memsys, A, 128, 1000);
    load_at(m, 0, 2 * A, 9000);
    assert_int_equal(value(m, "bus.dma_lines"), 1);
    assert_int_equal(value(m, "bus.data.busy"), 3 * DATA);
    done(m);
}

/* A transfer whose first and last lines are partial. */
static void odd_ends(void **state)
{
    (void)state;
    struct machine *m = machine(1, BUS);
    memsys_dma_write(m->memsys, A + 120, 8 + 128 + 16, 0);
    memsys_dma_write(m->memsys, A, 0, 0);
    load_at(m, 0, 2 * A, 10000);
    assert_int_equal(value(m, "bus.dma_lines"), 3);
    assert_int_equal(value(m, "bus.data.busy"), 4 + DATA + 8 + DATA);
    done(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_was_written_misses),
        cmocka_unit_test(the_device_has_the_bus),
        cmocka_unit_test(without_contention),
        cmocka_unit_test(a_page),
        cmocka_unit_test(dirty_lines),
        cmocka_unit_test(dirty_lines_that_are_overwritten),
        cmocka_unit_test(odd_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
