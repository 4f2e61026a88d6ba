/*
 * Two machines and what their guests print. Private to lockstep.
 */
#ifndef SIMOS_LOCKSTEP_PAIR_H
#define SIMOS_LOCKSTEP_PAIR_H

#include "src/run/compare.h"
#include "src/run/lockstep.h"

struct lockstep_pair;

/* What leaves a machine, as it is compared: since the last comparison. */
struct lockstep_output {
    struct lockstep_pair *pair;
    unsigned side;
    uint8_t *bytes;
    size_t count, capacity;
};

struct lockstep_pair {
    const struct lockstep_setup *setup;
    bool first_run; /* side 0 has the host of the setup */
    struct machine *machine[2];
    struct lockstep_output output[2];
    struct compare *compare;
    uint64_t insns;              /* to which both were last run */
    enum machine_stop reason[2]; /* why they stopped there */
};

/* Fill PAIR, at instruction 0. FIRST_RUN: side 0 speaks to the outside. False with ERR on failure; lockstep_pair_free()
 * it either way. */
bool lockstep_pair_create(struct lockstep_pair *pair, const struct lockstep_setup *setup, bool first_run,
                          struct err *err);
void lockstep_pair_free(struct lockstep_pair *pair);

/* Run both to instruction INSNS (or to where they end). False if side 0 was asked to stop from outside, which says
 * nothing about side 1. */
bool lockstep_pair_run(struct lockstep_pair *pair, uint64_t insns);

/* Have both ended, for another reason than having run INSNS instructions? */
bool lockstep_pair_ended(const struct lockstep_pair *pair);

/* Do they differ now, in what is cheap to compare, or in STATISTICS too, or on these pages? What was printed meanwhile
 * is compared and forgotten by lockstep_pair_forget_output(). */
bool lockstep_pair_differs(const struct lockstep_pair *pair, bool statistics, const uint32_t *pages, unsigned count);
void lockstep_pair_forget_output(struct lockstep_pair *pair);

/* Text for what is no figure: why they stopped, what they printed. Empty if that is the same. */
void lockstep_pair_describe(const struct lockstep_pair *pair, char *text, size_t size);

/* An instruction of the history. */
struct lockstep_step {
    uint64_t number; /* as insns counts, of all CPUs */
    unsigned cpu;
    vaddr pc;
    uint32_t word;
    bool word_known, slot;
    bool interrupt; /* taken before it */
    int exception;  /* its own: enum exception_code, -1: none */
};

enum { LOCKSTEP_HISTORY = 24 };

/* What single-stepping from the last good place found. */
struct lockstep_trace {
    struct lockstep_step steps[LOCKSTEP_HISTORY]; /* of side 0, the last ones; number 0: not used */
    uint64_t stepped_difference; /* the first instruction after which they differ when stepped; 0: none */
};

/* What differs, and what led there: to the setup's report. PAIR is after the instruction. WHAT gets the first figure
 * that differs. */
void lockstep_report(const struct lockstep_pair *pair, const struct lockstep_trace *trace, const uint32_t *pages,
                     unsigned page_count, char *what, size_t size);

#endif
