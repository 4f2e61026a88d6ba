/* Memory banks behind the bus of timing_fixture.h: data phases of 16 cycles, a latency of 80. */
#include "timing_fixture.h"

#define NO_BUS "memory.contention=on bus.model=none "

/* Memory without banks serves any number at once. */
static void no_banks_no_waits(void **state)
{
    (void)state;
    struct bus *bus = bus_of(NO_BUS);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(transact(bus, BUS_READ, 0x1000 * i, 0), 0);
    bus_free(bus);
}

/* Without a bus the latency is the whole miss: the bank is busy for 100 cycles. */
static void a_bank_does_one_thing_at_a_time(void **state)
{
    (void)state;
    struct bus *bus = bus_of(NO_BUS "dram.banks=1");
    assert_int_equal(transact(bus, BUS_READ, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 99), 1);
    assert_int_equal(transact(bus, BUS_READ, 0x80, 200), 0);
    bus_free(bus);
}

static void a_bank_busy_longer_or_shorter(void **state)
{
    (void)state;
    struct bus *bus = bus_of(NO_BUS "dram.banks=1 dram.bank_busy=1500"); /* 150 cycles */
    transact(bus, BUS_READ, 0x0, 0);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 149), 1);
    assert_int_equal(transact(bus, BUS_READ, 0x80, 300), 0);
    bus_free(bus);
    bus = bus_of(NO_BUS "dram.banks=1 dram.bank_busy=100");
    transact(bus, BUS_READ, 0x0, 0);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 9), 1);
    assert_int_equal(transact(bus, BUS_READ, 0x80, 20), 0);
    bus_free(bus);
}

/* Does an access to ADDRESS at time 0 delay one to address 0? */
static bool same_bank(const char *settings, paddr address)
{
    struct bus *bus = bus_of(settings);
    transact(bus, BUS_READ, 0, 0);
    bool waits = transact(bus, BUS_READ, address, 0) != 0;
    bus_free(bus);
    return waits;
}

static void lines_are_spread_over_banks(void **state)
{
    (void)state;
    assert_true(same_bank(NO_BUS "dram.banks=4", 0x3f));
    assert_false(same_bank(NO_BUS "dram.banks=4", 0x40));
    assert_false(same_bank(NO_BUS "dram.banks=4", 0xc0));
    assert_true(same_bank(NO_BUS "dram.banks=4", 0x100));
    assert_true(same_bank(NO_BUS "dram.banks=4 dram.interleave=4K", 0xfc0));
    assert_false(same_bank(NO_BUS "dram.banks=4 dram.interleave=4K", 0x1000));
    assert_true(same_bank(NO_BUS "dram.banks=4 dram.interleave=4K", 0x4000));
}

/* Behind a split-transaction bus: the second read's address arrives at 6, its bank is free at 84. */
static void a_bank_behind_a_split_bus(void **state)
{
    (void)state;
    struct bus *bus = bus_of("memory.contention=on bus.clock=50MHz dram.banks=2");
    transact(bus, BUS_READ, 0x0, 0);
    assert_int_equal(transact(bus, BUS_READ, 0x80, 0), 2 + 78); /* data at 164: the wires are free */
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x80, 10), 0);  /* the wait delays nobody else */
    assert_int_equal(bus_value(bus, "dram.bank0.waited"), 1);
    assert_int_equal(bus_value(bus, "dram.bank1.requests"), 0);
    bus_free(bus);
}

/* An atomic bus is held while its transaction waits for a bank, and no longer. */
static void a_bank_behind_an_atomic_bus(void **state)
{
    (void)state;
    struct bus *bus = bus_of("memory.contention=on bus.model=atomic bus.clock=50MHz dram.banks=1 dram.bank_busy=2us");
    assert_int_equal(transact(bus, BUS_READ, 0x0, 0), 0);           /* bus [2, 100), bank [4, 204) */
    assert_int_equal(transact(bus, BUS_READ, 0x40, 98), 204 - 102); /* bus [100, 300), bank [204, 404) */
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x40, 297), 1);
    bus_free(bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_banks_no_waits),
        cmocka_unit_test(a_bank_does_one_thing_at_a_time),
        cmocka_unit_test(a_bank_busy_longer_or_shorter),
        cmocka_unit_test(lines_are_spread_over_banks),
        cmocka_unit_test(a_bank_behind_a_split_bus),
        cmocka_unit_test(a_bank_behind_an_atomic_bus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
