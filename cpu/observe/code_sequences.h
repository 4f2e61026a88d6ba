/*
 * Instruction sequences of executed code, by the greedy algorithm of Xia and Torrellas 1999, section 4.1.
 *
 * Seeds are the entry points of the code: the beginnings of routines that are entered by nothing that the profile knows
 * (exceptions, interrupts, the first run of a thread) or called through a register. In each pass, with a pair of
 * thresholds, the algorithm starts from each seed, the most often entered first. From a basic block it goes into the
 * routine that the block calls, behind the call if that routine has been visited, otherwise along the most probable
 * path. A sequence ends where all that follows has been visited, executed less often than the pass demands, or is
 * followed with a lower probability. The next one begins at the next block, on the way from the seed through visited
 * blocks, that is acceptable. The last pass accepts everything; what no seed reaches follows, by executions.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_SEQUENCES_H
#define SIMOS_CPU_OBSERVE_CODE_SEQUENCES_H

#include "cpu/observe/code_blocks.h"
#include "src/base/log.h"

/* ExecThresh, as a share of all executions of basic blocks, and BranchThresh. */
struct code_thresholds {
    double executions, probability;
};
enum { CODE_PASSES_MAX = 32 };
struct code_passes {
    unsigned count;
    struct code_thresholds pass[CODE_PASSES_MAX];
};
/* Read PASSES from TEXT: pairs "EXECUTIONS:PROBABILITY", separated by blanks or commas; neither rises, and both are
 * from 0 to 1. A pass "0:0" is added if the last one is none. False with ERR. */
bool code_passes_read(struct code_passes *passes, const char *text, struct err *err);

struct code_sequences {
    size_t *block; /* [blocks]: all blocks, but those that were placed before, in order */
    size_t blocks;
    size_t *end; /* [count]: of each sequence, the index in `block` behind its last block */
    size_t count;
    size_t of_pass[CODE_PASSES_MAX]; /* sequences of each pass; the last one has those without a seed too */
    size_t seeds;
};

/* Make the sequences of BLOCKS, without those blocks for which PLACED ([blocks->count]) is set. */
void code_sequences_make(struct code_sequences *sequences, const struct code_blocks *blocks, const bool *placed,
                         const struct code_passes *passes);
void code_sequences_release(struct code_sequences *sequences);

#endif
