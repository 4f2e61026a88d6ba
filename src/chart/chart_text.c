#include "src/chart/chart_text.h"

#include "src/base/printable.h"
#include <math.h>
#include <string.h>

/* In hundredths of the size: ' ' to '~' in DejaVu Sans, rounded up. */
static const unsigned char widths[] = {32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37,  32, 34, 64, 64, 64,
                                       64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64,
                                       58, 78, 76, 30, 30, 66, 56, 87, 75, 79, 61, 79, 70, 64,  62, 74, 69, 99, 69,
                                       62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36,  64, 64, 28, 28, 58,
                                       28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60,  53, 64, 34, 64, 84};

/* Bytes of the character at TEXT; one for a byte that is none, and is shown as U+FFFD. */
static int length_at(const char *text)
{
    const int length = printable_utf8_length(text);
    return length ? length : 1;
}

static double width_at(const char *text, double size)
{
    const unsigned char first = (unsigned char)*text;
    if (first >= ' ' && first <= '~')
        return widths[first - ' '] * size / 100;
    /* Few letters are wider than high; pictures, in four bytes, are. */
    return (first >= 0xf0 ? 1.4 : 1.03) * size;
}

double chart_text_width(const char *text, double size)
{
    double width = 0;
    for (; *text; text += length_at(text))
        width += width_at(text, size);
    return width;
}

/* May a line be broken after C? */
static bool is_end_of_piece(char c)
{
    return strchr(" -_/,", c) != NULL;
}

/* The bytes of the first piece of TEXT, which is at most WIDEST wide but has one character; *WIDTH: its width. */
static int piece_at(const char *text, double size, double widest, double *width)
{
    int bytes = 0;
    for (*width = 0; text[bytes]; bytes += length_at(text + bytes)) {
        const double own = width_at(text + bytes, size);
        if (bytes > 0 && *width + own > widest)
            break;
        *width += own;
        if (is_end_of_piece(text[bytes]))
            return bytes + 1;
    }
    return bytes;
}

double chart_longest_piece(const char *text, double size)
{
    double longest = 0, width;
    for (; *text; longest = fmax(longest, width))
        text += piece_at(text, size, INFINITY, &width);
    return longest;
}

/* Append the BYTES of TEXT to LINE. False if it has no room. */
static bool append(char *line, const char *text, int bytes)
{
    const size_t used = strlen(line);
    if (used + (size_t)bytes + strlen("…") >= CHART_LINE)
        return false;
    memcpy(line + used, text, (size_t)bytes);
    line[used + (size_t)bytes] = 0;
    return true;
}

/* Put the begin of what does not fit behind the last line, and an ellipsis. */
static void cut(struct chart_lines *lines, const char *rest, double width, double size)
{
    char *const line = lines->line[lines->count - 1];
    const double room = width - width_at("…", size);
    lines->cut = true;
    while (*rest && chart_text_width(line, size) + width_at(rest, size) <= room && append(line, rest, length_at(rest)))
        rest += length_at(rest);
    for (size_t end = strlen(line); end > 0 && chart_text_width(line, size) > room; line[end] = 0)
        do
            end--;
        while (end > 0 && ((unsigned char)line[end] & 0xc0) == 0x80);
    strcat(line, "…");
}

void chart_break(struct chart_lines *lines, const char *text, double width, double size, unsigned most)
{
    double used = 0, own;
    *lines = (struct chart_lines){.count = 1};
    for (int bytes; *text; text += bytes, used += own) {
        bytes = piece_at(text, size, width, &own);
        /* A blank at the end of a line takes no room. */
        const double needed = text[bytes - 1] == ' ' ? own - width_at(" ", size) : own;
        const bool is_full = used > 0 && used + needed > width;
        if (is_full && lines->count == most) {
            cut(lines, text, width, size);
            return;
        }
        if (is_full) {
            lines->count++;
            used = 0;
        }
        if (!append(lines->line[lines->count - 1], text, bytes)) {
            cut(lines, text, width, size);
            return;
        }
    }
}
