/* The bodies of isa.def, executed on private registers; what has an effect elsewhere ends the walk. */
#include "cpu/privileged/refill_walk.h"

#include "cpu/isa/values.h"
#include "cpu/privileged/mode_change.h"
#include "cpu/privileged/semantics.h"
#include "cpu/privileged/tlb.h"
#include "cpu/segments.h"
#include <string.h>

enum { HANDLER_INSNS = 64, ENTRY_PRESENT = 1 };
#define NOT_WRITTEN UINT32_MAX /* no EntryLo has this value */

struct walk {
    const struct core *core;
    uint32_t gpr[GPR_COUNT], hi, lo, cp0[CP0_COUNT_OF_REGISTERS];
    vaddr pc;
    enum { CONTROL_NEXT, CONTROL_BRANCH, CONTROL_ANNUL } control; /* of the instruction that executes */
    vaddr target;
    uint32_t loaded[2]; /* values of the last two words loaded, ... */
    vaddr from[2];      /* ... and their addresses */
};

enum outcome { CONTINUES, WRITES_TLB, UNSUPPORTED };

static bool read_memory(const struct walk *walk, vaddr address, unsigned size, uint32_t *value)
{
    const paddr pa = vaddr_physical(address);
    *value = 0;
    if (!vaddr_in_kseg0(address) || address & (size - 1) || !physmem_page_is_ram(walk->core->mem, pa))
        return false;
    memcpy(value, physmem_host(walk->core->mem, pa), size);
    return true;
}

static bool load(struct walk *walk, vaddr address, unsigned size, uint32_t *value)
{
    if (!read_memory(walk, address, size, value))
        return false;
    if (size == sizeof *value) {
        walk->loaded[0] = walk->loaded[1];
        walk->from[0] = walk->from[1];
        walk->loaded[1] = *value;
        walk->from[1] = address;
    }
    return true;
}

/* Of the functions that isa.def calls, those that read and write a CP0 register as a word, and the end. */
static enum outcome call(struct walk *walk, const struct insn *insn, semantic_fn *function)
{
    const unsigned number = CP0_NUMBER(insn->rd & 31u, (uint32_t)insn->imm & 7);
    const struct cp0_register *row = &walk->core->architecture->cp0[number];
    if (function == sem_tlbwr)
        return WRITES_TLB;
    if (function == sem_mfc0 && row->read == NULL) {
        walk->gpr[insn->rt] = walk->cp0[number];
    } else if (function == sem_mtc0 && row->write == NULL) {
        walk->cp0[number] = (walk->cp0[number] & ~row->write_mask) | (walk->gpr[insn->rt] & row->write_mask);
    } else {
        return UNSUPPORTED;
    }
    return CONTINUES;
}

#define READ_S       (walk->gpr[insn->rs])
#define READ_T       (walk->gpr[insn->rt])
#define READ_D       (walk->gpr[insn->rd])
#define READ_HI      (walk->hi)
#define READ_LO      (walk->lo)
#define WRITE_T(v)   (walk->gpr[insn->rt] = (v))
#define WRITE_D(v)   (walk->gpr[insn->rd] = (v))
#define WRITE_31(v)  (walk->gpr[31] = (v))
#define WRITE_HI(v)  (walk->hi = (v))
#define WRITE_LO(v)  (walk->lo = (v))
#define IMM          ((uint32_t)insn->imm)
#define SHIFT_AMOUNT (insn->sa)
#define LINK         (walk->pc + 8)
#define JUMP_TARGET  (isa_control(id, insn, walk->pc).target)
#define JUMP(v)      (walk->control = CONTROL_BRANCH, walk->target = (v))
#define BRANCH(c)    JUMP((c) ? JUMP_TARGET : walk->pc + 8)
#define BRANCH_LIKELY(c)                                                                                               \
    do {                                                                                                               \
        if (c)                                                                                                         \
            JUMP(JUMP_TARGET);                                                                                         \
        else                                                                                                           \
            walk->control = CONTROL_ANNUL;                                                                             \
    } while (0)
#define LOAD(type, name, address)                                                                                      \
    uint32_t name;                                                                                                     \
    if (!load(walk, address, sizeof(TYPE_##type), &name))                                                              \
        return UNSUPPORTED;                                                                                            \
    name = (uint32_t)(TYPE_##type)name
#define TRAP_IF(c, code)                                                                                               \
    do {                                                                                                               \
        if (c)                                                                                                         \
            return UNSUPPORTED;                                                                                        \
    } while (0)
#define CALL(function)   return call(walk, insn, function)
#define PREFETCH_LINE    ((void)0)
#define PREFETCH_INDEXED ((void)0)
/* What no refill handler needs. */
#define LOAD64(name, address)                                                                                          \
    LET64(name, 0);                                                                                                    \
    return UNSUPPORTED
#define LOAD_UNALIGNED(name, address)                                                                                  \
    LET(name, 0);                                                                                                      \
    return UNSUPPORTED
#define LOAD_LINKED(name, address)                                                                                     \
    LET(name, 0);                                                                                                      \
    return UNSUPPORTED
#define STORE_CONDITIONAL(name, address, v)                                                                            \
    LET(name, 0);                                                                                                      \
    return UNSUPPORTED
#define STORE(type, address, v)        return UNSUPPORTED
#define STORE64(address, v)            return UNSUPPORTED
#define STORE_MERGED(address, v, mask) return (void)(v), UNSUPPORTED
#define RETURN_FROM_EXCEPTION          return UNSUPPORTED
#define CACHE_OPERATION                return UNSUPPORTED
#define SYNCHRONIZE_CODE               return UNSUPPORTED
#define NEED_FPU                       return UNSUPPORTED
#define READ_FT_WORD                   0
#define READ_FS_WORD                   0
#define READ_FT_DOUBLE                 0
#define READ_FS_DOUBLE                 0
#define READ_FCC                       0
#define READ_FCC_BRANCH                0
#define WRITE_FT_WORD(v)               ((void)(v))
#define WRITE_FS_WORD(v)               ((void)(v))
#define WRITE_FD_WORD(v)               ((void)(v))
#define WRITE_FT_DOUBLE(v)             ((void)(v))
#define WRITE_FD_DOUBLE(v)             ((void)(v))

#define ISA(name, ...)                                                                                                 \
    static enum outcome walk_##name(struct walk *walk, const struct insn *insn)                                        \
    {                                                                                                                  \
        const enum isa_id id = ISA_##name;                                                                             \
        (void)walk, (void)insn, (void)id;                                                                              \
        ISA_BODY(__VA_ARGS__)                                                                                          \
        return CONTINUES;                                                                                              \
    }
#define ISA_BODY(mnemonic, match, mask, imm, operands, uses, defines, class, traits, ...) __VA_ARGS__
#include "cpu/isa/isa.def"
#undef ISA

static enum outcome (*const functions[ISA_COUNT])(struct walk *walk, const struct insn *insn) = {
#define ISA(name, ...) walk_##name,
#include "cpu/isa/isa.def"
#undef ISA
};

/* Execute the handler up to its tlbwr. False if it is not supported. */
static bool run_handler(struct walk *walk)
{
    bool in_slot = false;
    for (unsigned i = 0; i < HANDLER_INSNS; i++) {
        const vaddr behind = in_slot ? walk->target : walk->pc + 4;
        uint32_t word;
        struct insn insn;
        if (!read_memory(walk, walk->pc, sizeof word, &word))
            return false;
        const enum isa_id id = isa_decode(walk->core->decoder, word, &insn);
        walk->control = CONTROL_NEXT;
        const enum outcome outcome = functions[id](walk, &insn);
        if (outcome != CONTINUES)
            return outcome == WRITES_TLB;
        if (in_slot && walk->control != CONTROL_NEXT) /* UNPREDICTABLE */
            return false;
        walk->pc = walk->control == CONTROL_NEXT    ? behind
                   : walk->control == CONTROL_ANNUL ? walk->pc + 8
                                                    : walk->pc + 4;
        in_slot = walk->control == CONTROL_BRANCH;
    }
    return false;
}

bool refill_walk_translate(const struct core *core, vaddr address, paddr *pa)
{
    const struct tlb_format *format = &core->architecture->tlb;
    const bool pairs = tlb_pages(core) == 2;
    const unsigned half = pairs ? address >> PAGE_SHIFT & 1 : 0;
    struct tlb_entry entry;
    if (core->s.cp0[CP0_STATUS] & STATUS_BEV || vaddr_is_unmapped(address))
        return false;
    struct walk walk = {.core = core, .pc = exception_base(core) + core->architecture->refill_offset};
    memcpy(walk.gpr, core->s.gpr, sizeof walk.gpr);
    memcpy(walk.cp0, core->s.cp0, sizeof walk.cp0);
    walk.gpr[0] = 0;
    tlb_set_missed(format, walk.cp0, address);
    walk.cp0[CP0_ENTRYLO0] = walk.cp0[CP0_ENTRYLO1] = NOT_WRITTEN;
    if (!run_handler(&walk))
        return false;
    const uint32_t lo = walk.cp0[half ? CP0_ENTRYLO1 : CP0_ENTRYLO0];
    /* the last words loaded are the entries of both pages, or of the only one */
    if (lo == NOT_WRITTEN || (pairs && walk.from[1] != walk.from[0] + 4) ||
        !(walk.loaded[pairs ? half : 1] & ENTRY_PRESENT))
        return false;
    format->from_registers(walk.cp0, &entry);
    *pa = tlb_small_page_base(entry.lo[half]) | (address & (PAGE_SIZE - 1));
    return physmem_page_is_ram(core->mem, *pa);
}
