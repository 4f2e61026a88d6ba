/*
 * Random code in all modes on random state: the simulator does not crash, the accounts are complete, and the caches
 * keep their invariants. Most words are instructions with random fields, many of them for CP0.
 */
#include "tests/unit/machine_program.h"

#include "cache/memsys.h"
#include "cpu/privileged/r3000.h"
#include "cpu/isa/isa.h"

#include "tests/unit/test.h"
#include <stdlib.h>

enum {
    RAM_WORDS = 16 << 18,
    CODE_WORDS = 1 << 18, /* the first megabyte; the rest is data */
    SLICES = 100,
    SLICE_INSNS = 2000,
    VECTORS_END = 0x400,
};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static uint32_t random_insn(uint64_t *seed)
{
    static const enum isa_id system[] = {ISA_MTC0, ISA_MFC0,  ISA_TLBWI, ISA_TLBWR, ISA_TLBR,  ISA_TLBP,
                                         ISA_ERET, ISA_CACHE, ISA_EI,    ISA_DI,    ISA_SYNCI, ISA_LL,
                                         ISA_SC,   ISA_SWL,   ISA_SDC1,  ISA_LDC1,  ISA_SW,    ISA_SB};
    enum { SYSTEM = sizeof system / sizeof system[0], FAR_JUMP = 0x03ff0000 };
    unsigned kind = next_random(seed) % 8;
    if (kind == 0)
        return next_random(seed);
    unsigned id = kind < 3 ? system[next_random(seed) % SYSTEM] : next_random(seed) % ISA_COUNT;
    if (id == ISA_WAIT && next_random(seed) % 50)
        id = ISA_SLL;
    uint32_t word = isa_table[id].match | (next_random(seed) & ~isa_table[id].mask);
    return id == ISA_J || id == ISA_JAL ? word & ~(uint32_t)FAR_JUMP : word;
}

static void fill_memory(struct machine *machine, uint64_t *seed)
{
    /* The handler skips the instruction that raised the exception: mfc0 $k0, EPC; addiu; mtc0; eret; with load delay
     * mfc0; nop; addiu; jr; rfe. */
    static const uint32_t handler[] = {0x401a7000, 0x275a0004, 0x409a7000, 0x42000018};
    static const uint32_t old_handler[] = {0x401a7000, 0x00000000, 0x275a0004, 0x03400008, 0x42000010};
    const bool old = machine->cores[0]->has_load_delay;
    uint32_t *ram = (uint32_t *)(void *)physmem_host(machine->mem, 0);
    for (unsigned i = 0; i < RAM_WORDS; i++)
        ram[i] = i < CODE_WORDS || i >= RAM_WORDS - PAGE_SIZE ? random_insn(seed) : i;
    for (unsigned vector = 0; vector < VECTORS_END; vector += 0x80)
        memcpy((char *)ram + vector, old ? old_handler : handler, old ? sizeof old_handler : sizeof handler);
}

/* Continue elsewhere in the code, in a mode that can access it. */
static void shake(struct core *core, uint64_t *seed)
{
    struct cpu *s = &core->s;
    for (unsigned i = 0; i < 4; i++)
        s->gpr[next_random(seed) % 31 + 1] = next_random(seed) | (i & 1 ? 0x80000000u : 0);
    for (unsigned i = 0; i < 4; i++)
        s->gpr[next_random(seed) % 31 + 1] = 0x80000000u | (next_random(seed) & 0xffffff);
    s->waiting = false;
    s->in_delay_slot = false;
    s->pc = 0x80000000u + next_random(seed) % CODE_WORDS * 4;
    s->cp0[CP0_STATUS] = (next_random(seed) & (STATUS_CU0 | STATUS_FR | STATUS_IE | STATUS_IM)) | STATUS_CU1;
    if (core->has_load_delay)
        s->cp0[CP0_STATUS] = (next_random(seed) & (R3000_KU_IE | R3000_ISC | R3000_SWC | STATUS_IM)) | STATUS_CU1;
    s->cp0[CP0_EBASE] = 0x80000000u | core->number;
    core_state_changed(core);
}

static void run_random_code(uint64_t seed, const char *cpus, const char *caches, const char *tlb)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", cpus, caches, tlb);
    struct err err = {""};
    uint64_t insns = 0;
    fill_memory(machine, &seed);
    for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
        machine_power_on(machine, cpu, PROGRAM_PC);
    for (unsigned slice = 0; slice < SLICES; slice++) {
        for (unsigned cpu = 0; cpu < machine->cpus; cpu++)
            shake(machine->cores[cpu], &seed);
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, machine_insns(machine) + SLICE_INSNS});
        if (!machine_check_accounts(machine, &err) ||
            (!memsys_is_flat(machine->memsys) && !memsys_check(machine->memsys, &err)))
            fail_msg("slice %u: %s", slice, err.text);
    }
    insns = machine_insns(machine);
    assert_true(insns > SLICES * SLICE_INSNS / 2); /* instructions were executed */
    assert_true(machine->cores[0]->counts.tlb_writes > 0);
    assert_true(machine->cores[0]->counts.exceptions[EXC_ADEL] > 0);
    machine_free(machine);
}

static void test_one_cpu(void **state)
{
    (void)state;
    run_random_code(1, "machine.cpus=1", "cache.model=two-level", "cpu.tlb_entries=32");
    run_random_code(2, "machine.cpus=1", "cache.model=none", "cpu.tlb_entries=17");
    run_random_code(3, "machine.cpus=1", "cache.l1i.line=8", "cpu.tlb_entries=64");
}

static void test_several_cpus(void **state)
{
    (void)state;
    run_random_code(4, "machine.cpus=3", "cache.model=two-level", "cpu.tlb_entries=32");
    run_random_code(5, "machine.cpus=4", "cache.model=none", "cpu.tlb_entries=16");
    run_random_code(6, "machine.cpus=2", "cache.l1d.line=128", "cpu.tlb_entries=63");
}

static void test_r3000(void **state)
{
    (void)state;
    run_random_code(7, "cpu.model=mipsy", "cache.model=two-level", "cpu.architecture=r3000");
    run_random_code(8, "cpu.model=embra", "cache.model=none", "cpu.architecture=r3000");
    run_random_code(9, "cpu.model=mxs", "cache.l1d.line=8", "cpu.architecture=r3000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_cpu),
        cmocka_unit_test(test_several_cpus),
        cmocka_unit_test(test_r3000),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
