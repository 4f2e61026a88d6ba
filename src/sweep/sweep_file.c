#include "src/sweep/sweep_file.h"

#include "src/base/input_file.h"
#include "src/tcl/tcl_file.h"
#include "src/sweep/sweep_settings.h"
#include <stdlib.h>
#include <string.h>

struct reading {
    struct sweep_settings settings; /* current settings: of the file, or of a job */
    struct sweep_file *file;
    bool in_job, has_jobs;
};

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
    struct sweep_product *common = reading->settings.product, own;
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
    reading->settings.product = &own;
    reading->in_job = reading->has_jobs = true;
    int status = Tcl_EvalObjEx(interp, words[2], 0);
    reading->settings.product = common;
    reading->in_job = false;
    if (status == TCL_OK && !sweep_product_add_jobs(&own, Tcl_GetString(words[1]), &reading->file->jobs, &err))
        status = sweep_settings_fail(interp, &err);
    sweep_product_release(&own);
    return status;
}

bool sweep_file_parse(struct sweep_file *file, const char *path, const char *text, bool trusted,
                      const struct commands *commands, struct err *err)
{
    struct sweep_product product = {0};
    struct reading reading = {.file = file};
    struct err reason = {""};
    Tcl_Interp *interp = tcl_file_interp();
    *file = (struct sweep_file){0};
    sweep_settings_begin(&reading.settings, &product, trusted ? NULL : path);
    sweep_settings_define(&reading.settings, interp);
    tcl_file_command(interp, "slurm", TCL_FILE_PLAIN, slurm_command, &reading);
    tcl_file_command(interp, "job", TCL_FILE_BLOCK, job_command, &reading);
    bool done = tcl_file_eval(interp, "sweep", path, text, err);
    if (done && !reading.has_jobs)
        done = sweep_product_add_jobs(&product, "", &file->jobs, &reason);
    if (done)
        done = sweep_jobs_check(&file->jobs, trusted ? NULL : path, commands, &reason);
    if (!done && reason.text[0])
        err_set(err, "sweep %.128s: %s", path, reason.text);
    sweep_settings_end(&reading.settings);
    sweep_product_release(&product);
    tcl_file_interp_free(interp);
    return done;
}

bool sweep_file_read(struct sweep_file *file, const char *path, bool trusted, const struct commands *commands,
                     struct err *err)
{
    *file = (struct sweep_file){0};
    char *text = input_file_text(INPUT_SWEEP, path, err);
    bool done = text && sweep_file_parse(file, path, text, trusted, commands, err);
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
