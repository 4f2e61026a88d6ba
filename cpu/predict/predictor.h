/*
 * Predictors of conditional branches. A predictor is one file, whose struct predictor_type is its interface, and one
 * row of predictors.def. It knows addresses and outcomes, and neither instructions nor the processor.
 *
 * The processor predicts a branch when it fetches it, and trains the predictor when the branch has executed: possibly
 * many branches later, in another order, and also for branches on a wrong path. So a predictor that looks at the
 * outcomes of earlier branches extends its history at the prediction, speculatively. `history` stands for all of it:
 * the processor keeps its value from before each prediction, with which it trains the predictor later, and to which it
 * returns when the branch is squashed or was mispredicted.
 *
 * Not modelled: the time that a prediction takes; predictions of several branches in a cycle are independent of its
 * width.
 */
#ifndef SIMOS_CPU_PREDICT_PREDICTOR_H
#define SIMOS_CPU_PREDICT_PREDICTOR_H

#include "src/base/params.h"
#include "src/base/saved.h"
#include "src/base/types.h"

struct predictor_type;

/* Begins the state of every predictor. */
struct predictor {
    const struct predictor_type *type;
    /* Outcomes of the branches predicted so far: a shift register, whose bit 0 is the youngest (1: taken), or the
     * number of a record that the predictor keeps. 0 at first; stays 0 without extend(). */
    uint64_t history;
};

enum {
    PREDICTOR_ARRAYS_MAX = 4,
    /* A processor may return to any history that is at most so many branches old: the branches in its window. */
    PREDICTOR_IN_FLIGHT_MAX = 512,
};

struct predictor_type {
    const struct param_def *params; /* of this predictor alone; may be NULL */
    size_t param_count;
    /* Allocate the state, untrained. Never NULL. Its parameters have been checked against their ranges. */
    struct predictor *(*create)(const struct params *params);
    void (*free)(struct predictor *predictor);
    /* Is the branch at PC predicted taken after the present history? Changes nothing. */
    bool (*predict)(const struct predictor *predictor, vaddr pc);
    /* Optional: append the branch at PC, TAKEN or not, to the history. */
    void (*extend)(struct predictor *predictor, vaddr pc, bool taken);
    /* The branch at PC, predicted after HISTORY, has executed and was TAKEN or not: train the tables. HISTORY may be
     * any number, since it comes from a file after a restore. */
    void (*train)(struct predictor *predictor, vaddr pc, uint64_t history, bool taken);
    /* Optional. Fill ARRAYS, all 0, with what a checkpoint holds besides `history`: the same after each creation with
     * the same parameters. */
    void (*saved)(struct predictor *predictor, struct saved_array arrays[PREDICTOR_ARRAYS_MAX]);
};

/* Define mxs.branch_predictor, which names the predictor, and the parameters of each. */
void predictor_define_params(struct params *params);

/* Create the predictor that PARAMS name. Never NULL. */
struct predictor *predictor_create(const struct params *params);
void predictor_free(struct predictor *predictor); /* NULL is allowed */

/* An extend() for predictors whose history is a shift register of outcomes. */
static inline void predictor_shift(struct predictor *predictor, vaddr pc, bool taken)
{
    (void)pc;
    predictor->history = predictor->history << 1 | taken;
}

static inline void predictor_extend(struct predictor *predictor, vaddr pc, bool taken)
{
    if (predictor->type->extend != NULL)
        predictor->type->extend(predictor, pc, taken);
}

/* Predict the branch at PC, and extend the history by the prediction. */
static inline bool predictor_predict(struct predictor *predictor, vaddr pc)
{
    const bool taken = predictor->type->predict(predictor, pc);
    predictor_extend(predictor, pc, taken);
    return taken;
}

/* Return to HISTORY: the branches predicted since were squashed. */
static inline void predictor_recover(struct predictor *predictor, uint64_t history)
{
    predictor->history = history;
}

static inline void predictor_train(struct predictor *predictor, vaddr pc, uint64_t history, bool taken)
{
    predictor->type->train(predictor, pc, history, taken);
}

/* Checkpoints: as if the predictor had returned to HISTORY. It must be loaded into the same predictor with the same
 * parameters; false with ERR (default: "truncated") if the file does not fit. */
void predictor_save(struct predictor *predictor, uint64_t history, struct saved_out *out);
bool predictor_load(struct predictor *predictor, struct saved_in *in, struct err *err);

#endif
