/*
 * Where the cycles of a core go: every cycle of the core's accounts (struct bucket), with the instruction that spent it
 * and with what it was spent on. A watch takes the differences of the accounts after each instruction or, in mxs, after
 * each cycle, so that what it reports adds up to the accounts whatever the model charges.
 *
 * While a core has a watch, in-order models interpret (mipsy and embra do not translate); mxs is not slowed down much.
 * Neither changes time or statistics, unless the watch makes places free. Without one, a run tests one pointer.
 *
 *   in-order models: an instruction has the cycle in which it runs, its stalls and its interlocks.
 *   mxs: a cycle belongs to the oldest instruction, as its reason does (cpu/mxs/stalls.h); one in which as many
 *     instructions graduated as can, to the first of them.
 *
 * Not compatible with a probe (cpu/observe/probe.h) on the same core: the probe comes first, and the watch then sees
 * several instructions as one.
 */
#ifndef SIMOS_CPU_OBSERVE_CYCLE_WATCH_H
#define SIMOS_CPU_OBSERVE_CYCLE_WATCH_H

#include "cpu/core.h"

/* A place in a program, such as a routine. */
struct cycle_place {
    uint64_t number; /* the owner's */
    vaddr low, high; /* the code from LOW up to HIGH is in the same place, as long as the mode does not change */
    bool is_free;    /* in-order models: its instructions take no time, and no account has their cycles */
    bool is_lent;    /* in-order models: its cycles are taken back from the instructions that follow */
};

/* What was spent in PLACE. */
struct cycle_spending {
    enum mode mode;
    uint64_t place;
    vaddr pc;
    unsigned state; /* cpu/observe/probe.h: PROBE_RUN, PROBE_STALL + ... */
    /* PROBE_RUN: instructions; otherwise how often an instruction waited: 1, or 0 if the last wait goes on */
    uint64_t count;
    int64_t cycles;   /* negative: corrects an earlier one */
    int64_t back;     /* further cycles, which have been taken back */
    bool is_sequence; /* COUNT instructions before the present one, of one cycle each and without misses */
    bool has_address; /* of a load or store: what it accessed last */
    vaddr address;
};

struct cycle_watch {
    /* Set *PLACE for the instruction at PC, which CORE has executed in its present mode. */
    void (*find)(void *opaque, struct core *core, vaddr pc, struct cycle_place *place);
    /* May read everything, and change nothing. */
    void (*spent)(void *opaque, struct core *core, const struct cycle_spending *spending);
    void *opaque;
    bool takes_back; /* FIND makes places free or lent */

    /* Private. A sequence of instructions of one cycle each, in PLACE and MODE, that has not been reported. */
    struct cycle_place place;
    enum mode mode;
    bool always; /* each instruction is looked at: the place is free or lent, or there is credit */
    uint64_t pending;
    struct bucket seen[MODE_COUNT]; /* the accounts as far as they have been reported, but for `pending` */
    bool has_address;
    vaddr address;
    vaddr last_pc; /* mxs: of the last spending that was no execution; its mode and state, and s.insns at its time */
    enum mode last_mode;
    unsigned last_state;
    uint64_t last_insns;
    cycles credit;       /* lent cycles that have not been taken off yet */
    uint64_t free_insns; /* since time last passed */
};

/* A processor that waits in a free place for what needs time would wait for ever: after so many instructions in which
 * no time has passed, they take time until it leaves the place. */
enum { CYCLE_WATCH_FREE_MAX = 1 << 20 };

/* Attach WATCH, of which find, spent and opaque are set, to CORE. Between runs. NULL: remove it. */
void cycle_watch_attach(struct core *core, struct cycle_watch *watch);

/* Report all that CORE, which has a watch, has been charged so far. Between runs. */
void cycle_watch_settle(struct core *core);

/* For models. CORE has executed the instruction at PC, s.cycle and s.insns are up to date. OVERLAPPED: the model is one
 * whose cycles are not those of one instruction, and several cycles in which the same instruction waits for the same
 * reason are one wait. Returns the number of cycles that have been taken back from s.cycle and from the accounts. */
cycles cycle_watch_step(struct core *core, vaddr pc, bool overlapped);

/* For in-order models: the same, in the middle of the instruction: what it has been charged so far. Who observes it
 * then sees no cycles that are taken back later. */
cycles cycle_watch_step_partly(struct core *core, vaddr pc);

/* For models: the present instruction accesses ADDRESS. */
static inline void cycle_watch_access(struct cycle_watch *watch, vaddr address)
{
    watch->has_address = true;
    watch->address = address;
}

/* For in-order models: the instruction at PC took one cycle in mode MODE, as did all its accounts. True if that is all
 * there is to report of it. */
static inline bool cycle_watch_simple(struct cycle_watch *watch, vaddr pc, enum mode mode)
{
    if (SIM_UNLIKELY(watch->always || mode != watch->mode || pc < watch->place.low || pc >= watch->place.high))
        return false;
    watch->pending++;
    return true;
}

#endif
