#include "devices/dec/prom_printf.h"

#include <stdio.h>
#include <string.h>

/* One call. */
struct printing {
    const struct prom_printf *call;
    vaddr at;           /* of the format */
    uint32_t left;      /* characters of the format that may still be read */
    uint32_t printed;   /* characters put */
    unsigned arguments; /* used */
};

static void put(struct printing *printing, char byte)
{
    if (printing->printed == PROM_TEXT_MAX)
        return;
    printing->printed++;
    printing->call->put(printing->call->opaque, (uint8_t)byte);
}

/* The next character of the format; 0 at its end. */
static char next(struct printing *printing)
{
    if (printing->left == 0)
        return 0;
    printing->left--;
    const int byte = printing->call->byte(printing->call->opaque, printing->at);
    printing->at += byte > 0;
    return byte > 0 ? (char)byte : 0;
}

static uint32_t argument(struct printing *printing)
{
    return printing->call->argument(printing->call->opaque, printing->arguments++);
}

/* A conversion between % and its letter. */
struct conversion {
    bool left, zero;
    unsigned width;
};

enum { WIDTH_MAX = 1024 };

static void put_padded(struct printing *printing, const struct conversion *how, const char *text, size_t length)
{
    const size_t pad = how->width > length ? how->width - length : 0;
    const bool zero = how->zero && !how->left;
    if (zero && *text == '-' && length > 0) { /* the sign is before the zeros */
        put(printing, *text++);
        length--;
    }
    for (size_t i = 0; !how->left && i < pad; i++)
        put(printing, zero ? '0' : ' ');
    for (size_t i = 0; i < length; i++)
        put(printing, text[i]);
    for (size_t i = 0; how->left && i < pad; i++)
        put(printing, ' ');
}

static void put_text(struct printing *printing, const struct conversion *how, vaddr text)
{
    const struct prom_printf *call = printing->call;
    uint32_t length = 0;
    const uint32_t most = PROM_TEXT_MAX - printing->printed;
    while (length < most && call->byte(call->opaque, text + length) > 0)
        length++;
    for (uint32_t i = length; !how->left && i < how->width; i++)
        put(printing, ' ');
    for (uint32_t i = 0; i < length; i++) {
        const int byte = call->byte(call->opaque, text + i);
        put(printing, byte > 0 ? (char)byte : '?');
    }
    for (uint32_t i = length; how->left && i < how->width; i++)
        put(printing, ' ');
}

static void convert(struct printing *printing, const struct conversion *how, char letter)
{
    char text[16];
    switch (letter) {
    case 'd':
    case 'i': snprintf(text, sizeof text, "%d", (int)argument(printing)); break;
    case 'u': snprintf(text, sizeof text, "%u", argument(printing)); break;
    case 'x': snprintf(text, sizeof text, "%x", argument(printing)); break;
    case 'X': snprintf(text, sizeof text, "%X", argument(printing)); break;
    case 'o': snprintf(text, sizeof text, "%o", argument(printing)); break;
    case 'p': snprintf(text, sizeof text, "0x%x", argument(printing)); break;
    case 'c':
        text[0] = (char)argument(printing);
        put_padded(printing, how, text, 1);
        return;
    case 's': put_text(printing, how, argument(printing)); return;
    case '%': put(printing, '%'); return;
    default:
        put(printing, '%');
        if (letter)
            put(printing, letter);
        return;
    }
    put_padded(printing, how, text, strlen(text));
}

uint32_t prom_printf(const struct prom_printf *call, vaddr format)
{
    struct printing printing = {.call = call, .at = format, .left = PROM_TEXT_MAX};
    char letter;
    while ((letter = next(&printing)) != 0 && printing.printed < PROM_TEXT_MAX) {
        struct conversion how = {0};
        if (letter != '%') {
            put(&printing, letter);
            continue;
        }
        while ((letter = next(&printing)) == '-' || letter == '0') {
            how.left |= letter == '-';
            how.zero |= letter == '0';
        }
        for (; letter >= '0' && letter <= '9'; letter = next(&printing))
            how.width = how.width < WIDTH_MAX ? how.width * 10 + (unsigned)(letter - '0') : WIDTH_MAX;
        while (letter == 'l')
            letter = next(&printing);
        how.width = how.width < WIDTH_MAX ? how.width : WIDTH_MAX;
        convert(&printing, &how, letter);
    }
    return printing.printed;
}
