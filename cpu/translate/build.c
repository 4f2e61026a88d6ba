/* Translation of guest code to basic blocks of the intermediate form: their start and end, and branches. */
#include "cpu/translate/builder.h"

#include "cpu/privileged/load_delay.h"
#include "src/base/log.h"

/* Basic blocks */

bool build_is_hooked(const struct core *core, vaddr pc)
{
    for (unsigned i = 0; i < core->cpus; i++)
        if (core_hook_present(core->peers[i], pc))
            return true;
    return false;
}

static uint32_t word_at(const struct builder *b, vaddr pc)
{
    return b->context->words[(pc & (PAGE_SIZE - 1)) >> 2];
}

static bool is_first_of_page(vaddr pc)
{
    return (pc & (PAGE_SIZE - 1)) == 0;
}

/* With load delay: might the instruction at NEXT, executed after INSN at PC, notice that it does not get the result of
 * INSN yet? Then the interpreter executes them. */
static bool may_notice_delay(const struct builder *b, enum isa_id id, const struct insn *insn, vaddr pc, vaddr next)
{
    const struct core *core = b->context->core;
    return core->has_load_delay && load_delay_result(core, id, insn, pc, next, b->context->words) != 0;
}

/* The same for the delay slot of the branch or jump at PC, with all that may be executed after it. */
static bool slot_may_notice_delay(const struct builder *b, vaddr pc)
{
    struct insn branch, slot;
    const struct core *core = b->context->core;
    if (!core->has_load_delay)
        return false;
    const enum isa_id id = isa_decode(core->decoder, word_at(b, pc), &branch);
    const enum isa_id slot_id = isa_decode(core->decoder, word_at(b, pc + 4), &slot);
    const struct isa_control control = isa_control(id, &branch, pc);
    const vaddr elsewhere = pc ^ PAGE_SIZE;
    return may_notice_delay(b, slot_id, &slot, pc + 4, control.direct ? control.target : elsewhere) ||
           (control.conditional && may_notice_delay(b, slot_id, &slot, pc + 4, pc + 8));
}

/* Does the branch or jump at PC have a delay slot that can be translated with it: in the same page, without hook, not
 * itself a branch or a return from an exception, except that of the kernel by jr? */
static bool has_plain_delay_slot(const struct builder *b, vaddr pc)
{
    if (is_first_of_page(pc + 4) || build_is_hooked(b->context->core, pc + 4))
        return false;
    enum isa_id id = isa_identify(b->context->core->decoder, word_at(b, pc + 4));
    if (id == ISA_RFE)
        return !b->context->user && isa_identify(b->context->core->decoder, word_at(b, pc)) == ISA_JR;
    return isa_table[id].flow < FLOW_ERET && !slot_may_notice_delay(b, pc);
}

/* Does INSN, in the delay slot, write the register that V refers to? */
static bool overwrites(enum isa_id id, const struct insn *insn, value v)
{
    return v.kind == IR_STATE && (isa_writes(id, insn, v.number) || v.number == STATE_FCR31);
}

/* Copy operands of the branch that the delay slot overwrites. */
static void preserve_operands(struct builder *b, vaddr delay_slot)
{
    struct insn insn;
    enum isa_id id = isa_decode(b->context->core->decoder, word_at(b, delay_slot), &insn);
    if (overwrites(id, &insn, b->x))
        b->x = build_op1(b, IR_MOV, b->x);
    if (overwrites(id, &insn, b->y))
        b->y = build_op1(b, IR_MOV, b->y);
}

static void begin_instruction(struct builder *b, vaddr pc, struct insn *insn)
{
    b->pc = pc;
    b->id = isa_decode(b->context->core->decoder, word_at(b, pc), insn);
    b->insn = insn;
    if (b->context->line_mask != 0 && ((b->index == 0 && !b->context->exact) || build_starts_line(b->context, pc)))
        build_add_op(b, IR_FETCH_LINE);
    if (b->index == 0 && b->context->exact) /* a begun instruction is entered here */
        build_add_op(b, IR_COUNT);
    b->block->words = b->index + 1;
}

static void end_conditional(struct builder *b, enum ir_opcode opcode, vaddr target, bool inverse)
{
    struct ir_op *op = build_add_op(b, opcode);
    op->condition = (uint8_t)(inverse ? ir_inverse(b->condition) : b->condition);
    op->a = b->x;
    op->b = b->y;
    op->target = target;
}

static void end_at(struct builder *b, enum ir_opcode opcode, vaddr target)
{
    build_add_op(b, opcode)->target = target;
}

static void build_delay_slot(struct builder *b, vaddr pc)
{
    struct insn insn;
    b->index++;
    b->branch = BRANCH_NONE;
    begin_instruction(b, pc, &insn);
    build_interlocks(b);
    if (b->id == ISA_RFE)
        b->branch = BRANCH_RFE;
    else
        build_instruction(b);
    b->block->ends_in_branch = true;
}

/* End the block with the branch that has just been built and its delay slot. */
static void end_in_branch(struct builder *b)
{
    vaddr branch = b->pc;
    bool likely = b->likely;
    enum ir_condition condition = b->condition;
    vaddr target = b->target;
    int kind = (int)b->branch;
    const struct isa_control control = isa_control(b->id, b->insn, b->pc);
    if (likely && kind == BRANCH_CONDITIONAL)
        end_conditional(b, IR_ANNUL, branch + 8, true);
    else
        preserve_operands(b, branch + 4);
    build_delay_slot(b, branch + 4);
    if (b->branch == BRANCH_EXCEPTION) { /* the delay slot always traps */
        end_at(b, IR_EXCEPTION, b->target);
        return;
    }
    b->condition = condition;
    if (b->branch == BRANCH_RFE) {
        build_add_op(b, IR_RFE)->a = kind == BRANCH_TO ? ir_const(target) : b->x;
    } else if (kind == BRANCH_INDIRECT) {
        struct ir_op *op = build_add_op(b, IR_INDIRECT);
        op->a = b->x;
        op->calls = control.calls;
        op->returns = control.returns;
    } else if (kind == BRANCH_TO || likely) {
        end_at(b, IR_GOTO, target);
        build_last_op(b)->calls = control.calls && kind == BRANCH_TO;
    } else {
        end_conditional(b, IR_BRANCH, target, false);
    }
}

/* Count the loads and stores of SEGMENT at its beginning (those of a delay slot that may be annulled, after ANNUL), and
 * record in every operation how many belong to later instructions. */
static void count_accesses(struct ir_block *block)
{
    unsigned loads = 0, stores = 0;
    for (unsigned i = block->count; i-- > 0;) {
        struct ir_op *op = &block->ops[i];
        switch (op->opcode) {
        case IR_LOAD:
        case IR_LOAD64:
        case IR_LOAD_UNALIGNED:
        case IR_LOAD_LINKED:
            op->loads = (uint8_t)loads++;
            op->stores = (uint8_t)stores;
            break;
        case IR_STORE:
        case IR_STORE64:
        case IR_STORE_MERGED:
        case IR_STORE_CONDITIONAL:
            op->loads = (uint8_t)loads;
            op->stores = (uint8_t)stores++;
            break;
        case IR_COUNT:
            op->loads = (uint8_t)loads;
            op->stores = (uint8_t)stores;
            loads = stores = 0;
            break;
        default: op->loads = (uint8_t)loads; op->stores = (uint8_t)stores;
        }
    }
}

/* Build one instruction that is not a branch; false if the block ends before or with it. */
static bool build_next(struct builder *b, vaddr pc)
{
    const struct build_context *context = b->context;
    struct insn insn;
    bool may_end = b->index > 0 && (context->line_mask == 0 || context->exact || build_starts_line(b->context, pc));
    if (b->index > 0 && is_first_of_page(pc)) {
        end_at(b, IR_GOTO, pc);
        return false;
    }
    if (may_end && (b->index >= context->max_insns || context->has_code(context->opaque, pc))) {
        end_at(b, IR_GOTO, pc);
        return false;
    }
    enum isa_id id = isa_decode(context->core->decoder, word_at(b, pc), &insn);
    bool branches = isa_table[id].flags & INSN_DELAY_SLOT;
    if (build_is_hooked(context->core, pc) || (branches && !has_plain_delay_slot(b, pc)) ||
        may_notice_delay(b, id, &insn, pc, pc + 4)) {
        end_at(b, IR_STEP, pc);
        return false;
    }
    begin_instruction(b, pc, &insn);
    if (branches && (isa_table[isa_identify(context->core->decoder, word_at(b, pc + 4))].flags & INSN_FPU))
        /* for the delay slot: another engine can take over before the branch, but not between branch and delay slot */
        build_need_fpu(b);
    build_interlocks(b);
    build_instruction(b);
    switch (b->branch) {
    case BRANCH_NONE: return true;
    case BRANCH_ERET: end_at(b, IR_ERET, 0); break;
    case BRANCH_EXCEPTION: end_at(b, IR_EXCEPTION, b->target); break;
    default: end_in_branch(b);
    }
    b->index++;
    return false;
}

struct ir_block *build_block(struct ir_superblock *superblock, const struct build_context *context, vaddr pc)
{
    const struct ir_block *last = superblock->count > 0 ? &superblock->blocks[superblock->count - 1] : NULL;
    struct ir_op *ops = last != NULL ? last->ops + last->count : superblock->ops;
    unsigned temps = last != NULL ? last->temps : 0;
    if (superblock->count == IR_MAX_BLOCKS || superblock->ops + IR_MAX_OPS - ops < IR_BLOCK_OPS ||
        temps + IR_BLOCK_OPS > IR_MAX_TEMPS)
        return NULL;
    struct ir_block *block = &superblock->blocks[superblock->count++];
    *block = (struct ir_block){.pc = pc, .first_temp = temps, .temps = temps, .ops = ops};
    struct builder b = {.context = context, .block = block};
    if (!context->exact)
        build_add_op(&b, IR_COUNT);
    while (build_next(&b, pc + b.index * 4))
        b.index++;
    block->insns = b.index;
    count_accesses(block);
    return block;
}
