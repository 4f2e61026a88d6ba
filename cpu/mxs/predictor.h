/*
 * Where fetch goes: a table of two-bit counters for conditional branches, a stack of return addresses, a table of the
 * last targets of other indirect jumps. Indexed by the address, without tags. They learn as instructions execute, those
 * on a wrong path too.
 */
#ifndef SIMOS_CPU_MXS_PREDICTOR_H
#define SIMOS_CPU_MXS_PREDICTOR_H

#include "src/params.h"
#include "src/types.h"

/* What is needed to undo a prediction: the return stack before it. */
struct mxs_prediction {
    uint32_t top;  /* of the return stack */
    vaddr address; /* in the place that a call overwrites */
};

struct mxs_predictor;

struct mxs_predictor *mxs_predictor_create(const struct params *params);
void mxs_predictor_free(struct mxs_predictor *predictor);

/* Is the conditional branch at PC taken? */
bool mxs_predict_taken(const struct mxs_predictor *predictor, vaddr pc);
void mxs_predictor_learn(struct mxs_predictor *predictor, vaddr pc, bool taken);

/* Where the jump at PC goes; RETURNS: from a function. False if nothing is known. */
bool mxs_predict_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr *target);
void mxs_predictor_learn_target(struct mxs_predictor *predictor, vaddr pc, bool returns, vaddr target);

/* The return stack: a call will return to ADDRESS. */
void mxs_predictor_call(struct mxs_predictor *predictor, vaddr address);
struct mxs_prediction mxs_predictor_mark(const struct mxs_predictor *predictor);
void mxs_predictor_undo(struct mxs_predictor *predictor, const struct mxs_prediction *prediction);

#endif
