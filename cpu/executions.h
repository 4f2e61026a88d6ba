/*
 * Execution counts: the instruction mix of a core by mode, and, if a profile is attached, how often each basic block
 * executed and each branch and call was taken. Off unless core->executions is set; then every model counts every
 * instruction, at the same moment at which it counts in s.insns. The guest's time does not change.
 *
 * Translated code increments a counter for each block that it enters (struct executed_block), and executions_flush()
 * charges what was counted since the last flush to the core's present mode. The models call it when they bring s.insns
 * up to date, so that it is called before each change of mode.
 */
#ifndef SIMOS_CPU_EXECUTIONS_H
#define SIMOS_CPU_EXECUTIONS_H

#include "cpu/core.h"
#include "cpu/isa.h"

enum mix_kind {
#define KIND(id, name, text) MIX_##id,
#include "cpu/mix.def"
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
    BLOCK_BRANCH, /* a conditional branch to `target`; `side` counts how often it was taken */
    BLOCK_LIKELY, /* a branch likely to `target`; `side` counts how often it was not taken, and its slot annulled */
    BLOCK_CALL,   /* jal to `target` */
};

/* A basic block of translated code. The code increments `count` or `side`, and puts the block on the list if the result
 * is 0. */
struct executed_block {
    uint64_t count;              /* executions since the last flush, minus 1 */
    uint64_t side;               /* likewise; see enum block_end */
    struct executed_block *next; /* on the list; NULL: the last one */
    bool listed;
    bool has_key;
    uint8_t asid; /* has_key: `key` is the block's in the profile, in this address space */
    uint64_t key;
    vaddr pc, target;
    uint8_t insns; /* including the delay slot */
    uint8_t end;   /* enum block_end */
    uint8_t slot;  /* enum mix_kind of the delay slot */
    uint8_t kinds;
    struct {
        uint8_t kind, count;
    } mix[MIX_KINDS]; /* the first `kinds`: the instructions of the block */
};
#define EXECUTED_NEVER UINT64_MAX

struct execution_profile;

struct executions {
    struct executed_block *list; /* blocks executed since the last flush */
    bool in_uncounted_block;     /* counting began in the middle of the block being executed, which was not counted */
    uint64_t mix[MODE_COUNT][MIX_KINDS];
    uint64_t uncounted[MODE_COUNT]; /* instructions of each mode before counting began; the rest is the sum of its mix */
    /* Instructions charged to a block that was flushed in the middle of its execution, and not executed yet. */
    struct {
        vaddr pc;
        unsigned insns;
    } ahead;
    /* Instructions counted one by one that follow one another. */
    struct {
        vaddr pc;
        unsigned insns;
    } sequence;
    struct execution_profile *profile; /* NULL: none */
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

/* Fill in BLOCK for the INSNS instructions from PC on; WORDS[0] is the one at PC. ENDS_IN_BRANCH: the last one is in the
 * delay slot of the one before. */
void executed_block_init(struct executed_block *block, const struct isa_decoder *decoder, vaddr pc,
                         const uint32_t *words, unsigned insns, bool ends_in_branch);
/* Put BLOCK, in which a count has become 0, on the list. */
void executions_list(struct executions *executions, struct executed_block *block);

/* Charge everything counted so far to the present mode. LEFT: number of instructions of the block being executed that
 * follow the one at s.pc; 0 between blocks. */
void executions_flush(struct core *core, unsigned left);
/* The block being executed ends early: the INSNS instructions from PC on, its last, do not execute. IN_SLOT: the one
 * before PC, which raised an exception, is the last of the block, in a delay slot. */
void executions_block_left(struct core *core, vaddr pc, unsigned insns, bool in_slot);

/* An instruction is executed alone: count it. UNFETCHED: its fetch raised an exception. */
void executions_insn(struct core *core, vaddr pc, enum isa_id id, const struct insn *insn);
void executions_unfetched(struct core *core, vaddr pc);
/* It has executed, without an exception, and s.pc and s.in_delay_slot are what follows; IN_SLOT: it was in a delay
 * slot. Count a transfer of control. */
void executions_transfer(struct core *core, vaddr pc, enum isa_id id, bool in_slot);
/* Translated code calls TARGET by the jalr at PC. */
void executions_indirect_call(struct core *core, vaddr pc, vaddr target);

#endif
