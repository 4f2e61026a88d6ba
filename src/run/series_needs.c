#include "src/run/series_needs.h"

#include <stdlib.h>

static void begin_parts(const struct saved *saved, uint32_t number)
{
    const struct saved_section *section;
    for (size_t i = 0; (section = saved_at(saved, i)); i++)
        if (section->ops && section->ops->parts)
            section->ops->parts->begin(section->base, number);
}

static void take_over(const struct saved *saved, uint32_t file)
{
    const struct saved_section *section;
    for (size_t i = 0; (section = saved_at(saved, i)); i++)
        if (section->ops && section->ops->parts)
            section->ops->parts->take_over(section->base, file);
}

/* Count the pages and blocks of the current state that each file holds. The caller frees the result. */
static uint64_t *count_parts(const struct saved *saved, uint32_t number)
{
    uint64_t *units = checked_memory(calloc(number + 1u, sizeof *units));
    const struct saved_section *section;
    for (size_t i = 0; (section = saved_at(saved, i)); i++)
        if (section->ops && section->ops->parts)
            section->ops->parts->count(section->base, units);
    units[0] +=
        number > 0; /* always needed: it has the map of all pages and blocks, even if none of its data is current */
    return units;
}

void series_choose_dependencies(const struct saved *saved, const struct file_identity *files,
                                struct series_member *member)
{
    begin_parts(saved, member->number);
    uint64_t *units = count_parts(saved, member->number);
    for (;;) {
        uint32_t used = 0, least = 0;
        for (uint32_t i = 0; i < member->number; i++) {
            used += units[i] > 0;
            if (i > 0 && units[i] > 0 && (least == 0 || units[i] < units[least]))
                least = i;
        }
        if (used <= SERIES_DEPENDENCIES_MAX)
            break;
        take_over(saved, least);
        units[least] = 0;
    }
    for (uint32_t i = 0; i < member->number; i++)
        if (units[i] > 0)
            member->needs[member->need_count++] = (struct series_dependency){i, files[i]};
    free(units);
}
