#include "src/base/printable.h"

#include <stdio.h>
#include <string.h>

int printable_utf8_length(const char *bytes)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        int length;
    } forms[] = {{0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *text = (const unsigned char *)bytes;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first_low || text[0] > forms[i].first_high)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].second_low || text[1] > forms[i].second_high))
            return 0;
        for (int more = 2; more < forms[i].length; more++)
            if ((text[more] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

bool printable_is_control(const char *text, int length)
{
    const unsigned char *at = (const unsigned char *)text;
    if (length == 1)
        return *at < ' ' || *at == 0x7f;
    if (length == 2)
        return at[0] == 0xc2 && at[1] < 0xa0;
    if (at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe)
        return true;
    return at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

static void replace(char *text, char with, bool keep_lines)
{
    char *to = text;
    while (*text) {
        int length = printable_utf8_length(text);
        if (length == 0 || (printable_is_control(text, length) && !(keep_lines && *text == '\n'))) {
            *to++ = with;
            text += length ? length : 1;
        } else
            while (length-- > 0)
                *to++ = *text++;
    }
    *to = '\0';
}

void printable_replace(char *text, char with)
{
    replace(text, with, false);
}

void printable_lines(char *text)
{
    replace(text, '?', true);
}

const char *printable_copy(char buffer[PRINTABLE_SIZE], const char *text)
{
    snprintf(buffer, PRINTABLE_SIZE, "%s", text ? text : "");
    printable_replace(buffer, '?');
    return buffer;
}
