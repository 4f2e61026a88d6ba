/*
 * mipsy: the single-issue model with blocking caches (SOSP'95 section 3.2). Every instruction takes one cycle; a cache
 * miss stalls the processor for its whole latency.
 *
 * How it works: the physical page that holds the code is decoded, instruction by instruction as it is reached, into an
 * array of struct insn whose `run` is the address of the label that executes it; execution jumps from label to label.
 * Where the modelled instruction cache has a line boundary, the array has an extra slot that looks the line up, so
 * straight-line code pays one lookup a line. Decoded pages are shared by all cores.
 *
 * Private to cpu/mipsy.
 */
#ifndef SIMOS_CPU_MIPSY_H
#define SIMOS_CPU_MIPSY_H

#include "cpu/inorder/inorder.h"
#include "cpu/model.h"

enum { PAGE_INSNS = PAGE_SIZE / 4 };

/* The slot before the first instruction of a line: the number of its byte in core->quick[QUICK_CODE]. */
struct mipsy_line {
    const void *run;
    uint32_t quick;
    paddr address;
};
_Static_assert(sizeof(struct mipsy_line) == sizeof(struct insn), "a line slot is a slot");

union mipsy_slot {
    struct insn insn;
    struct mipsy_line line;
};

/* A decoded page. Slot layout: before each group of 2^group_shift instructions a line-lookup slot; after the last
 * instruction the page-end slot. */
struct mipsy_page {
    paddr page;
    bool uncached; /* every fetch is an uncached access */
    struct mipsy_page *next;
    union mipsy_slot slots[];
};

/* Where in the slots an instruction is, and the line slot before it: by index in the page. */
struct mipsy_place {
    uint16_t slot, line;
};

/* Labels of the interpreter that page slots start with. */
struct mipsy_labels {
    const void *decode;          /* not yet decoded */
    const void *line;            /* line lookup */
    const void *page_end;        /* continue on the next virtual page */
    const void *slow;            /* hooks or uncached fetch before the instruction */
    const void *nop;             /* the word 0 */
    const void *const *insn;     /* by enum isa_id */
    const void *const *with_nop; /* branches that execute the nop in their delay slot too; NULL: not a branch */
};

/* The decoded pages of one machine, shared by its cores. */
struct mipsy_pages {
    int users;
    unsigned group_shift; /* log2 of instructions a line; 10 without caches */
    unsigned fetch_shift; /* as the cores' inorder.fetch_shift */
    struct mipsy_labels labels;
    struct mipsy_place places[PAGE_INSNS];
    struct mipsy_page **by_frame[2]; /* [uncached][physical page number] */
    struct mipsy_page *in_use, *spare;
    unsigned count, limit;
};

struct mipsy {
    struct inorder in;
    struct mipsy_pages *pages;
};

/* pages.c */
/* No pages yet; at most LIMIT at a time. IN is any core's. Out of memory aborts. */
struct mipsy_pages *mipsy_pages_create(const struct inorder *in, unsigned limit, const struct mipsy_labels *labels);
void mipsy_pages_free(struct mipsy_pages *pages);
/* The decoded page of physical PAGE, created if needed. May drop all pages (of all cores) when the limit is reached. */
struct mipsy_page *mipsy_page_get(struct mipsy_pages *pages, struct core *core, paddr page, bool uncached);
/* Mark every instruction of physical PAGE as not decoded. */
void mipsy_pages_forget(struct mipsy_pages *pages, paddr page);
void mipsy_pages_forget_all(struct mipsy_pages *pages);
/* Decode the instruction at INDEX (0..1023) of PAGE in its slot. */
void mipsy_decode(struct mipsy_pages *pages, struct mipsy_page *page, unsigned index, struct core *core);

static inline unsigned mipsy_slot(unsigned group_shift, unsigned index)
{
    return index + (index >> group_shift) + 1;
}
/* Index of the instruction in SLOT; for a line slot, that of the instruction after it; 1024 for the page end. */
static inline unsigned mipsy_index(unsigned group_shift, unsigned slot)
{
    unsigned group = 1u << group_shift;
    unsigned quotient = slot / (group + 1), rest = slot % (group + 1);
    return quotient * group + (rest ? rest - 1 : 0);
}

/* run_flat.c, run_cached.c, run_noting.c: the interpreter, without caches, with them, and noting the time of each use
 * of a line. Runs until budget is used up or core->attention. With M = NULL only fills LABELS. */
void mipsy_run_flat(struct mipsy *m, struct mipsy_labels *labels);
void mipsy_run_cached(struct mipsy *m, struct mipsy_labels *labels);
void mipsy_run_noting(struct mipsy *m, struct mipsy_labels *labels);

/* The decoded page of the instruction at PC; NULL: exception raised. */
struct mipsy_page *mipsy_lookup(struct mipsy *m, vaddr pc);

#endif
