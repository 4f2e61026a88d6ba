/* Finding the guest's page tables through its refill handler: as Linux generates it for this processor
 * (arch/mips/mm/tlbex.c), and arbitrary code at the vector. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"
#include "cpu/privileged/refill_walk.h"
#include "tests/unit/core_fixture.h"

/* mfc0 k1,Context; lui k0,0x8000; srl k1,23; addu k1,k0,k1; mfc0 k0,BadVAddr; lw k1,0x3000(k1); srl k0,22; sll k0,2;
 * addu k1,k1,k0; mfc0 k0,Context; lw k1,0(k1); srl k0,1; andi k0,0xff8; addu k1,k1,k0; lw k0,0(k1); lw k1,4(k1);
 * srl k0,6; mtc0 k0,EntryLo0; srl k1,6; mtc0 k1,EntryLo1; ehb; tlbwr; eret */
static const uint32_t handler[] = {0x401b2000, 0x3c1a8000, 0x001bddc2, 0x035bd821, 0x401a4000, 0x8f7b3000,
                                   0x001ad582, 0x001ad080, 0x037ad821, 0x401a2000, 0x8f7b0000, 0x001ad042,
                                   0x335a0ff8, 0x037ad821, 0x8f7a0000, 0x8f7b0004, 0x001ad182, 0x409a1000,
                                   0x001bd982, 0x409b1800, 0x000000c0, 0x42000006, 0x42000018};
enum { VECTOR = 0x1000, CURRENT = 0x3000, DIRECTORY = 0x4000, TABLE = 0x5000, PAGE = 0x6000 };

static void put(struct core *core, paddr address, uint32_t word)
{
    memcpy(physmem_host(core->mem, address), &word, sizeof word);
}

static void put_handler(struct core *core, vaddr offset)
{
    memcpy(physmem_host(core->mem, VECTOR + offset), handler, sizeof handler);
}

/* Map 0x00402000 to PAGE; the next page is not present. */
static struct core *make(struct core *core)
{
    core->s.cp0[CP0_EBASE] = 0x80000000 | VECTOR;
    core->s.cp0[CP0_STATUS] &= ~(uint32_t)STATUS_BEV;
    core->s.cp0[CP0_CONTEXT] = 0;
    put_handler(core, 0);
    put(core, CURRENT, 0x80000000 | DIRECTORY);
    put(core, DIRECTORY + 4 * (0x00402000 >> 22), 0x80000000 | TABLE);
    put(core, TABLE + 4 * 2, PAGE | 0x6c7);
    put(core, TABLE + 4 * 3, 0x7000 | 0x6c6);
    return core;
}

static void finds_what_the_handler_would(void **state)
{
    struct core *core = make(((struct fixture *)*state)->core);
    paddr pa = 0;
    assert_true(refill_walk_translate(core, 0x00402abc, &pa));
    assert_int_equal(pa, PAGE + 0xabc);
    assert_false(refill_walk_translate(core, 0x00403000, &pa)); /* not present */
    assert_false(refill_walk_translate(core, 0x00404000, &pa)); /* no entry */
    assert_false(refill_walk_translate(core, 0x80000000, &pa)); /* not mapped */
    core->s.cp0[CP0_STATUS] |= STATUS_BEV;
    assert_false(refill_walk_translate(core, 0x00402abc, &pa)); /* with BEV set the kernel has not set up its vectors */
}

/* The handler for the R3000, of one page a entry: mfc0 k0,BadVAddr; lui k1,0x8000; lw k1,0x3000(k1); srl k0,22; sll
 * k0,2; addu k1,k1,k0; mfc0 k0,Context; lw k1,0(k1); andi k0,0xffc; addu k1,k1,k0; lw k0,0(k1); nop; mtc0 k0,EntryLo;
 * mfc0 k1,EPC; tlbwr; jr k1; rfe */
static void finds_single_pages(void **state)
{
    static const uint32_t single[] = {0x401a4000, 0x3c1b8000, 0x8f7b3000, 0x001ad582, 0x001ad080, 0x037ad821,
                                      0x401a2000, 0x8f7b0000, 0x335a0ffc, 0x037ad821, 0x8f7a0000, 0x00000000,
                                      0x409a1000, 0x401b7000, 0x42000006, 0x03600008, 0x42000010};
    struct core *core = ((struct fixture *)*state)->core;
    paddr pa = 0;
    cp0_write(core, CP0_STATUS, 0);
    memcpy(physmem_host(core->mem, 0), single, sizeof single);
    put(core, CURRENT, 0x80000000 | DIRECTORY);
    put(core, DIRECTORY + 4 * (0x00402000 >> 22), 0x80000000 | TABLE);
    put(core, TABLE + 4 * 2, PAGE | 0x601);
    put(core, TABLE + 4 * 3, 0x7000 | 0x600);
    assert_true(refill_walk_translate(core, 0x00402abc, &pa));
    assert_int_equal(pa, PAGE + 0xabc);
    assert_false(refill_walk_translate(core, 0x00403000, &pa)); /* not present */
    put(core, TABLE + 4 * 3, 0x7000 | 0x601);
    assert_true(refill_walk_translate(core, 0x00403abc, &pa));
    assert_int_equal(pa, 0x7abc);
}

static int setup_r3000(void **state)
{
    *state = fixture_create_of(&r3000, 64);
    return 0;
}

/* Branches, with their delay slots, as in a handler that knows large pages. */
static void follows_branches(void **state)
{
    struct core *core = make(((struct fixture *)*state)->core);
    static const uint32_t begin[] = {
        0x10000003, /* b 4f */
        0x341b0001, /* ori k1, zero, 1: its delay slot */
        0x0000000d, /* break */
        0x0000000d, /* break */
        0x57600003, /* 4: bnel k1, zero, 8f */
        0x277bffff, /* addiu k1, k1, -1: its delay slot */
        0x0000000d, /* break */
        0x0000000d, /* break */
        0x5760ffff, /* 8: bnel k1, zero, not taken */
        0x0000000d, /* break: annulled */
    };
    paddr pa = 0;
    for (unsigned i = 0; i < sizeof begin / sizeof begin[0]; i++)
        put(core, VECTOR + 4 * i, begin[i]);
    put_handler(core, sizeof begin);
    assert_true(refill_walk_translate(core, 0x00402abc, &pa));
    assert_int_equal(pa, PAGE + 0xabc);
    put(core, VECTOR + 4, 0x10000000); /* a branch in a delay slot is UNPREDICTABLE */
    assert_false(refill_walk_translate(core, 0x00402abc, &pa));
    put(core, VECTOR, 0x1000ffff); /* a loop ends */
    put(core, VECTOR + 4, 0);
    assert_false(refill_walk_translate(core, 0x00402abc, &pa));
}

/* Untrusted: arbitrary words at the vector and in the tables. */
static void takes_anything_for_a_handler(void **state)
{
    struct core *core = make(((struct fixture *)*state)->core);
    uint32_t random = 1;
    for (unsigned round = 0; round < 20000; round++) {
        paddr pa;
        random = random * 1664525 + 1013904223;
        put(core, VECTOR + 4 * (random >> 27), random * 2654435761u);
        put(core, CURRENT + 4 * (random >> 20 & 0xff), random ^ random >> 7);
        refill_walk_translate(core, random, &pa);
        if (round % 16 == 15)
            put_handler(core, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_what_the_handler_would), TEST(follows_branches),
        cmocka_unit_test_setup_teardown(finds_single_pages, setup_r3000, fixture_teardown),
        TEST(takes_anything_for_a_handler)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
