/*
 * The record file of --record or --replay for a process.
 */
#ifndef SIMOS_TAPE_H
#define SIMOS_TAPE_H

#include "src/run/run_options.h"
#include "src/host/record.h"
#include "src/host/replay.h"

struct tape {
    struct record *record; /* NULL: no recording */
    struct replay *replay; /* NULL: no replay */
};

/* Open the record named in RUN and set RUN's options to use it. For `run` RUN gets the options of the recorded run.
 * False with ERR; in any case call tape_close() after the machines are freed. */
bool tape_open(struct tape *tape, struct run_options *run, struct err *err);
/* Close. False with ERR if the record could not be written. */
bool tape_close(struct tape *tape, struct err *err);

#endif
