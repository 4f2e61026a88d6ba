/* Devices on the bus of timing_fixture.h: a line holds an atomic bus for 18 cycles if written, 98 if read. */
#include "timing_fixture.h"

#define ATOMIC "memory.contention=on bus.model=atomic bus.clock=50MHz "

static void write_lines(struct bus *bus, paddr address, unsigned lines, cycles now)
{
    for (unsigned i = 0; i < lines; i++)
        bus_dma(bus, BUS_WRITE, address + 64 * i, 64, now);
}

/* Each line is requested when the previous one is done: [2, 20), [22, 40), [42, 60) ... A CPU in between waits for one
 * of them, however many there are. */
static void a_cpu_waits_for_one_line_of_many(void **state)
{
    (void)state;
    for (cycles now = 18; now < 60; now++) {
        struct bus *bus = bus_of(ATOMIC);
        write_lines(bus, 0x10000, 1000, 0);
        unsigned wait = transact(bus, BUS_UPGRADE, 0x0, now);
        assert_int_equal(wait, (now + 2) % 20 < 2 ? 0 : 20 - (now + 2) % 20);
        bus_free(bus);
    }
}

/* The CPU is served first, then the next line; all lines are done in the end. */
static void all_lines_are_done(void **state)
{
    (void)state;
    struct bus *bus = bus_of(ATOMIC);
    write_lines(bus, 0x10000, 100, 0);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 1);
    transact(bus, BUS_UPGRADE, 0x0, 1);
    transact(bus, BUS_UPGRADE, 0x0, 1000);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 51); /* requested at 0, 20 ... 1000 */
    transact(bus, BUS_UPGRADE, 0x0, 5000);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 100);
    assert_int_equal(bus_value(bus, "bus.wires.busy"), 100 * 18 + 3 * 2);
    bus_free(bus);
}

/* bus.dma_interval=1us: one line per 100 cycles. */
static void a_slow_device(void **state)
{
    (void)state;
    struct bus *bus = bus_of(ATOMIC "bus.dma_interval=1us");
    write_lines(bus, 0x10000, 3, 0);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 18), 0);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 98), 0);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 101), 120 - 103);
    transact(bus, BUS_UPGRADE, 0x0, 199);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 2);
    transact(bus, BUS_UPGRADE, 0x0, 200);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 3);
    bus_free(bus);
}

/* Reads and writes, and partial lines, keep their kind and order. */
static void mixed_requests(void **state)
{
    (void)state;
    struct bus *bus = bus_of(ATOMIC "dram.banks=2");
    bus_dma(bus, BUS_READ, 0x10000, 64, 0); /* [2, 100), bank 0 */
    bus_dma(bus, BUS_READ, 0x10040, 64, 0); /* [102, 200), bank 1 */
    bus_dma(bus, BUS_WRITE, 0x10080, 4, 0); /* [202, 206) */
    for (unsigned i = 0; i < 40; i++)
        bus_dma(bus, i % 2 ? BUS_SUPPLY_UPDATE : BUS_WRITE, 0x20000 + 0x80 * i, 64, 10);
    transact(bus, BUS_UPGRADE, 0x0, 205);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 3);
    assert_int_equal(bus_value(bus, "dram.bank0.requests"), 2);
    assert_int_equal(bus_value(bus, "dram.bank1.requests"), 1);
    assert_int_equal(bus_value(bus, "bus.wires.busy"), 98 + 98 + 4 + 2);
    transact(bus, BUS_UPGRADE, 0x0, 100000);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 43);
    bus_free(bus);
}

/* Consecutive lines alternate between banks. */
static void lines_in_a_row(void **state)
{
    (void)state;
    struct bus *bus = bus_of(ATOMIC "dram.banks=4");
    write_lines(bus, 0x10000, 8, 0);
    transact(bus, BUS_UPGRADE, 0x0, 1000);
    for (unsigned bank = 0; bank < 4; bank++) {
        char name[32];
        snprintf(name, sizeof name, "dram.bank%u.requests", bank);
        assert_int_equal(bus_value(bus, name), 2);
    }
    bus_free(bus);
}

/* A later request for the next lines does not start before its time. */
static void later_requests(void **state)
{
    (void)state;
    struct bus *bus = bus_of(ATOMIC);
    write_lines(bus, 0x10000, 2, 0);
    write_lines(bus, 0x10080, 2, 0);
    write_lines(bus, 0x10100, 2, 500); /* [502, 520), [522, 540) */
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 5);
    transact(bus, BUS_UPGRADE, 0x0, 519);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 5);
    transact(bus, BUS_UPGRADE, 0x0, 520);
    assert_int_equal(bus_value(bus, "bus.dma_lines"), 6);
    bus_free(bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cpu_waits_for_one_line_of_many),
        cmocka_unit_test(all_lines_are_done),
        cmocka_unit_test(a_slow_device),
        cmocka_unit_test(mixed_requests),
        cmocka_unit_test(lines_in_a_row),
        cmocka_unit_test(later_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
