#include "annotations/symbols/module_ranges.h"

#include "annotations/symbols/guest_view.h"
#include "annotations/symbols/modules.h"

/* Until the first module is loaded the list cannot be found, and the search is slow: search at every 64th call only. */
enum { TRIES_BETWEEN = 64 };

static void add_range(void *opaque, const char *name, vaddr base, uint32_t size)
{
    struct module_ranges *ranges = opaque;
    if (ranges->count == MODULE_RANGES_MAX)
        return;
    struct module_range *range = &ranges->range[ranges->count++];
    *range = (struct module_range){.first = base, .size = size};
    snprintf(range->name, sizeof range->name, "%s", name);
    for (char *at = range->name; *at; at++)
        if (*at == '"' || *at == '\\')
            *at = '?';
}

const struct module_range *module_ranges_find(struct module_ranges *ranges, const struct kernel_memory *kernel,
                                              struct core *core, vaddr address)
{
    if (!ranges->list && ranges->tries++ % TRIES_BETWEEN == 0)
        modules_list(kernel->view, core, &ranges->list);
    if (!ranges->list)
        return NULL;
    const uint32_t says[2] = {kernel_word(kernel, ranges->list), kernel_word(kernel, ranges->list + 4)};
    if (memcmp(says, ranges->head_links, sizeof says) != 0) {
        memcpy(ranges->head_links, says, sizeof says);
        ranges->count = 0;
        modules_each(kernel->view, core, ranges->list, add_range, ranges);
    }
    for (unsigned i = 0; i < ranges->count; i++)
        if (address - ranges->range[i].first < ranges->range[i].size)
            return &ranges->range[i];
    return NULL;
}
