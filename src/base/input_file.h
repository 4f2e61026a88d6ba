/*
 * Opens every file that is read as input. What a kind of file may be, and how long, is decided here, before any of it
 * is read: a process must not block forever on a file, nor read one that does not end.
 * src/base/save_file.h opens files for writing.
 *
 * Not opened here: files that simos writes and continues (overlays, work folders), and what the host provides about
 * the process (/proc/self).
 */
#ifndef SIMOS_BASE_INPUT_FILE_H
#define SIMOS_BASE_INPUT_FILE_H

#include "src/base/log.h"
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The table is in input_file.c; docs/reference/exit-status.md shows it. */
enum input_kind {
    INPUT_KERNEL,     /* also a bare program */
    INPUT_INITRD,     /* initial RAM disk */
    INPUT_SYMBOLS,    /* list of symbols: System.map */
    INPUT_LAYOUTS,    /* list of structures, for annotations */
    INPUT_PROGRAM,    /* ELF file below --symbols, with debug information */
    INPUT_GUARDS,     /* prefetch.guards=@FILE */
    INPUT_PREFETCHES, /* prefetch.points=@FILE */
    INPUT_LAYOUT,     /* cache.layout=@FILE */
    INPUT_PAGE_HINTS, /* page_mapping.hints=@FILE */
    INPUT_MACHINE,    /* machine description that the command line names */
    INPUT_NAMED,      /* machine description that a file of possibly other origin names */
    INPUT_SWEEP,      /* sweep file */
    INPUT_CLUSTER,    /* cluster file */
    INPUT_TEST,       /* test file */
    INPUT_BASELINE,   /* baseline of a test */
    INPUT_TREND,      /* what commits have measured */
    INPUT_SCRIPT,     /* --script, simos shell */
    INPUT_SIMPOINTS,  /* files of SimPoint */
    INPUT_STATISTICS, /* statistics, results of a sweep */
    INPUT_CHART,      /* what a chart shows */
    INPUT_RECORD,     /* --replay */
    INPUT_CHECKPOINT,
    INPUT_TRACE,
    INPUT_DISK,       /* disk image */
    INPUT_COPY,       /* --copy-in: a file of it */
    INPUT_DEPENDENCY, /* `input` of a sweep file */
    INPUT_JOB,        /* a job's file in the work folder of a sweep */
    INPUT_IDENTITY,   /* a file of src/base/file_identity_cache.h */
    INPUT_KINDS
};

/* The name of a kind in messages ("kernel"), and its maximum length in bytes; UINT64_MAX: none. */
const char *input_file_name(enum input_kind kind);
uint64_t input_file_max(enum input_kind kind);

/* Open PATH for reading and set *SIZE, unless SIZE is NULL, to its length in bytes (a pipe: the maximum). Accepted are
 * regular files; for kinds that are read in one pass pipes with a writer, and /dev/null; for disks block devices.
 * Refused are directories, sockets, other devices, pipes without a writer, files that the kernel makes up (/proc,
 * /sys), and files longer than the maximum. -1 or NULL with ERR: "KIND PATH: reason". A pipe may still be empty, and
 * may be longer than the maximum. */
int input_file_open(enum input_kind kind, const char *path, uint64_t *size, struct err *err);
FILE *input_file_stream(enum input_kind kind, const char *path, struct err *err);

/* As input_file_open(), for NAME relative to the directory FOLDER, with FLAGS (O_NOFOLLOW, O_RDWR) in addition. The
 * error is the reason only. */
int input_file_open_at(enum input_kind kind, int folder, const char *name, int flags, uint64_t *size, struct err *err);

/* All of PATH, with a NUL appended: to be freed. Pipes, too, must not be longer than the maximum. NULL with ERR. */
char *input_file_read(enum input_kind kind, const char *path, size_t *length, struct err *err);
/* The same for a text: NULs are refused. */
char *input_file_text(enum input_kind kind, const char *path, struct err *err);

#endif
