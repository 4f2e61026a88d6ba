/*
 * The instruction set: decoded form, operand dependences, classes, disassembler. Everything is generated from isa.def,
 * which has one row per instruction.
 */
#ifndef SIMOS_CPU_ISA_ISA_H
#define SIMOS_CPU_ISA_ISA_H

#include "src/base/types.h"
#include <stdio.h>

struct core;

enum {
    GPR_SINK = 32, /* the decoder redirects writes of $zero to this register */
    GPR_COUNT = 33,
};

/*
 * A decoded instruction, 16 bytes. Register fields are numbers; a destination of $zero is already replaced by GPR_SINK.
 * Floating-point instructions use ft = rt, fs = rd, fd = sa, fr = rs. For sc, which both stores rt and writes it, sa
 * holds the number of the register to store.
 */
struct insn {
    const void *run; /* private to the engine that decoded the instruction */
    uint8_t rs, rt, rd, sa;
    int32_t imm; /* the immediate, as the row's imm_kind specifies */
};

/* The contents of `imm`. */
enum imm_kind {
    IMM_NONE,
    IMM_SIGNED,    /* bits 15:0, sign-extended */
    IMM_UNSIGNED,  /* bits 15:0 */
    IMM_UPPER,     /* bits 15:0 << 16 */
    IMM_BRANCH,    /* bits 15:0, sign-extended, * 4: distance from the delay slot */
    IMM_JUMP,      /* bits 25:0 * 4: low 28 bits of the target */
    IMM_CODE,      /* bits 25:6 (syscall, break, sdbbp, wait, cop0 code) */
    IMM_TRAP,      /* bits 15:6 (trap code) */
    IMM_SELECT,    /* bits 2:0 (CP0 select) */
    IMM_FIELD,     /* ext, ins: lsb (sa) in bits 7:0, the msb field (rd) in bits 15:8 */
    IMM_CC,        /* bits 20:18, the FP condition code of movf, movt; not a branch */
    IMM_CC_BRANCH, /* bits 15:0 as IMM_BRANCH; the condition code is rt >> 2 */
    IMM_COMPARE,   /* c.cond: condition in bits 3:0, condition code (bits 10:8) in bits 6:4 */
    IMM_WORD,      /* the whole instruction word */
};

/* Operands, for dependences: bit masks for the `uses` and `defines` columns. */
enum {
    OPERAND_S = 1 << 0, /* GPR rs */
    OPERAND_T = 1 << 1, /* GPR rt */
    OPERAND_D = 1 << 2, /* GPR rd */
    OPERAND_31 = 1 << 3,
    OPERAND_HI = 1 << 4,
    OPERAND_LO = 1 << 5,
    OPERAND_FS = 1 << 6,
    OPERAND_FT = 1 << 7,
    OPERAND_FR = 1 << 8,
    OPERAND_FD = 1 << 9,
    OPERAND_FCC = 1 << 10,  /* FP condition codes */
    OPERAND_FCSR = 1 << 11, /* rounding mode, flags */
    OPERAND_CP0 = 1 << 12,
    OPERAND_LL = 1 << 13, /* LLbit and the load-linked address */
    OPERAND_MEM = 1 << 14,
};

/* Classes: functional unit, latency class, and kind in the instruction mix. */
enum insn_class {
    CLASS_ALU,
    CLASS_SHIFT,
    CLASS_MULTIPLY,
    CLASS_DIVIDE,
    CLASS_LOAD,
    CLASS_STORE,
    CLASS_PREFETCH,
    CLASS_BRANCH,
    CLASS_JUMP,
    CLASS_TRAP,
    CLASS_FP_ADD,
    CLASS_FP_MULTIPLY,
    CLASS_FP_MULTIPLY_ADD,
    CLASS_FP_DIVIDE_S,
    CLASS_FP_DIVIDE_D,
    CLASS_FP_SQRT_S,
    CLASS_FP_SQRT_D,
    CLASS_FP_CONVERT,
    CLASS_FP_COMPARE,
    CLASS_FP_MOVE,
    CLASS_SYSTEM,
    CLASS_TLB,
    CLASS_CACHE, /* caches and the order of memory accesses */
    CLASSES
};

/* Costs of instructions are by class, and of floating-point loads by a class of their own. */
enum { COST_LOAD_FP = CLASSES, COST_CLASSES, COST_MAX = 200 /* cycles */ };

/* Functional units. */
enum isa_unit {
    UNIT_INTEGER,
    UNIT_SHIFT,
    UNIT_MULTIPLY, /* integer multiply and divide */
    UNIT_MEMORY,   /* loads and stores */
    UNIT_FP_ADD,   /* also convert, compare, move */
    UNIT_FP_MULTIPLY,
    UNIT_FP_DIVIDE, /* also square root */
    UNITS
};

/* Where control goes after an instruction. Those from FLOW_BRANCH on have a delay slot. */
enum isa_flow {
    FLOW_NEXT,      /* to the next instruction */
    FLOW_WAIT,      /* there too, but the processor may stop before it */
    FLOW_EXCEPTION, /* always raises an exception */
    FLOW_ERET,      /* return from exception */
    FLOW_BRANCH,    /* to pc + 4 + imm, if a condition holds */
    FLOW_JUMP,      /* to imm in the 256 MB region */
    FLOW_INDIRECT,  /* to the address in rs */
};

/* Traits. */
enum {
    INSN_DELAY_SLOT = 1 << 0, /* the next instruction is its delay slot */
    INSN_LIKELY = 1 << 1,     /* the delay slot is annulled when not taken */
    INSN_LOAD = 1 << 2,
    INSN_STORE = 1 << 3,
    INSN_TRAPS = 1 << 4, /* may raise an exception other than a memory access's (overflow, trap, FP, coprocessor) */
    /* may change the context (mode, translation, interrupts) or pc: engines re-read the state after it */
    INSN_CONTEXT = 1 << 5,
    INSN_PRIVILEGED = 1 << 6,  /* needs kernel mode or CU0 */
    INSN_FPU = 1 << 7,         /* needs CU1 */
    INSN_SERIALISING = 1 << 8, /* acts on more than registers and memory, or always raises: executes alone, in order */
    INSN_UNOBSERVED = 1 << 9,  /* changes the context, but calls no observer, which might read registers */
    INSN_ALWAYS_EQUAL = 1 << 10, /* a branch that is always taken if rs and rt are the same register */
    INSN_ALWAYS_ZERO = 1 << 11,  /* a branch that is always taken if rs is $zero */
    INSN_SIGNED = 1 << 12,       /* a load that extends the sign */
    INSN_INDEXED = 1 << 13,      /* the address is rs + rt, not rs + imm */
    INSN_PREFETCH = 1 << 14,     /* prefetches into the engine's caches, if they permit it */
    INSN_BARRIER = 1 << 15,      /* orders memory accesses */
    INSN_HIGH_WORD = 1 << 16,    /* the floating-point operands are the high words of 64-bit registers */
    INSN_ADDS = 1 << 17,         /* the result is rs + imm, and nothing else happens */
    /* with load delay (enum isa_level): the next instruction gets the old value of the register that it writes */
    INSN_DELAYED = 1 << 18,
    INSN_MERGES = 1 << 19, /* a load that merges with the old value of its register: lwl, lwr */
    INSN_ALWAYS = 1 << 20, /* a branch that is always taken */
    INSN_FLAGS = (1 << 21) - 1,
    INSN_FLOW_SHIFT = 21,  /* enum isa_flow, 3 bits */
    INSN_BYTES_SHIFT = 24, /* bytes accessed in memory, 4 bits */
    INSN_WIDE_FS = 1 << 28,
    INSN_WIDE_FT = 1 << 29,
    INSN_WIDE_FD = 1 << 30,
    INSN_LEVEL_SHIFT = 31, /* enum isa_level */
};
#define INSN_FLOW(flow)   ((flow) << INSN_FLOW_SHIFT)
#define INSN_BYTES(bytes) ((bytes) << INSN_BYTES_SHIFT)
#define INSN_LEVEL(level) ((uint64_t)(level) << INSN_LEVEL_SHIFT)

/* The level of an instruction set: that of a row is the first that has the instruction. */
enum isa_level {
    LEVEL_1, /* MIPS I, with load delay */
    LEVEL_2, /* MIPS II */
    LEVEL_3,
    LEVEL_4,
    LEVEL_32,     /* MIPS32 */
    LEVEL_32R2,   /* MIPS32 release 2 */
    LEVEL_1_ONLY, /* of a row: MIPS I and II have the instruction, the others do not */
};

/* Out-of-line semantics of an instruction. Returns 0 when done, nonzero if an exception was raised (core->exception).
 * core->s.pc is the address of the instruction. */
typedef int semantic_fn(struct core *core, const struct insn *insn);

struct isa_row {
    const char *mnemonic;
    uint32_t match, mask; /* the row applies if (word & mask) == match */
    const char *operands; /* assembler syntax; letters in isa.def */
    uint16_t uses, defines;
    uint16_t wide; /* floating-point operands of 64 bits: a register pair with Status.FR = 0 */
    uint8_t imm;
    uint8_t class; /* enum insn_class: selects functional unit and latency */
    uint32_t flags;
    uint8_t level; /* enum isa_level */
    uint8_t flow;  /* enum isa_flow */
    uint8_t bytes; /* accessed in memory: 1, 2, 4, 8; otherwise 0 */
};

enum isa_id {
#define ISA(id, ...) ISA_##id,
#include "cpu/isa/isa.def"
#undef ISA
    ISA_COUNT
};

/* One row per id; ISA_RESERVED is the last row and matches every word. */
extern const struct isa_row isa_table[ISA_COUNT];

/* The unit (enum isa_unit) that executes each class. */
extern const uint8_t isa_unit_of[COST_CLASSES];

/* The name of the costs of a class in parameters, as in "mxs.latency.fp_add"; classes may share a name. */
extern const char *const isa_cost_name[COST_CLASSES];

/* The class by which the instruction has its costs: below COST_CLASSES. */
static inline unsigned isa_cost_class(enum isa_id id)
{
    const struct isa_row *row = &isa_table[id];
    return row->flags & INSN_LOAD && row->flags & INSN_FPU ? COST_LOAD_FP : row->class;
}

/* Registers by number: the general ones, HI and LO, those of floating point, its condition codes. */
enum {
    ISA_REG_HI = GPR_COUNT,
    ISA_REG_LO,
    ISA_REG_FPR,
    ISA_REG_FCC = ISA_REG_FPR + 32,
    ISA_REGS = ISA_REG_FCC + 8,
    ISA_RETURN_ADDRESS = 31, /* the link register of calls */
};

struct isa_register {
    uint8_t number;
    bool wide, high; /* floating point: all 64 bits, or only the high 32 bits of them */
};
enum { ISA_REGISTERS_MAX = 8 };

/* The registers that OPERANDS (columns uses, defines) of INSN are, in the order of the operands' bits. Returns their
 * number. $zero as a destination is GPR_SINK, also where it is read. */
unsigned isa_registers(enum isa_id id, const struct insn *insn, unsigned operands,
                       struct isa_register registers[ISA_REGISTERS_MAX]);

/* With load delay: the register that INSN writes, if its result arrives after the next instruction (INSN_DELAYED); 0:
 * there is none. */
unsigned isa_delayed_register(enum isa_id id, const struct insn *insn);

/* With load delay: would NEXT, the instruction executed after INSN, notice that it cannot use the result of INSN yet?
 * If so, its register, else 0. */
unsigned isa_notices_delay(enum isa_id id, const struct insn *insn, enum isa_id next_id, const struct insn *next);

/* Does INSN write register NUMBER, or, with Status.FR = 0, a pair that it is part of? */
bool isa_writes(enum isa_id id, const struct insn *insn, unsigned number);

/* Where control goes after INSN at an address. */
struct isa_control {
    enum isa_flow flow;
    bool conditional; /* a branch that may be taken or not */
    bool likely;
    bool links;   /* writes the address behind its delay slot to a register, */
    bool calls;   /* which is the link register */
    bool returns; /* to the address in the link register */
    bool direct;  /* a branch or jump to the address `target` */
    vaddr target;
};
struct isa_control isa_control(enum isa_id id, const struct insn *insn, vaddr pc);

/* The target of a jump (FLOW_JUMP) at PC: IMM within the 256 MB region of its delay slot. */
static inline vaddr isa_jump_target(vaddr pc, uint32_t imm)
{
    return ((pc + 4) & 0xf0000000u) | imm;
}

/* The address that INSN accesses, with GPR the general registers. */
static inline vaddr isa_address(enum isa_id id, const struct insn *insn, const uint32_t *gpr)
{
    return gpr[insn->rs] + (isa_table[id].flags & INSN_INDEXED ? gpr[insn->rt] : (uint32_t)insn->imm);
}

/* Does INSN do nothing at all: nop? Others without effect (ssnop, ehb) are recognised by their destination, GPR_SINK.
 */
bool isa_is_nop(enum isa_id id, const struct insn *insn);

/* Does an instruction set of LEVEL have the instruction of ROW? */
static inline bool isa_has(const struct isa_row *row, enum isa_level level)
{
    return row->level == LEVEL_1_ONLY ? level <= LEVEL_2 : row->level <= level;
}

/* The bits that an instruction of ROW must match in an instruction set of LEVEL: up to MIPS III there is one condition
 * code, and the bits that number it are zero (Kane and Heinrich, Appendix B). */
uint32_t isa_mask(const struct isa_row *row, enum isa_level level);

/* Index over the rows of an instruction set of LEVEL, and a cache of recently decoded words; all cores of a machine
 * share one. */
struct isa_decoder;
struct isa_decoder *isa_decoder_create(enum isa_level level);
void isa_decoder_free(struct isa_decoder *decoder);

/* Return the id of the instruction WORD; ISA_RESERVED if there is none. */
enum isa_id isa_identify(const struct isa_decoder *decoder, uint32_t word);

/* Decode WORD into INSN (run = NULL) and return its id. */
enum isa_id isa_decode(const struct isa_decoder *decoder, uint32_t word, struct insn *insn);

/* Quick searches for branches and jumps with a target of their own. The index of the first of the COUNT words from FROM
 * on that may be one, or COUNT; and, if WORD may be one, its target from PC. */
unsigned isa_next_direct(const struct isa_decoder *decoder, const uint32_t *words, unsigned from, unsigned count);
bool isa_may_be_direct(const struct isa_decoder *decoder, uint32_t word, vaddr pc, vaddr *target);

/* Decode WORD at physical address AT, through a cache of decoded instructions. The result is valid until the next call.
 * For callers that decode the same words repeatedly. */
struct isa_decoded {
    struct insn insn;
    uint32_t word;
    uint16_t id; /* enum isa_id */
};
const struct isa_decoded *isa_decode_cached(const struct isa_decoder *decoder, uint32_t at, uint32_t word);

/* The same, not through the cache. */
struct isa_decoded isa_decode_word(const struct isa_decoder *decoder, uint32_t word);

/*
 * The addresses that straight code names: an upper half (lui), and a lower one in an addition or an access. A register
 * keeps its upper half while other registers, such as an index, are added.
 */
struct isa_addresses {
    uint32_t upper[GPR_COUNT]; /* 0: none */
};

/* Follow CODE, the next instruction. True: it names *ADDRESS. */
bool isa_names_address(struct isa_addresses *addresses, const struct isa_decoded *code, vaddr *address);

/* Disassemble WORD at PC into BUFFER ("addiu   $sp, $sp, -32"). Returns and truncates as snprintf does. */
int isa_disassemble(const struct isa_decoder *decoder, uint32_t word, vaddr pc, char *buffer, size_t size);

/* o32 name of GPR NUMBER ("zero", "at", "v0" ...), and the number for such a name or "$4", "r4", "4" (-1: no such
 * register). */
const char *isa_gpr_name(unsigned number);
int isa_gpr_number(const char *name);

#endif
