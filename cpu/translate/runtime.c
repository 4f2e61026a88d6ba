/* C functions called by translated code. */
#include "cpu/translate/translate.h"
#include "cpu/translate/fp.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/semantics.h"
#include "cpu/privileged/tlb.h"
#include "cpu/privileged/vmap.h"
#include <string.h>

/* Positions within a block */

static bool position_in_delay_slot(const struct translate_frame *frame)
{
    return frame->position & POSITION_DELAY_SLOT;
}

/* Flag set when the instruction cache loses a line. */
static uint8_t *lost_line(struct translated *e)
{
    return core_mru_fetch(e->in.core) + MEMSYS_WITHDRAWN;
}

/* Has a line been lost since the flag was cleared, while the running code does not test its lines? */
static bool must_retest_lines(struct translated *e)
{
    return *lost_line(e) && e->frame->position & POSITION_UNTESTED;
}

/* Set in.budget to its value after the current instruction. */
static void begin_operation(struct translated *e)
{
    if (!e->frame->timed)
        *lost_line(e) = 0;
    e->in.budget = e->frame->budget + translate_insns_left(e->frame);
    e->in.stall_charged = e->frame->timed;
    e->frame->timed = false;
    e->in_code = false;
}

/* Update the frame's budget after the operation's stalls. If the block cannot be finished, or the core requests
 * attention, translated code leaves after this instruction; in a delay slot the next pc is not known yet, so an exit is
 * forced at the next block. */
static void end_operation(struct translated *e, bool attention)
{
    struct translate_frame *frame = e->frame;
    frame->budget = e->in.budget - translate_insns_left(frame);
    e->in_code = true;
    frame->exit_requested = attention || frame->budget < 0;
    if (attention && position_in_delay_slot(frame)) {
        frame->saved_budget = frame->budget;
        frame->exit_forced = true;
        frame->budget = TRANSLATE_FORCED_BUDGET;
    }
}

/* Time and exceptions */

/* translate_sync() of CORE's model, as a core_sync_fn. */
static inline __attribute__((always_inline)) void sync_core(struct core *core)
{
    struct translated *e = translated_core(core);
    const struct translate_frame *frame = e->frame;
    const uint32_t position = e->entered ? frame->position : 0;
    if (SIM_UNLIKELY(frame->fp_last != FP_NONE))
        translate_fp_update_cause(core);
    if (e->in_code)
        e->in.budget = frame->budget + translate_insns_left(frame);
    if (e->in.has_costs)
        translate_flush_counts(e);
    core->counts.loads_ahead = (uint8_t)(position >> 16);
    core->counts.stores_ahead = (uint8_t)(position >> 24);
    inorder_sync(&e->in);
    if (SIM_UNLIKELY(core->executions != NULL))
        executions_in_block(core, position & 0xff, frame->position & POSITION_USER);
}

void translate_sync(struct inorder *in)
{
    sync_core(in->core);
}

/* The same between two instructions of translated code, where nothing of a block is ahead. */
static inline __attribute__((always_inline)) void sync_between(struct core *core)
{
    struct translated *e = translated_core(core);
    if (SIM_UNLIKELY(e->frame->fp_last != FP_NONE || e->in.has_costs || core->executions != NULL)) {
        translate_sync(&e->in);
        return;
    }
    e->in.budget = e->frame->budget;
    core->counts.loads_ahead = core->counts.stores_ahead = 0;
    inorder_sync(&e->in);
}

/* inorder_pay_entry() between two instructions of translated code. */
static void pay_entry(struct translated *e, enum interlock cause)
{
    e->in.budget = e->frame->budget;
    inorder_pay_entry(&e->in, cause);
    e->frame->budget = e->in.budget;
}

/* exception_enter(), with what it calls in one function: most are TLB refills. */
static __attribute__((noinline)) void enter_exception(struct core *core, vaddr pc, bool delay_slot)
{
    exception_enter_by(core, pc, delay_slot, sync_between);
    if (SIM_UNLIKELY(translated_core(core)->in.has_costs))
        pay_entry(translated_core(core), INTERLOCK_ENTRY);
}

/* The current instruction does not complete, so the rest of its block is not executed: undo the charges for it. */
static void end_block(struct translated *e)
{
    struct translate_frame *frame = e->frame;
    begin_operation(e);
    if (SIM_UNLIKELY(frame->fp_last != FP_NONE))
        translate_fp_update_cause(e->in.core);
    frame->budget = e->in.budget;
    e->in_code = true;
    e->in.core->counts.loads -= frame->position >> 16 & 0xff;
    e->in.core->counts.stores -= frame->position >> 24;
    if (SIM_UNLIKELY(e->in.core->executions != NULL))
        executions_block_left(e->in.core, e->in.core->s.pc + 4, translate_insns_left(frame),
                              frame->position & POSITION_USER, position_in_delay_slot(frame));
    frame->position = 0;
}

/* Where to continue */

/* PAGE is about to run: if the address space selects the sets of its lines, and the permission bytes of these lines are
 * from another one, clear them. Its pages leave the flat tables with every change of the ASID (tlb_change_asid()).
 */
static void enter_space(struct translated *e, const struct code_page *page)
{
    const struct core *core = e->in.core;
    const uint32_t lines = (uint32_t)PAGE_SIZE >> e->cache->fetch_shift;
    uint8_t *space = &e->block_space[page->line / lines];
    if (*space == core_space(core, page->page))
        return;
    *space = core_space(core, page->page);
    memset(core->permits[PERMIT_TABLE_CODE] + page->line, PERMIT_NONE, lines);
}

static struct code_page *page_of(struct translated *e, vaddr pc)
{
    struct core *core = e->in.core;
    struct code_page *page = core->map->code[pc >> PAGE_SHIFT];
    if (page != NULL && (pc & 3) == 0)
        return page;
    paddr pa;
    bool uncached;
    if (SIM_LIKELY((pc & 3) == 0 && tlb_certainly_misses(core, pc))) {
        core_raise_address(core, EXC_TLBL, pc, true);
        return NULL;
    }
    if (inorder_translate_fetch(&e->in, pc, &pa, &uncached))
        return NULL;
    page = code_page_get(e->cache, core, pa & ~(paddr)(PAGE_SIZE - 1), pc & ~(vaddr)(PAGE_SIZE - 1), core->user_mode,
                         uncached);
    if (page == NULL)
        return NULL;
    if (e->block_space != NULL)
        enter_space(e, page);
    vmap_enter_code(core, pc, page);
    return page;
}

void *translate_find_code(struct inorder *in, paddr frame, vaddr page, bool user)
{
    struct translated *e = translated_of(in);
    struct code_page *found = code_page_find(e->cache, frame, page, user, false);
    if (found != NULL && e->block_space != NULL)
        enter_space(e, found);
    return found;
}

/* Has the line of the instruction at PC already been fetched, by the previous instruction, so that it must not be
 * fetched again? The repeated fetch is harmless if the line has permission and use times are not recorded. */
static bool is_already_fetched(const struct translated *e, const struct code_page *page, vaddr pc)
{
    const struct core *core = e->in.core;
    const struct code_cache *cache = e->cache;
    if (core->resume.fetched_pc != pc || !cache->cached)
        return false;
    const paddr line = code_line(cache, page, pc);
    if (core->resume.fetched_line != line)
        return false;
    return cache->records_use_stamps ||
           core->permits[PERMIT_TABLE_CODE][code_line_number(cache, page, line)] == PERMIT_NONE;
}

/* Should the code at PC, the target of a control transfer, still be interpreted? */
static bool must_interpret(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return page->interpreted[pc >> 2 & (PAGE_INSNS - 1)] + (uint64_t)1 < cache->hot_threshold;
}

/* page_of() for whose fetch the page-table walker may have to walk. The cycle of the instruction precedes the walk. */
static __attribute__((noinline)) struct code_page *walked_page_of(struct translated *e, vaddr pc)
{
    const struct core *core = e->in.core;
    const bool in_code = e->in_code;
    if (core->map->code[pc >> PAGE_SHIFT] != NULL || (pc & 3) != 0 || !page_walker_is_due(core, pc))
        return page_of(e, pc);
    e->in.budget = e->frame->budget - 1;
    e->in_code = false;
    struct code_page *page = page_of(e, pc);
    e->frame->budget = e->in.budget + 1;
    e->in_code = in_code;
    return page;
}

/* The walk for the fetch of the instruction at s.pc, in PAGE, has used up the budget: the instruction, which had begun,
 * executes nevertheless. */
static uint32_t execute_walked(struct translated *e, const struct code_page *page)
{
    struct core *core = e->in.core;
    const vaddr pc = core->s.pc;
    e->in.budget = --e->frame->budget;
    if (e->in.memsys != NULL && !page->uncached &&
        (core->resume.fetched_pc != pc || core->resume.fetched_line != code_line(e->cache, page, pc)))
        inorder_fetch_line(&e->in, pc, code_line(e->cache, page, pc));
    e->frame->budget = e->in.budget;
    return leave_code(e, TRANSLATE_CHARGED);
}

/* Continue at s.pc, which takes more than to look up its code. */
static __attribute__((noinline)) uint32_t find_next(struct translated *e)
{
    struct core *core = e->in.core;
    struct translate_frame *frame = e->frame;
    while (frame->budget > 0) {
        vaddr pc = core->s.pc;
        struct code_page *page = SIM_UNLIKELY(core->tlb_walks) ? walked_page_of(e, pc) : page_of(e, pc);
        if (page == NULL && e->cache->full)
            return leave_code(e, TRANSLATE_NEXT);
        if (SIM_UNLIKELY(page != NULL && frame->budget <= 0))
            return execute_walked(e, page);
        if (page == NULL) {
            frame->budget--;
            e->in.budget = frame->budget;
            core->resume.fetched_pc = CORE_NO_PC;
            if (SIM_UNLIKELY(core->executions != NULL))
                executions_unfetched(core, pc);
            enter_exception(core, pc, core->s.in_delay_slot);
            if (core->attention)
                return leave_code(e, TRANSLATE_RETURNED);
            continue;
        }
        if (core_in_slot(core) || page->uncached)
            return leave_code(e, TRANSLATE_INTERPRET_ONE);
        if (is_already_fetched(e, page, pc))
            return leave_code(e, TRANSLATE_INTERPRET);
        core->resume.fetched_pc = CORE_NO_PC;
        if (!code_is_translated(e->cache, page, pc)) {
            if (must_interpret(e->cache, page, pc))
                return leave_code(e, TRANSLATE_INTERPRET);
            if (!translate_superblock(e, page, pc, SUPERBLOCK_NORMAL))
                return leave_code(e, TRANSLATE_NEXT);
        }
        return page->entry[pc >> 2 & (PAGE_INSNS - 1)];
    }
    return leave_code(e, TRANSLATE_NEXT);
}

/* Does a walk of the page-table walker take no time, and is it unobserved? */
static inline bool fills_at_once(const struct translated *e)
{
    return e->in.memsys == NULL && e->in.core->data_watch == NULL && e->in.core->access_observers == 0;
}

/* translate_next() */
static inline __attribute__((always_inline)) uint32_t next_code(struct translated *e)
{
    struct core *core = e->in.core;
    const vaddr pc = core->s.pc;
    const struct code_page *page = core->map->code[pc >> PAGE_SHIFT];
    if (page == NULL && core->tlb_walks && fills_at_once(e) && (pc & 3) == 0 && e->frame->budget > 0 &&
        page_walker_is_due(core, pc) && page_walker_fill(core, pc, ACCESS_FETCH))
        page = core->map->code[pc >> PAGE_SHIFT];
    if (SIM_UNLIKELY(page == NULL || (pc & 3) != 0 || e->frame->budget <= 0 || core_in_slot(core) ||
                     core->resume.fetched_pc == pc))
        return find_next(e);
    const uint32_t code = page->entry[pc >> 2 & (PAGE_INSNS - 1)];
    if (SIM_UNLIKELY(code == e->cache->stub[STUB_LOOKUP]))
        return find_next(e);
    core->resume.fetched_pc = CORE_NO_PC;
    return code;
}

uint32_t translate_next(struct translated *e)
{
    return next_code(e);
}

uint32_t translate_on_lookup(struct core *core)
{
    struct translated *e = translated_core(core);
    e->frame->position = 0;
    if (e->frame->exit_forced)
        return leave_code(e, TRANSLATE_NEXT);
    return next_code(e);
}

uint32_t translate_on_link(struct core *core, uint32_t index)
{
    struct translated *e = translated_core(core);
    vaddr target = e->cache->links[index].target;
    core->s.pc = target;
    uint32_t code = translate_on_lookup(core);
    /* not if this ended in an exception or an exit */
    struct code_page *page = core->map->code[target >> PAGE_SHIFT];
    bool found = core->s.pc == target && page != NULL && code == page->entry[target >> 2 & (PAGE_INSNS - 1)];
    if (found && code != e->cache->stub[STUB_LOOKUP])
        code_link_to(e->cache, index, page, code);
    return code;
}

uint32_t translate_on_fault(struct core *core)
{
    struct translated *e = translated_core(core);
    bool in_delay_slot = position_in_delay_slot(e->frame);
    end_block(e);
    enter_exception(core, core->s.pc, in_delay_slot);
    return core->attention ? leave_code(e, TRANSLATE_RETURNED) : next_code(e);
}

uint32_t translate_on_trap(struct core *core, uint32_t code)
{
    core_raise(core, (enum exception_code)code);
    return translate_on_fault(core);
}

uint32_t translate_on_refill(struct core *core, vaddr address, uint32_t code)
{
    core_raise_address(core, (enum exception_code)code, address, true);
    return translate_on_fault(core);
}

uint32_t translate_on_eret(struct core *core)
{
    struct translated *e = translated_core(core);
    if (sem_check_coprocessor0(core))
        return translate_on_fault(core);
    exception_return_by(core, &core->s.pc, sync_between);
    e->frame->position = 0;
    if (SIM_UNLIKELY(e->in.has_costs))
        pay_entry(e, INTERLOCK_RETURN);
    if (core->attention || interrupt_pending(core))
        return leave_code(e, TRANSLATE_RETURNED);
    return next_code(e);
}

uint32_t translate_on_rfe(struct core *core)
{
    struct translated *e = translated_core(core);
    const vaddr target = (vaddr)e->frame->value;
    exception_pop_by(core, target, sync_between);
    core->s.pc = target;
    e->frame->position = 0;
    if (core->attention || interrupt_pending(core))
        return leave_code(e, TRANSLATE_RETURNED);
    return next_code(e);
}

/* Time. Translated code subtracts stalls from the budget itself; this code only accounts for them. */

static cycles now(const struct translated *e)
{
    return (cycles)((int64_t)e->in.end - e->frame->budget - translate_insns_left(e->frame));
}

/* Return value for translated code after an access with this STALL. If the code must test its lines again, or an
 * observer of the miss removed the page from the flat table (ENTRY is 0), return -1: the rest of the access is then
 * performed in C, which leaves translated code. */
static int64_t report_stall(struct translated *e, cycles stall, const uintptr_t *entry)
{
    e->in.stalls += stall;
    if (SIM_LIKELY(!must_retest_lines(e) && *entry != 0))
        return (int64_t)stall;
    e->frame->budget -= (int64_t)stall;
    e->frame->timed = true;
    return -1;
}

int64_t translate_on_fetch(struct core *core, uint32_t line)
{
    struct translated *e = translated_core(core);
    const struct code_cache *cache = e->cache;
    paddr address = line;
    uint8_t *byte = inorder_fetch_permission(&e->in, line);
    if (cache->fetch_index_bits != 0) {
        const unsigned page_shift = PAGE_SHIFT - cache->fetch_shift;
        address = cache->line_block_frame[line >> page_shift] | (line << cache->fetch_shift & (PAGE_SIZE - 1));
        byte = e->in.fetch_permits + line;
    }
    cycles stall = inorder_access_fetch(&e->in, core->s.pc, address, byte, now(e));
    e->in.stalls += stall;
    return (int64_t)stall;
}

/* An access to one line, permitted by flat table MAP. */
static inline int64_t on_line(struct core *core, enum memsys_access access, const uintptr_t *map, vaddr address)
{
    struct translated *e = translated_core(core);
    const uint32_t page = address >> PAGE_SHIFT;
    const uintptr_t addend = map[page];
    const unsigned size = 1u << (e->frame->position >> POSITION_SIZE_SHIFT & 3);
    if (SIM_UNLIKELY(addend == 0 || size > e->in.data_line))
        return -1;
    *lost_line(e) = 0;
    return report_stall(e, inorder_access_data(&e->in, access, address, (paddr)(addend + address), size, now(e)),
                        &map[page]);
}

int64_t translate_on_read_line(struct core *core, vaddr address)
{
    return on_line(core, MEMSYS_READ, core->map->load, address);
}

int64_t translate_on_write_line(struct core *core, vaddr address)
{
    return on_line(core, MEMSYS_WRITE, core->map->store, address);
}

void translate_flush_counts(struct translated *e)
{
    struct translate_frame *frame = e->frame;
    for (unsigned i = 0; e->in.has_costs && i < INTERLOCK_COUNT; i++) {
        e->in.core->bucket->interlock[i] += frame->interlock[i];
        e->in.stalls += frame->interlock[i];
        frame->interlock[i] = 0;
    }
}

static int prefetch(struct core *core, const struct insn *insn, bool indexed)
{
    struct translated *e = translated_core(core);
    const cycles stall = inorder_prefetch(&e->in, insn, indexed, now(e));
    e->in.stalls += stall;
    e->frame->budget -= (int64_t)stall;
    e->frame->exit_requested = e->frame->budget < 0;
    return 0;
}

int translate_on_line_operation(struct core *core, const struct insn *insn,
                                int (*operation)(struct inorder *in, const struct insn *insn))
{
    struct translated *e = translated_core(core);
    struct translate_frame *frame = e->frame;
    const int64_t left = (int64_t)translate_insns_left(frame);
    e->in.budget = frame->budget + left;
    e->in_code = false;
    const int raised = operation(&e->in, insn);
    frame->budget = e->in.budget - left;
    e->in_code = true;
    if (frame->budget < 0)
        core->attention = true; /* the rest of the block does not execute any more */
    return raised;
}

int translate_on_prefetch(struct core *core, const struct insn *insn)
{
    return prefetch(core, insn, false);
}

int translate_on_prefetch_indexed(struct core *core, const struct insn *insn)
{
    return prefetch(core, insn, true);
}

/* Accesses */

#define ACCESS(name, alignment, code, ...)                                                                             \
    static int on_##name(struct core *core, vaddr address, uint64_t value)                                             \
    {                                                                                                                  \
        struct translated *e = translated_core(core);                                                                  \
        uint32_t word = 0;                                                                                             \
        (void)value;                                                                                                   \
        (void)word;                                                                                                    \
        if ((address & ((alignment)-1)) == 0 && tlb_certainly_misses(core, address))                                   \
            return core_raise_address(core, code, address, true);                                                      \
        if (core->tlb_walks && fills_at_once(e) && (address & ((alignment)-1)) == 0 &&                                 \
            page_walker_is_due(core, address))                                                                         \
            page_walker_fill(core, address, (code) == EXC_TLBS ? ACCESS_STORE : ACCESS_LOAD);                          \
        begin_operation(e);                                                                                            \
        int raised = (__VA_ARGS__);                                                                                    \
        end_operation(e, (core->attention || must_retest_lines(e)) && !raised);                                        \
        return raised;                                                                                                 \
    }
#define LOAD(name, type)                                                                                               \
    ACCESS(name, sizeof(type), EXC_TLBL,                                                                               \
           inorder_load(&e->in, address, sizeof(type), &word) || (e->frame->value = (uint32_t)(type)word, 0))
#define STORE(name, size) ACCESS(name, size, EXC_TLBS, inorder_store(&e->in, address, size, (uint32_t)value))
LOAD(load_u8, uint8_t)
LOAD(load_s8, int8_t)
LOAD(load_u16, uint16_t)
LOAD(load_s16, int16_t)
LOAD(load_u32, uint32_t)
ACCESS(load64, 8, EXC_TLBL, inorder_load_double(&e->in, address, &e->frame->value))
ACCESS(load_unaligned, 1, EXC_TLBL, inorder_load_unaligned(&e->in, address, &word) || (e->frame->value = word, 0))
ACCESS(load_linked, 4, EXC_TLBL, inorder_load_linked(&e->in, address, &word) || (e->frame->value = word, 0))
STORE(store8, 1)
STORE(store16, 2)
STORE(store32, 4)
ACCESS(store64, 8, EXC_TLBS, inorder_store_double(&e->in, address, value))
ACCESS(store_merged, 1, EXC_TLBS, inorder_store_merged(&e->in, address, (uint32_t)value, (uint32_t)e->frame->value))
ACCESS(store_conditional, 4, EXC_TLBS,
       inorder_store_conditional(&e->in, address, (uint32_t)value, &word) || (e->frame->value = word, 0))

translate_access_fn *const translate_access_functions[STUB_COUNT] = {
    [STUB_LOAD + IR_U8] = on_load_u8,          [STUB_LOAD + IR_S8] = on_load_s8,
    [STUB_LOAD + IR_U16] = on_load_u16,        [STUB_LOAD + IR_S16] = on_load_s16,
    [STUB_LOAD + IR_U32] = on_load_u32,        [STUB_LOAD64] = on_load64,
    [STUB_LOAD_UNALIGNED] = on_load_unaligned, [STUB_LOAD_LINKED] = on_load_linked,
    [STUB_STORE + IR_U8] = on_store8,          [STUB_STORE + IR_U16] = on_store16,
    [STUB_STORE + IR_U32] = on_store32,        [STUB_STORE64] = on_store64,
    [STUB_STORE_MERGED] = on_store_merged,     [STUB_STORE_CONDITIONAL] = on_store_conditional,
};
