/*
 * Exceptions and interrupts: vectors, EPC and BD, the address registers, modes, `wait` and the timer.
 */
#include "tests/unit/core_fixture.h"
#include "src/base/board.h"

static const struct insn none = {0};

static void raise_at(struct core *core, enum exception_code code, vaddr pc, bool delay_slot)
{
    core_raise(core, code);
    exception_enter(core, pc, delay_slot);
}

static unsigned exccode(const struct core *core)
{
    return (core->s.cp0[CP0_CAUSE] & CAUSE_EXCCODE) >> CAUSE_EXCCODE_SHIFT;
}

static void test_general_entry(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    set_user_mode(core);
    core->s.in_delay_slot = true;
    raise_at(core, EXC_SYS, 0x00400100, false);
    assert_int_equal(core->s.pc, 0x80000180);
    assert_false(core->s.in_delay_slot);
    assert_int_equal(core->s.cp0[CP0_EPC], 0x00400100);
    assert_int_equal(core->s.cp0[CP0_STATUS], STATUS_UM | STATUS_EXL);
    assert_int_equal(exccode(core), EXC_SYS);
    assert_false(core->user_mode);
    assert_int_equal(core->counts.exceptions[EXC_SYS], 1);
}

static void test_delay_slot(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    raise_at(core, EXC_OV, 0x80001004, true);
    assert_int_equal(core->s.cp0[CP0_EPC], 0x80001000);
    assert_true(core->s.cp0[CP0_CAUSE] & CAUSE_BD);
    cp0_write(core, CP0_STATUS, 0);
    raise_at(core, EXC_OV, 0x80001004, false);
    assert_int_equal(core->s.cp0[CP0_EPC], 0x80001004);
    assert_false(core->s.cp0[CP0_CAUSE] & CAUSE_BD);
}

/* With EXL set, EPC and BD do not change, and a refill uses the general vector. */
static void test_nested(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    raise_at(core, EXC_OV, 0x80001004, true);
    core_raise_address(core, EXC_TLBL, 0x00400123, true);
    exception_enter(core, 0x80000184, false);
    assert_int_equal(core->s.pc, 0x80000180);
    assert_int_equal(core->s.cp0[CP0_EPC], 0x80001000);
    assert_true(core->s.cp0[CP0_CAUSE] & CAUSE_BD);
    assert_int_equal(exccode(core), EXC_TLBL);
    assert_int_equal(core->s.cp0[CP0_BADVADDR], 0x00400123);
    assert_int_equal(core->counts.tlb_refills[0], 0);
    assert_int_equal(core->counts.exceptions[EXC_TLBL], 1);
}

static void test_tlb_exceptions(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_CONTEXT, 0xffffffff);
    cp0_write(core, CP0_ENTRYHI, 0x42);
    core_raise_address(core, EXC_TLBS, 0x12345678, true);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, 0x80000000);
    assert_int_equal(core->s.cp0[CP0_BADVADDR], 0x12345678);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x12344042);
    assert_int_equal(core->s.cp0[CP0_CONTEXT], 0xff800000 | (0x12345678 >> 13) << 4);
    assert_int_equal(core->counts.tlb_refills[1], 1);
    cp0_write(core, CP0_STATUS, 0);
    core_raise_address(core, EXC_TLBL, 0x00007008, false); /* invalid: general vector */
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, 0x80000180);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x00006042);
    assert_int_equal(core->counts.tlb_refills[0], 0);
    cp0_write(core, CP0_STATUS, 0);
    core_raise_address(core, EXC_MOD, 0x00009008, false);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, 0x80000180);
    assert_int_equal(core->s.cp0[CP0_BADVADDR], 0x00009008);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x00008042);
    assert_int_equal(core->s.cp0[CP0_CONTEXT], 0xff800000 | (0x9008 >> 13) << 4);
}

static void test_address_error_sets_badvaddr_only(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_ENTRYHI, 0x00abc042 & 0xffffe0ff);
    cp0_write(core, CP0_CONTEXT, 0);
    core_raise_address(core, EXC_ADEL, 0x80000001, false);
    exception_enter(core, 0x00400000, false);
    assert_int_equal(core->s.cp0[CP0_BADVADDR], 0x80000001);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x00abc042 & 0xffffe0ff);
    assert_int_equal(core->s.cp0[CP0_CONTEXT], 0);
    /* An exception without an address leaves BadVAddr unchanged. */
    raise_at(core, EXC_SYS, 0x80000000, false);
    assert_int_equal(core->s.cp0[CP0_BADVADDR], 0x80000001);
}

static void test_coprocessor_number(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    core_raise_coprocessor(core, 2);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.cp0[CP0_CAUSE] >> CAUSE_CE_SHIFT & 3, 2);
    assert_int_equal(exccode(core), EXC_CPU);
    raise_at(core, EXC_SYS, 0x80001000, false);
    assert_int_equal(core->s.cp0[CP0_CAUSE] >> CAUSE_CE_SHIFT & 3, 0);
}

static void test_bootstrap_and_ebase_vectors(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_EBASE, 0x90123000);
    raise_at(core, EXC_SYS, 0x80001000, false);
    assert_int_equal(core->s.pc, 0x90123180);
    cp0_write(core, CP0_STATUS, STATUS_BEV);
    raise_at(core, EXC_SYS, 0x80001000, false);
    assert_int_equal(core->s.pc, 0xbfc00380);
    cp0_write(core, CP0_STATUS, STATUS_BEV);
    core_raise_address(core, EXC_TLBL, 0x1000, true);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, 0xbfc00200);
}

static void test_interrupt_conditions(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_STATUS, STATUS_IE | STATUS_IM);
    assert_false(interrupt_pending(core));
    core->attention = false;
    interrupt_set_pin(core, 3, true);
    assert_true(core->attention);
    assert_true(interrupt_pending(core));
    assert_int_equal(cp0_read(core, CP0_CAUSE) & CAUSE_IP, 1 << 13);
    static const uint32_t closed[] = {STATUS_IM, STATUS_IM | STATUS_IE | STATUS_EXL, STATUS_IM | STATUS_IE | STATUS_ERL,
                                      STATUS_IE | (STATUS_IM & ~(1 << 13))};
    for (unsigned i = 0; i < 4; i++) {
        cp0_write(core, CP0_STATUS, closed[i]);
        assert_false(interrupt_pending(core));
        interrupt_enter(core, 0x80001000, false);
        assert_int_equal(core->counts.exceptions[EXC_INT], 0);
    }
    cp0_write(core, CP0_STATUS, STATUS_IE | 1 << 13);
    assert_true(interrupt_pending(core));
    interrupt_set_pin(core, 3, false);
    assert_false(interrupt_pending(core));
    cp0_write(core, CP0_STATUS, STATUS_IE | 1 << 8);
    cp0_write(core, CP0_CAUSE, 1 << 8); /* raises software interrupt 0 */
    assert_true(interrupt_pending(core));
    cp0_write(core, CP0_CAUSE, 0xffffffff); /* hardware lines are not writable */
    assert_int_equal(cp0_read(core, CP0_CAUSE) & CAUSE_IP, CAUSE_IP_SOFTWARE);
}

static void take(struct core *core, vaddr expected)
{
    cp0_write(core, CP0_STATUS, (cp0_read(core, CP0_STATUS) & ~(uint32_t)STATUS_EXL) | STATUS_IE | STATUS_IM);
    interrupt_enter(core, 0x80001004, true);
    assert_int_equal(core->s.pc, expected);
    assert_int_equal(core->s.cp0[CP0_EPC], 0x80001000);
    assert_true(core->s.cp0[CP0_CAUSE] & CAUSE_BD);
    assert_int_equal(exccode(core), EXC_INT);
}

static void test_interrupt_vectors(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    interrupt_set_pin(core, 0, true);
    interrupt_set_pin(core, 4, true); /* IP6 is the highest */
    core->s.waiting = true;
    take(core, 0x80000180);
    assert_false(core->s.waiting);
    cp0_write(core, CP0_CAUSE, CAUSE_IV);
    take(core, 0x80000200);
    cp0_write(core, CP0_INTCTL, 1 << 5); /* IntCtl.VS: vectors 32 bytes apart */
    take(core, 0x80000200 + 6 * 32);
    cp0_write(core, CP0_INTCTL, 0x10 << 5); /* IntCtl.VS: vectors 512 bytes apart, as Linux sets it */
    take(core, 0x80000200 + 6 * 512);
    cp0_write(core, CP0_STATUS, STATUS_BEV);
    take(core, 0xbfc00400);
    assert_int_equal(core->counts.interrupts[6], 5);
    assert_int_equal(core->counts.interrupts[2], 0);
}

static void test_eret(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    vaddr target = 0;
    set_user_mode(core);
    raise_at(core, EXC_SYS, 0x00400100, false);
    core->s.ll_bit = true;
    assert_int_equal(sem_eret(core, &target), 0);
    assert_int_equal(target, 0x00400100);
    assert_true(core->user_mode);
    assert_false(core->s.ll_bit);
    cp0_write(core, CP0_STATUS, STATUS_ERL | STATUS_EXL);
    cp0_write(core, CP0_ERROREPC, 0x80007000);
    assert_int_equal(sem_eret(core, &target), 0);
    assert_int_equal(target, 0x80007000);
    assert_int_equal(core->s.cp0[CP0_STATUS], STATUS_EXL);
    /* An interrupt that becomes deliverable requests attention. */
    interrupt_set_pin(core, 1, true);
    cp0_write(core, CP0_STATUS, STATUS_IE | STATUS_IM | STATUS_EXL);
    core->attention = false;
    assert_int_equal(sem_eret(core, &target), 0);
    assert_true(core->attention);
    set_user_mode(core);
    assert_int_equal(sem_eret(core, &target), 1);
    assert_int_equal(core->exception.code, EXC_CPU);
}

/* A write of Status requests attention if code may have to continue elsewhere: in another mode, or in kuseg, which is
 * unmapped while ERL is set (MIPS32 vol. III section 4.8); and for an interrupt. Otherwise not, because every kernel
 * entry writes it. */
static void test_status_asks_for_attention(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    static const struct {
        uint32_t from, to;
        bool asks;
    } cases[] = {
        {STATUS_EXL, STATUS_EXL | STATUS_CU1, false},
        {STATUS_EXL, 0, false},
        {0, STATUS_ERL, true},
        {STATUS_ERL | STATUS_EXL, STATUS_EXL, true},
        {STATUS_UM | STATUS_EXL, STATUS_UM, true},
        {0, STATUS_IE | STATUS_IM, true},
    };
    interrupt_set_pin(core, 2, true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cp0_write(core, CP0_STATUS, cases[i].from);
        core->attention = false;
        cp0_write(core, CP0_STATUS, cases[i].to);
        assert_int_equal(core->attention, cases[i].asks);
    }
}

static void test_wait(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_STATUS, 1 << 12); /* IM for pin 2, interrupts disabled */
    assert_int_equal(sem_wait(core, &none), 0);
    assert_true(core->s.waiting);
    interrupt_set_pin(core, 1, true);
    assert_true(core->s.waiting); /* the interrupt is masked */
    interrupt_set_pin(core, 2, true);
    assert_false(core->s.waiting); /* Config7.WII: an interrupt ends `wait` even with IE clear */
    assert_false(interrupt_pending(core));
    assert_int_equal(sem_wait(core, &none), 0);
    assert_false(core->s.waiting); /* the interrupt is already pending */
}

static void test_di_ei(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    struct insn insn = {.rt = 8};
    interrupt_set_pin(core, 2, true);
    cp0_write(core, CP0_STATUS, STATUS_IM);
    core->attention = false;
    assert_int_equal(sem_ei(core, &insn), 0);
    assert_int_equal(core->s.gpr[8], STATUS_IM);
    assert_int_equal(core->s.cp0[CP0_STATUS], STATUS_IM | STATUS_IE);
    assert_true(core->attention);
    assert_int_equal(sem_di(core, &insn), 0);
    assert_int_equal(core->s.gpr[8], STATUS_IM | STATUS_IE);
    assert_int_equal(core->s.cp0[CP0_STATUS], STATUS_IM);
}

/* Attribution follows the mode; an exception leaves idle, and the return to the same stack resumes it. */
static void test_modes_and_buckets(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    struct bucket *bucket = core->mode_buckets;
    vaddr target;
    f->models[0].ahead = 100; /* kernel time that the model has not reported yet */
    f->models[0].insns_ahead = 60;
    set_user_mode(core);
    assert_int_equal(bucket[MODE_KERNEL].cycles, 100);
    assert_int_equal(bucket[MODE_KERNEL].insns, 60);
    f->models[0].ahead = 40;
    raise_at(core, EXC_SYS, 0x00400000, false);
    assert_int_equal(bucket[MODE_USER].cycles, 40);
    core->s.gpr[29] = 0x80100000;
    cp0_write(core, CP0_STATUS, 0);
    core_idle_begin(core);
    assert_int_equal(core->mode, MODE_IDLE);
    f->models[0].ahead = 7;
    raise_at(core, EXC_INT, 0x80001000, false);
    assert_int_equal(core->mode, MODE_KERNEL);
    assert_int_equal(bucket[MODE_IDLE].cycles, 7);
    core->s.gpr[29] = 0x800ff000; /* a nested exception's return is not to the idle loop */
    assert_int_equal(sem_eret(core, &target), 0);
    assert_int_equal(core->mode, MODE_KERNEL);
    core->s.gpr[29] = 0x80100000;
    assert_int_equal(sem_eret(core, &target), 0);
    assert_int_equal(core->mode, MODE_IDLE);
    core_idle_end(core);
    assert_int_equal(core->mode, MODE_KERNEL);
    assert_int_equal(f->mode_changes, core->counts.mode_changes);
    assert_int_equal(f->mode_changes, 6);
}

static void test_moved_attribution_stays(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    struct bucket service = {0};
    core_switch_bucket(core, &service);
    f->models[0].ahead = 10;
    set_user_mode(core);
    raise_at(core, EXC_SYS, 0x00400000, false);
    assert_ptr_equal(core->bucket, &service);
    core_add_wait(core, 5);
    assert_int_equal(service.cycles, 5); /* the model has not reported yet */
    core->s.cycle += 4;
    core->s.insns += 3;
    core_switch_bucket(core, &core->mode_buckets[core->mode]);
    assert_int_equal(service.cycles, 19);
    assert_int_equal(service.wait, 5);
    core->s.cycle += 6; /* not accounted yet: kernel time, not idle */
    core_add_wait(core, 1000);
    assert_int_equal(core->mode_buckets[MODE_KERNEL].cycles, 6);
    assert_int_equal(core->mode_buckets[MODE_IDLE].cycles, 1000);
    assert_int_equal(core->mode_buckets[MODE_IDLE].wait, 1000);
    assert_int_equal(core->s.cycle, 1025);
    core_account(core);
    uint64_t total = service.cycles;
    for (unsigned i = 0; i < MODE_COUNT; i++)
        total += core->mode_buckets[i].cycles;
    assert_int_equal(total, core->s.cycle);
}

/* 200 MHz clock, Count at 100 MHz: Compare at tick N fires at cycle 2 N exactly. */
static void test_timer(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    cp0_write(core, CP0_COUNT, 1000);
    assert_int_equal(cp0_read(core, CP0_COUNT), 1000);
    f->models[0].ahead = 21;
    assert_int_equal(cp0_read(core, CP0_COUNT), 1010);
    cp0_write(core, CP0_COMPARE, 1100);
    event_queue_run(f->queue, 199);
    assert_false(cp0_read(core, CP0_CAUSE) & CAUSE_TI);
    event_queue_run(f->queue, 200);
    assert_true(cp0_read(core, CP0_CAUSE) & CAUSE_TI);
    assert_int_equal(f->timer_changes, 1);
    assert_true(f->timer_level);
    assert_int_equal(cp0_read(core, CP0_CAUSE) & CAUSE_IP, 0); /* routed through the interrupt controller */
    core->s.cycle = 200;
    cp0_write(core, CP0_COMPARE, 1100); /* clears the interrupt; the next match is after a wrap-around */
    assert_false(cp0_read(core, CP0_CAUSE) & CAUSE_TI);
    assert_false(f->timer_level);
    assert_int_equal(core->timer.when, 200 + (2ull << 32));
}

/* Another core is ahead in the same quantum and has made an access: this core's match is at its own time all the same.
 */
static void test_timer_behind_another_core(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->s.cycle = 1000;
    f->queue->now = 1180;
    cp0_write(core, CP0_COMPARE, cp0_read(core, CP0_COUNT) + 16);
    assert_int_equal(core->timer.when, 1032);
}

static void test_timer_disabled_count(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    cp0_write(core, CP0_COUNT, 500);
    cp0_write(core, CP0_COMPARE, 600);
    core->s.cycle = 100;
    cp0_write(core, CP0_CAUSE, CAUSE_DC);
    assert_int_equal(cp0_read(core, CP0_COUNT), 550);
    core->s.cycle = 100000;
    assert_int_equal(cp0_read(core, CP0_COUNT), 550);
    assert_false(event_is_scheduled(&core->timer));
    cp0_write(core, CP0_COUNT, 570);
    assert_int_equal(cp0_read(core, CP0_COUNT), 570);
    cp0_write(core, CP0_CAUSE, 0);
    assert_int_equal(cp0_read(core, CP0_COUNT), 570);
    assert_int_equal(core->timer.when, 100060);
    core->s.cycle = 100020;
    assert_int_equal(cp0_read(core, CP0_COUNT), 580);
}

/* The quantum ends when the next event moves, earlier or later (docs/design/code-layout.md, "Time"). */
static void test_moved_event_asks_for_attention(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    const uint32_t compare[] = {5000, 6000, 5500};
    for (unsigned i = 0; i < sizeof compare / sizeof compare[0]; i++) {
        core->attention = false;
        cp0_write(core, CP0_COMPARE, compare[i]);
        assert_true(core->attention);
    }
    core->attention = false;
    cp0_write(core, CP0_COMPARE, 5500);
    assert_false(core->attention);
    cp0_write(core, CP0_CAUSE, CAUSE_DC);
    assert_true(core->attention);
}

/* A reset keeps time and pins, and clears the timer interrupt. */
static void test_reset(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->s.cycle = 1234;
    interrupt_set_pin(core, 2, true);
    cp0_write(core, CP0_COMPARE, 1000);
    event_queue_run(f->queue, 2000);
    assert_true(f->timer_level);
    set_user_mode(core);
    core->s.gpr[5] = 7;
    core_reset(core, 0xbfc01000);
    assert_int_equal(core->s.pc, 0xbfc01000);
    assert_int_equal(core->s.cycle, 1234);
    assert_int_equal(core->s.gpr[5], 0);
    assert_true(core->s.running);
    assert_false(core->user_mode);
    assert_int_equal(core->mode, MODE_KERNEL);
    assert_int_equal(cp0_read(core, CP0_CAUSE), 1 << 12);
    assert_int_equal(cp0_read(core, CP0_STATUS), STATUS_BEV | STATUS_ERL);
    assert_false(f->timer_level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_general_entry),
        TEST(test_delay_slot),
        TEST(test_nested),
        TEST(test_tlb_exceptions),
        TEST(test_address_error_sets_badvaddr_only),
        TEST(test_coprocessor_number),
        TEST(test_bootstrap_and_ebase_vectors),
        TEST(test_interrupt_conditions),
        TEST(test_interrupt_vectors),
        TEST(test_eret),
        TEST(test_status_asks_for_attention),
        TEST(test_wait),
        TEST(test_di_ei),
        TEST(test_modes_and_buckets),
        TEST(test_moved_attribution_stays),
        TEST(test_timer),
        TEST(test_timer_behind_another_core),
        TEST(test_timer_disabled_count),
        TEST(test_moved_event_asks_for_attention),
        TEST(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
