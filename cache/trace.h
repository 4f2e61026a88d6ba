/*
 * Traces: a stream of references in a file, in one of two forms (docs/how-to/trace.md).
 *   din     text for Dinero and its like: a line "LABEL ADDRESS" a reference, 0 read, 1 write, 2 fetch, hexadecimal
 *           physical address. All else (who, sizes, what devices and CACHE instructions do) is left out
 *   binary  all of a reference, in blocks that are compressed and checked; can be read again
 */
#ifndef SIMOS_CACHE_TRACE_H
#define SIMOS_CACHE_TRACE_H

#include "cache/reference.h"
#include <stdio.h>

enum trace_format { TRACE_BINARY, TRACE_DIN };

/* What a binary trace says of itself. */
struct trace_info {
    uint8_t level;       /* 1: what CPUs ask, 2, 3: what that level of cache is asked */
    uint8_t cpus;        /* of the machine, 1..16 */
    bool times;          /* references carry the CPU's time */
    bool whole;          /* nothing was filtered out */
    uint32_t fetch_line; /* bytes of the line of which an instruction reference tells; 0 if the level has no such */
};

/* Which references. */
struct trace_filter {
    uint32_t cpus, modes, kinds; /* bit N: CPU N, enum mode N, enum reference_kind N */
    paddr first, last;           /* address between these, inclusive */
};

extern const struct trace_filter trace_filter_all;

/* Does REFERENCE pass? Of what is by no CPU (devices) only kind and address count; a DMA passes with any of its bytes.
 */
bool trace_filter_passes(const struct trace_filter *filter, const struct reference *reference);

/* The parameters of traces, trace.*; what they say. False with ERR naming the one that is wrong. */
extern const struct param_def trace_param_defs[];
extern const size_t trace_param_count;
bool trace_filter_from_params(struct trace_filter *filter, const struct params *params, struct err *err);

/* Writing */

struct trace_writer;

/* Create the file PATH, or replace what it holds. NULL with ERR naming it if the host refuses. */
struct trace_writer *trace_writer_create(const char *path, enum trace_format format, const struct trace_info *info,
                                         struct err *err);
/* Add a reference. After an error nothing happens any more. */
void trace_writer_add(struct trace_writer *writer, const struct reference *reference);
/* Has the host refused to take something? trace_writer_close() will say what. */
bool trace_writer_failed(const struct trace_writer *writer);
/* References added. */
uint64_t trace_writer_count(const struct trace_writer *writer);
/* Write what is left, close the file, free WRITER. False with ERR naming the file if not all of it could be written. */
bool trace_writer_close(struct trace_writer *writer, struct err *err);

/* Reading a binary trace */

struct trace_reader;
enum trace_next { TRACE_REFERENCE, TRACE_END, TRACE_DAMAGED };

/* NULL with ERR naming the file if it cannot be opened or is no trace. */
struct trace_reader *trace_reader_open(const char *path, struct trace_info *info, struct err *err);
void trace_reader_close(struct trace_reader *reader);
/* The next reference. TRACE_DAMAGED with ERR naming the file and the place: nothing more can be read from it; what has
 * been returned was right. */
enum trace_next trace_reader_next(struct trace_reader *reader, struct reference *reference, struct err *err);

/* How much of the file has been read, 0 to 1; -1 if that is not known. */
double trace_reader_share(const struct trace_reader *reader);

/* REFERENCE as a line of din text to OUT; nothing if it has none. False if OUT does not take it. */
bool trace_print_din(FILE *out, const struct reference *reference);

#endif
