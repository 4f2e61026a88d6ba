/*
 * Prediction of branches and jumps: a predictor of conditional branches (cpu/predict/predictor.h), a return stack, and
 * a table of the last targets of other indirect jumps, indexed by address, without tags. They are trained when
 * instructions execute, including those on a wrong path.
 */
#ifndef SIMOS_CPU_MXS_PREDICTOR_H
#define SIMOS_CPU_MXS_PREDICTOR_H

#include "cpu/predict/predictor.h"

/* State before a prediction, to undo it. */
struct mxs_prediction {
    uint64_t history; /* of the predictor of conditional branches */
    uint32_t top;     /* of the return stack */
    vaddr address;    /* its entry that a call overwrites */
};

struct mxs_predictor {
    struct predictor *branches;
    uint32_t stack_size; /* 0 or a power of two */
    uint32_t target_mask;
    uint32_t top;          /* number of calls minus returns; its low bits are the next entry */
    vaddr *stack, *target; /* target 1: unknown */
};

struct mxs_predictor *mxs_predictor_create(const struct params *params);
void mxs_predictor_free(struct mxs_predictor *predictor);

/* Predict the *TARGET of the indirect jump at PC; RETURNS: it is a return. False: no prediction. */
bool mxs_predict_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr *target);
void mxs_predictor_learn_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr target);

/* Push the return ADDRESS of a call on the return stack. */
void mxs_predictor_call(struct mxs_predictor *predictor, vaddr address);
static inline struct mxs_prediction mxs_predictor_state(const struct mxs_predictor *p)
{
    return (struct mxs_prediction){.history = p->branches->history,
                                   .top = p->top,
                                   .address = p->stack_size > 0 ? p->stack[p->top & (p->stack_size - 1)] : 0};
}
void mxs_predictor_undo(struct mxs_predictor *predictor, const struct mxs_prediction *prediction);

/* For a checkpoint: saved as if UNDONE had been undone (NULL: as it is). It must be loaded with the same parameters. */
void mxs_predictor_save(const struct mxs_predictor *predictor, const struct mxs_prediction *undone,
                        struct saved_out *out);
bool mxs_predictor_load(struct mxs_predictor *predictor, struct saved_in *in, struct err *err);

#endif
