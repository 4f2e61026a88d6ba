/*
 * The interface of guest architectures (cpu/architecture.h), by the R3000: its modes, exceptions, TLB and registers.
 * Values by hand from Kane and Heinrich, "MIPS RISC Architecture", chapters 4 and 6.
 */
#include "cpu/core/isolated.h"
#include "cpu/privileged/load_delay.h"
#include "cpu/privileged/r3000.h"
#include "cpu/privileged/register_access.h"
#include "cpu/privileged/stuck.h"
#include "cpu/registers.h"
#include "tests/unit/core_fixture.h"

/* EntryLo */
enum { N = 1 << 11, D = 1 << 10, V = 1 << 9, G = 1 << 8 };
enum { ASID_SHIFT = 6, INDEX_SHIFT = 8 };
enum { IEC = R3000_IEC, KUC = R3000_KUC, IEP = R3000_IEP, KUP = R3000_KUP, IEO = R3000_IEO, KUO = R3000_KUO };
#define REFILL_VECTOR  0x80000000u
#define GENERAL_VECTOR 0x80000080u
#define ALL            0xffffffffu

/* The R3000 with another calling convention, so that the numbers must come from there. */
static const struct calling_convention other_calls = {.argument = {10, 11, 12, 13},
                                                      .result = 14,
                                                      .stack_pointer = 15,
                                                      .return_address = 16,
                                                      .thread_pointer = 17,
                                                      .syscall_number = 18};

static int setup(void **state)
{
    static struct architecture other;
    other = r3000;
    other.calls = &other_calls;
    struct fixture *f = fixture_create_of(&other, 16);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++)
        cp0_write(f->cores[i], CP0_STATUS, 0);
    *state = f;
    return 0;
}

static void test_modes(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    assert_false(core->user_mode);
    cp0_write(core, CP0_STATUS, KUC);
    assert_true(core->user_mode);
    assert_int_equal(core->mode, MODE_USER);
    cp0_write(core, CP0_STATUS, KUP | KUO);
    assert_false(core->user_mode);
    assert_true(core_enters_kernel(core));
    cp0_write(core, CP0_STATUS, KUO);
    assert_false(core_enters_kernel(core));
}

static void test_exceptions_push_status(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_STATUS, KUC | IEC);
    core_raise(core, EXC_SYS);
    exception_enter(core, 0x00400000, false);
    assert_int_equal(core->s.pc, GENERAL_VECTOR);
    assert_int_equal(core->s.cp0[CP0_STATUS], KUP | IEP);
    assert_false(core->user_mode);
    assert_int_equal(core_exception_pc(core), 0x00400000);
    assert_int_equal(core_exception_code(core), EXC_SYS);
    assert_int_equal(core_exception_kind(core, EXC_SYS), EXCEPTION_SYSCALL);

    /* There is no exception level: EPC is overwritten. */
    core_raise(core, EXC_SYS);
    exception_enter(core, 0x80001000, true);
    assert_int_equal(core->s.cp0[CP0_STATUS], KUO | IEO);
    assert_int_equal(core_exception_pc(core), 0x80000ffc);
}

static void test_bootstrap_vectors(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    core_reset(core, r3000.reset_vector);
    core_raise(core, EXC_SYS);
    exception_enter(core, 0xbfc00000, false);
    assert_int_equal(core->s.pc, 0xbfc00180);
    core_raise_address(core, EXC_TLBL, 0x1000, true);
    exception_enter(core, 0xbfc00000, false);
    assert_int_equal(core->s.pc, 0xbfc00100);
}

static void test_interrupts(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    interrupt_set_pin(core, 3, true);
    cp0_write(core, CP0_STATUS, STATUS_IM);
    assert_false(interrupt_pending(core));
    cp0_write(core, CP0_STATUS, STATUS_IM | IEC);
    assert_true(interrupt_pending(core));
    interrupt_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, GENERAL_VECTOR);
    assert_int_equal(core->s.cp0[CP0_STATUS], STATUS_IM | IEP);
    assert_false(interrupt_pending(core));
}

static void write_page(struct core *core, unsigned index, vaddr page, unsigned asid, uint32_t entrylo)
{
    const uint32_t hi = core->s.cp0[CP0_ENTRYHI];
    cp0_write(core, CP0_ENTRYHI, page | asid << ASID_SHIFT);
    cp0_write(core, CP0_ENTRYLO0, entrylo);
    cp0_write(core, CP0_INDEX, index << INDEX_SHIFT);
    assert_int_equal(sem_tlbwi(core, &(struct insn){0}), 0);
    cp0_write(core, CP0_ENTRYHI, hi);
}

static bool maps(struct core *core, vaddr address, paddr expected)
{
    paddr pa;
    bool cached;
    return tlb_translate(core, address, ACCESS_LOAD, &pa, &cached) == 0 && pa == expected;
}

/* The even and the odd page of a pair are two entries. */
static void test_entries_map_one_page(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    struct tlb_mapping mapping;
    cp0_write(core, CP0_ENTRYHI, 5 << ASID_SHIFT);
    write_page(core, 62, 0x00400000, 5, 0x00010000 | V | D);
    assert_true(maps(core, 0x00400123, 0x00010123));
    assert_false(maps(core, 0x00401000, 0x00011000));
    assert_true(core->exception.refill);
    write_page(core, 63, 0x00401000, 5, 0x00070000 | V | N);
    assert_true(maps(core, 0x00400123, 0x00010123));
    assert_true(maps(core, 0x00401ffc, 0x00070ffc));
    assert_true(tlb_mapping(core, 63, &mapping));
    assert_int_equal(mapping.pages, 1);
    assert_int_equal(mapping.address, 0x00401000);
    assert_int_equal(mapping.page_bytes, 4096);
    assert_int_equal(mapping.asid, 5);
    assert_int_equal(mapping.page[0].address, 0x00070000);
    assert_false(mapping.page[0].writable);
    assert_int_equal(mapping.page[0].cache, 2);
}

static void test_address_spaces(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_page(core, 1, 0x00400000, 5, 0x00010000 | V);
    write_page(core, 2, 0x00401000, 5, 0x00020000 | V | G);
    cp0_write(core, CP0_ENTRYHI, 5 << ASID_SHIFT);
    assert_int_equal(core_asid(core), 5);
    assert_true(maps(core, 0x00400000, 0x00010000));
    cp0_write(core, CP0_ENTRYHI, 6 << ASID_SHIFT);
    assert_int_equal(core_asid(core), 6);
    assert_false(maps(core, 0x00400000, 0x00010000));
    assert_true(maps(core, 0x00401000, 0x00020000));
}

/* The flat tables follow: a store goes to the page of the present entry. */
static void test_flat_tables_follow(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    uint32_t value;
    write_page(core, 0, 0x00401000, 0, 0x00010000 | V | D);
    assert_int_equal(core_store(core, 0x00401010, 4, 0x11111111), 0);
    assert_true(core->map->store[0x401] != 0);
    write_page(core, 0, 0x00401000, 0, 0x00020000 | V | D);
    assert_int_equal(core_store(core, 0x00401010, 4, 0x22222222), 0);
    assert_int_equal(core_load(core, 0x80010010, 4, &value), 0);
    assert_int_equal(value, 0x11111111);
    assert_int_equal(core_load(core, 0x80020010, 4, &value), 0);
    assert_int_equal(value, 0x22222222);
    vmap_protect_page(core, 0x00020000);
    assert_true(core->map->store[0x401] == 0);
}

static void test_refill(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_ENTRYHI, 5 << ASID_SHIFT);
    cp0_write(core, CP0_CONTEXT, 0xc0200000);
    cp0_write(core, CP0_STATUS, KUC | IEC);
    assert_false(maps(core, 0x12345678, 0));
    exception_enter(core, 0x00400000, false);
    assert_int_equal(core->s.pc, REFILL_VECTOR);
    assert_int_equal(core_bad_address(core), 0x12345678);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x12345000 | 5 << ASID_SHIFT);
    assert_int_equal(core->s.cp0[CP0_CONTEXT], 0xc0200000 | 0x12345 << 2);
    assert_int_equal(core->counts.tlb_refills[0], 1);
    /* What tlbwr then writes is entered in the flat tables of user mode, to which the handler returns. */
    cp0_write(core, CP0_ENTRYLO0, 0x00030000 | V | D);
    assert_int_equal(sem_tlbwr(core, &(struct insn){0}), 0);
    assert_true(core->maps[VMAP_USER].store[0x12345] != 0);
    /* A refill in a handler takes its vector too. */
    assert_false(maps(core, 0x20000000, 0));
    exception_enter(core, 0x80000010, false);
    assert_int_equal(core->s.pc, REFILL_VECTOR);
    assert_int_equal(core_exception_pc(core), 0x80000010);
}

static void test_tlb_instructions(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_page(core, 41, 0x00401000, 5, 0x00070000 | V | N | G);
    cp0_write(core, CP0_ENTRYHI, 0x00401000 | 9 << ASID_SHIFT);
    assert_int_equal(sem_tlbp(core, &(struct insn){0}), 0);
    assert_int_equal(cp0_read(core, CP0_INDEX), 41 << INDEX_SHIFT);
    cp0_write(core, CP0_ENTRYHI, 0);
    cp0_write(core, CP0_ENTRYLO0, 0);
    assert_int_equal(sem_tlbr(core, &(struct insn){0}), 0);
    assert_int_equal(cp0_read(core, CP0_ENTRYHI), 0x00401000 | 5 << ASID_SHIFT);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0), 0x00070000 | V | N | G);
    for (unsigned i = 0; i < 100; i++) {
        core->s.insns++;
        const uint32_t random = cp0_read(core, CP0_RANDOM);
        assert_int_equal(random & 0xff, 0);
        assert_in_range(random >> INDEX_SHIFT, 8, 63);
        assert_int_equal(sem_tlbwr(core, &(struct insn){0}), 0);
    }
}

static void test_registers(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    assert_int_equal(register_find(&r3000, "epc"), REGISTER_EPC);
    assert_int_equal(register_find(&r3000, "EBase"), -1);
    assert_int_equal(register_find(&mips32r2, "EBase"), REGISTER_SYSTEM + CP0_EBASE);
    assert_int_equal(register_read(core, REGISTER_FIR), r3000.fir);
    register_write(core, REGISTER_FCSR, ALL);
    assert_int_equal(register_read(core, REGISTER_FCSR), 0x0083ffff);
    /* A register that the processor does not have reads as 0, whatever the simulator keeps there. */
    cp0_write(core, CP0_EBASE, ALL);
    assert_int_equal(cp0_read(core, CP0_EBASE), 0);
    assert_int_equal(core->s.cp0[CP0_EBASE], REFILL_VECTOR);
    for (unsigned i = 0; i < 32; i++)
        core->s.gpr[i] = 1000 + i;
    assert_int_equal(core_argument(core, 0), 1010);
    assert_int_equal(core_argument(core, 3), 1013);
    assert_int_equal(core_argument_address(core, 4), 1015 + 16);
    assert_int_equal(core_result(core), 1014);
    assert_int_equal(core_stack_pointer(core), 1015);
    assert_int_equal(core_return_address(core), 1016);
    assert_int_equal(core_thread_pointer(core), 1017);
    assert_int_equal(core_syscall_number(core), 1018);
    assert_string_equal(core_exception_name(core, EXC_SYS), "syscall");
    assert_string_equal(core_exception_name(core, EXC_FPE), "unknown");
}

/* Three levels, of which rfe leaves the oldest as it is. */
static void test_rfe_pops_status(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_STATUS, KUP | IEO);
    assert_int_equal(sem_rfe(core, &(struct insn){0}), 0);
    assert_int_equal(core->s.cp0[CP0_STATUS], KUC | IEP | IEO);
    assert_true(core->user_mode);
    assert_true(core->attention);
    assert_int_equal(sem_rfe(core, &(struct insn){0}), 1);
    assert_int_equal(core->exception.code, EXC_CPU);
}

/* The UTLB vector is for kuseg alone, and for addresses that no entry maps. */
static void test_refill_vector(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    assert_false(maps(core, 0xc0000000, 0));
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, GENERAL_VECTOR);
    assert_int_equal(core_bad_address(core), 0xc0000000);
    assert_int_equal(core->counts.tlb_refills[0], 0);
    write_page(core, 9, 0x00400000, 0, 0x00010000);
    assert_false(maps(core, 0x00400000, 0));
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, GENERAL_VECTOR);
}

/* An address error sets BadVAddr alone. */
static void test_address_error(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    uint32_t value;
    cp0_write(core, CP0_CONTEXT, 0xc0200000);
    cp0_write(core, CP0_ENTRYHI, 0x12345000 | 5 << ASID_SHIFT);
    assert_int_equal(core_load(core, 0x80000002, 4, &value), 1);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core_bad_address(core), 0x80000002);
    assert_int_equal(core->s.cp0[CP0_CONTEXT], 0xc0200000);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI], 0x12345000 | 5 << ASID_SHIFT);
}

static void test_exception_lets_load_arrive(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    core->s.delayed_register = 8;
    core->s.delayed_value = 77;
    core_raise(core, EXC_SYS);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.gpr[8], 77);
    assert_int_equal(core->s.delayed_register, 0);
    core->s.delayed_register = ISA_REG_FPR + 3;
    core_settle_load(core);
    assert_int_equal(core->s.fpr[3][0], 0);
    assert_false(load_delay_is_register(ISA_REG_HI));
    assert_true(load_delay_is_register(ISA_REG_FPR + 31));
}

/* The first instruction of the handler raises an exception, so that it is repeated for ever. */
static void test_handler_that_faults(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    bool by_code;
    core_raise(core, EXC_RI);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core_find_stuck(core, &by_code), CORE_NOT_STUCK);
    cp0_write(core, CP0_STATUS, KUC); /* user mode may not go there, but the handler may */
    core_raise_address(core, EXC_ADEL, GENERAL_VECTOR, false);
    exception_enter(core, GENERAL_VECTOR, false);
    assert_int_equal(core_find_stuck(core, &by_code), CORE_NOT_STUCK);
    core_raise(core, EXC_RI);
    exception_enter(core, GENERAL_VECTOR, false);
    assert_int_equal(core_find_stuck(core, &by_code), CORE_FAULTS);
    core->s.pc += 4;
    assert_int_equal(core_find_stuck(core, &by_code), CORE_NOT_STUCK);
}

static void test_no_timer(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    assert_false(event_is_scheduled(&core->timer));
    cp0_write(core, CP0_COMPARE, 1);
    assert_false(event_is_scheduled(&core->timer));
    assert_int_equal(cp0_read(core, CP0_COUNT), 0);
}

/* The exception of the FPU is an interrupt: at the instruction if it is enabled, otherwise later. */
static void test_fpu_interrupts(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    const struct insn divide = {.rd = 2, .rt = 4, .sa = 6}, write = {.rd = 31, .rt = 9};
    const uint32_t ip7 = 1u << 15;
    core->fpu_pin = 5;
    core->s.fcr31 = 1 << 10; /* enable division by zero */
    core->s.fpr[2][0] = 0x3f800000;
    core->s.fpr[6][0] = 0x11111111;
    cp0_write(core, CP0_STATUS, STATUS_CU1 | ip7);
    assert_int_equal(fpu_div_s(core, &divide), 0);
    assert_int_equal(core->s.fpr[6][0], 0x11111111);
    assert_int_equal(core->s.cp0[CP0_CAUSE] & CAUSE_IP, ip7);
    cp0_write(core, CP0_STATUS, STATUS_CU1 | ip7 | IEC);
    assert_true(interrupt_pending(core));
    assert_int_equal(fpu_div_s(core, &divide), 1);
    exception_enter(core, 0x80001000, false);
    assert_int_equal(core->s.pc, GENERAL_VECTOR);
    assert_int_equal(core_exception_pc(core), 0x80001000);
    assert_int_equal(core_exception_code(core), EXC_INT);
    assert_int_equal(core->counts.interrupts[7], 1);
    assert_int_equal(fpu_ctc1(core, &write), 0);
    assert_int_equal(core->s.cp0[CP0_CAUSE] & CAUSE_IP, 0);
}

/* As Linux finds the size of the cache, and of its lines. */
static void test_isolated_cache(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    bool missed[3];
    cp0_write(core, CP0_STATUS, R3000_ISC);
    assert_true(core->isolated);
    assert_true(core->attention);
    assert_int_equal(isolated_cache(core), ISOLATED_DATA);
    isolated_store(core, 0, 4, 0xa5a55a5a);
    assert_int_equal(isolated_load(core, 0, 4, true), 0xa5a55a5a);
    for (uint32_t size = 512; size <= 0x100000; size *= 2)
        isolated_store(core, size, 4, 0);
    isolated_store(core, 0, 4, ALL);
    for (uint32_t size = 512; size < 65536; size *= 2)
        assert_int_equal(isolated_load(core, size, 4, true), 0);
    assert_int_equal(isolated_load(core, 65536, 4, true), ALL);
    assert_true(core->s.cp0[CP0_STATUS] & R3000_CM);
    isolated_store(core, 4, 4, 5);
    isolated_store(core, 0, 1, 0);
    for (unsigned i = 0; i < 3; i++) {
        isolated_load(core, i * 4, 4, i == 2);
        missed[i] = core->s.cp0[CP0_STATUS] & R3000_CM;
    }
    assert_true(missed[0]);
    assert_false(missed[1]);
    assert_false(missed[2]);
    cp0_write(core, CP0_STATUS, R3000_ISC | R3000_SWC);
    assert_int_equal(isolated_cache(core), ISOLATED_INSTRUCTIONS);
    cp0_write(core, CP0_STATUS, 0);
    assert_false(core->isolated);
    /* what was stored is lost */
    cp0_write(core, CP0_STATUS, R3000_ISC);
    assert_int_equal(isolated_load(core, 4, 4, false), 0);
}

/* The members that no architecture may leave out. */
static void test_architectures_are_complete(void **state)
{
    const struct architecture *architecture;
    (void)state;
    for (unsigned i = 0; (architecture = architecture_at(i)); i++) {
        const struct {
            const char *name;
            bool has;
        } members[] = {
            {"cp0", architecture->cp0},
            {"summary", architecture->summary},
            {"fir", architecture->fir},
            {"fcsr_writable", architecture->fcsr_writable},
            {"gdb", architecture->gdb && architecture->gdb->row_count > 0},
            {"calls", architecture->calls},
            {"exceptions", architecture->exceptions && architecture->exceptions[EXC_SYS].name},
            {"user_mode", architecture->user_mode.mask},
            {"interruptible", architecture->interruptible.mask},
            {"in_handler", architecture->in_handler.sets || architecture->in_handler.shifts},
            {"reset_vector", architecture->reset_vector},
            {"tlb.vpn", architecture->tlb.vpn},
            {"tlb.asid", architecture->tlb.asid},
            {"tlb.entry_shift", architecture->tlb.entry_shift},
            {"tlb.from_registers", architecture->tlb.from_registers},
            {"tlb.to_registers", architecture->tlb.to_registers},
        };
        assert_ptr_equal(architecture_named(architecture->name), architecture);
        for (unsigned member = 0; member < sizeof members / sizeof members[0]; member++)
            if (!members[member].has)
                fail_msg("architecture %s has no %s", architecture->name, members[member].name);
    }
}

#define R3000(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_architectures_are_complete),
        R3000(test_modes),
        R3000(test_exceptions_push_status),
        R3000(test_bootstrap_vectors),
        R3000(test_interrupts),
        R3000(test_entries_map_one_page),
        R3000(test_address_spaces),
        R3000(test_flat_tables_follow),
        R3000(test_refill),
        R3000(test_tlb_instructions),
        R3000(test_registers),
        R3000(test_rfe_pops_status),
        R3000(test_refill_vector),
        R3000(test_address_error),
        R3000(test_exception_lets_load_arrive),
        R3000(test_handler_that_faults),
        R3000(test_no_timer),
        R3000(test_fpu_interrupts),
        R3000(test_isolated_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
