/*
 * Random machines and random streams, with and without contention: waits change no hit, miss, state or write-back,
 * are never negative, are charged completely, and are reproducible.
 */
#include "timing_machine.h"

static unsigned next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33);
}

/* A random word of each row, or none. */
static const char *const hierarchy[][7] = {
    {"cache.model=one-level", "cache.model=two-level", "cache.model=three-level", "cache.model=three-level", NULL},
    {"cache.l1d.write=through", "cache.l1d.write=back", NULL},
    {"cache.l1d.write_allocate=off", "cache.l1d.write_allocate=on", NULL},
    {"cache.l2.inclusive=off", "cache.l2.inclusive=on", NULL},
    {"cache.l2.write_allocate=off", "cache.l2.write_allocate=on", NULL},
    {"cache.protocol=mesi", "cache.protocol=firefly", "cache.protocol=invalidate", NULL},
    {"cache.l1.split=off", "cache.l1.split=on", NULL},
    {"cache.l1d.line=64 cache.l1i.line=64", "cache.l1d.line=4 cache.l1i.line=4", "cache.l1d.line=16", NULL},
    {"cache.l1d.size=1K cache.l1i.size=1K cache.l2.size=8K cache.l3.size=32K cache.l2.ways=2", NULL},
    {"cache.l1d.write=back cache.l1d.write_allocate=validate cache.l2.inclusive=on", "cache.l2.write_allocate=validate",
     "cache.l1d.write=back cache.l1d.write_allocate=validate cache.l2.inclusive=on cache.l2.write_allocate=validate "
     "cache.l3.write_allocate=validate cache.l1d.prepare_for_store=allocate",
     "cache.l1d.write=through cache.l1d.line=4 cache.l1i.line=4 cache.l1d.write_allocate=validate",
     "cache.l1d.write_back_time=0", "", NULL},
};
/* Of machines whose CPUs share caches. */
static const char *const sharing[][7] = {
    {"cache.model=two-level cache.l2.shared=2", "cache.model=two-level cache.l2.shared=all",
     "cache.model=three-level cache.l3.shared=all", "cache.model=three-level cache.l2.shared=2 cache.l3.shared=2",
     "cache.model=three-level cache.l2.shared=2 cache.l3.shared=all", NULL},
    {"cache.l1d.write=through", "cache.l1d.write=back", NULL},
    {"cache.l1d.write_allocate=off", "cache.l1d.write_allocate=on", NULL},
    {"cache.l2.write_allocate=off", "cache.l2.write_allocate=on", NULL},
    {"cache.protocol=mesi", "cache.protocol=invalidate", NULL},
    {"cache.l1.split=off", "cache.l1.split=on", NULL},
    {"memory.l2_upgrade_time=70", "memory.l3_intervention_time=250 memory.l2_intervention_time=90", NULL},
    {"cache.l1d.size=1K cache.l1i.size=1K cache.l2.size=8K cache.l3.size=32K cache.l2.ways=2", NULL},
};
static const char *const waits[][7] = {
    {"memory.contention=on", "memory.contention=on", "memory.contention=off", NULL},
    {"bus.model=atomic", "bus.model=split", "bus.model=none", NULL},
    {"bus.clock=100MHz bus.width=16", "bus.clock=66MHz bus.width=32 bus.arbitration=0", NULL},
    {"bus.multiplexed=on", "bus.request_time=50", "bus.multiplexed=off", NULL},
    {"dram.banks=1", "dram.banks=4 dram.bank_busy=1us", "dram.banks=0", NULL},
    {"dram.latency=100", "bus.supply_time=60", "bus.dma_interval=2us", NULL},
    {"cache.l1d.write_buffer.depth=1 cache.l1d.write_buffer.retire=40", "cache.l1d.write_buffer.depth=4",
     "cache.l1d.write_buffer.depth=8 cache.l1d.write_buffer.merge=on", "cache.l1d.write_back_time=35",
     "cache.l1d.write_buffer.depth=0", NULL},
    {"cache.l1d.write_buffer.width=4", "cache.l1d.write_buffer.width=0", NULL},
    {"cache.l1d.write_buffer.reads=forward", "cache.l1d.write_buffer.reads=drain", "cache.l1d.write_buffer.reads=match",
     NULL},
    {"cache.l2.write_buffer.depth=2", "cache.l2.write_buffer.depth=4 cache.l2.write_buffer.width=16",
     "cache.l2.write_buffer.depth=1 cache.l2.write_buffer.retire=200", "cache.l2.write_buffer.depth=0", NULL},
    {"cache.l1d.write_buffer.victims=after_fill", "cache.l2.write_buffer.victims=after_fill", "", NULL},
    {"cache.l3.write_buffer.depth=2 cache.l3.write_buffer.reads=drain", "cache.l3.write_back_time=110",
     "cache.l3.write_buffer.depth=0", NULL},
    {"cache.l2.occupancy=30", "cache.l2.occupancy=500 cache.l3.occupancy=30", "cache.l2.occupancy=0", NULL},
    {"cache.l2.banks=4", "cache.l3.banks=8", "", NULL},
};

static void choose(char *text, const char *const rows[][7], size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        unsigned choices = 0;
        while (rows[i][choices])
            choices++;
        strcat(text, rows[i][next_random(seed) % choices]);
        strcat(text, " ");
    }
}

/* An action of a CPU or a device. */
struct event {
    unsigned kind; /* 0 .. 2: enum memsys_access; then uncached, DMA write, DMA read, flush, pref 30 */
    unsigned cpu, size;
    paddr address;
    cycles pause;
};

static struct event random_event(uint64_t *seed, unsigned cpus)
{
    static const unsigned sizes[] = {1, 2, 4};
    unsigned choice = next_random(seed) % 1000;
    struct event event = {.kind = choice < 994   ? choice % 3
                                  : choice < 996 ? 3
                                  : choice < 998 ? 4
                                                 : 5,
                          .cpu = next_random(seed) % cpus,
                          .size = sizes[next_random(seed) % 3],
                          .pause = next_random(seed) % 4 ? 1 : next_random(seed) % 200};
    if (choice == 998)
        event.kind = 6;
    if (choice < 20)
        event.kind = 7;
    event.address = A + next_random(seed) % (next_random(seed) % 2 ? 0x800 : 0x20000) / event.size * event.size;
    return event;
}

static unsigned do_event(struct machine *m, const struct event *event, cycles now)
{
    struct memsys_request request = {.access = event->kind % 3,
                                     .address = event->address,
                                     .virtual_address = event->address,
                                     .size = (uint8_t)event->size,
                                     .permission = &m->permission,
                                     .now = now,
                                     .bucket = &m->bucket[event->cpu]};
    switch (event->kind) {
    case 3: request.access = MEMSYS_WRITE; return (unsigned)memsys_uncached(m->memsys, event->cpu, &request);
    case 4: memsys_dma_write(m->memsys, event->address, 50 * event->size, now); return 0;
    case 5: memsys_dma_read(m->memsys, event->address, 50 * event->size, now); return 0;
    case 7: return (unsigned)memsys_prepare_for_store(m->memsys, event->cpu, &request);
    case 6: memsys_flush(m->memsys); return 0;
    default: return (unsigned)memsys_access(m->memsys, event->cpu, &request);
    }
}

static bool is_of_time(const char *name)
{
    return strncmp(name, "bus.", 4) == 0 || strncmp(name, "dram.", 5) == 0 || strstr(name, ".port.") ||
           strstr(name, ".bank") || strstr(name, ".write_buffer.");
}

/* All counts of both machines are equal. */
static void compare_counts(const struct machine *timed, const struct machine *plain, const char *settings)
{
    for (size_t i = 0; stats_name_at(timed->stats, i); i++) {
        const char *name = stats_name_at(timed->stats, i);
        double value = -1;
        if (is_of_time(name))
            continue;
        if (!stats_value(plain->stats, name, &value) || value != stats_value_at(timed->stats, i))
            fail_msg("%s: %s is %g, without waits %g", settings, name, stats_value_at(timed->stats, i), value);
    }
    for (unsigned cpu = 0; cpu < 4; cpu++)
        assert_memory_equal(timed->bucket[cpu].miss, plain->bucket[cpu].miss, sizeof plain->bucket[cpu].miss);
}

enum { EVENTS = 20000 };

/* Returns a number that depends on all waits. */
static uint64_t run(uint64_t seed, bool shared)
{
    char settings[4096] = "", with[8192];
    unsigned cpus = 1 + next_random(&seed) % 4;
    if (shared)
        choose(settings, sharing, sizeof sharing / sizeof sharing[0], &seed);
    else
        choose(settings, hierarchy, sizeof hierarchy / sizeof hierarchy[0], &seed);
    strcpy(with, settings);
    choose(with, waits, sizeof waits / sizeof waits[0], &seed);
    struct machine *timed = machine(cpus, with), *plain = machine(cpus, settings);
    cycles now[4] = {0};
    uint64_t stalls[4] = {0};
    for (unsigned i = 0; i < EVENTS; i++) {
        struct event event = random_event(&seed, cpus);
        unsigned least = do_event(plain, &event, 0), stall = do_event(timed, &event, now[event.cpu]);
        if (stall < least || stall > least + 1000000)
            fail_msg("%s: a stall of %u, without waits %u", with, stall, least);
        stalls[event.cpu] += stall;
        now[event.cpu] += stall + event.pause;
        if (now[event.cpu] > now[0] + 400 || now[0] > now[event.cpu] + 400) /* keep the CPUs' times close together */
            for (unsigned cpu = 0; cpu < cpus; cpu++)
                if (now[cpu] < now[event.cpu])
                    now[cpu] = now[event.cpu];
    }
    uint64_t end = 0;
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        assert_int_equal(charged(timed, cpu), stalls[cpu]);
        end = end * 31 + now[cpu];
    }
    compare_counts(timed, plain, with);
    done(timed);
    done(plain);
    return end;
}

static void waits_change_nothing_else(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const bool shared = seed > 150;
        uint64_t end = run(seed, shared);
        if (seed % 10 == 0)
            assert_true(end == run(seed, shared));
    }
}

static uint64_t count_of(const struct machine *m, const char *name)
{
    double value;
    assert_true(stats_value(m->stats, name, &value));
    return (uint64_t)value;
}

/* The port of a unified second level counts what instructions and data ask of it. */
static void a_port_counts_its_requests(void **state)
{
    struct machine *m = machine(1, "cache.model=two-level cache.l2.occupancy=30");
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++)
        do_event(m, &(struct event){.kind = kind, .size = 4, .address = A + 0x1000 * kind}, 1000 * kind);
    assert_int_equal(count_of(m, "cpu0.l2.port.requests"), 3);
    done(m);
}

/* Write-backs before the fill: an access takes as much longer as the lines that were written back during it take. */
static void write_backs_take_their_time(void **state)
{
    static const char *const machines[] = {
        "cache.model=two-level cache.l1d.size=1K cache.l1i.size=1K cache.l2.size=8K",
        "cache.model=two-level cache.l1d.size=1K cache.l1i.size=1K cache.l2.size=8K cache.l2.inclusive=off",
        "cache.model=two-level cache.l1.split=off cache.l1d.size=2K cache.l2.size=8K cache.l2.ways=4",
    };
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        char with[512];
        const char *settings = machines[seed % 3];
        uint64_t random = seed, extra = 0;
        snprintf(with, sizeof with, "%s cache.l1d.write_back_time=35 cache.l2.write_back_time=110", settings);
        struct machine *timed = machine(1, with), *plain = machine(1, settings);
        for (unsigned i = 0; i < EVENTS; i++) {
            struct event event = random_event(&random, 1);
            if (event.kind > 2)
                continue;
            const uint64_t before[] = {count_of(timed, "cpu0.l1d.write_backs"), count_of(timed, "cpu0.l2.write_backs")};
            const unsigned longer = do_event(timed, &event, 100 * i) - do_event(plain, &event, 100 * i);
            const uint64_t first = count_of(timed, "cpu0.l1d.write_backs") - before[0],
                           second = count_of(timed, "cpu0.l2.write_backs") - before[1];
            assert_int_equal(longer, 7 * first + 22 * second); /* 200 MHz */
            extra += longer;
        }
        assert_true(extra > 0);
        compare_counts(timed, plain, with);
        done(timed);
        done(plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_change_nothing_else),
        cmocka_unit_test(a_port_counts_its_requests),
        cmocka_unit_test(write_backs_take_their_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
