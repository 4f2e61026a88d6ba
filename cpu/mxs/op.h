/*
 * Predecoded instructions: what mxs keeps of the guest's code. One table a physical page, made when its first
 * instruction is fetched; a store into the page marks all of it as not decoded.
 */
#ifndef SIMOS_CPU_MXS_OP_H
#define SIMOS_CPU_MXS_OP_H

#include "cpu/core.h"

/*
 * Names of what instructions read and write, as they are renamed: general registers by number, the words of the
 * floating-point registers, the condition codes. $zero is never written; what would write it has no destination.
 */
enum {
    NAME_HI = GPR_COUNT, /* as in struct cpu */
    NAME_LO,
    NAME_FPR_LOW, /* 32: fpr[n][0] */
    NAME_FPR_HIGH = NAME_FPR_LOW + 32,
    NAME_FCC = NAME_FPR_HIGH + 32, /* 8 condition codes, each 0 or 1 */
    NAME_COUNT = NAME_FCC + 8,
};
enum { OP_SOURCES = 6, OP_RESULTS = 2 };

enum {
    OP_DECODED = 1 << 0,
    OP_HEAD = 1 << 1,        /* executes alone when it is the oldest instruction */
    OP_STOPS_FETCH = 1 << 2, /* what follows is known when it has executed */
    OP_LOAD = 1 << 3,
    OP_STORE = 1 << 4,
    OP_MEMORY = OP_LOAD | OP_STORE,
    OP_CONTROL = 1 << 5,     /* branch or jump, has a delay slot */
    OP_CONDITIONAL = 1 << 6, /* whether it goes to its target depends */
    OP_INDIRECT = 1 << 7,    /* goes where a register says */
    OP_CALL = 1 << 8,
    OP_RETURN = 1 << 9,
    OP_LIKELY = 1 << 10,
    OP_DOUBLE = 1 << 11,   /* some operand is a 64-bit floating-point register: with Status.FR = 0 a pair */
    OP_FCSR = 1 << 12,     /* reports to FCSR's Cause and Flags */
    OP_HOOKED = 1 << 13,   /* a PC hook may be at its address */
    OP_ABSOLUTE = 1 << 14, /* the target is a place in the region, not a distance */
    OP_UNUSUAL = 1 << 15,  /* operands beyond the integer registers, or more than two sources or one result */
};

struct mxs_op {
    struct insn insn;
    uint16_t id, flags;
    uint16_t index;              /* in its page */
    uint8_t unit, latency;       /* enum insn_class; cycles */
    uint8_t sources, addressing; /* number of sources; of those that it needs to begin: not the value of a store, which
                                    is the last, if it is no OP_UNUSUAL */
    uint8_t results;
    uint8_t wide_sources, wide_results; /* bits: which are low words of 64-bit floating-point operands */
    uint8_t source[OP_SOURCES], result[OP_RESULTS];
};

enum { OP_PAGE_INSNS = PAGE_SIZE / 4 };

struct mxs_page {
    struct mxs_page *next;
    paddr page;
    bool uncached, decoded;
    struct mxs_op op[OP_PAGE_INSNS];
};

struct mxs_pages;

/* LATENCY by enum insn_class, read as long as the pages exist. PREFETCHES: prefetch instructions do something. */
struct mxs_pages *mxs_pages_create(const uint8_t *latency, bool prefetches);
void mxs_pages_free(struct mxs_pages *pages);
/* The page at physical PAGE. */
struct mxs_page *mxs_page_get(struct mxs_pages *pages, paddr page, bool uncached);
/* Are there as many as are kept? Then all of CORE are dropped for which USED does not say that they are in use. */
bool mxs_pages_are_full(const struct mxs_pages *pages);
void mxs_pages_drop(struct mxs_pages *pages, struct core *core,
                    bool (*used)(const void *opaque, const struct mxs_page *page), const void *opaque);
/* The page at physical PAGE if it has something decoded, cached or not; NULL otherwise. */
const struct mxs_page *mxs_pages_decoded(const struct mxs_pages *pages, paddr page, bool uncached);
/* Is OP of PAGE? And the page of which it is; NULL: none. */
bool mxs_page_has(const struct mxs_page *page, const struct mxs_op *op);
const struct mxs_page *mxs_pages_find(const struct mxs_pages *pages, const struct mxs_op *op);
void mxs_pages_forget(struct mxs_pages *pages, paddr page);
void mxs_pages_forget_all(struct mxs_pages *pages);
/* PC hooks OFFSET bytes from the beginning of some page came or went. */
void mxs_pages_mark_hooks(struct mxs_pages *pages, const struct core *core, uint32_t offset);
/* Decode the instruction at INDEX of PAGE. */
void mxs_op_decode(struct mxs_pages *pages, struct mxs_page *page, unsigned index, struct core *core);

/* operands.c: sources, results and their flags, of OP whose insn and id are known; names as with Status.FR = 1. */
void mxs_op_operands(struct mxs_op *op);

/* NAME with Status.FR = 0, where 64-bit operands are pairs: a high word is the pair's odd register, a low word of such
 * an operand (WIDE) its even one. */
static inline unsigned mxs_name_in_pair(unsigned name, bool wide)
{
    if (name >= NAME_FPR_HIGH && name < NAME_FCC)
        return NAME_FPR_LOW + ((name - NAME_FPR_HIGH) | 1);
    return wide ? NAME_FPR_LOW + ((name - NAME_FPR_LOW) & ~1u) : name;
}

#endif
