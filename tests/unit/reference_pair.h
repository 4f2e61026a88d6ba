/*
 * The memory system and the reference model side by side: every access, CACHE operation and device request is made in
 * both, and the results are compared.
 *
 * This file creates both. reference_compare.h compares them, reference_driver.h makes the accesses.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_PAIR_H
#define SIMOS_TESTS_UNIT_REFERENCE_PAIR_H

#include "tests/unit/reference_random.h"

/* A fast-path byte and its line. */
struct ref_slot {
    uint8_t byte, cpu, space;
    bool made, fetch, listed;
    paddr line;
    vaddr virtual_line;
};

struct ref_counter {
    size_t index; /* index in the statistics */
    const uint64_t *value;
};

enum { REF_SLOTS = 1 << 20, REF_COUNTERS = REF_CPUS * (MEMSYS_CACHES * REF_COUNTS + 1) + 6 };
struct pair {
    struct ref_model reference;
    struct ref_text settings;
    char label[100]; /* for messages: how to repeat this run */
    struct memsys *memsys;
    struct stats *stats;
    struct ref_counter counter[REF_COUNTERS];
    unsigned counters;
    struct bucket bucket[REF_CPUS];
    struct ref_map slots[REF_CPUS][2];                    /* by number of the virtual line; [1]: fetches */
    struct ref_slot *listed[REF_SLOTS], *made[REF_SLOTS]; /* non-zero bytes; all bytes */
    unsigned listed_count, made_count;
    uint8_t *last_used[REF_CPUS][2];      /* NULL: MRU ways are not recorded */
    struct memsys_uses uses[REF_CPUS][2]; /* where to record the times of fast-path accesses */
    uint64_t step, quick[3];              /* fast-path accesses by kind */
    unsigned interval;                    /* steps between full comparisons */
};

#define CHECK(p, condition, ...)                                                                                       \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s, step %llu: ", (p)->label, (unsigned long long)(p)->step);                                 \
            print_error(__VA_ARGS__);                                                                                  \
            print_error("\n%s\n", (p)->settings.bytes);                                                                \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

static const char *const ref_cache_names[] = {"l1i", "l1d", "l2i", "l2", "l3i", "l3"};

/* --- creation --------------------------------------------------------------------------------------------------- */

static void pair_count(struct pair *p, const char *name, const uint64_t *value)
{
    size_t index = 0;
    const char *found;
    while ((found = stats_name_at(p->stats, index)) && strcmp(found, name) != 0)
        index++;
    p->counter[p->counters++] = (struct ref_counter){found ? index : SIZE_MAX, value};
}

static void pair_count_all(struct pair *p)
{
    static const char *const names[] = {[REF_INSN_MISSES] = "insn_misses",
                                        [REF_READ_MISSES] = "read_misses",
                                        [REF_WRITE_MISSES] = "write_misses",
                                        [REF_WRITE_BACKS] = "write_backs",
                                        [REF_INVALIDATIONS] = "invalidations",
                                        [REF_DMA_INVALIDATIONS] = "dma_invalidations",
                                        [REF_UPGRADES] = "upgrades",
                                        [REF_UPDATES] = "updates",
                                        [REF_INTERVENTIONS] = "interventions",
                                        [REF_UPDATES_RECEIVED] = "updates_received",
                                        [REF_ALIASES] = "aliases",
                                        [REF_ASSIST_HITS] = "assist_hits",
                                        [REF_ASSIST_MOVED] = "assist_moved",
                                        [REF_ASSIST_DROPPED] = "assist_dropped",
                                        [REF_ALLOCATIONS] = "allocations",
                                        [REF_COHERENCE_WRITE_BACKS] = "coherence_write_backs",
                                        [REF_CLEAN_SUPPLIES] = "clean_supplies"};
    struct ref_model *r = &p->reference;
    char name[64];
    for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            for (enum ref_count i = 0; r->s.cache[id].exists && i < REF_COUNTS; i++) {
                snprintf(name, sizeof name, "cpu%u.%s.%s", cpu, ref_cache_names[id],
                         id == MEMSYS_L1I && i == REF_INSN_MISSES ? "misses" : names[i]);
                pair_count(p, name, &r->node[cpu].cache[id].count[i]);
            }
        }
        snprintf(name, sizeof name, "cpu%u.uncached", cpu);
        pair_count(p, name, &r->node[cpu].uncached);
    }
    pair_count(p, "memory.fills", &r->fills);
    pair_count(p, "memory.write_backs", &r->write_backs);
    pair_count(p, "memory.writes", &r->writes);
    pair_count(p, "memory.updates", &r->updates);
    pair_count(p, "memory.dma_reads", &r->dma_reads);
    pair_count(p, "memory.dma_writes", &r->dma_writes);
}

/* The first-level cache of a CPU for fetches, or for loads and stores. */
static struct ref_cache *pair_first(struct pair *p, unsigned cpu, bool fetch)
{
    return ref_at(&p->reference, cpu, 1, fetch);
}

/* Where the CPU model records MRU ways; NULL: it does not. */
static uint8_t *pair_last(const struct pair *p, unsigned cpu, bool fetch)
{
    return p->last_used[cpu][fetch];
}

/* Can the virtual address select another set than the physical one? */
static bool pair_index_is_virtual(const struct ref_cache *c)
{
    return c->s.virtual_index && (c->s.hashed || PAGE_SIZE % (c->sets * c->s.line) != 0);
}

/* Undertake to record the times of fast-path accesses and, if NOTE_LAST, the MRU way of two-way sets. */
static void pair_undertake(struct pair *p, bool fetch, bool note_last)
{
    for (unsigned cpu = 0; cpu < p->reference.s.cpus; cpu++) {
        const struct ref_cache *c = pair_first(p, cpu, fetch);
        const bool possible = p->reference.s.split[1] && note_last && c->s.ways == 2 && c->s.replacement == 0 &&
                              !c->s.hashed && !c->s.assist && c->s.sector_lines == 1 &&
                              (c->sets & (c->sets - 1)) == 0 && !pair_index_is_virtual(c);
        uint8_t *last = note_last ? calloc(MEMSYS_MRU_BYTES, 1) : NULL;
        struct memsys_fast_path path;
        const bool has_path =
            memsys_fast_path(p->memsys, cpu, fetch ? MEMSYS_L1I : MEMSYS_L1D,
                             &(struct memsys_fast_model){.mru = last, .records_use_stamps = true}, &path);
        CHECK(p, has_path, "cpu%u: fast path %d", cpu, has_path);
        CHECK(p, path.by_space == c->s.by_space, "cpu%u: space %d", cpu, path.by_space);
        CHECK(p, path.sets == (possible ? c->sets : 0), "cpu%u %s: %u sets can be noted", cpu, ref_cache_names[c->id],
              path.sets);
        CHECK(p, path.line == c->s.line, "cpu%u %s: lines of %u bytes", cpu, ref_cache_names[c->id], path.line);
        p->uses[cpu][fetch] = path.uses;
        if (path.sets)
            p->last_used[cpu][fetch] = last;
        else
            free(last);
    }
}

static struct pair *pair_make(const struct ref_settings *settings, bool note_last, const char *label)
{
    struct pair *p = calloc(1, sizeof *p);
    struct err err = {""};
    snprintf(p->label, sizeof p->label, "%s", label);
    reference_make(&p->reference, settings);
    ref_describe(&p->settings, settings);
    struct params *params = params_create();
    params_define(params, memsys_param_defs, memsys_param_count);
    char *text = strdup(p->settings.bytes);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        CHECK(p, params_set_assignment(params, word, &err), "%s", err.text);
    free(text);
    p->memsys = memsys_create(params, settings->cpus, 200000000, &err);
    CHECK(p, p->memsys, "%s", err.text);
    params_free(params);
    p->stats = stats_create();
    memsys_register_stats(p->memsys, p->stats);
    pair_count_all(p);
    for (unsigned cpu = 0; cpu < settings->cpus; cpu++)
        p->slots[cpu][0].size = p->slots[cpu][1].size = sizeof(struct ref_slot);
    pair_undertake(p, false, note_last);
    pair_undertake(p, true, note_last);
    return p;
}

static void pair_free(struct pair *p)
{
    memsys_free(p->memsys);
    stats_free(p->stats);
    for (unsigned cpu = 0; cpu < p->reference.s.cpus; cpu++) {
        for (unsigned fetch = 0; fetch < 2; fetch++) {
            ref_map_free(&p->slots[cpu][fetch]);
            free(p->last_used[cpu][fetch]);
        }
    }
    reference_free(&p->reference);
    free(p);
}

#endif
