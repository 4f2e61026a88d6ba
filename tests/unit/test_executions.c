/* Execution counts: kinds of instructions, blocks of translated code, the profile. */
#include "cpu/observe/code_locality.h"
#include "cpu/observe/execution_profile.h"
#include "cpu/observe/executions.h"
#include "cpu/observe/perf_events.h"
#include "tests/unit/core_fixture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOP = 0,
    SSNOP = 1 << 6, /* sll $zero, $zero, 1 */
    ADDU_V0 = 0x00851021,
    ADDU_ZERO = 0x00850021,
    LW = (int)0x8c820000,
    SW = (int)0xac820000,
    LL = (int)0xc0820000,
    MULT = 0x00850018,
    MUL = 0x70851002,
    DIV = 0x0085001a,
    BNE_BACK = 0x1485fffd, /* to the third instruction before it */
    BNEL_2 = 0x54850002,
    JAL = 0x0c100100, /* 0x00400400 of the region */
    JR_RA = 0x03e00008,
    JR_V0 = 0x00400008,
    JALR = 0x0040f809,
    SYSCALL = 12,
    ADD_D = 0x46220000,
    SQRT_S = 0x46000004,
    MFC0 = 0x40026000,
    TLBWR = 0x42000006,
    SYNC = 15,
};

static void test_kinds(void **state)
{
    static const struct {
        uint32_t word;
        enum mix_kind kind;
    } rows[] = {{NOP, MIX_NOP},           {SSNOP, MIX_MARKER},       {ADDU_V0, MIX_ALU},        {ADDU_ZERO, MIX_MARKER},
                {(uint32_t)LW, MIX_LOAD}, {(uint32_t)SW, MIX_STORE}, {(uint32_t)LL, MIX_LL},    {MULT, MIX_MULTIPLY},
                {MUL, MIX_MULTIPLY},      {DIV, MIX_DIVIDE},         {BNE_BACK, MIX_NOT_TAKEN}, {JAL, MIX_CALL},
                {JR_RA, MIX_RETURN},      {JR_V0, MIX_INDIRECT},     {JALR, MIX_CALL},          {SYSCALL, MIX_TRAP},
                {ADD_D, MIX_FP_ADD},      {SQRT_S, MIX_FP_SQRT},     {MFC0, MIX_CP0},           {TLBWR, MIX_TLB},
                {SYNC, MIX_CACHE}};
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_32R2);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct insn insn;
        const enum isa_id id = isa_decode(decoder, rows[i].word, &insn);
        if (mix_kind_of(id, &insn) != rows[i].kind)
            fail_msg("0x%08x is of kind %s, not %s", rows[i].word, mix_names[mix_kind_of(id, &insn)],
                     mix_names[rows[i].kind]);
    }
    isa_decoder_free(decoder);
}

/* Counters as translated code leaves them. */
static void count(struct core *core, uint32_t number, uint64_t times)
{
    if (core_counters(core)[number] == EXECUTED_UNUSED)
        core_listed(core)[core->listed_count++] = number;
    core_counters(core)[number] += times;
}

static uint64_t kernel_mix(const struct core *core, enum mix_kind kind)
{
    return core->executions->mix[MODE_KERNEL][kind];
}

static void test_blocks(void **state)
{
    static const uint32_t loop[] = {ADDU_V0, (uint32_t)LW, (uint32_t)SW, BNE_BACK, NOP};
    static const uint32_t likely[] = {BNEL_2, MULT};
    struct fixture *f = *state;
    struct core *core = f->core;
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_32R2);
    struct executed_block blocks[2];
    executions_start(core, NULL);
    executed_block_init(&blocks[0], decoder, 0x80001000, false, loop, 5, true);
    assert_int_equal(blocks[0].end, BLOCK_BRANCH);
    assert_int_equal(blocks[0].target, 0x80001000 + 4);
    executed_block_init(&blocks[1], decoder, 0x80002000, false, likely, 2, true);
    assert_int_equal(blocks[1].end, BLOCK_LIKELY);
    executions_new_block(core, blocks, 0);
    executions_new_block(core, blocks, 1);
    count(core, 0, 10);
    count(core, 1, 7);
    count(core, 2, 4); /* of four executions one is not taken */
    count(core, 3, 1);
    executions_flush(core);
    assert_int_equal(kernel_mix(core, MIX_ALU), 10);
    assert_int_equal(kernel_mix(core, MIX_LOAD), 10);
    assert_int_equal(kernel_mix(core, MIX_NOP), 10);
    assert_int_equal(kernel_mix(core, MIX_TAKEN), 7 + 3);
    assert_int_equal(kernel_mix(core, MIX_NOT_TAKEN), 3 + 1);
    assert_int_equal(kernel_mix(core, MIX_MULTIPLY), 3); /* the delay slot of the one not taken is annulled */
    executions_flush(core);
    assert_int_equal(kernel_mix(core, MIX_ALU), 10);
    isa_decoder_free(decoder);
}

static void test_profile(void **state)
{
    struct execution_profile *profile = execution_profile_create();
    size_t count;
    (void)state;
    assert_null(execution_profile_blocks(profile, &count));
    const size_t a = execution_profile_block(profile, 0x80001000, MODE_KERNEL, 4),
                 b = execution_profile_block(profile, 0x80001000, MODE_IDLE, 4);
    assert_int_not_equal(a, b);
    assert_int_equal(execution_profile_block(profile, 0x80001000, MODE_KERNEL, 4), a);
    execution_profile_add_block(profile, a, 5);
    execution_profile_add_block(profile, b, 3);
    execution_profile_add_block(profile, b, -3);
    struct execution_block *blocks = execution_profile_blocks(profile, &count);
    assert_int_equal(count, 1);
    assert_int_equal(blocks[0].count, 5);
    free(blocks);
    execution_profile_add_edge(profile, execution_profile_edge(profile, 8, 16, true), 2);
    execution_profile_add_edge(profile, execution_profile_edge(profile, 8, 16, false), 1);
    execution_profile_add_edge(profile, execution_profile_edge(profile, 4, 16, true), 1);
    struct execution_edge *edges = execution_profile_edges(profile, &count);
    assert_int_equal(count, 3);
    assert_int_equal(edges[0].from, 4);
    assert_true(edges[2].is_call);
    assert_int_equal(edges[2].count, 2);
    free(edges);
    execution_profile_free(profile);
}

/* The page of the performance counters has every event. */
static void test_events_documented(void **state)
{
    static char page[32768];
    FILE *file = fopen("docs/reference/performance-counters.md", "r");
    (void)state;
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    for (unsigned i = 0; i < PERF_EVENTS; i++) {
        const struct perf_event_row *row = &perf_event_rows[i];
        char line[256];
        snprintf(line, sizeof line, "| %u | %s | %s |", row->number,
                 row->counters == 3   ? "both"
                 : row->counters == 1 ? "0"
                                      : "1",
                 row->text);
        if (!strstr(page, line))
            fail_msg("docs/reference/performance-counters.md has no line \"%s\"", line);
        for (unsigned counter = 0; counter < 2; counter++)
            if (row->counters >> counter & 1)
                assert_int_equal(perf_event_of(counter, row->number), i);
    }
    assert_int_equal(perf_event_of(0, 12), PERF_NONE);
}

/* Xia and Torrellas 1999, section 3.2.1. */
static void test_locality(void **state)
{
    enum { FIRST = (int)0x80100000, WORDS = 17, BACK = 0x1485fffe, FORWARD = 0x14850003, B = 0x1000fffc };
    static const uint32_t word[WORDS] = {/* 0: called ten times */ 0x0c04000c,
                                         NOP,
                                         /* 2: a loop of five iterations */ ADDU_V0,
                                         BACK,
                                         NOP,
                                         /* 5: rarely to 9 */ FORWARD,
                                         NOP,
                                         JR_RA,
                                         NOP,
                                         /* 9: goes back to 7, which is no loop */ ADDU_V0,
                                         B,
                                         NOP,
                                         /* 12 */ ADDU_V0,
                                         JR_RA,
                                         NOP,
                                         /* 15: never executes; calls 12 */ 0x0c04000c,
                                         NOP};
    static const int64_t count[WORDS] = {10, 10, 50, 50, 50, 10, 10, 10, 10, 1, 1, 1, 10, 10, 10, 0, 0};
    static const size_t routine[] = {0, 12, 15};
    const uint64_t at = (vaddr)FIRST;
    const struct execution_edge edge[] = {{at, at + 48, 10, true},
                                          {at + 12, at + 8, 40, false},
                                          {at + 20, at + 36, 1, false},
                                          {at + 40, at + 28, 1, false}};
    const struct execution_edge calls[] = {{at, at + 48, 1, true}, {at + 60, at + 48, 0, true}};
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_32R2);
    (void)state;
    const struct profiled_range range = {.first = (vaddr)FIRST, .key = at, .words = WORDS};
    struct profiled_code code = {.decoder = decoder,
                                 .range = &range,
                                 .ranges = 1,
                                 .words = WORDS,
                                 .word = word,
                                 .count = count,
                                 .routine = routine,
                                 .routines = 3,
                                 .edge = edge,
                                 .edges = 4};
    struct code_locality is = code_locality_of(&code);
    assert_int_equal(is.insns, WORDS);
    assert_int_equal(is.insns_executed, 15);
    assert_int_equal(is.executed, 243);
    assert_int_equal(is.transfers, 72); /* 10 calls, 20 returns, 42 branches */
    assert_int_equal(is.routines_executed, 2);
    assert_int_equal(is.called, 1);
    assert_int_equal(is.called_from_one, 1);
    assert_int_equal(is.targets, 1);
    assert_int_equal(is.targets_of_one, 0);
    assert_int_equal(is.plain.loops, 1);
    assert_int_equal(is.plain.at_most_six, 1);
    assert_int_equal(is.plain.insns, 150);
    assert_int_equal(is.plain.invocations, 10);
    assert_int_equal(is.plain.iterations, 50);
    assert_int_equal(is.calling.loops, 0);
    assert_int_equal(is.sequences.sequences, 1); /* 0, 1, 12, 13, 14, 2, 3, 4: the loop's exit has probability 0.2 */
    assert_int_equal(is.sequences.longest, 8);
    assert_int_equal(is.sequences.visits, 3);
    assert_int_equal(is.sequences.executed, 200);
    assert_int_equal(is.sequences.executed_in_long, 0);
    /* One call is enough to be called from there; none is not. */
    code.edge = calls;
    code.edges = 2;
    is = code_locality_of(&code);
    assert_int_equal(is.called, 1);
    assert_int_equal(is.called_from_one, 1);
    isa_decoder_free(decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locality),
        cmocka_unit_test(test_kinds),
        TEST(test_blocks),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_events_documented),
    };
    return cmocka_run_group_tests_name("executions", tests, NULL, NULL);
}
