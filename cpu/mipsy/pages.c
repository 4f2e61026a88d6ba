/*
 * Decoded pages: where mipsy keeps what it knows about code. Keyed by physical page, so they survive address-space
 * switches; a store into the page marks its instructions as not decoded, in place, so that no pointer ever dangles.
 */
#include "cpu/mipsy/mipsy.h"

#include "cpu/vmap.h"
#include "src/log.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { FRAMES = 1 << 20 };

static void *reserve(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        log_bug("out of address space");
    return p;
}

static unsigned slot_count(const struct mipsy_pages *pages)
{
    return PAGE_INSNS + (PAGE_INSNS >> pages->group_shift) + 1;
}

struct mipsy_pages *mipsy_pages_create(const struct inorder *in, unsigned limit, const struct mipsy_labels *labels)
{
    struct mipsy_pages *pages = calloc(1, sizeof *pages);
    if (pages == NULL)
        log_bug("out of memory");
    pages->fetch_shift = in->fetch_shift;
    pages->group_shift = (unsigned)__builtin_ctz(in->fetch_line) - 2;
    pages->limit = limit;
    pages->labels = *labels;
    for (unsigned index = 0; index < PAGE_INSNS; index++) {
        unsigned group = index >> pages->group_shift;
        pages->places[index].slot = (uint16_t)mipsy_slot(pages->group_shift, index);
        pages->places[index].line = (uint16_t)((group << pages->group_shift) + group);
    }
    for (int i = 0; i < 2; i++)
        pages->by_frame[i] = reserve(FRAMES * sizeof(struct mipsy_page *));
    return pages;
}

static void free_list(struct mipsy_page *page)
{
    while (page != NULL) {
        struct mipsy_page *next = page->next;
        free(page);
        page = next;
    }
}

void mipsy_pages_free(struct mipsy_pages *pages)
{
    free_list(pages->in_use);
    free_list(pages->spare);
    for (int i = 0; i < 2; i++)
        munmap(pages->by_frame[i], FRAMES * sizeof(struct mipsy_page *));
    free(pages);
}

static void mark_undecoded(const struct mipsy_pages *pages, struct mipsy_page *page)
{
    unsigned group = 1u << pages->group_shift;
    union mipsy_slot *slot = page->slots;
    for (unsigned index = 0; index < PAGE_INSNS; index += group) {
        paddr address = page->page + index * 4;
        /* nothing is cached at the end of the address space: the byte is 0 for ever */
        uint32_t quick = (page->uncached ? UINT32_MAX : address) >> pages->fetch_shift;
        slot++->line = (struct mipsy_line){.run = pages->labels.line, .quick = quick, .address = address};
        for (unsigned i = 0; i < group; i++)
            slot++->insn.run = pages->labels.decode;
    }
    slot->insn.run = pages->labels.page_end;
}

/* All pages to the spare list, and every core's way to them cut. */
static void drop_all(struct mipsy_pages *pages, struct core *core)
{
    while (pages->in_use != NULL) {
        struct mipsy_page *page = pages->in_use;
        pages->in_use = page->next;
        pages->by_frame[page->uncached][page->page >> PAGE_SHIFT] = NULL;
        for (unsigned i = 0; i < core->cpus; i++)
            vmap_forget_code(core->peers[i], page->page);
        page->next = pages->spare;
        pages->spare = page;
    }
    pages->count = 0;
}

struct mipsy_page *mipsy_page_get(struct mipsy_pages *pages, struct core *core, paddr page_address, bool uncached)
{
    struct mipsy_page **entry = &pages->by_frame[uncached][page_address >> PAGE_SHIFT];
    if (*entry != NULL)
        return *entry;
    if (pages->count >= pages->limit)
        drop_all(pages, core);
    struct mipsy_page *page = pages->spare;
    if (page != NULL) {
        pages->spare = page->next;
    } else {
        page = calloc(1, sizeof *page + slot_count(pages) * sizeof(union mipsy_slot));
        if (page == NULL)
            log_bug("out of memory");
    }
    page->page = page_address & ~(paddr)(PAGE_SIZE - 1);
    page->uncached = uncached;
    mark_undecoded(pages, page);
    page->next = pages->in_use;
    pages->in_use = page;
    pages->count++;
    *entry = page;
    return page;
}

void mipsy_pages_forget(struct mipsy_pages *pages, paddr page)
{
    for (int i = 0; i < 2; i++)
        if (pages->by_frame[i][page >> PAGE_SHIFT] != NULL)
            mark_undecoded(pages, pages->by_frame[i][page >> PAGE_SHIFT]);
}

void mipsy_pages_forget_all(struct mipsy_pages *pages)
{
    for (struct mipsy_page *page = pages->in_use; page != NULL; page = page->next)
        mark_undecoded(pages, page);
}

/* Branches and jumps hold what depends on their place relative to the start of the page: a branch its target in imm;
 * all the address after the delay slot, in rd and sa, where jalr, which has a register in rd, has it in imm. */
static void prepare_branch(struct insn *insn, enum isa_id id, unsigned index)
{
    enum imm_kind kind = (enum imm_kind)isa_table[id].imm;
    uint16_t after = (uint16_t)(index * 4 + 8);
    if (id == ISA_JALR)
        insn->imm = after;
    if (kind == IMM_BRANCH || kind == IMM_CC_BRANCH)
        insn->imm += (int32_t)(index * 4 + 4);
    if (kind == IMM_BRANCH || kind == IMM_CC_BRANCH || kind == IMM_JUMP) {
        insn->rd = (uint8_t)after;
        insn->sa = (uint8_t)(after >> 8);
    }
}

/* May a hook be called before the instruction at OFFSET of some virtual page? The code of a physical page may run at
 * several addresses and on any core. */
static bool may_be_hooked(const struct core *core, unsigned offset)
{
    for (unsigned i = 0; i < core->cpus; i++) {
        const struct core *peer = core->peers[i];
        for (unsigned h = 0; h < peer->pc_hook_count; h++)
            if ((peer->pc_hooks[h].address & (PAGE_SIZE - 1)) == offset)
                return true;
    }
    return false;
}

/* What executes the instruction ID at INDEX of PAGE. */
static const void *label(const struct mipsy_pages *pages, const struct mipsy_page *page, unsigned index,
                         const struct core *core, enum isa_id id)
{
    const uint32_t *word = (const uint32_t *)physmem_host(core->mem, page->page) + index;
    if (page->uncached || may_be_hooked(core, index * 4))
        return pages->labels.slow;
    if (*word == 0)
        return pages->labels.nop;
    bool last_of_line = ((index + 1) & ((1u << pages->group_shift) - 1)) == 0;
    if (pages->labels.with_nop[id] != NULL && !last_of_line && word[1] == 0 && !may_be_hooked(core, index * 4 + 4))
        return pages->labels.with_nop[id];
    return pages->labels.insn[id];
}

void mipsy_decode(struct mipsy_pages *pages, struct mipsy_page *page, unsigned index, struct core *core)
{
    struct insn *insn = &page->slots[mipsy_slot(pages->group_shift, index)].insn;
    uint32_t word = *(const uint32_t *)physmem_host(core->mem, page->page + index * 4);
    if (!(core->mem->page_flags[page->page >> PAGE_SHIFT] & PAGE_HAS_CODE))
        core_protect_code(core, page->page);
    enum isa_id id = isa_decode(core->decoder, word, insn);
    prepare_branch(insn, id, index);
    insn->run = label(pages, page, index, core, id);
}

struct mipsy_page *mipsy_lookup(struct mipsy *m, vaddr pc)
{
    struct core *core = m->in.core;
    paddr pa;
    bool uncached;
    if (inorder_translate_fetch(&m->in, pc, &pa, &uncached))
        return NULL;
    struct mipsy_page *page = mipsy_page_get(m->pages, core, pa & ~(paddr)(PAGE_SIZE - 1), uncached);
    vmap_enter_code(core, pc, page);
    return page;
}
