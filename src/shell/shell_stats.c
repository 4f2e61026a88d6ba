/* The shell's statistics. */
#include "src/machine/machine_text.h"
#include "src/base/suggest.h"
#include "src/shell/shell_state.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 9007199254740992.0 /* 2^53: a double represents every integer up to this exactly */

static Tcl_Obj *value_of(const struct stats *stats, const char *name)
{
    double value = 0;
    const char *text = stats_text_value(stats, name);
    if (text)
        return Tcl_NewStringObj(text, -1);
    stats_value(stats, name, &value);
    if (isnan(value))
        return Tcl_NewStringObj("null", -1);
    if (value == floor(value) && fabs(value) <= EXACT_MAX)
        return Tcl_NewWideIntObj((Tcl_WideInt)value);
    return Tcl_NewDoubleObj(value);
}

static int list_stats(struct shell *shell, const char *pattern)
{
    const struct stats *stats = shell->machine->stats;
    const char *name;
    char *text = NULL;
    size_t size;
    bool any = false;
    Tcl_Obj *dict = Tcl_NewDictObj();
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    for (size_t i = 0; (name = stats_name_at(stats, i)); i++) {
        if (pattern && !Tcl_StringMatch(name, pattern))
            continue;
        any = true;
        Tcl_Obj *value = value_of(stats, name);
        Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(name, -1), value);
        if (out)
            machine_text_statistic(shell->machine, name, Tcl_GetString(value), out);
    }
    if (out)
        fclose(out);
    if (!any) {
        Tcl_DecrRefCount(dict);
        free(text);
        struct suggest suggest;
        suggest_begin(&suggest, pattern);
        for (size_t i = 0; (name = stats_name_at(stats, i)); i++)
            suggest_offer(&suggest, name);
        return shell_error(shell, "no statistic matches \"%s\"%s%s%s", pattern,
                           suggest.nearest ? "; did you mean \"" : "", suggest.nearest ? suggest.nearest : "",
                           suggest.nearest ? "\"?" : "");
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

/* A list of the unit and the meaning of statistic NAME. */
static int describe_statistic(struct shell *shell, Tcl_Interp *interp, const char *name)
{
    const char *unit, *text = stats_describe(shell->machine->stats, name, &unit);
    if (!text)
        return shell_error(shell, "no statistic \"%s\"", name);
    Tcl_Obj *const words[] = {Tcl_NewStringObj(unit, -1), Tcl_NewStringObj(text, -1)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, words));
    return TCL_OK;
}

static int save_stats(struct shell *shell, Tcl_Interp *interp, const char *path)
{
    struct err err = {""};
    if (!shell_check_output(shell, "stats save", path, &err) || !stats_save_json(shell->machine->stats, path, &err))
        return shell_error(shell, "%s", err.text);
    Tcl_ResetResult(interp);
    return TCL_OK;
}

static int stats_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    const char *first = count > 1 ? Tcl_GetString(words[1]) : NULL;
    const bool saves = first && strcmp(first, "save") == 0, describes = first && strcmp(first, "describe") == 0;
    if (count > 3 || (count == 3) != (saves || describes))
        return shell_usage(shell, words, saves ? "save FILE" : describes ? "describe NAME" : "?PATTERN?");
    if (shell_need_machine(shell) != TCL_OK)
        return TCL_ERROR;
    return saves       ? save_stats(shell, interp, Tcl_GetString(words[2]))
           : describes ? describe_statistic(shell, interp, Tcl_GetString(words[2]))
                       : list_stats(shell, first);
}

const struct shell_command shell_stats_commands[] = {
    {"stats", "?PATTERN? | describe NAME | save FILE",
     "a dict of the statistics (that match PATTERN); what one counts; or save all as JSON",
     "    PATTERN is like a file pattern: stats cpu0.*; a name alone gives a dict of one. describe gives a list of "
     "unit\n"
     "    and meaning.",
     stats_command, SHELL_AT_PLACE},
    {0},
};
