/* The table of CPU models, from the rows of models.def. */
#include "cpu/model.h"

static const struct cpu_model_ops *const models[] = {
#define MODEL(NAME, BRIEF) &NAME##_model,
#include "cpu/models.def"
#undef MODEL
};

const struct cpu_model_ops *cpu_model_at(unsigned i)
{
    return i < sizeof models / sizeof *models ? models[i] : NULL;
}

const char cpu_model_choices[] =
#define MODEL(NAME, BRIEF) "|" #NAME
#include "cpu/models.def"
#undef MODEL
    ;

const char cpu_model_help[] = "CPU model"
#define MODEL(NAME, BRIEF) "; " #NAME ": " BRIEF
#include "cpu/models.def"
#undef MODEL
    ;
