#include "tests/diff/stream.h"
#include "cpu/cpu.h"
#include "cpu/fp/fpu.h"
#include "src/base/log.h"
#include "tests/diff/encode.h"
#include "tests/diff/stream_builder.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void stream_emit(struct builder *b, uint32_t word)
{
    if (b->stream->count == STREAM_MAX)
        log_bug("the stream is too long");
    b->stream->words[b->stream->count++] = word;
}

void stream_fix(struct builder *b, enum fixup_kind kind)
{
    b->fixups[b->fixup_count++] = (struct fixup){b->stream->count, kind};
}

void stream_emit_constant(struct builder *b, unsigned reg, uint32_t value)
{
    stream_emit(b, E_LUI(reg, value >> 16));
    stream_emit(b, E_ORI(reg, reg, value));
}

/* Emit the address of a unit as lui and ori, resolved later. */
void stream_emit_address(struct builder *b, unsigned reg, enum fixup_kind kind)
{
    stream_fix(b, kind);
    stream_emit_constant(b, reg, 0);
}

void stream_emit_plain(struct builder *b)
{
    b->start[b->stream->count] = true;
    b->plain[b->stream->count] = true;
    stream_emit(b, stream_rows_plain(&b->rows));
}

/* Branches */

static void emit_branch(struct builder *b, enum isa_id id)
{
    stream_fix(b, FIXUP_BRANCH);
    stream_emit(b, stream_rows_encode(&b->rows, id));
    stream_emit_plain(b);
}

static void emit_jump(struct builder *b, enum isa_id id)
{
    stream_fix(b, FIXUP_JUMP);
    stream_emit(b, stream_rows_encode(&b->rows, id));
    stream_emit_plain(b);
}

/* An address outside of code. */
uint32_t stream_bad_target(struct builder *b)
{
    static const uint32_t targets[] = {WINDOW_INVALID, WINDOW_EDGE + PAGE_SIZE, 0x7ffffffc, 0x00400002};
    /* An odd address would switch QEMU's processor to MIPS16. */
    static const uint32_t worse[] = {WINDOW_BUS_ERROR, 0xbfc00000, 0x80400001, 0x00400003, 0xc0400000, 0xfffffffc, 0};
    if (b->rows.kind->oracle || random_one_in(stream_chance(b), 2))
        return targets[random_below(stream_chance(b), sizeof targets / sizeof targets[0])];
    return worse[random_below(stream_chance(b), sizeof worse / sizeof worse[0])];
}

static void emit_jump_register(struct builder *b, enum isa_id id)
{
    unsigned reg = 1 + random_below(stream_chance(b), 14);
    bool bad = random_one_in(stream_chance(b), 6);
    if (bad) {
        stream_emit_address(b, RECOVERY, FIXUP_RECOVERY);
        stream_emit_constant(b, reg, stream_bad_target(b));
    } else {
        stream_emit_address(b, reg, FIXUP_ADDRESS);
    }
    uint32_t word = isa_table[id].match | FIELD(reg, 21);
    if (id == ISA_JALR)
        word |= FIELD(random_one_in(stream_chance(b), 4) ? 15 : 31, 11);
    if (random_one_in(stream_chance(b), 8))
        word |= 1 << 10; /* .hb */
    stream_emit(b, word);
    stream_emit_plain(b);
}

void stream_begin_loop(struct builder *b, unsigned count, unsigned units)
{
    stream_emit(b, E_ADDIU(LOOP_COUNT, 0, count));
    b->loop = b->stream->count;
    b->loop_units = units;
}

static void end_loop(struct builder *b)
{
    b->start[b->stream->count] = true;
    stream_emit(b, E_ADDIU(LOOP_COUNT, LOOP_COUNT, -1));
    stream_emit(b, E_BGTZ(LOOP_COUNT, (int)b->loop - (int)b->stream->count - 1));
    stream_emit_plain(b);
    b->loop = 0;
}

/* Sequences */

static void emit_linked(struct builder *b)
{
    unsigned reg = 1 + random_below(stream_chance(b), 15);
    uint32_t offset = random_below(stream_chance(b), 64) * 4, base = 16;
    /* A TLB refill breaks the link, and its occurrence depends on the TLB's size. */
    while (b->rows.kind->oracle && ((b->rows.kind->code + 4 * b->stream->count) & (PAGE_SIZE - 1)) >= PAGE_SIZE - 8)
        stream_emit(b, E_NOP);
    stream_emit(b, E_LL(reg, offset, base));
    if (random_one_in(stream_chance(b), 2))
        stream_emit(b, E_ADDIU(reg, reg, 1));
    stream_emit(b, E_SC(reg, offset, base));
}

/* Store a word of the pool over a plain instruction, through the code's own address or an alias. */
static void emit_self_modification(struct builder *b)
{
    unsigned reg = 1 + random_below(stream_chance(b), 7), address = 8 + random_below(stream_chance(b), 7);
    uint32_t word = POOL_OFFSET - 0x800 + 4 * random_below(stream_chance(b), POOL_WORDS);
    stream_emit(b, E_LW(reg, word, 16));
    stream_emit_address(b, address, FIXUP_PLAIN);
    stream_emit(b, E_SW(reg, 0, address));
    if (b->rows.kind->oracle || random_one_in(stream_chance(b), 4)) /* required by the architecture, not by mipsy */
        stream_emit(b, 0x041f0000 | FIELD(address, 21));            /* synci */
}

static void emit_division(struct builder *b, enum isa_id id)
{
    unsigned divisor = random_below(stream_chance(b), 16);
    if (b->rows.kind->oracle) { /* neither 0 nor -1 */
        stream_emit(b, E_SRL(24, divisor, 1));
        stream_emit(b, E_ORI(24, 24, 1));
        if (random_one_in(stream_chance(b), 2))
            stream_emit(b, E_NOR(24, 24, 0));
        divisor = 24;
    }
    stream_emit(b, isa_table[id].match | FIELD(random_below(stream_chance(b), 16), 21) | FIELD(divisor, 16));
}

static void emit_fcsr(struct builder *b)
{
    static const uint8_t numbers[] = {31, 31, 31, 25, 26, 28};
    uint32_t value = random_word(stream_chance(b)) & FCSR_RM;
    unsigned reg = 1 + random_below(stream_chance(b), 15);
    unsigned number = numbers[random_below(stream_chance(b), sizeof numbers)];
    if (random_one_in(stream_chance(b), 3))
        value |= random_word(stream_chance(b)) & (FCSR_FCC | FCSR_FLAGS | FCSR_ENABLES);
    if (random_one_in(stream_chance(b), 12))
        value |= random_word(stream_chance(b)) & FCSR_CAUSE;
    if (b->rows.kind->oracle)
        value &= ~(uint32_t)(FPU_UNDERFLOW << FCSR_ENABLES_SHIFT | FCSR_FS);
    else if (random_one_in(stream_chance(b), 4))
        value |= FCSR_FS;
    if (b->rows.kind->oracle && number == 28)
        value &= ~4u; /* FENR.FS */
    if (b->rows.kind->oracle && number == 25)
        value = random_word(stream_chance(b)) & 0xff; /* FCCR; QEMU ignores a write that sets reserved bits */
    stream_emit_constant(b, reg, value);
    stream_emit(b, 0x44c00000 | FIELD(reg, 16) | FIELD(number, 11));
}

static void emit_write_cp0(struct builder *b, unsigned reg, unsigned number, uint32_t value)
{
    stream_emit_constant(b, reg, value);
    stream_emit(b, E_MTC0(reg, number));
}

/* Write a TLB entry for the windows, or for anything but the executing code. */
static void emit_tlb_write(struct builder *b)
{
    uint32_t page = LAYOUT_DATA + (random_below(stream_chance(b), 5) << 13);
    if (random_one_in(stream_chance(b), 4))
        page = random_word(stream_chance(b)) | 0x10000000;
    unsigned reg = 1 + random_below(stream_chance(b), 15);
    uint32_t flags = random_below(stream_chance(b), 64) | (random_one_in(stream_chance(b), 4) ? 0 : 7);
    emit_write_cp0(b, reg, CP0_ENTRYHI, (page & 0xffffe000) | random_below(stream_chance(b), 3));
    for (unsigned i = 0; i < 2; i++) {
        paddr pa = random_one_in(stream_chance(b), 8) ? 0x1a000000
                                                      : LAYOUT_DATA + (random_below(stream_chance(b), 9) << PAGE_SHIFT);
        emit_write_cp0(b, reg, i ? CP0_ENTRYLO1 : CP0_ENTRYLO0, (pa >> 12) << 6 | flags);
    }
    if (random_one_in(stream_chance(b), 8))
        emit_write_cp0(b, reg, CP0_PAGEMASK, 0x6000);
    if (random_one_in(stream_chance(b), 2))
        emit_write_cp0(b, reg, CP0_INDEX, random_below(stream_chance(b), 36));
    stream_emit(b, random_one_in(stream_chance(b), 2) ? isa_table[ISA_TLBWR].match : isa_table[ISA_TLBWI].match);
    if (random_one_in(stream_chance(b), 2)) {
        static const enum isa_id others[] = {ISA_TLBP, ISA_TLBR};
        stream_emit(b, isa_table[others[random_below(stream_chance(b), 2)]].match);
    }
}

static void emit_cp0_write(struct builder *b)
{
    static const uint16_t any[] = {CP0_INDEX, CP0_ENTRYLO0, CP0_ENTRYLO1, CP0_USERLOCAL, CP0_WIRED,    CP0_HWRENA,
                                   CP0_EPC,   CP0_ERROREPC, CP0_TAGLO,    CP0_PRID,      CP0_BADVADDR, CP0_RANDOM};
    static const uint16_t timed[] = {CP0_COMPARE, CP0_COUNT, CP0_PERFCNT0, CP0_PERFCNT1, CP0_PERFCTL0, CP0_PERFCTL1};
    const struct stream_kind *kind = b->rows.kind;
    unsigned reg = 1 + random_below(stream_chance(b), 15);
    uint32_t value = image_interesting_word(stream_chance(b));
    switch (random_below(stream_chance(b), kind->time ? 7 : 6)) {
    case 0: { /* Status: never EXL, ERL, BEV */
        value &= STATUS_CU1 | STATUS_FR | STATUS_CU0;
        value |= random_one_in(stream_chance(b), 3) ? STATUS_UM : 0;
        value |= random_one_in(stream_chance(b), 4) ? 0 : STATUS_CU1;
        if (kind->interrupts)
            value |= (random_one_in(stream_chance(b), 4) ? 0 : STATUS_IE) | (1u << STATUS_IM_SHIFT << 7) |
                     (random_word(stream_chance(b)) & 0x300);
        emit_write_cp0(b, reg, CP0_STATUS, value);
        break;
    }
    case 1:
        value &= CAUSE_IV | (kind->interrupts ? CAUSE_IP_SOFTWARE : 0) | (kind->time ? CAUSE_DC : 0);
        if (!random_one_in(stream_chance(b), 4))
            value &= ~(uint32_t)CAUSE_DC;
        emit_write_cp0(b, reg, CP0_CAUSE, value);
        break;
    case 2: emit_write_cp0(b, reg, CP0_ENTRYHI, random_below(stream_chance(b), 3)); break;
    case 3: emit_tlb_write(b); break;
    case 6:
        if (random_one_in(stream_chance(b), 2)) { /* due soon */
            stream_emit(b, E_MFC0(reg, CP0_COUNT));
            stream_emit(b, E_ADDIU(reg, reg, 1 + random_below(stream_chance(b), 200)));
            stream_emit(b, E_MTC0(reg, CP0_COMPARE));
            break;
        }
        value &= ~0x10u; /* no performance-counter interrupts: nothing would clear them */
        emit_write_cp0(b, reg, timed[random_below(stream_chance(b), sizeof timed / sizeof timed[0])], value);
        break;
    default: emit_write_cp0(b, reg, any[random_below(stream_chance(b), sizeof any / sizeof any[0])], value);
    }
}

static void emit_cp0_read(struct builder *b)
{
    static const uint16_t any[] = {CP0_INDEX,    CP0_ENTRYLO0, CP0_ENTRYLO1, CP0_CONTEXT, CP0_USERLOCAL, CP0_PAGEMASK,
                                   CP0_WIRED,    CP0_HWRENA,   CP0_BADVADDR, CP0_ENTRYHI, CP0_STATUS,    CP0_CAUSE,
                                   CP0_EPC,      CP0_PRID,     CP0_EBASE,    CP0_CONFIG,  CP0_CONFIG1,   CP0_CONFIG3,
                                   CP0_ERROREPC, CP0_LLADDR,   CP0_RANDOM,   CP0_TAGLO,   CP0_WATCHLO,   CP0_INTCTL};
    static const uint16_t timed[] = {CP0_COUNT, CP0_COMPARE, CP0_PERFCNT0, CP0_PERFCNT1, CP0_PERFCTL0, CP0_PERFCTL1};
    /* Not EPC: the time of TLB refills depends on the TLB's size. */
    static const uint16_t same[] = {CP0_WIRED, CP0_PAGEMASK};
    const struct stream_kind *kind = b->rows.kind;
    unsigned number = kind->oracle ? same[random_below(stream_chance(b), sizeof same / sizeof same[0])]
                      : kind->time && random_one_in(stream_chance(b), 2)
                          ? timed[random_below(stream_chance(b), sizeof timed / sizeof timed[0])]
                          : any[random_below(stream_chance(b), sizeof any / sizeof any[0])];
    stream_emit(b, E_MFC0(1 + random_below(stream_chance(b), 15), number));
}

static void emit_unit(struct builder *b)
{
    const struct stream_kind *kind = b->rows.kind;
    b->start[b->stream->count] = true;
    if (kind->hard && stream_emit_hard(b))
        return;
    if (b->loop == 0 && random_one_in(stream_chance(b), 40)) {
        unsigned count = 2 + random_below(stream_chance(b), 6);
        stream_begin_loop(b, count, 2 + random_below(stream_chance(b), 10));
        return;
    }
    if (random_one_in(stream_chance(b), 25)) {
        emit_self_modification(b);
        return;
    }
    enum isa_id id = stream_rows_pick(&b->rows);
    switch (id) {
    case ISA_J:
    case ISA_JAL: emit_jump(b, id); break;
    case ISA_JR:
    case ISA_JALR: emit_jump_register(b, id); break;
    case ISA_LL:
    case ISA_SC:
        if (kind->oracle || random_one_in(stream_chance(b), 2))
            emit_linked(b);
        else
            stream_emit(b, stream_rows_encode(&b->rows, id));
        break;
    case ISA_DIV:
    case ISA_DIVU: emit_division(b, id); break;
    case ISA_CTC1: emit_fcsr(b); break;
    case ISA_MTC0:
        if (kind->kernel && !kind->oracle)
            emit_cp0_write(b);
        else
            stream_emit(b, E_MTC0(1, CP0_USERLOCAL));
        break;
    case ISA_MFC0: emit_cp0_read(b); break;
    default:
        if (isa_table[id].flags & INSN_DELAY_SLOT) {
            emit_branch(b, id);
        } else {
            b->plain[b->stream->count] = stream_rows_is_plain(id);
            stream_emit(b, stream_rows_encode(&b->rows, id));
        }
    }
}

/* Targets */

static unsigned next_start(const struct builder *b, unsigned from)
{
    while (from < b->stream->count && !b->start[from])
        from++;
    return from < b->stream->count ? from : b->stream->count - LAST_WORDS;
}

unsigned stream_choose_target(struct builder *b, unsigned at)
{
    unsigned last = b->stream->count - LAST_WORDS;
    bool far = random_one_in(stream_chance(b), 24);
    unsigned from = at + 3 + random_below(stream_chance(b), far ? last : 12);
    if (!b->rows.kind->ends) {
        if (random_one_in(stream_chance(b), 5))
            from = at > 12 ? at - random_below(stream_chance(b), 12) : 0;
        else if (far)
            from = random_below(stream_chance(b), last);
    }
    return next_start(b, from < last ? from : last);
}

static unsigned choose_plain(struct builder *b, unsigned at)
{
    unsigned count = b->stream->count;
    unsigned from = random_one_in(stream_chance(b), 2) ? at : random_below(stream_chance(b), count);
    for (unsigned i = 0; i < count; i++)
        if (b->plain[(from + i) % count])
            return (from + i) % count;
    return count - 1; /* the last word is never executed */
}

static void fix_address(struct builder *b, unsigned at, uint32_t value)
{
    b->stream->words[at] |= value >> 16;
    b->stream->words[at + 1] |= value & 0xffff;
}

/* Code is also modified through kseg0 and kseg1. */
static uint32_t kernel_segment(struct builder *b)
{
    if (!b->rows.kind->hard || !b->rows.kind->kernel || !random_one_in(stream_chance(b), 4))
        return 0;
    return random_one_in(stream_chance(b), 4) ? 0xa0000000 : 0x80000000;
}

static void fix_all(struct builder *b)
{
    paddr code = b->rows.kind->code;
    for (unsigned i = 0; i < b->fixup_count; i++) {
        unsigned at = b->fixups[i].at, target;
        uint32_t *word = &b->stream->words[at], segment = 0;
        switch (b->fixups[i].kind) {
        case FIXUP_BRANCH:
            target = stream_choose_target(b, at);
            *word = (*word & 0xffff0000) | ((target - at - 1) & 0xffff);
            break;
        case FIXUP_JUMP:
            target = stream_choose_target(b, at);
            *word = (*word & 0xfc000000) | ((code + 4 * target) >> 2 & 0x3ffffff);
            break;
        case FIXUP_ADDRESS:
            if (b->rows.kind->kernel && random_one_in(stream_chance(b), 4))
                segment = random_one_in(stream_chance(b), 4) && !b->rows.kind->oracle ? 0xa0000000 : 0x80000000;
            fix_address(b, at, segment + code + 4 * stream_choose_target(b, at + 3));
            break;
        case FIXUP_RECOVERY: fix_address(b, at, code + 4 * stream_choose_target(b, at + 5)); break;
        case FIXUP_PLAIN:
            target = choose_plain(b, at + 4);
            if (code == LAYOUT_CODE && target < PAGE_SIZE / 4 && random_one_in(stream_chance(b), 3))
                fix_address(b, at, WINDOW_CODE_ALIAS + 4 * target);
            else
                fix_address(b, at, kernel_segment(b) + code + 4 * target);
            break;
        case FIXUP_SPACE:
            fix_address(b, at,
                        stream_space_address(b, stream_choose_target(b, at + 3), random_below(stream_chance(b), 2)));
            break;
        }
    }
}

static void finish(struct builder *b)
{
    struct stream *stream = b->stream;
    const struct stream_kind *kind = b->rows.kind;
    b->start[stream->count] = true;
    if (kind->ends) {
        stream->context.end = kind->code + 4 * (stream->count + 4);
        stream_emit_constant(b, 24, stream->context.end); /* this may be the alias in kseg0 */
        stream_emit(b, E_JR(24));
        stream_emit(b, E_NOP);
        stream_emit(b, E_SYSCALL);
    } else {
        stream_emit_constant(b, 24, kind->code);
        stream_emit(b, E_JR(24));
        stream_emit(b, E_NOP);
        stream_emit(b, E_NOP);
    }
    for (unsigned i = 5; i < LAST_WORDS; i++)
        stream_emit(b, E_NOP);
}

static void make_context(struct builder *b)
{
    static const uint32_t others[] = {WINDOW_UNCACHED + 0x800, WINDOW_KSEG2 + 0x800, WINDOW_BUS_ERROR + 0x800};
    const struct stream_kind *kind = b->rows.kind;
    struct context *context = &b->stream->context;
    for (unsigned i = 1; i < 32; i++)
        context->gpr[i] = image_interesting_word(stream_chance(b));
    context->gpr[16] = WINDOW_RW + 0x800;
    context->gpr[17] = WINDOW_READ_ONLY;
    context->gpr[18] = WINDOW_INVALID;
    context->gpr[19] = WINDOW_EDGE + PAGE_SIZE;
    context->gpr[20] = kind->code;
    context->gpr[21] = 0x80000000u + WINDOW_RW + 0x800;
    context->gpr[22] = random_below(stream_chance(b), 0x100) * 8 - 0x400;
    context->gpr[RECOVERY] = kind->ends ? context->end : kind->code;
    context->gpr[26] = context->gpr[27] = 0;
    context->gpr[LOOP_COUNT] = 0;
    context->gpr[30] = others[random_below(stream_chance(b), kind->oracle ? 2 : 3)];
    context->hi = image_interesting_word(stream_chance(b));
    context->lo = image_interesting_word(stream_chance(b));
    context->fcsr = random_below(stream_chance(b), 4);
    context->status = (random_one_in(stream_chance(b), 16) ? 0 : STATUS_CU1) | (kind->fr ? STATUS_FR : 0) |
                      (kind->kernel ? 0 : STATUS_UM);
    if (kind->interrupts)
        context->status |= STATUS_IE | 0x8300;
    context->start = kind->code;
    for (unsigned i = 0; i < 32; i++) {
        context->fpr[i] = image_interesting_double(stream_chance(b));
        if (random_one_in(stream_chance(b), 2))
            context->fpr[i] =
                (uint64_t)image_interesting_single(stream_chance(b)) << 32 | image_interesting_single(stream_chance(b));
    }
}

void stream_generate(struct stream *stream, const struct stream_kind *kind, struct random *random,
                     const struct isa_decoder *decoder, struct image *image)
{
    struct builder builder;
    memset(&builder, 0, sizeof builder);
    builder.stream = stream;
    stream_rows_init(&builder.rows, kind, random, decoder);
    memset(stream, 0, sizeof *stream);
    while (stream->count < kind->length) {
        emit_unit(&builder);
        if (builder.loop != 0 && builder.loop_units-- == 0)
            end_loop(&builder);
    }
    finish(&builder);
    fix_all(&builder);
    make_context(&builder);
    for (unsigned i = 0; i < POOL_WORDS; i++)
        image_put_word(image, WINDOW_RW + POOL_OFFSET + 4 * i, stream_rows_plain(&builder.rows));
    if (kind->hard)
        stream_put_targets(&builder, image);
    image_put(image, kind->code, stream->words, stream->count * sizeof stream->words[0]);
}

void stream_print(const struct stream *stream, const struct isa_decoder *decoder)
{
    for (unsigned i = 0; i < stream->count; i++) {
        char text[128];
        vaddr pc = stream->context.start + 4 * i;
        isa_disassemble(decoder, stream->words[i], pc, text, sizeof text);
        printf("  %08" PRIx32 ": %08" PRIx32 "  %s\n", pc, stream->words[i], text);
    }
}
