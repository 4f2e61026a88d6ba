/*
 * mipsy: the single-issue model with blocking caches (SOSP'95 section 3.2). Every instruction takes one cycle; a cache
 * miss stalls the processor for its whole latency.
 *
 * How it works: the physical page that holds the code is decoded, instruction by instruction as it is reached, into an
 * array of struct insn whose `run` is the address of the label that executes it; execution jumps from label to label.
 * Where the modelled instruction cache has a line boundary, the array has an extra slot that looks the line up, so
 * straight-line code pays one lookup a line. Decoded pages are shared by all cores.
 *
 * Time is not counted instruction by instruction either. Since each takes one cycle and one slot, the time less the
 * address of the slot, in units of a slot's bytes (ticks), stays the same in straight-line code. Whether the run is to
 * end is looked at where control jumps and every MIPSY_WINDOW instructions; if the end comes before the next such
 * place, the slot of the first instruction that must not begin is replaced by an alarm.
 *
 * Private to cpu/mipsy.
 */
#ifndef SIMOS_CPU_MIPSY_H
#define SIMOS_CPU_MIPSY_H

#include "cpu/inorder/inorder.h"
#include "cpu/model.h"

enum {
    PAGE_INSNS = PAGE_SIZE / 4,
    MIPSY_WINDOW = 16, /* instructions; a power of two */
    MIPSY_TICKS = 16,  /* a cycle, in units of time of the interpreter: the bytes of a slot */
    MIPSY_TICK_SHIFT = 4,
    MIPSY_LIMITS = 4, /* times that are kept at hand, for so many lengths of a stretch of instructions */
};

/* The slot before the first instruction of a line, or of MIPSY_WINDOW. */
struct mipsy_line {
    const void *run;
    uint32_t quick;  /* number of the line's byte in core->quick[QUICK_CODE] */
    uint32_t offset; /* bytes from the start of the page */
};

union mipsy_slot {
    struct insn insn;
    struct mipsy_line line;
};
_Static_assert(sizeof(union mipsy_slot) == MIPSY_TICKS && (int)MIPSY_TICKS == (int)MEMSYS_TICKS, "a slot is a cycle");

/* What there is to a slot besides, this far behind it. */
struct mipsy_delayed {
    const void *run; /* executes it in a delay slot */
    int32_t after;   /* of a branch within its page: the place after its delay slot, */
    uint32_t quick;  /* and the number of that line's byte */
};
/* And as far again: the block (translator.h) that begins with the instruction. */
struct mipsy_entry {
    const uint8_t *code; /* where translated code goes to it */
    int32_t run;         /* of a slot that has the label `counted` or `block`: the one that executes its instruction
                            alone, less the label `nop` */
    union {
        struct {
            uint16_t body;  /* bytes from `code` to where its first line has been fetched */
            uint16_t limit; /* which of mipsy_hot's says that it can be executed */
        };
        uint32_t left; /* `counted`: how often control comes here before it is translated */
    };
};
enum {
    MIPSY_SLOTS_MAX = 2 * PAGE_INSNS + 1,
    MIPSY_DELAYED_OFFSET = MIPSY_SLOTS_MAX * MIPSY_TICKS,
    MIPSY_ENTRY_OFFSET = 2 * MIPSY_DELAYED_OFFSET,
};
_Static_assert(sizeof(struct mipsy_delayed) == MIPSY_TICKS && sizeof(struct mipsy_entry) == MIPSY_TICKS,
               "all arrays have the same step");

/* A decoded page. Slot layout: before each group of 2^group_shift instructions a slot for the line, for looking at the
 * time, or both; after the last instruction the page-end slot. What belongs to the slots follows at
 * MIPSY_DELAYED_OFFSET and MIPSY_ENTRY_OFFSET. */
struct mipsy_page {
    paddr page;
    vaddr place;       /* of its addresses the pages->place_bits */
    uint32_t number;   /* of all that were made */
    uint32_t quick;    /* number of the byte of its first line, less 0x8000 */
    uint32_t physical; /* what makes a byte's number that of the physical line, modulo 2^32 */
    bool uncached;     /* every fetch is an uncached access */
    bool decoded;      /* something is */
    bool hooked;       /* a hook may be called before one of its instructions; as of when the first was decoded */
    struct mipsy_page *next, *elsewhere; /* of pages->by_frame: the same in another place */
    uint64_t begins[PAGE_INSNS / 64];    /* bit by instruction: a block may begin there */
    union mipsy_slot slots[];
};

/* Labels of the interpreter, in order and in delay slots. */
struct mipsy_labels {
    struct mipsy_slot_labels {
        const void *decode;       /* not yet decoded */
        const void *line;         /* line lookup */
        const void *checked_line; /* looks at the time before */
        const void *check;        /* looks at the time */
        const void *page_end;     /* continue on the next virtual page */
        const void *slow;         /* the instruction is executed elsewhere */
        const void *alarm;        /* the run may end here */
        const void *nop;          /* the word 0 */
        const void *counted;      /* a block may begin here; not in delay slots */
        const void *block;        /* one does */
    } in_order, delayed;
    const void *const *insn;         /* by enum isa_id; of branches, for those within their page */
    const void *const *quiet_branch; /* ... with a delay slot that can neither fail nor touch a cache */
    const void *const *far_branch;   /* of other branches; NULL: not a branch */
    const void *const *delayed_insn; /* in a delay slot; NULL: a branch or jump, which are UNPREDICTABLE there */
};

struct mipsy;
struct mipsy_translator;

/* The decoded pages of one machine, shared by its cores. */
struct mipsy_pages {
    int users;
    unsigned group_shift; /* log2 of the instructions of a group */
    unsigned fetch_shift; /* as the cores' inorder.fetch_shift */
    vaddr place_bits;     /* of an address: where its page's lines may be in the instruction cache; 0: in one place */
    unsigned line_shift;  /* log2 of the instructions of a line */
    struct mipsy_labels labels;
    /* By index of an instruction in its page, its place: the offset of its slot in bytes (bits 15:0) and the number of
     * its line's byte, from that of the first line (bits 30:16); bit 31 is set. */
    uint32_t places[PAGE_INSNS];
    /* By number of a slot in its page, the index of its instruction (mipsy_index). */
    uint16_t index_of[MIPSY_SLOTS_MAX];
    struct mipsy_page **by_frame[2]; /* [uncached][physical page number]: one, then other places of it */
    struct mipsy_page *in_use, *spare;
    unsigned count, limit, made;
    struct mipsy_translator *translator; /* NULL: everything is interpreted */
    uint32_t translate_after;            /* times that control comes to a block */
    const uint8_t *no_block;             /* its code for a place where no block begins */
    unsigned forgotten;                  /* how often decoded instructions were */
    struct {
        union mipsy_slot *slot; /* which has the alarm's labels; NULL: none */
        const void *run, *delayed;
    } alarm;
};

typedef void mipsy_interpreter_fn(struct mipsy *m, struct mipsy_labels *labels);

struct mipsy {
    struct inorder in;
    struct mipsy_pages *pages;
    mipsy_interpreter_fn *interpreter;
};

/* What translated code and the interpreter tell each other (translator.h). */
struct mipsy_frame {
    int64_t now; /* time of the first instruction of the block at work, or of the one to go on with, ticks */
    struct mipsy_page *page; /* where control is, */
    vaddr base;              /* and its virtual address */
    uint32_t where;          /* to go on: as enum mipsy_leave says */
    uint32_t value;          /* loaded */
    uint32_t target;         /* of the jump whose delay slot is at work: where it goes; of a branch: is it taken? */
    uint64_t temporaries[4]; /* of the host's registers, while C code runs */
};

/* What the interpreter wants close at hand: in core->model_area. */
struct mipsy_hot {
    /* Ticks, by the number of instructions that follow (mipsy_limit_of): if an instruction begins later, the run may
     * end before the last of them. */
    int64_t limits[MIPSY_LIMITS];
    const uint32_t *places;
    cycles *fetch_times, *data_times;
    /* of the number of a line of instructions, of data: its set, for memsys_last_used; 0 without */
    uint32_t last_mask, last_data_mask;
    struct mipsy_frame frame;
    struct mipsy *mipsy; /* for what it calls */
};
_Static_assert(sizeof(struct mipsy_hot) <= CORE_MODEL_AREA, "room");

/* Which of the limits holds for an instruction that FOLLOW others follow, less than MIPSY_WINDOW. */
static inline unsigned mipsy_limit_of(unsigned follow)
{
    return follow / (MIPSY_WINDOW / MIPSY_LIMITS);
}
/* An instruction that begins later may be followed by the end of the run in its window. */
static inline int64_t mipsy_limit(const struct mipsy_hot *hot)
{
    return hot->limits[MIPSY_LIMITS - 1];
}

static inline struct mipsy_hot *mipsy_hot(struct core *core)
{
    return (struct mipsy_hot *)(void *)core->model_area;
}

/* The run lasts until m->in.end from now on. */
static inline void mipsy_set_limits(struct mipsy *m)
{
    struct mipsy_hot *hot = mipsy_hot(m->in.core);
    const int64_t end = (int64_t)m->in.end * MIPSY_TICKS;
    for (int i = 0; i < MIPSY_LIMITS; i++) {
        const int follow = (i + 1) * (MIPSY_WINDOW / MIPSY_LIMITS) - 1; /* at most */
        hot->limits[i] = end - follow * MIPSY_TICKS;
    }
}

/* pages.c */
/* No pages yet; at most LIMIT at a time. M is any core's, but for its pages. A block is translated when control has
 * come to it TRANSLATE_AFTER times; 0: never. Out of memory aborts. */
struct mipsy_pages *mipsy_pages_create(const struct mipsy *m, unsigned limit, uint32_t translate_after,
                                       const struct mipsy_labels *labels);
void mipsy_pages_free(struct mipsy_pages *pages);
/* The decoded page for the code at virtual PC, which is at physical PA; created if needed. May drop all pages (of all
 * cores) when the limit is reached. */
struct mipsy_page *mipsy_page_get(struct mipsy_pages *pages, struct core *core, vaddr pc, paddr pa, bool uncached);
/* The one that there is, or NULL. */
static inline struct mipsy_page *mipsy_page_find(const struct mipsy_pages *pages, vaddr pc, paddr pa, bool uncached)
{
    struct mipsy_page *page = pages->by_frame[uncached][pa >> PAGE_SHIFT];
    while (page != NULL && SIM_UNLIKELY(page->place != (pc & pages->place_bits)))
        page = page->elsewhere;
    return page;
}
/* Mark every instruction of physical PAGE as not decoded. */
void mipsy_pages_forget(struct mipsy_pages *pages, paddr page);
void mipsy_pages_forget_all(struct mipsy_pages *pages);
/* Decode the instruction of SLOT in PAGE. */
void mipsy_decode(struct mipsy_pages *pages, struct mipsy_page *page, const union mipsy_slot *slot, struct core *core);
/* May a hook be called before the instruction at INDEX of PAGE, on any core? */
bool mipsy_may_be_hooked(const struct mipsy_page *page, const struct core *core, unsigned index);
/* Control comes to the instruction at INDEX of PAGE from elsewhere than the one before it, or from one that is never
 * part of a block: one may begin there. INDEX may be beyond the page. */
void mipsy_note_beginning(struct mipsy_pages *pages, struct mipsy_page *page, unsigned index);
static inline bool mipsy_begins(const struct mipsy_page *page, unsigned index)
{
    return page->begins[index / 64 % (PAGE_INSNS / 64)] >> (index % 64) & 1;
}
static inline void mipsy_may_begin(struct mipsy_pages *pages, struct mipsy_page *page, unsigned index)
{
    if (SIM_UNLIKELY(!mipsy_begins(page, index)))
        mipsy_note_beginning(pages, page, index);
}
/* A block of COUNT instructions begins at SLOT with CODE, whose BODY is so many bytes on. CODE NULL: none does. */
void mipsy_set_block(struct mipsy_pages *pages, union mipsy_slot *slot, const uint8_t *code, uint32_t body,
                     unsigned count);

static inline union mipsy_slot *mipsy_place_slot(struct mipsy_page *page, uint32_t place)
{
    return (union mipsy_slot *)((char *)page->slots + (place & 0xffff));
}
/* The number of its line's byte. */
static inline uint32_t mipsy_place_quick(const struct mipsy_page *page, uint32_t place)
{
    return page->quick + (place >> 16);
}
static inline struct mipsy_delayed *mipsy_delayed(union mipsy_slot *slot)
{
    return (struct mipsy_delayed *)((char *)slot + MIPSY_DELAYED_OFFSET);
}
static inline struct mipsy_entry *mipsy_entry(const union mipsy_slot *slot)
{
    return (struct mipsy_entry *)((char *)slot + MIPSY_ENTRY_OFFSET);
}
/* Index of the instruction in SLOT of PAGE; of the one after it if SLOT is that before a group; 1024 for the page end.
 */
static inline unsigned mipsy_index(const struct mipsy_pages *pages, const struct mipsy_page *page,
                                   const union mipsy_slot *slot)
{
    return pages->index_of[slot - page->slots];
}

/* alarm.c: m->in.budget is up to date. */
/* The core wants attention: no instruction begins after the one at work. */
void mipsy_end_run(struct mipsy *m);
/* The instruction in SLOT of PAGE, or after SLOT, has taken its cycle: one of those that follow it in its window may be
 * the first that must not begin; then its slot gets the alarm. There is one at a time. */
void mipsy_alarm_after(struct mipsy *m, struct mipsy_page *page, const union mipsy_slot *slot);
/* Instead of the labels in the alarm's slot. */
void mipsy_alarm_set(struct mipsy_pages *pages, union mipsy_slot *slot);
static inline void mipsy_alarm_off(struct mipsy_pages *pages)
{
    union mipsy_slot *slot = pages->alarm.slot;
    if (slot == NULL)
        return;
    slot->insn.run = pages->alarm.run;
    mipsy_delayed(slot)->run = pages->alarm.delayed;
    pages->alarm.slot = NULL;
}

/* run_*.c: the interpreter, without caches, with them, and noting the time of each use of a line. Runs until budget is
 * used up or core->attention. With M = NULL only fills LABELS. */
void mipsy_run_flat(struct mipsy *m, struct mipsy_labels *labels);
void mipsy_run_cached(struct mipsy *m, struct mipsy_labels *labels);
void mipsy_run_noting(struct mipsy *m, struct mipsy_labels *labels);

/* The decoded page of the instruction at PC; NULL: exception raised. */
struct mipsy_page *mipsy_lookup(struct mipsy *m, vaddr pc);

#endif
