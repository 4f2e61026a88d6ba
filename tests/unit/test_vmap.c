/*
 * The flat tables: which pages enter, and that entries do not outlive their TLB entry, address space, or permission.
 */
#include "tests/unit/core_fixture.h"

/* Fast-path bytes (cpu/core.h) */
enum { LINE = 16, LINES = 0x1000 / LINE, QUICK_PAGES = 0x80 + 0x20, MAY_READ = 1, MAY_STORE = 2 };

static uintptr_t entry_for(const struct fixture *f, vaddr address, paddr pa)
{
    return (uintptr_t)(f->mem->base + (pa & ~0xfffu)) - (address & ~0xfffu);
}

static uintptr_t load_entry(const struct core *core, vaddr address)
{
    return core->map->load[address >> 12];
}

static uintptr_t store_entry(const struct core *core, vaddr address)
{
    return core->map->store[address >> 12];
}

static void touch(struct core *core, vaddr address, enum access access)
{
    paddr pa;
    bool cached;
    assert_int_equal(core_translate_data(core, address, 4, access, &pa, &cached), 0);
}

/* The tables of all modes have no entry for this page. */
static void expect_forgotten(const struct core *core, vaddr address)
{
    for (unsigned mode = 0; mode < VMAP_MODES; mode++) {
        assert_true(core->maps[mode].load[address >> 12] == 0);
        assert_true(core->maps[mode].store[address >> 12] == 0);
        assert_null(core->maps[mode].code[address >> 12]);
    }
}

static void test_what_enters(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    touch(core, 0x80123458, ACCESS_LOAD);
    assert_true(load_entry(core, 0x80123000) == entry_for(f, 0x80123000, 0x123000));
    assert_true(store_entry(core, 0x80123000) == 0);
    *(uint32_t *)(load_entry(core, 0x80123000) + 0x80123458u) = 0x11223344;
    uint32_t value;
    assert_int_equal(core_load(core, 0xa0123458, 4, &value), 0);
    assert_int_equal(value, 0x11223344);
    touch(core, 0x80123458, ACCESS_STORE);
    assert_true(store_entry(core, 0x80123000) == entry_for(f, 0x80123000, 0x123000));
    touch(core, 0xa0123458, ACCESS_LOAD); /* kseg1 is uncached */
    expect_forgotten(core, 0xa0123000);
    touch(core, 0x80000000 + FIXTURE_DEVICE, ACCESS_LOAD); /* not RAM */
    touch(core, 0x80000000 + FIXTURE_DEVICE, ACCESS_STORE);
    expect_forgotten(core, 0x80000000 + FIXTURE_DEVICE);
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_UNCACHED | LO_V | LO_D), lo(0x9000, LO_CACHED | LO_V));
    touch(core, 0x00400000, ACCESS_LOAD);
    touch(core, 0x00400000, ACCESS_STORE);
    expect_forgotten(core, 0x00400000);
    touch(core, 0x00401000, ACCESS_LOAD);
    assert_true(load_entry(core, 0x00401000) == entry_for(f, 0x00401000, 0x9000));
}

/* A miss in the kernel, at exception level in a process (Status.UM set): the page is entered for the mode that may
 * access it. */
static void test_missed_pages_are_for_who_may_access_them(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    static const vaddr addresses[] = {0xc0001000, 0x00401000};
    for (unsigned i = 0; i < 2; i++) {
        vaddr address = addresses[i];
        paddr pa;
        bool cached;
        cp0_write(core, CP0_STATUS, STATUS_UM | STATUS_EXL);
        assert_false(core->user_mode);
        assert_int_equal(core_translate_data(core, address, 4, ACCESS_STORE, &pa, &cached), 1);
        exception_enter(core, 0x80001000, false);
        write_entry(core, i, address & 0xffffe000u, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
        cp0_write(core, CP0_STATUS, STATUS_UM);
        assert_true(core->user_mode);
        bool allowed = address < 0x80000000;
        assert_int_equal(load_entry(core, address) != 0, allowed);
        assert_int_equal(store_entry(core, address) != 0, allowed);
        assert_int_equal(core_translate_data(core, address, 4, ACCESS_STORE, &pa, &cached), !allowed);
    }
}

static void test_modes_have_their_own(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    touch(core, 0x80123000, ACCESS_LOAD);
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    touch(core, 0x00400000, ACCESS_LOAD);
    set_user_mode(core);
    assert_ptr_equal(core->map->load, core->maps[VMAP_USER].load);
    assert_true(load_entry(core, 0x80123000) == 0);
    assert_true(load_entry(core, 0x00400000) == 0);
    touch(core, 0x00400000, ACCESS_STORE);
    core_raise(core, EXC_SYS);
    exception_enter(core, 0x00400000, false);
    assert_ptr_equal(core->map->store, core->maps[VMAP_KERNEL].store);
    assert_true(load_entry(core, 0x80123000) != 0);
    assert_true(store_entry(core, 0x00400000) == 0);
    write_entry(core, 0, 0x00600000, 0, 0, 0); /* both tables lose the page of the old entry */
    expect_forgotten(core, 0x00400000);
}

static void fill_pair(struct core *core, vaddr address)
{
    int page = 0;
    touch(core, address, ACCESS_LOAD);
    touch(core, address + 0x1000, ACCESS_LOAD);
    touch(core, address, ACCESS_STORE);
    touch(core, address + 0x1000, ACCESS_STORE);
    vmap_enter_code(core, address, &page);
    vmap_enter_code(core, address + 0x1000, &page);
    assert_non_null(core->map->code[address >> 12]);
}

static void test_overwriting_an_entry(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 3, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    write_entry(core, 4, 0x00402000, 0, lo(0xa000, LO_RW), lo(0xb000, LO_RW));
    fill_pair(core, 0x00400000);
    fill_pair(core, 0x00402000);
    write_entry(core, 3, 0x00500000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    expect_forgotten(core, 0x00400000);
    expect_forgotten(core, 0x00401000);
    assert_true(load_entry(core, 0x00402000) != 0);
    write_entry(core, 9, 0x00402000, 0, lo(0xc000, LO_RW), 0); /* overlaps entry 4 */
    expect_forgotten(core, 0x00402000);
    expect_forgotten(core, 0x00403000);
}

static void test_address_space_switch(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 1, 0x00600000 | 1, 0, lo(0xc000, LO_RW | LO_G), lo(0xd000, LO_RW | LO_G));
    write_entry(core, 0, 0x00400000 | 1, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    fill_pair(core, 0x00400000);
    fill_pair(core, 0x00600000);
    touch(core, 0x80123000, ACCESS_LOAD);
    cp0_write(core, CP0_ENTRYHI, 0x12345000 | 1); /* VPN2 changes, the ASID does not */
    assert_true(load_entry(core, 0x00400000) != 0);
    core->attention = false;
    core->s.pc = 0x00400000; /* the code that writes the ASID is in a mapped page itself */
    cp0_write(core, CP0_ENTRYHI, 2);
    assert_true(core->attention);
    expect_forgotten(core, 0x00400000);
    expect_forgotten(core, 0x00401000);
    assert_true(store_entry(core, 0x00600000) != 0);
    assert_true(load_entry(core, 0x80123000) != 0);
    cp0_write(core, CP0_ENTRYHI, 1);
    fill_pair(core, 0x00400000);
    /* tlbr changes the ASID, too. */
    write_entry(core, 5, 0x00700000 | 1, 0, 0, 0);
    core->s.tlb[5].asid = 9;
    tlb_rebuild(core);
    assert_int_equal(sem_tlbr(core, &(struct insn){0}), 0);
    assert_int_equal(core->s.cp0[CP0_ENTRYHI] & 0xff, 9);
    expect_forgotten(core, 0x00400000);
}

/* If the ASID selects the set of the data cache (core->permit_by_space), no permission byte of a user page outlives a
 * change of the ASID, not even of a global page; the kernel's do. Otherwise global pages keep theirs. */
static void test_permissions_after_an_address_space_switch(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    static const vaddr own = 0x00400000, global = 0x00600000, kernel = 0xc0000000, unmapped = 0x80123000;
    const vaddr pages[] = {own, global, kernel, unmapped};
    vmap_set_permit_line(core, LINE);
    for (unsigned by_space = 0; by_space < 2; by_space++) {
        core->permit_by_space = by_space;
        cp0_write(core, CP0_ENTRYHI, 1);
        write_entry(core, 0, own | 1, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
        write_entry(core, 1, global | 1, 0, lo(0xc000, LO_RW | LO_G), lo(0xd000, LO_RW | LO_G));
        write_entry(core, 2, kernel | 1, 0, lo(0xe000, LO_RW | LO_G), lo(0xf000, LO_RW | LO_G));
        for (unsigned i = 0; i < sizeof pages / sizeof pages[0]; i++) {
            touch(core, pages[i], ACCESS_LOAD);
            core->map->permits[pages[i] / LINE] = MAY_READ;
        }
        cp0_write(core, CP0_ENTRYHI, 2);
        assert_int_equal(core->map->permits[own / LINE], 0);
        assert_int_equal(core->map->permits[global / LINE], by_space ? 0 : MAY_READ);
        assert_int_equal(core->map->permits[kernel / LINE], MAY_READ);
        assert_int_equal(core->map->permits[unmapped / LINE], MAY_READ);
        assert_int_equal(core_space(core, own), 2);
        assert_int_equal(core_space(core, kernel), 0);
        assert_int_equal(core_space(core, unmapped), 0);
    }
}

/* A large page is entered in units of 4 KB, and removed wherever it was used. */
static void test_large_pages(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    vaddr base = 0x40000000;
    write_entry(core, 2, base, 0x1ffe000, lo(0, LO_RW), lo(0x1000000, LO_RW)); /* 16 MB */
    touch(core, base + 0x5000, ACCESS_LOAD);
    touch(core, base + 0x1000000 + 0x7000, ACCESS_STORE);
    touch(core, base + 0xfff000, ACCESS_LOAD);
    assert_true(load_entry(core, base + 0x5000) == entry_for(f, base + 0x5000, 0x5000));
    assert_true(store_entry(core, base + 0x1007000) == entry_for(f, base + 0x1007000, 0x1007000));
    assert_true(load_entry(core, base + 0x6000) == 0);
    write_entry(core, 2, 0x00400000, 0, 0, 0);
    expect_forgotten(core, base + 0x5000);
    expect_forgotten(core, base + 0xfff000);
    expect_forgotten(core, base + 0x1007000);
}

static void test_protecting_a_page(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core, *peer = f->cores[1];
    paddr page = 0x123000;
    write_entry(core, 0, 0x00400000, 0, lo(page, LO_RW), lo(page, LO_RW));
    write_entry(core, 1, 0x40000000, 0x1fe000, lo(0, LO_RW), lo(0x100000, LO_RW)); /* 1 MB */
    touch(core, 0x00400000, ACCESS_STORE);
    touch(core, 0x00401000, ACCESS_STORE);
    touch(core, 0x40100000 + 0x23000, ACCESS_STORE);
    touch(core, 0x40100000 + 0x24000, ACCESS_STORE);
    touch(core, 0x80123000, ACCESS_STORE);
    touch(core, 0x80123000, ACCESS_LOAD);
    touch(peer, 0x80123000, ACCESS_STORE);
    touch(peer, 0x80124000, ACCESS_STORE);
    vmap_set_permit_line(core, LINE);
    core->permits[VMAP_KERNEL][0x80123ff0u / LINE] = core->permits[VMAP_KERNEL][0x40123000 / LINE] = MAY_STORE;
    core->permits[VMAP_KERNEL][0x80124000u / LINE] = core->permits[VMAP_KERNEL][0x80122ff0u / LINE] = MAY_STORE;
    core_protect_code(core, page);
    assert_int_equal(core->permits[VMAP_KERNEL][0x80123ff0u / LINE], 0);
    assert_int_equal(core->permits[VMAP_KERNEL][0x40123000 / LINE], 0);
    /* the adjacent pages keep their permissions */
    assert_int_equal(core->permits[VMAP_KERNEL][0x80124000u / LINE], MAY_STORE);
    assert_int_equal(core->permits[VMAP_KERNEL][0x80122ff0u / LINE], MAY_STORE);
    assert_true(store_entry(core, 0x00400000) == 0);
    assert_true(store_entry(core, 0x00401000) == 0);
    assert_true(store_entry(core, 0x40123000) == 0);
    assert_true(store_entry(core, 0x80123000) == 0);
    assert_true(store_entry(peer, 0x80123000) == 0);
    assert_true(load_entry(core, 0x80123000) != 0); /* loads still hit */
    assert_true(store_entry(core, 0x40124000) != 0);
    assert_true(store_entry(peer, 0x80124000) != 0);
    touch(core, 0x80123000, ACCESS_STORE); /* a protected page gets no entry for stores */
    assert_true(store_entry(core, 0x80123000) == 0);
}

/* Only the page itself loses its entries, not others at a power-of-two distance. */
static void test_protecting_pages_of_one_remainder(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    enum { DISTANCE = 256 * PAGE_SIZE };
    const paddr one = 0x123000, other = one + DISTANCE, third = other + DISTANCE;
    write_entry(core, 0, 0x00400000, 0, lo(one, LO_RW), lo(other, LO_RW));
    touch(core, 0x00400000, ACCESS_STORE);
    touch(core, 0x00401000, ACCESS_STORE);
    core_protect_code(core, third);
    assert_true(store_entry(core, 0x00400000) != 0 && store_entry(core, 0x00401000) != 0);
    core_protect_code(core, other);
    assert_true(store_entry(core, 0x00400000) != 0 && store_entry(core, 0x00401000) == 0);
    core_protect_code(core, one);
    assert_true(store_entry(core, 0x00400000) == 0);
}

static void test_forgetting_code(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    paddr page = 0x123000;
    int decoded = 0;
    write_entry(core, 0, 0x00400000, 0, lo(page, LO_RW), lo(0x9000, LO_RW));
    vmap_enter_code(core, 0x00400000, &decoded);
    vmap_enter_code(core, 0x00401000, &decoded);
    vmap_enter_code(core, 0x80123000, &decoded);
    vmap_enter_code(core, 0xa0123000, &decoded);
    vmap_enter_code(core, 0x80124000, &decoded);
    set_user_mode(core);
    vmap_enter_code(core, 0x00400000, &decoded);
    vmap_invalidate_code(core, page);
    expect_forgotten(core, 0x00400000);
    expect_forgotten(core, 0x80123000);
    expect_forgotten(core, 0xa0123000);
    assert_non_null(core->maps[VMAP_KERNEL].code[0x80124000u >> 12]);
    assert_non_null(core->maps[VMAP_KERNEL].code[0x00401000u >> 12]);
}

static void test_kuseg_under_erl_never_enters(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    fill_pair(core, 0x00400000);
    cp0_write(core, CP0_STATUS, STATUS_ERL);
    expect_forgotten(core, 0x00400000);
    touch(core, 0x00400000, ACCESS_LOAD);
    vmap_enter_code(core, 0x00400000, &(int){0});
    expect_forgotten(core, 0x00400000);
}

static void test_kseg0_made_uncached(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    touch(core, 0x80123000, ACCESS_LOAD);
    cp0_write(core, CP0_CONFIG, 2);
    expect_forgotten(core, 0x80123000);
    touch(core, 0x80123000, ACCESS_LOAD);
    expect_forgotten(core, 0x80123000);
}

/* A state set from outside invalidates everything derived from the old one. */
static void test_replaced_state(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    fill_pair(core, 0x00400000);
    core->s.tlb[0].lo[0] = lo(0x20000, LO_RW);
    core->s.tlb[1] = (struct tlb_entry){.vpn2 = 0x00600000, .lo = {lo(0x30000, LO_RW), 0}};
    core->s.cp0[CP0_STATUS] = STATUS_UM;
    core_state_changed(core);
    assert_true(core->user_mode);
    expect_forgotten(core, 0x00400000);
    touch(core, 0x00400000, ACCESS_LOAD);
    assert_true(load_entry(core, 0x00400000) == entry_for(f, 0x00400000, 0x20000));
    touch(core, 0x00600000, ACCESS_LOAD);
    assert_true(load_entry(core, 0x00600000) == entry_for(f, 0x00600000, 0x30000));
}

/* Fast-path bytes, set as a memory system would (cache/memsys.h), and the physical page at that time. */
static paddr quick_page[VMAP_MODES][QUICK_PAGES];

static unsigned quick_number(vaddr address)
{
    return address < 0x80000000 ? (address - 0x00400000) >> 12 : 0x80 + ((address - 0xc0000000) >> 12);
}

static void set_quick(struct core *core, vaddr address)
{
    paddr pa;
    bool cached;
    if (!load_entry(core, address))
        return;
    assert_int_equal(tlb_translate(core, address, ACCESS_LOAD, &pa, &cached), 0);
    core->map->permits[address / LINE] = MAY_READ | (store_entry(core, address) ? MAY_STORE : 0);
    quick_page[core->user_mode ? VMAP_USER : VMAP_KERNEL][quick_number(address)] = pa & ~0xfffu;
}

/* A byte is non-zero only where the flat tables permit the access and map to the same page. */
static void check_quick(struct fixture *f, struct core *core, vaddr page)
{
    for (unsigned mode = 0; mode < VMAP_MODES; mode++) {
        uint8_t any = 0;
        for (unsigned line = 0; line < LINES; line++)
            any |= core->permits[mode][page / LINE + line];
        if (any & MAY_READ)
            assert_true(core->maps[mode].load[page >> 12] == entry_for(f, page, quick_page[mode][quick_number(page)]));
        if (any & MAY_STORE)
            assert_true(core->maps[mode].store[page >> 12] == entry_for(f, page, quick_page[mode][quick_number(page)]));
    }
}

/* Whatever software does, every entry of the tables must agree with a new translation. */
static void check_all(struct fixture *f, struct core *core)
{
    static const vaddr ranges[][2] = {{0x00400000, 0x00480000}, {0xc0000000, 0xc0020000}};
    for (unsigned r = 0; r < 2; r++)
        for (vaddr address = ranges[r][0]; address < ranges[r][1]; address += 0x1000) {
            paddr pa;
            bool cached;
            check_quick(f, core, address);
            if (load_entry(core, address)) {
                assert_int_equal(tlb_translate(core, address, ACCESS_LOAD, &pa, &cached), 0);
                assert_true(cached && load_entry(core, address) == entry_for(f, address, pa));
            }
            if (store_entry(core, address)) {
                assert_int_equal(tlb_translate(core, address, ACCESS_STORE, &pa, &cached), 0);
                assert_true(cached && store_entry(core, address) == entry_for(f, address, pa));
                assert_int_equal(f->mem->page_flags[pa >> 12], PAGE_IS_RAM);
            }
        }
}

static void test_always_true_to_the_tlb(void **state)
{
    struct fixture *f = *state;
    struct core *core = f->core;
    uint32_t seed = 99, entered = 0;
    vmap_set_permit_line(core, LINE);
    for (unsigned round = 0; round < 3000; round++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t r = seed >> 7;
        bool kernel_page = (r & 15) == 0;
        switch (r >> 4 & 7) {
        case 0:
            write_entry(core, r >> 7 & 31,
                        (kernel_page ? 0xc0000000 : 0x00400000) | (r >> 12 & 15) << 13 | (r >> 16 & 1),
                        (r & 3) == 1 ? 0x6000 : 0, lo((r & 0x3ff) << 12, LO_RW | (kernel_page ? LO_G : 0)),
                        lo((r >> 3 & 0x3ff) << 12, (r & 4 ? LO_RW : LO_CACHED | LO_V) | (kernel_page ? LO_G : 0)));
            break;
        case 1: cp0_write(core, CP0_ENTRYHI, r >> 7 & 1); break;
        case 2: cp0_write(core, CP0_STATUS, r >> 7 & 1 ? STATUS_UM | STATUS_CU0 : 0); break;
        case 3:
            if ((r >> 7 & 15) == 0)
                core_protect_code(core, (r & 0x3ff) << 12);
            break;
        default: {
            uint32_t value;
            vaddr address = (r >> 7 & 7 ? 0x00400000 : 0xc0000000) | (r >> 10 & 0x1ffffc);
            address &= 0xffc3fffc;
            if (r & 1)
                entered += core_load(core, address & ~3u, 4, &value) == 0;
            else
                entered += core_store(core, address & ~3u, 4, r) == 0;
            set_quick(core, address);
        }
        }
        check_all(f, core);
    }
    assert_true(entered > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_enters),
        TEST(test_modes_have_their_own),
        TEST(test_missed_pages_are_for_who_may_access_them),
        TEST(test_overwriting_an_entry),
        TEST(test_address_space_switch),
        TEST(test_permissions_after_an_address_space_switch),
        TEST(test_large_pages),
        TEST(test_protecting_a_page),
        TEST(test_protecting_pages_of_one_remainder),
        TEST(test_forgetting_code),
        TEST(test_kuseg_under_erl_never_enters),
        TEST(test_kseg0_made_uncached),
        TEST(test_replaced_state),
        TEST(test_always_true_to_the_tlb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
