/*
 * mxs, the dynamically scheduled CPU of SOSP'95 section 3.3: decoupled fetch, execution and graduation around an
 * instruction window.
 *
 * Instructions execute when they issue, on renamed values held in the window; struct cpu changes only when instructions
 * graduate, in order. So the architectural state is always precise, and wrong-path instructions affect only caches and
 * predictors. Irregular (serialising) instructions (exceptions, CP0, devices, uncached memory, LL and SC) execute at
 * the head of the window, with the semantics that all models share (serialise.c).
 *
 * A window entry has a sequence number, counted from 1, and is in slot number & slot_mask. A cycle consists of the
 * events of that time (wheel.c), graduation, issue, fetch (cycle.c) and accounting (stalls.h).
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
#include "cpu/segments.h"
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

enum {
    MXS_WIDTH_MAX = 8,
    MXS_WINDOW_MAX = 512,
    MXS_WORDS_MAX = MXS_WINDOW_MAX / 64,
    MXS_WHEEL = 256, /* time span of the event wheel, in cycles */
    MXS_NO_LINE = 1,
    MXS_NO_ADDRESS = 1,
    MXS_HASH_SETS = 64, /* number of sets into which queued loads and stores are hashed by doubleword address */
};

/* Parameters. */
struct mxs_config {
    unsigned fetch_width, issue_width, graduate_width;
    unsigned window, load_store_queue, branches;
    unsigned decode_delay, redirect_delay, taken_delay;
    unsigned exception_delay, eret_delay; /* 0: as redirect_delay */
    unsigned fetch_ports, data_ports;
    bool checks;                   /* mxs.check: the checker is on */
    bool loads_speculate;          /* loads execute speculatively past older stores with unknown addresses */
    uint8_t latency[COST_CLASSES]; /* cycles */
    uint8_t units[UNITS];          /* number of units of each kind; 0: unlimited */
};

/* params.c */
void mxs_define_params(struct params *params);
/* The largest of the widths: at most so many instructions do anything in a cycle. */
static inline unsigned mxs_config_width(const struct mxs_config *config)
{
    const unsigned width = config->fetch_width > config->issue_width ? config->fetch_width : config->issue_width;
    return config->graduate_width > width ? config->graduate_width : width;
}
void mxs_config_read(struct mxs_config *config, const struct params *params);

/*
 * An entry of the window. Results are computed when the instruction issues and are available from done_at on. The entry
 * is done when that time has come and, for a store, when its data is ready.
 */
struct mxs_entry {
    /* The first two lines of the host's cache have all that most instructions use. Alignment is a power of two because
     * the window is indexed very often. */
    alignas(256) const struct mxs_op *op;
    uint64_t number;
    cycles done_at;                /* when the results are available; CYCLES_NEVER: not issued */
    cycles issue_from;             /* earliest issue cycle (decode) */
    cycles ready_at;               /* when its sources are ready, as far as known; at least issue_from */
    uint64_t shadowed[OP_RESULTS]; /* sequence numbers of the previous writers of the result names */
    vaddr pc;
    uint8_t result_name[OP_RESULTS];
    uint8_t size, bytes; /* load or store: access size; bit mask of the bytes in the aligned doubleword */

    struct {                     /* all cleared on insertion */
        bool serialising;        /* serialising: executes at the head of the window */
        bool in_slot;            /* in a delay slot */
        bool unresolved;         /* unresolved: a branch or jump that fetch continued past, not executed yet */
        bool guessed;            /* the target was predicted; otherwise fetch waits for it */
        bool queued;             /* in the load/store queue */
        bool missed;             /* waits for a cache line */
        uint8_t sources_pending; /* bit mask: sources needed to issue and not known yet */
        uint8_t data_pending;    /* bit mask: store data sources not ready */
        bool has_address;        /* load or store: the address is known */
        bool has_value;          /* a load has read its value, a store's data is ready */
        bool mapped;             /* load or store: the address was translated by the TLB */
        bool taken;              /* branch: actual direction (a taken branch may have its fall-through as its target) */
        bool predicted_taken;    /* branch: predicted direction */
        uint8_t stall;           /* enum stall to which its miss is charged */
        uint16_t consumers;      /* head of the list of links (window.h) to waiting consumers, youngest first */
    };
    uint32_t value[OP_SOURCES];
    uint32_t result[OP_RESULTS];
    uint16_t next_consumer[OP_SOURCES];
    uint32_t fcsr; /* with OP_FCSR: Cause and Flags of the result */

    /* Next pc (for a branch or jump: after its delay slot): as fetch predicted it, and as computed on execution. */
    vaddr predicted, actual;
    uint16_t producer[OP_SOURCES]; /* of sources not ready: producer's slot * OP_RESULTS + result index */
    paddr address;                 /* load or store: physical address */
    uint8_t accessed;              /* load or store of several lines: bytes whose lines have been accessed, in order */
    cycles lines_ready;            /* if `accessed`: when those lines are available */
    uint64_t forwarder; /* sequence number of the store that forwarded the load's value; 0: read from memory */
    uint64_t data;      /* load: the value; store: the data, at its position in the doubleword */
    struct mxs_prediction prediction;
};
_Static_assert(sizeof(struct mxs_entry) == 256, "an entry takes a power of two");
_Static_assert(offsetof(struct mxs_entry, serialising) == 64 && offsetof(struct mxs_entry, predicted) == 128,
               "the parts of an entry begin with a line of the host's cache");

/* The front end. */
struct mxs_fetch {
    vaddr pc;
    bool in_slot; /* the instruction at pc is in a delay slot; the next pc is target */
    bool target_known;
    /* The first instruction executes at the head of the window: it is in the delay slot of a load, whose result it does
     * not get. */
    bool delayed;
    bool special; /* `delayed`, or loads and stores execute at the head, because of core->checked */
    vaddr target;
    cycles resume_at;      /* earliest cycle of the next fetch */
    bool stopped;          /* stalled until the last fetched instruction has executed */
    bool missing;          /* stalled until `resume_at` on an instruction cache miss */
    uint8_t stall;         /* enum stall to which that miss is charged */
    vaddr line;            /* address of the line being fetched from; MXS_NO_LINE: none */
    struct mxs_page *page; /* decoded page at `base`, or NULL */
    vaddr base;
    uint64_t redirected_at; /* sequence number of the first instruction after the last redirection */
    enum mxs_cause
        redirect_cause; /* reason for that redirection; LOST_FETCH once the first instruction has graduated */
};

/*
 * Event wheel for the MXS_WHEEL cycles from `time` on. There are two events: an entry becomes ready to issue (at
 * ready_at), or an issued entry completes (at done_at), so that a branch is compared with its prediction or waiting
 * stores receive their data. Each cycle has one set of slots per event.
 */
struct mxs_wheel {
    cycles time;                                 /* the events of all earlier cycles have been processed */
    uint64_t set[MXS_WHEEL * 2 * MXS_WORDS_MAX]; /* [MXS_WHEEL][2][words]: ready, complete */
    uint64_t overflow[2 * MXS_WORDS_MAX];        /* [2][words]: events beyond the span of the wheel */
    cycles overflow_due;                         /* when to insert these into the wheel; CYCLES_NEVER: there are none */
};

/* The walk of the page-table walker (walk.h). */
enum mxs_walk_state { MXS_WALK_IDLE, MXS_WALK_LOADING, MXS_WALK_DONE };
struct mxs_walk {
    enum mxs_walk_state state;
    vaddr address, base; /* for which it is made; PWBase and ASID then */
    uint8_t space;
    uint8_t next;    /* number of its next load */
    cycles ready_at; /* when that can be made; DONE: when the last one's value was there */
    uint64_t holds;  /* the entry at the head that waits for a walk, if it is still the oldest */
    bool charged;    /* the walk that executes at the head has been charged */
};

enum mxs_in_flight { MXS_IN_FLIGHT_CODE, MXS_IN_FLIGHT_DATA };

struct mxs {
    struct inorder in; /* interpreter, for instructions that execute at the head */
    struct core *core;
    struct mxs_config config;
    struct mxs_counts *counts, own_counts; /* own_counts: used if the machine does not keep the counts */
    struct mxs_pages *pages;
    struct mxs_predictor *predictor;
    struct nonblocking *memory;  /* non-blocking caches; NULL: every access hits */
    struct mxs_checker *checker; /* NULL: mxs.check is off */
    struct mxs_viewer *viewer;   /* NULL: mxs.view is off */
    struct mxs_probe *probe;     /* NULL: the core has no probe */
    bool fetch_observed;         /* a viewer or the probe observes fetch */
    bool watched;        /* a checker, viewer, probe or access viewer (core->access_observers) observes graduation */
    bool profiled;       /* stalls are also charged to a profile, by instruction: stalls.c */
    bool issue_observed; /* a viewer or unit limits must be considered at issue */
    struct core *fpu;    /* scratch registers for floating-point operations on speculative values */

    uint64_t oldest, next; /* sequence numbers: of the oldest entry, and of the next one to be fetched */
    uint32_t slot_mask, words;
    struct mxs_entry *entry;
    uint64_t rename_table[NAME_COUNT]; /* rename table: last writer of each name; architectural if older than oldest */
    /* Slots of entries ready to issue; of loads and stores waiting in the load/store queue (memory.c). */
    uint64_t ready[MXS_WORDS_MAX], lsq_waiting[MXS_WORDS_MAX];
    struct mxs_wheel wheel;                 /* event wheel */
    cycles in_flight_until;                 /* no line is in flight from this time on */
    cycles in_flight[2];                    /* likewise for instruction and data lines; enum mxs_in_flight */
    cycles mshr_free_at;                    /* when an MSHR becomes free, for the waiting accesses that need one */
    unsigned queued;                        /* number of entries in the load/store queue */
    uint64_t unknown_stores[MXS_WORDS_MAX]; /* slots of queued stores with unknown address */
    uint64_t to_replay;                /* the load that a store, executed in this cycle, found to be wrong; 0: none */
    mxs_value_fn *const *store_values; /* by enum isa_id: mxs_store_values */
    /* [MXS_HASH_SETS][words], hashed by address: queued stores with a known address, loads with a value. */
    uint64_t *stores_by_address, *loads_by_address;
    unsigned unresolved;     /* number of unresolved branches and jumps */
    bool has_units;          /* the number of some units is limited */
    bool may_refuse;         /* cache.l1d.targets: an access to a data line in flight may be refused */
    bool accesses_fit_lines; /* caches are modelled, and every aligned access lies within a data cache line */

    struct mxs_walk walk;
    struct mxs_fetch fetch;
    bool fetch_has_permits; /* instruction cache lines may have permission bytes */
    bool predicts_placed;   /* the layout map moves code for good, and predictors see that, too */
    bool moves_code;        /* a layout map may take an instruction line to pieces: */
    /* Mask of the address bits that are constant within an instruction line, plus the two alignment bits; with
     * moves_code within an instruction, so that each is looked up. */
    vaddr line_bits;
    uint64_t outdated;         /* older entries were fetched before the last TLB write */
    unsigned graduated;        /* number of instructions graduated in this cycle */
    bool serialised;           /* a serialising instruction executed in this cycle */
    bool stepping;             /* in inorder_step() */
    bool squash_pending;       /* squash all entries except the one that is just graduating, and refetch */
    bool did_work;             /* some work was done in this cycle */
    uint64_t simulated_cycles; /* cycles simulated one by one; the others were skipped. Depends on where runs end */
    struct bucket accesses;    /* misses and stalls of one access */
    cycles unit_free[UNITS][MXS_WIDTH_MAX]; /* limited units: when each is free */
    struct cpu state_after_run;             /* architectural state at the end of the last run */
    struct mxs_loaded *loaded;              /* saved.c: data of a checkpoint being loaded */
};

/*
 * Sets of slots have one bit per slot, in m->words words of 64. The functions of a cycle take that number as WORDS and
 * are inlined into a loop for each size of the window (mxs_cycle_run()), where it is a constant: for windows of up to
 * 64 entries sets are single words, without loops and index arithmetic. Elsewhere WORDS is m->words.
 */
#define MXS_INLINE static inline __attribute__((always_inline))

static inline uint32_t mxs_slot_of(unsigned words, uint64_t number)
{
    return (uint32_t)number & (64 * words - 1);
}
MXS_INLINE struct mxs_entry *mxs_entry_at(const struct mxs *m, unsigned words, uint64_t number)
{
    return &m->entry[mxs_slot_of(words, number)];
}
static inline bool mxs_is_empty(const struct mxs *m)
{
    return m->oldest == m->next;
}

/* Between runs: will all entries be squashed at the start of the next run, for example because the state was changed
 * from outside? */
static inline bool mxs_is_void(const struct mxs *m)
{
    return m->squash_pending || memcmp(&m->core->s, &m->state_after_run, offsetof(struct cpu, cp0)) != 0;
}

static inline void mxs_set_add(uint64_t *set, uint32_t slot)
{
    set[slot >> 6] |= UINT64_C(1) << (slot & 63);
}
static inline void mxs_set_remove(uint64_t *set, uint32_t slot)
{
    set[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
}
/* The first entry of SET with a sequence number of at least NUMBER; m->next if there is none. */
MXS_INLINE uint64_t mxs_set_next(const struct mxs *m, unsigned words, const uint64_t *set, uint64_t number)
{
    if (SIM_LIKELY(words == 1)) { /* older entries wrap to numbers past m->next */
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
MXS_INLINE uint64_t mxs_set_previous(const struct mxs *m, unsigned words, const uint64_t *a, const uint64_t *b,
                                     uint64_t number)
{
    if (SIM_LIKELY(words == 1)) {
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
    return set[slot >> 6] >> (slot & 63) & 1;
}
MXS_INLINE bool mxs_set_is_empty(unsigned words, const uint64_t *set)
{
    for (unsigned i = 0; i < words; i++)
        if (set[i] != 0)
            return false;
    return true;
}
static inline bool mxs_is_done(const struct mxs_entry *entry, cycles now)
{
    return entry->done_at <= now && entry->data_pending == 0;
}

/* window.c */
/* Wakeup: pass the results of ENTRY, which executed at the head, to the entries that wait for them. */
void mxs_window_wakeup(struct mxs *m, struct mxs_entry *entry, cycles now);
/* Squash all entries from NUMBER on. */
void mxs_window_squash(struct mxs *m, uint64_t number);
/* Retry the accesses that wait in the load/store queue. */
MXS_INLINE void mxs_lsq_retry(struct mxs *m, unsigned words)
{
    for (unsigned i = 0; i < words; i++) {
        m->ready[i] |= m->lsq_waiting[i];
        m->lsq_waiting[i] = 0;
    }
}

/* wheel.c */
/* Process all events up to NOW if time advanced by more than a cycle or some event was beyond the wheel. */
void mxs_wheel_advance_far(struct mxs *m, cycles now);
/* Time of the next event in [NOW, UNTIL), or UNTIL. May be earlier than any event. */
cycles mxs_wheel_next(const struct mxs *m, cycles now, cycles until);

/* Access the architectural register NAME; operands.c: registers of the floating-point unit. */
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
/* Are the 64-bit operands of OP register pairs in the present mode (Status.FR = 0)? */
static inline bool mxs_has_pairs(const struct mxs *m, const struct mxs_op *op)
{
    return (op->flags & OP_DOUBLE) && !(m->core->s.cp0[CP0_STATUS] & STATUS_FR);
}
/* NAME of source or result INDEX in the present mode; WIDE: the instruction's wide_sources or wide_results. */
static inline unsigned mxs_name_now(bool pairs, unsigned name, unsigned wide, unsigned index)
{
    return SIM_UNLIKELY(pairs) ? mxs_name_in_pair(name, wide >> index & 1) : name;
}

/* fetch.c */
/* Prepare the fetch of the instruction at m->fetch.pc in this cycle (page and cache line). *LINES counts the lines
 * accessed in this cycle. False: fetch ends for this cycle. */
bool mxs_fetch_prepare(struct mxs *m, unsigned *lines, cycles now);
/* Decode the instruction at m->fetch.pc. */
const struct mxs_op *mxs_fetch_op(struct mxs *m);
/* Report the instructions fetched since NEXT to the viewer. */
void mxs_fetch_report(struct mxs *m, uint64_t next, cycles now);
/* Redirect fetch to PC from time FROM, because of CAUSE. Does not squash entries. IN_SLOT: PC is in a delay slot,
 * followed by TARGET. */
void mxs_fetch_redirect(struct mxs *m, vaddr pc, bool in_slot, vaddr target, cycles from, enum mxs_cause cause);
/* Squash all entries and restart fetch from the architectural state. */
void mxs_fetch_restart(struct mxs *m, cycles from, enum mxs_cause cause);
/* Set `delayed` and `special` of the fetch from the architectural state. */
void mxs_fetch_find_special(struct mxs *m);
/* Squash entry LOAD and all younger entries, and fetch them again. */
void mxs_fetch_replay(struct mxs *m, uint64_t load, cycles now);
/* Does the window contain instructions of PAGE? */
bool mxs_fetch_has_page(const struct mxs *m, const struct mxs_page *page);
/* The state of the predictors when the oldest branch or jump from entry NUMBER on was predicted; NULL: there is none.
 */
const struct mxs_prediction *mxs_fetch_oldest_prediction(const struct mxs *m, uint64_t number);
/* Placeholder in the window for an instruction whose fetch raises an exception. */
const struct mxs_op *mxs_fetch_unfetchable(void);

/* The address of the branch or jump at PC for the predictors: code in an unmapped segment is where the layout map has
 * it. */
static inline vaddr mxs_predicted_at(const struct mxs *m, vaddr pc)
{
    if (SIM_LIKELY(!m->predicts_placed) || !vaddr_is_unmapped(pc))
        return pc;
    const paddr at = vaddr_physical(pc);
    return pc + (layout_moved_code(m->in.layout, at) - at);
}

/* branch.c: ENTRY has executed: train the predictors and, after a misprediction, squash and redirect fetch. */
void mxs_branch_resolve(struct mxs *m, struct mxs_entry *entry, cycles now);

/* memory.c, in addition to memory.h. Access the caches, with nonblocking_access() semantics; REQUEST uses bucket
 * m->accesses. */
bool mxs_access_cache(struct mxs *m, const struct memsys_request *request, struct nonblocking_result *result);
/* Semantics of nonblocking_in_flight(); m->in_flight[] is a cheap preceding test. */
bool mxs_merge_miss(struct mxs *m, enum memsys_access access, paddr address, cycles now,
                    struct nonblocking_result *result);
/* The data of the store ENTRY is ready. */
void mxs_store_value(struct mxs *m, struct mxs_entry *entry);
/* Insert ENTRY, a load or store from a checkpoint, into the load/store queue. */
void mxs_memory_enqueue(struct mxs *m, const struct mxs_entry *entry);
/* Virtual address accessed by ENTRY, a load or store at the head of the window, whose source registers are still
 * unchanged. */
vaddr mxs_access_address(const struct mxs *m, const struct mxs_entry *entry);
/* Report the access of ENTRY, which graduates, to the data watches. VALUE: the data. ENTRY's source registers are
 * unchanged. */
void mxs_notify_watch(const struct mxs *m, const struct mxs_entry *entry, enum access kind, uint64_t value);
/* Graduate a store. */
void mxs_store_graduate(struct mxs *m, const struct mxs_entry *entry);

/* Advance pc, delay slot state and branch target past E, which graduates. */
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

/* graduate.c: graduate up to the full width, starting from m->graduated, with all special cases. False: the run ends
 * here, in the middle of the cycle. */
bool mxs_graduate(struct mxs *m, cycles now);

/* cycle.c: run until the core requests attention or time UNTIL. False: the run ends, possibly in the middle of a cycle.
 */
bool mxs_cycle_run(struct mxs *m, cycles until);

/* serialise.c: execute ENTRY, the oldest entry, at the head of the window. */
void mxs_head_execute(struct mxs *m, struct mxs_entry *entry, cycles now);

/* stalls.c: charge the cycle of a serialising instruction, before it executes. */
void mxs_charge_serialised(struct mxs *m);
/* Charge the DURATION of the hooks at PC (core_hook_add_timed) as lost cycles, in which GRADUATED instructions
 * graduated. */
void mxs_charge_hooks(struct mxs *m, cycles duration, unsigned graduated, vaddr pc);
/* Count the stalls of a serialising instruction: the difference between BEFORE and AFTER, its bucket's stalls. PLACE:
 * its place in the profile, if there is one. */
void mxs_count_serialised(struct mxs *m, const uint64_t before[STALL_COUNT], const uint64_t after[STALL_COUNT],
                          const struct memsys_profile_keys *place);
/* Place of the oldest instruction in the profile. */
struct memsys_profile_keys mxs_profile_oldest(const struct mxs *m);
/* Charge DURATION cycles, lost for reason WHY, to PLACE. */
void mxs_profile_lost(struct mxs *m, const struct memsys_profile_keys *place, unsigned why, cycles duration);

#endif
