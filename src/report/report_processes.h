/*
 * Kernel services by process (src/results/processes.h) as tables and as JSON.
 */
#ifndef SIMOS_REPORT_REPORT_PROCESSES_H
#define SIMOS_REPORT_REPORT_PROCESSES_H

#include "src/base/json_writer.h"
#include "src/results/processes.h"
#include <stdio.h>

/* Print processes with at least 1 % of the non-idle time, each with its services; then services with at least 1 %, each
 * with its processes. TITLE: heading; CLOCK_HZ: cycles per second. */
void process_list_print(const struct process_list *list, const char *title, double clock_hz, FILE *out);
/* Write a JSON array with name, number of processes, and the figures of each service. */
void process_list_write_json(const struct process_list *list, struct json_writer *json);

#endif
