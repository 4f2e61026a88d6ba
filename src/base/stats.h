/*
 * The statistics registry: every counter of the simulator is registered with name, unit and one line of text, and
 * written as JSON. Names are dotted paths ("cpu0.l1d.read_misses"); the JSON is nested accordingly.
 *
 * Determinism: values come from counters only; output order is registration order; doubles are printed with %.17g,
 * shortened to the shortest text that reads back equal. A formula with the value NaN (0/0) prints 0; an infinite value
 * (x/0) is undefined and prints null.
 */
#ifndef SIMOS_BASE_STATS_H
#define SIMOS_BASE_STATS_H

#include "src/base/json_writer.h"
#include "src/base/log.h"
#include "src/base/types.h"
#include <stdio.h>

struct stats;

/* Create an empty registry. Never NULL. All registered objects must outlive it. */
struct stats *stats_create(void);
void stats_free(struct stats *stats);

/* Register a statistic. NAME is copied; UNIT, TEXT must outlive STATS (string constants). A duplicate name, or a name
 * that is both a leaf and a group, is a bug (aborts). */
void stats_counter(struct stats *stats, const char *name, const char *unit, const char *text, const uint64_t *value);
void stats_formula(struct stats *stats, const char *name, const char *unit, const char *text,
                   double (*formula)(const void *opaque), const void *opaque);
/* A formula over a struct of SIZE bytes that consists of uint64_t counters only: after stats_begin() it is evaluated on
 * their increments. */
void stats_formula_of_counters(struct stats *stats, const char *name, const char *unit, const char *text,
                               double (*formula)(const void *opaque), const void *counts, size_t size);
/* A formula that is an amount, such as seconds: after stats_begin() its value is the increment. */
void stats_amount(struct stats *stats, const char *name, const char *unit, const char *text,
                  double (*formula)(const void *opaque), const void *opaque);
void stats_integer(struct stats *stats, const char *name, const char *unit, const char *text,
                   uint64_t (*formula)(const void *opaque), const void *opaque);
void stats_text(struct stats *stats, const char *name, const char *text, const char *value); /* VALUE is copied */

/* Add the top-level member NAME (no dots) with a value written by WRITE: a table without a fixed set of statistics. Its
 * lines after the first begin with at least four spaces, the last one with two. It is not accessible through the
 * functions below. A repeated call replaces WRITE and OPAQUE. */
void stats_json(struct stats *stats, const char *name, const char *text,
                void (*write)(void *opaque, struct json_writer *json), void *opaque);

/* PREPARE is called with OPAQUE before values are read: it brings counters up to date that its module updates late. One
 * registry has at most one; a second is a bug (aborts). */
void stats_prepare(struct stats *stats, void (*prepare)(void *opaque), void *opaque);

/* Replace the text NAME by a copy of VALUE. An unknown name is a bug (aborts). */
void stats_set_text(struct stats *stats, const char *name, const char *value);

/* From now on all values are increments since this call: of counters, integers and amounts; formulas over counters are
 * evaluated on the counters' increments. Other formulas are undefined from then on. Later registrations count from 0. A
 * repeated call starts again. */
void stats_begin(struct stats *stats);

/* Value of NAME as a double (0 for text, NaN for JSON null); false if unknown. */
bool stats_value(const struct stats *stats, const char *name, double *value);
/* Value of the text NAME, owned by STATS; NULL if there is no such text. */
const char *stats_text_value(const struct stats *stats, const char *name);

/* Iterate: INDEX from 0, NULL (value: 0) behind the last one. */
const char *stats_name_at(const struct stats *stats, size_t index);
double stats_value_at(const struct stats *stats, size_t index);
/* For many values at one time: stats_settle() does once what stats_value_at() does each time before it reads, and
 * stats_settled_at() reads, until something counts again. */
void stats_settle(const struct stats *stats);
double stats_settled_at(const struct stats *stats, size_t index);
/* Description of NAME, or NULL if unknown; its unit goes to *UNIT unless UNIT is NULL. */
const char *stats_describe(const struct stats *stats, const char *name, const char **unit);

/* Write all statistics as one JSON object, indented by two spaces, ending in a newline. */
void stats_write_json(const struct stats *stats, FILE *out);

/* Write the members of that object to JSON, whose caller has begun it and ends it, as they are in the middle of a run:
 * what PREPARE would bring up to date may lag, and nothing changes. */
void stats_write_members(const struct stats *stats, struct json_writer *json);

/* Save stats_write_json() output to PATH, through a temporary file that is renamed, so that a failure leaves an
 * existing file unchanged. An existing path that is not a regular file, and /dev/stdout and the like, are written
 * directly. ERR names the path and the reason. */
bool stats_save_json(const struct stats *stats, const char *path, struct err *err);

#endif
