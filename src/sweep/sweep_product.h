/*
 * What a sweep varies, and the jobs that are all combinations of it.
 */
#ifndef SIMOS_SWEEP_PRODUCT_H
#define SIMOS_SWEEP_PRODUCT_H

#include "src/sweep/sweep_jobs.h"

enum sweep_axis_kind {
    SWEEP_CHECKPOINT, /* a file */
    SWEEP_OPTION,     /* the value of an option, whose name is the axis' */
    SWEEP_PARAM,      /* the value of a parameter, whose name is the axis' */
    SWEEP_COMMAND,    /* a Tcl list: the words behind "--" */
    SWEEP_WORDS,      /* a Tcl list: words as they are */
    SWEEP_INPUTS,     /* a Tcl list: files */
};

struct sweep_axis {
    enum sweep_axis_kind kind;
    char *name;
    unsigned count;
    char **values;
};

enum { SWEEP_AXES_MAX = 64 };

/* Zero-initialise. */
struct sweep_product {
    unsigned count;
    struct sweep_axis axes[SWEEP_AXES_MAX];
};

/* PRODUCT varies NAME over COUNT copied VALUES; one of this name is replaced where it stands. False with ERR: there are
 * too many. */
bool sweep_product_vary(struct sweep_product *product, enum sweep_axis_kind kind, const char *name, unsigned count,
                        const char *const *values, struct err *err);
void sweep_product_copy(struct sweep_product *to, const struct sweep_product *from);
void sweep_product_release(struct sweep_product *product);

/* Add the jobs of PRODUCT to JOBS, the last axis changing fastest. A job is called NAME (unless that is empty) and by
 * its values on the axes that have more than one, joined by "-". False with ERR. */
bool sweep_product_add_jobs(const struct sweep_product *product, const char *name, struct sweep_jobs *jobs,
                            struct err *err);

#endif
