/*
 * Waits of an access, computed from its response: struct memsys_response is filled in by hand.
 *
 * The machine: 100 MHz; 16-byte lines in split first levels, 64-byte lines in the second; a second-level hit takes 10
 * cycles, memory 100. Stores are write-through where the test says so.
 */
#include "cache/timing/timing.h"
#include "timing_fixture.h"

/* SHARED: how many of the two CPUs share a second level. */
static struct timing *timing_shared(unsigned levels, unsigned shared, const char *settings)
{
    struct params *params = timing_params(settings);
    struct timing_environment environment = {.cpus = 2,
                                             .clock_hz = 100 * MHZ,
                                             .levels = levels,
                                             .level = {{.line = 16, .split = true},
                                                       {.line = 64, .hit_time = 10, .shared = shared},
                                                       {.line = 64, .hit_time = 30}},
                                             .block_size = levels == 1 ? 16 : 64,
                                             .miss_time = 100,
                                             .intervention_time = 100,
                                             .upgrade_time = 60,
                                             .update_time = 60,
                                             .uncached_latency = 100};
    struct timing *timing;
    struct err err = {""};
    if (!timing_create(&timing, params, &environment, &err))
        fail_msg("%s", err.text);
    params_free(params);
    return timing;
}

static struct timing *timing_of(unsigned levels, const char *settings)
{
    return timing_shared(levels, 1, settings);
}

#define L1_BUFFER "cache.l1d.write_buffer."
#define L2_BUFFER "cache.l2.write_buffer."
#define BUS       "memory.contention=on bus.clock=50MHz bus.width=8 "

static unsigned waits(struct timing *timing, struct memsys_response response)
{
    struct timing_wait wait = timing_waits(timing, &response);
    return (unsigned)(wait.request + wait.write_buffer);
}

/* A load that misses in the first level and hits in the second, without and with a victim in the first. */
static struct memsys_response l2_hit(paddr address, cycles now)
{
    return (struct memsys_response){
        .now = now, .access = MEMSYS_READ, .address = address, .size = 4, .source = 2, .stall = 10};
}
static struct memsys_response l2_hit_with_victim(paddr address, paddr victim, cycles now)
{
    struct memsys_response response = l2_hit(address, now);
    response.writes = 1;
    response.write[0] = (struct memsys_outward_write){.level = 1, .address = victim, .size = 16};
    return response;
}

/* A load served by memory. */
static struct memsys_response from_memory(unsigned cpu, paddr address, cycles now)
{
    return (struct memsys_response){.cpu = cpu,
                                    .now = now,
                                    .access = MEMSYS_READ,
                                    .address = address,
                                    .size = 4,
                                    .source = SOURCE_MEMORY,
                                    .stall = 100};
}

/* A store that is written through, to the second level or also through that. */
static struct memsys_response through(paddr address, cycles now)
{
    return (struct memsys_response){.now = now,
                                    .access = MEMSYS_WRITE,
                                    .address = address,
                                    .size = 4,
                                    .writes = 1,
                                    .write = {{.level = 1, .store = true, .address = address, .size = 4}}};
}

static void nothing_asked_for_is_nothing(void **state)
{
    (void)state;
    assert_null(timing_of(1, ""));
    assert_null(timing_of(2, "bus.clock=1MHz dram.banks=1 " L1_BUFFER "retire=100"));
}

/* A dirty victim costs nothing while its buffer has room; otherwise the miss lasts until there is room. */
static void victims_wait_in_the_buffer(void **state)
{
    (void)state;
    for (cycles now = 1; now < 60; now++) {
        struct timing *timing = timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=50");
        assert_int_equal(waits(timing, l2_hit_with_victim(0x1000, 0x2000, 0)), 0); /* in the buffer until 50 */
        unsigned wait = waits(timing, l2_hit_with_victim(0x1100, 0x2100, now));
        assert_int_equal(wait, now + 10 < 50 ? 50 - (now + 10) : 0);
        timing_free(timing);
    }
}

/* Without a buffer, the victim goes first: the access lasts as much longer, and its request begins as much later. */
static void victims_before_the_fill(void **state)
{
    (void)state;
    for (cycles now = 1; now < 60; now++) {
        struct timing *timing = timing_of(2, "cache.l1d.write_back_time=40 cache.l2.occupancy=300");
        assert_int_equal(waits(timing, l2_hit_with_victim(0x1000, 0x2000, 0)),
                         4); /* uses the second level's port in [4, 34) */
        unsigned wait = waits(timing, l2_hit(0x1100, now));
        assert_int_equal(wait, now < 34 ? 34 - now : 0);
        timing_free(timing);
    }
    struct timing *timing = timing_of(2, "cache.l1d.write_back_time=40 cache.l2.write_back_time=500");
    struct memsys_response response = from_memory(0, 0x1000, 0);
    response.writes = 3;
    response.write[0] = (struct memsys_outward_write){.level = 1, .address = 0x2000, .size = 16};
    response.write[1] = (struct memsys_outward_write){.level = 1, .address = 0x2010, .size = 16};
    response.write[2] = (struct memsys_outward_write){.level = 2, .memory = true, .address = 0x2000, .size = 64};
    assert_int_equal(waits(timing, response), 4 + 4 + 50);
    assert_int_equal(waits(timing, from_memory(0, 0x3000, 200)), 0);
    timing_free(timing);
}

/* A buffer for the one victim that is written when the line has arrived: the next miss waits for it. */
static void victims_behind_the_fill(void **state)
{
    (void)state;
    for (cycles now = 10; now < 90; now++) {
        struct timing *timing = timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=50 " L1_BUFFER
                                                       "reads=drain " L1_BUFFER "victims=after_fill");
        assert_int_equal(waits(timing, l2_hit_with_victim(0x1000, 0x2000, 0)), 0); /* in the buffer in [10, 60) */
        assert_int_equal(waits(timing, l2_hit(0x1100, now)), now < 60 ? 60 - now : 0);
        timing_free(timing);
    }
}

static void victims_go_one_way(void **state)
{
    (void)state;
    struct params *params = timing_params(L1_BUFFER "depth=1 cache.l1d.write_back_time=40");
    const struct timing_environment environment = {
        .cpus = 1, .clock_hz = 100 * MHZ, .levels = 1, .level = {{.line = 16}}, .block_size = 16, .miss_time = 100};
    struct timing *timing;
    struct err err = {""};
    assert_false(timing_create(&timing, params, &environment, &err));
    assert_string_equal(err.text,
                        "cache.l1d.write_back_time: modified victims go to the write buffer (write_buffer.depth)");
    params_free(params);
}

/* Several at once, from a second-level eviction that back-invalidates dirty first-level lines. */
static void several_victims_take_several_entries(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=2 " L1_BUFFER "retire=50");
    struct memsys_response response = from_memory(0, 0x1000, 0);
    response.writes = 4;
    for (unsigned i = 0; i < 4; i++)
        response.write[i] = (struct memsys_outward_write){.level = 1, .address = 0x2000 + 16 * i, .size = 16};
    assert_int_equal(waits(timing, response), 0); /* 50, 100, then entries at 50 and 100: the line arrives at 100 */
    response.now = 100;                           /* two more are in it until 150 and 200 */
    assert_int_equal(waits(timing, response), 100 /* the last entry is free at 300, the line arrives at 200 */);
    timing_free(timing);
}

static struct memsys_response of_cpu(unsigned cpu, struct memsys_response response)
{
    response.cpu = cpu;
    return response;
}

/* One port for both CPUs; busy for 10 cycles. */
static void cpus_wait_for_a_cache_that_they_share(void **state)
{
    (void)state;
    for (unsigned shared = 1; shared <= 2; shared++) {
        struct timing *timing = timing_shared(2, shared, "cache.l2.occupancy=100");
        assert_int_equal(waits(timing, of_cpu(0, l2_hit(0x1000, 0))), 0);
        assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x5000, 3))), shared == 2 ? 7 : 0);
        assert_int_equal(waits(timing, of_cpu(0, l2_hit(0x9000, 12))), shared == 2 ? 8 : 0);
        timing_free(timing);
    }
}

/* Lines of 64 bytes, in two banks in turn. */
static void banks_have_lines_in_turn(void **state)
{
    (void)state;
    struct timing *timing = timing_shared(2, 2, "cache.l2.occupancy=100 cache.l2.banks=2");
    assert_int_equal(waits(timing, of_cpu(0, l2_hit(0x1000, 0))), 0);
    assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x1040, 0))), 0);
    assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x1080, 4))), 6);
    timing_free(timing);
}

/* Writes of one CPU's buffer keep the other from the port, and are made where they are. */
static void a_write_buffer_takes_the_port_of_all(void **state)
{
    (void)state;
    struct timing *timing = timing_shared(2, 2, "cache.l2.occupancy=100 cache.l2.banks=2 " L1_BUFFER "depth=2");
    assert_int_equal(waits(timing, of_cpu(0, l2_hit_with_victim(0x1000, 0x2040, 0))), 0); /* bank 0, then 1 from 0 on */
    assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x3040, 5))), 5);
    assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x3000, 12))), 0);
    timing_free(timing);
}

/* An upgrade that a shared cache answers takes its port, and not the bus; if the line has come from there, nothing. */
static void a_shared_cache_answers_upgrades(void **state)
{
    (void)state;
    for (unsigned home = 0; home <= 2; home += 2) {
        struct timing *timing = timing_shared(2, 2, BUS "cache.l2.occupancy=100");
        struct memsys_response upgrade = {.now = 0,
                                          .access = MEMSYS_WRITE,
                                          .address = 0x1000,
                                          .size = 4,
                                          .message = MESSAGE_UPGRADE,
                                          .home = (uint8_t)home,
                                          .stall = 10};
        assert_int_equal(waits(timing, upgrade), 0);
        assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x5000, 0))), home ? 10 : 0);
        upgrade.source = 2;
        upgrade.now = 100;
        assert_int_equal(waits(timing, upgrade), 0);
        assert_int_equal(waits(timing, of_cpu(1, l2_hit(0x5000, 100))), 10);
        timing_free(timing);
    }
}

/* The DECstation 3100 of Monster: stores go to memory, one word per 5 cycles, 4 entries. */
static void a_machine_with_one_level(void **state)
{
    (void)state;
    struct timing *timing = timing_of(1, L1_BUFFER "depth=4 " L1_BUFFER "width=4 " L1_BUFFER "retire=5");
    cycles now = 0;
    for (unsigned i = 0; i < 100; i++) {
        struct memsys_response store = through(4 * i, now);
        store.write[0].memory = true;
        now += 1 + waits(timing, store);
    }
    assert_int_equal(now, 1 + 5 * (100 - 4));
    timing_free(timing);
}

/* The store misses in the second level: its buffer entry is occupied until the fill ends. */
static void a_posted_store_that_misses(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=5");
    struct memsys_response store = through(0x1000, 0);
    store.source = SOURCE_MEMORY;
    store.fetched_posted = true;
    assert_int_equal(waits(timing, store), 0); /* its entry retires at 105, after the fill */
    assert_int_equal(waits(timing, through(0x2000, 104)), 1);
    assert_int_equal(waits(timing, through(0x3000, 110)), 0); /* the previous store retired at 110 */
    timing_free(timing);
}

/* It is shared there: an upgrade. */
static void a_posted_store_that_upgrades(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=5");
    struct memsys_response store = through(0x1000, 0);
    store.message = MESSAGE_UPGRADE;
    assert_int_equal(waits(timing, store), 0); /* its entry retires at 65, after the upgrade */
    assert_int_equal(waits(timing, through(0x2000, 64)), 1);
    timing_free(timing);
}

/* Two buffers in a row: the inner one's entry stays while the outer one is full. */
static void buffers_in_a_row(void **state)
{
    (void)state;
    struct timing *timing =
        timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=5 " L2_BUFFER "depth=1 " L2_BUFFER "retire=50");
    struct memsys_response store = through(0x1000, 0);
    store.writes = 2;
    store.write[1] =
        (struct memsys_outward_write){.level = 2, .memory = true, .store = true, .address = 0x1000, .size = 4};
    assert_int_equal(waits(timing, store), 0); /* its inner entry retires at 5, the outer one at 50 */
    store.now = 6;
    assert_int_equal(waits(timing, store), 0); /* the outer buffer has room at 50, so the inner entry retires at 55 */
    store.now = 7;
    assert_int_equal(waits(timing, store), 55 - 7);
    timing_free(timing);
}

/* A second level that is busy for 8 cycles with each access: loads wait for writes that have begun, not for others. */
static void a_load_waits_for_the_write_in_progress(void **state)
{
    (void)state;
    for (cycles now = 1; now < 40; now++) {
        struct timing *timing = timing_of(2, L1_BUFFER "depth=4 cache.l2.occupancy=80");
        for (unsigned i = 0; i < 4; i++)
            /* the second level is busy in [0, 8), [8, 16), [16, 24), [24, 32) */
            waits(timing, through(0x1000 + 16 * i, 0));
        unsigned wait = waits(timing, l2_hit(0x5000, now));
        assert_int_equal(wait, now < 32 && now % 8 ? 8 - now % 8 : 0);
        timing_free(timing);
    }
}

/* A load of a line in the buffer waits for it. */
static void a_load_waits_for_the_same_line(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=4 " L1_BUFFER "retire=20");
    waits(timing, through(0x1004, 0));
    waits(timing, through(0x1104, 0)); /* its entry retires at 40 */
    assert_int_equal(waits(timing, l2_hit(0x1108, 1)), 39);
    assert_int_equal(waits(timing, l2_hit(0x1108, 40)), 0);
    timing_free(timing);
}

/* A fetch does not pass through the data cache's buffer. */
static void a_fetch_waits_for_no_store(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=4 " L1_BUFFER "retire=20 " L1_BUFFER "reads=drain");
    waits(timing, through(0x1004, 0));
    struct memsys_response fetch = l2_hit(0x1000, 1);
    fetch.access = MEMSYS_FETCH;
    assert_int_equal(waits(timing, fetch), 0);
    assert_int_equal(waits(timing, l2_hit(0x2000, 1)), 19);
    timing_free(timing);
}

/* Two CPUs miss at the same time: address phases of 2 and data phases of 16 cycles, in sequence. */
static void two_cpus_miss_at_once(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, BUS);
    assert_int_equal(waits(timing, from_memory(0, 0x1000, 0)), 0);
    assert_int_equal(waits(timing, from_memory(1, 0x2000, 0)), 16);
    assert_int_equal(waits(timing, from_memory(0, 0x3000, 200)), 0);
    timing_free(timing);
    timing = timing_of(2, BUS);
    waits(timing, from_memory(0, 0x1000, 0));
    assert_int_equal(waits(timing, from_memory(1, 0x2000, 15)), 1);
    timing_free(timing);
    timing = timing_of(2, BUS);
    waits(timing, from_memory(0, 0x1000, 0));
    assert_int_equal(waits(timing, from_memory(1, 0x2000, 16)), 0);
    timing_free(timing);
}

static void what_happened_decides_the_transactions(void **state)
{
    (void)state;
    static const struct {
        enum memsys_message told;
        uint8_t served;
        bool updated;
        const char *counter;
        unsigned transactions;
    } rows[] = {
        {MESSAGE_NONE, SOURCE_MEMORY, false, "bus.reads", 1},
        {MESSAGE_NONE, SOURCE_CACHE, true, "bus.supply_updates", 1},
        {MESSAGE_NONE, SOURCE_CACHE, false, "bus.supplies", 1},
        {MESSAGE_UPGRADE, SOURCE_NONE, false, "bus.upgrades", 1},
        {MESSAGE_UPDATE, SOURCE_NONE, false, "bus.updates", 1},
        {MESSAGE_UPGRADE, 2, false, "bus.upgrades", 1},
        {MESSAGE_UPGRADE, SOURCE_NODE, false, "bus.upgrades", 1},
        {MESSAGE_UPGRADE, SOURCE_MEMORY, false, "bus.reads", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct timing *timing = timing_of(2, BUS);
        struct memsys_response response = from_memory(0, 0x1000, 0);
        response.message = rows[i].told;
        response.source = rows[i].served;
        response.memory_updated = rows[i].updated;
        waits(timing, response);
        struct stats *stats = stats_create();
        double value, requests;
        timing_register_stats(timing, stats);
        assert_true(stats_value(stats, rows[i].counter, &value));
        assert_true(stats_value(stats, "bus.address.requests", &requests));
        assert_int_equal(value, 1);
        assert_int_equal(requests, rows[i].transactions);
        stats_free(stats);
        timing_free(timing);
    }
}

/* A second-level victim is written over the bus after the request for the line that replaces it. */
static void write_backs_take_the_bus(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, BUS L2_BUFFER "depth=1");
    struct memsys_response response = from_memory(0, 0x1000, 0);
    response.writes = 1;
    response.write[0] = (struct memsys_outward_write){.level = 2, .memory = true, .address = 0x9000, .size = 64};
    assert_int_equal(waits(timing, response), 0); /* read: address [2, 4), data [84, 100); write: [4, 6), [6, 22) */
    response.cpu = 1;
    /* read: address [6, 8), data requested at 88, the wires are free at 100 */
    assert_int_equal(waits(timing, response), 4 + 12);
    struct stats *stats = stats_create();
    double value;
    timing_register_stats(timing, stats);
    assert_true(stats_value(stats, "bus.writes", &value));
    assert_int_equal(value, 2);
    stats_free(stats);
    timing_free(timing);
}

/* Writes that a read has passed use the bus again when the next CPU requests it. */
static void writes_come_after_the_read(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, BUS "bus.model=atomic " L2_BUFFER "depth=4");
    struct memsys_response response = from_memory(0, 0x1000, 0);
    response.writes = 2;
    for (unsigned i = 0; i < 2; i++)
        response.write[i] =
            (struct memsys_outward_write){.level = 2, .memory = true, .address = 0x9000 + 64 * i, .size = 64};
    assert_int_equal(waits(timing, response), 0);                   /* read [2, 100), writes [100, 118), [120, 138) */
    assert_int_equal(waits(timing, from_memory(0, 0x2000, 99)), 0); /* read [101, 199), writes [199, 217), [219, 237) */
    assert_int_equal(waits(timing, from_memory(1, 0x3000, 99)), 237 - 101);
    timing_free(timing);
}

/* Without a first-level buffer a store stalls if the second level's is full. */
static void a_store_without_a_buffer_of_its_own(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L2_BUFFER "depth=1 " L2_BUFFER "retire=50");
    struct memsys_response store = through(0x1000, 0);
    store.writes = 2;
    store.write[1] =
        (struct memsys_outward_write){.level = 2, .memory = true, .store = true, .address = 0x1000, .size = 4};
    assert_int_equal(waits(timing, store), 0);
    store.now = 10;
    assert_int_equal(waits(timing, store), 40);
    timing_free(timing);
}

/* A write that bypasses a level goes through the last buffer to memory. */
static void a_line_that_passes_a_level(void **state)
{
    (void)state;
    struct timing *timing =
        timing_of(2, L1_BUFFER "depth=1 " L1_BUFFER "retire=5 " L2_BUFFER "depth=1 " L2_BUFFER "retire=50");
    struct memsys_response response = l2_hit_with_victim(0x1000, 0x2000, 0);
    response.write[0].memory = true;
    /* the entry of the first buffer retires at 5, that of the last one at 50 */
    assert_int_equal(waits(timing, response), 0);
    response.now = 20;
    assert_int_equal(waits(timing, response), 0); /* the entry of the first buffer retires at 55 */
    response.now = 30;
    assert_int_equal(waits(timing, response), 55 - 40);
    timing_free(timing);
}

/* An uncached access is ordered after earlier stores. */
static void uncached_accesses_keep_order(void **state)
{
    (void)state;
    struct timing *timing = timing_of(2, L1_BUFFER "depth=4 " L1_BUFFER "retire=20");
    waits(timing, through(0x1000, 0));
    assert_int_equal(timing_uncached(timing, 0, MEMSYS_WRITE, 0x1f000000, 4, 1), 19);
    assert_int_equal(timing_uncached(timing, 1, MEMSYS_WRITE, 0x1f000000, 4, 1), 0);
    assert_int_equal(timing_uncached(timing, 0, MEMSYS_READ, 0x1f000000, 4, 20), 0);
    waits(timing, through(0x1000, 30));
    timing_flush(timing);
    assert_int_equal(timing_uncached(timing, 0, MEMSYS_READ, 0x1f000000, 4, 31), 0);
    timing_free(timing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_asked_for_is_nothing),
        cmocka_unit_test(victims_wait_in_the_buffer),
        cmocka_unit_test(victims_before_the_fill),
        cmocka_unit_test(victims_behind_the_fill),
        cmocka_unit_test(victims_go_one_way),
        cmocka_unit_test(several_victims_take_several_entries),
        cmocka_unit_test(cpus_wait_for_a_cache_that_they_share),
        cmocka_unit_test(banks_have_lines_in_turn),
        cmocka_unit_test(a_write_buffer_takes_the_port_of_all),
        cmocka_unit_test(a_shared_cache_answers_upgrades),
        cmocka_unit_test(a_machine_with_one_level),
        cmocka_unit_test(a_posted_store_that_misses),
        cmocka_unit_test(a_posted_store_that_upgrades),
        cmocka_unit_test(buffers_in_a_row),
        cmocka_unit_test(a_load_waits_for_the_write_in_progress),
        cmocka_unit_test(a_load_waits_for_the_same_line),
        cmocka_unit_test(a_fetch_waits_for_no_store),
        cmocka_unit_test(two_cpus_miss_at_once),
        cmocka_unit_test(what_happened_decides_the_transactions),
        cmocka_unit_test(write_backs_take_the_bus),
        cmocka_unit_test(writes_come_after_the_read),
        cmocka_unit_test(a_store_without_a_buffer_of_its_own),
        cmocka_unit_test(a_line_that_passes_a_level),
        cmocka_unit_test(uncached_accesses_keep_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
