/*
 * The page-table walker against another one, which follows the manual's description line by line (MD00090, "Hardware
 * Page Table Walker"), on random tables, registers and addresses: what is loaded, in which order, what the TLB has
 * then, and what the access raises. Tables point anywhere: at each other, themselves, devices, beyond memory.
 *
 * SIMOS_WALKS: the number of random walks (10000).
 */
#include "tests/unit/core_fixture.h"
#include "tests/unit/tape.h"

#include "cpu/privileged/page_walker.h"
#include "tests/diff/random.h"

/* Tables are in a megabyte of its own, pages anywhere. */
enum { TABLES = 16 << 20, TABLES_SIZE = 1 << 20 };

/* Loads that the walker made, and a model that records them. */
static struct {
    unsigned count;
    struct page_walk_load load[64];
} made;

static void record_load(void *model, const struct page_walk_load *load)
{
    (void)model;
    assert_true(made.count < 64);
    made.load[made.count++] = *load;
}

static struct cpu_model_ops recording_ops;

static int setup(void **state)
{
    struct fixture *f = fixture_create_sized(32);
    recording_ops = fake_ops;
    recording_ops.walk_load = record_load;
    for (unsigned i = 0; i < FIXTURE_CPUS; i++) {
        f->cores[i]->has_page_walker = true;
        f->cores[i]->model_ops = &recording_ops;
        core_reset(f->cores[i], 0x80000000);
        fixture_kernel_mode(f->cores[i]);
    }
    made.count = 0;
    *state = f;
    return 0;
}

/* The manual's walker */

struct manual {
    struct fixture *f;
    unsigned loads;
    uint32_t address[8];
    unsigned size[8];
    bool refill; /* ends in a refill exception */
    uint32_t entrylo[2], pagemask;
};

/* LoadMemory: false where the address cannot be loaded from. */
static bool manual_load(struct manual *w, uint32_t va, unsigned bytes, uint64_t *value)
{
    const bool unmapped = va >= 0x80000000u && va < 0xc0000000u;
    const uint32_t pa = va & 0x1fffffff;
    if (va % bytes != 0 || !unmapped || pa >= FIXTURE_RAM)
        return false;
    w->address[w->loads] = va;
    w->size[w->loads++] = bytes;
    *value = 0;
    memcpy(value, physmem_host(w->f->mem, pa), bytes);
    return true;
}

/* The shift by PTEI - 2, and the rotation of two bits to the top of the register: here, where there is neither RI nor
 * XI, both are gone, and so are the bits that EntryLo does not have. */
static uint32_t manual_entrylo(uint64_t pte, unsigned ptei)
{
    if (ptei == 0)
        return (uint32_t)pte & 0x03ffffff;
    uint64_t shifted = pte >> (ptei - 2);
    shifted >>= 2;
    return (uint32_t)shifted & 0x03ffffff;
}

/* PageMask of pages of 2^BITS bytes, an even number of bits; of others, of the next smaller ones. At most 256 MB. */
static uint32_t manual_pagemask(unsigned bits)
{
    if (bits > 28)
        bits = 28;
    const unsigned ones = (bits - 12) / 2 * 2;
    return ones == 0 ? 0 : ((1u << ones) - 1) << 13;
}

static void manual_walk(struct manual *w, uint32_t va, const uint32_t *cp0)
{
    const uint32_t field = cp0[CP0_PWFIELD], size = cp0[CP0_PWSIZE], ctl = cp0[CP0_PWCTL];
    const unsigned gdi = field >> 24 & 63, udi = field >> 18 & 63, mdi = field >> 12 & 63, pti = field >> 6 & 63,
                   ptei = field & 63;
    const unsigned gdw = size >> 24 & 63, udw = size >> 18 & 63, mdw = size >> 12 & 63, ptw = size >> 6 & 63,
                   ptew = size & 63;
    const unsigned psn = ctl & 63;
    const bool hugepg = ctl >> 6 & 1, dph = ctl >> 7 & 1, pwen = ctl >> 31;
    const unsigned index_of[3] = {gdi, udi, mdi}, width_of[3] = {gdw, udw, mdw};
    uint32_t pointer = cp0[CP0_PWBASE];
    w->refill = true;
    if (!pwen || (gdw == 0 && udw == 0 && mdw == 0) || ptew > 1)
        return;
    const unsigned leaf_bytes = 4u << ptew, dir_bytes = hugepg ? leaf_bytes : 4;
    for (unsigned level = 0; level < 3; level++) {
        uint64_t entry, index = (uint64_t)va >> index_of[level];
        if (width_of[level] == 0)
            continue;
        index %= UINT64_C(1) << width_of[level];
        const uint32_t at = pointer | (uint32_t)(index * dir_bytes);
        if (!manual_load(w, at, dir_bytes, &entry))
            return;
        if (hugepg && (entry >> psn & 1)) {
            const unsigned bits = index_of[level];
            const uint32_t pte = manual_entrylo(entry, ptei);
            if (bits % 2 == 1) {
                /* the even page of the pair has the bit of its size clear, the odd one set */
                const uint32_t odd = bits - 1 < 32 ? (uint32_t)(((uint64_t)1 << (bits - 1)) >> 6) : 0;
                w->entrylo[0] = pte & ~odd;
                w->entrylo[1] = pte | odd;
                w->pagemask = manual_pagemask(bits - 1);
            } else if (dph) {
                uint64_t second;
                if (!manual_load(w, at ^ dir_bytes, dir_bytes, &second))
                    return;
                const bool is_odd = (at & dir_bytes) != 0;
                w->entrylo[is_odd ? 1 : 0] = pte;
                w->entrylo[is_odd ? 0 : 1] = manual_entrylo(second, ptei);
                w->pagemask = manual_pagemask(bits);
            } else {
                return;
            }
            w->refill = false;
            return;
        }
        pointer = (uint32_t)entry;
    }
    uint64_t even, odd, index = (uint64_t)va >> pti;
    index %= UINT64_C(1) << ptw;
    const uint32_t offset = (uint32_t)(index / 2 * 2 * leaf_bytes);
    if (!manual_load(w, pointer | offset, leaf_bytes, &even) ||
        !manual_load(w, pointer | offset | leaf_bytes, leaf_bytes, &odd))
        return;
    w->entrylo[0] = manual_entrylo(even, ptei);
    w->entrylo[1] = manual_entrylo(odd, ptei);
    w->pagemask = manual_pagemask(pti);
    w->refill = false;
}

/* Random cases */

static uint32_t random_pointer(struct random *random)
{
    const uint32_t table = TABLES + (uint32_t)random_below(random, TABLES_SIZE / 4096) * 4096;
    switch (random_below(random, 48)) {
    case 0: return FIXTURE_DEVICE + 0x80000000u;
    case 1: return FIXTURE_DEVICE + 0xa0000000u;
    case 2: return random_word(random);                                     /* anything */
    case 3: return table;                                                   /* mapped */
    case 4: return 0xc0000000u + table;                                     /* mapped */
    case 5: return 0x80000000u + table + (uint32_t)random_below(random, 8); /* perhaps not aligned */
    case 6: return 0x80000000u + FIXTURE_RAM - 4096 + (uint32_t)random_below(random, 2048) * 4;
    case 7:
    case 8: return 0xa0000000u + table;
    default: return 0x80000000u + table;
    }
}

static uint32_t random_pte(struct random *random, unsigned ptei)
{
    uint32_t pte = (uint32_t)random_below(random, FIXTURE_RAM >> 12) << 6 | 3 << 3;
    pte |= (uint32_t)random_below(random, 8); /* D, V, G */
    if (random_below(random, 8) != 0)
        pte |= LO_V;
    if (random_below(random, 16) == 0)
        pte = random_word(random);
    return pte << ptei | (random_word(random) & ((1u << ptei) - 1));
}

static unsigned random_index(struct random *random)
{
    return random_below(random, 12) == 0 ? 12 + (unsigned)random_below(random, 52)
                                         : 12 + (unsigned)random_below(random, 18);
}

static unsigned random_width(struct random *random)
{
    switch (random_below(random, 12)) {
    case 0: return (unsigned)random_below(random, 64);
    case 1:
    case 2:
    case 3:
    case 4: return 0;
    default: return 1 + (unsigned)random_below(random, 9);
    }
}

static void set_registers(struct random *random, struct core *core)
{
    const unsigned ptei = (unsigned)random_below(random, 3) == 0 ? 6 : 2 + (unsigned)random_below(random, 12);
    const unsigned pti = random_below(random, 3) == 0 ? random_index(random) : 12;
    const unsigned ptew = random_below(random, 5) == 0 ? 1 + (unsigned)random_below(random, 8) / 7 : 0;
    cp0_write(core, CP0_PWFIELD,
              random_index(random) << 24 | random_index(random) << 18 | random_index(random) << 12 | pti << 6 |
                  (random_below(random, 12) == 0 ? 0 : ptei));
    cp0_write(core, CP0_PWSIZE,
              random_width(random) << 24 | random_width(random) << 18 | random_width(random) << 12 |
                  (1 + random_width(random)) % 64 << 6 | ptew);
    cp0_write(core, CP0_PWCTL,
              (random_below(random, 16) == 0 ? 0 : 0x80000000u) | (uint32_t)random_below(random, 4) << 6 |
                  (uint32_t)(random_below(random, 3) == 0 ? random_below(random, 64) : random_below(random, 6)));
    cp0_write(core, CP0_PWBASE, random_below(random, 8) == 0 ? random_pointer(random) : 0x80000000u + TABLES);
    cp0_write(core, CP0_ENTRYHI, (uint32_t)random_below(random, 256));
}

/* Change entries of all tables, and those that the walk for ADDRESS reads first: so that it comes somewhere. */
static void change_tables(struct random *random, struct fixture *f, uint32_t address)
{
    const unsigned ptei = f->core->s.cp0[CP0_PWFIELD] & 63;
    uint32_t *tables = (uint32_t *)(void *)physmem_host(f->mem, TABLES);
    for (unsigned i = 0; i < 16; i++)
        tables[random_below(random, TABLES_SIZE / 4)] =
            random_below(random, 2) ? random_pointer(random) : random_pte(random, ptei);
    for (unsigned level = 0; level < 4; level++) {
        struct manual w = {.f = f};
        manual_walk(&w, address, f->core->s.cp0);
        const uint32_t pa = w.loads > level ? w.address[level] & 0x1fffffff : 0;
        if (pa < TABLES || pa >= TABLES + TABLES_SIZE)
            return;
        uint32_t *entry = (uint32_t *)(void *)physmem_host(f->mem, pa);
        const bool is_leaf = !w.refill && level + 2 >= w.loads;
        *entry = is_leaf || random_below(random, 4) == 0 ? random_pte(random, ptei) : random_pointer(random);
    }
}

static bool is_same(const struct tlb_entry *a, const struct tlb_entry *b)
{
    return a->page_mask == b->page_mask && a->vpn2 == b->vpn2 && a->asid == b->asid && a->global == b->global &&
           a->lo[0] == b->lo[0] && a->lo[1] == b->lo[1];
}

/* What an access finds in ENTRY: -1 the page is good, otherwise the exception. */
static int outcome(const struct manual *w, uint32_t address, enum access access, paddr *pa)
{
    const uint32_t offset = (w->pagemask | 0x1fff) >> 1, lo = w->entrylo[(address & (offset + 1)) != 0];
    *pa = ((lo & 0x03ffffc0) << 6 & ~offset) | (address & offset);
    return !(lo & LO_V)                             ? (access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL)
           : access == ACCESS_STORE && !(lo & LO_D) ? EXC_MOD
                                                    : -1;
}

struct tally {
    unsigned found, refills, huge, large, invalid, levels[4];
};

static void try_walk(struct random *random, struct fixture *f, struct tally *tally)
{
    struct core *core = f->core;
    static struct tlb_entry before[TLB_MAX_ENTRIES];
    const enum access access = (enum access)random_below(random, 3);
    uint32_t address = random_word(random);
    if (address >= 0x80000000u && address < 0xc0000000u)
        address ^= 0x80000000u;
    set_registers(random, core);
    change_tables(random, f, address);
    if (tlb_find(core, address) >= 0) /* large pages map much by and by */
        tlb_reset(core);
    struct manual w = {.f = f};
    manual_walk(&w, address, core->s.cp0);
    memcpy(before, core->s.tlb, sizeof before);
    const struct core_counts counts = core->counts;
    const unsigned index = tlb_random(core);
    paddr pa, expected;
    bool cached;
    made.count = 0;
    memset(&core->exception, 0xff, sizeof core->exception);
    const int raised = tlb_translate(core, address, access, &pa, &cached);
    const bool enabled = core->s.cp0[CP0_PWCTL] >> 31;
    assert_int_equal(made.count, w.loads);
    for (unsigned i = 0; i < w.loads; i++) {
        assert_int_equal(made.load[i].address, w.address[i]);
        assert_int_equal(made.load[i].physical, w.address[i] & 0x1fffffff);
        assert_int_equal(made.load[i].size, w.size[i]);
        assert_int_equal(made.load[i].cached, w.address[i] < 0xa0000000u);
    }
    assert_int_equal(core->counts.walks[access == ACCESS_STORE], counts.walks[access == ACCESS_STORE] + enabled);
    assert_int_equal(core->counts.fetch_walks, counts.fetch_walks + (enabled && access == ACCESS_FETCH));
    assert_int_equal(core->counts.failed_walks, counts.failed_walks + (enabled && w.refill));
    assert_int_equal(core->counts.tlb_writes, counts.tlb_writes + !w.refill);
    tally->levels[w.loads > 3 ? 3 : w.loads]++;
    if (w.refill) {
        tally->refills++;
        assert_int_equal(raised, 1);
        assert_true(core->exception.refill);
        assert_int_equal(core->exception.code, access == ACCESS_STORE ? EXC_TLBS : EXC_TLBL);
        assert_int_equal(core->exception.address, address);
        assert_memory_equal(before, core->s.tlb, sizeof before);
        return;
    }
    tally->found++;
    tally->large += w.pagemask != 0;
    const struct tlb_entry entry = {.page_mask = w.pagemask,
                                    .vpn2 = address & 0xffffe000u & ~w.pagemask,
                                    .asid = core_asid(core),
                                    .global = w.entrylo[0] & w.entrylo[1] & LO_G,
                                    .lo = {w.entrylo[0] & ~(uint32_t)LO_G, w.entrylo[1] & ~(uint32_t)LO_G}};
    assert_true(is_same(&core->s.tlb[index], &entry));
    assert_int_equal(tlb_find(core, address), index);
    for (unsigned i = 0; i < core->tlb_entries; i++) {
        const uint32_t ignored = before[i].page_mask | entry.page_mask;
        const bool overlapped = ((before[i].vpn2 ^ entry.vpn2) & 0xffffe000u & ~ignored) == 0 &&
                                (before[i].global || entry.global || before[i].asid == entry.asid);
        if (i != index)
            assert_true(overlapped || is_same(&before[i], &core->s.tlb[i]));
    }
    const int expected_code = outcome(&w, address, access, &expected);
    assert_int_equal(raised, expected_code >= 0);
    if (expected_code >= 0) {
        tally->invalid++;
        assert_int_equal(core->exception.code, expected_code);
        assert_false(core->exception.refill);
    } else {
        assert_int_equal(pa, expected);
    }
}

static void test_random_tables(void **state)
{
    struct fixture *f = *state;
    const char *wanted = getenv("SIMOS_WALKS");
    const unsigned long walks = wanted ? strtoul(wanted, NULL, 10) : 10000;
    struct random random = random_seeded(1);
    struct tally tally = {0};
    for (unsigned long i = 0; i < walks; i++)
        try_walk(&random, f, &tally);
    printf(
        "%lu walks: %u found (%u of large pages, %u not usable), %u refills; by loads 0: %u, 1: %u, 2: %u, more: %u\n",
        walks, tally.found, tally.large, tally.invalid, tally.refills, tally.levels[0], tally.levels[1],
        tally.levels[2], tally.levels[3]);
    /* no device was read, and the cases are not all of one kind */
    assert_int_equal(f->device_reads, 0);
    assert_true(tally.found > walks / 8 && tally.refills > walks / 8);
    assert_true(tally.large > walks / 100 && tally.invalid > walks / 100 && tally.levels[3] > walks / 20);
}

/* Each core has its own registers and walks its own tables. */
static void test_per_core(void **state)
{
    struct fixture *f = *state;
    paddr pa;
    bool cached;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *directory = (uint32_t *)(void *)physmem_host(f->mem, TABLES + i * 0x2000);
        uint32_t *table = (uint32_t *)(void *)physmem_host(f->mem, TABLES + i * 0x2000 + 0x1000);
        struct core *core = f->cores[i];
        directory[1] = 0x80000000u + TABLES + i * 0x2000 + 0x1000;
        table[0] = lo(0x100000 + i * 0x1000, LO_RW) << 6;
        cp0_write(core, CP0_PWFIELD, 22u << 24 | 12 << 18 | 12 << 12 | 12 << 6 | 6);
        cp0_write(core, CP0_PWSIZE, 10u << 24 | 10 << 6);
        cp0_write(core, CP0_PWBASE, 0x80000000u + TABLES + i * 0x2000);
        cp0_write(core, CP0_PWCTL, 0x80000000u);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tlb_translate(f->cores[i], 0x00400123, ACCESS_LOAD, &pa, &cached), 0);
        assert_int_equal(pa, 0x100123 + i * 0x1000);
    }
    assert_int_equal(tlb_translate(f->cores[2], 0x00400123, ACCESS_LOAD, &pa, &cached), 1);
    assert_true(f->cores[2]->exception.refill);
    /* a miss is not certain to raise an exception any more, for the translator's sake */
    assert_false(tlb_certainly_misses(f->cores[0], 0x00800000));
    assert_true(tlb_certainly_misses(f->cores[2], 0x00800000));
    cp0_write(f->cores[0], CP0_PWCTL, 0);
    assert_true(tlb_certainly_misses(f->cores[0], 0x00800000));
    /* a reset turns it off */
    core_reset(f->cores[1], 0x80000000);
    assert_int_equal(f->cores[1]->tlb_walks, 0);
    assert_int_equal(cp0_read(f->cores[1], CP0_PWFIELD), 0x0c30c302);
}

/* The registers and counts of a checkpoint; it walks on where it was. */
static void test_saved(void **state)
{
    struct fixture *f = *state;
    struct record_options tape = {0};
    struct saved_out out = {.put = tape_put, .opaque = &tape};
    const struct saved_terms terms = {.same_machine = true, .clock_hz = 200000000};
    struct err err = {""};
    paddr pa;
    bool cached;
    test_per_core(state);
    cp0_write(f->core, CP0_PWCTL, 0x800000c5u);
    f->core->mode_buckets[MODE_USER].stall[STALL_PAGE_WALK] = 1234;
    f->core->mode_buckets[MODE_USER].stall[STALL_UNCACHED] = 55;
    const struct core_counts counts = f->core->counts;
    struct saved *saved = saved_create(f->queue);
    core_register_saved(f->core, saved);
    for (size_t n = 0; saved_at(saved, n); n++)
        saved_write(saved_at(saved, n), &out);
    saved_free(saved);
    memset(&f->core->counts, 0, sizeof f->core->counts);
    memset(f->core->mode_buckets, 0, sizeof f->core->mode_buckets);
    core_reset(f->core, 0x80000000);
    struct saved_in in = {.get = tape_get, .opaque = &tape};
    saved = saved_create(f->queue);
    core_register_saved(f->core, saved);
    saved_load_begin(saved);
    for (size_t n = 0; saved_at(saved, n); n++)
        assert_true(saved_read(saved, saved_at(saved, n), &in, &terms, &err));
    assert_true(saved_load_end(saved, &terms, &err));
    assert_int_equal(tape.at, tape.size);
    assert_int_equal(f->core->tlb_walks, 1);
    assert_int_equal(cp0_read(f->core, CP0_PWCTL), 0x800000c5u);
    assert_int_equal(f->core->mode_buckets[MODE_USER].stall[STALL_PAGE_WALK], 1234);
    assert_int_equal(f->core->mode_buckets[MODE_USER].stall[STALL_UNCACHED], 55);
    assert_memory_equal(f->core->counts.walks, counts.walks, sizeof counts.walks);
    assert_int_equal(f->core->counts.failed_walks, counts.failed_walks);
    assert_int_equal(tlb_translate(f->core, 0x00400123, ACCESS_LOAD, &pa, &cached), 0);
    saved_free(saved);
    free(tape.bytes);
}

#define WALKER_TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WALKER_TEST(test_random_tables),
        WALKER_TEST(test_per_core),
        WALKER_TEST(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
