/*
 * Exact code (cpu/translate/exact.c): runs that end and begin at each instruction of a block, in translated code, have
 * the effects, the misses and the time of interpreted ones.
 */
#include <stdlib.h>
#include "tests/unit/test.h"
#include "cpu/translate/translate.h"
#include "src/machine/machine_model.h"
#include "tests/unit/machine_program.h"

enum { T0 = 8, T1, T2, T3, S7 = 23, BLOCK = 24 };

#define BNEZ(rs, insns) (0x14000000u | (unsigned)(rs) << 21 | ((unsigned)((insns)-1) & 0xffff)) /* INSNS forward */

/* Two blocks that go on for ever: a long one, begun in the middle of a line, whose loads miss and evict one another and
 * the program, and a short one that is skipped every other time. The branches are the first instructions of lines. */
static size_t write_program(uint32_t *words)
{
    size_t count = 0;
    words[count++] = LUI(T0, 0x8030);
    words[count++] = LUI(T3, 0x8040);
    const size_t start = count;
    for (unsigned i = 0; i < BLOCK; i++)
        words[count++] = i % 4 == 1   ? LW(T1, 16 * i, i % 8 == 1 ? T0 : T3)
                         : i % 4 == 3 ? SW(T2, 4 * i, T0)
                                      : ADDIU(T2, T2, i);
    words[count++] = ADDIU(S7, S7, 1);
    words[count++] = 0x32f80001; /* andi $t8, $s7, 1 */
    words[count++] = BNEZ(24, 4);
    words[count++] = LW(T1, 0x100, T3);
    words[count++] = ADDIU(T0, T0, 64);
    words[count++] = SW(T0, 0, T3);
    words[count] = BRANCH_BACK(count - start);
    words[count + 1] = ADDIU(T2, T2, 3);
    return count + 2;
}

static struct machine *start(const char *model, const char *after, const char *caches)
{
    struct machine *machine = MACHINE_OF("machine.memory=16M", "cache.l1i.size=1K", "cache.l1d.size=1K",
                                         "cache.l2.size=8K", "cache.l2.ways=1", model, after, caches);
    uint32_t words[64];
    start_program(machine, 0, words, write_program(words));
    return machine;
}

static void run_to(struct machine *machine, cycles time)
{
    assert_int_equal(machine_run(machine, &(struct machine_limits){time, UINT64_MAX}), MACHINE_STOP_TIME);
}

static void assert_same(const struct machine *a, const struct machine *b)
{
    const struct core *x = a->cores[0], *y = b->cores[0];
    assert_int_equal(x->s.cycle, y->s.cycle);
    assert_int_equal(x->s.insns, y->s.insns);
    assert_int_equal(x->s.pc, y->s.pc);
    assert_int_equal(x->s.in_delay_slot, y->s.in_delay_slot);
    assert_int_equal(x->resume.fetched_pc, y->resume.fetched_pc);
    assert_int_equal(x->resume.fetched_line, y->resume.fetched_line);
    assert_memory_equal(x->s.gpr, y->s.gpr, sizeof x->s.gpr);
    assert_memory_equal(x->mode_buckets, y->mode_buckets, sizeof x->mode_buckets); /* time, misses */
    assert_memory_equal(&x->counts, &y->counts, sizeof x->counts);
}

static const struct code_cache *cache_of(const struct machine *machine)
{
    return ((const struct translated *)machine->cores[0]->model)->cache;
}

/* In runs of every length, with no caches, and with caches whose lines the blocks share. */
static void every_end(void **state)
{
    static const char *const caches[] = {"cache.model=none",    "cache.l1i.line=16",    "cache.l1i.line=64",
                                         "cache.classify=full", "mipsy.latency.load=3", "mipsy.taken_delay=2"};
    (void)state;
    for (unsigned i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        for (cycles length = 1; length < 300; length += length < 32 ? 1 : 9) {
            struct machine *interpreted = start("cpu.model=mipsy", NO_WARM_UP, caches[i]),
                           *translated = start("cpu.model=embra", NO_WARM_UP, caches[i]);
            for (cycles time = length; time < 40 * length + 1000; time += length) {
                run_to(interpreted, time);
                run_to(translated, time);
                assert_same(interpreted, translated);
            }
            machine_free(interpreted);
            machine_free(translated);
        }
    }
}

/* Exact code is made for what runs end in, once, and only if they do so often. */
static void is_made_when_it_pays(void **state)
{
    enum { LENGTH = 13, OFTEN = 4000, WHOLE = 1000000 };
    (void)state;
    struct machine *machine = start("cpu.model=embra", "mipsy.translate_after=300", "cache.model=none");
    run_to(machine, WHOLE);
    const struct translate_figures *figures = &cache_of(machine)->figures;
    const uint64_t normal = figures->translated_insns;
    for (cycles time = WHOLE + LENGTH; time < WHOLE + 4 * LENGTH; time += LENGTH)
        run_to(machine, time);
    assert_true(figures->translated_insns - normal < BLOCK / 2);
    for (cycles time = WHOLE + 4 * LENGTH; time < WHOLE + OFTEN * LENGTH; time += LENGTH)
        run_to(machine, time);
    const uint64_t exact = figures->translated_insns - normal;
    assert_true(exact > BLOCK / 2 && exact < 2 * BLOCK);
    for (cycles time = WHOLE + OFTEN * LENGTH; time < WHOLE + 2 * OFTEN * LENGTH; time += LENGTH)
        run_to(machine, time);
    assert_true(figures->translated_insns - normal < exact + BLOCK / 2);
    machine_free(machine);
}

/* A store to the page drops it. */
static void changes_with_its_code(void **state)
{
    enum { LENGTH = 7, TIMES = 1000, CHANGED = 9 };
    (void)state;
    struct machine *machine = start("cpu.model=embra", NO_WARM_UP, "cache.model=none"),
                   *expected = start("cpu.model=mipsy", NO_WARM_UP, "cache.model=none");
    for (unsigned i = 1; i < 2 * TIMES; i++) {
        run_to(machine, i * LENGTH);
        run_to(expected, i * LENGTH);
        assert_same(expected, machine);
        if (i != TIMES)
            continue;
        struct machine *const both[] = {machine, expected};
        for (unsigned m = 0; m < 2; m++)
            assert_true(core_store_physical(both[m]->cores[0], PROGRAM_BASE + 4 * CHANGED, 4, ADDIU(T2, T2, 1000)) ==
                        0);
    }
    machine_free(machine);
    machine_free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end),
        cmocka_unit_test(is_made_when_it_pays),
        cmocka_unit_test(changes_with_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
