#include "cache/hierarchy/protocol_pages.h"

#include "cache/state/engine.h"
#include "cache/hierarchy/protocol.h"
#include "src/base/address_text.h"
#include "src/base/saved.h"
#include <stdlib.h>
#include <string.h>

void memsys_set_protocol(struct memsys *memsys, paddr first, paddr last, enum memsys_protocol protocol)
{
    const size_t pages = (size_t)1 << (32 - PAGE_SHIFT);
    if (memsys_is_flat(memsys))
        return;
    if (!memsys->page_protocol) {
        memsys->page_protocol = checked_memory(malloc(pages));
        memset(memsys->page_protocol, (int)memsys->protocol, pages);
    }
    for (size_t page = first >> PAGE_SHIFT; page <= last >> PAGE_SHIFT; page++)
        memsys->page_protocol[page] = (uint8_t)protocol;
}

bool protocol_pages_from_text(struct memsys *memsys, const char *text, struct err *err)
{
    const char *rest = text;
    while (*rest) {
        paddr first, last;
        if (!address_text_take_range(&rest, &first, &last) || (*rest && *rest != ',') || (*rest == ',' && !*++rest))
            return err_set(err, "cache.update_pages is \"%.128s\": FIRST-LAST,FIRST-LAST,... needed; %s", text,
                           address_text_rule);
        memsys_set_protocol(memsys, first, last, MEMSYS_FIREFLY);
    }
    return true;
}

/* Saved as runs of pages with the same protocol, from page 0 on; nothing if all pages follow cache.protocol */

enum { PAGES = 1 << (32 - PAGE_SHIFT) };

static void write_pages(void *base, struct saved_out *out)
{
    const struct memsys *memsys = base;
    uint32_t first = 0;
    uint8_t any = memsys->page_protocol != NULL;
    saved_put(out, &any, 1);
    while (any && first < PAGES) {
        uint32_t end = first;
        while (end < PAGES && memsys->page_protocol[end] == memsys->page_protocol[first])
            end++;
        saved_put_u32(out, end - first);
        saved_put(out, &memsys->page_protocol[first], 1);
        first = end;
    }
}

static bool read_pages(void *base, struct saved_in *in, struct err *err)
{
    struct memsys *memsys = base;
    uint32_t first = 0, count;
    uint8_t any, protocol;
    if (!saved_get(in, &any, 1))
        return false;
    free(memsys->page_protocol);
    memsys->page_protocol = NULL;
    while (any && first < PAGES) {
        if (!saved_get_u32(in, &count) || !saved_get(in, &protocol, 1))
            return false;
        if (count == 0 || count > PAGES - first || protocol >= protocol_count ||
            (memsys->tiers > 1 && protocols[protocol].updates))
            return err_set(err, "%u pages of protocol %u; %u pages are left", count, protocol, PAGES - first);
        memsys_set_protocol(memsys, first << PAGE_SHIFT, (first + count - 1) << PAGE_SHIFT, protocol);
        first += count;
    }
    return true;
}

void protocol_pages_register_saved(struct memsys *memsys, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_pages, .read = read_pages};
    saved_add(saved,
              &(struct saved_section){.name = "protocols", .version = 1, .timing = true, .base = memsys, .ops = &ops});
}
