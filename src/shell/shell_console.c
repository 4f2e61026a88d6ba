/* The guest's console in the shell. Its output is buffered for `console expect`; input is typed by a script or a
 * user. */
#include "src/observe/annotated.h"
#include "src/observe/console_input.h"
#include "src/host/end_signals.h"
#include "src/host/external.h"
#include "src/shell/shell_state.h"
#include "src/host/terminal.h"
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INPUT_MAX = 1 << 20,   /* bytes of pending input */
    OUTPUT_MAX = 1 << 16,  /* bytes of buffered output */
    PATTERN_MAX = 1 << 12, /* longest pattern, in bytes */
    SHOWN_MAX = 300,       /* bytes of console output in an error message */
};
#define DEFAULT_TIMEOUT 60.0 /* simulated seconds */

/* Console output since the last match, and the pattern to match in it. */
struct shell_console {
    char *input; /* typed, not yet read by the guest */
    size_t input_length;
    char output[OUTPUT_MAX + 1];
    size_t output_length;
    const char *pattern; /* NULL: no `console expect` is active */
    size_t pattern_length;
    Tcl_Obj *expression; /* the pattern as a regular expression; NULL: it is plain text */
    size_t matched;      /* bytes of OUTPUT up to the end of the match; 0: no match yet */
};

static struct shell_console *console_of(struct shell *shell)
{
    if (!shell->console)
        shell->console = checked_memory(calloc(1, sizeof *shell->console));
    return shell->console;
}

void shell_console_discard(struct shell *shell)
{
    if (shell->console)
        free(shell->console->input);
    free(shell->console);
    shell->console = NULL;
}

/* Expect */

static void discard_output(struct shell_console *console, size_t count)
{
    console->output_length -= count;
    memmove(console->output, console->output + count, console->output_length);
    console->output[console->output_length] = 0;
}

static void match_text(struct shell_console *console)
{
    const char *at = memmem(console->output, console->output_length, console->pattern, console->pattern_length);
    if (at)
        console->matched = (size_t)(at - console->output) + console->pattern_length;
}

static void match_expression(struct shell *shell, struct shell_console *console)
{
    Tcl_RegExpInfo info;
    Tcl_Obj *text = Tcl_NewStringObj(console->output, (Tcl_Size)console->output_length);
    Tcl_IncrRefCount(text);
    Tcl_RegExp compiled = Tcl_GetRegExpFromObj(shell->interp, console->expression, TCL_REG_ADVANCED);
    if (compiled && Tcl_RegExpExecObj(shell->interp, compiled, text, 0, 1, 0) == 1) {
        Tcl_RegExpGetInfo(compiled, &info);
        const char *end = Tcl_UtfAtIndex(Tcl_GetString(text), (Tcl_Size)info.matches[0].end);
        console->matched = (size_t)(end - Tcl_GetString(text));
        if (console->matched == 0) /* an empty match */
            console->matched = 1;
    }
    Tcl_DecrRefCount(text);
}

static void end_if_matched(struct shell *shell)
{
    if (shell->console->matched && shell->run.pattern)
        shell_end_run(shell, "expect");
}

void shell_console_receive(struct shell *shell, uint8_t byte)
{
    struct shell_console *console = console_of(shell);
    if (console->output_length == OUTPUT_MAX)
        discard_output(console, OUTPUT_MAX / 2);
    console->output[console->output_length++] = byte ? (char)byte : ' ';
    console->output[console->output_length] = 0;
    if (!console->pattern || console->matched)
        return;
    if (console->expression) {
        if (byte == '\n')
            match_expression(shell, console);
    } else if (console->output_length >= console->pattern_length &&
               memcmp(console->output + console->output_length - console->pattern_length, console->pattern,
                      console->pattern_length) == 0)
        console->matched = console->output_length;
    end_if_matched(shell);
}

void shell_console_poll(struct shell *shell)
{
    struct shell_console *console = console_of(shell);
    if (!console->expression || console->matched)
        return;
    match_expression(shell, console);
    end_if_matched(shell);
}

/* The last lines of output, joined to one line, for an error message. */
static const char *last_output(const struct shell_console *console, char *text)
{
    size_t from = console->output_length > SHOWN_MAX ? console->output_length - SHOWN_MAX : 0, length = 0;
    for (size_t i = from; i < console->output_length; i++) {
        unsigned char byte = (unsigned char)console->output[i];
        if (byte == '\n')
            length += (size_t)sprintf(text + length, " | ");
        else if (byte >= ' ')
            text[length++] = (char)byte;
    }
    text[length] = 0;
    return text;
}

static int expect_failed(struct shell *shell, enum machine_stop reason, double timeout)
{
    char shown[3 * SHOWN_MAX + 1];
    last_output(shell->console, shown);
    if (reason == MACHINE_STOP_FAILED)
        return shell_error(shell, "%s", shell->machine->failure.text);
    if (reason == MACHINE_STOP_TIME)
        return shell_error(shell, "console expect: no \"%.100s\" within %g simulated seconds; last output: %s",
                           shell->console->pattern, timeout, shown);
    return shell_error(shell, "console expect: the run stopped (%s) before \"%.100s\"; last output: %s",
                       shell_stop_word(shell, reason), shell->console->pattern, shown);
}

/* Run until the pattern matches. The result is the output up to the end of the match. */
static int await_pattern(struct shell *shell, double timeout)
{
    struct shell_console *console = shell->console;
    enum machine_stop reason = MACHINE_STOP_REQUEST;
    struct machine_limits limits = MACHINE_NO_LIMITS;
    limits.time = machine_now(shell->machine) + (cycles)ceil(timeout * (double)shell->machine->queue->clock_hz);
    console->matched = 0;
    if (console->expression)
        match_expression(shell, console);
    else
        match_text(console);
    if (!console->matched) {
        shell_run_begin(shell, &limits);
        shell->run.pattern = true;
        reason = annotated_run(shell->annotate, shell->machine, &limits);
        if (shell->exit_pending)
            shell_leave(shell, shell->exit_status);
        shell->run.pattern = false;
    }
    int code = TCL_OK;
    if (console->matched) {
        Tcl_SetObjResult(shell->interp, Tcl_NewStringObj(console->output, (int)console->matched));
        discard_output(console, console->matched);
    } else
        code = expect_failed(shell, reason, timeout);
    shell_run_end(shell);
    return code;
}

static int expect(struct shell *shell, int count, Tcl_Obj *const words[])
{
    static const char *const options[] = {"-timeout", "-regexp", NULL};
    enum { TIMEOUT, REGEXP };
    double timeout = DEFAULT_TIMEOUT;
    bool regexp = false;
    int option;
    struct shell_console *console = console_of(shell);
    if (count < 3)
        return shell_usage(shell, words, "expect PATTERN ?-timeout SECONDS? ?-regexp?");
    for (int i = 3; i < count; i++) {
        if (Tcl_GetIndexFromObj(shell->interp, words[i], options, "option", 0, &option) != TCL_OK)
            return TCL_ERROR;
        if (option == REGEXP)
            regexp = true;
        else if (++i == count)
            return shell_error(shell, "-timeout: its value is missing");
        else if (Tcl_GetDoubleFromObj(NULL, words[i], &timeout) != TCL_OK || !(timeout > 0) || timeout > 1e9)
            return shell_error(shell, "-timeout \"%s\" is not a positive number of seconds", Tcl_GetString(words[i]));
    }
    if (regexp && !Tcl_GetRegExpFromObj(shell->interp, words[2], TCL_REG_ADVANCED))
        return TCL_ERROR;
    Tcl_Size length;
    console->pattern = Tcl_GetStringFromObj(words[2], &length);
    console->pattern_length = (size_t)length;
    console->expression = regexp ? words[2] : NULL;
    int code = length == 0 || length > PATTERN_MAX
                   ? shell_error(shell, "console expect: a pattern of 1 to %d bytes", PATTERN_MAX)
                   : await_pattern(shell, timeout);
    console->pattern = NULL;
    console->expression = NULL;
    return code;
}

/* Type */

/* Input source of the machine: deliver pending input as fast as the guest reads it. */
static void take_input(void *opaque, const struct external_waits *waits)
{
    struct shell *shell = opaque;
    struct shell_console *console = console_of(shell);
    size_t space = machine_input_space(shell->machine, 0);
    size_t length = space < console->input_length ? space : console->input_length;
    (void)waits;
    if (length == 0)
        return;
    external_deliver(shell->console_source, console->input, length);
    memmove(console->input, console->input + length, console->input_length - length);
    console->input_length -= length;
}

/* Signals must end the host's sleep, although they deliver no input. */
static void prepare_input(void *opaque, struct external_waits *waits)
{
    const struct shell *shell = opaque;
    if (end_signals_fd(shell->signals) >= 0)
        external_wait_for(waits, end_signals_fd(shell->signals), POLLIN);
}

static void deliver_input(void *opaque, const void *bytes, size_t count)
{
    const struct shell *shell = opaque;
    machine_input(shell->machine, 0, bytes, count);
}

void shell_console_attach(struct shell *shell)
{
    static const struct external_ops ops = {.deliver = deliver_input, .prepare = prepare_input, .take = take_input};
    shell->console_source = external_add(shell->machine->external, "console", &ops, shell);
}

static int type(struct shell *shell, Tcl_Obj *word)
{
    Tcl_Size length;
    struct shell_console *console = console_of(shell);
    const char *text = Tcl_GetStringFromObj(word, &length);
    if (external_replaying(shell->machine->external))
        return TCL_OK; /* the recording supplies the input */
    if (console->input_length + (size_t)length > INPUT_MAX)
        return shell_error(shell, "console: input buffer full (%d bytes)", INPUT_MAX);
    console->input = checked_memory(realloc(console->input, console->input_length + (size_t)length + 1));
    memcpy(console->input + console->input_length, text, (size_t)length);
    console->input_length += (size_t)length;
    return TCL_OK;
}

/* Interact */

static int interact(struct shell *shell)
{
    struct terminal *terminal = isatty(STDIN_FILENO) ? terminal_set_raw() : NULL;
    if (!terminal)
        return shell_error(shell, "console interact: standard input is no terminal");
    end_signals_set_terminal(shell->signals, terminal);
    struct console_input *input = console_input_create(CONSOLE_INPUT_TERMINAL, STDIN_FILENO);
    external_remove(shell->console_source);
    console_input_attach(input, shell->machine);
    shell_run_begin(shell, NULL);
    printf("(Ctrl-A x returns to the prompt)\n");
    const struct machine_limits limits = MACHINE_NO_LIMITS;
    enum machine_stop reason = annotated_run(shell->annotate, shell->machine, &limits);
    if (shell->exit_pending)
        shell_leave(shell, shell->exit_status);
    shell_run_end(shell);
    console_input_detach(input);
    console_input_free(input);
    shell_console_attach(shell);
    end_signals_set_terminal(shell->signals, NULL);
    terminal_restore(terminal);
    if (reason == MACHINE_STOP_FAILED)
        return shell_error(shell, "%s", shell->machine->failure.text);
    const char *word = reason == MACHINE_STOP_REQUEST && !shell->run.cause ? "key" : shell_stop_word(shell, reason);
    Tcl_SetObjResult(shell->interp, Tcl_NewStringObj(word, -1));
    return TCL_OK;
}

static int console_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
    static const char *const actions[] = {"expect", "interact", "type", NULL};
    enum { EXPECT, INTERACT, TYPE };
    struct shell *shell = data;
    int action = TYPE;
    if (shell_prepare_run(shell) != TCL_OK)
        return TCL_ERROR;
    if (count == 2 && strcmp(Tcl_GetString(words[1]), "interact") != 0)
        return type(shell, words[1]);
    if (count < 2)
        return shell_usage(shell, words, "TEXT | type TEXT | expect PATTERN ... | interact");
    if (Tcl_GetIndexFromObj(interp, words[1], actions, "action", 0, &action) != TCL_OK)
        return TCL_ERROR;
    if (action == EXPECT)
        return expect(shell, count, words);
    if (action == INTERACT && count == 2)
        return interact(shell);
    return action == TYPE && count == 3 ? type(shell, words[2]) : shell_usage(shell, words, "type TEXT | interact");
}

const struct shell_command shell_console_commands[] = {
    {"console", "TEXT | type TEXT | expect PATTERN ?-timeout S? ?-regexp? | interact",
     "type on the guest's console, wait for what it says, or talk to it",
     "    console TEXT, console type TEXT   type it while the guest runs, as fast as it reads; a line ends with \\n\n"
     "    console expect PATTERN            let the guest run until its console has said PATTERN, which may be a\n"
     "                                      regular expression, for at most S (60) simulated seconds; returns what\n"
     "                                      was said since the last time\n"
     "    console interact                  keys go to the guest until Ctrl-A x",
     console_command, SHELL_PRESENT},
    {0},
};
