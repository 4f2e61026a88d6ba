#include "cache/protocol_pages.h"

#include "cache/engine.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void memsys_set_protocol(struct memsys *memsys, paddr first, paddr last, enum memsys_protocol protocol)
{
    const size_t pages = (size_t)1 << (32 - PAGE_SHIFT);
    if (memsys_is_flat(memsys))
        return;
    if (!memsys->page_protocol) {
        memsys->page_protocol = malloc(pages);
        if (!memsys->page_protocol)
            log_bug("out of memory for the protocols of pages");
        memset(memsys->page_protocol, (int)memsys->protocol, pages);
    }
    for (size_t page = first >> PAGE_SHIFT; page <= last >> PAGE_SHIFT; page++)
        memsys->page_protocol[page] = (uint8_t)protocol;
}

/* An address at *TEXT, which moves on to what follows. */
static bool read_address(const char **text, paddr *address)
{
    char *end;
    errno = 0;
    if (**text < '0' || **text > '9')
        return false;
    unsigned long long value = strtoull(*text, &end, 0);
    if (errno || value > UINT32_MAX)
        return false;
    *address = (paddr)value;
    *text = end;
    return true;
}

bool protocol_pages_from_text(struct memsys *memsys, const char *text, struct err *err)
{
    const char *rest = text;
    while (*rest) {
        paddr first, last;
        if (!read_address(&rest, &first) || *rest++ != '-' || !read_address(&rest, &last) || last < first ||
            (*rest && *rest != ',') || (*rest == ',' && !*++rest))
            return err_set(err, "cache.update_pages is \"%s\": FIRST-LAST,FIRST-LAST,... of physical addresses needed",
                           text);
        memsys_set_protocol(memsys, first, last, MEMSYS_FIREFLY);
    }
    return true;
}
