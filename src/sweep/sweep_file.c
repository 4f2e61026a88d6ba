#include "src/sweep/sweep_file.h"

#include "src/base/input_file.h"
#include "src/host/tcl_file.h"
#include "src/sweep/sweep_product.h"
#include <stdlib.h>
#include <string.h>

struct reading {
    struct sweep_file *file;
    struct sweep_product *product; /* current settings: of the file, or of a job */
    bool in_job, has_jobs;
    struct machine_options scratch; /* to validate values */
};

static int fail(Tcl_Interp *interp, const struct err *err)
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

static int vary(struct reading *reading, Tcl_Interp *interp, enum sweep_axis_kind kind, const char *name, int count,
                Tcl_Obj *const words[], int first)
{
    struct err err = {""};
    const char **values = texts_of(count, words, first);
    bool done = sweep_product_set_axis(reading->product, kind, name, (unsigned)(count - first), values, &err);
    free(values);
    return done ? TCL_OK : fail(interp, &err);
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
    struct reading *reading = data;
    const char *name = Tcl_GetString(words[0]);
    struct err err = {""};
    if (count < 2) {
        Tcl_WrongNumArgs(interp, 1, words, "VALUE ?VALUE ...?");
        return TCL_ERROR;
    }
    for (int i = 1; i < count; i++) {
        const char *value = Tcl_GetString(words[i]);
        if (strcmp(name, "machine") == 0 && !machine_options_describe(&reading->scratch, value, &err))
            return fail(interp, &err);
        if (strcmp(name, "cpu") == 0 && !params_set(reading->scratch.params, "cpu.model", value, &err))
            return fail(interp, &err);
    }
    return vary(reading, interp, SWEEP_OPTION, name, count, words, 1);
}

static int param_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct reading *reading = data;
    struct err err = {""};
    if (count < 3) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME VALUE ?VALUE ...?");
        return TCL_ERROR;
    }
    for (int i = 2; i < count; i++)
        if (!params_set(reading->scratch.params, Tcl_GetString(words[1]), Tcl_GetString(words[i]), &err))
            return fail(interp, &err);
    return vary(reading, interp, SWEEP_PARAM, Tcl_GetString(words[1]), count, words, 2);
}

/* command, option, input: all arguments form one value, a list. */
static int list_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct reading *reading = data;
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
    bool done = sweep_product_set_axis(reading->product, kind, name, 1, &list, &err);
    Tcl_DecrRefCount(value);
    return done ? TCL_OK : fail(interp, &err);
}

static int slurm_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct reading *reading = data;
    for (int i = 1; i < count; i++) {
        const char *word = Tcl_GetString(words[i]);
        if (strncmp(word, "--", 2) != 0 || strpbrk(word, "\n\r")) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("slurm: \"%.64s\" is not --NAME or --NAME=VALUE on one line", word));
            return TCL_ERROR;
        }
        if (reading->file->slurm_count == SWEEP_FILE_SLURM_MAX) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("slurm: at most %d options", SWEEP_FILE_SLURM_MAX));
            return TCL_ERROR;
        }
        reading->file->slurm[reading->file->slurm_count++] = checked_memory(strdup(word));
    }
    return TCL_OK;
}

static int job_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct reading *reading = data;
    struct sweep_product *common = reading->product, own;
    struct err err = {""};
    if (count != 3) {
        Tcl_WrongNumArgs(interp, 1, words, "NAME SCRIPT");
        return TCL_ERROR;
    }
    if (reading->in_job) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("a job within a job", -1));
        return TCL_ERROR;
    }
    sweep_product_copy(&own, common);
    reading->product = &own;
    reading->in_job = reading->has_jobs = true;
    int status = Tcl_EvalObjEx(interp, words[2], 0);
    reading->product = common;
    reading->in_job = false;
    if (status == TCL_OK && !sweep_product_add_jobs(&own, Tcl_GetString(words[1]), &reading->file->jobs, &err))
        status = fail(interp, &err);
    sweep_product_release(&own);
    return status;
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
    {"slurm", slurm_command},
    {"job", job_command},
};

bool sweep_file_parse(struct sweep_file *file, const char *path, const char *text, bool trusted,
                      run_options_parser *parse, struct err *err)
{
    struct sweep_product product = {0};
    struct reading reading = {.file = file, .product = &product};
    struct err reason = {""};
    Tcl_Interp *interp = tcl_file_interp();
    *file = (struct sweep_file){0};
    machine_options_init(&reading.scratch);
    params_set_origin(reading.scratch.params, trusted ? NULL : path);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        tcl_file_command(interp, commands[i].name, commands[i].command == job_command ? TCL_FILE_BLOCK : TCL_FILE_PLAIN,
                         commands[i].command, &reading);
    bool done = tcl_file_eval(interp, "sweep", path, text, err);
    if (done && !reading.has_jobs)
        done = sweep_product_add_jobs(&product, "", &file->jobs, &reason);
    if (done)
        done = sweep_jobs_check(&file->jobs, trusted ? NULL : path, parse, &reason);
    if (!done && reason.text[0])
        err_set(err, "sweep %.128s: %s", path, reason.text);
    machine_options_release(&reading.scratch);
    sweep_product_release(&product);
    tcl_file_interp_free(interp);
    return done;
}

bool sweep_file_read(struct sweep_file *file, const char *path, bool trusted, run_options_parser *parse,
                     struct err *err)
{
    *file = (struct sweep_file){0};
    char *text = input_file_text(INPUT_SWEEP, path, err);
    bool done = text && sweep_file_parse(file, path, text, trusted, parse, err);
    free(text);
    return done;
}

void sweep_file_release(struct sweep_file *file)
{
    sweep_jobs_release(&file->jobs);
    for (unsigned i = 0; i < file->slurm_count; i++)
        free(file->slurm[i]);
    *file = (struct sweep_file){0};
}
