/*
 * A guest program for lockstep runs: repeats operations that a binary translator may get wrong. The program checks
 * results only where it can compute them independently; lockstep compares the two CPU models.
 *
 * Everything is deterministic for given interrupt times; the printed sums do not depend on interrupt times.
 */
#ifndef SIMOS_TESTS_LOCKSTEP_STRESS_H
#define SIMOS_TESTS_LOCKSTEP_STRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Executes a part ROUNDS times. Returns a checksum of its results. */
typedef uint32_t stress_part(unsigned rounds);

stress_part stress_integer, stress_calls, stress_strings; /* integer.c */
stress_part stress_float_bits, stress_float_modes, stress_float_traps, stress_libm;
stress_part stress_pages, stress_copies, stress_faults, stress_walk;
stress_part stress_patches, stress_aliases, stress_generated, stress_unaligned;
stress_part stress_signals, stress_timers, stress_forks, stress_pipes, stress_files, stress_exec;
stress_part stress_locks, stress_linked, stress_condition, stress_local;

/* Ends the program if CONDITION does not hold. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* xorshift (Marsaglia 2003); the state must not be 0. */
static inline uint32_t stress_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline uint32_t stress_mix(uint32_t sum, uint32_t value)
{
    sum = (sum ^ value) * 0x9e3779b1u;
    return sum ^ sum >> 15;
}

#define NOINLINE __attribute__((noinline, noclone))

#endif
