#include "src/sweep/sampling.h"

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

struct sampling_estimate sampling_ratio(const double *parts, const double *wholes, size_t count, double confidence)
{
    struct sampling_estimate estimate = {NAN, NAN};
    double part = 0, whole = 0, squares = 0;
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
    }
    double samples = (double)count, deviation = sqrt(squares / (samples - 1)) / (whole / samples);
    estimate.half_width = sampling_student_t(confidence, (unsigned)count - 1) * deviation / sqrt(samples);
    return estimate;
}
