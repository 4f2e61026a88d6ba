/*
 * The slow path: alignment, devices and bus errors, stores to code, load-linked, debugger accesses.
 */
#include "tests/unit/core_fixture.h"

static void expect_code(struct core *core, int raised, unsigned code, vaddr address)
{
    assert_int_equal(raised, 1);
    assert_int_equal(core->exception.code, code);
    if (code == EXC_ADEL || code == EXC_ADES)
        assert_int_equal(core->exception.address, address);
}

static void test_sizes(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    uint32_t value;
    assert_int_equal(core_store(core, 0x80001000, 4, 0x84838281), 0);
    assert_int_equal(core_store(core, 0x80001005, 1, 0xffffff91), 0);
    assert_int_equal(core_store(core, 0x80001006, 2, 0xffffa2a1), 0);
    assert_int_equal(core_load(core, 0x80001002, 1, &value), 0);
    assert_int_equal(value, 0x83);
    assert_int_equal(core_load(core, 0x80001002, 2, &value), 0);
    assert_int_equal(value, 0x8483);
    assert_int_equal(core_load(core, 0xa0001004, 4, &value), 0);
    assert_int_equal(value, 0xa2a19100);
    assert_int_equal(core_fetch(core, 0x80001000, &value), 0);
    assert_int_equal(value, 0x84838281);
}

static void test_alignment(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    uint32_t value;
    paddr pa;
    bool cached;
    expect_code(core, core_load(core, 0x80001001, 2, &value), EXC_ADEL, 0x80001001);
    expect_code(core, core_load(core, 0x80001002, 4, &value), EXC_ADEL, 0x80001002);
    expect_code(core, core_store(core, 0x80001003, 4, 0), EXC_ADES, 0x80001003);
    expect_code(core, core_translate_data(core, 0x80001004, 8, ACCESS_LOAD, &pa, &cached), EXC_ADEL, 0x80001004);
    expect_code(core, core_fetch(core, 0x80001002, &value), EXC_ADEL, 0x80001002);
    /* alignment is checked before translation: this address has no TLB entry */
    expect_code(core, core_load(core, 0x00001001, 2, &value), EXC_ADEL, 0x00001001);
}

static void test_device(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->cores[1];
    uint32_t value;
    core->s.cycle = 1000;
    f->models[1].ahead = 234;
    assert_int_equal(core_load(core, 0xa0000000 + FIXTURE_DEVICE + 0x24, 4, &value), 0);
    assert_int_equal(value, 0xd1d2d3d4);
    assert_int_equal(f->device_offset, 0x24);
    assert_int_equal(f->device_cpu, 1);
    assert_int_equal(f->device_time, 1234);
    assert_int_equal(core_load(core, 0xa0000000 + FIXTURE_DEVICE + 0x26, 2, &value), 0);
    assert_int_equal(value, 0xd3d4);
    assert_int_equal(core_store(core, 0xa0000000 + FIXTURE_DEVICE + 0x101, 1, 0x77), 0);
    assert_int_equal(f->device_size, 1);
    assert_int_equal(f->device_value, 0x77);
    paddr pa;
    bool cached;
    expect_code(core, core_translate_data(core, 0xa0000000 + FIXTURE_DEVICE, 8, ACCESS_STORE, &pa, &cached), EXC_DBE,
                0);
    assert_int_equal(f->device_writes, 1);
}

static void test_device_that_schedules_asks_for_attention(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->attention = false;
    assert_int_equal(core_store(core, 0xa0000000 + FIXTURE_DEVICE, 4, 1), 0);
    assert_false(core->attention);
    f->device_schedules = 5000;
    assert_int_equal(core_store(core, 0xa0000000 + FIXTURE_DEVICE, 4, 1), 0);
    assert_true(core->attention);
    assert_false(core->stop);
}

static void test_bus_errors(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    uint32_t value;
    expect_code(core, core_load(core, 0xbf000000, 4, &value), EXC_DBE, 0);
    expect_code(core, core_store(core, 0xbf000000, 4, 0), EXC_DBE, 0);
    expect_code(core, core_fetch(core, 0xbfc00000, &value), EXC_IBE, 0);
    expect_code(core, core_fetch(core, 0xa0000000 + FIXTURE_DEVICE, &value), EXC_IBE, 0); /* no code in devices */
    assert_int_equal(core_load(core, 0x80000000 + FIXTURE_RAM - 4, 4, &value), 0);
    expect_code(core, core_load(core, 0x80000000 + FIXTURE_RAM, 4, &value), EXC_DBE, 0);
}

static void test_store_into_code(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core_protect_code(core, 0x5000);
    assert_true(f->mem->page_flags[5] & PAGE_HAS_CODE);
    assert_int_equal(core_store(core, 0x80006000, 4, 1), 0); /* another page */
    assert_int_equal(f->models[0].forgotten_pages, 0);
    f->cores[2]->attention = false;
    assert_int_equal(core_store(core, 0x80005ffc, 4, 1), 0);
    for (unsigned i = 0; i < FIXTURE_CPUS; i++) {
        assert_int_equal(f->models[i].forgotten_pages, 1);
        assert_int_equal(f->models[i].last_forgotten, 0x5000);
    }
    assert_true(f->cores[2]->attention);
    assert_int_equal(core_store(core, 0x80005ffc, 4, 2), 0); /* notified once, then on the fast path again */
    assert_int_equal(f->models[0].forgotten_pages, 1);
    assert_true(core->map->store[0x80005000u >> 12] != 0);
    /* DMA over a range */
    core_protect_code(core, 0x7000);
    core_protect_code(core, 0x9000);
    core_protect_code(core, 0xa000);
    core_memory_changed(f->cores, FIXTURE_CPUS, NULL, 0x7fff, 0x2001);
    assert_int_equal(f->models[1].forgotten_pages, 3);
    assert_true(f->mem->page_flags[0xa] & PAGE_HAS_CODE);
    core_memory_changed(f->cores, FIXTURE_CPUS, NULL, 0xfffff000, 0xffffffff);
    core_memory_changed(f->cores, FIXTURE_CPUS, NULL, 0xa000, 0);
    assert_int_equal(f->models[1].forgotten_pages, 3);
}

static void link_to(struct core *core, paddr address)
{
    core->s.ll_bit = true;
    core->s.ll_address = address;
    core_watch_link(core);
}

static void test_links(void **state)
{
    struct fixture *f = *state;
    struct core *a = f->cores[0], *b = f->cores[1], *c = f->cores[2];
    assert_int_equal(core_store(b, 0x80005000, 4, 1), 0);
    assert_true(b->map->store[0x80005000u >> 12] != 0);
    link_to(a, 0x5008);
    assert_true(b->map->store[0x80005000u >> 12] == 0); /* b's fast path to the page is removed */
    assert_int_equal(core_store(b, 0x80005004, 4, 1), 0);
    assert_int_equal(core_store(b, 0x8000500c, 4, 1), 0);
    assert_true(a->s.ll_bit); /* stores to other words keep the link */
    assert_int_equal(core_store(a, 0x80005008, 4, 1), 0);
    assert_true(a->s.ll_bit); /* so does a store of its own */
    link_to(c, 0x5010);
    assert_int_equal(core_store(b, 0x8000500b, 1, 1), 0);
    assert_false(a->s.ll_bit);
    assert_true(c->s.ll_bit);
    assert_true(f->mem->page_flags[5] & PAGE_LL_WATCH);
    core_memory_changed(f->cores, FIXTURE_CPUS, NULL, 0x4000, 0x2000); /* a DMA write */
    assert_false(c->s.ll_bit);
    assert_false(f->mem->page_flags[5] & PAGE_LL_WATCH);
    assert_int_equal(core_store(b, 0x80005000, 4, 1), 0);
    assert_true(b->map->store[0x80005000u >> 12] != 0);
}

/* a is linked and watched and gets a fast path to the page; then b is linked there, too. */
static void test_second_link_in_a_watched_page(void **state)
{
    struct fixture *f = *state;
    struct core *a = f->cores[0], *b = f->cores[1];
    assert_int_equal(core_store(a, 0x80005000, 4, 1), 0);
    link_to(a, 0x5008);
    link_to(b, 0x5020);
    assert_true(a->map->store[0x80005000u >> 12] == 0);
    assert_int_equal(core_store(a, 0x80005020, 4, 1), 0);
    assert_false(b->s.ll_bit);
    assert_true(a->s.ll_bit);
}

/* DMA breaks a link whose page is not watched: on a uniprocessor, or during the CPU's run. */
static void test_dma_breaks_unwatched_link(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->s.ll_bit = true;
    core->s.ll_address = 0x5008;
    core_memory_changed(f->cores, 1, NULL, 0x5000, 8);
    core_memory_changed(f->cores, 1, NULL, 0x500c, 0x1000);
    assert_true(core->s.ll_bit); /* changes of other words keep the link */
    core_memory_changed(f->cores, 1, NULL, 0x500b, 1);
    assert_false(core->s.ll_bit);
}

static void test_watch_without_link(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    core->s.ll_bit = false;
    core->s.ll_address = 0x5000;
    core_watch_link(core);
    core->s.ll_bit = true;
    core->s.ll_address = FIXTURE_DEVICE; /* device addresses are not watched */
    core_watch_link(core);
    assert_int_equal(f->mem->page_flags[5], PAGE_IS_RAM);
    assert_int_equal(f->mem->page_flags[FIXTURE_DEVICE >> 12], 0);
}

static void test_debug_copies(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    uint8_t out[0x3000], in[0x3000];
    for (unsigned i = 0; i < sizeof out; i++)
        out[i] = (uint8_t)(i * 7);
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_CACHED | LO_V), lo(0x20000, LO_CACHED | LO_V));
    core_protect_code(core, 0x20000);
    /* read-only pages can be written, the unmapped page ends the write */
    assert_int_equal(core_debug_write(core, 0x00400ff0, out, sizeof out), 0x1010);
    assert_int_equal(f->models[2].forgotten_pages, 1);
    assert_int_equal(core_debug_read(core, 0x00400ff0, in, sizeof in), 0x1010);
    assert_memory_equal(in, out, 0x1010);
    assert_memory_equal(f->mem->base + 0x8ff0, out, 0x10);
    assert_int_equal(core_debug_read(core, 0xa0000000 + FIXTURE_DEVICE, in, 4), 0);
    assert_int_equal(f->device_reads, 0);
    write_entry(core, 1, 0xffffe000, 0, lo(0xa000, LO_RW | LO_G), lo(0xb000, LO_RW | LO_G));
    assert_int_equal(core_debug_read(core, 0xffffff00, in, sizeof in), 0x100); /* ends at the top */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sizes),
        TEST(test_alignment),
        TEST(test_device),
        TEST(test_device_that_schedules_asks_for_attention),
        TEST(test_bus_errors),
        TEST(test_store_into_code),
        TEST(test_links),
        TEST(test_second_link_in_a_watched_page),
        TEST(test_dma_breaks_unwatched_link),
        TEST(test_watch_without_link),
        TEST(test_debug_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
