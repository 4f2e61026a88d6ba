/*
 * Lockstep: runs two machines that should behave identically side by side and compares them periodically. Used to
 * verify CPU models: the same machine under one model and under another.
 *
 * Both machines run a chunk of instructions, then src/run/compare.h compares their states. Chunk lengths follow a fixed
 * pseudo-random sequence, so that chunks end anywhere, in delay slots too. RAM and (without caches) the statistics
 * are compared every 2^26 instructions and at the end. The guest's output is compared byte by byte.
 *
 * On a difference both machines are rebuilt and run again in the same chunks to the last position where they were
 * equal. From there a bisection finds the first instruction after which they differ. Each attempt runs in a forked
 * process, so that all attempts start from the same history, translations included. The result is the least N such
 * that running from that position to instruction N in one go makes a difference.
 *
 * Neither machine gets input, and no disk may be written: both would have to see the same effects at the same time.
 */
#ifndef SIMOS_RUN_LOCKSTEP_H
#define SIMOS_RUN_LOCKSTEP_H

#include "src/machine/machine.h"
#include <stdio.h>

struct run_options;
struct console;
struct lockstep;

struct lockstep_setup {
    /* Build machine SIDE (0 or 1), loaded and ready to run, with this HOST. QUIET: suppress warnings about the guest.
     * Called again for each search; every call for a side must build the same machine. Returns NULL with ERR on
     * failure. */
    struct machine *(*build)(void *opaque, unsigned side, bool quiet, const struct machine_host *host,
                             void *host_opaque, struct err *err);
    void *opaque;
    const char *name[2]; /* names of the sides, for reports */
    /* Host interface of side 0 in its first run; may be NULL. It must not deliver input. */
    const struct machine_host *host;
    void *host_opaque;
    /* Called before the search, which takes about as long as the run so far; may be NULL. */
    void (*searching)(void *opaque, uint64_t insns);
    struct machine_limits limits;
    uint64_t chunk;        /* mean number of instructions between comparisons; 0: LOCKSTEP_CHUNK */
    uint64_t memory_chunk; /* instructions between comparisons of RAM; 0: LOCKSTEP_MEMORY_CHUNK */
    FILE *report;          /* receives both states when they differ */
};

enum { LOCKSTEP_CHUNK = 20000, LOCKSTEP_MEMORY_CHUNK = 1 << 26 };

/* Build both machines. SETUP is copied; what it points to must outlive the result. Returns NULL with ERR if a machine
 * cannot be built. */
struct lockstep *lockstep_create(const struct lockstep_setup *setup, struct err *err);
void lockstep_free(struct lockstep *lockstep);

/* Machine SIDE of the first run; valid until lockstep_free(). */
struct machine *lockstep_machine(struct lockstep *lockstep, unsigned side);

/* Run until side 0's run ends, for REASON. Returns false if the sides differ: then the report has been written, and ERR
 * is one line with the number of the instruction (as --max-insns counts) and the first value that differs. Call once
 * per object. */
bool lockstep_run(struct lockstep *lockstep, enum machine_stop *reason, struct err *err);

/* Number of comparisons of the state, and of all of RAM. */
uint64_t lockstep_comparisons(const struct lockstep *lockstep);
uint64_t lockstep_memory_comparisons(const struct lockstep *lockstep);

/* `simos run --lockstep MODEL`: compare the machine of LINE with the same machine under cpu.model = MODEL, from
 * beginning to end. CONSOLE belongs to side 0. STARTED: host_seconds() at the start of the program. Returns the exit
 * status as run_main() does; EXIT_SIMOS_FAILED with ERR if the machines differ. */
int lockstep_in_console(const struct run_options *run, struct console *console, double started, struct err *err);

#endif
