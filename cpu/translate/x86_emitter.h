/*
 * A trace under construction, and what the files that lower operations to x86 share. Private to cpu/translate/x86_*.c.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_EMITTER_H
#define SIMOS_CPU_TRANSLATE_X86_EMITTER_H

#include "cpu/translate/host.h"
#include "cpu/translate/x86_registers.h"

enum {
    MAX_COLD = 8192,
    MAX_FP_CHECKS = 6000,
    COLD_SLOTS = sizeof((struct translate_frame *)0)->slots / sizeof(uint64_t)
};

/* Where a value is. */
struct place {
    enum { PLACE_REG, PLACE_MEM, PLACE_CONST } kind;
    int reg;
    struct x86_operand mem;
    uint32_t constant;
};

/* Code that is seldom executed goes behind the trace. */
enum cold_kind {
    COLD_SHORT,   /* the segment does not fit into the budget */
    COLD_LINK,    /* a jump that is not linked */
    COLD_CHECKED, /* a jump to another page, behind a check */
    COLD_GROUP,   /* a group of accesses that cannot share a lookup */
    COLD_ACCESS,  /* an access that is not in the flat tables or not known to hit */
    COLD_FETCH,   /* a line of code that is not known to hit */
    COLD_CALL,    /* a call after which the core wants to leave */
    COLD_TRAP,    /* an exception */
    COLD_MODE,    /* the FPU is not as it was */
    COLD_ANNUL,   /* the delay slot is not executed */
    COLD_STACK,   /* a call too deep for the host's stack */
    COLD_CALLED,  /* a call of the address in eax */
    COLD_LANDED,  /* a return to a page that is another now */
    COLD_STRAYED, /* a return that the host's stack does not expect */
    COLD_FP,      /* a floating-point operation that is not the common case */
};
enum { MAX_PROBES = 5 }; /* lines that a group of accesses looks at (x86_memory.c) */
struct cold {
    uint8_t kind;
    bool in_delay_slot;
    bool unchecked;
    uint8_t *from[3 + MAX_PROBES]; /* distances of the jumps to here */
    uint8_t *late;                 /* COLD_ACCESS: distance of the jump of an access that is not known to hit; */
    uint8_t *hit;                  /* where to go on when it does */
    uint8_t *back;                 /* where to go on */
    uint8_t *to_rest;              /* distance of the jump from what is executed often to the rest, if there is one */
    const struct ir_op *op;
    vaddr pc; /* of the instruction */
    uint32_t site;
    unsigned insns;
    vaddr target;
    const struct ir_segment *segment;
    const uint8_t *code, *rest;   /* once it is there */
    uint16_t first_check, checks; /* COLD_FP: in fp_checks */
};

/* A jump to the cold code of a floating-point operation (x86_fp.c). */
struct fp_check {
    uint8_t kind, number;
    uint8_t *from, *back;
};

enum { MAX_DATA = 64 };

/* In a loop register IN of the guest has the home that is otherwise OUT's, which waits in memory. */
struct substitution {
    uint8_t out, in, host;
};

/* Is an operation in a group of accesses (x86_memory.c)? */
enum in_group { GROUP_NONE, GROUP_MEMBER, GROUP_FIRST };

struct host_emitter {
    struct x86 x;
    struct code_cache *cache;
    struct code_page *page;
    const struct build_context *context;
    const struct ir_segment *segment;
    int8_t home[LOOP_REGISTERS]; /* host register of the guest's, or X86_NONE */
    bool is_loop;
    unsigned substitution_count;
    struct substitution substitutions[HOMES];
    /* A loop may have its code twice: the second is entered where all its lines of the instruction cache are known to
     * be there and each its set's last, and does not look at them (x86_lines.c). */
    bool is_twice, unchecked;
    uint8_t *head;                     /* is_twice: where that is found out */
    uint8_t *code[2][IR_MAX_SEGMENTS]; /* of the trace's segments, by `unchecked`; NULL: not emitted yet */
    uint8_t *fault; /* in a loop: where calls to C go that raised an exception; NULL: not emitted yet */
    struct place temps[IR_MAX_TEMPS];
    uint16_t last_use[IR_MAX_TEMPS];
    unsigned register_busy[3]; /* RCX, RDX: until after that operation */
    unsigned slot_busy[COLD_SLOTS];
    uint8_t group_of[IR_SEGMENT_OPS]; /* enum in_group of each operation of the segment */
    unsigned cold_count;
    struct cold cold[MAX_COLD];
    const uint8_t *cold_code; /* where that begins */
    unsigned fp_check_count;
    struct fp_check fp_checks[MAX_FP_CHECKS];
    /* For dumps: data in the midst of code, from and to. */
    unsigned data_count;
    const uint8_t *data[MAX_DATA], *data_end[MAX_DATA];
};

static inline unsigned emitter_mode(const struct host_emitter *e)
{
    return e->context->user ? VMAP_USER : VMAP_KERNEL;
}
static inline bool emitter_cached(const struct host_emitter *e)
{
    return e->context->line_mask != 0;
}
static inline const uint8_t *emitter_thunk(const struct host_emitter *e, unsigned which)
{
    return (const uint8_t *)(uintptr_t)e->cache->thunk[which];
}

static inline bool emitter_in_page(const struct host_emitter *e, vaddr pc)
{
    return (pc & ~(vaddr)(PAGE_SIZE - 1)) == e->page->page && (pc & 3) == 0; /* a misaligned one faults */
}

/* x86_place.c: temporaries and operands. */
/* Note where the temporaries of e->segment are used last. */
void place_prepare(struct host_emitter *e);
/* Give the temporary that operation INDEX defines its place. */
void place_define(struct host_emitter *e, unsigned index);
struct place place_of(const struct host_emitter *e, struct ir_value v);
/* V as a source operand: not for constants. */
struct x86_operand place_operand(struct place p);
/* Load P into REG, as 32 or 64 bits; the flags may change. */
void place_load(struct host_emitter *e, int reg, struct place p);
void place_load64(struct host_emitter *e, int reg, struct place p);
/* Store REG to P. */
void place_store(struct host_emitter *e, struct place p, int reg);
void place_store64(struct host_emitter *e, struct place p, int reg);
static inline bool place_is_reg(struct place p, int reg)
{
    return p.kind == PLACE_REG && p.reg == reg;
}

/* x86_homes.c: the assignment of registers. */
void homes_choose(struct host_emitter *e, const struct loop *loop);
/* Where control enters the loop. */
void emit_enter_loop(struct host_emitter *e);
/* Before control leaves the trace: every register of the guest where it is elsewhere. Keeps rax and the flags. */
void emit_leave_loop(struct host_emitter *e);

/* x86_arithmetic.c: operations on values; false: not one of those. */
bool emit_arithmetic(struct host_emitter *e, const struct ir_op *op);
/* Compare A and B; the condition code under which CONDITION holds. */
enum x86_condition emit_compare(struct host_emitter *e, enum ir_condition condition, struct ir_value a,
                                struct ir_value b);

/* x86_memory.c: loads and stores; false: not one of those. */
bool emit_memory(struct host_emitter *e, const struct ir_op *op);
void emit_fetch_line(struct host_emitter *e, const struct ir_op *op);
/* Find the groups of accesses of e->segment. */
void find_groups(struct host_emitter *e);
/* If a group begins with operation INDEX: emit it, and return how many operations it has; 0: none does. */
unsigned emit_group(struct host_emitter *e, unsigned index);
void emit_cold_group(struct host_emitter *e, struct cold *cold);
/* The line is not known to hit; and the rest of that, if there is no more to it that C code has to do. */
void emit_late_access(struct host_emitter *e, struct cold *cold);
void emit_late_fetch(struct host_emitter *e, struct cold *cold);
void emit_cold_access(struct host_emitter *e, struct cold *cold);
void emit_cold_fetch(struct host_emitter *e, const struct cold *cold);

/* x86_lines.c: loops that need not look at their lines of the instruction cache. */
/* Should the trace, a loop, have its code twice? */
bool lines_are_worth_it(const struct host_emitter *e);
/* Where the loop begins: jumps to the distances returned, so many, unless all lines are there and used last. */
enum { MAX_LINE_CHECKS = PAGE_SIZE / 8 };
unsigned emit_line_checks(struct host_emitter *e, uint8_t **from);

/* x86_fp.c */
void emit_fp(struct host_emitter *e, const struct ir_op *op);
void emit_cold_fp(struct host_emitter *e, const struct cold *cold);

/* x86_jumps.c: to the guest's addresses. */
void emit_jump(struct host_emitter *e, vaddr pc);
/* Where a jump to PC whose distance is at PLACE goes: at once if it is known, through cold code otherwise. */
void emit_aim(struct host_emitter *e, uint8_t *place, vaddr pc);
/* To the address in eax, whatever is there. */
void emit_dispatch(struct host_emitter *e);
/* Call what is going to be at the distance returned, to come back to PC; and what stands where it has. */
uint8_t *emit_guest_call(struct host_emitter *e, vaddr pc);
void emit_landing(struct host_emitter *e, vaddr pc);
/* The segment's end OP is a jump to the address in a register. */
void emit_indirect(struct host_emitter *e, const struct ir_op *op);
/* Of each kind of cold code that these add, the code. */
void emit_cold_checked(struct host_emitter *e, const struct cold *cold);
void emit_cold_link(struct host_emitter *e, const struct cold *cold);
void emit_cold_stack(struct host_emitter *e, const struct cold *cold);
void emit_cold_landed(struct host_emitter *e, const struct cold *cold);
void emit_cold_strayed(struct host_emitter *e);

/* x86_control.c */
struct cold *emitter_cold(struct host_emitter *e, enum cold_kind kind, const struct ir_op *op);
/* Note in the frame which instruction is at work. */
void emit_site(struct host_emitter *e, const struct cold *cold);
/* Call THUNK, which may raise an exception. */
void emit_call_thunk(struct host_emitter *e, unsigned thunk);
/* Call the function of COLD's operation through THUNK: THUNK_CALL or THUNK_FPU. */
void emit_call_semantics(struct host_emitter *e, const struct cold *cold, unsigned thunk);
/* Having jumped here because the core wants to leave: finish the instruction of COLD, and leave. Not in a delay slot.
 */
void emit_leave(struct host_emitter *e, const struct cold *cold);

#endif
