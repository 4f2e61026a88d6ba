#include "src/results/sampling.h"

#include <math.h>

/* P(|t| <= tan(ANGLE) * sqrt(FREEDOM)) of Student's t distribution: Abramowitz and Stegun, 26.7.3 and 26.7.4. */
static double probability(double angle, unsigned freedom)
{
    double sine = sin(angle), cosine = cos(angle), square = cosine * cosine;
    bool odd = freedom % 2;
    double term = odd ? cosine : 1, sum = 0;
    for (unsigned i = odd ? 3 : 2; i <= freedom; i += 2) {
        sum += term;
        term *= square * (i - 1) / i;
    }
    return odd ? 2 / M_PI * (angle + sine * sum) : sine * sum;
}

double sampling_student_t(double confidence, unsigned freedom)
{
    double low = 0, high = M_PI / 2;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return sqrt(freedom) * tan(low);
        if (probability(middle, freedom) < confidence)
            low = middle;
        else
            high = middle;
    }
}

/* The quantile QUANTILE of Student's t for COUNT samples of skewness SKEWNESS: the inverse of Hall's transformation
 * g(T) = T + a T^2 / 3 + a^2 T^3 / 27 + a / 6n, a = SKEWNESS / sqrt(n), which removes the skewness of T (Hall 1992, On
 * the removal of skewness by transformation, Journal of the Royal Statistical Society B 54). */
static double skewed_quantile(double quantile, double skewness, double count)
{
    const double skew = skewness / sqrt(count);
    if (fabs(skew) < 1e-9)
        return quantile;
    return 3 / skew * (cbrt(1 + skew * (quantile - skewness / (6 * sqrt(count)))) - 1);
}

struct sampling_estimate sampling_ratio(const double *parts, const double *wholes, size_t count, double confidence)
{
    struct sampling_estimate estimate = {NAN, NAN};
    double part = 0, whole = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < count; i++) {
        part += parts[i];
        whole += wholes[i];
    }
    if (!(whole > 0))
        return estimate;
    estimate.mean = part / whole;
    if (count < 2)
        return estimate;
    for (size_t i = 0; i < count; i++) {
        double residual = parts[i] - estimate.mean * wholes[i];
        squares += residual * residual;
        cubes += residual * residual * residual;
    }
    const double samples = (double)count, student = sampling_student_t(confidence, (unsigned)count - 1);
    const double error = sqrt(squares / (samples - 1)) / (whole / samples) / sqrt(samples);
    const double spread = sqrt(squares / samples), skewness = spread > 0 ? cubes / samples / pow(spread, 3) : 0;
    const double below = fabs(skewed_quantile(student, skewness, samples)),
                 above = fabs(skewed_quantile(-student, skewness, samples));
    estimate.half_width = fmax(student, fmax(below, above)) * error;
    return estimate;
}

/* Sums over the samples of a stratum. */
struct stratum_sums {
    double part, whole, residual, squares;
    double samples;
};

static struct stratum_sums sum_stratum(const double *parts, const double *wholes, const unsigned *stratum_of,
                                       size_t count, unsigned stratum, double ratio)
{
    struct stratum_sums sums = {.samples = 0};
    for (size_t i = 0; i < count; i++) {
        const double residual = parts[i] - ratio * wholes[i];
        if (stratum_of[i] != stratum)
            continue;
        sums.part += parts[i];
        sums.whole += wholes[i];
        sums.residual += residual;
        sums.squares += residual * residual;
        sums.samples++;
    }
    return sums;
}

struct sampling_estimate sampling_stratified(const double *parts, const double *wholes, const unsigned *stratum_of,
                                             size_t count, const struct sampling_stratum *strata,
                                             unsigned stratum_count, double confidence)
{
    struct sampling_estimate estimate = {NAN, NAN};
    double part = 0, whole = 0, variance = 0, spread = 0;
    bool known = true;
    for (unsigned h = 0; h < stratum_count; h++) {
        const struct stratum_sums sums = sum_stratum(parts, wholes, stratum_of, count, h, 0);
        part += sums.samples > 0 ? strata[h].weight * sums.part / sums.samples : 0;
        whole += sums.samples > 0 ? strata[h].weight * sums.whole / sums.samples : 0;
    }
    if (!(whole > 0))
        return estimate;
    estimate.mean = part / whole;
    for (unsigned h = 0; h < stratum_count; h++) {
        const struct stratum_sums sums = sum_stratum(parts, wholes, stratum_of, count, h, estimate.mean);
        const double n = sums.samples, size = strata[h].size;
        if (size > 0 && n >= size)
            continue; /* all of it */
        known = known && n >= 2 && size > 0;
        if (n < 2)
            continue;
        const double squares = fmax(sums.squares - sums.residual * sums.residual / n, 0) / (n - 1);
        const double of_mean = strata[h].weight * strata[h].weight * (size > 0 ? 1 - n / size : 1) * squares / n;
        variance += of_mean;
        spread += of_mean * of_mean / (n - 1);
    }
    if (!known)
        return estimate;
    const double freedom = spread > 0 ? fmax(floor(variance * variance / spread), 1) : 1;
    estimate.half_width =
        variance > 0 ? sampling_student_t(confidence, (unsigned)fmin(freedom, 1e6)) * sqrt(variance) / whole : 0;
    return estimate;
}
