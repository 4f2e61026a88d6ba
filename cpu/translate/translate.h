/*
 * The binary translator (SOSP'95 section 3.1; Witchel and Rosenblum, SIGMETRICS'96). Guest code is translated to
 * machine code of the host, a trace at a time: the segments (ir.h) that follow each other from where control came in.
 *
 * How it works:
 * - Code belongs to a page: a physical page at a virtual address in a mode. A page's table `entry` says for each of its
 *   instructions where the machine code is; the entries of the flat code tables are these pages. Direct jumps are
 *   linked: in a page and between addresses that the TLB does not translate at once, otherwise behind a comparison of
 *   the flat table's entry with the page that it was linked to.
 * - Ten of the guest's registers have a register of the host; it holds whenever control is between segments. All other
 *   state is in struct core, which a host register points to.
 * - A segment takes its cycles from the budget at its beginning, or is not begun: then the instructions that are left
 *   are executed one by one (inorder_step). What leaves a segment in the middle gives back the rest. So a run ends at
 *   exactly the instruction that it would end at if each was executed by itself.
 * - Code memory is filled from one end; when it is full everything is dropped. A store into a page with code resets
 *   that page's table and unlinks the jumps to it, and the store's own segment is left behind the store.
 * - With caches the code itself looks at the quick-check bytes of the first level, in the order in which the lines are
 *   used; what they do not allow is called. If every miss is classified it notes the time of each use.
 *
 * Private to cpu/translate.
 */
#ifndef SIMOS_CPU_TRANSLATE_H
#define SIMOS_CPU_TRANSLATE_H

#include "cpu/translate/build.h"
#include "cpu/translate/model.h"

enum { PAGE_INSNS = PAGE_SIZE / 4 };

/* Why translated code returned. */
enum translate_exit {
    TRANSLATE_NEXT,     /* s.pc is where to go on */
    TRANSLATE_STEP_ON,  /* what begins at s.pc is not for translated code up to the next transfer of control: the
                           segment needs more cycles than are left, is not worth translating yet, or its line has
                           been fetched */
    TRANSLATE_STEP,     /* the instruction at s.pc is not */
    TRANSLATE_LEAVE,    /* the core wants to leave before s.pc */
    TRANSLATE_BEGUN,    /* the instruction at s.pc has taken its cycle and been fetched, but not been executed */
    TRANSLATE_MODE,     /* the same: the FPU is off or in the other mode */
    TRANSLATE_RETURNED, /* there has been an eret or an exception, and the core wants to leave */
};

/* What translated code reaches relative to the core, besides its state: core->model_area. */
struct translate_frame {
    struct translated *owner;
    int64_t budget; /* the host register's, while C code runs */
    int64_t parked; /* the true budget, while is_parked */
    /* Where the operation is that called C code: instructions of the segment after this one, flags (SITE_...), and its
     * loads and stores that come after it, a byte each. s.pc is the instruction's address. */
    uint32_t site;
    bool is_parked; /* the core wants to leave after a delay slot: the budget has been made so small that the next
                       segment is not begun */
    enum translate_exit exit;    /* of THUNK_EXIT_C */
    bool leave;                  /* leave after this instruction */
    bool timed;                  /* the next access is: struct inorder */
    uint64_t stack, stack_limit; /* host stack pointer with none of the guest's calls on it, and with the most */
    uint64_t value;              /* loaded; or the mask of STORE_MERGED */
    uint64_t slots[16];          /* temporaries */
    struct memsys_short_cut fetch_cut, data_cut; /* x86_short_cut.c; open: NULL if there are none */
    uint64_t misses[3];       /* that those have dealt with, by enum memsys_access: hits of the second level, */
    uint64_t outer_misses[3]; /* and misses of both */
    uint64_t modified;        /* MODIFIED lines that have left: 2 each */
    /* Floating point (fp.h). */
    uint32_t fp_last;        /* enum fp_operation: FCSR.Cause is to be made from it and its operands; 0: it is there */
    uint32_t mxcsr;          /* scratch */
    uint32_t mxcsr_clear;    /* the host's: no flags, no traps, to nearest */
    bool fp_careful;         /* FCSR does not allow the common case */
    uint64_t fp_operands[3]; /* fs, ft, fr */
    /* As in struct inorder: where the time of each use of a line is noted, and when the budget reaches 0. */
    cycles *fetch_times, *data_times;
    cycles end;
};
_Static_assert(sizeof(struct translate_frame) <= CORE_MODEL_AREA, "the frame is in the core's model area");

enum {
    SITE_DELAY_SLOT = 1 << 8,
    SITE_RETURNS = 1 << 9, /* an exception is told to the translated code, which has registers to put in place first */
    SITE_SIZE_SHIFT = 10,  /* two bits: log2 of the bytes of the access */
    SITE_UNCHECKED = 1 << 12, /* in code that takes lines of the instruction cache for granted */
};

static inline struct translate_frame *translate_frame(struct core *core)
{
    return (struct translate_frame *)(void *)core->model_area;
}

struct code_page {
    uint32_t entry[PAGE_INSNS]; /* must be first: where the code is; lookup thunk: not translated */
    paddr frame;
    vaddr page;
    bool user;
    bool has_code;
    uint32_t interpreted[PAGE_INSNS]; /* instructions from there on, while it was not translated */
    uint8_t loops[PAGE_INSNS];        /* what is known of each instruction as the head of a loop: enum loop_head */
    bool loops_known;
    bool uncached;          /* every fetch is an uncached access: never translated */
    uint32_t line;          /* number of the quick byte of its first line */
    uint32_t links;         /* jumps to here: chain through code_link.next; 0 ends it */
    struct code_page *next; /* of the same frame */
};

/* A direct jump that can be linked. */
struct code_link {
    uint32_t place; /* the jump's distance field */
    uint32_t check; /* the immediate that the flat table's entry is compared with; 0: no comparison */
    uint32_t stub;  /* where the jump goes while it is not linked */
    vaddr target;
    struct code_page *to;    /* linked to that page: in its chain */
    uint32_t next, previous; /* 0: none */
};

/* Addresses of the code that all blocks share. */
enum translate_thunk {
    THUNK_ENTER,
    THUNK_EXIT,
    THUNK_EXIT_C, /* with the frame's exit */
    THUNK_LOOKUP,
    THUNK_LINK,
    THUNK_FAULT,
    THUNK_TRAP,
    THUNK_ERET,
    THUNK_LEAVE,
    THUNK_BEGUN,
    THUNK_MODE,
    THUNK_PARK,
    THUNK_CALL,
    THUNK_FPU,
    THUNK_FETCH,
    THUNK_READ_LINE, /* by mode */
    THUNK_WRITE_LINE = THUNK_READ_LINE + VMAP_MODES,
    THUNK_LOAD = THUNK_WRITE_LINE + VMAP_MODES, /* by enum ir_type */
    THUNK_LOAD64 = THUNK_LOAD + 5,
    THUNK_LOAD_UNALIGNED,
    THUNK_LOAD_LINKED,
    THUNK_STORE, /* by enum ir_type */
    THUNK_STORE64 = THUNK_STORE + 5,
    THUNK_STORE_MERGED,
    THUNK_STORE_CONDITIONAL,
    THUNK_COUNT
};

/* What the model counts of its own work; a row of embra_figures each, in this order. */
struct translate_figures {
    uint64_t traces, translated_insns, code_bytes, dropped_pages, flushes;
};

/* Translated code, shared by the cores of a machine. All of it lies below 2 GB. */
struct code_cache {
    int users;
    uint64_t after;                 /* as in struct translate_options */
    bool cached;                    /* with caches, of this geometry on all cores: */
    uint32_t fetch_line, data_line; /* bytes */
    uint32_t fetch_sets, data_sets; /* as in struct inorder, like the next two */
    uint8_t fetch_shift, data_shift;
    bool data_by_number; /* with caches: quick bytes of data are found by number of the physical line */
    bool notes_times;    /* with caches: the time of each use of a line is noted */
    vaddr fetch_virtual; /* as in struct inorder, like the next */
    bool prefetches;
    struct memsys_short_cut fetch_cut, data_cut; /* their geometry, the same on all cores */
    uint8_t *code, *code_end;                    /* memory for code; thunks first */
    uint8_t *first;                              /* behind the thunks */
    uint8_t *at;                                 /* free from here on */
    uint32_t thunk[THUNK_COUNT];

    struct code_page **by_frame; /* [physical page number] */
    struct code_page *pages;     /* memory for all of them */
    unsigned page_count, page_limit;
    /* With fetch_virtual a page's lines may be in several places of the instruction cache, and have quick bytes for
     * each: those of block N of them begin with the byte that has N times the number of a page's lines. */
    paddr *place_frame; /* [block] */
    unsigned place_count;
    struct code_link *links;
    unsigned link_count, link_limit;
    bool full;             /* something has run out: drop everything at the next opportunity */
    struct ir_trace trace; /* the one at work */
    struct host_emitter *emitter;

    struct translate_figures figures;
};

struct translated {
    struct inorder in; /* must be first: see build_rows.c */
    struct code_cache *cache;
    struct translate_frame *frame;
    bool in_code; /* the frame's budget is up to date, in.budget is not */
};

static inline struct translated *translated_of(struct inorder *in)
{
    return (struct translated *)in; /* its first member */
}
static inline struct translated *translated_core(struct core *core)
{
    return translate_frame(core)->owner;
}

/* code_cache.c */
/* Out of memory aborts. NULL with ERR: the host refuses. */
struct code_cache *code_cache_create(const struct translated *e, const struct translate_options *options,
                                     struct err *err);
void code_cache_free(struct code_cache *cache);
/* The page of physical FRAME at virtual PAGE in that mode, fetched from the cache or not, created if needed. With
 * fetch_virtual the quick bytes of a new page's lines are cleared on all cores of CORE's machine; CORE is NULL for code
 * that will not be executed. Returns NULL if there is no room; cache->full is set then. */
struct code_page *code_page_get(struct code_cache *cache, const struct core *core, paddr frame, vaddr page, bool user,
                                bool uncached);
/* Forget the code of a physical page, of all. */
void code_forget_frame(struct code_cache *cache, paddr frame);
void code_forget_all(struct code_cache *cache);
void code_forget_page(struct code_cache *cache, struct code_page *page);
/* Empty everything, pages too. Not while translated code runs. CORE: any of the machine. */
void code_flush(struct code_cache *cache, struct core *core);
/* A new link that stands at STUB; 0: no room. */
uint32_t code_link_add(struct code_cache *cache, struct code_link link);
/* The jump goes to CODE of PAGE from now on. */
void code_link_to(struct code_cache *cache, uint32_t index, struct code_page *page, uint32_t code);

/* Instructions of the segment at work that come after the one that FRAME's site tells of. */
static inline unsigned translate_site_left(const struct translate_frame *frame)
{
    return frame->site & 0xff;
}

static inline bool code_is_translated(const struct code_cache *cache, const struct code_page *page, vaddr pc)
{
    return page->entry[pc >> 2 & (PAGE_INSNS - 1)] != cache->thunk[THUNK_LOOKUP];
}

/* Does the lookup of a single access give the host's address of the data? Otherwise the flat table's entry. */
static inline bool code_finds_host_address(const struct code_cache *cache)
{
    return cache->data_by_number || cache->notes_times;
}

/* traces.c */
/* Translate the trace that begins at PC in PAGE. False: no room; cache->full is set. */
bool translate_trace(struct translated *e, struct code_page *page, vaddr pc);
/* Only the translation, into a cache with room that need not be CORE's: nothing is counted, nothing changes in CORE. */
void translate_make_trace(struct code_cache *cache, const struct core *core, struct code_page *page, vaddr pc);

/* runtime.c: where translated code is to go on, from the core's state. Takes exceptions of fetching, translates. */
uint32_t translate_next(struct translated *e);
/* The C side of the thunks. */
uint32_t translate_on_lookup(struct core *core);
uint32_t translate_on_link(struct core *core, uint32_t index);
uint32_t translate_on_fault(struct core *core);
uint32_t translate_on_trap(struct core *core, uint32_t code);
uint32_t translate_on_eret(struct core *core);
/* Account for what the short cuts have done since the last time. */
void translate_settle(struct translated *e);
/* The stall of fetching the line at physical address LINE, or, with fetch_virtual, of the line whose byte has the
 * number LINE; of an access to the line of ADDRESS, at most INT32_MAX; less than 0: that is not cached RAM at hand,
 * nothing has been done. */
int64_t translate_on_fetch(struct core *core, uint32_t line);
int64_t translate_on_read_line(struct core *core, vaddr address);
int64_t translate_on_write_line(struct core *core, vaddr address);
/* pref: a semantic_fn. */
int translate_on_prefetch(struct core *core, const struct insn *insn);
typedef int translate_access_fn(struct core *core, vaddr address, uint64_t value);
extern translate_access_fn *const translate_access_functions[THUNK_COUNT]; /* from THUNK_LOAD on */

#endif
