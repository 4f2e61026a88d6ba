/* The page-table walker and its registers. */
#include "cpu/privileged/page_walker.h"

#include "cpu/model.h"
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/privileged/translation_caches.h"
#include "cpu/segments.h"
#include <string.h>

/* Fields of 6 bits, at the same places of PWField (from which bit of the address its index is taken, or PTEI) and
 * PWSize (the number of bits of its index, or PTEW). MDI, UDI, GDI: middle, upper and global directory. */
enum { FIELD_PTE = 0, FIELD_PT = 6, FIELD_MD = 12, FIELD_UD = 18, FIELD_GD = 24, FIELD_BITS = 0x3f };
static const uint8_t directories[] = {FIELD_GD, FIELD_UD, FIELD_MD};
#define FIELDS_MASK   0x3fffffffu
#define PWFIELD_RESET (12u << FIELD_GD | 12u << FIELD_UD | 12u << FIELD_MD | 12u << FIELD_PT | 2u << FIELD_PTE)
#define PWSIZE_RESET  (1u << FIELD_PT)
enum { INDEX_LOWEST = 12, PTEI_LOWEST = 2, PTEI_HIGHEST = 31, WORD_SHIFT = 2 };

#define PWCTL_PWEN 0x80000000u
enum { PWCTL_PSN = 0x3f, PWCTL_HUGEPG = 1 << 6, PWCTL_DPH = 1 << 7 };
#define PWCTL_MASK   (PWCTL_PWEN | PWCTL_DPH | PWCTL_HUGEPG | PWCTL_PSN)
#define CONFIG3_PW   (1u << 24)
#define ENTRY_GLOBAL 1u

static unsigned field_of(uint32_t reg, unsigned shift)
{
    return reg >> shift & FIELD_BITS;
}

/* COUNT bits of ADDRESS from bit FIRST on. */
static uint32_t bits_of(vaddr address, unsigned first, unsigned count)
{
    const uint64_t all = (uint64_t)address >> first;
    return (uint32_t)(count < 32 ? all & ((UINT64_C(1) << count) - 1) : all);
}

/* Registers */

uint32_t cp0_reset_bits_config3(const struct core *core)
{
    return core->has_page_walker ? CONFIG3_PW : 0;
}

uint32_t cp0_reset_bits_pwfield(const struct core *core)
{
    return core->has_page_walker ? PWFIELD_RESET : 0;
}

uint32_t cp0_reset_bits_pwsize(const struct core *core)
{
    return core->has_page_walker ? PWSIZE_RESET : 0;
}

/* For which registers the walk is plain. */
static struct page_walk_plan plan_of(const uint32_t *cp0)
{
    const uint32_t field = cp0[CP0_PWFIELD], size = cp0[CP0_PWSIZE];
    const unsigned directory = field_of(size, FIELD_GD), pages = field_of(size, FIELD_PT);
    enum { WIDEST = 20 }; /* bits of an index, whose mask is then a word's */
    const bool is_plain = directory > 0 && directory <= WIDEST && pages <= WIDEST && field_of(size, FIELD_UD) == 0 &&
                          field_of(size, FIELD_MD) == 0 && field_of(size, FIELD_PTE) == 0 &&
                          field_of(field, FIELD_GD) < 32 && field_of(field, FIELD_PT) == PAGE_SHIFT &&
                          !(cp0[CP0_PWCTL] & PWCTL_HUGEPG) && vaddr_in_kseg0(cp0[CP0_PWBASE]);
    return (struct page_walk_plan){.is_plain = is_plain,
                                   .directory_shift = (uint8_t)field_of(field, FIELD_GD),
                                   .entry_shift = (uint8_t)field_of(field, FIELD_PTE),
                                   .directory_mask = (1u << directory % 32) - 1,
                                   .table_mask = (1u << pages % 32) - 1};
}

void page_walker_update(struct core *core)
{
    core->tlb_walks = core->has_page_walker && core->s.cp0[CP0_PWCTL] & PWCTL_PWEN;
    if (core->tlb_walks)
        core->walk_plan = plan_of(core->s.cp0);
}

static void write_register(struct core *core, unsigned number, uint32_t value)
{
    if (core->has_page_walker)
        core->s.cp0[number] = value;
    page_walker_update(core);
}

void cp0_write_pwbase(struct core *core, uint32_t value)
{
    write_register(core, CP0_PWBASE, value);
}

/* A write of an index below 12 has no effect at all, on any field (Linux relies on it). A shift
 * that is not available is written as 0, by which software finds out which are. */
void cp0_write_pwfield(struct core *core, uint32_t value)
{
    const unsigned shift = field_of(value, FIELD_PTE);
    value &= FIELDS_MASK;
    for (unsigned field = FIELD_PT; field <= FIELD_GD; field += FIELD_MD - FIELD_PT)
        if (field_of(value, field) < INDEX_LOWEST)
            return;
    if (shift < PTEI_LOWEST || shift > PTEI_HIGHEST)
        value &= ~(uint32_t)FIELD_BITS;
    write_register(core, CP0_PWFIELD, value);
}

void cp0_write_pwsize(struct core *core, uint32_t value)
{
    write_register(core, CP0_PWSIZE, value & FIELDS_MASK);
}

void cp0_write_pwctl(struct core *core, uint32_t value)
{
    write_register(core, CP0_PWCTL, value & PWCTL_MASK);
}

/* The walk */

/* What all steps of a walk need. */
struct walk {
    const struct core *core;
    vaddr address; /* that missed */
    uint32_t field, size, control;
    unsigned entry_shift;     /* log2 of the size of a PTE in bytes */
    unsigned directory_shift; /* ... and of an entry of a directory, which may be a PTE with HugePg */
    struct page_walk *result;
};

static bool load(const struct walk *walk, vaddr address, unsigned shift, uint64_t *value)
{
    struct page_walk *result = walk->result;
    struct page_walk_load *made = &result->load[result->loads];
    *value = 0;
    if (address & ((1u << shift) - 1) || !vaddr_is_unmapped(address) ||
        !physmem_page_is_ram(walk->core->mem, vaddr_physical(address)))
        return false;
    *made = (struct page_walk_load){.address = address, .size = (uint8_t)(1u << shift)};
    made->cached = tlb_probe_cached(walk->core, address, &made->physical);
    memcpy(value, physmem_host(walk->core->mem, made->physical), made->size);
    result->loads++;
    return true;
}

/* EntryLo of a PTE: its software bits are shifted out, and the lowest two of what remains rotated into RI and XI, so
 * that it moves by PTEI altogether. */
static uint32_t entrylo_of(const struct walk *walk, uint64_t pte)
{
    const struct cp0_register *row = &walk->core->architecture->cp0[CP0_ENTRYLO0];
    return (uint32_t)(pte >> field_of(walk->field, FIELD_PTE)) & row->write_mask;
}

static void enter(const struct walk *walk, uint32_t page_bytes_mask, uint32_t lo0, uint32_t lo1)
{
    const struct tlb_format *format = &walk->core->architecture->tlb;
    const uint32_t mask = tlb_page_mask(page_bytes_mask >> PAGE_SHIFT << (PAGE_SHIFT + 1));
    walk->result->found = true;
    walk->result->entry = (struct tlb_entry){.page_mask = mask,
                                             .vpn2 = walk->address & format->vpn & ~mask,
                                             .asid = core_asid(walk->core),
                                             .global = lo0 & lo1 & ENTRY_GLOBAL,
                                             .lo = {lo0 & ~ENTRY_GLOBAL, lo1 & ~ENTRY_GLOBAL}};
}

/* The mask of the offset in 2^BITS bytes. */
static uint32_t offset_mask(unsigned bits)
{
    return bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
}

/* PTE, at AT in a directory whose index is from bit INDEX on, is that of a huge page: of 2^INDEX bytes, one of a pair
 * in two entries, if INDEX is even; if it is odd, the two halves of these bytes are the pair. */
static void enter_huge(const struct walk *walk, unsigned index, vaddr at, uint64_t pte)
{
    uint32_t lo[2];
    if (index % 2 == 1) {
        const uint32_t half = index < 32 ? 1u << (index - 1) >> TLB_PFN_SHIFT : 0;
        const uint32_t both = entrylo_of(walk, pte);
        enter(walk, offset_mask(index - 1), both & ~half, both | half);
    } else if (walk->control & PWCTL_DPH) {
        const vaddr entry = 1u << walk->directory_shift;
        const bool odd = at & entry;
        uint64_t other;
        if (!load(walk, at ^ entry, walk->directory_shift, &other))
            return;
        lo[odd] = entrylo_of(walk, pte);
        lo[!odd] = entrylo_of(walk, other);
        enter(walk, offset_mask(index), lo[0], lo[1]);
    }
}

static void read_tables(const struct walk *walk)
{
    const uint32_t size = walk->size;
    vaddr table = walk->core->s.cp0[CP0_PWBASE];
    uint64_t value;
    for (unsigned i = 0; i < sizeof directories; i++) {
        const unsigned index = field_of(walk->field, directories[i]), width = field_of(size, directories[i]);
        const vaddr at = table | bits_of(walk->address, index, width) << walk->directory_shift;
        if (width == 0)
            continue;
        if (!load(walk, at, walk->directory_shift, &value))
            return;
        if (walk->control & PWCTL_HUGEPG && value >> (walk->control & PWCTL_PSN) & 1) {
            enter_huge(walk, index, at, value);
            return;
        }
        struct page_walk_load *made = &walk->result->load[walk->result->loads - 1];
        made->directory = true;
        made->value = value;
        table = (vaddr)value;
    }
    const unsigned index = field_of(walk->field, FIELD_PT);
    const uint32_t page = bits_of(walk->address, index, field_of(size, FIELD_PT));
    const vaddr even = table | page >> 1 << (walk->entry_shift + 1);
    uint64_t second;
    if (load(walk, even, walk->entry_shift, &value) &&
        load(walk, even | 1u << walk->entry_shift, walk->entry_shift, &second))
        enter(walk, offset_mask(index), entrylo_of(walk, value), entrylo_of(walk, second));
}

/* The plain walk (struct page_walk_plan). */

enum { PLAIN_LOADS = 3 };

/* The word at ADDRESS, in RAM, in kseg0; false: it is not that. */
static inline bool read_word(const struct core *core, vaddr address, uint32_t *word)
{
    const paddr pa = vaddr_physical(address);
    if (!vaddr_in_kseg0(address) || address & 3 || !physmem_page_is_ram(core->mem, pa))
        return false;
    *word = *(const uint32_t *)(const void *)physmem_host(core->mem, pa);
    return true;
}

/* The entry for ADDRESS, and from where it is loaded. False: read_tables() finds out what there is. */
static inline bool walk_plain(const struct core *core, vaddr address, vaddr at[PLAIN_LOADS], struct tlb_entry *entry)
{
    const struct page_walk_plan *plan = &core->walk_plan;
    const uint32_t writable = core->architecture->cp0[CP0_ENTRYLO0].write_mask;
    uint32_t table, even, odd;
    if (!plan->is_plain)
        return false;
    at[0] = core->s.cp0[CP0_PWBASE] | (address >> plan->directory_shift & plan->directory_mask) << WORD_SHIFT;
    if (!read_word(core, at[0], &table))
        return false;
    at[1] = table | (address >> PAGE_SHIFT & plan->table_mask & ~1u) << WORD_SHIFT;
    at[2] = at[1] | 1u << WORD_SHIFT;
    if (!read_word(core, at[1], &even) || !read_word(core, at[2], &odd))
        return false;
    even = even >> plan->entry_shift & writable;
    odd = odd >> plan->entry_shift & writable;
    *entry = (struct tlb_entry){.vpn2 = address & core->architecture->tlb.vpn,
                                .asid = core_asid(core),
                                .global = even & odd & ENTRY_GLOBAL,
                                .lo = {even & ~ENTRY_GLOBAL, odd & ~ENTRY_GLOBAL}};
    return true;
}

static bool read_plain(const struct core *core, vaddr address, struct page_walk *walk)
{
    vaddr at[PLAIN_LOADS];
    paddr pa;
    if (!walk_plain(core, address, at, &walk->entry))
        return false;
    const bool cached = tlb_probe_cached(core, at[0], &pa);
    for (walk->loads = 0; walk->loads < PLAIN_LOADS; walk->loads++)
        walk->load[walk->loads] = (struct page_walk_load){.address = at[walk->loads],
                                                          .physical = vaddr_physical(at[walk->loads]),
                                                          .size = sizeof(uint32_t),
                                                          .cached = cached};
    walk->load[0].directory = true;
    walk->load[0].value = *(const uint32_t *)(const void *)physmem_host(core->mem, walk->load[0].physical);
    return walk->found = true;
}

void page_walker_read(const struct core *core, vaddr address, struct page_walk *walk)
{
    if (read_plain(core, address, walk))
        return;
    const uint32_t size = core->s.cp0[CP0_PWSIZE], control = core->s.cp0[CP0_PWCTL];
    const unsigned wide = field_of(size, FIELD_PTE);
    const struct walk state = {.core = core,
                               .address = address,
                               .field = core->s.cp0[CP0_PWFIELD],
                               .size = size,
                               .control = control,
                               .entry_shift = WORD_SHIFT + wide,
                               .directory_shift = WORD_SHIFT + (control & PWCTL_HUGEPG ? wide : 0),
                               .result = walk};
    walk->loads = 0;
    walk->found = false;
    /* there must be a directory, and no PTE has more than two words */
    if ((size >> FIELD_MD) != 0 && wide <= 1)
        read_tables(&state);
}

bool page_walker_fill(struct core *core, vaddr address, enum access access)
{
    struct tlb_entry entry;
    vaddr at[PLAIN_LOADS];
    if (core->tlb_large != 0 || core->observer != NULL || core->translation != NULL ||
        !walk_plain(core, address, at, &entry))
        return false;
    core->counts.walks[access == ACCESS_STORE]++;
    core->counts.fetch_walks += access == ACCESS_FETCH;
    core->counts.walk_loads += PLAIN_LOADS;
    core->counts.tlb_fills[access == ACCESS_FETCH]++;
    if (tlb_fill(core, &entry, address, access == ACCESS_FETCH) && access != ACCESS_FETCH)
        core->attention = true;
    return true;
}

/* Is the entry that WALK found in the second-level TLB, where the model looks it up first? */
static bool is_in_tlb2(struct core *core, const struct page_walk *walk)
{
    const cycles latency = tlb2_latency(core);
    if (latency > 0 && core->model != NULL && core->model_ops->walk_wait != NULL)
        core->model_ops->walk_wait(core->model, latency);
    return walk->found && tlb2_look_up(core, &walk->entry);
}

static void fill(struct core *core, const struct tlb_entry *entry, vaddr address, enum access access)
{
    core->counts.tlb_fills[access == ACCESS_FETCH]++;
    if (tlb_fill(core, entry, address, access == ACCESS_FETCH) && access != ACCESS_FETCH)
        core->attention = true; /* which is looked up once in a page */
}

bool page_walker_walk(struct core *core, vaddr address, enum access access)
{
    struct page_walk walk;
    struct core_counts *counts = &core->counts;
    page_walker_read(core, address, &walk);
    if (core->translation != NULL && is_in_tlb2(core, &walk)) {
        fill(core, &walk.entry, address, access);
        return true;
    }
    counts->walks[access == ACCESS_STORE]++;
    counts->fetch_walks += access == ACCESS_FETCH;
    for (unsigned i = 0; i < walk.loads; i++)
        if (core->model != NULL && core->model_ops->walk_load != NULL)
            core->model_ops->walk_load(core->model, &walk.load[i]);
    if (!walk.found)
        counts->failed_walks++;
    else
        fill(core, &walk.entry, address, access);
    if (SIM_UNLIKELY(core->observer != NULL) && core->observer->page_walked)
        core->observer->page_walked(core->observer_opaque, core, address, walk.found);
    return walk.found;
}
