#include "cpu/observe/executions.h"

#include "cpu/observe/execution_profile.h"
#include "cpu/model.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const mix_names[MIX_KINDS] = {
#define KIND(id, name, text) name,
#include "cpu/observe/mix.def"
#undef KIND
};
const char *const mix_texts[MIX_KINDS] = {
#define KIND(id, name, text) text,
#include "cpu/observe/mix.def"
#undef KIND
};

/* Kinds */

/* By class; those of branches, jumps, and of instructions without effect follow from more. */
static const uint8_t kind_of_class[CLASSES] = {
    [CLASS_ALU] = MIX_ALU,
    [CLASS_SHIFT] = MIX_SHIFT,
    [CLASS_MULTIPLY] = MIX_MULTIPLY,
    [CLASS_DIVIDE] = MIX_DIVIDE,
    [CLASS_LOAD] = MIX_LOAD,
    [CLASS_STORE] = MIX_STORE,
    [CLASS_PREFETCH] = MIX_PREFETCH,
    [CLASS_BRANCH] = MIX_NOT_TAKEN,
    [CLASS_JUMP] = MIX_JUMP,
    [CLASS_TRAP] = MIX_TRAP,
    [CLASS_FP_ADD] = MIX_FP_ADD,
    [CLASS_FP_MULTIPLY] = MIX_FP_MULTIPLY,
    [CLASS_FP_MULTIPLY_ADD] = MIX_FP_MULTIPLY_ADD,
    [CLASS_FP_DIVIDE_S] = MIX_FP_DIVIDE,
    [CLASS_FP_DIVIDE_D] = MIX_FP_DIVIDE,
    [CLASS_FP_SQRT_S] = MIX_FP_SQRT,
    [CLASS_FP_SQRT_D] = MIX_FP_SQRT,
    [CLASS_FP_CONVERT] = MIX_FP_CONVERT,
    [CLASS_FP_COMPARE] = MIX_FP_COMPARE,
    [CLASS_FP_MOVE] = MIX_FP_MOVE,
    [CLASS_SYSTEM] = MIX_CP0,
    [CLASS_TLB] = MIX_TLB,
    [CLASS_CACHE] = MIX_CACHE,
};

static enum mix_kind kind_of_jump(enum isa_id id, const struct insn *insn)
{
    const struct isa_control control = isa_control(id, insn, 0);
    if (control.links)
        return MIX_CALL;
    if (control.direct)
        return MIX_JUMP;
    return control.returns ? MIX_RETURN : MIX_INDIRECT;
}

enum mix_kind mix_kind_of(enum isa_id id, const struct insn *insn)
{
    const struct isa_row *row = &isa_table[id];
    switch (row->class) {
    case CLASS_ALU:
    case CLASS_SHIFT:
        if (isa_is_nop(id, insn))
            return MIX_NOP;
        return isa_writes(id, insn, GPR_SINK) ? MIX_MARKER : (enum mix_kind)kind_of_class[row->class];
    case CLASS_LOAD: return row->defines & OPERAND_LL ? MIX_LL : MIX_LOAD;
    case CLASS_STORE: return row->uses & OPERAND_LL ? MIX_SC : MIX_STORE;
    case CLASS_JUMP: return kind_of_jump(id, insn);
    default: return (enum mix_kind)kind_of_class[row->class];
    }
}

static enum mix_kind kind_of_word(const struct isa_decoder *decoder, uint32_t word, enum isa_id *id)
{
    struct insn insn;
    *id = isa_decode(decoder, word, &insn);
    return mix_kind_of(*id, &insn);
}

/* What the word WORD at PC does to control. */
static struct isa_control control_of(const struct isa_decoder *decoder, uint32_t word, vaddr pc)
{
    struct insn insn;
    const enum isa_id id = isa_decode(decoder, word, &insn);
    return isa_control(id, &insn, pc);
}

static bool is_conditional(enum isa_id id)
{
    return isa_table[id].flow == FLOW_BRANCH;
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
        if (profile) {
            peer->executions->profile = profile;
            peer->executions->entries =
                checked_memory(calloc(EXECUTED_COUNTERS / 2, sizeof *peer->executions->entries));
        }
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
    if (core->executions)
        free(core->executions->entries);
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
                           mode_name((enum mode)mode), (unsigned long long)sum, (unsigned long long)insns);
    }
    return true;
}

void executions_register_stats(const struct core *core, struct stats *stats)
{
    char name[64];
    for (unsigned mode = 0; core->executions && mode < MODE_COUNT; mode++)
        for (unsigned i = 0; i < MIX_KINDS; i++) {
            snprintf(name, sizeof name, "cpu%u.mode.%s.mix.%s", core->number, mode_name((enum mode)mode), mix_names[i]);
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
    struct executions loaded = {.blocks = NULL};
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
    saved_add(saved, &(struct saved_section){.name = name, .version = 1, .optional = true, .base = core, .ops = &ops});
}

/* The mode to which the core charges at present; during a change of mode, the old one. */
static enum mode charged_mode(const struct core *core)
{
    return (enum mode)(core->bucket - core->mode_buckets);
}

/* Blocks */

void executed_block_init(struct executed_block *block, const struct isa_decoder *decoder, vaddr pc, bool is_user,
                         const uint32_t *words, unsigned insns, bool ends_in_branch)
{
    uint8_t counts[MIX_KINDS] = {0};
    enum isa_id id;
    enum mix_kind kind = MIX_NOP;
    for (unsigned i = 0; i < insns; i++) {
        kind = kind_of_word(decoder, words[i], &id);
        counts[kind]++;
    }
    *block = (struct executed_block){.pc = pc, .is_user = is_user, .insns = (uint8_t)insns, .slot = (uint8_t)kind};
    for (unsigned i = 0; i < MIX_KINDS; i++)
        if (counts[i] > 0) {
            block->mix[block->kinds].kind = (uint8_t)i;
            block->mix[block->kinds++].count = counts[i];
        }
    if (!ends_in_branch)
        return;
    const struct isa_control control = control_of(decoder, words[insns - 2], pc + (insns - 2) * 4);
    if (control.flow == FLOW_BRANCH)
        block->end = control.likely ? BLOCK_LIKELY : BLOCK_BRANCH;
    else if (control.links)
        block->end = control.direct ? BLOCK_CALL : BLOCK_INDIRECT_CALL;
    if (block->end != BLOCK_OTHER)
        block->target = control.target;
}

/* The address of the branch or jump at the end of BLOCK is so many bytes behind its start. */
static unsigned branch_offset(const struct executed_block *block)
{
    return (block->insns - 2u) * 4;
}

/* The key of ADDRESS, which is executed in MODE. */
static uint64_t key_at(const struct core *core, vaddr address, enum mode mode)
{
    return execution_profile_key(core->executions->profile, core, address, mode == MODE_USER);
}

/* The process that runs executes ADDRESS, which has KEY, in MODE: note its page, if pages are recorded. */
static void see_page(struct core *core, uint64_t key, vaddr address, enum mode mode)
{
    struct execution_pages *pages = execution_profile_pages(core->executions->profile);
    if (pages && mode == MODE_USER)
        execution_pages_see(pages, core, key, address);
}

void executions_new_block(struct core *core, struct executed_block *blocks, uint32_t number)
{
    uint64_t *counters = core_counters(core);
    core->executions->blocks = blocks;
    counters[2 * number] = counters[2 * number + 1] = EXECUTED_UNUSED;
    core_call_targets(core)[number] = CORE_NO_PC;
    if (core->executions->entries)
        core->executions->entries[number].valid = false;
}

/* Find block NUMBER, which runs in MODE, in the profile. It is named by the process that runs at present. */
static void find_block(struct core *core, uint32_t number, enum mode mode)
{
    const struct executed_block *block = &core->executions->blocks[number];
    struct execution_profile *profile = core->executions->profile;
    struct executed_entry *entry = &core->executions->entries[number];
    const uint8_t asid = core_asid(core);
    if (entry->valid && entry->mode == mode && (!block->is_user || entry->asid == asid))
        return;
    const uint64_t key = key_at(core, block->pc, mode);
    see_page(core, key, block->pc, mode);
    *entry = (struct executed_entry){.key = key, .valid = true, .asid = asid, .mode = (uint8_t)mode};
    entry->number = (uint32_t)execution_profile_block(profile, key, mode, block->insns);
    if (block->end == BLOCK_INDIRECT_CALL)
        core_call_targets(core)[number] = CORE_NO_PC;
    else if (block->end != BLOCK_OTHER)
        entry->edge = (uint32_t)execution_profile_edge(profile, key + branch_offset(block),
                                                       key_at(core, block->target, mode), block->end == BLOCK_CALL);
}

/* COUNT transfers in MODE from the instruction at key FROM to TARGET, if there is a profile. */
static void add_edge(const struct core *core, enum mode mode, uint64_t from, vaddr target, bool is_call, int64_t count)
{
    struct execution_profile *profile = core->executions->profile;
    execution_profile_add_edge(profile, execution_profile_edge(profile, from, key_at(core, target, mode), is_call),
                               count);
}

/* COUNT executions of the INSNS instructions from key KEY on. */
static void add_range(const struct core *core, enum mode mode, uint64_t key, unsigned insns, int64_t count)
{
    struct execution_profile *profile = core->executions->profile;
    execution_profile_add_block(profile, execution_profile_block(profile, key, mode, insns), count);
}

static void move(uint64_t *mix, enum mix_kind from, enum mix_kind to, uint64_t count)
{
    mix[from] -= count;
    mix[to] += count;
}

/* Block NUMBER executed COUNT times in MODE. A branch likely is first taken to be taken. */
static void add_executions(struct core *core, uint32_t number, enum mode mode, uint64_t count)
{
    const struct executed_block *block = &core->executions->blocks[number];
    struct execution_profile *profile = core->executions->profile;
    uint64_t *mix = core->executions->mix[mode];
    for (unsigned i = 0; i < block->kinds; i++)
        mix[block->mix[i].kind] += count * block->mix[i].count;
    if (block->end == BLOCK_LIKELY)
        move(mix, MIX_NOT_TAKEN, MIX_TAKEN, count);
    if (!profile)
        return;
    const struct executed_entry *entry = &core->executions->entries[number];
    execution_profile_add_block(profile, entry->number, (int64_t)count);
    if (block->end == BLOCK_LIKELY || block->end == BLOCK_CALL)
        execution_profile_add_edge(profile, entry->edge, (int64_t)count);
}

/* Its second counter is COUNT. */
static void add_side(struct core *core, uint32_t number, enum mode mode, uint64_t count)
{
    const struct executed_block *block = &core->executions->blocks[number];
    struct execution_profile *profile = core->executions->profile;
    uint64_t *mix = core->executions->mix[mode];
    const bool annuls = block->end == BLOCK_LIKELY;
    if (block->end == BLOCK_BRANCH)
        move(mix, MIX_NOT_TAKEN, MIX_TAKEN, count);
    if (annuls) {
        move(mix, MIX_TAKEN, MIX_NOT_TAKEN, count);
        mix[block->slot] -= count;
    }
    if (!profile)
        return;
    const struct executed_entry *entry = &core->executions->entries[number];
    execution_profile_add_edge(profile, entry->edge, annuls ? -(int64_t)count : (int64_t)count);
    if (annuls)
        add_range(core, mode, entry->key + branch_offset(block) + 4, 1, -(int64_t)count);
}

/* The mode that a block, of user mode if IS_USER, has run in: its last instruction may have changed the mode. */
static enum mode mode_of_block(const struct core *core, bool is_user)
{
    if (is_user)
        return MODE_USER;
    return charged_mode(core) == MODE_IDLE ? MODE_IDLE : MODE_KERNEL;
}

static void flush_counters(struct core *core)
{
    struct executions *executions = core->executions;
    uint64_t *counters = core_counters(core);
    const uint32_t *listed = core_listed(core);
    for (uint32_t i = 0; i < core->listed_count; i++) {
        const uint32_t number = listed[i];
        const struct executed_block *block = &executions->blocks[number / 2];
        const uint64_t count = counters[number] + 1;
        const enum mode in = mode_of_block(core, block->is_user);
        counters[number] = EXECUTED_UNUSED;
        if (number % 2 == 0)
            add_executions(core, number / 2, in, count);
        else
            add_side(core, number / 2, in, count);
    }
    core->listed_count = 0;
}

/* The word of code at ADDRESS; a nop if it is not mapped any more. */
static uint32_t word_at(struct core *core, vaddr address)
{
    uint32_t word = 0;
    core_debug_read(core, address, &word, sizeof word);
    return word;
}

static enum mix_kind kind_at(struct core *core, vaddr address)
{
    enum isa_id id;
    return kind_of_word(core->decoder, word_at(core, address), &id);
}

/* Add COUNT to the mix and the profile, and remove it. */
static void charge_range(struct core *core, struct execution_range_count *count)
{
    const struct execution_range *range = &count->range;
    uint64_t *mix = core->executions->mix[range->mode];
    for (unsigned i = 0; count->insns != 0 && i < MIX_KINDS; i++)
        mix[i] += (uint64_t)count->insns * count->mix[i];
    if (count->blocks != 0 && core->executions->profile)
        add_range(core, (enum mode)range->mode, range->key, range->insns, count->blocks);
    *count = (struct execution_range_count){.blocks = 0};
}

/* Count RANGE: BLOCKS executions for the profile, INSNS for the mix. */
static void count_range(struct core *core, struct execution_range range, int blocks, int insns)
{
    if (range.insns == 0)
        return;
    struct execution_range_count *count =
        &core->executions->ranges[(range.pc / 4 ^ (uint32_t)range.insns << 3 ^ range.mode) % EXECUTION_RANGES];
    if (count->range.pc != range.pc || count->range.insns != range.insns || count->range.mode != range.mode) {
        charge_range(core, count);
        count->range = range;
    }
    for (unsigned i = 0; insns != 0 && !count->has_mix && i < range.insns; i++)
        count->mix[kind_at(core, range.pc + i * 4)]++;
    count->has_mix |= insns != 0;
    count->blocks += blocks;
    count->insns += insns;
}

/* The INSNS instructions from PC on, in MODE. */
static struct execution_range range_at(struct core *core, vaddr pc, unsigned insns, enum mode mode)
{
    struct execution_range range = {.pc = pc, .insns = (uint16_t)insns, .mode = (uint8_t)mode};
    if (core->executions->profile) {
        range.key = key_at(core, pc, mode);
        see_page(core, range.key, pc, mode);
    }
    return range;
}

static void end_sequence(struct core *core)
{
    count_range(core, core->executions->sequence, 1, 0);
    core->executions->sequence.insns = 0;
}

void executions_flush(struct core *core)
{
    struct executions *executions = core->executions;
    end_sequence(core);
    count_range(core, executions->ahead, 1, 1);
    executions->ahead.insns = 0;
    if (executions->left > 0 && !executions->in_uncounted_block) {
        executions->ahead =
            range_at(core, core->s.pc + 4, executions->left, mode_of_block(core, executions->left_is_user));
        count_range(core, executions->ahead, -1, -1);
    }
    flush_counters(core);
    for (unsigned i = 0; i < EXECUTION_RANGES; i++)
        if (executions->ranges[i].range.insns > 0)
            charge_range(core, &executions->ranges[i]);
}

void executions_drop_blocks(struct core *core)
{
    executions_flush(core);
    core->executions->blocks = NULL;
}

void executions_block_left(struct core *core, vaddr pc, unsigned insns, bool is_user, bool in_slot)
{
    if (core->executions->in_uncounted_block)
        return;
    const enum mode mode = mode_of_block(core, is_user);
    const struct execution_range range = range_at(core, pc, insns, mode);
    count_range(core, range, -1, -1);
    if (!core->executions->profile || (insns == 0 && !in_slot))
        return;
    const vaddr branch = pc + insns * 4 - 8;
    const struct isa_control control = control_of(core->decoder, word_at(core, branch), branch);
    if (control.flow == FLOW_JUMP && control.links)
        add_edge(core, mode, key_at(core, branch, mode), control.target, true, -1);
}

/* Instructions alone */

void executions_insn(struct core *core, vaddr pc, enum isa_id id, const struct insn *insn)
{
    struct executions *executions = core->executions;
    struct execution_range *sequence = &executions->sequence;
    const enum mode mode = charged_mode(core);
    executions->mix[mode][mix_kind_of(id, insn)]++;
    if (!executions->profile)
        return;
    if (sequence->insns == 0 || pc != sequence->pc + sequence->insns * 4 || pc % PAGE_SIZE == 0 ||
        sequence->mode != mode) {
        end_sequence(core);
        *sequence = range_at(core, pc, 0, mode);
    }
    sequence->insns++;
}

void executions_unfetched(struct core *core, vaddr pc)
{
    const struct execution_range range = range_at(core, pc, 1, charged_mode(core));
    end_sequence(core);
    core->executions->mix[range.mode][MIX_UNFETCHED]++;
    count_range(core, range, 1, 0);
}

static void count_taken(struct core *core, vaddr branch, vaddr target)
{
    const enum mode mode = charged_mode(core);
    move(core->executions->mix[mode], MIX_NOT_TAKEN, MIX_TAKEN, 1);
    if (core->executions->profile)
        add_edge(core, mode, key_at(core, branch, mode), target, false, 1);
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
        add_edge(core, charged_mode(core), key_at(core, pc - 4, charged_mode(core)), core->s.pc, true, 1);
}

void executions_list(struct core *core, uint32_t number)
{
    core_listed(core)[core->listed_count++] = number;
    find_block(core, number / 2, charged_mode(core));
}

void executions_indirect_call(struct core *core, uint32_t number, vaddr target)
{
    uint64_t *counter = &core_counters(core)[2 * number + 1];
    if (*counter != EXECUTED_UNUSED)
        add_side(core, number, charged_mode(core), *counter + 1);
    else
        executions_list(core, 2 * number + 1);
    const struct executed_block *block = &core->executions->blocks[number];
    struct executed_entry *entry = &core->executions->entries[number];
    entry->edge = (uint32_t)execution_profile_edge(core->executions->profile, entry->key + branch_offset(block),
                                                   key_at(core, target, charged_mode(core)), true);
    core_call_targets(core)[number] = target;
    *counter = 0;
}
