/*
 * Timing trees, as in SimOS: nested phases that a script enters and leaves, each charged with the processors' counters
 * meanwhile. Each processor has its own position in a tree.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_TIMING_TREES_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_TIMING_TREES_H

#include "annotations/symbols/machine_view.h"
#include "src/base/json_writer.h"
#include <stdio.h>

struct timing_trees;

enum { TIMING_NAME = 64, TIMING_DEPTH = 64, TIMING_NODES = 1 << 12 };

/* Create an empty set. MACHINE must outlive it. */
struct timing_trees *timing_trees_create(const struct machine_view *machine);
void timing_trees_free(struct timing_trees *timing); /* NULL is ignored, as by the functions that only read */

/* Add a tree NAME, with all processors at its root. False if it exists. */
bool timing_trees_add(struct timing_trees *timing, const char *name);
/* Select the fields that are printed: bit mask by field number. False if there is no such tree. */
bool timing_trees_set_fields(struct timing_trees *timing, const char *name, unsigned fields);
/* Names of fields: calls, cycles, insns, wait, stall, misses; NULL after the last. */
const char *timing_trees_field_name(unsigned field);

enum timing_move {
    TIMING_SWITCH, /* CORE enters PHASE, within its current phase */
    TIMING_END,  /* CORE leaves its current phase, and, if PHASE is given, those around it up to and including PHASE */
    TIMING_EXIT, /* CORE leaves all of its phases */
    TIMING_TERMINATE /* end of charging to the tree, on all processors */
};
/* Move CORE in tree NAME. PHASE may be NULL except for TIMING_SWITCH. False with ERR if there is no such tree, no
 * such phase to end, or there are too many phases. */
bool timing_trees_move(struct timing_trees *timing, const char *name, enum timing_move move, struct core *core,
                       const char *phase, struct err *err);

/* Reset the counters; the processors keep their positions. */
void timing_trees_reset(struct timing_trees *timing);
bool timing_trees_any(const struct timing_trees *timing);
/* Print the tree NAME, or all if NULL, up to now. False if there is no such tree. */
bool timing_trees_print(struct timing_trees *timing, const char *name, FILE *out);
/* Write all trees as a JSON array. */
void timing_trees_write_json(struct timing_trees *timing, struct json_writer *json);

#endif
