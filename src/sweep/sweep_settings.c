#include "src/sweep/sweep_settings.h"

#include "src/tcl/tcl_file.h"
#include <stdlib.h>
#include <string.h>

int sweep_settings_fail(Tcl_Interp *interp, const struct err *err)
{
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err->text, -1));
    return TCL_ERROR;
}

/* The strings of WORDS from FIRST on, valid as long as WORDS. The caller frees the array. */
static const char **texts_of(int count, Tcl_Obj *const words[], int first)
{
    const char **texts = checked_memory(calloc((size_t)count + 1, sizeof *texts));
    for (int i = first; i < count; i++)
        texts[i - first] = Tcl_GetString(words[i]);
    return texts;
}

static int vary(struct sweep_settings *settings, Tcl_Interp *interp, enum sweep_axis_kind kind, const char *name,
                int count, Tcl_Obj *const words[], int first)
{
    struct err err = {""};
    const char **values = texts_of(count, words, first);
    bool done = sweep_product_set_axis(settings->product, kind, name, (unsigned)(count - first), values, &err);
    free(values);
    return done ? TCL_OK : sweep_settings_fail(interp, &err);
}

static int checkpoint_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "FILE ?FILE ...?");
        return TCL_ERROR;
    }
    return vary(data, interp, SWEEP_CHECKPOINT, "checkpoint", count, words, 1);
}

/* machine, cpu, seconds, max-insns: options of the same names. */
static int option_value_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct sweep_settings *settings = data;
    const char *name = Tcl_GetString(words[0]);
    struct err err = {""};
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "VALUE ?VALUE ...?");
        return TCL_ERROR;
    }
    for (int i = 1; i < count; i++) {
        const char *value = Tcl_GetString(words[i]);
        if (strcmp(name, "machine") == 0 && !machine_options_describe(&settings->scratch, value, &err))
            return sweep_settings_fail(interp, &err);
        if (strcmp(name, "cpu") == 0 && !params_set(settings->scratch.params, "cpu.model", value, &err))
            return sweep_settings_fail(interp, &err);
    }
    return vary(settings, interp, SWEEP_OPTION, name, count, words, 1);
}

static int param_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct sweep_settings *settings = data;
    struct err err = {""};
    if (count < 3) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME VALUE ?VALUE ...?");
        return TCL_ERROR;
    }
    for (int i = 2; i < count; i++)
        if (!params_set_named(settings->scratch.params, Tcl_GetString(words[1]), Tcl_GetString(words[i]), &err))
            return sweep_settings_fail(interp, &err);
    return vary(settings, interp, SWEEP_PARAM, Tcl_GetString(words[1]), count, words, 2);
}

/* command, option, input: all arguments form one value, a list. */
static int list_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct sweep_settings *settings = data;
    const char *name = Tcl_GetString(words[0]), *list;
    struct err err = {""};
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "WORD ?WORD ...?");
        return TCL_ERROR;
    }
    Tcl_Obj *value = Tcl_NewListObj(count - 1, words + 1);
    Tcl_IncrRefCount(value);
    list = Tcl_GetString(value);
    enum sweep_axis_kind kind = strcmp(name, "command") == 0  ? SWEEP_COMMAND
                                : strcmp(name, "option") == 0 ? SWEEP_WORDS
                                                              : SWEEP_INPUTS;
    bool done = sweep_product_set_axis(settings->product, kind, name, 1, &list, &err);
    Tcl_DecrRefCount(value);
    return done ? TCL_OK : sweep_settings_fail(interp, &err);
}

static const struct {
    const char *name;
    Tcl_ObjCmdProc *command;
} commands[] = {
    {"checkpoint", checkpoint_command},
    {"machine", option_value_command},
    {"cpu", option_value_command},
    {"seconds", option_value_command},
    {"max-insns", option_value_command},
    {"param", param_command},
    {"command", list_command},
    {"option", list_command},
    {"input", list_command},
};

void sweep_settings_begin(struct sweep_settings *settings, struct sweep_product *product, const char *origin)
{
    settings->product = product;
    machine_options_init(&settings->scratch);
    params_set_origin(settings->scratch.params, origin);
}

void sweep_settings_end(struct sweep_settings *settings)
{
    machine_options_release(&settings->scratch);
}

void sweep_settings_define(struct sweep_settings *settings, Tcl_Interp *interp)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        tcl_file_command(interp, commands[i].name, TCL_FILE_PLAIN, commands[i].command, settings);
}
