/* The shell's commands that create a machine: parameters, machine descriptions, building, discarding; the gdb
 * server. */
#include "cache/memsys.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/gdb/gdb_stub.h"
#include "src/machine/board_disks.h"
#include "src/guest/guards.h"
#include "src/machine/machine_guest.h"
#include "src/description/machine_file.h"
#include "src/run/run_files.h"
#include "src/report/diagram.h"
#include "src/shell/shell.h"
#include "src/shell/shell_state.h"
#include "src/base/deprecated.h"
#include "src/base/error_lines.h"
#include <stdlib.h>
#include <string.h>

enum { VALUE_SIZE = 4200 /* longest parameter value, with its NUL */ };

/* Parameters */

static Tcl_Obj *param_value(const struct params *params, const char *name)
{
    char value[VALUE_SIZE];
    params_text(params, name, value, sizeof value);
    return Tcl_NewStringObj(value, -1);
}

/* A dict of the parameters that match PATTERN (NULL: all). */
static int list_params(struct shell *shell, const char *pattern)
{
    const struct params *params = shell->options->params;
    Tcl_Obj *dict = Tcl_NewDictObj();
    const struct param_def *def;
    char *text = NULL;
    size_t size;
    FILE *out = shell->interactive ? shell_text_open(&text, &size) : NULL;
    bool any = false;
    char help[512];
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        if (pattern && !Tcl_StringMatch(def->name, pattern))
            continue;
        any = true;
        Tcl_Obj *value = param_value(params, def->name);
        if (out)
            fprintf(out, "%-32s %-12s %s\n", def->name, Tcl_GetString(value),
                    deprecated_help(DEPRECATED_PARAMETER, def->name, def->help, help, sizeof help));
        Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(def->name, -1), value);
    }
    if (out)
        fclose(out);
    if (!any) {
        Tcl_DecrRefCount(dict);
        free(text);
        return shell_error(shell, "no parameter matches \"%s\"", pattern);
    }
    shell_pretty(shell, dict, text);
    return TCL_OK;
}

static int no_machine_yet(struct shell *shell, const char *what)
{
    if (!shell->machine)
        return TCL_OK;
    return shell_error(shell, "%s: the machine is built already; `discard` it first", what);
}

static int param_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    if (count > 3)
        return shell_usage(shell, words, "?NAME|PATTERN? ?VALUE?");
    const char *name = count > 1 ? Tcl_GetString(words[1]) : NULL;
    if (!name || (count == 2 && strpbrk(name, "*?[")))
        return list_params(shell, name);
    if (count == 3) {
        if (no_machine_yet(shell, name) != TCL_OK)
            return TCL_ERROR;
        if (!params_set_named(shell->options->params, name, Tcl_GetString(words[2]), &err))
            return shell_error(shell, "%s", err.text);
    } else if (!params_find(shell->options->params, name)) {
        /* fails with a message that suggests the closest name */
        params_set(shell->options->params, name, "", &err);
        return shell_error(shell, "%s", err.text);
    }
    Tcl_SetObjResult(interp, param_value(shell->options->params, name));
    return TCL_OK;
}

static int machine_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    if (count > 2)
        return shell_usage(shell, words, "?NAME|FILE?");
    if (count == 2) {
        if (no_machine_yet(shell, Tcl_GetString(words[1])) != TCL_OK)
            return TCL_ERROR;
        if (!machine_options_describe(shell->options, Tcl_GetString(words[1]), &err))
            return shell_error(shell, "%s", err.text);
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(shell->options->machine_name, -1));
    return TCL_OK;
}

/* The result is the text of the picture. */
static int picture_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    char *text = NULL;
    size_t size;
    if (count > 1)
        return shell_usage(shell, words, "");
    FILE *out = shell_text_open(&text, &size);
    bool done = diagram_print(shell->options->machine_name, shell->options->params, out, &err);
    fclose(out);
    if (done)
        Tcl_SetObjResult(interp, Tcl_NewStringObj(text, (int)size - 1)); /* without its last newline */
    free(text);
    return done ? TCL_OK : shell_error(shell, "%s", err.text);
}

/* Building */

static void free_command(struct shell *shell)
{
    for (int i = 0; i < shell->command_count; i++)
        free(shell->command[i]);
    free(shell->command);
    shell->command = NULL;
    shell->command_count = 0;
}

static void keep_command(struct shell *shell, int count, Tcl_Obj *const words[])
{
    free_command(shell);
    shell->command = calloc((size_t)count, sizeof *shell->command);
    for (int i = 0; shell->command && i < count; i++)
        if (!(shell->command[i] = strdup(Tcl_GetString(words[i]))))
            log_bug("out of memory");
    if (!shell->command)
        log_bug("out of memory");
    shell->command_count = count;
}

/* Build and load the machine with the job of `build`, or else with that of the command line. */
static int build(struct shell *shell)
{
    struct err err = {""};
    struct machine_options options = *shell->options;
    if (shell->command) {
        options.command = (const char *const *)shell->command;
        options.command_count = shell->command_count;
    }
    if (shell_check_files(shell, &err))
        shell->machine = machine_create(&options, &shell_host, shell, &err);
    if (shell->machine && machine_load(shell->machine, &err) && shell_annotate(shell, &err)) {
        shell_console_attach(shell);
        if (shell_history_begin(shell, &err))
            return TCL_OK;
    }
    shell_discard(shell);
    return shell_error(shell, "%s", err.text);
}

bool shell_check_files(struct shell *shell, struct err *err)
{
    named_files_free(shell->named);
    shell->named = named_files_create();
    named_files_add_params(shell->named, "", shell->options->params);
    return named_files_check(shell->named, err);
}

bool shell_check_output(struct shell *shell, const char *name, const char *path, struct err *err)
{
    struct named_files *files = named_files_create();
    /* the script of a run has a machine and no options */
    named_files_add_params(files, "", shell->machine ? shell->machine->params : shell->options->params);
    named_files_add_output(files, name, NULL, path);
    bool done = named_files_check(files, err);
    named_files_free(files);
    return done;
}

int shell_build(struct shell *shell)
{
    return shell->machine ? TCL_OK : build(shell);
}

static int build_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 1 && (strcmp(Tcl_GetString(words[1]), "--") != 0 || count == 2))
        return shell_usage(shell, words, "?-- COMMAND ...?");
    if (no_machine_yet(shell, "build") != TCL_OK)
        return TCL_ERROR;
    if (count > 2)
        keep_command(shell, count - 2, words + 2);
    int code = build(shell);
    if (code == TCL_OK)
        Tcl_ResetResult(interp);
    return code;
}

void shell_discard(struct shell *shell)
{
    history_end(shell->history);
    shell->history = NULL;
    shell_annotate_end(shell);
    if (shell->machine) {
        struct err err = {""};
        shell_run_discard(shell);
        struct err disks = {""};
        bool done = machine_finish_files(shell->machine, &err);
        done &= board_disks_finish(board_disks_of(shell->machine), shell->machine->params, &disks);
        err_add(&err, &disks);
        if (!done) {
            error_lines_print("%s", err.text);
            shell->output_failed = true;
        }
    }
    machine_free(shell->machine);
    shell->machine = NULL;
    named_files_free(shell->named);
    shell->named = NULL;
    shell->cpu = 0;
    free_command(shell);
}

static int discard_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)interp;
    struct shell *shell = data;
    if (count > 1)
        return shell_usage(shell, words, "");
    if (shell_check_writable(shell) != TCL_OK)
        return TCL_ERROR;
    shell_discard(shell);
    return TCL_OK;
}

/* Without a machine, the command reads or sets the parameter cpu.model. */
static int model_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    if (count > 2)
        return shell_usage(shell, words, "?NAME?");
    const char *name = count == 2 ? Tcl_GetString(words[1]) : NULL;
    if (name && (shell->machine ? shell_check_change : shell_check_writable)(shell) != TCL_OK)
        return TCL_ERROR;
    if (name &&
        !(shell->machine ? shell_check_whatif(shell, name, &err) && machine_set_cpu_model(shell->machine, name, &err)
                         : params_set(shell->options->params, "cpu.model", name, &err)))
        return shell_error(shell, "%s", err.text);
    name = shell->machine ? machine_cpu_model(shell->machine) : params_string(shell->options->params, "cpu.model");
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}

/* Guard bits */

static int guards_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"add", "remove", NULL};
    struct shell *shell = data;
    struct err err = {""};
    int option = 0;
    if (count == 2)
        return shell_usage(shell, words, "?add|remove WORD ...?");
    if (count > 2 && Tcl_GetIndexFromObj(interp, words[1], options, "what to do", 0, &option) != TCL_OK)
        return TCL_ERROR;
    if (shell_build(shell) != TCL_OK)
        return TCL_ERROR;
    if (count > 2 && shell_check_change(shell) != TCL_OK)
        return TCL_ERROR;
    if (!memsys_takes_guards(shell->machine->memsys))
        return shell_error(shell, "guards: prefetch.insn.trigger is off");
    const struct machine_view view = machine_view_of(shell->machine);
    for (int i = 2; i < count; i++)
        if (!guards_apply(&view, Tcl_GetString(words[i]), option == 0, &err))
            return shell_error(shell, "%s", err.text);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)memsys_guards(shell->machine->memsys)));
    return TCL_OK;
}

/* The gdb server */

static bool is_ending(void *shell)
{
    return shell_is_ending(shell);
}

/* What `simos run` would exit with after a run that has ended for REASON. */
static int status_for_debugger(const struct machine *machine, enum machine_stop reason)
{
    const unsigned signal = external_stop_reason(machine->external);
    switch (reason) {
    case MACHINE_STOP_EXIT: return (int)machine->exit_status;
    case MACHINE_STOP_REBOOT: return machine->panic.text[0] ? EXIT_SIMOS_FAILED : 0;
    case MACHINE_STOP_DEADLOCK:
    case MACHINE_STOP_FAILED: return EXIT_SIMOS_FAILED;
    default: return signal ? 128 + (int)signal : 0;
    }
}

static int gdb_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    struct err err = {""};
    uint64_t port;
    if (count != 2 && (count != 4 || strcmp(Tcl_GetString(words[2]), "-save") != 0))
        return shell_usage(shell, words, "PORT ?-save FOLDER?");
    if (shell_check_writable(shell) != TCL_OK)
        return TCL_ERROR;
    const char *folder = count == 4 ? Tcl_GetString(words[3]) : NULL;
    if (shell->options->record)
        return shell_error(shell, "gdb: not with --record: what a debugger does cannot be recorded");
    if (shell_get_number(shell, words[1], "port", 0, 65535, &port) != TCL_OK || shell_build(shell) != TCL_OK)
        return TCL_ERROR;
    const struct gdb_options gdb = {.port = (unsigned)port,
                                    .folder = folder,
                                    .interpreter = &shell_interpreter,
                                    .interrupt_fd = end_signals_fd(shell->signals),
                                    .is_ending = is_ending,
                                    .opaque = shell};
    struct gdb_server *server = gdb_server_create(shell->machine, &gdb, &MACHINE_NO_LIMITS, &err);
    if (!server)
        return shell_error(shell, "%s", err.text);
    shell->run.cause = NULL;
    shell_run_begin(shell, NULL);
    const enum machine_stop reason = gdb_server_serve(server);
    const bool interrupted = reason == MACHINE_STOP_REQUEST && shell_is_ending(shell);
    if (interrupted) {
        shell->interrupted = 0;
        shell->run_interrupted = true;
    }
    gdb_server_end(server, status_for_debugger(shell->machine, reason));
    const char *word = reason == MACHINE_STOP_HOOK                           ? "detached"
                       : interrupted                                         ? "interrupted"
                       : reason == MACHINE_STOP_REQUEST && !shell->run.cause ? "killed"
                                                                             : shell_stop_word(shell, reason);
    shell_run_end(shell);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(word, -1));
    return TCL_OK;
}

const struct shell_command shell_machine_commands[] = {
    {"param", "?NAME|PATTERN? ?VALUE?", "list, show or set parameters of the machine to be built",
     "    Without a value: the value of NAME, or a dict of all parameters (that match PATTERN).\n"
     "    With one: sets it; the machine must not be built yet.",
     param_command, SHELL_HERE},
    {"machine", "?NAME|FILE?", "apply a machine description: a built-in one, or a Tcl file",
     "    Sets the machine's CPUs, clock, TLB, caches and memory; what is not described is as in 1994.\n"
     "    Without one: the name of the description in use.",
     machine_command, SHELL_HERE},
    {"picture", "", "a picture of the machine as the parameters describe it", "", picture_command, SHELL_HERE},
    {"build", "?-- COMMAND ...?", "make the machine and load the guest",
     "    With COMMAND the guest's only job is that; without, it gives a shell on its console.\n"
     "    `run`, `step`, `break` and `gdb` build a machine if there is none.",
     build_command, SHELL_HERE},
    {"discard", "", "take the machine apart, so that another can be built",
     "    Parameters stay; breakpoints and the job go with it.", discard_command, SHELL_HERE},
    {"model", "?NAME?", "show or change the CPU model that runs the guest",
     "    A running machine's is replaced where the guest stands; it and the statistics go on.\n"
     "    Without a machine it is the parameter cpu.model.",
     model_command, SHELL_AT_PLACE},
    {"guards", "?add|remove WORD ...?", "guard bits, which stop instruction prefetch",
     "    WORDs as in prefetch.guards: ADDRESS, SYMBOL, SYMBOL+OFFSET, routines, @FILE. Returns how many there are.",
     guards_command, SHELL_AT_PLACE},
    {"gdb", "PORT ?-save FOLDER?", "serve gdb on 127.0.0.1:PORT until it detaches or quits",
     "    Port 0: any free one. `monitor checkpoint save NAME` may write new files into FOLDER.\n"
     "    Returns detached, killed, or what else ended the guest's run.",
     gdb_command, SHELL_PRESENT},
    {0},
};
