/*
 * The MIPS R3000, with an R3010 as its FPU: MIPS I, a TLB of 64 entries of one page, modes and interrupt enables as a
 * stack in Status. Kane and Heinrich, "MIPS RISC Architecture", chapters 2 to 8 and appendices.
 */
#include "cpu/privileged/mips1.h"
#include "cpu/privileged/r3000.h"
#include "cpu/privileged/tlb.h"

static const struct exception_row exceptions[EXCEPTION_CODES] = {
    MIPS1_EXCEPTIONS,
};

static const struct gdb_registers gdb_rows[] = {
    MIPS1_GDB_REGISTERS,
    {MIPS1_GDB_FEATURE "fpu", "f", "", " type=\"ieee_single\"", .first = 38, .count = 32, .number = REGISTER_SINGLE},
    MIPS1_GDB_CONTROL,
};
static const struct gdb_description gdb = {
    .architecture = "mips:3000", .registers = 72, .rows = gdb_rows, .row_count = sizeof gdb_rows / sizeof gdb_rows[0]};

static const uint16_t summary[] = {
    REGISTER_STATUS, REGISTER_CAUSE, REGISTER_EPC, REGISTER_BADVADDR, REGISTER_SYSTEM + CP0_ENTRYHI, 0};

/* EntryLo; what is cached in struct tlb_entry. */
enum {
    ENTRYLO_N = 1 << 11, /* uncached */
    ENTRYLO_D = 1 << 10,
    ENTRYLO_V = 1 << 9,
    ENTRYLO_G = 1 << 8,
    CACHED = CCA_CACHED << TLB_CACHE_SHIFT,
    UNCACHED = CCA_UNCACHED << TLB_CACHE_SHIFT,
    ENTRYHI_ASID_SHIFT = 6,
    ENTRYHI_ASID = 63 << ENTRYHI_ASID_SHIFT,
    INDEX_SHIFT = 8,
};
#define PAGE_NUMBER 0xfffff000u

static void tlb_from_registers(const uint32_t *cp0, struct tlb_entry *entry)
{
    const uint32_t hi = cp0[CP0_ENTRYHI], word = cp0[CP0_ENTRYLO0];
    const uint32_t lo = (word & PAGE_NUMBER) >> TLB_PFN_SHIFT | (word & ENTRYLO_N ? UNCACHED : CACHED) |
                        (word & ENTRYLO_D ? TLB_DIRTY : 0) | (word & ENTRYLO_V ? TLB_VALID : 0);
    entry->page_mask = 0;
    entry->vpn2 = hi & PAGE_NUMBER;
    entry->asid = (uint8_t)((hi & ENTRYHI_ASID) >> ENTRYHI_ASID_SHIFT);
    entry->global = word & ENTRYLO_G;
    entry->lo[0] = entry->lo[1] = lo;
}

static void tlb_to_registers(const struct tlb_entry *entry, uint32_t *cp0)
{
    const uint32_t lo = entry->lo[0];
    cp0[CP0_ENTRYLO0] = (lo << TLB_PFN_SHIFT & PAGE_NUMBER) | ((lo & TLB_CACHE) == UNCACHED ? ENTRYLO_N : 0) |
                        (lo & TLB_DIRTY ? ENTRYLO_D : 0) | (lo & TLB_VALID ? ENTRYLO_V : 0) |
                        (entry->global ? ENTRYLO_G : 0);
}

const struct architecture r3000 = {
    .name = "r3000",
    .level = LEVEL_1,
    .cp0 = r3000_cp0,
    .summary = summary,
    .fir = 0x0340,               /* an R3010 */
    .fcsr_writable = 0x0083ffff, /* C, Cause, Enables, Flags, RM */
    .gdb = &gdb,
    .calls = &mips1_o32,
    .fpu_interrupts = true,
    .exceptions = exceptions,
    .user_mode = {.mask = R3000_KUC, .value = R3000_KUC},
    .interruptible = {.mask = R3000_IEC, .value = R3000_IEC},
    .in_handler = {.shifts = R3000_KU_IE, .by = R3000_KU_IE_STEP},
    .returns_to_user = R3000_KUP,
    .exception_level = 0,
    .enters_kernel = R3000_KUP,
    .refill_excludes = KSEG0_BASE,
    .isolates = R3000_ISC,
    .swaps = R3000_SWC,
    .isolated_missed = R3000_CM,
    .kuseg_unmapped = 0,
    .reset_vector = 0xbfc00000,
    .refill_offset = 0,
    .general_offset = 0x80,
    .interrupt_offset = 0x80,
    .bootstrap_offset = 0x100,
    .tlb = {.vpn = PAGE_NUMBER,
            .asid = ENTRYHI_ASID,
            .asid_shift = ENTRYHI_ASID_SHIFT,
            .index_shift = INDEX_SHIFT,
            .entries = 64,
            .random_counts = true,
            .entry_shift = PAGE_SHIFT,
            .context_shift = 10,
            .context_page = 0x001ffffc,
            .from_registers = tlb_from_registers,
            .to_registers = tlb_to_registers},
};
