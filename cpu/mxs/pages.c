/* Predecoded pages, indexed by physical page, so that they survive address-space switches. */
#include "cpu/mxs/op.h"

#include "cpu/privileged/load_delay.h"
#include "cpu/privileged/vmap.h"
#include "src/base/log.h"
#include <stdlib.h>

/* Maximum number of pages per core (about 50 KB each). */
enum { FRAMES = 1 << 20, PAGES_MAX = 2048 };

struct mxs_pages {
    const uint8_t *latency;
    mxs_execute_fn *const *execute;
    bool prefetches;
    unsigned count;
    struct mxs_page *in_use, *spare;
    struct mxs_page **by_frame[2]; /* [uncached][physical page number] */
};

static void *allocate(size_t count, size_t size)
{
    void *memory = checked_memory(calloc(count, size));
    return memory;
}

struct mxs_pages *mxs_pages_create(const uint8_t *latency, mxs_execute_fn *const *execute, bool prefetches)
{
    struct mxs_pages *pages = allocate(1, sizeof *pages);
    pages->latency = latency;
    pages->execute = execute;
    pages->prefetches = prefetches;
    for (int i = 0; i < 2; i++)
        pages->by_frame[i] = allocate(FRAMES, sizeof(struct mxs_page *));
    return pages;
}

static void free_list(struct mxs_page *page)
{
    while (page != NULL) {
        struct mxs_page *next = page->next;
        free(page);
        page = next;
    }
}

void mxs_pages_free(struct mxs_pages *pages)
{
    if (pages == NULL)
        return;
    free_list(pages->in_use);
    free_list(pages->spare);
    for (int i = 0; i < 2; i++)
        free(pages->by_frame[i]);
    free(pages);
}

static void mark_undecoded(struct mxs_page *page)
{
    if (!page->decoded)
        return;
    for (unsigned i = 0; i < OP_PAGE_INSNS; i++)
        page->op[i].flags &= (uint16_t)~OP_DECODED;
    page->decoded = false;
}

bool mxs_pages_are_full(const struct mxs_pages *pages)
{
    return pages->count >= PAGES_MAX;
}

void mxs_pages_drop(struct mxs_pages *pages, struct core *core,
                    bool (*used)(const void *opaque, const struct mxs_page *page), const void *opaque)
{
    for (struct mxs_page **link = &pages->in_use, *page; (page = *link) != NULL;) {
        if (used(opaque, page)) {
            link = &page->next;
            continue;
        }
        *link = page->next;
        pages->by_frame[page->uncached][page->page >> PAGE_SHIFT] = NULL;
        vmap_invalidate_code(core, page->page);
        page->next = pages->spare;
        pages->spare = page;
        pages->count--;
    }
}

struct mxs_page *mxs_page_get(struct mxs_pages *pages, paddr address, bool uncached)
{
    struct mxs_page **entry = &pages->by_frame[uncached][address >> PAGE_SHIFT];
    if (*entry != NULL)
        return *entry;
    struct mxs_page *page = pages->spare;
    if (page != NULL)
        pages->spare = page->next;
    else
        page = allocate(1, sizeof *page);
    mark_undecoded(page);
    page->page = address & ~(paddr)(PAGE_SIZE - 1);
    page->uncached = uncached;
    page->next = pages->in_use;
    pages->in_use = page;
    pages->count++;
    *entry = page;
    return page;
}

const struct mxs_page *mxs_pages_decoded(const struct mxs_pages *pages, paddr address, bool uncached)
{
    const struct mxs_page *page = pages->by_frame[uncached][address >> PAGE_SHIFT];
    return page != NULL && page->decoded ? page : NULL;
}

bool mxs_page_has(const struct mxs_page *page, const struct mxs_op *op)
{
    return (uintptr_t)op - (uintptr_t)page->op < sizeof page->op;
}

const struct mxs_page *mxs_pages_find(const struct mxs_pages *pages, const struct mxs_op *op)
{
    const struct mxs_page *page = pages->in_use;
    while (page != NULL && !mxs_page_has(page, op))
        page = page->next;
    return page;
}

void mxs_pages_forget(struct mxs_pages *pages, paddr page)
{
    for (int i = 0; i < 2; i++)
        if (pages->by_frame[i][page >> PAGE_SHIFT] != NULL)
            mark_undecoded(pages->by_frame[i][page >> PAGE_SHIFT]);
}

void mxs_pages_forget_all(struct mxs_pages *pages)
{
    for (struct mxs_page *page = pages->in_use; page != NULL; page = page->next)
        mark_undecoded(page);
}

void mxs_pages_mark_hooks(struct mxs_pages *pages, const struct core *core, uint32_t offset)
{
    for (struct mxs_page *page = pages->in_use; page != NULL; page = page->next) {
        uint16_t *flags = &page->op[offset / 4 % OP_PAGE_INSNS].flags;
        *flags = (uint16_t)(core_hook_reaches(core, page->page + offset) ? *flags | OP_HOOKED : *flags & ~OP_HOOKED);
    }
}

static unsigned control_flags(const struct mxs_op *op)
{
    const struct isa_control control = isa_control((enum isa_id)op->id, &op->insn, 0);
    return OP_CONTROL | (control.direct ? 0 : OP_INDIRECT) | (control.returns ? OP_RETURN : 0) |
           (control.calls ? OP_CALL : 0) | (control.conditional ? OP_CONDITIONAL : 0) |
           (control.likely ? OP_LIKELY : 0) | (control.flow == FLOW_JUMP ? OP_ABSOLUTE : 0);
}

bool mxs_op_notices_delay(const struct mxs_page *page, unsigned index, unsigned next, const struct core *core)
{
    const uint32_t *words = (const uint32_t *)(const void *)physmem_host(core->mem, page->page);
    struct insn insn;
    const enum isa_id id = isa_decode(core->decoder, words[index], &insn);
    return load_delay_result(core, id, &insn, 4 * index, 4 * next, words) != 0;
}

void mxs_op_decode(struct mxs_pages *pages, struct mxs_page *page, unsigned index, struct core *core)
{
    struct mxs_op *op = &page->op[index];
    const uint32_t word = *(const uint32_t *)(const void *)physmem_host(core->mem, page->page + index * 4);
    if (!(core->mem->page_flags[page->page >> PAGE_SHIFT] & PAGE_HAS_CODE))
        core_protect_code(core, page->page);
    op->id = (uint16_t)isa_decode(core->decoder, word, &op->insn);
    const struct isa_row *row = &isa_table[op->id];
    unsigned flags = OP_DECODED;
    bool alone = row->flags & INSN_SERIALISING;
    if (alone || (row->flags & INSN_PREFETCH && pages->prefetches) || page->uncached)
        flags |= OP_SERIALISING;
    const bool delayed = SIM_UNLIKELY(core->has_load_delay) && mxs_op_notices_delay(page, index, index + 1, core);
    alone |= delayed;
    if (delayed)
        flags |= OP_SERIALISING | OP_STOPS_FETCH;
    if (row->flow == FLOW_ERET || row->flow == FLOW_WAIT || page->uncached)
        flags |= OP_STOPS_FETCH;
    if ((row->flags & INSN_LOAD) && !alone)
        flags |= OP_LOAD;
    if ((row->flags & INSN_STORE) && !alone)
        flags |= OP_STORE;
    if (row->flags & INSN_DELAY_SLOT)
        flags |= control_flags(op);
    if (core_hook_reaches(core, page->page + index * 4))
        flags |= OP_HOOKED;
    op->flags = (uint16_t)flags;
    op->index = (uint16_t)index;
    op->unit = row->class;
    op->latency = pages->latency[isa_cost_class((enum isa_id)op->id)];
    op->insn.run = (const void *)pages->execute[op->id];
    mxs_op_operands(op);
    page->decoded = true;
}
