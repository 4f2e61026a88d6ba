/* The prompt: line editing, history, Ctrl-C, and printing of results. */
#include "src/host/end_signals.h"
#include "src/shell/shell_complete.h"
#include "src/shell/shell_state.h"
#include "src/tcl/tcl_interrupt.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after stdio.h, which it does not include itself */
#include <readline/readline.h>
#include <readline/history.h>

enum { HISTORY_LINES = 1000 };

#define FIRST_PROMPT  "simos> "
#define SECOND_PROMPT "     > "

struct prompt {
    struct shell *shell;
    Tcl_AsyncHandler interrupt;
    struct sigaction old_action;
    char *history; /* file; NULL: none */
    bool have_line;
    char *line; /* NULL with have_line: end of input */
    Tcl_Obj *candidates;
    int next_candidate;
};

/* A file-static pointer because signal handlers and readline's callbacks have no opaque argument. It is set only while
 * a prompt exists, and a process has one terminal. */
static struct prompt *prompt_on_terminal;

/* Ctrl-C */

static void interrupt_signal(int number)
{
    (void)number;
    prompt_on_terminal->shell->interrupted = 1;
    Tcl_AsyncMark(prompt_on_terminal->interrupt);
}

/* Tcl calls this between two commands. If Ctrl-C stopped a run, the flag is already clear. The unwinding cannot be
 * caught with `catch`. */
static int interrupt_tcl(ClientData data, Tcl_Interp *interp, int code)
{
    const struct shell *shell = data;
    (void)interp;
    if (shell->interrupted)
        Tcl_CancelEval(shell->interp, Tcl_NewStringObj("interrupted", -1), NULL, TCL_CANCEL_UNWIND);
    return code;
}

/* Completion */

static char *next_candidate(const char *text, int state)
{
    (void)text;
    struct prompt *prompt = prompt_on_terminal;
    Tcl_Obj *word = NULL;
    if (state == 0)
        prompt->next_candidate = 0;
    if (Tcl_ListObjIndex(NULL, prompt->candidates, prompt->next_candidate++, &word) != TCL_OK || !word)
        return NULL;
    return strdup(Tcl_GetString(word));
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    bool files;
    struct prompt *prompt = prompt_on_terminal;
    prompt->candidates = shell_complete(prompt->shell, rl_line_buffer, (size_t)start, text, &files);
    Tcl_IncrRefCount(prompt->candidates);
    char **matches = rl_completion_matches(text, next_candidate);
    Tcl_DecrRefCount(prompt->candidates);
    rl_attempted_completion_over = !files;
    return matches;
}

/* Lines */

static void take_line(char *line)
{
    struct prompt *prompt = prompt_on_terminal;
    prompt->have_line = true;
    prompt->line = line;
    rl_callback_handler_remove();
}

/* A signal ends the shell like the end of the input. */
static void end_input(void)
{
    rl_callback_sigcleanup();
    rl_free_line_state();
    take_line(NULL);
}

/* Read a line to prompt->line. False if Ctrl-C discarded it. */
static bool read_line(struct prompt *prompt, const char *text)
{
    prompt->have_line = false;
    prompt->line = NULL;
    prompt->shell->interrupted = 0;
    rl_callback_handler_install(text, take_line);
    while (!prompt->have_line) {
        struct pollfd input[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = end_signals_fd(prompt->shell->signals), .events = POLLIN}};
        int ready = poll(input, 2, -1);
        if (ready > 0 && input[1].revents)
            end_input();
        else if (ready > 0)
            rl_callback_read_char();
        else if (ready < 0 && errno != EINTR)
            take_line(NULL);
        else
            rl_check_signals();
        if (prompt->shell->interrupted && !prompt->have_line) {
            rl_callback_sigcleanup();
            rl_free_line_state();
            rl_callback_handler_remove();
            putchar('\n');
            return false;
        }
    }
    return true;
}

static void add_to_history(const char *text)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n')
        length--;
    char *line = checked_memory(strndup(text, length));
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (*line && (!last || strcmp(last->line, line) != 0))
        add_history(line);
    free(line);
}

/* Commands */

static void begin_line(struct shell *shell)
{
    Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
    if (out)
        Tcl_Flush(out);
    if (shell->output_mid_line)
        putchar('\n');
    shell->output_mid_line = false;
}

static void show_result(struct shell *shell, int code)
{
    Tcl_Obj *result = Tcl_GetObjResult(shell->interp);
    if (code == TCL_OK && result == shell->pretty_value)
        result = shell->pretty_text;
    const char *text = Tcl_GetString(result);
    fflush(stdout);
    if (*text)
        fprintf(code == TCL_OK ? stdout : stderr, "%s\n", text);
    fflush(stdout);
}

static void execute(struct shell *shell, Tcl_Obj *command)
{
    shell->interrupted = 0;
    shell->run_interrupted = false;
    int code = Tcl_EvalObjEx(shell->interp, command, TCL_EVAL_GLOBAL | TCL_EVAL_DIRECT);
    begin_line(shell);
    if (!end_signals_peek(shell->signals))
        show_result(shell, code);
    tcl_interrupt_reset(shell->interp);
}

static void set_up(struct prompt *prompt)
{
    const char *home = getenv("HOME");
    if (home && *home && asprintf(&prompt->history, "%s/.simos_history", home) < 0)
        log_bug("out of memory");
    prompt->interrupt = Tcl_AsyncCreate(interrupt_tcl, prompt->shell);
    rl_readline_name = "simos";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t\n\"{}[];";
    rl_persistent_signal_handlers = 1;
    using_history();
    stifle_history(HISTORY_LINES);
    if (prompt->history)
        read_history(prompt->history);
    struct sigaction action = {.sa_handler = interrupt_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &prompt->old_action);
}

int shell_prompt(struct shell *shell)
{
    struct prompt *prompt = checked_memory(calloc(1, sizeof *prompt));
    prompt->shell = shell;
    prompt_on_terminal = prompt;
    set_up(prompt);
    printf("simos: machine %s; `help` lists the commands\n", shell->options->machine_name);
    Tcl_Obj *command = Tcl_NewObj();
    Tcl_IncrRefCount(command);
    for (;;) {
        char first[160], place[120];
        shell_place_text(shell, place, sizeof place);
        snprintf(first, sizeof first, "simos %s> ", place);
        bool whole = read_line(prompt, command->length ? SECOND_PROMPT : *place ? first : FIRST_PROMPT);
        if (whole && !prompt->line)
            break;
        if (whole) {
            Tcl_AppendStringsToObj(command, prompt->line, "\n", NULL);
            free(prompt->line);
            if (!Tcl_CommandComplete(Tcl_GetString(command)))
                continue;
            add_to_history(Tcl_GetString(command));
            execute(shell, command);
        }
        Tcl_DecrRefCount(command);
        command = Tcl_NewObj();
        Tcl_IncrRefCount(command);
    }
    Tcl_DecrRefCount(command);
    putchar('\n');
    return 0;
}

void shell_prompt_end(struct shell *shell)
{
    struct prompt *prompt = prompt_on_terminal;
    if (!prompt || prompt->shell != shell)
        return;
    sigaction(SIGINT, &prompt->old_action, NULL);
    prompt_on_terminal = NULL;
    rl_attempted_completion_function = NULL;
    if (prompt->history)
        write_history(prompt->history); /* errors are ignored: an unwritable home directory has no history */
    free(prompt->history);
    Tcl_AsyncDelete(prompt->interrupt);
    clear_history();
    free(prompt);
}
