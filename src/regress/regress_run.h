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

#include "src/regress/regress_side.h"

/* Check what the file asks of this host, before anything that it names is opened; then name the machines and the
 * digests. Returns false with ERR; in both cases the caller calls regress_run_end(). */
bool regress_run_begin(struct regress_run *run, struct err *err);
void regress_run_end(struct regress_run *run);

/* Both have their kernels: let RUN place them at random, the functions of NEW in the places of OLD, which may be NULL.
 * Their data too, if the symbols of all kernels have them. False with ERR if a kernel has no symbols. */
bool regress_run_place(struct regress_run *run, const struct regress_side *old, struct regress_side *new,
                       struct err *err);

/* Measure repetition 0 of SIDE, if PLAIN, and the repetitions up to COUNT, as far as they are not measured. *SIGNAL:
 * the signal that interrupted it, or 0. Returns false with ERR. */
bool regress_run_measure(struct regress_run *run, struct regress_side *side, bool plain, unsigned count, int *signal,
                         struct err *err);

/* Run the repetitions whose number modulo PARTS is PART, for other processes to read. Returns false with ERR. */
bool regress_run_part(struct regress_run *run, struct regress_side *side, bool plain, unsigned part, unsigned parts,
                      int *signal, struct err *err);

#endif
