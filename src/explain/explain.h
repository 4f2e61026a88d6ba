/*
 * `simos explain A.json B.json`: why run B takes other time than run A. The difference of their cycles is divided into
 * leaves (routine, cause, data structure, class of miss), which add up to it exactly.
 * Leaves come from the finest account that both files have (src/results/leaves.h).
 *
 * With CPUs of different clocks, cycles do not say which is faster. Times are counted in ticks, of which both clocks
 * are multiples: a cycle of a run has `ticks` of them. Leaves add up in cycles and in ticks. With one clock a tick is a
 * cycle.
 */
#ifndef SIMOS_EXPLAIN_EXPLAIN_H
#define SIMOS_EXPLAIN_EXPLAIN_H

#include "src/base/json_file.h"
#include "src/results/leaves.h"
#include "src/results/results.h"
#include <stdio.h>

typedef __int128 ticks;

enum { EXPLAIN_SIDES = 2 /* A, B */, EXPLAIN_TOP = 10, EXPLAIN_MOST = 3 };

struct explain_leaf {
    struct leaf_name name;
    uint64_t count[EXPLAIN_SIDES]; /* instructions; waits */
    int64_t cycles[EXPLAIN_SIDES];
    ticks difference; /* B - A */
    /* The two parts of the difference: what it would be if each event still cost what it costs in A (rounded towards
     * 0), and the rest. A leaf that only one run has is all count; one without counts is all cost. */
    ticks by_count, by_cost;
    bool is_named; /* it is a cause of its own */
};

/* A cause: a leaf, the rest of a routine's leaves of one kind, or the rest of all leaves of that kind, as far as they
 * are not causes of their own. */
struct explain_cause {
    struct leaf_name name; /* NULL members: all others */
    size_t leaves;
    bool whole; /* no leaf of that name is elsewhere */
    uint64_t count[EXPLAIN_SIDES];
    int64_t cycles[EXPLAIN_SIDES];
    ticks difference, by_count, by_cost;
    /* Of all others: the routines with the largest parts, NULL behind the last one. */
    const char *most[EXPLAIN_MOST];
    ticks most_difference[EXPLAIN_MOST];
};

struct explanation {
    char title[EXPLAIN_SIDES][RESULTS_TITLE_SIZE];
    const char *name[EXPLAIN_SIDES]; /* in sentences: "A", "B" */
    struct results *column[EXPLAIN_SIDES];
    enum leaf_level level;
    uint64_t ticks_per_cycle[EXPLAIN_SIDES];
    double ticks_per_second; /* 0: a clock is unknown */
    int64_t cycles[EXPLAIN_SIDES];
    uint64_t insns[EXPLAIN_SIDES];
    ticks difference;
    size_t leaf_count, cause_count;
    struct explain_leaf *leaves;  /* in order of decreasing size of their difference */
    struct explain_cause *causes; /* likewise */
};

/* Compare the statistics ROOTS of two runs, which are called TITLES in messages. NULL with ERR if one is no statistics
 * file of a run, or its accounts do not add up. References to ROOTS are kept. */
struct explanation *explanation_create(const char *const titles[EXPLAIN_SIDES], json_t *const roots[EXPLAIN_SIDES],
                                       struct err *err);
void explanation_free(struct explanation *explanation); /* NULL is ignored */

/* The difference less the sum of all leaves, in ticks and cycles: 0. */
bool explanation_is_exact(const struct explanation *explanation);

/* What cause INDEX means, as a sentence without its figures ("fetches of schedule that miss L2 (conflict)"), and its
 * figures: "41123 times instead of 0 ...". Texts of the guest are printable. */
void explanation_say(const struct explanation *explanation, size_t index, char *text, size_t size);
void explanation_say_why(const struct explanation *explanation, size_t index, char *text, size_t size);
/* TICKS as cycles, or as seconds if the clocks differ: "+1234 cycles", "-1.2345 ms". */
void explanation_amount(const struct explanation *explanation, ticks amount, char *text, size_t size);
/* The share of the difference that AMOUNT is, in percent; 0 if there is no difference. */
double explanation_share(const struct explanation *explanation, ticks amount);

/* The value of the parameter whatif.free under which cause INDEX takes no time, and the leaves FREE that then have
 * none: their cycles in B are what B takes less as far as nothing else changes. False if there is none. */
bool explanation_whatif(const struct explanation *explanation, size_t index, char *text, size_t size,
                        struct leaf_name *free_name);
/* The cycles of SIDE's leaves of which each member of NAME that is not NULL is the same. */
int64_t explanation_cycles(const struct explanation *explanation, unsigned side, const struct leaf_name *name);
/* Leave those leaves out: difference, cycles and causes are those of the others. */
void explanation_leave_out(struct explanation *explanation, const struct leaf_name *name);

/* Did the runs do the same work: the same command with the same end, and as many instructions of programs within 1 %
 * (without programs: of the kernel)? If not, what differs is in TEXT. */
bool explanation_same_work(const struct explanation *explanation, char *text, size_t size);

#endif
