/* memsys_describe: the description of the memory system as text. */
#include "cache/hierarchy/shape.h"
#include "cache/hierarchy/block.h"
#include "cache/hierarchy/numa.h"
#include "cache/state/engine.h"
#include "cache/prefetch/prefetch.h"
#include "cache/hierarchy/protocol.h"

static void describe_cache(FILE *out, const struct array *cache, bool unified, unsigned shared)
{
    const uint32_t size = cache->sets * cache->ways << cache->line_shift;
    const unsigned shift = size % (1 << 20) == 0 ? 20 : size % (1 << 10) == 0 ? 10 : 0;
    const bool data = cache->id == data_cache(cache->level);
    char name[8];
    snprintf(name, sizeof name, "L%u%s", cache->level, unified ? "" : data ? "-D" : "-I");
    fprintf(out, "%-5s %u%s", name, size >> shift, shift == 20 ? "M" : shift == 10 ? "K" : "");
    if (cache->ways == 1)
        fprintf(out, " direct-mapped");
    else
        fprintf(out, " %u-way %s", cache->ways, cache->policy->label);
    fprintf(out, ", %u-byte lines", 1u << cache->line_shift);
    if (cache->sector_shift)
        fprintf(out, ", sectors of %u lines", 1u << cache->sector_shift);
    fprintf(out, ", %s", cache->through ? "write-through" : "write-back");
    if (!cache->allocate && !cache->allocates_words)
        fprintf(out, ", no write-allocate");
    if (cache->validate || cache->allocates_words)
        fprintf(out, ", write-validate");
    if (cache->by_virtual)
        fprintf(out, ", virtually indexed");
    if (cache->hashed)
        fprintf(out, ", hashed index");
    if (cache->modulo)
        fprintf(out, ", %u sets", array_orders(cache));
    if (cache->by_space)
        fprintf(out, ", index hashed with the address space");
    if (cache->assist)
        fprintf(out, ", assist cache of %u lines", cache->assist->lines);
    if (cache->level > 1 && !cache->inclusive)
        fprintf(out, cache->exclusive ? ", exclusive" : ", not inclusive");
    if (shared > 1)
        fprintf(out, ", shared by %u CPUs", shared);
    fprintf(out, "\n");
}

static void describe_times(FILE *out, const struct memsys *memsys)
{
    const struct node *node = &memsys->node[0];
    fprintf(out, "stalls: ");
    for (unsigned level = 2; level <= memsys->levels; level++)
        fprintf(out, "L%u hit %llu%s, ", level, (unsigned long long)node->cache[data_cache(level)]->hit_time,
                level == 2 ? " cycles" : "");
    fprintf(out, "memory %llu%s, ", (unsigned long long)memsys->miss_time, memsys->levels == 1 ? " cycles" : "");
    for (const struct tier *tier = memsys->tier[0].inner; tier; tier = tier->inner)
        fprintf(out, "a cache inside L%u %llu, upgrade there %llu, ", tier->level + 1,
                (unsigned long long)tier->intervention_time, (unsigned long long)tier->upgrade_time);
    const struct tier *tier = &memsys->tier[0];
    const bool several = memsys->cpus > 1 && (tier->upgrades || memsys->tiers == 1);
    if (several && tier->intervention_time != memsys->miss_time)
        fprintf(out, "another %s %llu, ", memsys->tiers == 1 ? "CPU's cache" : "group's cache",
                (unsigned long long)tier->intervention_time);
    if (tier->upgrades)
        fprintf(out, "upgrade %llu, ", (unsigned long long)tier->upgrade_time);
    if (tier->upgrades && (protocols[memsys->protocol].updates || memsys->page_protocol))
        fprintf(out, "update %llu, ", (unsigned long long)tier->update_time);
    if (memsys->numa)
        numa_describe(memsys->numa, out);
    fprintf(out, "uncached %llu\n", (unsigned long long)memsys->uncached_latency);
}

/* Accesses for which the text of an access is not compiled in particular take longer to simulate. */
static void describe_shapes(FILE *out, const struct memsys *memsys)
{
#ifdef SHAPES_FEW
    (void)out, (void)memsys; /* says nothing of the machine */
#else
    static const char *const names[] = {"fetches", "loads", "stores"};
    const char *before = "no shape (slower simulation): ";
    for (enum memsys_access access = MEMSYS_FETCH; access <= MEMSYS_WRITE; access++)
        if (!memsys_shape(memsys, access)) {
            fprintf(out, "%s%s", before, names[access]);
            before = ", ";
        }
    if (before[0] == ',')
        fprintf(out, "\n");
#endif
}

const char *memsys_replacement_label(const char *name)
{
    return replacement_named(name)->label;
}

/* How many CPUs have the first of the caches ID. */
static unsigned count_sharers(const struct memsys *memsys, enum memsys_cache id)
{
    unsigned cpu = 0;
    while (cpu < memsys->cpus && memsys->node[cpu].cache[id] == memsys->node[0].cache[id])
        cpu++;
    return cpu;
}

void memsys_describe(const struct memsys *memsys, FILE *out)
{
    if (memsys_is_flat(memsys)) {
        fprintf(out, "no caches: every access takes no time\n");
        return;
    }
    struct array *const *caches = memsys->node[0].cache;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
        if (caches[id]->word)
            describe_cache(out, caches[id], !caches[insn_cache(level_of(id))]->word, count_sharers(memsys, id));
    if (memsys->protocol != MEMSYS_INVALIDATE)
        fprintf(out, "coherence: %s\n", protocols[memsys->protocol].label);
    describe_times(out, memsys);
    if (memsys->timing)
        timing_describe(memsys->timing, out);
    if (memsys->prefetch)
        prefetch_describe(memsys, out);
    if (memsys->block)
        block_describe(memsys, out);
    describe_shapes(out, memsys);
}
