/*
 * A sweep of complete memory systems side by side.
 *
 * They share the fast-path permission bytes of the machine that runs: every access is reported to all of them unless it
 * would change no state in any. Each point gets a pointer to the byte and clears the byte when necessary; the final
 * value is the least permission that any point allows.
 *
 * The causes of misses are recorded for the caches in which the points differ.
 */
#include "cache/state/geometry.h"
#include "cache/state/hooks.h"
#include "cache/observe/sweep_method.h"

#include "src/base/board.h"
#include "src/base/log.h"
#include <stdlib.h>

/* Why a cache lost a line, for each line of the address space, in chunks of one megabyte. */
enum {
    CHUNK_SHIFT = 20,
    CHUNKS = 1 << (32 - CHUNK_SHIFT),
};
enum { LOST_NEVER, LOST_COHERENCE, LOST_FLUSHED, LOST_TO_KERNEL, LOST_TO_USER /* + process number */ };

/* A cache of one CPU of one point, with its counts. */
struct counted {
    uint32_t line_shift;
    uint16_t *reason[CHUNKS];
    struct sweep_counts counts;
};

struct points;

struct point {
    struct points *sweep;
    struct memsys *memsys;
    struct sweep_cache geometry[MEMSYS_CACHES];
    struct counted *counted[MEMSYS_CACHES]; /* [cpu]; NULL: no counts for this cache */
    struct bucket unused_bucket;            /* stalls and misses of the accesses; not used */
};

struct points {
    struct sweep_source source;
    bool needs_every_access;        /* a point does, see sweep_needs_every_access() */
    enum mode mode[BOARD_MAX_CPUS]; /* context of each CPU */
    uint16_t owner[BOARD_MAX_CPUS];
    uint8_t dummy_permission; /* dummy permission byte */
    unsigned count;
    struct point point[];
};

/* Causes */

static uint16_t *reason_of(struct counted *counted, paddr line)
{
    uint16_t **chunk = &counted->reason[line >> CHUNK_SHIFT];
    if (!*chunk)
        *chunk = checked_memory(calloc((1u << CHUNK_SHIFT) >> counted->line_shift, sizeof **chunk));
    return *chunk + ((line & ((1u << CHUNK_SHIFT) - 1)) >> counted->line_shift);
}

static struct counted *counted_cache(const struct point *point, unsigned cpu, enum memsys_cache cache)
{
    return point->counted[cache] ? &point->counted[cache][cpu] : NULL;
}

/* Why CPU's CACHE, which has counts, lost LINE: of a cache that CPUs share the first of them has the reasons. */
static uint16_t *reason_in(const struct point *point, unsigned cpu, enum memsys_cache cache, paddr line)
{
    return reason_of(&point->counted[cache][memsys_first_sharer(point->memsys, cpu, cache)], line);
}

static void note_miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                      paddr line)
{
    struct point *point = opaque;
    struct counted *counted = counted_cache(point, cpu, cache);
    if (!counted)
        return;
    uint16_t reason = *reason_in(point, cpu, cache, line);
    enum sweep_cause cause = reason == LOST_NEVER                 ? SWEEP_COLD
                             : reason == LOST_COHERENCE           ? SWEEP_COHERENCE
                             : reason == LOST_FLUSHED             ? SWEEP_FLUSHED
                             : reason == point->sweep->owner[cpu] ? SWEEP_SELF
                                                                  : SWEEP_OTHER;
    enum sweep_kind kind = request->access == MEMSYS_FETCH ? SWEEP_INSN : SWEEP_DATA;
    counted->counts.misses[point->sweep->mode[cpu]][kind][cause]++;
}

static void note_leave(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                       unsigned by_cpu)
{
    struct point *point = opaque;
    struct counted *counted = counted_cache(point, cpu, cache);
    if (!counted)
        return;
    uint16_t reason = point->sweep->owner[by_cpu];
    if (why == REMOVED_INVALIDATION || why == REMOVED_DMA)
        reason = LOST_COHERENCE;
    else if (why == REMOVED_CACHE_OP)
        reason = LOST_FLUSHED;
    else if (why == REMOVED_MOVE)
        reason = LOST_NEVER;
    *reason_in(point, cpu, cache, line) = reason;
}

/* An upgrade counts in the outermost cache of data with counts: instruction caches see no stores. */
static void note_upgrade(void *opaque, unsigned cpu, enum memsys_cache sender, const struct memsys_request *request,
                         paddr block)
{
    struct point *point = opaque;
    (void)sender;
    (void)request;
    (void)block;
    for (int cache = MEMSYS_CACHES - 1; cache >= 0; cache--) {
        struct counted *counted = counted_cache(point, cpu, (enum memsys_cache)cache);
        if (counted && cache == (int)data_cache(level_of((enum memsys_cache)cache))) {
            counted->counts.upgrades[point->sweep->mode[cpu]]++;
            return;
        }
    }
}

static void note_write(void *opaque, unsigned cpu, enum memsys_cache from, paddr address, uint32_t size)
{
    struct counted *counted = counted_cache(opaque, cpu, from);
    (void)address;
    (void)size;
    if (counted)
        counted->counts.write_backs++;
}

static const struct memsys_event_ops events = {
    .miss = note_miss, .removal = note_leave, .upgrade = note_upgrade, .write = note_write};

/* Creation */

static bool same_geometry(const struct sweep_cache *a, const struct sweep_cache *b)
{
    return a->size == b->size && a->line == b->line && a->ways == b->ways;
}

/* Whether to count CACHE: the points differ in it, or in no cache at all (but for example in a policy). */
static bool is_of_varied_size(const struct points *sweep, enum memsys_cache cache)
{
    bool differs[MEMSYS_CACHES] = {false}, any = false;
    for (unsigned c = 0; c < MEMSYS_CACHES; c++) {
        for (unsigned i = 1; i < sweep->count; i++)
            differs[c] |= !same_geometry(&sweep->point[0].geometry[c], &sweep->point[i].geometry[c]);
        any |= differs[c];
    }
    return differs[cache] || !any;
}

static void count_cache(struct points *sweep, struct point *point, enum memsys_cache cache)
{
    if (point->geometry[cache].size == 0 || !is_of_varied_size(sweep, cache))
        return;
    point->counted[cache] = checked_memory(calloc(sweep->source.cpus, sizeof *point->counted[cache]));
    for (unsigned cpu = 0; cpu < sweep->source.cpus; cpu++)
        point->counted[cache][cpu].line_shift = (uint32_t)__builtin_ctz(point->geometry[cache].line);
}

static void release(void *opaque)
{
    struct points *sweep = opaque;
    for (unsigned i = 0; i < sweep->count; i++) {
        for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++) {
            for (unsigned cpu = 0; sweep->point[i].counted[cache] && cpu < sweep->source.cpus; cpu++)
                for (unsigned chunk = 0; chunk < CHUNKS; chunk++)
                    free(sweep->point[i].counted[cache][cpu].reason[chunk]);
            free(sweep->point[i].counted[cache]);
        }
        memsys_free(sweep->point[i].memsys);
    }
    free(sweep);
}

static void *create(const struct sweep_source *source, const struct params *const *params, unsigned count,
                    struct err *err)
{
    struct points *sweep = checked_memory(calloc(1, sizeof *sweep + count * sizeof *sweep->point));
    sweep->source = *source;
    sweep->count = count;
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++) {
        sweep->mode[cpu] = MODE_KERNEL;
        sweep->owner[cpu] = LOST_TO_KERNEL;
    }
    for (unsigned i = 0; i < count; i++) {
        struct point *point = &sweep->point[i];
        sweep->needs_every_access |= sweep_needs_every_access(params[i]);
        point->sweep = sweep;
        point->memsys = memsys_create(params[i], source->cpus, source->clock_hz, err);
        if (!point->memsys) {
            release(sweep);
            return NULL;
        }
        for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
            if (memsys_entries(point->memsys, (enum memsys_cache)cache, NULL) > 0)
                sweep_geometry(params[i], cache_name((enum memsys_cache)cache), &point->geometry[cache]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct point *point = &sweep->point[i];
        for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
            count_cache(sweep, point, (enum memsys_cache)cache);
        memsys_attach(point->memsys, &events, point);
    }
    return sweep;
}

/* References */

static void refer_access(struct points *sweep, const struct reference *reference, uint8_t *permission)
{
    static const enum memsys_access accesses[] = {
        [REFERENCE_FETCH] = MEMSYS_FETCH, [REFERENCE_READ] = MEMSYS_READ, [REFERENCE_WRITE] = MEMSYS_WRITE};
    uint8_t *byte = permission ? permission : &sweep->dummy_permission;
    uint8_t allowed = permission && !sweep->needs_every_access ? *permission : PERMIT_NONE;
    struct memsys_request request = {.address = reference->address,
                                     .virtual_address = reference->virtual_address,
                                     .space = reference->space,
                                     .access = accesses[reference->kind],
                                     .size = (uint8_t)reference->size,
                                     .permission = byte,
                                     .now = reference->now};
    sweep->mode[reference->cpu] = reference->mode;
    sweep->owner[reference->cpu] =
        reference->mode == MODE_USER ? (uint16_t)(LOST_TO_USER + reference->process) : LOST_TO_KERNEL;
    for (unsigned i = 0; i < sweep->count; i++) {
        struct point *point = &sweep->point[i];
        request.max_permission = sweep_max_permission(allowed);
        request.bucket = &point->unused_bucket;
        *byte = PERMIT_NONE;
        memsys_access(point->memsys, reference->cpu, &request);
        allowed = sweep_lower_permission(allowed, *byte);
    }
    *byte = allowed;
}

/* Before a flush: records it as the reason why the caches lose the lines they hold. */
static void note_flush(struct point *point)
{
    for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
        for (unsigned cpu = 0; point->counted[cache] && cpu < point->sweep->source.cpus; cpu++) {
            uint32_t entries = memsys_entries(point->memsys, (enum memsys_cache)cache, NULL);
            for (uint32_t i = 0; i < entries; i++) {
                struct memsys_entry entry = memsys_entry_at(point->memsys, cpu, (enum memsys_cache)cache, i);
                if (entry.valid)
                    *reason_of(&point->counted[cache][cpu], entry.line) = LOST_FLUSHED;
            }
        }
}

static void refer_other(struct point *point, const struct reference *r)
{
    switch (r->kind) {
    case REFERENCE_DMA_READ: memsys_dma_read(point->memsys, r->address, r->size, r->now); break;
    case REFERENCE_DMA_WRITE: memsys_dma_write(point->memsys, r->address, r->size, r->now); break;
    case REFERENCE_CACHE_OP: sweep_cache_op(point->memsys, r); break;
    case REFERENCE_FLUSH:
        note_flush(point);
        memsys_flush(point->memsys);
        break;
    default: break;
    }
}

static void refer(void *opaque, const struct reference *reference, uint8_t *permission)
{
    struct points *sweep = opaque;
    if (reference->kind <= REFERENCE_WRITE)
        refer_access(sweep, reference, permission);
    else
        for (unsigned i = 0; i < sweep->count; i++)
            refer_other(&sweep->point[i], reference);
}

/* Results */

static void reset(void *opaque)
{
    struct points *sweep = opaque;
    for (unsigned i = 0; i < sweep->count; i++)
        for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
            for (unsigned cpu = 0; sweep->point[i].counted[cache] && cpu < sweep->source.cpus; cpu++)
                sweep->point[i].counted[cache][cpu].counts = (struct sweep_counts){.write_backs = 0};
}

static void add(struct sweep_counts *sum, const struct sweep_counts *part)
{
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        for (unsigned kind = 0; kind < SWEEP_KINDS; kind++)
            for (unsigned cause = 0; cause < SWEEP_CAUSES; cause++)
                sum->misses[mode][kind][cause] += part->misses[mode][kind][cause];
        sum->upgrades[mode] += part->upgrades[mode];
    }
    sum->write_backs += part->write_backs;
}

static bool cache(const void *opaque, unsigned index, unsigned nth, struct sweep_cache *result)
{
    const struct points *sweep = opaque;
    const struct point *point = &sweep->point[index];
    for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++) {
        if (!point->counted[cache] || nth-- > 0)
            continue;
        *result = point->geometry[cache];
        for (unsigned cpu = 0; cpu < sweep->source.cpus; cpu++)
            add(&result->counts, &point->counted[cache][cpu].counts);
        return true;
    }
    return false;
}

const struct sweep_method_ops sweep_points = {

    .create = create, .free = release, .refer = refer, .reset = reset, .cache = cache};
