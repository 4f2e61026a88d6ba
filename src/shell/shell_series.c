/* The past of a run that has ended: the checkpoints of its series, and its record, which repeats what lies between
 * them. */
#include "src/machine/recorded_options.h"
#include "src/observe/annotated.h"
#include "src/shell/shell_state.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool restore(struct shell *shell, const char *path, struct err *err)
{
    return shell_do(shell, "restore", Tcl_NewStringObj(path, -1)) == TCL_OK ||
           err_set(err, "%s", Tcl_GetStringResult(shell->interp));
}

/* This process is a copy of the present. The present's machine is left as it is: its files are the present's too. */
struct machine *shell_series_load(void *opaque, const char *path, struct err *err)
{
    struct shell *shell = opaque;
    shell_breaks_remove(shell);
    shell_annotate_end(shell);
    shell->in_past = shell->silent = true;
    shell->history = NULL;
    shell->machine = NULL;
    shell->named = NULL;
    shell->cpu = 0;
    replay_rewind(shell->options->replay);
    return restore(shell, path, err) ? shell->machine : NULL;
}

/* Where the checkpoint is now: beside the others in FOLDER, to be freed. */
static char *path_in(const char *folder, const struct replay_checkpoint *checkpoint)
{
    const char *slash = strrchr(checkpoint->path, '/'), *name = slash ? slash + 1 : checkpoint->path;
    char *path = NULL;
    size_t size;
    FILE *out = shell_text_open(&path, &size);
    fprintf(out, "%s/%s", folder, name);
    fclose(out);
    return path;
}

/* The checkpoints of the record: all, or so many of them that are apart. The paths live as long as this process. */
static void add_files(struct shell *shell, const struct replay_machine *machine, const char *folder)
{
    size_t count = 0;
    while (replay_checkpoint(machine, count))
        count++;
    const size_t step = (count + HISTORY_FILES_MAX - 1) / HISTORY_FILES_MAX;
    for (size_t i = 0; i < count; i += step) {
        const struct replay_checkpoint *checkpoint = replay_checkpoint(machine, i);
        if (checkpoint->cpus != shell->machine->cpus)
            continue;
        const struct history_file file = {.path = path_in(folder, checkpoint),
                                          .at = {checkpoint->position.time, checkpoint->position.insns},
                                          .cpu_insns = checkpoint->cpu_insns};
        history_add_file(shell->history, &file);
    }
}

/* Repeat the run up to its end: the instructions first, then the time that passed without one. */
static bool run_to_end(struct shell *shell, const struct record_position *end, struct err *err)
{
    const struct machine_limits insns = {CYCLES_NEVER, end->insns}, time = {end->time, UINT64_MAX};
    enum machine_stop reason = MACHINE_STOP_INSNS;
    shell->silent = true;
    shell_run_begin(shell, NULL);
    if (machine_insns(shell->machine) < end->insns)
        reason = annotated_run(shell->annotate, shell->machine, &insns);
    if (reason == MACHINE_STOP_INSNS && machine_now(shell->machine) < end->time)
        reason = annotated_run(shell->annotate, shell->machine, &time);
    shell_run_end(shell);
    shell->silent = false;
    return reason != MACHINE_STOP_FAILED || err_set(err, "%s", shell->machine->failure.text);
}

bool shell_series_open(struct shell *shell, const char *folder, struct err *err)
{
    const struct replay_machine *machine = replay_peek(shell->options->replay, err);
    const struct replay_checkpoint *last = NULL, *next;
    if (!machine)
        return false;
    for (size_t i = 0; (next = replay_checkpoint(machine, i)); i++)
        last = next;
    if (!last)
        return err_set(err, "%.200s: the recorded run saved no checkpoint", replay_path(shell->options->replay));
    char *path = path_in(folder, last);
    const bool restored = restore(shell, path, err);
    free(path);
    if (!restored)
        return false;
    const struct record_position end = replay_end(machine);
    add_files(shell, machine, folder);
    return run_to_end(shell, &end, err);
}
