/* JSON strings. */
#ifndef SIMOS_ANNOTATIONS_JSON_TEXT_H
#define SIMOS_ANNOTATIONS_JSON_TEXT_H

#include <stdio.h>

/* Write TEXT as a JSON string. Characters that are not printable ASCII become '?'. */
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
