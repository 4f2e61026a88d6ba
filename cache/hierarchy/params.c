/* The table of the memory system's parameters. Defaults: the 1994 column of SOSP'95 table 3.1. */
#include "cache/hierarchy/block.h"
#include "cache/placement/page_mapping.h"
#include "cache/hierarchy/protocol.h"
#include "cache/timing/bus.h"
#include "cache/timing/dram.h"
#include "cache/memsys.h"
#include "cache/param_rows.h"
#include "cache/prefetch/prefetch.h"
#include "cache/state/replacement.h"
#include "cache/timing/write_buffer.h"

enum { KB = 1024, MB = 1024 * 1024, MAX_CHECK = 1000000000 };

#define ARRAY(NAME, TEXT, SIZE, LEAST, MOST, LINE, LINE_MOST, WAYS)                                                     \
    {"cache." NAME ".size", PARAM_SIZE, CACHE_TRAITS, "bytes", SIZE, LEAST, MOST, false, NULL, TEXT ": size"},          \
        {"cache." NAME ".line", PARAM_SIZE, CACHE_TRAITS, "bytes", LINE, 4, LINE_MOST, true, NULL, TEXT ": line size"}, \
        {"cache." NAME ".ways", PARAM_INT, CACHE_TRAITS, "", WAYS, 1, REPLACEMENT_WAYS, false, NULL,                    \
         TEXT ": ways of a set"},                                                                                       \
        {"cache." NAME ".sector_lines",                                                                                 \
         PARAM_INT,                                                                                                     \
         CACHE_TRAITS,                                                                                                  \
         "lines",                                                                                                       \
         "1",                                                                                                           \
         1,                                                                                                             \
         16,                                                                                                            \
         true,                                                                                                          \
         NULL,                                                                                                          \
         TEXT ": lines of a sector, which share an address tag; 1: not sectored"},                                      \
        CHOICE_ROW("cache." NAME ".replacement", CACHE_TRAITS, "lru", &replacement_choices[1], replacement_help),       \
        CHOICE_ROW("cache." NAME ".hash", CACHE_TRAITS, "none", "none|xor|space",                                       \
                   TEXT ": set number XORed with the bits above it; or with the address space (virtual index)"),        \
        TIME_ROW("cache." NAME ".occupancy", CACHE_TRAITS, "0", TEXT ": time that an access keeps it busy"),            \
        {"cache." NAME ".ports",                                                                                        \
         PARAM_INT,                                                                                                     \
         CACHE_TRAITS,                                                                                                  \
         "",                                                                                                            \
         "1",                                                                                                           \
         1,                                                                                                             \
         8,                                                                                                             \
         false,                                                                                                         \
         NULL,                                                                                                          \
         TEXT ": accesses that can start in a cycle (out-of-order models only)"},                                       \
        {"cache." NAME ".outstanding",                                                                                  \
         PARAM_INT,                                                                                                     \
         CACHE_TRAITS,                                                                                                  \
         "",                                                                                                            \
         "1",                                                                                                           \
         1,                                                                                                             \
         64,                                                                                                            \
         false,                                                                                                         \
         NULL,                                                                                                          \
         TEXT ": number of MSHRs (out-of-order models only)"},                                                          \
    {                                                                                                                   \
        "cache." NAME ".targets", PARAM_INT, CACHE_TRAITS, "", "0", 0, 512, false, NULL,                                \
            TEXT ": accesses that an MSHR can have, the first included; 0: any number (out-of-order models only)"       \
    }

#define L1(NAME, TEXT)                                                                                                 \
    ARRAY(NAME, TEXT, "16K", 256, 4 * MB, "16", 256, "2"),                                                             \
        CHOICE_ROW("cache." NAME ".index", CACHE_TRAITS, "physical", "physical|virtual",                               \
                   TEXT ": address used for the set index")
#define OUTER(NAME, TEXT, SIZE, WAYS)                                                                                  \
    ARRAY(NAME, TEXT, SIZE, 4 * KB, 256 * MB, "128", 1024, WAYS),                                                      \
        {"cache." NAME ".banks",                                                                                       \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "",                                                                                                           \
         "1",                                                                                                          \
         1,                                                                                                            \
         TIMING_BANKS_MAX,                                                                                             \
         true,                                                                                                         \
         NULL,                                                                                                         \
         TEXT ": banks (slices), which have its lines in turn; each is busy for cache." NAME ".occupancy"},            \
        BOOL_ROW("cache." NAME ".inclusive", CACHE_TRAITS, "on",                                                       \
                 TEXT ": inclusive: an eviction back-invalidates the line in inner caches"),                           \
        BOOL_ROW("cache." NAME ".exclusive", CACHE_TRAITS, "off",                                                      \
                 TEXT                                                                                                  \
                 ": exclusive (a victim cache): has lines that the level inside evicted, and gives up those that "     \
                 "it supplies")
#define SHARED(NAME, TEXT)                                                                                             \
    CHOICE_ROW("cache." NAME ".shared", CACHE_TRAITS, "1", "1|2|4|8|16|32|64|all",                                     \
               TEXT ": how many CPUs share one, those with numbers from a multiple of it on"),                         \
        {"cache." NAME ".directory_entries",                                                                           \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         SPARSE_ENTRIES_MAX,                                                                                           \
         false,                                                                                                        \
         NULL,                                                                                                         \
         TEXT ": shared and not inclusive: lines that its directory has entries for; 0: all"},                         \
        {"cache." NAME ".directory_ways", PARAM_INT, CACHE_TRAITS, "", "8", 1, SPARSE_WAYS_MAX, false, NULL,           \
         TEXT ": ways of this directory"},                                                                             \
    {                                                                                                                  \
        "cache." NAME ".partition", PARAM_STRING, CACHE_TRAITS, "", "", 0, 0, false, NULL,                             \
            TEXT ": FIRST-LAST:WAYS,...: the ways, a bit mask, that lines of these CPUs take; empty: all"              \
    }
#define STORES(NAME, TEXT)                                                                                             \
    CHOICE_ROW("cache." NAME ".write", CACHE_TRAITS, "back", "back|through", TEXT ": write policy for hits"),          \
        CHOICE_ROW("cache." NAME ".write_allocate", CACHE_TRAITS, "on", "on|off|validate",                             \
                   TEXT ": a store miss allocates the line; validate: without reading it"),                            \
        TIME_ROW("cache." NAME ".write_back_time", CACHE_TRAITS, "0",                                                  \
                 TEXT ": time to write back a modified victim, before the fill")

const struct param_def memsys_param_defs[] = {
    CHOICE_ROW("cache.model", CACHE_TRAITS, "two-level", "two-level|none|one-level|three-level",
               "cache levels of a CPU; none: no access takes time"),
    BOOL_ROW("cache.l1.split", CACHE_TRAITS, "on",
             "first level: split instruction and data caches; off: unified, cache.l1d"),
    BOOL_ROW("cache.l2.split", CACHE_TRAITS, "off", "second level: the same, cache.l2i and cache.l2"),
    BOOL_ROW("cache.l3.split", CACHE_TRAITS, "off", "third level: the same, cache.l3i and cache.l3"),
    L1("l1i", "first-level instruction cache"),
    L1("l1d", "first-level data cache"),
    STORES("l1d", "first-level data cache"),
    CHOICE_ROW("cache.l1d.prepare_for_store", CACHE_TRAITS, "prefetch", "prefetch|allocate|ignore",
               "pref 30: a prefetch; allocates the line without reading it; has no effect"),
    {"cache.l1d.assist", PARAM_INT, CACHE_TRAITS, "lines", "0", 0, 1024, false, NULL,
     "first-level data cache: lines of the assist cache beside it, which is fully associative; 0: none"},
    WRITE_BUFFER_PARAMS("l1d"),
    OUTER("l2", "second-level cache", "1M", "1"),
    SHARED("l2", "second-level cache"),
    STORES("l2", "second-level cache"),
    WRITE_BUFFER_PARAMS("l2"),
    OUTER("l2i", "second-level instruction cache, if split", "1M", "1"),
    OUTER("l3", "third-level cache", "8M", "4"),
    SHARED("l3", "third-level cache"),
    STORES("l3", "third-level cache"),
    WRITE_BUFFER_PARAMS("l3"),
    OUTER("l3i", "third-level instruction cache, if split", "8M", "4"),
    CHOICE_ROW("cache.protocol", CACHE_TRAITS, "invalidate", &protocol_choices[1], protocol_help),
    {"cache.update_pages", PARAM_STRING, CACHE_TRAITS, "", "", 0, 0, false, NULL,
     "FIRST-LAST,... (hexadecimal with 0x): physical addresses of the pages that use the update protocol (firefly)"},
    WORDS_ROW("cache.layout", MEMORY_TRAITS,
              "layout map: where the caches see code and data, that lie elsewhere in memory; @FILE "
              "(docs/reference/layout.md)"),
    CHOICE_ROW("page_mapping.policy", MEMORY_TRAITS, "arbitrary", PAGE_MAPPING_POLICIES,
               "in which bins of the caches pages of programs and files lie (docs/reference/page-mapping.md); "
               "arbitrary: where the guest's kernel has them"),
    {"page_mapping.seed", PARAM_INT, MEMORY_TRAITS, "", "1", 0, UINT32_MAX, false, NULL,
     "with a policy: seed of what it draws"},
    WORDS_ROW("page_mapping.hints", MEMORY_TRAITS,
              "for the policies shading and numbering: which fragments of pages a run accessed; @FILE, as --profile "
              "FILE.pages writes"),
    BOOL_ROW("page_mapping.profile", MEMORY_TRAITS, "off",
             "count accesses to fragments of pages, for --profile FILE.pages, which turns it on"),
    {"page_mapping.reserved", PARAM_INT, MEMORY_TRAITS, "bins", "0", 0, 1 << 16, false, NULL,
     "with a policy: bins for the kernel's own pages alone; 0: these stay where they are, and all bins are for all"},
    BOOL_ROW("cache.upgrades_on_uniprocessor", CACHE_TRAITS, "off",
             "stores to clean lines need an upgrade even with one CPU"),
    {"cache.random_seed", PARAM_INT, CACHE_TRAITS, "", "0", 0, UINT32_MAX, false, NULL, "seed for random replacement"},
    {"cache.check_interval", PARAM_INT, TRAIT_UNTIMED | TRAIT_OBSERVES | TRAIT_SWEPT, "accesses", "0", 0, MAX_CHECK,
     false, NULL, "number of accesses to the memory system between checks of all cache invariants; 0: never"},
    CHOICE_ROW("cache.classify", TRAIT_TIMED | TRAIT_OBSERVES, "off", "off|replacement|sharing|full",
               "miss classification (docs/reference/miss-classes.md): each choice adds detail and cost"),
    CHOICE_ROW("cache.profile", TRAIT_TIMED | TRAIT_OBSERVES, "off", "off|pc|address|both",
               "with cache.classify: misses and stalls by address of the instruction, of the data, or both"),
    BOOL_ROW("cache.evictors", TRAIT_UNTIMED | TRAIT_OBSERVES, "off",
             "with cache.classify: which functions and data evict each other (docs/reference/miss-classes.md)"),
    TIME_ROW("memory.l2_hit_time", MEMORY_TRAITS, "50", "stall of a first-level miss that hits the second level"),
    TIME_ROW("memory.l3_hit_time", MEMORY_TRAITS, "200",
             "stall of an access that misses two levels and hits the third"),
    TIME_ROW("memory.l2_upgrade_time", MEMORY_TRAITS, "0",
             "shared second level: stall of a store to a line that other CPUs' caches inside it have; 0: as "
             "memory.l2_hit_time"),
    TIME_ROW("memory.l2_intervention_time", MEMORY_TRAITS, "0",
             "shared second level: stall when a cache inside it supplies the line; 0: as memory.l2_hit_time"),
    TIME_ROW("memory.l3_upgrade_time", MEMORY_TRAITS, "0",
             "shared third level: stall of a store to a line that other CPUs' caches inside it have; 0: as "
             "memory.l3_hit_time"),
    TIME_ROW("memory.l3_intervention_time", MEMORY_TRAITS, "0",
             "shared third level: stall when a cache inside it supplies the line; 0: as memory.l3_hit_time"),
    TIME_ROW("memory.miss_time", MEMORY_TRAITS, "500", "total stall of an access that misses all caches of the CPU"),
    TIME_ROW("memory.upgrade_time", MEMORY_TRAITS, "0", "stall of a store to a shared line; 0: as memory.miss_time"),
    TIME_ROW("memory.update_time", MEMORY_TRAITS, "0",
             "stall of a store that updates other caches; 0: as memory.upgrade_time"),
    TIME_ROW("memory.intervention_time", MEMORY_TRAITS, "0",
             "stall when another CPU's cache supplies the line; 0: as memory.miss_time"),
    CHOICE_ROW("memory.nodes", MEMORY_TRAITS, "1", "1|2|4|8|16",
               "NUMA nodes, each with as many of the CPUs, in order, and with the memory of some pages"),
    CHOICE_ROW(
        "memory.home", MEMORY_TRAITS, "first_touch", "first_touch|allocation|address|round_robin",
        "nodes: the home of a page: the node whose CPU first requests it from memory; the same, anew when the guest's "
        "kernel has freed it; by its address; the nodes in turn"),
    {"memory.home_interleave", PARAM_SIZE, MEMORY_TRAITS, "bytes", "4K", PAGE_SIZE, 1u << 31, true, NULL,
     "memory.home=address: bytes of consecutive addresses with one home"},
    TIME_ROW("memory.remote_time", MEMORY_TRAITS, "0",
             "nodes: stall of a miss that memory of another node answers; 0: as memory.miss_time"),
    TIME_ROW("memory.remote_intervention_time", MEMORY_TRAITS, "0",
             "nodes: stall if another CPU's cache answers and it or the home is in another node; 0: as "
             "memory.intervention_time"),
    TIME_ROW("memory.remote_upgrade_time", MEMORY_TRAITS, "0",
             "nodes: stall of a store to a shared line whose home or sharers are in another node; 0: as "
             "memory.upgrade_time"),
    TIME_ROW(
        "memory.home_occupancy", MEMORY_TRAITS, "0",
        "nodes: time that a request keeps the memory and the directory of its home busy; 0: nobody waits for them"),
    TIME_ROW(
        "memory.link_occupancy", MEMORY_TRAITS, "0",
        "nodes: time that a message keeps the links of two nodes busy, that out of one and that into the other; 0: "
        "nobody waits for them"),
    CHOICE_ROW("memory.move_pages", MEMORY_TRAITS, "off", "off|migrate|replicate|both",
               "nodes: pages migrate to the nodes that ask for them, or are copied there if nobody writes them"),
    CHOICE_ROW("memory.move_on", MEMORY_TRAITS, "cache_misses", "cache_misses|tlb_misses",
               "memory.move_pages: what is counted: requests to memory and other caches, or misses of the TLB"),
    {"memory.move_threshold", PARAM_INT, MEMORY_TRAITS, "misses", "128", 1, UINT16_MAX, false, NULL,
     "memory.move_pages: misses of a node's CPUs in an interval that may move a page there"},
    {"memory.move_sharing_threshold", PARAM_INT, MEMORY_TRAITS, "misses", "32", 1, UINT16_MAX, false, NULL,
     "memory.move_pages: misses of another node that make a page shared: it is copied and does not migrate"},
    {"memory.move_write_threshold", PARAM_INT, MEMORY_TRAITS, "requests", "1", 1, UINT16_MAX, false, NULL,
     "memory.move_pages: requests to store, in an interval, of which a shared page is not copied"},
    {"memory.move_migrate_threshold", PARAM_INT, MEMORY_TRAITS, "", "1", 1, UINT16_MAX, false, NULL,
     "memory.move_pages: how often a page migrates in an interval"},
    {"memory.move_sample", PARAM_INT, MEMORY_TRAITS, "misses", "1", 1, 1 << 20, false, NULL,
     "memory.move_pages: every one of so many misses of a CPU is counted"},
    {"memory.move_interval", PARAM_TIME, MEMORY_TRAITS, "ns", "100ms", 1000, 1000000000000, false, NULL,
     "memory.move_pages: interval after which counts begin anew"},
    TIME_ROW(
        "memory.move_time", MEMORY_TRAITS, "0",
        "memory.move_pages: stall of a move, and of the end of a page's copies; 0: memory.remote_time for each line"),
    TIME_ROW("memory.uncached_latency", MEMORY_TRAITS, "0",
             "stall of an uncached or device access; 0: as memory.miss_time"),
    {"machine.perturb", PARAM_INT, TRAIT_UNTIMED, "", "0", 0, UINT32_MAX, false, NULL,
     "seed of delays of memory responses, for repetitions of a run; 0: responses have no such delays"},
    {"machine.perturb_time", PARAM_TIME, TRAIT_UNTIMED, "ns", "4", 1, 1000000, false, NULL,
     "with machine.perturb: longest delay of a response, rounded up to cycles"},
    BUS_PARAMS,
    DRAM_PARAMS,
    PREFETCH_PARAMS,
    BLOCK_PARAMS,
};
const size_t memsys_param_count = sizeof memsys_param_defs / sizeof memsys_param_defs[0];
