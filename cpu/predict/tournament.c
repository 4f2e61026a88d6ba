/*
 * A tournament of two predictors, as in the Alpha 21264 (R. E. Kessler, "The Alpha 21264 Microprocessor", IEEE Micro,
 * March 1999), after the combining predictor of S. McFarling (WRL Technical Note 36, 1993). The local one has, for each
 * branch, its last outcomes, which select a three-bit counter. The global one has a two-bit counter for each sequence
 * of the last outcomes of all branches; the same sequence selects the two-bit counter that says whose prediction
 * counts. That counter is trained only where the two differ.
 *
 * The defaults are those of the 21264: 1024 histories of 10 outcomes, 1024 local counters, 12 global outcomes.
 * The global history is speculative. A local history gets an outcome when the branch has executed.
 */
#include "cpu/predict/counter.h"
#include "cpu/predict/predictor.h"

#include <stdlib.h>
#include <string.h>

struct tournament {
    struct predictor head;
    uint32_t branch_mask, local_mask, global_mask;
    uint16_t *outcomes; /* of each branch: bit 0 is the youngest */
    uint8_t *local;
    struct pair {
        uint8_t counter; /* the global prediction */
        uint8_t choice;  /* upper half: the global prediction counts */
    } * global;
};

static const struct param_def params[] = {
    {.name = "mxs.tournament.branches",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "entries",
     .initial = "1024",
     .min = 1,
     .max = 1 << 20,
     .power_of_two = true,
     .help = "tournament: number of local histories"},
    {.name = "mxs.tournament.local_history",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "10",
     .min = 1,
     .max = 16,
     .help = "tournament: number of outcomes in a local history; a counter for each combination of them"},
    {.name = "mxs.tournament.global_history",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "branches",
     .initial = "12",
     .min = 1,
     .max = 20,
     .help = "tournament: number of outcomes in the global history; two counters for each combination of them"},
};

static struct predictor *create(const struct params *values)
{
    struct tournament *t = checked_memory(calloc(1, sizeof *t));
    const uint32_t branches = (uint32_t)params_u64(values, "mxs.tournament.branches");
    const uint32_t locals = 1u << params_u64(values, "mxs.tournament.local_history");
    const uint32_t globals = 1u << params_u64(values, "mxs.tournament.global_history");
    t->branch_mask = branches - 1;
    t->local_mask = locals - 1;
    t->global_mask = globals - 1;
    t->outcomes = checked_memory(calloc(branches, sizeof *t->outcomes));
    t->local = counters_create(locals, COUNTER_THREE_BITS);
    t->global = checked_memory(malloc(globals * sizeof *t->global));
    memset(t->global, counter_weak(COUNTER_TWO_BITS, false), globals * sizeof *t->global);
    return &t->head;
}

static void tournament_free(struct predictor *p)
{
    struct tournament *t = (struct tournament *)p;
    free(t->outcomes);
    free(t->local);
    free(t->global);
    free(t);
}

static uint16_t *outcomes_of(const struct tournament *t, vaddr pc)
{
    return &t->outcomes[pc >> 2 & t->branch_mask];
}

static uint8_t *local_counter(const struct tournament *t, vaddr pc)
{
    return &t->local[*outcomes_of(t, pc) & t->local_mask];
}

static bool predict(const struct predictor *p, vaddr pc)
{
    const struct tournament *t = (const struct tournament *)p;
    const struct pair *global = &t->global[p->history & t->global_mask];
    return counter_taken(global->choice, COUNTER_TWO_BITS) ? counter_taken(global->counter, COUNTER_TWO_BITS)
                                                           : counter_taken(*local_counter(t, pc), COUNTER_THREE_BITS);
}

static void train(struct predictor *p, vaddr pc, uint64_t history, bool taken)
{
    const struct tournament *t = (const struct tournament *)p;
    struct pair *global = &t->global[history & t->global_mask];
    uint8_t *local = local_counter(t, pc);
    uint16_t *outcomes = outcomes_of(t, pc);
    const bool globally = counter_taken(global->counter, COUNTER_TWO_BITS);
    if (globally != counter_taken(*local, COUNTER_THREE_BITS))
        counter_train(&global->choice, COUNTER_TWO_BITS, globally == taken);
    counter_train(local, COUNTER_THREE_BITS, taken);
    counter_train(&global->counter, COUNTER_TWO_BITS, taken);
    *outcomes = (uint16_t)(*outcomes << 1 | taken);
}

static const struct saved_field outcome_fields[] = {SAVED_NUMBER("outcomes", SAVED_U16, 0)};
static const struct saved_field local_fields[] = {SAVED_NUMBER("local", SAVED_U8, COUNTER_THREE_BITS)};
static const struct saved_field global_fields[] = {
    SAVED_LIMITED(struct pair, counter, SAVED_U8, COUNTER_TWO_BITS),
    SAVED_LIMITED(struct pair, choice, SAVED_U8, COUNTER_TWO_BITS),
};

static void saved(struct predictor *p, struct saved_array *arrays)
{
    const struct tournament *t = (const struct tournament *)p;
    arrays[0] = (struct saved_array){SAVED_TABLE(outcome_fields), .base = t->outcomes, .size = sizeof *t->outcomes,
                                     .count = t->branch_mask + 1};
    arrays[1] =
        (struct saved_array){SAVED_TABLE(local_fields), .base = t->local, .size = 1, .count = t->local_mask + 1};
    arrays[2] = (struct saved_array){SAVED_TABLE(global_fields), .base = t->global, .size = sizeof *t->global,
                                     .count = t->global_mask + 1};
}

const struct predictor_type tournament_predictor = {.params = params,
                                                    .param_count = sizeof params / sizeof params[0],
                                                    .create = create,
                                                    .free = tournament_free,
                                                    .predict = predict,
                                                    .extend = predictor_shift,
                                                    .train = train,
                                                    .saved = saved};
