#include "cache/classify/classify_sharing.h"

#include "cache/state/line_table.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum { WORD_SHIFT = 2, BLOCK_SHIFT_MAX = 8 };
/* Loops over `unwritten` process this many elements at a time. */
enum { STEP = 8 };
enum { ROOM_AT_FIRST = 1 << 14 }; /* in records; untouched memory costs nothing */
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
_Static_assert(BLOCK_SHIFT_MAX - WORD_SHIFT == 6, "a block has 64 words at most");

void sharing_init(struct sharing *sharing, unsigned cpus, unsigned caches, uint32_t block, uint32_t store_line,
                  const unsigned shared[])
{
    *sharing = (struct sharing){.cpus = cpus,
                                .caches = caches,
                                .block_shift = (uint32_t)__builtin_ctz(block),
                                .step = (cpus * caches + STEP - 1) / STEP * STEP,
                                .records = 1};
    if (sharing->block_shift > BLOCK_SHIFT_MAX)
        sharing->block_shift = BLOCK_SHIFT_MAX;
    block = 1u << sharing->block_shift;
    if (store_line > block)
        store_line = block;
    sharing->line_words = UINT64_MAX >> (64 - (store_line >> WORD_SHIFT));
    sharing->line_first = (block - 1) >> WORD_SHIFT & ~((store_line - 1) >> WORD_SHIFT);
    sharing->record_of = line_table_create(sharing->block_shift, sizeof *sharing->record_of);
    for (unsigned i = 0; i < caches; i++) {
        sharing->first[i] = shared[i] > 1 ? ~(shared[i] - 1) : UINT32_MAX;
        sharing->shares |= shared[i] > 1;
    }
}

void sharing_release(struct sharing *sharing)
{
    line_table_free(sharing->record_of, sharing->block_shift, sizeof *sharing->record_of);
    free(sharing->lost);
    free(sharing->unwritten);
    free(sharing->unwritten_anywhere);
}

static inline size_t place_of(const struct sharing *sharing, uint32_t record, unsigned cpu, unsigned cache)
{
    return (size_t)record * sharing->step + cpu * sharing->caches + cache;
}

/* Bit mask of the words of the SIZE bytes at ADDRESS, which are within one block; bit 0 is the first word of the block.
 */
static inline uint64_t words_inside(const struct sharing *sharing, paddr address, uint32_t size)
{
    const uint32_t offset = address & ((1u << sharing->block_shift) - 1);
    const uint32_t first = offset >> WORD_SHIFT, last = (offset + size - 1) >> WORD_SHIFT;
    return UINT64_MAX >> (63 - (last - first)) << first;
}

/* Bit mask of the words of the SIZE bytes at ADDRESS, as far as they are in ADDRESS's block. */
static uint64_t words(const struct sharing *sharing, paddr address, uint32_t size)
{
    const uint32_t block = 1u << sharing->block_shift, rest = block - (address & (block - 1));
    return words_inside(sharing, address, size < rest ? size : rest);
}

/* Bit mask of the words of the line that contains ADDRESS, in the cache that receives stores. */
static inline uint64_t words_of_line(const struct sharing *sharing, paddr address)
{
    return sharing->line_words << (address >> WORD_SHIFT & sharing->line_first);
}

static uint32_t new_record(struct sharing *sharing)
{
    const size_t step = sharing->step;
    if (sharing->records >= sharing->room) {
        sharing->room = sharing->room ? sharing->room * 2 : ROOM_AT_FIRST;
        sharing->lost = realloc(sharing->lost, sharing->room * step * sizeof *sharing->lost);
        sharing->unwritten = realloc(sharing->unwritten, sharing->room * step * sizeof *sharing->unwritten);
        sharing->unwritten_anywhere =
            realloc(sharing->unwritten_anywhere, sharing->room * sizeof *sharing->unwritten_anywhere);
        if (!sharing->lost || !sharing->unwritten || !sharing->unwritten_anywhere)
            log_bug("out of memory for %u shared lines", sharing->room);
    }
    const uint32_t record = sharing->records++;
    memset(sharing->lost + record * step, 0, step * sizeof *sharing->lost);
    memset(sharing->unwritten + record * step, 0, step * sizeof *sharing->unwritten);
    sharing->unwritten_anywhere[record] = 0;
    return record;
}

static uint64_t find_open_anywhere(const struct sharing *sharing, uint32_t record)
{
    const uint64_t *open = sharing->unwritten + (size_t)record * sharing->step, *const end = open + sharing->step;
    pair words = {0, 0};
    for (; open < end; open += STEP) {
        const pair *pairs = (const pair *)open;
        words |= (pairs[0] | pairs[1]) | (pairs[2] | pairs[3]);
    }
    return words[0] | words[1];
}

struct sharing_invalidated sharing_invalidated(const struct sharing *sharing, uint32_t record, unsigned cpu,
                                               unsigned cache)
{
    const size_t place = place_of(sharing, record, cpu, cache);
    return (struct sharing_invalidated){sharing->lost[place], sharing->lost[place] & ~sharing->unwritten[place]};
}

void sharing_add_record(struct sharing *sharing, uint32_t block, const struct sharing_invalidated *losses)
{
    const uint32_t record = sharing->record_of[block] = new_record(sharing);
    for (size_t i = 0; i < sharing->cpus * sharing->caches; i++) {
        const size_t place = place_of(sharing, record, 0, 0) + i;
        sharing->lost[place] = losses[i].lost;
        sharing->unwritten[place] = losses[i].lost & ~losses[i].written;
    }
    sharing->unwritten_anywhere[record] = find_open_anywhere(sharing, record);
}

static void invalidate_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    uint32_t *record = &sharing->record_of[line >> sharing->block_shift];
    if (*record == 0)
        *record = new_record(sharing);
    const size_t place = place_of(sharing, *record, cpu, cache);
    const uint64_t added = words(sharing, line, size) & ~sharing->lost[place];
    sharing->lost[place] |= added;
    sharing->unwritten[place] |= added;
    sharing->unwritten_anywhere[*record] |= added;
}

static void refetch_block(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    const uint32_t record = sharing->record_of[line >> sharing->block_shift];
    const size_t place = place_of(sharing, record, cpu, cache);
    const uint64_t bits = words(sharing, line, size);
    const bool was_open = (sharing->unwritten[place] & bits) != 0;
    sharing->lost[place] &= ~bits;
    sharing->unwritten[place] &= ~bits;
    if (was_open)
        sharing->unwritten_anywhere[record] = find_open_anywhere(sharing, record);
}

void sharing_invalidate(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    for (uint32_t offset = 0; offset < size; offset += 1u << sharing->block_shift)
        invalidate_block(sharing, cpu, cache, line + offset, size - offset);
}

void sharing_refetch(struct sharing *sharing, unsigned cpu, unsigned cache, paddr line, uint32_t size)
{
    for (uint32_t offset = 0; offset < size; offset += 1u << sharing->block_shift)
        refetch_block(sharing, cpu, cache, line + offset, size - offset);
}

bool sharing_is_true(const struct sharing *sharing, unsigned cpu, unsigned cache, paddr address, uint32_t size)
{
    const uint32_t record = sharing->record_of[address >> sharing->block_shift];
    return sharing_invalidated(sharing, record, cpu, cache).written & words(sharing, address, size);
}

/* Whether any of BITS is open in a cache of another CPU than WRITER. */
static __attribute__((noinline)) bool is_open_in_others(const struct sharing *sharing, uint32_t record, unsigned writer,
                                                        uint64_t bits)
{
    const uint64_t *open = sharing->unwritten + (size_t)record * sharing->step;
    for (unsigned cpu = 0; cpu < sharing->cpus; cpu++)
        for (unsigned cache = 0; cache < sharing->caches; cache++)
            if (cpu != (writer & sharing->first[cache]) && (open[cpu * sharing->caches + cache] & bits))
                return true;
    return false;
}

/* Words open in WRITER's own caches; usually none. */
static inline uint64_t open_in_own(const struct sharing *sharing, uint32_t record, unsigned writer)
{
    uint64_t words = 0;
    if (writer == SHARING_DEVICE)
        return words;
    if (SIM_UNLIKELY(sharing->shares)) {
        for (unsigned cache = 0; cache < sharing->caches; cache++)
            words |= sharing->unwritten[place_of(sharing, record, writer & sharing->first[cache], cache)];
        return words;
    }
    const uint64_t *open = sharing->unwritten + place_of(sharing, record, writer, 0), *const end =
                                                                                          open + sharing->caches;
    for (; open < end; open++)
        words |= *open;
    return words;
}

/* Some words of BITS, a line, are open; OWN are those open in WRITER's caches. Returns whether they are open in
 * WRITER's caches only, so that it does not matter which of them WRITER stores to. Usually a WRITER that holds the line
 * has none open. */
static inline bool is_open_in_own_only(const struct sharing *sharing, uint32_t record, unsigned writer, uint64_t bits,
                                       uint64_t own)
{
    return SIM_UNLIKELY((own & bits) != 0) && !is_open_in_others(sharing, record, writer, bits);
}

bool sharing_record_may_store(const struct sharing *sharing, unsigned writer, paddr address)
{
    const uint32_t record = sharing->record_of[address >> sharing->block_shift];
    const uint64_t line = words_of_line(sharing, address);
    return !(sharing->unwritten_anywhere[record] & line) ||
           is_open_in_own_only(sharing, record, writer, line, open_in_own(sharing, record, writer));
}

/* WRITER writes BITS in LINE, some of which are open: they stay open in WRITER's own caches only, where OWN is open.
 * Returns the result of sharing_record_store(). */
static __attribute__((noinline)) bool write_some(struct sharing *sharing, uint32_t record, unsigned writer,
                                                 uint64_t bits, uint64_t line, uint64_t own)
{
    uint64_t *open = sharing->unwritten + (size_t)record * sharing->step;
    for (unsigned cpu = 0; cpu < sharing->cpus; cpu++)
        for (unsigned cache = 0; cache < sharing->caches; cache++)
            if (cpu != (writer & sharing->first[cache]))
                open[cpu * sharing->caches + cache] &= ~bits;
    sharing->unwritten_anywhere[record] &= ~bits | own;
    return !(sharing->unwritten_anywhere[record] & line) || is_open_in_own_only(sharing, record, writer, line, own);
}

/* The same if none of BITS is open in WRITER's own caches: they are then open nowhere. */
static inline void write_all(struct sharing *sharing, uint32_t record, uint64_t bits)
{
    uint64_t *open = sharing->unwritten + (size_t)record * sharing->step, *const end = open + sharing->step;
    for (const pair keep = {~bits, ~bits}; open < end; open += STEP) {
        pair *pairs = (pair *)open;
        pairs[0] &= keep;
        pairs[1] &= keep;
        pairs[2] &= keep;
        pairs[3] &= keep;
    }
    sharing->unwritten_anywhere[record] &= ~bits;
}

/* sharing_record_store() for BITS in LINE of which some are open. */
static __attribute__((noinline)) bool write_open(struct sharing *sharing, uint32_t record, unsigned writer,
                                                 uint64_t bits, uint64_t line)
{
    const uint64_t own = open_in_own(sharing, record, writer);
    if (SIM_UNLIKELY((own & (bits | line)) != 0))
        return write_some(sharing, record, writer, bits, line, own);
    write_all(sharing, record, bits);
    return !(sharing->unwritten_anywhere[record] & line);
}

bool sharing_record_store(struct sharing *sharing, unsigned writer, paddr address, uint32_t size)
{
    const uint32_t record = sharing->record_of[address >> sharing->block_shift];
    const uint64_t bits = words_inside(sharing, address, size), line = words_of_line(sharing, address);
    const uint64_t open = sharing->unwritten_anywhere[record];
    if (open & bits)
        return write_open(sharing, record, writer, bits, line);
    return !(open & line) || is_open_in_own_only(sharing, record, writer, line, open_in_own(sharing, record, writer));
}
