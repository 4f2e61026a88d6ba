/*
 * mxs, the dynamically scheduled CPU of SOSP'95 section 3.3: decoupled fetch, execution and graduation around an
 * instruction window.
 *
 * Instructions execute when they issue, on renamed values that the window holds; struct cpu changes only as
 * instructions graduate, in order. So the architectural state is precise at all times, and what was fetched wrongly
 * has touched nothing but caches and predictors. What is irregular (exceptions, CP0, devices, uncached memory, LL and
 * SC) executes when it is the oldest, with the semantics that all models share (head.c).
 *
 * An entry of the window has a sequence number, counted from 1, and lies in slot number & slot_mask. A cycle: what
 * comes then (wheel.c), graduation, issue, fetch (cycle.inc), stalls.c.
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
#include <stddef.h>
#include <string.h>

enum {
    MXS_WIDTH_MAX = 8,
    MXS_WINDOW_MAX = 512,
    MXS_WORDS_MAX = MXS_WINDOW_MAX / 64,
    MXS_UNITS = 7,
    MXS_WHEEL = 256, /* cycles that the wheel reaches */
    MXS_NO_LINE = 1,
    MXS_NO_ADDRESS = 1,
    MXS_NEAR = 64, /* sets of doublewords that are told apart by address */
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

/*
 * An entry of the window. Its results are computed when it issues; they count from done_at on. It is done when that
 * time has come and, a store, when its value is there.
 */
struct mxs_entry {
    alignas(256) const struct mxs_op *op; /* a power of two: the window is indexed all the time */
    uint64_t number;
    cycles done_at;    /* CYCLES_NEVER: it has not issued */
    cycles issue_from; /* not before */
    cycles ready_at;   /* nor before the results that it waits for, as far as they are known */
    vaddr pc;
    /* Where control goes after it (a branch or jump: after its delay slot), as fetch went on; and as it executed. */
    vaddr predicted, actual;
    struct {                /* all 0 at first */
        bool head;          /* executes when it is the oldest */
        bool in_slot;       /* a delay slot */
        bool unsure;        /* a branch or jump that fetch went past on a prediction, not yet executed */
        bool guessed;       /* there was a prediction; else fetch waits */
        bool queued;        /* in the load/store queue */
        bool missed;        /* it waits for a line */
        uint8_t waits;      /* bits: sources that it needs to begin and that are not known */
        uint8_t lacks;      /* bits: sources that make up a store's value and are not there */
        bool addressed;     /* a load or store: its address is known */
        bool valued;        /* a load has, a store knows its value */
        bool mapped;        /* a load or store: its address was translated by the TLB */
        bool taken;         /* a branch, as it executed; its target may be where it would go if it were not */
        bool expected;      /* ... as fetch went on */
        uint8_t stall;      /* enum stall: what its miss is charged to */
        uint16_t consumers; /* links (window.h), the youngest first */
    };
    uint16_t next_consumer[OP_SOURCES];
    uint16_t producer[OP_SOURCES]; /* of sources that are lacking: slot * OP_RESULTS + result */
    uint32_t value[OP_SOURCES];
    uint32_t result[OP_RESULTS];
    uint64_t shadowed[OP_RESULTS]; /* who wrote these names before: sequence number */
    uint8_t result_name[OP_RESULTS];
    uint8_t size, bytes; /* of a load or store: of the access; which bytes of the aligned doubleword */
    uint32_t fcsr;       /* with OP_FCSR: cause and flags */
    paddr address;       /* of a load or store: physical */
    uint64_t forwarder;  /* store from which the load has its value; 0: memory */
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

/*
 * What comes when, for MXS_WHEEL cycles from `time` on: entries become ready to issue (at ready_at), or something
 * happens to what has issued (at done_at): a branch is compared with what fetch went on with, or a store has its value
 * from it. Two sets of slots a cycle, side by side.
 */
struct mxs_wheel {
    cycles time;                                 /* everything before has come */
    uint64_t set[MXS_WHEEL * 2 * MXS_WORDS_MAX]; /* [MXS_WHEEL][2][words]: ready; happens */
    uint64_t far[2 * MXS_WORDS_MAX];             /* [2][words]: later than the wheel reaches */
    cycles far_from;                             /* when to look at these again; CYCLES_NEVER: there are none */
};

enum mxs_coming { MXS_COMING_CODE, MXS_COMING_DATA };

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
    bool watched;                /* there is one of these two, or who hears of accesses */
    bool profiled;               /* stalls go to a profile too, by instruction: stalls.c */
    bool issue_watched;          /* there is a viewer, or limits to units */
    struct core *fpu;            /* registers for floating-point operations on values that have not graduated */

    uint64_t oldest, next; /* sequence numbers: of the oldest entry, of the next to be fetched */
    uint32_t slot_mask, words;
    struct mxs_entry *entry;
    uint64_t writer[NAME_COUNT]; /* of each name: the last, if not older than oldest */
    uint64_t ready[MXS_WORDS_MAX],
        parked[MXS_WORDS_MAX];       /* slots of those that may issue; of those that wait in memory.c */
    struct mxs_wheel wheel;          /* what comes when */
    cycles coming_until;             /* no line is on its way from here on */
    cycles coming[2];                /* ... of code, of data; enum mxs_coming */
    cycles parked_until;             /* when a miss register becomes free, for those that are parked for one */
    unsigned queued;                 /* entries in the load/store queue */
    uint64_t unknown[MXS_WORDS_MAX]; /* slots of its stores whose address is not known */
    uint64_t *stores_at, *loads_at;  /* [MXS_NEAR][words]: of its stores whose address is known, of its loads that have
                                        their value; by place in memory */
    unsigned unsure;                 /* branches and jumps */
    bool has_units;                  /* there are limits to some */
    bool lines_hold_all;             /* there are caches, and no access goes beyond a line of the data cache */

    struct mxs_fetch fetch;
    bool fetches_quickly;   /* lines of the instruction cache may have quick-check bytes */
    vaddr line_bits;        /* of an address, that are the same in a line of the instruction cache if it is aligned */
    uint64_t outdated;      /* entries older than this were fetched before the TLB changed */
    unsigned graduated;     /* in this cycle */
    bool alone;             /* one instruction executed at the head in this cycle */
    bool stepping;          /* in inorder_step() */
    bool restart;           /* everything fetched is void, but for an instruction that is just graduating */
    bool active;            /* something was done in this cycle */
    uint64_t stepped;       /* cycles gone through one by one; the others were skipped. Depends on where runs end */
    struct bucket accesses; /* what one access came to */
    cycles unit_free[MXS_UNITS][MXS_WIDTH_MAX]; /* of those that are counted: when each can begin */
    struct cpu last;                            /* state at the end of the last run */
    struct mxs_loaded *loaded;                  /* saved.c, while a checkpoint is being loaded */
};

/* cycle.inc is compiled twice: for windows of which a set of slots is one word, with MXS_ONE_WORD, and for all. */
#ifdef MXS_ONE_WORD
#define MXS_WORDS(m)      ((void)(m), 1u)
#define MXS_WORD_OF(slot) 0
#define MXS_SLOT_MASK(m)  ((void)(m), 63u)
#else
#define MXS_WORDS(m)      ((m)->words)
#define MXS_WORD_OF(slot) ((slot) >> 6)
#define MXS_SLOT_MASK(m)  ((m)->slot_mask)
#endif

static inline uint32_t mxs_slot_of(const struct mxs *m, uint64_t number)
{
    return (uint32_t)number & MXS_SLOT_MASK(m);
}
static inline struct mxs_entry *mxs_entry_at(const struct mxs *m, uint64_t number)
{
    return &m->entry[mxs_slot_of(m, number)];
}
static inline bool mxs_is_empty(const struct mxs *m)
{
    return m->oldest == m->next;
}

/* Between runs: will everything in the window be squashed before the next? The state may have been changed since the
 * last. */
static inline bool mxs_is_void(const struct mxs *m)
{
    return m->restart || memcmp(&m->core->s, &m->last, offsetof(struct cpu, cp0)) != 0;
}

/* Sets of slots. */
static inline void mxs_set_add(uint64_t *set, uint32_t slot)
{
    set[MXS_WORD_OF(slot)] |= UINT64_C(1) << (slot & 63);
}
static inline void mxs_set_remove(uint64_t *set, uint32_t slot)
{
    set[MXS_WORD_OF(slot)] &= ~(UINT64_C(1) << (slot & 63));
}
/* The first entry of SET from NUMBER on; m->next if there is none. */
static inline uint64_t mxs_set_next(const struct mxs *m, const uint64_t *set, uint64_t number)
{
    if (SIM_LIKELY(MXS_WORDS(m) == 1)) { /* entries before NUMBER come out behind m->next */
        const uint64_t word = set[0], from = number & 63;
        if (word == 0)
            return m->next;
        number += (unsigned)__builtin_ctzll(word >> from | word << (-from & 63));
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

/* The youngest entry of sets A and B that is older than entry NUMBER; 0 if there is none. */
static inline uint64_t mxs_set_previous(const struct mxs *m, const uint64_t *a, const uint64_t *b, uint64_t number)
{
    if (SIM_LIKELY(MXS_WORDS(m) == 1)) {
        const uint64_t word = a[0] | b[0], from = m->oldest & 63;
        const uint64_t older = (word >> from | word << (-from & 63)) & ((UINT64_C(1) << (number - m->oldest)) - 1);
        return older != 0 ? m->oldest + 63 - (unsigned)__builtin_clzll(older) : 0;
    }
    while (number > m->oldest) {
        const uint64_t last = number - 1, at = (last & m->slot_mask) >> 6, word = (a[at] | b[at]) << (~last & 63);
        if (word != 0) {
            number = last - (unsigned)__builtin_clzll(word);
            return number >= m->oldest ? number : 0;
        }
        number = last & ~UINT64_C(63);
    }
    return 0;
}
static inline bool mxs_set_has(const uint64_t *set, uint32_t slot)
{
    return set[MXS_WORD_OF(slot)] >> (slot & 63) & 1;
}
static inline bool mxs_set_is_empty(const struct mxs *m, const uint64_t *set)
{
    for (unsigned i = 0; i < MXS_WORDS(m); i++)
        if (set[i] != 0)
            return false;
    return true;
}
static inline bool mxs_is_done(const struct mxs_entry *entry, cycles now)
{
    return entry->done_at <= now && entry->lacks == 0;
}

/* window.c */
/* The results of ENTRY, which executed as the oldest, go to those that wait for them. */
void mxs_window_deliver(struct mxs *m, struct mxs_entry *entry, cycles now);
/* Entries from NUMBER on were never fetched. */
void mxs_window_squash(struct mxs *m, uint64_t number);
/* Those that are parked may try again. */
static inline void mxs_window_unpark(struct mxs *m)
{
    for (unsigned i = 0; i < MXS_WORDS(m); i++) {
        m->ready[i] |= m->parked[i];
        m->parked[i] = 0;
    }
}

/* wheel.c */
/* What comes by NOW, where time went on by more than a cycle, or something is far. */
void mxs_wheel_turn_far(struct mxs *m, cycles now);
/* When the next thing comes, from NOW on, if that is before UNTIL; else UNTIL. Perhaps sooner. */
cycles mxs_wheel_next(const struct mxs *m, cycles now, cycles until);

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
/* Make sure that the instruction at m->fetch.pc can be fetched in this cycle; *LINES is the number of lines used so
 * far. False: fetch ends. */
bool mxs_fetch_reach(struct mxs *m, unsigned *lines, cycles now);
/* The instruction that is to be fetched, decoded. */
const struct mxs_op *mxs_fetch_op(struct mxs *m);
/* What has been fetched since NEXT is put down for the viewer. */
void mxs_fetch_show(struct mxs *m, uint64_t next, cycles now);
/* Fetch goes on at PC from time FROM, for CAUSE; what is in the window beyond the caller's concern. IN_SLOT: with
 * TARGET after it. */
void mxs_fetch_redirect(struct mxs *m, vaddr pc, bool in_slot, vaddr target, cycles from, enum mxs_cause cause);
/* Everything in the window is void; fetch goes on at the architectural state. */
void mxs_fetch_restart(struct mxs *m, cycles from, enum mxs_cause cause);
/* Are instructions of PAGE in the window? */
bool mxs_fetch_has_page(const struct mxs *m, const struct mxs_page *page);
/* What that makes undone in the return stack; NULL: nothing. */
const struct mxs_prediction *mxs_fetch_undone(const struct mxs *m);
/* What stands in the window for an instruction that cannot be fetched. */
const struct mxs_op *mxs_fetch_unfetchable(void);

/* issue.c: take a unit for ENTRY at NOW; false if all of its kind are busy. */
bool mxs_issue_unit(struct mxs *m, const struct mxs_entry *entry, cycles now);

/* branch.c: ENTRY has executed: predictors learn, and if fetch went elsewhere it comes back. */
void mxs_branch_resolve(struct mxs *m, struct mxs_entry *entry, cycles now);

/* memory.c, besides what execute.h has. REQUEST of the caches, in the bucket m->accesses; as nonblocking_access(). */
bool mxs_ask(struct mxs *m, const struct memsys_request *request, struct nonblocking_result *result);
/* As nonblocking_is_coming(), which must be asked before m->coming[]. */
bool mxs_join(struct mxs *m, enum memsys_access access, paddr address, cycles now, struct nonblocking_result *result);
/* The value of the store ENTRY is known. */
void mxs_store_value(struct mxs *m, struct mxs_entry *entry);
/* The loads from ENTRY on are fetched again. */
void mxs_replay(struct mxs *m, struct mxs_entry *entry, cycles now);
/* ENTRY, a load or store of a checkpoint, joins the load/store queue. */
void mxs_memory_enter(struct mxs *m, const struct mxs_entry *entry);
/* The virtual address that ENTRY, a load or store that is the oldest, accesses: its registers are as they were. */
vaddr mxs_access_address(const struct mxs *m, const struct mxs_entry *entry);
/* Those who watch data are told of the access ENTRY of VALUE, which graduates: its registers are as they were. */
void mxs_tell(const struct mxs *m, const struct mxs_entry *entry, enum access kind, uint64_t value);
/* The store that graduates. */
void mxs_store_graduate(struct mxs *m, const struct mxs_entry *entry);

/* Control goes on behind E, which graduates. */
static inline void mxs_advance(struct cpu *s, const struct mxs_entry *e)
{
    if (e->op->flags & OP_CONTROL) {
        const bool annuls = (e->op->flags & OP_LIKELY) && !e->taken;
        s->in_delay_slot = !annuls;
        s->branch_target = annuls ? s->branch_target : e->actual;
        s->pc = annuls ? e->pc + 8 : e->pc + 4;
    } else if (e->in_slot) {
        s->in_delay_slot = false;
        s->pc = s->branch_target;
    } else {
        s->pc = e->pc + 4;
    }
}

/* graduate.c: up to the full width, from m->graduated on, whatever it is. False: the run ends here, in the middle of
 * the cycle. */
bool mxs_graduate(struct mxs *m, cycles now);

/* cycle.inc: until the core wants attention, or the time is UNTIL. False: the run ends, perhaps in the middle of a
 * cycle. The first if sets are of one word. */
bool mxs_cycle_run_small(struct mxs *m, cycles until);
bool mxs_cycle_run_large(struct mxs *m, cycles until);

/* head.c: execute the oldest entry. False: a PC hook stops the run. */
void mxs_head_execute(struct mxs *m, struct mxs_entry *entry, cycles now);

/* stalls.c: one instruction is about to execute alone: charge its cycle. */
void mxs_charge_alone(struct mxs *m);
/* It did, and the stalls of its bucket, as they were BEFORE, are as AFTER now: they are counted too. PLACE: its, if
 * there is a profile. */
void mxs_count_alone(struct mxs *m, const uint64_t before[STALL_COUNT], const uint64_t after[STALL_COUNT],
                     const struct memsys_place *place);
/* Where in the profile the oldest instruction is. */
struct memsys_place mxs_profile_oldest(const struct mxs *m);
/* DURATION cycles are lost to WHY at PLACE. */
void mxs_profile_lost(struct mxs *m, const struct memsys_place *place, unsigned why, cycles duration);

#endif
