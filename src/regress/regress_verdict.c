#include "src/regress/regress_verdict.h"

#include "src/results/sampling.h"
#include <math.h>
#include <stdlib.h>

enum { MORE_MAX = 1000000 };

const char *regress_verdict_name(enum regress_verdict verdict)
{
    static const char *const names[] = {[REGRESS_UNCHANGED] = "unchanged",
                                        [REGRESS_IMPROVEMENT] = "improvement",
                                        [REGRESS_REGRESSION] = "regression",
                                        [REGRESS_UNDECIDED] = "undecided",
                                        [REGRESS_MISSING] = "missing"};
    return names[verdict];
}

double regress_level(double confidence, unsigned intervals)
{
    return 1 - (1 - confidence / 100) / (intervals ? intervals : 1);
}

double regress_mean(const uint64_t *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += (double)values[i];
    return count ? sum / count : 0;
}

/* The ratio of NEW to OLD. If all of OLD are 0, of NEW to 1 for each repetition: an increase from nothing. */
static struct sampling_estimate estimate(const uint64_t *old, const uint64_t *new, unsigned count, double level,
                                         bool from_nothing)
{
    double *parts = checked_memory(calloc(count + 1, sizeof *parts));
    double *wholes = checked_memory(calloc(count + 1, sizeof *wholes));
    for (unsigned i = 0; i < count; i++) {
        parts[i] = (double)new[i];
        wholes[i] = from_nothing ? 1 : (double)old[i];
    }
    const struct sampling_estimate result = sampling_ratio(parts, wholes, count, level);
    free(parts);
    free(wholes);
    return result;
}

/* About how many more repetitions make an interval of HALF narrow enough to tell CHANGE from the nearest of the limits.
 */
static unsigned more_repetitions(const struct regress_row *row, double change, double half, unsigned count)
{
    const double distance = fabs(fabs(change) - row->within);
    const double wanted = distance > 0 ? count * (half / distance) * (half / distance) : INFINITY;
    return wanted - count < MORE_MAX ? (unsigned)fmax(1, ceil(wanted - count)) : 0;
}

static enum regress_verdict verdict_of(double low, double high, double within)
{
    if (low > within)
        return REGRESS_REGRESSION;
    if (high < -within)
        return REGRESS_IMPROVEMENT;
    return low >= -within && high <= within ? REGRESS_UNCHANGED : REGRESS_UNDECIDED;
}

/* The verdict on -within. */
static void judge_within(const struct regress_row *row, const uint64_t *old, const uint64_t *new, unsigned count,
                         double level, struct regress_finding *finding)
{
    finding->old = regress_mean(old, count);
    finding->new = regress_mean(new, count);
    finding->repetitions = count;
    finding->limit = REGRESS_WITHIN;
    finding->verdict = REGRESS_UNDECIDED;
    if (finding->old == 0 && finding->new == 0) {
        finding->verdict = REGRESS_UNCHANGED;
        finding->change = finding->half = 0;
        return;
    }
    const bool from_nothing = finding->old == 0;
    const struct sampling_estimate ratio = estimate(old, new, count, level, from_nothing);
    if (isnan(ratio.mean) || isnan(ratio.half_width))
        return;
    if (from_nothing) {
        finding->verdict = ratio.mean - ratio.half_width > 0 ? REGRESS_REGRESSION : REGRESS_UNDECIDED;
        return;
    }
    finding->change = 100 * (ratio.mean - 1);
    finding->half = 100 * ratio.half_width;
    const double low = finding->change - finding->half, high = finding->change + finding->half;
    finding->verdict = verdict_of(low, high, row->within);
    if (finding->verdict == REGRESS_UNDECIDED && !row->both && high <= row->within)
        finding->verdict = REGRESS_UNCHANGED; /* not more than the limit; perhaps less */
    if (finding->verdict == REGRESS_UNDECIDED)
        finding->more = more_repetitions(row, finding->change, finding->half, count);
}

static void judge_plain(enum regress_limit limit, uint64_t old, uint64_t new, struct regress_finding *finding)
{
    *finding = (struct regress_finding){.verdict = REGRESS_REGRESSION,
                                        .limit = limit,
                                        .old = (double)old,
                                        .new = (double)new,
                                        .change = old ? 100 * ((double)new - (double)old) / (double)old : NAN,
                                        .half = NAN};
}

struct regress_finding regress_judge(const struct regress_row *row, const uint64_t *old, const uint64_t *new,
                                     unsigned count, double level, uint64_t plain_old, uint64_t plain_new)
{
    struct regress_finding finding = {
        .verdict = REGRESS_UNCHANGED, .old = (double)plain_old, .new = (double)plain_new, .change = NAN, .half = NAN};
    finding.limit = row->exact ? REGRESS_EXACT : REGRESS_AT_MOST;
    if (row->has_within)
        judge_within(row, old, new, count, level, &finding);
    if (row->exact && plain_old != plain_new)
        judge_plain(REGRESS_EXACT, plain_old, plain_new, &finding);
    if (row->has_most && plain_new > row->most)
        judge_plain(REGRESS_AT_MOST, plain_old, plain_new, &finding);
    finding.fails = finding.verdict == REGRESS_REGRESSION || (finding.verdict == REGRESS_IMPROVEMENT && row->both);
    return finding;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of COUNT sorted values, how many lie outside each end of the interval of their median at LEVEL: a value is below the
 * median with probability 1/2 (order statistics; David and Nagaraja, section 7.1). COUNT: there is no interval. */
static unsigned outside(unsigned count, double level)
{
    double chance = pow(0.5, count), below = 0;
    unsigned k = 0;
    while (k < count / 2 && 1 - 2 * (below + chance) >= level) {
        below += chance;
        k++;
        chance *= (double)(count - k + 1) / k;
    }
    return k > 0 ? k - 1 : count;
}

void regress_judge_median(const struct regress_row *row, const uint64_t *old, const uint64_t *new, unsigned count,
                          double level, struct regress_finding *finding)
{
    struct regress_median *median = &finding->median;
    const unsigned left = outside(count, level);
    if (finding->verdict != REGRESS_UNDECIDED || left == count || isnan(finding->change))
        return;
    double *changes = checked_memory(calloc(count, sizeof *changes));
    for (unsigned i = 0; i < count; i++)
        changes[i] = old[i] ? 100 * ((double)new[i] / (double)old[i] - 1) : new[i] ? INFINITY : 0;
    qsort(changes, count, sizeof *changes, by_value);
    *median = (struct regress_median){.change = (changes[(count - 1) / 2] + changes[count / 2]) / 2,
                                      .low = changes[left],
                                      .high = changes[count - 1 - left]};
    free(changes);
    const enum regress_verdict verdict = verdict_of(median->low, median->high, row->within);
    if (verdict == REGRESS_UNDECIDED || (verdict == REGRESS_UNCHANGED && fabs(finding->change) > row->within))
        return;
    median->decides = true;
    finding->verdict = verdict;
    finding->more = 0;
    finding->fails = verdict == REGRESS_REGRESSION || (verdict == REGRESS_IMPROVEMENT && row->both);
}

double regress_percent(const struct regress_finding *finding, double part)
{
    return finding->linked.old ? 100 * part / (double)finding->linked.old : NAN;
}

void regress_divide(const struct regress_row *row, uint64_t old, uint64_t held, uint64_t linked, const uint64_t *new,
                    unsigned count, struct regress_finding *finding)
{
    struct regress_parts_of_change *parts = &finding->linked;
    *parts = (struct regress_parts_of_change){
        .is_known = true, .old = old, .held = held, .linked = linked, .layouts = count};
    for (unsigned i = 0; i < count; i++)
        parts->below += new[i] < linked;
    const double change = regress_percent(finding, (double)linked - (double)old);
    const bool is_kept = row->has_within && !finding->fails && finding->verdict != REGRESS_UNDECIDED;
    parts->is_unlucky = is_kept && change > row->within;
    parts->is_lucky = is_kept && row->both && change < -row->within;
}

struct regress_finding regress_missing(const struct regress_row *row, unsigned unmatched)
{
    return (struct regress_finding){.verdict = REGRESS_MISSING,
                                    .limit = row->has_within ? REGRESS_WITHIN
                                             : row->exact    ? REGRESS_EXACT
                                                             : REGRESS_AT_MOST,
                                    .old = NAN,
                                    .new = NAN,
                                    .change = NAN,
                                    .half = NAN,
                                    .unmatched = unmatched};
}

const char *regress_limit_name(enum regress_limit limit)
{
    static const char *const names[] = {
        [REGRESS_WITHIN] = "within", [REGRESS_EXACT] = "exact", [REGRESS_AT_MOST] = "at most"};
    return names[limit];
}
