/* memsys_refill_path: the refill fast path for the most common hierarchy, and the second-level side of its misses. */
#include "cache/hierarchy/node.h"
#include "cache/hierarchy/protocol.h"

bool memsys_refill_path(struct memsys *memsys, unsigned cpu, enum memsys_access access, struct memsys_refill_path *cut)
{
    if (memsys->levels != 2 || !memsys->may_refill_fast)
        return false;
    struct array *l1 = memsys->first[access != MEMSYS_FETCH][cpu], *l2 = l1->next;
    if (l1->mapped || l1->hashed || l1->policy != REPLACE_LRU || l1->ways != 2 || l1->through || l2->ways != 1 ||
        l2->hashed || l2->by_virtual || l2->hit_time > INT32_MAX || memsys->miss_time > INT32_MAX)
        return false;
    array_stop_recording_inner(l2);
    *cut = (struct memsys_refill_path){.enabled = &memsys->unobserved,
                                       .l1_entry = l1->word,
                                       .order = (uint32_t)((char *)l1->order - (char *)l1->word),
                                       .permission = (uint32_t)((char *)l1->permission - (char *)l1->word),
                                       .mru = l1->mru,
                                       .misses = l1->counts.misses,
                                       .write_backs = &l1->counts.write_backs,
                                       .l2_entry = l2->word,
                                       .line_shift = l1->line_shift,
                                       .set_mask = l1->set_mask,
                                       .outer_shift = l2->line_shift,
                                       .outer_mask = l2->set_mask,
                                       .l2_hit_time = (uint32_t)l2->hit_time,
                                       .memsys = memsys,
                                       .miss_time = (uint32_t)memsys->miss_time,
                                       .directory = memsys->upgrades ? NULL : memsys->directory.chunk,
                                       .chunk_shift = DIRECTORY_CHUNK_SHIFT,
                                       .modified_entry = directory_owned_by(cpu, COHERENCE_M)};
    return true;
}

/* The first-level entries that can hold the 8 lines, in 2 ways each, inside the second-level line at LINE: NODE_SIXTEEN
 * adjacent words of L1. When LINE is evicted, a mask says which of these entries hold part of it: those of the data
 * cache in bits 0 to 15, those of the instruction cache in bits 16 to 31. Usually there are none. */
static ALWAYS_INLINE const uint32_t *adjacent_entries(const struct array *l1, paddr line, uint32_t line_shift)
{
    return l1->word + 2 * (size_t)(line >> line_shift & l1->set_mask);
}

enum { PARTS_SHIFT = 3 };

static bool is_adjacent(const struct array *l1, const struct array *l2)
{
    return l2->line_shift - l1->line_shift == PARTS_SHIFT && l1->ways == 2 && l1->set_mask >= 7 && !l1->by_virtual &&
           !l1->hashed;
}

/* Invalidates the entries of L1 that the bits in FOUND select, counted from the entry at FIRST. */
static ALWAYS_INLINE void invalidate_entries(struct array *l1, const uint32_t *first, uint32_t found)
{
    for (; found != 0; found &= found - 1) {
        const uint32_t entry = (uint32_t)(first - l1->word) + (uint32_t)__builtin_ctz(found);
        if (l1->word[entry] == 0)
            continue;
        l1->counts.invalidations++;
        l1->counts.write_backs += l1->word[entry] / ENTRY_MODIFIED % 2;
        array_invalidate(l1, entry);
    }
}

static OUT_OF_LINE void invalidate_found(struct array *l2, const uint32_t *data, const uint32_t *insn, uint32_t found)
{
    invalidate_entries(l2->data, data, found & 0xffff);
    invalidate_entries(l2->insn, insn, found >> 16);
}

/* The geometries with specialised code: adjacent first-level entries (see above), and in addition 128-byte lines. */
enum shape { SHAPE_ANY, SHAPE_ADJACENT, SHAPE_128, SHAPES };

/* Back-invalidates the first-level lines inside LINE, which is in ENTRY of L2. 1 << LINE_SHIFT is L2's line size in
 * bytes. */
static ALWAYS_INLINE void back_invalidate(struct array *l2, uint32_t entry, paddr line, uint32_t line_shift,
                                          enum shape shape)
{
    if (shape == SHAPE_ANY) {
        node_back_invalidate_unobserved(l2, entry);
        return;
    }
    const uint32_t *data = adjacent_entries(l2->data, line, line_shift - PARTS_SHIFT),
                   *insn = adjacent_entries(l2->insn, line, line_shift - PARTS_SHIFT);
    const uint32_t size = 1u << line_shift;
    const uint32_t found =
        node_all_bits(node_find_sixteen(data, line, size, 1) | node_find_sixteen(insn, line, size, 1u << NODE_SIXTEEN));
    if (SIM_UNLIKELY(found != 0))
        invalidate_found(l2, data, insn, found);
}

static ALWAYS_INLINE uint32_t *directory_entry_of(struct directory *directory, paddr address, uint32_t line_shift)
{
    uint32_t *chunk = directory->chunk[address >> DIRECTORY_CHUNK_SHIFT];
    if (SIM_UNLIKELY(chunk == NULL))
        return directory_allocate(directory, address);
    return chunk + ((address & ((1u << DIRECTORY_CHUNK_SHIFT) - 1)) >> line_shift);
}

/* The new directory entry of a block after a miss. There are no other sharers: the machine has one CPU. */
static ALWAYS_INLINE uint32_t new_directory_entry(const struct memsys *memsys, bool write, paddr address)
{
    if (write)
        return directory_owned_by(0, COHERENCE_M);
    return protocol_sole_sharer(protocol_at(memsys, address), 0);
}

static ALWAYS_INLINE void miss(struct memsys *memsys, bool write, paddr address, enum shape shape)
{
    struct array *l2 = &memsys->node[0].cache[MEMSYS_L2];
    const uint32_t line_shift = shape == SHAPE_128 ? 7 : l2->line_shift;
    uint32_t *const word = &l2->word[address >> line_shift & l2->set_mask];
    if (*word != 0) {
        const paddr line = *word & ~(uint32_t)ENTRY_STATE;
        const uint32_t modified = *word / ENTRY_MODIFIED % 2;
        back_invalidate(l2, (uint32_t)(word - l2->word), line, line_shift, shape);
        l2->counts.write_backs += modified;
        memsys->write_backs += modified;
        *directory_entry_of(&memsys->directory, line, line_shift) = 0;
    }
    *word = (address >> line_shift << line_shift) | (write ? ENTRY_DIRTY : ENTRY_CLEAN);
    *directory_entry_of(&memsys->directory, address, line_shift) = new_directory_entry(memsys, write, address);
}

#define MISS(name, write, shape)                                                                                       \
    static void name(struct memsys *memsys, paddr address)                                                             \
    {                                                                                                                  \
        miss(memsys, write, address, shape);                                                                           \
    }
MISS(read_any, false, SHAPE_ANY)
MISS(read_adjacent, false, SHAPE_ADJACENT)
MISS(read_128, false, SHAPE_128)
MISS(write_any, true, SHAPE_ANY)
MISS(write_adjacent, true, SHAPE_ADJACENT)
MISS(write_128, true, SHAPE_128)

static enum shape shape_of(const struct array *l2)
{
    if (!is_adjacent(l2->data, l2) || !is_adjacent(l2->insn, l2))
        return SHAPE_ANY;
    return l2->line_shift == 7 ? SHAPE_128 : SHAPE_ADJACENT;
}

memsys_refill_miss *memsys_refill_miss_function(const struct memsys *memsys, enum memsys_access access)
{
    static memsys_refill_miss *const reads[SHAPES] = {read_any, read_adjacent, read_128};
    static memsys_refill_miss *const writes[SHAPES] = {write_any, write_adjacent, write_128};
    const enum shape shape = shape_of(&memsys->node[0].cache[MEMSYS_L2]);
    return access == MEMSYS_WRITE ? writes[shape] : reads[shape];
}

cycles memsys_refill_count_misses(struct memsys *memsys, enum memsys_access access, uint64_t count,
                                  struct bucket *bucket)
{
    static const enum miss first_level[] = {MISS_L1I, MISS_L1D_READ, MISS_L1D_WRITE};
    const bool fetch = access == MEMSYS_FETCH;
    struct array *l1 = memsys->first[!fetch][0];
    memsys->fills += count;
    l1->counts.misses[access] += count;
    l1->next->counts.misses[access] += count;
    bucket->miss[first_level[access]] += count;
    bucket->miss[fetch ? MISS_L2_INSN : MISS_L2_DATA] += count;
    return charge(bucket, fetch ? STALL_L2I : STALL_L2D, count * memsys->miss_time);
}
