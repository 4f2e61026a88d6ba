/*
 * Miss classification: the class of every miss, and which context evicted the line. Private to cache/ except for the
 * parts marked as results.
 *
 * docs/reference/miss-classes.md gives the definitions and their sources. The caller (the engine, which moves the
 * lines) reports the events of each cache. This module keeps a state machine for each line and cache (SOSP'95
 * section 2.1.1), a fully associative reference cache for each modelled cache, and the words written to lines since
 * another CPU's copy of them was invalidated. It counts misses and never changes the behaviour of the caches.
 *
 * Ordering: the caller reports events in the order in which they happen. For an access that misses: first
 * classify_miss() for each cache that it misses, from the CPU outwards, before any state changes; then evictions,
 * invalidations and fills as they happen, the eviction of a victim before the fill that replaces it; for a store,
 * classify_store() last. LINE is any address within the line, CACHE the caller's number for the cache.
 */
#ifndef SIMOS_CACHE_CLASSIFY_CLASSIFY_H
#define SIMOS_CACHE_CLASSIFY_CLASSIFY_H

#include "cache/memsys.h"
#include "cache/state/hooks.h"
#include "src/base/board.h"

enum { CLASSIFY_CPUS_MAX = BOARD_MAX_CPUS, CLASSIFY_CACHES_MAX = 6 };

/* Detail of the classification; each mode includes the one before. */
enum classify_mode {
    CLASSIFY_OFF,
    CLASSIFY_REPLACEMENT, /* why the line was evicted or invalidated, and the evicting context */
    CLASSIFY_SHARING,     /* true and false sharing */
    CLASSIFY_FULL         /* capacity and conflict */
};

enum miss_kind { MISS_INSN, MISS_DATA, MISS_KINDS };

/* The context that evicted the missing line: the one that misses it now, or another (SOSP'95 section 4.4). */
enum miss_evictor { EVICTED_BY_SELF, EVICTED_BY_OTHER, MISS_EVICTORS };

/* Results for one cache of one CPU. Misses are counted in the mode of the access that missed. */
struct classify_counts {
    uint64_t miss[MODE_COUNT][MISS_KINDS][CLASS_COUNT];
    /* of the classes capacity, conflict, replaced, interference, inclusion */
    uint64_t evicted[MODE_COUNT][MISS_KINDS][MISS_EVICTORS];
    uint64_t user_user[MISS_KINDS]; /* of a process, of lines that another process had evicted: a part of those */
    uint64_t reference[MODE_COUNT]; /* misses of the fully associative reference cache; mode full only */
};

/* A cache that every CPU has, or shares with others. */
struct classify_cache_config {
    const char *name; /* "l1d": its statistics are named cpuN.NAME.miss... */
    uint32_t size, line;
    bool insn, data; /* holds instructions, holds data */
    /* CPUs may hit it on the fast path, without a call, at most once per timestamp */
    bool first;
    unsigned shared; /* how many CPUs share one, a power of two; 0 or 1: none do */
};

struct classify_config {
    unsigned cpus, caches;
    struct classify_cache_config cache[CLASSIFY_CACHES_MAX];
    uint32_t block; /* coherence block, bytes: the longest line size */
    enum classify_mode mode;
    bool by_pc, by_address; /* collect profiles */
    /* Called when the classification must observe the next use of LINE in CACHE, a first level: clears the line's
     * fast-path permission byte, if it has one. Called from classify_hit() and classify_fill(). NULL if no cache is
     * `first` or the mode is not full. */
    void (*withdraw_permission)(void *opaque, unsigned cpu, unsigned cache, paddr line);
    void *opaque;
};

struct classify;

/* Returns NULL if the mode is off. Out of memory aborts. */
struct classify *classify_create(const struct classify_config *config);
void classify_free(struct classify *classify); /* NULL is fine */

/* Sets the context of CPU to PROCESS (a number below 2^28) in MODE. For the evicting context, idle counts as kernel.
 * Initially the kernel. */
void classify_set_context(struct classify *classify, unsigned cpu, enum mode mode, uint32_t process);

/* Where a CPU model records the times of fast-path hits in CACHE. They are not needed if the mode is not full or CACHE
 * is not `first`. */
struct memsys_uses classify_uses(struct classify *classify, unsigned cpu, unsigned cache);

/* BYTES holds the fast-path permission bytes of CACHE, which is `first`, by physical line number. withdraw_permission()
 * is then not needed. */
void classify_permissions_by_line(struct classify *classify, unsigned cpu, unsigned cache, uint8_t *bytes);

struct classify_cache;
/* Whether the recorded state permits that CACHE holds the line of ADDRESS. */
bool classify_cache_may_hold(const struct classify_cache *cache, paddr address);

/* REQUEST hit CACHE. */
void classify_hit(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request);

/* REQUEST missed CACHE. Counts the miss and returns its class. */
enum miss_class classify_miss(struct classify *classify, unsigned cpu, unsigned cache,
                              const struct memsys_request *request);

/* The class of CPU's latest miss or upgrade. Does not include misses reported through the inline functions. */
enum miss_class classify_last_class(const struct classify *classify, unsigned cpu);

/* REQUEST is a store that hit CACHE and needed an upgrade. */
void classify_upgrade(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request);

/* CACHE was filled with LINE at TIME: the time of the request, or for a fill without a request that of the last one. */
void classify_fill(struct classify *classify, unsigned cpu, unsigned cache, paddr line, cycles time);

/* CACHE lost LINE for the reason WHY, by an access of BY_CPU. If another CPU's store invalidates several copies, the
 * caller reports all of them before the store. */
void classify_removal(struct classify *classify, unsigned cpu, unsigned cache, paddr line, enum memsys_removal why,
                      unsigned by_cpu);

/* CPU stored SIZE bytes at ADDRESS, within one block. The caller reports every store that the engine handles. Returns
 * whether, as far as the classification is concerned, CPU may make further stores to the first-level line of ADDRESS on
 * the fast path (PERMIT_STORE). */
bool classify_store(struct classify *classify, unsigned cpu, paddr address, uint32_t size);
/* The same question for an access that is not a store. */
bool classify_may_store(const struct classify *classify, unsigned cpu, paddr address);
/* The same for callers that hold a `struct classify_cache`, one cache of one CPU: classify_miss(), classify_fill(),
 * classify_removal(). */
struct classify_cache *classify_cache_of(const struct classify *classify, unsigned cpu, unsigned cache);
void classify_cache_miss(struct classify_cache *cache, const struct memsys_request *request);
void classify_cache_fill(struct classify_cache *cache, paddr line, cycles time);
void classify_cache_removal(struct classify_cache *cache, paddr line, enum memsys_removal why, unsigned by_cpu);

/* The line of REQUEST, whose miss in FIRST has been reported, replaces the line of VICTIM (0: none) in FIRST. Combines
 * classify_removal(), classify_fill(), and classify_store() or classify_may_store(). Returns the fast-path permission
 * that the classification allows. */
enum memsys_permission classify_replace(struct classify_cache *first, const struct memsys_request *request,
                                        paddr victim);

/* A device wrote SIZE bytes from ADDRESS. Bytes beyond the end of the address space are ignored. */
void classify_device_store(struct classify *classify, paddr address, uint32_t size);

/* All caches have been emptied. */
void classify_flush(struct classify *classify);

enum classify_profile { CLASSIFY_BY_PC, CLASSIFY_BY_ADDRESS, CLASSIFY_PROFILES };

/* The latest access that was classified on CPU stalled it for STALL cycles. For the profiles. */
void classify_stall(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles stall);

/* For a CPU that executes past its outstanding accesses and reports its own waits (classify_stall() with 0 cycles then
 * reports only the misses). classify_key returns the key in profile WHICH of ADDRESS, of an instruction or of data, in
 * the current context; classify_named_key the key by the naming, 0 if there is none. classify_charge adds WAITED cycles
 * at KEY and, if there is a naming, at NAMED, on behalf of CPU. */
uint64_t classify_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address);
uint64_t classify_named_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address,
                            const paddr *physical);
void classify_charge(struct classify *classify, unsigned cpu, enum classify_profile which, uint64_t key, uint64_t named,
                     enum memsys_wait kind, cycles waited);

/* What the profile by pc has been charged with for CPU since the machine began: sums of the members of its entries
 * (struct classify_profile_entry). */
struct classify_charged {
    uint64_t stall, pipeline_stall; /* cycles */
    uint64_t miss[CLASSIFY_CACHES_MAX];
};
const struct classify_charged *classify_charged_to(const struct classify *classify, unsigned cpu);

/* REQUEST waited WAITED cycles for data from beyond the caches that the CPU does not share. For
 * classify_wait_cycles(). */
void classify_add_wait(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles waited);

/* Results */

/* Cycles that CPU waited in MODE for data from beyond the caches that it does not share, by the class of the outermost
 * miss: [kind][class]. Equal to the stall if the CPU blocks on each access; otherwise part of them may be hidden. Not
 * saved.
 */
typedef const uint64_t (*classify_waits_by_class)[CLASS_COUNT];
classify_waits_by_class classify_wait_cycles(const struct classify *classify, unsigned cpu, enum mode mode);

const struct classify_counts *classify_counts(const struct classify *classify, unsigned cpu, unsigned cache);

/* Name of cache number CACHE ("l1d"), or NULL. */
const char *classify_cache_name(const struct classify *classify, unsigned cache);
/* Whether accesses of KIND go to the cache. */
bool classify_cache_takes_kind(const struct classify *classify, unsigned cache, enum miss_kind kind);

/* Name of a class ("false_sharing"), and whether MODE distinguishes it; if not its counts are 0. */
const char *classify_class_name(enum miss_class class);
bool classify_mode_distinguishes(enum classify_mode mode, enum miss_class class);
/* Whether the mode of CLASSIFY distinguishes CLASS. */
bool classify_distinguishes_class(const struct classify *classify, enum miss_class class);

/* A profile entry: the events at KEY on all CPUs. Key by pc: virtual address of the instruction. Key by data address:
 * virtual address, rounded down to the shortest line. Bits 32 and up: 0 for an access in kernel or idle mode, else the
 * process + 1. */
struct classify_profile_entry {
    uint64_t key;
    uint64_t stall; /* cycles, for instructions and data */
    uint64_t miss[CLASSIFY_CACHES_MAX];
    uint64_t class[CLASS_COUNT]; /* class of the outermost cache that each access missed or upgraded in */
    uint64_t insn_stall;         /* the part of `stall` for instructions */
    /* cycles, not part of `stall`: for CPUs that can graduate several instructions a cycle */
    uint64_t pipeline_stall;
};

/* The entries sorted by key; the caller frees them. NULL with *COUNT 0 if there are none. */
struct classify_profile_entry *classify_profile(const struct classify *classify, enum classify_profile which,
                                                size_t *count);

/* Sets a naming: new profile entries get the key that NAME returns for the instruction or data at ADDRESS at that
 * moment (data: at PHYSICAL, if not NULL). Bit 62 marks such a key, the other bits are up to NAME. Existing entries
 * stay. NULL: all entries by address again. Neither the naming nor its entries are saved. */
typedef uint64_t classify_naming_fn(void *opaque, unsigned cpu, enum classify_profile which, vaddr address,
                                    const paddr *physical);
void classify_set_naming(struct classify *classify, classify_naming_fn *name, void *opaque);
#define CLASSIFY_NAMED (UINT64_C(1) << 62)
/* Sets the naming of MEMSYS, if it classifies its misses. */
void memsys_name_profiles(struct memsys *memsys, classify_naming_fn *name, void *opaque);

/* Registers the counts: cpuN.CACHE.miss.MODE.CLASS, cpuN.CACHE.evicted.kern_self and so on; for a unified cache
 * cpuN.CACHE.miss.insn.MODE.CLASS and so on. */
void classify_register_stats(const struct classify *classify, struct stats *stats);

#endif
