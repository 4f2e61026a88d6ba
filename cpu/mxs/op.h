/*
 * Predecoded instructions. One table per physical page, created when its first instruction is fetched; a store into the
 * page marks all of its instructions as not decoded.
 */
#ifndef SIMOS_CPU_MXS_OP_H
#define SIMOS_CPU_MXS_OP_H

#include "cpu/core.h"

/*
 * Names: the registers that are renamed. General registers by number, the words of the floating-point registers, and
 * the condition codes. $zero is never renamed; an instruction that writes it has no result.
 */
enum {
    NAME_HI = GPR_COUNT, /* HI and LO follow the general registers as in struct cpu */
    NAME_LO,
    NAME_FPR_LOW, /* 32 names: fpr[n][0] */
    NAME_FPR_HIGH = NAME_FPR_LOW + 32,
    NAME_FCC = NAME_FPR_HIGH + 32, /* 8 condition codes, with values 0 and 1 */
    NAME_COUNT = NAME_FCC + 8,
};
enum { OP_SOURCES = 6, OP_RESULTS = 2 };

enum {
    OP_DECODED = 1 << 0,
    OP_SERIALISING = 1 << 1, /* serialising: executes at the head of the window */
    OP_STOPS_FETCH = 1 << 2, /* the next pc is known only after execution */
    OP_LOAD = 1 << 3,
    OP_STORE = 1 << 4,
    OP_MEMORY = OP_LOAD | OP_STORE,
    OP_CONTROL = 1 << 5,     /* branch or jump, with a delay slot */
    OP_CONDITIONAL = 1 << 6, /* the branch may be taken or not */
    OP_INDIRECT = 1 << 7,    /* the target is in a register */
    OP_CALL = 1 << 8,
    OP_RETURN = 1 << 9,
    OP_LIKELY = 1 << 10,
    OP_DOUBLE = 1 << 11,   /* has 64-bit floating-point operands: register pairs with Status.FR = 0 */
    OP_FCSR = 1 << 12,     /* sets FCSR's Cause and Flags */
    OP_HOOKED = 1 << 13,   /* there may be a PC hook at its address */
    OP_ABSOLUTE = 1 << 14, /* j, jal: the target is an absolute address in the 256 MB region */
    OP_GENERAL_OPERANDS =
        1 << 15, /* has operands other than integer registers, or more than two sources or one result */
};

enum mxs_outcome {
    MXS_FINISHED,  /* results, or the actual target, are in the entry */
    MXS_ACCESSED,  /* as MXS_FINISHED, and entry->done_at is set */
    MXS_IRREGULAR, /* irregular: must execute at the head of the window */
    MXS_WAITING,   /* waiting in the load/store queue for an older store, or for an MSHR */
};

struct mxs;
struct mxs_entry;

/* Execute ENTRY, whose sources are ready, at time NOW; compute entry->data, the data of a store. */
typedef enum mxs_outcome mxs_execute_fn(struct mxs *m, struct mxs_entry *entry, cycles now);
typedef void mxs_value_fn(const struct mxs *m, struct mxs_entry *entry);

struct mxs_op {
    struct insn insn; /* insn.run: its mxs_execute_fn */
    uint16_t id, flags;
    uint16_t index;        /* instruction number in its page */
    uint8_t unit, latency; /* unit: enum insn_class; latency in cycles */
    /* Number of sources; number of those needed to issue, which excludes the data of a store. That data is the last
     * source unless OP_GENERAL_OPERANDS. */
    uint8_t sources, addressing;
    uint8_t results;
    /* Bit masks: operands that are the low word of a 64-bit floating-point operand. */
    uint8_t wide_sources, wide_results;
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

/* LATENCY: by enum insn_class; EXECUTE: by enum isa_id; not copied, must outlive the pages. PREFETCHES: pref has an
 * effect in the memory system. */
struct mxs_pages *mxs_pages_create(const uint8_t *latency, mxs_execute_fn *const *execute, bool prefetches);
void mxs_pages_free(struct mxs_pages *pages);
/* The table of physical PAGE, created if necessary. */
struct mxs_page *mxs_page_get(struct mxs_pages *pages, paddr page, bool uncached);
/* Has the maximum number of pages been reached? mxs_pages_drop() drops all pages of CORE except those for which USED
 * returns true. */
bool mxs_pages_are_full(const struct mxs_pages *pages);
void mxs_pages_drop(struct mxs_pages *pages, struct core *core,
                    bool (*used)(const void *opaque, const struct mxs_page *page), const void *opaque);
/* The table of physical PAGE, cached or uncached, if any of its instructions is decoded; otherwise NULL. */
const struct mxs_page *mxs_pages_decoded(const struct mxs_pages *pages, paddr page, bool uncached);
/* Does OP belong to PAGE? To which page does OP belong (NULL: none)? */
bool mxs_page_has(const struct mxs_page *page, const struct mxs_op *op);
const struct mxs_page *mxs_pages_find(const struct mxs_pages *pages, const struct mxs_op *op);
void mxs_pages_forget(struct mxs_pages *pages, paddr page);
void mxs_pages_forget_all(struct mxs_pages *pages);
/* PC hooks at page offset OFFSET were added or removed: update OP_HOOKED. */
void mxs_pages_mark_hooks(struct mxs_pages *pages, const struct core *core, uint32_t offset);
/* With load delay: might the instruction with number NEXT in PAGE, executed after that with INDEX, notice that it does
 * not get its result yet? NEXT may be outside of the page: nothing is known of it. */
bool mxs_op_notices_delay(const struct mxs_page *page, unsigned index, unsigned next, const struct core *core);
/* Decode the instruction with number INDEX in PAGE. */
void mxs_op_decode(struct mxs_pages *pages, struct mxs_page *page, unsigned index, struct core *core);

/* operands.c: set the operands of OP and the flags that follow from them, from its insn and id; names as with Status.FR
 * = 1. */
void mxs_op_operands(struct mxs_op *op);

/* NAME of an operand with Status.FR = 0, where 64-bit operands are register pairs: a high word is in the odd register,
 * the low word of a 64-bit operand (WIDE) in the even one. */
static inline unsigned mxs_name_in_pair(unsigned name, bool wide)
{
    if (name >= NAME_FPR_HIGH && name < NAME_FCC)
        return NAME_FPR_LOW + ((name - NAME_FPR_HIGH) | 1);
    return wide ? NAME_FPR_LOW + ((name - NAME_FPR_LOW) & ~1u) : name;
}

#endif
