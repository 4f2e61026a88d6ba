#include "src/host/terminal.h"

#include "src/base/log.h"
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

enum { STACK_SIZE = 64 << 10 };

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV};
enum { FATAL_COUNT = sizeof fatal_signals / sizeof fatal_signals[0] };

/* A signal handler has no argument of ours, and there are no file-static variables: this struct is at the low end of
 * the handler's stack, where the handler finds it with sigaltstack(). */
struct terminal {
    struct termios saved, raw;
    stack_t old_stack;
    struct sigaction old[FATAL_COUNT];
    _Alignas(max_align_t) unsigned char stack[STACK_SIZE];
};

_Static_assert(offsetof(struct terminal, saved) == 0, "the handler finds it at the start of its stack");

static void restore_and_die(int signal)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
        tcsetattr(STDIN_FILENO, TCSANOW, stack.ss_sp);
    raise(signal); /* takes the default effect (SA_RESETHAND) when this handler returns */
}

static void catch_fatal_signals(struct terminal *terminal)
{
    const struct sigaction restoring = {.sa_handler = restore_and_die, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    const stack_t stack = {.ss_sp = terminal, .ss_size = sizeof *terminal};
    sigaltstack(&stack, &terminal->old_stack);
    for (int i = 0; i < FATAL_COUNT; i++) {
        sigaction(fatal_signals[i], NULL, &terminal->old[i]);
        /* keep the handlers of a sanitizer */
        if (terminal->old[i].sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &restoring, NULL);
    }
}

struct terminal *terminal_set_raw(void)
{
    struct terminal *terminal = checked_memory(calloc(1, sizeof *terminal));
    if (tcgetattr(STDIN_FILENO, &terminal->saved) != 0) {
        free(terminal);
        return NULL;
    }
    struct termios *raw = &terminal->raw;
    *raw = terminal->saved;
    cfmakeraw(raw);
    raw->c_oflag |= OPOST | ONLCR; /* for the simulator's own output */
    catch_fatal_signals(terminal);
    if (tcsetattr(STDIN_FILENO, TCSANOW, raw) == 0)
        return terminal;
    terminal_restore(terminal);
    return NULL;
}

static bool is_in_foreground(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void terminal_suspend_raw(const struct terminal *terminal)
{
    if (is_in_foreground())
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->saved);
}

void terminal_resume_raw(const struct terminal *terminal)
{
    if (is_in_foreground())
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->raw);
}

void terminal_restore(struct terminal *terminal)
{
    if (!terminal)
        return;
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal->saved);
    for (int i = 0; i < FATAL_COUNT; i++)
        sigaction(fatal_signals[i], &terminal->old[i], NULL);
    sigaltstack(&terminal->old_stack, NULL);
    free(terminal);
}
