/*
 * The catalogue of measures (measures.def) as tables: names, labels, words and colours of what cycles and misses are
 * charged to, and the sums that are asked of them.
 */
#ifndef SIMOS_MEASURE_MEASURES_H
#define SIMOS_MEASURE_MEASURES_H

#include "src/measure/attribution.h"
#include <stdio.h>

enum measure_family { MEASURE_TIME, MEASURE_STALL, MEASURE_INTERLOCK, MEASURE_PIPELINE };

/* The figure of memory stall (SOSP'95 figure 4.4) that a stall is a part of: I-MCPI or D-MCPI. */
enum measure_side { SIDE_NONE, SIDE_INSN, SIDE_DATA };

/* A cause of cycles. No two have the same name. */
struct measure_cause {
    enum measure_family family;
    unsigned number;   /* enum stall, enum interlock, enum pipeline_stall */
    const char *name;  /* in statistics */
    const char *label; /* in tables, behind the family; NULL: the name */
    const char *part;  /* as a part of a bar; NULL: the name */
    enum measure_side side;
    unsigned times, but; /* a stall: one each for the misses (sets by enum miss) in TIMES but those in BUT; 0: none */
    const char *before;  /* what `explain` says before the name of a routine, */
    const char *after;   /* and after it */
    const char *colour;  /* "#rrggbb"; NULL: none of its own */
};

/* Cause INDEX of all, from 0 on; NULL behind the last one. */
const struct measure_cause *measure_cause_at(unsigned index);
/* The cause NAME, or NULL. */
const struct measure_cause *measure_cause_named(const char *name);

/* The names in statistics of an enum stall, pipeline_stall, interlock, miss. */
const char *stall_name(unsigned stall);
const char *pipeline_name(unsigned cause);
const char *interlock_name(unsigned cause);
const char *miss_name(unsigned miss);
/* The side of an enum stall. */
enum measure_side stall_side(unsigned stall);
/* The label of an enum miss in tables. */
const char *miss_label(unsigned miss);

enum class_group {
    CLASS_GROUP_COLD,
    CLASS_GROUP_REPLACED,
    CLASS_GROUP_COHERENCE,
    CLASS_GROUP_OTHER,
    CLASS_GROUP_UPGRADE
};

/* A class of misses. */
struct measure_class {
    const char *name; /* in statistics */
    enum class_group group;
    bool is_full;       /* cache.classify=full distinguishes it */
    const char *colour; /* "#rrggbb" */
    const char *meaning;
};

/* Class CLASS (enum miss_class), and the class NAME, or NULL. */
const struct measure_class *measure_class(unsigned class);
const struct measure_class *measure_class_named(const char *name);

/* The colour of the cause, class or mark WORD, as "#rrggbb": the same in every figure. */
const char *measure_colour(const char *word);
/* The colours of run or line NUMBER, and of part NUMBER of a bar, which have none of their own. */
const char *measure_line_colour(unsigned number);
const char *measure_fill_colour(unsigned number);

/* Cycles of memory stall of BUCKET that are part of SIDE. */
cycles bucket_stall_of(const struct bucket *bucket, enum measure_side side);

/* What formulas are computed from (formulas.def): counts of an account. */
enum term {
    TERM_CYCLES,
    TERM_WAIT,
    TERM_INSNS,
    TERM_STALL,      /* cycles of all memory stalls */
    TERM_INSN_STALL, /* of those of a side */
    TERM_DATA_STALL,
    TERM_WHOLE,  /* cycles of all accounts that are shown together */
    TERM_MISSES, /* which of them, the table says */
    TERMS,
    TERM_NONE = TERMS
};

enum formula {
#define FORMULA(id, ...) FORMULA_##id,
#include "src/measure/formulas.def"
    FORMULAS
};

/* A figure of an account. */
struct measure_formula {
    const char *name;            /* in statistics, if it is one of them */
    const char *label, *heading; /* of a row, of a column */
    const char *unit, *meaning;
    bool is_statistic;
    double factor; /* the figure is FACTOR * (ADD - SUBTRACT) / PER */
    enum term add, subtract, per;
    double (*of_bucket)(
        const void *bucket); /* of a struct bucket; no number if it has no instructions. Of a statistic */
};

/* The formula NUMBER (enum formula). */
const struct measure_formula *measure_formula(enum formula number);
/* The figure FORMULA of an account with these TERMS; no number if what it is divided by is not above 0. */
double measure_figure(enum formula formula, const double terms[TERMS]);
/* The same for tables: 0 instead of no number. */
double measure_figure_or_0(enum formula formula, const double terms[TERMS]);
/* Fills TERMS with those of BUCKET; WHOLE and MISSES are 0. */
void measure_bucket_terms(const struct bucket *bucket, double terms[TERMS]);

/* Writes the catalogue to OUT as JSON: {"format": 1, "causes": [...], "classes": [...], "formulas": [...]},
 * docs/schema/measures.json. */
void measures_print(FILE *out);

#endif
