/*
 * Exact code: a second translation of a piece of code, in which each instruction (a branch with its delay slot) is a
 * basic block of its own. A run that ends in the middle of a basic block of normal code ends in exact code, and the
 * next run begins there: with several processors that is each quantum. The exact code of a block is made when the
 * cycles left have not sufficed for the block a number of times; until then the interpreter executes these
 * instructions.
 *
 * Exact code in the middle of a line does not fetch the line: control reaches it from the previous instruction, or
 * after a run that ended there. So the code here fetches the line of a block that begins in the middle of one. Exact
 * code is left for normal code at the next branch, or where normal code begins at the start of a line.
 */
#include "cpu/translate/translate.h"

/* Exact code takes longer to make than normal code, and saves less. */
enum { COLD_FACTOR = 2 };

static bool is_cold(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return page->interpreted[pc >> 2 & (PAGE_INSNS - 1)] / COLD_FACTOR + (uint64_t)1 < cache->hot_threshold;
}

static bool is_within_line(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return cache->cached && !layout_starts_line(cache->layout, code_address(page, pc), cache->fetch_line);
}

/* The exact code at PC, made if it is worth it; 0: none. */
static uint32_t find_code(struct translated *e, struct code_page *page, vaddr pc)
{
    const uint32_t code = code_exact(page, pc);
    if (code != 0 || is_cold(e->cache, page, pc) || e->in.core->executions != NULL)
        return code;
    return translate_superblock(e, page, pc, SUPERBLOCK_EXACT) ? code_exact(page, pc) : 0;
}

/* The page of the instruction at s.pc, if that can be executed by exact code. */
static struct code_page *page_of(const struct core *core)
{
    struct code_page *page = core->map->code[core->s.pc >> PAGE_SHIFT];
    return page != NULL && (core->s.pc & 3) == 0 && !page->uncached && !core_in_slot(core) ? page : NULL;
}

void translate_note_resume(struct translated *e)
{
    e->frame->resume.pc = e->in.core->s.pc;
    e->frame->resume.discards = e->cache->discards;
}

/* The exact code in which the previous run ended, if it is where this one begins; otherwise 0. The same as by the
 * tables, with fewer accesses to memory, which after the quanta of the other processors miss in the host's caches. */
static uint32_t find_resume(struct translated *e)
{
    const struct core *core = e->in.core;
    const uint32_t code = e->frame->resume.code;
    const vaddr pc = core->s.pc;
    const struct code_page *page = core->map->code[pc >> PAGE_SHIFT];
    e->frame->resume.code = 0;
    if (code == 0 || pc != e->frame->resume.pc || e->frame->resume.discards != e->cache->discards ||
        (uintptr_t)page != e->frame->resume.page ||
        (is_within_line(e->cache, page, pc) && core->resume.fetched_pc != pc))
        return 0;
    return code;
}

uint32_t translate_enter(struct translated *e)
{
    struct core *core = e->in.core;
    const vaddr pc = core->s.pc;
    const uint32_t resumed = find_resume(e);
    if (SIM_LIKELY(resumed != 0)) {
        core->resume.fetched_pc = CORE_NO_PC;
        return resumed;
    }
    struct code_page *page = page_of(core);
    if (page == NULL)
        return translate_next(e);
    const bool fetched = core->resume.fetched_pc == pc && is_within_line(e->cache, page, pc) &&
                         core->resume.fetched_line == code_line(e->cache, page, pc);
    const bool is_usable = fetched || (!is_within_line(e->cache, page, pc) && !code_is_translated(e->cache, page, pc));
    const uint32_t code = fetched ? find_code(e, page, pc) : is_usable ? code_exact(page, pc) : 0;
    if (code == 0)
        return translate_next(e);
    core->resume.fetched_pc = CORE_NO_PC;
    return code;
}

uint32_t translate_on_begun(struct core *core)
{
    struct translated *e = translated_core(core);
    struct code_page *page = page_of(core);
    if (page == NULL || find_code(e, page, core->s.pc) == 0)
        return leave_code(e, TRANSLATE_CHARGED);
    const struct exact_entry *entry = &page->exact[core->s.pc >> 2 & (PAGE_INSNS - 1)];
    if (entry->begun == 0)
        return leave_code(e, TRANSLATE_CHARGED);
    e->frame->position = 0;
    return entry->begun;
}

uint32_t translate_on_budget(struct core *core)
{
    struct translated *e = translated_core(core);
    struct translate_frame *frame = e->frame;
    struct code_page *page = page_of(core);
    const uint32_t code = page != NULL ? find_code(e, page, core->s.pc) : 0;
    frame->position = 0;
    if (code == 0)
        return leave_code(e, TRANSLATE_INTERPRET);
    if (!is_within_line(e->cache, page, core->s.pc))
        return code;
    e->in.budget = --frame->budget;
    inorder_fetch_line(&e->in, core->s.pc, code_line(e->cache, page, core->s.pc));
    frame->budget = e->in.budget;
    if (frame->budget < 0)
        return leave_code(e, TRANSLATE_CHARGED);
    frame->budget++;
    return code;
}
