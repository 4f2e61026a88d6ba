/*
 * The binary translator (SOSP'95 section 3.1; Witchel and Rosenblum, SIGMETRICS'96). Guest code is translated to
 * machine code of the host, one superblock at a time: the basic blocks (ir.h) that follow one another from the entry
 * point.
 *
 * How it works:
 * - Code belongs to a page: a physical page at a virtual address in a mode. A page's table `entry` holds the address
 *   of the machine code for each of its instructions; the flat code tables point to these pages. Direct jumps are
 *   linked: directly within a page and between addresses that the TLB does not translate; otherwise the linked jump
 *   is guarded by a comparison of the flat table's entry with the page to which it was linked.
 * - Ten guest registers are allocated to host registers, which are valid at all boundaries between blocks. All other
 *   state is in struct core, addressed through a host register.
 * - A basic block subtracts its number of cycles from the budget at its start. If the budget does not suffice, the
 *   block is not entered; another translation of it, exact code, executes the remaining instructions one by one
 *   (exact.c), or inorder_step does. A block that is left early adds the cycles of the unexecuted instructions back. So
 *   a run ends at exactly the same instruction as if all were interpreted.
 * - Code memory is filled from one end; when it is full, all code is discarded. A store into a page with code resets
 *   that page's table and unlinks the jumps to it; the block that made the store is left right after it.
 * - With caches, the code tests the permission bytes of the first-level lines in the order in which they are used;
 *   what they do not permit goes to a stub. If every miss is classified, the code also records the time of each use.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_TRANSLATE_H
#define SIMOS_CPU_TRANSLATE_TRANSLATE_H

#include "cpu/observe/executions.h"
#include "cpu/translate/build.h"
#include "cpu/translate/model.h"

enum { PAGE_INSNS = PAGE_SIZE / 4 };

/* Reason for the return from translated code. */
enum translate_exit {
    TRANSLATE_NEXT, /* continue at s.pc */
    /* Interpret from s.pc up to the next transfer of control: the block needs more cycles than are left, is not
     * executed often enough to be translated, or begins in a line that was already fetched. */
    TRANSLATE_INTERPRET,
    TRANSLATE_INTERPRET_ONE, /* interpret the single instruction at s.pc */
    TRANSLATE_LEAVE,         /* the core requests attention; return before s.pc */
    TRANSLATE_CHARGED,       /* the instruction at s.pc has been charged its cycle and fetched, but not executed */
    TRANSLATE_MODE,          /* as TRANSLATE_CHARGED: the FPU is off or Status.FR differs */
    TRANSLATE_RETURNED,      /* an eret or exception took place and the core requests attention */
};

/* The translator's data that machine code addresses relative to the core: core->model_area. */
struct translate_frame {
    struct translated *owner;
    int64_t budget;       /* copy of the host register that holds the budget, while C code runs */
    int64_t saved_budget; /* the real budget, while exit_forced */
    /* Position of the operation that called C code: number of instructions of the block after this one, flags
     * (POSITION_...), and in one byte each the block's loads and stores after it. s.pc is the instruction's address. */
    uint32_t position;
    /* The run must end after the current delay slot: the budget has been replaced by a large negative number, so that
     * the next block exits at its start (forced exit). */
    bool exit_forced;
    enum translate_exit exit;        /* exit reason for STUB_EXIT_C */
    bool exit_requested;             /* leave translated code after this instruction */
    bool timed;                      /* the stall of the next access has already been charged (struct inorder) */
    uint64_t stack_top, stack_limit; /* host stack pointer with no guest call on the stack, and its lower limit */
    uint64_t value;                  /* value loaded; the mask of STORE_MERGED; the target of STUB_RFE */
    /* Where exact code was left, for the next run: written by that code, and by translate_note_resume(). */
    struct {
        uint32_t code; /* its address; 0: it was left elsewhere */
        uint32_t page; /* address of its page */
        vaddr pc;
        uint32_t discards; /* as in struct code_cache */
    } resume;
    uint64_t slots[16];                  /* spilled temporaries */
    uint64_t interlock[INTERLOCK_COUNT]; /* cycles of interlock that are not yet in the statistics */
    /* Floating point (fp.h). */
    uint32_t fp_last; /* enum fp_operation from which FCSR.Cause must be computed; FP_NONE: FCSR.Cause is up to date */
    uint32_t mxcsr;   /* scratch */
    uint32_t mxcsr_clear;    /* MXCSR value with no flags set, no traps, round to nearest */
    bool fp_careful;         /* FCSR does not allow the common case */
    uint64_t fp_operands[3]; /* fs, ft, fr */
    /* As in struct inorder: where the last-use times of lines are recorded, and the time at which the budget reaches 0.
     */
    struct memsys_uses fetch_uses, data_uses;
    cycles end;
};
_Static_assert(sizeof(struct translate_frame) <= CORE_MODEL_AREA, "the frame is in the core's model area");

/* The budget of a forced exit. */
#define TRANSLATE_FORCED_BUDGET (INT64_MIN / 2)

enum {
    POSITION_DELAY_SLOT = 1 << 8,
    /* In a loop: the stub reports an exception to the caller, which must restore the usual register allocation
     * first. */
    POSITION_IN_LOOP = 1 << 9,
    POSITION_SIZE_SHIFT = 10,    /* two bits: log2 of the access size in bytes */
    POSITION_UNTESTED = 1 << 12, /* in code that assumes its instruction cache lines hit, without testing them */
    POSITION_USER = 1 << 13,     /* in code of user mode */
};

static inline struct translate_frame *translate_frame(struct core *core)
{
    return (struct translate_frame *)(void *)core->model_area;
}

/* Where exact code of an instruction is entered: addresses of machine code, 0: there is none. */
struct exact_entry {
    uint32_t code;
    /* Behind the budget check and the fetch of the line. 0 for a branch: its delay slot needs a cycle, and if that were
     * left, the branch would not have been left. */
    uint32_t begun;
};

/* The code of a page, at one virtual address in one mode. What a search reads is in one line of the host's cache. */
struct code_page {
    uint32_t entry[PAGE_INSNS]; /* must be first: address of the machine code; the lookup stub if not translated */
    paddr frame;
    vaddr page;
    bool user;
    bool uncached; /* mapped uncached: every fetch is an uncached access; never translated */
    bool has_code;
    bool loops_known;
    uint32_t line;  /* index of the permission byte of its first line */
    uint32_t links; /* head of the list of jumps linked to this page, chained through code_link.next; 0: empty */
    struct code_page *next;    /* next page with the same frame */
    struct exact_entry *exact; /* [PAGE_INSNS], in code memory: the exact code (exact.c); NULL: none */
    /* Number of instructions interpreted from each address while it was not translated. */
    alignas(64) uint32_t interpreted[PAGE_INSNS];
    uint8_t loops[PAGE_INSNS];               /* enum loop_head of each instruction */
    uint64_t branches_back[PAGE_INSNS / 64]; /* the instructions that branch back within the page */
};

/* A direct jump that can be linked (patch site). */
struct code_link {
    uint32_t jump;      /* address of the jump's displacement field */
    uint32_t check;     /* address of the immediate operand compared with the flat table's entry; 0: no comparison */
    uint32_t exit_stub; /* exit stub, target of the jump while it is not linked */
    vaddr target;
    struct code_page *to;    /* page to which it is linked, and in whose list it is */
    uint32_t next, previous; /* links in that list; 0: none */
    uint32_t code;           /* linked to: there */
};

/* Stubs: out-of-line code shared by all superblocks. */
enum translate_stub {
    STUB_ENTER,
    STUB_EXIT,
    STUB_EXIT_C, /* exit for frame->exit */
    STUB_LOOKUP,
    STUB_LOOKUP_IN_C,
    STUB_BUDGET,
    STUB_LINK,
    STUB_FAULT,
    STUB_TRAP,
    STUB_REFILL_LOAD,
    STUB_REFILL_STORE,
    STUB_REFILL_FETCH,
    STUB_ERET,
    STUB_RFE,
    STUB_LEAVE,
    STUB_BEGUN,
    STUB_MODE,
    STUB_FORCE_EXIT,
    STUB_CALL,
    STUB_FPU,
    STUB_FETCH,
    STUB_READ_LINE, /* one per mode */
    STUB_WRITE_LINE = STUB_READ_LINE + VMAP_MODES,
    STUB_LOAD = STUB_WRITE_LINE + VMAP_MODES, /* one per enum ir_type */
    STUB_LOAD64 = STUB_LOAD + 5,
    STUB_LOAD_UNALIGNED,
    STUB_LOAD_LINKED,
    STUB_STORE, /* one per enum ir_type */
    STUB_STORE64 = STUB_STORE + 5,
    STUB_STORE_MERGED,
    STUB_STORE_CONDITIONAL,
    STUB_LIST_COUNTER,
    STUB_LIST_PROFILED,
    STUB_INDIRECT_CALL,
    STUB_COUNT
};

/* Statistics of the translator's own work, in the order of embra_figures. */
struct translate_figures {
    uint64_t superblocks, translated_insns, code_bytes, dropped_pages, flushes;
};

/* Translated code, shared by the cores of a machine. All of it is below 2 GB. */
struct code_cache {
    int users;
    const struct architecture *architecture; /* of all cores */
    uint64_t hot_threshold;                  /* as in struct translate_options */
    bool is_listing;                         /* holds code to be printed, not executed: it counts nothing */
    bool cached;                             /* caches are modelled, with this geometry on all cores: */
    uint32_t fetch_line, data_line;          /* line sizes in bytes */
    const struct layout_map *layout;         /* as in struct inorder */
    uint32_t fetch_sets, data_sets; /* this field, data_sets, fetch_shift and data_shift: as in struct inorder */
    uint8_t fetch_shift, data_shift;
    bool data_by_physical_line; /* with caches: permission bytes of data are indexed by physical line number */
    bool records_use_stamps;    /* with caches: the time of each use of a line is recorded */
    vaddr fetch_index_bits;     /* this field and prefetches: as in struct inorder */
    bool prefetches;
    const struct interlock_costs *costs; /* NULL: every instruction takes one cycle; otherwise: */
    struct interlock_costs costs_of_models;
    uint8_t *code, *code_end; /* memory for code; the stubs come first */
    uint8_t *stubs_end;       /* end of the stubs */
    uint8_t *next_free;       /* start of free memory */
    uint32_t stub[STUB_COUNT];

    struct code_page **by_frame; /* indexed by physical page number */
    struct code_page *pages;     /* storage of all pages */
    unsigned page_count, page_limit;
    /* With fetch_index_bits, the lines of a page may be in several groups of sets of the instruction cache, with
     * separate permission bytes for each: block N of them begins at byte N * (number of lines of a page). */
    paddr *line_block_frame; /* [block]: the frame it belongs to */
    unsigned line_block_count;
    struct code_link *links;
    unsigned link_count, link_limit;
    struct executed_block *blocks; /* the blocks of code that counts executions */
    unsigned block_count, block_limit;
    uint32_t discards;               /* number of times that code was discarded */
    bool full;                       /* some resource is exhausted: discard all code at the next opportunity */
    struct ir_superblock superblock; /* the superblock being translated */
    struct host_emitter *emitter;

    struct translate_figures figures;
};

struct translated {
    struct inorder in; /* must be first: see build_rows.c */
    struct code_cache *cache;
    struct translate_frame *frame;
    /* [block of the code cache's line_block_frame]: the address space whose sets the permission bytes of its lines are
     * for; NULL: the address space selects no set */
    uint8_t *block_space;
    bool in_code; /* frame->budget is up to date, in.budget is not */
    bool entered; /* translated code runs, or C code that it called */
};

/* Physical address of the instruction at PC of PAGE, and its line as the caches see it. */
static inline paddr code_address(const struct code_page *page, vaddr pc)
{
    return page->frame | (pc & (PAGE_SIZE - 1));
}
static inline paddr code_line(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return layout_code(cache->layout, code_address(page, pc)) & ~(cache->fetch_line - 1);
}
/* Number of the permission byte of LINE, a line of PAGE: the physical line number, unless fetch_index_bits is set. */
static inline uint32_t code_line_number(const struct code_cache *cache, const struct code_page *page, paddr line)
{
    return page->line + (line >> cache->fetch_shift) - (page->frame >> cache->fetch_shift);
}

static inline struct translated *translated_of(struct inorder *in)
{
    return (struct translated *)in; /* its first member */
}
static inline struct translated *translated_core(struct core *core)
{
    return translate_frame(core)->owner;
}

/* code_cache.c */
/* Abort if out of memory. NULL with ERR set: the host refuses executable memory. */
struct code_cache *code_cache_create(const struct translated *e, const struct translate_options *options,
                                     struct err *err);
void code_cache_free(struct code_cache *cache);
/* The page of physical FRAME at virtual PAGE in the given mode, cached or uncached; NULL if there is none yet. */
struct code_page *code_page_find(const struct code_cache *cache, paddr frame, vaddr page, bool user, bool uncached);
/* The same, created if necessary. With
 * fetch_index_bits, the permission bytes of a new page's lines are cleared on all cores of CORE's machine; CORE is NULL
 * for code that is not executed. Returns NULL if there is no room, with cache->full set. */
struct code_page *code_page_get(struct code_cache *cache, const struct core *core, paddr frame, vaddr page, bool user,
                                bool uncached);
/* Discard the code of physical page FRAME; of all pages; of PAGE. */
void code_discard_frame(struct code_cache *cache, paddr frame);
void code_discard_all(struct code_cache *cache);
void code_discard_page(struct code_cache *cache, struct code_page *page);
/* Allocate page->exact in code memory, which must have room for a superblock. */
void code_add_exact_table(struct code_cache *cache, struct code_page *page);
/* Discard all code and all pages. Must not be called while translated code runs. CORE: any core of the machine. */
void code_flush(struct code_cache *cache, struct core *core);
/* Add an unlinked link; returns its number, 0: no room. */
uint32_t code_link_add(struct code_cache *cache, struct code_link link);
/* Link the jump to CODE, in PAGE. */
void code_link_to(struct code_cache *cache, uint32_t index, struct code_page *page, uint32_t code);

/* Number of instructions in the current block after the one that FRAME->position records. */
static inline unsigned translate_insns_left(const struct translate_frame *frame)
{
    return frame->position & 0xff;
}

/* The machine code that leaves translated code by EXIT; for C functions that machine code called. */
static inline uint32_t leave_code(struct translated *e, enum translate_exit exit)
{
    e->frame->exit = exit;
    return e->cache->stub[STUB_EXIT_C];
}

static inline bool code_is_translated(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return page->entry[pc >> 2 & (PAGE_INSNS - 1)] != cache->stub[STUB_LOOKUP];
}

/* Does the lookup for a single access produce the host address of the data? Otherwise it produces the flat table's
 * entry. */
static inline bool code_finds_host_address(const struct code_cache *cache)
{
    return cache->data_by_physical_line || cache->records_use_stamps;
}

/* Exact code for PC in PAGE; 0: none. */
static inline uint32_t code_exact(const struct code_page *page, vaddr pc)
{
    return page->exact != NULL ? page->exact[pc >> 2 & (PAGE_INSNS - 1)].code : 0;
}

/* superblocks.c */
/* How to translate a superblock: exact code is entered and left at each instruction (exact.c). */
enum superblock_kind { SUPERBLOCK_NORMAL, SUPERBLOCK_EXACT };
/* Translate the superblock that begins at PC in PAGE. False: no room; cache->full is set. */
bool translate_superblock(struct translated *e, struct code_page *page, vaddr pc, enum superblock_kind kind);
/* Only the translation, into a cache with room that need not belong to CORE: no statistics, no change to CORE. */
void translate_make_superblock(struct code_cache *cache, const struct core *core, struct code_page *page, vaddr pc,
                               enum superblock_kind kind);

/* exact.c */
/* As translate_next(), at the start of a run, which may be in the middle of a basic block. */
uint32_t translate_enter(struct translated *e);
/* Called by a stub: the basic block at s.pc needs more than the cycles that are left, one at least. Returns the address
 * of the machine code at which to continue. */
uint32_t translate_on_budget(struct core *core);
/* Likewise: the cycles left, which may be negative, do not suffice for the rest of the block, whose instruction at s.pc
 * has been charged its cycle and fetched, but not executed. */
uint32_t translate_on_begun(struct core *core);
/* Translated code has been left: note whether the next run can begin where it was left. */
void translate_note_resume(struct translated *e);

/* runtime.c: address of the machine code at which to continue, from the core's state. Takes exceptions of the fetch;
 * translates if necessary. */
uint32_t translate_next(struct translated *e);
/* The C functions called by the stubs. */
uint32_t translate_on_lookup(struct core *core);
uint32_t translate_on_link(struct core *core, uint32_t index);
uint32_t translate_on_fault(struct core *core);
uint32_t translate_on_trap(struct core *core, uint32_t code);
/* A TLB refill exception with CODE of an access to ADDRESS. */
uint32_t translate_on_refill(struct core *core, vaddr address, uint32_t code);
uint32_t translate_on_eret(struct core *core);
/* OPERATION, of cache or synci, which takes time only if the page-table walker walks for its address. */
int translate_on_line_operation(struct core *core, const struct insn *insn,
                                int (*operation)(struct inorder *in, const struct insn *insn));
/* rfe in the delay slot of a jump to frame->value. */
uint32_t translate_on_rfe(struct core *core);
/* Add the interlocks since the last call to the statistics. */
void translate_flush_counts(struct translated *e);
/* Stall in cycles, at most INT32_MAX, of fetching the line at physical address LINE (with fetch_index_bits: the line
 * whose permission byte has index LINE), or of an access to the line of ADDRESS. Negative: ADDRESS is not cached RAM in
 * the flat tables, and nothing was done. */
int64_t translate_on_fetch(struct core *core, uint32_t line);
int64_t translate_on_read_line(struct core *core, vaddr address);
int64_t translate_on_write_line(struct core *core, vaddr address);
/* pref and prefx, as semantic_fn. */
int translate_on_prefetch(struct core *core, const struct insn *insn);
int translate_on_prefetch_indexed(struct core *core, const struct insn *insn);
typedef int translate_access_fn(struct core *core, vaddr address, uint64_t value);
extern translate_access_fn *const translate_access_functions[STUB_COUNT]; /* from STUB_LOAD on */

#endif
