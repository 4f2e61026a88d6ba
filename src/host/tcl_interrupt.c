#include "src/host/tcl_interrupt.h"

#include "src/host/end_signals.h"
#include "src/base/log.h"
#include <stdlib.h>

struct tcl_interrupt {
    Tcl_Interp *interp;
    Tcl_AsyncHandler handler;
    struct end_signals *signals;
};

/* In the thread of the signals. */
static void told(void *opaque)
{
    struct tcl_interrupt *interrupt = opaque;
    Tcl_AsyncMark(interrupt->handler);
}

/* Tcl calls it in the interpreter's thread, between two commands. Where a signal was asked for meanwhile, whoever did
 * that ends what is under way, and what is evaluated now came later. */
static int unwind(ClientData data, Tcl_Interp *interp, int code)
{
    const struct tcl_interrupt *interrupt = data;
    (void)interp;
    if (end_signals_waiting(interrupt->signals))
        Tcl_CancelEval(interrupt->interp, NULL, NULL, TCL_CANCEL_UNWIND);
    return code;
}

struct tcl_interrupt *tcl_interrupt_create(Tcl_Interp *interp, struct end_signals *signals)
{
    if (!signals)
        return NULL;
    struct tcl_interrupt *interrupt = checked_memory(calloc(1, sizeof *interrupt));
    interrupt->interp = interp;
    interrupt->signals = signals;
    interrupt->handler = Tcl_AsyncCreate(unwind, interrupt);
    end_signals_tell(signals, told, interrupt);
    return interrupt;
}

/* Tcl takes an interpreter for cancelled until a script that it has compiled comes back to the outermost level, and
 * compiles none before that: where what was unwound was not compiled (a file, TCL_EVAL_DIRECT) it would stay so. The
 * other place that ends it is behind a command in brackets, here an empty one. */
void tcl_interrupt_forget(Tcl_Interp *interp)
{
    Tcl_Token nothing = {.type = TCL_TOKEN_COMMAND, .start = "[]", .size = 2};
    if (Tcl_Canceled(interp, 0) != TCL_OK)
        Tcl_EvalTokensStandard(interp, &nothing, 1);
}

void tcl_interrupt_free(struct tcl_interrupt *interrupt)
{
    if (!interrupt)
        return;
    end_signals_tell(interrupt->signals, NULL, NULL);
    Tcl_AsyncDelete(interrupt->handler);
    free(interrupt);
}
