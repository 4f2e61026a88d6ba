#include "src/base/params.h"

#include "src/base/deprecated.h"
#include "src/base/suggest.h"
#include <stdlib.h>
#include <string.h>

enum {
    PARAMS_STRING_MAX = 4096, /* bytes of a STRING value */
    PARAMS_NUMBER_SIZE = 32,  /* canonical text of a number */
    PARAMS_TEXT_SIZE = 128    /* for a range or other short text */
};

/* A value: NUMBER for numeric types and BOOL, STRING (owned) for text types and CHOICE. */
struct value {
    const struct param_def *def;
    uint64_t number;
    char *string;
    bool is_set;     /* since its definition or params_mark_unset() */
    bool is_named;   /* by a user */
    unsigned origin; /* index of the origin plus 1; 0: the command line */
};

struct params {
    struct value *values;
    size_t *by_name; /* indices of the values, sorted by name */
    size_t count, capacity;
    char **origins; /* files that are origins of values */
    unsigned origin_count, origin /* of values set now, as in struct value */;
};

__extension__ typedef unsigned __int128 wide;

struct unit {
    const char *suffix;
    uint64_t factor;
};

/* Ascending; a value is printed with the largest unit that divides it. */
static const struct unit size_units[] = {{"", 1}, {"K", 1ull << 10}, {"M", 1ull << 20}, {"G", 1ull << 30}, {0}};
static const struct unit time_units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {0}};
static const struct unit hz_units[] = {{"Hz", 1}, {"KHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {0}};
static const struct unit no_units[] = {{"", 1}, {0}};

static const char *const bool_words[2][5] = {{"0", "false", "no", "off", NULL}, {"1", "true", "yes", "on", NULL}};

static const struct unit *units_of(enum param_type type)
{
    switch (type) {
    case PARAM_SIZE: return size_units;
    case PARAM_TIME: return time_units;
    case PARAM_HZ: return hz_units;
    default: return no_units;
    }
}

static const char *kind_of(enum param_type type)
{
    switch (type) {
    case PARAM_INT: return "a whole number";
    case PARAM_SIZE: return "a size (bytes, or with K, M, G)";
    case PARAM_TIME: return "a time (nanoseconds, or with ns, us, ms, s)";
    case PARAM_HZ: return "a frequency (hertz, or with K, M, G)";
    default: return "a value";
    }
}

static bool holds_string(enum param_type type)
{
    return type >= PARAM_CHOICE;
}

/* Canonical text */

static void number_text(enum param_type type, uint64_t number, char *buffer, size_t size)
{
    if (type == PARAM_BOOL) {
        snprintf(buffer, size, "%s", number ? "on" : "off");
        return;
    }
    const struct unit *unit = units_of(type);
    const struct unit *best = unit;
    for (; unit->suffix; unit++)
        if (number != 0 && number % unit->factor == 0)
            best = unit;
    snprintf(buffer, size, "%llu%s", (unsigned long long)(number / best->factor), best->suffix);
}

/* Describe the valid values of DEF: "1K..1G, a power of two". */
static void range_text(const struct param_def *def, char *buffer, size_t size)
{
    char low[PARAMS_NUMBER_SIZE], high[PARAMS_NUMBER_SIZE];
    switch (def->type) {
    case PARAM_BOOL: snprintf(buffer, size, "on|off"); return;
    case PARAM_CHOICE: snprintf(buffer, size, "%s", def->choices); return;
    default: break;
    }
    if (holds_string(def->type)) {
        snprintf(buffer, size, "text");
        return;
    }
    number_text(def->type, def->min, low, sizeof low);
    if (def->max == UINT64_MAX)
        snprintf(buffer, size, "%s or more%s", low, def->power_of_two ? ", a power of two" : "");
    else {
        number_text(def->type, def->max, high, sizeof high);
        snprintf(buffer, size, "%s..%s%s", low, high, def->power_of_two ? ", a power of two" : "");
    }
}

/* Parsing */

static int digit_of(char c, int base)
{
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : base;
    return digit < base ? digit : -1;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return !*a && !*b;
}

/* The factor of SUFFIX; 0 if it is not a suffix of TYPE. */
static uint64_t suffix_factor(enum param_type type, const char *suffix)
{
    if (!*suffix)
        return 1;
    for (const struct unit *unit = units_of(type); unit->suffix; unit++) {
        if (type == PARAM_TIME ? strcmp(suffix, unit->suffix) == 0 : same_word(suffix, unit->suffix))
            return unit->factor;
        /* the bare letter of a frequency unit: K for KHz */
        if (type == PARAM_HZ && unit->factor > 1 && lower(suffix[0]) == lower(unit->suffix[0]) && !suffix[1])
            return unit->factor;
    }
    return 0;
}

enum parse_result { PARSE_OK, PARSE_MALFORMED, PARSE_TOO_LARGE };

/* Parse digits (decimal with an optional fraction, or 0x and hexadecimal) and a suffix; the product must be an
 * integer. */
static enum parse_result parse_number(enum param_type type, const char *text, uint64_t *number)
{
    const int base = text[0] == '0' && lower(text[1]) == 'x' ? 16 : 10;
    const char *at = base == 16 ? text + 2 : text;
    wide whole = 0, fraction = 0, fraction_unit = 1;
    bool too_large = false;
    if (digit_of(*at, base) < 0)
        return PARSE_MALFORMED;
    for (; digit_of(*at, base) >= 0; at++) {
        whole = whole * (unsigned)base + (unsigned)digit_of(*at, base);
        if (whole > UINT64_MAX) {
            too_large = true;
            whole = 0;
        }
    }
    if (*at == '.' && base == 10) {
        at++;
        if (digit_of(*at, base) < 0)
            return PARSE_MALFORMED;
        /* more than 18 fraction digits give an integer with no suffix, unless they are zeros */
        for (int digits = 0; digit_of(*at, base) >= 0; at++, digits++) {
            if (digits < 18) {
                fraction = fraction * 10 + (unsigned)digit_of(*at, base);
                fraction_unit *= 10;
            } else if (*at != '0')
                return PARSE_MALFORMED;
        }
    }
    uint64_t factor = base == 16 && *at ? 0 : suffix_factor(type, at); /* in hexadecimal a suffix is ambiguous: 0x1b */
    if (factor == 0)
        return PARSE_MALFORMED;
    if (fraction * factor % fraction_unit != 0)
        return PARSE_MALFORMED;
    wide product = whole * factor + fraction * factor / fraction_unit;
    if (too_large || product > UINT64_MAX)
        return PARSE_TOO_LARGE;
    *number = (uint64_t)product;
    return PARSE_OK;
}

bool params_parse_number(enum param_type type, const char *text, uint64_t *number)
{
    return parse_number(type, text, number) == PARSE_OK;
}

static bool parse_bool(const char *text, uint64_t *number)
{
    for (unsigned value = 0; value < 2; value++)
        for (const char *const *word = bool_words[value]; *word; word++)
            if (same_word(text, *word)) {
                *number = value;
                return true;
            }
    return false;
}

static bool is_choice(const char *choices, const char *text)
{
    size_t length = strlen(text);
    for (const char *word = choices; length > 0 && word; word = strchr(word, '|')) {
        if (*word == '|')
            word++;
        if (strcspn(word, "|") == length && memcmp(word, text, length) == 0)
            return true;
    }
    return false;
}

/* TEXT, or for a choice between "on", "off" and others the one of these that it means: such a parameter may have been a
 * BOOL before. */
static const char *word_of_choice(const struct param_def *def, const char *text)
{
    uint64_t on;
    if (def->type != PARAM_CHOICE || !is_choice(def->choices, "on") || !is_choice(def->choices, "off") ||
        !parse_bool(text, &on))
        return text;
    return on ? "on" : "off";
}

static bool in_range(const struct param_def *def, uint64_t number)
{
    if (number < def->min || number > def->max)
        return false;
    /* 0, if in the range, means "none" */
    return !def->power_of_two || (number & (number - 1)) == 0;
}

/* A string value is only checked; the caller copies it. */
bool param_parse(const struct param_def *def, const char *text, uint64_t *number, struct err *err)
{
    char range[PARAMS_TEXT_SIZE];
    *number = 0;
    switch (def->type) {
    case PARAM_CHOICE:
        if (!is_choice(def->choices, text))
            return err_set(err, "%s: \"%.64s\" is not one of %s", def->name, text, def->choices);
        return true;
    case PARAM_BOOL:
        if (!parse_bool(text, number))
            return err_set(err, "%s: \"%.64s\" is neither on (1, true, yes) nor off (0, false, no)", def->name, text);
        return true;
    default: break;
    }
    if (holds_string(def->type))
        return strlen(text) <= PARAMS_STRING_MAX || err_set(err, "%s: text of %zu bytes is too long (at most %d)",
                                                            def->name, strlen(text), PARAMS_STRING_MAX);
    range_text(def, range, sizeof range);
    enum parse_result result = parse_number(def->type, text, number);
    if (result == PARSE_MALFORMED)
        return err_set(err, "%s: \"%.64s\" is not %s; valid: %s", def->name, text, kind_of(def->type), range);
    if (result == PARSE_TOO_LARGE || !in_range(def, *number))
        return err_set(err, "%s: %.64s is out of range; valid: %s", def->name, text, range);
    return true;
}

/* The table */

struct params *params_create(void)
{
    return checked_memory(calloc(1, sizeof(struct params)));
}

struct params *params_copy(const struct params *params)
{
    struct params *copy = params_create();
    for (unsigned i = 0; i < params->origin_count; i++)
        params_set_origin(copy, params->origins[i]);
    copy->origin = params->origin;
    copy->count = copy->capacity = params->count;
    if (params->count == 0)
        return copy;
    copy->values = checked_memory(calloc(params->count, sizeof *copy->values));
    copy->by_name = checked_memory(calloc(params->count, sizeof *copy->by_name));
    memcpy(copy->by_name, params->by_name, params->count * sizeof *copy->by_name);
    for (size_t i = 0; i < params->count; i++) {
        copy->values[i] = params->values[i];
        if (copy->values[i].string)
            copy->values[i].string = checked_memory(strdup(copy->values[i].string));
    }
    return copy;
}

void params_free(struct params *params)
{
    if (!params)
        return;
    for (size_t i = 0; i < params->count; i++)
        free(params->values[i].string);
    for (unsigned i = 0; i < params->origin_count; i++)
        free(params->origins[i]);
    free(params->origins);
    free(params->by_name);
    free(params->values);
    free(params);
}

/* Number of names less than NAME. */
static size_t rank(const struct params *params, const char *name)
{
    size_t low = 0, high = params->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(params->values[params->by_name[middle]].def->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct value *find(const struct params *params, const char *name)
{
    const size_t position = rank(params, name);
    if (position == params->count)
        return NULL;
    struct value *value = &params->values[params->by_name[position]];
    return strcmp(value->def->name, name) == 0 ? value : NULL;
}

static bool assign(struct value *value, const char *text, struct err *err)
{
    uint64_t number;
    if (!param_parse(value->def, text, &number, err))
        return false;
    value->number = number;
    if (holds_string(value->def->type)) {
        char *string = checked_memory(strdup(text)); /* before the free: TEXT may be the value itself */
        free(value->string);
        value->string = string;
    }
    return true;
}

void params_define(struct params *params, const struct param_def *defs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct err err = {0};
        const unsigned restored = defs[i].traits & (TRAIT_FIXED | TRAIT_TIMED | TRAIT_UNTIMED);
        if (find(params, defs[i].name))
            log_bug("parameter %s is defined twice", defs[i].name);
        if (restored != TRAIT_FIXED && restored != TRAIT_TIMED && restored != TRAIT_UNTIMED)
            log_bug("parameter %s: its traits have not one of FIXED, TIMED and UNTIMED", defs[i].name);
        if (params->count == params->capacity) {
            params->capacity = params->capacity ? 2 * params->capacity : 64;
            params->values = checked_memory(realloc(params->values, params->capacity * sizeof *params->values));
            params->by_name = checked_memory(realloc(params->by_name, params->capacity * sizeof *params->by_name));
        }
        size_t *position = params->by_name + rank(params, defs[i].name);
        memmove(position + 1, position, (size_t)(params->by_name + params->count - position) * sizeof *position);
        *position = params->count;
        struct value *value = &params->values[params->count++];
        *value = (struct value){.def = &defs[i]};
        if (!assign(value, defs[i].initial, &err))
            log_bug("initial value of a parameter: %s", err.text);
    }
}

bool params_set(struct params *params, const char *name, const char *text, struct err *err)
{
    struct value *value = find(params, name);
    if (value && !assign(value, word_of_choice(value->def, text), err))
        return false;
    if (value) {
        value->origin = params->origin;
        return value->is_set = true;
    }
    struct suggest suggest;
    suggest_begin(&suggest, name);
    for (size_t i = 0; i < params->count; i++)
        suggest_offer(&suggest, params->values[i].def->name);
    if (suggest.nearest)
        return err_set(err, "unknown parameter \"%.128s\"; did you mean \"%s\"?", name, suggest.nearest);
    return err_set(err, "unknown parameter \"%.128s\"; \"simos params\" lists them all", name);
}

bool params_set_named(struct params *params, const char *name, const char *text, struct err *err)
{
    return params_set(params, name, text, err) && (find(params, name)->is_named = true);
}

void params_warn_deprecated(const struct params *params, bool quiet)
{
    for (const struct deprecated *row = deprecated_names; row->name; row++) {
        const struct value *value = row->kind == DEPRECATED_PARAMETER ? find(params, row->name) : NULL;
        if (value && value->is_named)
            deprecated_warn(row, quiet);
    }
}

bool params_is_set(const struct params *params, const char *name)
{
    const struct value *value = find(params, name);
    return value && value->is_set;
}

void params_mark_unset(struct params *params)
{
    for (size_t i = 0; i < params->count; i++)
        params->values[i].is_set = false;
}

static const struct value *demand(const struct params *params, const char *name)
{
    const struct value *value = find(params, name);
    if (!value)
        log_bug("parameter %s is not defined", name);
    return value;
}

/* Authority */

void params_set_origin(struct params *params, const char *origin)
{
    params->origin = 0;
    if (!origin)
        return;
    for (unsigned i = 0; i < params->origin_count && !params->origin; i++)
        if (strcmp(params->origins[i], origin) == 0)
            params->origin = i + 1;
    if (params->origin)
        return;
    params->origins = checked_memory(realloc(params->origins, (params->origin_count + 1) * sizeof *params->origins));
    params->origins[params->origin_count++] = checked_memory(strdup(origin));
    params->origin = params->origin_count;
}

const char *params_origin(const struct params *params)
{
    return params->origin ? params->origins[params->origin - 1] : NULL;
}

/* The host access of VALUE; NULL: none. */
static const char *does(const struct value *value)
{
    const char *text = value->string;
    if (value->def->type < PARAM_INPUT || !*text || strcmp(text, "none") == 0 || strcmp(text, value->def->initial) == 0)
        return NULL;
    switch (value->def->type) {
    case PARAM_INPUT: return "reads";
    case PARAM_WORDS: return *text == '@' ? "reads" : NULL;
    case PARAM_OUTPUT: return "writes";
    case PARAM_DISK: return strstr(text, ",write") || strstr(text, ",overlay=") ? "writes" : NULL;
    case PARAM_NETWORK: return "joins a network";
    default: return "opens";
    }
}

bool params_next_authority(const struct params *params, size_t *index, struct param_authority *authority)
{
    for (; *index < params->count; ++*index) {
        const struct value *value = &params->values[*index];
        const char *what = does(value);
        if (!what)
            continue;
        *authority = (struct param_authority){value->def, value->string, what,
                                              value->origin ? params->origins[value->origin - 1] : NULL};
        ++*index;
        return true;
    }
    return false;
}

bool params_check_authority(const struct params *params, unsigned exempt, struct err *err)
{
    struct param_authority found;
    for (size_t index = 0; params_next_authority(params, &index, &found);)
        if (found.origin && !(found.def->traits & exempt))
            return err_set(err, "%.200s: its %s=%.200s %s on this host: repeat it on the command line, or use --trust",
                           found.origin, found.def->name, found.value, found.does);
    return true;
}

const char *params_value_origin(const struct params *params, const char *name)
{
    const struct value *value = demand(params, name);
    return value->origin ? params->origins[value->origin - 1] : NULL;
}

void params_clear_origin(struct params *params, const char *name)
{
    struct value *value = find(params, name);
    if (!value)
        log_bug("parameter %s is not defined", name);
    value->origin = 0;
}

void params_clear_origins(struct params *params)
{
    for (size_t i = 0; i < params->count; i++)
        params->values[i].origin = 0;
}

void params_copy_value(struct params *params, const struct params *from, const char *name)
{
    const struct value *there = find(from, name);
    struct value *here = find(params, name);
    const unsigned origin = params->origin;
    if (!there || !here)
        log_bug("parameter %s is not defined", name);
    params_set_origin(params, there->origin ? from->origins[there->origin - 1] : NULL);
    here->origin = params->origin;
    params->origin = origin;
    here->number = there->number;
    here->is_set = true;
    if (!holds_string(here->def->type))
        return;
    free(here->string);
    here->string = checked_memory(strdup(there->string));
}

bool params_set_assignment(struct params *params, const char *assignment, struct err *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment)
        return err_set(err, "\"%.128s\" is not NAME=VALUE", assignment);
    char *name = checked_memory(strndup(assignment, (size_t)(equals - assignment)));
    bool done = params_set_named(params, name, equals + 1, err);
    free(name);
    return done;
}

uint64_t params_u64(const struct params *params, const char *name)
{
    const struct value *value = demand(params, name);
    if (holds_string(value->def->type))
        log_bug("parameter %s is not a number", name);
    return value->number;
}

bool params_is(const struct params *params, const char *name, const char *word)
{
    const struct param_def *def = params_find(params, name);
    if (!def || def->type != PARAM_CHOICE || !is_choice(def->choices, word))
        log_bug("parameter %s has no choice \"%s\"", name, word);
    return strcmp(params_string(params, name), word) == 0;
}

const char *params_string(const struct params *params, const char *name)
{
    const struct value *value = demand(params, name);
    if (!holds_string(value->def->type))
        log_bug("parameter %s is not text", name);
    return value->string;
}

bool params_bool(const struct params *params, const char *name)
{
    const struct value *value = demand(params, name);
    if (value->def->type != PARAM_BOOL)
        log_bug("parameter %s is not a yes or no", name);
    return value->number != 0;
}

bool params_text(const struct params *params, const char *name, char *buffer, size_t size)
{
    const struct value *value = find(params, name);
    if (!value)
        return false;
    if (!buffer || size == 0)
        return true;
    if (holds_string(value->def->type))
        snprintf(buffer, size, "%s", value->string);
    else
        number_text(value->def->type, value->number, buffer, size);
    return true;
}

const struct param_def *params_at(const struct params *params, size_t index)
{
    return index < params->count ? params->values[index].def : NULL;
}

const struct param_def *params_find(const struct params *params, const char *name)
{
    const struct value *value = find(params, name);
    return value ? value->def : NULL;
}

/* Printing */

enum { COLUMNS = 6 }; /* name, value, default, range, unit, traits; then help */

/* longer texts are printed below their row, so that a kernel command line does not widen every row */
enum { CELL_MAX = 24 };

/* The cells of a row; text values, which may be long, are owned by the table or by the definitions. */
struct row {
    char number[PARAMS_TEXT_SIZE], initial[PARAMS_TEXT_SIZE], range[PARAMS_TEXT_SIZE], traits[PARAMS_TEXT_SIZE];
    const char *cell[COLUMNS];
    const char *long_value, *long_default; /* NULL: the text is in its cell */
};

static const char *long_text(const char **cell)
{
    const char *text = *cell;
    if (strlen(text) <= CELL_MAX)
        return NULL;
    *cell = "below";
    return text;
}

/* "fixed,hardware" */
static void traits_text(unsigned traits, char *buffer, size_t size)
{
    static const char *const words[] = {"fixed", "timed",    "untimed",  "hardware",
                                        "swept", "location", "observes", "power-on"};
    size_t length = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (traits & 1u << i)
            length += (size_t)snprintf(buffer + length, size - length, "%s%s", length ? "," : "", words[i]);
}

static void row_fill(struct row *row, const struct value *value)
{
    const struct param_def *def = value->def;
    uint64_t initial;
    range_text(def, row->range, sizeof row->range);
    row->cell[0] = def->name;
    row->cell[1] = value->string;
    row->cell[2] = def->initial;
    row->cell[3] = def->type == PARAM_CHOICE ? def->choices : row->range;
    row->cell[4] = def->unit ? def->unit : "";
    traits_text(def->traits, row->traits, sizeof row->traits);
    row->cell[5] = row->traits;
    row->long_value = row->long_default = NULL;
    if (holds_string(def->type)) {
        row->long_value = long_text(&row->cell[1]);
        row->long_default = long_text(&row->cell[2]);
        return;
    }
    if (!param_parse(def, def->initial, &initial, NULL))
        log_bug("parameter %s has lost its initial value", def->name);
    number_text(def->type, value->number, row->number, sizeof row->number);
    number_text(def->type, initial, row->initial, sizeof row->initial);
    row->cell[1] = row->number;
    row->cell[2] = row->initial;
}

static void row_print(const struct row *row, const int width[COLUMNS], const char *help, FILE *out)
{
    for (int column = 0; column < COLUMNS; column++)
        fprintf(out, "%-*s  ", width[column], *row->cell[column] ? row->cell[column] : "-");
    fprintf(out, "%s\n", help ? help : "");
    if (row->long_value)
        fprintf(out, "    value:   %s\n", row->long_value);
    if (row->long_default)
        fprintf(out, "    default: %s\n", row->long_default);
}

int params_print(const struct params *params, const char *prefix, FILE *out)
{
    static const struct row heads = {.cell = {"NAME", "VALUE", "DEFAULT", "RANGE", "UNIT", "TRAITS"}};
    const size_t prefix_length = prefix ? strlen(prefix) : 0;
    int width[COLUMNS], count = 0;
    struct row row;
    char help[512];
    for (int column = 0; column < COLUMNS; column++)
        width[column] = (int)strlen(heads.cell[column]);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && count > 0)
            row_print(&heads, width, "MEANING", out);
        count = 0;
        for (size_t i = 0; i < params->count; i++) {
            const struct value *value = &params->values[i];
            if (prefix_length && strncmp(value->def->name, prefix, prefix_length) != 0)
                continue;
            row_fill(&row, value);
            count++;
            for (int column = 0; pass == 0 && column < COLUMNS; column++) {
                int length = (int)strlen(row.cell[column]);
                width[column] = length > width[column] ? length : width[column];
            }
            if (pass == 1)
                row_print(&row, width,
                          deprecated_help(DEPRECATED_PARAMETER, value->def->name, value->def->help, help, sizeof help),
                          out);
        }
    }
    return count;
}
