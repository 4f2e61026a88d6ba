/* Caches: their counts and miss classes, and their curves if the runs differ in the caches only. */
#include "src/page/page_sections.h"

#include "src/measure/measures.h"
#include "src/page/page_svg.h"
#include "src/results/values.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 512, NAME_SIZE = 200, POINT = 128 /* bytes of an expression */ };

/* Paths below "cpuN/" ("l2/insn_misses"), escaped, each once. */
struct names {
    unsigned count;
    char name[NAMES_MAX][NAME_SIZE];
};

static void add_name(struct names *names, const char *name)
{
    for (unsigned i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return;
    if (names->count < NAMES_MAX)
        snprintf(names->name[names->count++], NAME_SIZE, "%s", name);
}

/* Is KEY the name of a cache: l, digits, and i or d or nothing? */
static bool is_cache(const char *key)
{
    if (*key++ != 'l' || !isdigit((unsigned char)*key))
        return false;
    while (isdigit((unsigned char)*key))
        key++;
    return !*key || ((*key == 'i' || *key == 'd') && !key[1]);
}

/* "l1i" as "L1-I". */
static void put_cache_label(char *label, size_t size, const char *cache)
{
    snprintf(label, size, "%.8s", cache);
    const size_t length = strlen(label);
    if (length == 3 && isalpha((unsigned char)label[2]))
        snprintf(label, size, "L%c-%c", cache[1], toupper((unsigned char)cache[2]));
    else
        label[0] = 'L';
}

/* Add the count NAME ("l1d.read_misses") of the first CPU, which has those of all, if it is one of a cache. */
static void add_count(void *opaque, const char *name, const json_t *value)
{
    const char *const of = name + strlen("cpu0."), *const count = strchr(of, '.');
    char path[2 * EXPRESSION_NAME_SIZE], cache[16];
    if (!count || strchr(count + 1, '.') || !json_is_integer(value))
        return;
    snprintf(cache, sizeof cache, "%.*s", (int)(count - of), of);
    snprintf(path, sizeof path, "%s/%s", cache, EXPRESSION_ESCAPED(count + 1));
    if (is_cache(cache) && strlen(path) < NAME_SIZE)
        add_name(opaque, path);
}

static void put_count(const struct page *page, const char *path)
{
    char cache[16], label[16];
    bool any = false;
    for (unsigned run = 0; run < page->runs->count; run++) {
        char text[EXPRESSION_SIZE];
        snprintf(text, sizeof text, "%u:/cpu*/%s", run, path);
        any |= expression_value_of(page->values, text).number != 0;
    }
    if (!any)
        return;
    snprintf(cache, sizeof cache, "%.*s", (int)strcspn(path, "/"), path);
    put_cache_label(label, sizeof label, cache);
    fprintf(page->out, "<tr><td class=\"t\">%s</td><td class=\"t\">", label);
    for (const char *at = strchr(path, '/') + 1; *at; at++)
        fputc(*at == '_' ? ' ' : *at, page->out);
    fputs("</td>", page->out);
    for (unsigned run = 0; run < page->runs->count; run++) {
        page_cell(page, PAGE_COUNT, "%u:/cpu*/%s", run, path);
        page_cell(page, PAGE_RATE, "%u:/cpu*/%s *1000 |%u:/cpu*/insns |-%u:/cpu*/before/insns", run, path, run, run);
    }
    fputs("</tr>\n", page->out);
}

/* Classes */

/* Draw a bar for each mode of the misses at PATH below a CPU, "l2/miss/insn". True if there is any. */
static bool add_class_bars(const struct page *page, struct chart_bars *bars, const struct page_parts *classes,
                           const char names[][RESULTS_KEY_SIZE], const char *path, const char *label)
{
    bool any = false;
    for (unsigned run = 0; run < page->runs->count; run++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            char text[EXPRESSION_SIZE], title[PAGE_LABEL + RESULTS_TITLE_SIZE];
            snprintf(text, sizeof text, "%u:/cpu*/%s/%s/*", run, path, mode_name(mode));
            if (expression_value_of(page->values, text).number <= 0)
                continue;
            any = true;
            snprintf(title, sizeof title, "%s, %s%s%.50s", label, mode_name(mode), page->runs->count > 1 ? ", " : "",
                     page->runs->count > 1 ? page->runs->columns[run]->title : "");
            chart_bars_add(bars, title);
            for (unsigned part = 0; part < classes->count; part++)
                page_bars_set(bars, page, part, "%u:/cpu*/%s/%s/%s *1000 |%u:/cpu*/insns |-%u:/cpu*/before/insns", run,
                              path, mode_name(mode), EXPRESSION_ESCAPED(names[part]), run, run);
        }
    return any;
}

/* Returns whether any run has classes. */
static void draw_classes(const struct page *page, bool has[])
{
    static const char *const paths[][2] = {
        {"l1i/miss", "L1-I"}, {"l1d/miss", "L1-D"},        {"l2/miss/insn", "L2 insn"}, {"l2/miss/data", "L2 data"},
        {"l2i/miss", "L2-I"}, {"l3/miss/insn", "L3 insn"}, {"l3/miss/data", "L3 data"}, {"l3i/miss", "L3-I"}};
    char names[CLASS_COUNT][RESULTS_KEY_SIZE];
    struct page_parts classes = {0};
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        char label[RESULTS_KEY_SIZE];
        const char *name = measure_class(class)->name;
        if (!measure_class(class)->is_full)
            continue;
        snprintf(names[classes.count], RESULTS_KEY_SIZE, "%s", name);
        snprintf(label, sizeof label, "%s", name);
        for (char *at = label; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        page_parts_add(&classes, label, name);
    }
    struct chart_bars *bars =
        page_bars_create("Misses by cache, mode and class", "misses per 1,000 instructions", &classes);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        add_class_bars(page, bars, &classes, names, paths[i][0], paths[i][1]);
    page_bars_draw(bars, page);
    for (unsigned run = 0; run < page->runs->count; run++)
        has[run] = results_has(page->runs->columns[run], "cpu0.l1d.miss") ||
                   results_has(page->runs->columns[run], "cpu0.l1i.miss");
}

/* Curves */

/* The parameters in which the runs differ. */
struct varied {
    const struct page *page;
    struct names names;
};

/* Add NAME ("parameters.cache.l2.size") of the first run, if another one has not VALUE. */
static void add_varied(void *opaque, const char *name, const json_t *value)
{
    struct varied *varied = opaque;
    const char *const parameter = name + strlen("parameters."), *const text = json_string_value(value);
    for (unsigned run = 1; run < varied->page->runs->count; run++) {
        const char *other = results_parameter(varied->page->runs->columns[run], parameter);
        if (strlen(parameter) < NAME_SIZE && (!other || !text || strcmp(other, text) != 0))
            add_name(&varied->names, parameter);
    }
}

static const char *parameter_of(const struct page *page, unsigned run, const char *name)
{
    const char *text = results_parameter(page->runs->columns[run], name);
    return text ? text : "?";
}

/* A run and where it stands on the axis. */
struct point {
    unsigned run;
    double value;
    const char *text;
};

static int by_value(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value ? 1 : (int)x->run - (int)y->run;
}

static double number_of(const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    static const char units[] = "KMG";
    const char *unit = *end ? strchr(units, *end) : NULL;
    return unit ? ldexp(number, 10 * (int)(unit - units + 1)) : number;
}

static void draw_curves_over(const struct page *page, const char *parameter)
{
    static const struct {
        const char *label, *path;
    } lines[] = {{"L1-I", "l1i/misses"},        {"L1-D read", "l1d/read_misses"}, {"L1-D write", "l1d/write_misses"},
                 {"L2 insn", "l2/insn_misses"}, {"L2 read", "l2/read_misses"},    {"L2 write", "l2/write_misses"},
                 {"L3 insn", "l3/insn_misses"}, {"L3 read", "l3/read_misses"},    {"L3 write", "l3/write_misses"}};
    enum { LINES = sizeof lines / sizeof lines[0] };
    struct point point[RESULT_FILES_MAX];
    const char *x[RESULT_FILES_MAX], *label[LINES], *colour[LINES];
    double at[RESULT_FILES_MAX];
    bool ascends = true;
    const unsigned count = page->runs->count;
    double *y = checked_memory(calloc(LINES * (size_t)count, sizeof *y));
    char(*expression)[POINT] = checked_memory(calloc(LINES * (size_t)count, sizeof *expression));
    const char **source = checked_memory(calloc(LINES * (size_t)count, sizeof *source));
    unsigned drawn = 0;
    for (unsigned i = 0; i < count; i++) {
        const char *text = parameter_of(page, i, parameter);
        point[i] = (struct point){i, number_of(text), text};
    }
    qsort(point, count, sizeof *point, by_value);
    for (unsigned i = 0; i < count; i++) {
        x[i] = point[i].text;
        at[i] = point[i].value;
        ascends &= at[i] > (i ? at[i - 1] : 0);
    }
    for (unsigned line = 0; line < LINES; line++) {
        bool any = false;
        for (unsigned i = 0; i < count; i++) {
            char *const text = expression[drawn * count + i];
            source[drawn * count + i] = text;
            snprintf(text, POINT, "%u:/cpu*/%s *1000 |%u:/cpu*/insns |-%u:/cpu*/before/insns", point[i].run,
                     lines[line].path, point[i].run, point[i].run);
            const struct expression_value value = expression_value_of(page->values, text);
            y[drawn * count + i] = value.known ? value.number : (double)NAN;
            any |= value.known && value.number > 0;
        }
        label[drawn] = lines[line].label;
        colour[drawn] = measure_line_colour(line);
        drawn += any;
    }
    page_curves_draw(page,
                     &(struct chart_curves){.title = "Misses over the parameter in which the runs differ",
                                            .x_axis = parameter,
                                            .y_axis = "misses per 1,000 instructions",
                                            .lines = drawn,
                                            .count = count,
                                            .x = x,
                                            .at = ascends ? at : NULL,
                                            .x_scale = at[count - 1] >= 4 * at[0] ? CHART_LOGARITHMIC : CHART_LINEAR,
                                            .label = label,
                                            .colour = colour,
                                            .y = y,
                                            .source = source});
    free(source);
    free(expression);
    free(y);
}

/* Curves if there are three runs or more, and all that differs is caches. */
static void draw_curves(const struct page *page)
{
    struct varied *varied = checked_memory(calloc(1, sizeof *varied));
    const struct names *names = &varied->names;
    varied->page = page;
    if (page->runs->count >= 3)
        results_visit(page->runs->columns[0], "parameters", add_varied, varied);
    bool only_caches = names->count > 0;
    for (unsigned i = 0; i < names->count; i++)
        only_caches &= strncmp(names->name[i], "cache.", 6) == 0;
    if (only_caches)
        draw_curves_over(page, names->name[0]);
    else
        fputs("<p class=\"missing\">Curves over the size, the associativity or another parameter are drawn of three "
              "files "
              "or more that differ only in their caches: those of a <code>simos sweep FILE.tcl</code>.</p>\n",
              page->out);
    free(varied);
}

void page_put_caches(const struct page *page)
{
    struct names *names = checked_memory(calloc(1, sizeof *names));
    bool has[RESULT_FILES_MAX] = {false};
    page_begin_section(page, "caches", "Caches");
    draw_classes(page, has);
    page_say_missing(page, has, "miss classes", "--set cache.classify=full");
    draw_curves(page);
    for (unsigned run = 0; run < page->runs->count; run++)
        results_visit(page->runs->columns[run], "cpu0", add_count, names);
    fputs("<div class=\"table\"><div class=\"wide\"><table class=\"sortable\"><thead><tr><th class=\"t\">cache</th>"
          "<th class=\"t\">count</th>",
          page->out);
    for (unsigned run = 0; run < page->runs->count; run++) {
        fputs("<th>", page->out);
        page_put_run(page, run);
        fputs("</th><th>per 1,000 instructions</th>", page->out);
    }
    fputs("</tr></thead><tbody>\n", page->out);
    for (unsigned i = 0; i < names->count; i++)
        put_count(page, names->name[i]);
    page_end_table(page);
    free(names);
    page_end_section(page);
}
