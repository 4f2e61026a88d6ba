#include "cache/hierarchy/partition.h"

#include <ctype.h>
#include <stdlib.h>

/* Takes a number from *TEXT, in the given BASE (0: as in C). Returns false if none is there. */
static bool take_number(const char **text, int base, unsigned long *number)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    *number = strtoul(*text, &end, base);
    *text = end;
    return true;
}

/* Takes "FIRST-LAST:WAYS" or "CPU:WAYS" from *TEXT. */
static bool take_part(const char **text, unsigned long *first, unsigned long *last, unsigned long *ways)
{
    if (!take_number(text, 10, first))
        return false;
    *last = *first;
    if (**text == '-' && (++*text, !take_number(text, 10, last)))
        return false;
    if (**text != ':')
        return false;
    ++*text;
    return take_number(text, 0, ways) && *first <= *last;
}

/* Reads TEXT, of a cache with WAYS ways, into PARTITION. Parts for CPUs that the machine does not have are ignored. */
static bool read_partition(uint32_t *partition, const char *text, unsigned cpus, uint32_t ways)
{
    const uint32_t all = UINT32_MAX >> (32 - ways);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        partition[cpu] = all;
    for (;;) {
        unsigned long first, last, taken;
        if (!take_part(&text, &first, &last, &taken) || taken == 0 || taken & ~(unsigned long)all)
            return false;
        for (unsigned long cpu = first; cpu <= last && cpu < cpus; cpu++)
            partition[cpu] = (uint32_t)taken;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

bool partition_caches(struct memsys *memsys, const struct geometry *g, struct err *err)
{
    for (unsigned level = 2; level <= g->levels; level++) {
        const enum memsys_cache cache = data_cache(level);
        const uint32_t ways = g->cache[cache].ways;
        if (!*g->partition[level])
            continue;
        if (!read_partition(memsys->partition[level], g->partition[level], memsys->cpus, ways))
            return err_set(
                err,
                "cache.%s.partition is \"%.128s\": FIRST-LAST:WAYS,FIRST-LAST:WAYS,... needed, of CPUs, with "
                "WAYS a mask of 1 to 0x%x",
                cache_name(cache), g->partition[level], UINT32_MAX >> (32 - ways));
        for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
            memsys->node[cpu].cache[cache]->partition = memsys->partition[level];
    }
    return true;
}
