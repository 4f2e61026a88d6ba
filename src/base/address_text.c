#include "src/base/address_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

const char address_text_rule[] = "addresses are hexadecimal with 0x";

bool address_text_take(const char **text, paddr *address)
{
    const char *at = *text;
    char *end;
    const bool prefixed = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && isxdigit((unsigned char)at[2]);
    if (!prefixed && (at[0] != '0' || isalnum((unsigned char)at[1])))
        return false;
    errno = 0;
    const unsigned long long value = strtoull(at, &end, 16);
    if (errno || value > UINT32_MAX)
        return false;
    *address = (paddr)value;
    *text = end;
    return true;
}

bool address_text_take_range(const char **text, paddr *first, paddr *last)
{
    const char *at = *text;
    if (!address_text_take(&at, first) || *at++ != '-' || !address_text_take(&at, last) || *last < *first)
        return false;
    *text = at;
    return true;
}
