/*
 * SIGINT, SIGTERM and SIGHUP while a run is under way: they are asked for, between guest instructions, and the first
 * one ends the run in good order.
 */
#ifndef SIMOS_CONSOLE_SIGNALS_H
#define SIMOS_CONSOLE_SIGNALS_H

#include <signal.h>

struct console_signals {
    int fd; /* becomes readable when one comes; -1: they take their default effect */
    sigset_t old_mask;
};

/* From here on they are asked for; those that the process ignores already (nohup) stay ignored. */
void console_signals_take(struct console_signals *signals);
/* From here on they take their default effect, at any time. */
void console_signals_release(struct console_signals *signals);

/* The number of the one that has come, or 0. From then on they take their default effect. */
int console_signals_check(struct console_signals *signals);

#endif
