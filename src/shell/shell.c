/* Creation of a shell, scripts and standard input, help, exit. */
#include "src/shell/shell.h"

#include "annotations/tcl/annotate.h"
#include "src/host/end_signals.h"
#include "src/base/error_lines.h"
#include "src/base/input_file.h"
#include "src/base/printable.h"
#include "src/base/shipped_files.h"
#include "src/shell/shell_state.h"
#include "src/base/standard_output.h"
#include "src/tcl/tcl_interrupt.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 1024 };

const struct shell_command *const shell_command_tables[] = {
    shell_general_commands,    shell_machine_commands,  shell_checkpoint_commands, shell_run_commands,
    shell_console_commands,    shell_register_commands, shell_memory_commands,     shell_stats_commands,
    shell_annotation_commands, shell_back_commands,     shell_history_commands,    NULL,
};

/* Errors and results */

int shell_error(struct shell *shell, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    Tcl_SetObjResult(shell->interp, Tcl_NewStringObj(message, -1));
    return TCL_ERROR;
}

int shell_usage(struct shell *shell, Tcl_Obj *const words[], const char *usage)
{
    Tcl_WrongNumArgs(shell->interp, 1, words, usage);
    return TCL_ERROR;
}

static void drop_pretty(struct shell *shell)
{
    if (shell->pretty_value)
        Tcl_DecrRefCount(shell->pretty_value);
    if (shell->pretty_text)
        Tcl_DecrRefCount(shell->pretty_text);
    shell->pretty_value = shell->pretty_text = NULL;
}

void shell_pretty(struct shell *shell, Tcl_Obj *value, char *text)
{
    drop_pretty(shell);
    if (text) {
        size_t length = strlen(text);
        if (length && text[length - 1] == '\n')
            length--;
        shell->pretty_value = value;
        shell->pretty_text = Tcl_NewStringObj(text, (int)length);
        Tcl_IncrRefCount(shell->pretty_value);
        Tcl_IncrRefCount(shell->pretty_text);
        free(text);
    }
    Tcl_SetObjResult(shell->interp, value);
}

FILE *shell_text_open(char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);
    if (!out)
        log_bug("out of memory");
    return out;
}

int shell_need_machine(struct shell *shell)
{
    if (shell->machine)
        return TCL_OK;
    return shell_error(shell, "there is no machine yet: `build` or `run` makes one");
}

/* Parsing of numbers */

int shell_get_number(struct shell *shell, Tcl_Obj *word, const char *what, uint64_t min, uint64_t max, uint64_t *value)
{
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(NULL, word, &wide) == TCL_OK && wide >= 0 && (uint64_t)wide >= min &&
        (uint64_t)wide <= max) {
        *value = (uint64_t)wide;
        return TCL_OK;
    }
    if (max >= INT64_MAX)
        return shell_error(shell, "%s \"%s\" is not a number from %llu up", what, Tcl_GetString(word),
                           (unsigned long long)min);
    return shell_error(shell, "%s \"%s\" is not a number from %llu to %llu", what, Tcl_GetString(word),
                       (unsigned long long)min, (unsigned long long)max);
}

int shell_get_word(struct shell *shell, Tcl_Obj *word, const char *what, uint32_t *value)
{
    Tcl_WideInt wide;
    if (Tcl_GetWideIntFromObj(NULL, word, &wide) == TCL_OK && wide >= INT32_MIN && wide <= UINT32_MAX) {
        *value = (uint32_t)wide;
        return TCL_OK;
    }
    return shell_error(shell, "%s \"%s\" is not a number of 32 bits", what, Tcl_GetString(word));
}

int shell_get_cpu(struct shell *shell, Tcl_Obj *word, unsigned *cpu)
{
    uint64_t number;
    if (shell_get_number(shell, word, "CPU", 0, shell->machine->cpus - 1, &number) != TCL_OK)
        return TCL_ERROR;
    *cpu = (unsigned)number;
    return TCL_OK;
}

/* Tcl_ObjPrintf would print the value as signed. */
Tcl_Obj *shell_hex(uint64_t value, unsigned bytes)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*llx", (int)bytes * 2, (unsigned long long)value);
    return Tcl_NewStringObj(text, -1);
}

double shell_seconds(const struct shell *shell, cycles time)
{
    return (double)time / (double)shell->machine->queue->clock_hz;
}

/* Help */

const struct shell_command *shell_find_command(const char *name)
{
    for (const struct shell_command *const *table = shell_command_tables; *table; table++)
        for (const struct shell_command *command = *table; command->name; command++)
            if (strcmp(command->name, name) == 0)
                return command;
    return NULL;
}

static int help_on(struct shell *shell, const char *name)
{
    const struct shell_command *command = shell_find_command(name);
    if (!command)
        return shell_error(shell, "no simos command \"%s\"; `help` lists them, and all of Tcl is there too", name);
    Tcl_SetObjResult(shell->interp,
                     Tcl_ObjPrintf("%s%s%s\n    %s%s%s", command->name, *command->usage ? " " : "", command->usage,
                                   command->brief, *command->text ? "\n" : "", command->text));
    return TCL_OK;
}

static int help_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    struct shell *shell = data;
    if (count > 2)
        return shell_usage(shell, words, "?COMMAND?");
    if (count == 2)
        return help_on(shell, Tcl_GetString(words[1]));
    Tcl_Obj *names = Tcl_NewListObj(0, NULL);
    char *text;
    size_t size;
    FILE *out = shell_text_open(&text, &size);
    for (const struct shell_command *const *table = shell_command_tables; *table; table++)
        for (const struct shell_command *command = *table; command->name; command++) {
            Tcl_ListObjAppendElement(interp, names, Tcl_NewStringObj(command->name, -1));
            fprintf(out, "%-12s %s\n", command->name, command->brief);
        }
    fprintf(out, "`help COMMAND` explains a command. All Tcl commands are available.\n");
    fclose(out);
    if (!shell->interactive) {
        free(text);
        text = NULL;
    }
    shell_pretty(shell, names, text);
    return TCL_OK;
}

/* Exit */

static void shell_free(struct shell *shell)
{
    shell_prompt_end(shell);
    shell_discard(shell);
    drop_pretty(shell);
    tcl_interrupt_free(shell->interrupt);
    shell->interrupt = NULL;
}

bool shell_is_ending(const struct shell *shell)
{
    return shell->interrupted || end_signals_peek(shell->signals);
}

void shell_leave(struct shell *shell, unsigned status)
{
    struct err err = {""};
    shell_free(shell);
    if (!standard_output_end(&err))
        error_lines_print("%s", err.text);
    Tcl_Exit(*err.text || (shell->output_failed && status == 0) ? EXIT_SIMOS_FAILED : (int)status);
}

int shell_check_writable(struct shell *shell)
{
    if (annotate_is_running(shell->annotate))
        return shell_error(shell, "not allowed in an annotation, which must not change the machine");
    if (shell->read_only)
        return shell_error(shell, "not allowed in a --script, which must not change the machine");
    return TCL_OK;
}

int shell_check_change(struct shell *shell)
{
    if (shell_check_writable(shell) != TCL_OK)
        return TCL_ERROR;
    if (shell->in_past)
        return shell_error(shell, "the past cannot be changed; `present` returns to where it can");
    history_changed(shell->history);
    return TCL_OK;
}

static int exit_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    (void)interp;
    struct shell *shell = data;
    uint64_t status = 0;
    if (count > 2)
        return shell_usage(shell, words, "?STATUS?");
    if (count == 2 && shell_get_number(shell, words[1], "exit status", 0, 255, &status) != TCL_OK)
        return TCL_ERROR;
    if (shell->read_only || annotate_is_running(shell->annotate))
        annotate_request_exit(shell->annotate, (unsigned)status);
    else
        shell_leave(shell, (unsigned)status);
    return TCL_OK;
}

const struct shell_command shell_general_commands[] = {
    {"help", "?COMMAND?", "list the commands, or explain one", "", help_command, SHELL_HERE},
    {"exit", "?STATUS?", "leave simos, with exit status 0 or STATUS (0 to 255)", "", exit_command, SHELL_HERE},
    {"quit", "?STATUS?", "the same as exit", "", exit_command, SHELL_HERE},
    {0},
};

/* Scripts */

/* Print an error message on one line, control characters replaced by blanks. */
static void complain(const char *where, int line, const char *message)
{
    fflush(stdout);
    if (standard_output_is_closed()) /* the reader of stdout has gone, and that ends the script
                                      * (src/base/standard_output.h)
                                      */
        return;
    char *text = checked_memory(strdup(message));
    printable_replace(text, ' ');
    error_lines_print("%s, line %d: %s", PRINTABLE(where), line, text);
    free(text);
}

/* Evaluate the Tcl script TEXT, which begins at line FIRST of WHERE. */
static bool run_text(struct shell *shell, const char *where, int first, Tcl_Obj *text)
{
    Tcl_IncrRefCount(text);
    int code = Tcl_EvalObjEx(shell->interp, text, TCL_EVAL_GLOBAL | TCL_EVAL_DIRECT);
    Tcl_DecrRefCount(text);
    if (code == TCL_OK)
        return true;
    if (!shell_is_ending(shell))
        complain(where, first + Tcl_GetErrorLine(shell->interp) - 1, Tcl_GetStringResult(shell->interp));
    return false;
}

static bool run_file(struct shell *shell, const char *path)
{
    struct err err = {""};
    char *text = input_file_text(INPUT_SCRIPT, path, &err);
    if (!text) {
        error_lines_print("%s", err.text);
        return false;
    }
    Tcl_Obj *script = Tcl_NewStringObj(text, -1);
    free(text);
    Tcl_SetVar2Ex(shell->interp, "argv0", NULL, Tcl_NewStringObj(path, -1), TCL_GLOBAL_ONLY);
    return run_text(shell, path, 1, script);
}

/* Buffer of standard input. */
struct input {
    char bytes[4096];
    size_t at, length;
    bool ended;
};

/* Refill the buffer. False at the end of the input or on a signal. */
static bool read_more(const struct shell *shell, struct input *input)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = end_signals_fd(shell->signals), .events = POLLIN}};
    ssize_t count = -1;
    while (count < 0 && !input->ended && !shell_is_ending(shell)) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        count = fds[0].revents ? read(STDIN_FILENO, input->bytes, sizeof input->bytes) : -1;
        input->ended = count == 0 || (fds[0].revents && count < 0 && errno != EINTR);
    }
    input->at = 0;
    input->length = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Append the next line to TEXT, with its newline unless the input ends there. False if there is none. */
static bool next_line(const struct shell *shell, struct input *input, Tcl_Obj *text)
{
    bool any = false, whole = false;
    while (!whole && (input->at < input->length || read_more(shell, input))) {
        const char *from = input->bytes + input->at, *end = memchr(from, '\n', input->length - input->at);
        size_t length = end ? (size_t)(end - from) + 1 : input->length - input->at;
        Tcl_AppendToObj(text, from, (int)length);
        input->at += length;
        any = true;
        whole = end != NULL;
    }
    return any;
}

/* Execute commands from standard input, each as soon as it is complete. */
static bool run_input(struct shell *shell)
{
    struct input input = {.length = 0};
    bool good = true;
    int first = 1, next = 1;
    Tcl_Obj *text = Tcl_NewObj();
    Tcl_IncrRefCount(text);
    while (good && next_line(shell, &input, text)) {
        next++;
        if (!Tcl_CommandComplete(Tcl_GetString(text)))
            continue;
        good = run_text(shell, "standard input", first, text);
        Tcl_DecrRefCount(text);
        text = Tcl_NewObj();
        Tcl_IncrRefCount(text);
        first = next;
    }
    if (good && text->length > 0 && !shell_is_ending(shell)) {
        complain("standard input", first, "the input ends within a command");
        good = false;
    }
    Tcl_DecrRefCount(text);
    return good;
}

/* Is the command NAME available to the script of --script? These are the read-only commands, and commands that refuse
 * changes themselves. */
static bool is_read_only(const char *name)
{
    static const char *const names[] = {
        "help",   "exit",       "quit",   "now",         "insns", "where",      "register", "registers", "tlb",
        "cpu",    "symbol",     "memory", "disassemble", "stats", "annotation", "service",  "automaton", "analyser",
        "timing", "statistics", "struct", "field",       "arg",   "library",    "log",      "checkpoint"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* What a Tcl command has of its own. */
struct bound {
    struct shell *shell;
    const struct shell_command *command;
};

static int call_bound(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    const struct bound *bound = data;
    (void)interp;
    return shell_call(bound->shell, bound->command, count, words);
}

static void free_bound(ClientData data)
{
    free(data);
}

static void create_command(struct shell *shell, const struct shell_command *command)
{
    struct bound *bound = checked_memory(malloc(sizeof *bound));
    *bound = (struct bound){shell, command};
    Tcl_CreateObjCommand(shell->interp, command->name, call_bound, bound, free_bound);
}

static bool start(struct shell *shell, struct err *err)
{
    Tcl_FindExecutable("simos");
    shell->interp = Tcl_CreateInterp();
    /* a program that brings its own Tcl, whatever the machine has */
    char scripts[PATH_MAX];
    if (shipped_file_find("tcl" TCL_VERSION, 0, scripts, sizeof scripts))
        Tcl_SetVar(shell->interp, "tcl_library", scripts, TCL_GLOBAL_ONLY);
    if (Tcl_Init(shell->interp) != TCL_OK)
        return err_set(err, "Tcl does not start: %s", Tcl_GetStringResult(shell->interp));
    for (const struct shell_command *const *table = shell_command_tables; *table; table++)
        for (const struct shell_command *command = *table; command->name; command++)
            if (!shell->read_only || is_read_only(command->name))
                create_command(shell, command);
    /* abbreviated command names are allowed at a prompt; mistyped ones must not run programs */
    Tcl_SetVar(shell->interp, "auto_noexec", "1", TCL_GLOBAL_ONLY);
    Tcl_SetVar(shell->interp, "tcl_interactive", shell->interactive ? "1" : "0", TCL_GLOBAL_ONLY);
    Tcl_SetVar(shell->interp, "argv", "", TCL_GLOBAL_ONLY);
    Tcl_SetVar(shell->interp, "argc", "0", TCL_GLOBAL_ONLY);
    Tcl_SetVar(shell->interp, "argv0", "simos", TCL_GLOBAL_ONLY);
    shell->interrupt = tcl_interrupt_create(shell->interp, shell->signals);
    return true;
}

/* Handle the signals that end the shell. At a prompt, Ctrl-C (SIGINT) ends the command instead of the shell. */
static void take_signals(struct shell *shell)
{
    shell->signals = end_signals_create(!shell->interactive);
    end_signals_take(shell->signals);
}

int shell_main(struct machine_options *options, const struct history_options *history, const char *series,
               const char *script)
{
    struct shell shell = {
        .options = options, .interactive = !script && isatty(STDIN_FILENO), .history_wanted = history};
    struct err err = {""};
    int status = EXIT_SIMOS_FAILED;
    take_signals(&shell);
    if (!start(&shell, &err) || (series && !shell_series_open(&shell, series, &err))) {
        error_lines_print("%s", err.text);
    } else {
        if (script)
            status = run_file(&shell, script) ? 0 : EXIT_SIMOS_FAILED;
        else if (shell.interactive)
            status = shell_prompt(&shell);
        else
            status = run_input(&shell) ? 0 : EXIT_SIMOS_FAILED;
    }
    shell_free(&shell);
    Tcl_DeleteInterp(shell.interp);
    Tcl_Finalize();
    const int signal = end_signals_end(shell.signals);
    end_signals_free(shell.signals);
    if (status == EXIT_SIMOS_FAILED && standard_output_is_closed())
        status = 128 + SIGPIPE;
    return signal                               ? error_lines_status_of_signal(signal)
           : status == 0 && shell.output_failed ? EXIT_SIMOS_FAILED
                                                : status;
}

/* The shell of --script */

static void close_observer(void *opened)
{
    struct shell *shell = opened;
    if (!shell)
        return;
    drop_pretty(shell);
    tcl_interrupt_free(shell->interrupt);
    if (shell->interp)
        Tcl_DeleteInterp(shell->interp);
    free(shell);
}

static void *open_observer(struct machine *machine, struct end_signals *signals, struct err *err)
{
    struct shell *shell = checked_memory(calloc(1, sizeof *shell));
    shell->machine = machine;
    shell->read_only = true;
    shell->signals = signals;
    if (start(shell, err))
        return shell;
    close_observer(shell);
    return NULL;
}

static Tcl_Interp *interp_of(void *opened)
{
    return ((struct shell *)opened)->interp;
}

static void set_annotate(void *opened, struct annotate *annotate)
{
    ((struct shell *)opened)->annotate = annotate;
}

static void select_cpu(void *opened, unsigned cpu)
{
    ((struct shell *)opened)->cpu = cpu;
}

const struct annotated_interpreter shell_interpreter = {.open = open_observer,
                                                        .interp = interp_of,
                                                        .set_annotate = set_annotate,
                                                        .select_cpu = select_cpu,
                                                        .close = close_observer};
