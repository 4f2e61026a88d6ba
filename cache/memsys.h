/*
 * The memory system: caches, coherence and latency, as a CPU model sees them.
 *
 * Data live in RAM. A memory system models tags, states and time only. A CPU model performs an access functionally and
 * then calls memsys_access(), which updates all cache levels of all CPUs, charges the bucket, and returns the stall in
 * CPU cycles.
 *
 * Fast path: most accesses hit the first level and change no state there. A CPU model keeps one fast-path permission
 * byte for each line of its address space and passes a pointer to that byte with each access. The memory system sets
 * the byte to the accesses that the CPU may make to the line without a call (enum memsys_permission). It clears the
 * byte before the permission ends: when the line is evicted or invalidated, or when a hit would change the replacement
 * order or the line's state. This is the check of embra with caches (Witchel and Rosenblum, SIGMETRICS'96, section 4).
 *
 * Ordering rule: the caller presents accesses in the order in which the CPUs perform them. Each call takes effect at
 * once.
 *
 * docs/reference/memory-system.md specifies the model and gives the source of each choice.
 */
#ifndef SIMOS_CACHE_MEMSYS_H
#define SIMOS_CACHE_MEMSYS_H

#include "src/measure/attribution.h"
#include "src/base/params.h"
#include "src/base/stats.h"
#include "src/base/types.h"
#include <stdio.h>

enum memsys_access { MEMSYS_FETCH, MEMSYS_READ, MEMSYS_WRITE };

/* Fast-path permissions of a line, a bit mask: reads (in an instruction cache: fetches) and stores. PERMIT_QUEUE:
 * stores that the model puts into the store queue (struct memsys_fast_path) while there is room. PERMIT_WAY is not a
 * permission but a way number, see struct memsys_fast_model. */
enum memsys_permission {
    PERMIT_NONE = 0,
    PERMIT_READ = 1,
    PERMIT_STORE = 2,
    PERMIT_READ_STORE = PERMIT_READ | PERMIT_STORE,
    PERMIT_QUEUE = 4,
    PERMIT_WAY = 16
};

/* A cached access of a CPU. */
struct memsys_request {
    paddr address;
    vaddr virtual_address; /* for virtually indexed caches */
    uint8_t space;         /* address space of virtual_address, for cache.X.hash=space; 0: the kernel's */
    vaddr pc;              /* address of the accessing instruction */
    enum memsys_access access;
    uint8_t size; /* bytes from address, within one aligned doubleword; 4 for a fetch */
    /* enum memsys_permission: the highest permission that *permission may get, as the address translation allows */
    uint8_t max_permission;
    bool walk; /* a read by the page-table walker */
    /* the fast-path permission byte of the line. The memory system may write it at any time while the line is in the
     * cache, and once after that: the byte must outlive the memory system. Others may clear it. */
    uint8_t *permission;
    cycles now;            /* time of the access on this CPU */
    struct bucket *bucket; /* receives the stalls and the miss counts (not the cycles of execution) */
};

struct memsys;
struct layout_map;
struct layout_piece;
struct page_mapping;

/* What descriptions of a machine call the replacement policy NAME, a value of cache.X.replacement. */
const char *memsys_replacement_label(const char *name);

/* The cache.* and memory.* parameters: types, ranges, and defaults (the 1994 machine). */
extern const struct param_def memsys_param_defs[];
extern const size_t memsys_param_count;

/* Builds the hierarchy for CPUS processors from PARAMS (cache.*, memory.*). CLOCK_HZ converts latencies from ns to CPU
 * cycles, rounded up. Returns NULL with ERR naming the parameter if the combination is invalid: for example an outer
 * level with shorter lines than an inner one, or an inclusive level smaller than the caches inside it. With cache.model
 * = "none" every access hits and takes no time (memsys_is_flat). PARAMS is not read after this call. */
struct memsys *memsys_create(const struct params *params, unsigned cpus, uint64_t clock_hz, struct err *err);
void memsys_free(struct memsys *memsys);
bool memsys_is_flat(const struct memsys *memsys);

/* The caches of a CPU. A unified level has only the data cache, which then holds instructions too. */
enum memsys_cache { MEMSYS_L1I, MEMSYS_L1D, MEMSYS_L2I, MEMSYS_L2, MEMSYS_L3I, MEMSYS_L3, MEMSYS_CACHES };

/* The map of cache.layout (cache/placement/layout_map.h), or NULL. Addresses that callers pass to the functions below
 * are those that it gives: the memory system does not apply it. */
const struct layout_map *memsys_layout(const struct memsys *memsys);
/* Do the caches see the guest's kernel elsewhere, by guest.placement_seed or guest.placement_of? Then, once and before
 * anything is executed, its COUNT PIECES are seen where memsys_place_kernel() is told. */
bool memsys_places_kernel(const struct memsys *memsys);
void memsys_place_kernel(struct memsys *memsys, const struct layout_piece *pieces, size_t count);

/* What moves the pages of this map while the machine runs, by page_mapping.policy (cache/placement/page_mapping.h), or
 * NULL. */
struct page_mapping *memsys_page_mapping(const struct memsys *memsys);

/* Line size in bytes of CACHE, or of the unified cache at its level; 0 if the level does not exist. */
uint32_t memsys_line(const struct memsys *memsys, enum memsys_cache cache);

/* The first of the CPUs that share CPU's CACHE: CPU, unless CPUs share that level. */
unsigned memsys_first_sharer(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache);

/* Performs an access of CPU and returns its stall in cycles, 0 for a hit. Includes all effects on the caches: outer
 * levels, coherence (an upgrade if the line is present but shared), fills and evictions. */
cycles memsys_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* The fast path: what a CPU model needs in order to use lines of a first-level cache through their permission bytes in
 * its own code. A model calls memsys_fast_path() once for each CACHE (MEMSYS_L1I, MEMSYS_L1D) of each CPU, and again to
 * change its settings. */
enum { MEMSYS_SETS_MAX = 1 << 18, MEMSYS_WITHDRAWN = MEMSYS_SETS_MAX, MEMSYS_MRU_BYTES };
/* Ticks order the accesses of a CPU within a cycle: an instruction's fetch comes before the access to its data. */
enum { MEMSYS_TICK_SHIFT = 4, MEMSYS_TICKS = 1 << MEMSYS_TICK_SHIFT, MEMSYS_DATA_TICKS = MEMSYS_TICKS / 2 };
static inline cycles memsys_ticks_of(enum memsys_access access, cycles time)
{
    return time * MEMSYS_TICKS + (access != MEMSYS_FETCH ? MEMSYS_DATA_TICKS : 0);
}
/* Where a CPU model records the times of uses through permission bytes: that of the last use of a line is in
 * time[entry[N]], where N is its physical line number (address / line), in ticks. Both are NULL if no times are needed.
 */
struct memsys_uses {
    const uint32_t *entry;
    cycles *time;
};
static inline void memsys_record_use(const struct memsys_uses *uses, uint32_t line, enum memsys_access access,
                                     cycles time)
{
    uses->time[uses->entry[line]] = memsys_ticks_of(access, time);
}
/* The capabilities of the CPU model. Must outlive the memory system. */
struct memsys_fast_model {
    /* [MEMSYS_MRU_BYTES]: the MRU line of each set. At each use of a line through its permission byte, the model
     * writes the value of the byte to mru[set]. The memory system reads and writes it too. If a line's permission
     * byte equals mru[set], the line is present and is the MRU line. When the memory system withdraws a
     * permission it sets mru[MEMSYS_WITHDRAWN] to 1; the model resets that to 0. NULL: the model does not record MRU
     * lines.
     */
    uint8_t *mru;
    /* The permission bytes as an array indexed by physical line number. The miss classification, which knows lines by
     * number, can clear a byte faster through it. NULL: the bytes are stored elsewhere. Ignored if the cache is
     * virtually indexed, or holds both instructions and data. */
    uint8_t *permissions;
    /* The model records the time of each use in struct memsys_fast_path.uses. */
    bool records_use_stamps;
};
struct memsys_fast_path {
    uint32_t line; /* line size in bytes */
    /* for a virtually indexed cache: the bits above the page offset that select the set; else 0 */
    uint32_t by_vaddr;
    /* the address space selects the set, too (cache.X.hash=space): when a virtual address gets another one, the model
     * must clear the permission bytes of its lines */
    bool by_space;
    /* In a physically indexed two-way cache with true LRU the replacement order of a set is one bit. Both lines of a
     * set may then have permission bytes, provided the model records the MRU line in mru. The number of sets in that
     * case; 0 if mru is not used, as in a unified level, whose order fetches and data accesses share. */
    uint32_t sets;
    struct memsys_uses uses;
    /* For data: where stores with PERMIT_QUEUE go (cache/store_queue.h), NULL if there is no such permission; and a
     * counter that each of them increments, or NULL. */
    struct store_queue *stores;
    uint64_t *stored;
};
/* Fills in PATH. Returns false if the model must not use the fast path: because timestamps are needed and it does not
 * record them. PATH is filled in as if it did. */
bool memsys_fast_path(struct memsys *memsys, unsigned cpu, enum memsys_cache cache,
                      const struct memsys_fast_model *model, struct memsys_fast_path *path);

/* What if an access took no time? FORGIVE says at the end of each memsys_access() whether its stall of category STALL,
 * which has been charged, is taken back: neither the bucket nor the CPU then has it; everything else of the access
 * stays as it is. NULL: never, and nothing is asked. */
typedef bool memsys_forgive_fn(void *opaque, unsigned cpu, const struct memsys_request *request, enum stall stall,
                               cycles duration);
void memsys_set_forgive(struct memsys *memsys, memsys_forgive_fn *forgive, void *opaque);

/* An uncached access, to RAM or to a device. Charges and returns the stall: memory.uncached_latency, plus waiting time
 * if contention is modelled. REQUEST's permission may be NULL. */
cycles memsys_uncached(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Applies the CACHE instruction to the tags and states of CPU's own caches. No data move and no time passes. HIT
 * operations act on the line of REQUEST's address, INDEX_INVALIDATE on every way of the set that an access with the
 * addresses and the space of REQUEST would select; nothing else of REQUEST is used. INDEX_INVALIDATE writes dirty lines
 * back: the only index operations of the machine that can find dirty lines are write-back-invalidates. Operations on L2
 * preserve inclusion. Operations on a cache that does not exist are ignored. */
enum memsys_cache_op {
    MEMSYS_HIT_INVALIDATE,
    MEMSYS_HIT_WRITEBACK,
    MEMSYS_HIT_WRITEBACK_INVALIDATE,
    MEMSYS_INDEX_INVALIDATE
};
void memsys_cache_op(struct memsys *memsys, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                     const struct memsys_request *request);

/* Coherent DMA of SIZE bytes from ADDRESS at time NOW. A device write invalidates all copies; a dirty line that is
 * overwritten only in part is written back first. A device read writes dirty lines back, and they become shared. Size 0
 * has no effect; bytes beyond the end of the address space are ignored. No CPU stalls at once; on a modelled bus later
 * accesses wait for the transfer. */
void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size, cycles now);
void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size, cycles now);
/* What a device has written the caches see at SIZE bytes from ADDRESS on, too (cache/placement/layout_map.h): they lose
 * these copies. That is no transfer, which memsys_dma_write() has made: it takes no time and counts as no write. */
void memsys_dma_changed(struct memsys *memsys, paddr address, uint32_t size);

/* Sets the context of CPU, to which the following misses and evictions belong: MODE, and PROCESS, a number below 2^28
 * (of the address space or, better, the task). Initially the kernel. */
void memsys_set_context(struct memsys *memsys, unsigned cpu, enum mode mode, uint32_t process);

/* Profiles (cache.profile) of a CPU that executes past its outstanding accesses: only the CPU model knows what the CPU
 * waits for, and for which instruction (SOSP'95 section 3.3). The accesses still count the misses. */
enum memsys_wait { MEMSYS_WAIT_INSN, MEMSYS_WAIT_DATA, MEMSYS_WAIT_PIPELINE };
struct memsys_profile_keys {
    uint64_t routine, data; /* profile keys */
    uint64_t named[2];      /* keys by name, if a naming is set (cache/classify/classify.h) */
    bool accesses;          /* the instruction accesses memory, at `data` */
    uint8_t cpu;
};
/* Declares that CPU reports its own waits (OVERLAPS true) or not. Returns whether there is a profile; the next two
 * functions may be called only if there is. */
bool memsys_profile_overlapped(struct memsys *memsys, unsigned cpu, bool overlaps);
/* Where the current wait of CPU is to be charged: the instruction at PC and, if ACCESSES, virtual ADDRESS. */
struct memsys_profile_keys memsys_profile_keys_of(const struct memsys *memsys, unsigned cpu, vaddr pc, bool accesses,
                                                  vaddr address);
void memsys_profile_charge(struct memsys *memsys, const struct memsys_profile_keys *place, enum memsys_wait kind,
                           cycles waited);

/* The miss classes counted so far (cache/classify/classify.h), or NULL if cache.classify is off. */
struct classify;
const struct classify *memsys_classification(const struct memsys *memsys);

/* PREF: the program of CPU prefetches a line. If data prefetching is modelled (memsys_prefetches), the line of
 * REQUEST's address is brought into the first-level data cache and the CPU does not stall. Only the addresses, pc and
 * now of REQUEST are used. */
bool memsys_prefetches(const struct memsys *memsys);
/* Does anything prefetch lines? */
bool memsys_brings_lines(const struct memsys *memsys);
/* Are there instruction stream buffers? */
bool memsys_streams(const struct memsys *memsys);
void memsys_prefetch(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
/* PREF with hint 4 or 5, "streamed": as memsys_prefetch(). And if there is an assist cache (memsys_takes_stream_hints),
 * the line of REQUEST leaves it for the next level: at once if it is there, otherwise when it is next brought in. The
 * assist cache remembers as many hints for absent lines as it has lines. */
bool memsys_takes_stream_hints(const struct memsys *memsys);
void memsys_prefetch_streamed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* PREF with hint 30, PrepareForStore: the program will store to all of the line. By cache.l1d.prepare_for_store:
 * prefetch: as memsys_prefetch(). allocate: if the first-level data cache does not have the line, it allocates it,
 * modified and without reading it; the stall is returned and charged to the bucket of REQUEST (address, pc, now and
 * bucket are used): of the victim's write-back and of an upgrade. ignore: nothing. memsys_prepares_for_store: whether
 * it has any effect. */
bool memsys_prepares_for_store(const struct memsys *memsys);
cycles memsys_prepare_for_store(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Sets (ON) or clears the guard bit of the instruction at physical ADDRESS; sequential prefetching ends at a guard. No
 * effect without that prefetcher (memsys_takes_guards). memsys_guards returns the number of guards set. */
bool memsys_takes_guards(const struct memsys *memsys);
void memsys_set_guard(struct memsys *memsys, paddr address, bool on);
uint64_t memsys_guards(const struct memsys *memsys);

/* A block of memory that CPU's program is about to copy or to fill: PIECES pieces, in the order in which the program
 * comes to them, each physically contiguous: SIZE bytes at TO, copied from FROM. No source overlaps a destination. */
enum { MEMSYS_BLOCK_PIECES = 32 };
struct memsys_block {
    uint32_t pieces; /* 0: nothing of the block is for the engine */
    paddr to[MEMSYS_BLOCK_PIECES], from[MEMSYS_BLOCK_PIECES];
    uint32_t size[MEMSYS_BLOCK_PIECES]; /* bytes, not 0 */
    bool copies;                        /* else FROM is ignored */
    uint32_t left;                      /* bytes behind the last piece, which the program copies or fills itself */
};
/* CPU starts to copy or fill WHAT at time NOW; BUCKET is its current one. Until it stores the last byte of the last
 * piece, the block-transfer engine handles its loads and stores of the pieces: they touch no cache and take no time,
 * except that the last store waits for the engine to finish. Returns false if there is no engine
 * (memsys_moves_blocks), or if WHAT does not qualify. A new block replaces an unfinished one. */
bool memsys_moves_blocks(const struct memsys *memsys);
bool memsys_block_begin(struct memsys *memsys, unsigned cpu, const struct memsys_block *what,
                        const struct bucket *bucket, cycles now);

/* Do homes of pages in NUMA nodes end when the guest's kernel frees them (memory.home=allocation)? Then the page at
 * PHYSICAL, as in memory, is to be reported when it becomes free. */
bool memsys_follows_allocations(const struct memsys *memsys);
void memsys_page_freed(struct memsys *memsys, paddr physical);

/* Do pages move between NUMA nodes (memory.move_pages)? And by misses of the TLB? Then CPU's miss of the page at
 * PHYSICAL, as in memory, at time NOW is to be reported. */
bool memsys_moves_pages(const struct memsys *memsys);
bool memsys_counts_tlb_misses(const struct memsys *memsys);
void memsys_tlb_missed(struct memsys *memsys, unsigned cpu, paddr physical, cycles now);

/* Empties every cache of every CPU. No write-backs are counted. */
void memsys_flush(struct memsys *memsys);

/* Contents of a cache, for tests and for comparing machines. Entries are numbered from 0; the set of an entry is entry
 * / ways. The lines of an assist cache follow those of the sets, in the order of its slots. */
struct memsys_entry {
    bool valid;
    bool partial; /* words of it are not valid (write_allocate=validate) */
    bool dirty;   /* modified; in an inclusive outer cache also: an inner line of it is modified */
    paddr line;   /* address */
    /* place in the sequence of victims of the set, 0 for the last one (LRU: the MRU line); 0 where there is no such
     * sequence (policies without ranks, cache/state/replacement.h) */
    uint32_t order;
};
/* Number of entries of CPU's CACHE, with the number of ways in *WAYS unless WAYS is NULL; 0 if it does not exist. */
uint32_t memsys_entries(const struct memsys *memsys, enum memsys_cache cache, uint32_t *ways);
struct memsys_entry memsys_entry_at(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, uint32_t entry);
/* The entry of CPU's CACHE that holds ADDRESS; not valid if there is none. */
struct memsys_entry memsys_look(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache, paddr address);
/* The entry that a miss of REQUEST, of which the addresses and the space are used, in CPU's CACHE would replace; not
 * valid if it is empty or the cache does not exist. */
struct memsys_entry memsys_look_victim(const struct memsys *memsys, unsigned cpu, enum memsys_cache cache,
                                       const struct memsys_request *request);
/* The write buffer of CPU's data cache at level LEVEL, from 0, at time NOW, which may lie in the past as far as the
 * latest access: the number of its entries and of those in use, and whether one of them is being written. Depth 0:
 * there is none. */
struct memsys_write_buffer {
    uint32_t depth, entries;
    bool writes;
};
struct memsys_write_buffer memsys_write_buffer_at(const struct memsys *memsys, unsigned cpu, unsigned level,
                                                  cycles now);
/* Number of cache levels; 0: every access hits. */
unsigned memsys_levels(const struct memsys *memsys);
/* The name of CACHE, "l1d" ...; NULL if MEMSYS does not have it. */
const char *memsys_cache_name(const struct memsys *memsys, enum memsys_cache cache);
/* Coherence state of ADDRESS in CPU: 'I', 'S', 'E' or 'M'. */
char memsys_state(const struct memsys *memsys, unsigned cpu, paddr address);
/* Whether CPU's caches have equal contents in A and B, including the next victim of each set; those that CPUs share are
 * the first CPU's. A and B were created from the same parameters. */
bool memsys_is_same(const struct memsys *a, const struct memsys *b, unsigned cpu);

/* Adds the sections that exist, all of them timing state: "caches", "protocols", "timing" (contention),
 * "cpuN.prefetch", "prefetch.guards", "block", "classification". All cached lines are in the RAM of MEM. */
struct physmem;
struct saved;
void memsys_register_saved(struct memsys *memsys, const struct physmem *mem, struct saved *saved);

/* Registers the counters of the memory system under "cpuN." and "memory.": for each CPU and cache misses, write-backs,
 * invalidations received, upgrades, lines written back by coherence. The buckets hold misses and stalls by mode. */
void memsys_register_stats(struct memsys *memsys, struct stats *stats);

/* The name of the compiled shape (cache/hierarchy/shapes.c) that performs MEMSYS's accesses of a kind; NULL if the
 * general function does. */
const char *memsys_shape(const struct memsys *memsys, enum memsys_access access);

/* Prints one line of text for each level and one for the latencies ("L1-I 16K 2-way 16-byte lines LRU, ..."), for
 * `simos params` and the result table. */
void memsys_describe(const struct memsys *memsys, FILE *out);

/* For the checking build and tests: verifies inclusion, the single-writer rule, and that the states of all levels
 * agree. Returns false with ERR if not. */
bool memsys_check(const struct memsys *memsys, struct err *err);

#endif
