/*
 * The parsed record, for replay.c, which reads it, and replay_adopt.c, which compares it with the run.
 */
#ifndef SIMOS_HOST_REPLAY_STATE_H
#define SIMOS_HOST_REPLAY_STATE_H

#include "src/host/replay.h"

struct replay_param {
    const char *name, *value;
};

struct replay_file {
    const char *role, *path;
    struct file_identity identity;
};

/* A recorded machine. Texts point into the replay's text. The arrays are allocated by array_room(). */
struct replay_machine {
    const struct replay *replay;
    const char *name;
    struct replay_param *params;
    size_t param_count;
    const char **words;
    size_t word_count;
    const char **switches;
    size_t switch_count;
    const char **copies_in; /* --copy-in, --copy-out */
    size_t copy_in_count;
    const char **copies_out;
    size_t copy_out_count;
    struct replay_file *files;
    size_t file_count;
    struct replay_event *events;
    size_t event_count;
    struct replay_checkpoint *checkpoints;
    size_t checkpoint_count;
    bool ended;
    double seconds;
    uint64_t insns;
};

#endif
