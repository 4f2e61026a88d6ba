/* Misses and cycles of short loops, counted by hand: the same in all in-order models, interpreted and translated,
 * classified and traced. */
#include "tests/unit/test.h"

#include "cache/memsys.h"
#include "cache/observe/observe.h"
#include "tests/unit/machine_program.h"

#define JUMP(pc)                       (0x08000000u | ((pc) >> 2 & 0x3ffffff))
#define JALR(rs)                       (0x0000f809u | (unsigned)(rs) << 21)
#define RETURN                         0x03e00008u /* jr $31 */
#define TLBWI                          0x42000002u
#define CACHE_INDEX_DATA(offset, base) /* index write back invalidate */                                               \
    (0xbc000000u | (unsigned)(base) << 21 | 1u << 16 | ((offset)&0xffff))
#define ENTRYLO(pfn) ((pfn) << 6 | 3 << 3 | 7) /* cached, writable, valid, global */

/* Ways to run and to look at a program. */
static const struct {
    const char *model, *after, *classify;
    bool traced;
} ways[] = {
    {"cpu.model=mipsy", "mipsy.translate_after=0", "cache.classify=off", false},
    {"cpu.model=mipsy", "mipsy.translate_after=1", "cache.classify=off", false},
    {"cpu.model=mipsy", "mipsy.translate_after=1000000000", "cache.classify=off", false},
    {"cpu.model=embra", "mipsy.translate_after=0", "cache.classify=off", false},
    {"cpu.model=mipsy", "mipsy.translate_after=0", "cache.classify=full", false},
    {"cpu.model=embra", "mipsy.translate_after=1", "cache.classify=full", false},
    {"cpu.model=mipsy", "mipsy.translate_after=1", "cache.classify=replacement", true},
    {"cpu.model=embra", "mipsy.translate_after=0", "cache.classify=off", true},
    {"cpu.model=mipsy", "mipsy.translate_after=0", "cache.classify=off", true},
};
enum { WAYS = sizeof ways / sizeof ways[0], WARM = 40, ITERATIONS = 1000, SETTINGS = 6 };

static void refer(void *opaque, struct reference *reference, uint8_t *permission)
{
    (void)opaque;
    (void)reference;
    if (permission)
        *permission = 0;
}

struct counts {
    uint64_t cycles, insn_misses, read_misses;
};

static struct counts counts_of(struct machine *machine)
{
    struct core *core = machine->cores[0];
    core_sync(core);
    return (struct counts){core->s.cycle, core->bucket->miss[MISS_L1I], core->bucket->miss[MISS_L1D_READ]};
}

/* Run the loop of WORDS, LENGTH of whose instructions are executed in each iteration after BEFORE that come first; on
 * the machine of SETTINGS. Compare what ITERATIONS take with PER_ITERATION, in every way. */
static void check_loop(const char *const *settings, const uint32_t *words, size_t count, unsigned before,
                       unsigned length, struct counts per_iteration)
{
    for (unsigned way = 0; way < WAYS; way++) {
        const char *assignments[SETTINGS + 3] = {ways[way].model, ways[way].after, ways[way].classify};
        unsigned given = 3;
        for (unsigned i = 0; settings[i]; i++)
            assignments[given++] = settings[i];
        struct machine *machine = machine_of(assignments, given, NULL, NULL);
        start_program(machine, 0, words, count);
        struct observer *observer = ways[way].traced ? observe_begin(machine->memsys, 1, refer, NULL) : NULL;
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, before + WARM * length});
        const struct counts first = counts_of(machine);
        machine_run(machine, &(struct machine_limits){CYCLES_NEVER, before + (WARM + ITERATIONS) * length});
        const struct counts last = counts_of(machine);
        observe_end(observer);
        if (last.cycles - first.cycles != ITERATIONS * per_iteration.cycles ||
            last.insn_misses - first.insn_misses != ITERATIONS * per_iteration.insn_misses ||
            last.read_misses - first.read_misses != ITERATIONS * per_iteration.read_misses)
            fail_msg("%s %s %s%s: %llu cycles, %llu instruction misses, %llu read misses in %d iterations",
                     ways[way].model, ways[way].after, ways[way].classify, ways[way].traced ? " traced" : "",
                     (unsigned long long)(last.cycles - first.cycles),
                     (unsigned long long)(last.insn_misses - first.insn_misses),
                     (unsigned long long)(last.read_misses - first.read_misses), ITERATIONS);
        machine_free(machine);
    }
}

/* A unified first level of two ways. One line of code (I) and two of data (A, B) share a set, used in the order I A I
 * B: A and B miss every time, I never. 9 instructions and 2 stalls of 10 cycles. */
static void unified_code_is_used_between_two_lines_of_data(void **state)
{
    (void)state;
    static const char *const settings[] = {"cache.l1.split=off", NULL};
    enum { LOOP = 4, BACK = LOOP + 3, AWAY = 20, COUNT = 22 };
    const uint32_t words[COUNT] = {[0] = LUI(10, 0x8024),
                                   [1] = ORI(11, 10, 0x2010), /* B: a way, and the loop's offset, further */
                                   [2] = ADDIU(10, 10, 0x10), /* A */
                                   [LOOP] = LW(8, 0, 10),
                                   [LOOP + 1] = JUMP(PROGRAM_PC + 4 * AWAY),
                                   [BACK] = LW(9, 0, 11),
                                   [BACK + 1] = ADDIU(4, 4, 1),
                                   [BACK + 2] = BRANCH_BACK(BACK + 2 - LOOP),
                                   [AWAY] = JUMP(PROGRAM_PC + 4 * BACK)};
    check_loop(settings, words, COUNT, LOOP, 9, (struct counts){29, 0, 2});
}

/* First levels of 64 lines, two ways, of 4 bytes. 32 sets: of the 80 instructions of the loop, 48 are three to a set
 * and miss every time; of the four words that it loads, three are in one set and miss. With lines of 16 bytes the
 * instructions of the loop take 20 lines in 8 sets, of which four have three, 12 misses; and the words take three lines
 * of one set, of which one is used twice in a row: three misses. A miss takes 10 cycles. */
static void lines_of_one_instruction(void **state)
{
    (void)state;
    enum { BEFORE = 4, LENGTH = 80, COUNT = BEFORE + LENGTH };
    uint32_t words[COUNT] = {
        LUI(10, 0x8024), NOP,           NOP, NOP, LW(8, 0, 10), LW(11, 4, 10), ADDIU(4, 4, 1), LW(9, 128, 10),
        ADDIU(5, 5, 1),  LW(8, 256, 10)};
    for (unsigned i = 10; i < COUNT; i++)
        words[i] = ADDIU(2 + i % 6, 2 + i % 5, 1);
    words[COUNT - 2] = BRANCH_BACK(LENGTH - 2);
    words[COUNT - 1] = NOP;
    for (unsigned i = 0; i < 8; i++) {
        const char *const settings[SETTINGS + 1] = {
            "cache.l1i.size=256", "cache.l1d.size=256", i & 1 ? "cache.l1i.line=4" : "cache.l1i.line=16",
            i & 2 ? "cache.l1d.line=4" : "cache.l1d.line=16",
            /* with little memory each line has a permission byte of its own, with much it may have none */
            i & 4 ? "machine.memory=128M" : "machine.memory=16M"};
        const unsigned insns = i & 1 ? 48 : 12;
        check_loop(settings, words, COUNT, BEFORE, LENGTH, (struct counts){LENGTH + (insns + 3) * 10, insns, 3});
    }
}

/* The address space selects the set: one routine, called from the kernel at a user address with ASID 1, with ASID 2,
 * and at its address in the kernel's segment, is in another set each time, and its line misses each time. The loop
 * around it has other lines of the same page and stays in its sets. 17 instructions and 3 stalls of 10 cycles. */
static void the_same_code_in_two_address_spaces(void **state)
{
    (void)state;
    static const char *const settings[] = {"cache.l1i.size=16K", "cache.l1i.ways=1", "cache.l1i.index=virtual",
                                           "cache.l1i.hash=space", NULL};
    enum { ENTRYLO0 = 2, ENTRYLO1 = 3, ENTRYHI = 10, STATUS = 12, LOOP = 16, ROUTINE = 40, COUNT = 42 };
    const uint32_t words[COUNT] = {[0] = MTC0(0, STATUS), /* exception levels cleared: kuseg is mapped */
                                   [1] = LUI(10, PROGRAM_BASE >> 16),
                                   [2] = ORI(8, 0, ENTRYLO(PROGRAM_BASE >> PAGE_SHIFT)),
                                   [3] = MTC0(8, ENTRYLO0),
                                   [4] = MTC0(8, ENTRYLO1),
                                   [5] = MTC0(10, ENTRYHI),
                                   [6] = TLBWI,
                                   [7] = ORI(11, 10, 2),
                                   [8] = ORI(12, 10, 4 * ROUTINE),
                                   [9] = LUI(13, PROGRAM_PC >> 16),
                                   [10] = ORI(13, 13, 4 * ROUTINE),
                                   [11] = ORI(10, 10, 1),
                                   [LOOP] = MTC0(10, ENTRYHI),
                                   [LOOP + 1] = JALR(12),
                                   [LOOP + 3] = MTC0(11, ENTRYHI),
                                   [LOOP + 4] = JALR(12),
                                   [LOOP + 6] = JALR(13),
                                   [LOOP + 8] = ADDIU(4, 4, 1),
                                   [LOOP + 9] = BRANCH_BACK(9),
                                   [ROUTINE] = RETURN};
    check_loop(settings, words, COUNT, LOOP, 17, (struct counts){47, 3, 0});
}

/* A CACHE index operation empties the set of the load that has the same address, whatever selects the sets: the load
 * misses every time. 5 instructions and a stall of 10 cycles. */
static void an_index_operation_and_a_load(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {{"cache.l1d.size=16K", "cache.l1d.ways=2"},
                                            {"cache.l1d.size=12K", "cache.l1d.ways=3"},
                                            {"cache.l1d.size=24K", "cache.l1d.ways=3"},
                                            {"cache.l1d.size=24096", "cache.l1d.ways=3"},
                                            {"cache.l1d.size=23232", "cache.l1d.ways=4"}};
    static const char *const sets[][2] = {
        {"cache.l1d.index=physical", "cache.l1d.hash=none"}, {"cache.l1d.index=physical", "cache.l1d.hash=xor"},
        {"cache.l1d.index=virtual", "cache.l1d.hash=none"},  {"cache.l1d.index=virtual", "cache.l1d.hash=xor"},
        {"cache.l1d.index=virtual", "cache.l1d.hash=space"},
    };
    enum {
        ENTRYLO0 = 2,
        ENTRYLO1 = 3,
        ENTRYHI = 10,
        STATUS = 12,
        LOOP = 8,
        COUNT = LOOP + 5,
        SHAPES = sizeof shapes / sizeof shapes[0],
        SETS = sizeof sets / sizeof sets[0]
    };
    for (unsigned i = 0; i < SHAPES * SETS * 2; i++) {
        const bool in_kuseg = i % 2;
        const unsigned shape = i / 2 % SHAPES, set = i / 2 / SHAPES;
        if ((in_kuseg && set < 2) || (set == 4 && shape == 1))
            continue; /* the operation takes no translation; a way of a page has no use for address spaces */
        const uint32_t words[COUNT] = {[0] = LUI(10, in_kuseg ? 0x0125 : 0x8125),
                                       [1] = ORI(10, 10, 5), /* the address of the data, and address space 5 */
                                       [2] = in_kuseg ? ORI(8, 0, ENTRYLO(0x124)) : NOP,
                                       [3] = in_kuseg ? MTC0(8, ENTRYLO0) : NOP,
                                       [4] = in_kuseg ? MTC0(8, ENTRYLO1) : NOP,
                                       [5] = in_kuseg ? MTC0(10, ENTRYHI) : NOP,
                                       [6] = in_kuseg ? TLBWI : NOP,
                                       [7] = MTC0(0, STATUS), /* not ERL, which leaves kuseg untranslated */
                                       [LOOP] = LW(8, 0x67b, 10),
                                       [LOOP + 1] = CACHE_INDEX_DATA(0x67b, 10),
                                       [LOOP + 2] = ADDIU(4, 4, 1),
                                       [LOOP + 3] = BRANCH_BACK(3)};
        const char *const settings[SETTINGS + 1] = {shapes[shape][0], shapes[shape][1], sets[set][0], sets[set][1]};
        check_loop(settings, words, COUNT, LOOP, 5, (struct counts){15, 0, 1});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unified_code_is_used_between_two_lines_of_data),
        cmocka_unit_test(lines_of_one_instruction),
        cmocka_unit_test(the_same_code_in_two_address_spaces),
        cmocka_unit_test(an_index_operation_and_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
