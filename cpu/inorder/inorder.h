/*
 * What the models that execute one instruction after the other (mipsy, embra) have in common: the account of time
 * within a run, accesses that leave the fast path, and the execution of a single instruction.
 *
 * Time: every instruction takes one cycle, a stall as many as it lasts; `budget` is what is left of the run. An
 * instruction starts only if a cycle is left, which it has taken when the functions below are called.
 */
#ifndef SIMOS_CPU_INORDER_INORDER_H
#define SIMOS_CPU_INORDER_INORDER_H

#include "cache/memsys.h"
#include "cpu/core.h"

struct inorder {
    struct core *core;
    struct memsys *memsys;          /* NULL when flat */
    uint32_t fetch_sets;            /* for these the line used last is noted in core_last_fetched(); 0: it is not */
    uint32_t data_sets;             /* ... in core_last_accessed() */
    uint32_t fetch_line, data_line; /* of the first-level caches, bytes; flat: the whole page */
    uint8_t *fetch_quick;           /* core->quick[QUICK_CODE]; NULL: lines have no bytes there */
    uint8_t fetch_grant;            /* what a fetch is granted (enum memsys_quick) */
    uint8_t *data_quick;            /* see inorder_number_lines(); or NULL */
    uint8_t data_shift;             /* log2 of the bytes of a line that has a quick byte */
    uint8_t fetch_shift; /* a physical address shifted by this is the number of its byte in core->quick[QUICK_CODE] */
    vaddr fetch_virtual; /* as by_vaddr of struct memsys_fast_path: if not 0, the model has other numbers than these */

    /* Where the time of each unseen use of a line is noted, by number of the physical line; NULL: nowhere. */
    cycles *fetch_times, *data_times;
    bool prefetches; /* pref does something */
    bool notes_times;
    bool unseen; /* accesses may be made without asking: the uses are noted, or nobody wants to know */

    bool interpreted; /* core->code_map has where pages are in the host's memory */
    bool translated;  /* this is the beginning of a struct translated (cpu/translate) */
    bool timed;       /* the access at work has taken its time already (embra) */

    cycles end;             /* time at which budget reaches 0 */
    int64_t budget;         /* cycles left, as of the last slow path */
    uint64_t stalls;        /* total stall cycles */
    uint64_t synced_stalls; /* ... as of the last sync */
    cycles synced_cycle;
    bool running; /* in inorder_run(): budget is ahead of s.cycle */
};

/* For CORE, with MEMSYS for its timing (NULL: flat). NOTES_TIMES: the model will note the time of each use of a line
 * that it makes without asking, where fetch_times and data_times say (struct memsys_fast_path). A model that does not
 * is not allowed any if somebody wants to know. */
void inorder_init(struct inorder *in, struct core *core, struct memsys *memsys, bool notes_times);

/* The model finds the quick bytes of data by number of the physical line in in->data_quick, where what the TLB forgets
 * costs nothing, and notes which line of a set it used last in core_last_accessed() if in->data_sets is not 0 then
 * (struct memsys_fast_path). Where in->data_quick is NULL, as for a cache that is indexed by virtual address, it finds
 * them in core->quick_map. */
void inorder_number_lines(struct inorder *in);

/* Where the instruction at PC is fetched from; nonzero = exception raised. UNCACHED: every fetch is an uncached access.
 */
int inorder_translate_fetch(struct inorder *in, vaddr pc, paddr *pa, bool *uncached);

/* The functions below change in->budget by the stalls they find. Nonzero: an exception was raised. */
/* SIZE is 1, 2 or 4; the value is not extended. */
int inorder_load(struct inorder *in, vaddr address, unsigned size, uint32_t *value);
int inorder_store(struct inorder *in, vaddr address, unsigned size, uint32_t value);
int inorder_load_double(struct inorder *in, vaddr address, uint64_t *value);
int inorder_store_double(struct inorder *in, vaddr address, uint64_t value);
/* ll, sc: the link is to the physical word; *DONE is 0 if it was broken or is to another, and nothing is stored then.
 */
int inorder_load_linked(struct inorder *in, vaddr address, uint32_t *value);
int inorder_store_conditional(struct inorder *in, vaddr address, uint32_t value, uint32_t *done);
/* lwl, lwr; swl, swr: the word that holds ADDRESS; the bits of VALUE under MASK, in place. */
int inorder_load_unaligned(struct inorder *in, vaddr address, uint32_t *value);
int inorder_store_merged(struct inorder *in, vaddr address, uint32_t value, uint32_t mask);
/* The CACHE instruction: on the modelled tags. */
int inorder_cache_operation(struct inorder *in, const struct insn *insn);
/* synci: as a CACHE write-back of the data and invalidation of the instruction line. */
int inorder_synchronize_code(struct inorder *in, const struct insn *insn);
/* pref at NOW: the line is asked for, if the memory system models that; nothing stalls, nothing is raised. */
void inorder_prefetch(struct inorder *in, const struct insn *insn, cycles now);
/* The line of the instruction at PC, physical ADDRESS, is fetched and not known to hit. */
void inorder_fetch_line(struct inorder *in, vaddr pc, paddr address);
/* The instruction at PC is fetched from physical ADDRESS, uncached. */
void inorder_fetch_uncached(struct inorder *in, vaddr pc, paddr address);
/* Bring s.cycle and s.insns up to in->budget; only in a run. Instructions are the cycles that were not stalls. */
static inline void inorder_sync(struct inorder *in)
{
    struct core *core = in->core;
    cycles now = (cycles)((int64_t)in->end - in->budget);
    core->s.insns += (now - in->synced_cycle) - (in->stalls - in->synced_stalls);
    core->s.cycle = now;
    in->synced_cycle = now;
    in->synced_stalls = in->stalls;
}

/* An access as the memory system is asked for it; nothing is granted, the line has no quick-check byte yet. */
static inline struct memsys_request inorder_request(struct core *core, enum memsys_access access, vaddr address,
                                                    paddr pa, unsigned size, cycles now)
{
    return (struct memsys_request){.access = access,
                                   .address = pa,
                                   .virtual_address = address,
                                   .pc = access == MEMSYS_FETCH ? address : core->s.pc,
                                   .size = (uint8_t)size,
                                   .grant = QUICK_NONE,
                                   .quick = &core->quick_nobody,
                                   .now = now,
                                   .bucket = core->bucket};
}

/* What the accesses of cached RAM below have in common: ask the memory system; the stall has yet to be taken. The
 * line's quick-check byte is set as far as the flat tables allow. */
static inline cycles inorder_ask_data(struct inorder *in, enum memsys_access access, vaddr address, paddr pa,
                                      unsigned size, cycles now)
{
    struct core *core = in->core;
    uint32_t page = address >> PAGE_SHIFT;
    struct memsys_request request = inorder_request(core, access, address, pa, size, now);
    if (in->data_quick != NULL) {
        request.quick = in->data_quick + (pa >> in->data_shift);
        request.grant = in->unseen ? QUICK_WRITE : QUICK_NONE;
    } else if (core->quick_used && in->unseen && core->load_map[page] != 0) {
        request.quick = core->quick_map + (address >> core->quick_shift);
        request.grant = core->store_map[page] != 0 ? QUICK_WRITE : QUICK_READ;
    }
    return memsys_access(in->memsys, core->number, &request);
}

/* The same of a fetch, whose line has the byte QUICK; NULL: none. */
static inline cycles inorder_ask_fetch(struct inorder *in, vaddr pc, paddr address, uint8_t *quick, cycles now)
{
    struct core *core = in->core;
    struct memsys_request request = inorder_request(core, MEMSYS_FETCH, pc, address, 4, now);
    if (SIM_LIKELY(quick != NULL)) {
        request.quick = quick;
        request.grant = in->fetch_grant;
    }
    return memsys_access(in->memsys, core->number, &request);
}

/* The byte of the line of physical ADDRESS, or NULL. */
static inline uint8_t *inorder_fetched_byte(const struct inorder *in, paddr address)
{
    if (SIM_UNLIKELY(in->fetch_quick == NULL) || SIM_UNLIKELY(in->fetch_virtual != 0))
        return NULL;
    return in->fetch_quick + (address >> in->fetch_shift);
}

/* How an instruction ended. */
enum inorder_step {
    INORDER_NEXT,   /* the next one follows it, or is its delay slot */
    INORDER_JUMPED, /* control was transferred: by a branch (after its delay slot), an exception, eret */
    INORDER_LEAVE,  /* the run should end here: the core wants attention, or a hook stops it */
};

/* Execute the instruction at s.pc. BEGUN: its cycle has been taken and its line been fetched; otherwise at least one
 * cycle is left. */
enum inorder_step inorder_step(struct inorder *in, bool begun);

/* The same, again and again, until the return value is not INORDER_NEXT, no cycle is left, or control leaves the page.
 * The code is fetched from the physical page at FRAME, cached. */
enum inorder_step inorder_step_in_page(struct inorder *in, paddr frame, bool begun);

/* As inorder_step(IN, true) of an instruction that is known: INSN, which isa_decode() gave as ID, stands at s.pc, can
 * be fetched from there, cached, and its hooks have been called. */
enum inorder_step inorder_step_decoded(struct inorder *in, enum isa_id id, const struct insn *insn);

#endif
