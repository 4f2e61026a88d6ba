#include "src/tcl_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MAX = 1 << 20, /* bytes */
    COMMANDS = 1000000, /* a file that runs more is in a loop */
    SECONDS = 5,        /* the same, for loops that Tcl does not count */
};

char *tcl_file_read(const char *what, const char *path, struct err *err)
{
    FILE *in = fopen(path, "r");
    if (!in) {
        err_set(err, "%s %s: %s", what, path, strerror(errno));
        return NULL;
    }
    char *text = checked_memory(malloc(FILE_MAX + 1));
    size_t length = fread(text, 1, FILE_MAX + 1, in);
    bool failed = ferror(in);
    int reason = errno;
    fclose(in);
    if (failed)
        err_set(err, "%s %s: %s", what, path, strerror(reason));
    else if (length > FILE_MAX)
        err_set(err, "%s %s: longer than %d bytes", what, path, FILE_MAX);
    else if (memchr(text, 0, length))
        err_set(err, "%s %s: is no text, it has bytes of value 0", what, path);
    else {
        text[length] = 0;
        return text;
    }
    free(text);
    return NULL;
}

Tcl_Interp *tcl_file_interp(void)
{
    Tcl_Interp *interp = Tcl_CreateChild(Tcl_CreateInterp(), "file", true);
    Tcl_Time end;
    Tcl_LimitSetCommands(interp, COMMANDS);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_COMMANDS);
    Tcl_GetTime(&end);
    end.sec += SECONDS;
    Tcl_LimitSetTime(interp, &end);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_TIME);
    return interp;
}

void tcl_file_interp_free(Tcl_Interp *interp)
{
    Tcl_DeleteInterp(Tcl_GetParent(interp));
}

bool tcl_file_eval(Tcl_Interp *interp, const char *what, const char *path, const char *text, struct err *err)
{
    return Tcl_Eval(interp, text) == TCL_OK ||
           err_set(err, "%s %s, line %d: %s", what, path, Tcl_GetErrorLine(interp), Tcl_GetStringResult(interp));
}
