/*
 * CP0 registers: writable bits, what a kernel's probing finds, performance counters, rdhwr, and privilege.
 */
#include "cpu/observe/perf_events.h"
#include "tests/unit/core_fixture.h"
#include "cpu/privileged/watch_registers.h"
#include "cpu/registers.h"
#include "src/base/board.h"

/* Write all ones, then zeros, and check which bits are writable. Restores the old value. */
static void expect_writable(struct core *core, unsigned number, uint32_t mask)
{
    uint32_t old = cp0_read(core, number);
    cp0_write(core, number, 0xffffffff);
    uint32_t ones = cp0_read(core, number);
    cp0_write(core, number, 0);
    uint32_t zeros = cp0_read(core, number);
    if ((ones & ~zeros) != mask)
        fail_msg("%s: writable bits %08x, expected %08x", cp0_find(&mips32r2, number)->name, ones & ~zeros, mask);
    cp0_write(core, number, old);
}

static void test_write_masks(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    expect_writable(core, CP0_INDEX, 0x1f);
    expect_writable(core, CP0_ENTRYLO0, 0x03ffffff);
    expect_writable(core, CP0_ENTRYLO1, 0x03ffffff);
    expect_writable(core, CP0_CONTEXT, 0xff800000);
    expect_writable(core, CP0_USERLOCAL, 0xffffffff);
    expect_writable(core, CP0_PAGEMASK, 0x1fffe000);
    expect_writable(core, CP0_PAGEGRAIN, 0);
    expect_writable(core, CP0_WIRED, 0x1f);
    expect_writable(core, CP0_HWRENA, 0x2000000f);
    expect_writable(core, CP0_BADVADDR, 0);
    expect_writable(core, CP0_ENTRYHI, 0xffffe0ff);
    expect_writable(core, CP0_COMPARE, 0xffffffff);
    expect_writable(core, CP0_STATUS, 0x3440ff17);
    expect_writable(core, CP0_INTCTL, 0x3e0);
    expect_writable(core, CP0_SRSCTL, 0);
    expect_writable(core, CP0_CAUSE, 0x08800300);
    expect_writable(core, CP0_EPC, 0xffffffff);
    expect_writable(core, CP0_PRID, 0);
    expect_writable(core, CP0_EBASE, 0x3ffff000);
    expect_writable(core, CP0_CMGCRBASE, 0);
    expect_writable(core, CP0_CONFIG, 7);
    for (unsigned i = 1; i < 8; i++)
        expect_writable(core, CP0_CONFIG + i, 0);
    expect_writable(core, CP0_PERFCTL0, 0xfff);
    expect_writable(core, CP0_PERFCTL1, 0xfff);
    expect_writable(core, CP0_ERRCTL, 0x30000000);
    expect_writable(core, CP0_TAGLO, 0xffffffff);
    expect_writable(core, CP0_ERROREPC, 0xffffffff);
}

/* Every register number is safe; unimplemented ones read 0. */
static void test_all_numbers(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    for (unsigned number = 0; number < CP0_COUNT_OF_REGISTERS; number++) {
        const struct cp0_register *row = cp0_find(&mips32r2, number);
        if (row) {
            assert_int_equal(row->number, number);
        } else {
            cp0_write(core, number, 0xffffffff);
            assert_int_equal(cp0_read(core, number), 0);
        }
        struct insn insn = {.rt = 4, .rd = (uint8_t)(number / 8), .imm = (int32_t)(number % 8)};
        core->s.gpr[4] = 0x5a5a5a5a;
        cp0_write(core, CP0_STATUS, STATUS_CU0);
        assert_int_equal(sem_mtc0(core, &insn), 0);
        cp0_write(core, CP0_STATUS, STATUS_CU0);
        assert_int_equal(sem_mfc0(core, &insn), 0);
        assert_int_equal(core->s.gpr[4], cp0_read(core, number));
    }
    assert_null(cp0_find(&mips32r2, CP0_COUNT_OF_REGISTERS));
}

static void test_identity(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(cp0_read(f->core, CP0_PRID), 0x0001a120);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++) {
        cp0_write(f->cores[i], CP0_EBASE, 0xffffffff);
        assert_int_equal(cp0_read(f->cores[i], CP0_EBASE), 0xbffff000 | i);
    }
    assert_int_equal(cp0_read(f->core, CP0_CMGCRBASE) << 4, BOARD_GCR_BASE);
    assert_int_equal(cp0_read(f->core, CP0_INTCTL) >> 29, 7);
    uint32_t config = cp0_read(f->core, CP0_CONFIG), config1 = cp0_read(f->core, CP0_CONFIG1);
    assert_int_equal(config >> 7 & 7, 1);  /* standard TLB */
    assert_int_equal(config >> 10 & 7, 1); /* release 2 */
    assert_int_equal(config & 7, 5);
    assert_int_equal((config1 >> 25 & 63) + 1, 32);
    assert_int_equal((64 << (config1 >> 22 & 7)) * (2 << (config1 >> 19 & 7)) * ((config1 >> 16 & 7) + 1), 32768);
    assert_int_equal((64 << (config1 >> 13 & 7)) * (2 << (config1 >> 10 & 7)) * ((config1 >> 7 & 7) + 1), 32768);
    assert_int_equal(config1 & 0x7f, 0x11); /* Config1: performance counters and FPU, no other unit */
    /* Config5 is the last Config register. */
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(cp0_read(f->core, CP0_CONFIG + i) >> 31, 1);
    assert_int_equal(cp0_read(f->core, CP0_CONFIG5) >> 31, 0);
    assert_int_equal(cp0_read(f->core, CP0_CONFIG7) >> 31, 1); /* WII */
}

static void test_mmu_size_follows_parameter(void **state)
{
    fixture_teardown(state);
    struct fixture *f = *state = fixture_create_sized(48);
    assert_int_equal((cp0_read(f->core, CP0_CONFIG1) >> 25 & 63) + 1, 48);
    expect_writable(f->core, CP0_INDEX, 0x3f);
    fixture_teardown(state);
    f = *state = fixture_create_sized(16);
    expect_writable(f->core, CP0_INDEX, 0xf);
}

static void test_pagemask_takes_whole_sizes(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    static const uint32_t pairs[][2] = {
        {0, 0},
        {0x6000, 0x6000},
        {0x1e000, 0x1e000},
        {0x1fffe000, 0x1fffe000},
        {0x2000, 0},
        {0x1e000 ^ 0x2000, 0},
        {0x7e000 ^ 0x8000, 0x6000},
        {0x18000, 0},
        {0xffffffff, 0x1fffe000},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        cp0_write(core, CP0_PAGEMASK, pairs[i][0]);
        assert_int_equal(cp0_read(core, CP0_PAGEMASK), pairs[i][1]);
    }
}

static void test_privilege(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    static semantic_fn *const privileged[] = {sem_mfc0, sem_mtc0,  sem_rdpgpr, sem_di,   sem_ei,
                                              sem_tlbr, sem_tlbwi, sem_tlbwr,  sem_tlbp, sem_wait};
    struct insn insn = {.rt = 4, .rd = 9};
    set_user_mode(core);
    uint32_t compare = core->s.cp0[CP0_STATUS];
    for (unsigned i = 0; i < sizeof privileged / sizeof privileged[0]; i++) {
        memset(&core->exception, 0xff, sizeof core->exception);
        assert_int_equal(privileged[i](core, &insn), 1);
        assert_int_equal(core->exception.code, EXC_CPU);
        assert_int_equal(core->exception.coprocessor, 0);
    }
    assert_int_equal(core->s.cp0[CP0_STATUS], compare);
    assert_int_equal(core->counts.tlb_writes, 0);
    cp0_write(core, CP0_STATUS, STATUS_UM | STATUS_CU0); /* usable in user mode */
    assert_int_equal(sem_tlbp(core, &insn), 0);
    assert_int_equal(sem_coprocessor2(core, &insn), 1);
    assert_int_equal(core->exception.coprocessor, 2);
    assert_int_equal(sem_reserved(core, &insn), 1);
    assert_int_equal(core->exception.code, EXC_RI);
}

static int rdhwr(struct core *core, unsigned number)
{
    core->s.gpr[3] = 0xdeadbeef;
    return sem_rdhwr(core, &(struct insn){.rt = 3, .rd = (uint8_t)number});
}

static void test_rdhwr(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->cores[2];
    cp0_write(core, CP0_USERLOCAL, 0x7fff0000);
    cp0_write(core, CP0_COUNT, 77);
    set_user_mode(core);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(rdhwr(core, i), 1);
        assert_int_equal(core->exception.code, EXC_RI);
        assert_int_equal(core->s.gpr[3], 0xdeadbeef);
    }
    cp0_write(core, CP0_HWRENA, 0xffffffff);
    assert_int_equal(rdhwr(core, 0), 0);
    assert_int_equal(core->s.gpr[3], 2);
    assert_int_equal(rdhwr(core, 1), 0);
    assert_int_equal(core->s.gpr[3], 32);
    assert_int_equal(rdhwr(core, 2), 0);
    assert_int_equal(core->s.gpr[3], 77);
    assert_int_equal(rdhwr(core, 3), 0);
    assert_int_equal(rdhwr(core, 29), 0);
    assert_int_equal(core->s.gpr[3], 0x7fff0000);
    assert_int_equal(rdhwr(core, 4), 1);
    cp0_write(core, CP0_HWRENA, 1 << 29);
    assert_int_equal(rdhwr(core, 29), 0);
    assert_int_equal(rdhwr(core, 2), 1);
    cp0_write(core, CP0_HWRENA, 0);
    fixture_kernel_mode(core);
    assert_int_equal(rdhwr(core, 29), 0);
}

static void run(struct fixture *f, uint64_t cycle, uint64_t insns)
{
    f->models[0].ahead = cycle;
    f->models[0].insns_ahead = insns;
}

/* PerfCtl: event in bits 11:5, U bit 3, K bit 1, EXL bit 0. */
static void test_performance_counters(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    assert_int_equal(cp0_read(core, CP0_PERFCTL0) >> 31, 1); /* M: there is another counter */
    assert_int_equal(cp0_read(core, CP0_PERFCTL1) >> 31, 0);
    cp0_write(core, CP0_PERFCNT0, 1000);
    cp0_write(core, CP0_PERFCNT1, 0);
    run(f, 50, 20);
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 1000); /* the counter is off */
    cp0_write(core, CP0_PERFCTL0, 0 << 5 | 8);            /* cycles in user mode */
    cp0_write(core, CP0_PERFCTL1, 1 << 5 | 2);            /* instructions in kernel mode */
    run(f, 100, 30);
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 1000);
    assert_int_equal(cp0_read(core, CP0_PERFCNT1), 30);
    run(f, 10, 5);
    set_user_mode(core); /* the time up to here is the kernel's */
    run(f, 70, 60);
    core_raise(core, EXC_SYS);
    exception_enter(core, 0x00400000, false);
    run(f, 11, 9); /* with EXL set the time is neither the user's nor the kernel's */
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 1070);
    assert_int_equal(cp0_read(core, CP0_PERFCNT1), 35);
    cp0_write(core, CP0_PERFCTL0, 0 << 5 | 1); /* count with EXL set */
    cp0_write(core, CP0_PERFCNT0, 0xfffffff0);
    run(f, 0x20, 1);
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 0x10); /* the counter wraps around */
    cp0_write(core, CP0_PERFCTL0, 0 << 5);
    run(f, 500, 500);
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 0x10);
    cp0_write(core, CP0_STATUS, 0);
    cp0_write(core, CP0_PERFCTL0, 12 << 5 | 2); /* an event that is not counted: the counter stands still */
    cp0_write(core, CP0_PERFCNT0, 77);
    run(f, 500, 500);
    assert_int_equal(cp0_read(core, CP0_PERFCNT0), 77);
    cp0_write(core, CP0_PERFCTL1, 2 << 5 | 2); /* mispredictions, which the fixture's model does not count */
    assert_int_equal(cp0_read(core, CP0_PERFCNT1), 535);
    cp0_write(core, CP0_PERFCNT1, 0x80000005);
    cp0_write(core, CP0_PERFCTL1, 2 << 5 | 1 << 4 | 2); /* with IE its bit 31 requests the interrupt all the same */
    assert_true(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    cp0_write(core, CP0_PERFCNT1, 5);
    assert_false(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    cp0_write(core, CP0_PERFCTL1, 1 << 5 | 2); /* an event that is counted goes on from there */
    run(f, 9, 9);
    assert_int_equal(cp0_read(core, CP0_PERFCNT1), 14);
}

/* Watch registers: the model must know of them only while they are enabled or an exception is deferred. */
static void test_watch_registers(void **state)
{
    enum { R = 2, G = 1 << 30, RAM_WORD = 0x80001008 };
    struct fixture *f = *state;
    struct core *core = f->core;
    uint32_t value;
    cp0_write(core, CP0_WATCHLO + 2, RAM_WORD | R); /* there are none */
    cp0_write(core, CP0_WATCHHI + 2, G);
    assert_int_equal(cp0_read(core, CP0_WATCHLO + 2), 0);
    assert_int_equal(cp0_read(core, CP0_WATCHHI + 2), 0);
    assert_false(core->checked);
    assert_int_equal(watch_registers_check(core, ACCESS_LOAD, RAM_WORD), 0);

    core->has_watch_registers = true;
    core_reset(core, 0xbfc00000);
    fixture_kernel_mode(core);
    core->attention = false;
    cp0_write(core, CP0_WATCHHI + 2, G | 0x10);
    assert_false(core->checked);
    cp0_write(core, CP0_WATCHLO + 2, RAM_WORD | R | 4); /* a pair for data watches no fetches */
    assert_int_equal(cp0_read(core, CP0_WATCHLO + 2), RAM_WORD | R);
    assert_true(core->checked);
    assert_true(core->attention); /* translated code ends */
    static const struct {
        enum access access;
        vaddr address;
        bool matches;
    } rows[] = {
        {ACCESS_LOAD, RAM_WORD, true},      {ACCESS_LOAD, RAM_WORD + 7, true},  {ACCESS_LOAD, RAM_WORD + 8, false},
        {ACCESS_LOAD, RAM_WORD - 1, false}, {ACCESS_LOAD, RAM_WORD ^ 16, true}, {ACCESS_LOAD, RAM_WORD ^ 32, false},
        {ACCESS_STORE, RAM_WORD, false},    {ACCESS_FETCH, RAM_WORD, false},    {ACCESS_LOAD, 0xa0001008, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(watch_registers_match(core, rows[i].access, rows[i].address), rows[i].matches);
    assert_int_equal(cp0_read(core, CP0_WATCHHI + 2) & 7, 0); /* a look is not an access */
    assert_int_equal(watch_registers_check(core, ACCESS_LOAD, RAM_WORD), 1);
    assert_int_equal(core->exception.code, EXC_WATCH);
    assert_int_equal(cp0_read(core, CP0_WATCHHI + 2) & 7, R);

    cp0_write(core, CP0_STATUS, STATUS_CU0 | STATUS_EXL); /* deferred: also when the register is off by then */
    assert_int_equal(watch_registers_check(core, ACCESS_LOAD, RAM_WORD), 0);
    assert_true(cp0_read(core, CP0_CAUSE) & CAUSE_WP);
    cp0_write(core, CP0_WATCHLO + 2, 0);
    assert_true(core->checked);
    assert_false(interrupt_pending(core));
    cp0_write(core, CP0_STATUS, STATUS_CU0);
    assert_true(interrupt_pending(core));
    interrupt_enter(core, 0x80002000, false);
    assert_int_equal(core_exception_code(core), EXC_WATCH);
    assert_int_equal(core_exception_pc(core), 0x80002000);
    assert_int_equal(core->counts.exceptions[EXC_WATCH], 1);
    assert_false(interrupt_pending(core)); /* EXL */
    value = cp0_read(core, CP0_CAUSE);
    cp0_write(core, CP0_CAUSE, value & ~(uint32_t)CAUSE_WP);
    assert_false(core->checked);
    cp0_write(core, CP0_CAUSE, value);
    assert_false(cp0_read(core, CP0_CAUSE) & CAUSE_WP);
}

/* MD00090: bit 31 of a counter with PerfCtl.IE requests an interrupt (Cause.PCI). It is found at the earliest time at
 * which it can happen: an instruction takes at least a cycle. */
static void test_performance_counter_overflow(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    cp0_write(core, CP0_PERFCNT0, 0x80000000u - 100);
    cp0_write(core, CP0_PERFCTL0, 1 << 5 | 1 << 4 | 2); /* instructions in kernel mode, with IE */
    assert_true(event_is_scheduled(&core->perf_check));
    assert_int_equal(core->perf_check.when, core->s.cycle + 100);
    run(f, 100, 60);
    core_sync(core);
    event_queue_run(f->queue, core->s.cycle);
    assert_false(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    assert_int_equal(core->perf_check.when, core->s.cycle + 40);
    run(f, 40, 39);
    core_sync(core);
    event_queue_run(f->queue, core->s.cycle);
    assert_false(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    run(f, 1, 1);
    core_sync(core);
    event_queue_run(f->queue, core->s.cycle);
    assert_true(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    assert_true(f->perf_level);
    assert_false(event_is_scheduled(&core->perf_check));
    cp0_write(core, CP0_PERFCNT0, 5);
    assert_false(core->s.cp0[CP0_CAUSE] & CAUSE_PCI);
    assert_false(f->perf_level);
    assert_true(event_is_scheduled(&core->perf_check));
    set_user_mode(core); /* kernel instructions cannot overflow now */
    assert_false(event_is_scheduled(&core->perf_check));
}

/* Another core is ahead in the same quantum and has made an access: this core's counter overflows at its own time all
 * the same. */
static void test_overflow_behind_another_core(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->s.cycle = 1000;
    core->queue->now = 1180;
    cp0_write(core, CP0_PERFCTL0, 1 << 4 | 2); /* cycles in kernel mode, with IE */
    cp0_write(core, CP0_PERFCNT0, 0x80000000u - 16);
    assert_int_equal(core->perf_check.when, 1016);
}

/* Neither `wait`, which only cycles pass in, nor power off, nor a CPU that is not run makes the check fire twice at one
 * time: what stands still has no check, or one that is later. */
static void test_counters_that_stand_still(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    for (unsigned number = 0; number < 128; number++)
        for (unsigned still = 0; still < 3; still++)
            for (uint32_t left = 1; left <= 1000; left *= 10) {
                core->s.running = true;
                core->s.waiting = false;
                if (f->queue->now > core->s.cycle)
                    core->s.cycle = f->queue->now;
                for (unsigned counter = 0; counter < 2; counter++) {
                    cp0_write(core, CP0_PERFCTL0 + 2 * counter, number << 5 | 1 << 4 | 2);
                    cp0_write(core, CP0_PERFCNT0 + 2 * counter, 0x80000000u - left);
                }
                core->s.waiting = still == 0;
                core->s.running = still != 1;
                unsigned fired = 0;
                for (cycles last = 0; event_is_scheduled(&core->perf_check) && fired < 3; fired++) {
                    const cycles when = core->perf_check.when;
                    assert_true(when > last);
                    last = when;
                    event_queue_run(f->queue, when);
                }
                assert_true(still == 2 ? fired <= 3 : fired <= 1);
                /* hardware counts cycles of `wait`: the interrupt, which ends it, is when they have overflowed */
                if (still == 0 && number == 0) {
                    assert_int_equal(f->queue->now, core->s.cycle + left);
                    assert_true(f->perf_level);
                } else if (still != 2) {
                    assert_false(f->perf_level);
                }
                core->s.running = true;
                core->s.waiting = false;
                core->s.cycle = f->queue->now > core->s.cycle ? f->queue->now : core->s.cycle;
                cp0_perf_woken(core); /* what stood still goes on */
                if (still == 0 && perf_event_of(0, number) == PERF_INSNS)
                    assert_int_equal(core->perf_check.when, core->s.cycle + left);
                cp0_write(core, CP0_PERFCNT0, 0);
                cp0_write(core, CP0_PERFCNT1, 0);
            }
}

/* MD00086, RDHWR: CCRes is the number of CPU cycles for each tick of CC, here of 100 MHz. */
static void test_resolution_of_count(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    static const struct {
        uint64_t hz;
        uint32_t cycles;
    } rows[] = {{200000000, 2}, {500000000, 5}, {4000000000, 40}, {100000000, 1},
                {150000000, 2}, {249000000, 2}, {250000000, 3},   {33000000, 1}};
    const uint64_t before = core->queue->clock_hz;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        core->queue->clock_hz = rows[i].hz;
        assert_int_equal(rdhwr(core, 3), 0);
        assert_int_equal(core->s.gpr[3], rows[i].cycles);
    }
    core->queue->clock_hz = before;
}

static void test_synci_checks_its_address(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    struct insn insn = {.rs = 4, .imm = 8};
    paddr pa;
    bool cached;
    core->s.gpr[4] = 0x00400000;
    assert_int_equal(sem_synci(core, &insn, &pa, &cached), 1);
    assert_int_equal(core->exception.code, EXC_TLBL);
    assert_int_equal(core->exception.address, 0x00400008);
    core->s.gpr[4] = 0x80000003;
    assert_int_equal(sem_synci(core, &insn, &pa, &cached), 0);
    assert_int_equal(pa, 0x0000000b);
    assert_true(cached);
}

static bool stop_hook(void *opaque, struct core *core)
{
    (void)core;
    return ++*(int *)opaque == 2;
}

static bool removing_hook(void *opaque, struct core *core)
{
    ++*(int *)opaque;
    core_hook_remove(core, 0x80001000, removing_hook, opaque);
    return false;
}

static bool note_hook(void *opaque, struct core *core)
{
    core->s.gpr[2] = core->s.gpr[2] * 10 + (uint32_t) * (int *)opaque;
    return false;
}

static void test_hooks_run_in_the_order_added(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    int digits[] = {1, 2, 3};
    for (unsigned i = 0; i < 3; i++)
        core_hook_add(core, 0x80001000, note_hook, &digits[i]);
    assert_false(core_hook_run(core, 0x80001000));
    assert_int_equal(core->s.gpr[2], 123);
    core_hook_remove(core, 0x80001000, note_hook, &digits[1]);
    core_hook_run(core, 0x80001000);
    assert_int_equal(core->s.gpr[2], 12313);
}

static void test_pc_hooks(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    int first = 0, second = 0, third = 0;
    core_hook_add(core, 0x80002000, stop_hook, &third);
    core_hook_add(core, 0x80001000, removing_hook, &first);
    core_hook_add(core, 0x80001000, stop_hook, &second);
    /* kseg0 code is in one page; mapped code may be in any */
    assert_int_equal(f->models[0].forgotten_pages, 3);
    assert_int_equal(f->models[0].last_forgotten, 0x1000);
    assert_int_equal(f->models[0].forgotten_all, 1); /* because of the reset */
    core_hook_add(core, 0x00400000, stop_hook, &third);
    core_hook_remove(core, 0x00400000, stop_hook, &third);
    assert_int_equal(f->models[0].forgotten_all, 1 + 2);
    assert_true(core_hook_present(core, 0x80001000));
    assert_false(core_hook_present(core, 0x80001004));
    assert_false(core_hook_run(core, 0x80001000));
    assert_true(core_hook_run(core, 0x80001000));
    assert_int_equal(first, 1); /* removed itself, and the next one still ran */
    assert_int_equal(second, 2);
    assert_int_equal(third, 0);
    core_hook_remove(core, 0x80001000, stop_hook, &second);
    assert_false(core_hook_present(core, 0x80001000));
    assert_true(core_hook_present(core, 0x80002000));
}

static void test_statistics(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->cores[1];
    struct stats *stats = stats_create();
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        core_register_stats(f->cores[i], stats);
    core->s.cycle = core->s.insns = 90;
    set_user_mode(core);
    core->mode_buckets[MODE_KERNEL].stall[STALL_L2D] = 20;
    core_raise_address(core, EXC_TLBS, 0x1000, true);
    exception_enter(core, 0x00400000, false);
    double value;
    assert_true(stats_value(stats, "cpu1.mode.kernel.execute", &value));
    assert_true(value == 70);
    assert_true(stats_value(stats, "cpu1.exceptions.tlb_store", &value));
    assert_true(value == 1);
    assert_true(stats_value(stats, "cpu1.tlb.refills_store", &value));
    assert_true(value == 1);
    assert_true(stats_value(stats, "cpu0.tlb.refills_store", &value));
    assert_true(value == 0);
    stats_free(stats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_write_masks),
        TEST(test_all_numbers),
        TEST(test_identity),
        TEST(test_mmu_size_follows_parameter),
        TEST(test_pagemask_takes_whole_sizes),
        TEST(test_privilege),
        TEST(test_rdhwr),
        TEST(test_performance_counters),
        TEST(test_watch_registers),
        TEST(test_performance_counter_overflow),
        TEST(test_overflow_behind_another_core),
        TEST(test_counters_that_stand_still),
        TEST(test_resolution_of_count),
        TEST(test_synci_checks_its_address),
        TEST(test_hooks_run_in_the_order_added),
        TEST(test_pc_hooks),
        TEST(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
