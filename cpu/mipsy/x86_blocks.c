/* Blocks, from their beginning to their end. */
#include "cpu/cp0.h"
#include "cpu/mipsy/x86_emitter.h"

enum {
    BLOCK_BYTES = 16 << 10, /* that a block may need, at most */
    LEAST = 3,              /* instructions of a block that goes back to the interpreter */
};

/* Of mfc0 and mtc0: a register that is a word and nothing more. */
bool mipsy_translator_can(const struct mipsy_translator *t, enum isa_id id, const struct insn *insn)
{
    const struct cp0_register *row = &cp0_table[CP0_NUMBER(insn->rd & 31u, (uint32_t)insn->imm & 7)];
    if ((id == ISA_MFC0 && row->read != NULL) || (id == ISA_MTC0 && row->write != NULL))
        return false;
    return t->can[id];
}

/* The block at work, before it is translated. */
struct block {
    unsigned first, count; /* of instructions */
    bool branches;         /* the last but one is a branch */
    bool returns;          /* the last is eret */
    bool goes_on;          /* another block may follow it directly; otherwise the interpreter goes on */
};

/* Can the instruction at INDEX be translated, if it is none with a delay slot or IS_BRANCH? */
static bool can_translate(const struct mipsy_translator *t, const struct mipsy_page *page, const struct core *core,
                          const struct decoded *decoded, unsigned index, bool is_branch)
{
    const bool has_slot = isa_table[decoded->id].flags & INSN_DELAY_SLOT;
    return mipsy_translator_can(t, decoded->id, &decoded->insn) && has_slot == is_branch &&
           !mipsy_may_be_hooked(page, core, index);
}

/* Blocks that are ended by their length end with a line: what follows is fetched anew. All their instructions are
 * decoded. */
static struct block find_block(struct mipsy_translator *t, const struct mipsy_pages *pages,
                               const struct mipsy_page *page, const struct core *core, unsigned first)
{
    const unsigned line = 1u << pages->line_shift;
    const unsigned end = first + MIPSY_WINDOW < PAGE_INSNS ? first + MIPSY_WINDOW : PAGE_INSNS;
    const uint32_t *words = (const uint32_t *)physmem_host(core->mem, page->page);
    struct decoded *decoded = t->decoded;
    for (unsigned at = first; at < end; at++, decoded++) {
        decoded->id = isa_decode(core->decoder, words[at], &decoded->insn);
        if (can_translate(t, page, core, decoded, at, false)) {
            if (decoded->id == ISA_ERET)
                return (struct block){.first = first, .count = at + 1 - first, .returns = true};
            continue;
        }
        if (at + 2 <= end && can_translate(t, page, core, decoded, at, true)) {
            decoded[1].id = isa_decode(core->decoder, words[at + 1], &decoded[1].insn);
            if (can_translate(t, page, core, &decoded[1], at + 1, false))
                return (struct block){.first = first, .count = at + 2 - first, .branches = true};
        }
        return (struct block){.first = first, .count = at - first};
    }
    if (end == PAGE_INSNS)
        return (struct block){.first = first, .count = end - first};
    return (struct block){.first = first, .count = (end & ~(line - 1)) - first, .goes_on = true};
}

static bool is_worth_it(const struct block *b)
{
    return b->count > 0 && (b->branches || b->returns || b->goes_on || b->count >= LEAST);
}

/* Time passes: the next block's first instruction comes COUNT cycles after this one's. Keeps the flags. */
static void emit_time_passes(struct mipsy_translator *t, unsigned count)
{
    x86_lea64(&t->x, R12, x86_mem(R12, (int32_t)count * MIPSY_TICKS));
}

/* To the place OFFSET bytes from the start of the page. */
static void emit_go_to(struct mipsy_translator *t, uint32_t offset)
{
    struct x86 *x = &t->x;
    if (offset >= PAGE_SIZE) {
        x86_lea(x, RAX, x86_mem(R14, (int32_t)offset));
        x86_jump_to(x, t->thunk[THUNK_JUMP]);
        return;
    }
    const uint32_t place = t->pages->places[offset / 4];
    const size_t entry = offsetof(struct mipsy_page, slots) + MIPSY_ENTRY_OFFSET + (place & 0xffff);
    x86_mov_imm(x, RDX, place);
    x86_jump_memory(x, x86_mem(R13, (int32_t)entry));
}

/* To the next page's instruction at virtual TARGET, if the page at work is where it was. */
static uint8_t *emit_go_to_page(struct mipsy_translator *t, vaddr target)
{
    struct x86 *x = &t->x;
    x86_mov64(x, RCX, AT_CORE(code_map));
    x86_mov64(x, RCX, x86_mem(RCX, (int32_t)(target >> PAGE_SHIFT) * (int32_t)sizeof(void *)));
    x86_test64(x, RCX, RCX);
    uint8_t *unknown = x86_jcc(x, X86_E);
    x86_mov64(x, R13, x86_reg(RCX));
    x86_store64(x, AT_FRAME(page), R13);
    x86_mov_imm(x, R14, target & ~(vaddr)(PAGE_SIZE - 1));
    x86_store(x, AT_FRAME(base), R14);
    emit_go_to(t, target & (PAGE_SIZE - 1));
    return unknown;
}

/* j, jal, whose delay slot is OFFSET bytes from the start of the page, to TARGET in the 256 MB of that. */
static void emit_jump_in_region(struct mipsy_translator *t, uint32_t offset, uint32_t target)
{
    struct x86 *x = &t->x;
    const vaddr here = ((t->base + offset) & 0xf0000000) | target;
    x86_cmp_imm32(x, x86_reg(R14), t->base);
    uint8_t *elsewhere = x86_jcc(x, X86_NE), *unknown = NULL;
    if ((here & ~(vaddr)(PAGE_SIZE - 1)) == t->base)
        emit_go_to(t, here - t->base);
    else
        unknown = emit_go_to_page(t, here);
    x86_patch(elsewhere, x->at);
    if (unknown != NULL)
        x86_patch(unknown, x->at);
    x86_lea(x, RAX, x86_mem(R14, (int32_t)offset));
    x86_alu_imm(x, X86_AND, x86_reg(RAX), 0xf0000000);
    x86_alu_imm(x, X86_OR, x86_reg(RAX), target);
    x86_jump_to(x, t->thunk[THUNK_JUMP]);
}

/* Instruction IN_BLOCK of BLOCK is at work. */
static void set_instruction(struct mipsy_translator *t, const struct block *block, unsigned in_block)
{
    t->index = block->first + in_block;
    t->id = t->decoded[in_block].id;
    t->insn = t->decoded[in_block].insn;
    const union mipsy_slot *slot = mipsy_place_slot(t->page, t->pages->places[t->index]);
    t->site.slot = (unsigned)(slot - t->page->slots);
    t->site.index = in_block;
    t->free = (1u << TEMPORARIES) - 1;
}

static bool begins_line(const struct mipsy_pages *pages, unsigned index)
{
    return (index & ((1u << pages->line_shift) - 1)) == 0;
}

/* Does the instruction at work change the register that GUEST is the number of? */
static bool changes(const struct mipsy_translator *t, unsigned guest)
{
    const uint16_t defines = isa_table[t->id].defines;
    return ((defines & OPERAND_T) && t->insn.rt == guest) || ((defines & OPERAND_D) && t->insn.rd == guest) ||
           ((defines & OPERAND_31) && guest == 31);
}
static bool changes_operand(const struct mipsy_translator *t, unsigned kind, unsigned guest)
{
    return kind == VALUE_HOST || ((kind == VALUE_GUEST || kind == VALUE_SUM) && changes(t, guest));
}

/* Will the branch's decision be the same when the instruction at work, in its delay slot, has been executed? */
static bool decides_later(const struct mipsy_translator *t, const struct value *decides)
{
    if (decides->kind == VALUE_CONDITION)
        return !changes_operand(t, decides->x.kind, decides->x.guest) &&
               !changes_operand(t, decides->y.kind, decides->y.guest);
    return !changes_operand(t, decides->kind, decides->guest);
}

/* The branch before the last instruction of BLOCK, and that. */
static void emit_branch(struct mipsy_translator *t, const struct block *block)
{
    struct x86 *x = &t->x;
    const unsigned slot = block->first + block->count - 1;
    const uint32_t after = (slot + 1) * 4, taken = slot * 4 + (uint32_t)t->insn.imm;
    const unsigned how = t->branch;
    const struct value decides = t->decides;
    set_instruction(t, block, block->count - 1);
    t->site.delayed = true;
    const bool later = decides_later(t, &decides);
    if (!later) {
        value_load(t, RAX, decides);
        x86_store(x, AT_FRAME(target), RAX);
        t->free = (1u << TEMPORARIES) - 1;
    }
    if (begins_line(t->pages, slot))
        emit_fetch(t);
    emit_row(t);
    if (how == JUMP_IN_REGION) {
        emit_time_passes(t, block->count);
        emit_jump_in_region(t, slot * 4, decides.constant);
        return;
    }
    if (how == JUMP_TO) {
        if (later)
            value_load(t, RAX, decides);
        else
            x86_mov(x, RAX, AT_FRAME(target));
        emit_time_passes(t, block->count);
        x86_jump_to(x, t->thunk[THUNK_JUMP]);
        return;
    }
    if (decides.kind == VALUE_CONST) { /* b, and what is never taken */
        emit_time_passes(t, block->count);
        emit_go_to(t, decides.constant ? taken : after);
        return;
    }
    enum x86_condition condition = X86_NE;
    if (later)
        condition = value_test(t, decides);
    else
        x86_cmp8_imm(x, AT_FRAME(target), 0);
    emit_time_passes(t, block->count);
    uint8_t *is_taken = x86_jcc(x, condition);
    emit_go_to(t, after);
    x86_patch(is_taken, x->at);
    emit_go_to(t, taken);
}

/* From another block: see translator.h. */
static void emit_entry(struct mipsy_translator *t, const struct block *b)
{
    struct x86 *x = &t->x;
    x86_alu64(x, X86_CMP, R12, AT_HOT(limits[mipsy_limit_of(b->count - 1)]));
    x86_jcc_to(x, X86_G, t->thunk[THUNK_AT_BLOCK]); /* the place is in edx */
    emit_fetch(t);
}

/* The block's loads and stores are counted at its beginning. */
static void emit_counts(struct mipsy_translator *t, const struct block *b)
{
    for (unsigned i = 0; i < b->count; i++) {
        const uint16_t flags = isa_table[t->decoded[i].id].flags;
        t->site.loads += (flags & INSN_LOAD) != 0;
        t->site.stores += (flags & INSN_STORE) != 0;
    }
    if (t->site.loads)
        x86_alu64_imm(&t->x, X86_ADD, AT_CORE(counts.loads), (int32_t)t->site.loads);
    if (t->site.stores)
        x86_alu64_imm(&t->x, X86_ADD, AT_CORE(counts.stores), (int32_t)t->site.stores);
}

/* Behind the last instruction, which is at work. */
static void emit_end(struct mipsy_translator *t, const struct block *b)
{
    const unsigned next = b->first + b->count;
    if (b->returns)
        return;
    emit_time_passes(t, b->count);
    if (b->goes_on) {
        emit_go_to(t, next * 4);
        return;
    }
    /* what is between this instruction and the next: a line, the end of the page */
    const uint32_t last = t->pages->places[next - 1] & 0xffff;
    x86_mov_imm(&t->x, RDX, last + MIPSY_TICKS);
    x86_jump_to(&t->x, t->thunk[THUNK_HERE]);
}

/* Where the part begins that follows the entry; NULL: it cannot be done. */
static const uint8_t *emit_block(struct mipsy_translator *t, const struct block *b)
{
    t->cold_count = 0;
    t->aligned = 0;
    t->count = b->count;
    t->site = (struct mipsy_site){0};
    set_instruction(t, b, 0);
    emit_entry(t, b);
    const uint8_t *body = t->x.at;
    emit_counts(t, b);
    for (unsigned i = 0; i < b->count - b->branches; i++) {
        set_instruction(t, b, i);
        if (i > 0 && begins_line(t->pages, t->index))
            emit_fetch(t);
        emit_row(t);
        if (t->failed)
            return NULL;
    }
    if (b->branches)
        emit_branch(t, b);
    else
        emit_end(t, b);
    if (t->failed)
        return NULL;
    emit_cold(t);
    return t->failed ? NULL : body;
}

void mipsy_translate(struct mipsy_pages *pages, struct mipsy_page *page, union mipsy_slot *slot, struct core *core,
                     vaddr base)
{
    struct mipsy_translator *t = pages->translator;
    const struct block b = find_block(t, pages, page, core, mipsy_index(pages, page, slot));
    if (t->memory_end - t->x.at < BLOCK_BYTES) {
        mipsy_pages_forget_all(pages);
        t->x.at = t->first;
        return;
    }
    uint8_t *const begin = t->x.at;
    t->page = page;
    t->base = base;
    t->pages = pages;
    const uint8_t *body = is_worth_it(&b) ? emit_block(t, &b) : NULL;
    if (body == NULL)
        t->x.at = begin;
    mipsy_set_block(pages, slot, body != NULL ? begin : NULL, body != NULL ? (uint32_t)(body - begin) : 0, b.count);
}
