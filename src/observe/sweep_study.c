#include "src/observe/sweep_study.h"

#include <string.h>

bool sweep_study_init(struct sweep_study *study, const char *const *texts, unsigned count, const struct params *base,
                      struct err *err)
{
    *study = (struct sweep_study){.count = 0};
    if (count > SWEEP_SERIES_MAX)
        return err_set(err, "--over: at most %d series", SWEEP_SERIES_MAX);
    while (study->count < count) {
        unsigned at = study->count++;
        if (!sweep_series_parse(&study->series[at], texts[at], at + 1, base, err))
            return false;
    }
    return true;
}

static enum sweep_method method_of(const struct params *base)
{
    return params_is(base, "sweep.method", "stack")    ? SWEEP_STACK
           : params_is(base, "sweep.method", "points") ? SWEEP_POINTS
                                                       : SWEEP_AUTO;
}

bool sweep_study_build(struct sweep_study *study, const struct params *base, const struct sweep_source *source,
                       struct err *err)
{
    study->cpus = source->cpus;
    for (unsigned i = 0; i < study->count; i++) {
        struct sweep_series *series = &study->series[i];
        struct err reason = {""};
        study->sweep[i] =
            sweep_create(source, method_of(base), (const struct params *const *)series->params, series->count, &reason);
        if (!study->sweep[i])
            return err_set(err, "--over: %s: %s", series->name, reason.text);
    }
    return true;
}

void sweep_study_release(struct sweep_study *study)
{
    for (unsigned i = 0; i < study->count; i++) {
        sweep_free(study->sweep[i]);
        sweep_series_release(&study->series[i]);
    }
    study->count = 0;
}

void sweep_study_refer(struct sweep_study *study, const struct reference *reference, uint8_t *permission)
{
    study->references++;
    for (unsigned i = 0; i < study->count; i++)
        sweep_refer(study->sweep[i], reference, permission);
}

void sweep_study_reset(struct sweep_study *study)
{
    study->references = 0;
    for (unsigned i = 0; i < study->count; i++)
        sweep_reset(study->sweep[i]);
}
