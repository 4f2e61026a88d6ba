#include "src/base/wrap.h"

#include <string.h>

void wrap_put(struct wrap *wrap, int blanks, const char *text, int length)
{
    if (wrap->at > wrap->indent && wrap->at + blanks + length > WRAP_COLUMNS) {
        fprintf(wrap->out, "\n%*s", wrap->indent, "");
        wrap->at = wrap->indent;
        blanks = 0;
    }
    fprintf(wrap->out, "%*s%.*s", blanks, "", length, text);
    wrap->at += blanks + length;
}

void wrap_put_words(struct wrap *wrap, const char *text)
{
    while (*text) {
        const int blanks = (int)strspn(text, " ");
        const int length = (int)strcspn(text + blanks, " ");
        wrap_put(wrap, blanks, text + blanks, length);
        text += blanks + length;
    }
}

void wrap_end(struct wrap *wrap)
{
    fputc('\n', wrap->out);
    wrap->at = 0;
}

void wrap_lines(FILE *out, int indent, const char *text)
{
    char line[512];
    while (*text) {
        struct wrap wrap = {.out = out, .indent = indent};
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        wrap_put_words(&wrap, line);
        wrap_end(&wrap);
        text += length + (text[length] == '\n');
    }
}
