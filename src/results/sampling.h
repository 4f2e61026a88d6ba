/*
 * Statistical sampling: estimates the mean over a run from windows of it. Windows count as independent samples. For a
 * ratio of sums (cycles per instruction, where windows differ in their number of instructions) the standard error is
 * that of the residuals (ratio estimator: Cochran, Sampling Techniques, section 6.4); with equal denominators it is the
 * standard error of the mean.
 *
 * The confidence interval is the mean plus and minus Student's t times the standard error, with the quantiles corrected
 * for the skewness of the residuals; the longer side of that interval counts on both. Windows of programs are skewed: a
 * few have most of the kernel's time, and the plain interval holds the truth less often than it says.
 *
 * Not modelled: what happens in no window. If a row comes from events of which the windows hold none or one, no
 * interval can hold (docs/how-to/series.md has the figures; SAMPLING_FEW).
 */
#ifndef SIMOS_RESULTS_SAMPLING_H
#define SIMOS_RESULTS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With fewer samples an interval may hold the truth less often than its level, and says so. */
enum { SAMPLING_FEW = 40 };

struct sampling_estimate {
    double mean;       /* NaN without samples */
    double half_width; /* half width of the confidence interval, mean - half to mean + half; NaN with fewer than two
                          samples */
};

/* The two-sided quantile of Student's t distribution: the T with P(-T < t < T) = CONFIDENCE (0 < CONFIDENCE < 1) for
 * FREEDOM (at least 1) degrees of freedom. */
double sampling_student_t(double confidence, unsigned freedom);

/* Estimate the ratio sum(PARTS) / sum(WHOLES) from COUNT pairs of non-negative samples. CONFIDENCE: 0 to 1. */
struct sampling_estimate sampling_ratio(const double *parts, const double *wholes, size_t count, double confidence);

/* A part of the run whose samples represent it alone, such as a cluster of SimPoint. */
struct sampling_stratum {
    double weight; /* its part of the run, 0 to 1 */
    uint32_t size; /* how many samples it could have; 0: not known */
};

/* The same ratio from samples of STRATUM_COUNT strata, STRATUM_OF[i] that of sample i: each stratum counts with its
 * weight (combined ratio estimator: Cochran, section 6.11). The standard error comes from the spread within the strata,
 * without that of samples that a stratum has all of; the degrees of freedom are Satterthwaite's. The half width is NaN
 * if a stratum of several has one sample, or its size is not known. */
struct sampling_estimate sampling_stratified(const double *parts, const double *wholes, const unsigned *stratum_of,
                                             size_t count, const struct sampling_stratum *strata,
                                             unsigned stratum_count, double confidence);

#endif
