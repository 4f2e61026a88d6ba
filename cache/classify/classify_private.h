/*
 * Inside of the classification of misses. Private to cache/classify*.
 */
#ifndef SIMOS_CACHE_CLASSIFY_PRIVATE_H
#define SIMOS_CACHE_CLASSIFY_PRIVATE_H

#include "cache/classify/classify.h"
#include "cache/classify/classify_profile.h"
#include "cache/classify/classify_shadow.h"
#include "cache/classify/classify_sharing.h"

struct array;
struct classified_cpu;

/* One cache of one CPU. */
struct classified {
    uint32_t *state; /* by line (classify.c) */
    struct classified_cpu *who;
    struct classify *all; /* that it is part of */
    uint8_t *quick;       /* the lines' quick-check bytes, by line; NULL: they are elsewhere */
    uint32_t line_shift;
    uint8_t cpu, number;
    bool first;
    struct shadow shadow;
    struct classify_counts counts;
};

/* Where [kind] of a mode begins in counts.miss, in counts.evicted; bytes. */
struct classify_place {
    uint32_t missed, evicted;
};

struct classified_cpu {
    enum mode mode;
    uint32_t process;
    struct classify_place counts_at; /* of its mode */
    uint32_t owner;                  /* who evicts (classify.c) */
    cycles last_use;                 /* of a line of any of its caches, of those that were told; MEMSYS_TICKS a cycle */
    uint32_t missed;                 /* bit N: the access at work missed cache N, or upgraded in it */
    enum miss_class class;           /* why it missed the last of them */
    uint64_t waited[MODE_COUNT][MISS_KINDS][CLASS_COUNT];
    struct classified cache[CLASSIFY_CACHES_MAX];
};

struct physmem;

struct classify {
    bool full, sees_words; /* by config.mode */
    uint32_t present;      /* the state of lines that are held (classify.c) */
    struct classified *cache[CLASSIFY_CPUS_MAX * CLASSIFY_CACHES_MAX]; /* [cpu][number], to the right place at once */
    struct sharing sharing;
    struct classify_config config;
    uint32_t shortest_line; /* of all caches, bytes */
    struct classified_cpu cpu[CLASSIFY_CPUS_MAX];
    struct profile profile[CLASSIFY_PROFILES];
    struct profile named[CLASSIFY_PROFILES]; /* the same misses by what the naming says; if there is one */
    classify_naming_fn *naming;              /* NULL: none */
    void *naming_opaque;
    const struct physmem *mem; /* for saving: where RAM is */
};

#endif
