#include "src/report/report_bars.h"

#include "src/report/gnuplot.h"
#include <stdlib.h>
#include <string.h>

/* Space beside the bars: the axis, and the key without its names. */
enum { AXIS_PIXELS = 80, KEY_PIXELS = 60, BETWEEN_PIXELS = 8, LINE_PIXELS = 18 };

struct report_bars *report_bars_create(const char *path, const char *title, const char *y_label, unsigned bars,
                                       unsigned parts)
{
    struct report_bars *new = checked_memory(calloc(1, sizeof *new));
    *new = (struct report_bars){.path = path, .title = title, .y_label = y_label, .bars = bars, .parts = parts};
    new->bar = checked_memory(calloc(bars + 1, sizeof *new->bar));
    new->part = checked_memory(calloc(parts + 1, sizeof *new->part));
    new->colour = checked_memory(calloc(parts + 1, sizeof *new->colour));
    new->value = checked_memory(calloc((size_t)bars * parts + 1, sizeof *new->value));
    return new;
}

void report_bars_free(struct report_bars *bars)
{
    free(bars->bar);
    free(bars->part);
    free(bars->colour);
    free(bars->value);
    free(bars);
}

void report_bars_set(struct report_bars *bars, unsigned bar, unsigned part, double value)
{
    bars->value[bar * bars->parts + part] = value;
}

static bool is_empty(const struct report_bars *bars, unsigned part)
{
    for (unsigned bar = 0; bar < bars->bars; bar++)
        if (bars->value[bar * bars->parts + part] > 0)
            return false;
    return true;
}

/* Names are broken into lines under their bars. Returns the characters per line that fit a bar, and widens FRAME so
 * that the longest unbreakable piece fits. */
static unsigned fit(const struct report_bars *bars, struct gnuplot_frame *frame)
{
    unsigned longest = 1, key = 0;
    for (unsigned bar = 0; bar < bars->bars; bar++) {
        const unsigned piece = gnuplot_longest_word(bars->bar[bar]);
        longest = piece > longest ? piece : longest;
    }
    for (unsigned part = 0; part < bars->parts; part++)
        if (!is_empty(bars, part) && strlen(bars->part[part]) > key)
            key = (unsigned)strlen(bars->part[part]);
    const unsigned beside = AXIS_PIXELS + KEY_PIXELS + key * GNUPLOT_CHARACTER;
    const unsigned slots = bars->bars + 1; /* with half a bar of space at each end */
    const unsigned least = beside + slots * (longest * GNUPLOT_CHARACTER + BETWEEN_PIXELS);
    if (least > frame->width)
        frame->width = least;
    return ((frame->width - beside) / slots - BETWEEN_PIXELS) / GNUPLOT_CHARACTER;
}

/* The maximum number of lines of any name. */
static unsigned lines_of(const struct report_bars *bars, unsigned room)
{
    unsigned lines = 1;
    for (unsigned bar = 0; bar < bars->bars; bar++) {
        const unsigned own = gnuplot_put_lines(NULL, bars->bar[bar], room);
        lines = own > lines ? own : lines;
    }
    return lines;
}

/* The first line of each name is its tic label, the others are labels below it: gnuplot names the parts of an SVG file
 * after the last text that it broke into lines. */
static void put_names(const struct report_bars *bars, unsigned room, FILE *out)
{
    const unsigned lines = lines_of(bars, room);
    fputs("set xtics (", out);
    for (unsigned bar = 0; bar < bars->bars; bar++) {
        fputs(bar ? ", " : "", out);
        gnuplot_put_tic(out, bars->bar[bar], room);
        fprintf(out, " %u", bar);
    }
    fprintf(out, ")\nset bmargin %u\n", lines + 1);
    for (unsigned bar = 0; bar < bars->bars; bar++)
        for (unsigned line = 1; line < gnuplot_put_lines(NULL, bars->bar[bar], room); line++) {
            fputs("set label ", out);
            gnuplot_put_line(out, bars->bar[bar], room, line);
            fprintf(out, " at first %u, graph 0 center offset character 0,-%u\n", bar, line + 1);
        }
}

static void put_script(const void *opaque, FILE *out)
{
    const struct report_bars *bars = opaque;
    const char *separator = "";
    struct gnuplot_frame frame = {bars->title, bars->y_label, GNUPLOT_WIDTH, GNUPLOT_HEIGHT};
    const unsigned room = fit(bars, &frame);
    frame.height += (lines_of(bars, room) - 1) * LINE_PIXELS;
    gnuplot_put_frame(out, &frame);
    put_names(bars, room, out);
    fputs("set style data histograms\nset style histogram rowstacked\nset boxwidth 0.75\nset yrange [0:*]\n"
          "set key invert\n$bars << EOD\n",
          out);
    for (unsigned bar = 0; bar < bars->bars; bar++) {
        for (unsigned part = 0; part < bars->parts; part++)
            fprintf(out, " %.9g", bars->value[bar * bars->parts + part]);
        fputc('\n', out);
    }
    fputs("EOD\nplot ", out);
    for (unsigned part = 0; part < bars->parts; part++) {
        if (is_empty(bars, part))
            continue;
        fprintf(out, "%s$bars using %u lc rgb '%s' title ", separator, part + 1,
                bars->colour[part] ? bars->colour[part] : gnuplot_colour(bars->part[part], part));
        gnuplot_put_quoted(out, bars->part[part]);
        separator = ", ";
    }
    fputs(*separator ? "\n" : "0\n", out);
}

bool report_bars_draw(const struct report_bars *bars, struct err *err)
{
    return gnuplot_draw(bars->path, put_script, bars, err);
}
