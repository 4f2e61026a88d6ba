/*
 * The checker: every instruction that graduates is executed once more, in order, by the single-step engine that the
 * in-order models share (cpu/inorder/step.c), on registers of its own, and what it leaves is compared with what
 * graduated. So what graduates is what mipsy would have executed, given interrupts at the same instructions.
 *
 * What executes at the head is that engine's work already: there the checker takes over the state. Interrupts come to
 * both at the same instruction.
 */
#ifndef SIMOS_CPU_MXS_CHECKER_H
#define SIMOS_CPU_MXS_CHECKER_H

#include "src/base/types.h"

struct core;
struct mxs;
struct mxs_entry;
struct mxs_checker;

/* For CORE, from its state on. Never NULL. */
struct mxs_checker *mxs_checker_create(const struct core *core);
void mxs_checker_free(struct mxs_checker *checker);

/* More than registers may have changed since the last instruction that graduated. */
void mxs_checker_disturb(struct mxs_checker *checker);

/* ENTRY is about to graduate, from the state that CORE has. */
void mxs_checker_before(struct mxs_checker *checker, const struct core *core, const struct mxs_entry *entry);
/* It has. A difference is a bug: aborts. */
void mxs_checker_after(struct mxs_checker *checker, const struct core *core, const struct mxs_entry *entry);

#endif
