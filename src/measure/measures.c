#include "src/measure/measures.h"

#include <string.h>

#define SIDE_NO_SIDE SIDE_NONE
enum { COUNTS_MISS = true, COUNTS_WAIT = false };

static const struct measure_cause causes[] = {
#define TIME(id, name, label, before, after, colour)                                                                   \
    {MEASURE_TIME, 0, name, label, label, SIDE_NONE, false, before, after, colour},
#define STALL(id, name, side, counts, label, part, before, after, colour)                                              \
    {MEASURE_STALL, STALL_##id, name, label, part, SIDE_##side, COUNTS_##counts, before, after, colour},
#define INTERLOCK(id, name, before, after, colour)                                                                     \
    {MEASURE_INTERLOCK, INTERLOCK_##id, name, NULL, NULL, SIDE_NONE, false, before, after, colour},
#define PIPELINE(id, name, before, after)                                                                              \
    {MEASURE_PIPELINE, PIPELINE_##id, name, NULL, NULL, SIDE_NONE, false, before, after, NULL},
#include "src/measure/measures.def"
};
enum { CAUSES = sizeof causes / sizeof causes[0] };

const struct measure_cause *measure_cause_at(unsigned index)
{
    return index < CAUSES ? &causes[index] : NULL;
}

const struct measure_cause *measure_cause_named(const char *name)
{
    for (unsigned i = 0; i < CAUSES; i++)
        if (strcmp(causes[i].name, name) == 0)
            return &causes[i];
    return NULL;
}

const char *stall_name(unsigned stall)
{
    static const char *const names[] = {
#define STALL(id, name, ...) name,
#include "src/measure/measures.def"
    };
    return names[stall];
}

enum measure_side stall_side(unsigned stall)
{
    static const enum measure_side sides[] = {
#define STALL(id, name, side, ...) SIDE_##side,
#include "src/measure/measures.def"
    };
    return sides[stall];
}

const char *pipeline_name(unsigned cause)
{
    static const char *const names[] = {
#define PIPELINE(id, name, ...) name,
#include "src/measure/measures.def"
    };
    return names[cause];
}

const char *interlock_name(unsigned cause)
{
    static const char *const names[] = {
#define INTERLOCK(id, name, ...) name,
#include "src/measure/measures.def"
    };
    return names[cause];
}

static const struct {
    const char *name, *label;
} misses[] = {
#define MISS(id, name, label) {name, label},
#include "src/measure/measures.def"
};

const char *miss_name(unsigned miss)
{
    return misses[miss].name;
}

const char *miss_label(unsigned miss)
{
    return misses[miss].label;
}

enum { TO_REPLACEMENT = false, TO_SHARING = false, TO_FULL = true };

static const struct measure_class classes[] = {
#define CLASS(id, name, group, from, to, fetches, colour, meaning)                                                     \
    {name, CLASS_GROUP_##group, TO_##to, colour, meaning},
#include "src/measure/measures.def"
};

const struct measure_class *measure_class(unsigned class)
{
    return &classes[class];
}

const struct measure_class *measure_class_named(const char *name)
{
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (strcmp(classes[class].name, name) == 0)
            return &classes[class];
    return NULL;
}

cycles bucket_stall_of(const struct bucket *bucket, enum measure_side side)
{
    cycles sum = 0;
    for (unsigned stall = 0; stall < STALL_COUNT; stall++)
        if (stall_side(stall) == side)
            sum += bucket->stall[stall];
    return sum;
}

#define FORMULA(name, meaning, cycles)                                                                                 \
    static double name(const void *bucket)                                                                             \
    {                                                                                                                  \
        const struct bucket *b = bucket;                                                                               \
        return (double)(cycles) / (double)b->insns;                                                                    \
    }
#include "src/measure/formulas.def"

const struct measure_formula *measure_formula_at(unsigned index)
{
    static const struct measure_formula formulas[] = {
#define FORMULA(name, meaning, cycles) {#name, meaning, name},
#include "src/measure/formulas.def"
    };
    return index < sizeof formulas / sizeof formulas[0] ? &formulas[index] : NULL;
}
