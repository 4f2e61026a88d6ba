#include "cache/classify/classify_memsys.h"

#include "cache/classify/classify.h"
#include "cache/classify/classify_saved.h"
#include "cache/classify/evictors.h"
#include "cache/state/engine.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

struct classify_memsys {
    struct memsys *memsys;
    struct classify *classify;
    struct evictors *evictors; /* cache.evictors; NULL: off */
    struct memsys_event_ops ops;
    bool profile, by_pc, by_address; /* by_pc: the profile uses the pc of requests */
    uint8_t number[MEMSYS_CACHES];   /* the number in struct classify of each cache that exists */
    enum memsys_cache id[MEMSYS_CACHES];
    cycles now[BOARD_MAX_CPUS]; /* time of the access that fills lines */
    /* the CPU executes past its outstanding accesses and reports its own waits */
    bool overlaps[BOARD_MAX_CPUS];
};

static void on_hit(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                   paddr line)
{
    struct classify_memsys *c = opaque;
    (void)line;
    classify_hit(c->classify, cpu, c->number[cache], request);
}

static void on_miss(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                    paddr line)
{
    struct classify_memsys *c = opaque;
    (void)line;
    c->now[cpu] = request->now;
    classify_miss(c->classify, cpu, c->number[cache], request);
}

void classify_memsys_begin_quiet(struct classify_memsys *classify, unsigned cpu, cycles now)
{
    if (classify)
        classify->now[cpu] = now;
}

static void on_upgrade(void *opaque, unsigned cpu, enum memsys_cache cache, const struct memsys_request *request,
                       paddr block)
{
    struct classify_memsys *c = opaque;
    (void)block;
    classify_upgrade(c->classify, cpu, c->number[cache], request);
}

static void on_fill(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line)
{
    struct classify_memsys *c = opaque;
    classify_fill(c->classify, cpu, c->number[cache], line, c->now[cpu]);
}

static void on_leave(void *opaque, unsigned cpu, enum memsys_cache cache, paddr line, enum memsys_removal why,
                     unsigned by_cpu)
{
    struct classify_memsys *c = opaque;
    classify_removal(c->classify, cpu, c->number[cache], line, why, by_cpu);
}

static void on_access(void *opaque, unsigned cpu, const struct memsys_request *request, cycles stall)
{
    struct classify_memsys *c = opaque;
    bool may_store = true;
    if (request->access == MEMSYS_WRITE)
        may_store = classify_store(c->classify, cpu, request->address, request->size);
    else if (*request->permission & PERMIT_STORE)
        may_store = classify_may_store(c->classify, cpu, request->address);
    if (!may_store)
        *request->permission &= (uint8_t)~PERMIT_STORE;
    if (c->profile)
        classify_stall(c->classify, cpu, request, c->overlaps[cpu] ? 0 : stall);
}

bool classify_memsys_is_inline_only(const struct classify_memsys *c)
{
    return !c->profile;
}

void classify_memsys_end_access(struct classify_memsys *c, unsigned cpu, const struct memsys_request *request,
                                cycles stall)
{
    on_access(c, cpu, request, stall);
}

void classify_memsys_add_stall(struct classify_memsys *c, unsigned cpu, const struct memsys_request *request,
                               cycles stall)
{
    if (c && c->profile)
        classify_stall(c->classify, cpu, request, c->overlaps[cpu] ? 0 : stall);
}

void classify_memsys_add_wait(struct classify_memsys *c, unsigned cpu, const struct memsys_request *request,
                              cycles waited)
{
    if (c)
        classify_add_wait(c->classify, cpu, request, waited);
}

static void on_dma(void *opaque, bool write, paddr address, uint32_t size)
{
    struct classify_memsys *c = opaque;
    if (write)
        classify_device_store(c->classify, address, size);
}

static void on_flush(void *opaque)
{
    struct classify_memsys *c = opaque;
    classify_flush(c->classify);
}

static void withdraw_permission(void *opaque, unsigned cpu, unsigned cache, paddr line)
{
    struct classify_memsys *c = opaque;
    memsys_withdraw_permission(c->memsys, cpu, c->id[cache], line);
}

/* Leaves out callbacks that the mode does not need, which saves the engine the calls. */
static struct memsys_event_ops ops_for(enum classify_mode mode, bool profile)
{
    struct memsys_event_ops ops = {
        .miss = on_miss, .upgrade = on_upgrade, .fill = on_fill, .removal = on_leave, .flush = on_flush};
    if (mode == CLASSIFY_FULL)
        ops.hit = on_hit;
    if (mode >= CLASSIFY_SHARING || profile)
        ops.access = on_access;
    if (mode >= CLASSIFY_SHARING)
        ops.dma = on_dma;
    return ops;
}

static void describe_caches(struct classify_memsys *c, struct classify_config *config)
{
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        const struct array *array = c->memsys->node[0].cache[id];
        if (array->word == NULL)
            continue;
        unsigned level = level_of(id);
        bool holds_data = id == data_cache(level);
        bool split = c->memsys->node[0].cache[insn_cache(level)]->word != NULL;
        c->number[id] = (uint8_t)config->caches;
        c->id[config->caches] = id;
        config->cache[config->caches++] = (struct classify_cache_config){
            .name = cache_name(id),
            .size = array_lines(array) << array->line_shift,
            .line = 1u << array->line_shift,
            .insn = !holds_data || !split,
            .data = holds_data,
            .first = level == 1,
            .shared = c->memsys->shared[level],
        };
    }
}

struct classify_memsys *classify_memsys_create(struct memsys *memsys, const struct params *params)
{
    static const struct {
        const char *name;
        enum classify_mode mode;
    } modes[] = {{"off", CLASSIFY_OFF},
                 {"replacement", CLASSIFY_REPLACEMENT},
                 {"sharing", CLASSIFY_SHARING},
                 {"full", CLASSIFY_FULL}};
    const bool both = params_is(params, "cache.profile", "both");
    struct classify_config config = {.cpus = memsys->cpus,
                                     .block = coherence_block_size(&memsys->tier[0]),
                                     .by_pc = both || params_is(params, "cache.profile", "pc"),
                                     .by_address = both || params_is(params, "cache.profile", "address"),
                                     .withdraw_permission = withdraw_permission};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (params_is(params, "cache.classify", modes[i].name))
            config.mode = modes[i].mode;
    if (config.mode == CLASSIFY_OFF)
        return NULL;
    struct classify_memsys *c = checked_memory(calloc(1, sizeof *c));
    c->memsys = memsys;
    config.opaque = c;
    describe_caches(c, &config);
    c->classify = classify_create(&config);
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (unsigned i = 0; i < config.caches; i++)
            memsys->node[cpu].cache[c->id[i]]->classify = classify_cache_of(c->classify, cpu, i);
    c->profile = config.by_pc || config.by_address;
    c->by_pc = config.by_pc;
    c->by_address = config.by_address;
    c->ops = ops_for(config.mode, c->profile);
    memsys_attach(memsys, &c->ops, c);
    if (params_bool(params, "cache.evictors"))
        c->evictors = evictors_create(memsys, c->classify, c->number);
    return c;
}

void classify_memsys_free(struct classify_memsys *classify)
{
    if (!classify)
        return;
    evictors_free(classify->evictors);
    classify_free(classify->classify);
    free(classify);
}

/* Checks that no line in a first-level cache is recorded as evicted. */
static bool after_load(void *base, struct err *err)
{
    const struct classify_memsys *c = base;
    for (unsigned cpu = 0; cpu < c->memsys->cpus; cpu++)
        for (enum memsys_cache id = MEMSYS_L1I; id <= MEMSYS_L1D; id++) {
            const struct array *array = c->memsys->node[cpu].cache[id];
            for (uint32_t entry = 0; array->word && entry < array_entries(array); entry++)
                if (array->word[entry] && !classify_cache_may_hold(array->classify, entry_line(array, entry)))
                    return err_set(err, "cpu%u holds line 0x%08x, which the classification records as evicted", cpu,
                                   entry_line(array, entry));
        }
    if (c->evictors)
        evictors_forget(c->evictors);
    return true;
}

void classify_memsys_register_saved(struct classify_memsys *c, const struct physmem *mem, struct saved *saved)
{
    static const struct saved_field fields[] = {SAVED_FIELD(struct classify_memsys, now, SAVED_TIME)};
    static const struct saved_ops ops = {.after_load = after_load};
    saved_add(saved, &(struct saved_section){.name = "classification.times",
                                             .version = 2,
                                             .oldest = 1,
                                             .timing = true,
                                             .base = c,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
    classify_register_saved(c->classify, mem, saved);
}

void classify_memsys_register_stats(const struct classify_memsys *classify, struct stats *stats)
{
    if (classify)
        classify_register_stats(classify->classify, stats);
}

/* Functions of cache/memsys.h */

struct memsys_uses classify_memsys_uses(const struct classify_memsys *c, unsigned cpu, enum memsys_cache cache)
{
    return c != NULL ? classify_uses(c->classify, cpu, c->number[cache]) : (struct memsys_uses){NULL, NULL};
}

void classify_memsys_permissions_by_line(const struct classify_memsys *c, unsigned cpu, enum memsys_cache cache,
                                         uint8_t *bytes)
{
    if (c != NULL)
        classify_permissions_by_line(c->classify, cpu, c->number[cache], bytes);
}

bool memsys_profile_overlapped(struct memsys *memsys, unsigned cpu, bool overlaps)
{
    struct classify_memsys *c = memsys->classify;
    if (c == NULL || !c->profile)
        return false;
    c->overlaps[cpu] = overlaps;
    return true;
}

struct memsys_profile_keys memsys_profile_keys_of(const struct memsys *memsys, unsigned cpu, vaddr pc, bool accesses,
                                                  vaddr address)
{
    const struct classify *classify = memsys->classify->classify;
    return (struct memsys_profile_keys){
        .routine = classify_key(classify, cpu, CLASSIFY_BY_PC, pc),
        .data = classify_key(classify, cpu, CLASSIFY_BY_ADDRESS, address),
        .named = {classify_named_key(classify, cpu, CLASSIFY_BY_PC, pc, NULL),
                  classify_named_key(classify, cpu, CLASSIFY_BY_ADDRESS, address, NULL)},
        .accesses = accesses,
        .cpu = (uint8_t)cpu};
}

void memsys_profile_charge(struct memsys *memsys, const struct memsys_profile_keys *place, enum memsys_wait kind,
                           cycles waited)
{
    struct classify_memsys *c = memsys->classify;
    if (c->by_pc)
        classify_charge(c->classify, place->cpu, CLASSIFY_BY_PC, place->routine, place->named[0], kind, waited);
    if (c->by_address && place->accesses && kind == MEMSYS_WAIT_DATA)
        classify_charge(c->classify, place->cpu, CLASSIFY_BY_ADDRESS, place->data, place->named[1], kind, waited);
}

void memsys_set_context(struct memsys *memsys, unsigned cpu, enum mode mode, uint32_t process)
{
    if (memsys->classify)
        classify_set_context(memsys->classify->classify, cpu, mode, process);
}

void memsys_name_profiles(struct memsys *memsys, classify_naming_fn *name, void *opaque)
{
    if (memsys->classify)
        classify_set_naming(memsys->classify->classify, name, opaque);
}

const struct evictors *memsys_evictors(const struct memsys *memsys)
{
    return memsys->classify ? memsys->classify->evictors : NULL;
}

void memsys_begin_evictors(struct memsys *memsys)
{
    if (memsys_evictors(memsys))
        evictors_begin(memsys->classify->evictors);
}

const struct classify *memsys_classification(const struct memsys *memsys)
{
    return memsys->classify ? memsys->classify->classify : NULL;
}
