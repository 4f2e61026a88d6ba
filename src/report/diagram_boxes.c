#include "src/report/diagram_boxes.h"

#include "src/base/log.h"
#include <stdarg.h>
#include <string.h>

enum { GAP = 1, FRAME = 4 /* width of a box's border: "| " and " |" */ };

struct picture_stage *picture_add_stage(struct picture *picture, bool split)
{
    if (picture->count == PICTURE_STAGES)
        log_bug("a picture of more than %d stages", PICTURE_STAGES);
    struct picture_stage *stage = &picture->stage[picture->count++];
    *stage = (struct picture_stage){.split = split};
    return stage;
}

void picture_box_add(struct picture_box *box, const char *format, ...)
{
    va_list arguments;
    if (box->count == PICTURE_BOX_LINES)
        log_bug("a box of more than %d lines", PICTURE_BOX_LINES);
    va_start(arguments, format);
    vsnprintf(box->line[box->count++], PICTURE_LINE_SIZE, format, arguments);
    va_end(arguments);
}

static int text_width(const struct picture_box *box)
{
    int width = 0;
    for (int i = 0; i < box->count; i++)
        if ((int)strlen(box->line[i]) > width)
            width = (int)strlen(box->line[i]);
    return width;
}

/* Width of half a row, such that all boxes fit, and two halves and the gap make a row. */
static int half_width(const struct picture *picture)
{
    int half = 0;
    for (int i = 0; i < picture->count; i++) {
        const struct picture_stage *stage = &picture->stage[i];
        for (int side = 0; side <= stage->split; side++) {
            int width = text_width(&stage->box[side]) + FRAME;
            int needed = stage->split ? width : (width - GAP + 1) / 2;
            half = needed > half ? needed : half;
        }
    }
    return half;
}

static void repeat(char c, int count, FILE *out)
{
    for (int i = 0; i < count; i++)
        putc(c, out);
}

/* Draw line LINE of BOX with its border, WIDTH columns in all; LINE -1 and HEIGHT are the horizontal borders. */
static void draw_line(const struct picture_box *box, int line, int height, int width, FILE *out)
{
    if (box->count == 0) {
        repeat(' ', (width - 1) / 2, out);
        putc('|', out);
        repeat(' ', width - 1 - (width - 1) / 2, out);
    } else if (line < 0 || line == height) {
        putc('+', out);
        repeat('-', width - 2, out);
        putc('+', out);
    } else
        fprintf(out, "| %-*s |", width - FRAME, line < box->count ? box->line[line] : "");
}

static void draw_stage(const struct picture_stage *stage, int half, FILE *out)
{
    int height = stage->box[0].count;
    if (stage->split && stage->box[1].count > height)
        height = stage->box[1].count;
    for (int line = -1; line <= height; line++) {
        draw_line(&stage->box[0], line, height, stage->split ? half : 2 * half + GAP, out);
        if (stage->split) {
            repeat(' ', GAP, out);
            draw_line(&stage->box[1], line, height, half, out);
        }
        putc('\n', out);
    }
}

static void draw_connection(bool split, int half, FILE *out)
{
    if (split) {
        repeat(' ', (half - 1) / 2, out);
        putc('|', out);
        repeat(' ', half - 1 + GAP, out);
    } else
        repeat(' ', half + GAP - 1, out);
    fputs("|\n", out);
}

void picture_draw(const struct picture *picture, FILE *out)
{
    int half = half_width(picture);
    for (int i = 0; i < picture->count; i++) {
        const struct picture_stage *stage = &picture->stage[i];
        if (i > 0)
            draw_connection(stage->split || stage[-1].split, half, out);
        draw_stage(stage, half, out);
    }
}
