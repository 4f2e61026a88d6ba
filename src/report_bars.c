#include "src/report_bars.h"

#include "src/gnuplot.h"
#include <stdlib.h>

struct report_bars *report_bars_create(const char *path, const char *y_label, unsigned bars, unsigned parts)
{
    struct report_bars *new = checked_memory(calloc(1, sizeof *new));
    *new = (struct report_bars){.path = path, .y_label = y_label, .bars = bars, .parts = parts};
    new->bar = checked_memory(calloc(bars + 1, sizeof *new->bar));
    new->part = checked_memory(calloc(parts + 1, sizeof *new->part));
    new->value = checked_memory(calloc((size_t)bars * parts + 1, sizeof *new->value));
    return new;
}

void report_bars_free(struct report_bars *bars)
{
    free(bars->bar);
    free(bars->part);
    free(bars->value);
    free(bars);
}

void report_bars_set(struct report_bars *bars, unsigned bar, unsigned part, double value)
{
    bars->value[bar * bars->parts + part] = value;
}

/* The colour of part NUMBER. */
static const char *colour(unsigned number)
{
    static const char *const colours[] = {"#3b6ea5", "#f2c14e", "#c8423b", "#5fa8a0", "#e07a3f", "#8e6bbf",
                                          "#4f7942", "#e49ab0", "#7b2d4f", "#9ad0ec", "#a8c65f", "#b0855b",
                                          "#2f4858", "#6b705c", "#ffadad", "#56423d", "#b8b8b8"};
    return colours[number % (sizeof colours / sizeof colours[0])];
}

static bool is_empty(const struct report_bars *bars, unsigned part)
{
    for (unsigned bar = 0; bar < bars->bars; bar++)
        if (bars->value[bar * bars->parts + part] > 0)
            return false;
    return true;
}

static void put_script(const void *opaque, FILE *out)
{
    const struct report_bars *bars = opaque;
    const char *separator = "";
    fputs("set terminal svg size 720,420 noenhanced background '#ffffff'\nset output ", out);
    gnuplot_put_quoted(out, bars->path);
    fputs("\nset ylabel ", out);
    gnuplot_put_quoted(out, bars->y_label);
    fputs("\nset style data histograms\nset style histogram rowstacked\nset style fill solid 1 border -1\n"
          "set boxwidth 0.75\nset yrange [0:*]\nset key outside right invert\nset xtics rotate by -30\nset grid ytics\n"
          "$bars << EOD\n",
          out);
    for (unsigned bar = 0; bar < bars->bars; bar++) {
        gnuplot_put_text(out, bars->bar[bar]);
        for (unsigned part = 0; part < bars->parts; part++)
            fprintf(out, " %.9g", bars->value[bar * bars->parts + part]);
        fputc('\n', out);
    }
    fputs("EOD\nplot ", out);
    for (unsigned part = 0; part < bars->parts; part++) {
        if (is_empty(bars, part))
            continue;
        fprintf(out, "%s$bars using %u:xtic(1) lc rgb '%s' title ", separator, part + 2, colour(part));
        gnuplot_put_quoted(out, bars->part[part]);
        separator = ", ";
    }
    fputs(*separator ? "\n" : "0\n", out);
}

bool report_bars_draw(const struct report_bars *bars, struct err *err)
{
    return gnuplot_draw(bars->path, put_script, bars, err);
}
