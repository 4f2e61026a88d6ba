#include "src/regress/regress_layouts.h"

#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double mean_of(const uint64_t *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += (double)values[i];
    return sum / count;
}

/* Divide the sorted VALUES at their widest gap, of those that leave enough of them on both sides. */
static void find_groups(struct regress_layouts *layouts, const uint64_t *values)
{
    enum { LEAST_PART = 5, LEAST = 2 };
    const unsigned count = layouts->count, part = (count + LEAST_PART - 1) / LEAST_PART,
                   least = part > LEAST ? part : LEAST;
    unsigned at = 0;
    for (unsigned i = least; i + least <= count; i++)
        if (at == 0 || values[i] - values[i - 1] > values[at] - values[at - 1])
            at = i;
    if (at == 0)
        return;
    const uint64_t gap = values[at] - values[at - 1], low = values[at - 1] - values[0],
                   high = values[count - 1] - values[at];
    layouts->has_groups = gap > low && gap > high;
    layouts->low_count = at;
    layouts->low = mean_of(values, at);
    layouts->high = mean_of(values + at, count - at);
}

struct regress_layouts regress_layouts_of(const uint64_t *values, unsigned count)
{
    uint64_t *sorted = checked_memory(malloc((count + 1) * sizeof *sorted));
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    struct regress_layouts layouts = {.count = count, .least = sorted[0], .most = sorted[count - 1]};
    find_groups(&layouts, sorted);
    free(sorted);
    return layouts;
}

void regress_layouts_strip(const uint64_t *values, unsigned count, uint64_t linked, char strip[LAYOUTS_STRIP + 1])
{
    uint64_t least = linked, most = linked;
    unsigned at[LAYOUTS_STRIP] = {0};
    for (unsigned i = 0; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    const double scale = most > least ? (LAYOUTS_STRIP - 1) / (double)(most - least) : 0;
    for (unsigned i = 0; i < count; i++)
        at[(unsigned)((double)(values[i] - least) * scale + 0.5)]++;
    for (unsigned i = 0; i < LAYOUTS_STRIP; i++)
        strip[i] = " .:|"[at[i] < 3 ? at[i] : 3];
    strip[(unsigned)((double)(linked - least) * scale + 0.5)] = 'L';
    strip[LAYOUTS_STRIP] = '\0';
}
