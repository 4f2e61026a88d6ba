/* The layout of code from its execution profile, by the rules of Xia and Torrellas 1999, section 4.1: small programs by
 * hand, and random ones. */
#include "cpu/observe/code_layout.h"
#include "cpu/observe/code_routines.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "tests/unit/test.h"

enum {
    FIRST = (int)0x80100000,
    WORDS = 4096,
    EDGES = 64,
    ROUTINES = 64,
    ADDU = 0x00851021,
    JR_RA = 0x03e00008,
    JR_V0 = 0x00400008,
    JALR_V0 = 0x0040f809,
};

static struct program {
    struct isa_decoder *decoder;
    uint32_t word[WORDS];
    int64_t count[WORDS];
    paddr at[WORDS];
    size_t routine[ROUTINES];
    struct execution_edge edge[EDGES];
    struct profiled_range range[8];
    struct profiled_code code;
    struct code_layout_options options;
    struct fixed_code fixed;
    size_t fixed_count;
    struct code_layout layout;
} * p;

static int set_up(void **state)
{
    (void)state;
    p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    p->decoder = isa_decoder_create(LEVEL_32R2);
    p->code = (struct profiled_code){.decoder = p->decoder,
                                     .range = p->range,
                                     .ranges = 1,
                                     .word = p->word,
                                     .count = p->count,
                                     .routine = p->routine,
                                     .edge = p->edge};
    p->options = (struct code_layout_options){.passes = {.count = 1}, .line = 16, .way = 1024, .area = 0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    code_layout_release(&p->layout);
    isa_decoder_free(p->decoder);
    free(p);
    return 0;
}

/* Programs. All return the index of the first word that they add. */

static size_t insns(unsigned number, int64_t count)
{
    const size_t first = p->code.words;
    for (unsigned i = 0; i < number; i++) {
        p->word[p->code.words] = ADDU;
        p->count[p->code.words++] = count;
    }
    return first;
}

static size_t routine(void)
{
    p->routine[p->code.routines++] = p->code.words;
    return p->code.words;
}

/* A branch or jump WORD and its delay slot. */
static size_t ends_with(uint32_t word, int64_t count)
{
    const size_t first = insns(2, count);
    p->word[first] = word;
    p->word[first + 1] = 0;
    return first;
}

static uint64_t key_of(size_t index)
{
    return (vaddr)FIRST + index * 4;
}

static void add_edge(size_t from, size_t to, int64_t count, bool is_call)
{
    p->edge[p->code.edges++] = (struct execution_edge){key_of(from), key_of(to), count, is_call};
}

/* Let the branch at FROM go to TO, which TAKEN executions did. */
static void branches(size_t from, size_t to, int64_t taken)
{
    p->word[from] = 0x14850000 | ((uint32_t)(to - from - 1) & 0xffff);
    if (taken > 0)
        add_edge(from, to, taken, false);
}

static void calls(size_t from, size_t to)
{
    p->word[from] = 0x0c000000 | ((uint32_t)key_of(to) >> 2 & 0x3ffffff);
    add_edge(from, to, p->count[from], true);
}

static void jumps(size_t from, size_t to)
{
    p->word[from] = 0x08000000 | ((uint32_t)key_of(to) >> 2 & 0x3ffffff);
}

static int by_from(const void *a, const void *b)
{
    const struct execution_edge *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static void make(void)
{
    if (p->range[0].words == 0) {
        p->range[0] = (struct profiled_range){.first = (vaddr)FIRST, .key = key_of(0), .words = p->code.words};
        for (size_t i = 0; i < p->code.words; i++)
            p->at[i] = (paddr)(0x100000 + i * 4);
    }
    qsort(p->edge, p->code.edges, sizeof *p->edge, by_from);
    code_layout_make(&p->layout, &p->code, p->at, &p->fixed, p->fixed_count, &p->options);
}

static void set_passes(const char *text)
{
    struct err err = {""};
    if (!code_passes_read(&p->options.passes, text, &err))
        fail_msg("%s", err.text);
}

/* The words of the new layout from its beginning on begin these pieces, in this order, ended by -1: of each the first
 * word is given. */
static void check_order(const int *piece)
{
    size_t place = 0;
    for (; *piece >= 0; piece++) {
        if (p->layout.order[place] != (size_t)*piece)
            fail_msg("word %zu is at place %zu, not %d", p->layout.order[place], place, *piece);
        for (place++; place < p->code.words && p->layout.order[place] == p->layout.order[place - 1] + 1 &&
                      p->layout.order[place] != (size_t)piece[1];)
            place++;
    }
}

static void check_guards(const int *guard, size_t count)
{
    assert_int_equal(p->layout.guards, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(p->layout.guard[i], guard[i]);
}

/* Every word has a place, and every place a word. */
static void check_bijection(void)
{
    for (size_t i = 0; i < p->code.words; i++) {
        assert_true(p->layout.order[i] < p->code.words);
        if (i > 0)
            assert_true(p->layout.to[p->layout.order[i]] > p->layout.to[p->layout.order[i - 1]]);
    }
    paddr *from = malloc(p->code.words * sizeof *from), *to = malloc(p->code.words * sizeof *to);
    assert_non_null(from);
    assert_non_null(to);
    memcpy(from, p->at, p->code.words * sizeof *from);
    memcpy(to, p->layout.to, p->code.words * sizeof *to);
    for (unsigned swap = 0; swap < 2; swap++) { /* sort both */
        paddr *list = swap ? to : from;
        for (size_t gap = p->code.words / 2; gap > 0; gap /= 2)
            for (size_t i = gap; i < p->code.words; i++)
                for (size_t j = i; j >= gap && list[j - gap] > list[j]; j -= gap) {
                    const paddr other = list[j];
                    list[j] = list[j - gap];
                    list[j - gap] = other;
                }
    }
    assert_memory_equal(from, to, p->code.words * sizeof *from);
    free(from);
    free(to);
}

/* Thresholds */

/* A routine with a branch that skips SKIPPED executions of 100 of what is behind it. */
struct skipping {
    size_t branch, behind, target;
};
static struct skipping skips(int64_t taken)
{
    struct skipping s;
    routine();
    s.branch = ends_with(0, 100);
    s.behind = ends_with(0, 100 - taken);
    s.target = insns(2, taken);
    jumps(s.behind, s.target + 2);
    branches(s.branch, s.target, taken);
    ends_with(JR_RA, 100);
    return s;
}

static void test_most_frequent_path(void **state)
{
    (void)state;
    const struct skipping s = skips(70);
    set_passes("0:0");
    make();
    /* along the taken branch to the end, then the other path */
    check_order((const int[]){(int)s.branch, (int)s.target, (int)s.behind, -1});
    check_guards((const int[]){(int)s.behind + 1, (int)s.target + 3}, 2);
    assert_int_equal(p->layout.sequences, 2);
    assert_int_equal(p->layout.seeds, 1);
    /* inverting the branch makes the old target what follows; the other path jumped there and still does */
    assert_int_equal(p->layout.jumps.added, 0);
    assert_int_equal(p->layout.jumps.saved, 0);
    check_bijection();
}

/* What is behind the first pass's threshold comes after another seed's path. */
static void test_branch_threshold(void **state)
{
    (void)state;
    const struct skipping a = skips(70), b = skips(60);
    set_passes("0.01:0.5 0:0");
    make();
    check_order(
        (const int[]){(int)a.branch, (int)a.target, (int)b.branch, (int)b.target, (int)a.behind, (int)b.behind, -1});
    assert_int_equal(p->layout.of_pass[0], 2);
    assert_int_equal(p->layout.of_pass[1], 2);
}

static void test_all_paths_below_threshold(void **state)
{
    (void)state;
    const struct skipping s = skips(60);
    set_passes("0:0.7 0:0");
    make();
    assert_int_equal(p->layout.of_pass[0], 1); /* the branch alone: neither 60 nor 40 % is enough */
    check_guards((const int[]){(int)s.branch + 1, (int)s.behind + 1, (int)s.target + 3}, 3);
    check_order((const int[]){(int)s.branch, (int)s.target, (int)s.behind, -1});
}

static void test_execution_threshold(void **state)
{
    (void)state;
    const struct skipping a = skips(98);
    routine();
    const size_t rare = insns(3, 5);
    ends_with(JR_RA, 5);
    set_passes("0.01:0 0:0"); /* of 100 + 2 + 98 + 100 + 5: 3.05 */
    make();
    check_order((const int[]){(int)a.branch, (int)a.target, (int)rare, (int)a.behind, -1});
    assert_int_equal(p->layout.of_pass[0], 2);
}

static void test_passes_are_read(void **state)
{
    static const char *const bad[] = {"x",       "0.5", "0.5:", "0.5:2", "-1:0", "0.5:0.5 0.6:0.5", "0.5:0.5 0.4:0.6",
                                      "0.5:0.5x"};
    struct code_passes passes;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {""};
        if (code_passes_read(&passes, bad[i], &err) || !strchr(err.text, '"'))
            fail_msg("\"%s\" is accepted", bad[i]);
    }
    struct err err = {""};
    assert_true(code_passes_read(&passes, " 0.5:0.25, 0.1:0.25 ", &err));
    assert_int_equal(passes.count, 3); /* and one that accepts everything */
    assert_true(passes.pass[2].executions == 0 && passes.pass[2].probability == 0);
    assert_true(code_passes_read(&passes, "", &err));
    assert_int_equal(passes.count, 1);
}

/* Calls */

static void test_called_routine_is_followed(void **state)
{
    (void)state;
    routine();
    const size_t call = ends_with(0, 10), behind = insns(4, 10);
    ends_with(JR_RA, 10);
    const size_t never = insns(100, 0), to = routine();
    insns(3, 10);
    ends_with(JR_RA, 10);
    calls(call, to);
    set_passes("0:0");
    make();
    check_order((const int[]){(int)call, (int)to, (int)behind, (int)never, -1});
    check_guards((const int[]){(int)behind + 5}, 1);
    /* only this call enters it: it becomes part of the caller */
    assert_int_equal(p->layout.jumps.added, 0);
    assert_int_equal(p->layout.jumps.saved, 20);
    assert_int_equal(p->layout.lines_before, 2 + 2);
    assert_int_equal(p->layout.lines_after, 4);
}

/* The second caller goes on behind its call; the first one needs a jump there. */
static void test_visited_routine_is_not(void **state)
{
    (void)state;
    routine();
    const size_t a = ends_with(0, 10);
    ends_with(JR_RA, 10);
    routine();
    const size_t b = ends_with(0, 4);
    ends_with(JR_RA, 4);
    const size_t to = routine();
    insns(3, 14);
    ends_with(JR_RA, 14);
    calls(a, to);
    calls(b, to);
    set_passes("0:0");
    make();
    check_order((const int[]){(int)a, (int)to, (int)a + 2, (int)b, -1});
    assert_int_equal(p->layout.jumps.added, 10);
    assert_int_equal(p->layout.jumps.added_places, 1);
    assert_int_equal(p->layout.jumps.saved, 0);
}

/* Through a register: the target called most often, and it is a seed. */
static void test_indirect_calls(void **state)
{
    (void)state;
    routine();
    const size_t call = ends_with(JALR_V0, 10);
    ends_with(JR_RA, 10);
    const size_t rare = routine();
    ends_with(JR_RA, 3);
    const size_t often = routine();
    ends_with(JR_RA, 7);
    add_edge(call, rare, 3, true);
    add_edge(call, often, 7, true);
    set_passes("0:0.4 0:0");
    make();
    check_order((const int[]){(int)call, (int)often, (int)call + 2, (int)rare, -1});
    assert_int_equal(p->layout.seeds, 3);
}

/* A jump through a register goes to the cases of a switch, which nothing else explains. */
static void test_switch(void **state)
{
    (void)state;
    routine();
    const size_t table = ends_with(JR_V0, 10);
    const size_t never = insns(4, 0);
    const size_t rare = ends_with(JR_RA, 2), often = ends_with(JR_RA, 8);
    set_passes("0:0");
    make();
    check_order((const int[]){(int)table, (int)often, (int)rare, (int)never, -1});
    assert_int_equal(p->layout.seeds, 1);
}

/* The area */

static void test_area(void **state)
{
    (void)state;
    static size_t hot;
    for (unsigned i = 0; i < 20; i++) { /* sequences of 580 words, of which the area keeps away */
        routine();
        insns(27, 100);
        ends_with(JR_RA, 100);
        if (i == 7) {
            hot = routine();
            insns(6, 90000);
            ends_with(JR_RA, 90000);
            insns(1, 10); /* not frequent: not in the area */
            ends_with(JR_RA, 10);
        }
        if (i == 9) {
            routine(); /* frequent, but not small */
            insns(70, 90001);
            ends_with(JR_RA, 90001);
        }
    }
    for (unsigned i = 0; i < 700; i++) {
        ends_with(JR_RA, 0);
        if (i % 8 == 0)
            insns(1, 0);
    }
    p->fixed = (struct fixed_code){0x40, 95000}; /* an exception vector, executed as often */
    p->fixed_count = 1;
    p->options.area = 320;
    set_passes("0.001:0.5 0:0");
    make();
    check_bijection();
    assert_int_equal(p->layout.area_words, 8);
    assert_int_equal(p->layout.area_routines, 1);
    assert_int_equal(p->layout.fixed_lines, 1);
    const paddr area = p->layout.to[hot];
    assert_int_equal(area % 16, 0);
    assert_true(area % 1024 != 0x40);
    unsigned elsewhere = 0;
    for (size_t i = 0; i < p->code.words; i++) {
        const paddr to = p->layout.to[i];
        const bool conflicts = to % 1024 - area % 1024 < 32 || to % 1024 - 0x40 < 16;
        if (i >= hot && i < hot + 8)
            assert_int_equal(to, area + (i - hot) * 4);
        else if (p->count[i] > 0 && conflicts)
            fail_msg("word %zu, which executed, is at 0x%x, in a set of the area at 0x%x", i, to, area);
        elsewhere += conflicts && p->count[i] == 0;
    }
    assert_true(elsewhere > 0);
    for (size_t i = 0; i + 1 < p->code.words; i++)
        if (p->word[i] == JR_RA)
            assert_int_equal(p->layout.to[i + 1], p->layout.to[i] + 4);
        else if (p->count[i] > 0 && p->count[i] == p->count[i + 1] && (i == 0 || p->word[i - 1] != JR_RA))
            assert_int_equal(p->layout.to[i + 1], p->layout.to[i] + 4); /* blocks are in one piece */
}

/* Without the area the same word stays with its sequence. */
static void test_no_area(void **state)
{
    (void)state;
    routine();
    insns(6, 90000);
    ends_with(JR_RA, 90000);
    make();
    assert_int_equal(p->layout.area_words, 0);
    assert_int_equal(p->layout.sequences, 1);
}

/* Memory in two pieces: a block goes to the one where all of it finds a place. */
static void test_blocks_stay_in_one_piece(void **state)
{
    (void)state;
    routine();
    const size_t a = insns(4, 20);
    ends_with(JR_RA, 20);
    routine();
    const size_t b = insns(4, 10);
    ends_with(JR_RA, 10);
    const size_t never = insns(6, 0);
    p->range[0] = (struct profiled_range){.first = (vaddr)FIRST, .key = key_of(0), .words = p->code.words};
    for (size_t i = 0; i < p->code.words; i++)
        p->at[i] = (paddr)(i < 10 ? 0x100000 + i * 4 : 0x200000 + (i - 10) * 4);
    set_passes("0:0");
    make();
    check_bijection();
    assert_int_equal(p->layout.to[a], 0x100000);
    assert_int_equal(p->layout.to[b], 0x200000); /* four words are left of the first piece */
    assert_int_equal(p->layout.to[never], 0x100018);
}

/* Routines without symbols */

static void prepare(void)
{
    p->range[0] = (struct profiled_range){.first = (vaddr)FIRST, .key = key_of(0), .words = p->code.words};
    qsort(p->edge, p->code.edges, sizeof *p->edge, by_from);
}

/* The routines begin at these words, ended by -1. */
static void check_routines(const int *first)
{
    size_t count, checked = 0;
    prepare();
    size_t *found = code_routines_find(&p->code, &count);
    for (; first[checked] >= 0; checked++) {
        assert_true(checked < count);
        assert_int_equal(found[checked], first[checked]);
    }
    assert_int_equal(count, checked);
    free(found);
}

static void test_routines_are_called(void **state)
{
    (void)state;
    const size_t start = ends_with(0, 10), branch = ends_with(0, 10), reads = ends_with(0x04110001 /* bal .+8 */, 10);
    const size_t linked = ends_with(0, 10), indirect = ends_with(JALR_V0, 10);
    ends_with(JR_RA, 10);
    insns(3, 0);
    const size_t called = ends_with(JR_RA, 10), target = ends_with(JR_RA, 10), other = ends_with(JR_RA, 10);
    insns(4, 0);
    const size_t never = ends_with(JR_RA, 0);
    calls(start, called);
    branches(branch, branch + 2, 5);
    p->word[linked] = 0x04110000 | (uint32_t)(target - linked - 1);
    add_edge(indirect, other, 10, true);
    add_edge(start, never, 0, true);
    (void)reads;
    check_routines((const int[]){0, (int)called, (int)target, (int)other, -1});
}

/* Control comes from nowhere in the code to the second routine; in the third one, to the cases of a switch. */
static void test_routines_are_entered(void **state)
{
    (void)state;
    insns(3, 10);
    ends_with(JR_RA, 10);
    insns(2, 0);
    const size_t entered = insns(3, 4);
    ends_with(JR_RA, 4);
    const size_t table = insns(1, 6);
    ends_with(JR_V0, 6);
    insns(1, 0);
    ends_with(JR_RA, 2);
    insns(1, 0);
    ends_with(JR_RA, 4);
    add_edge(0, table, 6, true);
    check_routines((const int[]){0, (int)entered, (int)table, -1});
}

static void test_no_routines(void **state)
{
    (void)state;
    insns(8, 0);
    check_routines((const int[]){0, -1});
}

/* Random programs */

static uint32_t seed;
static uint32_t any(uint32_t below)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 8) % below;
}

static void make_random(void)
{
    static const uint32_t kind[] = {ADDU,       ADDU,       ADDU,  0,     0x14850000, 0x50850000,
                                    0x0c040000, 0x08040000, JR_RA, JR_V0, JALR_V0,    0x42000018 /* eret */,
                                    0x04110000 /* bal */};
    const size_t words = 1 + any(WORDS - 1);
    size_t left = words;
    while (p->code.words < words) {
        const int64_t count = any(3) ? any(1000) : 0;
        for (unsigned run = any(12) + 1; run > 0 && p->code.words < words; run--) {
            if (any(40) == 0 && p->code.routines < ROUTINES)
                routine();
            p->word[p->code.words] = kind[any(sizeof kind / sizeof kind[0])];
            if (p->word[p->code.words] & 0x10000000)
                p->word[p->code.words] |= (any(64) - 32) & 0xffff;
            else if (p->word[p->code.words] & 0x0c000000)
                p->word[p->code.words] |= any((uint32_t)words);
            p->count[p->code.words++] = any(10) ? count : any(1000);
        }
    }
    while (p->code.edges < EDGES)
        add_edge(any((uint32_t)words), any((uint32_t)words), any(500), any(2));
    /* up to eight ranges, on pages in any order, each in one piece of memory or in pieces of a few words */
    p->code.ranges = 0;
    p->code.ascends = any(2);
    for (size_t done = 0; left > 0; left = words - done) {
        const size_t part = p->code.ranges == 7 ? left : 1 + any((uint32_t)left);
        p->range[p->code.ranges++] =
            (struct profiled_range){.first = (vaddr)key_of(done), .key = key_of(done), .words = part, .begin = done};
        done += part;
    }
    const paddr split = any(4) ? (paddr)any((uint32_t)words) : 0, gap = 4096 * (paddr)any(3);
    for (size_t i = 0; i < words; i++)
        p->at[i] =
            i >= split ? (paddr)(0x100000 + (i - split) * 4) : (paddr)(0x200000 + i * 4 + gap * (i / 50 % 2) * 64);
    p->options.line = 4u << any(6);
    p->options.way = p->options.line << any(8);
    p->options.area = any(p->options.way / 2 + 1);
    p->fixed = (struct fixed_code){any(4096) & ~3u, any(1000)};
    p->fixed_count = any(2);
    set_passes(any(2) ? "0.01:0.4 0.001:0.2" : "0:0");
    make();
}

/* Code of NUMBER ranges of the COUNT words WORD, which all executed once, and nothing else; one routine. */
static void make_many(size_t number, const uint32_t *word, size_t count)
{
    const size_t words = number * count;
    struct profiled_range *range = calloc(number, sizeof *range);
    uint32_t *all = calloc(words, sizeof *all);
    int64_t *counts = calloc(words, sizeof *counts);
    paddr *at = calloc(words, sizeof *at);
    assert_true(range && all && counts && at);
    for (size_t i = 0; i < words; i++) {
        if (i % count == 0)
            range[i / count] = (struct profiled_range){
                .first = (vaddr)key_of(2 * i), .key = key_of(2 * i), .words = count, .begin = i};
        all[i] = word[i % count];
        counts[i] = 1;
        at[i] = (paddr)(0x100000 + (2 * i - i % count) * 4);
    }
    routine();
    p->code.words = words;
    p->code.word = all;
    p->code.count = counts;
    p->code.range = range;
    p->code.ranges = number;
    p->code.ascends = true;
    code_layout_make(&p->layout, &p->code, at, NULL, 0, &p->options);
    free(range);
    free(all);
    free(counts);
    free(at);
}

/* Pages of a program of which every other one executed: each of their branches asks for its address and its target. */
static void many_ranges_take_no_time(void **state)
{
    static const uint32_t word[] = {ADDU, 0x14850003, 0, ADDU, ADDU, 0x1485fffb, 0, ADDU};
    const clock_t begun = clock();
    (void)state;
    make_many(40000, word, sizeof word / sizeof word[0]);
    assert_int_equal(p->layout.words, p->code.words);
    assert_in_range(clock() - begun, 0, 5 * CLOCKS_PER_SEC);
}

/* Each may go to every other one. */
static void many_jumps_through_registers_take_no_memory(void **state)
{
    static const uint32_t word[] = {JR_V0, 0};
    struct rusage before, after;
    (void)state;
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    make_many(8000, word, sizeof word / sizeof word[0]);
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_int_equal(p->layout.blocks, 8000);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, 64 << 10);
}

static void test_random(void **state)
{
    for (uint32_t round = 0; round < 400; round++) {
        if (round > 0)
            set_up(state);
        seed = round;
        make_random();
        check_bijection();
        assert_true(p->layout.lines_after > 0 || p->layout.words == 0);
        assert_true(p->layout.jumps.added >= 0 && p->layout.jumps.saved >= 0);
        struct code_layout again;
        code_layout_make(&again, &p->code, p->at, &p->fixed, p->fixed_count, &p->options);
        assert_memory_equal(again.to, p->layout.to, p->code.words * sizeof *again.to);
        code_layout_release(&again);
        size_t routines;
        size_t *first = code_routines_find(&p->code, &routines);
        assert_true(routines > 0 && first[0] == 0);
        for (size_t i = 1; i < routines; i++)
            assert_true(first[i] > first[i - 1] && first[i] < p->code.words);
        free(first);
        if (round + 1 < 400)
            tear_down(state);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_most_frequent_path),
        TEST(test_branch_threshold),
        TEST(test_all_paths_below_threshold),
        TEST(test_execution_threshold),
        TEST(test_passes_are_read),
        TEST(test_called_routine_is_followed),
        TEST(test_visited_routine_is_not),
        TEST(test_indirect_calls),
        TEST(test_switch),
        TEST(test_area),
        TEST(test_no_area),
        TEST(test_blocks_stay_in_one_piece),
        TEST(test_routines_are_called),
        TEST(test_routines_are_entered),
        TEST(test_no_routines),
        TEST(many_ranges_take_no_time),
        TEST(many_jumps_through_registers_take_no_memory),
        TEST(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
