/*
 * State of the superblock being translated to x86, and functions shared by the files of the backend. Private to
 * cpu/translate/x86/x86_*.c.
 */
#ifndef SIMOS_CPU_TRANSLATE_X86_X86_EMITTER_H
#define SIMOS_CPU_TRANSLATE_X86_X86_EMITTER_H

#include "cpu/translate/host.h"
#include "cpu/translate/x86/x86_registers.h"

enum {
    MAX_COLD = 16384,
    MAX_FP_CHECKS = 6000,
    COLD_SLOTS = sizeof((struct translate_frame *)0)->slots / sizeof(uint64_t)
};

/* Location of a value. */
struct place {
    enum { PLACE_REG, PLACE_MEM, PLACE_CONST } kind;
    int reg;
    struct x86_operand mem;
    uint32_t constant;
};

/* Kinds of cold code: rarely executed code, placed after the superblock. */
enum cold_kind {
    COLD_BUDGET,          /* the budget does not suffice for the basic block */
    COLD_LINK,            /* exit stub of a jump that is not linked */
    COLD_CHECKED,         /* a jump to another page, guarded by a check of its mapping */
    COLD_GROUP,           /* a group of accesses that cannot share a lookup */
    COLD_ACCESS,          /* an access not in the flat tables or not known to hit */
    COLD_FETCH,           /* an instruction cache line not known to hit */
    COLD_CALL,            /* a call after which the core requests attention */
    COLD_TRAP,            /* an exception */
    COLD_MODE,            /* the FPU is off or Status.FR differs */
    COLD_ANNUL,           /* the delay slot is annulled */
    COLD_STACK,           /* a guest call too deep for the host's stack */
    COLD_INDIRECT_CALL,   /* a call to the address in eax */
    COLD_RETURN_REMAPPED, /* a return to an address whose mapping has changed */
    COLD_RETURN_MISMATCH, /* a return that does not match the top of the host's stack */
    COLD_COUNTER,         /* a counter of executions that is not on the list yet */
    COLD_INTERLOCK,       /* an instruction waits for a result or unit */
    COLD_FP,              /* a floating-point operation outside the common case */
};
enum { MAX_PROBES = 5 }; /* maximum number of lines tested for a group of accesses (x86_memory.c) */
struct cold {
    uint8_t kind;
    bool in_delay_slot;
    bool unchecked;
    uint8_t *from[3 + MAX_PROBES]; /* displacement fields of the jumps to this code */
    uint8_t *miss_jump; /* COLD_ACCESS: displacement field of the jump taken if the line is not known to hit */
    uint8_t *hit;       /* COLD_ACCESS: where to continue after that miss */
    uint8_t *back;      /* where to continue */
    /* Displacement field of the jump from the frequent part of the cold code to the rest, if it is split. */
    uint8_t *rest_jump;
    const struct ir_op *op;
    vaddr pc;          /* address of the instruction */
    uint32_t position; /* of the instruction, as in struct translate_frame */
    uint32_t counter;  /* COLD_COUNTER: its number */
    unsigned insns;
    vaddr target;
    const struct ir_block *block;
    const uint8_t *code, *rest;   /* start of the code once generated; start of its rest */
    uint16_t first_check, checks; /* COLD_FP: range in fp_checks */
};

/* A conditional jump to the cold code of a floating-point operation (x86_fp.c). */
struct fp_check {
    uint8_t kind, number;
    uint8_t *from, *back;
};

enum { MAX_DATA = 64 };

/* In a loop, guest register IN occupies the host register normally allocated to OUT; OUT is in memory. */
struct substitution {
    uint8_t out, in, host;
};

/* Membership of an operation in a group of accesses (x86_memory.c). */
enum in_group { GROUP_NONE, GROUP_MEMBER, GROUP_FIRST };

struct host_emitter {
    struct x86 x;
    struct code_cache *cache;
    struct code_page *page;
    const struct build_context *context;
    const struct ir_block *block;
    int8_t host_register[LOOP_REGISTERS]; /* register allocation: host register of each guest register, or X86_NONE */
    bool is_loop;
    unsigned substitution_count;
    struct substitution substitutions[ALLOCATED];
    /* A loop may have two versions of its code. The second is entered if all its instruction cache lines are known to
     * be present and each is the most recently used of its set; it does not test them (x86_lines.c). */
    bool has_untested_version, lines_untested;
    uint8_t *head;                      /* has_untested_version: address of that test */
    uint8_t *code[2][IR_MAX_BLOCKS];    /* of the basic blocks, indexed by `unchecked`; NULL: not generated yet */
    int32_t executed[2][IR_MAX_BLOCKS]; /* numbers in cache->blocks, indexed as `code`; negative: not counted */
    uint8_t *fault; /* in a loop: target after a C call that raised an exception; NULL: not generated yet */
    struct place temps[IR_MAX_TEMPS];
    uint16_t last_use[IR_MAX_TEMPS];
    unsigned register_busy[3]; /* for RCX and RDX: in use up to and including that operation */
    unsigned slot_busy[COLD_SLOTS];
    uint8_t group_of[IR_BLOCK_OPS]; /* enum in_group of each operation of the basic block */
    unsigned cold_count;
    struct cold cold[MAX_COLD];
    const uint8_t *cold_code; /* start of the cold code */
    unsigned fp_check_count;
    struct fp_check fp_checks[MAX_FP_CHECKS];
    /* For listings: start and end of data embedded in the code. */
    unsigned data_count;
    const uint8_t *data[MAX_DATA], *data_end[MAX_DATA];
    unsigned return_count; /* addresses at which the stubs of accesses return */
    uint32_t returns[MAX_COLD];
};

static inline unsigned emitter_mode(const struct host_emitter *e)
{
    return e->context->user ? VMAP_USER : VMAP_KERNEL;
}
static inline bool emitter_cached(const struct host_emitter *e)
{
    return e->context->line_mask != 0;
}
static inline const uint8_t *emitter_stub(const struct host_emitter *e, unsigned which)
{
    return (const uint8_t *)(uintptr_t)e->cache->stub[which];
}

static inline bool emitter_in_page(const struct host_emitter *e, vaddr pc)
{
    return (pc & ~(vaddr)(PAGE_SIZE - 1)) == e->page->page && (pc & 3) == 0; /* a misaligned pc raises an exception */
}

/* x86_place.c: temporaries and operands. */
/* Find the last use of each temporary of e->block. */
void place_prepare(struct host_emitter *e);
/* Allocate a place to the temporary that operation INDEX defines. */
void place_define(struct host_emitter *e, unsigned index);
struct place place_of(const struct host_emitter *e, struct ir_value v);
/* P as a source operand; P must not be a constant. */
struct x86_operand place_operand(struct place p);
/* Load P into REG, 32 or 64 bits. May change the flags. */
void place_load(struct host_emitter *e, int reg, struct place p);
void place_load64(struct host_emitter *e, int reg, struct place p);
/* Store REG to P. */
void place_store(struct host_emitter *e, struct place p, int reg);
void place_store64(struct host_emitter *e, struct place p, int reg);
static inline bool place_is_reg(struct place p, int reg)
{
    return p.kind == PLACE_REG && p.reg == reg;
}

/* x86_allocation.c: register allocation. */
void registers_allocate(struct host_emitter *e, const struct loop *loop);
/* At the entry of a loop: load its registers. */
void emit_enter_loop(struct host_emitter *e);
/* Before control leaves the superblock: restore the usual register allocation. Preserves rax and the flags. */
void emit_leave_loop(struct host_emitter *e);

/* x86_arithmetic.c: operations on values; false: OP is not one of them. */
bool emit_arithmetic(struct host_emitter *e, const struct ir_op *op);
/* Compare A and B; returns the host condition under which CONDITION holds. */
enum x86_condition emit_compare(struct host_emitter *e, enum ir_condition condition, struct ir_value a,
                                struct ir_value b);

/* x86_memory.c: loads and stores; false: OP is not one of them. */
bool emit_memory(struct host_emitter *e, const struct ir_op *op);
void emit_fetch_line(struct host_emitter *e, const struct ir_op *op);
/* Find the groups of accesses of e->block. */
void find_groups(struct host_emitter *e);
/* If a group begins at operation INDEX: generate its code and return its number of operations; otherwise return 0. */
unsigned emit_group(struct host_emitter *e, unsigned index);
void emit_cold_group(struct host_emitter *e, struct cold *cold);
/* The first two handle a line that is not known to hit; the other two the cases that the stub leaves to C code. */
void emit_access_miss(struct host_emitter *e, struct cold *cold);
void emit_fetch_miss(struct host_emitter *e, struct cold *cold);
void emit_cold_access(struct host_emitter *e, struct cold *cold);
void emit_cold_fetch(struct host_emitter *e, const struct cold *cold);

/* x86_lines.c: loops that do not test their instruction cache lines in every iteration. */
/* Should the superblock, a loop, have two versions of its code? */
bool lines_untested_version_wanted(const struct host_emitter *e);
/* Test at the loop head that all lines of the loop are present and most recently used. Stores the displacement fields
 * of the jumps taken otherwise in FROM and returns their number. */
enum { MAX_LINE_CHECKS = PAGE_SIZE / 8 };
unsigned emit_line_checks(struct host_emitter *e, uint8_t **from);

/* x86_fp.c */
void emit_fp(struct host_emitter *e, const struct ir_op *op);
void emit_cold_fp(struct host_emitter *e, const struct cold *cold);

/* x86_interlock.c: instruction costs. All change rax and the flags. */
void emit_await(struct host_emitter *e, const struct ir_op *op);
void emit_cold_interlock(struct host_emitter *e, const struct cold *cold);
void emit_issue(struct host_emitter *e, const struct ir_op *op);
/* Does the branch of e->block to TARGET have a delay after it? If so, emit_taken_delay() where it is taken. */
bool delays_branch_to(const struct host_emitter *e, vaddr target);
void emit_taken_delay(struct host_emitter *e);
/* The same for an indirect jump to TARGET. */
void emit_indirect_delay(struct host_emitter *e, struct ir_value target);

/* x86_jumps.c: jumps to guest addresses. */
void emit_jump(struct host_emitter *e, vaddr pc);
/* Set the target of the jump with displacement field PLACE to guest address PC: directly if its code is known,
 * otherwise through cold code. */
void emit_set_target(struct host_emitter *e, uint8_t *place, vaddr pc);
/* Jump to the guest address in eax. */
void emit_dispatch(struct host_emitter *e);
/* Host call for a guest call that returns to PC; returns the displacement field of the call. emit_return_point()
 * generates the code at the return address. */
uint8_t *emit_guest_call(struct host_emitter *e, vaddr pc);
void emit_return_point(struct host_emitter *e, vaddr pc);
/* The block ends with a jump to the address in a register. */
void emit_indirect(struct host_emitter *e, const struct ir_op *op);
/* Code for each kind of cold code that the functions above add. */
void emit_cold_checked(struct host_emitter *e, const struct cold *cold);
void emit_cold_link(struct host_emitter *e, const struct cold *cold);
void emit_cold_stack(struct host_emitter *e, const struct cold *cold);
void emit_cold_return_remapped(struct host_emitter *e, const struct cold *cold);
void emit_cold_return_mismatch(struct host_emitter *e);

/* x86_executions.c: counts of executions (cpu/observe/executions.h), if they are on. */
/* Is there room for the counts of a superblock? */
bool executions_have_room(const struct code_cache *cache);
/* At the start of e->block: count it. */
void emit_count_block(struct host_emitter *e);
/* Count its branch as taken, or its delay slot as annulled. Changes rax, rcx and the flags. */
void emit_count_side(struct host_emitter *e);
/* Does OP perform a taken conditional branch of e->block, which is counted? */
bool counts_taken_branch(struct host_emitter *e, const struct ir_op *op);
/* Count the indirect call of e->block to the address in eax. Changes rcx, rdx and the flags. */
void emit_count_indirect_call(struct host_emitter *e);
/* e->block ends with a jump to TARGET. Count that if it is a jalr to an address that the translator found. */
void emit_count_known_call(struct host_emitter *e, vaddr target);
void emit_cold_counter(struct host_emitter *e, const struct cold *cold);

/* x86_control.c */
struct cold *emitter_cold(struct host_emitter *e, enum cold_kind kind, const struct ir_op *op);
/* Store the position of the current instruction in the frame and s.pc. */
void emit_position(struct host_emitter *e, const struct cold *cold);
/* Perform an access through STUB, which may raise an exception: address in ecx, value to store in rdx; the value loaded
 * is in rax afterwards. */
void emit_access_stub(struct host_emitter *e, enum translate_stub stub);
/* Call the function of COLD's operation through STUB_CALL or STUB_FPU. */
void emit_call_semantics(struct host_emitter *e, const struct cold *cold, unsigned stub);
/* The core requests attention: complete the instruction of COLD and leave translated code. Not for a delay slot. */
void emit_leave(struct host_emitter *e, const struct cold *cold);

#endif
