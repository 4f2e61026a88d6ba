#include "src/machine_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tcl.h>

enum {
    MACHINE_FILE_MAX = 1 << 20,      /* bytes */
    MACHINE_FILE_COMMANDS = 1000000, /* a description that runs more is in a loop */
    MACHINE_FILE_SECONDS = 5,        /* the same, for loops that Tcl does not count */
    VALUE_SIZE = 4200                /* longest parameter value and its end */
};

/* Machines of the paper that need a CPU model which is not there. Their names must not be taken for something else. */
static const struct {
    const char *name, *needs;
} future_machines[] = {
    {"1996", "the CPU model mxs"},
    {"1998", "the CPU model mxs"},
};

/* param NAME VALUE */
static int param_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct params *params = data;
    struct err err = {""};
    if (count != 3) {
        Tcl_WrongNumArgs(interp, 1, words, "name value");
        return TCL_ERROR;
    }
    if (params_set(params, Tcl_GetString(words[1]), Tcl_GetString(words[2]), &err))
        return TCL_OK;
    Tcl_SetObjResult(interp, Tcl_NewStringObj(err.text, -1));
    return TCL_ERROR;
}

static void copy_values(struct params *to, const struct params *from)
{
    const struct param_def *def;
    char value[VALUE_SIZE];
    for (size_t i = 0; (def = params_at(from, i)); i++)
        if (params_text(from, def->name, value, sizeof value) && !params_set(to, def->name, value, NULL))
            log_bug("%s cannot be set to its own value %s", def->name, value);
}

bool machine_file_apply_text(struct params *params, const char *name, const char *text, struct err *err)
{
    Tcl_Interp *interp = Tcl_CreateInterp();
    struct params *copy = params_copy(params);
    Tcl_MakeSafe(interp);
    Tcl_LimitSetCommands(interp, MACHINE_FILE_COMMANDS);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_COMMANDS);
    Tcl_Time end;
    Tcl_GetTime(&end);
    end.sec += MACHINE_FILE_SECONDS;
    Tcl_LimitSetTime(interp, &end);
    Tcl_LimitTypeSet(interp, TCL_LIMIT_TIME);
    Tcl_CreateObjCommand(interp, "param", param_command, copy, NULL);
    bool done = Tcl_Eval(interp, text) == TCL_OK;
    if (done)
        copy_values(params, copy);
    else
        err_set(err, "machine %s, line %d: %s", name, Tcl_GetErrorLine(interp), Tcl_GetStringResult(interp));
    params_free(copy);
    Tcl_DeleteInterp(interp);
    return done;
}

static char *read_text(const char *path, struct err *err)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        err_set(err, "machine %s: neither a built-in machine (%s) nor a file: %s", path, machine_texts[0].name,
                strerror(errno));
        return NULL;
    }
    char *text = malloc(MACHINE_FILE_MAX + 1);
    if (!text)
        log_bug("out of memory");
    size_t length = fread(text, 1, MACHINE_FILE_MAX + 1, file);
    bool failed = ferror(file);
    int reason = errno;
    fclose(file);
    if (failed)
        err_set(err, "machine %s: %s", path, strerror(reason));
    else if (length > MACHINE_FILE_MAX)
        err_set(err, "machine %s: longer than %d bytes", path, MACHINE_FILE_MAX);
    else {
        text[length] = 0;
        return text;
    }
    free(text);
    return NULL;
}

static void make_label(const char *name, char *label, size_t size)
{
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".tcl") == 0)
        length -= 4;
    snprintf(label, size, "%.*s", (int)length, base);
}

bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err)
{
    bool done = false;
    const struct machine_text *known = machine_texts;
    while (known->name && strcmp(known->name, name) != 0)
        known++;
    if (known->name)
        done = machine_file_apply_text(params, name, known->text, err);
    else {
        for (size_t i = 0; i < sizeof future_machines / sizeof future_machines[0]; i++)
            if (strcmp(future_machines[i].name, name) == 0)
                return err_set(err, "machine %s needs %s, which this version does not have; known: %s or FILE.tcl",
                               name, future_machines[i].needs, machine_texts[0].name);
        char *text = read_text(name, err);
        done = text && machine_file_apply_text(params, name, text, err);
        free(text);
    }
    if (done)
        make_label(name, label, size);
    return done;
}
