#include "cache/observe/trace_din.h"

#include <stdbool.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static int digit_of(char byte)
{
    return byte >= '0' && byte <= '9'   ? byte - '0'
           : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
           : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                        : -1;
}

/* The address at *AT, which ends before END or at a blank. */
static bool take_address(const char **at, const char *end, uint32_t *address)
{
    uint64_t number = 0;
    const char *first = *at;
    if (end - *at > 2 && **at == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X'))
        first = *at += 2;
    for (; *at < end && digit_of(**at) >= 0 && number <= UINT32_MAX; ++*at)
        number = number << 4 | (unsigned)digit_of(**at);
    *address = (uint32_t)number;
    return *at > first && number <= UINT32_MAX && (*at == end || is_blank(**at));
}

enum din_line din_decode(const char *line, size_t length, struct reference *reference)
{
    static const enum reference_kind kinds[] = {REFERENCE_READ, REFERENCE_WRITE, REFERENCE_FETCH, REFERENCE_KINDS,
                                                REFERENCE_FLUSH};
    const char *at = line, *end = line + length;
    uint32_t address;
    while (at < end && is_blank(*at))
        at++;
    if (at == end)
        return DIN_NOTHING;
    const char label = *at++;
    if (label < '0' || label > '4' || at == end || !is_blank(*at))
        return DIN_BAD;
    while (at < end && is_blank(*at))
        at++;
    if (!take_address(&at, end, &address))
        return DIN_BAD;
    *reference = (struct reference){.kind = kinds[label - '0'], .mode = MODE_USER, .size = 1, .address = address};
    if (reference->kind == REFERENCE_KINDS)
        return DIN_NOTHING;
    reference->virtual_address = reference->address;
    return DIN_REFERENCE;
}

size_t din_encode(const struct reference *reference, char *to)
{
    static const char labels[REFERENCE_KINDS] = {
        [REFERENCE_FETCH] = '2', [REFERENCE_READ] = '0', [REFERENCE_WRITE] = '1', [REFERENCE_WRITE_BACK] = '1'};
    char digits[8];
    unsigned count = 0;
    size_t length = 0;
    if (!labels[reference->kind])
        return 0;
    for (paddr rest = reference->address; count == 0 || rest; rest >>= 4)
        digits[count++] = "0123456789abcdef"[rest & 15];
    to[length++] = labels[reference->kind];
    to[length++] = ' ';
    while (count)
        to[length++] = digits[--count];
    to[length++] = '\n';
    return length;
}
