/*
 * The record file of --record or --replay for a process.
 */
#ifndef SIMOS_TAPE_H
#define SIMOS_TAPE_H

#include "src/command_line.h"
#include "src/record.h"
#include "src/replay.h"

struct tape {
    struct record *record; /* NULL: no recording */
    struct replay *replay; /* NULL: no replay */
};

/* Open the record named in LINE and set LINE's options to use it. For `run` LINE gets the options of the recorded run.
 * False with ERR; in any case call tape_close() after the machines are freed. */
bool tape_open(struct tape *tape, struct command_line *line, struct err *err);
/* Close. False with ERR if the record could not be written. */
bool tape_close(struct tape *tape, struct err *err);

#endif
