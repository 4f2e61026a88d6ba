/*
 * Cases that are hard for a translator: calls and returns, indirect jumps with changing targets, long basic blocks,
 * hot loops, code at several addresses and in several address spaces, eviction of the executing page's TLB entry,
 * branches at the end of a page.
 */
#include "tests/diff/encode.h"
#include "tests/diff/stream_builder.h"
#include "cpu/cpu.h"

enum { BASE = 16 /* $s0, at WINDOW_RW + 0x800 */, BASE_OFFSET = 0x800, LINK = 31 };

static unsigned any_register(struct builder *b)
{
    return 1 + random_below(stream_chance(b), 15);
}

static unsigned processor(const struct builder *b)
{
    return (b->rows.kind->code - LAYOUT_CODE) / 0x8000 % 4;
}

/* A near or far call. */
static void emit_call(struct builder *b)
{
    if (random_one_in(stream_chance(b), 2)) {
        stream_fix(b, FIXUP_JUMP);
        stream_emit(b, isa_table[ISA_JAL].match);
    } else {
        stream_fix(b, FIXUP_BRANCH);
        stream_emit(b, isa_table[ISA_BGEZAL].match); /* with $zero: always taken */
    }
    stream_emit_plain(b);
}

static void emit_return(struct builder *b)
{
    stream_emit(b, E_JR(LINK));
    stream_emit_plain(b);
}

/* Jump to the next of the targets, or call it. */
static void emit_dispatch(struct builder *b)
{
    unsigned turn = any_register(b), next = turn % 15 + 1;
    int32_t turns = (int32_t)TURN_OFFSET - BASE_OFFSET + 4 * (int32_t)processor(b);
    int32_t targets = (int32_t)TARGETS_OFFSET - BASE_OFFSET + 4 * TARGETS * (int32_t)processor(b);
    stream_emit(b, E_LW(turn, turns, BASE));
    stream_emit(b, E_ADDIU(next, turn, 4 * (1 + random_below(stream_chance(b), TARGETS))));
    stream_emit(b, E_SW(next, turns, BASE));
    stream_emit(b, E_I(12, turn, turn, 4 * (TARGETS - 1))); /* andi */
    stream_emit(b, E_ADDU(turn, turn, BASE));
    stream_emit(b, E_LW(turn, targets, turn));
    stream_emit(b, random_one_in(stream_chance(b), 2) ? E_JR(turn) : E_R(turn, 0, LINK, 9));
    stream_emit_plain(b);
}

static void emit_straight(struct builder *b)
{
    for (unsigned n = 20 + random_below(stream_chance(b), 150); n > 0; n--)
        stream_emit_plain(b);
}

static void emit_jump_to_space(struct builder *b)
{
    unsigned reg = any_register(b);
    stream_emit_address(b, reg, FIXUP_SPACE);
    stream_emit(b, E_JR(reg));
    stream_emit_plain(b);
}

static void emit_eret(struct builder *b)
{
    unsigned reg = any_register(b);
    stream_emit_address(b, reg, random_one_in(stream_chance(b), 3) ? FIXUP_SPACE : FIXUP_ADDRESS);
    stream_emit(b, E_MTC0(reg, CP0_EPC));
    stream_emit(b, isa_table[ISA_ERET].match);
}

static void emit_write(struct builder *b, unsigned number, uint32_t value)
{
    unsigned reg = any_register(b);
    stream_emit_constant(b, reg, value);
    stream_emit(b, E_MTC0(reg, number));
}

/* Switch page table and ASID, mostly together. */
static void emit_space_switch(struct builder *b)
{
    unsigned space = random_below(stream_chance(b), 2);
    emit_write(b, CP0_CONTEXT, 0x80000000u + (space ? LAYOUT_TABLE_1 : LAYOUT_TABLE));
    if (random_one_in(stream_chance(b), 8))
        space ^= 1;
    emit_write(b, CP0_ENTRYHI, space + 1);
}

/* Overwrite TLB entries: one, or enough to include that of the executing page. */
static void emit_tlb_loss(struct builder *b)
{
    unsigned index = random_below(stream_chance(b), 16);
    unsigned end = random_one_in(stream_chance(b), 3) ? 16 : index + 1;
    emit_write(b, CP0_ENTRYLO0, 0);
    emit_write(b, CP0_ENTRYLO1, 0);
    for (; index < end; index++) {
        emit_write(b, CP0_ENTRYHI, 0x80000000u + (index << 13) + 1);
        emit_write(b, CP0_INDEX, index);
        stream_emit(b, isa_table[ISA_TLBWI].match);
    }
}

static unsigned pick_number(struct builder *b, const unsigned *numbers, unsigned count)
{
    return numbers[random_below(stream_chance(b), count)];
}
#define PICK(b, ...)                                                                                                   \
    pick_number(b, (const unsigned[]){__VA_ARGS__}, sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/* A delay slot that changes mode, interrupt enable or TLB. */
static void emit_system_slot(struct builder *b)
{
    const struct stream_kind *kind = b->rows.kind;
    unsigned reg = any_register(b);
    uint32_t status = STATUS_CU1 | (kind->fr ? STATUS_FR : 0) | (random_one_in(stream_chance(b), 8) ? STATUS_UM : 0);
    if (kind->interrupts)
        status |= 0x8300 | (random_one_in(stream_chance(b), 4) ? 0 : STATUS_IE);
    uint32_t word = isa_table[PICK(b, ISA_EI, ISA_DI, ISA_TLBWR, ISA_TLBP, ISA_TLBR, ISA_SYNC)].match;
    switch (random_below(stream_chance(b), 4)) {
    case 0:
        stream_emit_constant(b, reg, status);
        word = E_MTC0(reg, CP0_STATUS);
        break;
    case 1:
        stream_emit_constant(b, reg, kind->interrupts ? CAUSE_IV | (random_word(stream_chance(b)) & 0x300) : CAUSE_IV);
        word = E_MTC0(reg, CP0_CAUSE);
        break;
    case 2:
        if (kind->time) {
            stream_emit(b, E_MFC0(reg, CP0_COUNT));
            stream_emit(b, E_ADDIU(reg, reg, random_below(stream_chance(b), 20)));
            word = E_MTC0(reg, CP0_COMPARE);
        }
        break;
    default: break;
    }
    stream_fix(b, FIXUP_BRANCH);
    stream_emit(b, stream_rows_encode(&b->rows, PICK(b, ISA_BEQ, ISA_BNE, ISA_BGEZ, ISA_BLTZL, ISA_BGEZAL)));
    stream_emit(b, word);
}

/* Arithmetic with two registers of constant value, and a branch with a known outcome. */
static void emit_constants(struct builder *b)
{
    unsigned reg[2] = {1 + random_below(stream_chance(b), 7), 8 + random_below(stream_chance(b), 7)};
    stream_emit_constant(b, reg[0], image_interesting_word(stream_chance(b)));
    stream_emit_constant(b, reg[1], image_interesting_word(stream_chance(b)));
    for (unsigned n = 1 + random_below(stream_chance(b), 6); n > 0; n--) {
        unsigned d = random_below(stream_chance(b), 2), s = random_below(stream_chance(b), 2);
        uint32_t fields = FIELD(reg[s], 21) | FIELD(reg[1 - s], 16) | FIELD(reg[d], 11);
        uint32_t shift = FIELD(reg[s], 16) | FIELD(reg[d], 11) | FIELD(random_below(stream_chance(b), 32), 6);
        uint32_t immediate = FIELD(reg[s], 21) | FIELD(reg[d], 16) | (random_word(stream_chance(b)) & 0xffff);
        switch (random_below(stream_chance(b), 4)) {
        case 0: stream_emit(b, isa_table[PICK(b, ISA_SLL, ISA_SRL, ISA_SRA, ISA_ROTR)].match | shift); break;
        case 1:
            stream_emit(
                b, immediate |
                       isa_table[PICK(b, ISA_ADDIU, ISA_SLTI, ISA_SLTIU, ISA_ANDI, ISA_ORI, ISA_XORI, ISA_ADDI)].match);
            break;
        default:
            stream_emit(b, fields | isa_table[PICK(b, ISA_ADDU, ISA_SUBU, ISA_AND, ISA_OR, ISA_XOR, ISA_NOR, ISA_SLT,
                                                   ISA_SLTU, ISA_SLLV, ISA_SRLV, ISA_SRAV, ISA_ROTRV, ISA_MOVZ,
                                                   ISA_MOVN, ISA_MUL, ISA_ADD, ISA_SUB)]
                                        .match);
        }
    }
    stream_fix(b, FIXUP_BRANCH);
    stream_emit(b,
                isa_table[PICK(b, ISA_BEQ, ISA_BNE, ISA_BEQL, ISA_BNEL)].match | FIELD(reg[0], 21) | FIELD(reg[1], 16));
    stream_emit_plain(b);
}

/* Accesses with a base register whose alignment is known, or was before. */
static void emit_aligned(struct builder *b)
{
    unsigned mask = 1 + random_below(stream_chance(b), 7), base = 8 + random_below(stream_chance(b), 7);
    int32_t offset = 4 * (int32_t)random_below(stream_chance(b), 16);
    stream_emit(b, E_ADDIU(mask, 0, -4));
    stream_emit(b, E_R(BASE, mask, base, 0x24)); /* and */
    for (unsigned n = 1 + random_below(stream_chance(b), 5); n > 0; n--) {
        if (random_one_in(stream_chance(b), 3))
            stream_emit(b, E_ADDIU(base, base, PICK(b, 1, 2, 3, 4, 8, 16, -2u, -4u, -6u)));
        uint32_t word = isa_table[PICK(b, ISA_LW, ISA_SW, ISA_LH, ISA_SH, ISA_LDC1, ISA_SDC1, ISA_LWC1, ISA_LL, ISA_LBU,
                                       ISA_LWL, ISA_SWR)]
                            .match;
        stream_emit(b, word | FIELD(base, 21) | FIELD(2 * random_below(stream_chance(b), 4), 16) |
                           (uint32_t)(offset + 8 * (int32_t)random_below(stream_chance(b), 4)));
    }
}

/* A short routine that the surrounding code jumps over. */
static void emit_callee(struct builder *b)
{
    enum { CALLEES = sizeof b->callees / sizeof b->callees[0] };
    unsigned length = 1 + random_below(stream_chance(b), 4);
    stream_emit(b, E_BEQ(0, 0, (int)length + 3));
    stream_emit_plain(b);
    b->callees[b->callee_count++ % CALLEES] = b->stream->count;
    for (; length > 0; length--)
        stream_emit_plain(b);
    stream_emit(b, E_JR(LINK));
    stream_emit_plain(b);
}

/* Modify a routine and call it, repeatedly: the store is before the call or in its delay slot. */
static void emit_changed_call(struct builder *b)
{
    enum { CALLEES = sizeof b->callees / sizeof b->callees[0] };
    const struct stream_kind *kind = b->rows.kind;
    unsigned known = b->callee_count < CALLEES ? b->callee_count : CALLEES;
    vaddr callee = kind->code + 4 * b->callees[random_below(stream_chance(b), known)];
    unsigned word = 1 + random_below(stream_chance(b), 7), address = 8 + random_below(stream_chance(b), 7);
    int32_t pool = (int32_t)POOL_OFFSET - BASE_OFFSET + 4 * (int32_t)random_below(stream_chance(b), POOL_WORDS);
    bool in_slot = random_one_in(stream_chance(b), 2);
    if (!b->loop)
        stream_begin_loop(b, 2 + random_below(stream_chance(b), 6), random_below(stream_chance(b), 3));
    stream_emit(b, E_LW(word, pool, BASE));
    if (kind->kernel && random_one_in(stream_chance(b), 4))
        stream_emit_constant(b, address, callee | (random_one_in(stream_chance(b), 3) ? 0xa0000000 : 0x80000000));
    else
        stream_emit_constant(b, address, callee);
    if (!in_slot)
        stream_emit(b, E_SW(word, 0, address));
    if (random_one_in(stream_chance(b), 4)) {
        stream_emit_constant(b, word ^ 8, callee);
        stream_emit(b, E_R(word ^ 8, 0, LINK, 9));
    } else {
        stream_emit(b, isa_table[ISA_JAL].match | (callee >> 2 & 0x3ffffff));
    }
    if (in_slot)
        stream_emit(b, E_SW(word, 0, address));
    else
        stream_emit_plain(b);
}

/* A branch whose delay slot is on the next page. */
static void emit_page_end(struct builder *b)
{
    stream_fix(b, FIXUP_BRANCH);
    stream_emit(b, stream_rows_encode(&b->rows, PICK(b, ISA_BEQ, ISA_BNEL, ISA_BGEZ, ISA_BGTZL, ISA_BLTZAL)));
    stream_emit_plain(b);
}

bool stream_emit_hard(struct builder *b)
{
    const struct stream_kind *kind = b->rows.kind;
    paddr here = kind->code + 4 * b->stream->count;
    if (here % PAGE_SIZE == PAGE_SIZE - 4 && !random_one_in(stream_chance(b), 4)) {
        emit_page_end(b);
        return true;
    }
    if (b->stream->count + 300 > STREAM_MAX || !random_one_in(stream_chance(b), 6))
        return false;
    switch (random_below(stream_chance(b), kind->kernel ? 25 : 16)) {
    case 0:
    case 1: emit_call(b); return true;
    case 2: emit_return(b); return true;
    case 3:
    case 4: emit_dispatch(b); return true;
    case 5:
        if (!random_one_in(stream_chance(b), 4))
            return false;
        emit_straight(b);
        return true;
    case 6:
        if (b->loop)
            return false;
        stream_begin_loop(b, 20 + random_below(stream_chance(b), 200), 1 + random_below(stream_chance(b), 5));
        return true;
    case 7:
    case 8: emit_jump_to_space(b); return true;
    case 9:
    case 10: emit_constants(b); return true;
    case 11: emit_aligned(b); return true;
    case 12: emit_callee(b); return true;
    case 13:
    case 14:
    case 15:
        if (b->callee_count == 0)
            emit_callee(b);
        else
            emit_changed_call(b);
        return true;
    case 16:
    case 17: emit_eret(b); return true;
    case 18:
    case 19:
    case 20: emit_space_switch(b); return true;
    case 21: emit_tlb_loss(b); return true;
    default: emit_system_slot(b); return true;
    }
}

vaddr stream_space_address(const struct builder *b, unsigned target, unsigned space)
{
    paddr place = b->rows.kind->code + 4 * target - LAYOUT_CODE;
    uint32_t page = place >> PAGE_SHIFT ^ space;
    return WINDOW_SPACE + 2 * PAGE_SIZE * page + (place & (PAGE_SIZE - 1));
}

void stream_put_targets(struct builder *b, struct image *image)
{
    for (unsigned i = 0; i < TARGETS; i++) {
        unsigned target = stream_choose_target(b, random_below(stream_chance(b), b->stream->count));
        vaddr address = b->rows.kind->code + 4 * target;
        switch (random_below(stream_chance(b), 12)) {
        case 0: address = stream_bad_target(b); break;
        case 1:
        case 2: address = stream_space_address(b, target, 0); break;
        case 3:
        case 4: address |= b->rows.kind->kernel ? 0x80000000u : 0; break;
        case 5: address |= b->rows.kind->kernel ? 0xa0000000u : 0; break;
        default: break;
        }
        image_put_word(image, WINDOW_RW + TARGETS_OFFSET + 4 * (TARGETS * processor(b) + i), address);
    }
}
