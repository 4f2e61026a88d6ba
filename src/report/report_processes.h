/*
 * Kernel services by process in a statistics file (docs/reference/annotations.md); processes of the same name are
 * combined.
 */
#ifndef SIMOS_REPORT_REPORT_PROCESSES_H
#define SIMOS_REPORT_REPORT_PROCESSES_H

#include "src/base/json_file.h"
#include "src/base/json_writer.h"
#include "src/base/types.h"

/* The use of one service by the processes of one name, summed over processes and CPUs. */
struct process_figures {
    double calls, cycles, wait, insns;
    double insn, data;   /* stall cycles */
    double misses;       /* of the outermost cache; the next four are by class, if classified */
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
 * process. OUTERMOST: name of the cache whose misses are counted by class; NULL: none. */
void process_list_read(struct process_list *list, const json_t *annotations, const char *outermost);
void process_list_release(struct process_list *list);

/* Print processes with at least 1 % of the non-idle time, each with its services; then services with at least 1 %, each
 * with its processes. TITLE: heading; CLOCK_HZ: cycles per second. */
void process_list_print(const struct process_list *list, const char *title, double clock_hz, FILE *out);
/* Write a JSON array with name, number of processes, and the figures of each service. */
void process_list_write_json(const struct process_list *list, struct json_writer *json);

#endif
