/* Internal state of the prefetchers. Private to cache/prefetch*.c. */
#ifndef SIMOS_CACHE_PREFETCH_PREFETCH_STATE_H
#define SIMOS_CACHE_PREFETCH_PREFETCH_STATE_H

#include "cache/prefetch/prefetch.h"
#include "cache/prefetch/prefetch_guards.h"

enum prefetch_trigger { TRIGGER_OFF, TRIGGER_MISS, TRIGGER_REFERENCE };

/* Not the address of any line: lines have 4 bytes or more. */
enum { NO_LINE = 1 };

/* Mark of a first-level entry whose line was prefetched and has not been used. */
struct prefetch_mark {
    paddr line;    /* NO_LINE: no mark */
    uint8_t kind;  /* enum prefetch_kind */
    uint8_t level; /* that supplied it, as of struct prefetch_result */
    cycles arrives;
};

enum prefetch_kind { PREFETCH_INSN, PREFETCH_DATA, PREFETCH_STREAM, PREFETCH_KINDS };

struct prefetch_counts {
    uint64_t issued;      /* lines asked for */
    uint64_t useful;      /* used before they were evicted or invalidated */
    uint64_t late;        /* the part of useful that was used before it arrived */
    uint64_t late_cycles; /* waiting time of those uses */
    uint64_t useless;     /* evicted or invalidated without use */
    uint64_t dropped;     /* PREFETCH_INSN: lines that were not prefetched, since no cache up to `reach` had them */
    /* PREFETCH_DATA: PREF instructions to cached memory; PREFETCH_INSN: runs of the prefetcher */
    uint64_t requests;
};

/* A line that a prefetch has filled into an outer cache and that is in flight until `arrives`. */
struct prefetch_flight {
    paddr start;
    uint32_t size; /* 0: none */
    uint8_t level; /* that supplied it */
    cycles arrives;
};
enum { FLIGHTS = 16 };

struct stream_entry {
    paddr line;
    uint8_t level; /* that supplied it */
    cycles arrives;
};
enum { STREAM_DEPTH_MAX = 64, STREAM_BUFFERS_MAX = 16, STREAM_HISTORY = 8 };

/* A stream buffer: entries for consecutive lines, in order. NEXT is the line to prefetch next. */
struct stream_buffer {
    struct stream_entry entry[STREAM_DEPTH_MAX];
    unsigned count;
    paddr next;         /* NO_LINE: none */
    uint64_t last_used; /* value of prefetch_cpu.uses at the last use; 0: never used */
};

struct prefetch_cpu {
    /* by entry of the first level for fetches, for data; the same array if the level is unified */
    struct prefetch_mark *mark[2];
    uint32_t marks[2]; /* number of marks in each */
    struct prefetch_counts counts[PREFETCH_KINDS];
    struct prefetch_flight flight[FLIGHTS];
    unsigned next_flight;
    struct stream_buffer buffer[STREAM_BUFFERS_MAX];
    uint64_t uses;
    paddr history[STREAM_HISTORY]; /* recent misses of the level that the buffers serve */
    unsigned next_history;
    bool consulted; /* the current access consulted the buffers */
    paddr consulted_line;
    struct stream_buffer *consulted_buffer; /* the buffer that holds the line; NULL: none */
    unsigned consulted_entry;
};

struct prefetch {
    enum prefetch_trigger trigger;
    uint32_t lines;    /* maximum distance ahead of the CPU; 0: no limit */
    unsigned reach;    /* outermost level from which instructions are prefetched; 0: from memory, too */
    bool guarded_only; /* no prefetch in pages without guards */
    bool data;         /* PREF is modelled */
    cycles interval;
    unsigned buffers, depth, level; /* level: 0 without buffers */
    bool any_miss;                  /* any miss allocates a buffer */
    cycles buffer_hit_time;
    access_function *beneath[3];
    struct guards guards;
    struct prefetch_cpu cpu[BOARD_MAX_CPUS];
};

/* Result of a prefetch. */
struct prefetch_result {
    cycles arrives;
    unsigned level; /* level that supplied the line; number of levels + 1: memory or another CPU */
    uint32_t entry;
};

/* Counts an access that waited for a line that LEVEL supplied, in the levels from FIRST on that are inside LEVEL. */
void prefetch_count_late(const struct memsys *memsys, const struct memsys_request *request, unsigned first,
                         unsigned level);

/* Fills REQUEST's line into FROM at request->now, without marking it. */
struct prefetch_result prefetch_fill(struct memsys *memsys, unsigned cpu, struct array *from,
                                     const struct memsys_request *request);

/* Runs the sequential prefetcher from the line of REQUEST, which CPU fetched and which triggers it. */
void prefetch_run(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* Prefetches the line of REQUEST, which is absent, into CPU's first-level cache FIRST, and marks it. */
void prefetch_first(struct memsys *memsys, unsigned cpu, struct array *first, const struct memsys_request *request,
                    enum prefetch_kind kind);

/* Updates the stream buffers after an access that consulted them. REQUEST gives the time. */
void prefetch_stream_update(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
/* Empties the stream buffers of CPU. */
void prefetch_stream_empty(struct prefetch *prefetch, unsigned cpu);

#endif
