#include "src/regress/regress_row.h"

#include "annotations/services/lock_table.h"
#include "cache/classify/classify.h"
#include "cache/state/geometry.h"
#include "src/measure/attribution.h"
#include "src/results/annotations.h"
#include "src/results/values.h"
#include "src/base/sums.h"
#include "src/tcl/tcl_versions.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the statistics have a figure, by the places that a row distinguishes. */
enum { ALL_MODES = 1 << REGRESS_MODE, OF_SERVICES = 1 << REGRESS_SERVICE, OF_PROCESSES = 1 << REGRESS_PROCESS };
enum {
    OF_MISSES = (1 << REGRESS_LOCK) - 1,
    OF_LOCKS = 1 << REGRESS_LOCK | 1 << REGRESS_KIND,
    OF_FIGURES = ALL_MODES | OF_SERVICES | OF_PROCESSES,
    BY_ACCESS = 1 << REGRESS_ROUTINE | 1 << REGRESS_DATA | 1 << REGRESS_CACHE | 1 << REGRESS_CLASS,
};
enum { TEXT_MAX = 640 };

/* The column of the misses by place that a pattern is matched with. */
static const enum miss_column column_of[REGRESS_LOCK] = {
    [REGRESS_MODE] = MISS_ROW_MODE,       [REGRESS_SERVICE] = MISS_ROW_SERVICE, [REGRESS_PROCESS] = MISS_ROW_PROCESS,
    [REGRESS_ROUTINE] = MISS_ROW_ROUTINE, [REGRESS_DATA] = MISS_ROW_DATA,       [REGRESS_CACHE] = MISS_ROW_CACHE,
    [REGRESS_CLASS] = MISS_ROW_CLASS};

static const struct {
    const char *name; /* in the file */
    unsigned places;  /* that a row may distinguish */
    const char *unit;
} figures[REGRESS_FIGURES] = {
    [REGRESS_MISSES] = {"misses", OF_MISSES, "misses"},
    [REGRESS_STALL] = {"stall", OF_MISSES, "cycles"},
    [REGRESS_CYCLES] = {"cycles", OF_FIGURES, "cycles"},
    [REGRESS_INSNS] = {"insns", OF_FIGURES, "instructions"},
    [REGRESS_WAIT] = {"wait", OF_FIGURES, "cycles"},
    [REGRESS_CALLS] = {"calls", OF_SERVICES | OF_PROCESSES, "calls"},
    [REGRESS_ACQUIRES] = {"acquires", OF_LOCKS, "acquisitions"},
    [REGRESS_CONTENDED] = {"contended", OF_LOCKS, "acquisitions"},
    [REGRESS_WAITED] = {"waited", OF_LOCKS, "cycles"},
    [REGRESS_HELD] = {"held", OF_LOCKS, "cycles"},
};

static const char *const places[REGRESS_PLACES] = {"mode",  "service", "process", "routine", "data",
                                                   "cache", "class",   "lock",    "kind"};

const char *regress_figure_name(enum regress_figure figure)
{
    return figures[figure].name;
}

const char *regress_figure_unit(enum regress_figure figure)
{
    return figures[figure].unit;
}

const char *regress_place_name(enum regress_place place)
{
    return places[place];
}

/* Closed vocabularies */

/* Word I of the vocabulary of PLACE, which is known before any run; NULL: there are no more. Names of services,
 * processes, routines, data and locks are the guest's: those places have no vocabulary. */
static const char *known_word(enum regress_place place, unsigned i)
{
    switch (place) {
    case REGRESS_MODE: return i < MODE_COUNT ? mode_name((enum mode)i) : NULL;
    case REGRESS_CACHE: return i < MEMSYS_CACHES ? cache_name((enum memsys_cache)i) : NULL;
    case REGRESS_CLASS: return i < CLASS_COUNT ? classify_class_name((enum miss_class)i) : NULL;
    case REGRESS_KIND: return i < LOCK_KINDS ? lock_kind_name((enum lock_kind)i) : NULL;
    default: return NULL;
    }
}

/* Can runs that classify misses in CLASSIFY have word I of PLACE? */
static bool has_word(enum regress_place place, unsigned i, enum classify_mode classify)
{
    return place != REGRESS_CLASS || classify_mode_distinguishes(classify, (enum miss_class)i);
}

/* PLACE has a vocabulary: does PATTERN match one of its words? If not, ERR lists them. Runs of a test classify misses
 * in full. */
static bool check_known(const char *row, enum regress_place place, const char *pattern, struct err *err)
{
    char valid[200] = "";
    const char *word;
    for (unsigned i = 0; (word = known_word(place, i)); i++) {
        if (!has_word(place, i, CLASSIFY_FULL))
            continue;
        if (Tcl_StringMatch(word, pattern))
            return true;
        snprintf(valid + strlen(valid), sizeof valid - strlen(valid), "%s%s", *valid ? ", " : "", word);
    }
    return err_set(err, "row \"%.64s\": -%s \"%.64s\" is none of: %s", row, places[place], pattern, valid);
}

/* Parsing */

static bool set_within(struct regress_row *row, const char *value, struct err *err)
{
    char *end;
    row->within = strtod(value, &end);
    row->has_within = true;
    return (end != value && !*end && row->within >= 0 && row->within <= 1000) ||
           err_set(err, "row \"%.64s\": -within \"%.32s\" is not a percentage from 0 to 1000", row->name, value);
}

static bool set_most(struct regress_row *row, const char *value, struct err *err)
{
    char *end;
    row->most = strtoull(value, &end, 10);
    row->has_most = true;
    return (*value >= '0' && *value <= '9' && !*end && row->most <= INT64_MAX) ||
           err_set(err, "row \"%.64s\": -at-most \"%.32s\" is not a whole number", row->name, value);
}

static bool set_direction(struct regress_row *row, const char *value, struct err *err)
{
    row->both = strcmp(value, "both") == 0;
    return row->both || strcmp(value, "more") == 0 ||
           err_set(err, "row \"%.64s\": -direction \"%.32s\" is neither more nor both", row->name, value);
}

static bool set_placement(struct regress_row *row, const char *value, struct err *err)
{
    static const char *const words[] = {
        [REGRESS_OWN] = "own", [REGRESS_AS_LINKED] = "as-linked", [REGRESS_BOTH] = "both"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0) {
            row->placement = (enum regress_placement)i;
            return true;
        }
    return err_set(err, "row \"%.64s\": -placement \"%.32s\" is not own, as-linked or both", row->name, value);
}

static bool set_pattern(struct regress_row *row, const char *option, const char *value, struct err *err)
{
    for (unsigned place = 0; place < REGRESS_PLACES; place++)
        if (strcmp(option + 1, places[place]) == 0) {
            free(row->pattern[place]);
            row->pattern[place] = checked_memory(strdup(value));
            if (!(figures[row->figure].places & 1u << place))
                return err_set(err, "row \"%.64s\": %s have no %s", row->name, figures[row->figure].name,
                               places[place]);
            return !known_word((enum regress_place)place, 0) ||
                   check_known(row->name, (enum regress_place)place, value, err);
        }
    return err_set(err,
                   "row \"%.64s\": unknown option %.64s; valid: -mode, -service, -process, -routine, -data, -cache, "
                   "-class, -lock, -kind, -within, -direction, -at-most, -exact, -placement",
                   row->name, option);
}

static bool set_option(struct regress_row *row, const char *option, const char *value, struct err *err)
{
    if (strcmp(option, "-within") == 0)
        return set_within(row, value, err);
    if (strcmp(option, "-at-most") == 0)
        return set_most(row, value, err);
    if (strcmp(option, "-direction") == 0)
        return set_direction(row, value, err);
    if (strcmp(option, "-placement") == 0)
        return set_placement(row, value, err);
    if (*option == '-')
        return set_pattern(row, option, value, err);
    return err_set(err, "row \"%.64s\": \"%.64s\" is no option", row->name, option);
}

static bool set_figure(struct regress_row *row, const char *word, struct err *err)
{
    for (unsigned figure = 0; figure < REGRESS_FIGURES; figure++)
        if (strcmp(word, figures[figure].name) == 0) {
            row->figure = (enum regress_figure)figure;
            return true;
        }
    return err_set(err,
                   "row \"%.64s\": \"%.64s\" is no figure; valid: misses, stall, cycles, insns, wait, calls, acquires, "
                   "contended, waited, held",
                   row->name, word);
}

static bool is_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
    return *name && strlen(name) <= 120;
}

/* A row of a service has one mode, and cycles of a routine are not counted: refuse what would always be 0. */
static bool check(const struct regress_row *row, struct err *err)
{
    const bool figure = row->figure == REGRESS_CYCLES || row->figure == REGRESS_INSNS || row->figure == REGRESS_WAIT ||
                        row->figure == REGRESS_STALL;
    if (figure && row->pattern[REGRESS_MODE] && row->pattern[REGRESS_SERVICE])
        return err_set(err, "row \"%.64s\": -mode and -service: only one of them, a service has one mode", row->name);
    if (row->both && !row->has_within)
        return err_set(err, "row \"%.64s\": -direction needs -within", row->name);
    if (row->placement != REGRESS_OWN && !row->has_within)
        return err_set(err, "row \"%.64s\": -placement needs -within", row->name);
    return row->has_within || row->has_most || row->exact ||
           err_set(err, "row \"%.64s\" has no limit: -within PERCENT, -at-most NUMBER or -exact", row->name);
}

bool regress_row_parse(struct regress_row *row, unsigned count, const char *const *words, struct err *err)
{
    *row = (struct regress_row){.name = checked_memory(strdup(words[0]))};
    if (!is_name(row->name))
        return err_set(err, "row \"%.64s\": a name has 1 to 120 printable characters", row->name);
    if (!set_figure(row, words[1], err))
        return false;
    for (unsigned i = 2; i < count; i++) {
        if (strcmp(words[i], "-exact") == 0) {
            row->exact = true;
            continue;
        }
        if (i + 1 == count)
            return err_set(err, "row \"%.64s\": %.64s needs a value", row->name, words[i]);
        if (!set_option(row, words[i], words[i + 1], err))
            return false;
        i++;
    }
    return check(row, err);
}

const char *regress_row_pattern(const struct regress_row *row, unsigned places_set, char text[REGRESS_PATTERN_TEXT])
{
    const enum regress_place place = (enum regress_place)__builtin_ctz(places_set);
    snprintf(text, REGRESS_PATTERN_TEXT, "-%s \"%.64s\"", places[place], row->pattern[place]);
    return text;
}

void regress_row_release(struct regress_row *row)
{
    for (unsigned place = 0; place < REGRESS_PLACES; place++)
        free(row->pattern[place]);
    free(row->name);
    *row = (struct regress_row){.name = NULL};
}

struct regress_row regress_row_divide(struct regress_row *row)
{
    static const char suffix[] = ", as linked";
    struct regress_row linked = *row;
    row->placement = REGRESS_OWN;
    linked.placement = REGRESS_AS_LINKED;
    linked.has_most = linked.exact = false; /* limits of one run as linked, which ROW keeps */
    linked.name = checked_memory(malloc(strlen(row->name) + sizeof suffix));
    strcat(strcpy(linked.name, row->name), suffix);
    for (unsigned place = 0; place < REGRESS_PLACES; place++)
        linked.pattern[place] = row->pattern[place] ? checked_memory(strdup(row->pattern[place])) : NULL;
    return linked;
}

/* Parts */

void regress_parts_add(struct regress_parts *parts, const char *place, int64_t amount)
{
    if (amount == 0)
        return;
    if (parts->count == parts->room) {
        parts->room = parts->room ? 2 * parts->room : 64;
        parts->parts = checked_memory(realloc(parts->parts, parts->room * sizeof *parts->parts));
    }
    parts->parts[parts->count++] = (struct regress_part){checked_memory(strdup(place)), amount};
}

int regress_part_order(const void *a, const void *b)
{
    return strcmp(((const struct regress_part *)a)->place, ((const struct regress_part *)b)->place);
}

void regress_parts_join(struct regress_parts *parts)
{
    size_t kept = 0;
    if (parts->count > 0)
        qsort(parts->parts, parts->count, sizeof *parts->parts, regress_part_order);
    for (size_t i = 0; i < parts->count; i++) {
        struct regress_part *part = &parts->parts[i];
        if (kept > 0 && strcmp(parts->parts[kept - 1].place, part->place) == 0) {
            sum_add_signed(&parts->parts[kept - 1].amount, part->amount);
            free(part->place);
        } else {
            parts->parts[kept++] = *part;
        }
    }
    parts->count = kept;
}

const struct regress_part *regress_parts_find(const struct regress_parts *parts, const char *place)
{
    const struct regress_part sought = {.place = (char *)(uintptr_t)place};
    return parts->count ? bsearch(&sought, parts->parts, parts->count, sizeof sought, regress_part_order) : NULL;
}

void regress_parts_release(struct regress_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->parts[i].place);
    free(parts->parts);
    *parts = (struct regress_parts){.count = 0};
}

/* Values */

/* The search for a row's value in one run. */
struct search {
    const struct regress_row *row;
    struct regress_parts *parts;
    unsigned matched; /* by enum regress_place: patterns that something has matched */
    uint64_t value;
    bool overflows; /* VALUE is more than any run has */
};

/* Does TEXT match the pattern of PLACE? */
static bool matches(struct search *search, enum regress_place place, const char *text)
{
    const char *pattern = search->row->pattern[place];
    const bool is_match = !pattern || (text && Tcl_StringMatch(text, pattern));
    if (is_match)
        search->matched |= 1u << place;
    return is_match;
}

static void add_value(struct search *search, uint64_t amount)
{
    if (!sum_add(&search->value, amount) || search->value > INT64_MAX)
        search->overflows = true;
}

static void take(struct search *search, const char *place, uint64_t amount)
{
    add_value(search, amount);
    regress_parts_add(search->parts, place, (int64_t)amount);
}

/* The place of a row of `misses` as a part: service, cache and class, data structure, routine. */
static void name_part(const char *const text[MISS_ROW_TEXTS], char part[TEXT_MAX])
{
    snprintf(part, TEXT_MAX, "%s; %s %s; %s; %s", text[MISS_ROW_SERVICE], text[MISS_ROW_CACHE], text[MISS_ROW_CLASS],
             *text[MISS_ROW_DATA] ? text[MISS_ROW_DATA] : "(instructions)", text[MISS_ROW_ROUTINE]);
}

/* Add the rows of `misses` that the patterns select: their stall, if STALL, or their misses. An upgrade is no miss,
 * unless the class asks for it. */
static bool search_misses(struct search *search, const struct results *results, bool stall, struct err *err)
{
    struct miss_rows rows;
    char part[TEXT_MAX];
    const bool known = miss_rows_read(results, &rows);
    bool done = known || err_set(err, "the statistics have no misses by place");
    if (done && rows.malformed != SIZE_MAX)
        done = err_set(err, "row %zu of the misses by place is not one", rows.malformed);
    for (size_t i = 0; done && i < rows.count; i++) {
        const struct miss_row *row = &rows.row[i];
        bool selected = true;
        for (enum regress_place place = 0; place < REGRESS_LOCK; place++)
            selected = matches(search, place, row->text[column_of[place]]) && selected;
        if (!selected ||
            (!stall && !search->row->pattern[REGRESS_CLASS] && strcmp(row->text[MISS_ROW_CLASS], "upgrade") == 0))
            continue;
        name_part(row->text, part);
        take(search, part, stall ? row->stall : row->misses);
    }
    free(rows.row);
    return done;
}

static uint64_t figure_of(const struct regress_row *row, const struct account *account)
{
    switch (row->figure) {
    case REGRESS_STALL: return account->stall;
    case REGRESS_CYCLES: return account->cycles;
    case REGRESS_INSNS: return account->insns;
    case REGRESS_WAIT: return account->wait;
    case REGRESS_CALLS: return account->calls;
    default: return 0;
    }
}

/* Add the figures of an account under PLACE. The parts of cycles and stall are finer: search_figures(). */
static void take_figures(struct search *search, const char *place, const struct account *account)
{
    char part[TEXT_MAX];
    const bool has_stall = search->row->figure == REGRESS_CYCLES || search->row->figure == REGRESS_STALL;
    const uint64_t value = figure_of(search->row, account);
    if (!has_stall) {
        take(search, place, value);
        return;
    }
    add_value(search, value);
    if (search->row->figure == REGRESS_CYCLES) {
        snprintf(part, sizeof part, "%s; wait", place);
        regress_parts_add(search->parts, part, (int64_t)account->wait);
        snprintf(part, sizeof part, "%s; execution", place);
        regress_parts_add(search->parts, part, (int64_t)(value - account->stall - account->wait));
    }
    snprintf(part, sizeof part, "%s; other stall", place);
    regress_parts_add(search->parts, part, (int64_t)account->stall);
}

/* Divide the stall of each "other stall" further: by the rows of `misses` that the patterns select, which are taken
 * from it. */
static bool divide_stall(struct search *search, const struct results *results, struct err *err)
{
    struct regress_parts misses = {0};
    struct search of_misses = {.row = search->row, .parts = &misses};
    char other[TEXT_MAX];
    if (!search_misses(&of_misses, results, true, err)) {
        regress_parts_release(&misses);
        return false;
    }
    const bool by_service = search->row->pattern[REGRESS_SERVICE] || !search->row->pattern[REGRESS_MODE];
    for (size_t i = 0; i < misses.count; i++) {
        const char *place = misses.parts[i].place;
        if (by_service)
            snprintf(other, sizeof other, "%.*s; other stall", (int)strcspn(place, ";"), place);
        else
            snprintf(other, sizeof other, "%.64s; other stall", search->row->pattern[REGRESS_MODE]);
        regress_parts_add(search->parts, place, misses.parts[i].amount);
        regress_parts_add(search->parts, other, -misses.parts[i].amount);
    }
    regress_parts_release(&misses);
    return true;
}

static void take_service(void *opaque, const char *name, const struct account *account)
{
    struct search *search = opaque;
    if (matches(search, REGRESS_SERVICE, name))
        take_figures(search, name, account);
}

static bool is_selected(struct search *search, const struct results *results, size_t process)
{
    return matches(search, REGRESS_PROCESS, results_process_name(results, process));
}

/* Services of the processes that the pattern selects. */
static void search_processes(struct search *search, const struct results *results)
{
    for (size_t i = 0; i < results_process_count(results); i++)
        if (is_selected(search, results, i))
            results_visit_services(results, i, take_service, search);
}

/* The account of a mode over all CPUs. */
static struct account account_of(const struct results *results, enum mode mode)
{
    static const enum modes only[MODE_COUNT] = {
        [MODE_USER] = MODES_USER, [MODE_KERNEL] = MODES_KERNEL, [MODE_IDLE] = MODES_IDLE};
    return (struct account){.cycles = results_sum(results, "cycles", only[mode]),
                            .insns = results_sum(results, "insns", only[mode]),
                            .wait = results_sum(results, "wait", only[mode]),
                            .stall = results_sum_all(results, "stall.", only[mode])};
}

/* Modes of all CPUs, or of the processes that the pattern selects. */
static void search_modes(struct search *search, const struct results *results)
{
    const bool of_processes = search->row->pattern[REGRESS_PROCESS];
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        if (!matches(search, REGRESS_MODE, mode_name(mode)))
            continue;
        struct account account = account_of(results, mode);
        if (!of_processes)
            take_figures(search, search->row->pattern[REGRESS_MODE], &account);
        for (size_t i = 0; of_processes && i < results_process_count(results); i++)
            if (is_selected(search, results, i)) {
                account = results_process_account(results, i, mode);
                take_figures(search, search->row->pattern[REGRESS_MODE], &account);
            }
    }
}

static bool search_figures(struct search *search, const struct results *results, struct err *err)
{
    if (!results_has_services(results))
        return err_set(err, "the statistics have no services");
    if (search->row->pattern[REGRESS_MODE])
        search_modes(search, results);
    else if (search->row->pattern[REGRESS_PROCESS])
        search_processes(search, results);
    else
        results_visit_services(results, RESULTS_ALL_PROCESSES, take_service, search);
    return (search->row->figure != REGRESS_CYCLES && search->row->figure != REGRESS_STALL) ||
           divide_stall(search, results, err);
}

static uint64_t lock_figure_of(const struct regress_row *row, const struct result_lock *lock)
{
    switch (row->figure) {
    case REGRESS_ACQUIRES: return lock->acquires;
    case REGRESS_CONTENDED: return lock->contended;
    case REGRESS_WAITED: return lock->wait;
    case REGRESS_HELD: return lock->held;
    default: return 0;
    }
}

static bool search_locks(struct search *search, const struct results *results, struct err *err)
{
    char part[TEXT_MAX];
    if (!results_has_locks(results))
        return err_set(err, "the statistics have no locks");
    for (size_t i = 0; i < results_lock_count(results); i++) {
        const struct result_lock lock = results_lock(results, i);
        const bool named = matches(search, REGRESS_LOCK, lock.name), of_kind = matches(search, REGRESS_KIND, lock.kind);
        if (!named || !of_kind)
            continue;
        snprintf(part, sizeof part, "%s; %s; %s", lock.name, lock.kind, lock.caller);
        take(search, part, lock_figure_of(search->row, &lock));
    }
    return true;
}

static enum classify_mode classify_mode_of(const struct results *results)
{
    static const char *const names[] = {
        [CLASSIFY_OFF] = "off", [CLASSIFY_REPLACEMENT] = "replacement", [CLASSIFY_SHARING] = "sharing"};
    const char *name = results_parameter(results, "cache.classify");
    for (unsigned mode = 0; name && mode < sizeof names / sizeof names[0]; mode++)
        if (strcmp(name, names[mode]) == 0)
            return (enum classify_mode)mode;
    return CLASSIFY_FULL;
}

static bool has_cache(const struct results *results, const char *cache)
{
    char name[32];
    snprintf(name, sizeof name, "cpu0.%s", cache);
    return results_has(results, name);
}

/* The patterns that match a word of a vocabulary which the run could have had: what it did not have is 0. A machine has
 * caches of its own. */
static void match_known(struct search *search, const struct results *results)
{
    const enum classify_mode classify = classify_mode_of(results);
    const char *word;
    for (enum regress_place place = 0; place < REGRESS_PLACES; place++)
        for (unsigned i = 0; search->row->pattern[place] && (word = known_word(place, i)); i++)
            if (has_word(place, i, classify) && (place != REGRESS_CACHE || has_cache(results, word)))
                matches(search, place, word);
}

bool regress_row_value(const struct regress_row *row, const struct results *results, uint64_t *value,
                       struct regress_parts *parts, unsigned *unmatched, struct err *err)
{
    struct search search = {.row = row, .parts = parts};
    unsigned given = 0;
    bool by_access = row->figure == REGRESS_MISSES, done;
    for (unsigned place = 0; place < REGRESS_PLACES; place++) {
        given |= row->pattern[place] ? 1u << place : 0;
        by_access = by_access || (row->pattern[place] && (BY_ACCESS & 1u << place));
    }
    if (figures[row->figure].places & 1u << REGRESS_LOCK)
        done = search_locks(&search, results, err);
    else if (by_access)
        done = search_misses(&search, results, row->figure == REGRESS_STALL, err);
    else
        done = search_figures(&search, results, err);
    done = done && (!search.overflows || err_set(err, "row \"%.64s\": it counts more than any run has", row->name));
    match_known(&search, results);
    *value = search.value;
    *unmatched = given & ~search.matched;
    return done;
}
