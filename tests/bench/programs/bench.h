/*
 * The benchmark programs: one executable, one function a program. The same sources are compiled for the guest and for
 * the host. A program does AMOUNT rounds of its work between bench_begin() and bench_end() and returns a checksum that
 * depends on all of it; for the same amount it is the same number everywhere.
 *
 * Whoever measures looks at its own clock when it sees the lines that bench_begin() and bench_end() print: the clock of
 * a simulated machine says nothing about the time that passed.
 */
#ifndef SIMOS_TESTS_BENCH_PROGRAMS_BENCH_H
#define SIMOS_TESTS_BENCH_PROGRAMS_BENCH_H

#include <stddef.h>
#include <stdint.h>

/* Prints "BENCH begin" and waits until the line has left. To be called once, when everything is set up. */
void bench_begin(void);

/* Prints "BENCH end". To be called once. */
void bench_end(void);

/* Bytes of zeros, every page of them touched. Ends the program if there are none. */
void *bench_memory(size_t size);

/* Ends the program with status 1 after "bench: WHAT: reason" from errno. */
_Noreturn void bench_die(const char *what);

/* The next number of a fixed sequence that looks random; *STATE must not be 0. */
uint32_t bench_random(uint32_t *state);

/* SUM with VALUE mixed in. */
uint32_t bench_mix(uint32_t sum, uint32_t value);

uint32_t bench_alu(unsigned amount);     /* integer loop in registers */
uint32_t bench_calls(unsigned amount);   /* recursive calls */
uint32_t bench_chase(unsigned amount);   /* every load needs the one before, 16 MB */
uint32_t bench_stride(unsigned amount);  /* loads and stores with a stride, 16 MB */
uint32_t bench_tlb(unsigned amount);     /* every access in another page, 16 MB */
uint32_t bench_pages(unsigned amount);   /* code over more pages than the TLB reaches */
uint32_t bench_strings(unsigned amount); /* memcpy, memset, strlen, strcmp, strchr */
uint32_t bench_matrix(unsigned amount);  /* matrix product, double */
uint32_t bench_storm(unsigned amount);   /* fork, exec, pipe, page faults */

/* What bench_storm() executes: argument in, line out. */
int bench_storm_child(const char *number);

/* Writes a text of about SIZE bytes, always the same, to standard output: words of different frequency, numbers. */
void bench_text(unsigned size);

#endif
