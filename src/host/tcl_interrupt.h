/*
 * A signal that is to end the process (src/host/end_signals.h) unwinds what a Tcl interpreter evaluates: loops, `vwait`,
 * `after`, whatever `catch` stands around them. What Tcl leaves to the host (a program that `exec` waits for, a file
 * that is not there yet) it does not end: the second signal does.
 */
#ifndef SIMOS_TCL_INTERRUPT_H
#define SIMOS_TCL_INTERRUPT_H

#include "src/base/tcl_versions.h"

struct end_signals;
struct tcl_interrupt;

/* From here on, of INTERP, which must outlive it. SIGNALS may be NULL: nothing interrupts it. */
struct tcl_interrupt *tcl_interrupt_create(Tcl_Interp *interp, struct end_signals *signals);
/* INTERP has been unwound to its outermost level: what is evaluated from now on runs. Also after Tcl_CancelEval(). */
void tcl_interrupt_forget(Tcl_Interp *interp);

/* Before SIGNALS go. NULL is allowed. */
void tcl_interrupt_free(struct tcl_interrupt *interrupt);

#endif
