/*
 * Where fetch goes: a table of two-bit counters for conditional branches, a stack of return addresses, a table of the
 * last targets of other indirect jumps. Indexed by the address, without tags. They learn as instructions execute, those
 * on a wrong path too.
 */
#ifndef SIMOS_CPU_MXS_PREDICTOR_H
#define SIMOS_CPU_MXS_PREDICTOR_H

#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/types.h"

/* What is needed to undo a prediction: the return stack before it. */
struct mxs_prediction {
    uint32_t top;  /* of the return stack */
    vaddr address; /* in the place that a call overwrites */
};

struct mxs_predictor {
    uint32_t counter_mask, stack_size, target_mask;
    uint32_t top;          /* number of calls less returns: the next place is top % stack_size */
    uint8_t *counter;      /* 0, 1: not taken; 2, 3: taken */
    vaddr *stack, *target; /* target 1: not known */
};

struct mxs_predictor *mxs_predictor_create(const struct params *params);
void mxs_predictor_free(struct mxs_predictor *predictor);

/* Is the conditional branch at PC taken? */
static inline bool mxs_predict_taken(const struct mxs_predictor *p, vaddr pc)
{
    return p->counter[pc >> 2 & p->counter_mask] >= 2;
}
void mxs_predictor_learn(struct mxs_predictor *predictor, vaddr pc, bool taken);

/* Where the jump at PC goes; RETURNS: from a function. False if nothing is known. */
bool mxs_predict_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr *target);
void mxs_predictor_learn_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr target);

/* The return stack: a call will return to ADDRESS. */
void mxs_predictor_call(struct mxs_predictor *predictor, vaddr address);
static inline struct mxs_prediction mxs_predictor_mark(const struct mxs_predictor *p)
{
    return (struct mxs_prediction){.top = p->top, .address = p->stack_size > 0 ? p->stack[p->top % p->stack_size] : 0};
}
void mxs_predictor_undo(struct mxs_predictor *predictor, const struct mxs_prediction *prediction);

/* For a checkpoint: as it would be if UNDONE were (NULL: as it is). The parameters are the same where it is loaded. */
void mxs_predictor_save(const struct mxs_predictor *predictor, const struct mxs_prediction *undone,
                        struct saved_out *out);
bool mxs_predictor_load(struct mxs_predictor *predictor, struct saved_in *in);

#endif
