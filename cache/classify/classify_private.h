/* Internal state of the miss classification. Private to cache/classify*. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_PRIVATE_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_PRIVATE_H

#include "cache/classify/classify.h"
#include "cache/classify/classify_profile.h"
#include "cache/classify/classify_fa_cache.h"
#include "cache/classify/classify_sharing.h"

struct array;
struct classify_context;

/* One cache of one CPU. */
struct classified {
    uint32_t *state; /* by line number, see classify_inline.h */
    struct classify_context *context;
    struct classify *classify; /* the classification that contains it */
    uint8_t *permission;       /* fast-path permission bytes by line number; NULL: stored elsewhere */
    uint32_t line_shift;
    uint8_t cpu, number;
    bool first;
    struct fa_cache fa_cache;
    struct classify_counts counts;
};

/* Offsets in bytes of the [kind] array of a mode within counts.miss and counts.evicted. */
struct classify_offsets {
    uint32_t miss, evicted;
};

struct classify_context {
    enum mode mode;
    uint32_t process;
    struct classify_offsets counts_at; /* of the current mode */
    uint32_t owner;                    /* the current context as stored in line states, see classify_inline.h */
    cycles last_use;       /* timestamp of the latest reported use of any line of its caches; MEMSYS_TICKS a cycle */
    uint32_t missed;       /* bit N: the current access missed cache N or upgraded in it */
    enum miss_class class; /* class of the latest of these misses */
    uint64_t waited[MODE_COUNT][MISS_KINDS][CLASS_COUNT];
    struct classified cache[CLASSIFY_CACHES_MAX];
};

struct physmem;

struct classify {
    bool full, tracks_words; /* derived from config.mode */
    uint32_t present;        /* state of a line that is present, see classify_inline.h */
    struct classified *cache[CLASSIFY_CPUS_MAX * CLASSIFY_CACHES_MAX]; /* [cpu][number]: pointers into cpu[] */
    struct sharing sharing;
    struct classify_config config;
    uint32_t shortest_line; /* bytes, of all caches */
    struct classify_context cpu[CLASSIFY_CPUS_MAX];
    struct profile profile[CLASSIFY_PROFILES];
    struct profile named[CLASSIFY_PROFILES]; /* the same misses, by the keys of the naming, if there is one */
    classify_naming_fn *naming;              /* NULL: none */
    void *naming_opaque;
    const struct physmem *mem; /* for checkpoints: which pages are RAM */
};

#endif
