/*
 * Reference model, part 3: miss classification by the definitions of docs/reference/miss-classes.md. It keeps the
 * history of each line and an LRU list for every cache, and the last writers of every word of memory.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_CLASSES_H
#define SIMOS_TESTS_UNIT_REFERENCE_CLASSES_H

#include "tests/unit/reference_replacement.h"

enum ref_past { REF_NEVER, REF_PRESENT, REF_REPLACED, REF_INCLUSION, REF_COHERENCE, REF_FLUSHED };

struct ref_history {
    enum ref_past past;
    enum mode mode; /* context of the evicting access */
    uint32_t process;
    uint64_t lost; /* event number of the loss, for REF_COHERENCE */
};

struct ref_listed {
    paddr line;
    uint64_t used;
};

/* For one cache: the fully associative reference cache of the same size, and the history of its lines. */
struct ref_witness {
    struct ref_map history;
    uint32_t line_size, capacity, held;
    struct ref_listed *list;
    struct classify_counts counts;
};

/* The last store to a word, and the last one by any other writer. REF_DEVICE: a device. Times are event numbers, from
 * 1. */
enum { REF_DEVICE = 255 };
struct ref_word {
    uint8_t writer;
    uint64_t written, written_by_another;
};

struct ref_classes {
    enum classify_mode mode;
    uint32_t word_size;
    struct ref_map words;
    uint64_t event; /* number of the current access or device request */
    uint64_t uses;
    struct {
        enum mode mode;
        uint32_t process;
    } context[REF_CPUS];
    struct ref_witness witness[REF_CPUS][MEMSYS_CACHES];
};

static inline void ref_classes_make(struct ref_classes *k, const struct ref_settings *s)
{
    k->mode = s->classify;
    k->word_size = 4;
    k->words.size = sizeof(struct ref_word);
    for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
        for (unsigned cpu = 0; s->cache[id].exists && cpu < s->cpus; cpu++) {
            struct ref_witness *w = &k->witness[cpu][id];
            w->history.size = sizeof(struct ref_history);
            w->line_size = s->cache[id].line;
            w->capacity = s->cache[id].size / s->cache[id].line + s->cache[id].assist;
            w->list = calloc(w->capacity, sizeof *w->list);
        }
    }
    for (unsigned cpu = 0; cpu < REF_CPUS; cpu++)
        k->context[cpu].mode = MODE_KERNEL;
}

static inline void ref_classes_free(struct ref_classes *k)
{
    ref_map_free(&k->words);
    for (unsigned cpu = 0; cpu < REF_CPUS; cpu++)
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            ref_map_free(&k->witness[cpu][id].history);
            free(k->witness[cpu][id].list);
        }
}

/* --- the fully associative cache -------------------------------------------------------------------------------- */

static inline struct ref_listed *ref_listed(struct ref_witness *w, paddr address)
{
    for (uint32_t i = 0; i < w->held; i++)
        if (w->list[i].line == address / w->line_size)
            return &w->list[i];
    return NULL;
}

/* The modelled cache has hit or filled a line. */
static inline void ref_class_use(struct ref_classes *k, unsigned cpu, enum memsys_cache id, paddr address)
{
    struct ref_witness *w = &k->witness[cpu][id];
    if (k->mode != CLASSIFY_FULL)
        return;
    struct ref_listed *listed = ref_listed(w, address);
    if (!listed && w->held < w->capacity)
        listed = &w->list[w->held++];
    if (!listed) {
        listed = w->list;
        for (uint32_t i = 1; i < w->held; i++)
            if (w->list[i].used < listed->used)
                listed = &w->list[i];
    }
    *listed = (struct ref_listed){address / w->line_size, ++k->uses};
}

/* --- history ---------------------------------------------------------------------------------------------------- */

static inline struct ref_history *ref_history(struct ref_witness *w, paddr address)
{
    return ref_cell(&w->history, address / w->line_size);
}

static inline void ref_class_fill(struct ref_classes *k, unsigned cpu, enum memsys_cache id, paddr address)
{
    if (k->mode == CLASSIFY_OFF)
        return;
    ref_history(&k->witness[cpu][id], address)->past = REF_PRESENT;
    ref_class_use(k, cpu, id, address);
}

static inline void ref_class_leave(struct ref_classes *k, unsigned cpu, enum memsys_cache id, paddr address,
                                   enum ref_past why)
{
    struct ref_witness *w = &k->witness[cpu][id];
    if (k->mode == CLASSIFY_OFF)
        return;
    *ref_history(w, address) = (struct ref_history){why, k->context[cpu].mode, k->context[cpu].process, k->event};
    struct ref_listed *listed = ref_listed(w, address);
    if (listed && why != REF_REPLACED)
        *listed = w->list[--w->held];
}

/* --- sharing ---------------------------------------------------------------------------------------------------- */

static inline void ref_class_store(struct ref_classes *k, unsigned writer, paddr address, uint32_t size)
{
    if (k->mode == CLASSIFY_OFF)
        return;
    uint64_t last = (uint64_t)address + size - 1;
    for (uint64_t number = address / k->word_size; number <= last / k->word_size; number++) {
        struct ref_word *word = ref_cell(&k->words, (uint32_t)number);
        if (word->writer != writer)
            word->written_by_another = word->written;
        word->writer = (uint8_t)writer;
        word->written = k->event;
    }
}

static inline bool ref_written_by_others(struct ref_classes *k, unsigned cpu, paddr address, uint32_t size,
                                         uint64_t since)
{
    for (uint32_t number = address / k->word_size; number <= (address + size - 1) / k->word_size; number++) {
        const struct ref_word *word = ref_cell(&k->words, number);
        if ((word->writer != cpu ? word->written : word->written_by_another) >= since)
            return true;
    }
    return false;
}

/* --- misses ----------------------------------------------------------------------------------------------------- */

static inline enum miss_class ref_class_of(struct ref_classes *k, unsigned cpu, struct ref_witness *w, paddr address,
                                           uint32_t size)
{
    const struct ref_history *history = ref_history(w, address);
    switch (history->past) {
    case REF_NEVER: break;
    case REF_PRESENT: /* hit under another virtual address */
    case REF_REPLACED:
        if (k->mode != CLASSIFY_FULL)
            return CLASS_REPLACED;
        return ref_listed(w, address) ? CLASS_CONFLICT : CLASS_CAPACITY;
    case REF_INCLUSION: return CLASS_INCLUSION;
    case REF_COHERENCE:
        if (k->mode == CLASSIFY_REPLACEMENT)
            return CLASS_COHERENCE;
        return ref_written_by_others(k, cpu, address, size, history->lost) ? CLASS_TRUE_SHARING : CLASS_FALSE_SHARING;
    case REF_FLUSHED: return CLASS_FLUSHED;
    }
    return CLASS_COLD;
}

/* Which context evicted the line that CPU misses (SOSP'95 section 4.4). */
static inline enum miss_evictor ref_evictor(const struct ref_classes *k, unsigned cpu,
                                            const struct ref_history *history)
{
    bool by_user = history->mode == MODE_USER;
    if (history->past == REF_PRESENT)
        return EVICTED_BY_SELF;
    if (k->context[cpu].mode != MODE_USER)
        return by_user ? EVICTED_BY_OTHER : EVICTED_BY_SELF;
    return by_user && history->process == k->context[cpu].process ? EVICTED_BY_SELF : EVICTED_BY_OTHER;
}

static inline void ref_class_miss(struct ref_classes *k, unsigned cpu, enum memsys_cache id, bool insn, paddr address,
                                  uint32_t size)
{
    struct ref_witness *w = &k->witness[cpu][id];
    enum mode mode = k->context[cpu].mode;
    if (k->mode == CLASSIFY_OFF)
        return;
    enum miss_class class = ref_class_of(k, cpu, w, address, size);
    const enum miss_kind kind = insn ? MISS_INSN : MISS_DATA;
    w->counts.miss[mode][kind][class]++;
    if (class == CLASS_CAPACITY || class == CLASS_CONFLICT || class == CLASS_REPLACED || class == CLASS_INCLUSION) {
        const struct ref_history *history = ref_history(w, address);
        const enum miss_evictor by = ref_evictor(k, cpu, history);
        w->counts.evicted[mode][kind][by]++;
        if (mode == MODE_USER && history->mode == MODE_USER && by == EVICTED_BY_OTHER)
            w->counts.user_user[kind]++;
    }
}

static inline void ref_class_upgrade(struct ref_classes *k, unsigned cpu, enum memsys_cache id)
{
    if (k->mode != CLASSIFY_OFF)
        k->witness[cpu][id].counts.miss[k->context[cpu].mode][MISS_DATA][CLASS_UPGRADE]++;
}

#endif
