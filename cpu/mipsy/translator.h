/*
 * Blocks: what is executed often is translated into machine code of the host, which does exactly what the interpreter
 * would. Guest code of at most MIPSY_WINDOW instructions in one page, up to a branch with its delay slot, is a block;
 * it is entered at its beginning only.
 *
 * How it works:
 * - Control may come to a block in two ways. At `code`, from another block: may the run end within a window from here
 *   (hot->limit)? Is the first line in the cache? At `code` + `body`, from the interpreter, which has looked at both.
 *   Within the block nobody looks at the time any more, unless a stall was taken.
 * - From block to block control goes by the entry of the place it goes to (struct mipsy_entry); of a place without
 *   block that is code that returns to the interpreter. So nothing has to be undone when a page is forgotten, but its
 *   entries, and code that is not reached any more stays where it is until the memory for code is full: then all blocks
 *   are forgotten.
 * - What cannot be done in a few instructions is called (translated.c): misses of both caches, tlbwr, eret, exceptions,
 *   jumps to where nothing is known of. They go on in the block, or at the exception's vector or where eret goes,
 * unless the core wants attention, the run ends within the window, or decoded instructions have been forgotten, perhaps
 *   these. What is no matter for machine code at all (other system control, floating point, ll, sc, division, likely
 *   branches) ends a block and is left to the interpreter.
 *
 * Code is shared by the cores of a machine: it finds everything relative to the core.
 *
 * Private to cpu/mipsy.
 */
#ifndef SIMOS_CPU_MIPSY_TRANSLATOR_H
#define SIMOS_CPU_MIPSY_TRANSLATOR_H

#include "cpu/mipsy/mipsy.h"

/* Why translated code returned, and what frame.where is. */
enum mipsy_leave {
    MIPSY_GO_ON,      /* it did not */
    MIPSY_HERE,       /* go on in order at the slot that is so many bytes behind the page's first, if a cycle is left */
    MIPSY_FETCHED,    /* the same, with an instruction that has taken its cycle and been fetched */
    MIPSY_AT_PLACE,   /* control goes to that place of the page, of which nothing has been fetched */
    MIPSY_AT_BLOCK,   /* the same, and the run may end within the block that begins there */
    MIPSY_AT_ADDRESS, /* ... to that virtual address */
    MIPSY_JUMP,       /* within translated code: the same, and the code goes there by itself */
    MIPSY_ASKED,      /* the core wants attention before the instruction at s.pc, which is in no delay slot */
    MIPSY_FINISH,     /* of loads: as MIPSY_HERE, when what was loaded has been written */
};

enum mipsy_type { MIPSY_U8, MIPSY_S8, MIPSY_U16, MIPSY_S16, MIPSY_U32, MIPSY_UNALIGNED, MIPSY_MERGED };

/* Bytes that an access must be aligned to, and has but for the last two. */
static inline unsigned mipsy_size_of(enum mipsy_type type)
{
    switch (type) {
    case MIPSY_U16:
    case MIPSY_S16: return 2;
    case MIPSY_U32: return 4;
    default: return 1;
    }
}

/* Where in a block a function below is called from. */
struct mipsy_site {
    unsigned slot;          /* number of the instruction's slot in its page */
    unsigned index;         /* of the instruction in the block */
    unsigned loads, stores; /* so many of them come after it in the block, and have been counted already */
    unsigned type;          /* of the access: enum mipsy_type */
    bool delayed;           /* in a delay slot */
};
static inline uint32_t mipsy_site_pack(struct mipsy_site site)
{
    return site.slot | site.index << 11 | site.loads << 16 | site.stores << 21 | (uint32_t)site.delayed << 26 |
           site.type << 27;
}
static inline struct mipsy_site mipsy_site_unpack(uint32_t word)
{
    return (struct mipsy_site){.slot = word & 0x7ff,
                               .index = word >> 11 & 0x1f,
                               .loads = word >> 16 & 0x1f,
                               .stores = word >> 21 & 0x1f,
                               .delayed = word >> 26 & 1,
                               .type = word >> 27};
}
static inline unsigned mipsy_site_index(uint32_t word)
{
    return mipsy_site_unpack(word).index;
}
/* Do loads or stores come after it? */
static inline bool mipsy_site_counts(uint32_t word)
{
    return word >> 16 & 0x3ff;
}
static inline enum mipsy_type mipsy_site_type(uint32_t word)
{
    return (enum mipsy_type)mipsy_site_unpack(word).type;
}
_Static_assert(MIPSY_SLOTS_MAX - 1 <= 1 << 11 && MIPSY_WINDOW < 1 << 5, "a site is a word");

/* translated.c: what translated code calls, for the instruction at SITE. frame.now is the time of the block's first
 * instruction, before and after; to go on, MIPSY_GO_ON is returned. */
/* The line of the instruction, which is OFFSET bytes behind the page's first, has to be fetched and is not known to
 * hit.
 */
uint32_t mipsy_on_fetch(struct core *core, uint32_t offset, uint32_t site);
/* A load from ADDRESS that is not known to hit: what it loads, extended, is in frame.value. It may return MIPSY_FINISH.
 */
uint32_t mipsy_on_load(struct core *core, vaddr address, uint32_t site);
/* A store; MIPSY_MERGED: of the bits of MASK in the word that holds ADDRESS. */
uint32_t mipsy_on_store(struct core *core, vaddr address, uint32_t site, uint32_t value, uint32_t mask);
/* Exception CODE. */
uint32_t mipsy_on_trap(struct core *core, uint32_t code, uint32_t site);
uint32_t mipsy_on_tlbwr(struct core *core, uint32_t unused, uint32_t site);
/* It does not go on in the block. */
uint32_t mipsy_on_eret(struct core *core, uint32_t unused, uint32_t site);
/* Control goes to ADDRESS, of which the flat tables know nothing; frame.now is the time of the instruction there. It
 * does not go on in the block. */
uint32_t mipsy_on_jump(struct core *core, vaddr address);

/* x86_translator.c, or none.c for other hosts. */
struct mipsy_translator;
/* For PAGES, whose cores are like IN, and note uses as M does. NULL: there is none for this host, it does not allow
 * code to be made, or for caches of this kind. */
struct mipsy_translator *mipsy_translator_create(struct mipsy_pages *pages, const struct mipsy *m);
void mipsy_translator_free(struct mipsy_translator *translator);
/* What struct mipsy_entry's code is where no block begins. */
const uint8_t *mipsy_translator_no_block(const struct mipsy_translator *translator);
/* Can this instruction be in a block? */
bool mipsy_translator_can(const struct mipsy_translator *translator, enum isa_id id, const struct insn *insn);
/* Make a block that begins with the instruction in SLOT of PAGE, at virtual address BASE now, if that is worth it; it
 * will not be asked again. May forget all decoded instructions. */
void mipsy_translate(struct mipsy_pages *pages, struct mipsy_page *page, union mipsy_slot *slot, struct core *core,
                     vaddr base);
/* Execute from CODE on, as CORE, whose frame says when and where. */
enum mipsy_leave mipsy_translator_run(const struct mipsy_translator *translator, struct core *core,
                                      const uint8_t *code);

#endif
