/*
 * The counter registry: every figure the simulator keeps is registered here with name, unit and one line of text, and
 * leaves it as JSON. Names are dotted paths ("cpu0.l1d.read_misses"); the JSON nests along the dots.
 *
 * Determinism: values come from counters only; output order is registration order; doubles are printed with %.17g
 * trimmed to the shortest text that reads back equal.
 */
#ifndef SIMOS_STATS_H
#define SIMOS_STATS_H

#include "src/log.h"
#include "src/types.h"
#include <stdio.h>

struct stats;

struct stats *stats_create(void);
void stats_free(struct stats *stats);

/* Register. NAME is copied; UNIT, TEXT must outlive STATS (string constants). A duplicate name, or a name that is both
 * a leaf and a group, is a bug (aborts). */
void stats_counter(struct stats *stats, const char *name, const char *unit, const char *text, const uint64_t *value);
void stats_formula(struct stats *stats, const char *name, const char *unit, const char *text,
                   double (*formula)(const void *opaque), const void *opaque);
void stats_integer(struct stats *stats, const char *name, const char *unit, const char *text,
                   uint64_t (*formula)(const void *opaque), const void *opaque);
void stats_text(struct stats *stats, const char *name, const char *text, const char *value); /* value is copied */

/* Value of NAME as a double (0 for text); false if unknown. */
bool stats_value(const struct stats *stats, const char *name, double *value);

/* Iterate: INDEX from 0, NULL at the end. */
const char *stats_name_at(const struct stats *stats, size_t index);
/* Description ("unit: text") of NAME or NULL. */
const char *stats_describe(const struct stats *stats, const char *name, const char **unit);

/* Everything as one JSON object, two-space indented, ending in a newline. */
void stats_write_json(const struct stats *stats, FILE *out);

/* stats_write_json into PATH: written to a temporary file beside it and renamed, so that a failure leaves what was
 * there. */
bool stats_save_json(const struct stats *stats, const char *path, struct err *err);

#endif
