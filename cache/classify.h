/*
 * Why a cache missed: the class of every miss, and who had evicted the line. Private to cache/ except the parts marked
 * as results.
 *
 * Definitions and their sources: docs/reference/miss-classes.md. The engine (whoever moves lines) tells what happens to
 * each cache; this module keeps a state machine a line and cache (SOSP'95 section 2.1.1), a fully associative cache
 * beside each modelled one, and the words written to lines that other CPUs have lost; and it counts. It never changes
 * what the caches do.
 *
 * Ordering: calls are made in the order in which things happen. An access that misses: classify_miss() for each cache
 * that it misses, from the CPU outwards, before anything changes; then leaves and fills as they happen, a leave before
 * the fill that needs the room; a store last, by classify_store(). LINE is always an address in the line meant; CACHE
 * the engine's number of the cache.
 */
#ifndef SIMOS_CACHE_CLASSIFY_H
#define SIMOS_CACHE_CLASSIFY_H

#include "cache/memsys.h"

enum { CLASSIFY_CPUS_MAX = 32, CLASSIFY_CACHES_MAX = 6 };

/* How much is found out; each has what the one before has. */
enum classify_mode {
    CLASSIFY_OFF,
    CLASSIFY_REPLACEMENT, /* why the line had left, who had evicted it */
    CLASSIFY_SHARING,     /* true and false sharing */
    CLASSIFY_FULL         /* capacity and conflict */
};

enum miss_class {
    CLASS_COLD,
    CLASS_CAPACITY,
    CLASS_CONFLICT,
    CLASS_REPLACED, /* capacity or conflict, not told apart */
    CLASS_INCLUSION,
    CLASS_TRUE_SHARING,
    CLASS_FALSE_SHARING,
    CLASS_COHERENCE, /* true or false sharing, not told apart */
    CLASS_FLUSHED,
    CLASS_UPGRADE,
    CLASS_COUNT
};

enum miss_kind { MISS_INSN, MISS_DATA, MISS_KINDS };

/* Who had replaced the line that is missed: whoever misses it now, or somebody else (SOSP'95 section 4.4). */
enum miss_evictor { EVICTED_BY_SELF, EVICTED_BY_OTHER, MISS_EVICTORS };

/* Results: of one cache of one CPU. Misses by the mode of the access that missed. */
struct classify_counts {
    uint64_t miss[MODE_COUNT][MISS_KINDS][CLASS_COUNT];
    uint64_t evicted[MODE_COUNT][MISS_KINDS][MISS_EVICTORS]; /* of capacity, conflict, replaced, inclusion */
};

/* A cache that each CPU has. */
struct classify_cache {
    const char *name; /* "l1d": its statistics are cpuN.NAME.miss... */
    uint32_t size, line;
    bool insn, data; /* what it is asked for */
    bool first;      /* CPUs may hit in it without asking (quick checks), at most once at a time */
};

struct classify_config {
    unsigned cpus, caches;
    struct classify_cache cache[CLASSIFY_CACHES_MAX];
    uint32_t block; /* line size of the level at which CPUs are coherent: no line is longer */
    enum classify_mode mode;
    bool by_pc, by_address; /* keep profiles */
    /* The next use of LINE in CACHE (a first level) must not go unseen: clear its quick-check byte, if it has one.
     * Called from classify_hit() and classify_fill(). NULL if no cache is `first` or the mode is not full. */
    void (*forget_quick)(void *opaque, unsigned cpu, unsigned cache, paddr line);
    void *opaque;
};

struct classify;

/* NULL if the mode is off. Out of memory aborts. */
struct classify *classify_create(const struct classify_config *config);
void classify_free(struct classify *classify); /* NULL is fine */

/* From now on CPU runs PROCESS (any number below 2^28) in MODE. Idle counts as the kernel where it is asked who
 * evicts. At first: the kernel. */
void classify_set_context(struct classify *classify, unsigned cpu, enum mode mode, uint32_t process);

/* Where a model that hits CACHE without asking notes when it did: by number of the line (physical address >> log2(line
 * size)), MEMSYS_TICKS times the time. NULL if there is no need (not full, or CACHE is not `first`). */
cycles *classify_use_times(struct classify *classify, unsigned cpu, unsigned cache);

/* The quick bytes of CACHE, which is `first`, are these, by number of the line: forget_quick() need not be called. */
void classify_quick_by_line(struct classify *classify, unsigned cpu, unsigned cache, uint8_t *bytes);

struct classified;
/* Could CACHE hold the line of ADDRESS, going by what is known of it? */
bool classified_may_hold(const struct classified *cache, paddr address);

/* The access REQUEST found its line in CACHE. */
void classify_hit(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request);

/* It did not. Counts, and returns why. */
enum miss_class classify_miss(struct classify *classify, unsigned cpu, unsigned cache,
                              const struct memsys_request *request);

/* The class of what CPU missed, or upgraded in, last: of the caches that are told of one by one. */
enum miss_class classify_last_class(const struct classify *classify, unsigned cpu);

/* It found its line and had to ask for ownership. */
void classify_upgrade(struct classify *classify, unsigned cpu, unsigned cache, const struct memsys_request *request);

/* CACHE holds LINE now, at TIME (of the request; for what no access asked for, the time of the last one that did). */
void classify_fill(struct classify *classify, unsigned cpu, unsigned cache, paddr line, cycles time);

/* CACHE does not hold LINE any more. For a loss to another's store all caches that lose it are told before the store.
 */
enum classify_cause {
    LEFT_REPLACED = 2,
    LEFT_INCLUSION, /* an outer level replaced its line */
    LEFT_COHERENCE, /* to a store of another CPU or a device */
    LEFT_FLUSHED    /* by a CACHE instruction */
};
void classify_leave(struct classify *classify, unsigned cpu, unsigned cache, paddr line, enum classify_cause cause);

/* CPU stored SIZE bytes at ADDRESS, in one block: called for every store that the engine sees. Whether the CPU may
 * store to the first-level line of ADDRESS unseen, as far as the classification goes: QUICK_WRITE only if true. */
bool classify_store(struct classify *classify, unsigned cpu, paddr address, uint32_t size);
/* The same question where another access than a store would let the CPU store unseen. */
bool classify_may_store(const struct classify *classify, unsigned cpu, paddr address);
/* The same for those who hold on to a `struct classified`, one cache of one CPU: classify_miss(), classify_fill(),
 * classify_leave(). */
struct classified *classify_cache(const struct classify *classify, unsigned cpu, unsigned cache);
void classified_miss(struct classified *cache, const struct memsys_request *request);
void classified_fill(struct classified *cache, paddr line, cycles time);
void classified_leave(struct classified *cache, paddr line, enum classify_cause cause);

/* The line of REQUEST, missed by FIRST (which has been told), takes the place of VICTIM's: classify_leave(),
 * classify_fill(), ...
 */
enum memsys_quick classify_replace(struct classified *first, const struct memsys_request *request, paddr victim);

/* A device wrote SIZE bytes from ADDRESS. What lies beyond the end of the address space is ignored. */
void classify_device_store(struct classify *classify, paddr address, uint32_t size);

/* All caches are empty from now on. */
void classify_flush(struct classify *classify);

enum classify_profile { CLASSIFY_BY_PC, CLASSIFY_BY_ADDRESS, CLASSIFY_PROFILES };

/* The access that was classified last on CPU stalled it for STALL cycles: for the profiles. */
void classify_stall(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles stall);

/* The same where the CPU goes on while accesses are made, and says itself what it waited for (classify_stall() with 0
 * cycles has the misses): the key in profile WHICH of what happens at ADDRESS, of the instruction or the data, now; and
 * WAITED cycles more at KEY, and at NAMED, which is that of the naming, if there is one. */
enum classify_wait { CLASSIFY_INSN_WAIT, CLASSIFY_DATA_WAIT, CLASSIFY_PIPELINE_WAIT };
uint64_t classify_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address);
uint64_t classify_named_key(const struct classify *classify, unsigned cpu, enum classify_profile which, vaddr address,
                            const paddr *physical);
void classify_charge(struct classify *classify, enum classify_profile which, uint64_t key, uint64_t named,
                     enum classify_wait kind, cycles waited);

/* What REQUEST waited for came from beyond the last level, WAITED cycles: for classify_waits(). */
void classify_waited(struct classify *classify, unsigned cpu, const struct memsys_request *request, cycles waited);

/* Results */

/* The cycles that CPU waited in MODE for what came from beyond its last level, by the class of the outermost miss:
 * [kind][class]. Where the processor waits for each access they are its stall; else some may have been hidden. Not
 * saved. */
typedef const uint64_t (*classify_waits_by_class)[CLASS_COUNT];
classify_waits_by_class classify_waits(const struct classify *classify, unsigned cpu, enum mode mode);

const struct classify_counts *classify_counts(const struct classify *classify, unsigned cpu, unsigned cache);

/* Name of a cache by its number ("l1d"), or NULL. */
const char *classify_cache_name(const struct classify *classify, unsigned cache);
/* Is it asked for what KIND stands for? */
bool classify_cache_is_asked(const struct classify *classify, unsigned cache, enum miss_kind kind);

/* Name of a class ("false_sharing"); whether MODE tells it apart (otherwise its counts are 0). */
const char *classify_class_name(enum miss_class class);
bool classify_class_is_used(enum classify_mode mode, enum miss_class class);
/* Whether CLASSIFY does. */
bool classify_tells_class(const struct classify *classify, enum miss_class class);

/* An entry of a profile: what happened at KEY on all CPUs. By pc: the virtual address of the instruction; by data
 * address: the virtual address, rounded down to the shortest line. Bits 32 and up: 0 if the access was made in kernel
 * or idle mode, else the process + 1. */
struct classify_profile_entry {
    uint64_t key;
    uint64_t stall; /* cycles, on instructions and data */
    uint64_t miss[CLASSIFY_CACHES_MAX];
    uint64_t class[CLASS_COUNT]; /* of the outermost cache that each access missed or upgraded */
    uint64_t insn_stall;         /* of `stall`: on instructions */
    uint64_t pipeline_stall;     /* cycles, beside `stall`: of CPUs that can graduate several instructions */
};

/* Entries in order of their keys; the caller frees them. NULL with *COUNT 0 if there are none. */
struct classify_profile_entry *classify_profile(const struct classify *classify, enum classify_profile which,
                                                size_t *count);

/* From now on profiles have entries by what NAME says that the instruction, or the data, at ADDRESS is at that
 * moment (bit 62 of a key is its: set, the rest of it means what NAME wants); data are at PHYSICAL, if that is not
 * NULL; what there has been so far stays as it is. NULL: by address again, all of them. Neither these entries nor this
 * is saved. */
typedef uint64_t classify_naming_fn(void *opaque, unsigned cpu, enum classify_profile which, vaddr address,
                                    const paddr *physical);
void classify_set_naming(struct classify *classify, classify_naming_fn *name, void *opaque);
#define CLASSIFY_NAMED (UINT64_C(1) << 62)
/* The same of MEMSYS, if that classifies its misses. */
void memsys_name_profiles(struct memsys *memsys, classify_naming_fn *name, void *opaque);

/* Register the counts: cpuN.CACHE.miss.MODE.CLASS and cpuN.CACHE.evicted.kern_self and so on; of a cache of
 * instructions and data, cpuN.CACHE.miss.insn.MODE.CLASS, ... */
void classify_register_stats(const struct classify *classify, struct stats *stats);

#endif
