/*
 * Writes a record: all external influences on a run, for src/host/replay.h. docs/how-to/record-replay.md describes the
 * file format.
 *
 * The head of a machine (its configuration and files) is buffered until the machine runs, so that a run that fails to
 * start does not overwrite an existing file. From then on every line is written at once: the record of a killed run is
 * complete up to the kill.
 */
#ifndef SIMOS_HOST_RECORD_H
#define SIMOS_HOST_RECORD_H

#include "src/base/file_identity.h"
#include "src/base/log.h"
#include "src/base/types.h"
#include "src/host/record_format.h"

struct record;

/* Create a record in the writable file PATH. NULL with ERR on an error. */
struct record *record_create(const char *path, struct err *err);
/* Complete the record and free it. False with ERR if a write failed. NULL is allowed. */
bool record_close(struct record *record, struct err *err);

/* Runs of the following machines end after SECONDS (0: no limit) and INSNS (UINT64_MAX: none). */
void record_limit(struct record *record, double seconds, uint64_t insns);

/* Write a line of a machine's head: KIND and COUNT texts. */
void record_head(struct record *record, const char *kind, const char *const *texts, unsigned count);
/* Write the lines of the head that hold the limits. */
void record_head_limits(struct record *record);
/* Note a file of the machine for ROLE (the parameter that names it), found at PATH. */
void record_file(struct record *record, const char *role, const struct file_identity *identity, const char *path);
/* The machine starts to run. */
void record_begin(struct record *record);

/* A position in a run. */
struct record_position {
    cycles time;    /* machine->now */
    uint64_t insns; /* machine_insns() */
    enum input_point place;
};

/* Write an event: COUNT bytes of input from SOURCE; an external stop request with its REASON; a time stamp without an
 * event; the end of the machine, after which it has no further events. */
void record_input(struct record *record, const struct record_position *moment, const char *source, const void *bytes,
                  size_t count);
void record_stop(struct record *record, const struct record_position *moment, unsigned reason);
void record_time(struct record *record, const struct record_position *moment);

/* A checkpoint that the run has saved. A record can be entered there. */
struct record_checkpoint {
    const char *path;
    struct file_identity identity;
    const uint64_t *cpu_insns; /* executed so far, of each CPU */
    unsigned cpus;
};
void record_saved(struct record *record, const struct record_position *moment,
                  const struct record_checkpoint *checkpoint);
void record_end(struct record *record, const struct record_position *moment);

/* Has a write failed? Then the record is unusable: ERR is the reason. */
bool record_failed(const struct record *record, struct err *err);

#endif
