/*
 * The external input of a running machine, kept in this process's memory: a copy of the process made earlier
 * (src/history) repeats the run with it. It is to a record what memory is to a file.
 */
#ifndef SIMOS_HOST_EXTERNAL_LOG_H
#define SIMOS_HOST_EXTERNAL_LOG_H

#include "src/host/external.h"
#include <stdio.h>

/* Keep all input from now on. In a replay there is nothing to be kept: a copy has the record too. */
void external_log_begin(struct external *external);
/* Keep no more, and forget it. */
void external_log_end(struct external *external);

/* How many inputs and stops have been kept so far. */
size_t external_log_count(const struct external *external);
/* The bytes that they take. */
size_t external_log_bytes(const struct external *external);

/* Write what has been kept since there were FIRST, for external_log_replay(). */
void external_log_write(const struct external *external, size_t first, FILE *out);

/* In the copy: from now on all input is what external_log_write() has written, SIZE BYTES of it; no source is asked
 * any more. May be called again, with what has been kept since. A replay of a record goes on with its record. False if
 * BYTES are not whole. */
bool external_log_replay(struct external *external, const void *bytes, size_t size);

/* In the copy: how many inputs and stops of the log have come again. */
size_t external_log_replayed(const struct external *external);

#endif
