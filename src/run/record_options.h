/*
 * The record file of --record or --replay for a process.
 */
#ifndef SIMOS_RUN_RECORD_OPTIONS_H
#define SIMOS_RUN_RECORD_OPTIONS_H

#include "src/run/run_options.h"
#include "src/host/record.h"
#include "src/host/replay.h"

struct record_options {
    struct record *record; /* NULL: no recording */
    struct replay *replay; /* NULL: no replay */
};

/* Open the record that RUN repeats, if any, and set RUN's options to use it. For `run` RUN gets the options of the
 * recorded run. False with ERR; in any case call record_options_close() after the machines are freed. */
bool record_options_open(struct record_options *tape, struct run_options *run, struct err *err);
/* Create the record that RUN makes, if any, and set RUN's options to use it. To be called once the names of RUN's files
 * have been checked. False with ERR. */
bool record_options_create(struct record_options *tape, struct run_options *run, struct err *err);
/* Close. False with ERR if the record could not be written. */
bool record_options_close(struct record_options *tape, struct err *err);

#endif
