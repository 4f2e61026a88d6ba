/*
 * Kernel services by process in a statistics file (docs/reference/annotations.md); processes of the same name are
 * combined.
 */
#ifndef SIMOS_RESULTS_PROCESSES_H
#define SIMOS_RESULTS_PROCESSES_H

#include "src/base/json_file.h"
#include "src/base/types.h"

enum { KIND_INSN, KIND_DATA, KIND_COUNT };

/* The last caches that a CPU does not share (cache.l2.shared, cache.l3.shared), of instructions and of data: their
 * misses are the ones that are reported. NULL: misses are not classified. */
struct own_caches {
    const char *name[KIND_COUNT];
};

/* Whether they are of the first level. */
bool own_caches_are_first(const struct own_caches *own);

/* The use of one service by the processes of one name, summed over processes and CPUs. */
struct process_figures {
    double calls, cycles, wait, insns;
    double insn, data;   /* stall cycles */
    double misses;       /* of the last caches of its own; the next four are by class, if classified */
    double cold, others; /* others: capacity, conflict and flush misses */
    double coherence, upgrade;
    double dispatches, queued; /* times in a run queue, and cycles in it */
};

struct process_row {
    const char *name;
    struct process_figures figures;
};

/* Processes of one name. */
struct process_services {
    char name[16];
    unsigned processes;
    struct process_figures all;
    size_t count;
    struct process_row *service; /* owned, and so are its names; in order of decreasing cycles */
};

struct process_list {
    size_t count;
    struct process_services *process; /* owned; in order of decreasing non-idle cycles */
};

/* Read the processes of ANNOTATIONS, the member `annotations` of the statistics; empty if it has no services by
 * process. */
void process_list_read(struct process_list *list, const json_t *annotations, const struct own_caches *own);
void process_list_release(struct process_list *list);

/* A service with the processes that used it. */
struct service_processes {
    struct process_row row; /* its name is owned */
    size_t count;
    struct process_row *process; /* owned; their names are those of the list; in order of decreasing cycles */
};

struct service_list {
    size_t count;
    struct service_processes *service; /* owned; in order of decreasing cycles */
};

/* The services of LIST, which outlives SERVICES. */
void service_list_read(struct service_list *services, const struct process_list *list);
void service_list_release(struct service_list *services);

/* Is SERVICE the one to which idle time is charged? Is it one of the kernel: not that one, and not that of programs? */
bool service_is_idle(const char *service);
bool service_is_of_kernel(const char *service);

#endif
