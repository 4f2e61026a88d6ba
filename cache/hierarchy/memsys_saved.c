/* Checkpoints of the caches: tags, states, replacement orders, the directory, and the counts. Only a machine with the
 * same configuration can load them (struct saved_terms). Fast-path permission bytes belong to the CPU models and start
 * empty. */
#include "cache/state/engine.h"

#include "cache/hierarchy/block.h"
#include "cache/hierarchy/numa.h"
#include "cache/placement/page_mapping.h"
#include "cache/classify/classify_memsys.h"
#include "cache/prefetch/prefetch.h"
#include "cache/hierarchy/protocol_pages.h"
#include "cache/timing/timing_saved.h"
#include "src/base/saved.h"
#include <stddef.h>

static const struct saved_field fields[] = {
    SAVED_STATISTIC(struct memsys, fills),
    SAVED_STATISTIC(struct memsys, write_backs),
    SAVED_STATISTIC(struct memsys, writes),
    SAVED_STATISTIC(struct memsys, updates),
    SAVED_STATISTIC(struct memsys, dma_reads),
    SAVED_STATISTIC(struct memsys, dma_writes),
    SAVED_FIELD(struct memsys, until_check, SAVED_U64),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].upgrades),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].updates),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].updates_received),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].interventions),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].clean_interventions),
    SAVED_EACH_STATISTIC(struct memsys, node, member[0].coherence_write_backs),
    SAVED_EACH_STATISTIC(struct memsys, node, uncached),
};

/* Of the tiers inside memory's. */
#define INNER_TIER(NUMBER)                                                                                             \
    SAVED_EACH_STATISTIC(struct memsys, node, member[NUMBER].upgrades),                                                \
        SAVED_EACH_STATISTIC(struct memsys, node, member[NUMBER].interventions),                                       \
        SAVED_EACH_STATISTIC(struct memsys, node, member[NUMBER].clean_interventions),                                 \
        SAVED_EACH_STATISTIC(struct memsys, node, member[NUMBER].coherence_write_backs),                               \
        SAVED_EACH_STATISTIC(struct memsys, node, member[NUMBER].directory_evictions)
static const struct saved_field inner_fields[] = {INNER_TIER(1), INNER_TIER(2)};

/* Writing */

static size_t invalid_bytes(const struct array *array)
{
    return (size_t)array_entries(array) * array->invalid_groups * sizeof *array->invalid;
}

static void write_assist(const struct assist *assist, struct saved_out *out)
{
    saved_put_u32(out, assist->next);
    saved_put_u32(out, assist->next_hint);
    for (uint32_t i = 0; i < assist->lines; i++) {
        saved_put_u32(out, assist->slot[i].first << 1 | assist->slot[i].streamed);
        saved_put_u32(out, assist->hint[i]);
    }
    saved_put_u64(out, assist->hits);
    saved_put_u64(out, assist->moved);
    saved_put_u64(out, assist->dropped);
}

/* ARRAY and what each of its CPUs, from CPU on, has caused there. */
static void write_array(const struct memsys *memsys, const struct array *array, unsigned cpu, struct saved_out *out)
{
    saved_put_u32(out, array_entries(array));
    saved_put(out, array->word, array_entries(array) * sizeof *array->word);
    for (uint32_t set = 0; set < array_orders(array); set++)
        for (uint32_t i = 0; i < array->order_words; i++)
            saved_put_u64(out, array_order(array, set)[i]);
    saved_put_u32(out, array->random);
    for (; cpu < memsys->cpus && memsys->node[cpu].cache[array->id] == array; cpu++)
        saved_put(out, &memsys->node[cpu].events[array->id], sizeof memsys->node[cpu].events[array->id]);
    if (array->invalid)
        saved_put(out, array->invalid, invalid_bytes(array));
    if (array->assist)
        write_assist(array->assist, out);
}

/* What an entry says of its sharers: in one byte; up to version 3, where a word held all, behind bits 0..15. */
enum { RECORD_OWNED = 1, RECORD_MODIFIED = 2, OLD_SHARERS = 0xffff, OLD_SHIFT = 16 };

static void write_directory(const struct directory *directory, struct saved_out *out)
{
    uint64_t address = 0, step = 1u << directory->line_shift;
    uint32_t count = 0;
    struct directory_record record;
    for (; directory_next(directory, &address, &record); address += step)
        count++;
    saved_put_u32(out, count);
    for (address = 0; directory_next(directory, &address, &record); address += step) {
        saved_put_u32(out, (paddr)address);
        const uint8_t flags = (uint8_t)((record.owned ? RECORD_OWNED : 0) | (record.modified ? RECORD_MODIFIED : 0));
        saved_put_u64(out, record.sharers);
        saved_put(out, &flags, sizeof flags);
    }
}

static void write_caches(void *base, struct saved_out *out)
{
    const struct memsys *memsys = base;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id))
                write_array(memsys, memsys->node[cpu].cache[id], cpu, out);
    for (unsigned tier = 0; tier < memsys->tiers; tier++)
        write_directory(&memsys->tier[tier].directory, out);
}

/* Reading */

static bool read_histories(struct array *array, struct saved_in *in, struct err *err)
{
    for (uint32_t set = 0; set < array_orders(array); set++) {
        uint64_t *order = array->order + (size_t)set * array->order_words;
        for (uint32_t i = 0; i < array->order_words; i++)
            if (!saved_get_u64(in, &order[i]))
                return false;
        if (array->policy->is_valid ? !array->policy->is_valid(order, array->ways) : *order != 0)
            return err_set(err, "set %u of a cache: no replacement order of %s", set, array->policy->name);
        if (array->mru)
            array->mru[set] = *order & 0xf ? PERMIT_READ | PERMIT_WAY : PERMIT_READ;
    }
    return true;
}

/* Skips the `inner` array, which version 1 contains. */
static bool skip_inner(const struct array *array, struct saved_in *in)
{
    uint32_t parts;
    for (uint32_t entry = 0; entry < array_entries(array); entry++)
        if (!saved_get_u32(in, &parts))
            return false;
    return true;
}

/* Reads the counts and the words that are not valid; versions 1 and 2 have neither these nor the count of allocations.
 */
static bool read_counts_and_words(struct memsys *memsys, struct array *array, unsigned cpu, struct saved_in *in)
{
    const bool old = in->version == 1 || in->version == 2;
    const size_t size = old ? offsetof(struct array_counts, allocations) : sizeof(struct array_counts);
    for (; cpu < memsys->cpus && memsys->node[cpu].cache[array->id] == array; cpu++)
        if (!saved_get(in, &memsys->node[cpu].events[array->id], size))
            return false;
    return !array->invalid || old || saved_get(in, array->invalid, invalid_bytes(array));
}

static bool read_slot(const struct array *array, uint32_t i, struct saved_in *in, struct err *err)
{
    struct assist *assist = array->assist;
    uint32_t slot;
    if (!saved_get_u32(in, &slot) || !saved_get_u32(in, &assist->hint[i]))
        return false;
    assist->slot[i] = (struct assist_slot){.first = slot >> 1, .streamed = slot & 1};
    return (slot >> 1 < array_set_entries(array) && array_way(array, slot >> 1) == 0) ||
           err_set(err, "a line of the assist cache belongs to no set");
}

static bool read_assist(const struct array *array, struct saved_in *in, struct err *err)
{
    struct assist *assist = array->assist;
    if (!saved_get_u32(in, &assist->next) || !saved_get_u32(in, &assist->next_hint))
        return false;
    if (assist->next >= assist->lines || assist->next_hint >= assist->lines)
        return err_set(err, "an assist cache with more than %u lines", assist->lines);
    for (uint32_t i = 0; i < assist->lines; i++)
        if (!read_slot(array, i, in, err))
            return false;
    return saved_get_u64(in, &assist->hits) && saved_get_u64(in, &assist->moved) && saved_get_u64(in, &assist->dropped);
}

/* Loads ARRAY, which is empty. CPU: the first that has it. */
static bool read_array(struct memsys *memsys, struct array *array, unsigned cpu, struct saved_in *in, struct err *err)
{
    uint32_t entries;
    if (!saved_get_u32(in, &entries))
        return false;
    if (entries != array_entries(array))
        return err_set(err, "a cache of %u lines; here it has %u", entries, array_entries(array));
    if (!saved_get(in, array->word, entries * sizeof *array->word) || !read_histories(array, in, err) ||
        (array->inner && in->version == 1 && !skip_inner(array, in)) || !saved_get_u32(in, &array->random) ||
        !read_counts_and_words(memsys, array, cpu, in) || (array->assist && !read_assist(array, in, err)))
        return false;
    for (uint32_t entry = 0; entry < entries; entry++)
        if (array->word[entry])
            array_remap(array, entry);
    return array->random != 0 || err_set(err, "the random number generator has state 0");
}

/* Upper limit of the number of directory entries: each has at least one cache line. */
static uint32_t max_directory_entries(const struct memsys *memsys)
{
    uint32_t most = 0;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id))
                most += array_lines(memsys->node[cpu].cache[id]);
    return most;
}

/* Reads an entry; check_block() says whether it is possible. */
static bool read_record(struct saved_in *in, struct directory_record *record)
{
    uint32_t flags = 0;
    if (in->version >= 1 && in->version <= 3) {
        if (!saved_get_u32(in, &flags))
            return false;
        record->sharers = flags & OLD_SHARERS;
        flags >>= OLD_SHIFT;
    } else if (!saved_get_u64(in, &record->sharers) || !saved_get(in, &flags, 1)) {
        return false;
    }
    record->owned = flags & RECORD_OWNED;
    record->modified = flags & RECORD_MODIFIED;
    return true;
}

static bool read_directory(const struct memsys *memsys, struct directory *directory, struct saved_in *in,
                           struct err *err)
{
    uint32_t count, address;
    struct directory_record record;
    if (!saved_get_u32(in, &count))
        return false;
    if (count > max_directory_entries(memsys))
        return err_set(err, "%u directory entries; the caches have %u lines", count, max_directory_entries(memsys));
    for (uint32_t i = 0; i < count; i++) {
        if (!saved_get_u32(in, &address) || !read_record(in, &record))
            return false;
        *directory_at(directory, address) = record;
    }
    return true;
}

static bool read_caches(void *base, struct saved_in *in, struct err *err)
{
    struct memsys *memsys = base;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id) && !read_array(memsys, memsys->node[cpu].cache[id], cpu, in, err))
                return false;
    for (unsigned tier = 0; tier < memsys->tiers; tier++)
        if (!read_directory(memsys, &memsys->tier[tier].directory, in, err))
            return false;
    return true;
}

/* Records the lines of INNER in the `inner` arrays of the caches that include it. */
static void record_inner(const struct array *inner)
{
    for (uint32_t entry = 0; entry < array_entries(inner); entry++) {
        const paddr line = entry_line(inner, entry);
        const struct array *from = inner;
        for (struct array *outer = inner->next; inner->word[entry] && outer; from = outer, outer = outer->next) {
            uint32_t place = outer->inner ? array_find(outer, line & outer->line_mask) : NO_ENTRY;
            if (place != NO_ENTRY)
                outer->inner[place] |= array_inner_bit(outer, line, from->insn_inside);
        }
    }
}

/* Checks every invariant of the caches, whatever the file contained. */
static bool after_load(void *base, struct err *err)
{
    const struct memsys *memsys = base;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            if (memsys_is_first_of(memsys, cpu, id))
                record_inner(memsys->node[cpu].cache[id]);
    return memsys_check(base, err);
}

/* The entries of sparse directories. */
static void write_sparse(void *base, struct saved_out *out)
{
    const struct memsys *memsys = base;
    for (unsigned tier = 0; tier < memsys->tiers; tier++) {
        const struct sparse *sparse = &memsys->tier[tier].sparse;
        saved_put(out, sparse->block, sparse_size(sparse) * sizeof *sparse->block);
    }
}

static bool read_sparse(void *base, struct saved_in *in, struct err *err)
{
    struct memsys *memsys = base;
    (void)err;
    for (unsigned tier = 0; tier < memsys->tiers; tier++) {
        struct sparse *sparse = &memsys->tier[tier].sparse;
        if (!saved_get(in, sparse->block, sparse_size(sparse) * sizeof *sparse->block))
            return false;
    }
    return true;
}

static bool after_load_sparse(void *base, struct err *err)
{
    return memsys_check(base, err);
}

/* Repetitions from one checkpoint have other seeds: each begins its own sequence. */
static bool after_load_perturb(void *base, struct err *err)
{
    struct memsys *memsys = base;
    (void)err;
    if (memsys->perturb.seed != memsys->perturb_seed)
        memsys->perturb = perturb_begin(memsys->perturb_seed, memsys->perturb.limit);
    return true;
}

void memsys_register_saved(struct memsys *memsys, const struct physmem *mem, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_caches, .read = read_caches, .after_load = after_load};
    static const struct saved_field perturb_fields[] = {SAVED_FIELD(struct memsys, perturb.seed, SAVED_U64),
                                                        SAVED_FIELD(struct memsys, perturb.state, SAVED_U64)};
    static const struct saved_ops sparse_ops = {
        .write = write_sparse, .read = read_sparse, .after_load = after_load_sparse};
    static const struct saved_ops perturb_ops = {.after_load = after_load_perturb};
    if (memsys_is_flat(memsys))
        return;
    saved_add(saved, &(struct saved_section){.name = "caches",
                                             .version = 4,
                                             .oldest = 1,
                                             .timing = true,
                                             .base = memsys,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
    saved_add(saved, &(struct saved_section){.name = "caches.perturb",
                                             .version = 1,
                                             .timing = true,
                                             .optional = true,
                                             .base = memsys,
                                             SAVED_TABLE(perturb_fields),
                                             .ops = &perturb_ops});
    if (memsys->tiers > 1)
        saved_add(saved, &(struct saved_section){.name = "caches.shared",
                                                 .version = 2,
                                                 .oldest = 1,
                                                 .timing = true,
                                                 .base = memsys,
                                                 SAVED_TABLE(inner_fields),
                                                 .ops = &sparse_ops});
    protocol_pages_register_saved(memsys, saved);
    if (memsys->page_mapping)
        page_mapping_register_saved(memsys->page_mapping, mem, saved);
    if (memsys->timing)
        timing_register_saved(memsys->timing, saved);
    if (memsys->numa)
        numa_register_saved(memsys->numa, saved);
    if (memsys->prefetch)
        prefetch_register_saved(memsys, saved);
    if (memsys->block)
        block_register_saved(memsys, saved);
    if (memsys->classify)
        classify_memsys_register_saved(memsys->classify, mem, saved);
}
