/*
 * Files of drmemtrace, DynamoRIO's memory traces (clients/drcachesim/common/trace_entry.h): records of 12 bytes, each a
 * type (2 bytes), a size or the type of a marker (2), and an address or the value of a marker (8), little-endian; here
 * compressed as gzip does, without a time.
 */
#ifndef SIMOS_TRACE_DRMEMTRACE_FILE_H
#define SIMOS_TRACE_DRMEMTRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

/* Types of records. */
enum drmemtrace_type {
    DRMEMTRACE_READ = 0,
    DRMEMTRACE_WRITE = 1,
    DRMEMTRACE_INSTR = 10, /* no branch */
    DRMEMTRACE_DIRECT_JUMP,
    DRMEMTRACE_INDIRECT_JUMP,
    DRMEMTRACE_DIRECT_CALL = 14,
    DRMEMTRACE_INDIRECT_CALL,
    DRMEMTRACE_RETURN,
    DRMEMTRACE_THREAD = 22,
    DRMEMTRACE_PID = 24,
    DRMEMTRACE_HEADER,
    DRMEMTRACE_FOOTER,
    DRMEMTRACE_MARKER = 28,
    DRMEMTRACE_NO_FETCH, /* an instruction that is not fetched */
    DRMEMTRACE_ENCODING = 47,
    DRMEMTRACE_TAKEN_JUMP,
    DRMEMTRACE_UNTAKEN_JUMP,
};

/* Types of markers. Those above 100 are for users of the format: these two are ours. */
enum drmemtrace_marker {
    DRMEMTRACE_KERNEL_EVENT = 0,
    DRMEMTRACE_KERNEL_XFER,
    DRMEMTRACE_TIMESTAMP,
    DRMEMTRACE_CPU_ID,
    DRMEMTRACE_FILETYPE = 9,
    DRMEMTRACE_VERSION = 12,
    DRMEMTRACE_WINDOW_ID = 14,
    DRMEMTRACE_PHYSICAL_ADDRESS,
    DRMEMTRACE_VIRTUAL_ADDRESS = 17,
    DRMEMTRACE_PAGE_SIZE,
    DRMEMTRACE_BRANCH_TARGET = 29,
    DRMEMTRACE_HARDWARE_EVENT = 43,
    DRMEMTRACE_HARDWARE_CONTEXT_RETURN,
    DRMEMTRACE_EXCEPTION_CODE = 101, /* Cause.ExcCode of the event that follows */
    DRMEMTRACE_SYSTEM_CALL,          /* the number of the system call that the event that follows is */
};

/* Bits of the file type. */
enum {
    DRMEMTRACE_ENCODINGS = 0x200,
    DRMEMTRACE_CORE_SHARDED = 0x10000, /* a file for each CPU */
    DRMEMTRACE_REGDEPS = 0x20000,
    DRMEMTRACE_WHOLE_SYSTEM = 0x40000,
};

enum { DRMEMTRACE_RECORD_BYTES = 12 };

/* A file being written; all zero bytes: none. */
struct drmemtrace_file {
    FILE *out; /* NULL: nothing has been written yet */
    bool failed;
    z_stream stream;
    size_t used;
    uint8_t records[4096 * DRMEMTRACE_RECORD_BYTES], packed[1 << 15];
};

/* Begin to write to OUT. */
void drmemtrace_begin(struct drmemtrace_file *file, FILE *out);
/* Append a record. No effect after a write has failed. */
void drmemtrace_put(struct drmemtrace_file *file, enum drmemtrace_type type, unsigned size, uint64_t address);
/* The same for bytes in the place of the address, at most 8. */
void drmemtrace_put_bytes(struct drmemtrace_file *file, enum drmemtrace_type type, const uint8_t *bytes,
                          unsigned count);
void drmemtrace_put_marker(struct drmemtrace_file *file, enum drmemtrace_marker marker, uint64_t value);
/* Write what is left. False if any write has failed. */
bool drmemtrace_end(struct drmemtrace_file *file);
/* Free FILE's memory, ended or not. */
void drmemtrace_release(struct drmemtrace_file *file);

#endif
