/* Text as JSON has it. */
#ifndef SIMOS_ANNOTATIONS_JSON_TEXT_H
#define SIMOS_ANNOTATIONS_JSON_TEXT_H

#include <stdio.h>

/* TEXT in quotes. It has no control characters, or they become '?'. */
static inline void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    }
    fputc('"', out);
}

#endif
