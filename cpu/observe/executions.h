/*
 * Execution counts: the instruction mix of a core by mode, and, if a profile is attached, how often each basic block
 * executed and each branch and call was taken. Off unless core->executions is set; then every model counts every
 * instruction that it counts in s.insns. The guest's time does not change.
 *
 * Translated code increments a counter for each block that it enters and each branch that it takes; a counter that is
 * in use is on a list. executions_flush() adds the counters to the mix and the profile. A user block has run in user
 * mode, a kernel block in the present mode, so the counters are flushed when the kernel enters or leaves its idle loop,
 * when a profile needs the address space that is about to change, and before the mix is read.
 */
#ifndef SIMOS_CPU_OBSERVE_EXECUTIONS_H
#define SIMOS_CPU_OBSERVE_EXECUTIONS_H

#include "cpu/core.h"
#include "cpu/isa/isa.h"

enum mix_kind {
#define KIND(id, name, text) MIX_##id,
#include "cpu/observe/mix.def"
#undef KIND
    MIX_KINDS
};
extern const char *const mix_names[MIX_KINDS];
extern const char *const mix_texts[MIX_KINDS];

/* The kind of an instruction; a conditional branch: NOT_TAKEN. */
enum mix_kind mix_kind_of(enum isa_id id, const struct insn *insn);

/* How a basic block ends. */
enum block_end {
    BLOCK_OTHER,
    BLOCK_BRANCH, /* a conditional branch to `target`; the second counter: taken */
    BLOCK_LIKELY, /* a branch likely to `target`; the second counter: not taken, and its delay slot annulled */
    BLOCK_CALL,   /* jal to `target` */
    /* jalr; the second counter: calls of the address in core_call_targets(), if there is a profile */
    BLOCK_INDIRECT_CALL,
};

/* A basic block of translated code. Block N has the counters 2 N (its executions) and 2 N + 1 of each core. The code
 * adds 1 to a counter, and puts its number on the list if the result is 0. */
struct executed_block {
    vaddr pc, target;
    bool is_user;
    uint8_t insns; /* including the delay slot */
    uint8_t end;   /* enum block_end */
    uint8_t slot;  /* enum mix_kind of the delay slot */
    uint8_t kinds;
    struct {
        uint8_t kind, count;
    } mix[MIX_KINDS]; /* the first `kinds`: the instructions of the block */
};
#define EXECUTED_UNUSED UINT64_MAX /* value of a counter that is not on the list */

struct execution_profile;

/* Consecutive instructions that executed in a mode. */
struct execution_range {
    uint64_t key; /* of the first in the profile, if there is one: found when it executes, by the process that runs */
    vaddr pc;
    uint16_t insns; /* 0: no range */
    uint8_t mode;   /* enum mode */
};

/* Ranges counted since the last flush, in a direct-mapped table. */
enum { EXECUTION_RANGES = 256 };
struct execution_range_count {
    struct execution_range range;
    int64_t blocks; /* for the profile */
    int64_t insns;  /* for the mix: executions of each instruction */
    bool has_mix;
    uint8_t mix[MIX_KINDS]; /* has_mix: number of instructions of each kind, when it was first needed */
};

/* A block in the profile, as a core last executed it: in address space `asid` and mode `mode`. */
struct executed_entry {
    uint64_t key;    /* of its first instruction */
    uint32_t number; /* of the block */
    uint32_t edge;   /* BLOCK_INDIRECT_CALL: of the edge to the core's core_call_targets(); otherwise to its `target` */
    bool valid;
    uint8_t asid, mode;
};

struct executions {
    struct executed_block *blocks; /* of the translator that the cores share; NULL: none */
    uint64_t mix[MODE_COUNT][MIX_KINDS];
    uint64_t
        uncounted[MODE_COUNT]; /* instructions of each mode before counting began; the rest is the sum of its mix */
    bool in_uncounted_block;   /* counting began in the middle of the block being executed, which was not counted */
    unsigned left;     /* at the last sync: instructions of the block being executed that follow the one at s.pc */
    bool left_is_user; /* that block runs in user mode */
    struct execution_range ahead;    /* of a block whose counters were flushed, and that have not executed yet */
    struct execution_range sequence; /* counted one by one */
    struct execution_range_count ranges[EXECUTION_RANGES];
    struct execution_profile *profile; /* NULL: none */
    struct executed_entry *entries;    /* [EXECUTED_COUNTERS / 2], by block; NULL without a profile */
};

/* Count executions on all cores of CORE's machine from now on, with PROFILE unless NULL. The models discard their code.
 * Between runs, or at a serialising instruction. */
void executions_start(struct core *core, struct execution_profile *profile);
/* Free CORE's counts. */
void executions_free(struct core *core);
/* Does the mix add up to the instructions of each mode? False with ERR set: a bug in the simulator. */
bool executions_check(const struct core *core, struct err *err);
/* Register the statistics "cpuN.mode.M.mix.K". */
void executions_register_stats(const struct core *core, struct stats *stats);
/* Register the checkpoint section "cpuN.mix": the mix, if it is counted. A machine that counts and loads a checkpoint
 * without it, or without the statistics, counts from there on. */
void executions_register_saved(struct core *core, struct saved *saved);

/* Fill in BLOCK for the INSNS instructions from PC on; WORDS[0] is the one at PC. ENDS_IN_BRANCH: the last one is in
 * the delay slot of the one before. */
void executed_block_init(struct executed_block *block, const struct isa_decoder *decoder, vaddr pc, bool is_user,
                         const uint32_t *words, unsigned insns, bool ends_in_branch);

/* Block NUMBER is new: CORE has not executed it. */
void executions_new_block(struct core *core, struct executed_block *blocks, uint32_t number);

/* Add what translated code counted to the mix and the profile; core->s is in sync. */
void executions_flush(struct core *core);
/* The translator's blocks are about to be freed: add what they counted. Between runs. */
void executions_drop_blocks(struct core *core);
/* At a sync: LEFT instructions of the block being executed follow the one at s.pc. IS_USER: it is code of user mode. */
static inline void executions_in_block(struct core *core, unsigned left, bool is_user)
{
    core->executions->left = left;
    core->executions->left_is_user = is_user;
}

/* The block being executed ends early: the INSNS instructions from PC on, its last, do not execute. IS_USER: it is code
 * of user mode, whatever the mode is now that it has ended. IN_SLOT: the one before PC, which raised an exception, is
 * the last of the block, in a delay slot. */
void executions_block_left(struct core *core, vaddr pc, unsigned insns, bool is_user, bool in_slot);

/* An instruction is executed alone: count it. UNFETCHED: its fetch raised an exception. */
void executions_insn(struct core *core, vaddr pc, enum isa_id id, const struct insn *insn);
void executions_unfetched(struct core *core, vaddr pc);
/* It has executed, without an exception, and s.pc and s.in_delay_slot are what follows; IN_SLOT: it was in a delay
 * slot. Count a transfer of control. */
void executions_transfer(struct core *core, vaddr pc, enum isa_id id, bool in_slot);
/* Translated code has set counter NUMBER to 0, and there is a profile: put the counter on the list. */
void executions_list(struct core *core, uint32_t number);
/* Translated code calls TARGET by the jalr of block NUMBER, which last called another target, or none. */
void executions_indirect_call(struct core *core, uint32_t number, vaddr target);

#endif
