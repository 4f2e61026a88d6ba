/*
 * Processes, identified by the address of their task_struct, which is found from the kernel stack.
 */
#ifndef SIMOS_ANNOTATIONS_SERVICES_SERVICE_TASKS_H
#define SIMOS_ANNOTATIONS_SERVICES_SERVICE_TASKS_H

#include "annotations/services/service_types.h"

/* A process as reported to callers. */
struct service_process {
    vaddr task; /* 0: unknown */
    unsigned pid, tgid;
    const char *name;
};
/* The process that is current on CORE. */
struct service_process services_current_process(struct services *services, struct core *core);
/* The process whose task_struct is at ADDRESS, read through CORE. */
struct service_process services_process_at(struct services *services, struct core *core, vaddr address);

/* The task with its task_struct at ADDRESS, created if necessary. With TASKS_MAX live tasks: CORE's unknown task. */
struct task *task_find(struct services *services, struct core *core, vaddr address);
/* End TASK, unless it is current on a CPU: close its open frames and free its address for another task. */
void task_end(struct services *services, struct core *core, struct task *task);
/* A new task at ADDRESS; a previous task with this address is ended. */
struct task *task_create(struct services *services, struct core *core, vaddr address);
/* Charge what accumulated on PERCPU's processor since its task became current to that task. */
void task_charge_modes(struct service_cpu *percpu);
/* Address of the task_struct of the process that CORE runs, from registers and kernel memory; 0: unknown. */
vaddr task_address(const struct services *services, struct core *core);
void task_free_all(struct services *services);
/* Reset the counters of TASK. */
void task_reset(struct services *services, struct task *task);

#endif
