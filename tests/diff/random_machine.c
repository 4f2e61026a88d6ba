#include "tests/diff/random_machine.h"

#include "cache/memsys.h"
#include "cpu/core/interlock.h"
#include "cpu/predict/predictor.h"
#include <inttypes.h>
#include <string.h>

enum { CLOCK_HZ = 200000000 };

/* Parameters that change how the caches are looked at, not what they are; and files. */
static bool is_left_alone(const char *name)
{
    static const char *const names[] = {"cache.check_interval", "cache.classify",  "cache.profile",
                                        "cache.evictors",       "prefetch.guards", "prefetch.points"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* One of the words of DEF. */
static void draw_word(const struct param_def *def, struct random *random, char *text, size_t size)
{
    unsigned words = 1;
    for (const char *at = def->choices; *at; at++)
        words += *at == '|';
    const char *word = def->choices;
    for (unsigned skip = random_below(random, words); skip > 0; skip--)
        word = strchr(word, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(word, "|"), word);
}

/* A power of two near the least value. */
static uint64_t draw_power(const struct param_def *def, struct random *random)
{
    uint64_t value = def->min > 0 ? def->min : 1;
    unsigned doublings = random_below(random, 7);
    if (def->min == 0 && random_one_in(random, 3))
        return 0;
    for (; doublings > 0 && 2 * value <= def->max; doublings--)
        value *= 2;
    return value;
}

/* A size near the least one, so that lines conflict; every other one is no power of two. */
static uint64_t draw_size(const struct param_def *def, struct random *random)
{
    const uint64_t power = def->min << random_below(random, 4);
    return random_one_in(random, 2) ? power : power + random_below(random, (uint32_t)power);
}

static uint64_t draw_number(const struct param_def *def, struct random *random)
{
    static const uint8_t most[] = {2, 4, 12, 60};
    const uint64_t range = def->max - def->min, wanted = most[random_below(random, 4)];
    return def->min + random_below(random, (uint32_t)(range < wanted ? range : wanted) + 1);
}

/* Nanoseconds, the least value often. */
static uint64_t draw_time(const struct param_def *def, struct random *random)
{
    const uint64_t time = random_one_in(random, 3) ? 0 : random_below(random, 400);
    return time > def->min ? time : def->min;
}

static void draw_value(const struct param_def *def, struct random *random, char *text, size_t size)
{
    static const unsigned clocks[] = {20, 50, 66, 100, 200};
    switch (def->type) {
    case PARAM_BOOL: snprintf(text, size, "%s", random_one_in(random, 2) ? "on" : "off"); break;
    case PARAM_CHOICE: draw_word(def, random, text, size); break;
    case PARAM_TIME: snprintf(text, size, "%" PRIu64 "ns", draw_time(def, random)); break;
    case PARAM_HZ: snprintf(text, size, "%uMHz", clocks[random_below(random, 5)]); break;
    default:
        snprintf(text, size, "%" PRIu64,
                 def->power_of_two               ? draw_power(def, random)
                 : ends_with(def->name, ".size") ? draw_size(def, random)
                                                 : draw_number(def, random));
    }
}

/* Set DEF to a random value. */
static void draw(struct params *params, const struct param_def *def, struct random *random)
{
    struct err err = {""};
    char text[64];
    draw_value(def, random, text, sizeof text);
    if (!params_set(params, def->name, text, &err))
        log_bug("%s", err.text);
}

static void draw_all(struct params *params, const struct param_def *defs, size_t count, struct random *random,
                     unsigned often)
{
    for (size_t i = 0; i < count; i++) {
        const struct param_def *def = &defs[i];
        const bool size = ends_with(def->name, ".size"); /* the initial values are too large for conflicts */
        if (def->type != PARAM_STRING && !is_left_alone(def->name) && (size || random_below(random, 8) < often))
            draw(params, def, random);
    }
}

/* Draw or reset the parameters that MESSAGE names, and so perhaps make the machine possible. */
static bool repair(struct params *params, const char *message, struct random *random)
{
    bool any = false;
    for (size_t i = 0; i < memsys_param_count; i++) {
        const struct param_def *def = &memsys_param_defs[i];
        const char *at = strstr(message, def->name);
        if (!at || def->type == PARAM_STRING || random_one_in(random, 3))
            continue;
        struct err err = {""};
        if (random_one_in(random, 2))
            draw(params, def, random);
        else if (!params_set(params, def->name, def->initial, &err))
            log_bug("%s", err.text);
        any = true;
    }
    return any;
}

/* Make the sizes of caches whole numbers of sets, if they would not get too large. */
static void fit_sizes(struct params *params)
{
    static const char *const caches[] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};
    for (unsigned i = 0; i < sizeof caches / sizeof caches[0]; i++) {
        char size[32], line[32], ways[32], sector[32], text[32];
        struct err err = {""};
        snprintf(size, sizeof size, "cache.%s.size", caches[i]);
        snprintf(line, sizeof line, "cache.%s.line", caches[i]);
        snprintf(ways, sizeof ways, "cache.%s.ways", caches[i]);
        snprintf(sector, sizeof sector, "cache.%s.sector_lines", caches[i]);
        const uint64_t set = params_u64(params, line) * params_u64(params, sector) * params_u64(params, ways);
        snprintf(text, sizeof text, "%" PRIu64, (params_u64(params, size) + set - 1) / set * set);
        params_set(params, size, text, &err);
    }
}

static bool is_possible(struct params *params, unsigned cpus, struct err *err)
{
    fit_sizes(params);
    struct memsys *memsys = memsys_create(params, cpus, CLOCK_HZ, err);
    const bool possible = memsys != NULL && !memsys_is_flat(memsys);
    if (memsys && !possible)
        err_set(err, "cache.model");
    memsys_free(memsys);
    return possible;
}

static struct params *new_params(void)
{
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    params_define(params, interlock_param_defs, interlock_param_count);
    return params;
}

static void reset(struct params *params, const char *name)
{
    struct err err = {""};
    const struct param_def *def = params_find(params, name);
    if (!params_set(params, name, def->initial, &err))
        log_bug("%s", err.text);
}

/* Of half of the machines, what has neither waits nor prefetches; of a quarter, the hierarchy of the specialised code
 * for first-level misses: two ways over one, inclusive. */
static void reset_some(struct params *params, struct random *random)
{
    static const char *const simple[] = {"memory.contention",
                                         "block.engine",
                                         "prefetch.insn.trigger",
                                         "prefetch.stream.buffers",
                                         "prefetch.data",
                                         "cache.l1d.write_buffer.depth",
                                         "cache.l2.write_buffer.depth",
                                         "cache.l3.write_buffer.depth",
                                         "cache.l1d.write_back_time",
                                         "cache.l2.write_back_time",
                                         "cache.l3.write_back_time",
                                         "cache.l2.occupancy",
                                         "cache.l2i.occupancy",
                                         "cache.l3.occupancy",
                                         "cache.l3i.occupancy"};
    static const char *const usual[] = {"cache.model",
                                        "cache.l1.split",
                                        "cache.l2.split",
                                        "cache.l1i.replacement",
                                        "cache.l1d.replacement",
                                        "cache.l1i.hash",
                                        "cache.l1d.hash",
                                        "cache.l2.hash",
                                        "cache.l1i.index",
                                        "cache.l1d.index",
                                        "cache.l1i.ways",
                                        "cache.l1d.ways",
                                        "cache.l2.ways",
                                        "cache.l1i.sector_lines",
                                        "cache.l1d.sector_lines",
                                        "cache.l2.sector_lines",
                                        "cache.l1d.write",
                                        "cache.l2.write",
                                        "cache.l2.inclusive",
                                        "cache.l1d.assist",
                                        "cache.l1d.write_allocate",
                                        "cache.l2.write_allocate"};
    const unsigned kind = random_below(random, 6); /* 0, 1: anything; 2: simple; 3, 4: usual; 5: usual but unified */
    if (kind < 2)
        return;
    for (unsigned i = 0; i < sizeof simple / sizeof simple[0]; i++)
        reset(params, simple[i]);
    if (kind < 3)
        return;
    for (unsigned i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (!random_one_in(random, 30))
            reset(params, usual[i]);
    struct err err = {""};
    if (kind == 5 && !params_set(params, "cache.l1.split", "off", &err))
        log_bug("%s", err.text);
}

/* Of some machines, a first level of words that stores allocate, passed on. */
static void draw_words(struct params *params, struct random *random)
{
    static const char *const words[][2] = {
        {"cache.l1d.write", "through"}, {"cache.l1d.write_allocate", "validate"}, {"cache.l1d.line", "4"}};
    struct err err = {""};
    if (!random_one_in(random, 8))
        return;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!params_set(params, words[i][0], words[i][1], &err))
            log_bug("%s", err.text);
}

/* Whether the first level allocates words: a line is valid as a whole. */
static bool has_words(const struct params *params)
{
    return strcmp(params_string(params, "cache.l1d.write"), "through") == 0 &&
           strcmp(params_string(params, "cache.l1d.write_allocate"), "validate") == 0;
}

/* One try: NULL if no machine came of it. */
static struct params *try_machine(struct random *random, unsigned cpus, const char *pages)
{
    enum { REPAIRS = 300 };
    static const uint8_t often[] = {1, 3, 6, 8};
    struct params *params = new_params();
    struct err err = {""};
    draw_all(params, memsys_param_defs, memsys_param_count, random, often[random_below(random, 4)]);
    if (random_one_in(random, 3))
        draw_all(params, interlock_param_defs, interlock_param_count, random, often[random_below(random, 4)]);
    if (random_one_in(random, 4) && !params_set(params, "cache.update_pages", pages, &err))
        log_bug("%s", err.text);
    reset_some(params, random);
    draw_words(params, random);
    for (unsigned tries = 0; tries < REPAIRS; tries++) {
        if (is_possible(params, cpus, &err))
            return params;
        if (strncmp(err.text, "cache.model", 11) == 0 ? !params_set(params, "cache.model", "one-level", &err)
                                                      : !repair(params, err.text, random) && tries > 50)
            break;
    }
    params_free(params);
    return NULL;
}

/* A predictor of mxs, in half of the machines with tables other than the usual ones. */
static void draw_predictor(struct params *params, struct random *random)
{
    const bool usual = random_one_in(random, 2);
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++)
        if (strncmp(def->name, "mxs.", 4) == 0 && (def->type == PARAM_CHOICE || !usual))
            draw(params, def, random);
}

void random_machine_draw(struct random_machine *machine, struct random *random, unsigned cpus, const char *pages)
{
    struct params *params = NULL;
    while (!params)
        params = try_machine(random, cpus, pages);
    predictor_define_params(params);
    draw_predictor(params, random);
    machine->count = 0;
    machine->validates = false;
    const struct param_def *def;
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        char text[64];
        if (!params_is_set(params, def->name) || !params_text(params, def->name, text, sizeof text))
            continue;
        if (machine->count == RANDOM_MACHINE_SETTINGS)
            log_bug("more than %d parameters", RANDOM_MACHINE_SETTINGS);
        snprintf(machine->setting[machine->count++], sizeof machine->setting[0], "%s=%s", def->name, text);
        machine->validates |=
            strcmp(text, "validate") == 0 && !(strcmp(def->name, "cache.l1d.write_allocate") == 0 && has_words(params));
    }
    params_free(params);
}

void random_machine_print(const struct random_machine *machine)
{
    for (unsigned i = 0; i < machine->count; i++)
        printf("%s--set %s", i ? " " : "", machine->setting[i]);
    printf("\n");
}
