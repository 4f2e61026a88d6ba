/*
 * Statistical sampling: estimates the mean over a run from windows of it. Windows count as independent samples; the
 * confidence interval is the mean plus and minus Student's t times the standard error. For a ratio of sums (cycles
 * per instruction, where windows differ in their number of instructions) the standard error is that of the residuals
 * (ratio estimator: Cochran, Sampling Techniques, section 6.4); with equal denominators it is the standard error of
 * the mean.
 */
#ifndef SIMOS_SAMPLING_H
#define SIMOS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
