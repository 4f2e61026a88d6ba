/*
 * Decoder and disassembler, both generated from isa.def.
 */
#include "cpu/isa/isa.h"

#include "src/base/log.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct isa_row isa_table[ISA_COUNT] = {
#define WIDE(traits)                                                                                                   \
    (((traits)&INSN_WIDE_FS ? OPERAND_FS | OPERAND_FR : 0) | ((traits)&INSN_WIDE_FT ? OPERAND_FT : 0) |                \
     ((traits)&INSN_WIDE_FD ? OPERAND_FD : 0))
#define ISA(id, mnemonic, match, mask, imm, operands, uses, defines, class, traits, ...)                               \
    [ISA_##id] = {mnemonic,                                                                                            \
                  match,                                                                                               \
                  mask,                                                                                                \
                  operands,                                                                                            \
                  uses,                                                                                                \
                  defines,                                                                                             \
                  WIDE(traits),                                                                                        \
                  imm,                                                                                                 \
                  class,                                                                                               \
                  (traits)&INSN_FLAGS,                                                                                 \
                  (uint64_t)(traits) >> INSN_LEVEL_SHIFT,                                                              \
                  (traits) >> INSN_FLOW_SHIFT & 7,                                                                     \
                  (traits) >> INSN_BYTES_SHIFT & 15},
#include "cpu/isa/isa.def"
#undef ISA
};

const uint8_t isa_unit_of[COST_CLASSES] = {
    [CLASS_ALU] = UNIT_INTEGER,
    [CLASS_SHIFT] = UNIT_SHIFT,
    [CLASS_MULTIPLY] = UNIT_MULTIPLY,
    [CLASS_DIVIDE] = UNIT_MULTIPLY,
    [CLASS_LOAD] = UNIT_MEMORY,
    [CLASS_STORE] = UNIT_MEMORY,
    [CLASS_PREFETCH] = UNIT_MEMORY,
    [CLASS_BRANCH] = UNIT_INTEGER,
    [CLASS_JUMP] = UNIT_INTEGER,
    [CLASS_TRAP] = UNIT_INTEGER,
    [CLASS_FP_ADD] = UNIT_FP_ADD,
    [CLASS_FP_MULTIPLY] = UNIT_FP_MULTIPLY,
    [CLASS_FP_MULTIPLY_ADD] = UNIT_FP_MULTIPLY,
    [CLASS_FP_DIVIDE_S] = UNIT_FP_DIVIDE,
    [CLASS_FP_DIVIDE_D] = UNIT_FP_DIVIDE,
    [CLASS_FP_SQRT_S] = UNIT_FP_DIVIDE,
    [CLASS_FP_SQRT_D] = UNIT_FP_DIVIDE,
    [CLASS_FP_CONVERT] = UNIT_FP_ADD,
    [CLASS_FP_COMPARE] = UNIT_FP_ADD,
    [CLASS_FP_MOVE] = UNIT_FP_ADD,
    [CLASS_SYSTEM] = UNIT_INTEGER,
    [CLASS_TLB] = UNIT_INTEGER,
    [CLASS_CACHE] = UNIT_INTEGER,
    [COST_LOAD_FP] = UNIT_MEMORY,
};

const char *const isa_cost_name[COST_CLASSES] = {
    [CLASS_ALU] = "alu",
    [CLASS_SHIFT] = "shift",
    [CLASS_MULTIPLY] = "multiply",
    [CLASS_DIVIDE] = "divide",
    [CLASS_LOAD] = "load",
    [CLASS_STORE] = "store",
    [CLASS_PREFETCH] = "load",
    [CLASS_BRANCH] = "alu",
    [CLASS_JUMP] = "alu",
    [CLASS_TRAP] = "alu",
    [CLASS_FP_ADD] = "fp_add",
    [CLASS_FP_MULTIPLY] = "fp_multiply",
    [CLASS_FP_MULTIPLY_ADD] = "fp_multiply_add",
    [CLASS_FP_DIVIDE_S] = "fp_divide_single",
    [CLASS_FP_DIVIDE_D] = "fp_divide_double",
    [CLASS_FP_SQRT_S] = "fp_sqrt_single",
    [CLASS_FP_SQRT_D] = "fp_sqrt_double",
    [CLASS_FP_CONVERT] = "fp_convert",
    [CLASS_FP_COMPARE] = "fp_compare",
    [CLASS_FP_MOVE] = "fp_move",
    [CLASS_SYSTEM] = "alu",
    [CLASS_TLB] = "alu",
    [CLASS_CACHE] = "alu",
    [COST_LOAD_FP] = "load_fp",
};

/*
 * Index: for each combination of major opcode and low six bits, the rows that can match, in table order.
 */
enum { KEY_BITS = 12, KEYS = 1 << KEY_BITS };

enum { RECENT = 1 << 13 };

struct isa_decoder {
    uint32_t first[KEYS + 1];
    uint32_t mask[ISA_COUNT]; /* of the rows, at this level */
    uint8_t direct[KEYS];     /* enum imm_kind of the branches and jumps with a target of their own; IMM_NONE: none */
    uint16_t *candidates;
    struct isa_decoded *recent; /* [RECENT], direct-mapped by address */
};

static void decode_into(const struct isa_decoder *decoder, struct isa_decoded *decoded, uint32_t word);

static uint32_t key_of(uint32_t word)
{
    return (word >> 26) << 6 | (word & 0x3f);
}

static bool key_can_match(uint32_t key, const struct isa_row *row)
{
    uint32_t mask = (row->mask >> 26) << 6 | (row->mask & 0x3f);
    return (key & mask) == key_of(row->match);
}

uint32_t isa_mask(const struct isa_row *row, enum isa_level level)
{
    if (level >= LEVEL_4)
        return row->mask;
    return row->mask | (row->imm == IMM_CC_BRANCH ? 7 << 18 : row->imm == IMM_COMPARE ? 7 << 8 : 0);
}

static bool is_direct(const struct isa_row *row)
{
    return row->flow == FLOW_BRANCH || row->flow == FLOW_JUMP;
}

struct isa_decoder *isa_decoder_create(enum isa_level level)
{
    struct isa_decoder *decoder = checked_memory(calloc(1, sizeof *decoder));
    uint32_t count = 0, capacity = 0;
    for (uint32_t id = 0; id < ISA_COUNT; id++)
        decoder->mask[id] = isa_mask(&isa_table[id], level);
    for (uint32_t key = 0; key < KEYS; key++) {
        decoder->first[key] = count;
        for (uint32_t id = 0; id < ISA_COUNT; id++) {
            if (!key_can_match(key, &isa_table[id]) || !isa_has(&isa_table[id], level))
                continue;
            if (count == capacity) {
                capacity = capacity ? 2 * capacity : 4 * KEYS;
                decoder->candidates =
                    checked_memory(realloc(decoder->candidates, capacity * sizeof *decoder->candidates));
            }
            decoder->candidates[count++] = (uint16_t)id;
            if (is_direct(&isa_table[id]))
                decoder->direct[key] = isa_table[id].imm;
        }
    }
    decoder->first[KEYS] = count;
    decoder->recent = checked_memory(calloc(RECENT, sizeof *decoder->recent));
    for (uint32_t i = 0; i < RECENT; i++)
        decode_into(decoder, &decoder->recent[i], 0);
    return decoder;
}

void isa_decoder_free(struct isa_decoder *decoder)
{
    if (decoder == NULL)
        return;
    free(decoder->candidates);
    free(decoder->recent);
    free(decoder);
}

enum isa_id isa_identify(const struct isa_decoder *decoder, uint32_t word)
{
    uint32_t key = key_of(word);
    for (uint32_t i = decoder->first[key]; i < decoder->first[key + 1]; i++) {
        const uint16_t id = decoder->candidates[i];
        if ((word & decoder->mask[id]) == isa_table[id].match)
            return id;
    }
    return ISA_RESERVED;
}

static vaddr target_of(enum imm_kind kind, uint32_t imm, vaddr pc)
{
    return kind == IMM_JUMP ? isa_jump_target(pc, imm) : pc + 4 + imm;
}

static int32_t decode_imm(enum imm_kind kind, uint32_t word)
{
    int32_t low = (int16_t)(word & 0xffff);
    switch (kind) {
    case IMM_NONE: return 0;
    case IMM_SIGNED: return low;
    case IMM_UNSIGNED: return low & 0xffff;
    case IMM_UPPER: return (int32_t)(word << 16);
    case IMM_BRANCH:
    case IMM_CC_BRANCH: return low * 4;
    case IMM_JUMP: return (int32_t)((word & 0x03ffffff) << 2);
    case IMM_CODE: return (int32_t)((word >> 6) & 0xfffff);
    case IMM_TRAP: return (int32_t)((word >> 6) & 0x3ff);
    case IMM_SELECT: return (int32_t)(word & 7);
    case IMM_FIELD: return (int32_t)(((word >> 6) & 31) | ((word >> 11) & 31) << 8);
    case IMM_CC: return (int32_t)((word >> 18) & 7);
    case IMM_COMPARE: return (int32_t)((word & 15) | ((word >> 8) & 7) << 4);
    case IMM_WORD: return (int32_t)word;
    }
    return 0;
}

unsigned isa_next_direct(const struct isa_decoder *decoder, const uint32_t *words, unsigned from, unsigned count)
{
    while (from < count && decoder->direct[key_of(words[from])] == IMM_NONE)
        from++;
    return from;
}

bool isa_may_be_direct(const struct isa_decoder *decoder, uint32_t word, vaddr pc, vaddr *target)
{
    const enum imm_kind kind = (enum imm_kind)decoder->direct[key_of(word)];
    if (kind == IMM_NONE)
        return false;
    *target = target_of(kind, (uint32_t)decode_imm(kind, word), pc);
    return true;
}

enum isa_id isa_decode(const struct isa_decoder *decoder, uint32_t word, struct insn *insn)
{
    enum isa_id id = isa_identify(decoder, word);
    const struct isa_row *row = &isa_table[id];
    *insn = (struct insn){
        .rs = (word >> 21) & 31,
        .rt = (word >> 16) & 31,
        .rd = (word >> 11) & 31,
        .sa = (word >> 6) & 31,
        .imm = decode_imm((enum imm_kind)row->imm, word),
    };
    if (row->flags & INSN_STORE && row->defines & OPERAND_T)
        insn->sa = insn->rt;
    if ((row->defines & OPERAND_T) && insn->rt == 0)
        insn->rt = GPR_SINK;
    if ((row->defines & OPERAND_D) && insn->rd == 0)
        insn->rd = GPR_SINK;
    return id;
}

static void decode_into(const struct isa_decoder *decoder, struct isa_decoded *decoded, uint32_t word)
{
    decoded->word = word;
    decoded->id = (uint16_t)isa_decode(decoder, word, &decoded->insn);
}

struct isa_decoded isa_decode_word(const struct isa_decoder *decoder, uint32_t word)
{
    struct isa_decoded decoded;
    decode_into(decoder, &decoded, word);
    return decoded;
}

const struct isa_decoded *isa_decode_cached(const struct isa_decoder *decoder, uint32_t at, uint32_t word)
{
    struct isa_decoded *decoded = &decoder->recent[at / 4 % RECENT];
    if (SIM_UNLIKELY(decoded->word != word))
        decode_into(decoder, decoded, word);
    return decoded;
}

/* The condition code that INSN selects. */
static unsigned condition_code(const struct isa_row *row, const struct insn *insn)
{
    switch (row->imm) {
    case IMM_CC_BRANCH: return insn->rt >> 2 & 7u;
    case IMM_COMPARE: return (unsigned)insn->imm >> 4 & 7;
    default: return (unsigned)insn->imm & 7;
    }
}

/* The register that OPERAND, one bit, is; ISA_REGS: none. */
static unsigned register_of(const struct isa_row *row, const struct insn *insn, unsigned operand)
{
    switch (operand) {
    case OPERAND_S: return insn->rs;
    case OPERAND_T: return insn->rt;
    case OPERAND_D: return insn->rd;
    case OPERAND_31: return ISA_RETURN_ADDRESS;
    case OPERAND_HI: return ISA_REG_HI;
    case OPERAND_LO: return ISA_REG_LO;
    case OPERAND_FS: return ISA_REG_FPR + (insn->rd & 31u);
    case OPERAND_FT: return ISA_REG_FPR + (insn->rt & 31u);
    case OPERAND_FR: return ISA_REG_FPR + (insn->rs & 31u);
    case OPERAND_FD: return ISA_REG_FPR + (insn->sa & 31u);
    case OPERAND_FCC: return ISA_REG_FCC + condition_code(row, insn);
    default: return ISA_REGS;
    }
}

unsigned isa_registers(enum isa_id id, const struct insn *insn, unsigned operands,
                       struct isa_register registers[ISA_REGISTERS_MAX])
{
    const struct isa_row *row = &isa_table[id];
    unsigned count = 0;
    for (; operands != 0; operands &= operands - 1) {
        const unsigned operand = operands & -operands, number = register_of(row, insn, operand);
        if (number == ISA_REGS)
            continue;
        registers[count++] = (struct isa_register){.number = (uint8_t)number,
                                                   .wide = row->wide & operand,
                                                   .high = number >= ISA_REG_FPR && row->flags & INSN_HIGH_WORD};
    }
    return count;
}

/* Is register NUMBER among the OPERANDS of INSN, or part of a pair that is? */
static bool has_register(enum isa_id id, const struct insn *insn, unsigned operands, unsigned number)
{
    struct isa_register found[ISA_REGISTERS_MAX];
    const unsigned count = isa_registers(id, insn, operands, found);
    for (unsigned i = 0; i < count; i++)
        if (found[i].number == number ||
            (found[i].wide && ((found[i].number - ISA_REG_FPR) ^ 1u) == number - (unsigned)ISA_REG_FPR))
            return true;
    return false;
}

unsigned isa_delayed_register(enum isa_id id, const struct insn *insn)
{
    struct isa_register result[ISA_REGISTERS_MAX];
    if (!(isa_table[id].flags & INSN_DELAYED) || isa_registers(id, insn, isa_table[id].defines, result) == 0)
        return 0;
    return result[0].number != GPR_SINK ? result[0].number : 0;
}

unsigned isa_notices_delay(enum isa_id id, const struct insn *insn, enum isa_id next_id, const struct insn *next)
{
    const struct isa_row *next_row = &isa_table[next_id];
    const unsigned number = isa_delayed_register(id, insn);
    const unsigned defines = next_row->flags & INSN_DELAYED ? next_row->defines : 0;
    return number != 0 && has_register(next_id, next, next_row->uses | defines, number) ? number : 0;
}

bool isa_writes(enum isa_id id, const struct insn *insn, unsigned number)
{
    return has_register(id, insn, isa_table[id].defines, number);
}

bool isa_names_address(struct isa_addresses *addresses, const struct isa_decoded *code, vaddr *address)
{
    const enum isa_id id = (enum isa_id)code->id;
    const struct isa_row *row = &isa_table[id];
    const uint32_t upper = addresses->upper[code->insn.rs];
    const bool indexes = (row->uses & (OPERAND_S | OPERAND_T)) == (OPERAND_S | OPERAND_T);
    const bool names = row->flags & INSN_ADDS || (row->bytes > 0 && !(row->flags & INSN_INDEXED));
    struct isa_register written[ISA_REGISTERS_MAX];
    const unsigned count = isa_registers(id, &code->insn, row->defines, written);
    for (unsigned i = 0; i < count && !indexes; i++)
        if (written[i].number < GPR_COUNT)
            addresses->upper[written[i].number] = row->imm == IMM_UPPER ? (uint32_t)code->insn.imm : 0;
    *address = upper + (uint32_t)code->insn.imm;
    return names && upper != 0;
}

static bool is_always_taken(const struct isa_row *row, const struct insn *insn)
{
    return row->flags & INSN_ALWAYS || (row->flags & INSN_ALWAYS_EQUAL && insn->rs == insn->rt) ||
           (row->flags & INSN_ALWAYS_ZERO && insn->rs == 0);
}

struct isa_control isa_control(enum isa_id id, const struct insn *insn, vaddr pc)
{
    const struct isa_row *row = &isa_table[id];
    const bool links = row->flow >= FLOW_BRANCH && row->defines != 0, direct = is_direct(row);
    return (struct isa_control){
        .flow = (enum isa_flow)row->flow,
        .conditional = row->flow == FLOW_BRANCH && !is_always_taken(row, insn),
        .likely = row->flags & INSN_LIKELY,
        .links = links,
        .calls = links && isa_writes(id, insn, ISA_RETURN_ADDRESS),
        .returns = row->flow == FLOW_INDIRECT && !links && insn->rs == ISA_RETURN_ADDRESS,
        .direct = direct,
        .target = direct ? target_of((enum imm_kind)row->imm, (uint32_t)insn->imm, pc) : 0,
    };
}

/* The name of WORD, if it has one of its own; otherwise NULL. */
static const char *own_name(uint32_t word)
{
    static const struct {
        uint32_t word;
        const char *name;
    } names[] = {
#define ISA(...)
#define NAMED(word, name) {word, name},
#include "cpu/isa/isa.def"
#undef NAMED
#undef ISA
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].word == word)
            return names[i].name;
    return NULL;
}

bool isa_is_nop(enum isa_id id, const struct insn *insn)
{
    return id == ISA_SLL && insn->rd == GPR_SINK && insn->rt == 0 && insn->sa == 0;
}

static const char *const gpr_names[32] = {"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2",
                                          "t3",   "t4", "t5", "t6", "t7", "s0", "s1", "s2", "s3", "s4", "s5",
                                          "s6",   "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"};

static const char *const compare_names[16] = {"f",  "un",   "eq",  "ueq", "olt", "ult", "ole", "ule",
                                              "sf", "ngle", "seq", "ngl", "lt",  "nge", "le",  "ngt"};

const char *isa_gpr_name(unsigned number)
{
    return number < 32 ? gpr_names[number] : "?";
}

int isa_gpr_number(const char *name)
{
    if (*name == '$')
        name++;
    for (int i = 0; i < 32; i++)
        if (strcmp(name, gpr_names[i]) == 0)
            return i;
    if (strcmp(name, "s8") == 0)
        return 30;
    if (*name == 'r')
        name++;
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    return *name >= '0' && *name <= '9' && *end == '\0' && number < 32 ? (int)number : -1;
}

/* A buffer that counts the characters that would have been written (snprintf semantics over several calls). */
struct text {
    char *buffer;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = text->length < text->size ? text->size - text->length : 0;
    int n = vsnprintf(room ? text->buffer + text->length : NULL, room, format, args);
    va_end(args);
    text->length += n > 0 ? (size_t)n : 0;
}

/* Names of the fields whose numbers have a meaning of their own, as in the MIPS32 instruction set manual (volume II)
 * and, for registers and barriers, binutils; NULL: the number is printed. */
static const char *const prefetch_hints[32] = {
    [0] = "load",          [1] = "store",          [4] = "load_streamed",         [5] = "store_streamed",
    [6] = "load_retained", [7] = "store_retained", [25] = "writeback_invalidate", [30] = "prepare_for_store"};
static const char *const cache_operations[8] = {
    "index_invalidate", "index_load_tag",           "index_store_tag", NULL,
    "hit_invalidate",   "hit_writeback_invalidate", "hit_writeback",   "fetch_and_lock"};
static const char cache_letters[4] = {'i', 'd', 't', 's'}; /* instruction, data, tertiary, secondary */
static const char *const barriers[32] = {[4] = "wmb", [16] = "mb", [17] = "acquire", [18] = "release", [19] = "rmb"};
static const char *const hardware_registers[32] = {
    [0] = "hwr_cpunum", [1] = "hwr_synci_step", [2] = "hwr_cc", [3] = "hwr_ccres", [29] = "hwr_ulr"};

static void put_named(struct text *text, const char *const names[32], const char *format, unsigned number)
{
    if (names[number])
        put(text, "%s", names[number]);
    else
        put(text, format, number);
}

/* Bits 0 and 1 of a CACHE operation are the cache, the others what is done: index invalidate writes data back, 5 fills
 * of instructions. */
static void put_cache_operation(struct text *text, unsigned operation)
{
    const unsigned kind = operation >> 2, cache = operation & 3;
    if (!cache_operations[kind])
        put(text, "0x%x", operation);
    else if (kind == 0 && cache)
        put(text, "index_writeback_invalidate_%c", cache_letters[cache]);
    else if (kind == 5 && !cache)
        put(text, "fill_i");
    else
        put(text, "%s_%c", cache_operations[kind], cache_letters[cache]);
}

static void put_operand(struct text *text, char letter, uint32_t word, vaddr pc, enum imm_kind kind)
{
    const int32_t imm = decode_imm(kind, word);
    unsigned rs = (word >> 21) & 31, rt = (word >> 16) & 31, rd = (word >> 11) & 31, sa = (word >> 6) & 31;
    switch (letter) {
    case 's': put(text, "$%s", gpr_names[rs]); break;
    case 't': put(text, "$%s", gpr_names[rt]); break;
    case 'd': put(text, "$%s", gpr_names[rd]); break;
    case 'a': put(text, "%u", sa); break;
    case 'i': put(text, "%d", imm); break;
    case 'u': put(text, "0x%x", kind == IMM_UPPER ? (uint32_t)imm >> 16 : (uint32_t)imm); break;
    case 'p': put(text, "0x%x", pc + 4 + (uint32_t)imm); break;
    case 'J': put(text, "0x%x", isa_jump_target(pc, (uint32_t)imm)); break;
    case 'm': put(text, "%d($%s)", imm, gpr_names[rs]); break;
    case 'w': put(text, "0x%x", (word >> 6) & 0x7ffff); break;
    case 'B':
        put(text, "0x%x", rt | rs << 5);
        if ((word >> 6) & 0x3ff)
            put(text, ", 0x%x", (word >> 6) & 0x3ff);
        break;
    case 'S': put(text, "$f%u", rd); break;
    case 'T': put(text, "$f%u", rt); break;
    case 'R': put(text, "$f%u", rs); break;
    case 'D': put(text, "$f%u", sa); break;
    case 'c': put(text, "$fcc%u", rt >> 2); break;
    case 'C': put(text, "$fcc%u", (unsigned)imm >> 4); break;
    case 'N': put(text, "$fcc%u", (unsigned)imm); break;
    case 'k':
    case 'K': put(text, "0x%x", (unsigned)imm); break;
    case 'h': put_named(text, prefetch_hints, "0x%x", rt); break;
    case 'o': put_cache_operation(text, rt); break;
    case 'g': put_named(text, prefetch_hints, "0x%x", rd); break;
    case 'e': put(text, "$%u", rt); break;
    case 'y': put_named(text, barriers, "0x%x", sa); break;
    case '0': put(text, imm ? "$%u, %d" : "$%u", rd, imm); break;
    case 'x': put(text, "%d, %d", imm & 31, ((imm >> 8) & 31) + 1); break;
    case 'z': put(text, "%d, %d", imm & 31, ((imm >> 8) & 31) - (imm & 31) + 1); break;
    case 'X': put(text, "$%s($%s)", gpr_names[rt], gpr_names[rs]); break;
    case 'H': put_named(text, hardware_registers, "$%u", rd); break;
    case 'f': put(text, "$%u", rd); break;
    default: put(text, "%c", letter); break;
    }
}

/* Is the operand omitted in assembler syntax because it is 0? */
static bool is_left_out(char letter, uint32_t word, int32_t imm)
{
    switch (letter) {
    case 'k':
    case 'B':
    case 'K': return imm == 0;
    case 'w': return ((word >> 6) & 0x7ffff) == 0;
    case 'y': return ((word >> 6) & 31) == 0;
    case 'c': return ((word >> 18) & 7) == 0;
    case 'C': return imm >> 4 == 0;
    default: return false;
    }
}

/* The mnemonic of WORD, with the condition of a comparison, and .hb for a jump with hazard barrier. */
static void name_insn(char *name, size_t size, enum isa_id id, uint32_t word, int32_t imm)
{
    const char *mnemonic = isa_table[id].mnemonic, *condition = strstr(mnemonic, "%s");
    bool barrier = isa_table[id].flow == FLOW_INDIRECT && (word & 0x400);
    if (condition != NULL)
        snprintf(name, size, "%.*s%s%s", (int)(condition - mnemonic), mnemonic, compare_names[imm & 15], condition + 2);
    else
        snprintf(name, size, "%s%s", mnemonic, barrier ? ".hb" : "");
}

int isa_disassemble(const struct isa_decoder *decoder, uint32_t word, vaddr pc, char *buffer, size_t size)
{
    struct text text = {buffer, size, 0};
    enum isa_id id = isa_identify(decoder, word);
    const struct isa_row *row = &isa_table[id];
    int32_t imm = decode_imm((enum imm_kind)row->imm, word);
    if (size > 0)
        buffer[0] = '\0';
    if (own_name(word)) {
        put(&text, "%s", own_name(word));
        return (int)text.length;
    }
    char name[32];
    name_insn(name, sizeof name, id, word, imm);
    bool first = true;
    for (const char *p = row->operands; *p; p++) {
        if (*p == ',' || is_left_out(*p, word, imm))
            continue;
        if (first)
            put(&text, "%-7s ", name);
        else
            put(&text, ", ");
        first = false;
        if (strncmp(p, "zero", 4) == 0) {
            put(&text, "$zero");
            p += 3;
        } else
            put_operand(&text, *p, word, pc, (enum imm_kind)row->imm);
    }
    if (first)
        put(&text, "%s", name);
    return (int)text.length;
}
