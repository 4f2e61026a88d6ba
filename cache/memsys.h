/*
 * The memory system: what a CPU model needs to know of caches, coherence and latency.
 *
 * Data live in RAM; a memory system models tags, states and time only. A model performs the access functionally and
 * asks here what it cost: memsys_access() updates all levels and all CPUs' caches, charges the bucket, and returns the
 * stall in CPU cycles.
 *
 * Quick checks: most accesses hit the first level and change nothing there. A model keeps a byte for each line of its
 * addresses and hands its place in with the access; the memory system sets it to what the CPU may do to that line
 * without asking (enum memsys_quick), and clears it before that stops being true: when the line leaves, another CPU
 * takes it, or using it would change more than it did (the order of use, the line's state). This is the check of embra
 * with caches (Witchel and Rosenblum, SIGMETRICS'96, section 4).
 *
 * Ordering rule: accesses are presented in the order in which the CPUs perform them; a call takes effect at once.
 *
 * What is modelled, and where each choice comes from: docs/reference/memory-system.md.
 */
#ifndef SIMOS_CACHE_MEMSYS_H
#define SIMOS_CACHE_MEMSYS_H

#include "src/attribution.h"
#include "src/params.h"
#include "src/stats.h"
#include "src/types.h"
#include <stdio.h>

enum memsys_access { MEMSYS_FETCH, MEMSYS_READ, MEMSYS_WRITE };

/* What a CPU may do to a line without asking, bits: reads (for the instruction cache: fetches), stores. QUICK_WAY is
 * not a permission: see struct memsys_fast_model. */
enum memsys_quick {
    QUICK_NONE = 0,
    QUICK_READ = 1,
    QUICK_STORE = 2,
    QUICK_WRITE = QUICK_READ | QUICK_STORE,
    QUICK_WAY = 16
};

/* A cached access as a CPU makes it. */
struct memsys_request {
    paddr address;
    vaddr virtual_address; /* for caches indexed by it */
    vaddr pc;              /* of the instruction that makes the access */
    enum memsys_access access;
    uint8_t size;   /* bytes from address, in one aligned doubleword; a fetch: 4 */
    uint8_t grant;  /* enum memsys_quick: the most that *quick may become; what the address's translation allows */
    uint8_t *quick; /* the quick-check byte of the address's line. Written at any time while the line is in the cache,
                       and once afterwards: it must outlive the memory system, and may be cleared by others. */
    cycles now;     /* the CPU's time when it makes the access */
    struct bucket *bucket; /* to which stalls and misses are charged (not cycles) */
};

struct memsys;

/* How the CPUs' copies of a page are kept coherent: invalidation with three states (SOSP'95 section 3.5), with four
 * (Illinois), or updates (Firefly). */
enum memsys_protocol { MEMSYS_INVALIDATE, MEMSYS_MESI, MEMSYS_FIREFLY };

/* The cache.* and memory.* parameters (types, ranges, defaults = the 1994 machine). */
extern const struct param_def memsys_param_defs[];
extern const size_t memsys_param_count;

/* Build the hierarchy for CPUS processors from PARAMS (cache.*, memory.*). CLOCK_HZ turns latencies in ns into cycles,
 * rounded up. Combinations that make no sense (lines that get shorter outwards, an inclusive level smaller than what is
 * inside it) fail naming the parameter. cache.model = "none" gives a memory system in which everything hits at once
 * (memsys_is_flat). Nothing is read from PARAMS later. */
struct memsys *memsys_create(const struct params *params, unsigned cpus, uint64_t clock_hz, struct err *err);
void memsys_free(struct memsys *memsys);
bool memsys_is_flat(const struct memsys *memsys);

/* The caches that a CPU may have. A level that is not split has only the one for data, which then holds everything. */
enum memsys_cache { MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2I, MEMSYS_L2, MEMSYS_L3I, MEMSYS_L3, MEMSYS_CACHES };

/* Line size in bytes of CACHE, or of the one that does its work; 0 if there is none. */
uint32_t memsys_line(const struct memsys *memsys, enum memsys_cache cache);

/* CPU makes an access: the stall in cycles, 0 for a hit. Everything that happens in the caches happens here: second
 * level, coherence (upgrade when the line is present but shared), fills, evictions. */
cycles memsys_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/*
 * The fast path: what a model has to know, and to do, to use lines of a first-level cache by their quick bytes in its
 * own code. A model asks for it once for CACHE (MEMSYS_L1I, MEMSYS_L1D) of each CPU, and again if it changes its mind.
 */
enum { MEMSYS_SETS_MAX = 1 << 18, MEMSYS_LOST = MEMSYS_SETS_MAX, MEMSYS_LAST_BYTES };
enum { MEMSYS_TICK_SHIFT = 4, MEMSYS_TICKS = 1 << MEMSYS_TICK_SHIFT };
/* What the model can do; it outlives the memory system. */
struct memsys_fast_model {
    /* [MEMSYS_LAST_BYTES]: whenever it uses a line of a set by its quick byte it writes the byte's value to LAST[set].
     * The memory system reads and writes LAST, too: a line whose byte equals its set's is there and the one used last.
     * Whenever a byte is cleared LAST[MEMSYS_LOST] becomes 1, for the model to clear. NULL: it does not. */
    uint8_t *last;
    /* The quick bytes are here, by number of the physical line: the classification, which knows lines by number,
     * clears one sooner. NULL: they are elsewhere. Of no matter if virtual addresses select the set. */
    uint8_t *by_line;
    /* It notes the time of each use, where struct memsys_fast_path says. */
    bool notes_times;
};
struct memsys_fast_path {
    uint32_t line;     /* bytes */
    uint32_t by_vaddr; /* the bits above a page's offset that select the set, where the virtual address does; else 0 */
    /* If the order of use is a matter of one bit (two ways, true LRU, set by physical address), both lines of a set may
     * have quick bytes if the model notes in LAST which it used: the number of sets. 0: LAST is not used. */
    uint32_t sets;
    /* Where the time of a use is noted: by number of the physical line (address / line), MEMSYS_TICKS times the time as
     * in struct memsys_request. The classification needs more than one moment a cycle, since a CPU may make several
     * accesses in one, in order. NULL: nobody wants to know. */
    cycles *times;
};
/* False: the model may not use lines without asking, because it does not note the times that somebody wants to know;
 * PATH is as if it did. */
bool memsys_fast_path(struct memsys *memsys, unsigned cpu, enum memsys_cache cache,
                      const struct memsys_fast_model *model, struct memsys_fast_path *path);

/*
 * What there is to do, in the commonest hierarchy, for an access of one kind that misses the first level and finds its
 * line in the second, or hits but has no quick-check byte: for a model that does it in its own code. First level: two
 * ways, true LRU, by physical address, writing back; second level: direct-mapped, including the first, the last.
 *
 * An entry is a word: the line's address with its state in bits 1:0: 0 none, 1 clean, 3 dirty (as enum memsys_quick).
 * first_level.c says what is done; whoever does it in another way has to come to the same.
 */
struct memsys_short_cut {
    const bool *open; /* look each time: while it is false, ask */
    uint32_t *word;   /* of the first level: [2 * set + way]; so many bytes behind it: */
    uint32_t history; /* uint64_t [set]: 0x10 if way 0 was used last, 0x01 if way 1; unless there is LAST */
    uint32_t quick;   /* uint8_t *: where bytes are: [set], with LAST [2 * set + way]; never NULL */
    uint8_t *last;    /* [set]: struct memsys_fast_model's, or NULL */
    uint64_t *misses; /* of the first level, by enum memsys_access */
    uint64_t *write_backs;
    uint32_t *outer; /* words of the second level: [set] */
    uint32_t line_shift, set_mask, outer_shift, outer_mask;
    uint32_t time; /* stall, cycles */
    /* Where nobody has to be asked to store to a line that the second level has clean: that becomes dirty, and the
     * record OWNED is noted of it: records[line >> chunk_shift][(line & ((1 << chunk_shift) - 1)) >> outer_shift].
     * NULL: ask. */
    uint32_t **records;
    uint32_t chunk_shift, owned;
    struct memsys *memsys;
    uint32_t miss_time; /* stall of an access that misses both levels, cycles */
};
/* False if the hierarchy is another, or time has to be asked for. From now on the second level does not know what the
 * first has of it. */
bool memsys_short_cut(struct memsys *memsys, unsigned cpu, enum memsys_access access, struct memsys_short_cut *cut);
/* While there is such a short cut, it is open and has RECORDS: what an access to ADDRESS, whose line neither level has,
 * does beyond the first level, to which the caller brings the line then; but for what memsys_short_cut_missed() does.
 */
typedef void memsys_short_cut_miss(struct memsys *memsys, paddr address);
memsys_short_cut_miss *memsys_short_cut_miss_function(const struct memsys *memsys, enum memsys_access access);
/* There were COUNT such misses: they are counted, and charged to BUCKET. The stall. */
cycles memsys_short_cut_missed(struct memsys *memsys, enum memsys_access access, uint64_t count, struct bucket *bucket);

/* An uncached access, of RAM or of a device: stall of memory.uncached_latency, charged. QUICK may be NULL. */
cycles memsys_uncached(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* The CACHE instruction's effect on the tags and states of CPU's own caches: no data move, no time passes. HIT
 * operations act on ADDRESS's line, INDEX_INVALIDATE on every way of the set that ADDRESS selects (dirty lines are
 * written back: the machine's only index operations that meet dirty lines are write-back-invalidates). Operations on L2
 * keep inclusion. Anything the modelled caches do not have is ignored. */
enum memsys_cache_op {
    MEMSYS_HIT_INVALIDATE,
    MEMSYS_HIT_WRITEBACK,
    MEMSYS_HIT_WRITEBACK_INVALIDATE,
    MEMSYS_INDEX_INVALIDATE
};
void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     paddr address);

/* Coherent DMA: a device wrote (invalidates all copies; a dirty line that is overwritten only in part is written back
 * first) or read (dirty lines are written back and become shared) SIZE bytes from ADDRESS. Size 0 does nothing; what
 * lies beyond the end of the address space is ignored. NOW is when it happens. No CPU stalls. */
void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size, cycles now);
void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size, cycles now);

/* CPU runs PROCESS (a number below 2^28, of the address space or, better, the task) in MODE from now on: whose misses
 * and evictions the following are. At first: the kernel. */
void memsys_set_context(struct memsys *memsys, unsigned cpu, enum mode mode, uint32_t process);

/*
 * Profiles (cache.profile) of a CPU that goes on while accesses are made: only it knows what it waits for, and for what
 * instruction (SOSP'95 section 3.3). The misses stay those of the accesses.
 */
enum memsys_wait { MEMSYS_WAIT_INSN, MEMSYS_WAIT_DATA, MEMSYS_WAIT_PIPELINE };
struct memsys_place {
    uint64_t routine, data; /* keys of the profiles */
    uint64_t named[2];      /* the same by names, if there is a naming (cache/classify.h) */
    bool accesses;          /* the instruction makes an access, to `data` */
};
/* From now on CPU is such a CPU, or is not (OVERLAPS false). Is there a profile? The others are called only then. */
bool memsys_profile_overlapped(struct memsys *memsys, unsigned cpu, bool overlaps);
/* Where what CPU waits for now goes: the instruction at PC, which ACCESSES virtual ADDRESS. */
struct memsys_place memsys_profile_place(const struct memsys *memsys, unsigned cpu, vaddr pc, bool accesses,
                                         vaddr address);
void memsys_profile_charge(struct memsys *memsys, const struct memsys_place *place, enum memsys_wait kind,
                           cycles waited);

/* The classes of misses so far (cache/classify.h), or NULL if cache.classify is off. */
struct classify;
const struct classify *memsys_classified(const struct memsys *memsys);

/* The pages that FIRST to LAST (physical addresses) touch follow PROTOCOL from now on. */
void memsys_set_protocol(struct memsys *memsys, paddr first, paddr last, enum memsys_protocol protocol);

/* CPU's program asks for a line that it will use (PREF): if that is modelled (memsys_prefetches), the line of REQUEST's
 * address is brought into the first level for data, and nobody waits. Of REQUEST only addresses, pc and now count. */
bool memsys_prefetches(const struct memsys *memsys);
void memsys_prefetch(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* The instruction at physical ADDRESS has a guard bit (ON), at which sequential prefetching ends, or has it no longer.
 * Without that prefetcher (memsys_takes_guards) nothing happens. Number of them. */
bool memsys_takes_guards(const struct memsys *memsys);
void memsys_set_guard(struct memsys *memsys, paddr address, bool on);
uint64_t memsys_guards(const struct memsys *memsys);

/* A block of memory that CPU's program is about to copy (FROM, TO do not overlap) or to fill. */
struct memsys_block {
    paddr to, from;
    uint32_t size; /* bytes */
    bool copies;   /* else FROM does not count */
};
/* CPU begins, at NOW, to move WHAT: from now on, until it stores the block's last byte, its loads and stores of the
 * block are the block-transfer engine's business: they touch no cache and take no time, but for what that last store
 * waits for the engine. False: there is no engine (memsys_moves_blocks), or WHAT is not for it. A block begun before is
 * no longer moved. */
bool memsys_moves_blocks(const struct memsys *memsys);
bool memsys_block_begins(struct memsys *memsys, unsigned cpu, const struct memsys_block *what, cycles now);

/* Empty every cache of every CPU (no write-backs counted). */
void memsys_flush(struct memsys *memsys);

/* What a cache holds, for tests and for comparing machines. Entries are numbered from 0; ENTRY's set is entry / ways.
 */
struct memsys_entry {
    bool valid;
    bool dirty;     /* modified; in an inclusive outer cache: or something inside it is */
    paddr line;     /* address */
    uint32_t order; /* of use in its set, 0 the one used last; with pseudo-LRU and random replacement 0 */
};
/* Number of entries of CPU's CACHE, ways in *WAYS unless that is NULL; 0: it does not exist. */
uint32_t memsys_entries(const struct memsys *memsys, enum memsys_cache cache, uint32_t *ways);
struct memsys_entry memsys_entry_at(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, uint32_t entry);
/* What CPU's CACHE has of ADDRESS; not valid if nothing. */
struct memsys_entry memsys_look(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr address);
/* CPU's state of ADDRESS in the protocol: 'I', 'S', 'E' or 'M'. */
char memsys_state(const struct memsys *memsys, unsigned cpu, paddr address);
/* Do both, made from the same parameters, hold the same in CPU's caches, down to what each will replace next? */
bool memsys_is_same(const struct memsys *a, const struct memsys *b, unsigned cpu);

/* Add the sections of what there is, all of timing: "caches", "protocols", "timing" (what accesses wait for),
 * "cpuN.prefetch", "prefetch.guards", "block", "classification". Lines are of the RAM of MEM. */
struct physmem;
struct saved;
void memsys_register_saved(struct memsys *memsys, const struct physmem *mem, struct saved *saved);

/* Register the memory system's own counters (per CPU and cache: misses, write-backs, invalidations received, upgrades,
 * lines written back by coherence) under "cpuN." and "memory.". Misses and stalls by mode are in the buckets. */
void memsys_register_stats(struct memsys *memsys, struct stats *stats);

/* One text line a level and one for the latencies ("L1-I 16K 2-way 16-byte lines LRU, ..."), for `simos params` and the
 * result table. */
void memsys_describe(const struct memsys *memsys, FILE *out);

/* For the checking build and tests: verify inclusion, one writer, agreement of all levels' states; false with ERR. */
bool memsys_check(const struct memsys *memsys, struct err *err);

#endif
