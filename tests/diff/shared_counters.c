/*
 * Several processors increment counters in shared memory, with ll/sc and under a lock. No increment may be lost for
 * any quantum, and repeated runs, under any CPU model and in slices, must be identical.
 *
 *     shared_counters [seed [runs]]
 */
#include "tests/diff/encode.h"
#include "tests/diff/harness.h"
#include "src/base/board.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_CPUS = 4,
    COUNTER = 0,  /* with ll and sc */
    OTHER = 4,    /* also with ll and sc, in the same line */
    LOCK = 128,   /* lock of ... */
    LOCKED = 132, /* ... this counter */
    FAR = 4096,   /* with ll and sc, on another page */
    DONE = 8192,  /* one word per processor, set to 1 at the end */
    PRIVATE = 16, /* words that processors store to, between the counters: that must not break links */
    PRIVATE_WORDS = (LOCK - PRIVATE) / 4,
    LIMIT = 20000000,
};

struct program {
    uint32_t words[256];
    unsigned count;
};

static void emit(struct program *p, uint32_t word)
{
    p->words[p->count++] = word;
}

/* Emit at most MOST instructions that use neither memory nor registers in use. */
static void emit_delay(struct program *p, struct random *random, unsigned most)
{
    for (unsigned n = random_below(random, most + 1); n > 0; n--)
        emit(p, E_ADDU(8 + random_below(random, 8), 8 + random_below(random, 8), 8 + random_below(random, 8)));
}

static void emit_increment(struct program *p, struct random *random, unsigned offset)
{
    unsigned again = p->count;
    emit(p, E_LL(2, offset, 4));
    emit_delay(p, random, 4);
    emit(p, E_ADDIU(2, 2, 1));
    emit_delay(p, random, 2);
    emit(p, E_SC(2, offset, 4));
    emit(p, E_BEQ(2, 0, (int)again - (int)p->count - 1));
    emit(p, E_NOP);
}

static void emit_locked_increment(struct program *p, struct random *random)
{
    unsigned again = p->count;
    emit(p, E_LL(2, LOCK, 4));
    emit(p, E_BNE(2, 0, (int)again - (int)p->count - 1));
    emit(p, E_ADDIU(2, 0, 1));
    emit_delay(p, random, 2);
    emit(p, E_SC(2, LOCK, 4));
    emit(p, E_BEQ(2, 0, (int)again - (int)p->count - 1));
    emit(p, E_NOP);
    emit(p, E_LW(3, LOCKED, 4));
    emit_delay(p, random, 6);
    emit(p, E_ADDIU(3, 3, 1));
    emit(p, E_SW(3, LOCKED, 4));
    emit(p, E_SW(0, LOCK, 4));
}

/* $a0: address of the counters; $a1: FAR; $a2: number of iterations. */
static void make_program(struct program *p, struct random *random, unsigned cpu)
{
    p->count = 0;
    emit_delay(p, random, 8);
    unsigned loop = p->count;
    emit_delay(p, random, 5);
    emit_increment(p, random, COUNTER);
    emit(p, E_SW(9, PRIVATE + 4 * (cpu % PRIVATE_WORDS), 4));
    emit_increment(p, random, OTHER);
    emit_locked_increment(p, random);
    emit_delay(p, random, 5);
    emit_increment(p, random, FAR);
    emit(p, E_ADDIU(6, 6, -1));
    emit(p, E_BGTZ(6, (int)loop - (int)p->count - 1));
    emit(p, E_NOP);
    emit(p, E_ADDIU(2, 0, 1));
    emit(p, E_SW(2, DONE + 4 * cpu, 4));
    emit(p, E_BEQ(0, 0, -1));
    emit(p, E_NOP);
}

static uint32_t word_at(const struct machine *machine, paddr address)
{
    uint32_t word;
    memcpy(&word, physmem_host(machine->mem, address), sizeof word);
    return word;
}

struct setting {
    unsigned cpus, rounds;
    char quantum[40];
    const char *cache;
};

/* Run the programs of SEED under MODEL to their end, SLICE instructions at a time. */
static struct machine *run(const struct setting *setting, const char *model, uint64_t seed, uint64_t slice)
{
    char cpus[40], cpu_model[40];
    snprintf(cpus, sizeof cpus, "machine.cpus=%u", setting->cpus);
    snprintf(cpu_model, sizeof cpu_model, "cpu.model=%s", model);
    const char *const assignments[] = {cpus, setting->quantum, setting->cache, cpu_model, NULL};
    struct machine *machine = harness_machine(assignments);
    struct random random = random_seeded(seed);
    for (unsigned cpu = 0; cpu < setting->cpus; cpu++) {
        struct program program;
        paddr code = LAYOUT_CODE + cpu * 0x1000 + 16 * random_below(&random, 100);
        make_program(&program, &random, cpu);
        memcpy(physmem_host(machine->mem, code), program.words, program.count * sizeof program.words[0]);
        struct context context = {.start = 0x80000000u + code};
        context.gpr[4] = 0x80000000u + LAYOUT_DATA;
        context.gpr[6] = setting->rounds;
        harness_start(machine, cpu, &context);
    }
    bool done = false;
    uint64_t at = 0;
    while (!done && at < LIMIT) {
        for (uint64_t end = at + 10000; at < end;) {
            at = at + slice < end ? at + slice : end;
            machine_run(machine, &(struct machine_limits){CYCLES_NEVER, at});
        }
        done = true;
        for (unsigned cpu = 0; cpu < setting->cpus; cpu++)
            done = done && word_at(machine, LAYOUT_DATA + DONE + 4 * cpu);
    }
    return machine;
}

static bool check_counters(const struct machine *machine, const struct setting *setting, uint64_t seed)
{
    static const unsigned counters[] = {COUNTER, OTHER, LOCKED, FAR};
    bool right = true;
    for (unsigned i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        uint32_t count = word_at(machine, LAYOUT_DATA + counters[i]), expected = setting->cpus * setting->rounds;
        if (count != expected) {
            printf("FAIL seed %" PRIu64 ", %u cpus, %s: the counter at %u is %" PRIu32 " instead of %" PRIu32 "\n",
                   seed, setting->cpus, setting->quantum, counters[i], count, expected);
            right = false;
        }
    }
    return right;
}

static bool check_same(struct machine *a, struct machine *b, const struct setting *setting, uint64_t seed,
                       const char *what)
{
    char text[512];
    if (!harness_compare(a, b, true, text, sizeof text))
        return true;
    printf("FAIL seed %" PRIu64 ", %u cpus, %s: %s: %s\n", seed, setting->cpus, setting->quantum, what, text);
    return false;
}

/* Run N: every CPU model, twice and in slices, must give identical results; mxs, with other timing, must be correct and
 * repeatable. Returns the instructions of one run. */
static uint64_t check_run(const struct setting *setting, uint64_t seed, uint64_t n, bool *passed)
{
    struct machine *first = run(setting, "mipsy", seed, 10000);
    uint64_t insns = machine_insns(first), slice = n % 4 ? 1 + n % 5 : 100;
    const char *model;
    *passed &= check_counters(first, setting, seed);
    for (size_t i = 0; (model = machine_cpu_model_at(i)); i++) {
        char what[64];
        struct machine *again = run(setting, model, seed, 10000), *sliced = run(setting, model, seed, slice);
        struct machine *like = strcmp(model, "mxs") == 0 ? again : first;
        snprintf(what, sizeof what, "%s", model);
        *passed &= like == again ? check_counters(again, setting, seed) : check_same(first, again, setting, seed, what);
        snprintf(what, sizeof what, "%s in slices", model);
        *passed &= check_same(like, sliced, setting, seed, what);
        machine_free(again);
        machine_free(sliced);
    }
    machine_free(first);
    return insns;
}

int main(int argc, char **argv)
{
    static const unsigned quanta[] = {1, 2, 3, 7, 10, 50, 200, 1000, 100000};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t runs = argc > 2 ? strtoull(argv[2], NULL, 0) : 27;
    uint64_t insns = 0;
    bool passed = true;
    for (uint64_t n = 0; n < runs; n++) {
        const bool many = n % 10 == 9; /* as many as a board has */
        struct setting setting = {.cpus = many ? BOARD_MAX_CPUS : 2 + (unsigned)(n % (FEW_CPUS - 1)),
                                  .rounds = many ? 5 : 200};
        snprintf(setting.quantum, sizeof setting.quantum, "machine.quantum=%u",
                 quanta[n % (sizeof quanta / sizeof quanta[0])]);
        setting.cache = n / 3 % 2 ? "cache.model=none" : "cache.model=two-level";
        insns += check_run(&setting, seed + n, n, &passed);
    }
    printf("seed %" PRIu64 ": %" PRIu64 " runs, %" PRIu64 " instructions\n", seed, runs, insns);
    return passed ? 0 : 1;
}
