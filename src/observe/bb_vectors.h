/*
 * Basic-block vectors of a run, for SimPoint (docs/how-to/simpoint.md): for each interval of instructions a line
 * "T:ID:N :ID:N ...", N the instructions that the interval executed in the block ID (Sherwood et al., "Automatically
 * characterizing large scale program behavior", 2002). Blocks are those of the execution profile (execution.counts=
 * profile), numbered from 1 in the order in which they first executed: user programs, kernel and idle loop, of all
 * CPUs.
 *
 * Each line's numbers add up to the instructions of its interval. The last, incomplete interval has no line.
 */
#ifndef SIMOS_OBSERVE_BB_VECTORS_H
#define SIMOS_OBSERVE_BB_VECTORS_H

#include "src/machine/machine.h"
#include <stdio.h>

struct bb_vectors;

/* Vectors of every INTERVAL instructions of all CPUs of MACHINE, which profiles executions. */
struct bb_vectors *bb_vectors_create(struct machine *machine, uint64_t interval);
void bb_vectors_free(struct bb_vectors *vectors);

/* The first interval begins now. During a run, or between runs. */
void bb_vectors_start(struct bb_vectors *vectors);
/* The instruction count (machine_insns()) at which bb_vectors_sample() must be called next, between runs. */
uint64_t bb_vectors_next(const struct bb_vectors *vectors);
void bb_vectors_sample(struct bb_vectors *vectors);
/* Has the first interval begun, and none ended? */
bool bb_vectors_is_short(const struct bb_vectors *vectors);

/* Write the lines so far. VECTORS: a struct bb_vectors. */
void bb_vectors_write(const void *vectors, FILE *out);

#endif
