/*
 * Locality of code, from an execution profile: the figures of "Instruction Access Patterns", section 3.2.1 of Xia and
 * Torrellas 1999: how much of the code executes at all, how many call sites routines have, what loops contribute, and
 * how long the sequences are that execution follows outside of them.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_LOCALITY_H
#define SIMOS_CPU_OBSERVE_CODE_LOCALITY_H

#include "cpu/observe/profiled_code.h"

/* Loops, as natural loops of the executed control flow of a routine (Aho, Lam, Sethi and Ullman, section 9.6.6): the
 * target of a back edge dominates its source. */
struct loop_figures {
    size_t loops;
    size_t at_most_six;  /* of these: with at most six iterations per invocation on average */
    int64_t insns;       /* instructions executed in them, without those of the routines that they call */
    int64_t invocations; /* entries from outside */
    int64_t iterations;
};

/* Sequences by the greedy algorithm of section 4.1: from a seed, the beginning of a routine, follow calls and the most
 * frequent path until it has been visited, its instruction executed less than a tenth as often as the seed, or no path
 * out of a branch is taken with a probability of 0.4. The seeds executed most often come first. */
enum { SEQUENCE_LONG = 100 };
struct sequence_figures {
    size_t sequences, longest; /* longest: instructions */
    size_t visits;             /* of sequences to routines: the beginning, and each call and return that is followed */
    size_t insns;              /* instructions in sequences */
    int64_t executed;          /* executions of these */
    int64_t executed_in_long;  /* ... in sequences of SEQUENCE_LONG instructions or more */
};

struct code_locality {
    size_t insns, insns_executed; /* instructions in the code, and those that executed at least once */
    size_t routines, routines_executed;
    size_t called, called_from_one;     /* routines that were called, and those of them by one instruction only */
    size_t targets, targets_of_one;     /* routines that a jal of the code calls, and those that only one does */
    int64_t executed;                   /* instructions executed */
    int64_t transfers;                  /* taken branches, jumps and calls among them */
    struct loop_figures plain, calling; /* loops that call no routine; loops that do */
    struct sequence_figures sequences;
};

/* Analyse CODE. */
struct code_locality code_locality_of(const struct profiled_code *code);

#endif
