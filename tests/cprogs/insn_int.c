/*
 * Integer instructions one by one, in inline assembly, over pairs of special operands.
 */
#include "corpus.h"
#include "insn.h"

/* rd = OP rs, rt */
#define THREE(name, text)                                                                                              \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < INSN_VALUES; i++)                                                                       \
            for (size_t j = 0; j < INSN_VALUES; j++) {                                                                 \
                uint32_t d = 0x5a5a5a5a, s = insn_values[i], t = insn_values[j];                                       \
                __asm__ volatile(text " %0, %1, %2" : "+r"(d) : "r"(s), "r"(t));                                       \
                SUM(&sum, d, "%x, %x", s, t);                                                                          \
            }                                                                                                          \
        corpus_sum_print(text, &sum);                                                                                  \
    }
THREE(addu, "addu")
THREE(subu, "subu")
THREE(and, "and")
THREE(or, "or")
THREE(xor, "xor")
THREE(nor, "nor")
THREE(slt, "slt")
THREE(sltu, "sltu")
THREE(sllv, "sllv")
THREE(srlv, "srlv")
THREE(srav, "srav")
THREE(rotrv, "rotrv")
THREE(mul, "mul")
THREE(movz, "movz")
THREE(movn, "movn")

/* rd = OP rs */
#define TWO(name, text)                                                                                                \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < INSN_VALUES; i++)                                                                       \
            for (unsigned k = 0; k < 4; k++) {                                                                         \
                uint32_t d, s = insn_values[i] >> k * 5;                                                               \
                __asm__ volatile(text " %0, %1" : "=r"(d) : "r"(s));                                                   \
                SUM(&sum, d, "%x", s);                                                                                 \
            }                                                                                                          \
        corpus_sum_print(text, &sum);                                                                                  \
    }
TWO(clz, "clz")
TWO(clo, "clo")
TWO(seb, "seb")
TWO(seh, "seh")
TWO(wsbh, "wsbh")

/* One immediate form; used several times in a case. */
#define IMMEDIATE(text, immediate)                                                                                     \
    for (size_t i = 0; i < INSN_VALUES; i++) {                                                                         \
        uint32_t d, s = insn_values[i];                                                                                \
        __asm__ volatile(text " %0, %1, %2" : "=r"(d) : "r"(s), "n"(immediate));                                       \
        SUM(&sum, d, "%x, %d", s, immediate);                                                                          \
    }

#define SHIFTS(name, text)                                                                                             \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        IMMEDIATE(text, 0)                                                                                             \
        IMMEDIATE(text, 1)                                                                                             \
        IMMEDIATE(text, 4)                                                                                             \
        IMMEDIATE(text, 15)                                                                                            \
        IMMEDIATE(text, 16)                                                                                            \
        IMMEDIATE(text, 31)                                                                                            \
        corpus_sum_print(text, &sum);                                                                                  \
    }
SHIFTS(sll, "sll")
SHIFTS(srl, "srl")
SHIFTS(sra, "sra")
SHIFTS(rotr, "rotr")

#define SIGNED_IMMEDIATES(name, text)                                                                                  \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        IMMEDIATE(text, 0)                                                                                             \
        IMMEDIATE(text, 1)                                                                                             \
        IMMEDIATE(text, -1)                                                                                            \
        IMMEDIATE(text, 0x7fff)                                                                                        \
        IMMEDIATE(text, -0x8000)                                                                                       \
        IMMEDIATE(text, 0x1234)                                                                                        \
        corpus_sum_print(text, &sum);                                                                                  \
    }
SIGNED_IMMEDIATES(addiu, "addiu")
SIGNED_IMMEDIATES(slti, "slti")
SIGNED_IMMEDIATES(sltiu, "sltiu")

#define UNSIGNED_IMMEDIATES(name, text)                                                                                \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        IMMEDIATE(text, 0)                                                                                             \
        IMMEDIATE(text, 1)                                                                                             \
        IMMEDIATE(text, 0x7fff)                                                                                        \
        IMMEDIATE(text, 0x8000)                                                                                        \
        IMMEDIATE(text, 0xffff)                                                                                        \
        corpus_sum_print(text, &sum);                                                                                  \
    }
UNSIGNED_IMMEDIATES(andi, "andi")
UNSIGNED_IMMEDIATES(ori, "ori")
UNSIGNED_IMMEDIATES(xori, "xori")

CASE(insn_lui)
{
    uint32_t a, b, c;
    __asm__ volatile("lui %0, 0\n lui %1, 0x8000\n lui %2, 0xffff" : "=&r"(a), "=&r"(b), "=r"(c));
    printf("%x %x %x\n", a, b, c);
}

#define EXT(position, size)                                                                                            \
    for (size_t i = 0; i < INSN_VALUES; i++) {                                                                         \
        uint32_t d, s = insn_values[i];                                                                                \
        __asm__ volatile("ext %0, %1, %2, %3" : "=r"(d) : "r"(s), "n"(position), "n"(size));                           \
        SUM(&sum, d, "%x, %d, %d", s, position, size);                                                                 \
    }
#define INS(position, size)                                                                                            \
    for (size_t i = 0; i < INSN_VALUES; i++) {                                                                         \
        uint32_t d = insn_values[(i * 7 + 3) % INSN_VALUES], before = d, s = insn_values[i];                           \
        __asm__ volatile("ins %0, %1, %2, %3" : "+r"(d) : "r"(s), "n"(position), "n"(size));                           \
        SUM(&sum, d, "%x, %x, %d, %d", before, s, position, size);                                                     \
    }
#define FIELDS(name, one)                                                                                              \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        one(0, 1) one(0, 32) one(31, 1) one(5, 7) one(16, 16) one(8, 8) one(3, 29) one(1, 30) one(0, 31) one(15, 2)    \
            corpus_sum_print(#name, &sum);                                                                             \
    }
FIELDS(ext, EXT)
FIELDS(ins, INS)

/* Multiply and divide into HI and LO. The accumulating ones start from a value given in HI and LO. */
#define HILO(name, text, allowed)                                                                                      \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < INSN_VALUES; i++)                                                                       \
            for (size_t j = 0; j < INSN_VALUES; j++) {                                                                 \
                uint32_t s = insn_values[i], t = insn_values[j], high = s ^ 0x12345678, low = t * 3;                   \
                if (!(allowed))                                                                                        \
                    continue;                                                                                          \
                __asm__ volatile("mthi %0\n mtlo %1\n " text " %2, %3\n mfhi %0\n mflo %1"                             \
                                 : "+&r"(high), "+&r"(low)                                                             \
                                 : "r"(s), "r"(t)                                                                      \
                                 : "hi", "lo");                                                                        \
                SUM(&sum, (uint64_t)high << 32 | low, "%x, %x", s, t);                                                 \
            }                                                                                                          \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
HILO(mult, "mult", true)
HILO(multu, "multu", true)
HILO(madd, "madd", true)
HILO(maddu, "maddu", true)
HILO(msub, "msub", true)
HILO(msubu, "msubu", true)
HILO(div, "div $0,", t != 0 && !(s == 0x80000000 && t == 0xffffffff))
HILO(divu, "divu $0,", t != 0)

CASE(insn_hi_lo_moves)
{
    uint32_t high = 0x11112222, low = 0x33334444;
    __asm__ volatile("mthi %1\n mtlo %0\n mfhi %0\n mflo %1" : "+&r"(high), "+&r"(low) : : "hi", "lo");
    printf("%x %x\n", high, low);
}

/* Loads at every offset an instruction allows. */
#define LOADS(name, text, step)                                                                                        \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        unsigned char bytes[24] __attribute__((aligned(8)));                                                           \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (unsigned i = 0; i < sizeof bytes; i++)                                                                    \
            bytes[i] = (unsigned char)(i * 53 + 0x79);                                                                 \
        for (unsigned i = 0; i < 16; i += step) {                                                                      \
            uint32_t d = 0xa1b2c3d4;                                                                                   \
            __asm__ volatile(text " %0, 4(%1)" : "+r"(d) : "r"(bytes + i) : "memory");                                 \
            SUM(&sum, d, "offset %u", i);                                                                              \
            d = 0xa1b2c3d4;                                                                                            \
            __asm__ volatile(text " %0, -4(%1)" : "+r"(d) : "r"(bytes + i + 4) : "memory");                            \
            SUM(&sum, d, "negative offset %u", i);                                                                     \
        }                                                                                                              \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
LOADS(lb, "lb", 1)
LOADS(lbu, "lbu", 1)
LOADS(lh, "lh", 2)
LOADS(lhu, "lhu", 2)
LOADS(lw, "lw", 4)
LOADS(lwl, "lwl", 1)
LOADS(lwr, "lwr", 1)

#define STORES(name, text, step)                                                                                       \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (unsigned i = 0; i < 8; i += step) {                                                                       \
            unsigned char bytes[16] __attribute__((aligned(8)));                                                       \
            memset(bytes, 0xee, sizeof bytes);                                                                         \
            __asm__ volatile(text " %0, 2(%1)" : : "r"(0xa1b2c3d4), "r"(bytes + i + 2) : "memory");                    \
            for (int k = 0; k < 16; k++)                                                                               \
                SUM(&sum, bytes[k], "offset %u byte %d", i, k);                                                        \
        }                                                                                                              \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
STORES(sb, "sb", 1)
STORES(sh, "sh", 2)
STORES(sw, "sw", 4)
STORES(swl, "swl", 1)
STORES(swr, "swr", 1)

CASE(insn_unaligned_pairs)
{
    unsigned char bytes[32] __attribute__((aligned(8)));
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 29 + 7);
    for (unsigned i = 0; i < 8; i++) {
        uint32_t word;
        __asm__ volatile("lwr %0, 0(%1)\n lwl %0, 3(%1)" : "=&r"(word) : "r"(bytes + i) : "memory");
        __asm__ volatile("swr %0, 16(%1)\n swl %0, 19(%1)" : : "r"(word), "r"(bytes + i) : "memory");
        uint32_t back;
        memcpy(&back, bytes + i + 16, 4);
        printf("%08x %d\n", word, back == word);
    }
}

CASE(insn_ll_sc)
{
    uint32_t cell = 41, seen, stored;
    for (int i = 0; i < 5; i++) {
        do
            __asm__ volatile("ll %0, %2\n addiu %1, %0, 7\n sc %1, %2" : "=&r"(seen), "=&r"(stored), "+m"(cell));
        while (!stored);
        printf("%u %u %u\n", seen, stored, cell);
    }
}

CASE(insn_rdhwr)
{
    uint32_t pointer, step, resolution;
    __asm__ volatile("rdhwr %0, $29" : "=r"(pointer));
    __asm__ volatile("rdhwr %0, $1" : "=r"(step));
    __asm__ volatile("rdhwr %0, $3" : "=r"(resolution));
    printf("%d %d %d\n", pointer == (uint32_t)(uintptr_t)__builtin_thread_pointer(), (step & (step - 1)) == 0,
           resolution >= 1);
}

/* Hints and barriers change nothing. */
CASE(insn_hints)
{
    uint32_t a = 0x1234, room[8] __attribute__((aligned(32))) = {1, 2, 3, 4, 5, 6, 7, 8};
    __asm__ volatile("sync\n ssnop\n ehb\n pref 0, 0(%1)\n pref 1, 8(%1)\n pref 5, -4096(%2)\n"
                     "sll $0, $0, 5\n synci 0(%1)\n sync 0x10"
                     : "+r"(a)
                     : "r"(room), "r"(room + 4)
                     : "memory");
    printf("%x %u\n", a, room[0] + room[7]);
}

/* Writes to register 0 are lost. */
CASE(insn_register_zero)
{
    uint32_t a;
    __asm__ volatile("addiu $0, $0, 5\n lui $0, 0x1234\n lw $0, 0(%1)\n clz $0, %1\n move %0, $0"
                     : "=r"(a)
                     : "r"(&(uint32_t){77})
                     : "memory");
    printf("%u\n", a);
}

/* A recurrence through most of the integer instructions: one wrong bit anywhere changes the end. */
CASE(insn_long_chain)
{
    uint32_t a = 0x12345678, b = 0x9abcdef0, c = 1;
    for (int i = 0; i < 2000; i++)
        __asm__ volatile(
            "addu %0, %0, %1\n rotr %1, %0, 7\n xor %2, %2, %1\n wsbh %1, %1\n sltu %2, %0, %2\n"
            "subu %1, %1, %2\n ins %0, %1, 9, 13\n seh %2, %0\n mul %1, %1, %0\n nor %2, %2, %1\n"
            "srav %1, %1, %2\n ext %2, %0, 3, 17\n xor %1, %1, %0\n movz %0, %1, %2\n addiu %0, %0, -1357\n"
            "clz $8, %1\n addu %1, %1, $8\n or %2, %2, %1"
            : "+&r"(a), "+&r"(b), "+&r"(c)
            :
            : "$8", "hi", "lo");
    printf("%08x %08x %08x\n", a, b, c);
}
