/* Dpref: where the lines of loads can be prefetched (cpu/observe/code_prefetch.h). */
#include <string.h>
#include "tests/unit/test.h"
#include "cpu/observe/code_prefetch.h"

enum { FIRST = 0x80100000, LINE = 32, WORDS = 100, A0 = 4, A1 = 5, T0 = 8, SP = 29 };
enum { NOP = 0, ADDU_T0_A0_A1 = 0x00854021, MOVE_T0_A1 = 0x00a04025, JR_RA = 0x03e00008 };

static uint32_t word[WORDS];
static int64_t count[WORDS];
static struct execution_edge edges[4];
static const size_t routine[] = {0};

static uint32_t lw(unsigned base, int offset)
{
    return 0x8c000000 | base << 21 | 9 << 16 | ((uint32_t)offset & 0xffff); /* lw $t1, offset(base) */
}

static uint32_t addiu(unsigned to, unsigned from, int amount)
{
    return 0x24000000 | from << 21 | to << 16 | ((uint32_t)amount & 0xffff);
}

static uint64_t key(size_t index)
{
    return FIRST + 4 * (uint64_t)index;
}

/* LIST of SIZE words, with EDGE_COUNT of `edges`. The first executed ENTERED times, the others 100 times. The place for
 * the load at LOAD. */
static int64_t entered = 100;
static struct prefetch_place find(const uint32_t *list, size_t size, size_t edge_count, size_t load)
{
    struct isa_decoder *decoder = isa_decoder_create(LEVEL_32R2);
    struct code_blocks blocks;
    memcpy(word, list, size * sizeof *word);
    for (size_t i = 0; i < size; i++)
        count[i] = i == 0 ? entered : 100;
    const struct profiled_range range = {.first = (vaddr)FIRST, .key = FIRST, .words = size};
    const struct profiled_code code = {.decoder = decoder,
                                       .range = &range,
                                       .ranges = 1,
                                       .words = size,
                                       .word = word,
                                       .count = count,
                                       .routine = routine,
                                       .routines = 1,
                                       .edge = edges,
                                       .edges = edge_count};
    code_blocks_find(&blocks, &code);
    const struct prefetch_place place = code_prefetch_place(&blocks, load, LINE);
    code_blocks_release(&blocks);
    isa_decoder_free(decoder);
    return place;
}
#define FIND(load, edge_count, ...)                                                                                    \
    find((const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / 4, edge_count, load)

static void check(const struct prefetch_place *place, size_t at, unsigned base, int offset, unsigned insns)
{
    assert_int_equal(place->how, PREFETCH_EARLIER);
    assert_int_equal(place->at, at);
    assert_int_equal(place->base, base);
    assert_int_equal((int32_t)place->offset, offset);
    assert_int_equal(place->insns, insns);
}

static void test_where_the_base_is_made(void **state)
{
    (void)state;
    struct prefetch_place place = FIND(4, 0, NOP, ADDU_T0_A0_A1, NOP, NOP, lw(T0, 8), JR_RA, NOP);
    check(&place, 2, T0, 8, 2);
    place = FIND(2, 0, NOP, ADDU_T0_A0_A1, lw(T0, 8), JR_RA, NOP);
    check(&place, 2, T0, 8, 0);
}

static void test_sums_and_copies(void **state)
{
    (void)state;
    struct prefetch_place place = FIND(4, 0, NOP, MOVE_T0_A1, NOP, addiu(T0, T0, -16), lw(T0, 4), JR_RA, NOP);
    check(&place, 0, A1, -12, 4);
    place = FIND(3, 0, NOP, 0x3c088012 /* lui $t0, 0x8012 */, NOP, lw(T0, -4), JR_RA, NOP);
    check(&place, 0, 0, (int32_t)0x8011fffc, 3);
}

static void test_not_a_load(void **state)
{
    (void)state;
    const struct prefetch_place place = FIND(0, 0, addiu(T0, T0, 4), JR_RA, NOP);
    assert_int_equal(place.how, PREFETCH_NOWHERE);
}

/* lw; nop; bne back to it; addiu of the base in the delay slot: 100 executions, of which 99 branch. */
static struct prefetch_place loop(uint32_t first, uint32_t slot)
{
    edges[0] = (struct execution_edge){key(3), key(1), 99, false};
    entered = 1;
    const struct prefetch_place place = FIND(1, 1, NOP, first, NOP, 0x1485fffd, slot, JR_RA, NOP);
    entered = 100;
    return place;
}

static void test_stride(void **state)
{
    (void)state;
    struct prefetch_place place = loop(lw(A0, 4), addiu(A0, A0, 8));
    assert_int_equal(place.how, PREFETCH_STRIDE);
    assert_int_equal(place.at, 1);
    assert_int_equal(place.base, A0);
    assert_int_equal(place.stride, 8);
    assert_int_equal(place.ahead, 8); /* iterations of 4 instructions for 32 */
    assert_int_equal((int32_t)place.offset, 4 + 64);
    place = loop(lw(A0, 4), addiu(A0, A0, -2));
    assert_int_equal(place.ahead, 16); /* a line */
    assert_int_equal((int32_t)place.offset, 4 - 32);
}

/* lw $a0, 0($a0): behind itself, in the iteration before */
static void test_list(void **state)
{
    (void)state;
    const struct prefetch_place place = loop(0x8c840000, NOP);
    check(&place, 2, A0, 0, 3);
}

/* The same address in each iteration: no earlier than in the iteration before. */
static void test_no_stride(void **state)
{
    (void)state;
    const struct prefetch_place place = loop(lw(A0, 4), NOP);
    check(&place, 1, A0, 4, 4);
}

/* A path that a third of the executions take is not followed. */
static void test_rare_path(void **state)
{
    (void)state;
    edges[0] = (struct execution_edge){key(1), key(5), 33, false};
    struct prefetch_place place = FIND(5, 1, NOP, 0x14850003 /* bne to 5 */, NOP, JR_RA, NOP, lw(SP, 4), JR_RA, NOP);
    assert_int_equal(place.at, 5);
    edges[0].count = 99;
    place = FIND(5, 1, NOP, 0x14850003, NOP, JR_RA, NOP, lw(SP, 4), JR_RA, NOP);
    assert_int_equal(place.at, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_the_base_is_made),
        cmocka_unit_test(test_sums_and_copies),
        cmocka_unit_test(test_not_a_load),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_no_stride),
        cmocka_unit_test(test_rare_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
