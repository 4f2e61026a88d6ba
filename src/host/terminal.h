/*
 * The terminal on standard input, taken for raw input and given back.
 *
 * While it is taken, a signal that kills the process out of the blue (SIGSEGV, our own abort() ...) gives it back
 * first: a shell that cannot be seen to type in would be left behind. Signals that end a run in good order, or stop it
 * for a while, are src/host/end_signals.h's.
 */
#ifndef SIMOS_TERMINAL_H
#define SIMOS_TERMINAL_H

struct terminal;

/* Take it: every key arrives as it is typed, unechoed, Ctrl-C and its like among them; what is printed is still
 * processed, so that "\n" begins a line. NULL if standard input is no terminal or cannot be changed. One at a time. */
struct terminal *terminal_take(void);

/* While it is taken: make it as it was, so that somebody else can use it; and take it again. Nothing is done where the
 * process is not in the terminal's foreground, for then others use it. From any thread that has SIGTTOU blocked. */
void terminal_leave(const struct terminal *terminal);
void terminal_enter(const struct terminal *terminal);

/* Give it back as it was. NULL is allowed. */
void terminal_give_back(struct terminal *terminal);

#endif
