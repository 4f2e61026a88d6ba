#include "tests/diff/stream_rows.h"
#include "src/base/log.h"
#include "tests/diff/encode.h"
#include <string.h>

enum { RS = 21, RT = 16, RD = 11, SA = 6 };

/* Rows excluded from the comparison with QEMU: differences listed in cpu/fp/fpu.h, instructions that are UNPREDICTABLE
 * without particular state, and features that QEMU's processor has or lacks. */
static bool differs_from_qemu(enum isa_id id)
{
    switch (id) {
    case ISA_FABS_S:
    case ISA_FABS_D:
    case ISA_FNEG_S:
    case ISA_FNEG_D:
    case ISA_SDBBP: /* QEMU's semihosting call */
    case ISA_COP2:
    case ISA_RESERVED:
    case ISA_CACHE:
    case ISA_SYNCI:
    case ISA_RDPGPR: /* QEMU bypasses its own translator */
    case ISA_WRPGPR: return true;
    default: return false;
    }
}

static bool is_system(enum isa_id id)
{
    return id >= ISA_MFC0 && id <= ISA_WAIT;
}

static unsigned row_weight(const struct stream_kind *kind, enum isa_id id)
{
    const struct isa_row *row = &isa_table[id];
    if (!isa_has(row, LEVEL_32R2))
        return 0;
    if (kind->oracle && differs_from_qemu(id))
        return 0;
    if (kind->oracle && !kind->fr && (id == ISA_LUXC1 || id == ISA_SUXC1)) /* UNPREDICTABLE */
        return 0;
    switch (id) {
    case ISA_ERET: return kind->kernel && !kind->ends ? 2 : kind->kernel ? 0 : 1;
    case ISA_WAIT: return kind->interrupts ? 4 : kind->oracle && !kind->kernel ? 1 : 0; /* syscall changes the mode */
    case ISA_DI:
    case ISA_EI: return kind->kernel && kind->oracle ? 0 : 3;
    case ISA_TLBR:
    case ISA_TLBWI:
    case ISA_TLBWR:
    case ISA_TLBP: return kind->kernel && kind->oracle ? 0 : 1;
    case ISA_MTC0: return kind->kernel && !kind->oracle ? 40 : 2;
    case ISA_MFC0: return kind->kernel ? 20 : 2;
    case ISA_CTC1: return 16;
    case ISA_J:
    case ISA_JAL:
    case ISA_JR:
    case ISA_JALR: return 16;
    case ISA_DIV:
    case ISA_DIVU: return 8;
    default: break;
    }
    if (is_system(id))
        return 2;
    if (row->flags & INSN_DELAY_SLOT)
        return 12;
    if (row->flags & (INSN_LOAD | INSN_STORE))
        return 12;
    if (row->class == CLASS_TRAP || id == ISA_RESERVED || id == ISA_COP2)
        return kind->hard ? 1 : 2;
    if (kind->hard && !kind->fr && strstr(row->mnemonic, ".l")) /* reserved then */
        return 1;
    return kind->hard ? 12 : 6;
}

bool stream_rows_is_plain(enum isa_id id)
{
    switch (id) {
    case ISA_ERET:
    case ISA_WAIT:
    case ISA_DIV:
    case ISA_DIVU:
    case ISA_LL:
    case ISA_SC:
    case ISA_CTC1: return false;
    default: return !is_system(id) && !(isa_table[id].flags & INSN_DELAY_SLOT);
    }
}

void stream_rows_init(struct stream_rows *rows, const struct stream_kind *kind, struct random *random,
                      const struct isa_decoder *decoder)
{
    *rows = (struct stream_rows){.kind = kind, .random = random, .decoder = decoder};
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        unsigned weight = row_weight(kind, (enum isa_id)id);
        rows->weight[id] = (uint16_t)weight;
        rows->total += weight;
        if (stream_rows_is_plain((enum isa_id)id))
            rows->plain_total += weight;
    }
}

static enum isa_id pick(struct stream_rows *rows, bool plain)
{
    uint32_t number = random_below(rows->random, plain ? rows->plain_total : rows->total);
    for (unsigned id = 0; id < ISA_COUNT; id++) {
        if (plain && !stream_rows_is_plain((enum isa_id)id))
            continue;
        if (number < rows->weight[id])
            return (enum isa_id)id;
        number -= rows->weight[id];
    }
    log_bug("the weights do not add up");
}

enum isa_id stream_rows_pick(struct stream_rows *rows)
{
    return pick(rows, false);
}

/* Set the five bits at SHIFT to VALUE, unless the row fixes them. */
static uint32_t set_field(uint32_t word, const struct isa_row *row, unsigned shift, uint32_t value)
{
    uint32_t field = 31u << shift;
    return row->mask & field ? word : (word & ~field) | value << shift;
}

static unsigned destination(struct stream_rows *rows)
{
    static const uint8_t registers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 29, 31};
    return registers[random_below(rows->random, sizeof registers)];
}

/* Size in bytes of a memory access: 1, 2, 4, 8. */
static unsigned access_size(enum isa_id id)
{
    switch (id) {
    case ISA_LWL:
    case ISA_LWR:
    case ISA_SWL:
    case ISA_SWR: return 1;
    default: return isa_table[id].bytes ? isa_table[id].bytes : 4;
    }
}

/* Set base register and offset of an access. */
static uint32_t place_access(struct stream_rows *rows, enum isa_id id, uint32_t word)
{
    static const uint8_t edges[] = {17, 18, 19};
    struct random *random = rows->random;
    unsigned size = access_size(id), base = 16;
    int32_t offset = (int32_t)random_below(random, 0x1000) - 0x800;
    switch (random_below(random, rows->kind->hard ? 40 : 16)) { /* few exceptions */
    case 0: base = 21; break;
    case 1: base = 30; break;
    case 2:
    case 3:
        base = edges[random_below(random, 3)];
        offset = (int32_t)random_below(random, 32) - 16;
        break;
    case 4:
        if (!rows->kind->oracle && random_one_in(random, 4))
            base = random_below(random, 16);
        break;
    case 5: offset = (int32_t)random_below(random, 64); break; /* repeatedly the same few words */
    default: break;
    }
    if (!random_one_in(random, rows->kind->hard ? 48 : 12))
        offset &= -(int32_t)size;
    word = set_field(word, &isa_table[id], RS, base);
    return (word & 0xffff0000) | ((uint32_t)offset & 0xffff);
}

/* A row whose floating-point operands are 64 bits wide. */
static bool has_double(const struct isa_row *row)
{
    return row->wide || row->flags & INSN_HIGH_WORD;
}

static uint32_t even_registers(const struct isa_row *row, uint32_t word)
{
    static const struct {
        char letter;
        unsigned shift;
    } fields[] = {{'S', RD}, {'T', RT}, {'R', RS}, {'D', SA}};
    for (unsigned i = 0; i < 4; i++)
        if (strchr(row->operands, fields[i].letter))
            word &= ~(1u << fields[i].shift);
    return word;
}

/* A word that is a reserved instruction, or the row of a whole class. */
static uint32_t reserved_word(struct stream_rows *rows)
{
    for (;;) {
        uint32_t word = random_word(rows->random);
        if (isa_identify(rows->decoder, word) == ISA_RESERVED)
            return word;
    }
}

static uint32_t encode_special(struct stream_rows *rows, enum isa_id id, uint32_t word)
{
    static const uint8_t hardware[] = {0, 1, 0, 1, 3, 29, 2, 4, 31};
    static const uint8_t control[] = {31, 31, 25, 26, 28, 0, 1};
    struct random *random = rows->random;
    unsigned low, high;
    switch (id) {
    case ISA_EXT:
        low = random_below(random, 32);
        return (word & ~0xffc0u) | FIELD(random_below(random, 32 - low), RD) | FIELD(low, SA);
    case ISA_INS:
        low = random_below(random, 32);
        high = low + random_below(random, 32 - low);
        return (word & ~0xffc0u) | FIELD(high, RD) | FIELD(low, SA);
    case ISA_RDHWR:
        high = hardware[random_below(random, rows->kind->oracle ? 4 : sizeof hardware)];
        if (high == 2 && !rows->kind->time)
            high = 0;
        return (word & ~(31u << RD)) | FIELD(high, RD);
    case ISA_CFC1:
        high = control[random_below(random, rows->kind->oracle ? 5 : sizeof control)];
        return (word & ~(31u << RD)) | FIELD(high, RD);
    case ISA_RESERVED: return reserved_word(rows);
    case ISA_BLTZ: /* QEMU treats a branch that is never taken as nop: no delay slot follows */
    case ISA_BGTZ: return rows->kind->oracle && (word >> RS & 31) == 0 ? word | FIELD(1, RS) : word;
    case ISA_BNE: return rows->kind->oracle && (word >> RS & 31) == (word >> RT & 31) ? word ^ FIELD(1, RT) : word;
    case ISA_BLTZAL:
    case ISA_BGEZAL:
    case ISA_BLTZALL:
    case ISA_BGEZALL: return (word >> RS & 31) == 31 ? word & ~(1u << RS) : word;
    default: return word;
    }
}

uint32_t stream_rows_encode(struct stream_rows *rows, enum isa_id id)
{
    const struct isa_row *row = &isa_table[id];
    struct random *random = rows->random;
    uint32_t word = row->match | (random_word(random) & ~row->mask);
    /* Sources: any register except those that the handlers clobber. */
    if (strchr(row->operands, 's') && (word >> RS & 30) == 26)
        word = set_field(word, row, RS, random_below(random, 16));
    if (strchr(row->operands, 't') && (word >> RT & 30) == 26)
        word = set_field(word, row, RT, random_below(random, 16));
    if (row->defines & OPERAND_T)
        word = set_field(word, row, RT, destination(rows));
    if (row->defines & OPERAND_D)
        word = set_field(word, row, RD, destination(rows));
    if (strchr(row->operands, 'm'))
        word = place_access(rows, id, word);
    if (strchr(row->operands, 'X')) {
        word = set_field(word, row, RS, 16);
        word = set_field(word, row, RT, random_one_in(random, 8) ? 0 : 22);
    }
    if (!rows->kind->fr && row->flags & INSN_FPU && has_double(row))
        word = even_registers(row, word);
    return encode_special(rows, id, word);
}

uint32_t stream_rows_plain(struct stream_rows *rows)
{
    return stream_rows_encode(rows, pick(rows, true));
}
