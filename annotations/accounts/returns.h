/*
 * Detects the return of every call of a function, from the stack pointer and the return address at its entry (o32: a
 * function returns with the stack pointer that it was entered with). Tail calls return when the last function of the
 * chain does. A function that is left by a longjmp counts as returned as soon as the stack pointer is seen above its
 * frame, or the process ends.
 *
 * Costs a PC hook at each return address that has ever been expected, and nothing elsewhere.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_RETURNS_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_RETURNS_H

#include "annotations/symbols/machine_view.h"

struct returns;

/* A function has returned, on CORE. LEFT: abandoned (longjmp, end of the process) instead of returned to its caller. */
typedef void returns_fn(void *opaque, struct core *core, bool left);

/* Identifies the stack that CORE uses in user mode (nonzero), as processes may have stacks at the same addresses. */
typedef uint32_t returns_stack_id_fn(void *opaque, struct core *core);
struct returns *returns_create(const struct machine_view *machine, returns_stack_id_fn *stack_of, void *opaque);
void returns_free(struct returns *returns); /* must be called before the cores are freed; NULL is ignored */

/* CORE is at the first instruction of a function: call BACK with OPAQUE once when this call returns, on whatever
 * processor that is. */
void returns_watch_call(struct returns *returns, struct core *core, returns_fn *back, void *opaque);

/* Report all pending calls on the kernel stack around SP, and on the user-mode stack STACK, as left. */
void returns_discard_stack(struct returns *returns, struct core *core, vaddr sp, uint32_t stack);
/* Drop the pending calls that were registered with BACK and OPAQUE. */
void returns_cancel(struct returns *returns, returns_fn *back, const void *opaque);

#endif
