/*
 * Messages between the process of the present and its snapshots: a kind, bytes, and perhaps a descriptor. Both ends are
 * copies of one process, so that the bytes may be structs.
 */
#ifndef SIMOS_HISTORY_CHANNEL_H
#define SIMOS_HISTORY_CHANNEL_H

#include "src/base/log.h"
#include "src/base/types.h"

enum channel_kind {
    /* requests */
    CHANNEL_FORK, /* with a descriptor: make a copy that serves it; the bytes are the input since the snapshot */
    CHANNEL_GO,
    CHANNEL_ASK,
    CHANNEL_FIND,
    CHANNEL_INTERRUPT, /* end what is going on; has no answer of its own */
    /* answers */
    CHANNEL_DONE,
    CHANNEL_FAILED, /* the bytes are the reason, a text */
};

struct channel_message {
    enum channel_kind kind;
    char *bytes; /* [size], and a NUL behind them; to be freed */
    size_t size;
    int fd; /* -1: none */
};

/* Make the two ends of a channel. False if the host refuses. */
bool channel_create(int ends[2], struct err *err);

/* Send a message with the descriptor PASSED (-1: none). False if there is nobody at the other end. */
bool channel_send(int fd, enum channel_kind kind, const void *bytes, size_t size, int passed);

/* Wait for a message. False if the other end is closed, or the message is not whole. */
bool channel_receive(int fd, struct channel_message *message);

/* Is there something to be received, or is the other end closed? */
bool channel_is_ready(int fd);

#endif
