/*
 * A simulated processor: its architectural state, the flat translation tables derived from it, and its connections to
 * memory, time and attribution. CPU models and instruction semantics work on this structure.
 *
 * Guest exceptions are return values: a function that can fault calls core_raise() and returns nonzero. The model then
 * abandons the instruction and calls exception_enter() with the precise pc.
 */
#ifndef SIMOS_CPU_CORE_H
#define SIMOS_CPU_CORE_H

#include "cpu/architecture.h"
#include "cpu/cpu.h"
#include "cpu/isa/isa.h"
#include "cpu/segments.h"
#include "src/measure/attribution.h"
#include "src/base/event.h"
#include "src/base/params.h"
#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include <stdalign.h>

/*
 * Flat translation tables (a software TLB), one entry per virtual page and mode. A data entry is the host address minus
 * the virtual address for a RAM page that the mode may access directly; 0 means "take the slow path". The tables mirror
 * the TLB exactly (see vmap.h).
 */
struct vmap {
    uintptr_t *load;  /* 2^20 entries */
    uintptr_t *store; /* 2^20 entries */
    void **code;      /* 2^20 entries: the model's decoded or translated page; NULL: take the slow path */
    uint8_t *permits; /* permission bytes of data by virtual address (core->permits) */
};
enum { VMAP_USER, VMAP_KERNEL, VMAP_MODES };

/* Extent of one TLB entry's pages in the flat tables (vmap.c). */
struct vmap_extent {
    uint32_t tables;      /* bit mode * VMAP_KINDS + kind: that table may have entries for these pages */
    uint32_t first, last; /* lowest and highest virtual page number entered, inclusive */
};
enum { VMAP_LOAD, VMAP_STORE, VMAP_CODE, VMAP_KINDS };

/* A core and its flat tables are one host mapping, so that translated code addresses the tables relative to the core.
 * The table of KIND in MODE begins vmap_offset() bytes after the start of the core. */
enum { VMAP_ENTRIES = 1 << (32 - PAGE_SHIFT), VMAP_TABLE_BYTES = VMAP_ENTRIES * 8, VMAP_FIRST_OFFSET = 1 << 16 };
/* The flat tables are followed by the fast-path permission bytes of the first-level caches (cache/memsys.h), one per
 * cache line: indexed by virtual address for data (one table per mode), by physical address for code. A data byte is
 * nonzero only if the flat tables of its mode have entries that allow the accesses that it permits. The minimum line
 * size is 8 bytes; caches with shorter lines have no permission bytes. */
enum { PERMIT_TABLE_USER = VMAP_USER, PERMIT_TABLE_KERNEL = VMAP_KERNEL, PERMIT_TABLE_CODE, PERMIT_TABLES };
enum {
    PERMIT_SHIFT_MIN = 3,
    PERMIT_TABLE_BYTES = 1 << (32 - PERMIT_SHIFT_MIN),
    PERMIT_FIRST_OFFSET = VMAP_FIRST_OFFSET + VMAP_MODES * VMAP_KINDS * VMAP_TABLE_BYTES,
};
static inline uint32_t vmap_offset(unsigned mode, unsigned kind)
{
    return VMAP_FIRST_OFFSET + (mode * VMAP_KINDS + kind) * VMAP_TABLE_BYTES;
}

static inline uint32_t permit_offset(unsigned table)
{
    /* in user mode only the lower half of the address space is accessible */
    return PERMIT_FIRST_OFFSET + (table == 0 ? 0 : (table * 2 - 1) * (PERMIT_TABLE_BYTES / 2));
}
/* The permission bytes are followed by the most recently used line of each set of the first-level caches (struct
 * memsys_fast_path). */
enum { CORE_MRU_BYTES = (1 << 18) + PAGE_SIZE };
#define CORE_MRU_FETCH_OFFSET   ((size_t)PERMIT_FIRST_OFFSET + 5 * (size_t)(PERMIT_TABLE_BYTES / 2))
#define CORE_MRU_DATA_OFFSET    (CORE_MRU_FETCH_OFFSET + CORE_MRU_BYTES)
/* The last part of the mapping: permission bytes for data indexed by physical address, for models that use them instead
 * of those indexed by virtual address (core->permit_by_vaddr is then false). They imply nothing about the flat tables.
 */
#define CORE_PERMIT_DATA_OFFSET (CORE_MRU_DATA_OFFSET + CORE_MRU_BYTES)
/* Behind them the counters of translated code (cpu/observe/executions.h), two for each block; the list of those that
 * are in use; and the target of the last indirect call of each block. */
enum { EXECUTED_COUNTERS = 2 << 20 };
#define CORE_COUNTERS_OFFSET  (CORE_PERMIT_DATA_OFFSET + PERMIT_TABLE_BYTES)
#define CORE_LISTED_OFFSET    (CORE_COUNTERS_OFFSET + EXECUTED_COUNTERS * sizeof(uint64_t))
#define CORE_TARGETS_OFFSET   (CORE_LISTED_OFFSET + EXECUTED_COUNTERS * sizeof(uint32_t))
#define CORE_TLB_INDEX_OFFSET (CORE_TARGETS_OFFSET + EXECUTED_COUNTERS / 2 * sizeof(uint32_t))
/* Last the index of the TLB (tlb.c), a number for each page, or pair of pages, of 4 KB that an entry maps: 1 + the
 * number of the entry that maps it in the current address space; 0: no entry of 4 KB pages does. */
enum { TLB_INDEX_BYTES = VMAP_ENTRIES * sizeof(uint16_t) };
#define CORE_MAPPING_BYTES (CORE_TLB_INDEX_OFFSET + TLB_INDEX_BYTES)
_Static_assert(CORE_MAPPING_BYTES < INT32_MAX, "translated code addresses the mapping relative to the core");
static inline uint8_t *core_mru_fetch(void *core)
{
    return (uint8_t *)core + CORE_MRU_FETCH_OFFSET;
}
static inline uint8_t *core_mru_data(void *core)
{
    return (uint8_t *)core + CORE_MRU_DATA_OFFSET;
}

static inline uint64_t *core_counters(void *core)
{
    return (uint64_t *)(void *)((uint8_t *)core + CORE_COUNTERS_OFFSET);
}
static inline uint32_t *core_listed(void *core)
{
    return (uint32_t *)(void *)((uint8_t *)core + CORE_LISTED_OFFSET);
}
static inline uint32_t *core_call_targets(void *core)
{
    return (uint32_t *)(void *)((uint8_t *)core + CORE_TARGETS_OFFSET);
}
static inline uint16_t *core_tlb_index(void *core)
{
    return (uint16_t *)(void *)((uint8_t *)core + CORE_TLB_INDEX_OFFSET);
}
static inline uint8_t *core_permit_data(void *core)
{
    return (uint8_t *)core + CORE_PERMIT_DATA_OFFSET;
}

/* A pending exception, filled by core_raise*(). */
struct exception {
    uint8_t code;
    uint8_t coprocessor; /* for EXC_CPU */
    bool refill;         /* TLB refill exception: no entry matched */
    bool has_address;
    vaddr address;
};

enum { WALK_LEVELS = 3 }; /* cache levels */

/* Hardware event counts, independent of annotations (SOSP'95 table 4.2). */
struct core_counts {
    uint64_t exceptions[EXCEPTION_CODES]; /* by Cause.ExcCode; interrupts are code 0 */
    uint64_t tlb_refills[2];              /* exceptions that took the refill vector: [0] load or fetch, [1] store */
    uint64_t tlb_fetch_refills;           /* of tlb_refills[0], those of fetches */
    uint64_t interrupts[8]; /* by the highest-numbered pending and enabled IP line at the time of the interrupt */
    uint64_t loads, stores; /* maintained only by models that count them */
    /* Of these, counted ahead: of later instructions of the block of translated code that runs. As of the last sync. */
    uint8_t loads_ahead, stores_ahead;
    uint64_t tlb_writes;
    uint64_t mode_changes;
    /* the page-table walker: walks for [0] a load or fetch, [1] a store; of walks[0], those for fetches; of all, those
     * that found no entry; loads of the tables, and their misses by cache level */
    uint64_t walks[2], fetch_walks, failed_walks, walk_loads, walk_misses[WALK_LEVELS];
    /* misses of the TLB that it filled, by a walk or from the second-level TLB: for [0] a load or store, [1] a fetch */
    uint64_t tlb_fills[2];
};

struct core;
struct core_probe;
struct cycle_watch;
struct translation_caches;
struct translation_config;

/* Callbacks from a core to the machine. All may be called in the middle of a model's run. */
struct core_hooks {
    /* The CPU timer interrupt output (Cause.TI) changed. NULL: the output is wired to pin 5 (IP7). */
    void (*timer_output)(void *opaque, unsigned cpu, bool level);
    /* The performance counters' interrupt output (Cause.PCI) changed. NULL: it is not connected. */
    void (*perf_output)(void *opaque, unsigned cpu, bool level);
    /* The TLB missed the page of PHYSICAL, and has got an entry for it. Called if core->reports_tlb. */
    void (*tlb_missed)(void *opaque, struct core *core, paddr physical);
    /* The mode (user, kernel, idle) changed; attribution has already been switched. Called if core->reports_mode. */
    void (*mode_changed)(void *opaque, struct core *core);
    /* An exception handler's first instruction raised an exception that leads back to that instruction
     * (cpu/privileged/stuck.h), so the core repeats it for ever. */
    void (*fault_repeats)(void *opaque, struct core *core);
};

/* The last exception raised by the first instruction of its own exception vector (cpu/privileged/stuck.h). */
struct core_fault {
    bool valid;          /* such an exception has occurred; the other fields are valid only then */
    bool has_code;       /* the vector address holds memory */
    uint8_t code_before; /* Cause.ExcCode of the exception that set Status.EXL */
    vaddr pc, epc;       /* pc: address of the vector; epc: the EPC register */
    uint32_t word;       /* the instruction at the vector, valid if has_code */
    uint64_t insns;      /* s.insns at that time; may or may not include that instruction */
};

/* An exception or interrupt that was taken, as reported to the observer. */
struct core_entry {
    enum exception_code code; /* the other details are in core->exception */
    vaddr pc;                 /* the faulting instruction, or the instruction before which the interrupt was taken */
    unsigned line;            /* interrupts only: the IP line, 0..7 */
    bool refill;              /* the TLB refill vector was used */
    bool nested;              /* Status.EXL was already set: EPC still belongs to the earlier exception */
    enum mode from;           /* the mode before the exception */
};

/*
 * Observer of a core's rare events. The callbacks are called after the event, in the middle of a model's run,
 * identically for every model. They may read everything but change nothing of the core except PC hooks and attribution;
 * they call core_sync() before they read the time. Any member may be NULL. Without an observer each event costs the
 * test of one pointer.
 */
struct core_observer {
    /* An exception or interrupt was taken. s.pc is the vector. mode_changed() has already been called if the mode
     * changed. */
    void (*entered)(void *opaque, struct core *core, const struct core_entry *entry);
    /* eret continues at TARGET. mode_changed() has already been called if the mode changed. */
    void (*returned)(void *opaque, struct core *core, vaddr target);
    /* The mode is different from BEFORE. All cycles up to this time have been charged to BEFORE. */
    void (*mode_changed)(void *opaque, struct core *core, enum mode before);
    /* The address space (EntryHi.ASID) is different from BEFORE. */
    void (*asid_changed)(void *opaque, struct core *core, uint8_t before);
    /* The page-table walker has walked for an access to ADDRESS. FOUND: the TLB has an entry for it now; otherwise a
     * refill exception follows. The walk has been charged. */
    void (*page_walked)(void *opaque, struct core *core, vaddr address, bool found);
    /* The core executes `wait`. */
    void (*wait_begins)(void *opaque, struct core *core);
    /* A wait of DURATION cycles has ended and has been charged (core_add_wait). */
    void (*wait_ended)(void *opaque, struct core *core, cycles duration);
};

/* A PC hook: called before the instruction at the hooked address executes. Returns true to stop the run before it. */
typedef bool pc_hook_fn(void *opaque, struct core *core);

struct pc_hook {
    vaddr address;
    pc_hook_fn *call;
    void *opaque;
    cycles duration;
};

/* The page-table walker's registers, if they are those of most systems: one directory, of words in kseg0, a page table
 * of words for pages of 4 KB, no huge pages. */
struct page_walk_plan {
    bool is_plain; /* the others are valid */
    uint8_t directory_shift, entry_shift;
    uint32_t directory_mask, table_mask; /* of the indices */
};

enum { CORE_MODEL_AREA = 1024 }; /* bytes */
enum { CORE_RESOURCES = 80 };    /* elements of core->ready */
enum { CORE_PERF_COUNTERS = 2 };
enum { CORE_HOOK_FILTER = 8 }; /* elements of core->pc_hook_filter, a power of two */

/* Where the last run was interrupted, so that the interruption does not change the simulated result. Discarded when the
 * core's model is replaced. */
enum { CORE_NO_PC = 1 /* not the address of any instruction */ };
struct core_resume {
    bool hook_stopped; /* a hook stopped the run before the instruction at hook_pc; the hook has already been called */
    vaddr hook_pc;
    /* The run ended before this instruction but after the fetch of its line; otherwise CORE_NO_PC. */
    vaddr fetched_pc;
    paddr fetched_line;
};

/* At the end of a run: hook_pc means nothing unless a hook stopped it, and must not appear in a checkpoint. */
static inline void core_resume_end(struct core_resume *resume)
{
    if (!resume->hook_stopped)
        resume->hook_pc = CORE_NO_PC;
}

struct cpu_model_ops;

struct core {
    struct cpu s; /* must be first */

    const struct architecture *architecture;
    unsigned number;
    unsigned cpus;       /* number of cores in the machine */
    struct core **peers; /* all cores of the machine, by number; set by the machine if there are several */
    struct core *self;   /* the array that peers points at until then */
    unsigned tlb_entries;
    bool has_load_delay; /* the architecture has (struct cpu) */
    bool isolated;       /* data accesses act on a cache alone (Status, architecture->isolates; isolated.h) */
    /* Fetches and data accesses are looked at one by one, by the interpreter: a cache is isolated, or watch registers
     * are enabled or have deferred an exception (cpu/privileged/watch_registers.h). */
    bool checked;
    bool has_watch_registers;
    bool has_page_walker;
    bool moves_pages;      /* the memory system moves pages between nodes ... */
    bool reports_tlb;      /* ... and is told of misses of the TLB: hooks->tlb_missed is called */
    uint32_t watch_writes; /* changes of `checked`, or of what it is about; for a model that looks ahead */
    uint8_t fpu_pin;       /* interrupt pin that exceptions of the FPU raise, if the architecture has them so */
    struct isolated *isolated_caches; /* their contents; NULL: there were no such accesses */
    bool fpu_traps_denormals; /* denormalized operands raise Unimplemented Operation, as the chip does (cpu/fp/fpu.h) */

    /* Whether a miss of the TLB's index is a miss of the TLB, and raises an exception: translated code tests both words
     * at once. */
    uint32_t tlb_large; /* number of TLB entries whose pages are larger than 4 KB: they are not in its index */
    uint32_t tlb_walks; /* the page-table walker is enabled (cpu/privileged/page_walker.h) */
    struct page_walk_plan walk_plan;
    struct translation_caches *translation; /* (cpu/privileged/translation_caches.h); NULL: there are none */
    struct vmap_extent vmap_extent[TLB_MAX_ENTRIES];

    struct exception exception;
    /* Something that determines what the core does next may have changed (interrupt lines, mode, stop request): the
     * model leaves its fast path after the current instruction. */
    bool attention;
    bool stop;        /* run() must return at the next instruction boundary */
    bool held;        /* a debugger holds the core while others run (src/machine/machine_hold.h): it executes nothing */
    bool left_behind; /* ... and they have run past it: time goes on without it */
    /* run() ends when s.insns reaches this value. A model that executes at most one instruction per cycle need not test
     * it, because the end of the run in cycles is at or before it. */
    uint64_t insns_end;

    struct vmap maps[VMAP_MODES];
    struct vmap *map; /* the tables of the current mode */
    bool user_mode;

    uint8_t *permits[PERMIT_TABLES];
    uint8_t permit_shift; /* log2 of the data line size in bytes; log2 of the page size if permit_by_vaddr is false */
    bool permit_by_vaddr; /* data permission bytes by virtual address are in use; otherwise they are all 0 */
    bool permit_by_space; /* the address space selects the set of a first-level cache (struct memsys_fast_path) */
    uint8_t permit_dummy; /* dummy byte for accesses that have no permission byte */

    /* Attribution. Cycles up to charged_cycle and instructions up to charged_insns have been charged to a bucket. */
    struct bucket *bucket;
    cycles charged_cycle;
    uint64_t charged_insns;
    struct bucket mode_buckets[MODE_COUNT];
    enum mode mode;
    bool in_idle_loop;     /* between the begin and end hooks of the idle loop */
    bool idle_interrupted; /* an exception left the idle loop */
    uint32_t idle_stack;   /* $sp at that time, which identifies the return to the idle loop */
    struct core_counts counts;
    struct core_resume resume;
    /* Performance counters (cp0_perf.c), from PerfCtl and what the model counts. */
    bool perf_in_use; /* a performance counter is enabled: mode changes must be reported to cp0_perf.c */
    uint8_t perf_event[CORE_PERF_COUNTERS]; /* enum perf_event that each counts, or PERF_NONE */
    bool perf_needs_mix;                    /* an event is counted by the instruction mix */
    struct event perf_check;                /* earliest time at which a counter can overflow */
    struct {
        bool valid;
        uint32_t value[CORE_PERF_COUNTERS], width;
    } perf_loaded;         /* while a checkpoint is loaded: their values, and `width`, when it was saved */
    unsigned cache_levels; /* number of cache levels that the model simulates; 0: every access hits */
    unsigned width;        /* maximum number of instructions that the model executes in a cycle */

    /* In-order models with instruction costs: the local time from which each result or unit can be used
     * (cpu/core/interlock.h). */
    cycles ready[CORE_RESOURCES];
    bool has_interlocks;     /* there are such costs: the statistics have rows for their stalls */
    bool has_entry_costs;    /* ... of exceptions, too */
    unsigned machine_levels; /* number of the machine's cache levels, with rows for their misses, whatever the model */
    bool has_streams;        /* the machine has instruction stream buffers; likewise */
    bool has_prefetch;       /* the machine prefetches lines; likewise */

    struct executions *executions; /* execution counts (cpu/observe/executions.h); NULL: not counted */
    uint32_t listed_count;         /* number of elements of core_listed() */

    const struct isa_decoder *decoder;
    struct physmem *mem;
    struct event_queue *queue;
    struct event timer;
    struct log *log;
    const struct core_hooks *hooks;
    void *hooks_opaque;
    bool reports_mode;                    /* hooks->mode_changed is called */
    const struct core_observer *observer; /* NULL: no observer */
    void *observer_opaque;
    /* For debuggers: translate a mapped address that is not in the TLB by the guest's own page tables. NULL: not
     * available. */
    bool (*find_mapped)(const struct core *core, vaddr address, paddr *pa);
    struct core_probe *probe;      /* of logic analysers (cpu/observe/probe.h); NULL: none. Changes between runs only */
    struct cycle_watch *watch;     /* of where cycles go (cpu/observe/cycle_watch.h); NULL: none. Likewise */
    struct data_watch *data_watch; /* the data watches (cpu/privileged/data_watch.h); NULL: none */
    unsigned access_observers;     /* number of observers that read s.pc and registers in the middle of accesses */
    struct core_fault fault;

    const struct cpu_model_ops *model_ops;
    void *model;
    void *model_counts; /* the model's counts, kept by the machine (cpu_model_ops.counts_bytes), or NULL */
    alignas(64) uint8_t model_area[CORE_MODEL_AREA]; /* private to the model, at a fixed offset in the core */

    struct pc_hook *pc_hooks; /* sorted by address */
    unsigned pc_hook_count;
    unsigned timed_hooks; /* of them, those whose duration is not 0 */
    /* Bit N is set if the address of a hook, in instructions, is N modulo their number: the interpreter asks at every
     * instruction. */
    uint64_t pc_hook_filter[CORE_HOOK_FILTER];
};

/* Processor parameters (cpu.tlb_entries, cpu.clock ...). */
extern const struct param_def core_param_defs[];
extern const size_t core_param_count;

struct core_config {
    const struct architecture *architecture;
    unsigned number, cpus, tlb_entries;
    bool has_watch_registers;                     /* of an architecture that can have them */
    bool has_page_walker;                         /* likewise */
    bool moves_pages, reports_tlb;                /* likewise */
    const struct translation_config *translation; /* of a processor with the walker; NULL: no translation caches */
    bool fpu_traps_denormals;
    uint8_t fpu_pin;
    bool has_interlocks, has_entry_costs;
    unsigned machine_levels;
    bool has_streams;
    bool has_prefetch;
    const struct isa_decoder *decoder;
    struct physmem *mem;
    struct event_queue *queue;
    struct log *log;
    const struct core_hooks *hooks;
    void *hooks_opaque;
    bool reports_mode;
};

/* Create a core in its reset state, not running. NULL with ERR set if the host has no memory for it. */
struct core *core_create(const struct core_config *config, struct err *err);
void core_free(struct core *core);

/* Power-on reset; the core then runs from PC. Local time, the instruction count and the levels of the interrupt pins
 * are kept; the rest of the architectural state is as after power-on, with unspecified registers 0. Must not be called
 * in the middle of a run. */
void core_reset(struct core *core, vaddr pc);

/* After core_reset(): the vectors with Status.BEV are relative to the page of PC instead of the reset vector, as those
 * of a core that the power controller starts. */
void core_set_bootstrap(struct core *core, vaddr pc);

/* s was replaced from outside (by a checkpoint, or by a debugger that wrote CP0): recompute everything derived from it.
 * Processor state outside s (attribution mode, counts) is kept. */
void core_state_changed(struct core *core);

/* A debugger wrote a register. */
static inline void core_registers_changed(struct core *core)
{
    core->fault.valid = false;
}

/* Bring s.cycle and s.insns up to date, also in the middle of a run (the model's sync). */
void core_sync(struct core *core);

/* The core waited for DURATION cycles: advance s.cycle by them and charge them as `wait`, to the bucket of the idle
 * mode, or to the current bucket if attribution is not to the mode buckets. Must not be called in the middle of a
 * run. */
void core_add_wait(struct core *core, cycles duration);
/* CORE's present: core->s.cycle, which is brought up to date only at the end of `wait`. */
static inline cycles core_time(const struct core *core)
{
    return core->s.waiting && core->queue->now > core->s.cycle ? core->queue->now : core->s.cycle;
}

/* Schedule EVENT of CORE at WHEN (CYCLES_NEVER cancels it); attention is set if the time of the next event changes. NOW
 * (of an access: core_time(); in an event: queue->now) becomes the queue's time, as of an access to a device: another
 * core may have made an access at a later one, before which event_schedule() would schedule nothing, and EVENT would be
 * late by up to a quantum. */
void core_schedule(struct core *core, struct event *event, cycles now, cycles when);

/* Raise an exception for the current instruction. Always return 1, so that semantics can `return core_raise(...)`. */
static inline int core_raise(struct core *core, enum exception_code code)
{
    core->exception = (struct exception){.code = (uint8_t)code};
    return 1;
}
static inline int core_raise_address(struct core *core, enum exception_code code, vaddr address, bool refill)
{
    core->exception =
        (struct exception){.code = (uint8_t)code, .has_address = true, .address = address, .refill = refill};
    return 1;
}
static inline int core_raise_coprocessor(struct core *core, unsigned coprocessor)
{
    core->exception = (struct exception){.code = EXC_CPU, .coprocessor = (uint8_t)coprocessor};
    return 1;
}

/* The current address space (EntryHi.ASID). */
/* Can CORE have stalls of this cause? Those of few machines are no statistics of others. */
static inline bool core_has_stall(const struct core *core, enum stall stall)
{
    return stall == STALL_PAGE_WALK ? core->has_page_walker : stall == STALL_PAGE_MOVE ? core->moves_pages : true;
}

static inline uint8_t core_asid(const struct core *core)
{
    const struct tlb_format *format = &core->architecture->tlb;
    return (uint8_t)((core->s.cp0[CP0_ENTRYHI] & format->asid) >> format->asid_shift);
}

/* The address space of virtual ADDRESS, as caches hash it (struct memsys_request): the current one in kuseg. The
 * kernel's segments are the same in every address space and have 0. */
static inline uint8_t core_space(const struct core *core, vaddr address)
{
    return vaddr_in_kuseg(address) ? core_asid(core) : 0;
}

static inline bool core_status_is(const struct core *core, struct status_condition condition)
{
    return (core->s.cp0[CP0_STATUS] & condition.mask) == condition.value;
}

/* In user mode? */
static inline bool core_is_user(const struct core *core)
{
    return core_status_is(core, core->architecture->user_mode);
}

/* Does the instruction at s.pc depend on the one before it: in the delay slot of a branch, or of a load whose result it
 * does not get? */
static inline bool core_in_slot(const struct core *core)
{
    return core->s.in_delay_slot || core->s.delayed_register != 0;
}

/* Charge everything up to s.cycle / s.insns to the current bucket. Call before switching `bucket`. */
void core_account(struct core *core);
/* Charge everything so far to the current bucket, then make BUCKET the current one. */
void core_switch_bucket(struct core *core, struct bucket *bucket);

/* Status was written: may the accesses that follow be to an isolated cache? */
void core_update_isolation(struct core *core);

/* Status changed: recompute mode, table pointers and attribution. Cheap if nothing changed. */
void core_mode_update(struct core *core);

/* The guest enters or leaves its idle loop; called by PC hooks on the guest's symbols. */
void core_idle_begin(struct core *core);
void core_idle_end(struct core *core);

/* The kind of access for which an address is translated. */
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_FETCH };

/* The result of a load arrives (struct cpu, delayed_register). */
void core_settle_load(struct core *core);

/* exception.c */
/* Take core->exception at PC (DELAY_SLOT: the instruction is in a delay slot): set EPC, Cause, Status, BadVAddr,
 * EntryHi, Context, set s.pc to the vector and s.in_delay_slot to false, and count the exception. MIPS32 PRA vol. III
 * section 6. */
void exception_enter(struct core *core, vaddr pc, bool delay_slot);
/* Pending interrupts that Status.IM enables, in the bit positions of Cause.IP. */
static inline uint32_t interrupts_pending(const struct core *core)
{
    return core->s.cp0[CP0_CAUSE] & core->s.cp0[CP0_STATUS] & CAUSE_IP;
}
/* Is a Watch exception pending that was deferred while Status.EXL or ERL was set? */
static inline bool watch_pending(const struct core *core)
{
    return SIM_UNLIKELY(core->s.cp0[CP0_CAUSE] & CAUSE_WP) && !(core->s.cp0[CP0_STATUS] & (STATUS_EXL | STATUS_ERL));
}
/* Is an enabled interrupt pending, or a deferred Watch exception, which comes between two instructions as interrupts
 * do?
 */
static inline bool interrupt_pending(const struct core *core)
{
    return (core_status_is(core, core->architecture->interruptible) && interrupts_pending(core)) || watch_pending(core);
}
/* Take a pending interrupt: general, IV or vectored entry; if there is none, a deferred Watch exception. Does nothing
 * unless interrupt_pending() holds. */
void interrupt_enter(struct core *core, vaddr pc, bool delay_slot);
/* Drive hardware interrupt pin 0..5 (Cause.IP2..7) from outside the core; sets attention. Ends `wait` if Status.IM
 * enables the pin, even if interrupts are disabled (Config7.WII). The machine is responsible for advancing the core's
 * local time (core_add_wait). */
void interrupt_set_pin(struct core *core, unsigned pin, bool level);

/* tlb.c: address translation. ACCESS selects the exception. On success return 0 and set PA and CACHED; the page is
 * cached if its C field is neither 2 (uncached) nor 7 (uncached accelerated); kseg0 uses Config.K0. On failure raise
 * the exception (address error, TLB refill, invalid or modified) and return nonzero. */
int tlb_translate(struct core *core, vaddr address, enum access access, paddr *pa, bool *cached);
/* Translate for a debugger: no exception, no state change, no mode check. False if ADDRESS is not mapped. */
bool tlb_probe_address(const struct core *core, vaddr address, paddr *pa);
/* True if ADDRESS is mapped cached; sets PA. For a debugger. */
bool tlb_probe_cached(const struct core *core, vaddr address, paddr *pa);
/* True if the kernel can load, or with STORE also store, ADDRESS without an exception, and it is cached; sets PA. */
bool tlb_probe_data(const struct core *core, vaddr address, bool store, paddr *pa);

/* access.c: the slow path of data accesses and fetches. */
/* Check alignment (SIZE 1, 2, 4, 8), translate, and enter the page in the flat tables if it is plain RAM. */
int core_translate_data(struct core *core, vaddr address, unsigned size, enum access access, paddr *pa, bool *cached);
/* Perform a complete data access of SIZE 1, 2 or 4 bytes (RAM or device); nonzero: exception raised. A store into a
 * page that holds code or is watched notifies all models and CPUs. A device access takes place at the core's local time
 * (queue->now is set to it); if it changes the time of the next event, attention is set, because the run must end
 * there. */
int core_load(struct core *core, vaddr address, unsigned size, uint32_t *value);
int core_store(struct core *core, vaddr address, unsigned size, uint32_t value);
/* The physical part of the above, for models that add timing between translation and data transfer. */
int core_load_physical(struct core *core, paddr pa, unsigned size, uint32_t *value);
int core_store_physical(struct core *core, paddr pa, unsigned size, uint32_t value);
/* Fetch the instruction word at ADDRESS; nonzero: exception raised. Code executes from RAM only; elsewhere the fetch
 * raises IBE. */
int core_fetch(struct core *core, vaddr address, uint32_t *word);

/* RAM at [address, address+size) was changed other than by an ordinary store (by DMA, the loader, a debugger, or
 * another CPU's store into a watched page): drop decoded code and break load-links. WRITER: the core that stored, or
 * NULL. */
void core_memory_changed(struct core **cores, unsigned cpus, struct core *writer, paddr address, uint32_t size);

/* The caches see the page of RAM at PAGE elsewhere from now on (cache/placement/layout_map.h): drop decoded code, and
 * permissions of lines of data. The guest does not notice. */
void core_page_moved(struct core **cores, unsigned cpus, paddr page);
/* A model decoded code of this page: from then on stores to it take the slow path, in all cores. */
void core_protect_code(struct core *core, paddr page);
/* The core stops running (end of its quantum) with a load-link outstanding: other cores' stores to that page take the
 * slow path, so that they break the link. */
void core_watch_link(struct core *core);

/* The physical address of a virtual one, by the TLB or the guest's page tables, without side effects. False: not
 * mapped.
 */
bool core_debug_translate(struct core *core, vaddr address, paddr *physical);
/* Debugger access by virtual address, translated by the TLB or the guest's page tables. Copies up to SIZE bytes and
 * stops at an unmapped page; returns the number of bytes copied. */
uint32_t core_debug_read(struct core *core, vaddr address, void *buffer, uint32_t size);
uint32_t core_debug_write(struct core *core, vaddr address, const void *buffer, uint32_t size);

/* PC hooks. Adding or removing a hook notifies the model. Hooks at one address run in the order in which they were
 * added. */
void core_hook_add(struct core *core, vaddr address, pc_hook_fn *call, void *opaque);
/* Likewise, and whenever the instruction at ADDRESS executes, it takes DURATION cycles more, of execution: as if other
 * instructions, which are not counted, were there. */
void core_hook_add_timed(struct core *core, vaddr address, pc_hook_fn *call, void *opaque, cycles duration);
/* These cycles of all hooks at ADDRESS. */
cycles core_hook_duration(const struct core *core, vaddr address);
void core_hook_remove(struct core *core, vaddr address, pc_hook_fn *call, void *opaque);
/* Run all hooks at ADDRESS; true: stop before the instruction. */
bool core_hook_run(struct core *core, vaddr address);
bool core_hook_present(const struct core *core, vaddr address);
/* May CORE have a hook at the instruction at physical address PA? Code may execute at several virtual addresses: a
 * kseg0 or kseg1 address belongs to one physical page, a mapped address may belong to any. */
bool core_hook_reaches(const struct core *core, paddr pa);

/* Register this core's statistics, with names that begin with "cpuN.". */
void core_register_stats(struct core *core, struct stats *stats);
/* Components of those names, as in "cpu0.mode.user.stall.l1i". */
/* any code; "unknown" if the processor has no such exception */
const char *core_exception_name(const struct core *core, unsigned code);

/* Register the checkpoint section "cpuN": architectural state, attribution, and where the last run was interrupted.
 * Saved between runs, with attribution to the mode buckets. Loading rebuilds derived state: the flat tables are emptied
 * and the model discards everything it derived. */
void core_register_saved(struct core *core, struct saved *saved);

#endif
