/*
 * Random machines and reference streams for the comparison with the reference model, determined by a seed.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_RANDOM_H
#define SIMOS_TESTS_UNIT_REFERENCE_RANDOM_H

#include "tests/unit/reference_memsys.h"
#include <stdio.h>

static inline uint64_t ref_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed * UINT64_C(0x2545f4914f6cdd1d) >> 24;
}

static inline uint32_t ref_below(uint64_t *seed, uint32_t limit)
{
    return (uint32_t)(ref_random(seed) % limit);
}

static inline bool ref_one_in(uint64_t *seed, uint32_t of)
{
    return ref_below(seed, of) == 0;
}

/* --- machines --------------------------------------------------------------------------------------------------- */

/* A small cache, so that lines conflict. */
static inline void ref_random_cache(struct ref_cache_settings *c, uint64_t *seed, unsigned level, uint32_t line)
{
    static const uint32_t smallest[] = {0, 256, 4096, 4096};
    c->exists = true;
    c->line = line;
    c->size = smallest[level] << ref_below(seed, 3);
    c->ways = 1u << ref_below(seed, 5);
    while (c->ways * c->line > c->size)
        c->ways /= 2;
    c->replacement = ref_below(seed, REF_OLD_POLICIES);
    if (c->replacement == 0 && ref_one_in(seed, 3))
        c->ways = 2 * line <= c->size ? 2 : 1;
    c->hashed = ref_one_in(seed, 3);
    c->virtual_index = level == 1 && ref_one_in(seed, 3);
    if (c->virtual_index && ref_below(seed, 2)) { /* sets span more than a page */
        c->size = 8192u << ref_below(seed, 2);
        c->ways = 1;
        c->by_space = ref_below(seed, 2);
        c->hashed &= !c->by_space;
    }
    c->allocate = !ref_one_in(seed, 3);
    c->inclusive = level > 1 && ref_below(seed, 2);
}

/* A typical configuration: physically indexed, LRU with low associativity beyond the first level, write-back,
 * inclusive. */
static inline void ref_make_usual(struct ref_settings *s, uint64_t *seed)
{
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache_settings *c = &s->cache[id];
        c->replacement = 0;
        c->virtual_index = c->hashed = c->by_space = c->through = false;
        c->allocate = true;
        c->inclusive = ref_level(id) > 1;
        if (ref_level(id) > 1 && c->exists)
            c->ways = c->ways > 2 ? 1 : c->ways;
    }
    if (ref_below(seed, 2))
        s->classify = CLASSIFY_OFF;
}

/* May the data cache at LEVEL allocate lines without reading them? It makes the levels outside inclusive. */
static inline bool ref_let_allocate(struct ref_settings *s, unsigned level)
{
    if (s->cache[ref_id(s, level, false)].through)
        return false;
    while (++level <= s->levels)
        s->cache[ref_id(s, level, false)].inclusive = true;
    return true;
}

/* Of some machines, caches whose stores allocate lines without a read, or a pref 30 that does. */
static inline void ref_random_allocation(struct ref_settings *s, uint64_t *seed)
{
    s->prepare = (enum ref_prepare)ref_below(seed, REF_PREPARES);
    const uint32_t line = s->cache[MEMSYS_L1D].line;
    for (enum memsys_cache id = MEMSYS_L2I; s->prepare == REF_PREPARE_ALLOCATES && id < MEMSYS_CACHES; id++)
        if (s->cache[MEMSYS_L1I].line <= line && s->cache[id].exists)
            s->cache[id].line = line; /* so that outer levels need not validate */
    for (unsigned level = 1; level <= s->levels && s->classify == CLASSIFY_OFF; level++) {
        struct ref_cache_settings *c = &s->cache[ref_id(s, level, false)];
        const bool longer = s->prepare == REF_PREPARE_ALLOCATES && c->line != line;
        if ((longer || ref_below(seed, 2)) && ref_let_allocate(s, level))
            c->validate = c->allocate = true;
        else if (level > 1) { /* as of machines that are not usual */
            c->allocate = ref_below(seed, 2);
            c->replacement = ref_below(seed, REF_OLD_POLICIES);
        }
    }
    if (s->prepare != REF_PREPARE_ALLOCATES)
        return;
    for (unsigned level = 2; level <= s->levels; level++) {
        struct ref_cache_settings *c = &s->cache[ref_id(s, level, false)];
        if (c->line != line && !c->validate)
            s->prepare = REF_PREPARE_NOTHING;
    }
    if (s->prepare == REF_PREPARE_ALLOCATES && !ref_let_allocate(s, 1))
        s->prepare = REF_PREPARE_PREFETCHES;
}

/* Every fourth machine whose first level writes through has one-word lines there, which stores of words allocate. The
 * machines with names in test_memsys_reference.c are others. */
static inline void ref_random_words(struct ref_settings *s, unsigned number)
{
    struct ref_cache_settings *data = &s->cache[MEMSYS_L1D];
    if (!data->through || number % 13 % 3 != 2)
        return;
    data->words = true;
    data->allocate = data->validate = false;
    data->line = REF_WORD;
    if (s->levels == 1 && s->split[1])
        s->cache[MEMSYS_L1I].line = REF_WORD;
}

static inline bool ref_is_power(uint32_t value)
{
    return (value & (value - 1)) == 0;
}

/* Any number of ways and sets for C, which becomes no smaller, and perhaps sectors. */
static inline void ref_random_shape(struct ref_cache_settings *c, uint64_t *seed)
{
    uint32_t sets = c->size / c->line / c->ways;
    const uint32_t ways = 1 + ref_below(seed, REF_WAYS);
    if (!c->by_space && ref_below(seed, 2)) {
        sets = sets * c->ways > ways ? (sets * c->ways + ways - 1) / ways : 1;
        c->ways = ways;
    }
    if (ref_below(seed, 2))
        sets += ref_below(seed, sets + 1);
    c->sector_lines = ref_below(seed, 2) ? 1 : 2u << ref_below(seed, 4);
    while (c->sector_lines * c->line > PAGE_SIZE)
        c->sector_lines /= 2;
    sets = (sets + c->sector_lines - 1) / c->sector_lines;
    c->size = sets * c->sector_lines * c->line * c->ways;
}

/* 48 KB in 12 ways, 3 MB in 3 ways: of the first-level data cache and of the last level. */
static inline void ref_large_shapes(struct ref_settings *s)
{
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache_settings *c = &s->cache[id];
        const bool last = ref_level(id) == s->levels;
        if (!c->exists || (id != MEMSYS_L1D && !last))
            continue;
        c->replacement = 0;
        c->by_space = false;
        c->size = id == MEMSYS_L1D ? 48 << 10 : 3 << 20;
        c->ways = id == MEMSYS_L1D ? 12 : 3;
    }
}

/* Makes inclusive caches at least as large as those they include. */
static inline void ref_fit_inclusive(struct ref_settings *s)
{
    for (enum memsys_cache outer = 0; outer < MEMSYS_CACHES; outer++)
        for (enum memsys_cache inner = 0; inner < outer; inner++)
            while (s->cache[outer].exists && s->cache[inner].exists && s->cache[outer].inclusive &&
                   ref_level(inner) < ref_level(outer) && s->cache[outer].size < s->cache[inner].size)
                s->cache[outer].size *= 2;
}

/* Of every second machine, caches of any shape. The machines with names in test_memsys_reference.c are others. */
static inline void ref_random_shapes(struct ref_settings *s, uint64_t seed, unsigned number)
{
    if (number % 7 < 2 || number % 7 > 5)
        return;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
        if (s->cache[id].exists)
            ref_random_shape(&s->cache[id], &seed);
    if (number % 11 == 0)
        ref_large_shapes(s);
}

/* The policies of a machine that is not USUAL or allocates without a read, and 32 ways for some caches with 16. DRAWS
 * are of their own, so that what is drawn otherwise does not depend on the number of policies. */
static inline void ref_random_policies(struct ref_settings *s, bool usual, uint64_t draws)
{
    usual &= s->prepare != REF_PREPARE_ALLOCATES && !s->cache[MEMSYS_L1D].validate;
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        struct ref_cache_settings *c = &s->cache[id];
        if (!usual || c->replacement != 0)
            c->replacement = ref_below(&draws, REF_POLICIES);
        if (c->ways == 16 && c->size >= REF_WAYS * c->line && ref_below(&draws, 2))
            c->ways = REF_WAYS;
    }
}

/* The numbers of CPUs of random machines. */
enum { REF_CPU_CHOICES = 5 };
static const unsigned ref_cpu_choices[REF_CPU_CHOICES] = {1, 2, 4, 16, REF_CPUS};

/* A random machine. KIND enumerates all combinations of levels, protocol, number of CPUs, and depth of split caches. */
static inline void ref_random_machine(struct ref_settings *s, uint64_t *seed, unsigned kind)
{
    memset(s, 0, sizeof *s);
    s->levels = 1 + kind % 3;
    s->protocol = (enum memsys_protocol)(kind / 3 % ref_protocol_count());
    s->cpus = ref_cpu_choices[kind / (3 * ref_protocol_count()) % REF_CPU_CHOICES];
    s->classify = ref_one_in(seed, 4) ? CLASSIFY_OFF : (enum classify_mode)(ref_below(seed, 4));
    unsigned split = kind / (3 * ref_protocol_count()) % (s->levels + 1),
             through = ref_one_in(seed, 4) ? 0 : ref_below(seed, s->levels + 1);
    uint32_t line[2];
    line[0] = line[1] = 4u << ref_below(seed, 5);
    for (unsigned level = 1; level <= s->levels; level++) {
        s->split[level] = level <= split;
        for (unsigned insn = 0; insn < (level <= split ? 2 : 1); insn++) {
            struct ref_cache_settings *c = &s->cache[ref_id(s, level, insn)];
            uint32_t shortest = level <= split ? line[insn] : line[0] > line[1] ? line[0] : line[1];
            shortest <<= ref_below(seed, 3);
            uint32_t longest = level == 1 ? 64 : 1024;
            ref_random_cache(c, seed, level, shortest > longest ? longest : shortest);
            c->through = level <= through;
        }
        if (level == s->levels && level <= split) /* both halves have the same line size */
            for (unsigned insn = 0; insn < 2; insn++) {
                struct ref_cache_settings *c = &s->cache[ref_id(s, level, insn)];
                uint32_t other = s->cache[ref_id(s, level, !insn)].line;
                c->line = c->line > other ? c->line : other;
                while (c->ways * c->line > c->size)
                    c->ways /= 2;
            }
        line[0] = s->cache[ref_id(s, level, false)].line;
        line[1] = s->cache[ref_id(s, level, true)].line;
    }
    const bool usual = through == 0 && ref_below(seed, 2);
    if (usual)
        ref_make_usual(s, seed);
    ref_random_allocation(s, seed);
    ref_random_words(s, kind);
    ref_random_policies(s, usual, *seed);
    ref_random_shapes(s, *seed, kind);
    ref_fit_inclusive(s);
    s->upgrades_alone = ref_one_in(seed, 2);
    s->random_seed = ref_one_in(seed, 2) ? 0 : (uint32_t)ref_random(seed);
    s->level_time[2] = 1 + ref_below(seed, 20);
    s->level_time[3] = s->level_time[2] + ref_below(seed, 40);
    s->miss = s->level_time[3] + ref_below(seed, 100);
    s->upgrade = ref_one_in(seed, 3) ? s->miss : 1 + ref_below(seed, 150);
    s->update = ref_one_in(seed, 3) ? s->upgrade : 1 + ref_below(seed, 150);
    s->intervention = ref_one_in(seed, 3) ? s->miss : 1 + ref_below(seed, 200);
    s->uncached = 1 + ref_below(seed, 200);
    if (ref_one_in(seed, 3)) {
        s->update_ranges = REF_UPDATE_RANGES;
        for (unsigned i = 0; i < REF_UPDATE_RANGES; i++) {
            s->update_first[i] = (i ? 0x80000000u : 0x00400000u) + ref_below(seed, 20000);
            s->update_last[i] = s->update_first[i] + ref_below(seed, 9000);
        }
    }
    if (s->split[1] && !s->cache[MEMSYS_L1D].validate && ref_one_in(seed, 3))
        s->cache[MEMSYS_L1D].assist = 1 + ref_below(seed, 9);
}

struct ref_text {
    char bytes[4096];
    size_t length;
};

static inline void __attribute__((format(printf, 2, 3))) ref_add(struct ref_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format, arguments);
    va_end(arguments);
}

static inline void ref_describe_cache(struct ref_text *text, const struct ref_cache_settings *c, enum memsys_cache id)
{
    static const char *const names[] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};
    const char *name = names[id];
    ref_add(text, "cache.%s.size=%u cache.%s.line=%u cache.%s.ways=%u cache.%s.replacement=%s cache.%s.hash=%s ", name,
            c->size, name, c->line, name, c->ways, name, ref_policies[c->replacement].name, name,
            c->by_space ? "space"
            : c->hashed ? "xor"
                        : "none");
    if (c->sector_lines)
        ref_add(text, "cache.%s.sector_lines=%u ", name, c->sector_lines);
    if (ref_level(id) == 1)
        ref_add(text, "cache.%s.index=%s ", name, c->virtual_index ? "virtual" : "physical");
    else
        ref_add(text, "cache.%s.inclusive=%s ", name, c->inclusive ? "on" : "off");
    if (id == MEMSYS_L1D)
        ref_add(text, "cache.l1d.assist=%u ", c->assist);
    if (!ref_is_insn(id))
        ref_add(text, "cache.%s.write=%s cache.%s.write_allocate=%s ", name, c->through ? "through" : "back", name,
                c->validate || c->words ? "validate"
                : c->allocate           ? "on"
                                        : "off");
}

/* The machine as parameters, "name=value name=value"; latencies at 200 MHz. */
static inline void ref_describe(struct ref_text *text, const struct ref_settings *s)
{
    static const char *const models[] = {"", "one-level", "two-level", "three-level"};
    static const char *const prepares[REF_PREPARES] = {"prefetch", "allocate", "ignore"};
    static const char *const classes[] = {"off", "replacement", "sharing", "full"};
    text->length = 0;
    ref_add(text, "cache.model=%s cache.protocol=%s cache.classify=%s ", models[s->levels],
            ref_protocols[s->protocol].name, classes[s->classify]);
    for (unsigned level = 1; level <= s->levels; level++)
        ref_add(text, "cache.l%u.split=%s ", level, s->split[level] ? "on" : "off");
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
        if (s->cache[id].exists)
            ref_describe_cache(text, &s->cache[id], id);
    ref_add(text, "cache.l1d.prepare_for_store=%s ", prepares[s->prepare]);
    ref_add(text, "cache.upgrades_on_uniprocessor=%s cache.random_seed=%u ", s->upgrades_alone ? "on" : "off",
            s->random_seed);
    ref_add(text, "memory.l2_hit_time=%u memory.l3_hit_time=%u memory.miss_time=%u ", 5 * (unsigned)s->level_time[2],
            5 * (unsigned)s->level_time[3], 5 * (unsigned)s->miss);
    ref_add(text, "memory.upgrade_time=%u memory.update_time=%u ", 5 * (unsigned)s->upgrade, 5 * (unsigned)s->update);
    ref_add(text, "memory.intervention_time=%u memory.uncached_latency=%u", 5 * (unsigned)s->intervention,
            5 * (unsigned)s->uncached);
    for (unsigned i = 0; i < s->update_ranges; i++)
        ref_add(text, "%s0x%x-0x%x", i ? "," : " cache.update_pages=", s->update_first[i], s->update_last[i]);
}

/* --- streams ---------------------------------------------------------------------------------------------------- */

/* State of a stream. */
struct ref_stream {
    uint64_t seed;
    paddr last[REF_CPUS][3]; /* previous address by kind of access */
    uint32_t reach;          /* size of the region whose lines compete for the last level */
    uint8_t space[REF_CPUS]; /* address space that each CPU is in */
};

/* An address with locality: mostly near the previous one of this CPU and kind; otherwise in a small region shared by
 * all CPUs, in a larger one, in one whose lines map to few sets, or at either end of the address space. */
static inline paddr ref_next_address(struct ref_stream *stream, unsigned cpu, enum memsys_access kind)
{
    paddr *last = &stream->last[cpu][kind];
    uint64_t *seed = &stream->seed;
    uint32_t choice = ref_below(seed, 1000);
    if (choice < 500)
        *last += ref_below(seed, 48) - 16;
    else if (choice < 700)
        *last = 0x40000000 + ref_below(seed, 512);
    else if (choice < 860)
        *last = 0x00400000 + ref_below(seed, stream->reach);
    else if (choice < 900)
        *last = 0x00c00000 + cpu * 0x2000 + ref_below(seed, stream->reach / 8);
    else if (choice < 990)
        *last = 0x80000000 + ref_below(seed, 24) * stream->reach / 8 + ref_below(seed, 64);
    else
        *last = ref_below(seed, 2) ? 0xffffffff - ref_below(seed, 512) : ref_below(seed, 512);
    return *last;
}

/* The address space of a virtual address: the kernel's half belongs to all. */
static inline uint8_t ref_space_of(const struct ref_stream *stream, unsigned cpu, vaddr address)
{
    return address < 0x80000000 ? stream->space[cpu] : 0;
}

/* The virtual address for PHYSICAL: one of four of different page colours. */
static inline vaddr ref_virtual(paddr physical, uint32_t colour)
{
    return physical ^ colour << PAGE_SHIFT ^ colour << 28;
}

#endif
