/*
 * Run queues: runnable processes that are not running.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_QUEUES_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_QUEUES_H

#include "annotations/services/service_types.h"
#include "src/base/json_writer.h"
#include <stdio.h>

/* Sum of the waiting times (cycles) in the run queue of CPU, up to now. Between turns. */
cycles services_queued(struct services *services, unsigned cpu);
/* TASK has become runnable on PROCESSOR without running. Ignored for idle tasks, the unknown task, and tasks in a
 * queue. */
void service_queue_enter(struct services *services, struct task *task, unsigned processor, cycles now);
/* TASK is dispatched: remove it from its queue. Returns the cycles in queues since it became runnable; 0 if in none. */
cycles service_queue_leave(struct services *services, struct task *task, cycles now);
/* Move TASK to the queue of PROCESSOR, if it is in another one. */
void service_queue_move(struct services *services, struct task *task, unsigned processor, cycles now);
/* The processor whose run queue TASK is in, from the kernel's thread_info.cpu, read through CORE. */
unsigned service_queue_of(const struct services *services, struct core *core, const struct task *task);
/* Account the length of QUEUE up to time NOW. */
void service_queue_update(struct run_queue *queue, cycles now);
/* Reset the counters of all queues; processes stay in their queues. */
void service_queues_reset(struct services *services);
/* Check that the waiting times of processes and services agree. */
bool service_queues_check(const struct services *services, struct err *err);
void service_queues_print(const struct services *services, FILE *out);
void service_queues_write_json(const struct services *services, struct json_writer *json);

#endif
