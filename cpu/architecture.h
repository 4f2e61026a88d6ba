/*
 * A guest architecture: what distinguishes one MIPS processor from another beside its instructions (cpu/isa/isa.def).
 * Each is one constant of this type, which core->architecture points to; everything that depends on the architecture
 * asks it. docs/design/architecture.md says what a new one must provide.
 *
 * Common to all: 32 general registers with the names of the o32 ABI, HI and LO, the segments of the address space
 * (segments.h), delay slots, and the CP0 registers Status, Cause, EPC, BadVAddr, EntryHi and EntryLo, in which IM, CU0,
 * CU1, BEV, ExcCode, IP, CE and BD have the same bits.
 */
#ifndef SIMOS_CPU_ARCHITECTURE_H
#define SIMOS_CPU_ARCHITECTURE_H

#include "cpu/cpu.h"

struct core;
struct cp0_register;

/* What an exception means; several codes may mean the same. */
enum exception_kind {
    EXCEPTION_OTHER,
    EXCEPTION_INTERRUPT,
    EXCEPTION_PAGE, /* of the TLB: no valid translation, or a store to a page that is not writable */
    EXCEPTION_ADDRESS,
    EXCEPTION_BUS,
    EXCEPTION_SYSCALL,
    EXCEPTION_BREAKPOINT, /* and conditional traps */
    EXCEPTION_RESERVED,   /* reserved instruction */
    EXCEPTION_COPROCESSOR,
    EXCEPTION_ARITHMETIC,
};
enum { EXCEPTION_KINDS = EXCEPTION_ARITHMETIC + 1 };

/* The exception with one value of Cause.ExcCode. */
struct exception_row {
    const char *name;      /* in the processor's manual; NULL: the architecture has no such exception */
    const char *statistic; /* name of its count in the statistics; NULL: it never occurs here */
    enum exception_kind kind;
};

/* The registers that a function call and a system call use. */
enum { ARGUMENT_REGISTERS = 4 };
struct calling_convention {
    uint8_t argument[ARGUMENT_REGISTERS]; /* the others are on the stack, after the space for these, a word each */
    uint8_t result, stack_pointer, return_address;
    uint8_t thread_pointer; /* of the kernel: Linux keeps the address of thread_info there */
    uint8_t syscall_number;
};

/* Numbers of registers: the general registers have 0 to 31, as users and gdb write them. */
enum {
    REGISTER_PC = 32,
    REGISTER_HI,
    REGISTER_LO,
    REGISTER_FCSR,
    REGISTER_FIR,
    REGISTER_SINGLE = 64,  /* low words of the 32 floating-point registers */
    REGISTER_DOUBLE = 96,  /* what an instruction for doubles uses as such a register, under the present Status.FR */
    REGISTER_SYSTEM = 128, /* the CP0 registers, by their numbers */
    REGISTER_BADVADDR = REGISTER_SYSTEM + CP0_BADVADDR,
    REGISTER_STATUS = REGISTER_SYSTEM + CP0_STATUS,
    REGISTER_CAUSE = REGISTER_SYSTEM + CP0_CAUSE,
    REGISTER_EPC = REGISTER_SYSTEM + CP0_EPC,
    REGISTER_NUMBERS = REGISTER_SYSTEM + CP0_COUNT_OF_REGISTERS,
};

/* The description of the processor for gdb: COUNT registers, numbered from NUMBER, are gdb's from FIRST on. */
struct gdb_registers {
    const char *feature, *prefix, *suffix; /* of their names, with the index between if there are several */
    const char *attributes;
    uint16_t first, count, number;
};
struct gdb_description {
    const char *architecture;
    unsigned registers; /* how many gdb's numbers there are */
    const struct gdb_registers *rows;
    unsigned row_count;
};

/* What a prefetch instruction with one hint asks for. */
enum prefetch_kind {
    PREFETCH_NOTHING,
    PREFETCH_LINE,
    PREFETCH_STREAMED, /* the line is not expected to be reused */
    PREFETCH_PREPARE,  /* all of the line will be written */
};
enum { PREFETCH_HINTS = 32 };

/* A condition on Status: (Status & mask) == value. */
struct status_condition {
    uint32_t mask, value;
};

/* The formats of the TLB's registers. An entry in struct tlb_entry has MIPS32's form in every architecture. */
struct tlb_format {
    uint32_t vpn;        /* EntryHi: the virtual page number of an entry of the smallest pages */
    uint32_t asid;       /* EntryHi: the address space */
    uint8_t asid_shift;  /* ... and its lowest bit */
    uint8_t index_shift; /* Index and Random: lowest bit of the number of an entry */
    uint8_t entries;     /* of the TLB; 0: as many as cpu.tlb_entries says */
    bool random_counts;  /* Random counts down with each instruction; otherwise it changes with each write to the TLB */
    uint8_t entry_shift; /* log2 of the size of what an entry of the smallest pages maps, a page or a pair of pages */
    /* Context: the field for the address of a page, as (address >> shift) & mask */
    uint8_t context_shift;
    uint32_t context_page;
    /* The entry that a write to the TLB makes of the CP0 registers, and the registers that a read makes of an entry,
     * except EntryHi. */
    void (*from_registers)(const uint32_t *cp0, struct tlb_entry *entry);
    void (*to_registers)(const struct tlb_entry *entry, uint32_t *cp0);
};

struct architecture {
    const char *name;
    enum isa_level level; /* the instruction set; LEVEL_1 has load delay (struct cpu) */

    /* Registers */
    const struct cp0_register *cp0; /* CP0_COUNT_OF_REGISTERS rows (cpu/privileged/cp0.h) */
    const uint16_t *summary;        /* the registers that a summary of a processor's state shows, ended by 0 */
    uint32_t fir, fcsr_writable;    /* FPU: its identification; the bits of FCSR that can be written */
    const struct gdb_description *gdb;
    const struct calling_convention *calls;
    uint8_t prefetches[PREFETCH_HINTS]; /* enum prefetch_kind, by the hint of a prefetch instruction */
    bool fpu_interrupts; /* an exception of the FPU is an interrupt, on the pin core->fpu_pin, not EXC_FPE */

    /* Modes and exceptions */
    const struct exception_row *exceptions; /* EXCEPTION_CODES rows, by Cause.ExcCode */
    struct status_condition user_mode, interruptible;
    /* What an exception makes of Status: sets these bits, or shifts those of a field to the left by so many. */
    struct {
        uint32_t sets, shifts;
        uint8_t by;
    } in_handler;
    uint32_t returns_to_user; /* Status in a handler: the exception interrupted user mode */
    /* Status: while it is set, an exception does not write EPC, and a TLB refill takes the general vector. */
    uint32_t exception_level;
    uint32_t enters_kernel;   /* Status: while it is set, general registers may be those of what was interrupted */
    uint32_t refill_excludes; /* a TLB refill for an address with one of these bits takes the general vector */
    uint32_t isolates, swaps; /* Status: data accesses act on a cache alone, on that of instructions (isolated.h) */
    uint32_t isolated_missed; /* Status: the last load missed there */
    uint32_t kuseg_unmapped;  /* Status: kuseg is not mapped by the TLB */
    vaddr reset_vector;
    /* Offsets of the vectors from EBase; with Status.BEV from bootstrap_base + bootstrap_offset. An architecture
     * without EBase has the base as its reset value. */
    uint32_t refill_offset, general_offset, interrupt_offset, bootstrap_offset;

    struct tlb_format tlb;
};

#define ARCHITECTURE(name) extern const struct architecture name;
#include "cpu/architectures.def"

/* Row I of the architectures, in the order of the choices of cpu.architecture; NULL if there are no more. */
const struct architecture *architecture_at(unsigned i);
/* The architecture called NAME, one of these. */
const struct architecture *architecture_named(const char *name);

#endif
