/* Parses the options that select collectors: FILE[,NAME=VALUE]... */
#include "src/observe/collect.h"

#include "src/base/params.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TIMELINE_EVENTS = 1000000,
    TIMELINE_EVENTS_MAX = 50000000,
    STACKS_EVERY = 50000 /* nanoseconds */,
    WORD_SIZE = 256
};

/* Parse VALUE like a parameter NAME of TYPE with the range LOW to HIGH. */
static bool parse_number(const char *name, enum param_type type, uint64_t low, uint64_t high, const char *value,
                         uint64_t *number, struct err *err)
{
    const struct param_def def = {.name = name, .type = type, .min = low, .max = high};
    return param_parse(&def, value, number, err);
}

bool collect_parse_over_time(struct collect_plan *plan, const char *text, struct err *err)
{
    return parse_number("interval", PARAM_TIME, 1000, UINT64_C(1000000000000), text, &plan->over_time, err);
}

/* Set the option NAME=VALUE that follows the file name. Returns false with ERR if NAME is unknown or VALUE invalid. */
typedef bool word_fn(struct collect_plan *plan, const char *name, const char *value, struct err *err);

/* Is there a word ",NAME=" of letters in the first LENGTH characters of TEXT? */
static bool has_word(const char *text, size_t length)
{
    for (const char *comma = memchr(text, ',', length); comma;
         comma = memchr(comma, ',', length - (size_t)(comma - text))) {
        comma++;
        size_t letters = strspn(comma, "abcdefghijklmnopqrstuvwxyz-");
        if (letters > 0 && comma[letters] == '=' && comma + letters < text + length)
            return true;
    }
    return false;
}

/* Split TEXT into the file name (to *PATH) and the ,NAME=VALUE options after it, which TAKE sets. The options begin at
 * the first comma that is followed by one of NAMES and "=", so that a file name may contain commas; but no ",WORD=",
 * which is a misspelt option. */
static bool parse_words(struct collect_plan *plan, const char *text, const char *const *names, char **path,
                        word_fn *take, struct err *err)
{
    const char *end = text + strlen(text);
    char word[WORD_SIZE];
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        for (const char *const *name = names; *name && end > comma; name++)
            if (strncmp(comma + 1, *name, strlen(*name)) == 0 && comma[1 + strlen(*name)] == '=')
                end = comma;
    if (end == text)
        return err_set(err, "no file is named");
    if (has_word(text, (size_t)(end - text)))
        end = strchr(text, ',');
    free(*path);
    *path = checked_memory(strndup(text, (size_t)(end - text)));
    while (*end) {
        size_t length = strcspn(end + 1, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, end + 1);
        char *equals = strchr(word, '=');
        if (!equals || length >= sizeof word)
            return err_set(err, "\"%.64s\" is not NAME=VALUE", word);
        *equals = 0;
        if (!take(plan, word, equals + 1, err))
            return false;
        end += 1 + length;
    }
    return true;
}

static bool take_stacks(struct collect_plan *plan, const char *name, const char *value, struct err *err)
{
    if (strcmp(name, "every") == 0)
        return parse_number("every", PARAM_TIME, 1000, UINT64_C(1000000000000), value, &plan->every, err);
    if (strcmp(name, "of") != 0)
        return err_set(err, "\"%.64s\" is neither of=cycles, of=stall nor every=DURATION", name);
    plan->weight = strcmp(value, "stall") == 0 ? STACK_PROFILE_STALL : STACK_PROFILE_CYCLES;
    return strcmp(value, "stall") == 0 || strcmp(value, "cycles") == 0 ||
           err_set(err, "of=%.64s is neither of=cycles nor of=stall", value);
}

bool collect_parse_stacks(struct collect_plan *plan, const char *text, struct err *err)
{
    static const char *const names[] = {"of", "every", NULL};
    plan->every = STACKS_EVERY;
    plan->weight = STACK_PROFILE_CYCLES;
    return parse_words(plan, text, names, &plan->stacks_path, take_stacks, err);
}

static bool take_timeline(struct collect_plan *plan, const char *name, const char *value, struct err *err)
{
    if (strcmp(name, "events") == 0)
        return parse_number("events", PARAM_INT, 1, TIMELINE_EVENTS_MAX, value, &plan->events, err);
    if (strcmp(name, "from") == 0)
        return plan->from_wanted = true, machine_event_parse(&plan->from, value, err);
    if (strcmp(name, "to") == 0)
        return plan->to_wanted = true, machine_event_parse(&plan->to, value, err);
    return err_set(err, "\"%.64s\" is neither from=EVENT, to=EVENT nor events=N", name);
}

bool collect_parse_timeline(struct collect_plan *plan, const char *text, struct err *err)
{
    static const char *const names[] = {"from", "to", "events", NULL};
    plan->events = TIMELINE_EVENTS;
    plan->from_wanted = plan->to_wanted = false;
    return parse_words(plan, text, names, &plan->timeline_path, take_timeline, err);
}

bool collect_parse_samples(struct collect_plan *plan, const char *text, struct err *err)
{
    const char *end = strrchr(text, '.');
    if (!end || (strcmp(end, ".csv") != 0 && strcmp(end, ".vcd") != 0))
        return err_set(err, "the file's name ends neither in .csv nor in .vcd");
    free(plan->samples_path);
    plan->samples_path = checked_memory(strdup(text));
    return true;
}

static bool take_vectors(struct collect_plan *plan, const char *name, const char *value, struct err *err)
{
    if (strcmp(name, "every") == 0)
        return parse_number("every", PARAM_INT, 1, UINT64_C(1) << 62, value, &plan->interval, err);
    if (strcmp(name, "from") == 0)
        return plan->vectors_from_wanted = true, machine_event_parse(&plan->vectors_from, value, err);
    return err_set(err, "\"%.64s\" is neither every=N nor from=EVENT", name);
}

bool collect_parse_vectors(struct collect_plan *plan, const char *text, struct err *err)
{
    static const char *const names[] = {"every", "from", NULL};
    plan->interval = 0;
    plan->vectors_from_wanted = false;
    return parse_words(plan, text, names, &plan->vectors_path, take_vectors, err) &&
           (plan->interval > 0 || err_set(err, "not FILE.bb,every=N[,from=EVENT]"));
}

bool collect_add_symbols(struct collect_plan *plan, const char *folder, struct err *err)
{
    struct stat there;
    if (stat(folder, &there) == 0 && !S_ISDIR(there.st_mode))
        return err_set(err, "%s", strerror(ENOTDIR));
    if (access(folder, R_OK | X_OK) != 0)
        return err_set(err, "%s", strerror(errno));
    plan->symbols = checked_memory(realloc(plan->symbols, (plan->symbol_count + 1) * sizeof *plan->symbols));
    plan->symbols[plan->symbol_count++] = folder;
    return true;
}

void collect_plan_release(struct collect_plan *plan)
{
    free(plan->symbols);
    free(plan->stacks_path);
    free(plan->timeline_path);
    free(plan->samples_path);
    free(plan->vectors_path);
    *plan = (struct collect_plan){0};
}
