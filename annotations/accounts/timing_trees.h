/*
 * Timing trees, as SimOS scripts have them: phases within phases that a script enters and leaves, each with what the
 * processors got meanwhile. A tree has a place in it for each processor.
 */
#ifndef SIMOS_ANNOTATIONS_TIMING_TREES_H
#define SIMOS_ANNOTATIONS_TIMING_TREES_H

#include "annotations/symbols/subject.h"
#include <stdio.h>

struct timing_trees;

enum { TIMING_NAME = 64, TIMING_DEPTH = 64, TIMING_NODES = 1 << 12 };

/* None yet. SUBJECT outlives it. */
struct timing_trees *timing_trees_create(const struct subject *subject);
void timing_trees_free(struct timing_trees *timing); /* NULL is fine, here and in what asks */

/* A tree called NAME, with all processors at its root from now on. False: there is one. */
bool timing_trees_add(struct timing_trees *timing, const char *name);
/* The figures that its text has: bits by number of a field's name. False: no such tree. */
bool timing_trees_set_fields(struct timing_trees *timing, const char *name, unsigned fields);
/* Names of fields: calls, cycles, insns, wait, stall, misses; NULL behind the last. */
const char *timing_trees_field_name(unsigned field);

enum timing_move {
    TIMING_SWITCH,   /* CORE is in PHASE from now on, within the phase it was in */
    TIMING_END,      /* its phase ends, and, if PHASE is given, those around it up to PHASE */
    TIMING_EXIT,     /* all of its phases end */
    TIMING_TERMINATE /* nothing is charged to the tree any more, on any processor */
};
/* False with ERR: there is no such tree, no such phase to end, or too many. PHASE may be NULL but for a switch. */
bool timing_trees_move(struct timing_trees *timing, const char *name, enum timing_move move, struct core *core,
                       const char *phase, struct err *err);

/* Figures begin anew; where processors are in the trees stays. */
void timing_trees_begin_again(struct timing_trees *timing);
bool timing_trees_any(const struct timing_trees *timing);
/* The tree NAME, or all of them, as text, up to now. False: no such tree. */
bool timing_trees_print(struct timing_trees *timing, const char *name, FILE *out);
/* All as a JSON object. */
void timing_trees_write_json(struct timing_trees *timing, FILE *out);

#endif
