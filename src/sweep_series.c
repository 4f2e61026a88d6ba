#include "src/sweep_series.h"

#include <stdlib.h>
#include <string.h>

/* Section 4.4.1 models first-level caches: figure 4.6 counts what they miss, whatever is behind them. Behind them is
 * something that never takes a line away. */
#define FIRST_LEVEL_ALONE "cache.model=two-level cache.l2.inclusive=off cache.l2.line=128"

static const struct {
    const char *name, *text;
} ready_made[] = {
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
        at += length;
        if (!*at)
            return true;
    }
}

/* Points */

static bool add_point(struct sweep_series *series, const struct params *base, const char *value, struct err *err)
{
    char first[128];
    if (series->count == SWEEP_POINTS_MAX)
        return err_set(err, "%s: more than %d values", series->varied, SWEEP_POINTS_MAX);
    struct params *params = params_copy(base);
    series->params[series->count] = params;
    series->count++;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(series->varied, "+"), series->varied);
    return set_all(params, series->varied, value, err) &&
           params_text(params, first, series->label[series->count - 1], SWEEP_LABEL_SIZE);
}

/* The number that TEXT is as a value of NAME. */
static bool value_of(const struct params *base, const char *name, const char *text, uint64_t *value, struct err *err)
{
    const struct param_def *def = params_find(base, name);
    if (def && def->type != PARAM_INT && def->type != PARAM_SIZE && def->type != PARAM_TIME && def->type != PARAM_HZ)
        return err_set(err, "%s: has no FIRST..LAST; VALUE|VALUE|... lists values", name);
    struct params *params = params_copy(base);
    bool done = params_set(params, name, text, err);
    *value = done ? params_u64(params, name) : 0;
    params_free(params);
    return done;
}

static bool add_range(struct sweep_series *series, const struct params *base, const char *list, struct err *err)
{
    char name[128], first_text[64], number[32];
    const char *dots = strstr(list, "..");
    uint64_t first, last;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(series->varied, "+"), series->varied);
    snprintf(first_text, sizeof first_text, "%.*s", (int)(dots - list), list);
    if (!value_of(base, name, first_text, &first, err) || !value_of(base, name, dots + 2, &last, err))
        return false;
    if (first == 0 || last < first)
        return err_set(err, "%s: \"%.64s\" is no range; the second is above the first, which is not 0", series->varied,
                       list);
    for (uint64_t value = first; value <= last; value *= 2) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)value);
        if (!add_point(series, base, number, err))
            return false;
        if (value == last)
            return true;
    }
    return err_set(err, "%s: in \"%.64s\" the last is not 2, 4, 8 ... times the first", series->varied, list);
}

static bool add_list(struct sweep_series *series, const struct params *base, const char *list, struct err *err)
{
    char value[64];
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        snprintf(value, sizeof value, "%.*s", (int)length, at);
        if (!add_point(series, base, value, err))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* Words */

/* Apply WORD, "NAMES=VALUE", to BASE, or if it is the one with the list keep it in *VARIED (its names end in a 0). */
static bool take_word(struct params *base, char *word, char **varied, struct err *err)
{
    char *value = strchr(word, '=');
    if (!value || value == word)
        return err_set(err, "\"%.64s\" is not NAME=VALUE", word);
    *value++ = 0;
    if (!is_list(value))
        return set_all(base, word, value, err);
    if (*varied)
        return err_set(err, "%.64s: a series varies one thing, and %.64s is varied already", word, *varied);
    *varied = word;
    return true;
}

static bool take_words(struct sweep_series *series, char *words, const struct params *common, struct err *err)
{
    struct params *base = params_copy(common);
    char *varied = NULL, *rest = NULL;
    bool done = true;
    for (char *word = strtok_r(words, " \t", &rest); word && done; word = strtok_r(NULL, " \t", &rest))
        done = take_word(base, word, &varied, err);
    if (done && !varied)
        done = err_set(err, "no NAME=FIRST..LAST and no NAME=VALUE|VALUE is in it");
    if (done) {
        const char *list = varied + strlen(varied) + 1;
        snprintf(series->varied, sizeof series->varied, "%s", varied);
        done = strstr(list, "..") ? add_range(series, base, list, err) : add_list(series, base, list, err);
    }
    params_free(base);
    return done;
}

/* TEXT with the name of a ready-made series at its beginning replaced by what that stands for; names SERIES. */
static char *expand(struct sweep_series *series, const char *text, unsigned number)
{
    char *words = NULL;
    size_t length = strcspn(text, " \t");
    snprintf(series->name, sizeof series->name, "series-%u", number);
    for (size_t i = 0; i < sizeof ready_made / sizeof ready_made[0] && !words; i++)
        if (strlen(ready_made[i].name) == length && memcmp(ready_made[i].name, text, length) == 0) {
            snprintf(series->name, sizeof series->name, "%s", ready_made[i].name);
            if (asprintf(&words, "%s%s", ready_made[i].text, text + length) < 0)
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
    bool done = take_words(series, words, base, &reason);
    free(words);
    return done || err_set(err, "--over \"%.128s\": %s", text, reason.text);
}

void sweep_series_release(struct sweep_series *series)
{
    for (unsigned i = 0; i < series->count; i++)
        params_free(series->params[i]);
    series->count = 0;
}
