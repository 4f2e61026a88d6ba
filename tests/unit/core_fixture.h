/*
 * Cores with a mock CPU model that executes nothing and records its calls; RAM at 0, and a device that records its
 * last access.
 */
#ifndef SIMOS_TESTS_UNIT_CORE_FIXTURE_H
#define SIMOS_TESTS_UNIT_CORE_FIXTURE_H

#include "cpu/core.h"
#include "cpu/privileged/cp0.h"
#include "cpu/model.h"
#include "cpu/privileged/semantics.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/vmap.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

enum { FIXTURE_CPUS = 3, FIXTURE_RAM = 64 << 20, FIXTURE_DEVICE = 0x18000000 };

struct fake_model {
    struct core *core;
    unsigned syncs, forgotten_all, forgotten_pages;
    paddr last_forgotten;
    cycles ahead; /* cycles that a sync adds to the core's time */
    uint64_t insns_ahead;
};

struct fixture {
    struct event_queue *queue;
    struct physmem *mem;
    struct isa_decoder *decoder;
    struct core *cores[FIXTURE_CPUS];
    struct core *core; /* cores[0] */
    struct fake_model models[FIXTURE_CPUS];
    /* Hooks */
    unsigned timer_changes, mode_changes;
    bool timer_level, perf_level;
    /* Device */
    uint32_t device_offset, device_value;
    unsigned device_size, device_cpu, device_reads, device_writes;
    cycles device_time;
    struct event device_event;
    cycles device_schedules; /* a write schedules device_event at this time; 0: it does not */
};

static void fake_sync(void *opaque)
{
    struct fake_model *model = opaque;
    model->core->s.cycle += model->ahead;
    model->core->s.insns += model->insns_ahead;
    model->ahead = model->insns_ahead = 0;
    model->syncs++;
}

static void fake_forget_page(void *opaque, paddr page)
{
    struct fake_model *model = opaque;
    model->forgotten_pages++;
    model->last_forgotten = page;
}

static void fake_forget_all(void *opaque)
{
    ((struct fake_model *)opaque)->forgotten_all++;
}

static const struct cpu_model_ops fake_ops = {
    .name = "fake", .sync = fake_sync, .invalidate_page = fake_forget_page, .invalidate_all = fake_forget_all};

static void fixture_timer(void *opaque, unsigned cpu, bool level)
{
    struct fixture *f = opaque;
    (void)cpu;
    f->timer_changes++;
    f->timer_level = level;
}

static void fixture_perf(void *opaque, unsigned cpu, bool level)
{
    (void)cpu;
    ((struct fixture *)opaque)->perf_level = level;
}

static void fixture_mode(void *opaque, struct core *core)
{
    (void)core;
    ((struct fixture *)opaque)->mode_changes++;
}

static const struct core_hooks fixture_hooks = {
    .timer_output = fixture_timer, .perf_output = fixture_perf, .mode_changed = fixture_mode};

static uint32_t fixture_device_read(void *opaque, uint32_t offset, unsigned size, unsigned cpu)
{
    struct fixture *f = opaque;
    f->device_offset = offset;
    f->device_size = size;
    f->device_cpu = cpu;
    f->device_time = f->queue->now;
    f->device_reads++;
    return 0xd1d2d3d4 & (size == 4 ? 0xffffffff : (1u << size * 8) - 1);
}

static void fixture_device_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    struct fixture *f = opaque;
    f->device_offset = offset;
    f->device_size = size;
    f->device_value = value;
    f->device_cpu = cpu;
    f->device_time = f->queue->now;
    f->device_writes++;
    if (f->device_schedules)
        event_schedule(f->queue, &f->device_event, f->device_schedules);
}

static const struct device_ops fixture_device_ops = {"probe", fixture_device_read, fixture_device_write};

static void fixture_event(void *opaque)
{
    (void)opaque;
}

/* General registers by the o32 ABI. */
enum { REG_V0 = 2, REG_A0 = 4, REG_A1 = 5, REG_GP = 28, REG_SP = 29, REG_RA = 31 };

/* State after reset as a kernel sets it up: no ERL, no BEV, interrupts disabled. */
static inline void fixture_kernel_mode(struct core *core)
{
    cp0_write(core, CP0_STATUS, STATUS_CU0);
}

/* Cores of ARCHITECTURE, in their reset state. */
static inline struct fixture *fixture_create_of(const struct architecture *architecture, unsigned tlb_entries)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {""};
    assert_non_null(f);
    f->queue = event_queue_create(200000000);
    f->mem = physmem_create(NULL, &err);
    assert_non_null(f->mem);
    f->decoder = isa_decoder_create(architecture->level);
    assert_true(physmem_add_ram(f->mem, 0, FIXTURE_RAM, &err));
    physmem_add_device(f->mem, FIXTURE_DEVICE, 0x1000, &fixture_device_ops, f);
    event_init(&f->device_event, "probe", fixture_event, f);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++) {
        struct core_config config = {.architecture = architecture,
                                     .number = i,
                                     .cpus = FIXTURE_CPUS,
                                     .tlb_entries = tlb_entries,
                                     .mem = f->mem,
                                     .decoder = f->decoder,
                                     .queue = f->queue,
                                     .hooks = &fixture_hooks,
                                     .hooks_opaque = f,
                                     .reports_mode = true};
        struct core *core = core_create(&config, &err);
        assert_non_null(core);
        f->cores[i] = core;
        core->peers = f->cores;
        f->models[i].core = core;
        core->model = &f->models[i];
        core->model_ops = &fake_ops;
    }
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        core_reset(f->cores[i], 0x80000000);
    f->core = f->cores[0];
    f->timer_changes = f->mode_changes = 0;
    return f;
}

static inline struct fixture *fixture_create_sized(unsigned tlb_entries)
{
    struct fixture *f = fixture_create_of(&mips32r2, tlb_entries);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        fixture_kernel_mode(f->cores[i]);
    f->timer_changes = f->mode_changes = 0;
    return f;
}

static inline int fixture_setup(void **state)
{
    *state = fixture_create_sized(32);
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        core_free(f->cores[i]);
    physmem_free(f->mem);
    isa_decoder_free(f->decoder);
    event_queue_free(f->queue);
    free(f);
    return 0;
}

/* EntryLo: C = 3 cached, D, V. */
enum { LO_G = 1, LO_V = 2, LO_D = 4, LO_CACHED = 3 << 3, LO_UNCACHED = 2 << 3, LO_RW = LO_CACHED | LO_V | LO_D };
static inline uint32_t lo(paddr pa, uint32_t flags)
{
    return (pa >> 12 << 6) | flags;
}

/* Write TLB entry INDEX by CP0 writes; afterwards EntryHi has the ASID of ENTRYHI. */
static inline void write_entry(struct core *core, unsigned index, uint32_t entryhi, uint32_t page_mask, uint32_t lo0,
                               uint32_t lo1)
{
    cp0_write(core, CP0_INDEX, index);
    cp0_write(core, CP0_PAGEMASK, page_mask);
    cp0_write(core, CP0_ENTRYHI, entryhi);
    cp0_write(core, CP0_ENTRYLO0, lo0);
    cp0_write(core, CP0_ENTRYLO1, lo1);
    assert_int_equal(sem_tlbwi(core, &(struct insn){0}), 0);
}

static inline void set_user_mode(struct core *core)
{
    cp0_write(core, CP0_STATUS, STATUS_UM);
    assert_true(core->user_mode);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

#endif
