#include "src/observe/sweep_series.h"

#include <stdlib.h>
#include <string.h>

/* SOSP'95 section 4.4.1 models first-level caches: figure 4.6 counts their misses, whatever the next level does. A
 * non-inclusive second level never back-invalidates their lines. */
#define FIRST_LEVEL_ALONE "cache.model=two-level cache.l2.inclusive=off cache.l2.line=128"

static const struct {
    const char *name, *text;
} predefined[] = {
    {"figure-4.6", FIRST_LEVEL_ALONE " cache.l1i.line=64 cache.l1d.line=32 cache.l1i.ways=2 cache.l1d.ways=2 "
                                     "cache.l1i.size+cache.l1d.size=16K..256K"},
    {"figure-4.7", "cache.l2.line=128 cache.l2.ways=2 cache.l2.size=256K..4M"},
    {"figure-5.3", "cache.l2.line=128 cache.l2.size=256K..4M"},
};

static bool is_list(const char *value)
{
    return strstr(value, "..") || strchr(value, '|');
}

/* Set all of NAMES, "a+b", to VALUE. */
static bool set_all(struct params *params, const char *names, const char *value, struct err *err)
{
    char name[128];
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, "+");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!params_set(params, name, value, err))
            return false;
        if (!(params_find(params, name)->traits & TRAIT_SWEPT))
            return err_set(
                err, "%.64s has no effect on the misses of caches: it does not have the trait swept (simos params)",
                name);
        at += length;
        if (!*at)
            return true;
    }
}

/* Values of one word with a list */

struct values {
    char *names; /* "a+b" */
    unsigned count;
    char value[SWEEP_POINTS_MAX][SWEEP_LABEL_SIZE]; /* as parameters print it */
};

static void first_name(const char *names, char name[128])
{
    snprintf(name, 128, "%.*s", (int)strcspn(names, "+"), names);
}

/* Check that TEXT is a value of all names, and append it to VALUES in the parameters' own format. *NUMBER: the value as
 * a number, 0 if it has none. */
static bool add_value(struct values *values, const struct params *base, const char *text, uint64_t *number,
                      struct err *err)
{
    char name[128];
    if (values->count == SWEEP_POINTS_MAX)
        return err_set(err, "%s: more than %d values", values->names, SWEEP_POINTS_MAX);
    struct params *params = params_copy(base);
    bool done = set_all(params, values->names, text, err);
    if (done) {
        first_name(values->names, name);
        params_text(params, name, values->value[values->count++], SWEEP_LABEL_SIZE);
        enum param_type type = params_find(params, name)->type;
        *number = type >= PARAM_CHOICE ? 0 : params_u64(params, name);
    }
    params_free(params);
    return done;
}

static bool add_range(struct values *values, const struct params *base, const char *list, struct err *err)
{
    char text[64];
    uint64_t first = 0, last = 0;
    const char *dots = strstr(list, "..");
    snprintf(text, sizeof text, "%.*s", (int)(dots - list), list);
    if (!add_value(values, base, text, &first, err) || !add_value(values, base, dots + 2, &last, err))
        return false;
    if (first == 0 || last < first)
        return err_set(err, "%s: \"%.64s\" is no range of numbers above 0, the first below the last", values->names,
                       list);
    values->count = 1;
    for (uint64_t value = first; value < last;) {
        value *= 2;
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        if (value > last)
            return err_set(err, "%s: in \"%.64s\" LAST is not 2, 4, 8 ... times FIRST", values->names, list);
        if (!add_value(values, base, text, &value, err))
            return false;
    }
    return true;
}

static bool add_list(struct values *values, const struct params *base, const char *list, struct err *err)
{
    char value[64];
    uint64_t number;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        snprintf(value, sizeof value, "%.*s", (int)length, at);
        if (!add_value(values, base, value, &number, err))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* Points */

/* The words with a list. Points are all combinations; the last word varies fastest. */
struct varied {
    unsigned count;
    struct values words[SWEEP_VARIED_MAX];
};

static bool add_point(struct sweep_series *series, const struct params *base, const struct varied *varied,
                      const unsigned *choice, struct err *err)
{
    if (series->count == SWEEP_POINTS_MAX)
        return err_set(err, "more than %d points", SWEEP_POINTS_MAX);
    struct params *params = params_copy(base);
    char *label = series->label[series->count];
    size_t length = 0;
    series->params[series->count++] = params;
    for (unsigned i = 0; i < varied->count; i++) {
        const char *value = varied->words[i].value[choice[i]];
        if (!set_all(params, varied->words[i].names, value, err))
            return false;
        length += (size_t)snprintf(label + length, SWEEP_LABEL_SIZE - length, "%s%s", i ? "/" : "", value);
        if (length >= SWEEP_LABEL_SIZE)
            return err_set(err, "its values are too long together");
    }
    return true;
}

static bool add_points(struct sweep_series *series, const struct params *base, const struct varied *varied,
                       struct err *err)
{
    unsigned choice[SWEEP_VARIED_MAX] = {0};
    for (;;) {
        unsigned i = varied->count;
        if (!add_point(series, base, varied, choice, err))
            return false;
        while (i > 0 && ++choice[i - 1] == varied->words[i - 1].count)
            choice[--i] = 0;
        if (i == 0)
            return true;
    }
}

/* Words */

/* Report a WORD that is neither a setting nor a predefined series. */
static bool reject_word(const char *word, struct err *err)
{
    char figures[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++)
        used += (size_t)snprintf(figures + used, sizeof figures - used, ", %s", predefined[i].name);
    return err_set(err, "\"%.64s\" is neither NAME=VALUE nor a figure; figures: %s", word, figures + 2);
}

/* Apply WORD, "NAMES=VALUE", to BASE, or add it to VARIED if it has a list. */
static bool parse_word(struct params *base, char *word, struct varied *varied, struct err *err)
{
    char *value = strchr(word, '=');
    if (!value || value == word)
        return reject_word(word, err);
    *value++ = 0;
    if (!is_list(value))
        return set_all(base, word, value, err);
    if (varied->count == SWEEP_VARIED_MAX)
        return err_set(err, "%.64s: at most %d words with a list", word, SWEEP_VARIED_MAX);
    struct values *values = &varied->words[varied->count++];
    values->names = word;
    return strstr(value, "..") ? add_range(values, base, value, err) : add_list(values, base, value, err);
}

static bool parse_words(struct sweep_series *series, char *words, const struct params *common, struct err *err)
{
    /* the running machine may classify its misses; the points use the sweep's classification */
    struct params *base = params_copy(common);
    params_set(base, "cache.classify", "off", err);
    params_set(base, "cache.profile", "off", err);
    params_set(base, "cache.evictors", "off", err);
    struct varied varied = {.count = 0};
    char *rest = NULL;
    size_t length = 0;
    bool done = true;
    for (char *word = strtok_r(words, " \t", &rest); word && done; word = strtok_r(NULL, " \t", &rest))
        done = parse_word(base, word, &varied, err);
    if (done && varied.count == 0)
        done = err_set(err, "no parameter varies in it (NAME=FIRST..LAST or NAME=VALUE|VALUE)");
    for (unsigned i = 0; i < varied.count && length < sizeof series->varied; i++)
        length += (size_t)snprintf(series->varied + length, sizeof series->varied - length, "%s%s", i ? ", " : "",
                                   varied.words[i].names);
    done = done && add_points(series, base, &varied, err);
    params_free(base);
    return done;
}

/* Replace the name of a predefined series at the beginning of TEXT by its words, and set the name of SERIES. The caller
 * frees the result. */
static char *expand(struct sweep_series *series, const char *text, unsigned number)
{
    char *words = NULL;
    size_t length = strcspn(text, " \t");
    snprintf(series->name, sizeof series->name, "series-%u", number);
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0] && !words; i++)
        if (strlen(predefined[i].name) == length && memcmp(predefined[i].name, text, length) == 0) {
            snprintf(series->name, sizeof series->name, "%s", predefined[i].name);
            if (asprintf(&words, "%s%s", predefined[i].text, text + length) < 0)
                log_bug("out of memory");
        }
    if (!words && !(words = strdup(text)))
        log_bug("out of memory");
    return words;
}

bool sweep_series_parse(struct sweep_series *series, const char *text, unsigned number, const struct params *base,
                        struct err *err)
{
    struct err reason = {""};
    *series = (struct sweep_series){.count = 0};
    char *words = expand(series, text, number);
    snprintf(series->text, sizeof series->text, "%s", words);
    bool done = parse_words(series, words, base, &reason);
    free(words);
    return done || err_set(err, "--over \"%.128s\": %s", text, reason.text);
}

void sweep_series_release(struct sweep_series *series)
{
    for (unsigned i = 0; i < series->count; i++)
        params_free(series->params[i]);
    series->count = 0;
}
