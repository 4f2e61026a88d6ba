#include "src/machine/page_tables.h"

#include <string.h>

enum { HANDLER_INSNS = 64, ENTRY_PRESENT = 1, KSEG0 = 4, KSEG_MASK = 0x1fffffff };

/* State of the interpreted refill handler. */
struct walk {
    const struct core *core;
    vaddr address;
    uint32_t gpr[32];
    uint32_t entry_lo[2];
    bool has_entry[2];
    uint32_t loaded[2]; /* values of the last two loads, ... */
    vaddr from[2];      /* ... and their addresses */
};

static bool read_word(const struct walk *walk, vaddr address, uint32_t *word)
{
    const paddr pa = address & KSEG_MASK;
    if (address >> 29 != KSEG0 || address & 3 || !physmem_page_is_ram(walk->core->mem, pa))
        return false;
    memcpy(word, physmem_host(walk->core->mem, pa), sizeof *word);
    return true;
}

/* The value of CP0 register NUMBER, select 0, in a refill exception for the address. */
static uint32_t read_cp0(const struct walk *walk, unsigned number)
{
    enum { CONTEXT = 4, BAD_ADDRESS = 8, ENTRY_HI = 10, CONTEXT_PAGE = 0x7ffff0, PAGES = 0xffffe000 };
    const uint32_t *cp0 = walk->core->s.cp0;
    switch (number) {
    case CONTEXT: return (cp0[CP0_CONTEXT] & ~(uint32_t)CONTEXT_PAGE) | (walk->address >> 9 & CONTEXT_PAGE);
    case BAD_ADDRESS: return walk->address;
    case ENTRY_HI: return (walk->address & PAGES) | (cp0[CP0_ENTRYHI] & 0xff);
    default: return 0;
    }
}

static bool load(struct walk *walk, unsigned to, vaddr address)
{
    uint32_t word;
    if (!read_word(walk, address, &word))
        return false;
    walk->loaded[0] = walk->loaded[1];
    walk->from[0] = walk->from[1];
    walk->loaded[1] = word;
    walk->from[1] = address;
    walk->gpr[to] = word;
    return true;
}

/* SPECIAL: shifts, additions, logical operations. */
static bool do_special(struct walk *walk, uint32_t word)
{
    enum { SLL = 0, SRL = 2, ADDU = 0x21, AND = 0x24, OR = 0x25, ROTATES = 1 << 21 };
    const uint32_t s = walk->gpr[word >> 21 & 31], t = walk->gpr[word >> 16 & 31];
    const unsigned amount = word >> 6 & 31;
    uint32_t *d = &walk->gpr[word >> 11 & 31];
    switch (word & 63) {
    case SLL: *d = t << amount; return true;
    case SRL: *d = t >> amount | (word & ROTATES && amount ? t << (32 - amount) : 0); return true;
    case ADDU: *d = s + t; return true;
    case AND: *d = s & t; return true;
    case OR: *d = s | t; return true;
    default: return false;
    }
}

/* SPECIAL3: bit fields. */
static bool do_special3(struct walk *walk, uint32_t word)
{
    enum { EXT = 0, INS = 4 };
    const unsigned low = word >> 6 & 31, last = word >> 11 & 31;
    const uint32_t s = walk->gpr[word >> 21 & 31];
    uint32_t *t = &walk->gpr[word >> 16 & 31];
    if ((word & 63) == EXT && low + last < 32) {
        *t = s >> low & (last == 31 ? UINT32_MAX : (1u << (last + 1)) - 1);
        return true;
    }
    if ((word & 63) != INS || last < low)
        return false;
    const uint32_t mask = (last - low == 31 ? UINT32_MAX : (1u << (last - low + 1)) - 1) << low;
    *t = (*t & ~mask) | (s << low & mask);
    return true;
}

enum outcome { CONTINUES, WRITES_TLB, UNSUPPORTED };

static enum outcome do_coprocessor(struct walk *walk, uint32_t word)
{
    enum { MOVE_FROM = 0, MOVE_TO = 4, TLBWR = 0x42000006, SELECTION = 7, ENTRY_LO0 = 2, ENTRY_LO1 = 3 };
    const unsigned number = word >> 11 & 31, t = word >> 16 & 31;
    if (word == TLBWR)
        return WRITES_TLB;
    if (word & SELECTION)
        return UNSUPPORTED;
    if ((word >> 21 & 31) == MOVE_FROM) {
        walk->gpr[t] = read_cp0(walk, number);
        return CONTINUES;
    }
    if ((word >> 21 & 31) != MOVE_TO || (number != ENTRY_LO0 && number != ENTRY_LO1))
        return UNSUPPORTED;
    walk->entry_lo[number == ENTRY_LO1] = walk->gpr[t];
    walk->has_entry[number == ENTRY_LO1] = true;
    return CONTINUES;
}

static enum outcome execute(struct walk *walk, uint32_t word)
{
    enum { SPECIAL = 0, ADDIU = 9, ANDI = 12, ORI = 13, LUI = 15, COP0 = 16, SPECIAL3 = 31, LW = 35 };
    const uint32_t s = walk->gpr[word >> 21 & 31], immediate = word & 0xffff, offset = (uint32_t)(int16_t)immediate;
    const unsigned t = word >> 16 & 31;
    bool supported = true;
    switch (word >> 26) {
    case SPECIAL: supported = do_special(walk, word); break;
    case ADDIU: walk->gpr[t] = s + offset; break;
    case ANDI: walk->gpr[t] = s & immediate; break;
    case ORI: walk->gpr[t] = s | immediate; break;
    case LUI: walk->gpr[t] = immediate << 16; break;
    case COP0: return do_coprocessor(walk, word);
    case SPECIAL3: supported = do_special3(walk, word); break;
    case LW: supported = load(walk, t, s + offset); break;
    default: supported = false;
    }
    walk->gpr[0] = 0;
    return supported ? CONTINUES : UNSUPPORTED;
}

/* Interpret the handler up to its tlbwr. False if it is not supported. */
static bool run_handler(struct walk *walk)
{
    const vaddr vector = walk->core->s.cp0[CP0_EBASE] & 0xfffff000u;
    for (unsigned i = 0; i < HANDLER_INSNS; i++) {
        uint32_t word;
        if (!read_word(walk, vector + 4 * i, &word))
            return false;
        const enum outcome outcome = execute(walk, word);
        if (outcome != CONTINUES)
            return outcome == WRITES_TLB;
    }
    return false;
}

bool page_tables_translate(const struct core *core, vaddr address, paddr *pa)
{
    enum { LO_PFN_SHIFT = 6, LO_PFN_MASK = 0xfffff };
    const unsigned half = address >> PAGE_SHIFT & 1;
    struct walk walk = {.core = core, .address = address};
    if (core->s.cp0[CP0_STATUS] & STATUS_BEV || address >> 30 == 2)
        return false;
    memcpy(walk.gpr, core->s.gpr, sizeof walk.gpr);
    walk.gpr[0] = 0;
    if (!run_handler(&walk) || !walk.has_entry[half] || walk.from[1] != walk.from[0] + 4 ||
        !(walk.loaded[half] & ENTRY_PRESENT))
        return false;
    *pa = (walk.entry_lo[half] >> LO_PFN_SHIFT & LO_PFN_MASK) << PAGE_SHIFT | (address & (PAGE_SIZE - 1));
    return physmem_page_is_ram(core->mem, *pa);
}
