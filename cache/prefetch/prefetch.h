/*
 * Prefetching: guarded sequential instruction prefetch and instruction stream buffers (Xia and Torrellas, IEEE TC 1999,
 * section 4.2; Jouppi, ISCA'90), and prefetch instructions (PREF). docs/reference/prefetch.md. Private to cache/.
 *
 * A prefetch fills the line into its cache at once, with all effects on other lines, and marks it with its arrival
 * time. The line gets no fast-path permission until the CPU uses it, so its first use always comes here and waits until
 * the arrival time.
 */
#ifndef SIMOS_CACHE_PREFETCH_PREFETCH_H
#define SIMOS_CACHE_PREFETCH_PREFETCH_H

#include "cache/state/engine.h"
#include "cache/param_rows.h"

/* Rows of the parameter table. */
#define PREFETCH_PARAMS                                                                                                \
    CHOICE_ROW(                                                                                                        \
        "prefetch.insn.trigger", CACHE_TRAITS, "off", "off|miss|reference",                                            \
        "trigger of sequential instruction prefetch: misses and first uses of prefetched lines; every line fetched"),  \
        {"prefetch.insn.lines",                                                                                        \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "lines",                                                                                                      \
         "0",                                                                                                          \
         0,                                                                                                            \
         1024,                                                                                                         \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "maximum distance ahead of the CPU; 0: up to a guard or the end of the page"},                                \
        {"prefetch.insn.reach",                                                                                        \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         3,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "sequential prefetch of lines that a cache up to this level has, no others; 0: of all, from memory too"},     \
        CHOICE_ROW("prefetch.insn.pages", CACHE_TRAITS, "guarded", "guarded|all",                                      \
                   "4K pages with sequential prefetch: those with a guard; all"),                                      \
        WORDS_ROW(                                                                                                     \
            "prefetch.guards", CACHE_TRAITS,                                                                           \
            "instructions with a guard bit: ADDRESS, SYMBOL, SYMBOL+OFFSET, routines (the last one of each); @FILE"),  \
        {"prefetch.stream.buffers",                                                                                    \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         16,                                                                                                           \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "instruction stream buffers of a CPU; 0: none"},                                                              \
        {"prefetch.stream.depth",     PARAM_INT, CACHE_TRAITS, "lines", "8", 1, 64, false, NULL,                       \
         "entries of a stream buffer"},                                                                                \
        {"prefetch.stream.level",                                                                                      \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         2,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "stream buffers serve misses of this level; 0: the last but one"},                                            \
        CHOICE_ROW("prefetch.stream.allocate", CACHE_TRAITS, "sequence", "sequence|miss",                              \
                   "allocate a buffer at: a miss to the line after a recent miss; any miss"),                          \
        TIME_ROW("prefetch.stream.hit_time", CACHE_TRAITS, "0",                                                        \
                 "stall of a fetch that hits a stream buffer; 0: as a hit in the level that it serves"),               \
        BOOL_ROW("prefetch.data", CACHE_TRAITS, "off", "PREF brings lines into the first level"),                      \
        WORDS_ROW("prefetch.points", CACHE_TRAITS,                                                                     \
                  "instructions before which data are prefetched as by a PREF: ADDRESS:OFFSET(REGISTER), "             \
                  "SYMBOL+OFFSET:...; @FILE"),                                                                         \
    {                                                                                                                  \
        "prefetch.interval", PARAM_INT, CACHE_TRAITS, "CPU cycles", "1", 0, 100000, false, NULL,                       \
            "minimum time between two prefetches of a CPU"                                                             \
    }

/* Builds what PARAMS request in MEMSYS->prefetch; NULL if that is nothing, at no cost then. Returns false with ERR
 * naming the parameter that is invalid. */
bool prefetch_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz, struct err *err);
void prefetch_free(struct memsys *memsys);
/* Drops all lines in flight and empties all stream buffers. */
void prefetch_flush(struct memsys *memsys);

/* Whether accesses of kind ACCESS look up stream buffers. MEMSYS has prefetchers. */
bool prefetch_consults_streams(const struct memsys *memsys, enum memsys_access access);
/* Wraps memsys->plain[ACCESS], which has been selected, in the prefetchers. */
void prefetch_choose(struct memsys *memsys, enum memsys_access access);

/* Fetches the line of REQUEST, a PREF of CPU, into the first level for data (prefetch.data is on). */
void prefetch_data(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* ENTRY of CPU's first-level cache FIRST got a line without an access. */
void prefetch_forget(struct memsys *memsys, unsigned cpu, const struct array *first, uint32_t entry);

/* The line in entry FROM of FIRST, a first level of CPU, has moved to entry TO. */
void prefetch_moved(struct memsys *memsys, unsigned cpu, const struct array *first, uint32_t from, uint32_t to);

/* A fetch, of CPU or its prefetcher, missed FROM and hit SUPPLIER (NULL: memory). Returns whether a stream buffer holds
 * the line too; *TIME is then the stall of the fetch. The buffers are updated after the access, by
 * prefetch_stream_update(). */
bool prefetch_stream_lookup(struct memsys *memsys, unsigned cpu, const struct array *from, const struct array *supplier,
                            const struct memsys_request *request, cycles *time);
/* The cache level that the stream buffers serve. */
unsigned prefetch_stream_level(const struct memsys *memsys);

/* Adds the sections "cpuN.prefetch" and "prefetch.guards", timing state. */
void prefetch_register_saved(struct memsys *memsys, struct saved *saved);

void prefetch_register_stats(struct memsys *memsys, struct stats *stats);
/* Prints one line of text for each prefetcher that exists. */
void prefetch_describe(const struct memsys *memsys, FILE *out);

#endif
