#include "src/sweep/simpoints.h"

#include "src/base/input_file.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What parsing needs besides the result. */
struct parsing {
    struct simpoints *simpoints;
    const char *name; /* of the file of this text, without its ending */
    const char *ending;
    unsigned line;
    uint32_t *ids; /* of the clusters, as the files number them */
    uint32_t *representatives;
    uint32_t *clusters; /* of the intervals by label: position in `strata`, or NONE */
    uint32_t intervals;
    struct err *err;
};
enum { NONE = UINT32_MAX };

static bool wrong(struct parsing *p, const char *what)
{
    return err_set(p->err, "simpoints %.300s.%s, line %u: %s", p->name, p->ending, p->line, what);
}

/* Take two numbers, separated by blanks, from the line at *AT, and go to the next one; blank lines are skipped. *MORE:
 * there was a line. */
static bool take_line(struct parsing *p, const char **at, double *first, double *second, bool *more)
{
    char *end;
    while (**at && isspace((unsigned char)**at))
        p->line += *(*at)++ == '\n';
    *more = **at != 0;
    if (!*more)
        return true;
    *first = strtod(*at, &end);
    if (end == *at || (*end != ' ' && *end != '\t'))
        return wrong(p, "is not two numbers");
    *at = end + strspn(end, " \t");
    *second = strtod(*at, &end);
    if (end == *at || !isfinite(*first) || !isfinite(*second))
        return wrong(p, "is not two numbers");
    *at = end + strspn(end, " \t\r");
    return **at == '\n' || **at == 0 || wrong(p, "has more than two numbers");
}

static bool take_count(struct parsing *p, double number, uint32_t *count)
{
    *count = 0;
    if (!(number >= 0 && number < SIMPOINTS_INTERVALS_MAX) || number != floor(number))
        return wrong(p, "has a number that is no whole one from 0 to 1048575");
    *count = (uint32_t)number;
    return true;
}

/* The position in `strata` of the cluster that the files call ID; NONE. */
static uint32_t position_of(const struct parsing *p, uint32_t id)
{
    for (unsigned i = 0; i < p->simpoints->stratum_count; i++)
        if (p->ids[i] == id)
            return i;
    return NONE;
}

static bool parse_chosen(struct parsing *p, const char *text)
{
    struct simpoints *s = p->simpoints;
    double interval, cluster;
    uint32_t id, number;
    bool more;
    for (p->line = 1; take_line(p, &text, &interval, &cluster, &more) && more;) {
        if (!take_count(p, interval, &number) || !take_count(p, cluster, &id))
            return false;
        if (position_of(p, id) != NONE)
            return wrong(p, "names a cluster again");
        if (s->stratum_count == SIMPOINTS_CLUSTERS_MAX)
            return wrong(p, "is one of too many: at most 1000 clusters");
        p->ids[s->stratum_count] = id;
        p->representatives[s->stratum_count++] = number;
    }
    return !p->err->text[0] && (s->stratum_count > 0 || wrong(p, "there is no interval"));
}

static bool parse_weights(struct parsing *p, const char *text)
{
    struct simpoints *s = p->simpoints;
    double weight, cluster, sum = 0;
    uint32_t id;
    bool more;
    for (p->line = 1; take_line(p, &text, &weight, &cluster, &more) && more;) {
        if (!take_count(p, cluster, &id))
            return false;
        const uint32_t at = position_of(p, id);
        if (at == NONE || s->strata[at].weight > 0)
            return wrong(p, at == NONE ? "names a cluster without an interval" : "names a cluster again");
        if (!(weight > 0 && weight <= 1))
            return wrong(p, "has a weight that is not above 0 and up to 1");
        sum += s->strata[at].weight = weight;
    }
    for (unsigned i = 0; !p->err->text[0] && i < s->stratum_count; i++)
        if (!(s->strata[i].weight > 0))
            return wrong(p, "a cluster has no weight");
    return !p->err->text[0] && (sum <= 1.001 || wrong(p, "the weights add up to more than 1"));
}

static bool parse_labels(struct parsing *p, const char *text)
{
    struct simpoints *s = p->simpoints;
    double cluster, distance;
    uint32_t id;
    bool more;
    for (p->line = 1; take_line(p, &text, &cluster, &distance, &more) && more; p->intervals++) {
        if (p->intervals == SIMPOINTS_INTERVALS_MAX)
            return wrong(p, "is one of too many: at most 1048576 intervals");
        if (!take_count(p, cluster, &id))
            return false;
        const uint32_t at = p->clusters[p->intervals] = position_of(p, id);
        if (at != NONE)
            s->strata[at].size++;
    }
    for (unsigned i = 0; !p->err->text[0] && i < s->stratum_count; i++)
        if (p->representatives[i] >= p->intervals || p->clusters[p->representatives[i]] != i)
            return wrong(p, "the interval that represents a cluster is not labelled as one of it");
    return !p->err->text[0];
}

static void choose(struct simpoints *s, uint32_t interval, unsigned stratum)
{
    s->chosen[s->count++] = (struct simpoint){interval, stratum};
}

/* Choose up to EACH intervals of STRATUM: its representative, and of each of EACH equal parts of the others the middle.
 */
static void choose_of(struct parsing *p, unsigned stratum, unsigned each)
{
    struct simpoints *s = p->simpoints;
    const uint32_t own = p->representatives[stratum], others = s->labelled ? s->strata[stratum].size - 1 : 0;
    const uint32_t wanted = each - 1 < others ? each - 1 : others;
    uint32_t seen = 0, taken = 0;
    choose(s, own, stratum);
    for (uint32_t i = 0; taken < wanted && i < p->intervals; i++) {
        if (p->clusters[i] != stratum || i == own)
            continue;
        if (seen++ == (uint32_t)(((uint64_t)2 * taken + 1) * others / (2 * wanted))) {
            choose(s, i, stratum);
            taken++;
        }
    }
}

static int compare_chosen(const void *a, const void *b)
{
    const struct simpoint *x = a, *y = b;
    return x->interval != y->interval ? (x->interval > y->interval) - (x->interval < y->interval)
                                      : (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

static bool parse(struct parsing *p, const char *chosen, const char *weights, const char *labels, unsigned each)
{
    struct simpoints *s = p->simpoints;
    p->ending = "simpoints";
    if (!parse_chosen(p, chosen))
        return false;
    p->ending = "weights";
    if (!parse_weights(p, weights))
        return false;
    p->ending = "labels";
    if (labels && !parse_labels(p, labels))
        return false;
    s->labelled = labels != NULL;
    s->chosen = checked_memory(calloc((size_t)s->stratum_count * each, sizeof *s->chosen));
    for (unsigned i = 0; i < s->stratum_count; i++)
        choose_of(p, i, each);
    qsort(s->chosen, s->count, sizeof *s->chosen, compare_chosen);
    p->ending = "simpoints";
    for (unsigned i = 1; i < s->count; i++)
        if (s->chosen[i].interval == s->chosen[i - 1].interval)
            return err_set(p->err, "simpoints %.300s.simpoints: interval %u represents two clusters", p->name,
                           s->chosen[i].interval);
    return true;
}

bool simpoints_parse(struct simpoints *simpoints, const char *name, const char *chosen, const char *weights,
                     const char *labels, unsigned each, struct err *err)
{
    *simpoints =
        (struct simpoints){.strata = checked_memory(calloc(SIMPOINTS_CLUSTERS_MAX, sizeof *simpoints->strata))};
    struct err reason = {""};
    struct parsing p = {.simpoints = simpoints,
                        .name = name,
                        .ids = checked_memory(calloc(SIMPOINTS_CLUSTERS_MAX, sizeof *p.ids)),
                        .representatives = checked_memory(calloc(SIMPOINTS_CLUSTERS_MAX, sizeof *p.representatives)),
                        .clusters = labels ? checked_memory(calloc(SIMPOINTS_INTERVALS_MAX, sizeof *p.clusters)) : NULL,
                        .err = &reason};
    const bool done = parse(&p, chosen, weights, labels, each);
    free(p.ids);
    free(p.representatives);
    free(p.clusters);
    return done || err_set(err, "%s", reason.text);
}

/* The length of NAME without ".simpoints". */
static size_t stem_of(const char *name)
{
    static const char ending[] = ".simpoints";
    const size_t length = strlen(name), end = sizeof ending - 1;
    return length > end && strcmp(name + length - end, ending) == 0 ? length - end : length;
}

char *simpoints_path(const char *name, const char *ending)
{
    char *path = NULL;
    if (asprintf(&path, "%.*s.%s", (int)stem_of(name), name, ending) < 0)
        log_bug("out of memory");
    return path;
}

static char *read_text(const char *name, const char *ending, bool optional, struct err *err)
{
    char *path = simpoints_path(name, ending), *text = NULL;
    if (!optional || access(path, F_OK) == 0 || errno != ENOENT)
        text = input_file_text(INPUT_SIMPOINTS, path, err);
    free(path);
    return text;
}

bool simpoints_read(struct simpoints *simpoints, const char *name, unsigned each, struct err *err)
{
    struct err reason = {""};
    char *stem = checked_memory(strndup(name, stem_of(name)));
    char *chosen = read_text(name, "simpoints", false, &reason),
         *weights = chosen ? read_text(name, "weights", false, &reason) : NULL,
         *labels = weights ? read_text(name, "labels", true, &reason) : NULL;
    *simpoints = (struct simpoints){.strata = NULL};
    const bool done = !reason.text[0] && simpoints_parse(simpoints, stem, chosen, weights, labels, each, &reason);
    free(stem);
    free(chosen);
    free(weights);
    free(labels);
    return done || err_set(err, "%s", reason.text);
}

void simpoints_release(struct simpoints *simpoints)
{
    free(simpoints->strata);
    free(simpoints->chosen);
    *simpoints = (struct simpoints){.strata = NULL};
}
