/*
 * Executed code as basic blocks, with the frequencies of the paths between them and the entry points of the code.
 *
 * A block begins at the target of an executed branch, jump or call, behind one, at the beginning of a routine, and
 * where an instruction executed more often than the one before it. A branch and its delay slot are never in two blocks.
 * Code that did not execute is in no block.
 *
 * Not known to the profile: where a jump through a register goes (returns, switch tables, the ends of exception
 * handlers). Within a routine, such a jump is taken to go to the blocks whose executions nothing else explains.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_BLOCKS_H
#define SIMOS_CPU_OBSERVE_CODE_BLOCKS_H

#include "cpu/observe/profiled_code.h"

struct code_block {
    size_t first, words;
    size_t last;         /* index of the branch, jump or call at its end, without its delay slot, or of its last word */
    int64_t count;       /* executions */
    int64_t last_count;  /* of the word `last` */
    int64_t taken;       /* PROFILED_BRANCH: to the target */
    int64_t called;      /* executions by calls through a register */
    int64_t unexplained; /* executions that no path from a block of the code explains, 0 or more */
    size_t routine;
    enum profiled_end end;
    bool likely, links, is_return;
    ptrdiff_t target; /* blocks; PROFILED_NONE: not in the code, not executed, or in the middle of a block */
    ptrdiff_t behind; /* the executed block behind it in memory, to which control may come from its end */
};

enum {
    CODE_PAIRED = 1,  /* the word and the one behind it are a branch and its delay slot */
    CODE_ROUTINE = 2, /* a routine begins */
    CODE_LEADER = 4,  /* a block begins, if the word executed */
};

struct code_blocks {
    const struct profiled_code *code;
    struct code_block *block; /* [count], by ascending index */
    size_t count;
    double executions;    /* of all blocks */
    ptrdiff_t *of;        /* [words of the code]: the block of each word, or PROFILED_NONE */
    uint8_t *flags;       /* [words]: CODE_PAIRED ... */
    int64_t *invocations; /* [routines]: entries from other routines, or from outside the code */
};

void code_blocks_find(struct code_blocks *blocks, const struct profiled_code *code);
void code_blocks_release(struct code_blocks *blocks);

/* Paths out of a block: into the called routine, to the target, to what is behind. */
struct code_path {
    size_t to;    /* block */
    double share; /* of the block's executions */
};
struct code_paths {
    struct code_path *path; /* [count]; freed by code_paths_release() */
    size_t count, room;
};
/* Make PATHS, zero initially, the paths out of block NUMBER that were taken. Those to called routines, or to where a
 * branch or jump goes, come before the one to what is behind. */
void code_blocks_paths(const struct code_blocks *blocks, size_t number, struct code_paths *paths);
void code_paths_release(struct code_paths *paths);

/* The block that begins with the word INDEX, or PROFILED_NONE. */
ptrdiff_t code_blocks_at(const struct code_blocks *blocks, ptrdiff_t index);

#endif
