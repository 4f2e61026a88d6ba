/*
 * Accounting of operating-system services: charges every cycle, stall, miss and instruction of every processor to a
 * service of the operating system, to user code or to idle, and to a process. SOSP'95 section 2.1.1: a state machine
 * for each processor and each process, and a pushdown automaton for exceptions and interrupts; tables 4.8 and 5.4 are
 * made from it.
 *
 * The automaton: an exception pushes a frame, an eret pops it. A frame belongs to the process that was current (its
 * return state is on that process's kernel stack) and follows the process through context switches. The hardware
 * identifies system calls (by number), TLB refills and interrupts. Rules at addresses of kernel functions supply what
 * only the kernel knows: that a frame is of another service, that a nested service begins, or that another process
 * becomes current. All of it runs in C; no script is evaluated.
 *
 * The counters of the modes (cpu/core.h, struct bucket) are authoritative: at every change of service their increase
 * since the last change is charged to the old service. So the accounting changes no other statistic, and its sums must
 * equal the modes': services_check().
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICES_H

#include "annotations/accounts/events.h"
#include "annotations/accounts/returns.h"
#include "annotations/services/service_types.h"

/* Begin accounting of the machine MACHINE. All arguments must outlive it. */
struct services *services_create(const struct machine_view *machine, struct events *events, struct returns *returns);
/* Must be called before the cores are freed. NULL is ignored. */
void services_free(struct services *services);

void services_set_layout(struct services *services, const struct service_layout *layout);
/* Reset all charges and counters. Processes and their open frames are kept. Between runs. */
void services_reset(struct services *services);

/* Charge everything accumulated so far. Between runs. */
void services_update(struct services *services);
/* Consistency check; settles first. On each processor, services and processes must each add up to the modes'
 * counters since the beginning; over all processors, the services of all processes must add up to the services,
 * those of each process to its modes, and the queued cycles of services to those of the run queues. False with ERR. */
bool services_check(struct services *services, struct err *err);

/* A figure of service NAME over all processors, for scripts. False if there is no such service or figure. FIGURE:
 * calls, cycles, insns, latency, ended, blocked, descheduled; of spin locks sync (cycles), acquires, contended; of
 * run queues queued (cycles), dispatches; stall (cycles), misses (of the first level). With PROCESS, only of the
 * processes with that name or pid, where sync is not available; 0 if there are none. */
bool services_figure(struct services *services, const char *name, const char *figure, const char *process,
                     uint64_t *value);
#endif
