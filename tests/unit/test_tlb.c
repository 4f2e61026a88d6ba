/*
 * The TLB: matching, page sizes, exceptions of each access, tlbr, and overlapping entries.
 */
#include "tests/unit/core_fixture.h"
#include "tests/unit/tape.h"

static const struct insn none = {0};

/* Expect a translation to EXPECTED, or an exception. */
static void expect_pa(struct core *core, vaddr address, enum access access, paddr expected, bool expected_cached)
{
    paddr pa = 0;
    bool cached = !expected_cached;
    assert_int_equal(tlb_translate(core, address, access, &pa, &cached), 0);
    assert_int_equal(pa, expected);
    assert_int_equal(cached, expected_cached);
}

static void expect_raise(struct core *core, vaddr address, enum access access, unsigned code, bool refill)
{
    paddr pa;
    bool cached;
    memset(&core->exception, 0xff, sizeof core->exception);
    assert_int_equal(tlb_translate(core, address, access, &pa, &cached), 1);
    assert_int_equal(core->exception.code, code);
    assert_int_equal(core->exception.refill, refill);
    assert_true(core->exception.has_address);
    assert_int_equal(core->exception.address, address);
}

static void test_unmapped_segments(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    expect_pa(core, 0x80001234, ACCESS_LOAD, 0x1234, true);
    expect_pa(core, 0x9fffffff, ACCESS_FETCH, 0x1fffffff, true);
    expect_pa(core, 0xa0001234, ACCESS_STORE, 0x1234, false);
    expect_pa(core, 0xbfc00000, ACCESS_FETCH, 0x1fc00000, false);
    cp0_write(core, CP0_CONFIG, 2); /* K0: kseg0 uncached */
    expect_pa(core, 0x80001234, ACCESS_LOAD, 0x1234, false);
    cp0_write(core, CP0_CONFIG, 3);
    expect_pa(core, 0x80001234, ACCESS_LOAD, 0x1234, true);
}

static void test_kernel_segments_are_closed_to_user_mode(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 0, 0xc0000000, 0, lo(0x4000, LO_RW | LO_G), lo(0x5000, LO_RW | LO_G));
    expect_pa(core, 0xc0000000, ACCESS_LOAD, 0x4000, true);
    set_user_mode(core);
    expect_raise(core, 0x80000000, ACCESS_LOAD, EXC_ADEL, false);
    expect_raise(core, 0x80000000, ACCESS_FETCH, EXC_ADEL, false);
    expect_raise(core, 0xa0000000, ACCESS_STORE, EXC_ADES, false);
    expect_raise(core, 0xc0000000, ACCESS_LOAD, EXC_ADEL, false);
    expect_raise(core, 0xfffffffc, ACCESS_STORE, EXC_ADES, false);
    cp0_write(core, CP0_STATUS, STATUS_UM | STATUS_EXL); /* exception level is kernel mode */
    expect_pa(core, 0xc0000000, ACCESS_LOAD, 0x4000, true);
}

static void test_kuseg_is_unmapped_while_erl(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 0, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x8000, true);
    cp0_write(core, CP0_STATUS, STATUS_ERL);
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x00400000, false);
    expect_raise(core, 0xc0000000, ACCESS_LOAD, EXC_TLBL, true);
    cp0_write(core, CP0_STATUS, 0);
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x8000, true);
}

static void test_what_each_access_raises(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true);
    expect_raise(core, 0x00400000, ACCESS_FETCH, EXC_TLBL, true);
    expect_raise(core, 0x00400000, ACCESS_STORE, EXC_TLBS, true);
    write_entry(core, 3, 0x00400000, 0, lo(0x8000, LO_CACHED | LO_V), lo(0x9000, LO_CACHED | LO_D));
    expect_pa(core, 0x00400ffc, ACCESS_LOAD, 0x8ffc, true);
    expect_raise(core, 0x00400ffc, ACCESS_STORE, EXC_MOD, false); /* V set, D clear */
    /* an entry matches but V is clear: the general vector, not that of refills */
    expect_raise(core, 0x00401000, ACCESS_LOAD, EXC_TLBL, false);
    expect_raise(core, 0x00401000, ACCESS_STORE, EXC_TLBS, false);
    expect_raise(core, 0x00402000, ACCESS_LOAD, EXC_TLBL, true);
}

static void test_cache_attribute(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    for (uint32_t c = 0; c < 8; c++) {
        write_entry(core, 1, 0x00400000, 0, lo(0x8000, LO_V | c << 3), 0);
        expect_pa(core, 0x00400000, ACCESS_LOAD, 0x8000, c != 2 && c != 7);
    }
}

static void test_asid_and_global(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 0, 0x00400000 | 5, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    write_entry(core, 1, 0x00400000 | 6, 0, lo(0xa000, LO_RW), lo(0xb000, LO_RW));
    write_entry(core, 2, 0x00600000 | 7, 0, lo(0xc000, LO_RW | LO_G), lo(0xd000, LO_RW | LO_G));
    write_entry(core, 3, 0x00700000 | 7, 0, lo(0xe000, LO_RW | LO_G), lo(0xf000, LO_RW)); /* one G bit: not global */
    cp0_write(core, CP0_ENTRYHI, 5);
    expect_pa(core, 0x00401008, ACCESS_LOAD, 0x9008, true);
    expect_pa(core, 0x00600000, ACCESS_LOAD, 0xc000, true);
    expect_raise(core, 0x00700000, ACCESS_LOAD, EXC_TLBL, true);
    cp0_write(core, CP0_ENTRYHI, 6);
    expect_pa(core, 0x00401008, ACCESS_LOAD, 0xb008, true);
    cp0_write(core, CP0_ENTRYHI, 7);
    expect_raise(core, 0x00401008, ACCESS_LOAD, EXC_TLBL, true);
    expect_pa(core, 0x00700000, ACCESS_LOAD, 0xe000, true);
}

/* Every page size from 4 KB to 256 MB: even and odd half, and the addresses just outside. */
static void test_page_sizes(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    for (unsigned n = 0; n <= 8; n++) {
        uint32_t mask = ((1u << 2 * n) - 1) << 13, size = 0x1000u << 2 * n;
        vaddr base = 0x40000000;
        /* Low bits of VPN2 and PFN that the mask covers are ignored. */
        write_entry(core, 5, base | (size > 0x1000 ? 0x2000 : 0), mask, lo(0xc0000000u | (size >> 1), LO_RW),
                    lo(0xe0000000u | (size >> 1), LO_RW));
        if (size == 0x1000) /* here size / 2 is no page number */
            write_entry(core, 5, base, mask, lo(0xc0000000u, LO_RW), lo(0xe0000000u, LO_RW));
        expect_pa(core, base, ACCESS_LOAD, 0xc0000000u, true);
        expect_pa(core, base + size - 1, ACCESS_LOAD, 0xc0000000u + size - 1, true);
        expect_pa(core, base + size, ACCESS_LOAD, 0xe0000000u, true);
        expect_pa(core, base + 2 * size - 1, ACCESS_LOAD, 0xe0000000u + size - 1, true);
        expect_raise(core, base - 1, ACCESS_LOAD, EXC_TLBL, true);
        expect_raise(core, base + 2 * size, ACCESS_LOAD, EXC_TLBL, true);
    }
}

static void test_registers_read_back(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 9, 0x00412000 | 0x33, 0x1e000, lo(0x120000, LO_RW | LO_G), lo(0x130000, LO_UNCACHED | LO_G));
    cp0_write(core, CP0_ENTRYHI, 0);
    cp0_write(core, CP0_ENTRYLO0, 0);
    cp0_write(core, CP0_ENTRYLO1, 0);
    cp0_write(core, CP0_PAGEMASK, 0);
    cp0_write(core, CP0_INDEX, 9);
    assert_int_equal(sem_tlbr(core, &none), 0);
    assert_int_equal(cp0_read(core, CP0_PAGEMASK), 0x1e000 & 0x1e000);
    assert_int_equal(cp0_read(core, CP0_ENTRYHI), (0x00412000 & ~0x1e000) | 0x33);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0), lo(0x120000, LO_RW | LO_G));
    assert_int_equal(cp0_read(core, CP0_ENTRYLO1), lo(0x130000, LO_UNCACHED | LO_G));
    /* The entry is global only if both halves have G set. */
    write_entry(core, 9, 0x00412000, 0, lo(0x120000, LO_RW | LO_G), lo(0x130000, LO_RW));
    assert_int_equal(sem_tlbr(core, &none), 0);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0) & LO_G, 0);
}

static void test_probe(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 17, 0x00400000 | 4, 0, lo(0x8000, LO_RW), 0);
    cp0_write(core, CP0_ENTRYHI, 0x00400000 | 4);
    assert_int_equal(sem_tlbp(core, &none), 0);
    assert_int_equal(cp0_read(core, CP0_INDEX), 17);
    cp0_write(core, CP0_ENTRYHI, 0x00400000 | 5);
    assert_int_equal(sem_tlbp(core, &none), 0);
    assert_int_equal(cp0_read(core, CP0_INDEX) >> 31, 1);
    cp0_write(core, CP0_INDEX, 3); /* bit P is read-only */
    assert_int_equal(cp0_read(core, CP0_INDEX), 0x80000003);
}

/* An older entry that overlaps the one written is invalidated: the same page, a larger one over it, a smaller one
 * inside it, and a global one over any address space's. */
static void test_overlap_invalidates_the_older(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 20, 0x00400000 | 1, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    write_entry(core, 4, 0x00400000 | 1, 0, lo(0xa000, LO_RW), lo(0xb000, LO_RW));
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0xa000, true);
    cp0_write(core, CP0_INDEX, 20);
    sem_tlbr(core, &none);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0) & LO_V, 0);
    assert_int_equal(cp0_read(core, CP0_ENTRYHI) >> 30, 2); /* a tag that no access can match */

    write_entry(core, 5, 0x00402000 | 1, 0, lo(0xc000, LO_RW), lo(0xd000, LO_RW));
    write_entry(core, 6, 0x00402000 | 2, 0, lo(0xe000, LO_RW), lo(0xf000, LO_RW));
    write_entry(core, 7, 0x00400000 | 1, 0x6000, lo(0x100000, LO_RW), lo(0x110000, LO_RW)); /* 16 KB pages: over 4, 5 */
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x100000, true);
    expect_pa(core, 0x00402000, ACCESS_LOAD, 0x102000, true);
    cp0_write(core, CP0_ENTRYHI, 2);
    expect_pa(core, 0x00402000, ACCESS_LOAD, 0xe000, true); /* the other address space's remains */
    write_entry(core, 8, 0x00402000 | 3, 0, lo(0x120000, LO_RW | LO_G), lo(0x130000, LO_RW | LO_G));
    for (uint32_t asid = 1; asid <= 3; asid++) {
        cp0_write(core, CP0_ENTRYHI, asid);
        expect_pa(core, 0x00402000, ACCESS_LOAD, 0x120000, true);
    }
    cp0_write(core, CP0_ENTRYHI, 1);
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true); /* the whole 16 KB entry was invalidated */
}

/* An entry for the address that just missed is written without a search for overlaps; overlaps must be found
 * nevertheless. */
static void test_overlap_after_a_miss(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 4, 0x00402000 | 1, 0, lo(0xa000, LO_RW), lo(0xb000, LO_RW));
    write_entry(core, 6, 0x00400000 | 2, 0, lo(0xe000, LO_RW), lo(0xf000, LO_RW));
    cp0_write(core, CP0_ENTRYHI, 1);
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true);
    /* An entry for a larger page than that of the miss. */
    write_entry(core, 7, 0x00400000 | 1, 0x6000, lo(0x100000, LO_RW), lo(0x110000, LO_RW));
    expect_pa(core, 0x00402000, ACCESS_LOAD, 0x102000, true);
    cp0_write(core, CP0_INDEX, 4);
    sem_tlbr(core, &none);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0) & LO_V, 0);
    write_entry(core, 7, 0x00800000 | 1, 0, 0, 0);
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true);
    write_entry(core, 8, 0x00400000 | 1, 0, lo(0x20000, LO_RW | LO_G), lo(0x21000, LO_RW | LO_G)); /* global */
    cp0_write(core, CP0_ENTRYHI, 2);
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x20000, true);
    cp0_write(core, CP0_INDEX, 6);
    sem_tlbr(core, &none);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0) & LO_V, 0);
    cp0_write(core, CP0_ENTRYHI, 1);
    expect_raise(core, 0x00600000, ACCESS_LOAD, EXC_TLBL, true);
    write_entry(core, 9, 0x00600000 | 1, 0, lo(0x30000, LO_RW), lo(0x31000, LO_RW));
    /* The entry is not for the latest miss any more. */
    write_entry(core, 3, 0x00600000 | 1, 0, lo(0x40000, LO_RW), lo(0x41000, LO_RW));
    expect_pa(core, 0x00600000, ACCESS_LOAD, 0x40000, true);
    cp0_write(core, CP0_INDEX, 9);
    sem_tlbr(core, &none);
    assert_int_equal(cp0_read(core, CP0_ENTRYLO0) & LO_V, 0);
}

/* Linux flushes by writing kseg0 tags to all entries: this must terminate and have no side effects. */
static void test_flush_as_linux_does(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    write_entry(core, 31, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    for (unsigned i = 0; i < 32; i++)
        write_entry(core, i, 0x80000000u + ((31 - i) << 14), 0, 0, 0);
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true);
    expect_pa(core, 0x80000000, ACCESS_LOAD, 0, true);
    write_entry(core, 0, 0x80000000u, 0x1fffe000, 0, 0);
    write_entry(core, 1, 0x80000000u, 0x1fffe000, 0, 0);
}

/* Random never selects a wired entry, reaches all others, and advances with TLB writes only. */
static void test_random(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    cp0_write(core, CP0_WIRED, 10);
    bool seen[32] = {false};
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t random = cp0_read(core, CP0_RANDOM);
        assert_true(random >= 10 && random < 32);
        core->s.cycle += 7;
        assert_int_equal(cp0_read(core, CP0_RANDOM), random);
        seen[random] = true;
        cp0_write(core, CP0_ENTRYHI, 0x00400000 + (i << 13));
        assert_int_equal(sem_tlbwr(core, &none), 0);
        assert_int_equal(core->s.tlb[random].vpn2, 0x00400000 + (i << 13));
    }
    for (unsigned i = 10; i < 32; i++)
        assert_true(seen[i]);
    assert_int_equal(core->counts.tlb_writes, 1000);
}

static void test_index_beyond_the_tlb(void **state)
{
    struct fixture *f = *state;
    fixture_teardown(state);
    *state = f = fixture_create_sized(20);
    struct core *core = f->core;
    struct tlb_entry before[TLB_MAX_ENTRIES];
    memcpy(before, core->s.tlb, sizeof before);
    write_entry(core, 25, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    assert_memory_equal(before, core->s.tlb, sizeof before);
    expect_raise(core, 0x00400000, ACCESS_LOAD, EXC_TLBL, true);
    assert_int_equal(sem_tlbr(core, &none), 0);
    cp0_write(core, CP0_WIRED, 31);
    assert_int_equal(cp0_read(core, CP0_RANDOM), 19);
    write_entry(core, 19, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
    expect_pa(core, 0x00400000, ACCESS_LOAD, 0x8000, true);
}

static void test_probe_address_has_all_rights(void **state)
{
    struct core *core = ((struct fixture *)*state)->core;
    paddr pa;
    write_entry(core, 0, 0xc0000000, 0, lo(0x4000, LO_V | LO_G), lo(0x5000, LO_G));
    set_user_mode(core);
    assert_true(tlb_probe_address(core, 0xc0000010, &pa));
    assert_int_equal(pa, 0x4010);
    assert_false(tlb_probe_address(core, 0xc0001000, &pa)); /* not valid */
    assert_false(tlb_probe_address(core, 0x00400000, &pa));
    assert_true(tlb_probe_address(core, 0x80000020, &pa));
    assert_int_equal(pa, 0x20);
}

/* Compare core's TLB of ENTRIES with a linear search of the architectural entries, for random writes and addresses
 * among PAIRS pairs of pages (a power of two). */
static void compare_with_plain_search(struct core *core, unsigned entries, uint32_t pairs, unsigned rounds)
{
    uint32_t seed = 12345;
    unsigned hits = 0;
    for (unsigned round = 0; round < rounds; round++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t r = seed >> 8;
        uint32_t mask = (r & 7) == 0 ? 0x6000 : (r & 7) == 1 ? 0x1e000 : 0;
        uint32_t flags = LO_RW | (r >> 3 & 7 ? 0 : LO_G);
        write_entry(core, (r >> 6) % entries, 0x00400000 | (r >> 11 & (pairs - 1)) << 13 | (r >> 15 & 3), mask,
                    lo((r & 0xfff) << 12, flags), lo((r & 0xfff) << 12 ^ 0x800000, flags));
        seed = seed * 1664525 + 1013904223;
        vaddr address = 0x00400000 | (seed >> 8 & (2 * pairs * 0x2000 - 1));
        cp0_write(core, CP0_ENTRYHI, seed >> 27 & 3);
        int found = -1, matches = 0;
        for (int i = 0; i < (int)entries; i++) {
            const struct tlb_entry *e = &core->s.tlb[i];
            if ((address & 0xffffe000 & ~e->page_mask) == e->vpn2 &&
                (e->global || e->asid == (core->s.cp0[CP0_ENTRYHI] & 0xff))) {
                found = i;
                matches++;
            }
        }
        assert_true(matches <= 1);
        assert_int_equal(tlb_find(core, address), found);
        paddr pa;
        bool cached;
        if (found < 0) {
            expect_raise(core, address, ACCESS_LOAD, EXC_TLBL, true);
            continue;
        }
        hits++;
        uint32_t size = (core->s.tlb[found].page_mask + 0x2000) / 2;
        uint32_t pfn = core->s.tlb[found].lo[address & size ? 1 : 0] >> 6;
        assert_int_equal(tlb_translate(core, address, ACCESS_STORE, &pa, &cached), 0);
        assert_int_equal(pa, ((pfn << 12) & ~(size - 1)) | (address & (size - 1)));
    }
    assert_true(hits > rounds / 20);
}

static void test_against_a_plain_search(void **state)
{
    struct fixture *f = *state;
    compare_with_plain_search(f->core, 32, 16, 20000);
    fixture_teardown(state);
    *state = f = fixture_create_sized(TLB_MAX_ENTRIES);
    compare_with_plain_search(f->core, TLB_MAX_ENTRIES, 256, 5000);
}

/* Config1 and Config4 together have the number of the last entry; Index and Wired keep as many bits as it needs. */
static void test_sizes(void **state)
{
    static const struct {
        unsigned entries, config1, config4, bits;
    } rows[] = {{16, 15, 0, 15},       {17, 16, 0, 31},        {32, 31, 0, 31},        {48, 47, 0, 63},
                {64, 63, 0, 63},       {65, 0, 0x4001, 127},   {96, 31, 0x4001, 127},  {128, 63, 0x4001, 127},
                {129, 0, 0x4002, 255}, {256, 63, 0x4003, 255}, {300, 43, 0x4004, 511}, {512, 63, 0x4007, 511}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture_teardown(state);
        struct fixture *f = fixture_create_sized(rows[i].entries);
        *state = f;
        assert_int_equal(cp0_read(f->core, CP0_CONFIG1) >> 25 & 63, rows[i].config1);
        assert_int_equal(cp0_read(f->core, CP0_CONFIG4) & 0xffff, rows[i].config4);
        cp0_write(f->core, CP0_INDEX, 0x7fffffff);
        assert_int_equal(cp0_read(f->core, CP0_INDEX), rows[i].bits);
        cp0_write(f->core, CP0_WIRED, rows[i].entries - 1);
        assert_int_equal(cp0_read(f->core, CP0_WIRED), rows[i].entries - 1);
    }
}

/* The sections that a core with ENTRIES saves, into TAPE. */
static void save(struct fixture *f, struct record_options *tape)
{
    struct saved *saved = saved_create(f->queue);
    struct saved_out out = {.put = tape_put, .opaque = tape};
    core_register_saved(f->core, saved);
    for (size_t i = 0; saved_at(saved, i); i++)
        saved_write(saved_at(saved, i), &out);
    saved_free(saved);
}

static void test_saved(void **state)
{
    static const unsigned sizes[] = {64, 65, TLB_MAX_ENTRIES};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct record_options tape = {0};
        struct saved_in in = {.get = tape_get, .opaque = &tape};
        const struct saved_terms terms = {.same_machine = true, .clock_hz = 200000000};
        struct err err = {""};
        const unsigned last = sizes[i] - 1;
        fixture_teardown(state);
        struct fixture *f = *state = fixture_create_sized(sizes[i]);
        write_entry(f->core, last, 0x00400000, 0, lo(0x8000, LO_RW), lo(0x9000, LO_RW));
        write_entry(f->core, 7, 0x00500000, 0, lo(0xa000, LO_RW), lo(0xb000, LO_RW));
        save(f, &tape);
        fixture_teardown(state);
        *state = f = fixture_create_sized(sizes[i]);
        struct saved *saved = saved_create(f->queue);
        core_register_saved(f->core, saved);
        saved_load_begin(saved);
        for (size_t n = 0; saved_at(saved, n); n++)
            assert_true(saved_read(saved, saved_at(saved, n), &in, &terms, &err));
        assert_true(saved_load_end(saved, &terms, &err));
        assert_int_equal(tape.at, tape.size);
        expect_pa(f->core, 0x00401000, ACCESS_STORE, 0x9000, true);
        expect_pa(f->core, 0x00500000, ACCESS_STORE, 0xa000, true);
        assert_int_equal(tlb_find(f->core, 0x00400000), last);
        saved_free(saved);
        free(tape.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_unmapped_segments),
        TEST(test_kernel_segments_are_closed_to_user_mode),
        TEST(test_kuseg_is_unmapped_while_erl),
        TEST(test_what_each_access_raises),
        TEST(test_cache_attribute),
        TEST(test_asid_and_global),
        TEST(test_page_sizes),
        TEST(test_registers_read_back),
        TEST(test_probe),
        TEST(test_overlap_invalidates_the_older),
        TEST(test_overlap_after_a_miss),
        TEST(test_flush_as_linux_does),
        TEST(test_random),
        TEST(test_index_beyond_the_tlb),
        TEST(test_probe_address_has_all_rights),
        TEST(test_against_a_plain_search),
        TEST(test_sizes),
        TEST(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
