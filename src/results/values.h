/*
 * The values of one run by their names in the statistics ("machine.exit_status"), and where the file comes from.
 */
#ifndef SIMOS_RESULTS_VALUES_H
#define SIMOS_RESULTS_VALUES_H

#include "src/results/results.h"

/* The count NAME in *COUNT. False if there is none. */
bool results_count(const struct results *results, const char *name, uint64_t *count);
/* The count NAME ("l1d.read_misses") of processor CPU, and its sum over all processors; 0 if there is none. */
uint64_t results_cpu_count(const struct results *results, unsigned cpu, const char *name);
uint64_t results_cpus_count(const struct results *results, const char *name);
/* The text NAME; NULL if there is none. */
const char *results_text(const struct results *results, const char *name);
/* The value of parameter NAME ("cache.l2.size"); NULL if the file has none. */
const char *results_parameter(const struct results *results, const char *name);
/* Has the file a member NAME that is not empty? */
bool results_has(const struct results *results, const char *name);

/* Call VISIT with each value (a number, text or list) at NAME or below it, in the order of the file. NAME "": all of
 * the file. The parts of a value's name are separated by dots. */
void results_visit(const struct results *results, const char *name,
                   void (*visit)(void *opaque, const char *name, const json_t *value), void *opaque);
/* The same with the names of the members of the object NAME. */
void results_visit_names(const struct results *results, const char *name, void (*visit)(void *opaque, const char *name),
                         void *opaque);

/* Word INDEX of the command line that wrote the file; NULL behind the last one, and without --provenance. */
const char *results_word(const struct results *results, size_t index);

/* A file that the run has read; "?": not in the file. */
struct result_source {
    const char *role, *path, *sha256;
    int64_t size; /* bytes */
};
/* Source INDEX of the run; false behind the last one. */
bool results_source(const struct results *results, size_t index, struct result_source *source);

#endif
