/*
 * The two machines of a lockstep run and the output of their guests. Internal to lockstep.
 */
#ifndef SIMOS_RUN_LOCKSTEP_PAIR_H
#define SIMOS_RUN_LOCKSTEP_PAIR_H

#include "src/run/compare.h"
#include "src/run/lockstep.h"

struct lockstep_pair;

/* Output of one machine since the last comparison. */
struct lockstep_output {
    struct lockstep_pair *pair;
    unsigned side;
    uint8_t *bytes;
    size_t count, capacity;
};

struct lockstep_pair {
    const struct lockstep_setup *setup;
    bool first_run; /* side 0 has the host interface of the setup */
    struct machine *machine[2];
    struct lockstep_output output[2];
    struct compare *compare;
    uint64_t insns;              /* instruction to which both were last run */
    enum machine_stop reason[2]; /* why they stopped there */
};

/* Build both machines, at instruction 0. FIRST_RUN: side 0 uses the setup's host interface. Returns false with ERR. In
 * both cases the caller calls lockstep_pair_free(). */
bool lockstep_pair_create(struct lockstep_pair *pair, const struct lockstep_setup *setup, bool first_run,
                          struct err *err);
void lockstep_pair_free(struct lockstep_pair *pair);

/* Run both machines to instruction INSNS, or to their end. Returns false if side 0 was stopped by a request of the
 * host, which does not affect side 1. */
bool lockstep_pair_run(struct lockstep_pair *pair, uint64_t insns);

/* Have both stopped for another reason than having reached INSNS? */
bool lockstep_pair_ended(const struct lockstep_pair *pair);

/* Compare both machines: output, stop reason, architectural state, the COUNT given PAGES of RAM, and the statistics if
 * STATISTICS. True if anything differs. lockstep_pair_discard_output() then discards the output that was compared. */
bool lockstep_pair_differs(const struct lockstep_pair *pair, bool statistics, const uint32_t *pages, unsigned count);
void lockstep_pair_discard_output(struct lockstep_pair *pair);

/* Describe a difference in stop reason or output; the empty string if they are equal. */
void lockstep_pair_describe(const struct lockstep_pair *pair, char *text, size_t size);

/* One executed instruction. */
struct lockstep_step {
    uint64_t number; /* as insns counts, over all CPUs */
    unsigned cpu;
    vaddr pc;
    uint32_t word;
    bool word_known, slot;
    bool interrupt; /* taken before this instruction */
    int exception;  /* raised by this instruction: enum exception_code; -1: none */
};

enum { LOCKSTEP_HISTORY = 24 };

/* Result of single-stepping from the last position where both were equal. */
struct lockstep_trace {
    struct lockstep_step steps[LOCKSTEP_HISTORY]; /* the last instructions of side 0; number 0: unused */
    uint64_t stepped_difference; /* the first instruction after which they differ when single-stepped; 0: none */
};

/* Write what differs, and the instructions before it, to the setup's report. PAIR has executed the instruction. WHAT
 * receives the name and values of the first difference. */
void lockstep_report(const struct lockstep_pair *pair, const struct lockstep_trace *trace, const uint32_t *pages,
                     unsigned page_count, char *what, size_t size);

#endif
