/*
 * The memory system, saved and restored: caches, in-flight accesses, prefetchers, the block-transfer engine, miss
 * classification. A restored one behaves like the saved one (docs/how-to/checkpoints.md, "the same machine"), and no
 * file contents violate the invariants of memsys_check().
 */
#include "src/base/board.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "cache/protocols.h"
#include "tests/unit/memsys_fixture.h"
#include "tests/unit/tape.h"

enum { BEFORE = 20000, AFTER = 20000, RAM_BASE = 0x100000, RAM_SIZE = 0x20000 };

/* RAM for random accesses. */
static struct physmem *ram;

/* All sections except the event queue's. */
static void save(struct machine *m, struct record_options *tape)
{
    struct event_queue *queue = event_queue_create(200 * MHZ);
    struct saved *saved = saved_create(queue);
    struct saved_out out = {.put = tape_put, .opaque = tape};
    memsys_register_saved(m->memsys, ram, saved);
    tape->size = tape->at = 0;
    for (size_t i = 1; saved_at(saved, i); i++)
        saved_write(saved_at(saved, i), &out);
    saved_free(saved);
    event_queue_free(queue);
}

static bool load_from(struct machine *m, struct record_options *tape)
{
    const struct saved_terms terms = {.same_machine = true, .clock_hz = 200 * MHZ};
    struct event_queue *queue = event_queue_create(200 * MHZ);
    struct saved *saved = saved_create(queue);
    struct saved_in in = {.get = tape_get, .opaque = tape};
    struct err err = {""};
    bool done = true;
    memsys_register_saved(m->memsys, ram, saved);
    tape->at = 0;
    saved_load_begin(saved);
    for (size_t i = 1; done && saved_at(saved, i); i++)
        done = saved_read(saved, saved_at(saved, i), &in, &terms, &err);
    done = done && tape->at == tape->size && saved_load_end(saved, &terms, &err);
    saved_free(saved);
    event_queue_free(queue);
    return done;
}

static uint64_t random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

/* What pages follow, some of the time. */
static enum memsys_protocol other_protocol;

/* How many CPUs the machine has: few, or with some of the configurations as many as there can be. */
static unsigned cpus;

/* Rare operations. */
static void do_more(struct machine *m, unsigned cpu, paddr address, cycles now, unsigned dice)
{
    struct memsys_request request = {
        .address = address, .virtual_address = address, .size = 4, .now = now, .bucket = &m->bucket[cpu]};
    const struct memsys_block block = {.pieces = 2,
                                       .to = {address & ~0xfffu, address & ~0x7ffu},
                                       .from = {RAM_BASE, RAM_BASE + 0x2000},
                                       .size = {0x1000, 0x800},
                                       .copies = dice & 1};
    switch (dice % 64) {
    case 0: memsys_dma_write(m->memsys, address, 64, now); break;
    case 1: memsys_dma_read(m->memsys, address, 512, now); break;
    case 2: memsys_set_context(m->memsys, cpu, dice / 64 % MODE_COUNT, dice / 64 % 5); break;
    case 3: memsys_set_guard(m->memsys, address, dice & 64); break;
    case 4: memsys_uncached(m->memsys, cpu, &request); break;
    case 5:
        memsys_prefetch(m->memsys, cpu, &request);
        request.address = request.virtual_address ^= 0x40;
        memsys_prepare_for_store(m->memsys, cpu, &request);
        break;
    case 8: memsys_prefetch_streamed(m->memsys, cpu, &request); break;
    case 6: memsys_block_begin(m->memsys, cpu, &block, &m->bucket[cpu], now); break;
    case 7:
        if (dice % 1024 == 7)
            memsys_set_protocol(m->memsys, address, address, dice >> 10 & 1 ? other_protocol : MEMSYS_INVALIDATE);
        break;
    default: break;
    }
}

/* A random access by any CPU, to so few lines that they conflict; fetches are often sequential, for the prefetchers.
 * Time advances by 0 to 7 cycles, and CPUs sometimes differ in time. */
struct course {
    uint64_t seed;
    cycles now;
    paddr next;
};

static unsigned access_random(struct machine *m, struct course *course)
{
    uint64_t dice = random_next(&course->seed);
    unsigned cpu = (unsigned)(dice % cpus);
    paddr address = (paddr)(RAM_BASE + (dice >> 8) % (RAM_SIZE / 4) * 4);
    struct memsys_request request = {.access = (enum memsys_access)(dice / 64 % 3),
                                     .pc = (vaddr)(dice >> 30) & 0xfc,
                                     .size = 4,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &m->permission,
                                     .bucket = &m->bucket[cpu]};
    course->now += dice >> 33 & 7;
    if (request.access == MEMSYS_FETCH && dice >> 36 & 3)
        address = course->next;
    course->next = RAM_BASE + (address + 4 - RAM_BASE) % RAM_SIZE;
    request.address = request.virtual_address = address;
    request.now = course->now + cpu * 10;
    do_more(m, cpu, address, request.now, (unsigned)random_next(&course->seed));
    return (unsigned)memsys_access(m->memsys, cpu, &request);
}

static const char *const configurations[] = {
    "",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K",
    "cache.model=one-level cache.l1d.size=2K cache.l1d.ways=4 cache.l1d.replacement=plru cache.protocol=mesi",
    "cache.l1d.size=16K cache.l1d.ways=1 cache.l1d.index=virtual cache.l2.size=32K cache.l2.ways=4",
    "cache.l1.split=off cache.l1d.size=2K cache.l1d.ways=4 cache.l1d.replacement=random cache.l2.size=16K",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l2.ways=2 cache.l3.size=32K",
    "cache.protocol=firefly cache.l1d.size=1K cache.l2.size=8K cache.l2.hash=xor cache.l2.inclusive=off",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l1d.write=through cache.l2.size=8K cache.l1d.write_buffer.depth=4 "
    "cache.l2.write_buffer.depth=3 cache.l2.write_buffer.reads=drain cache.l2.occupancy=40 memory.contention=on "
    "dram.banks=4 dram.bank_busy=300",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l3.size=32K "
    "cache.l1d.write_buffer.depth=8 cache.l3.write_buffer.depth=2 cache.l3.occupancy=60 memory.contention=on "
    "bus.model=atomic bus.dma_interval=200",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K prefetch.insn.trigger=miss prefetch.insn.lines=3 "
    "prefetch.insn.pages=all prefetch.data=on prefetch.stream.buffers=3 memory.contention=on",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K prefetch.insn.trigger=reference block.engine=on "
    "memory.contention=on cache.update_pages=0x101000-0x103000 prefetch.data=on",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.classify=full cache.profile=both",
    "cache.l1.split=off cache.l1d.size=1K cache.l2.size=8K cache.classify=full cache.profile=pc",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.classify=sharing memory.contention=on",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l3.size=32K "
    "cache.l1d.prepare_for_store=ignore cache.classify=replacement cache.l2.write_buffer.depth=4 "
    "prefetch.stream.buffers=2",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l1d.write_allocate=validate cache.l2.size=8K",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l1d.write_allocate=validate cache.l2.size=8K cache.l2.line=1K "
    "cache.l2.write_allocate=validate cache.l1d.prepare_for_store=allocate memory.contention=on bus.width=64 "
    "prefetch.data=on cache.l1d.write_back_time=100",
    "cache.model=one-level cache.l1.split=off cache.l1d.size=1K cache.l1d.line=32 "
    "cache.l1d.prepare_for_store=allocate cache.classify=full cache.profile=pc",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l1d.write=through cache.l1d.write_allocate=off cache.l2.size=8K "
    "cache.l2.write_allocate=validate cache.l1d.write_buffer.depth=4",
    "cache.l1i.size=1K cache.l1d.size=16K cache.l1d.ways=1 cache.l1d.index=virtual cache.l1d.assist=20 "
    "cache.l2.size=32K prefetch.data=on cache.classify=full",
    "cache.model=one-level cache.l1d.size=1K cache.l1d.ways=2 cache.l1d.assist=7",
    "cache.l1i.size=1152 cache.l1i.ways=3 cache.l1d.size=1536 cache.l1d.ways=12 cache.l2.size=11K cache.l2.ways=11 "
    "cache.classify=full",
    "cache.l1i.size=1K cache.l1i.sector_lines=4 cache.l1d.size=1536 cache.l1d.ways=3 cache.l1d.sector_lines=8 "
    "cache.l1d.assist=5 cache.l2.size=20K cache.l2.ways=20 cache.l2.sector_lines=2 cache.l2.line=64 prefetch.data=on",
    "cache.l1d.size=24K cache.l1d.ways=1 cache.l1d.index=virtual cache.l1d.sector_lines=4 cache.l2.size=96K "
    "cache.l2.ways=6 cache.l2.sector_lines=4 cache.l2.hash=xor",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l1d.write=through cache.l2.size=8K cache.l2.line=32 cache.l2.shared=all "
    "cache.protocol=mesi",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l2.line=32 cache.l2.shared=2 "
    "cache.l3.size=32K cache.l3.shared=all cache.classify=full cache.profile=both cache.evictors=on",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=4K cache.l2.inclusive=off "
    "cache.l3.size=16K cache.l3.shared=2 cache.protocol=mesi cache.classify=sharing",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.protocol=mesi memory.nodes=2 memory.remote_time=1us "
    "memory.remote_upgrade_time=800 memory.remote_intervention_time=1500",
    "cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=8K cache.l2.shared=2 memory.contention=on cache.l2.occupancy=40 "
    "cache.l2.banks=4 cache.l1d.write_buffer.depth=4 cache.l2.write_buffer.depth=2 prefetch.insn.trigger=miss "
    "prefetch.data=on prefetch.stream.buffers=3",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=4K cache.l2.shared=2 "
    "cache.l2.inclusive=off cache.l2.directory_entries=64 cache.l2.directory_ways=4 cache.l3.size=4K "
    "cache.l3.shared=all cache.l3.inclusive=off cache.l3.directory_entries=96 cache.l3.directory_ways=3 "
    "cache.protocol=mesi cache.classify=full",
    "cache.model=three-level cache.l1i.size=1K cache.l1d.size=1K cache.l2.size=4K cache.l3.size=16K "
    "cache.l3.shared=all block.engine=on prefetch.data=on cache.l3.occupancy=60 cache.l1d.write=through",
};
enum { CONFIGURATIONS = sizeof configurations / sizeof configurations[0] };

static struct machine *configured(size_t number, bool many)
{
    const char *configuration = configurations[number];
    other_protocol = strstr(configuration, ".shared=") ? MEMSYS_MESI : MEMSYS_FIREFLY;
    cpus = many ? BOARD_MAX_CPUS : 3;
    return machine(cpus, configuration);
}

static void a_loaded_memory_system_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    struct record_options tape = {0};
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        struct course course = {.seed = 1996 + i, .next = RAM_BASE}, same;
        struct machine *a = configured(i, i % 8 == 3), *b = configured(i, i % 8 == 3);
        for (unsigned n = 0; n < BEFORE; n++)
            access_random(a, &course);
        save(a, &tape);
        assert_true(load_from(b, &tape));
        memcpy(b->bucket, a->bucket, sizeof a->bucket);
        for (unsigned cpu = 0; cpu < cpus; cpu++)
            assert_true(memsys_is_same(a->memsys, b->memsys, cpu));
        same = course;
        for (unsigned n = 0; n < AFTER; n++)
            assert_int_equal(access_random(a, &course), access_random(b, &same));
        for (size_t n = 0; stats_name_at(a->stats, n); n++)
            assert_true(stats_value_at(a->stats, n) == stats_value_at(b->stats, n));
        done(a);
        done(b);
    }
    tape_release(&tape);
}

/* Save, restore, save: the same bytes. */
static void a_loaded_one_is_saved_as_the_same(void **state)
{
    (void)state;
    struct record_options tape = {0}, again = {0};
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        struct course course = {.seed = 1998 + i, .next = RAM_BASE};
        struct machine *a = configured(i, i % 8 == 3), *b = configured(i, i % 8 == 3);
        for (unsigned n = 0; n < BEFORE; n++)
            access_random(a, &course);
        save(a, &tape);
        assert_true(load_from(b, &tape));
        again.size = 0;
        save(b, &again);
        assert_int_equal(tape.size, again.size);
        assert_memory_equal(tape.bytes, again.bytes, tape.size);
        done(a);
        done(b);
    }
    tape_release(&tape);
    tape_release(&again);
}

/* Bytes changed anywhere: rejected, or a memory system whose invariants hold (done() checks them) and which works. */
static void damage_is_refused_or_keeps_the_invariants(void **state)
{
    (void)state;
    struct record_options whole = {0}, tape = {0};
    unsigned refused = 0;
    enum { TRIES = 300 };
    for (unsigned try = 0; try < TRIES; try++) {
        const size_t configuration = 1 + try % (CONFIGURATIONS - 1);
        uint64_t seed = try + 1;
        struct course course = {.seed = seed, .next = RAM_BASE};
        struct machine *a = configured(configuration, false), *b = configured(configuration, false);
        for (unsigned n = 0; n < 3000; n++)
            access_random(a, &course);
        save(a, &whole);
        tape.size = 0;
        tape_put(&tape, whole.bytes, whole.size);
        for (unsigned n = 0; n <= try % 3; n++)
            tape.bytes[random_next(&seed) % tape.size] ^= (uint8_t)(1 << random_next(&seed) % 8);
        if (try % 10 == 0)
            tape.size = random_next(&seed) % tape.size;
        bool taken = load_from(b, &tape);
        refused += !taken;
        for (unsigned n = 0; taken && n < 3000; n++)
            access_random(b, &course);
        done(a);
        if (taken)
            done(b);
        else
            stats_free(b->stats), memsys_free(b->memsys), free(b);
    }
    assert_in_range(refused, TRIES / 10, TRIES);
    tape_release(&whole);
    tape_release(&tape);
}

static int make_ram(void **state)
{
    struct err err = {""};
    (void)state;
    ram = physmem_create(NULL, &err);
    return !ram || !physmem_add_ram(ram, RAM_BASE, RAM_SIZE, &err);
}

static int free_ram(void **state)
{
    (void)state;
    physmem_free(ram);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_memory_system_goes_on_as_the_saved_one),
        cmocka_unit_test(a_loaded_one_is_saved_as_the_same),
        cmocka_unit_test(damage_is_refused_or_keeps_the_invariants),
    };
    return cmocka_run_group_tests(tests, make_ram, free_ram);
}
