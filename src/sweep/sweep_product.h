/*
 * The axes of a parameter sweep, and the jobs of their Cartesian product.
 */
#ifndef SIMOS_SWEEP_SWEEP_PRODUCT_H
#define SIMOS_SWEEP_SWEEP_PRODUCT_H

#include "src/sweep/sweep_jobs.h"

enum sweep_axis_kind {
    SWEEP_CHECKPOINT, /* a file */
    SWEEP_OPTION,     /* the value of an option; the axis has the option's name */
    SWEEP_PARAM,      /* the value of a parameter; the axis has the parameter's name */
    SWEEP_COMMAND,    /* a Tcl list: the words after "--" */
    SWEEP_WORDS,      /* a Tcl list: arguments of simos */
    SWEEP_INPUTS,     /* a Tcl list: files */
};

struct sweep_axis {
    enum sweep_axis_kind kind;
    char *name;
    unsigned count;
    char **values;
};

enum { SWEEP_AXES_MAX = 64 };

/* Initialise with zeros. */
struct sweep_product {
    unsigned count;
    struct sweep_axis axes[SWEEP_AXES_MAX];
};

/* Set the values of axis NAME of KIND to COUNT VALUES, which are copied. An existing axis keeps its position. Returns
 * false with ERR if there are too many axes. */
bool sweep_product_set_axis(struct sweep_product *product, enum sweep_axis_kind kind, const char *name, unsigned count,
                            const char *const *values, struct err *err);
void sweep_product_copy(struct sweep_product *to, const struct sweep_product *from);
void sweep_product_release(struct sweep_product *product);

/* Add the jobs of PRODUCT to JOBS; the last axis varies fastest. A job's name is NAME (unless empty) and its values on
 * the axes with more than one value, joined by "-". Returns false with ERR. */
bool sweep_product_add_jobs(const struct sweep_product *product, const char *name, struct sweep_jobs *jobs,
                            struct err *err);

#endif
