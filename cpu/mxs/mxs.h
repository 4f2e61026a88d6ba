/*
 * mxs, the dynamically scheduled CPU of SOSP'95 section 3.3: decoupled fetch, execution and graduation around an
 * instruction window.
 *
 * Instructions execute when they issue, on renamed values that the window holds; struct cpu changes only as
 * instructions graduate, in order. So the architectural state is precise at all times, and what was fetched wrongly
 * has touched nothing but caches and predictors. What is irregular (exceptions, CP0, devices, uncached memory, LL and
 * SC) executes when it is the oldest, with the semantics that all models share (head.c).
 *
 * An entry of the window has a sequence number, counted from 1, and lies in slot number & slot_mask. A cycle: results
 * that are due arrive (window.c), graduate.c, issue.c, fetch.c, stalls.c.
 */
#ifndef SIMOS_CPU_MXS_MXS_H
#define SIMOS_CPU_MXS_MXS_H

#include "cache/nonblocking.h"
#include "cpu/inorder/inorder.h"
#include "cpu/mxs/checker.h"
#include "cpu/mxs/counts.h"
#include "cpu/mxs/op.h"
#include "cpu/mxs/predictor.h"
#include "cpu/mxs/viewer.h"
#include <stdalign.h>

enum {
    MXS_WIDTH_MAX = 8,
    MXS_WINDOW_MAX = 512,
    MXS_WORDS_MAX = MXS_WINDOW_MAX / 64,
    MXS_UNITS = 7,
    MXS_WHEEL = 256, /* cycles that the wheel of arrivals reaches; later ones go round again */
};

/* Parameters. */
struct mxs_config {
    unsigned fetch_width, issue_width, graduate_width;
    unsigned window, load_store_queue, branches;
    unsigned decode_delay, redirect_delay, taken_delay;
    unsigned fetch_ports, data_ports;
    bool checks;                  /* mxs.check */
    bool passes_unknown;          /* loads go before stores whose address is not known yet */
    uint8_t latency[CLASSES + 1]; /* [CLASSES]: floating-point loads */
    uint8_t units[MXS_UNITS];     /* 0: as many as wanted */
};

/* params.c */
void mxs_config_read(struct mxs_config *config, const struct params *params);

enum mxs_state {
    MXS_WAITING,   /* for sources */
    MXS_READY,     /* to issue */
    MXS_PARKED,    /* a load, until an older store has its value or is gone; or an access, for a free miss register */
    MXS_EXECUTING, /* until done_at */
    MXS_ADDRESSED, /* a store that lacks only its value */
    MXS_DONE,
};

struct mxs_entry {
    alignas(256) const struct mxs_op *op; /* a power of two: the window is indexed all the time */
    vaddr pc;
    /* Where control goes after it (a branch or jump: after its delay slot), as fetch went on; and as it executed. */
    vaddr predicted, actual;
    uint8_t state;
    bool head;        /* executes when it is the oldest */
    bool in_slot;     /* a delay slot */
    bool taken;       /* a branch, as it executed; its target may be where it would go if it were not */
    bool expected;    /* ... as fetch went on */
    uint8_t place;    /* in the wheel */
    uint8_t stall;    /* enum stall: what its miss is charged to */
    uint8_t results;  /* names in result_name; 0 once they are in the file */
    struct {          /* all 0 at first */
        bool unsure;  /* a branch or jump that fetch went past on a prediction, not yet executed */
        bool guessed; /* there was a prediction; else fetch waits */
        bool queued;  /* in the load/store queue */
        bool missed;  /* it waits for a line */
        uint8_t lacking, lacking_address; /* sources; of those with which it can begin */
        uint8_t waits;                    /* bits: sources that are lacking */
        uint8_t second;                   /* bits: sources that are their producer's second result */
    };
    uint8_t result_name[OP_RESULTS];
    uint16_t consumers; /* links: slot * 8 + source + 1; 0: end */
    uint16_t next_consumer[OP_SOURCES];
    uint16_t producer[OP_SOURCES]; /* slot, of sources that are lacking */
    uint32_t value[OP_SOURCES];
    uint32_t result[OP_RESULTS];
    uint64_t shadowed[OP_RESULTS]; /* who wrote these names before: sequence number */
    uint64_t number;
    cycles issue_from, done_at;
    uint32_t fcsr; /* with OP_FCSR: cause and flags */
    /* Loads and stores: */
    uint32_t queue;      /* place in the load/store queue */
    uint64_t epoch;      /* of translation, when it was fetched */
    uint64_t forwarder;  /* store from which the load has its value; 0: memory */
    paddr address;       /* physical */
    bool addressed;      /* ... is known */
    bool mapped;         /* it was translated by the TLB */
    bool valued;         /* a load has, a store knows its value */
    uint8_t size, bytes; /* of the access; which bytes of the aligned doubleword */
    uint64_t data;       /* of a load: the bytes; of a store: in place in the doubleword */
    struct mxs_prediction prediction;
};
_Static_assert(sizeof(struct mxs_entry) == 256, "an entry takes a power of two");

/* The front end. */
struct mxs_fetch {
    vaddr pc;
    bool in_slot; /* the instruction at pc is a delay slot, after which control goes to target */
    bool target_known;
    vaddr target;
    cycles from;           /* nothing is fetched before */
    bool stopped;          /* until the last instruction fetched has executed */
    bool missing;          /* waits for the instruction cache, until from */
    uint8_t stall;         /* enum stall: what that is charged to */
    vaddr line;            /* that has been fetched from, or 1 */
    struct mxs_page *page; /* decoded page of base, or NULL */
    vaddr base;
    uint64_t first;        /* the first instruction since fetch went elsewhere */
    enum mxs_cause refill; /* why it did; LOST_FETCH once that has graduated */
};

struct mxs {
    struct inorder in; /* for what executes at the head */
    struct core *core;
    struct mxs_config config;
    struct mxs_counts *counts, own_counts; /* own: if nobody else keeps them */
    struct mxs_pages *pages;
    struct mxs_predictor *predictor;
    struct nonblocking *memory;  /* NULL: everything hits */
    struct mxs_checker *checker; /* NULL: off */
    struct mxs_viewer *viewer;   /* NULL: nobody looks */
    struct core *fpu;            /* registers for floating-point operations on values that have not graduated */

    uint64_t oldest, next; /* sequence numbers: of the oldest entry, of the next to be fetched */
    uint32_t slot_mask, words;
    struct mxs_entry *entry;
    uint64_t writer[NAME_COUNT]; /* of each name: the last, if not older than oldest */
    uint64_t *ready, *parked;    /* slots */
    uint64_t *wheel;             /* [MXS_WHEEL][words]: slots that are done at that time */
    uint64_t wheel_used[MXS_WHEEL / 64];
    cycles wheel_time;   /* everything before has arrived */
    cycles coming_until; /* no line is on its way from here on */
    cycles parked_until; /* when a miss register becomes free, for those that are parked for one */

    uint16_t *queue; /* load/store queue: slots, a ring */
    uint32_t queue_mask, queue_oldest, queue_next;
    unsigned unsure; /* branches and jumps */
    bool has_units;  /* there are limits to some */

    struct mxs_fetch fetch;
    uint64_t epoch;         /* of the TLB's contents */
    unsigned graduated;     /* in this cycle */
    bool alone;             /* one instruction executed at the head in this cycle */
    bool stepping;          /* in inorder_step() */
    bool restart;           /* everything fetched is void, but for an instruction that is just graduating */
    bool active;            /* something was done in this cycle */
    struct bucket accesses; /* what one access came to */
    cycles unit_free[MXS_UNITS][MXS_WIDTH_MAX]; /* of those that are counted: when each can begin */
    struct cpu last;                            /* state at the end of the last run */
};

static inline struct mxs_entry *mxs_entry_at(const struct mxs *m, uint64_t number)
{
    return &m->entry[number & m->slot_mask];
}
static inline bool mxs_is_empty(const struct mxs *m)
{
    return m->oldest == m->next;
}

/* Sets of slots. */
static inline void mxs_set_add(uint64_t *set, uint32_t slot)
{
    set[slot >> 6] |= UINT64_C(1) << (slot & 63);
}
static inline void mxs_set_remove(uint64_t *set, uint32_t slot)
{
    set[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
}
/* The first entry of SET from NUMBER on; m->next if there is none. */
static inline uint64_t mxs_set_next(const struct mxs *m, const uint64_t *set, uint64_t number)
{
    if (SIM_LIKELY(m->words == 1)) { /* entries before NUMBER come out behind m->next */
        const uint64_t word = set[0], from = number & 63;
        const uint64_t rotated = word >> from | word << (-from & 63);
        number += rotated != 0 ? (unsigned)__builtin_ctzll(rotated) : MXS_WINDOW_MAX;
        return number < m->next ? number : m->next;
    }
    while (number < m->next) {
        uint64_t word = set[(number & m->slot_mask) >> 6] >> (number & 63);
        if (word != 0) {
            number += (unsigned)__builtin_ctzll(word);
            return number < m->next ? number : m->next;
        }
        number = (number | 63) + 1;
    }
    return m->next;
}

/* window.c */
/* Put OP at PC into the window, as the next; sources that are there are read. HEAD: it waits until it is the oldest. */
struct mxs_entry *mxs_window_insert(struct mxs *m, const struct mxs_op *op, vaddr pc, bool head, cycles now);
/* ENTRY is done at TIME. */
void mxs_window_schedule(struct mxs *m, struct mxs_entry *entry, cycles time);
/* What is done by NOW. */
void mxs_window_arrive(struct mxs *m, cycles now);
/* ENTRY's results go to those that wait for them. */
void mxs_window_deliver(struct mxs *m, struct mxs_entry *entry);
/* Entries from NUMBER on were never fetched. */
void mxs_window_squash(struct mxs *m, uint64_t number);
/* When the next of those that execute is done, after NOW; CYCLES_NEVER if none does. */
cycles mxs_window_next(const struct mxs *m, cycles now);
/* Those that are parked may try again. */
void mxs_window_unpark(struct mxs *m);

/* The architectural register NAME; registers.c: of the floating-point unit. */
uint32_t mxs_fpu_register_read(const struct mxs *m, unsigned name);
void mxs_fpu_register_write(struct mxs *m, unsigned name, uint32_t value);
static inline uint32_t mxs_register_read(const struct mxs *m, unsigned name)
{
    const uint32_t *words = (const uint32_t *)(const void *)&m->core->s;
    return SIM_LIKELY(name < NAME_FPR_LOW) ? words[name] : mxs_fpu_register_read(m, name);
}
static inline void mxs_register_write(struct mxs *m, unsigned name, uint32_t value)
{
    if (SIM_LIKELY(name < NAME_FPR_LOW))
        ((uint32_t *)(void *)&m->core->s)[name] = value;
    else
        mxs_fpu_register_write(m, name, value);
}
/* Are 64-bit operands of OP pairs of registers now? */
static inline bool mxs_has_pairs(const struct mxs *m, const struct mxs_op *op)
{
    return (op->flags & OP_DOUBLE) && !(m->core->s.cp0[CP0_STATUS] & STATUS_FR);
}
/* NAME, the source or result INDEX of an instruction of which WIDE has the bits. */
static inline unsigned mxs_name_now(bool pairs, unsigned name, unsigned wide, unsigned index)
{
    return SIM_UNLIKELY(pairs) ? mxs_name_in_pair(name, wide >> index & 1) : name;
}

/* fetch.c */
void mxs_fetch(struct mxs *m, cycles now);
/* Fetch goes on at PC from time FROM, for CAUSE; what is in the window beyond the caller's concern. IN_SLOT: with
 * TARGET after it. */
void mxs_fetch_redirect(struct mxs *m, vaddr pc, bool in_slot, vaddr target, cycles from, enum mxs_cause cause);
/* Everything in the window is void; fetch goes on at the architectural state. */
void mxs_fetch_restart(struct mxs *m, cycles from, enum mxs_cause cause);

/* issue.c */
void mxs_issue(struct mxs *m, cycles now);

/* branch.c: ENTRY has executed: predictors learn, and if fetch went elsewhere it comes back. */
void mxs_branch_resolve(struct mxs *m, struct mxs_entry *entry, cycles now);

/* memory.c, besides what execute.h has. REQUEST of the caches, in the bucket m->accesses; as nonblocking_access(). */
bool mxs_ask(struct mxs *m, const struct memsys_request *request, struct nonblocking_result *result);
/* As nonblocking_is_coming(), which must be asked before m->coming_until. */
bool mxs_join(struct mxs *m, enum memsys_access access, paddr address, cycles now, struct nonblocking_result *result);
/* The value of the store ENTRY is known. */
void mxs_store_value(struct mxs *m, struct mxs_entry *entry);
/* The loads from ENTRY on are fetched again. */
void mxs_replay(struct mxs *m, struct mxs_entry *entry, cycles now);
/* The load or store that graduates. Load: false if memory has changed since: it has to be fetched again. */
bool mxs_load_graduate(struct mxs *m, const struct mxs_entry *entry);
void mxs_store_graduate(struct mxs *m, const struct mxs_entry *entry);

/* graduate.c: up to the full width, from m->graduated on. False: the run ends here, in the middle of the cycle. */
bool mxs_graduate(struct mxs *m, cycles now);

/* head.c: execute the oldest entry. False: a PC hook stops the run. */
void mxs_head_execute(struct mxs *m, struct mxs_entry *entry, cycles now);

/* stalls.c: charge DURATION cycles from NOW on in which m->graduated instructions graduated. */
void mxs_charge(struct mxs *m, cycles now, cycles duration);

#endif
