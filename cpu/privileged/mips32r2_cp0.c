/*
 * The CP0 registers of mips32r2, an interAptiv with one VPE, without the MT and DSP extensions: MIPS32 PRA
 * (MD00090) release 2, with the options that Config1..7 describe. Registers not listed here read as 0.
 *
 * Left out: EJTAG debug (Config1.EP = 0), shadow register sets, KScratch, 1 KB pages and RI/XI
 * (PageGrain reads as 0), the description of a second-level cache.
 */
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/privileged/cp0.h"
#include "src/base/board.h"

/* interAptiv; the guest kernel selects core-specific code by this number. */
#define PRID_INTERAPTIV 0x0001a120u

/* The cache geometry reported to the guest is the board's, whatever is modelled: 32 KB, 4 ways, 32-byte lines,
 * instruction and data, without aliases. Fields of Config1: sets 64 << n, line 2 << n, ways n + 1. */
enum { SETS_256 = 2, LINE_32 = 4, WAYS_4 = 3 };
_Static_assert(CP0_CACHE_LINE == 2 << LINE_32, "Config1 and SYNCI_Step announce the same line size");

/* M: the next Config register exists. */
#define CONFIG_M     0x80000000u
/* MT = 1 standard TLB, AR = 1 release 2, K0 = 5 kseg0 is coherent write-back, as boot firmware sets it. */
#define CONFIG_RESET (CONFIG_M | 1u << 10 | 1u << 7 | 5)
/* MMUSize depends on the TLB. PC = 1 performance counters, FP = 1. */
#define CONFIG1_RESET                                                                                                  \
    (CONFIG_M | SETS_256 << 22 | LINE_32 << 19 | WAYS_4 << 16 | SETS_256 << 13 | LINE_32 << 10 | WAYS_4 << 7 |         \
     1u << 4 | 1u << 0)
/* CMGCR = 1 coherence manager, ULRI = 1 UserLocal, VInt = 1 vectored interrupts. */
#define CONFIG3_RESET (CONFIG_M | 1u << 29 | 1u << 13 | 1u << 5)
/* WII = 1 an interrupt ends `wait` even with IE = 0; PTC = 1 the performance counters are not shared; AR, IAR: hardware
 * avoids aliases. */
#define CONFIG7_RESET (1u << 31 | 1u << 19 | 1u << 16 | 1u << 10)

#define ALL          0xffffffffu
/* CU1, CU0, FR, BEV, IM, UM, ERL, EXL, IE. */
#define STATUS_MASK  (STATUS_CU1 | STATUS_CU0 | STATUS_FR | STATUS_BEV | STATUS_IM | STATUS_UM | 7)
/* CPUNum, SYNCI_Step, CC, CCRes, ULR. */
#define HWRENA_MASK  0x2000000fu
/* Event 11:5, IE, U, S, K, EXL; S (supervisor) is stored but has no effect. */
#define PERFCTL_MASK 0x00000fffu
/* PFN 25:6 (32-bit physical addresses), C, D, V, G. */
#define ENTRYLO_MASK 0x03ffffffu

#define ROW(NUMBER, NAME, RESET, MASK, READ, WRITE)                                                                    \
    [NUMBER] = {                                                                                                       \
        .number = (NUMBER), .name = (NAME), .reset = (RESET), .write_mask = (MASK), .read = (READ), .write = (WRITE)}

/* A register that describes the processor. */
#define IDENTITY(NUMBER, NAME, RESET, MASK, BITS, WRITE)                                                               \
    [NUMBER] = {.number = (NUMBER),                                                                                    \
                .name = (NAME),                                                                                        \
                .reset = (RESET),                                                                                      \
                .write_mask = (MASK),                                                                                  \
                .identifies = true,                                                                                    \
                .reset_bits = (BITS),                                                                                  \
                .write = (WRITE)}

#define WALKER(NUMBER, NAME, MASK, BITS, WRITE)                                                                        \
    [NUMBER] = {.number = (NUMBER), .name = (NAME), .write_mask = (MASK), .reset_bits = (BITS), .write = (WRITE)}

#define WATCHHI(PAIR, NAME, BITS)                                                                                      \
    [CP0_WATCHHI + (PAIR)] = {.number = CP0_WATCHHI + (PAIR),                                                          \
                              .name = (NAME),                                                                          \
                              .write_mask = 0x40ff0fff,                                                                \
                              .reset_bits = (BITS),                                                                    \
                              .write = cp0_write_watchhi##PAIR}

/* clang-format off */
const struct cp0_register mips32r2_cp0[CP0_COUNT_OF_REGISTERS] = {
    ROW(CP0_INDEX, "Index", 0, TLB_MAX_ENTRIES - 1, NULL, cp0_write_index),
    ROW(CP0_RANDOM, "Random", 0, 0, cp0_read_random, NULL), /* the stored word is the number of TLB writes */
    ROW(CP0_ENTRYLO0, "EntryLo0", 0, ENTRYLO_MASK, NULL, NULL),
    ROW(CP0_ENTRYLO1, "EntryLo1", 0, ENTRYLO_MASK, NULL, NULL),
    ROW(CP0_CONTEXT, "Context", 0, 0xff800000, NULL, NULL),
    ROW(CP0_USERLOCAL, "UserLocal", 0, ALL, NULL, NULL),
    ROW(CP0_PAGEMASK, "PageMask", 0, 0x1fffe000, NULL, cp0_write_pagemask),
    ROW(CP0_PAGEGRAIN, "PageGrain", 0, 0, NULL, NULL),
    ROW(CP0_PWBASE, "PWBase", 0, ALL, NULL, cp0_write_pwbase), /* with cpu.page_walker */
    WALKER(CP0_PWFIELD, "PWField", 0x3fffffff, cp0_reset_bits_pwfield, cp0_write_pwfield),
    WALKER(CP0_PWSIZE, "PWSize", 0x3fffffff, cp0_reset_bits_pwsize, cp0_write_pwsize),
    ROW(CP0_PWCTL, "PWCtl", 0, 0x800000ff, NULL, cp0_write_pwctl),
    ROW(CP0_WIRED, "Wired", 0, TLB_MAX_ENTRIES - 1, NULL, cp0_write_wired),
    ROW(CP0_HWRENA, "HWREna", 0, HWRENA_MASK, NULL, NULL),
    ROW(CP0_BADVADDR, "BadVAddr", 0, 0, NULL, NULL),
    ROW(CP0_COUNT, "Count", 0, ALL, cp0_read_count, cp0_write_count),
    ROW(CP0_ENTRYHI, "EntryHi", 0, 0xffffe0ff, NULL, cp0_write_entryhi),
    ROW(CP0_COMPARE, "Compare", 0, ALL, NULL, cp0_write_compare),
    ROW(CP0_STATUS, "Status", STATUS_BEV | STATUS_ERL, STATUS_MASK, NULL, cp0_write_status),
    ROW(CP0_INTCTL, "IntCtl", 7u << 29 | 7u << 26, 0x3e0, NULL, NULL), /* timer and counters: IP7, through the GIC */
    ROW(CP0_SRSCTL, "SRSCtl", 0, 0, NULL, NULL),
    ROW(CP0_SRSMAP, "SRSMap", 0, 0, NULL, NULL),
    ROW(CP0_CAUSE, "Cause", 0, CAUSE_IP_SOFTWARE | CAUSE_IV | CAUSE_DC, NULL, cp0_write_cause),
    ROW(CP0_EPC, "EPC", 0, ALL, NULL, NULL),
    IDENTITY(CP0_PRID, "PRId", PRID_INTERAPTIV, 0, NULL, NULL),
    IDENTITY(CP0_EBASE, "EBase", 0x80000000, 0x3ffff000, cp0_reset_bits_ebase, NULL), /* CPUNum */
    IDENTITY(CP0_CMGCRBASE, "CMGCRBase", BOARD_GCR_BASE >> 4, 0, NULL, NULL),
    IDENTITY(CP0_CONFIG, "Config", CONFIG_RESET, 7, NULL, cp0_write_config),
    IDENTITY(CP0_CONFIG1, "Config1", CONFIG1_RESET, 0, cp0_reset_bits_config1, NULL),
    IDENTITY(CP0_CONFIG2, "Config2", CONFIG_M, 0, NULL, NULL),
    IDENTITY(CP0_CONFIG3, "Config3", CONFIG3_RESET, 0, cp0_reset_bits_config3, NULL),
    IDENTITY(CP0_CONFIG4, "Config4", CONFIG_M, 0, cp0_reset_bits_config4, NULL),
    IDENTITY(CP0_CONFIG5, "Config5", 0, 0, NULL, NULL),
    IDENTITY(CP0_CONFIG6, "Config6", 0, 0, NULL, NULL),
    IDENTITY(CP0_CONFIG7, "Config7", CONFIG7_RESET, 0, NULL, NULL),
    ROW(CP0_LLADDR, "LLAddr", 0, 0, cp0_read_lladdr, NULL),
    ROW(CP0_WATCHLO, "WatchLo0", 0, 0xfffffffc, NULL, cp0_write_watchlo0), /* with cpu.watch_registers */
    ROW(CP0_WATCHLO + 1, "WatchLo1", 0, 0xfffffffc, NULL, cp0_write_watchlo1),
    ROW(CP0_WATCHLO + 2, "WatchLo2", 0, 0xfffffffb, NULL, cp0_write_watchlo2),
    ROW(CP0_WATCHLO + 3, "WatchLo3", 0, 0xfffffffb, NULL, cp0_write_watchlo3),
    WATCHHI(0, "WatchHi0", cp0_reset_bits_watchhi),
    WATCHHI(1, "WatchHi1", cp0_reset_bits_watchhi),
    WATCHHI(2, "WatchHi2", cp0_reset_bits_watchhi),
    WATCHHI(3, "WatchHi3", NULL),
    ROW(CP0_PERFCTL0, "PerfCtl0", 1u << 31, PERFCTL_MASK, NULL, cp0_write_perfctl0), /* M: another counter follows */
    ROW(CP0_PERFCNT0, "PerfCnt0", 0, ALL, cp0_read_perfcnt0, cp0_write_perfcnt0),
    ROW(CP0_PERFCTL1, "PerfCtl1", 0, PERFCTL_MASK, NULL, cp0_write_perfctl1),
    ROW(CP0_PERFCNT1, "PerfCnt1", 0, ALL, cp0_read_perfcnt1, cp0_write_perfcnt1),
    ROW(CP0_ERRCTL, "ErrCtl", 0, 3u << 28, NULL, NULL), /* WST, SPR; no parity to enable */
    ROW(CP0_TAGLO, "ITagLo", 0, ALL, NULL, NULL),
    ROW(CP0_NUMBER(28, 1), "IDataLo", 0, ALL, NULL, NULL),
    ROW(CP0_NUMBER(28, 2), "DTagLo", 0, ALL, NULL, NULL),
    ROW(CP0_NUMBER(28, 3), "DDataLo", 0, ALL, NULL, NULL),
    ROW(CP0_NUMBER(29, 0), "ITagHi", 0, ALL, NULL, NULL),
    ROW(CP0_NUMBER(29, 1), "IDataHi", 0, ALL, NULL, NULL),
    ROW(CP0_ERROREPC, "ErrorEPC", 0, ALL, NULL, NULL),
};
/* clang-format on */
