/*
 * Slow path of accesses: those that are not simply a hit in the flat tables and the first-level cache. Each access
 * charges its own stall.
 */
#include "cpu/inorder/inorder.h"

#include "cpu/core/isolated.h"
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/data_watch.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/semantics.h"
#include "cpu/privileged/translation_caches.h"
#include "cpu/privileged/vmap.h"
#include "cpu/privileged/watch_registers.h"
#include <string.h>

_Static_assert((int)MEMSYS_MRU_BYTES <= (int)CORE_MRU_BYTES, "room for all sets");

/* Is the table of permission bytes large enough for all lines of RAM, LINE bytes each, plus one page? */
static bool has_permission_bytes(const struct core *core, uint32_t line)
{
    return line <= PAGE_SIZE && (core->mem->ram_end + PAGE_SIZE) / line <= PERMIT_TABLE_BYTES;
}

/* The modelled cache that accesses act on while CACHE is isolated. */
static enum memsys_cache isolated_model(const struct memsys *memsys, enum isolated_cache cache)
{
    return cache == ISOLATED_INSTRUCTIONS && memsys_entries(memsys, MEMSYS_L1I, NULL) != 0 ? MEMSYS_L1I : MEMSYS_L1D;
}

/* The shape of the caches that can be isolated: that of those modelled at the first level. */
static void set_isolated_shape(const struct inorder *in)
{
    for (unsigned i = 0; in->core->architecture->isolates != 0 && i < ISOLATED_CACHES; i++) {
        const enum memsys_cache cache = isolated_model(in->memsys, (enum isolated_cache)i);
        const uint32_t line = memsys_line(in->memsys, cache), size = memsys_entries(in->memsys, cache, NULL) * line;
        if (size != 0 && (size & (size - 1)) == 0)
            isolated_set_geometry(in->core, (enum isolated_cache)i, size, line);
    }
}

void inorder_init(struct inorder *in, struct core *core, struct memsys *memsys, bool records_use_stamps)
{
    memset(in, 0, sizeof *in);
    in->watched_pc = CORE_NO_PC;
    in->core = core;
    core->cache_levels = 0;
    core->permit_by_space = false;
    core->width = 1;
    in->fetch_line = in->data_line = PAGE_SIZE;
    in->fetch_shift = in->data_shift = PAGE_SHIFT;
    if (memsys == NULL || memsys_is_flat(memsys))
        return;
    in->memsys = memsys;
    in->layout = memsys_layout(memsys);
    set_isolated_shape(in);
    core->cache_levels = memsys_line(memsys, MEMSYS_L3) != 0 ? 3 : memsys_line(memsys, MEMSYS_L2) != 0 ? 2 : 1;
    in->records_use_stamps = records_use_stamps;
    in->prefetches =
        memsys_prefetches(memsys) || memsys_takes_stream_hints(memsys) || memsys_prepares_for_store(memsys);
    if (has_permission_bytes(core, memsys_line(memsys, MEMSYS_L1I)))
        in->fetch_permits = core->permits[PERMIT_TABLE_CODE];
    const struct memsys_fast_model fetch_model = {
        .mru = core_mru_fetch(core), .permissions = in->fetch_permits, .records_use_stamps = records_use_stamps};
    struct memsys_fast_path fetch, data;
    in->fetch_permission =
        memsys_fast_path(memsys, core->number, MEMSYS_L1I, &fetch_model, &fetch) ? PERMIT_READ : PERMIT_NONE;
    in->fetch_line = fetch.line;
    in->fetch_sets = fetch.sets;
    in->fetch_by_space = fetch.by_space;
    in->fetch_index_bits = fetch.by_vaddr | (fetch.by_space ? KSEG0_BASE : 0);
    in->fetch_uses = records_use_stamps ? fetch.uses : (struct memsys_uses){NULL, NULL};
    if (in->fetch_permits != NULL)
        in->fetch_shift = (uint8_t)__builtin_ctz(in->fetch_line);
    const struct memsys_fast_model data_model = {.records_use_stamps = records_use_stamps};
    in->bypass_allowed = memsys_fast_path(memsys, core->number, MEMSYS_L1D, &data_model, &data);
    in->stores = data.stores;
    in->stored = data.stored;
    core->permit_by_space = fetch.by_space || data.by_space;
    in->data_line = data.line;
    in->data_uses = records_use_stamps ? data.uses : (struct memsys_uses){NULL, NULL};
    vmap_set_permit_line(core, in->data_line);
    in->data_shift = core->permit_shift;
}

void inorder_index_by_physical_line(struct inorder *in)
{
    struct core *core = in->core;
    if (in->memsys == NULL || !has_permission_bytes(core, in->data_line) || layout_moves_any_data(in->layout))
        return;
    const struct memsys_fast_model model = {.mru = core_mru_data(core),
                                            .permissions = core_permit_data(core),
                                            .records_use_stamps = in->records_use_stamps};
    struct memsys_fast_path path;
    memsys_fast_path(in->memsys, core->number, MEMSYS_L1D, &model, &path);
    if (path.by_vaddr != 0)
        return;
    in->data_sets = path.sets;
    in->data_permits = core_permit_data(core);
    in->data_shift = (uint8_t)__builtin_ctz(in->data_line);
    vmap_set_permit_line(core, 0);
}

void inorder_set_costs(struct inorder *in, const struct params *params)
{
    in->has_costs = interlock_costs_read(&in->costs, params);
}

static void stall(struct inorder *in, cycles duration)
{
    in->stalls += duration;
    in->budget -= (int64_t)duration;
}

/* Time at which the current instruction makes its access. */
static cycles access_time(const struct inorder *in)
{
    return (cycles)((int64_t)in->end - in->budget);
}

void inorder_fetch_line(struct inorder *in, vaddr pc, paddr address)
{
    const uint8_t *byte = inorder_fetch_permission(in, address);
    if (SIM_LIKELY(byte != NULL && *byte != PERMIT_NONE)) {
        const uint32_t number = address >> in->fetch_shift;
        if (in->fetch_sets != 0)
            core_mru_fetch(in->core)[number & (in->fetch_sets - 1)] = *byte;
        if (in->fetch_uses.time != NULL)
            memsys_record_use(&in->fetch_uses, number, MEMSYS_FETCH, access_time(in));
        return;
    }
    stall(in, inorder_access_fetch(in, pc, address, inorder_fetch_permission(in, address), access_time(in)));
}

/* Charge a load or store of cached RAM. Lines may be shorter than a doubleword. */
static void access_cached(struct inorder *in, enum memsys_access access, vaddr address, paddr pa, unsigned size)
{
    if (SIM_UNLIKELY(in->stall_charged)) {
        in->stall_charged = false;
        return;
    }
    if (SIM_UNLIKELY(size > in->data_line)) {
        size /= 2;
        stall(in, inorder_access_data(in, access, address, pa, size, access_time(in)));
        address += size;
        pa += size;
    }
    stall(in, inorder_access_data(in, access, address, pa, size, access_time(in)));
}

static void access_uncached(struct inorder *in, enum memsys_access access, vaddr address, paddr pa, unsigned size)
{
    const struct memsys_request request = inorder_request(in->core, access, address, pa, size, access_time(in));
    stall(in, memsys_uncached(in->memsys, in->core->number, &request));
}

void inorder_fetch_uncached(struct inorder *in, vaddr pc, paddr address)
{
    const uint64_t before = in->stalls;
    if (in->memsys != NULL)
        access_uncached(in, MEMSYS_FETCH, pc, address, 4);
    in->uncached_fetch_stalls += in->stalls - before;
}

int inorder_translate_fetch(struct inorder *in, vaddr pc, paddr *pa, bool *uncached)
{
    struct core *core = in->core;
    bool cached;
    if (pc & 3)
        return core_raise_address(core, EXC_ADEL, pc, false);
    if (tlb_translate(core, pc, ACCESS_FETCH, pa, &cached))
        return 1;
    if (!physmem_page_is_ram(core->mem, *pa))
        return core_raise(core, EXC_IBE);
    *uncached = !cached && in->memsys != NULL;
    return 0;
}

/* Charge a data access to PA, whose address has been translated. */
static void charge_data(struct inorder *in, enum access access, vaddr address, paddr pa, unsigned size, bool cached)
{
    enum memsys_access kind = access == ACCESS_STORE ? MEMSYS_WRITE : MEMSYS_READ;
    if (in->memsys == NULL)
        return;
    if (cached && physmem_page_is_ram(in->core->mem, pa))
        access_cached(in, kind, address, pa, size);
    else
        access_uncached(in, kind, address, pa, size);
}

/* First part of every data access: translate ADDRESS to PA and charge the stall. A page in the flat table is cached
 * RAM. */
static int begin_access(struct inorder *in, vaddr address, unsigned size, enum access access, paddr *pa)
{
    const uintptr_t *map = access == ACCESS_STORE ? in->core->map->store : in->core->map->load;
    uintptr_t addend = map[address >> PAGE_SHIFT];
    bool cached;
    if (SIM_UNLIKELY(in->core->checked) && watch_registers_check(in->core, access, address))
        return 1;
    if (addend != 0 && SIM_LIKELY(!(address & (size - 1)))) {
        *pa = (paddr)(addend + address); /* physical memory is aligned to 4 GB on the host */
        if (in->memsys != NULL)
            access_cached(in, access == ACCESS_STORE ? MEMSYS_WRITE : MEMSYS_READ, address, *pa, size);
        return 0;
    }
    if (core_translate_data(in->core, address, size, access, pa, &cached))
        return 1;
    charge_data(in, access, address, *pa, size, cached);
    return 0;
}

/* Report a completed access to the data watches. Always returns 0. */
static inline int notify_watch(const struct inorder *in, enum access kind, vaddr address, paddr pa, unsigned size,
                               uint64_t value)
{
    if (SIM_UNLIKELY(in->core->data_watch != NULL))
        data_watch_notify(in->core,
                          &(struct data_access){
                              .kind = kind, .size = (uint8_t)size, .address = address, .physical = pa, .value = value});
    return 0;
}

/* Does the permission byte of PA's line allow the access, so that the memory system need not be called? If so, record
 * the use as required. */
static inline bool hit_is_permitted(struct inorder *in, enum memsys_access access, paddr pa)
{
    const uint32_t number = pa >> in->data_shift;
    if (in->data_permits == NULL || !(in->data_permits[number] & (access == MEMSYS_WRITE ? PERMIT_STORE : PERMIT_READ)))
        return false;
    if (in->data_sets != 0)
        core_mru_data(in->core)[number & (in->data_sets - 1)] = in->data_permits[number];
    if (in->data_uses.time != NULL)
        memsys_record_use(&in->data_uses, number, access, access_time(in));
    return true;
}

/* inorder_access_data() of LOAD of the page-table walker. */
static cycles access_walk(struct inorder *in, const struct page_walk_load *load)
{
    paddr pa = load->physical;
    uint8_t allowed, *permission = inorder_data_permission(in, load->address, &pa, &allowed);
    struct memsys_request request =
        inorder_request(in->core, MEMSYS_READ, load->address, pa, load->size, access_time(in));
    request.walk = true;
    request.permission = permission;
    request.max_permission = allowed;
    return memsys_access(in->memsys, in->core->number, &request);
}

/* Make LOAD of the page-table walker, which may miss. */
static void walk_load(struct inorder *in, const struct page_walk_load *load)
{
    struct core *core = in->core;
    uint64_t *stalls = core->bucket->stall;
    uint64_t before[STALL_COUNT];
    const struct page_walk_misses misses = page_walker_misses(core);
    const uint64_t time = in->stalls;
    memcpy(before, stalls, sizeof before);
    if (load->cached)
        stall(in, access_walk(in, load));
    else
        access_uncached(in, MEMSYS_READ, load->address, load->physical, load->size);
    page_walker_count_misses(core, &misses);
    memcpy(stalls, before, sizeof before);
    stalls[STALL_PAGE_WALK] += in->stalls - time;
}

void inorder_walk_wait(struct inorder *in, cycles duration)
{
    if (in->memsys == NULL)
        return; /* as all accesses, it takes no time */
    stall(in, duration);
    in->core->bucket->stall[STALL_PAGE_WALK] += duration;
}

void inorder_walk_load(struct inorder *in, const struct page_walk_load *load)
{
    if (walk_cache_hits(in->core, load))
        return;
    walk_cache_keep(in->core, load);
    in->core->counts.walk_loads++;
    if (in->memsys == NULL)
        return;
    if (!load->cached || !hit_is_permitted(in, MEMSYS_READ, load->physical))
        walk_load(in, load);
    inorder_walk_wait(in, 1);
}

/* Fast path of an access to RAM within one line. Returns the host address of ADDRESS, with the stall charged, or NULL,
 * without side effects, if the flat tables have no entry or another precondition fails. */
static inline __attribute__((always_inline)) void *access_mapped(struct inorder *in, enum access access, vaddr address,
                                                                 unsigned size)
{
    struct core *core = in->core;
    const bool store = access == ACCESS_STORE;
    const uint32_t page = address >> PAGE_SHIFT;
    const uintptr_t addend = (store ? core->map->store : core->map->load)[page];
    if (SIM_UNLIKELY(addend == 0 || (address & (size - 1)) != 0 || size > in->data_line || in->stall_charged ||
                     core->checked))
        return NULL;
    uint8_t *host = (uint8_t *)(addend + address);
    if (in->memsys == NULL)
        return host;
    const enum memsys_access kind = store ? MEMSYS_WRITE : MEMSYS_READ;
    const paddr pa = (paddr)(uintptr_t)host;
    if (!hit_is_permitted(in, kind, pa))
        stall(in, inorder_access_data(in, kind, address, pa, size, access_time(in)));
    return host;
}

static inline uint32_t read_host(const void *host, unsigned size)
{
    return size == 4 ? *(const uint32_t *)host : size == 1 ? *(const uint8_t *)host : *(const uint16_t *)host;
}

static inline void write_host(void *host, unsigned size, uint32_t value)
{
    if (size == 4)
        *(uint32_t *)host = value;
    else if (size == 1)
        *(uint8_t *)host = (uint8_t)value;
    else
        *(uint16_t *)host = (uint16_t)value;
}

/* Where the isolated cache sees the data at PA. */
static paddr isolated_line(const struct inorder *in, paddr pa)
{
    return isolated_cache(in->core) == ISOLATED_INSTRUCTIONS ? layout_code(in->layout, pa)
                                                             : layout_data(in->layout, pa);
}

/* Perform OP on CACHE: on the line of PA, or on the set that an access of the virtual ADDRESS at PA would select. */
static void cache_operation(struct inorder *in, enum memsys_cache cache, enum memsys_cache_op op, vaddr address,
                            paddr pa)
{
    const struct core *core = in->core;
    memsys_cache_op(
        in->memsys, core->number, cache, op,
        &(struct memsys_request){.address = pa, .virtual_address = address, .space = core_space(core, address)});
}

/* A data access while a cache is isolated (cpu/core/isolated.h). The line is no longer what the modelled cache holds.
 */
static int access_isolated(struct inorder *in, enum access access, vaddr address, unsigned size, uint32_t *value)
{
    struct core *core = in->core;
    paddr pa;
    bool cached;
    if (address & (size - 1))
        return core_raise_address(core, access == ACCESS_STORE ? EXC_ADES : EXC_ADEL, address, false);
    if (tlb_translate(core, address, access, &pa, &cached))
        return 1;
    if (access == ACCESS_LOAD) {
        const bool resident =
            in->memsys == NULL || memsys_look(in->memsys, core->number,
                                              isolated_model(in->memsys, isolated_cache(core)), isolated_line(in, pa))
                                      .valid;
        *value = isolated_load(core, pa, size, resident);
    } else {
        isolated_store(core, pa, size, *value);
        if (in->memsys != NULL)
            cache_operation(in, isolated_model(in->memsys, isolated_cache(core)), MEMSYS_INDEX_INVALIDATE, address,
                            isolated_line(in, pa));
    }
    return 0;
}

int inorder_load(struct inorder *in, vaddr address, unsigned size, uint32_t *value)
{
    paddr pa;
    const void *host = access_mapped(in, ACCESS_LOAD, address, size);
    if (SIM_LIKELY(host != NULL)) {
        *value = read_host(host, size);
        return 0;
    }
    if (SIM_UNLIKELY(in->core->isolated))
        return access_isolated(in, ACCESS_LOAD, address, size, value);
    return begin_access(in, address, size, ACCESS_LOAD, &pa) || core_load_physical(in->core, pa, size, value) ||
           notify_watch(in, ACCESS_LOAD, address, pa, size, *value);
}

int inorder_store(struct inorder *in, vaddr address, unsigned size, uint32_t value)
{
    paddr pa;
    void *host = access_mapped(in, ACCESS_STORE, address, size);
    if (SIM_LIKELY(host != NULL)) {
        write_host(host, size, value);
        return 0;
    }
    if (SIM_UNLIKELY(in->core->isolated))
        return access_isolated(in, ACCESS_STORE, address, size, &value);
    return begin_access(in, address, size, ACCESS_STORE, &pa) || core_store_physical(in->core, pa, size, value) ||
           notify_watch(in, ACCESS_STORE, address, pa, size, value);
}

int inorder_load_double(struct inorder *in, vaddr address, uint64_t *value)
{
    paddr pa;
    uint32_t low, high;
    if (begin_access(in, address, 8, ACCESS_LOAD, &pa) || core_load_physical(in->core, pa, 4, &low) ||
        core_load_physical(in->core, pa + 4, 4, &high))
        return 1;
    *value = (uint64_t)high << 32 | low;
    return notify_watch(in, ACCESS_LOAD, address, pa, 8, *value);
}

int inorder_store_double(struct inorder *in, vaddr address, uint64_t value)
{
    paddr pa;
    return begin_access(in, address, 8, ACCESS_STORE, &pa) || core_store_physical(in->core, pa, 4, (uint32_t)value) ||
           core_store_physical(in->core, pa + 4, 4, (uint32_t)(value >> 32)) ||
           notify_watch(in, ACCESS_STORE, address, pa, 8, value);
}

int inorder_load_linked(struct inorder *in, vaddr address, uint32_t *value)
{
    struct core *core = in->core;
    paddr pa;
    const void *host = access_mapped(in, ACCESS_LOAD, address, 4);
    if (SIM_LIKELY(host != NULL)) {
        *value = *(const uint32_t *)host;
        core->s.ll_bit = true;
        core->s.ll_address = (paddr)(uintptr_t)host;
        return 0;
    }
    if (begin_access(in, address, 4, ACCESS_LOAD, &pa) || core_load_physical(core, pa, 4, value))
        return 1;
    core->s.ll_bit = true;
    core->s.ll_address = pa;
    return notify_watch(in, ACCESS_LOAD, address, pa, 4, *value);
}

int inorder_store_conditional(struct inorder *in, vaddr address, uint32_t value, uint32_t *done)
{
    struct core *core = in->core;
    const uintptr_t addend = core->map->store[address >> PAGE_SHIFT];
    paddr pa = (paddr)(addend + address);
    bool cached = true;
    if (SIM_UNLIKELY(core->checked) && watch_registers_check(core, ACCESS_STORE, address))
        return 1;
    if (SIM_UNLIKELY(addend == 0 || address & 3) && core_translate_data(core, address, 4, ACCESS_STORE, &pa, &cached))
        return 1;
    *done = core->s.ll_bit && core->s.ll_address == pa;
    core->s.ll_bit = false;
    if (!*done)
        return 0;
    void *host = access_mapped(in, ACCESS_STORE, address, 4);
    if (SIM_LIKELY(host != NULL)) {
        *(uint32_t *)host = value;
        return 0;
    }
    charge_data(in, ACCESS_STORE, address, pa, 4, cached);
    return core_store_physical(core, pa, 4, value) || notify_watch(in, ACCESS_STORE, address, pa, 4, value);
}

/* lwl, lwr: an access to the aligned word; an exception reports the unaligned address. There are no alignment
 * exceptions: a byte access has the same translation. */
int inorder_load_unaligned(struct inorder *in, vaddr address, uint32_t *value)
{
    paddr pa;
    if (SIM_UNLIKELY(in->core->isolated))
        return access_isolated(in, ACCESS_LOAD, address & ~3u, 4, value);
    return begin_access(in, address, 1, ACCESS_LOAD, &pa) || core_load_physical(in->core, pa & ~3u, 4, value) ||
           notify_watch(in, ACCESS_LOAD, address & ~3u, pa & ~3u, 4, *value);
}

int inorder_store_merged(struct inorder *in, vaddr address, uint32_t value, uint32_t mask)
{
    paddr pa;
    uint32_t old;
    if (SIM_UNLIKELY(in->core->isolated))
        return access_isolated(in, ACCESS_STORE, address, mask == UINT32_MAX ? 4 : 1, &value);
    if (begin_access(in, address, 1, ACCESS_STORE, &pa) || core_load_physical(in->core, pa & ~3u, 4, &old))
        return 1;
    value = (old & ~mask) | (value & mask);
    return core_store_physical(in->core, pa & ~3u, 4, value) ||
           notify_watch(in, ACCESS_STORE, address & ~3u, pa & ~3u, 4, value);
}

/* Perform OP on all lines of CACHE that hold a unit of the line of the architected size (CP0_CACHE_LINE) at virtual
 * ADDRESS and PA: the modelled lines may be shorter, and the units in different ones. INSN: these are instructions. */
static void operate_on_line(struct inorder *in, enum memsys_cache cache, enum memsys_cache_op op, vaddr address,
                            paddr pa, bool insn)
{
    const uint32_t line = memsys_line(in->memsys, cache);
    const bool is_moved = insn ? layout_moves_code(in->layout, pa) : layout_moves_data(in->layout, pa);
    const uint32_t step = is_moved ? LAYOUT_UNIT : line;
    const paddr announced = pa & ~(paddr)(CP0_CACHE_LINE - 1);
    paddr before = 0;
    for (uint32_t offset = 0; offset < CP0_CACHE_LINE; offset += step) {
        const paddr at = announced + offset;
        const paddr seen = insn ? layout_code(in->layout, at) : layout_data(in->layout, at);
        if (offset == 0 || ((seen ^ before) & ~(line - 1)) != 0)
            cache_operation(in, cache, op, (address & ~(vaddr)(CP0_CACHE_LINE - 1)) + offset, seen);
        before = seen;
    }
}

static void first_level_operation(struct inorder *in, enum memsys_cache cache, enum memsys_cache_op op, vaddr address,
                                  paddr pa)
{
    operate_on_line(in, cache, op, address, pa, cache == MEMSYS_L1I);
}

/* Perform OP on the second level's lines with the instructions or data at virtual ADDRESS and PA. */
static void second_level_operation(struct inorder *in, enum memsys_cache_op op, vaddr address, paddr pa)
{
    if (!layout_moves_code(in->layout, pa) && !layout_moves_data(in->layout, pa)) {
        cache_operation(in, MEMSYS_L2, op, address, pa);
        return;
    }
    operate_on_line(in, MEMSYS_L2, op, address, pa, true);
    operate_on_line(in, MEMSYS_L2, op, address, pa, false);
}

/* The CACHE instruction: bits 17:16 select the cache, 20:18 the operation (MIPS32 vol. II, table "encoding of the op
 * field"). The data are always in RAM, so only tags and states change. Index load and store tag, instruction cache
 * fill, and fetch and lock are ignored. The address of an index operation is not translated, in any segment. */
int inorder_cache_operation(struct inorder *in, const struct insn *insn)
{
    enum { INDEX = 0, HIT_INVALIDATE = 4, HIT_WRITEBACK_INVALIDATE = 5, HIT_WRITEBACK = 6 };
    enum { INSTRUCTION = 0, DATA = 1, SECONDARY = 3 };
    struct core *core = in->core;
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
    if (in->memsys == NULL || !cached || !(operation == INDEX || by_address))
        return 0;
    if (which == SECONDARY)
        second_level_operation(in, operations[operation], address, pa);
    else if (which == DATA)
        first_level_operation(in, MEMSYS_L1D, operations[operation], address, pa);
    else if (which == INSTRUCTION && (operation == INDEX || operation == HIT_INVALIDATE))
        first_level_operation(in, MEMSYS_L1I, operations[operation], address, pa);
    return 0;
}

/* synci: write the line back from the data cache and invalidate it in the instruction cache. */
int inorder_synci(struct inorder *in, const struct insn *insn)
{
    paddr pa;
    bool cached;
    const vaddr address = in->core->s.gpr[insn->rs] + (uint32_t)insn->imm;
    if (sem_synci(in->core, insn, &pa, &cached))
        return 1;
    if (in->memsys != NULL && cached) {
        first_level_operation(in, MEMSYS_L1D, MEMSYS_HIT_WRITEBACK, address, pa);
        first_level_operation(in, MEMSYS_L1I, MEMSYS_HIT_INVALIDATE, address, pa);
    }
    return 0;
}

/* Translate ADDRESS with the permissions of the current mode; true if it is cached RAM. */
static bool find_cached(const struct core *core, vaddr address, paddr *pa)
{
    uintptr_t addend = core->map->load[address >> PAGE_SHIFT];
    *pa = (paddr)(addend + address);
    if (addend != 0)
        return true;
    return !(core->user_mode && !vaddr_in_kuseg(address)) && tlb_probe_cached(core, address, pa) &&
           physmem_page_is_ram(core->mem, *pa);
}

cycles inorder_prefetch(struct inorder *in, const struct insn *insn, bool indexed, cycles now)
{
    struct core *core = in->core;
    const vaddr address = core->s.gpr[insn->rs] + (indexed ? core->s.gpr[insn->rt] : (uint32_t)insn->imm);
    paddr pa;
    const enum prefetch_kind kind = core->architecture->prefetches[(indexed ? insn->rd : insn->rt) % PREFETCH_HINTS];
    if (!in->prefetches || kind == PREFETCH_NOTHING || !find_cached(core, address, &pa))
        return 0;
    const struct memsys_request request =
        inorder_request(core, MEMSYS_READ, address, layout_data(in->layout, pa), 1, now);
    if (kind == PREFETCH_PREPARE)
        return memsys_prepare_for_store(in->memsys, core->number, &request);
    if (kind == PREFETCH_STREAMED)
        memsys_prefetch_streamed(in->memsys, core->number, &request);
    else
        memsys_prefetch(in->memsys, core->number, &request);
    return 0;
}
