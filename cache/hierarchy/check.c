/* memsys_check: the invariants that hold between operations. */
#include "cache/placement/page_mapping.h"
#include "cache/hierarchy/node.h"
#include "cache/hierarchy/page_moves.h"

#include "src/base/log.h"

#define WHERE "cpu%u %s entry %u: line 0x%08x "

/* Checks ENTRY of INNER against the inclusive outer CACHE: the line is there, is dirty if ENTRY is, and is recorded as
 * held by the inner cache. */
static bool check_outer(const struct array *inner, const struct array *cache, uint32_t entry, unsigned cpu,
                        struct err *err)
{
    const paddr line = entry_line(inner, entry);
    uint32_t outer = array_find(cache, line & cache->line_mask);
    if (outer == NO_ENTRY)
        return err_set(err, WHERE "is not in %s", cpu, cache_name(inner->id), entry, line, cache_name(cache->id));
    if (entry_is_dirty(inner, entry) && !entry_is_dirty(cache, outer))
        return err_set(err, WHERE "is dirty, but not in %s", cpu, cache_name(inner->id), entry, line,
                       cache_name(cache->id));
    for (uint32_t word = 0; cache->invalid && word < 1u << inner->line_shift; word += ARRAY_WORD)
        if (array_holds(inner, entry, line + word, ARRAY_WORD) && !array_holds(cache, outer, line + word, ARRAY_WORD))
            return err_set(err, WHERE "has a word valid at byte %u that is not valid in %s", cpu, cache_name(inner->id),
                           entry, line, word, cache_name(cache->id));
    bool insn = inner->insn_inside;
    for (const struct array *between = inner->next; between != cache; between = between->next)
        insn = between->insn_inside;
    if (!(cache->inner[outer] & array_inner_bit(cache, line, insn)))
        return err_set(err, WHERE "is not recorded as an inner line in %s", cpu, cache_name(inner->id), entry, line,
                       cache_name(cache->id));
    return true;
}

/* Whether the line in ENTRY is in its place in a sector, with lines of the same sector only. */
static bool is_in_sector(const struct array *cache, uint32_t entry)
{
    const uint32_t size_shift = cache->line_shift + cache->sector_shift;
    const paddr line = entry_line(cache, entry), first = line >> size_shift << size_shift;
    return array_sector_entry(cache, entry, (line - first) >> cache->line_shift) == entry &&
           entry_line(cache, array_sector_line(cache, entry)) >> size_shift == line >> size_shift;
}

/* Checks a valid entry: the line is in the right set and present once; it is modified only in a cache that keeps
 * stores; inclusive outer caches contain it; the directory lists the CPU as a sharer. */
static bool check_entry(const struct memsys *memsys, const struct array *cache, uint32_t entry, unsigned cpu,
                        struct err *err)
{
    const paddr line = entry_line(cache, entry);
    const char *name = cache_name(cache->id);
    if (array_is_beyond_ways(cache, entry))
        return err_set(err, WHERE "is in a way that does not exist", cpu, name, entry, line);
    if (line & ~cache->line_mask || entry_state(cache, entry) == ENTRY_MODIFIED)
        return err_set(err, WHERE "has an invalid address or state", cpu, name, entry, line);
    if (array_find(cache, line) != entry)
        return err_set(err, WHERE "is in the wrong set or present twice", cpu, name, entry, line);
    if (cache->sector_shift && !array_is_assist(cache, entry) && !is_in_sector(cache, entry))
        return err_set(err, WHERE "is not in its sector", cpu, name, entry, line);
    if (entry_is_dirty(cache, entry) && (cache->through || cache == memsys->node[cpu].first[0]) &&
        memsys->node[cpu].first[0] != memsys->node[cpu].first[1])
        return err_set(err, WHERE "is dirty in a cache that keeps no stores", cpu, name, entry, line);
    if (array_is_partial(cache, entry) && !entry_is_dirty(cache, entry))
        return err_set(err, WHERE "is partly valid, but not dirty", cpu, name, entry, line);
    if (array_is_partial(cache, entry) && array_holds(cache, entry, line, 1u << cache->line_shift))
        return err_set(err, WHERE "has more words than a line", cpu, name, entry, line);
    for (const struct array *outer = cache->next; outer; outer = outer->next)
        if (outer->inclusive && !check_outer(cache, outer, entry, cpu, err))
            return false;
    const struct tier *tier = cache->tier;
    const struct directory_record record = directory_read(&tier->directory, line);
    if (coherence_state(&record, tier_member(tier, cpu)) == COHERENCE_I)
        return err_set(err, WHERE "is present, but the directory does not list the CPU as a sharer", cpu, name, entry,
                       line);
    return true;
}

/* Checks a replacement order: it is one of the policy's; where ways have ranks, those of empty ways are the highest. */
static bool check_history(const struct array *cache, uint32_t set, unsigned cpu, struct err *err)
{
    const struct replacement *policy = cache->policy;
    const uint64_t *order = array_order(cache, set);
    if (policy->is_valid ? !policy->is_valid(order, cache->ways) : *order != 0)
        return err_set(err, "cpu%u %s set %u: invalid order 0x%llx of %s", cpu, cache_name(cache->id), set,
                       (unsigned long long)*order, policy->name);
    unsigned full = 0, first_empty = UINT32_MAX;
    for (uint32_t way = 0; policy->rank && way < cache->ways; way++) {
        const unsigned rank = policy->rank(order, cache->ways, way);
        if (array_sector_line(cache, (set << cache->order_shift) + way) == NO_ENTRY)
            first_empty = rank < first_empty ? rank : first_empty;
        else
            full = rank + 1 > full ? rank + 1 : full;
    }
    return full <= first_empty || err_set(err, "cpu%u %s set %u: a valid way after an empty one in the order of %s",
                                          cpu, cache_name(cache->id), set, policy->name);
}

/* Checks ENTRY of the assist cache: it is to move into the set that its address selects. */
static bool check_slot(const struct array *cache, uint32_t entry, unsigned cpu, struct err *err)
{
    const paddr line = entry_line(cache, entry);
    const uint32_t first = cache->assist->slot[entry - array_set_entries(cache)].first;
    return cache->by_virtual || first == array_first(cache, line) ||
           err_set(err, WHERE "is to move into the wrong set", cpu, cache_name(cache->id), entry, line);
}

static bool check_cache(const struct memsys *memsys, const struct array *cache, unsigned cpu, struct err *err)
{
    for (uint32_t entry = 0; entry < array_entries(cache); entry++)
        if (cache->word[entry] && (!check_entry(memsys, cache, entry, cpu, err) ||
                                   (array_is_assist(cache, entry) && !check_slot(cache, entry, cpu, err))))
            return false;
    for (uint32_t set = 0; set < array_orders(cache); set++)
        if (!check_history(cache, set, cpu, err))
            return false;
    return true;
}

/* Whether CPU, which RECORD of BLOCK in TIER lists, owns the block in the tier outside if it owns it here. */
static bool owner_owns_outside(const struct tier *tier, paddr block, const struct directory_record *record,
                               unsigned cpu)
{
    if (!record->owned || !tier->outer)
        return true;
    const struct directory_record outside = directory_read(&tier->outer->directory, block);
    return coherence_state(&outside, tier_member(tier->outer, cpu)) >= coherence_state(record, cpu);
}

static const char *ownership_text(const struct directory_record *record)
{
    return record->modified ? "modified" : record->owned ? "owned" : "shared";
}

/* Checks a directory entry of TIER: each sharer holds the block, modified if and only if the entry says so; an owner is
 * the only sharer, and in an owner of the outer tier. */
static bool check_block(const struct memsys *memsys, const struct tier *tier, paddr block,
                        const struct directory_record *record, struct err *err)
{
    uint64_t holders = record->sharers;
    if ((record->owned || record->modified) && (!record->owned || holders & (holders - 1) || !holders))
        return err_set(err, "line 0x%08x is %s, but its sharers are 0x%llx", block, ownership_text(record),
                       (unsigned long long)holders);
    for (; holders; holders &= holders - 1) {
        unsigned cpu = (unsigned)__builtin_ctzll(holders);
        if (cpu >= memsys->cpus || cpu != tier_member(tier, cpu))
            return err_set(err, "line 0x%08x has sharer cpu%u, which does not exist", block, cpu);
        if (!owner_owns_outside(tier, block, record, cpu))
            return err_set(err, "line 0x%08x is owned by cpu%u, but not in the tier outside", block, cpu);
        enum entry_state holds = node_highest_state(memsys, tier, cpu, block);
        if (holds == ENTRY_ABSENT)
            return err_set(err, "line 0x%08x is absent from cpu%u, which the directory lists as a sharer", block, cpu);
        if ((holds == ENTRY_DIRTY) != record->modified)
            return err_set(err, "line 0x%08x in cpu%u is %s, but the directory entry says %s", block, cpu,
                           holds == ENTRY_DIRTY ? "dirty" : "clean", ownership_text(record));
    }
    return true;
}

/* Checks the sparse directories of TIER: each element of a set is empty or the only one of a block that selects the
 * set. */
static bool check_sparse(const struct tier *tier, struct err *err)
{
    const struct sparse *sparse = &tier->sparse;
    for (size_t i = 0; i < sparse_size(sparse); i++) {
        const paddr block = sparse->block[i] & ~(paddr)SPARSE_USED;
        const uint32_t home = (uint32_t)(i / sparse->ways / sparse->sets);
        if (sparse->block[i] == 0)
            continue;
        const paddr *set = sparse_set(sparse, home, block);
        if (!(sparse->block[i] & SPARSE_USED) || block != coherence_block_of(tier, block) ||
            (size_t)(set - sparse->block) / sparse->ways != i / sparse->ways ||
            set + sparse_way(sparse, set, block) != sparse->block + i)
            return err_set(err, "directory of home %u: element %zu of 0x%08x is damaged", home, i % sparse->ways,
                           block);
    }
    return true;
}

/* Checks that the sparse directories of TIER have room for BLOCK, which SHARERS hold. */
static bool check_entries(const struct memsys *memsys, const struct tier *tier, paddr block, uint64_t sharers,
                          struct err *err)
{
    const struct sparse *sparse = &tier->sparse;
    for (unsigned cpu = 0; cpu < memsys->cpus && sparse->ways; cpu += tier->home_cpus) {
        const paddr *set = sparse_set(sparse, cpu / tier->home_cpus, block);
        if (sharers & tier_home(tier, cpu) && sparse_way(sparse, set, block) == sparse->ways)
            return err_set(err, "line 0x%08x is inside cpu%u's home, whose directory has no entry of it", block, cpu);
    }
    return true;
}

bool memsys_check(const struct memsys *memsys, struct err *err)
{
    if (memsys_is_flat(memsys))
        return true;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id) && !check_cache(memsys, memsys->node[cpu].cache[id], cpu, err))
                return false;
    if (memsys->page_mapping != NULL && !page_mapping_check(memsys->page_mapping, err))
        return false;
    if (memsys_moves_pages(memsys) && !page_moves_check(memsys, err))
        return false;
    for (const struct tier *tier = memsys->innermost; tier; tier = tier->outer) {
        uint64_t address = 0;
        struct directory_record record;
        for (; directory_next(&tier->directory, &address, &record); address += coherence_block_size(tier))
            if (!check_block(memsys, tier, (paddr)address, &record, err) ||
                !check_entries(memsys, tier, (paddr)address, record.sharers, err))
                return false;
        if (!check_sparse(tier, err))
            return false;
    }
    return true;
}
