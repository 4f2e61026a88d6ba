/*
 * The CP0 registers of the R3000: Kane and Heinrich, "MIPS RISC Architecture", chapters 4 and 6. Registers not listed
 * here read as 0.
 *
 * Left out of Status: RE (reversed byte order in user mode), and PE and TS, which report parity errors and a TLB with
 * two entries for one address; neither happens here.
 */
#include "cpu/privileged/cp0_hooks.h"
#include "cpu/privileged/r3000.h"

/* An R3000A. */
#define PRID_R3000A 0x0230u

#define ALL         0xffffffffu
/* CU3 to CU0, BEV, PZ, SwC, IsC, IM, and the stack of KU and IE. */
#define STATUS_MASK (0xf0000000u | STATUS_BEV | R3000_PZ | R3000_SWC | R3000_ISC | STATUS_IM | R3000_KU_IE)

#define ROW(NUMBER, NAME, RESET, MASK, READ, WRITE)                                                                    \
    [NUMBER] = {                                                                                                       \
        .number = (NUMBER), .name = (NAME), .reset = (RESET), .write_mask = (MASK), .read = (READ), .write = (WRITE)}

/* clang-format off */
const struct cp0_register r3000_cp0[CP0_COUNT_OF_REGISTERS] = {
    ROW(CP0_INDEX, "Index", 0, 0x3f00, NULL, NULL),
    ROW(CP0_RANDOM, "Random", 0, 0, cp0_read_random, NULL),
    ROW(CP0_ENTRYLO0, "EntryLo", 0, 0xffffff00, NULL, NULL),
    ROW(CP0_CONTEXT, "Context", 0, 0xffe00000, NULL, NULL),
    ROW(CP0_BADVADDR, "BadVAddr", 0, 0, NULL, NULL),
    ROW(CP0_ENTRYHI, "EntryHi", 0, 0xffffffc0, NULL, cp0_write_entryhi),
    ROW(CP0_STATUS, "Status", STATUS_BEV, STATUS_MASK, NULL, cp0_write_status),
    ROW(CP0_CAUSE, "Cause", 0, CAUSE_IP_SOFTWARE, NULL, cp0_write_cause),
    ROW(CP0_EPC, "EPC", 0, 0, NULL, NULL),
    [CP0_PRID] = {.number = CP0_PRID, .name = "PRId", .reset = PRID_R3000A, .identifies = true},
    /* Not for the guest: where the vectors are, the entries that tlbwr spares, the cache attribute of kseg0. */
    [CP0_EBASE] = {.number = CP0_EBASE, .reset = KSEG0_BASE},
    [CP0_WIRED] = {.number = CP0_WIRED, .reset = 8},
    [CP0_CONFIG] = {.number = CP0_CONFIG, .reset = 3},
};
/* clang-format on */
