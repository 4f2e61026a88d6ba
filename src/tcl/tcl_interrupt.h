/*
 * A signal that ends the process (src/host/end_signals.h) unwinds the evaluation of a Tcl interpreter: loops, `vwait`,
 * `after`, even inside `catch`. Blocking system calls of Tcl (waiting for a program of `exec`, or for a file) are not
 * interrupted: the second signal ends them.
 */
#ifndef SIMOS_TCL_TCL_INTERRUPT_H
#define SIMOS_TCL_TCL_INTERRUPT_H

#include "src/tcl/tcl_versions.h"

struct end_signals;
struct tcl_interrupt;

/* Interrupt INTERP from here on; INTERP must outlive the result. SIGNALS may be NULL: no interruption. */
struct tcl_interrupt *tcl_interrupt_create(Tcl_Interp *interp, struct end_signals *signals);
/* INTERP was unwound to its outermost level: clear the cancellation. Also after Tcl_CancelEval(). */
void tcl_interrupt_reset(Tcl_Interp *interp);

/* Free, before SIGNALS are freed. NULL is allowed. */
void tcl_interrupt_free(struct tcl_interrupt *interrupt);

#endif
