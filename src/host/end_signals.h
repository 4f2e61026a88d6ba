/*
 * SIGINT, SIGTERM and SIGHUP, which are to end a run in good order: the first one is noted, and whoever is at work asks
 * for it where it can stop. A second one ends the process at once, whatever it is doing, with its default effect.
 *
 * They are blocked in the whole process and taken by a thread of this module's own, which touches nothing else: so one
 * that comes while a script loops, or while a file is waited for, is noted as well. With a terminal (src/host/terminal.h)
 * that thread also takes SIGTSTP and SIGCONT: whoever stops the process finds the terminal as it was, and it is taken
 * again when the process goes on.
 *
 * A signal that comes again within a quarter of a second counts as the same one: timeout(1) sends it to a process and
 * to its group.
 */
#ifndef SIMOS_END_SIGNALS_H
#define SIMOS_END_SIGNALS_H

#include <stdbool.h>

struct end_signals;
struct terminal;

/* Not taken yet. With an INTERRUPT, SIGINT is one of them. One a process. */
struct end_signals *end_signals_create(bool interrupt);
/* Released, if they are taken; one that has come and was not asked for has its default effect. NULL is allowed. */
void end_signals_free(struct end_signals *signals);

/* From here on they are noted; those that the process ignores already (nohup) stay ignored. If the host has no room for
 * that, they keep their default effect. */
void end_signals_take(struct end_signals *signals);
/* From here on they have their default effect, at any time. */
void end_signals_release(struct end_signals *signals);

/* The number of the one that has come, the first time that it is asked for; 0: none, or it has been asked for. */
int end_signals_check(struct end_signals *signals);
/* The same, as often as it is asked for: who calls this leaves it to be checked by others. From any thread. SIGNALS may
 * be NULL. */
int end_signals_waiting(struct end_signals *signals);
/* A descriptor that is readable while end_signals_waiting(); -1: they are not taken. */
int end_signals_fd(const struct end_signals *signals);

/* TOLD(OPAQUE) is called, in the thread, when the first one comes; once only. TOLD may be NULL: nobody is told any
 * more, and no call is under way when this returns. */
void end_signals_tell(struct end_signals *signals, void (*told)(void *opaque), void *opaque);

/* TERMINAL is taken: SIGTSTP, SIGCONT and a second signal give it back, or take it again. NULL: there is none. */
void end_signals_set_terminal(struct end_signals *signals, struct terminal *terminal);

/* End the process by signal NUMBER, as its default effect does, with the terminal as it was. */
_Noreturn void end_signals_die(struct end_signals *signals, int number);

#endif
