/*
 * The bus alone: contention of two CPUs. The machine of timing_fixture.h: a bus cycle is 2 cycles; arbitration 2,
 * address 2, data of 64 bytes 16; a miss takes 100, of which memory's latency is 80.
 */
#include "timing_fixture.h"

#define BUS "memory.contention=on bus.clock=50MHz bus.width=8 "

static void without_contention_there_is_no_bus(void **state)
{
    (void)state;
    assert_null(bus_of("bus.clock=1MHz bus.width=1"));
}

static void an_idle_bus_adds_nothing(void **state)
{
    (void)state;
    static const char *const settings[] = {BUS, BUS "bus.model=atomic", BUS "bus.model=none dram.banks=4",
                                           BUS "bus.multiplexed=on dram.banks=1 bus.request_time=100"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct bus *bus = bus_of(settings[i]);
        for (enum bus_kind kind = 0; kind < BUS_KINDS; kind++)
            assert_int_equal(transact(bus, kind, 0x1000, 1000 * kind), 0);
        bus_free(bus);
    }
}

/* Address phases [2, 4), so the second's [4, 6); data [84, 100), so [100, 116), not before. */
static void split_transactions_share_the_memory_time(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS);
    assert_int_equal(transact(bus, BUS_READ, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 0), 16); /* 2 for the address wires, 14 for the data wires */
    assert_int_equal(transact(bus, BUS_READ, 0x80, 32), 0);
    bus_free(bus);
    for (unsigned later = 0; later < 20; later++) {
        bus = bus_of(BUS);
        transact(bus, BUS_READ, 0x0, 0);
        assert_int_equal(transact(bus, BUS_READ, 0x40, later), later < 16 ? 16 - later : 0);
        bus_free(bus);
    }
}

/* The bus is held from 2 to 100: a transaction at 97 or earlier waits, one at 98 does not. */
static void an_atomic_bus_is_held(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.model=atomic");
    assert_int_equal(transact(bus, BUS_READ, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 97), 1);
    assert_int_equal(transact(bus, BUS_READ, 0x40, 99 + 98), 0);
    bus_free(bus);
}

/* Arbitration overlaps with use of the bus: it costs only when the bus is free. */
static void arbitration_overlaps_use(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.model=atomic bus.arbitration=5");
    struct bus_transaction upgrade = {.kind = BUS_UPGRADE, .from_cpu = true, .now = 0};
    cycles done;
    assert_int_equal(bus_transact(bus, &upgrade, NULL, &done), 0);
    assert_int_equal(done, 10 + 2);
    upgrade.now = 1;
    assert_int_equal(bus_transact(bus, &upgrade, NULL, &done), 1);
    assert_int_equal(done, 12 + 2); /* directly after the first */
    bus_free(bus);
}

static void upgrades_have_an_address_only(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 1), 1);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 4), 0);
    assert_int_equal(bus_value(bus, "bus.upgrades"), 3);
    assert_int_equal(bus_value(bus, "bus.data.requests"), 0);
    assert_int_equal(bus_value(bus, "bus.address.busy"), 6);
    assert_int_equal(bus_value(bus, "bus.address.wait"), 1);
    bus_free(bus);
}

/* Cache-to-cache transfers: another latency, and memory's banks stay free; or memory is updated at the end. */
static void caches_supply_each_other(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.supply_time=200 dram.banks=1"); /* 20 cycles: data [24, 40) */
    assert_int_equal(transact(bus, BUS_SUPPLY, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_READ, 0x0, 4), 0); /* memory immediately */
    bus_free(bus);
    bus = bus_of(BUS "bus.supply_time=200 dram.banks=1");
    transact(bus, BUS_SUPPLY_UPDATE, 0x0, 0);               /* memory writes [40, 120) */
    assert_int_equal(transact(bus, BUS_READ, 0x0, 37), 79); /* address [39, 41): memory wanted at 41 */
    bus_free(bus);
}

/* Written data follow the address; the bank is written afterwards, without holding the bus. */
static void writes(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "dram.banks=1");
    cycles done;
    struct bus_transaction write = {.kind = BUS_WRITE, .size = 64, .now = 0};
    assert_int_equal(bus_transact(bus, &write, NULL, &done), 0);
    assert_int_equal(done, 2 + 2 + 16);
    assert_int_equal(transact(bus, BUS_WRITE, 0x40, 16), 0); /* data [20, 36) */
    assert_int_equal(bus_value(bus, "bus.writes"), 2);
    assert_int_equal(bus_value(bus, "dram.bank0.wait"), 64); /* [20, 100), so the second [100, 180) instead of 36 */
    bus_free(bus);
}

static void small_data_take_one_bus_cycle(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS);
    struct bus_transaction write = {.kind = BUS_UPDATE, .from_cpu = true, .size = 4, .now = 0};
    cycles done;
    bus_transact(bus, &write, NULL, &done);
    assert_int_equal(done, 2 + 2 + 2);
    write.now = 100;
    write.size = 9;
    bus_transact(bus, &write, NULL, &done);
    assert_int_equal(done, 100 + 2 + 2 + 4);
    bus_free(bus);
}

/* Multiplexed wires: an address phase waits for another transaction's data phase. */
static void multiplexed_wires(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.multiplexed=on");
    transact(bus, BUS_READ, 0x0, 0); /* data [84, 100) */
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 84), 14);
    bus_free(bus);
    bus = bus_of(BUS);
    transact(bus, BUS_READ, 0x0, 0);
    assert_int_equal(transact(bus, BUS_UPGRADE, 0x0, 84), 0);
    bus_free(bus);
}

/* bus.request_time delays the request, not the total. 10 cycles: address phase [12, 14). */
static void requests_take_time_to_come(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.request_time=100");
    assert_int_equal(transact(bus, BUS_READ, 0x0, 0), 0);
    assert_int_equal(transact(bus, BUS_WRITE, 0x0, 8), 0); /* from a buffer: [10, 12) */
    bus_free(bus);
    bus = bus_of(BUS "bus.request_time=100");
    transact(bus, BUS_READ, 0x0, 0);
    assert_int_equal(transact(bus, BUS_WRITE, 0x0, 9), 3); /* requests [11, 13), gets [14, 16) */
    bus_free(bus);
}

/* A CPU that lags in time uses the remaining gaps. */
static void an_earlier_request_that_comes_later(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.model=atomic");
    assert_int_equal(transact(bus, BUS_READ, 0x0, 200), 0); /* [202, 300) */
    assert_int_equal(transact(bus, BUS_READ, 0x0, 102), 0); /* [104, 202) */
    assert_int_equal(transact(bus, BUS_READ, 0x0, 4), 0);   /* [6, 104) */
    assert_int_equal(transact(bus, BUS_READ, 0x0, 6), 292); /* no other gap of 98 */
    bus_free(bus);
}

/* A bus cycle that is no whole number of CPU cycles: each phase is rounded up once. */
static void phases_are_rounded_once(void **state)
{
    (void)state;
    struct bus *bus = bus_of("memory.contention=on bus.clock=40MHz bus.width=8");
    struct bus_transaction write = {.kind = BUS_WRITE, .size = 64, .now = 0};
    cycles done;
    bus_transact(bus, &write, NULL, &done);
    assert_int_equal(done, 3 + 3 + 20); /* 2.5, 2.5, 8 * 2.5 */
    bus_free(bus);
}

static void phases_must_fit_into_the_latencies(void **state)
{
    (void)state;
    assert_bus_refused(BUS "dram.latency=1us", "memory.miss_time is 100 cycles");
    assert_bus_refused(BUS "bus.width=1", "memory.miss_time");
    assert_bus_refused(BUS "bus.request_time=200", "memory.upgrade_time is 20 cycles");
    bus_free(bus_of(BUS "dram.latency=800"));
    assert_bus_refused(BUS "dram.latency=801", "memory.miss_time"); /* 81 cycles */
}

/* Uncached accesses: the bus for their address and a datum, and no memory bank. */
static void uncached_accesses(void **state)
{
    (void)state;
    struct bus *bus = bus_of(BUS "bus.model=atomic");
    struct bus_transaction read = {.kind = BUS_UNCACHED, .from_cpu = true, .size = 4, .now = 0};
    cycles done;
    assert_int_equal(bus_transact(bus, &read, NULL, &done), 0);
    assert_int_equal(done, 100); /* all of memory.uncached_latency */
    read.now = 90;
    assert_int_equal(bus_transact(bus, &read, NULL, &done), 8);
    assert_int_equal(bus_value(bus, "bus.uncached"), 2);
    bus_free(bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_contention_there_is_no_bus),
        cmocka_unit_test(an_idle_bus_adds_nothing),
        cmocka_unit_test(split_transactions_share_the_memory_time),
        cmocka_unit_test(an_atomic_bus_is_held),
        cmocka_unit_test(arbitration_overlaps_use),
        cmocka_unit_test(upgrades_have_an_address_only),
        cmocka_unit_test(caches_supply_each_other),
        cmocka_unit_test(writes),
        cmocka_unit_test(small_data_take_one_bus_cycle),
        cmocka_unit_test(multiplexed_wires),
        cmocka_unit_test(requests_take_time_to_come),
        cmocka_unit_test(an_earlier_request_that_comes_later),
        cmocka_unit_test(phases_are_rounded_once),
        cmocka_unit_test(phases_must_fit_into_the_latencies),
        cmocka_unit_test(uncached_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
