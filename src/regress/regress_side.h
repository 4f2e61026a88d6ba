/*
 * A test that is made, and what has been measured of each of its sides: an old and a new kernel, or a baseline and a
 * kernel.
 */
#ifndef SIMOS_REGRESS_REGRESS_SIDE_H
#define SIMOS_REGRESS_REGRESS_SIDE_H

#include "src/regress/regress_file.h"
#include "src/regress/regress_pairs.h"

struct regress_run {
    const struct regress_file *file;
    const char *work; /* folder */
    unsigned processes;
    bool trust, quiet;
    bool kernel_given;  /* on the command line, for all sides: the file's is not used */
    bool program_given; /* likewise */
    bool only_read;     /* run nothing: what is not finished is an error */
    bool random;        /* placement */
    bool data;          /* ... of data too: the symbols of all kernels have them */
    bool fixes_random;  /* numbers: guest.fixed_random, with random placement, if all kernels can */
    const struct commands *commands;
    unsigned machines; /* set by regress_run_begin() */
    char **machine_name, **machine_digest;
    char *workload_digest;
};

/* What has been measured of one side. */
struct regress_side {
    const char *kernel; /* of the command line; NULL: the file's, or simos's own */
    char *kernel_path;  /* the one that is booted; NULL: that of a checkpoint */
    char *kernel_digest;
    const char *program; /* of the command line; NULL: the file's */
    char *program_path;  /* the one that is run; NULL: none */
    char *program_digest;
    unsigned repetitions;   /* measured: 1 .. REPETITIONS */
    const char *like;       /* path of the kernel in whose places this one's functions are seen; NULL: none */
    bool has_plain;         /* repetition 0 is measured */
    uint64_t *plain, *held; /* [machine][row] of repetition 0: as linked; with LIKE, in its places */
    uint64_t **value;       /* [machine * rows + row][repetition - 1] */
    struct regress_parts *plain_parts, *parts; /* [machine * rows + row]; of all repetitions together */
    struct regress_parts *held_parts;          /* of `held` */
    struct regress_pairs *pairs, *held_pairs;  /* [machine] of repetition 0, with LIKE */
    unsigned *unmatched;                       /* [machine * rows + row]: patterns that no run has matched */
};

/* A side with nothing measured and no kernel, as a baseline is read into. The caller calls regress_side_release(). */
void regress_side_begin(struct regress_side *side, const struct regress_run *run);
/* Set the kernel of SIDE, which is to be measured; KERNEL: --kernel, or NULL. Returns false with ERR if it cannot be
 * read, or the file begins with a checkpoint, which has its own. */
bool regress_side_find_kernel(struct regress_side *side, const struct regress_run *run, const char *kernel,
                              struct err *err);
/* Set the program of SIDE, if the file has one; PROGRAM: --program, or NULL. Returns false with ERR if it cannot be
 * read, is called otherwise than the file's, or the file has none. */
bool regress_side_find_program(struct regress_side *side, const struct regress_run *run, const char *program,
                               struct err *err);
void regress_side_release(struct regress_side *side, const struct regress_run *run);

/* Do the repetitions of ROW have random placements? */
bool regress_run_places(const struct regress_run *run, const struct regress_row *row);
/* What ROW counts in RUN, as text: the same text, the same numbers. The caller frees it. */
char *regress_run_define(const struct regress_run *run, const struct regress_row *row);

#endif
