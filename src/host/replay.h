/*
 * Reads a record (src/host/record.h): the configuration of its machines, and their input events.
 *
 * A file is read and checked completely before anything runs. It is untrusted: a damaged file, a file that is not a
 * record, and a record of a newer simos are rejected with a message. A truncated record, of a killed run, is valid up
 * to its end.
 */
#ifndef SIMOS_HOST_REPLAY_H
#define SIMOS_HOST_REPLAY_H

#include "src/base/file_identity.h"
#include "src/base/log.h"
#include "src/host/record.h"

struct replay;         /* a record file */
struct replay_machine; /* one machine of it */

enum replay_kind { REPLAY_INPUT, REPLAY_STOP, REPLAY_TIME, REPLAY_END };

/* A recorded event. */
struct replay_event {
    enum replay_kind kind;
    struct record_position position;
    const char *source; /* for an input */
    const void *bytes;
    size_t count;
    unsigned reason; /* for a stop */
};

/* A checkpoint that the recorded run saved. */
struct replay_checkpoint {
    struct record_position position;
    struct file_identity identity;
    const char *path;    /* as it was named then */
    uint64_t *cpu_insns; /* executed so far, of each CPU */
    unsigned cpus;
    size_t next; /* index of the first event behind it */
};

/* Open the record PATH. NULL with ERR naming it. */
struct replay *replay_open(const char *path, struct err *err);
void replay_free(struct replay *replay);
const char *replay_path(const struct replay *replay);

/* The next machine of the file, initially the first. NULL with ERR if there is none. */
const struct replay_machine *replay_next(struct replay *replay, struct err *err);
/* As replay_next(), without advancing. */
const struct replay_machine *replay_peek(struct replay *replay, struct err *err);
/* The next machine is the first one again. */
void replay_rewind(struct replay *replay);

/* The checkpoints that the recorded run saved, in order; NULL behind the last one. */
const struct replay_checkpoint *replay_checkpoint(const struct replay_machine *machine, size_t index);
/* The one of this IDENTITY; NULL: there is none. */
const struct replay_checkpoint *replay_find_checkpoint(const struct replay_machine *machine,
                                                       const struct file_identity *identity);

/* Is the file for ROLE, found at PATH, the recorded one? False with ERR if not. */
bool replay_check_file(const struct replay_machine *machine, const char *role, const char *path,
                       const struct file_identity *identity, struct err *err);

/* How far the record reaches: its last position. */
struct record_position replay_end(const struct replay_machine *machine);

/* Number of files from which the machine was created. */
size_t replay_files(const struct replay_machine *machine);

/* The recorded events in order; NULL behind the last one, which is a REPLAY_END unless the record is truncated. */
const struct replay_event *replay_event(const struct replay_machine *machine, size_t index);

#endif
