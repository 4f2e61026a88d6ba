/* Text form of the intermediate form. */
#include "cpu/translate/ir.h"

#include "cpu/privileged/cp0.h"
#include "cpu/translate/fp.h"

static const char *const opcode_text[IR_OPCODE_COUNT] = {
#define IR_TEXT(name, text) text,
    IR_OPCODES(IR_TEXT)
#undef IR_TEXT
};
static const char *const condition_text[] = {"==", "!=", "<s", ">=s", "<u", ">=u"};
static const char *const fp_text[] = {
#define FP_TEXT(name) #name ".S", #name ".D",
    "by calling", "", FP_OPERATIONS(FP_TEXT)
#undef FP_TEXT
};
static const char *const type_text[] = {"u8", "s8", "u16", "s16", "u32"};

void ir_print_state(const struct architecture *architecture, unsigned number, FILE *out)
{
    enum { FPR = offsetof(struct cpu, fpr) / 4, CP0 = offsetof(struct cpu, cp0) / 4 };
    if (number < GPR_SINK)
        fprintf(out, " $%s", isa_gpr_name(number));
    else if (number == offsetof(struct cpu, hi) / 4)
        fprintf(out, " hi");
    else if (number == offsetof(struct cpu, lo) / 4)
        fprintf(out, " lo");
    else if (number >= FPR && number < FPR + 64)
        fprintf(out, " $f%u%s", (number - FPR) / 2, (number - FPR) % 2 ? ".high" : "");
    else if (number == offsetof(struct cpu, fcr31) / 4)
        fprintf(out, " fcsr");
    else if (number >= CP0 && cp0_find(architecture, number - CP0) != NULL)
        fprintf(out, " %s", cp0_find(architecture, number - CP0)->name);
    else
        fprintf(out, " state[%u]", number * 4);
}

static void print_value(const struct architecture *architecture, struct ir_value v, FILE *out)
{
    switch (v.kind) {
    case IR_CONST: fprintf(out, " 0x%x", v.constant); break;
    case IR_STATE: ir_print_state(architecture, v.number, out); break;
    case IR_TEMP: fprintf(out, " t%u", v.number); break;
    default: break;
    }
}

static bool has_condition(unsigned opcode)
{
    return opcode == IR_COMPARE || opcode == IR_SELECT || opcode == IR_TRAP_IF || opcode == IR_ANNUL ||
           opcode == IR_BRANCH;
}

static bool has_target(unsigned opcode)
{
    return opcode == IR_TRAP_IF || opcode == IR_SET_STATE64 || opcode == IR_AWAIT || opcode == IR_ISSUE ||
           opcode >= IR_ANNUL;
}

static void print_op(const struct architecture *architecture, const struct ir_op *op, FILE *out)
{
    fprintf(out, "    ");
    if (op->dst.kind != IR_NONE) {
        print_value(architecture, op->dst, out);
        fprintf(out, " =");
    }
    fprintf(out, " %s", opcode_text[op->opcode]);
    if (op->opcode == IR_LOAD || op->opcode == IR_STORE)
        fprintf(out, " %s", type_text[op->type]);
    if (op->opcode == IR_FP)
        fprintf(out, " %s", fp_text[op->type]);
    print_value(architecture, op->a, out);
    if (has_condition(op->opcode))
        fprintf(out, " %s", condition_text[op->condition]);
    print_value(architecture, op->b, out);
    print_value(architecture, op->c, out);
    print_value(architecture, op->d, out);
    if (op->displacement)
        fprintf(out, " %+d", op->displacement);
    if (op->aligned)
        fprintf(out, " aligned");
    if (op->calls || op->returns)
        fprintf(out, op->calls ? " call" : " return");
    if (op->opcode == IR_COUNT)
        fprintf(out, " %u loads, %u stores", op->loads, op->stores);
    if (has_target(op->opcode) && op->opcode != IR_INDIRECT && op->opcode != IR_ERET && op->opcode != IR_RFE)
        fprintf(out, " -> 0x%x", op->target);
    fputc('\n', out);
}

void ir_print(const struct ir_block *block, const struct core *core, const uint32_t *words, FILE *out)
{
    unsigned next = 0;
    for (unsigned i = 0; i < block->words; i++) {
        char text[80];
        vaddr pc = block->pc + i * 4;
        isa_disassemble(core->decoder, words[i], pc, text, sizeof text);
        fprintf(out, "  %08x: %08x  %s\n", pc, words[i], text);
        for (; next < block->count && block->ops[next].index <= i; next++)
            print_op(core->architecture, &block->ops[next], out);
    }
    for (; next < block->count; next++)
        print_op(core->architecture, &block->ops[next], out);
}
