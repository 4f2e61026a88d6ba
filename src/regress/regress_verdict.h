/*
 * Verdicts: does a row of the new side keep its limits against the old one? Values of repetitions with the same seed
 * are pairs. The change is the ratio of sums (src/results/sampling.h) with its confidence interval, and the verdict is
 * what the whole interval says: above the limit, within it, or not yet known.
 */
#ifndef SIMOS_REGRESS_REGRESS_VERDICT_H
#define SIMOS_REGRESS_REGRESS_VERDICT_H

#include "src/regress/regress_row.h"

enum regress_verdict {
    REGRESS_UNCHANGED,   /* within the limit */
    REGRESS_IMPROVEMENT, /* less than the limit allows */
    REGRESS_REGRESSION,  /* more, or other than -exact, or above -at-most */
    REGRESS_UNDECIDED,
    REGRESS_MISSING, /* a pattern matches no name of the guest: there is nothing to judge */
};

/* The limit of a row that decided. */
enum regress_limit { REGRESS_WITHIN, REGRESS_EXACT, REGRESS_AT_MOST };

/* A row between two kernels without perturbation: the old one, the new one with its functions in the places of the old
 * one's, and as linked. The difference is what the new kernel does itself, HELD less OLD, and where it lies, LINKED
 * less HELD. */
struct regress_parts_of_change {
    bool is_known;
    uint64_t old, held, linked;
    /* As linked the row would be beyond its limit, upwards or downwards, and by itself it is not. */
    bool is_unlucky, is_lucky;
    /* Of the random layouts of the new kernel: how many there are, and how many have less than the linked one. */
    unsigned layouts, below;
};

/* The change in a typical layout: the median of the changes of all pairs, per cent, and its interval, which depends on
 * no distribution. */
struct regress_median {
    bool decides; /* the verdict is its, because that of the means is open */
    double change, low, high;
};

/* What is known of a row on one machine. */
struct regress_finding {
    enum regress_verdict verdict;
    bool fails;          /* a regression, or an improvement of a row that limits both directions */
    double old, new;     /* means of the repetitions, or the values without perturbation */
    double change, half; /* relative to old, per cent, and half its interval; NaN: unknown */
    unsigned repetitions;
    unsigned more; /* REGRESS_UNDECIDED: about so many more repetitions would decide; 0: cannot be told */
    enum regress_limit limit;
    unsigned unmatched;                    /* REGRESS_MISSING: bits by enum regress_place */
    struct regress_median median;          /* of rows with random placements */
    struct regress_parts_of_change linked; /* likewise */
};

/* The mean of COUNT VALUES; 0 without any. */
double regress_mean(const uint64_t *values, unsigned count);

/* The level of one interval, so that all of INTERVALS hold together with CONFIDENCE (per cent; Bonferroni's bound). */
double regress_level(double confidence, unsigned intervals);

/* Judge ROW by COUNT pairs of repetitions, at LEVEL (0 to 1) for its interval, and by the values without perturbation
 * PLAIN_OLD and PLAIN_NEW, which count only if the row has a limit on them. */
struct regress_finding regress_judge(const struct regress_row *row, const uint64_t *old, const uint64_t *new,
                                     unsigned count, double level, uint64_t plain_old, uint64_t plain_new);

/* Divide the change of ROW, which FINDING has judged by COUNT random layouts with the values NEW, into its parts: OLD,
 * HELD and LINKED without perturbation. */
void regress_divide(const struct regress_row *row, uint64_t old, uint64_t held, uint64_t linked, const uint64_t *new,
                    unsigned count, struct regress_finding *finding);
/* PART of the old value, in per cent: NaN if that is 0. */
double regress_percent(const struct regress_finding *finding, double part);

/* FINDING on ROW is undecided by its means: few pairs of layouts with values far off make their interval wide. Decide
 * by the median of the COUNT pairs, at LEVEL. Within the limit is only what is so in the mean, too: a change that few
 * layouts have is not overlooked. */
void regress_judge_median(const struct regress_row *row, const uint64_t *old, const uint64_t *new, unsigned count,
                          double level, struct regress_finding *finding);

/* The finding on ROW if no run of the new side has anything that its patterns UNMATCHED (not 0) name. */
struct regress_finding regress_missing(const struct regress_row *row, unsigned unmatched);

const char *regress_verdict_name(enum regress_verdict verdict);
/* "within", "exact", "at most". */
const char *regress_limit_name(enum regress_limit limit);

#endif
