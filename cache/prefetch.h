/*
 * Prefetching: guarded sequential instruction prefetch and instruction stream buffers (Xia and Torrellas, IEEE TC 1999,
 * section 4.2; Jouppi, ISCA'90), and lines that programs ask for (PREF). docs/reference/prefetch.md. Private to cache/.
 *
 * A prefetched line is in its cache at once, with everything that this does to other lines, and is marked with the time
 * at which it arrives. It has no quick-check byte until the CPU uses it, so the first use is always seen here: it waits
 * for what is left of the line's time.
 */
#ifndef SIMOS_CACHE_PREFETCH_H
#define SIMOS_CACHE_PREFETCH_H

#include "cache/access.h"
#include "cache/param_rows.h"

/* Rows of the parameter table. */
#define PREFETCH_PARAMS                                                                                                \
    CHOICE_ROW(                                                                                                        \
        "prefetch.insn.trigger", "off", "off|miss|reference",                                                          \
        "sequential instruction prefetch begins at: misses and first uses of prefetched lines; every line fetched"),   \
        {"prefetch.insn.lines",                                                                                        \
         PARAM_INT,                                                                                                    \
         "lines",                                                                                                      \
         "0",                                                                                                          \
         0,                                                                                                            \
         1024,                                                                                                         \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "how far ahead of the CPU at most; 0: up to a guard or the end of the page"},                                 \
        CHOICE_ROW("prefetch.insn.pages", "guarded", "guarded|all",                                                    \
                   "4K pages in which it is on: those with a guard; all"),                                             \
        {"prefetch.guards",                                                                                            \
         PARAM_STRING,                                                                                                 \
         "",                                                                                                           \
         "",                                                                                                           \
         0,                                                                                                            \
         0,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "instructions with a guard bit: ADDRESS, SYMBOL, SYMBOL+OFFSET, routines (the last one of each); @FILE"},     \
        {"prefetch.stream.buffers",                                                                                    \
         PARAM_INT,                                                                                                    \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         16,                                                                                                           \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "instruction stream buffers of a CPU; 0: none"},                                                              \
        {"prefetch.stream.depth", PARAM_INT, "lines", "8", 1, 64, false, NULL, "entries of a stream buffer"},          \
        {"prefetch.stream.level",                                                                                      \
         PARAM_INT,                                                                                                    \
         "",                                                                                                           \
         "0",                                                                                                          \
         0,                                                                                                            \
         2,                                                                                                            \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "stream buffers serve misses of this level; 0: the last but one"},                                            \
        CHOICE_ROW("prefetch.stream.allocate", "sequence", "sequence|miss",                                            \
                   "a buffer begins with: a miss whose line follows that of a recent one; any miss"),                  \
        TIME_ROW("prefetch.stream.hit_time", "0",                                                                      \
                 "stall of a fetch that a stream buffer answers; 0: as a hit in the level that it serves"),            \
        BOOL_ROW("prefetch.data", "off", "PREF brings lines into the first level"),                                    \
    {                                                                                                                  \
        "prefetch.interval", PARAM_INT, "CPU cycles", "1", 0, 100000, false, NULL,                                     \
            "time between two lines that a CPU's prefetcher asks for"                                                  \
    }

/* Build what PARAMS ask for into MEMSYS->prefetch; NULL if that is nothing, which then costs nothing. Fails naming the
 * parameter. */
bool prefetch_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz, struct err *err);
void prefetch_free(struct memsys *memsys);
/* Nothing is on its way, no buffer holds anything. */
void prefetch_flush(struct memsys *memsys);

/* memsys->untimed[ACCESS] has been chosen: stream buffers are asked on the general way only. */
void prefetch_choose_untimed(struct memsys *memsys, enum memsys_access access);
/* memsys->plain[ACCESS] has been chosen: put the prefetchers before it. */
void prefetch_choose(struct memsys *memsys, enum memsys_access access);

/* A fetch, of CPU or its prefetcher, missed FROM; SUPPLIER (NULL: memory) has the line. Does a stream buffer have it
 * too? Then *TIME is what the fetch takes. The buffers proceed when the access is done. */
bool prefetch_stream_asked(struct memsys *memsys, unsigned cpu, const struct array *from, const struct array *supplier,
                           const struct memsys_request *request, cycles *time);
/* The level that stream buffers serve. */
unsigned prefetch_stream_level(const struct memsys *memsys);

/* Add the sections "cpuN.prefetch" and "prefetch.guards", of timing. */
void prefetch_register_saved(struct memsys *memsys, struct saved *saved);

void prefetch_register_stats(struct memsys *memsys, struct stats *stats);
/* A line of text each for what there is. */
void prefetch_describe(const struct memsys *memsys, FILE *out);

#endif
