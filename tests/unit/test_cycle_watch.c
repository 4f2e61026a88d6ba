/* What a cycle watch (cpu/observe/cycle_watch.h) sees of an out-of-order CPU: each time that an instruction waits is
 * one wait, whatever graduates between. */
#include "tests/unit/test.h"

#include "cpu/observe/cycle_watch.h"
#include "cpu/observe/probe.h"
#include "tests/unit/machine_program.h"

enum { LOOP = 1, LENGTH = 4, ITERATIONS = 500 };

struct seen {
    uint64_t insns, waits, cycles; /* waits of the loop's load for memory, and the cycles of these */
    vaddr last;                    /* the instruction that waited last */
};

static void find(void *opaque, struct core *core, vaddr pc, struct cycle_place *place)
{
    (void)opaque;
    (void)core;
    *place = (struct cycle_place){.low = pc, .high = pc + 4};
}

static void spent(void *opaque, struct core *core, const struct cycle_spending *spending)
{
    struct seen *seen = opaque;
    (void)core;
    if (spending->state == PROBE_RUN) {
        seen->insns += spending->count;
        return;
    }
    assert_true(spending->count == 1 || (spending->count == 0 && spending->pc == seen->last));
    seen->last = spending->pc;
    if (spending->pc == PROGRAM_PC + 4 * LOOP && spending->state == PROBE_STALL + STALL_L2D) {
        seen->waits += spending->count;
        seen->cycles += (uint64_t)spending->cycles;
    }
}

/* The instructions of the loop graduate together: nothing but its load waits, of a line that is nowhere before. */
static void each_miss_is_a_wait(void **state)
{
    (void)state;
    const uint32_t words[] = {LUI(10, 0x8030), [LOOP] = LW(8, 0, 10), ADDIU(10, 10, 128), BRANCH_BACK(2), NOP};
    struct machine *machine = MACHINE_OF("cpu.model=mxs", "cache.l1d.outstanding=1");
    struct seen seen = {.insns = 0};
    struct cycle_watch watch = {.find = find, .spent = spent, .opaque = &seen};
    start_program(machine, 0, words, sizeof words / sizeof words[0]);
    struct core *core = machine->cores[0];
    cycle_watch_attach(core, &watch);
    machine_run(machine, &(struct machine_limits){CYCLES_NEVER, LOOP + LENGTH * ITERATIONS});
    cycle_watch_settle(core);
    assert_int_equal(seen.insns, core->s.insns);
    assert_int_equal(seen.waits, ITERATIONS);
    assert_int_equal(seen.cycles, core->bucket->stall[STALL_L2D]);
    cycle_watch_attach(core, NULL);
    machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_miss_is_a_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
