#include "cpu/privileged/translation_caches.h"

#include "cpu/privileged/page_walker.h"
#include "cpu/privileged/tlb.h"
#include "cpu/segments.h"
#include <stdlib.h>
#include <string.h>

/* An entry of a directory. */
struct kept_load {
    paddr address;
    uint64_t value;
    bool valid;
};

struct translation_caches {
    struct translation_config config;
    unsigned sets;
    /* The most recently used entry comes first: in each set, `tlb2_ways` entries; in the page-walk cache. Unused
     * entries of the second-level TLB have a tag in kseg0. */
    struct tlb_entry *tlb2;
    struct kept_load *kept;
    uint64_t tlb2_hits, walk_hits, walk_misses;
};

bool translation_config_read(struct translation_config *config, const struct params *params, struct err *err)
{
    *config = (struct translation_config){.tlb2_entries = (unsigned)params_u64(params, "cpu.tlb2_entries"),
                                          .tlb2_ways = (unsigned)params_u64(params, "cpu.tlb2_ways"),
                                          .tlb2_latency = params_u64(params, "cpu.tlb2_latency"),
                                          .walk_entries = (unsigned)params_u64(params, "cpu.page_walk_cache")};
    if ((config->tlb2_entries > 0 || config->walk_entries > 0) && !params_bool(params, "cpu.page_walker"))
        return err_set(err, "%s needs cpu.page_walker=on, as only walks fill it",
                       config->tlb2_entries > 0 ? "cpu.tlb2_entries" : "cpu.page_walk_cache");
    if (config->tlb2_entries % config->tlb2_ways != 0)
        return err_set(err, "cpu.tlb2_entries is %u, which is not a multiple of cpu.tlb2_ways, %u",
                       config->tlb2_entries, config->tlb2_ways);
    return true;
}

struct translation_caches *translation_caches_create(const struct translation_config *config)
{
    if (config->tlb2_entries == 0 && config->walk_entries == 0)
        return NULL;
    struct translation_caches *caches = checked_memory(calloc(1, sizeof *caches));
    caches->config = *config;
    caches->sets = config->tlb2_entries / config->tlb2_ways;
    caches->tlb2 = checked_memory(calloc(config->tlb2_entries + 1, sizeof *caches->tlb2));
    caches->kept = checked_memory(calloc(config->walk_entries + 1, sizeof *caches->kept));
    for (unsigned i = 0; i < config->tlb2_entries; i++)
        caches->tlb2[i].vpn2 = KSEG0_BASE;
    return caches;
}

void translation_caches_free(struct translation_caches *caches)
{
    if (!caches)
        return;
    free(caches->tlb2);
    free(caches->kept);
    free(caches);
}

/* The second-level TLB */

static struct tlb_entry *set_of(const struct core *core, const struct tlb_entry *entry)
{
    const struct translation_caches *caches = core->translation;
    const unsigned set = (entry->vpn2 >> core->architecture->tlb.entry_shift) % caches->sets;
    return &caches->tlb2[(size_t)set * caches->config.tlb2_ways];
}

/* The entry of SET, of WAYS, for the pages and the address space of ENTRY; WAYS: none is. */
static unsigned find_way(const struct tlb_entry *set, unsigned ways, const struct tlb_entry *entry)
{
    unsigned way = 0;
    while (way < ways && (set[way].vpn2 != entry->vpn2 || set[way].global != entry->global ||
                          (!entry->global && set[way].asid != entry->asid)))
        way++;
    return way;
}

static bool can_hold(const struct core *core, const struct tlb_entry *entry)
{
    return core->translation != NULL && core->translation->sets > 0 && entry->page_mask == 0;
}

/* Does A, found for the pages of B, hold what B does? */
static bool is_current(const struct tlb_entry *a, const struct tlb_entry *b)
{
    return a->lo[0] == b->lo[0] && a->lo[1] == b->lo[1];
}

bool tlb2_holds(const struct core *core, const struct tlb_entry *entry)
{
    if (!can_hold(core, entry))
        return false;
    const unsigned ways = core->translation->config.tlb2_ways;
    const struct tlb_entry *set = set_of(core, entry);
    const unsigned way = find_way(set, ways, entry);
    return way < ways && is_current(&set[way], entry);
}

bool tlb2_look_up(struct core *core, const struct tlb_entry *entry)
{
    if (!can_hold(core, entry))
        return false;
    const unsigned ways = core->translation->config.tlb2_ways;
    struct tlb_entry *set = set_of(core, entry);
    const unsigned way = find_way(set, ways, entry);
    const bool hit = way < ways && is_current(&set[way], entry);
    memmove(&set[1], &set[0], (way < ways ? way : ways - 1) * sizeof *set);
    set[0] = *entry;
    core->translation->tlb2_hits += hit;
    return hit;
}

cycles tlb2_latency(const struct core *core)
{
    return core->translation != NULL && core->translation->sets > 0 ? core->translation->config.tlb2_latency : 0;
}

/* The page-walk cache */

/* The entry of CACHES for ADDRESS; config.walk_entries: none is. */
static unsigned find_kept(const struct translation_caches *caches, paddr address)
{
    unsigned i = 0;
    while (i < caches->config.walk_entries && (caches->kept[i].address != address || !caches->kept[i].valid))
        i++;
    return i;
}

static bool can_keep(const struct core *core, const struct page_walk_load *load)
{
    return core->translation != NULL && core->translation->config.walk_entries > 0 && load->directory && load->cached;
}

/* LOAD is the most recently used one, instead of entry INDEX, or of the last one if that is behind it. */
static void put_first(struct translation_caches *caches, unsigned index, const struct page_walk_load *load)
{
    const unsigned last = caches->config.walk_entries - 1;
    memmove(&caches->kept[1], &caches->kept[0], (index < last ? index : last) * sizeof *caches->kept);
    caches->kept[0] = (struct kept_load){.address = load->physical, .value = load->value, .valid = true};
}

bool walk_cache_hits(struct core *core, const struct page_walk_load *load)
{
    struct translation_caches *caches = core->translation;
    if (!can_keep(core, load))
        return false;
    const unsigned index = find_kept(caches, load->physical);
    if (index == caches->config.walk_entries || caches->kept[index].value != load->value)
        return false;
    put_first(caches, index, load);
    caches->walk_hits++;
    return true;
}

void walk_cache_keep(struct core *core, const struct page_walk_load *load)
{
    struct translation_caches *caches = core->translation;
    if (!can_keep(core, load))
        return;
    put_first(caches, find_kept(caches, load->physical), load);
    caches->walk_misses++;
}

/* Statistics and checkpoints */

static void counter(struct stats *stats, const struct core *core, const char *name, const char *text,
                    const uint64_t *value)
{
    char path[48];
    snprintf(path, sizeof path, "cpu%u.tlb.%s", core->number, name);
    stats_counter(stats, path, "lookups", text, value);
}

void translation_caches_register_stats(struct core *core, struct stats *stats)
{
    const struct translation_caches *caches = core->translation;
    if (caches->sets > 0)
        counter(stats, core, "tlb2_hits",
                "misses of the TLB whose entry the second-level TLB had; all others are walks", &caches->tlb2_hits);
    if (caches->config.walk_entries > 0) {
        counter(stats, core, "walk_cache_hits",
                "entries of directories that the page-walk cache had, so that no load was made", &caches->walk_hits);
        counter(stats, core, "walk_cache_misses",
                "entries of directories that it did not have, so that they were loaded", &caches->walk_misses);
    }
}

static const struct saved_field count_fields[] = {
    SAVED_STATISTIC(struct translation_caches, tlb2_hits),
    SAVED_STATISTIC(struct translation_caches, walk_hits),
    SAVED_STATISTIC(struct translation_caches, walk_misses),
};

static const struct saved_field tlb2_fields[] = {
    SAVED_FIELD(struct tlb_entry, page_mask, SAVED_U32), SAVED_FIELD(struct tlb_entry, vpn2, SAVED_U32),
    SAVED_FIELD(struct tlb_entry, asid, SAVED_U8),       SAVED_FIELD(struct tlb_entry, global, SAVED_BOOL),
    SAVED_FIELD(struct tlb_entry, lo, SAVED_U32),
};

static const struct saved_field kept_fields[] = {
    SAVED_FIELD(struct kept_load, address, SAVED_U32),
    SAVED_FIELD(struct kept_load, value, SAVED_U64),
    SAVED_FIELD(struct kept_load, valid, SAVED_BOOL),
};

enum { ARRAY_TLB2, ARRAY_KEPT, ARRAYS };

static void list_arrays(const struct translation_caches *caches, struct saved_array arrays[ARRAYS])
{
    arrays[ARRAY_TLB2] = (struct saved_array){SAVED_TABLE(tlb2_fields), .base = caches->tlb2,
                                              .size = sizeof *caches->tlb2, .count = caches->config.tlb2_entries};
    arrays[ARRAY_KEPT] = (struct saved_array){SAVED_TABLE(kept_fields), .base = caches->kept,
                                              .size = sizeof *caches->kept, .count = caches->config.walk_entries};
}

static void write_arrays(void *base, struct saved_out *out)
{
    struct saved_array arrays[ARRAYS];
    list_arrays(base, arrays);
    for (unsigned i = 0; i < ARRAYS; i++)
        saved_put_array(out, &arrays[i]);
}

/* Whatever the file holds is harmless: an entry is used only if a walk would find the same. */
static bool read_arrays(void *base, struct saved_in *in, struct err *err)
{
    struct saved_array arrays[ARRAYS];
    list_arrays(base, arrays);
    for (unsigned i = 0; i < ARRAYS; i++)
        if (!saved_get_array(in, &arrays[i], NULL, err))
            return false;
    return true;
}

void translation_caches_register_saved(struct core *core, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_arrays, .read = read_arrays};
    char name[24];
    snprintf(name, sizeof name, "cpu%u.translation", core->number);
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .timing = true,
                                             .optional = true,
                                             .base = core->translation,
                                             SAVED_TABLE(count_fields),
                                             .ops = &ops});
}
