/*
 * --record and --replay: the file that a process writes or reads.
 */
#ifndef SIMOS_TAPE_H
#define SIMOS_TAPE_H

#include "src/run/run_options.h"
#include "src/host/record.h"
#include "src/host/replay.h"

struct tape {
    struct record *record; /* NULL: nobody records */
    struct replay *replay; /* NULL: nothing is replayed */
};

/* Open what RUN names and let its options use it. For `run` RUN becomes what the recorded run was made from. False
 * with ERR; tape_close() it either way, after the machines. */
bool tape_open(struct tape *tape, struct run_options *run, struct err *err);
/* False with ERR if the record could not be written. */
bool tape_close(struct tape *tape, struct err *err);

#endif
