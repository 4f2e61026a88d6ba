/*
 * Inside of prefetching. Private to cache/prefetch*.c.
 */
#ifndef SIMOS_CACHE_PREFETCH_STATE_H
#define SIMOS_CACHE_PREFETCH_STATE_H

#include "cache/prefetch/prefetch.h"
#include "cache/prefetch/prefetch_guards.h"

enum prefetch_trigger { TRIGGER_OFF, TRIGGER_MISS, TRIGGER_REFERENCE };

/* No address of a line: lines have 4 bytes or more. */
enum { NO_LINE = 1 };

/* An entry's line was prefetched and has not been used. */
struct prefetch_mark {
    paddr line;   /* NO_LINE: no mark */
    uint8_t kind; /* enum prefetch_kind */
    bool near;    /* the second level supplied it */
    cycles arrives;
};

enum prefetch_kind { PREFETCH_INSN, PREFETCH_DATA, PREFETCH_STREAM, PREFETCH_KINDS };

struct prefetch_counts {
    uint64_t issued;      /* lines asked for */
    uint64_t useful;      /* used before they were lost */
    uint64_t late;        /* of these, before they had arrived */
    uint64_t late_cycles; /* what those uses waited */
    uint64_t useless;     /* lost without use */
    uint64_t requests;    /* PREFETCH_DATA: PREF of cached memory; PREFETCH_INSN: runs of the prefetcher */
};

/* A line of an outer cache that a prefetch has brought in, and that is still on its way. */
struct prefetch_flight {
    paddr start;
    uint32_t size; /* 0: none */
    cycles arrives;
};
enum { FLIGHTS = 16 };

struct stream_entry {
    paddr line;
    cycles arrives;
};
enum { STREAM_DEPTH_MAX = 64, STREAM_BUFFERS_MAX = 16, STREAM_HISTORY = 8 };

/* Entries in the order of their lines, which follow each other; NEXT is the one to be asked for next. */
struct stream_buffer {
    struct stream_entry entry[STREAM_DEPTH_MAX];
    unsigned count;
    paddr next;         /* NO_LINE: nothing (more) to ask for */
    uint64_t last_used; /* by prefetch_cpu.uses; 0: never */
};

struct prefetch_cpu {
    struct prefetch_mark *mark[2]; /* by entry of the first level for fetches, for data; the same if there is one */
    uint32_t marks[2];             /* how many */
    struct prefetch_counts counts[PREFETCH_KINDS];
    struct prefetch_flight flight[FLIGHTS];
    unsigned next_flight;
    struct stream_buffer buffer[STREAM_BUFFERS_MAX];
    uint64_t uses;
    paddr history[STREAM_HISTORY]; /* lines that lately missed the level that the buffers serve */
    unsigned next_history;
    bool asked; /* the buffers, by the access at work */
    paddr asked_line;
    struct stream_buffer *asked_buffer; /* it has the line; NULL: none */
    unsigned asked_entry;
};

struct prefetch {
    enum prefetch_trigger trigger;
    uint32_t lines;    /* ahead of the CPU; 0: any number */
    bool guarded_only; /* pages without guards have no prefetch */
    bool data;         /* PREF */
    cycles interval;
    unsigned buffers, depth, level; /* level: 0 without buffers */
    bool any_miss;                  /* a buffer begins at any miss */
    cycles buffer_hit_time;
    access_function *beneath[3];
    struct guards guards;
    struct prefetch_cpu cpu[BOARD_MAX_CPUS];
};

/* What a prefetch has asked for. */
struct prefetch_order {
    cycles arrives;
    unsigned level; /* that supplied it, 1 more than there are: memory or another CPU */
    uint32_t entry;
};

/* Bring REQUEST's line into FROM at request->now, for nobody yet. */
struct prefetch_order prefetch_bring(struct memsys *memsys, unsigned cpu, struct array *from,
                                     const struct memsys_request *request);

/* CPU fetched REQUEST's line, at a place where the prefetcher begins. */
void prefetch_run(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);

/* A line, absent, comes into CPU's first-level cache FIRST, marked. */
void prefetch_first(struct memsys *memsys, unsigned cpu, struct array *first, const struct memsys_request *request,
                    enum prefetch_kind kind);

/* What the buffers do about the access that has been made, if it asked them. REQUEST: its time. */
void prefetch_stream_proceed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request);
/* Forget what they hold. */
void prefetch_stream_empty(struct prefetch *prefetch, unsigned cpu);

#endif
