/*
 * mipsy's slow paths: what the interpreter calls when an access is not a plain hit in the flat tables and the first
 * level. Each accounts its own stall.
 */
#include "cpu/mipsy/mipsy.h"

#include "cpu/cp0.h"
#include "cpu/semantics.h"
#include "cpu/vmap.h"

static void stall(struct mipsy *m, cycles duration)
{
    m->stalls += duration;
    m->budget -= (int64_t)duration;
}

void mipsy_sync(struct mipsy *m)
{
    struct core *core = m->core;
    cycles now = (cycles)((int64_t)m->end - m->budget);
    core->s.insns += (now - m->synced_cycle) - (m->stalls - m->synced_stalls);
    core->s.cycle = now;
    m->synced_cycle = now;
    m->synced_stalls = m->stalls;
}

void mipsy_fetch_line(struct mipsy *m, paddr address)
{
    if (!l1_read_hit(m->l1i, address))
        stall(m, memsys_miss(m->memsys, m->core->number, MEMSYS_FETCH, address, m->core->bucket));
}

void mipsy_data_miss(struct mipsy *m, enum memsys_access access, paddr address)
{
    stall(m, memsys_miss(m->memsys, m->core->number, access, address, m->core->bucket));
}

void mipsy_fetch_uncached(struct mipsy *m, paddr address)
{
    if (m->memsys != NULL)
        stall(m, memsys_uncached(m->memsys, m->core->number, MEMSYS_FETCH, address, m->core->bucket));
}

struct mipsy_page *mipsy_lookup(struct mipsy *m, vaddr pc)
{
    struct core *core = m->core;
    paddr pa;
    bool cached;
    if (pc & 3) {
        core_raise_address(core, EXC_ADEL, pc, false);
        return NULL;
    }
    if (tlb_translate(core, pc, ACCESS_FETCH, &pa, &cached))
        return NULL;
    if (!physmem_page_is_ram(core->mem, pa)) {
        core_raise(core, EXC_IBE);
        return NULL;
    }
    struct mipsy_page *page = mipsy_page_get(m->pages, core, pa & ~(paddr)(PAGE_SIZE - 1), !cached && m->memsys);
    vmap_enter_code(core, pc, page);
    return page;
}

/* Time a data access to PA of which the address has been translated. */
static void time_data(struct mipsy *m, enum memsys_access access, paddr pa, bool cached)
{
    if (m->memsys == NULL)
        return;
    if (!cached || !physmem_page_is_ram(m->core->mem, pa)) {
        stall(m, memsys_uncached(m->memsys, m->core->number, access, pa, m->core->bucket));
        return;
    }
    bool hit = access == MEMSYS_WRITE ? l1_write_hit(m->l1d, pa) : l1_read_hit(m->l1d, pa);
    if (!hit)
        mipsy_data_miss(m, access, pa);
}

/* What every data access begins with: translate ADDRESS to PA, and take the time. */
static int begin_access(struct mipsy *m, vaddr address, unsigned size, enum access access, paddr *pa)
{
    bool cached;
    if (core_translate_data(m->core, address, size, access, pa, &cached))
        return 1;
    time_data(m, access == ACCESS_STORE ? MEMSYS_WRITE : MEMSYS_READ, *pa, cached);
    return 0;
}

int mipsy_load(struct mipsy *m, vaddr address, unsigned size, uint32_t *value)
{
    paddr pa;
    return begin_access(m, address, size, ACCESS_LOAD, &pa) || core_load_physical(m->core, pa, size, value);
}

int mipsy_store(struct mipsy *m, vaddr address, unsigned size, uint32_t value)
{
    paddr pa;
    return begin_access(m, address, size, ACCESS_STORE, &pa) || core_store_physical(m->core, pa, size, value);
}

int mipsy_load_double(struct mipsy *m, vaddr address, uint64_t *value)
{
    paddr pa;
    uint32_t low, high;
    if (begin_access(m, address, 8, ACCESS_LOAD, &pa) || core_load_physical(m->core, pa, 4, &low) ||
        core_load_physical(m->core, pa + 4, 4, &high))
        return 1;
    *value = (uint64_t)high << 32 | low;
    return 0;
}

int mipsy_store_double(struct mipsy *m, vaddr address, uint64_t value)
{
    paddr pa;
    return begin_access(m, address, 8, ACCESS_STORE, &pa) || core_store_physical(m->core, pa, 4, (uint32_t)value) ||
           core_store_physical(m->core, pa + 4, 4, (uint32_t)(value >> 32));
}

int mipsy_load_linked(struct mipsy *m, vaddr address, uint32_t *value)
{
    struct core *core = m->core;
    paddr pa;
    if (begin_access(m, address, 4, ACCESS_LOAD, &pa) || core_load_physical(core, pa, 4, value))
        return 1;
    core->s.ll_bit = true;
    core->s.ll_address = pa;
    return 0;
}

int mipsy_store_conditional(struct mipsy *m, vaddr address, uint32_t value, uint32_t *done)
{
    struct core *core = m->core;
    paddr pa;
    bool cached;
    if (core_translate_data(core, address, 4, ACCESS_STORE, &pa, &cached))
        return 1;
    *done = core->s.ll_bit && core->s.ll_address == pa;
    core->s.ll_bit = false;
    if (!*done)
        return 0;
    time_data(m, MEMSYS_WRITE, pa, cached);
    return core_store_physical(core, pa, 4, value);
}

/* lwl, lwr: an access to the aligned word, but a fault reports the address as given. Alignment never faults: a byte
 * access has the same translation. */
int mipsy_load_unaligned(struct mipsy *m, vaddr address, uint32_t *value)
{
    paddr pa;
    return begin_access(m, address, 1, ACCESS_LOAD, &pa) || core_load_physical(m->core, pa & ~3u, 4, value);
}

int mipsy_store_merged(struct mipsy *m, vaddr address, uint32_t value, uint32_t mask)
{
    paddr pa;
    uint32_t old;
    if (begin_access(m, address, 1, ACCESS_STORE, &pa) || core_load_physical(m->core, pa & ~3u, 4, &old))
        return 1;
    return core_store_physical(m->core, pa & ~3u, 4, (old & ~mask) | (value & mask));
}

/* OP on all lines of a first-level cache of which a byte lies in the announced line of PA: the modelled lines may be
 * shorter than what the guest takes for one. */
static void first_level_operation(struct mipsy *m, enum memsys_cache cache, enum memsys_cache_op op, paddr pa)
{
    const struct l1_cache *l1 = cache == MEMSYS_L1I ? m->l1i : m->l1d;
    paddr announced = pa & ~(paddr)(CP0_CACHE_LINE - 1);
    for (uint32_t offset = 0; offset < CP0_CACHE_LINE; offset += 1u << l1->line_shift)
        memsys_cache_op(m->memsys, m->core->number, cache, op, announced + offset);
}

/* The CACHE instruction: bits 17:16 choose the cache, 20:18 the operation (MIPS32 vol. II, table "encoding of the op
 * field"). Data are in RAM, so only tags and states change; tag loads and stores, the instruction cache's fill, and
 * fetch-and-lock are ignored. */
int mipsy_cache_operation(struct mipsy *m, const struct insn *insn)
{
    enum { INDEX = 0, HIT_INVALIDATE = 4, HIT_WRITEBACK_INVALIDATE = 5, HIT_WRITEBACK = 6 };
    enum { INSTRUCTION = 0, DATA = 1, SECONDARY = 3 };
    struct core *core = m->core;
    static const enum memsys_cache_op operations[] = {
        [INDEX] = MEMSYS_INDEX_INVALIDATE,
        [HIT_INVALIDATE] = MEMSYS_HIT_INVALIDATE,
        [HIT_WRITEBACK_INVALIDATE] = MEMSYS_HIT_WRITEBACK_INVALIDATE,
        [HIT_WRITEBACK] = MEMSYS_HIT_WRITEBACK,
    };
    unsigned which = insn->rt & 3, operation = (insn->rt >> 2) & 7;
    vaddr address = core->s.gpr[insn->rs] + (uint32_t)insn->imm;
    if (sem_check_coprocessor0(core))
        return 1;
    bool by_address = operation >= HIT_INVALIDATE && operation <= HIT_WRITEBACK;
    paddr pa = address & 0x1fffffff;
    bool cached = true;
    if (by_address && tlb_translate(core, address, ACCESS_LOAD, &pa, &cached))
        return 1;
    if (m->memsys == NULL || !cached || !(operation == INDEX || by_address))
        return 0;
    if (which == SECONDARY)
        memsys_cache_op(m->memsys, core->number, MEMSYS_L2, operations[operation], pa);
    else if (which == DATA)
        first_level_operation(m, MEMSYS_L1D, operations[operation], pa);
    else if (which == INSTRUCTION && (operation == INDEX || operation == HIT_INVALIDATE))
        first_level_operation(m, MEMSYS_L1I, operations[operation], pa);
    return 0;
}

/* synci: the line is written back from the data cache and leaves the instruction cache. */
int mipsy_synchronize_code(struct mipsy *m, const struct insn *insn)
{
    paddr pa;
    bool cached;
    if (sem_synci(m->core, insn, &pa, &cached))
        return 1;
    if (m->memsys != NULL && cached) {
        first_level_operation(m, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, pa);
        first_level_operation(m, MEMSYS_L1I, MEMSYS_HIT_INVALIDATE, pa);
    }
    return 0;
}
