/*
 * Architectural state of one processor: exactly what a checkpoint saves. All CPU models share it; a
 * model may be replaced by another at any instruction boundary.
 *
 * Not here: translation caches, decoded code, attribution (struct core), timing state (the models and cache/).
 */
#ifndef SIMOS_CPU_CPU_H
#define SIMOS_CPU_CPU_H

#include "cpu/isa/isa.h"
#include "src/base/types.h"

enum {
    TLB_MAX_ENTRIES = 512,
    CP0_SELECTS = 8,
};

/* CP0 register number: register * 8 + select, as in `mfc0 rt, rd, sel`. */
#define CP0_NUMBER(reg, sel) ((reg)*CP0_SELECTS + (sel))
enum {
    CP0_INDEX = CP0_NUMBER(0, 0),
    CP0_RANDOM = CP0_NUMBER(1, 0),
    CP0_ENTRYLO0 = CP0_NUMBER(2, 0),
    CP0_ENTRYLO1 = CP0_NUMBER(3, 0),
    CP0_CONTEXT = CP0_NUMBER(4, 0),
    CP0_USERLOCAL = CP0_NUMBER(4, 2),
    CP0_PAGEMASK = CP0_NUMBER(5, 0),
    CP0_PAGEGRAIN = CP0_NUMBER(5, 1),
    CP0_PWBASE = CP0_NUMBER(5, 5),
    CP0_PWFIELD = CP0_NUMBER(5, 6),
    CP0_PWSIZE = CP0_NUMBER(5, 7),
    CP0_WIRED = CP0_NUMBER(6, 0),
    CP0_PWCTL = CP0_NUMBER(6, 6),
    CP0_HWRENA = CP0_NUMBER(7, 0),
    CP0_BADVADDR = CP0_NUMBER(8, 0),
    CP0_COUNT = CP0_NUMBER(9, 0),
    CP0_ENTRYHI = CP0_NUMBER(10, 0),
    CP0_COMPARE = CP0_NUMBER(11, 0),
    CP0_STATUS = CP0_NUMBER(12, 0),
    CP0_INTCTL = CP0_NUMBER(12, 1),
    CP0_SRSCTL = CP0_NUMBER(12, 2),
    CP0_SRSMAP = CP0_NUMBER(12, 3),
    CP0_CAUSE = CP0_NUMBER(13, 0),
    CP0_EPC = CP0_NUMBER(14, 0),
    CP0_PRID = CP0_NUMBER(15, 0),
    CP0_EBASE = CP0_NUMBER(15, 1),
    CP0_CMGCRBASE = CP0_NUMBER(15, 3),
    CP0_CONFIG = CP0_NUMBER(16, 0),
    CP0_CONFIG1 = CP0_NUMBER(16, 1),
    CP0_CONFIG2 = CP0_NUMBER(16, 2),
    CP0_CONFIG3 = CP0_NUMBER(16, 3),
    CP0_CONFIG4 = CP0_NUMBER(16, 4),
    CP0_CONFIG5 = CP0_NUMBER(16, 5),
    CP0_CONFIG6 = CP0_NUMBER(16, 6),
    CP0_CONFIG7 = CP0_NUMBER(16, 7),
    CP0_LLADDR = CP0_NUMBER(17, 0),
    CP0_WATCHLO = CP0_NUMBER(18, 0),
    CP0_WATCHHI = CP0_NUMBER(19, 0),
    CP0_DEBUG = CP0_NUMBER(23, 0),
    CP0_DEPC = CP0_NUMBER(24, 0),
    CP0_PERFCTL0 = CP0_NUMBER(25, 0),
    CP0_PERFCNT0 = CP0_NUMBER(25, 1),
    CP0_PERFCTL1 = CP0_NUMBER(25, 2),
    CP0_PERFCNT1 = CP0_NUMBER(25, 3),
    CP0_ERRCTL = CP0_NUMBER(26, 0),
    CP0_TAGLO = CP0_NUMBER(28, 0),
    CP0_ERROREPC = CP0_NUMBER(30, 0),
    CP0_DESAVE = CP0_NUMBER(31, 0),
    CP0_COUNT_OF_REGISTERS = 32 * CP0_SELECTS
};

/* Status */
enum {
    STATUS_IE = 1 << 0,
    STATUS_EXL = 1 << 1,
    STATUS_ERL = 1 << 2,
    STATUS_UM = 1 << 4,
    STATUS_IM_SHIFT = 8,
    STATUS_IM = 0xff << 8,
    STATUS_BEV = 1 << 22,
    STATUS_FR = 1 << 26,
    STATUS_CU0 = 1 << 28,
    STATUS_CU1 = 1 << 29,
};

/* Cause */
enum {
    CAUSE_EXCCODE_SHIFT = 2,
    CAUSE_EXCCODE = 0x1f << 2,
    CAUSE_IP_SHIFT = 8,
    CAUSE_IP = 0xff << 8,
    CAUSE_IP_SOFTWARE = 3 << 8,
    CAUSE_WP = 1 << 22, /* a Watch exception is deferred */
    CAUSE_IV = 1 << 23,
    CAUSE_PCI = 1 << 26, /* performance counter interrupt */
    CAUSE_DC = 1 << 27,
    CAUSE_CE_SHIFT = 28,
    CAUSE_TI = 1 << 30, /* timer interrupt */
};
#define CAUSE_BD      0x80000000u
#define EBASE_ADDRESS 0xfffff000u /* EBase: the address of the exception vectors */

/* Exception codes (Cause.ExcCode). */
enum exception_code {
    EXC_INT = 0,
    EXC_MOD = 1,
    EXC_TLBL = 2,
    EXC_TLBS = 3,
    EXC_ADEL = 4,
    EXC_ADES = 5,
    EXC_IBE = 6,
    EXC_DBE = 7,
    EXC_SYS = 8,
    EXC_BP = 9,
    EXC_RI = 10,
    EXC_CPU = 11,
    EXC_OV = 12,
    EXC_TR = 13,
    EXC_FPE = 15,
    EXC_WATCH = 23,
    EXC_MCHECK = 24,
    EXCEPTION_CODES = 32 /* values of Cause.ExcCode */
};

/* One TLB entry, in the form that MIPS32 gives it: an even and an odd page under one tag. In an architecture whose
 * entries map one page, both halves are that page. */
struct tlb_entry {
    uint32_t page_mask; /* PageMask register value; 0: 4 KB */
    uint32_t vpn2;      /* EntryHi.VPN2 at bits 31:13, with the bits of page_mask cleared; of one page, its VPN */
    uint8_t asid;
    bool global;
    uint32_t lo[2]; /* EntryLo0/1: PFN, C, D, V */
};

struct cpu {
    uint32_t gpr[GPR_COUNT];
    uint32_t hi, lo;
    uint32_t pc;
    /* The instruction at pc is in the delay slot of a branch; branch_target is the next pc (the fall-through address if
     * the branch is not taken). */
    bool in_delay_slot;
    uint32_t branch_target;
    /* Load delay: the result of the preceding load, which the instruction at pc does not get yet; register by number
     * (ISA_REG_...), 0: none. A load sets it only if that instruction might notice (isa_notices_delay()). */
    uint8_t delayed_register;
    uint32_t delayed_value;

    uint32_t fpr[32][2]; /* [n][0] low word, [n][1] high word (used with Status.FR = 1) */
    uint32_t fcr31;

    uint32_t cp0[CP0_COUNT_OF_REGISTERS];
    struct tlb_entry tlb[TLB_MAX_ENTRIES];
    bool ll_bit;
    paddr ll_address; /* physical address of the word load-linked; valid while ll_bit is set */
    bool waiting;     /* executing `wait`, until an interrupt is pending */
    bool running;     /* powered up; the power controller starts a secondary CPU */
    /* Count = count_base + board ticks, so that Count advances without being updated; Count = count_base while Cause.DC
     * is set. */
    uint32_t count_base;

    /* Base address of exceptions with Status.BEV set (vectors at + 0x200 and up): 0xbfc00000, or the address at which
     * the power controller started the core. */
    vaddr bootstrap_base;

    cycles cycle;   /* local time */
    uint64_t insns; /* instructions issued, including those that raised an exception (they take a cycle too) */
};

#endif
