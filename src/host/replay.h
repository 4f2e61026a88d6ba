/*
 * Reading a record (src/host/record.h): what a machine was made of, and what came into it when.
 *
 * A file is read whole and checked before anything runs. It may be anything: what is damaged, is no record, or comes
 * from a newer simos is refused with a line that says so. A record that breaks off, because its run was killed, holds
 * as far as it goes.
 */
#ifndef SIMOS_REPLAY_H
#define SIMOS_REPLAY_H

#include "src/base/file_identity.h"
#include "src/base/log.h"
#include "src/host/record.h"

struct replay;         /* a file */
struct replay_machine; /* what it says of one machine */

enum replay_kind { REPLAY_INPUT, REPLAY_STOP, REPLAY_TIME, REPLAY_END };

/* Something that happened. */
struct replay_event {
    enum replay_kind kind;
    struct record_moment moment;
    const char *source; /* of an input */
    const void *bytes;
    size_t count;
    unsigned reason; /* of a stop */
};

/* NULL with ERR naming PATH. */
struct replay *replay_open(const char *path, struct err *err);
void replay_free(struct replay *replay);
const char *replay_path(const struct replay *replay);

/* The next machine of the file, the first one at first. NULL with ERR if there is none. */
const struct replay_machine *replay_next(struct replay *replay, struct err *err);
/* The same without going on. */
const struct replay_machine *replay_peek(struct replay *replay, struct err *err);

/* Is the file for ROLE, found at PATH, the recorded one? False with ERR if not. */
bool replay_check_file(const struct replay_machine *machine, const char *role, const char *path,
                       const struct file_identity *identity, struct err *err);

/* How many files was it made from? */
size_t replay_files(const struct replay_machine *machine);

/* What happened, in order: NULL behind the last. The last is a REPLAY_END unless the record breaks off. */
const struct replay_event *replay_event(const struct replay_machine *machine, size_t index);

#endif
