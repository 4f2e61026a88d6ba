#include "src/tcl/tcl_interrupt.h"

#include "src/host/end_signals.h"
#include "src/base/log.h"
#include <stdlib.h>

struct tcl_interrupt {
    Tcl_Interp *interp;
    Tcl_AsyncHandler handler;
    struct end_signals *signals;
};

/* Observer, called in the signal thread. */
static void signal_arrived(void *opaque)
{
    struct tcl_interrupt *interrupt = opaque;
    Tcl_AsyncMark(interrupt->handler);
}

/* Called by Tcl in the interpreter's thread, between two commands. If the signal was already checked, the checking code
 * ends the operation, and the present evaluation is a later one. */
static int unwind(ClientData data, Tcl_Interp *interp, int code)
{
    const struct tcl_interrupt *interrupt = data;
    (void)interp;
    if (end_signals_peek(interrupt->signals))
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
    end_signals_set_observer(signals, signal_arrived, interrupt);
    return interrupt;
}

/* Tcl keeps an interpreter cancelled until a compiled script returns to the outermost level, and compiles none while
 * cancelled: after an uncompiled evaluation (a file, TCL_EVAL_DIRECT) it would stay cancelled. The flag is also cleared
 * behind a command substitution, so an empty one is evaluated. */
void tcl_interrupt_reset(Tcl_Interp *interp)
{
    Tcl_Token nothing = {.type = TCL_TOKEN_COMMAND, .start = "[]", .size = 2};
    if (Tcl_Canceled(interp, 0) != TCL_OK)
        Tcl_EvalTokensStandard(interp, &nothing, 1);
}

void tcl_interrupt_free(struct tcl_interrupt *interrupt)
{
    if (!interrupt)
        return;
    end_signals_set_observer(interrupt->signals, NULL, NULL);
    Tcl_AsyncDelete(interrupt->handler);
    free(interrupt);
}
