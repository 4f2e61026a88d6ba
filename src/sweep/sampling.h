/*
 * Statistical sampling: what the mean over all of a run is likely to be, from windows of it. The method is the
 * textbook's: windows count as independent samples, an interval is the mean plus and minus Student's t times the
 * standard error. A ratio of sums (cycles to instructions, where windows have different numbers of these) has the
 * standard error of its residuals (Cochran, Sampling Techniques, section 6.4); with equal denominators that is the
 * plain mean's.
 */
#ifndef SIMOS_SAMPLING_H
#define SIMOS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

struct sampling_estimate {
    double mean; /* NaN: of nothing */
    double half; /* the interval is from mean - half to mean + half; NaN with fewer than two samples */
};

/* The T for which a variable of Student's distribution with FREEDOM degrees of freedom (from 1 up) is between -T and T
 * with probability CONFIDENCE (above 0, below 1). */
double sampling_student(double confidence, unsigned freedom);

/* The sum of PARTS to the sum of WHOLES, COUNT of each, none negative. */
struct sampling_estimate sampling_ratio(const double *parts, const double *wholes, size_t count, double confidence);

#endif
