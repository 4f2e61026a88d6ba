/*
 * The runs of a test: for each side (an old and a new kernel) and each repetition a position, made once and kept by
 * digest, and from it a run on each machine of the test. They are jobs of a sweep (src/sweep/sweep_run.h) in the test's
 * work folder, and what is finished there is not run again.
 *
 * Repetition 0 is not perturbed; repetition R has the seeds machine.perturb=S and guest.page_seed=S, S = R + the file's
 * seed (the latter at the boot, so not from a checkpoint that the file names). With random placement, rows that are not
 * judged as linked have guest.placement_seed=S, too, and the new kernel's functions are seen where the old one's are
 * (guest.placement_of). Repetition 0 is as linked, and for the new kernel also with the placement of the old one.
 */
#ifndef SIMOS_REGRESS_REGRESS_RUN_H
#define SIMOS_REGRESS_REGRESS_RUN_H

#include "src/regress/regress_file.h"
#include "src/regress/regress_pairs.h"

struct regress_run {
    const struct regress_file *file;
    const char *work; /* folder */
    unsigned processes;
    bool trust, quiet;
    bool kernel_given; /* on the command line, for all sides: the file's is not used */
    bool only_read;    /* run nothing: what is not finished is an error */
    bool random;       /* placement */
    bool data;         /* ... of data too: the symbols of all kernels have them */
    bool fixes_random; /* numbers: guest.fixed_random, with random placement, if all kernels can */
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

/* Check what the file asks of this host, before anything that it names is opened; then name the machines and the
 * digests. Returns false with ERR; in both cases the caller calls regress_run_end(). */
bool regress_run_begin(struct regress_run *run, struct err *err);
void regress_run_end(struct regress_run *run);

/* A side with nothing measured and no kernel, as a baseline is read into. The caller calls regress_side_release(). */
void regress_side_begin(struct regress_side *side, const struct regress_run *run);
/* Set the kernel of SIDE, which is to be measured; KERNEL: --kernel, or NULL. Returns false with ERR if it cannot be
 * read, or the file begins with a checkpoint, which has its own. */
bool regress_side_find_kernel(struct regress_side *side, const struct regress_run *run, const char *kernel,
                              struct err *err);
/* Both have their kernels: let RUN place them at random, the functions of NEW in the places of OLD, which may be NULL.
 * Their data too, if the symbols of all kernels have them. False with ERR if a kernel has no symbols. */
bool regress_run_place(struct regress_run *run, const struct regress_side *old, struct regress_side *new,
                       struct err *err);
/* Do the repetitions of ROW have random placements? */
bool regress_run_places(const struct regress_run *run, const struct regress_row *row);
void regress_side_release(struct regress_side *side, const struct regress_run *run);

/* Measure repetition 0 of SIDE, if PLAIN, and the repetitions up to COUNT, as far as they are not measured. *SIGNAL:
 * the signal that interrupted it, or 0. Returns false with ERR. */
bool regress_run_measure(struct regress_run *run, struct regress_side *side, bool plain, unsigned count, int *signal,
                         struct err *err);

/* Run the repetitions whose number modulo PARTS is PART, for other processes to read. Returns false with ERR. */
bool regress_run_part(struct regress_run *run, struct regress_side *side, bool plain, unsigned part, unsigned parts,
                      int *signal, struct err *err);

#endif
