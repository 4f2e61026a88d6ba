/*
 * Lockstep: two machines that should do the same, side by side, compared again and again. For CPU models: the same
 * machine under one model and under another.
 *
 * Both run some thousand instructions at a time (as many as a fixed random sequence says, so that they stop anywhere,
 * in delay slots too), and then src/run/compare.h looks at them; RAM and, without caches, the statistics every 2^26
 * instructions and at the end. What the guest prints is compared byte by byte.
 *
 * At a difference both are built anew and run again, in the same steps as before, to the last place where they were
 * the same; from there the first instruction after which they differ is found by bisection, each attempt in a process
 * of its own (fork), so that every attempt starts from machines with the same past, translations included. What is
 * found is the least N such that running from that place to instruction N in one go makes a difference.
 *
 * No input reaches either machine, and no disk may be written: both would have to get, and do, the same.
 */
#ifndef SIMOS_LOCKSTEP_H
#define SIMOS_LOCKSTEP_H

#include "src/machine/machine.h"
#include <stdio.h>

struct run_options;
struct console;
struct lockstep;

struct lockstep_setup {
    /* Build machine SIDE (0 or 1), loaded and ready to run, with this HOST; QUIET: warnings about the guest are
     * dropped. Called again for each search: every call for a side must give the same machine. NULL with ERR on
     * failure. */
    struct machine *(*build)(void *opaque, unsigned side, bool quiet, const struct machine_host *host,
                             void *host_opaque, struct err *err);
    void *opaque;
    const char *name[2]; /* of the sides, in reports */
    /* Of side 0, when it runs for the first time; may be NULL. It must give no input. */
    const struct machine_host *host;
    void *host_opaque;
    /* Called before the search, which takes about as long again; may be NULL. */
    void (*searching)(void *opaque, uint64_t insns);
    struct machine_limits limits;
    uint64_t chunk;        /* mean number of instructions between comparisons; 0: LOCKSTEP_CHUNK */
    uint64_t memory_chunk; /* ... between those of RAM; 0: LOCKSTEP_MEMORY_CHUNK */
    FILE *report;          /* where both states go when they differ */
};

enum { LOCKSTEP_CHUNK = 20000, LOCKSTEP_MEMORY_CHUNK = 1 << 26 };

/* SETUP is copied; what it points to must outlive the object. NULL with ERR if a machine cannot be built. */
struct lockstep *lockstep_create(const struct lockstep_setup *setup, struct err *err);
void lockstep_free(struct lockstep *lockstep);

/* A machine of the first run; both stay after lockstep_run(). */
struct machine *lockstep_machine(struct lockstep *lockstep, unsigned side);

/* Run until side 0's run ends, for REASON. False if the sides differed: the report has been written, and ERR has one
 * line with the number of the instruction (as --max-insns counts) and the first figure that differs. Once an object. */
bool lockstep_run(struct lockstep *lockstep, enum machine_stop *reason, struct err *err);

/* How often was the state compared, and how often all of RAM? */
uint64_t lockstep_comparisons(const struct lockstep *lockstep);
uint64_t lockstep_memory_comparisons(const struct lockstep *lockstep);

/* `simos run --lockstep MODEL`: the machine of RUN beside the same with cpu.model = MODEL from beginning to end;
 * CONSOLE is side 0's. STARTED: host_seconds() when the program began. Returns the exit status as run_main() does;
 * EXIT_SIMOS_FAILED with ERR if they differ. */
int lockstep_in_console(const struct run_options *run, struct console *console, double started, struct err *err);

#endif
