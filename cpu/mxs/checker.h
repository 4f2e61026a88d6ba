/*
 * The checker: every graduating instruction is executed a second time, in order, by the interpreter of the in-order
 * models (cpu/inorder/step.c) on a separate set of registers, and the results are compared. So mxs graduates exactly
 * what mipsy would execute, given interrupts at the same instructions.
 *
 * Instructions that execute at the head of the window use that interpreter already; after them the checker copies the
 * state. Interrupts are taken at the same instruction in both.
 */
#ifndef SIMOS_CPU_MXS_CHECKER_H
#define SIMOS_CPU_MXS_CHECKER_H

#include "src/base/types.h"

struct core;
struct mxs;
struct mxs_entry;
struct mxs_checker;

/* Create a checker for CORE, from its present state. Never NULL. */
struct mxs_checker *mxs_checker_create(const struct core *core);
void mxs_checker_free(struct mxs_checker *checker);

/* State other than registers may have changed since the last graduation. */
void mxs_checker_disturb(struct mxs_checker *checker);

/* ENTRY is about to graduate, from CORE's present state. */
void mxs_checker_before(struct mxs_checker *checker, const struct core *core, const struct mxs_entry *entry);
/* ENTRY has graduated: execute it again and compare. A difference is a bug in the simulator: aborts. */
void mxs_checker_after(struct mxs_checker *checker, const struct core *core, const struct mxs_entry *entry);

#endif
