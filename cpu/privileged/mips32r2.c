/* The board's processor: MIPS32 release 2 with the registers of mips32r2_cp0.c, a TLB of pairs of pages, and an FPU. */
#include "cpu/privileged/cp0.h"
#include "cpu/privileged/mips1.h"

/* MD00090, Cause.ExcCode. */
static const struct exception_row exceptions[EXCEPTION_CODES] = {
    MIPS1_EXCEPTIONS,
    [EXC_TR] = {"Tr", "trap", EXCEPTION_BREAKPOINT},
    [EXC_FPE] = {"FPE", "floating_point", EXCEPTION_ARITHMETIC},
    [EXC_WATCH] = {"WATCH", "watch", EXCEPTION_OTHER},
    [EXC_MCHECK] = {"MCheck", NULL, EXCEPTION_OTHER},
};

/*
 * gdb fixes the size of the floating-point registers when it connects, and a program may change Status.FR at any time.
 * So each has two registers here: f0 to f31 are what a double-precision instruction uses under the present Status.FR
 * (with FR = 0 the pair, for even numbers), and f0s to f31s the low 32 bits, a single. They have the numbers after fir
 * and before fcsr: the packet g begins with the registers that gdb expects of a MIPS without a target description.
 */
static const struct gdb_registers gdb_rows[] = {
    MIPS1_GDB_REGISTERS,
    {MIPS1_GDB_FEATURE "fpu", "f", "", " type=\"ieee_double\"", .first = 72, .count = 32, .number = REGISTER_DOUBLE},
    MIPS1_GDB_CONTROL,
    {"org.simos.mips.fpu.single", "f", "s", " type=\"ieee_single\" group=\"float\"", .first = 38, .count = 32,
     .number = REGISTER_SINGLE},
};
static const struct gdb_description gdb = {.architecture = "mips:isa32r2",
                                           .registers = 104,
                                           .rows = gdb_rows,
                                           .row_count = sizeof gdb_rows / sizeof gdb_rows[0]};

static const uint16_t summary[] = {REGISTER_STATUS,
                                   REGISTER_CAUSE,
                                   REGISTER_EPC,
                                   REGISTER_BADVADDR,
                                   REGISTER_SYSTEM + CP0_ENTRYHI,
                                   REGISTER_SYSTEM + CP0_COUNT,
                                   0};

/* EntryLo has the form of tlb_entry.lo, except for the bit G: the entry is global if both registers have it set. */
enum { ENTRYHI_ASID = 0xff, LO_GLOBAL = 1 << 0 };
#define ENTRYHI_VPN2 0xffffe000u

static void tlb_from_registers(const uint32_t *cp0, struct tlb_entry *entry)
{
    const uint32_t hi = cp0[CP0_ENTRYHI], mask = cp0[CP0_PAGEMASK], lo0 = cp0[CP0_ENTRYLO0], lo1 = cp0[CP0_ENTRYLO1];
    entry->page_mask = mask;
    entry->vpn2 = hi & ENTRYHI_VPN2 & ~mask;
    entry->asid = (uint8_t)(hi & ENTRYHI_ASID);
    entry->global = lo0 & lo1 & LO_GLOBAL;
    entry->lo[0] = lo0 & ~(uint32_t)LO_GLOBAL;
    entry->lo[1] = lo1 & ~(uint32_t)LO_GLOBAL;
}

static void tlb_to_registers(const struct tlb_entry *entry, uint32_t *cp0)
{
    cp0[CP0_PAGEMASK] = entry->page_mask;
    cp0[CP0_ENTRYLO0] = entry->lo[0] | entry->global;
    cp0[CP0_ENTRYLO1] = entry->lo[1] | entry->global;
}

const struct architecture mips32r2 = {
    .name = "mips32r2",
    .level = LEVEL_32R2,
    .cp0 = mips32r2_cp0,
    .summary = summary,
    .fir = 0x0073a120, /* F64, L, W, D, S; ProcessorID as in PRId */
    /* FCC, FS, Cause, Enables, Flags, RM: not ABS2008 and NAN2008 (19:18), which read as zero, nor the reserved 22:20.
     */
    .fcsr_writable = 0xff83ffff,
    .gdb = &gdb,
    .calls = &mips1_o32,
    /* MIPS32 vol. II, PREF: load, store, load and store streamed, load and store retained, prepare for store. */
    .prefetches = {[0] = PREFETCH_LINE,
                   [1] = PREFETCH_LINE,
                   [4] = PREFETCH_STREAMED,
                   [5] = PREFETCH_STREAMED,
                   [6] = PREFETCH_LINE,
                   [7] = PREFETCH_LINE,
                   [30] = PREFETCH_PREPARE},
    .exceptions = exceptions,
    .user_mode = {.mask = STATUS_UM | STATUS_EXL | STATUS_ERL, .value = STATUS_UM},
    .interruptible = {.mask = STATUS_IE | STATUS_EXL | STATUS_ERL, .value = STATUS_IE},
    .in_handler = {.sets = STATUS_EXL},
    .returns_to_user = STATUS_UM,
    .exception_level = STATUS_EXL,
    .enters_kernel = STATUS_EXL,
    .kuseg_unmapped = STATUS_ERL,
    .reset_vector = 0xbfc00000,
    .refill_offset = 0,
    .general_offset = 0x180,
    .interrupt_offset = 0x200,
    .bootstrap_offset = 0x200,
    .tlb = {.vpn = ENTRYHI_VPN2,
            .asid = ENTRYHI_ASID,
            .asid_shift = 0,
            .index_shift = 0,
            .entry_shift = PAGE_SHIFT + 1,
            .context_shift = 9,
            .context_page = 0x007ffff0,
            .from_registers = tlb_from_registers,
            .to_registers = tlb_to_registers},
};
