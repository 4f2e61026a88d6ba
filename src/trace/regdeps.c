#include "src/trace/regdeps.h"

#include <string.h>

/* Categories of instructions in DynamoRIO. */
enum {
    CATEGORY_FP = 1 << 0,
    CATEGORY_LOAD = 1 << 1,
    CATEGORY_STORE = 1 << 2,
    CATEGORY_BRANCH = 1 << 3,
    CATEGORY_STATE = 1 << 5,
    CATEGORY_MOVE = 1 << 6,
    CATEGORY_CONVERT = 1 << 7,
    CATEGORY_MATH = 1 << 8,
    CATEGORY_OTHER = 1 << 9,
};

/* The header: numbers of registers written and read in 4 bits each, 2 bits of flags, categories from bit 10 on. Then,
 * if there are registers, the size of the operands and the registers, padded to a multiple of 4 bytes. There can be 8,
 * but the reader of traces has room for 7 (15 bytes). */
enum { SOURCES_SHIFT = 4, CATEGORY_SHIFT = 10, HEADER_BYTES = 4, FIRST_REGISTER = 2, REGISTERS_MAX = 7 };

/* Sizes of operands, as DynamoRIO numbers them. */
enum { SIZE_4 = 4, SIZE_8 = 6 };

static const uint16_t category_of[CLASSES] = {
    [CLASS_ALU] = CATEGORY_MATH,
    [CLASS_SHIFT] = CATEGORY_MATH,
    [CLASS_MULTIPLY] = CATEGORY_MATH,
    [CLASS_DIVIDE] = CATEGORY_MATH,
    [CLASS_LOAD] = CATEGORY_LOAD,
    [CLASS_STORE] = CATEGORY_STORE,
    [CLASS_PREFETCH] = CATEGORY_OTHER,
    [CLASS_BRANCH] = CATEGORY_BRANCH,
    [CLASS_JUMP] = CATEGORY_BRANCH,
    [CLASS_TRAP] = CATEGORY_OTHER,
    [CLASS_FP_ADD] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_MULTIPLY] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_MULTIPLY_ADD] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_DIVIDE_S] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_DIVIDE_D] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_SQRT_S] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_SQRT_D] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_CONVERT] = CATEGORY_FP | CATEGORY_CONVERT,
    [CLASS_FP_COMPARE] = CATEGORY_FP | CATEGORY_MATH,
    [CLASS_FP_MOVE] = CATEGORY_FP | CATEGORY_MOVE,
    [CLASS_SYSTEM] = CATEGORY_STATE,
    [CLASS_TLB] = CATEGORY_STATE,
    [CLASS_CACHE] = CATEGORY_OTHER,
};

static unsigned categories(const struct isa_row *row)
{
    unsigned category = category_of[row->class];
    category |= row->flags & INSN_LOAD ? CATEGORY_LOAD : 0;
    category |= row->flags & INSN_STORE ? CATEGORY_STORE : 0;
    category |= row->flow >= FLOW_ERET ? CATEGORY_BRANCH : 0;
    return category;
}

struct registers {
    uint8_t *number;
    unsigned count;
    bool wide; /* one of them has 64 bits */
};

/* Add register NUMBER to those from FIRST on, if it is none of them and there is room. */
static void add_register(struct registers *to, unsigned first, unsigned number)
{
    const uint8_t encoded = (uint8_t)(number + FIRST_REGISTER);
    if (number != 0 && number != GPR_SINK && to->count < REGISTERS_MAX &&
        !memchr(to->number + first, encoded, to->count - first))
        to->number[to->count++] = encoded;
}

static void add_registers(enum isa_id id, const struct insn *insn, unsigned operands, struct registers *to)
{
    struct isa_register registers[ISA_REGISTERS_MAX];
    const unsigned found = isa_registers(id, insn, operands, registers), first = to->count;
    for (unsigned i = 0; i < found; i++) {
        const unsigned number = registers[i].number;
        add_register(to, first, number);
        if (registers[i].wide)
            add_register(to, first, ((number - ISA_REG_FPR) ^ 1) + ISA_REG_FPR);
        to->wide |= registers[i].wide;
    }
}

unsigned regdeps_encode(enum isa_id id, const struct insn *insn, uint8_t to[REGDEPS_MAX])
{
    const struct isa_row *row = &isa_table[id];
    struct registers registers = {.number = to + HEADER_BYTES + 1, .wide = row->bytes == 8};
    memset(to, 0, REGDEPS_MAX);
    add_registers(id, insn, row->defines, &registers);
    const unsigned written = registers.count;
    add_registers(id, insn, row->uses, &registers);
    const unsigned read = registers.count - written;
    const uint32_t header = written | read << SOURCES_SHIFT | (uint32_t)categories(row) << CATEGORY_SHIFT;
    for (unsigned i = 0; i < HEADER_BYTES; i++)
        to[i] = (uint8_t)(header >> 8 * i);
    if (registers.count == 0)
        return HEADER_BYTES;
    to[HEADER_BYTES] = registers.wide ? SIZE_8 : SIZE_4;
    return HEADER_BYTES + (registers.count + 4) / 4 * 4;
}
