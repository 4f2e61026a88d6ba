#include "cache/observe/sweep.h"
#include "cache/observe/sweep_method.h"
#include "cache/state/replacement.h"

#include "src/base/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct param_def sweep_param_defs[] = {
    {"sweep.method", PARAM_CHOICE, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "auto", 0, 0, false, "auto|stack|points",
     "stack: LRU stack distances; points: one memory system for each point; auto: stack if it is exact"},
    {"sweep.start", PARAM_STRING, TRAIT_UNTIMED | TRAIT_OBSERVES, "", "boot", 0, 0, false, NULL,
     "misses count from this EVENT on, or from power-on; caches are filled from power-on"},
};
const size_t sweep_param_count = sizeof sweep_param_defs / sizeof sweep_param_defs[0];

struct sweep {
    enum sweep_method method;
    const struct sweep_method_ops *ops;
    void *state;
};

void sweep_geometry(const struct params *params, const char *cache, struct sweep_cache *result)
{
    char name[64];
    result->name = cache;
    snprintf(name, sizeof name, "cache.%s.size", cache);
    result->size = (uint32_t)params_u64(params, name);
    snprintf(name, sizeof name, "cache.%s.line", cache);
    result->line = (uint32_t)params_u64(params, name);
    snprintf(name, sizeof name, "cache.%s.ways", cache);
    result->ways = (uint32_t)params_u64(params, name);
}

bool sweep_param_is(const struct params *params, const char *name, const char *text)
{
    char value[64];
    return params_text(params, name, value, sizeof value) && strcmp(value, text) == 0;
}

bool sweep_cache_is_lru(const struct params *params, const char *cache, struct err *err)
{
    static const struct {
        const char *member, *text;
    } wanted[] = {{"index", "physical"}, {"hash", "none"}, {"sector_lines", "1"}, {"assist", "0"}};
    struct sweep_cache geometry;
    sweep_geometry(params, cache, &geometry);
    char policy[32];
    snprintf(policy, sizeof policy, "cache.%s.replacement", cache);
    if (!replacement_named(params_string(params, policy))->exact_lru)
        return err_set(err, "%s is %s: has to be true LRU", policy, params_string(params, policy));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "cache.%s.%s", cache, wanted[i].member);
        if (params_find(params, name) && !sweep_param_is(params, name, wanted[i].text))
            return err_set(err, "%s has to be \"%s\"", name, wanted[i].text);
    }
    return geometry.line >= 8 || err_set(err, "cache.%s.line: has to be 8 or more", cache);
}

static bool first_level_is(const struct params *params, const char *member, const char *text)
{
    char insn[32], data[32];
    snprintf(insn, sizeof insn, "cache.l1i.%s", member);
    snprintf(data, sizeof data, "cache.l1d.%s", member);
    return sweep_param_is(params, data, text) ||
           (sweep_param_is(params, "cache.l1.split", "on") && sweep_param_is(params, insn, text));
}

bool sweep_needs_every_access(const struct params *params)
{
    return first_level_is(params, "index", "virtual");
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool sweep_differs_only_in(const struct params *const *params, unsigned count, const char *const *names,
                           struct err *err)
{
    for (size_t i = 0; i < memsys_param_count; i++) {
        const char *name = memsys_param_defs[i].name;
        char first[64], other[64];
        params_text(params[0], name, first, sizeof first);
        for (unsigned point = 1; point < count && !is_among(name, names); point++) {
            params_text(params[point], name, other, sizeof other);
            if (strcmp(first, other) != 0)
                return err_set(err, "%s: the stack method cannot vary it", name);
        }
    }
    return true;
}

/* Whether MEMSYS reads every line that it allocates, and each cache says why it lacks a line. If not, ERR names the
 * parameter: a miss of a word that is not valid has no cause, and a stream of references has no PREF. */
static bool reads_all_lines(const struct memsys *memsys, const struct params *params, struct err *err)
{
    static const struct {
        enum memsys_cache cache;
        const char *name, *value, *reason;
    } rows[] = {
        {MEMSYS_L1D, "cache.l1d.write_allocate", "validate", "misses of words that are not valid have no cause"},
        {MEMSYS_L2, "cache.l2.write_allocate", "validate", "misses of words that are not valid have no cause"},
        {MEMSYS_L3, "cache.l3.write_allocate", "validate", "misses of words that are not valid have no cause"},
        {MEMSYS_L1D, "cache.l1d.prepare_for_store", "allocate", "references include no pref"},
        {MEMSYS_L2I, "cache.l2i.exclusive", "on", "misses of lines that an exclusive cache gave up have no cause"},
        {MEMSYS_L2, "cache.l2.exclusive", "on", "misses of lines that an exclusive cache gave up have no cause"},
        {MEMSYS_L3I, "cache.l3i.exclusive", "on", "misses of lines that an exclusive cache gave up have no cause"},
        {MEMSYS_L3, "cache.l3.exclusive", "on", "misses of lines that an exclusive cache gave up have no cause"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* words that a write-through cache allocates are whole lines */
        if (rows[i].cache == MEMSYS_L1D && strcmp(rows[i].value, "validate") == 0 &&
            sweep_param_is(params, "cache.l1d.write", "through"))
            continue;
        if (memsys_line(memsys, rows[i].cache) && sweep_param_is(params, rows[i].name, rows[i].value))
            return err_set(err, "%s is %s: not possible in a sweep (%s)", rows[i].name, rows[i].value, rows[i].reason);
    }
    return true;
}

/* Checks that each parameter set describes a memory system that can be swept. */
static bool check_points(const struct sweep_source *source, const struct params *const *params, unsigned count,
                         struct err *err)
{
    for (unsigned i = 0; i < count; i++) {
        struct memsys *memsys = memsys_create(params[i], source->cpus, source->clock_hz, err);
        bool flat = memsys && memsys_is_flat(memsys);
        bool coarse = memsys && !flat &&
                      (memsys_line(memsys, MEMSYS_L1I) < source->insn_line ||
                       memsys_line(memsys, MEMSYS_L1D) < source->data_line);
        const bool unread = memsys && !flat && !reads_all_lines(memsys, params[i], err);
        memsys_free(memsys);
        if (flat)
            err_set(err, "cache.model: \"none\" has no caches to sweep");
        if (coarse)
            err_set(err,
                    "the first-level lines of the running machine (cache.l1i.line %u, cache.l1d.line %u) are longer "
                    "than those of the sweep",
                    source->insn_line, source->data_line);
        const bool needs_space = memsys && !source->has_spaces && first_level_is(params[i], "hash", "space");
        if (needs_space)
            err_set(err, "cache.l1%c.hash is space: a trace does not record address spaces",
                    sweep_param_is(params[i], "cache.l1d.hash", "space") ? 'd' : 'i');
        if (!memsys || flat || coarse || unread || needs_space)
            return false;
    }
    return true;
}

/* The implementation of METHOD for these points; NULL with ERR if there is none. */
static const struct sweep_method_ops *choose(const struct sweep_source *source, enum sweep_method method,
                                             const struct params *const *params, unsigned count, struct err *err)
{
    static const struct sweep_method_ops *const stacks[] = {&sweep_first_level, &sweep_second_level};
    struct err reasons[2] = {{""}, {""}};
    for (unsigned i = 0; i < 2 && method != SWEEP_POINTS; i++)
        if (stacks[i]->fits(source, params, count, &reasons[i]))
            return stacks[i];
    if (method != SWEEP_STACK)
        return &sweep_points;
    err_set(err, "the stack method does not apply: first levels: %.200s; second levels: %.200s", reasons[0].text,
            reasons[1].text);
    return NULL;
}

struct sweep *sweep_create(const struct sweep_source *source, enum sweep_method method,
                           const struct params *const *params, unsigned count, struct err *err)
{
    if (!check_points(source, params, count, err))
        return NULL;
    const struct sweep_method_ops *ops = choose(source, method, params, count, err);
    if (!ops)
        return NULL;
    void *state = ops->create(source, params, count, err);
    if (!state)
        return NULL;
    struct sweep *sweep = checked_memory(malloc(sizeof *sweep));
    *sweep = (struct sweep){.method = ops == &sweep_points ? SWEEP_POINTS : SWEEP_STACK, .ops = ops, .state = state};
    return sweep;
}

void sweep_free(struct sweep *sweep)
{
    if (!sweep)
        return;
    sweep->ops->free(sweep->state);
    free(sweep);
}

enum sweep_method sweep_method(const struct sweep *sweep)
{
    return sweep->method;
}

void sweep_refer(struct sweep *sweep, const struct reference *reference, uint8_t *permission)
{
    sweep->ops->refer(sweep->state, reference, permission);
}

void sweep_reset(struct sweep *sweep)
{
    sweep->ops->reset(sweep->state);
}

bool sweep_cache(const struct sweep *sweep, unsigned point, unsigned cache, struct sweep_cache *result)
{
    return sweep->ops->cache(sweep->state, point, cache, result);
}
