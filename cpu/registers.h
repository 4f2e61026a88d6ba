/*
 * The registers of a processor by their purpose, whatever their numbers in its architecture: for hooks on the guest's
 * functions, and for those who describe what a processor does. cpu/privileged/register_access.h has them by number and
 * by name.
 */
#ifndef SIMOS_CPU_REGISTERS_H
#define SIMOS_CPU_REGISTERS_H

#include "cpu/core.h"

/* General register NUMBER, below 32. */
static inline uint32_t core_general(const struct core *core, unsigned number)
{
    return core->s.gpr[number];
}

/* At the first instruction of a function: its argument INDEX, below ARGUMENT_REGISTERS. */
static inline uint32_t core_argument(const struct core *core, unsigned index)
{
    return core->s.gpr[core->architecture->calls->argument[index]];
}

static inline void core_set_argument(struct core *core, unsigned index, uint32_t value)
{
    core->s.gpr[core->architecture->calls->argument[index]] = value;
}

/* At the first instruction of a function: the address of argument INDEX that is passed on the stack. */
static inline vaddr core_argument_address(const struct core *core, unsigned index)
{
    return core->s.gpr[core->architecture->calls->stack_pointer] + 4 * index;
}

/* After the return from a function: its result. */
static inline uint32_t core_result(const struct core *core)
{
    return core->s.gpr[core->architecture->calls->result];
}

static inline vaddr core_stack_pointer(const struct core *core)
{
    return core->s.gpr[core->architecture->calls->stack_pointer];
}

/* At the first instruction of a function: where it returns to. */
static inline vaddr core_return_address(const struct core *core)
{
    return core->s.gpr[core->architecture->calls->return_address];
}

/* The call that a function with RETURN_ADDRESS was called by: the call and its delay slot precede it. */
static inline vaddr core_call_before(vaddr return_address)
{
    return return_address - 8;
}

/* In the kernel: the pointer to the running thread. Not before an exception handler has set it (core_enters_kernel). */
static inline vaddr core_thread_pointer(const struct core *core)
{
    return core->s.gpr[core->architecture->calls->thread_pointer];
}

/* In a system call exception: the number of the system call. */
static inline uint32_t core_syscall_number(const struct core *core)
{
    return core->s.gpr[core->architecture->calls->syscall_number];
}

/* Do the general registers still belong to what an exception interrupted? So it is in the first instructions of a
 * handler, and in the whole of that of a TLB refill. An architecture without an exception level can tell only after an
 * exception in user mode. */
static inline bool core_enters_kernel(const struct core *core)
{
    return core->s.cp0[CP0_STATUS] & core->architecture->enters_kernel;
}

/* The last exception: its code, the address at which it was raised (the branch if that was in a delay slot), and the
 * last address that an access could not be made to. */
static inline unsigned core_exception_code(const struct core *core)
{
    return (core->s.cp0[CP0_CAUSE] & CAUSE_EXCCODE) >> CAUSE_EXCCODE_SHIFT;
}

static inline vaddr core_exception_pc(const struct core *core)
{
    return core->s.cp0[CP0_EPC];
}

static inline vaddr core_bad_address(const struct core *core)
{
    return core->s.cp0[CP0_BADVADDR];
}

/* What exception CODE means to CORE. */
static inline enum exception_kind core_exception_kind(const struct core *core, unsigned code)
{
    return core->architecture->exceptions[code].kind;
}

/* The number of interrupts and of other exceptions taken. */
static inline uint64_t core_interrupts(const struct core *core)
{
    return core->counts.exceptions[EXC_INT];
}

static inline uint64_t core_exceptions(const struct core *core)
{
    uint64_t sum = 0;
    for (unsigned code = 0; code < EXCEPTION_CODES; code++)
        sum += core->counts.exceptions[code];
    return sum - core_interrupts(core);
}

#endif
