/*
 * A write buffer between a cache and the next level: delays of writes and reads.
 *
 * Entries retire in FIFO order, one at a time. The retirement of an entry starts when the entry exists and the previous
 * one has retired; it takes a fixed time, or the time that the next level takes (struct retirement). A write takes one
 * entry for each aligned block of WIDTH bytes that it touches, until that entry has retired. When all entries are in
 * use, the writer stalls until the oldest one has retired.
 *
 * A read that missed the cache passes the entries that have not begun to retire: their reservations in the next level
 * are cancelled, and made again after the read. The policy says what the read waits for before that:
 *   forward  nothing: the buffer supplies the data it holds
 *   match    until all entries of the line that is read have retired
 *   drain    until the buffer is empty
 *
 * Scheduling: the retirement of an entry is computed when something depends on it: a read, a full buffer, a statistic.
 * Until then a write only adds its entry. That is exact if the next level is used by this buffer and by reads that pass
 * it only. If others use it too (a bus), or if entries merge, retirements are scheduled when the entry is made.
 *
 * The buffer models time only: a write changes tags and states when it is made, and the contents of a buffer are
 * visible to all CPUs. Not modelled: reads of other CPUs that wait for the buffer.
 *
 * Ordering rule: the calls of one CPU are in the order of its time.
 */
#ifndef SIMOS_CACHE_TIMING_WRITE_BUFFER_H
#define SIMOS_CACHE_TIMING_WRITE_BUFFER_H

#include "cache/memsys.h"
#include "cache/param_rows.h"
#include "cache/store_queue.h"
#include "cache/timing/resource.h"

enum { WRITE_BUFFER_DEPTH_MAX = 64 };

/* Rows of the parameter table for the buffer behind cache.NAME. */
#define WRITE_BUFFER_PARAMS(NAME)                                                                                      \
    {"cache." NAME ".write_buffer.depth",                                                                              \
     PARAM_INT,                                                                                                        \
     CACHE_TRAITS,                                                                                                     \
     "entries",                                                                                                        \
     "0",                                                                                                              \
     0,                                                                                                                \
     WRITE_BUFFER_DEPTH_MAX,                                                                                           \
     false,                                                                                                            \
     NULL,                                                                                                             \
     "entries of the write buffer behind this cache; 0: writes take no time"},                                         \
        {"cache." NAME ".write_buffer.width",   PARAM_SIZE, CACHE_TRAITS, "bytes", "0", 0, 1024, true, NULL,           \
         "bytes that an entry holds; 0: a line"},                                                                      \
        BOOL_ROW("cache." NAME ".write_buffer.merge", CACHE_TRAITS, "off",                                             \
                 "merge a write with an entry of its block that has not begun to retire"),                             \
        {"cache." NAME ".write_buffer.retire",                                                                         \
         PARAM_INT,                                                                                                    \
         CACHE_TRAITS,                                                                                                 \
         "cycles",                                                                                                     \
         "0",                                                                                                          \
         0,                                                                                                            \
         100000,                                                                                                       \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "retirement time of an entry in CPU cycles; 0: determined by the next level"},                                \
        CHOICE_ROW("cache." NAME ".write_buffer.reads", CACHE_TRAITS, "match", "forward|match|drain",                  \
                   "a read miss passes all entries; waits for entries of its line; waits for all"),                    \
        CHOICE_ROW("cache." NAME ".write_buffer.victims", CACHE_TRAITS, "at_once", "at_once|after_fill",               \
                   "a modified victim enters the buffer when it is evicted, or when the line that evicts it arrives")

enum write_buffer_reads { READS_FORWARD, READS_MATCH, READS_DRAIN };

struct write_buffer_config {
    uint32_t depth; /* number of entries; 0: no buffer, all functions below return 0 */
    uint32_t width; /* bytes, power of two */
    bool merge;
    cycles retire; /* fixed retirement time; 0: determined by the next level */
    enum write_buffer_reads reads;
    bool victims_after_fill; /* for the caller: when it writes a victim */
};

/* Reads the parameters of cache.NAME, whose lines have LINE bytes. Returns false with ERR if an entry would be wider
 * than a line. */
bool write_buffer_config(struct write_buffer_config *config, const struct params *params, const char *name,
                         uint32_t line, struct err *err);

/* The time in which the next level performs a write. */
struct retirement {
    cycles start, end;
};
/* Reserves a bus for a write of SIZE bytes at ADDRESS, at NOW or later. LOG: the reservations, which may be cancelled.
 */
typedef struct retirement write_buffer_retire(void *bus, paddr address, uint32_t size, cycles now,
                                              struct reservations *log);

/* Where the entries go: to a level that is busy for TIME with each, and whose PORT is reserved for that (without banks:
 * it takes any number of accesses at once), which other CPUs use, too, if SHARED; or, if RETIRE is not NULL, over BUS,
 * which others use, too. */
struct write_buffer_next {
    cycles time;
    struct banks port;
    bool shared;
    write_buffer_retire *retire;
    void *bus;
};

struct write_buffer_counts {
    uint64_t writes, entries; /* as of write_buffer_settle() */
    uint64_t merged;
    uint64_t full, full_wait; /* writes that found the buffer full; cycles they waited */
    uint64_t reads_held, read_wait;
    uint64_t occupied; /* sum over entries of the cycles from write to retirement */
    uint64_t peak;     /* maximum number of entries in use */
};

/* Entries have their numbers in the queue. */
struct write_buffer {
    struct store_queue queue;
    struct write_buffer_config config;
    struct write_buffer_next next;
    bool at_once;                /* retirements are scheduled when the entry is made */
    struct reservations *on_bus; /* of the entries, if they retire over a bus: as queue.entry */
    uint64_t oldest;             /* the oldest entry in the buffer */
    uint64_t scheduled;          /* the entries before this one are scheduled */
    uint64_t passed;             /* a read has passed the entries before this one: scheduled from passed_at on */
    cycles passed_at;
    uint64_t looked_at; /* since this entry was the next, entries have been made without looking at the others */
    cycles end;         /* end of the latest scheduled retirement */
    cycles retired;     /* end of the latest retirement of the entries that have left */
    struct write_buffer_counts counts;
};

/* Initialises an empty buffer in front of NEXT; with a fixed retirement time (CONFIG) NEXT is not used. */
void write_buffer_init(struct write_buffer *buffer, const struct write_buffer_config *config,
                       const struct write_buffer_next *next);
void write_buffer_release(struct write_buffer *buffer);
/* Empties the buffer, as if all entries had retired at once. */
void write_buffer_clear(struct write_buffer *buffer);

static inline bool write_buffer_exists(const struct write_buffer *buffer)
{
    return buffer->config.depth != 0;
}

static inline uint32_t write_buffer_count(const struct write_buffer *buffer)
{
    return (uint32_t)(buffer->queue.made - buffer->oldest);
}

/* The buffer at time NOW, which may lie in the past as far as the time of the latest write: its entries, and whether
 * one of them is being written to the next level. For observers: schedules nothing. Of a level whose port has other
 * users, a retirement that is not scheduled yet is taken to begin as soon as it can. */
struct memsys_write_buffer write_buffer_at(const struct write_buffer *buffer, cycles now);
/* Earliest start of the retirement of a write made at NOW, if the next level is free. */
cycles write_buffer_ready(struct write_buffer *buffer, cycles now);

/* Schedules and retires all that the model's time allows. Required before the counts, or those of the next level, are
 * read. */
void write_buffer_settle(struct write_buffer *buffer);

/* The time of the latest entry if it was made without looking at the others, or 0. */
cycles write_buffer_last_put(const struct write_buffer *buffer);

/* Writes SIZE bytes (1 or more) at ADDRESS at NOW. Returns the cycles until all of them are in the buffer. EXTRA:
 * additional cycles for the first entry's retirement, because it misses the next level. */
cycles write_buffer_write(struct write_buffer *buffer, cycles now, paddr address, uint32_t size, cycles extra);

/* The same for a store that the CPU makes at NOW, its own time. */
static inline cycles write_buffer_store(struct write_buffer *buffer, cycles now, paddr address, uint32_t size)
{
    return store_queue_put(&buffer->queue, now, address, size) ? 0 : write_buffer_write(buffer, now, address, size, 0);
}

/* A read of SIZE bytes from ADDRESS, a line, from the next level at NOW. Returns the cycles that it waits for the
 * buffer. The caller reserves what the read needs of the next level and then calls write_buffer_resume(). */
cycles write_buffer_read(struct write_buffer *buffer, cycles now, paddr address, uint32_t size);
void write_buffer_schedule_all(struct write_buffer *buffer);
static inline void write_buffer_resume(struct write_buffer *buffer)
{
    if (buffer->at_once)
        write_buffer_schedule_all(buffer);
}

/* The same for a read that does not come from the cache in front of the buffer, such as a fetch: it passes all entries.
 */
void write_buffer_pass(struct write_buffer *buffer, cycles now);

/* Cycles from NOW until the buffer is empty. */
cycles write_buffer_drain(struct write_buffer *buffer, cycles now);

/* The reservations for the retirement of entry NUMBER, which is scheduled. */
struct reservations write_buffer_reservations(const struct write_buffer *buffer, uint64_t number);

/* Registers the counters under NAME ("cpu0.l1d.write_buffer"). */
void write_buffer_register_stats(const struct write_buffer *buffer, struct stats *stats, const char *name);

#endif
