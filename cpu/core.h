/*
 * A processor as the simulator handles it: its architectural state, the flat translation tables derived from it, and
 * the connections to memory, time and attribution. CPU models and instruction semantics work on this.
 *
 * Exceptions are values: what can fault returns nonzero after core_raise(); the model then stops the instruction and
 * calls exception_enter() with the precise pc.
 */
#ifndef SIMOS_CPU_CORE_H
#define SIMOS_CPU_CORE_H

#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "src/base/attribution.h"
#include "src/base/event.h"
#include "src/base/params.h"
#include "src/base/physmem.h"
#include "src/base/saved.h"
#include "src/base/stats.h"
#include <stdalign.h>

/*
 * Flat translation, one entry a virtual page and a mode: host address minus virtual address for pages of RAM that the
 * mode may access directly, 0 for "take the slow path". Mirrors the TLB exactly (see vmap.h).
 */
struct vmap {
    uintptr_t *load;  /* 2^20 entries */
    uintptr_t *store; /* 2^20 entries */
    void **code;      /* 2^20 entries: the model's decoded or translated page; NULL = slow path */
};
enum { VMAP_USER, VMAP_KERNEL, VMAP_MODES };

/* What a TLB entry's pages have in the flat tables (vmap.c). */
struct vmap_reach {
    uint32_t tables;      /* bit mode * VMAP_KINDS + kind: has entries there */
    uint32_t first, last; /* virtual page numbers between which they lie, inclusive */
};
enum { VMAP_LOAD, VMAP_STORE, VMAP_CODE, VMAP_KINDS };

/* A core and its flat tables are one host mapping, so that translated code reaches the tables relative to the core: the
 * table of KIND in MODE begins vmap_offset() bytes behind it. */
enum { VMAP_ENTRIES = 1 << (32 - PAGE_SHIFT), VMAP_TABLE_BYTES = VMAP_ENTRIES * 8, VMAP_FIRST_OFFSET = 1 << 16 };
/* Behind them are the quick-check bytes of the first-level caches (cache/memsys.h), one a line: by virtual address for
 * data in each mode, by physical address for code. A data byte is not zero only where the flat tables of its mode have
 * entries that allow what it says. Lines have 8 bytes or more: there are none for shorter ones. */
enum { QUICK_USER = VMAP_USER, QUICK_KERNEL = VMAP_KERNEL, QUICK_CODE, QUICK_TABLES };
enum {
    QUICK_SHIFT_MIN = 3,
    QUICK_TABLE_BYTES = 1 << (32 - QUICK_SHIFT_MIN),
    QUICK_FIRST_OFFSET = VMAP_FIRST_OFFSET + VMAP_MODES * VMAP_KINDS * VMAP_TABLE_BYTES,
};
static inline uint32_t vmap_offset(unsigned mode, unsigned kind)
{
    return VMAP_FIRST_OFFSET + (mode * VMAP_KINDS + kind) * VMAP_TABLE_BYTES;
}

static inline uint32_t quick_offset(unsigned table)
{
    /* user mode reaches the lower half of the address space only */
    return QUICK_FIRST_OFFSET + (table == 0 ? 0 : (table * 2 - 1) * (QUICK_TABLE_BYTES / 2));
}
/* And behind these, which line of each set of the first-level caches was used last (struct memsys_fast_path). */
enum { CORE_LAST_BYTES = (1 << 18) + PAGE_SIZE };
#define CORE_LAST_FETCHED_OFFSET  ((size_t)QUICK_FIRST_OFFSET + 5 * (size_t)(QUICK_TABLE_BYTES / 2))
#define CORE_LAST_ACCESSED_OFFSET (CORE_LAST_FETCHED_OFFSET + CORE_LAST_BYTES)
/* Last, quick-check bytes by physical address for data, for models that use them instead of those by virtual address
 * (core->quick_used is false then): they say nothing of what the flat tables allow. */
#define CORE_QUICK_DATA_OFFSET    (CORE_LAST_ACCESSED_OFFSET + CORE_LAST_BYTES)
#define CORE_MAPPING_BYTES        (CORE_QUICK_DATA_OFFSET + QUICK_TABLE_BYTES)
static inline uint8_t *core_last_fetched(void *core)
{
    return (uint8_t *)core + CORE_LAST_FETCHED_OFFSET;
}
static inline uint8_t *core_last_accessed(void *core)
{
    return (uint8_t *)core + CORE_LAST_ACCESSED_OFFSET;
}

static inline uint8_t *core_quick_data(void *core)
{
    return (uint8_t *)core + CORE_QUICK_DATA_OFFSET;
}

/* A pending exception, filled by core_raise*(). */
struct exception {
    uint8_t code;
    uint8_t coprocessor; /* for EXC_CPU */
    bool refill;         /* TLB refill: no entry matched */
    bool has_address;
    vaddr address;
};

/* What the hardware counts by itself, without annotations (table 4.2). */
struct core_counts {
    uint64_t exceptions[EXC_COUNT]; /* by code; interrupts are code 0 */
    uint64_t tlb_refills[2];        /* load or fetch, store: exceptions that took the refill vector */
    uint64_t interrupts[8];         /* by the highest pending enabled IP line when taken */
    uint64_t loads, stores;         /* kept by models that count them */
    uint64_t tlb_writes;
    uint64_t mode_changes;
};

struct core;

/* What the machine must hear from a core; all may be called in the middle of a model's run. */
struct core_hooks {
    /* The CPU timer interrupt output (Cause.TI) changed. NULL: it is wired to pin 5 (IP7). */
    void (*timer_output)(void *opaque, unsigned cpu, bool level);
    /* A mode change (user, kernel, idle) took place; attribution has been switched already. */
    void (*mode_changed)(void *opaque, struct core *core);
    /* An exception has led back to the instruction that raised it (cpu/standstill.h): so will the next. */
    void (*fault_repeats)(void *opaque, struct core *core);
};

/* An exception of its own vector's first instruction: the last one (cpu/standstill.h). */
struct core_fault {
    bool repeats;        /* there has been one; all below only then */
    bool has_code;       /* there is memory at the vector */
    uint8_t code_before; /* Cause.ExcCode of the exception that set Status.EXL */
    vaddr pc, epc;       /* the vector; EPC */
    uint32_t word;       /* the instruction, if there is one */
    uint64_t insns;      /* s.insns then, with that instruction or without */
};

/* An exception or interrupt that was taken, as its observer hears of it. */
struct core_entry {
    enum exception_code code; /* with what else core->exception says */
    vaddr pc;                 /* of the instruction that it came before, or that raised it */
    unsigned line;            /* of an interrupt: the IP line, 0..7 */
    bool refill;              /* it took the vector of TLB refills */
    bool nested;              /* Status.EXL was set: EPC and the way back are those of the one before it */
    enum mode from;           /* the mode that it ended */
};

/*
 * Who wants to know what a core does: called when it has been done, in the middle of a model's run, for every model
 * alike. May read everything and change nothing of the core but its PC hooks and what belongs to attribution; for the
 * time, core_sync() first. Any member may be NULL; a core without an observer tests one pointer at these rare events.
 */
struct core_observer {
    /* s.pc is the vector's. A change of modes that it made has been told already. */
    void (*entered)(void *opaque, struct core *core, const struct core_entry *entry);
    /* eret goes to TARGET. The change of modes has been told. */
    void (*returned)(void *opaque, struct core *core, vaddr target);
    /* The mode is not BEFORE any more. All cycles up to now have been charged to BEFORE. */
    void (*mode_changed)(void *opaque, struct core *core, enum mode before);
    /* The address space (EntryHi.ASID) is not BEFORE any more. */
    void (*space_changed)(void *opaque, struct core *core, uint8_t before);
    /* It executes `wait`. */
    void (*waits)(void *opaque, struct core *core);
    /* The time that it has waited has been charged (core_add_wait). */
    void (*waited)(void *opaque, struct core *core, cycles duration);
};

/* A PC hook: called before the instruction at `address` executes. Returning true stops the run before it. */
typedef bool pc_hook_fn(void *opaque, struct core *core);

struct pc_hook {
    vaddr address;
    pc_hook_fn *call;
    void *opaque;
};

enum { CORE_MODEL_AREA = 1024 }; /* bytes */

/* Where the last run was interrupted, so that interrupting it makes no difference to what follows. Goes with the core
 * when its model is replaced. */
enum { CORE_NOWHERE = 1 /* no instruction's address */ };
struct core_resume {
    bool hook_stopped; /* a hook stopped the run before the instruction at hook_pc: it has been called already */
    vaddr hook_pc;
    vaddr fetched_pc; /* the run ended before this instruction, whose line it had fetched; or CORE_NOWHERE */
    paddr fetched_line;
};

struct cpu_model_ops;

struct core {
    struct cpu s; /* must be first */

    unsigned number;
    unsigned cpus;       /* cores of the machine */
    struct core **peers; /* all of them, by number; the machine sets it when there is more than one */
    struct core *self;   /* what peers points at until then */
    unsigned tlb_entries;
    bool fpu_traps_denormals; /* they raise Unimplemented Operation, as the chip does (cpu/fpu.h) */

    /* Derived from s.tlb (tlb.c): an address with its ASID is compared with all entries as one word each. */
    alignas(16) uint32_t tlb_tag[TLB_MAX_ENTRIES];
    alignas(16) uint32_t tlb_compare[TLB_MAX_ENTRIES]; /* bits that take part; unused places never match */
    /* Entry of the last translation or write: tried first. Without it, eight CPUs under embra in quanta of 200 cycles
     * execute 1.3 % more of the host's instructions: who steps translates the same page again and again. */
    unsigned tlb_hint;
    struct vmap_reach vmap_reach[TLB_MAX_ENTRIES];

    struct exception exception;
    /* Something may have changed what the core should do next (interrupt lines, mode, stop request): the model leaves
     * its fast path after the current instruction. */
    bool attention;
    bool stop; /* asked to return from run() at the next boundary */
    /* run() ends when s.insns is this. Who executes at most one instruction a cycle need not look: the run's end says
     * it. */
    uint64_t insns_end;

    struct vmap maps[VMAP_MODES];
    /* Of the current mode: */
    uintptr_t *load_map;
    uintptr_t *store_map;
    void **code_map;
    uint8_t *quick_map;
    bool user_mode;

    uint8_t *quick[QUICK_TABLES];
    uint8_t quick_shift;  /* log2 of the bytes of a data line; of those of a page while quick_used is false */
    bool quick_used;      /* otherwise all data bytes are 0 */
    uint8_t quick_nobody; /* a byte for accesses that have none */

    /* Attribution. `charged_to` is the time up to which cycles are in a bucket. */
    struct bucket *bucket;
    cycles charged_cycle;
    uint64_t charged_insns;
    struct bucket mode_buckets[MODE_COUNT];
    enum mode mode;
    bool in_idle_loop;     /* between the idle loop's begin and end hooks */
    bool idle_interrupted; /* an exception left the idle loop */
    uint32_t idle_stack;   /* $sp at that moment: identifies the return to it */
    struct core_counts counts;
    struct core_resume resume;
    bool perf_in_use; /* a performance counter is enabled: mode changes must be told (cp0_perf.c) */

    const struct isa_decoder *decoder;
    struct physmem *mem;
    struct event_queue *queue;
    struct event timer;
    struct log *log;
    const struct core_hooks *hooks;
    void *hooks_opaque;
    const struct core_observer *observer; /* NULL: nobody */
    void *observer_opaque;
    /* For debuggers: where a mapped address is that the TLB does not hold, by the guest's own tables. NULL: nobody
     * knows. */
    bool (*find_mapped)(const struct core *core, vaddr address, paddr *pa);
    struct data_watch *data_watch; /* who wants to hear of accesses (cpu/data_watch.h); NULL: nobody */
    unsigned access_viewers;       /* how many look at s.pc and registers in the middle of accesses */
    struct core_fault fault;

    const struct cpu_model_ops *model_ops;
    void *model;
    void *model_counts; /* what the model counts, if the machine keeps that (cpu_model_ops.counts_bytes), or NULL */
    alignas(64) uint8_t model_area[CORE_MODEL_AREA]; /* the model's own, at a fixed place relative to the core */

    struct pc_hook *pc_hooks; /* sorted by address */
    unsigned pc_hook_count;
};

/* Parameters of the processor (cpu.tlb_entries, cpu.clock ...). */
extern const struct param_def core_param_defs[];
extern const size_t core_param_count;

struct core_config {
    unsigned number, cpus, tlb_entries;
    bool fpu_traps_denormals;
    const struct isa_decoder *decoder;
    struct physmem *mem;
    struct event_queue *queue;
    struct log *log;
    const struct core_hooks *hooks;
    void *hooks_opaque;
};

/* A core in its reset state, not running. NULL with ERR set if the host refuses memory. */
struct core *core_create(const struct core_config *config, struct err *err);
void core_free(struct core *core);

/* Power-on reset; starts (running) at PC. Local time, the number of instructions and the levels of the interrupt pins
 * stay; the rest of the architectural state is as after power-on, with unspecified registers 0. Not for a core in the
 * middle of a run. */
void core_reset(struct core *core, vaddr pc);

/* s was replaced from outside (a checkpoint, a debugger that wrote CP0): derive everything else from it again. The bits
 * of the processor that are not in s (mode of attribution, counts) stay. */
void core_state_changed(struct core *core);

/* A debugger has written a register. */
static inline void core_registers_changed(struct core *core)
{
    core->fault.repeats = false;
}

/* Bring s.cycle and s.insns up to date, also in the middle of a run (the model's sync). */
void core_sync(struct core *core);

/* The core has waited for DURATION cycles: advances s.cycle by them and charges them as `wait`, to the bucket of the
 * idle mode, or to the current bucket if attribution has been moved away from the mode buckets. The core must not be
 * in the middle of a run. */
void core_add_wait(struct core *core, cycles duration);

/* Raise an exception of the current instruction; always return 1 so that semantics can `return core_raise(...)`. */
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

/* In user mode? (Status.UM set, EXL and ERL clear.) */
static inline bool core_is_user(const struct core *core)
{
    return (core->s.cp0[CP0_STATUS] & (STATUS_UM | STATUS_EXL | STATUS_ERL)) == STATUS_UM;
}

/* Charge everything up to s.cycle / s.insns to the current bucket. Call before switching `bucket`. */
void core_account(struct core *core);
/* Point attribution at BUCKET from here on (accounts first). */
void core_switch_bucket(struct core *core, struct bucket *bucket);

/* Status, EXL... changed: recompute mode, tables and attribution. Cheap if nothing changed. */
void core_mode_update(struct core *core);

/* The idle loop begins / has ended (PC hooks on the guest's symbols call these). */
void core_idle_begin(struct core *core);
void core_idle_end(struct core *core);

/* What an address is translated for. */
enum access { ACCESS_LOAD, ACCESS_STORE, ACCESS_FETCH };

/* exception.c */
/* Take core->exception at PC (DELAY_SLOT: the instruction is in a delay slot): sets EPC, Cause, Status, BadVAddr,
 * EntryHi, Context, and s.pc to the vector, s.in_delay_slot = false. MIPS32 PRA vol. III section 6. Counts it. */
void exception_enter(struct core *core, vaddr pc, bool delay_slot);
/* Those pending that Status.IM lets through, in the place of Cause.IP. */
static inline uint32_t interrupts_pending(const struct core *core)
{
    return core->s.cp0[CP0_CAUSE] & core->s.cp0[CP0_STATUS] & CAUSE_IP;
}
/* Is an enabled interrupt pending? */
static inline bool interrupt_pending(const struct core *core)
{
    return (core->s.cp0[CP0_STATUS] & (STATUS_IE | STATUS_EXL | STATUS_ERL)) == STATUS_IE && interrupts_pending(core);
}
/* Take it: general, IV or vectored entry. Nothing happens unless interrupt_pending() holds. */
void interrupt_enter(struct core *core, vaddr pc, bool delay_slot);
/* Drive CPU hardware interrupt pin 0..5 (Cause.IP2..7) from outside; sets attention. Ends `wait` if Status.IM lets the
 * pin through, whether or not interrupts are enabled (Config7.WII); bringing the core's local time up is the machine's
 * part (core_add_wait). */
void interrupt_set_pin(struct core *core, unsigned pin, bool level);

/* tlb.c: translation. ACCESS decides the exception. On success PA is set, and CACHED tells the cache attribute (C is
 * neither 2, uncached, nor 7, uncached accelerated; kseg0 by Config.K0). On failure raises (address error, TLB
 * refill/invalid/modified) and returns nonzero. */
int tlb_translate(struct core *core, vaddr address, enum access access, paddr *pa, bool *cached);
/* The same for a debugger: no exception, no state change, all modes' rights. False if not mapped. */
bool tlb_probe_address(const struct core *core, vaddr address, paddr *pa);
/* And is it cached? */
bool tlb_probe_cached(const struct core *core, vaddr address, paddr *pa);

/* access.c: the slow path of data accesses and fetches. */
/* Check alignment (SIZE 1, 2, 4, 8), translate, and enter the page in the flat tables when it is plain RAM. */
int core_translate_data(struct core *core, vaddr address, unsigned size, enum access access, paddr *pa, bool *cached);
/* Perform a data access of SIZE 1, 2, 4 completely (RAM or device); nonzero = exception raised. A store into a page
 * that holds code or is watched is told to all models and CPUs. An access to a device takes place at the core's local
 * time (queue->now is set to it); if the next event comes at another time than before, attention is set, because the
 * run has to end there. */
int core_load(struct core *core, vaddr address, unsigned size, uint32_t *value);
int core_store(struct core *core, vaddr address, unsigned size, uint32_t value);
/* Physical halves of the above, for models that time the access between translation and data. */
int core_load_physical(struct core *core, paddr pa, unsigned size, uint32_t *value);
int core_store_physical(struct core *core, paddr pa, unsigned size, uint32_t value);
/* Fetch the word at ADDRESS for execution; nonzero = exception raised. Code runs from RAM only: elsewhere IBE. */
int core_fetch(struct core *core, vaddr address, uint32_t *word);

/* RAM at [address, address+size) changed behind CPUs' backs (DMA, loader, debugger, another CPU's store into a
 * watched page): drop decoded code, break load-links. WRITER = the core that stored, or NULL. */
void core_memory_changed(struct core **cores, unsigned cpus, struct core *writer, paddr address, uint32_t size);
/* A model decoded code of this page: stores to it must take the slow path from now on, in all cores. */
void core_protect_code(struct core *core, paddr page);
/* The core stops running for now (end of its quantum) with a load-link outstanding: other cores' stores to that page
 * take the slow path, so that the link breaks exactly when it should. */
void core_watch_link(struct core *core);

/* Debugger access by virtual address, by the TLB or the guest's tables: copies up to SIZE bytes, returns the number
 * copied (stops at unmapped). */
uint32_t core_debug_read(struct core *core, vaddr address, void *buffer, uint32_t size);
uint32_t core_debug_write(struct core *core, vaddr address, const void *buffer, uint32_t size);

/* PC hooks. Adding or removing tells the model. Several hooks at one address run in the order added. */
void core_hook_add(struct core *core, vaddr address, pc_hook_fn *call, void *opaque);
void core_hook_remove(struct core *core, vaddr address, pc_hook_fn *call, void *opaque);
/* Run all hooks at ADDRESS; true = stop before the instruction. */
bool core_hook_run(struct core *core, vaddr address);
bool core_hook_present(const struct core *core, vaddr address);
/* May CORE have a hook before the instruction at PA? Code may run at several addresses: those of kseg0 and kseg1 are of
 * one physical page each, mapped ones may be of any. */
bool core_hook_reaches(const struct core *core, paddr pa);

/* Register this core's statistics under "cpuN.". */
void core_register_stats(struct core *core, struct stats *stats);
/* Parts of the names that these have: "cpu0.mode.user.stall.l1i". */
const char *core_mode_name(enum mode mode);
const char *core_exception_name(unsigned code); /* any number: "unknown" if the processor has no such exception */
const char *core_stall_name(enum stall stall);
const char *core_pipeline_name(enum pipeline_stall cause);
const char *core_miss_name(enum miss miss);
/* What is told of each mode besides counts: the formula with number INDEX from 0, "cpi" ... (NULL: there are no more),
 * and its value for BUCKET: 0 if there are no instructions. */
const char *core_bucket_formula_at(unsigned index);
double core_bucket_formula(unsigned index, const struct bucket *bucket);

/* Add the section "cpuN": architectural state, attribution, where the last run was interrupted. Between runs, with
 * attribution to the buckets of the modes. What follows from it is rebuilt when it is loaded: flat tables empty, the
 * model told to forget everything. */
void core_register_saved(struct core *core, struct saved *saved);

#endif
