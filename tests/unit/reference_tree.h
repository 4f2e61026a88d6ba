/*
 * A reference model of machines whose CPUs share caches: written from docs/reference/memory-system.md, in the plainest
 * form, and without code of cache/. Caches are lists of lines that are searched; coherence states are kept for each
 * group of CPUs, and every question about a group is answered by looking at all of its caches.
 *
 * Classes of misses are found from the history of each line in each cache, an LRU list for each cache, and the times at
 * which each CPU last wrote each word.
 *
 * A tier is a boundary between the caches of groups of CPUs and what these share, their home. Tier 0 has memory as its
 * home; the others follow inwards.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_TREE_H
#define SIMOS_TESTS_UNIT_REFERENCE_TREE_H

#include "cache/classify/classify.h"
#include "cache/memsys.h"
#include "tests/unit/reference_map.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREE_CPUS = 64, TREE_TIERS = 3, TREE_DEVICE = TREE_CPUS, TREE_PAGE = 4096 };
enum { TREE_NODES = 16, TREE_MEMORY = TREE_NODES, TREE_UPGRADE, TREE_ANSWERS };

struct tree_cache_settings {
    uint32_t size, line, ways;
    bool through, no_allocate, inclusive; /* the first two: of data caches */
    bool exclusive;
    bool virtual_index; /* of the first level */
};

struct tree_settings {
    unsigned cpus, levels;
    bool split[4];      /* by level */
    unsigned shared[4]; /* by level: CPUs that share a cache, a power of two */
    struct tree_cache_settings cache[MEMSYS_CACHES];
    bool mesi;
    bool upgrades_alone;
    cycles level_time[4], miss, upgrade, intervention;
    cycles inner_upgrade[4], inner_intervention[4]; /* by level of the home */
    enum classify_mode classify;
    uint32_t partition[4][TREE_CPUS]; /* by level: the ways that the lines of a CPU take; 0: all */
    /* by level: of the directory of a shared cache that is not inclusive; 0: any number of entries */
    uint32_t directory_entries[4], directory_ways[4];
    unsigned nodes;      /* 1: memory is nobody's */
    uint32_t interleave; /* 0: first touch, or the nodes in turn */
    bool in_turn, frees; /* frees: or anew after each time that the page was freed */
    cycles remote_miss, remote_upgrade, remote_intervention;
    struct {
        bool migrates, replicates, by_tlb;
        uint32_t threshold, sharing, writes, again, sample;
        cycles interval, time;
    } moves;
};

enum tree_count {
    TREE_INSN_MISSES,
    TREE_READ_MISSES,
    TREE_WRITE_MISSES,
    TREE_WRITE_BACKS,
    TREE_INVALIDATIONS,
    TREE_DMA_INVALIDATIONS,
    TREE_ALIASES,
    TREE_COUNTS
};
static const char *const tree_count_names[TREE_COUNTS] = {
    "insn_misses", "read_misses", "write_misses", "write_backs", "invalidations", "dma_invalidations", "aliases"};

/* Of a tier: upgrades of the CPU that stores, the others of the first CPU of a group. */
enum tree_member_count {
    TREE_UPGRADES,
    TREE_INTERVENTIONS,
    TREE_COHERENCE_WRITE_BACKS,
    TREE_CLEAN_SUPPLIES,
    TREE_DIRECTORY_EVICTIONS,
    TREE_MEMBER_COUNTS
};
static const char *const tree_member_names[TREE_MEMBER_COUNTS] = {"upgrades", "interventions", "coherence_write_backs",
                                                                  "clean_supplies", "directory_evictions"};

struct tree_line {
    bool valid, dirty;
    paddr address;
    uint64_t used;
};

enum tree_past { TREE_NEVER, TREE_PRESENT, TREE_EVICTED, TREE_INCLUSION, TREE_COHERENCE, TREE_FLUSHED, TREE_SUPPLIED };

/* What became of a line in a cache: how it was lost, when, and to whom. */
struct tree_history {
    enum tree_past past;
    unsigned by_cpu;
    enum mode mode;
    uint32_t process;
    uint64_t event;
};

struct tree_cache {
    bool exists;
    enum memsys_cache id;
    unsigned level, first_cpu, cpus;
    uint32_t line, ways, sets;
    uint32_t colours;        /* sets in which a line may be, by its virtual address; 1: its physical address says */
    struct tree_line *lines; /* [set * ways] */
    struct ref_map history;  /* struct tree_history by line */
    struct ref_map listed;   /* struct tree_listed by line: an LRU list of the cache's size */
    uint32_t in_list;
    uint32_t oldest, newest; /* of the list: lines */
};

/* In an LRU list: the lines before and after it, of which the first has nothing before it. */
struct tree_listed {
    bool listed;
    uint32_t older, newer;
};

/* Of a set of a sparse directory: blocks with an entry, and some that had one. */
struct tree_entries {
    uint32_t count, room;
    struct tree_entry {
        paddr block;
        uint64_t used;
    } * entry;
};

struct tree_tier {
    unsigned level;       /* of the outermost caches of a group */
    unsigned group, home; /* CPUs of a group, and of a home */
    uint32_t block;       /* bytes */
    bool upgrades;
    cycles upgrade, intervention;
    struct ref_map state[TREE_CPUS];        /* [first CPU of the group] char by block: 0, 'S', 'E', 'M' */
    struct tree_entries *sparse[TREE_CPUS]; /* [first CPU of the home][set] */
};

/* What the nodes did with a page in an interval, and which have a copy of it. */
struct tree_page {
    unsigned home; /* the node + 1; 0: none yet */
    uint64_t interval;
    unsigned asked[TREE_CPUS], writes, moved;
    bool copy[TREE_CPUS];
};

struct tree {
    struct tree_settings s;
    unsigned tiers;
    struct tree_tier tier[TREE_TIERS];
    struct tree_cache own[TREE_CPUS][MEMSYS_CACHES];
    struct tree_cache *cache[TREE_CPUS][MEMSYS_CACHES];
    uint64_t count[TREE_CPUS][MEMSYS_CACHES][TREE_COUNTS];
    uint64_t member_count[TREE_TIERS][TREE_CPUS][TREE_MEMBER_COUNTS];
    uint64_t upgrade_misses[TREE_CPUS];
    uint64_t misses[TREE_CPUS][MODE_COUNT][4][3]; /* by level and enum memsys_access */
    cycles stall[TREE_CPUS][MODE_COUNT];
    uint64_t fills, write_backs, writes;
    struct {
        enum mode mode;
        uint32_t process;
    } context[TREE_CPUS];
    struct classify_counts classes[TREE_CPUS][MEMSYS_CACHES];
    uint64_t event;
    struct ref_map written; /* by word: the event at which each CPU, or at last a device, last wrote it */
    uint64_t clock;
    paddr current; /* the access that is being made */
    unsigned by;   /* its CPU */
    bool filling;
    unsigned homes; /* given in turn */
    struct ref_map page;
    uint64_t interval; /* the present one */
    bool storing;
    cycles now;                                  /* of the access */
    unsigned skipped[TREE_CPUS], hot[TREE_CPUS]; /* requests since one was counted; the page to move, plus 1 */
    uint64_t hot_pages, hot_written, hot_moved, migrations, replications, collapses;
    uint64_t local[TREE_CPUS], remote[TREE_CPUS];
    /* by the nodes of requester and home: what answered, the nodes of caches first, then memory; and upgrades */
    uint64_t asked[TREE_NODES][TREE_NODES][TREE_ANSWERS];
    enum miss_class missed; /* the class of the last miss */
};

/* An access. */
struct tree_access {
    unsigned cpu;
    enum memsys_access kind;
    paddr address;
    vaddr virtual_address;
    uint32_t size; /* bytes */
    cycles now;
};

/* --- structure -------------------------------------------------------------------------------------------------- */

static inline enum memsys_cache tree_id(const struct tree *t, unsigned level, bool insn)
{
    return (enum memsys_cache)(2 * (level - 1) + !(insn && t->s.split[level]));
}

static inline struct tree_cache *tree_on_path(struct tree *t, const struct tree_access *a, unsigned level)
{
    return t->cache[a->cpu][tree_id(t, level, a->kind == MEMSYS_FETCH)];
}

static inline unsigned tree_group(const struct tree_tier *tier, unsigned cpu)
{
    return cpu / tier->group * tier->group;
}

static inline char *tree_state(struct tree *t, const struct tree_tier *tier, unsigned cpu, paddr address)
{
    (void)t;
    return ref_cell((struct ref_map *)&tier->state[tree_group(tier, cpu)], address / tier->block);
}

static inline void tree_add_tier(struct tree *t, unsigned level)
{
    const bool last = level == t->s.levels;
    struct tree_tier *tier = &t->tier[t->tiers++];
    tier->level = level;
    tier->group = t->s.shared[level];
    tier->home = last ? TREE_CPUS : t->s.shared[level + 1];
    tier->block = t->s.cache[tree_id(t, last ? level : level + 1, false)].line;
    tier->upgrades = t->s.upgrades_alone || (last ? t->s.cpus : tier->home) > tier->group;
    tier->upgrade = last ? t->s.upgrade : t->s.inner_upgrade[level + 1];
    tier->intervention = last ? t->s.intervention : t->s.inner_intervention[level + 1];
    for (unsigned cpu = 0; cpu < t->s.cpus; cpu += tier->group)
        tier->state[cpu].size = 1;
    for (unsigned cpu = 0; !last && t->s.directory_entries[level + 1] && cpu < t->s.cpus; cpu += tier->home)
        tier->sparse[cpu] =
            calloc(t->s.directory_entries[level + 1] / t->s.directory_ways[level + 1], sizeof *tier->sparse[cpu]);
}

static inline struct tree *tree_make(const struct tree_settings *s)
{
    struct tree *t = calloc(1, sizeof *t);
    t->s = *s;
    for (unsigned cpu = 0; cpu < s->cpus; cpu++)
        for (unsigned level = 1; level <= s->levels; level++)
            for (unsigned insn = 0; insn <= s->split[level]; insn++) {
                const enum memsys_cache id = tree_id(t, level, insn);
                const unsigned first = cpu / s->shared[level] * s->shared[level];
                struct tree_cache *c = &t->own[first][id];
                t->cache[cpu][id] = c;
                if (c->exists)
                    continue;
                *c = (struct tree_cache){.exists = true,
                                         .id = id,
                                         .level = level,
                                         .first_cpu = first,
                                         .cpus = s->shared[level],
                                         .line = s->cache[id].line,
                                         .ways = s->cache[id].ways,
                                         .sets = s->cache[id].size / s->cache[id].line / s->cache[id].ways};
                c->lines = calloc((size_t)c->sets * c->ways, sizeof *c->lines);
                c->colours = s->cache[id].virtual_index ? (c->sets * c->line + TREE_PAGE - 1) / TREE_PAGE : 1;
                c->history.size = sizeof(struct tree_history);
                c->listed.size = sizeof(struct tree_listed);
            }
    t->written.size = (s->cpus + 1) * sizeof(uint64_t);
    t->page.size = sizeof(struct tree_page);
    for (unsigned cpu = 0; cpu < TREE_CPUS; cpu++)
        t->context[cpu].mode = MODE_KERNEL;
    tree_add_tier(t, s->levels);
    for (unsigned level = s->levels - 1; level > 0; level--)
        if (s->shared[level] < s->shared[level + 1])
            tree_add_tier(t, level);
    return t;
}

static inline void tree_free(struct tree *t)
{
    for (unsigned cpu = 0; cpu < TREE_CPUS; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            free(t->own[cpu][id].lines), ref_map_free(&t->own[cpu][id].history), ref_map_free(&t->own[cpu][id].listed);
        for (unsigned i = 0; i < t->tiers; i++) {
            struct tree_tier *tier = &t->tier[i];
            const uint32_t sets =
                tier->sparse[cpu] ? t->s.directory_entries[tier->level + 1] / t->s.directory_ways[tier->level + 1] : 0;
            for (uint32_t set = 0; set < sets; set++)
                free(tier->sparse[cpu][set].entry);
            ref_map_free(&tier->state[cpu]), free(tier->sparse[cpu]);
        }
    }
    ref_map_free(&t->written);
    ref_map_free(&t->page);
    free(t);
}

/* --- classes ---------------------------------------------------------------------------------------------------- */

static inline struct tree_history *tree_history(struct tree_cache *c, paddr address)
{
    return ref_cell(&c->history, address / c->line);
}

static inline struct tree_listed *tree_listed(struct tree_cache *c, paddr address)
{
    return ref_cell(&c->listed, address / c->line);
}

/* Takes LINE, a number, out of the LRU list. */
static inline void tree_unlist(struct tree_cache *c, uint32_t line)
{
    struct tree_listed *listed = ref_cell(&c->listed, line);
    if (!listed->listed)
        return;
    if (line == c->oldest)
        c->oldest = listed->newer;
    else
        ((struct tree_listed *)ref_cell(&c->listed, listed->older))->newer = listed->newer;
    if (line == c->newest)
        c->newest = listed->older;
    else
        ((struct tree_listed *)ref_cell(&c->listed, listed->newer))->older = listed->older;
    listed->listed = false;
    c->in_list--;
}

/* C has hit or filled the line of ADDRESS, in the present access. */
static inline void tree_use(struct tree *t, struct tree_cache *c, paddr address)
{
    const uint32_t line = address / c->line;
    struct tree_listed *listed = ref_cell(&c->listed, line);
    if (t->s.classify != CLASSIFY_FULL)
        return;
    if (listed->listed)
        tree_unlist(c, line);
    else if (t->classes[t->by][c->id].reference[t->context[t->by].mode]++, c->in_list == c->sets * c->ways)
        tree_unlist(c, c->oldest);
    *listed = (struct tree_listed){.listed = true, .older = c->newest};
    if (c->in_list++ == 0)
        c->oldest = line;
    else
        ((struct tree_listed *)ref_cell(&c->listed, c->newest))->newer = line;
    c->newest = line;
}

/* The line of ADDRESS has left C, in the way PAST, because of CPU. */
static inline void tree_lose(struct tree *t, struct tree_cache *c, paddr address, enum tree_past past, unsigned cpu)
{
    struct tree_history *history = tree_history(c, address);
    *history = (struct tree_history){.past = past, .by_cpu = cpu, .event = t->event};
    if (past == TREE_EVICTED || past == TREE_INCLUSION) {
        history->mode = t->context[cpu].mode;
        history->process = t->context[cpu].process;
    }
    if (past != TREE_EVICTED)
        tree_unlist(c, address / c->line);
}

static inline void tree_write_words(struct tree *t, unsigned writer, paddr address, uint32_t size)
{
    for (paddr word = address / 4; word <= (address + size - 1) / 4; word++)
        ((uint64_t *)ref_cell(&t->written, word))[writer == TREE_DEVICE ? t->s.cpus : writer] = t->event;
}

/* Has another CPU than those of C, or a device, written a word of the SIZE bytes at ADDRESS since event SINCE? */
static inline bool tree_others_wrote(struct tree *t, const struct tree_cache *c, paddr address, uint32_t size,
                                     uint64_t since)
{
    for (paddr word = address / 4; word <= (address + size - 1) / 4; word++) {
        const uint64_t *written = ref_cell(&t->written, word);
        for (unsigned writer = 0; writer <= t->s.cpus; writer++) /* the last is a device */
            if ((writer == t->s.cpus || writer < c->first_cpu || writer >= c->first_cpu + c->cpus) &&
                written[writer] >= since)
                return true;
    }
    return false;
}

static inline enum miss_class tree_class(struct tree *t, struct tree_cache *c, const struct tree_access *a)
{
    const struct tree_history *history = tree_history(c, a->address);
    switch (history->past) {
    case TREE_NEVER: return CLASS_COLD;
    case TREE_INCLUSION: return CLASS_INCLUSION;
    case TREE_FLUSHED: return CLASS_FLUSHED;
    case TREE_SUPPLIED: return history->by_cpu != a->cpu && c->cpus > 1 ? CLASS_INTERFERENCE : t->missed;
    case TREE_COHERENCE:
        if (t->s.classify == CLASSIFY_REPLACEMENT)
            return CLASS_COHERENCE;
        return tree_others_wrote(t, c, a->address, a->size, history->event) ? CLASS_TRUE_SHARING : CLASS_FALSE_SHARING;
    default: /* or it is in another set */
        if (history->by_cpu != a->cpu && c->cpus > 1)
            return CLASS_INTERFERENCE;
        if (t->s.classify != CLASSIFY_FULL)
            return CLASS_REPLACED;
        return tree_listed(c, a->address)->listed ? CLASS_CONFLICT : CLASS_CAPACITY;
    }
}

static inline void tree_class_miss(struct tree *t, struct tree_cache *c, const struct tree_access *a)
{
    const struct tree_history *history = tree_history(c, a->address);
    const enum miss_class class = tree_class(t, c, a);
    const enum miss_kind kind = a->kind == MEMSYS_FETCH ? MISS_INSN : MISS_DATA;
    const enum mode mode = t->context[a->cpu].mode;
    struct classify_counts *counts = &t->classes[a->cpu][c->id];
    counts->miss[mode][kind][class]++;
    t->missed = class;
    if (history->past == TREE_PRESENT)
        counts->evicted[mode][kind][EVICTED_BY_SELF]++;
    if (history->past != TREE_EVICTED && history->past != TREE_INCLUSION)
        return;
    const bool user = mode == MODE_USER, by_user = history->mode == MODE_USER;
    const bool same = user == by_user && (!user || history->process == t->context[a->cpu].process);
    counts->evicted[mode][kind][same ? EVICTED_BY_SELF : EVICTED_BY_OTHER]++;
    counts->user_user[kind] += user && by_user && !same;
}

/* --- lines ------------------------------------------------------------------------------------------------------ */

/* The set of ADDRESS; of a cache that is virtually indexed, that of the virtual address INDEX. */
static inline struct tree_line *tree_set(struct tree_cache *c, paddr address, vaddr index)
{
    return c->lines + (c->colours > 1 ? index : address) / c->line % c->sets * c->ways;
}

static inline struct tree_line *tree_find_in(struct tree_cache *c, paddr address, vaddr index)
{
    struct tree_line *set = tree_set(c, address, index);
    for (unsigned way = 0; way < c->ways; way++)
        if (set[way].valid && set[way].address / c->line == address / c->line)
            return &set[way];
    return NULL;
}

/* In whatever set it is. */
static inline struct tree_line *tree_find(struct tree_cache *c, paddr address)
{
    struct tree_line *line = NULL;
    for (uint32_t colour = 0; !line && colour < c->colours; colour++)
        line = tree_find_in(c, address, address % TREE_PAGE + colour * TREE_PAGE);
    return line;
}

static inline void tree_touch(struct tree *t, struct tree_line *line)
{
    line->used = ++t->clock;
}

/* Calls DO for every line of the SIZE bytes at START in the caches of CPUS CPUs from FIRST on, at levels up to LEVEL.
 */
typedef void tree_do(struct tree *t, struct tree_cache *c, struct tree_line *line, void *data);
static inline void tree_each(struct tree *t, unsigned first, unsigned cpus, unsigned level, paddr start, uint32_t size,
                             tree_do *call, void *data)
{
    for (unsigned cpu = first; cpu < first + cpus && cpu < t->s.cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            struct tree_cache *c = &t->own[cpu][id];
            for (paddr address = start; c->exists && c->level <= level && address - start < size; address += c->line) {
                struct tree_line *line = tree_find(c, address);
                if (line)
                    call(t, c, line, data);
            }
        }
}

struct tree_held {
    bool any, dirty;
};
static inline void tree_note(struct tree *t, struct tree_cache *c, struct tree_line *line, void *data)
{
    struct tree_held *held = data;
    (void)t, (void)c;
    held->any = true;
    held->dirty |= line->dirty;
}
static inline struct tree_held tree_holds(struct tree *t, const struct tree_tier *tier, unsigned cpu, paddr address)
{
    struct tree_held held = {false, false};
    tree_each(t, tree_group(tier, cpu), tier->group, tier->level, address / tier->block * tier->block, tier->block,
              tree_note, &held);
    return held;
}

/* States of CPU's groups after lines of ADDRESS's blocks left or became clean. The block of the access that fills lines
 * waits until it has them. */
static inline void tree_settle(struct tree *t, unsigned cpu, paddr address)
{
    for (unsigned i = 0; i < t->tiers; i++) {
        const struct tree_tier *tier = &t->tier[i];
        char *state = tree_state(t, tier, cpu, address);
        if (t->filling && address / tier->block == t->current / tier->block)
            continue;
        const struct tree_held held = tree_holds(t, tier, cpu, address);
        if (!held.any)
            *state = 0;
        else if (*state == 'M' && !held.dirty)
            *state = t->s.mesi ? 'E' : 'S';
    }
}

/* The owners inside the block of TIER lose their ownership. */
static inline void tree_disown_inside(struct tree *t, unsigned number, unsigned cpu, paddr address)
{
    const struct tree_tier *tier = &t->tier[number];
    const paddr start = address / tier->block * tier->block;
    for (unsigned i = number + 1; i < t->tiers; i++)
        for (unsigned member = tree_group(tier, cpu);
             member < tree_group(tier, cpu) + tier->group && member < t->s.cpus; member++)
            for (paddr block = start; block < start + tier->block; block += t->tier[i].block) {
                char *state = tree_state(t, &t->tier[i], member, block);
                *state = *state ? 'S' : 0;
            }
}

/* --- removal ---------------------------------------------------------------------------------------------------- */

struct tree_why {
    enum tree_past past;
    unsigned level; /* of the caches that the request is for */
    bool device, lost;
    unsigned cpu; /* counts are this CPU's in caches that it has, in others the first CPU's */
    unsigned by;  /* whose request it is */
};

static inline uint64_t *tree_counts(struct tree *t, const struct tree_cache *c, unsigned cpu)
{
    return t->count[t->cache[cpu][c->id] == c ? cpu : c->first_cpu][c->id];
}

static inline void tree_invalidate_line(struct tree *t, struct tree_cache *c, struct tree_line *line, void *data)
{
    const struct tree_why *why = data;
    uint64_t *count = tree_counts(t, c, why->cpu);
    count[c->level == why->level && why->device ? TREE_DMA_INVALIDATIONS : TREE_INVALIDATIONS]++;
    if (line->dirty && c->level != why->level && !why->lost)
        count[TREE_WRITE_BACKS]++;
    tree_lose(t, c, line->address, why->past, why->by);
    line->valid = line->dirty = false;
}

/* Forgets the states of the groups inside tier NUMBER for SIZE bytes at START, of CPUS CPUs from FIRST on. */
static inline void tree_forget_inside(struct tree *t, unsigned number, unsigned first, unsigned cpus, paddr start,
                                      uint32_t size)
{
    for (unsigned i = number; i < t->tiers; i++)
        for (unsigned cpu = first; cpu < first + cpus && cpu < t->s.cpus; cpu++)
            for (paddr block = start; block < start + size; block += t->tier[i].block)
                *tree_state(t, &t->tier[i], cpu, block) = 0;
}

/* The group of CPU in tier NUMBER loses the block of ADDRESS, as WHY says. */
static inline void tree_remove_why(struct tree *t, unsigned number, unsigned cpu, paddr address, struct tree_why why)
{
    const struct tree_tier *tier = &t->tier[number];
    const paddr start = address / tier->block * tier->block;
    tree_each(t, tree_group(tier, cpu), tier->group, tier->level, start, tier->block, tree_invalidate_line, &why);
    tree_forget_inside(t, number, tree_group(tier, cpu), tier->group, start, tier->block);
}

static inline void tree_remove(struct tree *t, unsigned number, unsigned cpu, paddr address, bool device, bool lost)
{
    const struct tree_tier *tier = &t->tier[number];
    const unsigned group = tree_group(tier, cpu);
    tree_remove_why(t, number, cpu, address,
                    (struct tree_why){TREE_COHERENCE, tier->level, device, lost, group, group});
}

static inline void tree_clean_line(struct tree *t, struct tree_cache *c, struct tree_line *line, void *data)
{
    const struct tree_why *why = data;
    if (line->dirty && c->level != why->level)
        tree_counts(t, c, why->cpu)[TREE_WRITE_BACKS]++;
    line->dirty = false;
}

/* A group of tier NUMBER, OWNER's, gives its home the modified block: the next cache outwards that has it, or memory.
 */
static inline void tree_give_home(struct tree *t, unsigned number, unsigned owner, paddr address)
{
    for (unsigned level = t->tier[number].level + 1; level <= t->s.levels; level++) {
        struct tree_line *line = tree_find(t->cache[owner][tree_id(t, level, false)], address);
        if (line) {
            line->dirty = true;
            return;
        }
    }
    t->write_backs++;
}

/* The states of CPU's groups in the tiers outside NUMBER, after something inside became clean or left. */
static inline void tree_settle(struct tree *t, unsigned cpu, paddr address);

/* The group of OWNER in tier NUMBER writes its modified lines of the block back, and keeps them. */
static inline void tree_clean(struct tree *t, unsigned number, unsigned owner, paddr address)
{
    const struct tree_tier *tier = &t->tier[number];
    const unsigned group = tree_group(tier, owner);
    struct tree_why why = {TREE_COHERENCE, tier->level, false, false, group, group};
    tree_each(t, group, tier->group, tier->level, address / tier->block * tier->block, tier->block, tree_clean_line,
              &why);
    tree_disown_inside(t, number, owner, address);
    *tree_state(t, tier, owner, address) = 'S';
    t->member_count[number][tree_group(tier, owner)][TREE_COHERENCE_WRITE_BACKS]++;
    tree_give_home(t, number, owner, address);
    tree_settle(t, owner, address);
}

/* The tier between the caches at LEVEL and the next level, or -1. */
static inline int tree_tier_at(const struct tree *t, unsigned level)
{
    for (unsigned i = 0; i < t->tiers; i++)
        if (t->tier[i].level == level)
            return (int)i;
    return -1;
}

/* The lines inside LINE of C leave; or become clean. */
static inline void tree_inside(struct tree *t, unsigned by_cpu, const struct tree_cache *c,
                               const struct tree_line *line, bool leave, bool lost, enum tree_past past)
{
    struct tree_why why = {past, 0, false, lost, by_cpu, by_cpu};
    if (c->level == 1 || !t->s.cache[c->id].inclusive)
        return;
    /* of a split level only the side of C is inside */
    for (unsigned cpu = c->first_cpu; cpu < c->first_cpu + c->cpus && cpu < t->s.cpus; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            struct tree_cache *inner = &t->own[cpu][id];
            if (!inner->exists || inner->level >= c->level || (t->s.split[c->level] && id % 2 != c->id % 2))
                continue;
            for (paddr address = line->address; address < line->address + c->line; address += inner->line) {
                struct tree_line *found = tree_find(inner, address);
                if (found)
                    (leave ? tree_invalidate_line : tree_clean_line)(t, inner, found, &why);
            }
        }
    for (unsigned i = 0; leave && i < t->tiers; i++)
        if (t->tier[i].level < c->level)
            tree_forget_inside(t, i, c->first_cpu, c->cpus, line->address, c->line);
}

/* Modified data of LINE leave C, because of CPU: to the next cache that has the line, or to memory. */
static inline void tree_write_out(struct tree *t, unsigned cpu, const struct tree_cache *c, paddr line)
{
    t->count[cpu][c->id][TREE_WRITE_BACKS]++;
    for (unsigned level = c->level + 1; level <= t->s.levels; level++) {
        struct tree_line *outer = tree_find(t->cache[cpu][tree_id(t, level, false)], line);
        if (outer) {
            outer->dirty = true;
            return;
        }
    }
    t->write_backs++;
}

/* FLUSHED: not for a fill, but by a CACHE instruction; LOST: and its data are lost. */
static inline void tree_evict(struct tree *t, unsigned cpu, struct tree_cache *c, struct tree_line *line, bool flushed,
                              bool lost);

/* A way of C for ADDRESS, of CPU's, with virtual address INDEX: what is there leaves. */
static inline struct tree_line *tree_make_room(struct tree *t, unsigned cpu, struct tree_cache *c, paddr address,
                                               vaddr index)
{
    struct tree_line *set = tree_set(c, address, index), *line = NULL;
    const uint32_t own = t->s.partition[c->level][cpu], among = own ? own : UINT32_MAX;
    for (unsigned way = 0; way < c->ways && (!line || line->valid); way++)
        if (among >> way & 1 && (!line || !set[way].valid || set[way].used < line->used))
            line = &set[way];
    if (line->valid)
        tree_evict(t, cpu, c, line, false, false);
    return line;
}

static inline void tree_put(struct tree *t, struct tree_cache *c, struct tree_line *line, paddr address, bool dirty)
{
    *line = (struct tree_line){.valid = true, .dirty = dirty, .address = address / c->line * c->line};
    tree_touch(t, line);
    tree_history(c, address)->past = TREE_PRESENT;
    tree_use(t, c, address);
}

/* C, an exclusive cache, gets a line that CPU's access evicts from the level inside. */
static inline void tree_hand_down(struct tree *t, unsigned cpu, struct tree_cache *c, paddr address, bool dirty)
{
    struct tree_line *line = tree_find(c, address);
    if (line) {
        line->dirty |= dirty;
        tree_touch(t, line);
    } else {
        line = tree_make_room(t, cpu, c, address, address);
        tree_put(t, c, line, address, dirty);
    }
}

static inline void tree_evict(struct tree *t, unsigned cpu, struct tree_cache *c, struct tree_line *line, bool flushed,
                              bool lost)
{
    const paddr address = line->address;
    tree_inside(t, cpu, c, line, true, lost, flushed ? TREE_FLUSHED : TREE_INCLUSION);
    tree_lose(t, c, address, flushed ? TREE_FLUSHED : TREE_EVICTED, cpu);
    const bool dirty = line->dirty && !lost;
    const enum memsys_cache next = c->level < t->s.levels ? tree_id(t, c->level + 1, c->id % 2 == 0) : c->id;
    const bool hands_down = !flushed && t->s.cache[next].exclusive && next != c->id;
    if (hands_down) {
        t->count[cpu][c->id][TREE_WRITE_BACKS] += dirty;
        tree_hand_down(t, cpu, t->cache[cpu][next], address, dirty);
    }
    line->valid = line->dirty = false;
    if (dirty && !hands_down)
        tree_write_out(t, cpu, c, address);
    tree_settle(t, cpu, address);
}

/* --- nodes ------------------------------------------------------------------------------------------------------ */

static inline unsigned tree_node(const struct tree *t, unsigned cpu)
{
    unsigned cpus = 1;
    while (cpus < t->s.cpus)
        cpus *= 2;
    return cpus > t->s.nodes ? cpu * t->s.nodes / cpus : cpu;
}

static inline struct tree_page *tree_page_of(struct tree *t, paddr address)
{
    return ref_cell(&t->page, address / TREE_PAGE);
}

static inline unsigned tree_home_node(struct tree *t, unsigned cpu, paddr address)
{
    unsigned *home = &tree_page_of(t, address)->home;
    if (*home == 0)
        *home = (t->s.interleave ? address / t->s.interleave % t->s.nodes
                 : t->s.in_turn  ? t->homes++ % t->s.nodes
                                 : tree_node(t, cpu)) +
                1;
    return *home - 1;
}

static inline bool tree_moves(const struct tree *t)
{
    return t->s.nodes > 1 && (t->s.moves.migrates || t->s.moves.replicates);
}

/* The page of ADDRESS, with its counts of the present interval. */
static inline struct tree_page *tree_page(struct tree *t, paddr address)
{
    struct tree_page *page = tree_page_of(t, address);
    if (page->interval != t->interval) {
        page->interval = t->interval;
        page->writes = page->moved = 0;
        memset(page->asked, 0, sizeof page->asked);
    }
    return page;
}

/* CPU's node misses the page, which has a home. */
static inline void tree_ask(struct tree *t, unsigned cpu, paddr address)
{
    struct tree_page *page = tree_page(t, address);
    const unsigned node = tree_node(t, cpu);
    if (++t->skipped[cpu] < t->s.moves.sample)
        return;
    t->skipped[cpu] = 0;
    if (++page->asked[node] == t->s.moves.threshold && page->home - 1 != node && !page->copy[node])
        t->hot[cpu] = address / TREE_PAGE + 1;
}

static inline void tree_pass_time(struct tree *t, cycles now)
{
    if (now / t->s.moves.interval > t->interval)
        t->interval = now / t->s.moves.interval;
}

/* The guest's kernel frees the page of ADDRESS. */
static inline void tree_free_page(struct tree *t, paddr address)
{
    struct tree_page *page = tree_page(t, address);
    if (page->home)
        *page = (struct tree_page){.interval = page->interval};
}

/* A miss of CPU's TLB. */
static inline void tree_tlb_miss(struct tree *t, unsigned cpu, paddr address, cycles now)
{
    tree_pass_time(t, now);
    if (tree_page_of(t, address)->home)
        tree_ask(t, cpu, address);
}

/* The nodes for which LEAVES is true lose page NUMBER from their caches, because of CPU; all clean it. */
static inline void tree_leave_frame(struct tree *t, unsigned cpu, unsigned number, const bool *leaves)
{
    const struct tree_tier *tier = &t->tier[0];
    const paddr start = number * TREE_PAGE;
    for (paddr block = start; block < start + TREE_PAGE; block += tier->block)
        for (unsigned pass = 0; pass < 2; pass++)
            for (unsigned group = 0; group < t->s.cpus; group += tier->group) {
                const char state = *tree_state(t, tier, group, block);
                if (pass == 0 && state == 'M')
                    tree_clean(t, 0, group, block);
                if (pass == 1 && state && leaves[tree_node(t, group)])
                    tree_remove_why(t, 0, group, block,
                                    (struct tree_why){TREE_NEVER, tier->level, false, false, group, cpu});
            }
}

/* The copies of page NUMBER end. */
static inline cycles tree_collapse(struct tree *t, unsigned cpu, unsigned number)
{
    struct tree_page *page = ref_cell(&t->page, number);
    bool any = false;
    for (unsigned node = 0; node < TREE_CPUS; node++)
        any |= page->copy[node];
    if (!any)
        return 0;
    tree_leave_frame(t, cpu, number, page->copy);
    memset(page->copy, 0, sizeof page->copy);
    t->collapses++;
    return t->s.moves.time;
}

/* CPU's node has asked for page NUMBER often enough. */
static inline cycles tree_consider(struct tree *t, unsigned cpu, unsigned number)
{
    struct tree_page *page = tree_page(t, number * TREE_PAGE);
    const unsigned node = tree_node(t, cpu);
    bool shared = false, leaves[TREE_CPUS] = {false};
    for (unsigned other = 0; other < t->s.nodes; other++)
        shared |= (other != node && page->asked[other] >= t->s.moves.sharing) || page->copy[other];
    t->hot_pages++;
    if (shared && page->writes >= t->s.moves.writes) {
        t->hot_written++;
        return 0;
    }
    if (!shared && page->moved >= t->s.moves.again) {
        t->hot_moved++;
        return 0;
    }
    if (shared ? !t->s.moves.replicates : !t->s.moves.migrates)
        return 0;
    for (unsigned other = 0; other < TREE_CPUS; other++)
        leaves[other] = !shared || other == node;
    tree_leave_frame(t, cpu, number, leaves);
    if (shared) {
        page->copy[node] = true;
        t->replications++;
    } else {
        page->home = node + 1;
        page->moved++;
        t->migrations++;
    }
    memset(page->asked, 0, sizeof page->asked);
    return t->s.moves.time;
}

/* What a request of CPU takes, that ANSWER ends: NEAR, or FAR if the home is not in its node. */
static inline cycles tree_nodes_time(struct tree *t, unsigned cpu, paddr address, unsigned answer, bool inside,
                                     cycles near, cycles far)
{
    if (t->s.nodes == 1)
        return near;
    bool here = tree_home_node(t, cpu, address) == tree_node(t, cpu);
    if (tree_moves(t)) {
        tree_pass_time(t, t->now);
        struct tree_page *page = tree_page(t, address);
        page->writes += t->storing;
        if (!t->s.moves.by_tlb)
            tree_ask(t, cpu, address);
        here |= page->copy[tree_node(t, cpu)];
    }
    const bool local = here && inside;
    t->asked[tree_node(t, cpu)][here ? tree_node(t, cpu) : tree_home_node(t, cpu, address)][answer]++;
    (local ? t->local : t->remote)[cpu]++;
    return local ? near : far;
}

static inline cycles tree_memory_time(struct tree *t, const struct tree_access *a)
{
    return tree_nodes_time(t, a->cpu, a->address, TREE_MEMORY, true, t->s.miss, t->s.remote_miss);
}

static inline cycles tree_supply_time(struct tree *t, const struct tree_access *a, unsigned owner)
{
    return tree_nodes_time(t, a->cpu, a->address, tree_node(t, owner), tree_node(t, owner) == tree_node(t, a->cpu),
                           t->s.intervention, t->s.remote_intervention);
}

/* --- coherence -------------------------------------------------------------------------------------------------- */

/* The first CPUs of the other groups that share CPU's home in tier NUMBER and have the block: from *NEXT on. */
static inline bool tree_other(struct tree *t, unsigned number, unsigned cpu, paddr address, unsigned *next)
{
    const struct tree_tier *tier = &t->tier[number];
    const unsigned home = cpu / tier->home * tier->home;
    if (*next < home)
        *next = home;
    for (; *next < home + tier->home && *next < t->s.cpus; *next += tier->group)
        if (*next != tree_group(tier, cpu) && *tree_state(t, tier, *next, address))
            return true;
    return false;
}

static inline bool tree_any_other(struct tree *t, unsigned number, unsigned cpu, paddr address, unsigned *lowest)
{
    *lowest = 0;
    return tree_other(t, number, cpu, address, lowest);
}

static inline void tree_remove_others(struct tree *t, unsigned number, unsigned cpu, paddr address)
{
    unsigned other = 0;
    while (tree_other(t, number, cpu, address, &other))
        tree_remove(t, number, other, address, false, false);
}

static inline void tree_share_others(struct tree *t, unsigned number, unsigned cpu, paddr address)
{
    unsigned other = 0;
    while (tree_other(t, number, cpu, address, &other)) {
        char *state = tree_state(t, &t->tier[number], other, address);
        if (*state != 'S')
            tree_disown_inside(t, number, other, address);
        *state = 'S';
        other += t->tier[number].group;
    }
}

static inline bool tree_owned_by(struct tree *t, unsigned number, unsigned other, paddr address)
{
    return *tree_state(t, &t->tier[number], other, address) == 'M';
}

/* CPU, whose group in tier NUMBER has the block, will store to it. Returns the stall. */
static inline cycles tree_gain(struct tree *t, unsigned number, const struct tree_access *a, bool *asked)
{
    const struct tree_tier *tier = &t->tier[number];
    char *state = tree_state(t, tier, a->cpu, a->address);
    cycles time = 0;
    *asked = false;
    if (*state == 'M')
        return 0;
    if (number > 0)
        time = tree_gain(t, number - 1, a, asked);
    if (*state == 'S' && tier->upgrades) {
        for (unsigned level = 2; !*asked && level <= tier->level + 1 && level <= t->s.levels; level++) {
            struct tree_line *line = tree_find(t->cache[a->cpu][tree_id(t, level, false)], a->address);
            if (line)
                tree_touch(t, line);
        }
        t->upgrade_misses[a->cpu] += !*asked;
        t->member_count[number][a->cpu][TREE_UPGRADES] += !*asked;
        t->classes[a->cpu][tree_id(t, tier->level, false)].miss[t->context[a->cpu].mode][MISS_DATA][CLASS_UPGRADE] +=
            !*asked;
        cycles upgrade = tier->upgrade;
        if (number == 0) {
            bool inside = true;
            for (unsigned other = 0; tree_other(t, number, a->cpu, a->address, &other); other += tier->group)
                inside &= tree_node(t, other) == tree_node(t, a->cpu);
            upgrade = tree_nodes_time(t, a->cpu, a->address, TREE_UPGRADE, inside, upgrade, t->s.remote_upgrade);
        }
        tree_remove_others(t, number, a->cpu, a->address);
        *asked = true;
        time = time > upgrade ? time : upgrade;
    }
    *state = 'M';
    return time;
}

/* The home of tier NUMBER has the block and supplies it to CPU. */
static inline cycles tree_read_home(struct tree *t, unsigned number, const struct tree_access *a)
{
    const struct tree_tier *tier = &t->tier[number];
    char *state = tree_state(t, tier, a->cpu, a->address);
    unsigned other;
    if (*state)
        return 0;
    if (!tree_any_other(t, number, a->cpu, a->address, &other)) {
        const char outside = *tree_state(t, &t->tier[number - 1], a->cpu, a->address);
        *state = t->s.mesi && (outside == 'E' || outside == 'M') ? 'E' : 'S';
        return 0;
    }
    const bool modified = tree_owned_by(t, number, other, a->address);
    if (modified) {
        t->member_count[number][other][TREE_INTERVENTIONS]++;
        tree_clean(t, number, other, a->address);
    }
    tree_share_others(t, number, a->cpu, a->address);
    *state = 'S';
    return modified ? tier->intervention : 0;
}

/* The same for a store. */
static inline cycles tree_own_home(struct tree *t, unsigned number, const struct tree_access *a, bool *asked)
{
    const struct tree_tier *tier = &t->tier[number];
    cycles time, within = 0;
    unsigned other;
    if (*tree_state(t, tier, a->cpu, a->address))
        return tree_gain(t, number, a, asked);
    time = tree_gain(t, number - 1, a, asked);
    if (tree_any_other(t, number, a->cpu, a->address, &other)) {
        const bool modified = tree_owned_by(t, number, other, a->address);
        within = modified ? tier->intervention : tier->upgrade;
        t->member_count[number][other][TREE_INTERVENTIONS] += modified;
    }
    tree_remove_others(t, number, a->cpu, a->address);
    *tree_state(t, tier, a->cpu, a->address) = 'M';
    return time > within ? time : within;
}

/* The home of tier NUMBER does not have the block, and is not inclusive: does another group supply it? *TIME: the
 * stall. */
static inline bool tree_supply(struct tree *t, unsigned number, const struct tree_access *a, bool own, cycles *time)
{
    const struct tree_tier *tier = &t->tier[number];
    char *state = tree_state(t, tier, a->cpu, a->address);
    unsigned other;
    bool asked;
    if (*state || !tree_any_other(t, number, a->cpu, a->address, &other))
        return false;
    const bool modified = tree_owned_by(t, number, other, a->address);
    if (!modified && !t->s.mesi)
        return false;
    *time = own ? tree_gain(t, number - 1, a, &asked) : 0;
    if (*time < tier->intervention)
        *time = tier->intervention;
    t->member_count[number][other][modified ? TREE_INTERVENTIONS : TREE_CLEAN_SUPPLIES]++;
    if (own) {
        tree_remove_others(t, number, a->cpu, a->address);
        *state = 'M';
        return true;
    }
    if (modified)
        tree_clean(t, number, other, a->address);
    tree_share_others(t, number, a->cpu, a->address);
    *state = 'S';
    return true;
}

/* No cache of CPU's path has the block. */
static inline cycles tree_read_memory(struct tree *t, const struct tree_access *a)
{
    const struct tree_tier *tier = &t->tier[0];
    char *state = tree_state(t, tier, a->cpu, a->address);
    unsigned other;
    if (*state) { /* another cache of the group does */
        t->fills += *state != 'M';
        return *state == 'M' ? t->s.miss : tree_memory_time(t, a);
    }
    if (!tree_any_other(t, 0, a->cpu, a->address, &other)) {
        t->fills++;
        *state = t->s.mesi ? 'E' : 'S';
        return tree_memory_time(t, a);
    }
    bool supplied = tree_owned_by(t, 0, other, a->address);
    if (supplied) {
        t->member_count[0][other][TREE_INTERVENTIONS]++;
        tree_clean(t, 0, other, a->address);
    } else if (t->s.mesi && !tree_page_of(t, a->address)->copy[tree_node(t, a->cpu)]) {
        t->member_count[0][other][TREE_CLEAN_SUPPLIES]++;
        supplied = true;
    }
    tree_share_others(t, 0, a->cpu, a->address);
    t->fills += !supplied;
    *state = 'S';
    return supplied ? tree_supply_time(t, a, other) : tree_memory_time(t, a);
}

static inline cycles tree_own_memory(struct tree *t, const struct tree_access *a, bool *asked)
{
    const struct tree_tier *tier = &t->tier[0];
    char *state = tree_state(t, tier, a->cpu, a->address);
    unsigned other;
    *asked = false;
    if (*state) {
        t->fills += *state != 'M';
        const cycles within = *state == 'M' ? t->s.miss : tree_memory_time(t, a), time = tree_gain(t, 0, a, asked);
        return time > within ? time : within;
    }
    bool supplied = false;
    if (tree_any_other(t, 0, a->cpu, a->address, &other)) {
        const bool modified = tree_owned_by(t, 0, other, a->address);
        supplied = modified || t->s.mesi;
        t->member_count[0][other][TREE_INTERVENTIONS] += modified;
        t->member_count[0][other][TREE_CLEAN_SUPPLIES] += !modified && t->s.mesi;
    }
    tree_remove_others(t, 0, a->cpu, a->address);
    t->fills += !supplied;
    *state = 'M';
    return supplied ? tree_supply_time(t, a, other) : tree_memory_time(t, a);
}

/* --- accesses --------------------------------------------------------------------------------------------------- */

static inline void tree_count_miss(struct tree *t, const struct tree_access *a, unsigned level)
{
    t->count[a->cpu][tree_on_path(t, a, level)->id][a->kind == MEMSYS_FETCH  ? TREE_INSN_MISSES
                                                    : a->kind == MEMSYS_READ ? TREE_READ_MISSES
                                                                             : TREE_WRITE_MISSES]++;
    t->misses[a->cpu][t->context[a->cpu].mode][level][a->kind]++;
    tree_class_miss(t, tree_on_path(t, a, level), a);
}

static inline void tree_mark_dirty(struct tree *t, const struct tree_access *a, unsigned level)
{
    for (unsigned outer = level; outer <= t->s.levels; outer++) {
        const enum memsys_cache id = tree_id(t, outer, false);
        if (outer == level || t->s.cache[id].inclusive)
            tree_find(t->cache[a->cpu][id], a->address)->dirty = true;
    }
}

static inline void tree_fill(struct tree *t, const struct tree_access *a, unsigned level, bool dirty)
{
    struct tree_cache *c = tree_on_path(t, a, level);
    struct tree_line *line = tree_make_room(t, a->cpu, c, a->address, a->virtual_address);
    tree_put(t, c, line, a->address, dirty);
}

/* The line of A that exclusive cache C supplies to the cache at level INNER leaves C, unless it is modified, and OWN is
 * false, and an instruction cache reads it, or it passes a shared cache, or other groups inside share it. Returns
 * whether it leaves modified. */
static inline bool tree_leave_exclusive(struct tree *t, const struct tree_access *a, struct tree_cache *c,
                                        unsigned inner, bool own)
{
    struct tree_line *line = tree_find(c, a->address);
    const int boundary = tree_tier_at(t, c->level - 1);
    const bool dirty = line->dirty;
    unsigned other;
    if (dirty && !own &&
        (tree_on_path(t, a, inner)->id % 2 == 0 || (inner < c->level - 1 && tree_tier_at(t, inner) > 0)))
        return false;
    if (dirty && !own && boundary > 0) {
        if (tree_any_other(t, (unsigned)boundary, a->cpu, a->address, &other))
            return false;
        *tree_state(t, &t->tier[boundary], a->cpu, a->address) = 'M';
    }
    line->valid = line->dirty = false;
    tree_lose(t, c, a->address, TREE_SUPPLIED, a->cpu);
    return dirty;
}

/* The group of A's CPU in tier NUMBER has got the block, which needs an entry in the home's directory. If its set is
 * full of blocks that groups have, the one that was not used for longest leaves them. */
static inline void tree_enter_directory(struct tree *t, unsigned number, const struct tree_access *a)
{
    const struct tree_tier *tier = &t->tier[number];
    const unsigned first = a->cpu / tier->home * tier->home;
    const uint32_t entries = t->s.directory_entries[tier->level + 1], ways = t->s.directory_ways[tier->level + 1];
    const paddr own = a->address / tier->block;
    struct tree_entries *set;
    uint32_t kept = 0;
    if (entries == 0)
        return;
    set = &tier->sparse[first][own % (entries / ways)];
    for (uint32_t i = 0; i < set->count; i++) { /* those that no group has any more are none */
        const struct tree_entry entry = set->entry[i];
        bool held = false;
        for (unsigned cpu = first; cpu < first + tier->home && cpu < t->s.cpus; cpu += tier->group)
            held |= *tree_state(t, tier, cpu, entry.block * tier->block) != 0;
        if (held && entry.block != own)
            set->entry[kept++] = entry;
    }
    set->count = kept;
    if (kept == ways) {
        uint32_t oldest = 0;
        for (uint32_t i = 1; i < kept; i++)
            if (set->entry[i].used < set->entry[oldest].used)
                oldest = i;
        const paddr address = set->entry[oldest].block * tier->block;
        t->member_count[number][tree_group(tier, a->cpu)][TREE_DIRECTORY_EVICTIONS]++;
        for (unsigned cpu = first; cpu < first + tier->home && cpu < t->s.cpus; cpu += tier->group) {
            if (tree_owned_by(t, number, cpu, address)) {
                t->member_count[number][cpu][TREE_COHERENCE_WRITE_BACKS]++;
                tree_give_home(t, number, cpu, address);
            }
            if (*tree_state(t, tier, cpu, address))
                tree_remove_why(t, number, cpu, address,
                                (struct tree_why){TREE_INCLUSION, tier->level, false, false, cpu, a->cpu});
        }
        tree_settle(t, a->cpu, address);
    }
    if (set->count == set->room)
        set->entry = realloc(set->entry, (set->room += 8) * sizeof *set->entry);
    set->entry[set->count++] = (struct tree_entry){own, ++t->clock};
}

/* The line of A, which missed at LEVEL, is brought there; OWN: for a store that is kept. */
static inline cycles tree_insert(struct tree *t, const struct tree_access *a, unsigned level, bool own)
{
    unsigned from = level + 1;
    cycles time;
    bool asked = false, supplied = false, modified = false;
    while (from <= t->s.levels && !supplied && !tree_find(tree_on_path(t, a, from), a->address)) {
        const int boundary = tree_tier_at(t, from - 1);
        if (boundary > 0 && !t->s.cache[tree_id(t, from, false)].inclusive)
            supplied = tree_supply(t, (unsigned)boundary, a, own, &time);
        tree_count_miss(t, a, from++);
    }
    if (supplied) {
        /* by way of the home, at level from - 1 */
    } else if (from > t->s.levels) {
        time = own ? tree_own_memory(t, a, &asked) : tree_read_memory(t, a);
    } else {
        struct tree_cache *c = tree_on_path(t, a, from);
        struct tree_line *line = tree_find(c, a->address);
        const int boundary = tree_tier_at(t, from - 1);
        unsigned tier = 0; /* of the groups that C is in */
        for (unsigned i = 0; i < t->tiers; i++)
            if (t->tier[i].level >= from)
                tier = i;
        tree_touch(t, line);
        tree_use(t, c, a->address);
        if (boundary > 0)
            time = own ? tree_own_home(t, (unsigned)boundary, a, &asked) : tree_read_home(t, (unsigned)boundary, a);
        else
            time = own && !(t->s.cache[c->id].inclusive && line->dirty) ? tree_gain(t, tier, a, &asked) : 0;
        if (time < t->s.level_time[from])
            time = t->s.level_time[from];
        const bool skips = from - 1 > level && t->s.cache[tree_on_path(t, a, from - 1)->id].exclusive;
        if (t->s.cache[c->id].exclusive)
            modified = tree_leave_exclusive(t, a, c, skips ? level : from - 1, own);
    }
    /* the homes that missed hand the line in, apart from one inside which it was */
    for (unsigned home = from - 1 - supplied; home > level; home--) {
        const int boundary = tree_tier_at(t, home - 1);
        unsigned other;
        if (boundary <= 0)
            continue;
        char *state = tree_state(t, &t->tier[boundary], a->cpu, a->address);
        if (own)
            tree_remove_others(t, (unsigned)boundary, a->cpu, a->address);
        else if (*state)
            continue;
        else if (tree_any_other(t, (unsigned)boundary, a->cpu, a->address, &other)) {
            tree_share_others(t, (unsigned)boundary, a->cpu, a->address);
            *state = 'S';
            continue;
        }
        const char outside = *tree_state(t, &t->tier[boundary - 1], a->cpu, a->address);
        *state = own ? 'M' : t->s.mesi && outside != 'S' ? 'E' : 'S';
    }
    t->filling = true;
    t->current = a->address;
    const unsigned home = supplied ? from - 1 : 0;
    while (--from >= level) {
        const int boundary = tree_tier_at(t, from);
        if (boundary > 0 && from != home)
            tree_enter_directory(t, (unsigned)boundary, a);
        struct tree_cache *c = tree_on_path(t, a, from);
        if (from > level && t->s.cache[c->id].exclusive) {
            tree_lose(t, c, a->address, TREE_SUPPLIED, a->cpu);
            continue;
        }
        tree_fill(t, a, from, modified);
        modified = false;
    }
    t->filling = false;
    if (own)
        tree_mark_dirty(t, a, level);
    tree_settle(t, a->cpu, a->address);
    return time;
}

/* A store passes from level LEVEL - 1 outwards. */
static inline void tree_post(struct tree *t, const struct tree_access *a, unsigned level)
{
    unsigned other;
    bool asked;
    const int boundary = level > 1 ? tree_tier_at(t, level - 1) : -1;
    if (level > t->s.levels) {
        t->writes++;
        if (tree_any_other(t, 0, a->cpu, a->address, &other)) {
            if (tree_owned_by(t, 0, other, a->address)) {
                t->member_count[0][other][TREE_COHERENCE_WRITE_BACKS]++;
                t->write_backs++;
            }
            tree_remove_others(t, 0, a->cpu, a->address);
        }
        return;
    }
    if (boundary > 0 && tree_any_other(t, (unsigned)boundary, a->cpu, a->address, &other)) {
        if (tree_owned_by(t, (unsigned)boundary, other, a->address)) {
            t->member_count[boundary][other][TREE_COHERENCE_WRITE_BACKS]++;
            tree_give_home(t, (unsigned)boundary, other, a->address);
        }
        tree_remove_others(t, (unsigned)boundary, a->cpu, a->address);
        tree_settle(t, a->cpu, a->address);
    }
    struct tree_cache *c = tree_on_path(t, a, level);
    const struct tree_cache_settings *settings = &t->s.cache[c->id];
    struct tree_line *line = tree_find(c, a->address);
    if (line) {
        tree_touch(t, line);
        tree_use(t, c, a->address);
        if (!settings->through) {
            unsigned tier = 0;
            for (unsigned i = 0; i < t->tiers; i++)
                if (t->tier[i].level >= level)
                    tier = i;
            if (!line->dirty) {
                tree_gain(t, tier, a, &asked);
                tree_mark_dirty(t, a, level);
            }
            return;
        }
    } else {
        tree_count_miss(t, a, level);
        if (!settings->no_allocate)
            tree_insert(t, a, level, !settings->through);
        if (!settings->no_allocate && !settings->through)
            return;
    }
    tree_post(t, a, level + 1);
}

static inline cycles tree_access_line(struct tree *t, const struct tree_access *a)
{
    struct tree_cache *c = tree_on_path(t, a, 1);
    const struct tree_cache_settings *settings = &t->s.cache[c->id];
    struct tree_line *line = tree_find_in(c, a->address, a->virtual_address), *alias;
    const bool store = a->kind == MEMSYS_WRITE;
    cycles stall = 0;
    bool asked;
    if (line) {
        tree_touch(t, line);
        tree_use(t, c, a->address);
        if (store && settings->through) {
            tree_post(t, a, 2);
        } else if (store && !line->dirty) {
            /* the next level may know that the group has modified the line */
            const bool known = t->s.levels > 1 && tree_tier_at(t, 1) < 0 &&
                               t->s.cache[tree_id(t, 2, false)].inclusive &&
                               tree_find(tree_on_path(t, a, 2), a->address)->dirty;
            stall = known ? 0 : tree_gain(t, t->tiers - 1, a, &asked);
            tree_mark_dirty(t, a, 1);
        }
        return stall;
    }
    tree_count_miss(t, a, 1);
    alias = tree_find(c, a->address);
    if (alias) {
        t->count[a->cpu][c->id][TREE_ALIASES]++;
        tree_evict(t, a->cpu, c, alias, false, false);
    }
    if (store && settings->no_allocate) {
        tree_post(t, a, 2);
        return 0;
    }
    stall = tree_insert(t, a, 1, store && !settings->through);
    if (store && settings->through)
        tree_post(t, a, 2);
    return stall;
}

/* One access of a CPU. Returns the stall cycles. */
static inline cycles tree_access(struct tree *t, const struct tree_access *a)
{
    const bool moves = tree_moves(t);
    const unsigned number = a->address / TREE_PAGE;
    cycles time = 0;
    t->event++;
    t->storing = a->kind == MEMSYS_WRITE;
    t->now = a->now;
    t->by = a->cpu;
    if (moves && t->storing)
        time += tree_collapse(t, a->cpu, number);
    time += tree_access_line(t, a);
    if (a->kind == MEMSYS_WRITE)
        tree_write_words(t, a->cpu, a->address, a->size);
    if (t->hot[a->cpu])
        time += tree_consider(t, a->cpu, t->hot[a->cpu] - 1);
    t->hot[a->cpu] = 0;
    t->stall[a->cpu][t->context[a->cpu].mode] += time;
    return time;
}

/* A device's request. */
static inline void tree_dma(struct tree *t, bool write, paddr address, uint32_t size)
{
    const struct tree_tier *tier = &t->tier[0];
    t->event++;
    for (unsigned page = address / TREE_PAGE; write && page <= (address + size - 1) / TREE_PAGE; page++)
        tree_collapse(t, 0, page);
    if (write)
        tree_write_words(t, TREE_DEVICE, address, size);
    for (paddr block = address / tier->block * tier->block; block < address + size; block += tier->block) {
        const bool whole = block >= address && block + tier->block <= address + size;
        for (unsigned cpu = 0; cpu < t->s.cpus; cpu += tier->group) {
            const char state = *tree_state(t, tier, cpu, block);
            if (!write && state == 'M')
                tree_clean(t, 0, cpu, block);
            if (write && state == 'M' && !whole) {
                t->member_count[0][cpu][TREE_COHERENCE_WRITE_BACKS]++;
                t->write_backs++;
            }
            if (write && state)
                tree_remove(t, 0, cpu, block, true, whole);
        }
    }
}

/* Index operations of the CACHE instruction: the set that ADDRESS, or INDEX, selects in CPU's cache ID is emptied. */
static inline void tree_empty_set(struct tree *t, unsigned cpu, enum memsys_cache id, paddr address, vaddr index)
{
    struct tree_cache *c = t->cache[cpu][id];
    struct tree_line *set = tree_set(c, address, index);
    for (unsigned way = 0; way < c->ways; way++)
        if (set[way].valid)
            tree_evict(t, cpu, c, &set[way], true, false);
}

/* The other operations on the line of ADDRESS in CPU's cache ID. */
static inline void tree_cache_op(struct tree *t, unsigned cpu, enum memsys_cache id, enum memsys_cache_op op,
                                 paddr address)
{
    struct tree_cache *c = t->cache[cpu][id];
    struct tree_line *line = tree_find(c, address);
    if (!line || (op == MEMSYS_HIT_WRITEBACK && !line->dirty))
        return;
    if (op != MEMSYS_HIT_WRITEBACK) {
        tree_evict(t, cpu, c, line, true, op == MEMSYS_HIT_INVALIDATE);
        return;
    }
    tree_inside(t, cpu, c, line, false, false, TREE_FLUSHED);
    for (unsigned i = 0; i < t->tiers && t->s.cache[id].inclusive; i++)
        for (unsigned member = c->first_cpu; member < c->first_cpu + c->cpus && member < t->s.cpus; member++)
            for (paddr block = line->address; t->tier[i].level < c->level && block < line->address + c->line;
                 block += t->tier[i].block) {
                char *state = tree_state(t, &t->tier[i], member, block);
                if (*state != 'M' || member % t->tier[i].group != 0)
                    continue;
                tree_disown_inside(t, i, member, block);
                *state = 'S';
            }
    line->dirty = false;
    tree_write_out(t, cpu, c, line->address);
    tree_settle(t, cpu, address);
}

#endif
