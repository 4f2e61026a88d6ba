/*
 * gshare (S. McFarling, "Combining Branch Predictors", WRL Technical Note 36, 1993): two-bit counters, indexed by the
 * address XOR the outcomes of the last branches.
 */
#include "cpu/predict/counter.h"
#include "cpu/predict/predictor.h"

#include <stdlib.h>

struct gshare {
    struct predictor head;
    uint32_t mask, history_mask;
    uint8_t *counter;
};

static const struct param_def params[] = {
    {.name = "mxs.gshare.counters",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "entries",
     .initial = "4096",
     .min = 1,
     .max = 1 << 20,
     .power_of_two = true,
     .help = "gshare: number of two-bit counters"},
    {.name = "mxs.gshare.history",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "12",
     .max = 20,
     .help = "gshare: number of outcomes in the history; more than an index has bits have no effect"},
};

static struct predictor *create(const struct params *values)
{
    struct gshare *g = checked_memory(calloc(1, sizeof *g));
    const uint32_t counters = (uint32_t)params_u64(values, "mxs.gshare.counters");
    g->mask = counters - 1;
    g->history_mask = (1u << params_u64(values, "mxs.gshare.history")) - 1;
    g->counter = counters_create(counters, COUNTER_TWO_BITS);
    return &g->head;
}

static void gshare_free(struct predictor *p)
{
    struct gshare *g = (struct gshare *)p;
    free(g->counter);
    free(g);
}

static uint8_t *counter_at(const struct predictor *p, vaddr pc, uint64_t history)
{
    const struct gshare *g = (const struct gshare *)p;
    return &g->counter[(pc >> 2 ^ ((uint32_t)history & g->history_mask)) & g->mask];
}

static bool predict(const struct predictor *p, vaddr pc)
{
    return counter_taken(*counter_at(p, pc, p->history), COUNTER_TWO_BITS);
}

static void train(struct predictor *p, vaddr pc, uint64_t history, bool taken)
{
    counter_train(counter_at(p, pc, history), COUNTER_TWO_BITS, taken);
}

static const struct saved_field counter_fields[] = {SAVED_NUMBER("counter", SAVED_U8, COUNTER_TWO_BITS)};

static void saved(struct predictor *p, struct saved_array *arrays)
{
    const struct gshare *g = (const struct gshare *)p;
    arrays[0] = (struct saved_array){SAVED_TABLE(counter_fields), .base = g->counter, .size = 1, .count = g->mask + 1};
}

const struct predictor_type gshare_predictor = {.params = params,
                                                .param_count = sizeof params / sizeof params[0],
                                                .create = create,
                                                .free = gshare_free,
                                                .predict = predict,
                                                .extend = predictor_shift,
                                                .train = train,
                                                .saved = saved};
