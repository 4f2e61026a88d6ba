/*
 * Machine code for the instructions of a block, on x86-64.
 *
 * Registers:
 *   rbx       the core
 *   r12       the time of the block's first instruction, ticks, with all stalls so far: that of instruction k is
 *             k cycles more
 *   r13, r14  the page, and its virtual address
 *   r15, rbp  fetch_times, data_times of mipsy_hot
 *   r10, r11  the core's load_map, store_map
 *   rax, rcx, rdx  within an operation
 *   rsi, rdi, r8, r9  values of an instruction
 * The guest's registers are in memory.
 *
 * Private to cpu/mipsy.
 */
#ifndef SIMOS_CPU_MIPSY_X86_EMITTER_H
#define SIMOS_CPU_MIPSY_X86_EMITTER_H

#include "cpu/host/x86_assembler.h"
#include "cpu/mipsy/translator.h"

enum { TEMPORARIES = 4 };

/* A value of the guest's. A register or sum is read where it is used. */
struct value {
    enum { VALUE_CONST, VALUE_GUEST, VALUE_SUM, VALUE_HOST, VALUE_CONDITION } kind;
    bool named;        /* VALUE_HOST: used more than once */
    int8_t reg;        /* VALUE_HOST */
    uint16_t guest;    /* VALUE_GUEST; VALUE_SUM: with the constant */
    uint32_t constant; /* VALUE_CONST */
    /* VALUE_CONDITION: what is compared, of the first three kinds or VALUE_HOST; the first is no constant. */
    enum x86_condition condition;
    struct operand {
        uint8_t kind;
        int8_t reg;
        bool named;
        uint16_t guest;
        uint32_t constant;
    } x, y;
};

/* Code that is seldom executed, at the end of the block. */
struct cold {
    enum { COLD_FETCH, COLD_LOAD, COLD_STORE, COLD_TRAP, COLD_LEAVE } kind;
    uint8_t *from[3]; /* jumps to it; NULL: none */
    uint8_t *back;
    struct mipsy_site site;
    unsigned live;    /* temporaries, bits, that have to be kept */
    int result;       /* COLD_LOAD: its register, */
    struct insn insn; /* and the instruction */
    enum isa_id id;
    struct value stored, mask; /* COLD_STORE */
    uint32_t argument;         /* COLD_FETCH, COLD_TRAP */
};
enum { COLD_MAX = 4 * MIPSY_WINDOW }; /* of an instruction: its fetch, its access or trap, its mode */

enum mipsy_thunk {
    /* Fetches and accesses: the cold code's arguments are in eax (of a fetch the instruction's offset in its page, of
     * others the address), ecx (the site), edx and esi (the value and the mask). */
    THUNK_FETCH,
    THUNK_LOAD, /* eax: 0, or the load has to be finished, to leave by THUNK_FINISHED; rcx: where what it loads is */
    THUNK_STORE,
    THUNK_TRAP, /* eax: which exception */
    THUNK_TLBWR,
    THUNK_ERET,
    THUNK_JUMP,
    THUNK_HERE,
    THUNK_FINISHED,
    THUNK_AT_PLACE, /* edx: the place */
    THUNK_AT_BLOCK,
    THUNKS
};

struct mipsy_translator {
    uint8_t *memory, *memory_end, *first; /* for code; behind the thunks */
    const uint8_t *enter, *thunk[THUNKS];
    bool notes_times;                   /* of a use of a line */
    bool notes_fetched, notes_accessed; /* ... which of its set it was (memsys_last_used) */
    uint32_t last_mask, last_data_mask;
    uint8_t data_shift;
    bool data_by_virtual; /* quick bytes of data are found by virtual address */
    bool prefetches;
    bool can[ISA_COUNT]; /* make code of it */

    struct x86 x;
    /* The block at work. */
    struct mipsy_page *page;
    struct mipsy_pages *pages;
    vaddr base;       /* the page's virtual address now; the code is for any, but fastest there */
    unsigned count;   /* of its instructions */
    uint64_t aligned; /* bit by register of the guest: known to be a multiple of 4 */
    struct decoded {
        enum isa_id id;
        struct insn insn;
    } decoded[MIPSY_WINDOW]; /* its instructions */
    struct cold cold[COLD_MAX];
    unsigned cold_count;
    /* The instruction at work. */
    struct mipsy_site site;
    struct insn insn;
    enum isa_id id;
    unsigned index; /* in its page */
    unsigned free;  /* temporaries, bits */
    bool failed;    /* it cannot be translated */
    bool finishes;  /* what it loads is in frame.value */
    /* What it does after its delay slot, if it is a branch. */
    enum { NO_BRANCH, BRANCH_IF, JUMP_TO, JUMP_IN_REGION } branch;
    struct value decides; /* the condition, or where it goes; JUMP_IN_REGION: in the 256 MB of its delay slot */
};

static inline int temporary(unsigned number)
{
    static const int8_t registers[TEMPORARIES] = {RSI, RDI, R8, R9};
    return registers[number];
}

/* Memory relative to the core. */
static inline struct x86_operand at_core(size_t offset)
{
    return x86_mem(RBX, (int32_t)offset);
}
#define AT_CORE(field)  at_core(offsetof(struct core, field))
#define AT_HOT(field)   at_core(offsetof(struct core, model_area) + offsetof(struct mipsy_hot, field))
#define AT_FRAME(field) AT_HOT(frame.field)
static inline struct x86_operand at_guest(unsigned number)
{
    return at_core(4 * (size_t)number);
}
static inline struct value value_const(uint32_t constant)
{
    return (struct value){.kind = VALUE_CONST, .constant = constant};
}
static inline struct value value_guest(unsigned number)
{
    return number == 0 ? value_const(0) : (struct value){.kind = VALUE_GUEST, .guest = (uint16_t)number};
}

/* x86_values.c */
/* Is V known to be a multiple of 4 that is not a constant? */
bool value_is_aligned(const struct mipsy_translator *t, struct value v);
/* A free temporary. */
int value_new(struct mipsy_translator *t);
/* V in a register: any but rcx if it is in one, otherwise SCRATCH. */
int value_in(struct mipsy_translator *t, struct value v, int scratch);
/* V into register REG, whatever it is. */
void value_load(struct mipsy_translator *t, int reg, struct value v);
/* V is not needed any more, unless it is named. */
void value_done(struct mipsy_translator *t, struct value v);
struct value value_named(struct mipsy_translator *t, struct value v);
struct value value_binary(struct mipsy_translator *t, enum x86_alu op, struct value a, struct value b);
struct value value_shift(struct mipsy_translator *t, enum x86_shift op, struct value a, struct value b);
struct value value_not(struct mipsy_translator *t, struct value a);
struct value value_extend(struct mipsy_translator *t, bool is_byte, struct value a);
struct value value_leading_zeros(struct mipsy_translator *t, struct value a);
struct value value_compare(struct mipsy_translator *t, enum x86_condition condition, struct value a, struct value b);
struct value value_select(struct mipsy_translator *t, struct value c, struct value a, struct value b);
struct value value_product(struct mipsy_translator *t, bool is_signed, struct value a, struct value b);
struct value value_joined(struct mipsy_translator *t, struct value high, struct value low);
struct value value_binary64(struct mipsy_translator *t, enum x86_alu op, struct value a, struct value b);
struct value value_high(struct mipsy_translator *t, struct value a);
/* The virtual address OFFSET bytes from the start of the page. */
struct value value_address(struct mipsy_translator *t, uint32_t offset);
void value_write(struct mipsy_translator *t, unsigned guest, struct value v);
/* Compare; the condition under which C, a condition, holds. Changes rax at most. */
enum x86_condition value_test(struct mipsy_translator *t, struct value c);

/* x86_accesses.c */
struct value emit_load(struct mipsy_translator *t, enum mipsy_type type, struct value address);
void emit_store(struct mipsy_translator *t, enum mipsy_type type, struct value address, struct value v,
                struct value mask);
void emit_trap_if(struct mipsy_translator *t, struct value c, enum exception_code code);
/* The line of the instruction at work is fetched. */
void emit_fetch(struct mipsy_translator *t);
/* The interpreter goes on with the instruction at work, unless the core is in kernel mode. */
void emit_leave_in_user_mode(struct mipsy_translator *t);
/* The instruction at work is THUNK's. */
void emit_call(struct mipsy_translator *t, enum mipsy_thunk thunk);
/* At the end of the block: what all these left for then. */
void emit_cold(struct mipsy_translator *t);

/* x86_thunks.c: at the beginning of the memory: t->enter, thunk, first. */
void emit_thunks(struct mipsy_translator *t);

/* x86_rows.c: the instruction in t->id, t->insn; t->failed: that cannot be done, and something has been emitted. */
void emit_row(struct mipsy_translator *t);

#endif
