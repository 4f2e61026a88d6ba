#include "cpu/predict/predictor.h"

#include <string.h>

#define PREDICTOR(name, brief) extern const struct predictor_type name##_predictor;
#include "cpu/predict/predictors.def"
#undef PREDICTOR

static const struct {
    const char *name;
    const struct predictor_type *type;
} rows[] = {
#define PREDICTOR(name, brief) {#name, &name##_predictor},
#include "cpu/predict/predictors.def"
#undef PREDICTOR
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* "|bimodal|gshare..." */
static const char names[] =
#define PREDICTOR(name, brief) "|" #name
#include "cpu/predict/predictors.def"
#undef PREDICTOR
    ;

static const struct param_def selection = {.name = "mxs.branch_predictor",
                                           .type = PARAM_CHOICE,
                                           .traits = TRAIT_TIMED,
                                           .unit = "",
                                           .initial = "bimodal",
                                           .choices = names + 1,
                                           .help = "predictor of conditional branches"
#define PREDICTOR(name, brief) "; " #name ": " brief
#include "cpu/predict/predictors.def"
#undef PREDICTOR
};

void predictor_define_params(struct params *params)
{
    params_define(params, &selection, 1);
    for (unsigned i = 0; i < ROWS; i++)
        params_define(params, rows[i].type->params, rows[i].type->param_count);
}

struct predictor *predictor_create(const struct params *params)
{
    const char *name = params_string(params, selection.name);
    unsigned row = 0;
    while (strcmp(rows[row].name, name) != 0)
        if (++row == ROWS)
            log_bug("no branch predictor is called %s", name);
    struct predictor *predictor = rows[row].type->create(params);
    predictor->type = rows[row].type;
    return predictor;
}

void predictor_free(struct predictor *predictor)
{
    if (predictor != NULL)
        predictor->type->free(predictor);
}

/* Fill ARRAYS; returns their number. */
static unsigned arrays_of(struct predictor *predictor, struct saved_array arrays[PREDICTOR_ARRAYS_MAX])
{
    unsigned count = 0;
    memset(arrays, 0, PREDICTOR_ARRAYS_MAX * sizeof *arrays);
    if (predictor->type->saved != NULL)
        predictor->type->saved(predictor, arrays);
    while (count < PREDICTOR_ARRAYS_MAX && arrays[count].fields != NULL)
        count++;
    return count;
}

static const struct saved_field fields[] = {SAVED_FIELD(struct predictor, history, SAVED_U64)};

void predictor_save(struct predictor *predictor, uint64_t history, struct saved_out *out)
{
    struct saved_array arrays[PREDICTOR_ARRAYS_MAX];
    struct predictor head = {.history = history};
    saved_put_array(out, &(struct saved_array){SAVED_TABLE(fields), .base = &head, .count = 1});
    for (unsigned i = 0, count = arrays_of(predictor, arrays); i < count; i++)
        saved_put_array(out, &arrays[i]);
}

bool predictor_load(struct predictor *predictor, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[PREDICTOR_ARRAYS_MAX];
    if (!saved_get_array(in, &(struct saved_array){SAVED_TABLE(fields), .base = predictor, .count = 1}, NULL, err))
        return false;
    for (unsigned i = 0, count = arrays_of(predictor, arrays); i < count; i++)
        if (!saved_get_array(in, &arrays[i], NULL, err))
            return false;
    return true;
}
