/*
 * Text diagrams: boxes one below the other, joined by lines.
 *
 *     +-----------+ +-----------+
 *     | split     | | box       |
 *     +-----------+ +-----------+
 *           |             |
 *     +-------------------------+
 *     | whole box               |
 *     +-------------------------+
 */
#ifndef SIMOS_REPORT_DIAGRAM_BOXES_H
#define SIMOS_REPORT_DIAGRAM_BOXES_H

#include <stdbool.h>
#include <stdio.h>

enum { PICTURE_BOX_LINES = 12, PICTURE_LINE_SIZE = 96, PICTURE_STAGES = 16 };

struct picture_box {
    char line[PICTURE_BOX_LINES][PICTURE_LINE_SIZE];
    int count; /* lines in use; 0: the box is not drawn, and a vertical line takes its place */
};

/* A row of the diagram: one box, or two side by side. */
struct picture_stage {
    bool split;
    struct picture_box box[2];
};

struct picture {
    struct picture_stage stage[PICTURE_STAGES];
    int count;
};

/* Append a row with empty boxes. More than PICTURE_STAGES are a bug (aborts). */
struct picture_stage *picture_add_stage(struct picture *picture, bool split);

/* Append a line to BOX, truncated if too long. */
void picture_box_add(struct picture_box *box, const char *format, ...) __attribute__((format(printf, 2, 3)));

void picture_draw(const struct picture *picture, FILE *out);

#endif
