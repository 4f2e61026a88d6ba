/*
 * Traces: a stream of references in a file, in one of two formats (docs/how-to/trace.md).
 *   din     text for Dinero and similar programs: a line "LABEL ADDRESS" for each reference, with 0 read, 1 write,
 *           2 fetch, and the physical address in hexadecimal. Everything else is omitted (CPU, mode, sizes, DMA,
 *           CACHE instructions)
 *   binary  complete references, in compressed blocks with checksums
 * Both can be read back, also compressed by gzip, xz or zstd; the content decides which it is.
 */
#ifndef SIMOS_CACHE_OBSERVE_TRACE_H
#define SIMOS_CACHE_OBSERVE_TRACE_H

#include "cache/reference.h"
#include <stdio.h>

enum trace_format { TRACE_BINARY, TRACE_DIN };

/* What the number of the process of a reference is: trace.process */
enum trace_process {
    TRACE_SPACE,   /* the address space of the CPU (EntryHi.ASID): others on other CPUs, and used again */
    TRACE_PROCESS, /* the guest's process ID, of all threads of a program; 0: the idle loop, or unknown */
    TRACE_THREAD,  /* the guest's thread ID, likewise */
};

/* Header of a binary trace. */
struct trace_info {
    /* 0: the instructions of the CPUs and their accesses, in the order of the program; 1: requests of the CPUs; above:
     * requests to that cache level, or to memory if the machine has no such caches */
    uint8_t level;
    uint8_t cpus;  /* number of CPUs of the machine, 1..64 */
    bool times;    /* references have timestamps */
    bool whole;    /* no reference was filtered out */
    bool is_mips1; /* level 0: the instructions are of MIPS I (isa.h, LEVEL_1), otherwise of MIPS32 release 2 */
    bool calls;    /* level 0: exceptions by system calls have its number; every new trace */
    bool is_din;   /* din text: no modes, and no counts of instructions; each fetch is one instruction */
    enum trace_process process; /* with IDs of the guest references have them in all modes */
    /* size in bytes of the line that a fetch reference stands for; 0 if the level has none */
    uint32_t fetch_line;
};

/* Selects references. */
struct trace_filter {
    uint64_t cpus;         /* bit N set: accept CPU N */
    uint32_t modes, kinds; /* ... enum mode N, enum reference_kind N */
    paddr first, last;     /* accepted address range, inclusive */
};

enum { TRACE_LEVEL_MAX = 4 };

extern const struct trace_filter trace_filter_all;

/* Whether REFERENCE passes the filter. For references of no CPU (devices) only kind and address count; a DMA passes if
 * any of its bytes does. */
bool trace_filter_passes(const struct trace_filter *filter, const struct reference *reference);

/* The parameters trace.*, and their conversion to a filter. Returns false with ERR naming the parameter that is
 * invalid. */
extern const struct param_def trace_param_defs[];
extern const size_t trace_param_count;
/* The kinds of references by name; those up to REFERENCE_FLUSH are words of trace.kinds ("read" selects walks, too). */
extern const char *const trace_kind_names[REFERENCE_KINDS];
/* The name of a read by the page-table walker, where it is told from others. */
extern const char trace_walk_name[];
bool trace_filter_from_params(struct trace_filter *filter, const struct params *params, struct err *err);

/* Writing */

struct trace_writer;

/* Creates the file PATH or truncates it. Returns NULL with ERR naming the file on an error of the host. */
struct trace_writer *trace_writer_create(const char *path, enum trace_format format, const struct trace_info *info,
                                         struct err *err);
/* Appends a reference. No effect after an error. */
void trace_writer_add(struct trace_writer *writer, const struct reference *reference);
/* Whether a write has failed. trace_writer_close() reports the error. */
bool trace_writer_failed(const struct trace_writer *writer);
/* Number of references added. */
uint64_t trace_writer_count(const struct trace_writer *writer);
/* Writes buffered data, closes the file and frees WRITER. Returns false with ERR naming the file if not everything
 * could be written. */
bool trace_writer_close(struct trace_writer *writer, struct err *err);

/* Reading */

struct trace_reader;
enum trace_next { TRACE_REFERENCE, TRACE_END, TRACE_DAMAGED };

/* Returns NULL with ERR naming the file if it cannot be opened or is not a trace. */
struct trace_reader *trace_reader_open(const char *path, struct trace_info *info, struct err *err);
void trace_reader_close(struct trace_reader *reader);
/* Reads the next reference. Returns TRACE_DAMAGED with ERR naming the file and the position on an error: the references
 * returned before are correct, and nothing more can be read. */
enum trace_next trace_reader_next(struct trace_reader *reader, struct reference *reference, struct err *err);

/* The fraction of the file that has been read, 0 to 1; -1 if unknown. */
double trace_reader_fraction(const struct trace_reader *reader);

/* Prints REFERENCE as a line of din text to OUT; prints nothing if its kind has no din form. Returns false on a write
 * error. */
bool trace_print_din(FILE *out, const struct reference *reference);

#endif
