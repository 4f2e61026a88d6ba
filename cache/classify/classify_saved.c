/* Checkpoints of the miss classification: the state of every line, sharing, the LRU order of the fully associative
 * reference caches, counts and profiles. Only lines of RAM are ever in a cache, and those
 * at which caches see a kernel that is placed (src/base/board.h), so only these are saved. */
#include "cache/classify/classify_private.h"

#include "cache/classify/classify_saved.h"
#include "src/base/board.h"
#include <stddef.h>
#include <stdlib.h>

enum { NO_PAGE = -1 };

/* Number of counters in struct classify_counts behind `miss`; before version 4 it had no `reference`, its last member,
 * and before version 3 no `user_user` before that. */
enum {
    COUNTS = (sizeof(struct classify_counts) - offsetof(struct classify_counts, evicted)) / sizeof(uint64_t),
    COUNTS_BEFORE_4 = COUNTS - MODE_COUNT,
    COUNTS_BEFORE_3 = COUNTS_BEFORE_4 - MISS_KINDS
};

/* How many classes the file has: before version 5 not the last one, interference. */
static unsigned classes_in(const struct saved_in *in)
{
    return in->version >= 1 && in->version < 5 ? CLASS_INTERFERENCE : CLASS_COUNT;
}
_Static_assert(CLASS_INTERFERENCE == CLASS_COUNT - 1, "it is the last one");

static bool is_cached(const struct classify *classify, uint64_t address)
{
    const bool is_placed = address >= BOARD_PLACED_BASE && address < BOARD_PLACED_BASE + (uint64_t)BOARD_PLACED_SIZE;
    return is_placed || (address < UINT64_C(1) << 32 && classify->mem->page_flags[address >> PAGE_SHIFT] & PAGE_IS_RAM);
}

/* Line states, in pieces of a page or, if longer, a line; pieces with all states 0 are omitted */

/* Bytes in a piece. */
static uint32_t piece_of(const struct classify_cache *cache)
{
    return 1u << (cache->line_shift > PAGE_SHIFT ? cache->line_shift : PAGE_SHIFT);
}

static uint32_t lines_in_piece(const struct classify_cache *cache)
{
    return piece_of(cache) >> cache->line_shift;
}

static bool is_known(const struct classify_cache *cache, uint64_t piece)
{
    for (uint32_t i = 0; i < lines_in_piece(cache); i++)
        if (cache->state[(piece >> cache->line_shift) + i])
            return true;
    return false;
}

static void write_states(const struct classify *classify, const struct classify_cache *cache, struct saved_out *out)
{
    for (uint64_t piece = 0; piece < UINT64_C(1) << 32; piece += piece_of(cache))
        if (is_cached(classify, piece) && is_known(cache, piece)) {
            saved_put_u64(out, piece);
            saved_put(out, &cache->state[piece >> cache->line_shift], lines_in_piece(cache) * sizeof *cache->state);
        }
    saved_put_u64(out, (uint64_t)NO_PAGE);
}

/* Checks the state of LINE. An invalidated line must have a sharing record: sharing_refetch() relies on it. */
static bool check_state(const struct classify *classify, const struct classify_cache *cache, uint32_t line,
                        struct err *err)
{
    const uint32_t state = cache->state[line];
    const uint64_t start = (uint64_t)line << cache->line_shift, end = start + (1u << cache->line_shift);
    if ((state & LINE_STATE_MASK) > SUPPLIED)
        return err_set(err, "line 0x%llx: invalid state", (unsigned long long)start);
    if (!classify->tracks_words || (state & LINE_STATE_MASK) != INVALIDATED)
        return true;
    for (uint64_t block = start; block < end; block += 1u << classify->sharing.block_shift)
        if (!classify->sharing.record_of[block >> classify->sharing.block_shift])
            return err_set(err, "line 0x%llx was invalidated but has no sharing record", (unsigned long long)start);
    return true;
}

static bool read_states(const struct classify *classify, struct classify_cache *cache, struct saved_in *in,
                        struct err *err)
{
    uint64_t piece;
    while (saved_get_u64(in, &piece)) {
        if (piece == (uint64_t)NO_PAGE)
            return true;
        uint32_t line = (uint32_t)(piece >> cache->line_shift);
        if (!is_cached(classify, piece) || piece & (piece_of(cache) - 1))
            return err_set(err, "lines at 0x%llx, which is not RAM", (unsigned long long)piece);
        if (!saved_get(in, &cache->state[line], lines_in_piece(cache) * sizeof *cache->state))
            return false;
        for (uint32_t i = 0; i < lines_in_piece(cache); i++)
            if (!check_state(classify, cache, line + i, err))
                return false;
    }
    return false;
}

/* Of a shared cache: the time of its latest use, and who evicted the lines, in pieces as above */

static void write_evictors(const struct classify *classify, const struct classify_cache *cache, struct saved_out *out)
{
    saved_put_u64(out, cache->uses);
    for (uint64_t piece = 0; piece < UINT64_C(1) << 32; piece += piece_of(cache))
        if (is_cached(classify, piece) && is_known(cache, piece))
            saved_put(out, &cache->evictor[piece >> cache->line_shift], lines_in_piece(cache));
}

static bool read_evictors(const struct classify *classify, struct classify_cache *cache, struct saved_in *in,
                          struct err *err)
{
    if (!saved_get_u64(in, &cache->uses))
        return false;
    for (uint64_t piece = 0; piece < UINT64_C(1) << 32; piece += piece_of(cache)) {
        const size_t line = piece >> cache->line_shift;
        if (!is_cached(classify, piece) || !is_known(cache, piece))
            continue;
        if (!saved_get(in, &cache->evictor[line], lines_in_piece(cache)))
            return false;
        for (uint32_t i = 0; i < lines_in_piece(cache); i++)
            if (cache->evictor[line + i] >= classify->config.cpus)
                return err_set(err, "a line was evicted by cpu%u, which does not exist", cache->evictor[line + i]);
    }
    return true;
}

/* The fully associative reference cache: its lines in LRU order */

static void write_fa_cache(const struct fa_cache *fa_cache, struct saved_out *out)
{
    uint32_t count;
    struct fa_cache_use *uses = fa_cache_lru_order(fa_cache, &count);
    saved_put_u32(out, count);
    for (uint32_t i = 0; i < count; i++) {
        saved_put_u64(out, uses[i].time);
        saved_put_u32(out, uses[i].line);
    }
    free(uses);
}

static bool read_fa_cache(struct fa_cache *fa_cache, struct saved_in *in, struct err *err)
{
    uint32_t count, line;
    uint64_t time, before = 0;
    if (!saved_get_u32(in, &count))
        return false;
    if (count > fa_cache->capacity)
        return err_set(err, "%u lines in a cache of %u", count, fa_cache->capacity);
    fa_cache_clear(fa_cache);
    for (uint32_t i = 0; i < count; i++, before = time) {
        if (!saved_get_u64(in, &time) || !saved_get_u32(in, &line))
            return false;
        if (time == 0 || time < before || line >> (32 - fa_cache->line_shift) || fa_cache_holds(fa_cache, line))
            return err_set(err, "line %u: last use out of order, or line present twice", line);
        fa_cache_insert(fa_cache, line, time);
    }
    return true;
}

/* Sharing */

/* Bit N: CPU N has invalidated copies. */
static uint64_t cpus_with_losses(const struct sharing *sharing, const struct sharing_invalidated *losses)
{
    uint64_t loss_mask = 0;
    for (unsigned i = 0; i < sharing->cpus * sharing->caches; i++)
        loss_mask |= (uint64_t)(losses[i].lost != 0) << i / sharing->caches;
    return loss_mask;
}

static void write_losses(const struct sharing *sharing, uint32_t record, struct saved_out *out)
{
    struct sharing_invalidated losses[CLASSIFY_CPUS_MAX * CLASSIFY_CACHES_MAX], *loss = losses;
    for (unsigned cpu = 0; cpu < sharing->cpus; cpu++)
        for (unsigned cache = 0; cache < sharing->caches; cache++)
            *loss++ = sharing_invalidated(sharing, record, cpu, cache);
    saved_put_u64(out, cpus_with_losses(sharing, losses));
    saved_put(out, losses, (size_t)(loss - losses) * sizeof *losses);
}

static void write_sharing(const struct classify *classify, struct saved_out *out)
{
    const struct sharing *sharing = &classify->sharing;
    uint32_t blocks = 1u << (32 - sharing->block_shift);
    for (uint32_t block = 0; block < blocks; block++) {
        if (!is_cached(classify, (uint64_t)block << sharing->block_shift)) {
            block |= (1u << (PAGE_SHIFT - sharing->block_shift)) - 1; /* skip the rest of the page */
            continue;
        }
        uint32_t record = sharing->record_of[block];
        if (!record)
            continue;
        saved_put_u32(out, block);
        write_losses(sharing, record, out);
    }
    saved_put_u32(out, UINT32_MAX);
}

/* Before version 6 there were no more than 32 CPUs. */
static bool read_loss_mask(struct saved_in *in, uint64_t *loss_mask)
{
    uint32_t of_32;
    if (in->version == 0 || in->version > 5)
        return saved_get_u64(in, loss_mask);
    if (!saved_get_u32(in, &of_32))
        return false;
    *loss_mask = of_32;
    return true;
}

static bool read_sharing(struct classify *classify, struct saved_in *in, struct err *err)
{
    struct sharing *sharing = &classify->sharing;
    struct sharing_invalidated losses[CLASSIFY_CPUS_MAX * CLASSIFY_CACHES_MAX];
    uint32_t block;
    uint64_t loss_mask;
    while (saved_get_u32(in, &block)) {
        if (block == UINT32_MAX)
            return true;
        if (!read_loss_mask(in, &loss_mask))
            return false;
        if (!is_cached(classify, (uint64_t)block << sharing->block_shift) || sharing->record_of[block] ||
            loss_mask & ~(UINT64_MAX >> (64 - sharing->cpus)))
            return err_set(err, "block %u: invalid or duplicate sharing record", block);
        if (!saved_get(in, losses, (size_t)sharing->cpus * sharing->caches * sizeof *losses))
            return false;
        if (loss_mask != cpus_with_losses(sharing, losses))
            return err_set(err, "block %u: inconsistent set of CPUs with invalidated copies", block);
        sharing_add_record(sharing, block, losses);
    }
    return false;
}

/* Profiles */

static void write_profile(const struct profile *profile, struct saved_out *out)
{
    size_t count;
    struct classify_profile_entry *entries = profile_sorted(profile, &count);
    saved_put_u64(out, count);
    saved_put(out, entries, count * sizeof *entries);
    free(entries);
}

static bool read_profile(struct profile *profile, struct saved_in *in)
{
    enum {
        BEFORE = offsetof(struct classify_profile_entry, class),
        BEHIND = offsetof(struct classify_profile_entry, insn_stall)
    };
    uint64_t count;
    if (!saved_get_u64(in, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct classify_profile_entry entry = {.key = 0};
        if (!saved_get(in, &entry, BEFORE) || !saved_get(in, entry.class, classes_in(in) * sizeof *entry.class) ||
            (in->version != 1 && !saved_get(in, &entry.insn_stall, sizeof entry - BEHIND)))
            return false;
        *profile_entry(profile, entry.key) = entry;
    }
    return true;
}

/* The section; parts that others depend on come first */

static void write_cpu(const struct classify *classify, const struct classify_context *context, struct saved_out *out)
{
    saved_put_u32(out, context->mode);
    saved_put_u32(out, context->process);
    saved_put_u32(out, context->missed);
    saved_put_u32(out, context->class);
    saved_put_u64(out, context->last_use);
    for (unsigned i = 0; i < classify->config.caches; i++) {
        const struct classify_cache *cache = &context->cache[i];
        saved_put(out, &cache->counts, sizeof cache->counts);
        if (cache->home != cache)
            continue;
        write_states(classify, cache, out);
        if (cache->evictor)
            write_evictors(classify, cache, out);
        if (classify->full)
            write_fa_cache(&cache->fa_cache, out);
    }
}

static bool read_counts(struct classify_counts *counts, struct saved_in *in)
{
    static const size_t before[] = {[1] = COUNTS_BEFORE_3, [2] = COUNTS_BEFORE_3, [3] = COUNTS_BEFORE_4};
    const size_t rest = in->version >= 1 && in->version <= 3 ? before[in->version] : COUNTS;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned kind = 0; kind < MISS_KINDS; kind++)
            if (!saved_get(in, counts->miss[mode][kind], classes_in(in) * sizeof(uint64_t)))
                return false;
    return saved_get(in, counts->evicted, rest * sizeof(uint64_t));
}

static bool read_cache(struct classify *classify, struct classify_cache *cache, struct saved_in *in, struct err *err)
{
    if (!read_counts(&cache->counts, in))
        return false;
    if (cache->home != cache)
        return true;
    return read_states(classify, cache, in, err) && (!cache->evictor || read_evictors(classify, cache, in, err)) &&
           (!classify->full || read_fa_cache(&cache->fa_cache, in, err));
}

static bool read_cpu(struct classify *classify, unsigned cpu, struct saved_in *in, struct err *err)
{
    struct classify_context *context = &classify->cpu[cpu];
    uint32_t mode, process, class;
    if (!saved_get_u32(in, &mode) || !saved_get_u32(in, &process) || !saved_get_u32(in, &context->missed) ||
        !saved_get_u32(in, &class) || !saved_get_u64(in, &context->last_use))
        return false;
    if (mode >= MODE_COUNT || process >> 28 || class >= CLASS_COUNT)
        return err_set(err, "cpu%u runs process %u in mode %u", cpu, process, mode);
    classify_set_context(classify, cpu, mode, process);
    context->class = class;
    for (unsigned i = 0; i < classify->config.caches; i++)
        if (!read_cache(classify, &context->cache[i], in, err))
            return false;
    return true;
}

static void write_all(void *base, struct saved_out *out)
{
    const struct classify *classify = base;
    saved_put_u32(out, classify->present);
    if (classify->tracks_words)
        write_sharing(classify, out);
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        write_cpu(classify, &classify->cpu[cpu], out);
    for (unsigned i = 0; i < CLASSIFY_PROFILES; i++)
        write_profile(&classify->profile[i], out);
}

static bool read_all(void *base, struct saved_in *in, struct err *err)
{
    struct classify *classify = base;
    uint32_t present;
    if (!saved_get_u32(in, &present))
        return false;
    if ((present & LINE_STATE_MASK) != (classify->present & LINE_STATE_MASK))
        return err_set(err, "invalid state %u for lines that are present", present);
    classify->present = present;
    if (classify->tracks_words && !read_sharing(classify, in, err))
        return false;
    for (unsigned cpu = 0; cpu < classify->config.cpus; cpu++)
        if (!read_cpu(classify, cpu, in, err))
            return false;
    for (unsigned i = 0; i < CLASSIFY_PROFILES; i++)
        if (!read_profile(&classify->profile[i], in))
            return false;
    return true;
}

void classify_register_saved(struct classify *classify, const struct physmem *mem, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_all, .read = read_all};
    classify->mem = mem;
    saved_add(saved,
              &(struct saved_section){
                  .name = "classification", .version = 6, .oldest = 1, .timing = true, .base = classify, .ops = &ops});
}
