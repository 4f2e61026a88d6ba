/* Internal state of the miss classification. Private to cache/classify*. */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_PRIVATE_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_PRIVATE_H

#include "cache/classify/classify.h"
#include "cache/classify/classify_profile.h"
#include "cache/classify/classify_fa_cache.h"
#include "cache/classify/classify_sharing.h"

struct array;
struct classify_context;

/* State of a line in a cache, bits 2:0: never held, present, or how the cache lost it. The bits above: for an evicted
 * or back-invalidated line, the context that evicted it; for a PRESENT line the number of flushes up to its fill
 * (modulo 2^29), so that a flush need not update each line. */
enum line_state {
    NEVER_HELD,
    PRESENT,
    EVICTED,
    BACK_INVALIDATED, /* an outer level evicted its line */
    INVALIDATED,      /* by a store of another CPU or a device */
    FLUSHED,          /* by a CACHE instruction */
    SUPPLIED,         /* by an exclusive cache, to an inner one, which has lost it since */
    LINE_STATE_BITS = 3,
    LINE_STATE_MASK = (1 << LINE_STATE_BITS) - 1
};

/* One cache of one CPU. What is remembered of the lines of a cache that CPUs share has the first of them, the home. */
struct classify_cache {
    uint32_t *state; /* by line number, enum line_state; the home's */
    uint8_t
        *evictor; /* by line number, of a shared cache: the CPU that evicted the line; the home's. NULL: not shared */
    struct classify_cache *home;
    cycles uses; /* of a shared cache: timestamp of the latest use */
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
    uint32_t owner;                    /* the current context as stored in line states, see enum line_state */
    cycles last_use;       /* timestamp of the latest reported use of any line of its caches; MEMSYS_TICKS a cycle */
    uint32_t missed;       /* bit N: the current access missed cache N or upgraded in it */
    enum miss_class class; /* class of the latest of these misses */
    enum miss_class inner; /* the same without upgrades */
    uint64_t waited[MODE_COUNT][MISS_KINDS][CLASS_COUNT];
    struct classify_charged charged; /* the profile by pc */
    struct classify_cache cache[CLASSIFY_CACHES_MAX];
};

struct physmem;

struct classify {
    bool full, tracks_words; /* derived from config.mode */
    uint32_t present;        /* state of a line that is present, see enum line_state */
    struct classify_cache *cache[CLASSIFY_CPUS_MAX * CLASSIFY_CACHES_MAX]; /* [cpu][number]: pointers into cpu[] */
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
