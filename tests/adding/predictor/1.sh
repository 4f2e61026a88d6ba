# What the branch at an address did last, it does again.
create cpu/predict/toy.c <<'END'
#include "cpu/predict/predictor.h"

#include <stdlib.h>

struct toy {
    struct predictor head;
    uint32_t count;
    bool *taken;
};

static const struct param_def params[] = {{.name = "mxs.toy.branches",
                                           .type = PARAM_INT,
                                           .traits = TRAIT_TIMED,
                                           .unit = "entries",
                                           .initial = "64",
                                           .min = 1,
                                           .max = 256,
                                           .help = "toy: number of branches"}};

static struct predictor *create(const struct params *values)
{
    struct toy *toy = checked_memory(calloc(1, sizeof *toy));
    toy->count = (uint32_t)params_u64(values, "mxs.toy.branches");
    toy->taken = checked_memory(calloc(toy->count, sizeof *toy->taken));
    return &toy->head;
}

static void toy_free(struct predictor *p)
{
    struct toy *toy = (struct toy *)p;
    free(toy->taken);
    free(toy);
}

static bool predict(const struct predictor *p, vaddr pc)
{
    const struct toy *toy = (const struct toy *)p;
    return toy->taken[pc / 4 % toy->count];
}

static void train(struct predictor *p, vaddr pc, uint64_t history, bool taken)
{
    struct toy *toy = (struct toy *)p;
    (void)history;
    toy->taken[pc / 4 % toy->count] = taken;
}

const struct predictor_type toy_predictor = {
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .create = create,
    .free = toy_free,
    .predict = predict,
    .train = train,
};
END
