/*
 * Processes of the past, as they see themselves: a snapshot waits for requests, and a copy of it serves them.
 */
#ifndef SIMOS_HISTORY_PAST_H
#define SIMOS_HISTORY_PAST_H

#include "src/history/history.h"
#include <sys/types.h>

/* Where a process of the past must stop. */
struct past_go {
    struct history_target target;
    struct machine_limits horizon; /* as for machine->horizon */
};

struct past_find {
    struct find_request request;
    struct history_position until; /* the place */
    struct machine_limits horizon;
};

/* The head of every answer but that of CHANNEL_FAILED; the bytes follow: of CHANNEL_FIND the events. */
struct past_answer {
    struct history_position position;
    uint64_t replayed; /* inputs and stops that have come again */
    pid_t pid;
    bool at_horizon;
    uint64_t cpu_insns[BOARD_MAX_CPUS];
};

/* This process is a copy that has just been made, for channel FD, by PARENT: wait for requests, for ever. */
_Noreturn void past_wait(struct machine *machine, const struct history_front *front, int fd, int parent);

#endif
