/*
 * Decoded pages: where mipsy keeps what it knows about code. Keyed by physical page, so they survive address-space
 * switches; a store into the page marks its instructions as not decoded, in place, so that no pointer ever dangles.
 */
#include "cpu/mipsy/translator.h"

#include "cpu/tlb.h"
#include "cpu/vmap.h"
#include "src/log.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *reserve(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        log_bug("out of address space");
    return p;
}

static size_t page_bytes(const struct mipsy_pages *pages)
{
    size_t slots = PAGE_INSNS + (PAGE_INSNS >> pages->group_shift) + 1;
    return sizeof(struct mipsy_page) + MIPSY_ENTRY_OFFSET + slots * sizeof(struct mipsy_entry);
}

static uint32_t place_of(const struct mipsy_pages *pages, unsigned index)
{
    uint32_t group = index >> pages->group_shift;
    return 0x80000000 | index * 4 >> pages->fetch_shift << 16 | (index + group + 1) * MIPSY_TICKS;
}

enum { FRAMES = 1 << 20 };

struct mipsy_pages *mipsy_pages_create(const struct mipsy *m, unsigned limit, uint32_t translate_after,
                                       const struct mipsy_labels *labels)
{
    const struct inorder *in = &m->in;
    struct mipsy_pages *pages = calloc(1, sizeof *pages);
    if (pages == NULL)
        log_bug("out of memory");
    pages->fetch_shift = in->fetch_shift;
    pages->place_bits = in->fetch_virtual;
    pages->line_shift = (unsigned)__builtin_ctz(in->fetch_line) - 2;
    pages->group_shift = (unsigned)__builtin_ctz(MIPSY_WINDOW);
    if (pages->group_shift > pages->line_shift)
        pages->group_shift = pages->line_shift;
    pages->limit = limit;
    pages->labels = *labels;
    for (unsigned index = 0; index < PAGE_INSNS; index++)
        pages->places[index] = place_of(pages, index);
    const unsigned group = 1u << pages->group_shift;
    for (unsigned slot = 0; slot < PAGE_INSNS + PAGE_INSNS / group + 1; slot++) {
        unsigned rest = slot % (group + 1);
        pages->index_of[slot] = (uint16_t)(slot / (group + 1) * group + (rest ? rest - 1 : 0));
    }
    for (int i = 0; i < 2; i++)
        pages->by_frame[i] = reserve(FRAMES * sizeof(struct mipsy_page *));
    pages->translate_after = translate_after;
    if (translate_after != 0)
        pages->translator = mipsy_translator_create(pages, m);
    if (pages->translator != NULL)
        pages->no_block = mipsy_translator_no_block(pages->translator);
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
    mipsy_translator_free(pages->translator);
    free_list(pages->in_use);
    free_list(pages->spare);
    for (int i = 0; i < 2; i++)
        munmap(pages->by_frame[i], FRAMES * sizeof(struct mipsy_page *));
    free(pages);
}

/* What is before the instruction at INDEX, if that begins a group. */
static const void *group_label(const struct mipsy_pages *pages, const struct mipsy_slot_labels *labels, unsigned index)
{
    bool begins_line = (index & ((1u << pages->line_shift) - 1)) == 0;
    if (index % MIPSY_WINDOW != 0)
        return labels->line;
    return begins_line ? labels->checked_line : labels->check;
}

static void set_labels(union mipsy_slot *slot, const void *run, const void *delayed)
{
    slot->insn.run = run;
    mipsy_delayed(slot)->run = delayed;
}

static void mark_undecoded(struct mipsy_pages *pages, struct mipsy_page *page)
{
    const struct mipsy_slot_labels *in_order = &pages->labels.in_order, *delayed = &pages->labels.delayed;
    union mipsy_slot *slot = page->slots, *alarm = pages->alarm.slot;
    for (unsigned index = 0; index < PAGE_INSNS; index++) {
        if ((index & ((1u << pages->group_shift) - 1)) == 0) {
            slot->line.quick = mipsy_place_quick(page, pages->places[index]);
            slot->line.offset = index * 4;
            set_labels(slot++, group_label(pages, in_order, index), group_label(pages, delayed, index));
        }
        mipsy_entry(slot)->code = pages->no_block;
        set_labels(slot++, in_order->decode, delayed->decode);
    }
    set_labels(slot, in_order->page_end, delayed->page_end);
    page->decoded = false;
    pages->forgotten++;
    if (alarm >= page->slots && alarm < slot) /* it still has to come */
        mipsy_alarm_set(pages, alarm);
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

/* The lines of PAGE get the numbers of their quick bytes: those of the physical lines, or, where a physical page may be
 * in several places of the cache, numbers of their own. */
static void number_lines(const struct mipsy_pages *pages, struct mipsy_page *page, const struct core *core)
{
    const uint32_t lines = (uint32_t)PAGE_SIZE >> pages->fetch_shift, physical = page->page >> pages->fetch_shift;
    uint32_t first = physical;
    if (page->uncached) {
        first = QUICK_TABLE_BYTES - lines; /* no line has the last numbers: those bytes are 0 for ever */
    } else if (pages->place_bits != 0) {
        first = page->number * lines;
        for (unsigned i = 0; i < core->cpus; i++)
            memset(core->peers[i]->quick[QUICK_CODE] + first, QUICK_NONE, lines);
    }
    page->quick = first - 0x8000;
    page->physical = physical - first;
}

struct mipsy_page *mipsy_page_get(struct mipsy_pages *pages, struct core *core, vaddr pc, paddr pa, bool uncached)
{
    struct mipsy_page *page = mipsy_page_find(pages, pc, pa, uncached);
    if (page != NULL)
        return page;
    if (pages->count >= pages->limit)
        drop_all(pages, core);
    page = pages->spare;
    if (page != NULL) {
        pages->spare = page->next;
    } else {
        page = malloc(page_bytes(pages)); /* what a slot holds is set when it is decoded */
        if (page == NULL)
            log_bug("out of memory");
        page->number = pages->made++;
    }
    page->page = pa & ~(paddr)(PAGE_SIZE - 1);
    page->place = pc & pages->place_bits;
    page->uncached = uncached;
    memset(page->begins, 0, sizeof page->begins);
    number_lines(pages, page, core);
    mark_undecoded(pages, page);
    page->next = pages->in_use;
    pages->in_use = page;
    pages->count++;
    struct mipsy_page **entry = &pages->by_frame[uncached][page->page >> PAGE_SHIFT];
    page->elsewhere = *entry;
    *entry = page;
    return page;
}

void mipsy_pages_forget(struct mipsy_pages *pages, paddr page)
{
    for (int i = 0; i < 2; i++)
        for (struct mipsy_page *at = pages->by_frame[i][page >> PAGE_SHIFT]; at != NULL; at = at->elsewhere)
            if (at->decoded) /* each core is told, of the same page */
                mark_undecoded(pages, at);
}

void mipsy_pages_forget_all(struct mipsy_pages *pages)
{
    for (struct mipsy_page *page = pages->in_use; page != NULL; page = page->next)
        mark_undecoded(pages, page);
}

/* May a hook be called before the instruction at OFFSET of the physical PAGE, on any core? */
static bool may_be_hooked(const struct core *core, paddr page, unsigned offset)
{
    for (unsigned i = 0; i < core->cpus; i++)
        if (core_hook_reaches(core->peers[i], page + offset))
            return true;
    return false;
}

bool mipsy_may_be_hooked(const struct mipsy_page *page, const struct core *core, unsigned index)
{
    return page->hooked && may_be_hooked(core, page->page, index * 4);
}

/* May it be called before any of PAGE? (See core_hook_reaches.) */
static bool hooks_reach_page(const struct core *core, paddr page)
{
    const vaddr kseg0 = 0x80000000, unmapped_mask = 0x1fffffff;
    for (unsigned i = 0; i < core->cpus; i++) {
        const struct core *peer = core->peers[i];
        for (unsigned h = 0; h < peer->pc_hook_count; h++) {
            const vaddr hook = peer->pc_hooks[h].address;
            if (hook >> 30 != kseg0 >> 30 || (hook & unmapped_mask) / PAGE_SIZE == page / PAGE_SIZE)
                return true;
        }
    }
    return false;
}

/* May the instruction at INDEX, in a delay slot, be executed as if it were in none? */
static bool is_quiet(const struct mipsy_page *page, const struct core *core, unsigned index)
{
    const uint32_t *words = (const uint32_t *)physmem_host(core->mem, page->page);
    if (index >= PAGE_INSNS || mipsy_may_be_hooked(page, core, index))
        return false;
    const struct isa_row *row = &isa_table[isa_identify(core->decoder, words[index])];
    return row->flags == 0 && (row->unit == CLASS_ALU || row->unit == CLASS_SHIFT);
}

/*
 * Where blocks begin (translator.h).
 */

/* The label that executes the instruction of SLOT alone, which has the label `counted` or `block` itself. */
static const void *label_alone(const struct mipsy_pages *pages, const union mipsy_slot *slot)
{
    return (const char *)pages->labels.in_order.nop + mipsy_entry(slot)->run;
}

/* From now on control that comes to SLOT is counted, until a block is made. */
static void count_from_now(const struct mipsy_pages *pages, union mipsy_slot *slot)
{
    struct mipsy_entry *entry = mipsy_entry(slot);
    entry->run = (int32_t)((const char *)slot->insn.run - (const char *)pages->labels.in_order.nop);
    entry->left = pages->translate_after;
    slot->insn.run = pages->labels.in_order.counted;
}

void mipsy_note_beginning(struct mipsy_pages *pages, struct mipsy_page *page, unsigned index)
{
    const struct mipsy_slot_labels *labels = &pages->labels.in_order;
    if (pages->translator == NULL || page->uncached || index >= PAGE_INSNS)
        return;
    union mipsy_slot *slot = mipsy_place_slot(page, pages->places[index]);
    if (slot->insn.run == labels->alarm || slot->insn.run == labels->slow)
        return;
    page->begins[index / 64] |= 1ull << (index % 64);
    if (slot->insn.run != labels->decode)
        count_from_now(pages, slot);
}

void mipsy_set_block(struct mipsy_pages *pages, union mipsy_slot *slot, const uint8_t *code, uint32_t body,
                     unsigned count)
{
    struct mipsy_entry *entry = mipsy_entry(slot);
    if (code == NULL) {
        slot->insn.run = label_alone(pages, slot);
        return;
    }
    entry->code = code;
    entry->body = (uint16_t)body;
    entry->limit = (uint16_t)mipsy_limit_of(count - 1);
    slot->insn.run = pages->labels.in_order.block;
}

/* Branches and jumps hold what depends on their place relative to the start of the page: a branch its target in imm;
 * all the address after the delay slot, in rd and sa, where jalr, which has a register in rd, has it in imm. A branch
 * within its page has places instead; its label knows. */
static const void *prepare_branch(struct mipsy_pages *pages, struct mipsy_page *page, union mipsy_slot *slot,
                                  enum isa_id id, unsigned index, const struct core *core)
{
    struct insn *insn = &slot->insn;
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
    if (pages->labels.far_branch[id] == NULL)
        return pages->labels.insn[id];
    if ((uint32_t)insn->imm >= PAGE_SIZE || after >= PAGE_SIZE)
        return pages->labels.far_branch[id];
    mipsy_may_begin(pages, page, (uint32_t)insn->imm / 4);
    insn->imm = (int32_t)pages->places[insn->imm / 4];
    mipsy_delayed(slot)->after = (int32_t)pages->places[after / 4];
    mipsy_delayed(slot)->quick = mipsy_place_quick(page, pages->places[after / 4]);
    return is_quiet(page, core, index + 1) ? pages->labels.quiet_branch[id] : pages->labels.insn[id];
}

void mipsy_decode(struct mipsy_pages *pages, struct mipsy_page *page, const union mipsy_slot *at, struct core *core)
{
    const struct mipsy_labels *labels = &pages->labels;
    const unsigned index = mipsy_index(pages, page, at);
    union mipsy_slot *slot = mipsy_place_slot(page, pages->places[index]);
    uint32_t word = *(const uint32_t *)physmem_host(core->mem, page->page + index * 4);
    if (!page->decoded) /* hooks that change make it so again */
        page->hooked = hooks_reach_page(core, page->page);
    page->decoded = true;
    if (!(core->mem->page_flags[page->page >> PAGE_SHIFT] & PAGE_HAS_CODE))
        core_protect_code(core, page->page);
    enum isa_id id = isa_decode(core->decoder, word, &slot->insn);
    const void *run = prepare_branch(pages, page, slot, id, index, core);
    const void *delayed = labels->delayed_insn[id];
    if (page->uncached || mipsy_may_be_hooked(page, core, index))
        set_labels(slot, labels->in_order.slow, labels->delayed.slow);
    else if (word == 0)
        set_labels(slot, labels->in_order.nop, labels->delayed.nop);
    else
        set_labels(slot, run, delayed != NULL ? delayed : labels->delayed.slow);
    if (slot->insn.run == labels->in_order.slow)
        return;
    if (mipsy_begins(page, index))
        count_from_now(pages, slot);
    if (isa_table[id].flags & INSN_DELAY_SLOT)
        mipsy_may_begin(pages, page, index + 2);
    else if (pages->translator != NULL && !mipsy_translator_can(pages->translator, id, &slot->insn))
        mipsy_may_begin(pages, page, index + 1);
}

/* The usual case: user code whose page was just entered into the TLB, and executed before. NULL: ask for it. */
static inline struct mipsy_page *find_entered(const struct mipsy *m, vaddr pc)
{
    const struct core *core = m->in.core;
    paddr pa;
    return (pc & 3) == 0 && tlb_look(core, pc, &pa) ? mipsy_page_find(m->pages, pc, pa, false) : NULL;
}

struct mipsy_page *mipsy_lookup(struct mipsy *m, vaddr pc)
{
    struct core *core = m->in.core;
    struct mipsy_page *usual = find_entered(m, pc);
    if (SIM_LIKELY(usual != NULL)) {
        vmap_enter_code(core, pc, usual);
        return usual;
    }
    paddr pa;
    bool uncached;
    if (inorder_translate_fetch(&m->in, pc, &pa, &uncached))
        return NULL;
    struct mipsy_page *page = mipsy_page_get(m->pages, core, pc, pa, uncached);
    vmap_enter_code(core, pc, page);
    return page;
}
