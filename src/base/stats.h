/*
 * The counter registry: every figure the simulator keeps is registered here with name, unit and one line of text, and
 * leaves it as JSON. Names are dotted paths ("cpu0.l1d.read_misses"); the JSON nests along the dots.
 *
 * Determinism: values come from counters only; output order is registration order; doubles are printed with %.17g
 * trimmed to the shortest text that reads back equal. A formula that gives NaN (0/0: nothing of nothing) prints 0; one
 * that gives infinity (something of nothing) is undefined and prints null.
 */
#ifndef SIMOS_STATS_H
#define SIMOS_STATS_H

#include "src/base/log.h"
#include "src/base/types.h"
#include <stdio.h>

struct stats;

/* An empty registry. Never NULL. What is registered must outlive it. */
struct stats *stats_create(void);
void stats_free(struct stats *stats);

/* Register. NAME is copied; UNIT, TEXT must outlive STATS (string constants). A duplicate name, or a name that is both
 * a leaf and a group, is a bug (aborts). */
void stats_counter(struct stats *stats, const char *name, const char *unit, const char *text, const uint64_t *value);
void stats_formula(struct stats *stats, const char *name, const char *unit, const char *text,
                   double (*formula)(const void *opaque), const void *opaque);
/* A formula over a struct of SIZE bytes that is made of counts only, uint64_t: after stats_begin() it is told of what
 * they have grown by. */
void stats_formula_over(struct stats *stats, const char *name, const char *unit, const char *text,
                        double (*formula)(const void *opaque), const void *counts, size_t size);
/* A formula that is an amount, such as seconds: after stats_begin() it is told by how much it has grown. */
void stats_amount(struct stats *stats, const char *name, const char *unit, const char *text,
                  double (*formula)(const void *opaque), const void *opaque);
void stats_integer(struct stats *stats, const char *name, const char *unit, const char *text,
                   uint64_t (*formula)(const void *opaque), const void *opaque);
void stats_text(struct stats *stats, const char *name, const char *text, const char *value); /* value is copied */

/* The member NAME of the whole (no dots), of which WRITE writes the value: a table that is no fixed set of figures. Its
 * lines after the first begin with four spaces or more, the last one with two. It is none of the names that can be
 * asked for. A second time: WRITE and OPAQUE in place of those before. */
void stats_json(struct stats *stats, const char *name, const char *text, void (*write)(void *opaque, FILE *out),
                void *opaque);

/* Replace the text NAME by a copy of VALUE. An unknown name is a bug (aborts). */
void stats_set_text(struct stats *stats, const char *name, const char *value);

/* From now on every value is what it has grown by since: of counters, integers and amounts; and formulas over counts
 * are of what these have grown by. Other formulas are undefined from then on. What is registered later counts from 0.
 * Again: from that later moment on. */
void stats_begin(struct stats *stats);

/* Value of NAME as a double (0 for text, NaN where JSON says null); false if unknown. */
bool stats_value(const struct stats *stats, const char *name, double *value);
/* Value of the text NAME, owned by STATS; NULL if there is no such text. */
const char *stats_text_value(const struct stats *stats, const char *name);

/* Iterate: INDEX from 0, NULL (value: 0) at the end. */
const char *stats_name_at(const struct stats *stats, size_t index);
double stats_value_at(const struct stats *stats, size_t index);
/* Description of NAME, or NULL if unknown; its unit goes to *UNIT unless UNIT is NULL. */
const char *stats_describe(const struct stats *stats, const char *name, const char **unit);

/* VALUE as JSON: the shortest text that reads back equal; NaN is null. */
void stats_write_double(double value, FILE *out);

/* Everything as one JSON object, two-space indented, ending in a newline. */
void stats_write_json(const struct stats *stats, FILE *out);

/* stats_write_json into PATH: written to a temporary file beside it and renamed, so that a failure leaves what was
 * there. An existing path that is no regular file, and /dev/stdout and its like, are written directly. ERR names the
 * path and the reason. */
bool stats_save_json(const struct stats *stats, const char *path, struct err *err);

#endif
