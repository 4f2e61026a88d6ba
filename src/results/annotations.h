/*
 * What scripts have recorded of one run (docs/reference/annotations.md): accounts of services and processes, misses by
 * place, locks.
 */
#ifndef SIMOS_RESULTS_ANNOTATIONS_H
#define SIMOS_RESULTS_ANNOTATIONS_H

#include "src/results/results.h"

/* The counts of a service or a process. */
struct account {
    uint64_t cycles, insns, wait, calls;
    uint64_t stall; /* cycles of all memory stalls */
};

/* Has the run accounts by service and process? */
bool results_has_services(const struct results *results);
/* Call VISIT with each service, in the order of the file; those of process PROCESS, or of all, RESULTS_ALL_PROCESSES.
 */
#define RESULTS_ALL_PROCESSES SIZE_MAX
void results_visit_services(const struct results *results, size_t process,
                            void (*visit)(void *opaque, const char *name, const struct account *account), void *opaque);
/* Call VISIT with the name of each cause of stall that any service has; a name may come again. */
void results_visit_service_stalls(const struct results *results, void (*visit)(void *opaque, const char *name),
                                  void *opaque);

/* The number of processes; the name of process INDEX, or NULL; and its account in MODE. */
size_t results_process_count(const struct results *results);
const char *results_process_name(const struct results *results, size_t index);
struct account results_process_account(const struct results *results, size_t index, enum mode mode);

struct result_lock {
    const char *name, *kind, *caller; /* "": not in the file */
    uint64_t acquires, contended;
    uint64_t wait, held, held_longest;              /* cycles */
    const char *longest_function, *longest_process; /* that held it longest */
};
/* Has the run locks? How many, and lock INDEX. */
bool results_has_locks(const struct results *results);
size_t results_lock_count(const struct results *results);
struct result_lock results_lock(const struct results *results, size_t index);

/* Misses by place */

enum miss_column {
    MISS_ROW_MODE,
    MISS_ROW_SERVICE,
    MISS_ROW_PROCESS,
    MISS_ROW_ROUTINE,
    MISS_ROW_DATA,
    MISS_ROW_CACHE,
    MISS_ROW_CLASS,
    MISS_ROW_TEXTS,
    MISS_ROW_MISSES = MISS_ROW_TEXTS,
    MISS_ROW_STALL,
    MISS_ROW_COLUMNS
};

struct miss_row {
    const char *text[MISS_ROW_TEXTS]; /* owned by the statistics */
    uint64_t misses, stall;           /* stall: cycles */
};

struct miss_rows {
    size_t at[MISS_ROW_COLUMNS]; /* where a row of the file has the column */
    size_t count;
    struct miss_row *row; /* owned */
    size_t malformed;     /* the first row of the file that is none, which is left out as all such are; or SIZE_MAX */
};

/* Read the misses by place. False if the run has none. In both cases the caller frees rows->row. */
bool miss_rows_read(const struct results *results, struct miss_rows *rows);

#endif
