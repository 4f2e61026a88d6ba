#include "src/explain/explain_placement.h"

#include "src/explain/explain_repeat.h"
#include "src/results/values.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The seed by which the caches of A saw its kernel. False with ERR if a layout map said where. */
static bool find_seed(const struct explanation *e, uint64_t *seed, struct err *err)
{
    const char *layout = results_parameter(e->column[0], "cache.layout");
    const char *value = results_parameter(e->column[0], "guest.placement_seed");
    *seed = value ? strtoull(value, NULL, 10) : 0;
    if (layout && *layout)
        return err_set(err, "--placement: %.200s has cache.layout: where its kernel was seen is not known",
                       e->title[0]);
    return *seed <= UINT32_MAX || err_set(err, "--placement: %.200s: guest.placement_seed is no seed", e->title[0]);
}

bool explain_placement_make(struct explain_placement *parts, const struct explain_options *options,
                            const struct explanation *e, struct err *err)
{
    static const char *const titles[2][EXPLAIN_SIDES] = {{"A", "B in A's places"}, {"B in A's places", "B"}};
    char of[PATH_MAX + 32], seed[64];
    uint64_t number;
    struct explain_repeat repeat;
    *parts = (struct explain_placement){NULL, NULL};
    bool done = explain_repeat_begin(&repeat, options, "placement", e->column[1], err) && find_seed(e, &number, err) &&
                explain_repeat_check(&repeat, e, err);
    json_t *held = NULL;
    if (done) {
        snprintf(of, sizeof of, "guest.placement_of=%s", options->placement);
        snprintf(seed, sizeof seed, "guest.placement_seed=%llu", (unsigned long long)number);
        const char *const assignments[] = {"cache.layout=", of, seed, "guest.placement_data=on", NULL};
        held = explain_repeat_run(&repeat, assignments, err);
    }
    if (held) {
        json_t *const own[] = {e->column[0]->root, held}, *const placement[] = {held, e->column[1]->root};
        parts->own = explanation_create(titles[0], own, err);
        parts->placement = explanation_create(titles[1], placement, err);
    }
    json_decref(held);
    explain_repeat_end(&repeat);
    if (parts->own)
        memcpy(parts->own->name, titles[0], sizeof titles[0]);
    if (parts->placement)
        memcpy(parts->placement->name, titles[1], sizeof titles[1]);
    return parts->own && parts->placement;
}

void explain_placement_release(struct explain_placement *parts)
{
    explanation_free(parts->own);
    explanation_free(parts->placement);
}
