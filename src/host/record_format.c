#include "src/host/record_format.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const char *const input_point_names[INPUT_POINTS] = {"poll", "idle", "barrier"};

void record_put_word(FILE *out, const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;
    fputc(' ', out);
    if (count == 0)
        fputs("\\-", out);
    for (size_t i = 0; i < count; i++)
        if (byte[i] > ' ' && byte[i] <= '~' && byte[i] != '\\')
            fputc(byte[i], out);
        else
            fprintf(out, "\\%02x", byte[i]);
}

uint32_t record_checksum(uint32_t checksum, const char *line, size_t length)
{
    return (uint32_t)crc32_z(checksum, (const Bytef *)line, length);
}

static int digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* Decode one byte from the LENGTH characters at TEXT; -1 if invalid. *TAKEN is the number of characters used. */
static int decode(const char *text, size_t length, size_t *taken)
{
    *taken = 1;
    if (*text != '\\')
        return (uint8_t)*text;
    *taken = 3;
    if (length < 3 || digit(text[1]) < 0 || digit(text[2]) < 0)
        return -1;
    return digit(text[1]) << 4 | digit(text[2]);
}

char *record_take_word(char **text, char *end, size_t *count)
{
    char *start = *text, *out = start, *stop = memchr(start, ' ', (size_t)(end - start));
    size_t taken;
    if (!stop)
        stop = end;
    if (stop == start)
        return NULL;
    *text = stop;
    while (*text < end && **text == ' ')
        ++*text;
    if (stop - start != 2 || memcmp(start, "\\-", 2) != 0)
        for (const char *at = start; at < stop; at += taken) {
            int byte = decode(at, (size_t)(stop - at), &taken);
            if (byte < 0)
                return NULL;
            *out++ = (char)byte;
        }
    *out = 0;
    *count = (size_t)(out - start);
    return start;
}

bool record_take_number(char **text, char *end, uint64_t *number)
{
    size_t count;
    const char *word = record_take_word(text, end, &count);
    if (!word || count == 0 || count != strspn(word, "0123456789"))
        return false;
    *number = 0;
    for (; *word; word++) {
        unsigned value = (unsigned)(*word - '0');
        if (*number > (UINT64_MAX - value) / 10)
            return false;
        *number = *number * 10 + value;
    }
    return true;
}
