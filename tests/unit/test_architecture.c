/*
 * The interface of guest architectures (cpu/architecture.h), with a second one beside mips32r2: a small processor with
 * the R3000's modes, exceptions, TLB and registers. Values by hand from Kane, "MIPS RISC Architecture", chapters 4
 * and 6.
 */
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/privileged/register_access.h"
#include "cpu/registers.h"
#include "tests/unit/core_fixture.h"

/* Status: current, previous and old IE and KU. */
enum { IEC = 1, KUC = 2, IEP = 4, KUP = 8, IEO = 16, KUO = 32, KU_IE = 63 };
/* EntryLo */
enum { N = 1 << 11, D = 1 << 10, V = 1 << 9, G = 1 << 8 };
enum { ASID_SHIFT = 6, INDEX_SHIFT = 8, ENTRIES = 64 };
#define REFILL_VECTOR  0x80000000u
#define GENERAL_VECTOR 0x80000080u

#define ALL 0xffffffffu
static const struct cp0_register small_cp0[CP0_COUNT_OF_REGISTERS] = {
    [CP0_INDEX] = {.name = "Index", .write_mask = 0x3f00},
    [CP0_RANDOM] = {.name = "Random", .read = cp0_read_random},
    [CP0_ENTRYLO0] = {.name = "EntryLo", .write_mask = 0xffffff00},
    [CP0_CONTEXT] = {.name = "Context", .write_mask = 0xffe00000},
    [CP0_BADVADDR] = {.name = "BadVAddr"},
    [CP0_ENTRYHI] = {.name = "EntryHi", .write_mask = 0xffffffc0, .write = cp0_write_entryhi},
    [CP0_STATUS] = {.name = "Status", .reset = STATUS_BEV, .write_mask = ALL, .write = cp0_write_status},
    [CP0_CAUSE] = {.name = "Cause", .write_mask = CAUSE_IP_SOFTWARE, .write = cp0_write_cause},
    [CP0_EPC] = {.name = "EPC"},
    /* Not for the guest: where the vectors are, the entries that tlbwr spares, the cache attribute of kseg0. */
    [CP0_EBASE] = {.reset = REFILL_VECTOR},
    [CP0_WIRED] = {.reset = 8},
    [CP0_CONFIG] = {.reset = 3},
};

static const struct exception_row small_exceptions[EXCEPTION_CODES] = {
    [EXC_INT] = {"Int", "interrupt", EXCEPTION_INTERRUPT},
    [EXC_TLBL] = {"TLBL", "tlb_load", EXCEPTION_PAGE},
    [EXC_TLBS] = {"TLBS", "tlb_store", EXCEPTION_PAGE},
    [EXC_SYS] = {"Syscall", "syscall", EXCEPTION_SYSCALL},
};

/* Unlike o32, so that the numbers must come from here. */
static const struct calling_convention small_calls = {.argument = {10, 11, 12, 13},
                                                      .result = 14,
                                                      .stack_pointer = 15,
                                                      .return_address = 16,
                                                      .thread_pointer = 17,
                                                      .syscall_number = 18};

static uint32_t push(uint32_t status)
{
    return (status & ~(uint32_t)KU_IE) | (status << 2 & KU_IE);
}

static void entry_of_registers(const uint32_t *cp0, struct tlb_entry *entry)
{
    const uint32_t hi = cp0[CP0_ENTRYHI], word = cp0[CP0_ENTRYLO0];
    const uint32_t mips32 =
        lo(word & 0xfffff000, (word & N ? LO_UNCACHED : LO_CACHED) | (word & D ? LO_D : 0) | (word & V ? LO_V : 0));
    *entry = (struct tlb_entry){
        .vpn2 = hi & 0xfffff000, .asid = hi >> ASID_SHIFT & 63, .global = word & G, .lo = {mips32, mips32}};
}

static void registers_of_entry(const struct tlb_entry *entry, uint32_t *cp0)
{
    const uint32_t word = entry->lo[0];
    cp0[CP0_ENTRYLO0] = (word >> 6 << 12) | ((word & 0x38) == LO_UNCACHED ? N : 0) | (word & LO_D ? D : 0) |
                        (word & LO_V ? V : 0) | (entry->global ? G : 0);
}

static const struct architecture small = {
    .cp0 = small_cp0,
    .fir = 0x1234,
    .fcsr_writable = 3,
    .calls = &small_calls,
    .exceptions = small_exceptions,
    .user_mode = {.mask = KUC, .value = KUC},
    .interruptible = {.mask = IEC, .value = IEC},
    .status_in_handler = push,
    .returns_to_user = KUP,
    .exception_level = 0,
    .kuseg_unmapped = 0,
    .reset_vector = 0xbfc00000,
    .refill_offset = 0,
    .general_offset = 0x80,
    .interrupt_offset = 0x80,
    .bootstrap_offset = 0x100,
    .tlb = {.vpn = 0xfffff000,
            .asid = 0xfc0,
            .asid_shift = ASID_SHIFT,
            .index_shift = INDEX_SHIFT,
            .entry_shift = 12,
            .context_shift = 10,
            .context_page = 0x001ffffc,
            .from_registers = entry_of_registers,
            .to_registers = registers_of_entry},
};

static int setup(void **state)
{
    struct fixture *f = fixture_create_of(&small, ENTRIES);
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
    core_reset(core, small.reset_vector);
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
        const uint32_t random = cp0_read(core, CP0_RANDOM);
        assert_int_equal(random & 0xff, 0);
        assert_in_range(random >> INDEX_SHIFT, 8, 63);
        assert_int_equal(sem_tlbwr(core, &(struct insn){0}), 0);
    }
}

static void test_registers(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    assert_int_equal(register_find(&small, "epc"), REGISTER_EPC);
    assert_int_equal(register_find(&small, "EBase"), -1);
    assert_int_equal(register_find(&mips32r2, "EBase"), REGISTER_SYSTEM + CP0_EBASE);
    assert_int_equal(register_read(core, REGISTER_FIR), 0x1234);
    register_write(core, REGISTER_FCSR, 0xff);
    assert_int_equal(register_read(core, REGISTER_FCSR), 3);
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

#define SMALL(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SMALL(test_modes),
        SMALL(test_exceptions_push_status),
        SMALL(test_bootstrap_vectors),
        SMALL(test_interrupts),
        SMALL(test_entries_map_one_page),
        SMALL(test_address_spaces),
        SMALL(test_flat_tables_follow),
        SMALL(test_refill),
        SMALL(test_tlb_instructions),
        SMALL(test_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
