/* The shell's commands for checkpoints: saving the machine, now or at an event, and restoring one. */
#include "src/observe/annotated.h"
#include "src/machine/machine_event.h"
#include "src/machine/machine_saved.h"
#include "src/machine/recorded_options.h"
#include "src/run/restore.h"
#include "src/machine/save_request.h"
#include "src/shell/shell_state.h"
#include <stdlib.h>
#include <string.h>

/* Saving */

static int save_now(struct shell *shell, const char *path, const char *event)
{
    struct err err = {""};
    return machine_save(shell->machine, event, path, &err) ? TCL_OK : shell_error(shell, "%s", err.text);
}

/* During a run: save when the current instruction is complete. */
static int save_soon(struct shell *shell, const char *path)
{
    struct err err = {""};
    return save_request_add(shell->machine, path, &err) ? TCL_OK : shell_error(shell, "%s", err.text);
}

static void cancel_pending(struct shell *shell)
{
    free(shell->save.path);
    free(shell->save.event);
    shell->save.path = shell->save.event = NULL;
}

void shell_checkpoint_discard(struct shell *shell)
{
    cancel_pending(shell);
}

static int save_later(struct shell *shell, const char *path, const char *text)
{
    struct machine_event event;
    struct err err = {""};
    if (!machine_event_parse(&event, text, &err))
        return shell_error(shell, "%s", err.text);
    if (shell_build(shell) != TCL_OK)
        return TCL_ERROR;
    if (!machine_can_save(shell->machine, "checkpoint", &err))
        return shell_error(shell, "%s", err.text);
    cancel_pending(shell);
    shell->save.path = checked_memory(strdup(path));
    shell->save.event = checked_memory(strdup(text));
    machine_pause_when(shell->machine, &event);
    return TCL_OK;
}

int shell_checkpoint_run(struct shell *shell, const struct machine_limits *limits, enum machine_stop *reason)
{
    int code = TCL_OK;
    *reason = annotated_run(shell->annotate, shell->machine, limits);
    while (*reason == MACHINE_STOP_PAUSE && code == TCL_OK) {
        code = save_now(shell, shell->save.path, shell->save.event);
        cancel_pending(shell);
        if (code == TCL_OK)
            *reason = annotated_run(shell->annotate, shell->machine, limits);
    }
    return code;
}

static int checkpoint_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"save", NULL};
    struct shell *shell = data;
    int option;
    if (count < 3 || count > 4)
        return shell_usage(shell, words, "save FILE ?EVENT?");
    if (Tcl_GetIndexFromObj(interp, words[1], options, "what to do", 0, &option) != TCL_OK ||
        (count == 3 && shell_need_machine(shell) != TCL_OK))
        return TCL_ERROR;
    const char *path = Tcl_GetString(words[2]);
    struct err err = {""};
    if (!shell_check_output(shell, "checkpoint save", path, &err))
        return shell_error(shell, "%s", err.text);
    if (count == 3 && (shell->read_only || annotate_is_running(shell->annotate)))
        return save_soon(shell, path);
    if (shell_check_writable(shell) != TCL_OK) /* only between runs */
        return TCL_ERROR;
    return count == 4 ? save_later(shell, path, Tcl_GetString(words[3])) : save_now(shell, path, "a prompt");
}

/* Restoring */

/* Parse the words after FILE: "NAME VALUE" pairs for parameters, "-machine NAME", and "--" with the command. *COMMAND:
 * the index of the command's first word, or COUNT. */
static int parse_words(struct shell *shell, struct machine_options *options, int count, Tcl_Obj *const words[],
                       int *command)
{
    struct err err = {""};
    for (*command = 2; *command < count; *command += 2) {
        const char *name = Tcl_GetString(words[*command]);
        if (strcmp(name, "--") == 0) {
            ++*command;
            return *command < count ? TCL_OK : shell_error(shell, "restore: no command behind --");
        }
        if (*command + 1 == count)
            return shell_error(shell, "restore: %s: its value is missing", name);
        const char *value = Tcl_GetString(words[*command + 1]);
        if (strcmp(name, "-machine") == 0) {
            struct params *before = params_copy(options->params);
            bool done = machine_options_describe(options, value, &err);
            restore_reset_fixed(options->params, before);
            params_free(before);
            if (!done)
                return shell_error(shell, "%s", err.text);
        } else if (!params_set_named(options->params, name, value, &err))
            return shell_error(shell, "%s", err.text);
    }
    return TCL_OK;
}

static const char **command_of(int count, Tcl_Obj *const words[])
{
    const char **command = checked_memory(calloc((size_t)count + 1, sizeof *command));
    for (int i = 0; i < count; i++)
        command[i] = Tcl_GetString(words[i]);
    return command;
}

/* Where does a replay begin that restores the checkpoint PATH? */
static bool begin_replay(struct machine_options *options, const char *path, struct err *err)
{
    if (!options->replay)
        return true;
    const struct replay_machine *machine = replay_peek(options->replay, err);
    return machine && replay_begin(machine, path, options, err);
}

static int build(struct shell *shell, struct restore *restore, int count, Tcl_Obj *const words[])
{
    struct err err = {""};
    int first;
    if (parse_words(shell, shell->options, count, words, &first) != TCL_OK)
        return TCL_ERROR;
    const char **command = command_of(count - first, words + first);
    struct machine_options options = *shell->options;
    options.command = command;
    options.command_count = count - first;
    if (begin_replay(&options, restore_path(restore), &err) && (shell->in_past || shell_check_files(shell, &err)) &&
        restore_prepare(restore, &options, &err))
        shell->machine = machine_create(&options, &shell_host, shell, &err);
    shell->options->copy = options.copy; /* machine_create() may have set it */
    if (shell->machine && restore_load(restore, shell->machine, &err) && shell_annotate(shell, &err))
        shell_console_attach(shell);
    else if (shell->machine)
        shell_discard(shell);
    if (shell->machine && !shell->in_past && !shell_history_begin(shell, &err))
        shell_discard(shell);
    free(command);
    return shell->machine ? TCL_OK : shell_error(shell, "%s", err.text);
}

/* A process of the past writes nothing. */
static void forget_outputs(struct params *params)
{
    const struct param_def *def;
    struct err err = {""};
    for (size_t i = 0; (def = params_at(params, i)); i++)
        if (def->type == PARAM_OUTPUT && !params_set(params, def->name, "", &err))
            log_bug("%s", err.text);
}

static int restore_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    if (count < 2)
        return shell_usage(shell, words, "FILE ?-machine NAME? ?NAME VALUE ...? ?-- COMMAND ...?");
    if (shell->machine)
        return shell_error(shell, "restore: a machine is already built; `discard` it first");
    struct restore *restore = restore_open(Tcl_GetString(words[1]), &err);
    struct params *params = restore ? restore_params(restore, &err) : NULL;
    if (!params) {
        restore_close(restore);
        return shell_error(shell, "%s", err.text);
    }
    if (shell->in_past)
        forget_outputs(params);
    struct machine_options before = *shell->options;
    shell->options->params = params;
    snprintf(shell->options->machine_name, sizeof shell->options->machine_name, "%s", restore_name(restore));
    int code = build(shell, restore, count, words);
    restore_close(restore);
    if (code == TCL_OK) {
        params_free(before.params);
        Tcl_ResetResult(interp);
    } else {
        params_free(shell->options->params);
        before.copy = shell->options->copy;
        *shell->options = before;
    }
    return code;
}

const struct shell_command shell_checkpoint_commands[] = {
    {"checkpoint", "save FILE ?EVENT?", "save the whole machine in FILE",
     "    Where it stands, between two runs; in an annotation's body, as soon as the instruction is complete that led\n"
     "    to it. With EVENT (boot, mark:NAME, time:SECONDS, insns:N), between runs, when that comes in\n"
     "    a run, which goes on then. One that is saved at boot runs any command when it is restored.",
     checkpoint_command, SHELL_AT_PLACE},
    {"restore", "FILE ?-machine NAME? ?NAME VALUE ...? ?-- COMMAND ...?", "build a machine from a checkpoint",
     "    In the place of `build`. Its parameters are those of the saved machine, changed by -machine and by NAME "
     "VALUE;\n"
     "    what the guest knows cannot be changed. COMMAND only for a checkpoint taken at boot.",
     restore_command, SHELL_HERE},
    {0},
};
