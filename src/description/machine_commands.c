#include "src/description/machine_commands.h"

#include "src/description/machine_file.h"
#include "src/tcl/tcl_file.h"
#include <string.h>

enum { NAME_SIZE = 128 };

static int fail(Tcl_Interp *interp, const char *text)
{
    Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
    return TCL_ERROR;
}

static int set_param(Tcl_Interp *interp, struct params *params, const char *name, Tcl_Obj *value)
{
    struct err err = {""};
    return params_set_named(params, name, Tcl_GetString(value), &err) ? TCL_OK : fail(interp, err.text);
}

static int param_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    if (count != 3) {
        Tcl_WrongNumArgs(interp, 1, words, "name value");
        return TCL_ERROR;
    }
    return set_param(interp, data, Tcl_GetString(words[1]), words[2]);
}

static int like_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)data;
    struct err err = {""};
    if (count != 2) {
        Tcl_WrongNumArgs(interp, 1, words, "name");
        return TCL_ERROR;
    }
    const char *text = machine_text_find(Tcl_GetString(words[1]), &err);
    return text ? Tcl_Eval(interp, text) : fail(interp, err.text);
}

/* The command's name is the first part of the parameter names; the words before the first key follow. */
static int group_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    char name[NAME_SIZE];
    int at = 1;
    snprintf(name, sizeof name, "%s", Tcl_GetString(words[0]));
    for (; at < count && Tcl_GetString(words[at])[0] != '-'; at++)
        snprintf(name + strlen(name), sizeof name - strlen(name), ".%s", Tcl_GetString(words[at]));
    size_t group = strlen(name);
    if (at == count) {
        Tcl_WrongNumArgs(interp, 1, words, "?member? -key value ?-key value ...?");
        return TCL_ERROR;
    }
    for (; at < count; at += 2) {
        const char *key = Tcl_GetString(words[at]);
        if (key[0] != '-' || at + 1 == count) {
            Tcl_SetObjResult(
                interp, Tcl_ObjPrintf(key[0] == '-' ? "%s: %.64s has no value" : "%s: \"%.64s\" where -KEY is expected",
                                      Tcl_GetString(words[0]), key));
            return TCL_ERROR;
        }
        snprintf(name + group, sizeof name - group, ".%s", key + 1);
        if (set_param(interp, data, name, words[at + 1]) != TCL_OK)
            return TCL_ERROR;
    }
    return TCL_OK;
}

void machine_commands_add(Tcl_Interp *interp, struct params *params)
{
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        char group[NAME_SIZE];
        snprintf(group, sizeof group, "%.*s", (int)strcspn(def->name, "."), def->name);
        tcl_file_command(interp, group, TCL_FILE_PLAIN, group_command, params);
    }
    tcl_file_command(interp, "param", TCL_FILE_PLAIN, param_command, params);
    tcl_file_command(interp, "like", TCL_FILE_INLINE, like_command, NULL);
}
