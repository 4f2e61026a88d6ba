/*
 * How the machine code uses the host's registers, and where it finds the core. Private to cpu/translate.
 *
 * rbp    the core + CORE_BIAS, so that the guest's registers have short displacements
 * r15    the budget: cycles left, less those of the segment under way that have not been executed
 * rax    scratch within an operation
 * rcx, rdx  scratch; temporaries may live there between operations
 * the others: one register of the guest each, its upper half zero: the one in x86_homes, but within a loop (loops.h)
 *     perhaps another
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_REGISTERS_H
#define SIMOS_CPU_TRANSLATE_X86_REGISTERS_H

#include "cpu/translate/translate.h"
#include "cpu/host/x86_assembler.h"

enum { CORE_BIAS = 128, BUDGET = R15, HOMES = 10 };

/* Guest and host register. The first four are kept by the calls to C. */
struct x86_home {
    uint8_t guest, host;
};
static const struct x86_home x86_homes[HOMES] = {
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

/* Memory relative to the core. */
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
/* Note which instruction is at work. Returns the end of the instruction whose last four bytes are PC; those of the last
 * one are SITE. */
static inline uint8_t *host_make_site(struct x86 *x, vaddr pc, uint32_t site)
{
    x86_store_imm(x, AT_CORE(s.pc), pc);
    uint8_t *end = x->at;
    x86_store_imm(x, AT_FRAME(site), site);
    return end;
}
/* Entry of the flat table of KIND in MODE for the page whose number is in register INDEX. */
static inline struct x86_operand x86_table(unsigned mode, unsigned kind, int index)
{
    return x86_indexed(RBP, index, 3, (int32_t)vmap_offset(mode, kind) - CORE_BIAS);
}

/* That of the page that ADDRESS is in. */
static inline struct x86_operand x86_table_entry(unsigned mode, unsigned kind, vaddr address)
{
    return x86_at(vmap_offset(mode, kind) + (size_t)(address >> PAGE_SHIFT) * sizeof(uint64_t));
}

/* The quick-check byte in TABLE of the line whose number is in register INDEX; of LINE. */
static inline struct x86_operand x86_quick(unsigned table, int index)
{
    return x86_indexed(RBP, index, 0, (int32_t)quick_offset(table) - CORE_BIAS);
}
/* The byte of the physical line of data whose number is in register INDEX. */
static inline struct x86_operand x86_data_quick(int index)
{
    return x86_indexed(RBP, index, 0, (int32_t)CORE_QUICK_DATA_OFFSET - CORE_BIAS);
}
static inline struct x86_operand x86_quick_at(unsigned table, uint32_t line)
{
    return x86_at((size_t)quick_offset(table) + line);
}

#endif
