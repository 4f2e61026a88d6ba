#include "src/chart/chart_file.h"

#include "src/base/json_file.h"
#include "src/chart/chart.h"
#include "src/command/command_line.h"
#include "src/measure/measures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 64, BARS_MAX = 4096, POINTS_MAX = 4096 };
/* So that sums and scales of numbers are numbers. */
#define LARGEST 1e100

/* A file that is read; the first member that is refused is in ERR. */
struct reader {
    const char *path;
    struct err *err;
};

static bool refuse(const struct reader *reader, const char *member, const char *what)
{
    return err_set(reader->err, "chart %.256s: %s: %s", reader->path, member, what);
}

/* Member NAME, a text; NULL with an error if it is none. An optional one that is not there is "". */
static const char *text_of(const struct reader *reader, const json_t *of, const char *name, bool optional)
{
    const json_t *value = json_object_get(of, name);
    if (!value && optional)
        return "";
    if (!json_is_string(value))
        refuse(reader, name, "is no text");
    return json_string_value(value);
}

/* Member NAME, an array of 1 to MOST elements; NULL with an error. */
static json_t *list_of(const struct reader *reader, const json_t *of, const char *name, size_t most)
{
    json_t *value = json_object_get(of, name);
    if (json_is_array(value) && json_array_size(value) > 0 && json_array_size(value) <= most)
        return value;
    char what[64];
    snprintf(what, sizeof what, "is no list of 1 to %zu elements", most);
    refuse(reader, name, what);
    return NULL;
}

/* The colour of PART: "#rrggbb", a word of the catalogue (src/measure/measures.def), or the one of its NUMBER. NULL
 * with an error. */
static const char *colour_of(const struct reader *reader, const json_t *part, const char *by_number)
{
    const char *const colour = text_of(reader, part, "colour", true);
    if (!colour || !*colour)
        return colour ? by_number : NULL;
    if (*colour != '#')
        return measure_colour(colour);
    if (strlen(colour) == 7 && strspn(colour + 1, "0123456789abcdefABCDEF") == 6)
        return colour;
    refuse(reader, "colour", "is neither #rrggbb nor a word");
    return NULL;
}

/* Member "values" of OF, COUNT numbers; null is none. False with an error. */
static bool read_values(const struct reader *reader, const json_t *of, double *values, size_t count)
{
    const json_t *const list = json_object_get(of, "values");
    if (!json_is_array(list) || json_array_size(list) != count)
        return refuse(reader, "values", "is no list with a number for each part or point");
    for (size_t i = 0; i < count; i++) {
        const json_t *const value = json_array_get(list, i);
        if (!json_is_number(value) && !json_is_null(value))
            return refuse(reader, "values", "has what is neither a number nor null");
        values[i] = json_is_number(value) ? json_number_value(value) : (double)NAN;
        if (fabs(values[i]) > LARGEST)
            return refuse(reader, "values", "has a number above 1e100");
    }
    return true;
}

/* Bars */

static bool add_bars(const struct reader *reader, struct chart_bars *bars, const json_t *list, size_t parts)
{
    double values[PARTS_MAX];
    const char *group = "";
    const json_t *bar;
    size_t i;
    json_array_foreach(list, i, bar)
    {
        const char *const label = text_of(reader, bar, "label", false), *const own =
                                                                            text_of(reader, bar, "group", true);
        if (!label || !own || !read_values(reader, bar, values, parts))
            return false;
        if (strcmp(own, group) != 0)
            chart_bars_begin_group(bars, own);
        group = own;
        chart_bars_add(bars, label);
        for (unsigned part = 0; part < parts; part++)
            chart_bars_set(bars, part, values[part], NULL);
    }
    return true;
}

static bool draw_bars(const struct reader *reader, const json_t *root, const char *title, FILE *out)
{
    const char *const axis = text_of(reader, root, "axis", false);
    const json_t *const parts = axis ? list_of(reader, root, "parts", PARTS_MAX) : NULL, *part;
    const json_t *const list = parts ? list_of(reader, root, "bars", BARS_MAX) : NULL;
    struct chart_bars *bars = list ? chart_bars_create(title, axis, CHART_UPRIGHT) : NULL;
    bool done = bars != NULL;
    size_t i;
    json_array_foreach(parts, i, part)
    {
        const char *const label = done ? text_of(reader, part, "label", false) : NULL;
        const char *const colour = label ? colour_of(reader, part, measure_fill_colour((unsigned)i)) : NULL;
        done = done && colour;
        if (done)
            chart_bars_add_part(bars, label, colour);
    }
    done = done && add_bars(reader, bars, list, json_array_size(parts));
    if (done)
        chart_bars_draw(bars, CHART_FILE, out);
    if (bars)
        chart_bars_free(bars);
    return done;
}

/* Curves */

/* Reads the points: their names, and the numbers that they are if all are ascending ones. False with an error. */
static bool read_points(const struct reader *reader, const json_t *list, const char **x, double *at, bool *are_numbers)
{
    const json_t *point;
    size_t i;
    *are_numbers = true;
    json_array_foreach(list, i, point)
    {
        char *end;
        x[i] = json_string_value(point);
        if (!x[i])
            return refuse(reader, "points", "has what is no text");
        at[i] = strtod(x[i], &end);
        *are_numbers &= *x[i] && !*end && fabs(at[i]) <= LARGEST && (i == 0 || at[i] > at[i - 1]);
    }
    return true;
}

static bool draw_curves(const struct reader *reader, const json_t *root, const char *title, FILE *out)
{
    const json_t *const points = list_of(reader, root, "points", POINTS_MAX);
    const json_t *const lines = points ? list_of(reader, root, "lines", PARTS_MAX) : NULL, *line;
    const char *label[PARTS_MAX], *colour[PARTS_MAX];
    const size_t count = json_array_size(points);
    const char **x = checked_memory(calloc(count + 1, sizeof *x));
    double *at = checked_memory(calloc(count + 1, sizeof *at));
    double *y = checked_memory(calloc(json_array_size(lines) * count + 1, sizeof *y));
    bool are_numbers = false;
    struct chart_curves curves = {
        .title = title, .count = (unsigned)count, .x = x, .label = label, .colour = colour, .y = y};
    bool done = lines && read_points(reader, points, x, at, &are_numbers) &&
                (curves.x_axis = text_of(reader, root, "x_axis", false)) &&
                (curves.y_axis = text_of(reader, root, "y_axis", false));
    size_t i;
    json_array_foreach(lines, i, line)
    {
        done = done && (label[i] = text_of(reader, line, "label", false)) &&
               (colour[i] = colour_of(reader, line, measure_line_colour((unsigned)i))) &&
               read_values(reader, line, y + i * count, count);
        curves.lines++;
    }
    curves.at = are_numbers ? at : NULL;
    curves.x_scale = json_is_true(json_object_get(root, "x_logarithmic")) ? CHART_LOGARITHMIC : CHART_LINEAR;
    curves.y_scale = json_is_true(json_object_get(root, "y_logarithmic")) ? CHART_LOGARITHMIC : CHART_LINEAR;
    if (done)
        chart_curves_draw(&curves, CHART_FILE, out);
    free(x);
    free(at);
    free(y);
    return done;
}

bool chart_file_draw(const char *path, FILE *out, struct err *err)
{
    static const char format[] = "simos chart 1";
    const struct reader reader = {path, err};
    json_t *root = json_file_read(INPUT_CHART, path, NULL, err);
    const char *const said = json_string_value(json_object_get(root, "format"));
    bool done = root && ((said && strcmp(said, format) == 0) || refuse(&reader, "format", "is not \"simos chart 1\""));
    const char *const title = done ? text_of(&reader, root, "title", false) : NULL;
    if (title)
        done = (json_object_get(root, "bars") ? draw_bars : draw_curves)(&reader, root, title, out);
    json_decref(root);
    return done && title;
}

/* The command */

struct chart_options {
    const char *file;
};

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct chart_options *options = line->options;
    options->file = count == 1 ? words[0] : NULL;
    return options->file || err_set(err, "`chart` needs one FILE.json that describes it");
}

static int execute(struct command_line *line, struct err *err)
{
    const struct chart_options *options = line->options;
    return chart_file_draw(options->file, stdout, err) ? 0 : EXIT_SIMOS_FAILED;
}

const struct command chart_command = {
    .name = "chart",
    .usages = {{"chart FILE.json", "draw numbers of your own as bars or curves, as SVG"}},
    .page = "how-to/report.md",
    .size = sizeof(struct chart_options),
    .operands = take_operands,
    .main = execute,
};
