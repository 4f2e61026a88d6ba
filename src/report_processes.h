/*
 * What a file of statistics says of services by process (docs/reference/annotation-services.md): of all processes of a
 * name together.
 */
#ifndef SIMOS_REPORT_PROCESSES_H
#define SIMOS_REPORT_PROCESSES_H

#include "src/json_file.h"
#include "src/types.h"

/* What processes of one name have got of one service, on all CPUs; of several by addition. */
struct process_figures {
    double calls, cycles, wait, insns;
    double insn, data;   /* stall cycles */
    double misses;       /* of the outermost cache, of these by class (if they were classified): */
    double cold, others; /* others: lines that had been there, and went to make room or were flushed */
    double coherence, upgrade;
    double queuings, queued; /* times in a run queue, cycles there */
};

struct process_row {
    const char *name;
    struct process_figures figures;
};

/* Of a process name. */
struct process_services {
    char name[16];
    unsigned processes;
    struct process_figures all;
    size_t count;
    struct process_row *service; /* owned; names too; most cycles first */
};

struct process_list {
    size_t count;
    struct process_services *process; /* owned; most cycles but idle ones first */
};

/* The processes of ANNOTATIONS, the object of that name; none if it has none with their services. OUTERMOST: the name
 * of the cache whose misses are counted by class, NULL if none are. */
void process_list_read(struct process_list *list, const json_t *annotations, const char *outermost);
void process_list_release(struct process_list *list);

/* As text, titled TITLE: the processes with 1 % of the time that is not idle, each with its services; then the services
 * with 1 % of it, each with the processes that it is for. CLOCK_HZ: cycles a second. */
void process_list_print(const struct process_list *list, const char *title, double clock_hz, FILE *out);
/* As a JSON array: name, processes, and by service the figures. */
void process_list_write_json(const struct process_list *list, FILE *out);

#endif
