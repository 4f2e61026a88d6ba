#include "src/measure/measures.h"

#include <math.h>
#include <string.h>

#define SIDE_NO_SIDE SIDE_NONE
#define OF(id)       (1u << MISS_##id)
#define NONE         0

static const struct measure_cause causes[] = {
#define TIME(id, name, label, before, after, colour)                                                                   \
    {MEASURE_TIME, 0, name, label, label, SIDE_NONE, 0, 0, before, after, colour},
#define STALL(id, name, side, times, but, label, part, before, after, colour)                                          \
    {MEASURE_STALL, STALL_##id, name, label, part, SIDE_##side, times, but, before, after, colour},
#define INTERLOCK(id, name, before, after, colour)                                                                     \
    {MEASURE_INTERLOCK, INTERLOCK_##id, name, NULL, NULL, SIDE_NONE, 0, 0, before, after, colour},
#define PIPELINE(id, name, before, after)                                                                              \
    {MEASURE_PIPELINE, PIPELINE_##id, name, NULL, NULL, SIDE_NONE, 0, 0, before, after, NULL},
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

const char *measure_colour(const char *word)
{
    static const char *const marks[][2] = {
#define MARK(name, colour) {name, colour},
#include "src/measure/measures.def"
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strcmp(marks[i][0], word) == 0)
            return marks[i][1];
    const struct measure_cause *cause = measure_cause_named(word);
    const struct measure_class *class = measure_class_named(word);
    const char *own = cause ? cause->colour : class ? class->colour : NULL;
    return own ? own : "#6b7785";
}

const char *measure_line_colour(unsigned number)
{
    static const char *const colours[] = {
#define LINE(colour) colour,
#include "src/measure/measures.def"
    };
    return colours[number % (sizeof colours / sizeof colours[0])];
}

const char *measure_fill_colour(unsigned number)
{
    static const char *const colours[] = {
#define FILL(colour) colour,
#include "src/measure/measures.def"
    };
    return colours[number % (sizeof colours / sizeof colours[0])];
}

cycles bucket_stall_of(const struct bucket *bucket, enum measure_side side)
{
    cycles sum = 0;
    for (unsigned stall = 0; stall < STALL_COUNT; stall++)
        if (stall_side(stall) == side)
            sum += bucket->stall[stall];
    return sum;
}

void measure_bucket_terms(const struct bucket *bucket, double terms[TERMS])
{
    for (unsigned term = 0; term < TERMS; term++)
        terms[term] = 0;
    terms[TERM_CYCLES] = (double)bucket->cycles;
    terms[TERM_WAIT] = (double)bucket->wait;
    terms[TERM_INSNS] = (double)bucket->insns;
    terms[TERM_STALL] = (double)bucket_stall(bucket);
    terms[TERM_INSN_STALL] = (double)bucket_stall_of(bucket, SIDE_INSN);
    terms[TERM_DATA_STALL] = (double)bucket_stall_of(bucket, SIDE_DATA);
}

static double quotient(const struct measure_formula *formula, const double terms[TERMS])
{
    const double less = formula->subtract == TERM_NONE ? 0 : terms[formula->subtract];
    return formula->factor * (terms[formula->add] - less) / terms[formula->per];
}

double measure_figure(enum formula number, const double terms[TERMS])
{
    const struct measure_formula *formula = measure_formula(number);
    return terms[formula->per] > 0 ? quotient(formula, terms) : (double)NAN;
}

double measure_figure_or_0(enum formula number, const double terms[TERMS])
{
    return terms[measure_formula(number)->per] > 0 ? measure_figure(number, terms) : 0;
}

#define FORMULA(id, ...)                                                                                               \
    static double figure_##id(const void *bucket)                                                                      \
    {                                                                                                                  \
        double terms[TERMS];                                                                                           \
        measure_bucket_terms(bucket, terms);                                                                           \
        return quotient(measure_formula(FORMULA_##id), terms);                                                         \
    }
#include "src/measure/formulas.def"

enum { IN_STATISTICS = true, IN_VIEWS = false };

const struct measure_formula *measure_formula(enum formula number)
{
    static const struct measure_formula formulas[FORMULAS] = {
#define FORMULA(id, name, where, label, heading, unit, factor, add, subtract, per, meaning)                            \
    {name, label, heading, unit, meaning, IN_##where, factor, TERM_##add, TERM_##subtract, TERM_##per, figure_##id},
#include "src/measure/formulas.def"
    };
    return &formulas[number];
}
