#include "cpu/executions.h"

#include "cpu/execution_profile.h"
#include "cpu/model.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const mix_names[MIX_KINDS] = {
#define KIND(id, name, text) name,
#include "cpu/mix.def"
#undef KIND
};
const char *const mix_texts[MIX_KINDS] = {
#define KIND(id, name, text) text,
#include "cpu/mix.def"
#undef KIND
};

/* Kinds */

static enum mix_kind kind_of_alu(enum isa_id id, const struct insn *insn, enum mix_kind kind)
{
    const unsigned defines = isa_table[id].defines;
    if (!((defines & OPERAND_D) && insn->rd == GPR_SINK) && !((defines & OPERAND_T) && insn->rt == GPR_SINK))
        return kind;
    return id == ISA_SLL && insn->rt == 0 && insn->sa == 0 ? MIX_NOP : MIX_MARKER;
}

static enum mix_kind kind_of_jump(enum isa_id id, const struct insn *insn)
{
    if (id == ISA_J)
        return MIX_JUMP;
    if (id == ISA_JR)
        return insn->rs == 31 ? MIX_RETURN : MIX_INDIRECT;
    return MIX_CALL;
}

static enum mix_kind kind_of_system(enum isa_id id)
{
    switch (id) {
    case ISA_TLBP:
    case ISA_TLBR:
    case ISA_TLBWI:
    case ISA_TLBWR: return MIX_TLB;
    case ISA_CACHE:
    case ISA_SYNC:
    case ISA_SYNCI: return MIX_CACHE;
    default: return MIX_CP0;
    }
}

enum mix_kind mix_kind_of(enum isa_id id, const struct insn *insn)
{
    switch (isa_table[id].class) {
    case CLASS_ALU: return kind_of_alu(id, insn, MIX_ALU);
    case CLASS_SHIFT: return kind_of_alu(id, insn, MIX_SHIFT);
    case CLASS_MULTIPLY: return MIX_MULTIPLY;
    case CLASS_DIVIDE: return MIX_DIVIDE;
    case CLASS_LOAD: return id == ISA_LL ? MIX_LL : id == ISA_PREF || id == ISA_PREFX ? MIX_PREFETCH : MIX_LOAD;
    case CLASS_STORE: return id == ISA_SC ? MIX_SC : MIX_STORE;
    case CLASS_BRANCH: return MIX_NOT_TAKEN;
    case CLASS_JUMP: return kind_of_jump(id, insn);
    case CLASS_FP_ADD: return MIX_FP_ADD;
    case CLASS_FP_MULTIPLY: return MIX_FP_MULTIPLY;
    case CLASS_FP_MULTIPLY_ADD: return MIX_FP_MULTIPLY_ADD;
    case CLASS_FP_DIVIDE_S:
    case CLASS_FP_DIVIDE_D: return MIX_FP_DIVIDE;
    case CLASS_FP_SQRT_S:
    case CLASS_FP_SQRT_D: return MIX_FP_SQRT;
    case CLASS_FP_CONVERT: return MIX_FP_CONVERT;
    case CLASS_FP_COMPARE: return MIX_FP_COMPARE;
    case CLASS_FP_MOVE: return MIX_FP_MOVE;
    case CLASS_SYSTEM: return kind_of_system(id);
    default: return MIX_TRAP;
    }
}

static enum mix_kind kind_of_word(const struct isa_decoder *decoder, uint32_t word, enum isa_id *id)
{
    struct insn insn;
    *id = isa_decode(decoder, word, &insn);
    return mix_kind_of(*id, &insn);
}

/* The target of the branch or jump WORD at PC, if it is in the instruction. */
static vaddr target_of(const struct isa_decoder *decoder, uint32_t word, vaddr pc)
{
    struct insn insn;
    const enum isa_id id = isa_decode(decoder, word, &insn);
    if (isa_table[id].imm == IMM_JUMP)
        return ((pc + 4) & 0xf0000000u) | (uint32_t)insn.imm;
    return pc + 4 + (uint32_t)insn.imm;
}

static bool is_conditional(enum isa_id id)
{
    return isa_table[id].class == CLASS_BRANCH;
}

static bool is_likely(enum isa_id id)
{
    return isa_table[id].flags & INSN_LIKELY;
}

/* Starting and ending */

void executions_start(struct core *core, struct execution_profile *profile)
{
    for (unsigned i = 0; i < core->cpus; i++) {
        struct core *peer = core->peers[i];
        const bool is_new = peer->executions == NULL;
        if (is_new) {
            core_sync(peer);
            core_account(peer);
            peer->executions = checked_memory(calloc(1, sizeof *peer->executions));
            for (unsigned mode = 0; mode < MODE_COUNT; mode++)
                peer->executions->uncounted[mode] = peer->mode_buckets[mode].insns;
        }
        if (profile)
            peer->executions->profile = profile;
        if (peer->model && (is_new || profile)) {
            peer->model_ops->invalidate_all(peer->model);
            if (peer->model_ops->observers_changed)
                peer->model_ops->observers_changed(peer->model);
        }
        peer->executions->in_uncounted_block |= is_new;
        peer->attention = true;
    }
}

void executions_free(struct core *core)
{
    free(core->executions);
    core->executions = NULL;
}

static uint64_t mix_sum(const struct executions *executions, enum mode mode)
{
    uint64_t sum = executions->uncounted[mode];
    for (unsigned i = 0; i < MIX_KINDS; i++)
        sum += executions->mix[mode][i];
    return sum;
}

bool executions_check(const struct core *core, struct err *err)
{
    for (unsigned mode = 0; core->executions && mode < MODE_COUNT; mode++) {
        const uint64_t sum = mix_sum(core->executions, (enum mode)mode), insns = core->mode_buckets[mode].insns;
        if (sum != insns)
            return err_set(err, "CPU %u: the mix of mode %s has %llu instructions of %llu", core->number,
                           core_mode_name((enum mode)mode), (unsigned long long)sum, (unsigned long long)insns);
    }
    return true;
}

void executions_register_stats(const struct core *core, struct stats *stats)
{
    char name[64];
    for (unsigned mode = 0; core->executions && mode < MODE_COUNT; mode++)
        for (unsigned i = 0; i < MIX_KINDS; i++) {
            snprintf(name, sizeof name, "cpu%u.mode.%s.mix.%s", core->number, core_mode_name((enum mode)mode),
                     mix_names[i]);
            stats_counter(stats, name, "instructions", mix_texts[i], &core->executions->mix[mode][i]);
        }
}

/* Checkpoints */

static void write_mix(void *base, struct saved_out *out)
{
    const struct core *core = base;
    const struct executions *executions = core->executions;
    saved_put_u32(out, executions ? MIX_KINDS : 0);
    for (unsigned mode = 0; executions && mode < MODE_COUNT; mode++) {
        saved_put_u64(out, executions->uncounted[mode]);
        for (unsigned i = 0; i < MIX_KINDS; i++)
            saved_put_u64(out, executions->mix[mode][i]);
    }
}

static bool read_mix(void *base, struct saved_in *in, struct err *err)
{
    struct core *core = base;
    struct executions loaded = {.list = NULL};
    uint32_t kinds;
    if (!saved_get_u32(in, &kinds))
        return false;
    if (kinds != 0 && kinds != MIX_KINDS)
        return err_set(err, "%u kinds of instructions; this version of simos has %d", kinds, MIX_KINDS);
    for (unsigned mode = 0; kinds > 0 && mode < MODE_COUNT; mode++) {
        if (!saved_get_u64(in, &loaded.uncounted[mode]))
            return false;
        for (unsigned i = 0; i < MIX_KINDS; i++)
            if (!saved_get_u64(in, &loaded.mix[mode][i]))
                return false;
    }
    if (core->executions) {
        memcpy(core->executions->mix, loaded.mix, sizeof loaded.mix);
        memcpy(core->executions->uncounted, loaded.uncounted, sizeof loaded.uncounted);
    }
    return true;
}

static bool after_load_mix(void *base, struct err *err)
{
    struct core *core = base;
    struct executions *executions = core->executions;
    (void)err;
    for (unsigned mode = 0; executions && mode < MODE_COUNT; mode++) {
        if (mix_sum(executions, (enum mode)mode) == core->mode_buckets[mode].insns)
            continue;
        memset(executions->mix[mode], 0, sizeof executions->mix[mode]);
        executions->uncounted[mode] = core->mode_buckets[mode].insns;
    }
    return true;
}

void executions_register_saved(struct core *core, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_mix, .read = read_mix, .after_load = after_load_mix};
    char name[16];
    snprintf(name, sizeof name, "cpu%u.mix", core->number);
    saved_add(saved,
              &(struct saved_section){.name = name, .version = 1, .optional = true, .base = core, .ops = &ops});
}

/* The mode to which the core charges at present; during a change of mode, the old one. */
static enum mode charged_mode(const struct core *core)
{
    return (enum mode)(core->bucket - core->mode_buckets);
}

/* Blocks */

void executed_block_init(struct executed_block *block, const struct isa_decoder *decoder, vaddr pc,
                         const uint32_t *words, unsigned insns, bool ends_in_branch)
{
    uint8_t counts[MIX_KINDS] = {0};
    enum isa_id id = ISA_RESERVED, last = ISA_RESERVED;
    enum mix_kind kind = MIX_NOP;
    for (unsigned i = 0; i < insns; i++) {
        last = id;
        kind = kind_of_word(decoder, words[i], &id);
        counts[kind]++;
    }
    *block = (struct executed_block){
        .count = EXECUTED_NEVER, .side = EXECUTED_NEVER, .pc = pc, .insns = (uint8_t)insns, .slot = (uint8_t)kind};
    for (unsigned i = 0; i < MIX_KINDS; i++)
        if (counts[i] > 0) {
            block->mix[block->kinds].kind = (uint8_t)i;
            block->mix[block->kinds++].count = counts[i];
        }
    if (!ends_in_branch)
        return;
    if (is_conditional(last))
        block->end = is_likely(last) ? BLOCK_LIKELY : BLOCK_BRANCH;
    else if (last == ISA_JAL)
        block->end = BLOCK_CALL;
    if (block->end != BLOCK_OTHER)
        block->target = target_of(decoder, words[insns - 2], pc + (insns - 2) * 4);
}

void executions_list(struct executions *executions, struct executed_block *block)
{
    if (block->listed)
        return;
    block->listed = true;
    block->next = executions->list;
    executions->list = block;
}

static uint64_t key_of_block(const struct core *core, struct executed_block *block, enum mode mode)
{
    const uint8_t asid = (uint8_t)core->s.cp0[CP0_ENTRYHI];
    if (!block->has_key || (mode == MODE_USER && block->asid != asid)) {
        block->key = execution_profile_key(core->executions->profile, core, block->pc, mode == MODE_USER);
        block->asid = asid;
        block->has_key = true;
    }
    return block->key;
}

static uint64_t key_at(const struct core *core, vaddr address)
{
    return execution_profile_key(core->executions->profile, core, address, charged_mode(core) == MODE_USER);
}

/* COUNT transfers from the instruction at key FROM to TARGET. */
static void add_edge(const struct core *core, uint64_t from, vaddr target, bool is_call, int64_t count)
{
    if (core->executions->profile && count != 0)
        execution_profile_add_edge(core->executions->profile, from, key_at(core, target), is_call, count);
}

static void flush_block(struct core *core, struct executed_block *block, enum mode mode)
{
    struct executions *executions = core->executions;
    uint64_t *mix = executions->mix[mode];
    const uint64_t count = block->count + 1, side = block->side + 1;
    uint64_t taken = 0;
    for (unsigned i = 0; i < block->kinds; i++)
        mix[block->mix[i].kind] += count * block->mix[i].count;
    if (block->end == BLOCK_BRANCH)
        taken = side;
    if (block->end == BLOCK_LIKELY) {
        taken = count - side;
        mix[block->slot] -= side;
    }
    mix[MIX_NOT_TAKEN] -= taken;
    mix[MIX_TAKEN] += taken;
    block->count = block->side = EXECUTED_NEVER;
    block->listed = false;
    struct execution_profile *profile = executions->profile;
    if (!profile)
        return;
    const uint64_t key = key_of_block(core, block, mode);
    if (count > 0)
        execution_profile_add_block(profile, key, mode, block->insns, (int64_t)count);
    if (block->end == BLOCK_LIKELY && side > 0)
        execution_profile_add_block(profile, key + (block->insns - 1u) * 4, mode, 1, -(int64_t)side);
    if (block->end != BLOCK_OTHER)
        add_edge(core, key + (block->insns - 2u) * 4, block->target, block->end == BLOCK_CALL,
                 (int64_t)(block->end == BLOCK_CALL ? count : taken));
}

/* The word of code at ADDRESS; a nop if it is not mapped any more. */
static uint32_t word_at(struct core *core, vaddr address)
{
    uint32_t word = 0;
    core_debug_read(core, address, &word, sizeof word);
    return word;
}

/* Charge SIGN executions of the INSNS instructions from PC on. */
static void charge_range(struct core *core, vaddr pc, unsigned insns, int sign)
{
    struct executions *executions = core->executions;
    const enum mode mode = charged_mode(core);
    enum isa_id id;
    for (unsigned i = 0; i < insns; i++)
        executions->mix[mode][kind_of_word(core->decoder, word_at(core, pc + i * 4), &id)] += (uint64_t)(int64_t)sign;
    if (executions->profile && insns > 0)
        execution_profile_add_block(executions->profile, key_at(core, pc), mode, insns, sign);
}

static void flush_sequence(struct core *core)
{
    struct executions *executions = core->executions;
    if (executions->sequence.insns > 0 && executions->profile)
        execution_profile_add_block(executions->profile, key_at(core, executions->sequence.pc), charged_mode(core),
                                    executions->sequence.insns, 1);
    executions->sequence.insns = 0;
}

void executions_flush(struct core *core, unsigned left)
{
    struct executions *executions = core->executions;
    const enum mode mode = charged_mode(core);
    flush_sequence(core);
    if (executions->ahead.insns > 0)
        charge_range(core, executions->ahead.pc, executions->ahead.insns, 1);
    executions->ahead.insns = 0;
    struct executed_block *next;
    for (struct executed_block *block = executions->list; block != NULL; block = next) {
        next = block->next;
        flush_block(core, block, mode);
    }
    executions->list = NULL;
    if (left == 0 || executions->in_uncounted_block)
        return;
    charge_range(core, core->s.pc + 4, left, -1);
    executions->ahead.pc = core->s.pc + 4;
    executions->ahead.insns = left;
}

void executions_block_left(struct core *core, vaddr pc, unsigned insns, bool in_slot)
{
    if (core->executions->in_uncounted_block)
        return;
    charge_range(core, pc, insns, -1);
    if (!core->executions->profile || (insns == 0 && !in_slot))
        return;
    enum isa_id id;
    const vaddr branch = pc + insns * 4 - 8;
    const uint32_t word = word_at(core, branch);
    kind_of_word(core->decoder, word, &id);
    if (id == ISA_JAL)
        add_edge(core, key_at(core, branch), target_of(core->decoder, word, branch), true, -1);
}

/* Instructions alone */

void executions_insn(struct core *core, vaddr pc, enum isa_id id, const struct insn *insn)
{
    enum { MOST = 1024 };
    struct executions *executions = core->executions;
    executions->mix[charged_mode(core)][mix_kind_of(id, insn)]++;
    if (!executions->profile)
        return;
    if (pc != executions->sequence.pc + executions->sequence.insns * 4 || executions->sequence.insns == MOST ||
        pc % PAGE_SIZE == 0)
        flush_sequence(core);
    if (executions->sequence.insns++ == 0)
        executions->sequence.pc = pc;
}

void executions_unfetched(struct core *core, vaddr pc)
{
    struct executions *executions = core->executions;
    flush_sequence(core);
    executions->mix[charged_mode(core)][MIX_UNFETCHED]++;
    if (executions->profile)
        execution_profile_add_block(executions->profile, key_at(core, pc), charged_mode(core), 1, 1);
}

static void count_taken(struct core *core, vaddr branch, vaddr target)
{
    uint64_t *mix = core->executions->mix[charged_mode(core)];
    mix[MIX_NOT_TAKEN]--;
    mix[MIX_TAKEN]++;
    if (core->executions->profile)
        add_edge(core, key_at(core, branch), target, false, 1);
}

void executions_transfer(struct core *core, vaddr pc, enum isa_id id, bool in_slot)
{
    if (is_likely(id) && core->s.in_delay_slot)
        count_taken(core, pc, core->s.branch_target);
    if (!in_slot)
        return;
    const uint32_t word = word_at(core, pc - 4);
    enum isa_id branch;
    const enum mix_kind kind = kind_of_word(core->decoder, word, &branch);
    if (is_conditional(branch) && !is_likely(branch) && core->s.pc != pc + 4)
        count_taken(core, pc - 4, core->s.pc);
    else if (kind == MIX_CALL && core->executions->profile)
        add_edge(core, key_at(core, pc - 4), core->s.pc, true, 1);
}

void executions_indirect_call(struct core *core, vaddr pc, vaddr target)
{
    add_edge(core, key_at(core, pc), target, true, 1);
}
