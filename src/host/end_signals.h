/*
 * SIGINT, SIGTERM and SIGHUP, which end a run in an orderly way: the first one is recorded, and the main loop checks
 * for it where it can stop. A second one ends the process at once, by its default effect.
 *
 * They are blocked in the entire process and received by a thread of this module, so that a signal is recorded even
 * while a script loops or a file operation blocks. With a terminal (src/host/terminal.h) the thread also receives
 * SIGTSTP and SIGCONT: the terminal is restored while the process is stopped, and set to raw mode again when it
 * continues.
 *
 * After the first signal the thread also looks at the outputs, so that a reader that does not read cannot hold up the
 * end (src/base/open_outputs.h). Only the thread that called end_signals_take() may wait in a write to one of them.
 *
 * A signal repeated within a quarter of a second counts as the same one: timeout(1) sends it to a process and to its
 * group.
 */
#ifndef SIMOS_HOST_END_SIGNALS_H
#define SIMOS_HOST_END_SIGNALS_H

#include <stdbool.h>

struct end_signals;
struct terminal;

/* Create the signal handling, not yet active. INTERRUPT: include SIGINT. One per process. */
struct end_signals *end_signals_create(bool interrupt);
/* Free; releases the signals first, and prints a line for each output that was given up. A recorded signal that was not
 * checked has its default effect. NULL is allowed. */
void end_signals_free(struct end_signals *signals);

/* Start to record the signals; those that the process ignores (nohup) stay ignored. If the host lacks resources, they
 * keep their default effect. */
void end_signals_take(struct end_signals *signals);
/* Stop recording: the signals have their default effect from here on, also one that was recorded and not checked. */
void end_signals_release(struct end_signals *signals);
/* The same at the end of what the signals end: returns the number of the recorded one, checked or not; 0: none. */
int end_signals_end(struct end_signals *signals);

/* The number of the recorded signal, returned once; 0: none, or already returned. */
int end_signals_check(struct end_signals *signals);
/* As end_signals_check(), but without marking the signal as checked: another caller still must check it. From any
 * thread. SIGNALS may be NULL. */
int end_signals_peek(struct end_signals *signals);
/* A descriptor that is readable while end_signals_peek() is not 0; -1: not active. */
int end_signals_fd(const struct end_signals *signals);

/* Set an observer: TOLD(OPAQUE) is called once, in the signal thread, when the first signal arrives. NULL removes it;
 * no call is in progress when this returns. */
void end_signals_set_observer(struct end_signals *signals, void (*told)(void *opaque), void *opaque);

/* Set the raw TERMINAL: SIGTSTP, SIGCONT and a second signal restore it or set it to raw mode again. NULL: none. */
void end_signals_set_terminal(struct end_signals *signals, struct terminal *terminal);

/* End the process by the default effect of signal NUMBER, with the terminal restored. */
_Noreturn void end_signals_die(struct end_signals *signals, int number);

#endif
