/* Two-bit counters, indexed by address (J. E. Smith, "A Study of Branch Prediction Strategies", ISCA 1981): the
 * predictor of SOSP'95 section 3.3. */
#include "cpu/predict/counter.h"
#include "cpu/predict/predictor.h"

#include <stdlib.h>

struct bimodal {
    struct predictor head;
    uint32_t mask;
    uint8_t *counter;
};

static const struct param_def params[] = {
    {.name = "mxs.predictor",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "entries",
     .initial = "1024",
     .min = 1,
     .max = 1 << 20,
     .power_of_two = true,
     .help = "bimodal: number of two-bit counters"},
};

static struct predictor *create(const struct params *values)
{
    struct bimodal *b = checked_memory(calloc(1, sizeof *b));
    const uint32_t counters = (uint32_t)params_u64(values, "mxs.predictor");
    b->mask = counters - 1;
    b->counter = counters_create(counters, COUNTER_TWO_BITS);
    return &b->head;
}

static void bimodal_free(struct predictor *p)
{
    struct bimodal *b = (struct bimodal *)p;
    free(b->counter);
    free(b);
}

static bool predict(const struct predictor *p, vaddr pc)
{
    const struct bimodal *b = (const struct bimodal *)p;
    return counter_taken(b->counter[pc >> 2 & b->mask], COUNTER_TWO_BITS);
}

static void train(struct predictor *p, vaddr pc, uint64_t history, bool taken)
{
    const struct bimodal *b = (const struct bimodal *)p;
    (void)history;
    counter_train(&b->counter[pc >> 2 & b->mask], COUNTER_TWO_BITS, taken);
}

static const struct saved_field counter_fields[] = {SAVED_NUMBER("counter", SAVED_U8, COUNTER_TWO_BITS)};

static void saved(struct predictor *p, struct saved_array *arrays)
{
    const struct bimodal *b = (const struct bimodal *)p;
    arrays[0] = (struct saved_array){SAVED_TABLE(counter_fields), .base = b->counter, .size = 1, .count = b->mask + 1};
}

const struct predictor_type bimodal_predictor = {.params = params,
                                                 .param_count = sizeof params / sizeof params[0],
                                                 .create = create,
                                                 .free = bimodal_free,
                                                 .predict = predict,
                                                 .train = train,
                                                 .saved = saved};
