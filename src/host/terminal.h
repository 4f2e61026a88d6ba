/*
 * The terminal on standard input: raw mode, and restoring it.
 *
 * In raw mode, a signal that kills the process unexpectedly (SIGSEGV, our own abort() ...) first restores the terminal,
 * so that the shell remains usable. src/host/end_signals.h handles signals that end a run in an orderly way, or stop
 * the process.
 */
#ifndef SIMOS_HOST_TERMINAL_H
#define SIMOS_HOST_TERMINAL_H

struct terminal;

/* Set raw mode: every key is read when typed, without echo, including Ctrl-C and the like; output is still processed,
 * so that "\n" begins a line. NULL if standard input is not a terminal or cannot be changed. One at a time. */
struct terminal *terminal_set_raw(void);

/* Temporarily restore the original mode, and set raw mode again. No effect if the process is not in the terminal's
 * foreground group, since others then use the terminal. From any thread that blocks SIGTTOU. */
void terminal_suspend_raw(const struct terminal *terminal);
void terminal_resume_raw(const struct terminal *terminal);

/* Restore the original mode and free. NULL is allowed. */
void terminal_restore(struct terminal *terminal);

#endif
