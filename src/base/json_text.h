/* Text as JSON has it. */
#ifndef SIMOS_ANNOTATIONS_JSON_TEXT_H
#define SIMOS_ANNOTATIONS_JSON_TEXT_H

#include <stdio.h>

/* TEXT in quotes. What is not printable ASCII becomes '?'. */
static inline void json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text < ' ' || *text > '~' ? '?' : *text, out);
    }
    fputc('"', out);
}

#endif
