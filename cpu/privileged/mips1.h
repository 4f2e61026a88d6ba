/*
 * What the tables of all architectures have in common (cpu/architecture.h), since MIPS I: the o32 calling
 * convention, the exceptions with codes 0 to 12, and the numbers that gdb gives the registers.
 */
#ifndef SIMOS_CPU_PRIVILEGED_MIPS1_H
#define SIMOS_CPU_PRIVILEGED_MIPS1_H

#include "cpu/architecture.h"

static const struct calling_convention mips1_o32 = {.argument = {4, 5, 6, 7},
                                                    .result = 2,
                                                    .stack_pointer = 29,
                                                    .return_address = 31,
                                                    .thread_pointer = 28,
                                                    .syscall_number = 2};

/* Rows of a table of exceptions (struct exception_row), by Cause.ExcCode. */
#define MIPS1_EXCEPTIONS                                                                                               \
    [EXC_INT] = {"Int", "interrupt", EXCEPTION_INTERRUPT}, [EXC_MOD] = {"Mod", "tlb_modified", EXCEPTION_PAGE},        \
    [EXC_TLBL] = {"TLBL", "tlb_load", EXCEPTION_PAGE}, [EXC_TLBS] = {"TLBS", "tlb_store", EXCEPTION_PAGE},             \
    [EXC_ADEL] = {"AdEL", "address_load", EXCEPTION_ADDRESS},                                                          \
    [EXC_ADES] = {"AdES", "address_store", EXCEPTION_ADDRESS}, [EXC_IBE] = {"IBE", "bus_fetch", EXCEPTION_BUS},        \
    [EXC_DBE] = {"DBE", "bus_data", EXCEPTION_BUS}, [EXC_SYS] = {"Sys", "syscall", EXCEPTION_SYSCALL},                 \
    [EXC_BP] = {"Bp", "breakpoint", EXCEPTION_BREAKPOINT}, [EXC_RI] = {"RI", "reserved", EXCEPTION_RESERVED},          \
    [EXC_CPU] = {"CpU", "coprocessor", EXCEPTION_COPROCESSOR}, [EXC_OV] = {"Ov", "overflow", EXCEPTION_ARITHMETIC}

/* Rows of a description for gdb (struct gdb_registers): all but the floating-point registers. */
#define MIPS1_GDB_FEATURE "org.gnu.gdb.mips."
#define MIPS1_GDB_REGISTERS                                                                                            \
    {MIPS1_GDB_FEATURE "cpu", "r", "", "", .first = 0, .count = 32, .number = 0},                                      \
        {MIPS1_GDB_FEATURE "cpu", "lo", "", "", .first = 33, .count = 1, .number = REGISTER_LO},                       \
        {MIPS1_GDB_FEATURE "cpu", "hi", "", "", .first = 34, .count = 1, .number = REGISTER_HI},                       \
        {MIPS1_GDB_FEATURE "cpu", "pc", "", "", .first = 37, .count = 1, .number = REGISTER_PC},                       \
        {MIPS1_GDB_FEATURE "cp0", "status", "", "", .first = 32, .count = 1, .number = REGISTER_STATUS},               \
        {MIPS1_GDB_FEATURE "cp0", "badvaddr", "", "", .first = 35, .count = 1, .number = REGISTER_BADVADDR},           \
    {                                                                                                                  \
        MIPS1_GDB_FEATURE "cp0", "cause", "", "", .first = 36, .count = 1, .number = REGISTER_CAUSE                    \
    }
#define MIPS1_GDB_CONTROL                                                                                              \
    {MIPS1_GDB_FEATURE "fpu", "fcsr", "", " group=\"float\"", .first = 70, .count = 1, .number = REGISTER_FCSR},       \
    {                                                                                                                  \
        MIPS1_GDB_FEATURE "fpu", "fir", "", " group=\"float\"", .first = 71, .count = 1, .number = REGISTER_FIR        \
    }

#endif
