/* memsys_check: the invariants that every operation has to keep. */
#include "cache/hierarchy.h"

#include "src/log.h"

/* Every valid line of L1 is in its own set once, before the invalid ones, inside a second-level line; a line that may
 * be stored to is inside a dirty one. */
static bool check_first_level(const struct cpu_caches *caches, const struct l1_cache *l1, unsigned cpu,
                              const char *name, struct err *err)
{
    uint32_t entries = (l1->set_mask + 1) * l1->ways;
    for (uint32_t entry = 0; entry < entries; entry++) {
        paddr line = l1->tag[entry];
        uint32_t first = entry & ~(l1->ways - 1);
        if (line == L1_INVALID) {
            if (l1->write_tag[entry] != L1_INVALID)
                return err_set(err, "cpu%u %s entry %u: invalid but writable", cpu, name, entry);
            continue;
        }
        if (line & ~l1->line_mask || l1_first(l1, line) != first)
            return err_set(err, "cpu%u %s entry %u: line 0x%08x does not belong there", cpu, name, entry, line);
        if (l1_find(l1, line) != entry)
            return err_set(err, "cpu%u %s entry %u: line 0x%08x is there twice", cpu, name, entry, line);
        if (entry > first && l1->tag[entry - 1] == L1_INVALID)
            return err_set(err, "cpu%u %s entry %u: valid behind an invalid one", cpu, name, entry);
        uint32_t outer = tags_find(&caches->l2, line & caches->l2.line_mask);
        if (outer == TAGS_NOWHERE)
            return err_set(err, "cpu%u %s: line 0x%08x is not in the second level", cpu, name, line);
        if (l1->write_tag[entry] == L1_INVALID)
            continue;
        if (l1->write_tag[entry] != line || l1 == &caches->l1i)
            return err_set(err, "cpu%u %s entry %u: wrong write tag 0x%08x", cpu, name, entry, l1->write_tag[entry]);
        if (caches->l2.state[outer] != LINE_DIRTY)
            return err_set(err, "cpu%u %s: line 0x%08x may be stored to but is not dirty", cpu, name, line);
    }
    return true;
}

static bool check_second_level(const struct memsys *memsys, unsigned cpu, uint64_t *lines, struct err *err)
{
    const struct tags *l2 = &memsys->cpu[cpu].l2;
    for (uint32_t entry = 0; entry < tags_entries(l2); entry++) {
        paddr line = l2->tag[entry];
        uint8_t state = l2->state[entry];
        if ((line == TAGS_INVALID) != (state == LINE_INVALID) || state > LINE_DIRTY)
            return err_set(err, "cpu%u l2 entry %u: state %u with tag 0x%08x", cpu, entry, state, line);
        if (state == LINE_INVALID)
            continue;
        uint32_t first = entry & ~(l2->ways - 1);
        if (line & ~l2->line_mask || tags_first(l2, line) != first || tags_find(l2, line) != entry)
            return err_set(err, "cpu%u l2 entry %u: line 0x%08x misplaced or there twice", cpu, entry, line);
        if (entry > first && l2->state[entry - 1] == LINE_INVALID)
            return err_set(err, "cpu%u l2 entry %u: valid behind an invalid one", cpu, entry);
        (*lines)++;
        if (memsys->cpus == 1)
            continue;
        uint32_t holders = directory_holders(&memsys->directory, line);
        if (!(holders & 1u << cpu))
            return err_set(err, "cpu%u l2: line 0x%08x is not in the directory", cpu, line);
        if (state == LINE_DIRTY && holders != 1u << cpu)
            return err_set(err, "cpu%u l2: line 0x%08x is dirty but held by 0x%x", cpu, line, holders);
    }
    return true;
}

bool memsys_check(const struct memsys *memsys, struct err *err)
{
    uint64_t lines = 0;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        const struct cpu_caches *caches = &memsys->cpu[cpu];
        if (!check_first_level(caches, &caches->l1i, cpu, "l1i", err) ||
            !check_first_level(caches, &caches->l1d, cpu, "l1d", err) || !check_second_level(memsys, cpu, &lines, err))
            return false;
    }
    /* Each line was found in the directory above; equal numbers mean that it knows of no others. */
    uint64_t held = directory_population(&memsys->directory);
    if (held != (memsys->cpus > 1 ? lines : 0))
        return err_set(err, "the directory knows %llu lines, the caches hold %llu", (unsigned long long)held,
                       (unsigned long long)lines);
    return true;
}
