/*
 * Branch prediction: a table of two-bit counters for conditional branches, a return stack, and a table of the last
 * targets of other indirect jumps. The tables are indexed by address, without tags, and trained when instructions
 * execute, including those on a wrong path.
 */
#ifndef SIMOS_CPU_MXS_PREDICTOR_H
#define SIMOS_CPU_MXS_PREDICTOR_H

#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/types.h"

/* State of the return stack before a prediction, to undo it. */
struct mxs_stack_checkpoint {
    uint32_t top;  /* of the return stack */
    vaddr address; /* entry that a call overwrites */
};

struct mxs_predictor {
    uint32_t counter_mask, stack_size, target_mask;
    uint32_t top;          /* number of calls minus returns: the next entry is top % stack_size */
    uint8_t *counter;      /* two-bit saturating counters; 0, 1: not taken; 2, 3: taken */
    vaddr *stack, *target; /* target 1: unknown */
};

struct mxs_predictor *mxs_predictor_create(const struct params *params);
void mxs_predictor_free(struct mxs_predictor *predictor);

/* Is the conditional branch at PC predicted taken? */
static inline bool mxs_predict_taken(const struct mxs_predictor *p, vaddr pc)
{
    return p->counter[pc >> 2 & p->counter_mask] >= 2;
}
void mxs_predictor_learn(struct mxs_predictor *predictor, vaddr pc, bool taken);

/* Predict the *TARGET of the indirect jump at PC; RETURNS: it is a return. False: no prediction. */
bool mxs_predict_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr *target);
void mxs_predictor_learn_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr target);

/* Push the return ADDRESS of a call on the return stack. */
void mxs_predictor_call(struct mxs_predictor *predictor, vaddr address);
static inline struct mxs_stack_checkpoint mxs_predictor_checkpoint(const struct mxs_predictor *p)
{
    return (struct mxs_stack_checkpoint){.top = p->top,
                                         .address = p->stack_size > 0 ? p->stack[p->top % p->stack_size] : 0};
}
void mxs_predictor_undo(struct mxs_predictor *predictor, const struct mxs_stack_checkpoint *prediction);

/* For a checkpoint: saved as if UNDONE had been undone (NULL: as it is). It must be loaded with the same parameters. */
void mxs_predictor_save(const struct mxs_predictor *predictor, const struct mxs_stack_checkpoint *undone,
                        struct saved_out *out);
bool mxs_predictor_load(struct mxs_predictor *predictor, struct saved_in *in);

#endif
