/*
 * Common part of the in-order models (mipsy, embra): accounting of time within a run, the slow path of accesses, and
 * the interpreter.
 *
 * Time: every instruction takes one cycle, plus its stalls and interlocks (cpu/core/interlock.h); `budget` is the
 * number of cycles left in the run. An instruction starts only if a cycle is left; that cycle has already been
 * subtracted when the functions below are called.
 */
#ifndef SIMOS_CPU_INORDER_INORDER_H
#define SIMOS_CPU_INORDER_INORDER_H

#include "cache/placement/layout_map.h"
#include "cache/memsys.h"
#include "cache/store_queue.h"
#include "cpu/core.h"
#include "cpu/core/interlock.h"
#include "cpu/observe/cycle_watch.h"

struct page_walk_load;

struct inorder {
    struct core *core;
    struct memsys *memsys;           /* NULL if no caches are modelled */
    const struct layout_map *layout; /* where the caches see code and data; NULL: where they are */
    /* Number of instruction cache sets whose MRU line the model records in core_mru_fetch(); 0: not recorded. */
    uint32_t fetch_sets;
    uint32_t data_sets;             /* likewise for data, in core_mru_data() */
    uint32_t fetch_line, data_line; /* first-level line sizes in bytes; the page size if no caches are modelled */
    uint8_t
        *fetch_permits; /* core->permits[PERMIT_TABLE_CODE]; NULL: instruction lines have no permission bytes there */
    uint8_t fetch_permission; /* permission granted to a fetch (enum memsys_permission) */
    uint8_t *data_permits;    /* permission bytes by physical line number (inorder_index_by_physical_line()), or NULL */
    uint8_t data_shift;       /* log2 of the size of a line with a permission byte */
    uint8_t fetch_shift;      /* physical address >> fetch_shift is the index of a permission byte in
                                 core->permits[PERMIT_TABLE_CODE] */
    /* The bits of a virtual address that select the set of an instruction line: by_vaddr of struct memsys_fast_path,
     * and with by_space the bit in which user addresses differ from others. If nonzero, the model uses a different
     * numbering for that table. */
    vaddr fetch_index_bits;
    bool fetch_by_space; /* by_space of struct memsys_fast_path */

    /* Where to record the time of each use of a line that bypasses the memory system, by physical line number;
     * without a table of times: not recorded. */
    struct memsys_uses fetch_uses, data_uses;
    bool prefetches; /* pref and prefx have an effect in the memory system */
    bool records_use_stamps;
    struct store_queue *stores; /* where stores with PERMIT_QUEUE go, or NULL; *stored counts them, if not NULL */
    uint64_t *stored;
    bool bypass_allowed; /* accesses may bypass the memory system: uses are recorded, or not needed */

    bool maps_host_pages; /* core->map->code holds host addresses of pages */
    bool translated;      /* this is the first member of a struct translated (cpu/translate) */
    bool counts_begun;    /* instructions whose cycle has already been charged are executions too (mxs) */
    bool stall_charged;   /* the stall of the current access has already been charged (translator) */

    bool has_costs; /* instructions have other costs than one cycle: */
    struct interlock_costs costs;

    cycles end;            /* time at which the budget reaches 0 */
    int64_t budget;        /* cycles left, as of the last slow path */
    uint64_t stalls;       /* total cycles of stalls, interlocks and hooks */
    uint64_t insns_offset; /* during a run: s.insns less the cycles that are not in `stalls` */
    vaddr watched_pc;      /* the instruction that a cycle watch sees is at, or CORE_NO_PC */
    bool running;          /* in inorder_run(): budget is ahead of s.cycle */

    uint64_t uncached_fetch_stalls;                        /* total cycles of stalls of uncached fetches */
    uint64_t hook_cycles;                                  /* total cycles that hooks take (core_hook_add_timed) */
    cycles entry_cycles[INTERLOCK_COUNT - INTERLOCK_RARE]; /* total cycles of inorder_pay_entry(), by cause */
    struct inorder_probed *probed; /* the instruction that the core's probe follows; NULL: none (probe.c) */
};

/* Initialize for CORE, with MEMSYS for its timing (NULL: no caches). RECORDS_USE_STAMPS: the model records the time of
 * each use of a line that bypasses the memory system, in fetch_uses and data_uses (struct memsys_fast_path). A model
 * that does not may not bypass it if these times are needed. */
void inorder_init(struct inorder *in, struct core *core, struct memsys *memsys, bool records_use_stamps);

/* Index the permission bytes of data by physical line number, in in->data_permits, so that TLB changes need not clear
 * them. If in->data_sets is then nonzero, the model records the MRU line of each set in core_mru_data() (struct
 * memsys_fast_path). If in->data_permits stays NULL, as with a virtually indexed cache, the bytes are in
 * core->map->permits. */
void inorder_index_by_physical_line(struct inorder *in);

/* Take the instruction costs from PARAMS. Without this call every instruction takes one cycle. */
void inorder_set_costs(struct inorder *in, const struct params *params);

/* Translate the fetch address PC; nonzero: exception raised. UNCACHED: every fetch is an uncached access. */
int inorder_translate_fetch(struct inorder *in, vaddr pc, paddr *pa, bool *uncached);

/* The following functions subtract their stalls from in->budget. Nonzero: exception raised. */
/* SIZE is 1, 2 or 4 bytes; a loaded value is not sign-extended. */
int inorder_load(struct inorder *in, vaddr address, unsigned size, uint32_t *value);
int inorder_store(struct inorder *in, vaddr address, unsigned size, uint32_t value);
int inorder_load_double(struct inorder *in, vaddr address, uint64_t *value);
int inorder_store_double(struct inorder *in, vaddr address, uint64_t value);
/* ll, sc: the link is to a physical word. *DONE is 0 if the link was broken or is to another word; nothing is stored
 * then. */
int inorder_load_linked(struct inorder *in, vaddr address, uint32_t *value);
int inorder_store_conditional(struct inorder *in, vaddr address, uint32_t value, uint32_t *done);
/* lwl, lwr: load the aligned word that holds ADDRESS. swl, swr: store the bits of VALUE under MASK into it. */
int inorder_load_unaligned(struct inorder *in, vaddr address, uint32_t *value);
int inorder_store_merged(struct inorder *in, vaddr address, uint32_t value, uint32_t mask);
/* The CACHE instruction, applied to the modelled tags. */
int inorder_cache_operation(struct inorder *in, const struct insn *insn);
/* synci: as CACHE write-back of the data cache line and invalidation of the instruction cache line. */
int inorder_synci(struct inorder *in, const struct insn *insn);
/* pref, or INDEXED: prefx, at time NOW: prefetch the line, or allocate it, if the memory system models that. No
 * exception. Returns the stall, which the caller subtracts from the budget and adds to in->stalls. */
cycles inorder_prefetch(struct inorder *in, const struct insn *insn, bool indexed, cycles now);
/* The instruction takes the cycles of its hooks. Not an instruction's, so they are subtracted as stalls are; in the
 * bucket they are execution. */
static inline void inorder_take_hook_cycles(struct inorder *in, cycles duration)
{
    in->budget -= (int64_t)duration;
    in->stalls += duration;
    in->hook_cycles += duration;
}
/* What a model does for a load of the page-table walker (model.h): charge a cycle for the load, and what the processor
 * would stall for it. */
void inorder_walk_load(struct inorder *in, const struct page_walk_load *load);
/* ... while the walker waits for DURATION. */
void inorder_walk_wait(struct inorder *in, cycles duration);
/* An exception or interrupt has been taken (INTERLOCK_ENTRY), or eret executed (INTERLOCK_RETURN): what that costs. */
void inorder_pay_entry(struct inorder *in, enum interlock cause);
/* Fetch the line at ADDRESS (inorder_code_line()) of the instruction at PC. */
void inorder_fetch_line(struct inorder *in, vaddr pc, paddr address);
/* Perform an uncached fetch of the instruction at PC, at physical ADDRESS. */
void inorder_fetch_uncached(struct inorder *in, vaddr pc, paddr address);
/* A run begins at NOW with s.insns up to date. */
static inline void inorder_begin_counting(struct inorder *in, cycles now)
{
    in->insns_offset = in->core->s.insns - (now - in->stalls);
}
/* Bring s.cycle and s.insns up to date with in->budget; only in a run. Instructions = cycles that were not stalls. */
static inline void inorder_sync(struct inorder *in)
{
    struct core *core = in->core;
    const cycles now = (cycles)((int64_t)in->end - in->budget);
    core->s.insns = in->insns_offset + (now - in->stalls);
    core->s.cycle = now;
}

/* The address of the line of the instruction at physical ADDRESS, as the caches see it. */
static inline paddr inorder_code_line(const struct inorder *in, paddr address)
{
    return layout_code(in->layout, address) & ~(in->fetch_line - 1);
}

/* Request for the memory system, granting no permission. PA is an address as the caches see it. */
static inline struct memsys_request inorder_request(struct core *core, enum memsys_access access, vaddr address,
                                                    paddr pa, unsigned size, cycles now)
{
    if (SIM_UNLIKELY(core->watch != NULL) && access != MEMSYS_FETCH)
        cycle_watch_access(core->watch, address);
    return (struct memsys_request){.access = access,
                                   .address = pa,
                                   .virtual_address = address,
                                   .space = core_space(core, address),
                                   .pc = access == MEMSYS_FETCH ? address : core->s.pc,
                                   .size = (uint8_t)size,
                                   .max_permission = PERMIT_NONE,
                                   .permission = &core->permit_dummy,
                                   .now = now,
                                   .bucket = core->bucket};
}

/* The permission, of those in ALLOWED, that the line of data at physical ADDRESS may get. A line that the map takes to
 * pieces, or with others together, gets none: it has no one permission byte. Nor may machine code queue stores to one
 * that is elsewhere, or note uses by its number. */
static inline uint8_t inorder_moved_permission(const struct inorder *in, paddr address, uint8_t allowed)
{
    if (SIM_LIKELY(!layout_moves_data(in->layout, address)))
        return allowed;
    if (in->data_uses.time != NULL || !layout_keeps_line(in->layout, address, in->data_line))
        return PERMIT_NONE;
    return allowed & PERMIT_READ_STORE;
}

/* The permission byte of the line of cached RAM at ADDRESS, physical *PA, and in *ALLOWED the permission that it may
 * get as the flat tables allow. *PA: where the memory system has it. */
static inline uint8_t *inorder_data_permission(const struct inorder *in, vaddr address, paddr *pa, uint8_t *allowed)
{
    struct core *core = in->core;
    const uint32_t page = address >> PAGE_SHIFT;
    uint8_t *permission = &core->permit_dummy;
    *allowed = PERMIT_NONE;
    if (in->data_permits != NULL) {
        permission = in->data_permits + (*pa >> in->data_shift);
        *allowed = in->bypass_allowed ? PERMIT_READ_STORE | PERMIT_QUEUE : PERMIT_NONE;
    } else if (core->permit_by_vaddr && in->bypass_allowed && core->map->load[page] != 0) {
        permission = core->map->permits + (address >> core->permit_shift);
        *allowed = core->map->store[page] != 0 ? PERMIT_READ_STORE | PERMIT_QUEUE : PERMIT_READ;
    }
    if (SIM_UNLIKELY(in->layout != NULL)) {
        *allowed = inorder_moved_permission(in, *pa, *allowed);
        *pa = layout_data(in->layout, *pa);
    }
    return permission;
}

/* Perform a data access of cached RAM in the memory system; returns the stall, which the caller must charge. Grants the
 * permission that the flat tables allow. */
static inline cycles inorder_access_data(struct inorder *in, enum memsys_access access, vaddr address, paddr pa,
                                         unsigned size, cycles now)
{
    struct core *core = in->core;
    uint8_t max_permission, *permission = inorder_data_permission(in, address, &pa, &max_permission);
    if (access == MEMSYS_WRITE && *permission & PERMIT_QUEUE && store_queue_put(in->stores, now, pa, size)) {
        if (in->stored != NULL)
            ++*in->stored;
        return 0;
    }
    struct memsys_request request = inorder_request(core, access, address, pa, size, now);
    request.permission = permission;
    request.max_permission = max_permission;
    return memsys_access(in->memsys, core->number, &request);
}

/* Likewise for a fetch of the line at ADDRESS (inorder_code_line()). PERMISSION: its permission byte; NULL: none. */
static inline cycles inorder_access_fetch(struct inorder *in, vaddr pc, paddr address, uint8_t *permission, cycles now)
{
    struct core *core = in->core;
    struct memsys_request request = inorder_request(core, MEMSYS_FETCH, pc, address, 4, now);
    if (SIM_LIKELY(permission != NULL)) {
        request.permission = permission;
        request.max_permission = in->fetch_permission;
    }
    return memsys_access(in->memsys, core->number, &request);
}

/* Permission byte of the line at ADDRESS (inorder_code_line()), or NULL. */
static inline uint8_t *inorder_fetch_permission(const struct inorder *in, paddr address)
{
    if (SIM_UNLIKELY(in->fetch_permits == NULL) || SIM_UNLIKELY(in->fetch_index_bits != 0))
        return NULL;
    return in->fetch_permits + (address >> in->fetch_shift);
}

/* Result of interpreting an instruction. */
enum inorder_step {
    INORDER_NEXT,   /* the next instruction follows it, or is its delay slot */
    INORDER_JUMPED, /* control transfer: a branch (after its delay slot), an exception or eret */
    INORDER_LEAVE,  /* the run should end: the core requests attention, or a hook stopped it */
};

/* Interpret the instruction at s.pc. BEGUN: its cycle has been charged and its line fetched; otherwise at least one
 * cycle must be left. */
enum inorder_step inorder_step(struct inorder *in, bool begun);

/* Interpret instructions until the result is not INORDER_NEXT, no cycle is left, or control leaves the page. The code
 * is fetched, cached, from the physical page at FRAME. */
enum inorder_step inorder_step_in_page(struct inorder *in, paddr frame, bool begun);

/* Interpret as inorder_step() does until no cycle is left or control leaves, and show it to the core's probe
 * (cpu/observe/probe.h). MODEL is a struct inorder. */
void inorder_execute_probed(void *model);
/* An interrupt has been taken between two probed instructions, at a cost of DURATION, which has been charged. */
void inorder_probe_interrupt(struct inorder *in, cycles duration);
/* The probed instruction, WORD at PC and physical ADDRESS, is about to execute; its hooks have been called. */
void inorder_probe_issue(struct inorder *in, vaddr pc, paddr address, uint32_t word);

/* Interpret as inorder_step() does until no cycle is left or control leaves, for the core's cycle watch
 * (cpu/observe/cycle_watch.h). MODEL is a struct inorder. */
void inorder_execute_watched(void *model);

/* In the middle of an instruction, with s.cycle up to date, of a core that has a cycle watch: take back what it has
 * been charged so far and is free. */
void inorder_sync_watched(struct inorder *in);

/* Execute an instruction that has been decoded already: INSN, with id ID, is at s.pc. Its cycle has been charged, it
 * can be fetched, cached, and its hooks have been called. */
enum inorder_step inorder_step_decoded(struct inorder *in, enum isa_id id, const struct insn *insn);

#endif
