/* The figure of a report. */
#include "src/report.h"

#include "src/gnuplot.h"
#include <limits.h>

/* Parts of a bar, from below: rows of the account over user and kernel mode; then what is in none of them; then idle
 * time. */
enum { PARTS_MAX = 16 };

struct figure {
    const struct report *report;
    const char *path;
    unsigned count;
    char keys[PARTS_MAX][REPORT_KEY_SIZE];
};

static double seconds(const struct report_column *column, uint64_t cycles)
{
    return column->clock_hz ? (double)cycles / (double)column->clock_hz : 0;
}

/* A part that is 0 in all bars is none; those beyond the last are in the rest. */
static void add_part(void *opaque, const char *key)
{
    struct figure *figure = opaque;
    uint64_t any = 0;
    for (unsigned i = 0; i < figure->report->count; i++)
        any |= report_column_sum(figure->report->columns[i], key, REPORT_BUSY);
    if (any && figure->count < PARTS_MAX)
        snprintf(figure->keys[figure->count++], REPORT_KEY_SIZE, "%s", key);
}

static void put_bar(const struct figure *figure, const struct report_column *column, FILE *out)
{
    uint64_t rest = report_column_sum(column, "cycles", REPORT_BUSY);
    gnuplot_put_text(out, column->title);
    for (unsigned i = 0; i < figure->count; i++) {
        uint64_t cycles = report_column_sum(column, figure->keys[i], REPORT_BUSY);
        fprintf(out, " %.9f", seconds(column, cycles));
        rest -= cycles < rest ? cycles : rest;
    }
    fprintf(out, " %.9f %.9f\n", seconds(column, rest),
            seconds(column, report_column_sum(column, "cycles", REPORT_IDLE)));
}

static void put_part(const struct figure *figure, unsigned part, FILE *out)
{
    static const char *const colours[PARTS_MAX] = {"#3b6ea5", "#f2c14e", "#e07a3f", "#c8423b", "#7b2d4f", "#8e6bbf",
                                                   "#5fa8a0", "#4f7942", "#a8c65f", "#b0855b", "#e49ab0", "#2f4858",
                                                   "#9ad0ec", "#6b705c", "#ffadad", "#56423d"};
    char label[REPORT_KEY_SIZE] = "idle";
    if (part < figure->count)
        report_label(figure->keys[part], label, sizeof label);
    else if (part == figure->count)
        snprintf(label, sizeof label, "other");
    fprintf(out, "%s$bars using %u:xtic(1) lc rgb '%s' title ", part ? ", " : "", part + 2,
            part < figure->count    ? colours[part]
            : part == figure->count ? "#999999"
                                    : "#e8e8e8");
    gnuplot_put_quoted(out, label);
}

static void put_script(const void *opaque, FILE *out)
{
    const struct figure *figure = opaque;
    fputs("set terminal svg size 720,420 noenhanced background '#ffffff'\nset output ", out);
    gnuplot_put_quoted(out, figure->path);
    fputs("\nset ylabel 'simulated seconds of all CPUs'\nset style data histograms\nset style histogram rowstacked\n"
          "set style fill solid 1 border -1\nset boxwidth 0.75\nset yrange [0:*]\nset key outside right invert\n"
          "set xtics rotate by -30\nset grid ytics\n$bars << EOD\n",
          out);
    for (unsigned i = 0; i < figure->report->count; i++)
        put_bar(figure, figure->report->columns[i], out);
    fputs("EOD\nplot ", out);
    for (unsigned part = 0; part < figure->count + 2; part++)
        put_part(figure, part, out);
    fputc('\n', out);
}

bool report_draw(const struct report *report, const char *folder, struct err *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/report.svg", folder) >= PATH_MAX)
        return err_set(err, "--svg: the name is too long");
    struct figure figure = {.report = report, .path = path};
    add_part(&figure, "execute");
    report_visit_rows(report, "stall.", add_part, &figure);
    return gnuplot_draw(path, put_script, &figure, err);
}
