/*
 * Returns of functions, every one of them: known by the stack pointer and the return address that the caller gave
 * (o32: a function returns with the stack pointer that it was entered with). So tail calls return when their last
 * function does, and a function that is left by a longjmp has returned as soon as its stack is seen above it, or has
 * gone.
 *
 * Costs a PC hook at each return address that has ever been waited for, and nothing elsewhere.
 */
#ifndef SIMOS_ANNOTATIONS_RETURNS_H
#define SIMOS_ANNOTATIONS_RETURNS_H

#include "annotations/symbols/subject.h"

struct returns;

/* FUNCTION has returned, on CORE. LEFT: not to where it was called from. */
typedef void returns_fn(void *opaque, struct core *core, bool left);

/* STACK_OF tells whose stack CORE is on in user mode, where those of several processes may have the same addresses. */
typedef uint32_t returns_stack_fn(void *opaque, struct core *core);
struct returns *returns_create(const struct subject *subject, returns_stack_fn *stack_of, void *opaque);
void returns_free(struct returns *returns); /* NULL is fine; while the cores are there */

/* CORE is at the first instruction of a function: call BACK when this call of it returns, on whatever processor that
 * is. */
void returns_expect(struct returns *returns, struct core *core, returns_fn *back, void *opaque);

/* Nothing on the kernel's stack around SP will return any more, nor on the stack STACK of user mode: what waits there
 * has left. */
void returns_abandon(struct returns *returns, struct core *core, vaddr sp, uint32_t stack);
/* Forget what was to call BACK with OPAQUE. */
void returns_forget(struct returns *returns, returns_fn *back, const void *opaque);

#endif
