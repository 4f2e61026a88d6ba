/*
 * A write buffer between a cache and the next level: what writes and reads have to wait.
 *
 * Entries leave in the order in which they came, one at a time: one's retirement begins when it has come and the one
 * before has been retired, and takes a fixed time, or as long as the next level takes (struct retirement). A write
 * takes an entry for each aligned block of WIDTH bytes that it touches, until that is retired; when all are taken, the
 * writer stalls until the oldest is free.
 *
 * A read that has missed the cache goes past what has not begun to retire: those writes are withdrawn from the next
 * level, and tried again after the read. What it has to wait for before that is the policy:
 *   forward  nothing: the buffer answers for what it holds
 *   match    until what it holds of the line that is read has been retired
 *   drain    until it is empty
 *
 * The buffer is time only: a write has changed tags and states when it was made, and what is in a buffer can be seen by
 * everybody. Not modelled: other CPUs' reads waiting for it.
 *
 * Ordering rule: one CPU's calls, in the order of its time.
 */
#ifndef SIMOS_CACHE_WRITE_BUFFER_H
#define SIMOS_CACHE_WRITE_BUFFER_H

#include "cache/param_rows.h"
#include "cache/timing/resource.h"

enum { WRITE_BUFFER_DEPTH_MAX = 64 };

/* Rows of the parameter table for the buffer behind cache.NAME. */
#define WRITE_BUFFER_PARAMS(NAME)                                                                                      \
    {"cache." NAME ".write_buffer.depth",                                                                              \
     PARAM_INT,                                                                                                        \
     "entries",                                                                                                        \
     "0",                                                                                                              \
     0,                                                                                                                \
     WRITE_BUFFER_DEPTH_MAX,                                                                                           \
     false,                                                                                                            \
     NULL,                                                                                                             \
     "write buffer behind this cache: entries; 0: writes take no time"},                                               \
        {"cache." NAME ".write_buffer.width",   PARAM_SIZE, "bytes", "0", 0, 1024, true, NULL,                         \
         "bytes that an entry holds; 0: a line"},                                                                      \
        BOOL_ROW("cache." NAME ".write_buffer.merge", "off",                                                           \
                 "a write joins an entry of its block that has not begun to retire"),                                  \
        {"cache." NAME ".write_buffer.retire",                                                                         \
         PARAM_INT,                                                                                                    \
         "cycles",                                                                                                     \
         "0",                                                                                                          \
         0,                                                                                                            \
         100000,                                                                                                       \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "CPU cycles an entry takes to retire; 0: as long as the next level takes"},                                   \
        CHOICE_ROW("cache." NAME ".write_buffer.reads", "match", "forward|match|drain",                                \
                   "a read miss passes all; waits for entries of its line; waits for all")

enum write_buffer_reads { READS_FORWARD, READS_MATCH, READS_DRAIN };

struct write_buffer_config {
    uint32_t depth; /* 0: none, everything below returns 0 */
    uint32_t width; /* bytes, power of two */
    bool merge;
    cycles retire; /* 0: ask the next level */
    enum write_buffer_reads reads;
};

/* Read the parameters of cache.NAME, whose lines have LINE bytes. False with ERR if the buffer cannot hold a line. */
bool write_buffer_config(struct write_buffer_config *config, const struct params *params, const char *name,
                         uint32_t line, struct err *err);

/* When the next level takes a write, and when it has taken it. */
struct retirement {
    cycles start, end;
};
/* NEXT takes SIZE bytes at ADDRESS, at NOW or later. LOG: what it reserves for that, which may be taken back. */
typedef struct retirement write_buffer_retire(void *next, paddr address, uint32_t size, cycles now,
                                              struct bookings *log);

struct write_buffer_entry {
    paddr block;
    uint32_t size; /* bytes of the block that are written */
    cycles made;   /* time of the write */
    cycles extra;
    struct retirement retirement;
    struct bookings bookings;
};

struct write_buffer_counts {
    uint64_t writes, entries, merged;
    uint64_t full, full_wait; /* writes that found it full; cycles they waited */
    uint64_t reads_held, read_wait;
    uint64_t occupied; /* entries * cycles */
    uint64_t peak;     /* most entries at a time */
};

struct write_buffer {
    struct write_buffer_config config;
    write_buffer_retire *retire;
    void *next;
    struct write_buffer_entry *entry; /* ring of config.depth */
    uint32_t first, count;
    uint32_t withdrawn; /* entries from this one on wait to be placed again; count if none */
    cycles placed_from; /* ... not before this time */
    cycles end;         /* of the last retirement of all */
    struct write_buffer_counts counts;
};

/* An empty buffer. RETIRE, called with NEXT, is needed if CONFIG's retire is 0 and its depth is not. */
void write_buffer_init(struct write_buffer *buffer, const struct write_buffer_config *config,
                       write_buffer_retire *retire, void *next);
void write_buffer_release(struct write_buffer *buffer);
/* Empty it, as if all had been retired at once. */
void write_buffer_clear(struct write_buffer *buffer);

static inline bool write_buffer_exists(const struct write_buffer *buffer)
{
    return buffer->config.depth != 0;
}

/* When a write that is made at NOW would begin to retire, if the next level were free: the time at which the next level
 * sees it. */
static inline cycles write_buffer_ready(const struct write_buffer *buffer, cycles now)
{
    return now > buffer->end ? now : buffer->end;
}

/* SIZE bytes (1 or more) at ADDRESS are written at NOW: the cycles until all of them are in the buffer. EXTRA: cycles
 * that the first entry's retirement takes longer than usual, because it misses the next level. */
cycles write_buffer_write(struct write_buffer *buffer, cycles now, paddr address, uint32_t size, cycles extra);

/* SIZE bytes from ADDRESS, a line, are to be read from the next level at NOW: the cycles the read has to wait here.
 * After it has reserved what it needs of the next level, write_buffer_resume(). */
cycles write_buffer_read(struct write_buffer *buffer, cycles now, paddr address, uint32_t size);
void write_buffer_resume(struct write_buffer *buffer);

/* The same for a read that does not come through the cache before the buffer, such as a fetch: it goes past all. */
void write_buffer_pass(struct write_buffer *buffer, cycles now);

/* The cycles until, from NOW, the buffer is empty. */
cycles write_buffer_drain(const struct write_buffer *buffer, cycles now);

/* Register the counters under NAME ("cpu0.l1d.write_buffer"). */
void write_buffer_register_stats(const struct write_buffer *buffer, struct stats *stats, const char *name);

#endif
