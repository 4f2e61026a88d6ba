/*
 * Register conventions of the machine code, and its addressing of the core. Private to cpu/translate.
 *
 * rbp    the core + CORE_BIAS, so that guest registers have short displacements
 * r15    the budget: cycles left, minus the unexecuted instructions of the current block
 * rax    scratch within an operation
 * rcx, rdx  scratch; may hold temporaries between operations
 * others: one guest register each, upper half zero: as in x86_allocations, except that a loop (loops.h) may use another
 *     allocation
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_X86_REGISTERS_H
#define SIMOS_CPU_TRANSLATE_X86_X86_REGISTERS_H

#include "cpu/translate/translate.h"
#include "cpu/host/x86_assembler.h"

enum { CORE_BIAS = 128, BUDGET = R15, ALLOCATED = 10 };

/* Guest and host register. The C calling convention preserves the first four. */
struct x86_allocation {
    uint8_t guest, host;
};
static const struct x86_allocation x86_allocations[ALLOCATED] = {
    {2, RBX},  /* v0 */
    {16, R12}, /* s0 */
    {17, R13}, /* s1 */
    {29, R14}, /* sp */
    {3, RSI},  /* v1 */
    {4, RDI},  /* a0 */
    {5, R8},   /* a1 */
    {6, R9},   /* a2 */
    {7, R10},  /* a3 */
    {18, R11}, /* s2 */
};
enum { FIRST_CALLER_SAVED = 4 };

/* Memory operand at OFFSET in the core. */
static inline struct x86_operand x86_at(size_t offset)
{
    return x86_mem(RBP, (int32_t)offset - CORE_BIAS);
}
#define AT_CORE(field)  x86_at(offsetof(struct core, field))
#define AT_FRAME(field) x86_at(offsetof(struct core, model_area) + offsetof(struct translate_frame, field))
static inline struct x86_operand x86_state(unsigned number)
{
    return x86_at(4 * (size_t)number);
}
/* Entry of the flat table of KIND in MODE for the page number in register INDEX. */
static inline struct x86_operand x86_table(unsigned mode, unsigned kind, int index)
{
    return x86_indexed(RBP, index, 3, (int32_t)vmap_offset(mode, kind) - CORE_BIAS);
}

/* That entry for the page of ADDRESS. */
static inline struct x86_operand x86_table_entry(unsigned mode, unsigned kind, vaddr address)
{
    return x86_at(vmap_offset(mode, kind) + (size_t)(address >> PAGE_SHIFT) * sizeof(uint64_t));
}

/* Permission byte in TABLE of the line whose number is in register INDEX; x86_permit_at(): of LINE. */
static inline struct x86_operand x86_permit(unsigned table, int index)
{
    return x86_indexed(RBP, index, 0, (int32_t)permit_offset(table) - CORE_BIAS);
}
/* Permission byte of the physical data line whose number is in register INDEX. */
static inline struct x86_operand x86_data_permit(int index)
{
    return x86_indexed(RBP, index, 0, (int32_t)CORE_PERMIT_DATA_OFFSET - CORE_BIAS);
}
static inline struct x86_operand x86_permit_at(unsigned table, uint32_t line)
{
    return x86_at((size_t)permit_offset(table) + line);
}

#endif
