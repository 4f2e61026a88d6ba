/*
 * Instructions that raise signals: conditional traps, break, overflow, and those a user program may not execute.
 */
#include "corpus.h"
#include "insn.h"

/* Prints which of the operand pairs trap. */
#define TRAP(name)                                                                                                     \
    static NOINLINE int try_##name(uint32_t s, uint32_t t)                                                             \
    {                                                                                                                  \
        INSN_TRY(__asm__ volatile(#name " %0, %1" : : "r"(s), "r"(t)));                                                \
        return insn_caught.number == SIGTRAP;                                                                          \
    }                                                                                                                  \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        static const uint32_t v[] = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff};                                     \
        insn_catch(SIGTRAP);                                                                                           \
        for (int i = 0; i < 6; i++) {                                                                                  \
            for (int j = 0; j < 6; j++)                                                                                \
                printf("%d", try_##name(v[i], v[j]));                                                                  \
            printf(" ");                                                                                               \
        }                                                                                                              \
        printf("\n");                                                                                                  \
    }
TRAP(teq)
TRAP(tne)
TRAP(tge)
TRAP(tgeu)
TRAP(tlt)
TRAP(tltu)

#define TRAP_IMMEDIATE(name)                                                                                           \
    static NOINLINE int try_##name(uint32_t s, int which)                                                              \
    {                                                                                                                  \
        if (which == 0)                                                                                                \
            INSN_TRY(__asm__ volatile(#name " %0, 5" : : "r"(s)));                                                     \
        else if (which == 1)                                                                                           \
            INSN_TRY(__asm__ volatile(#name " %0, -1" : : "r"(s)));                                                    \
        else                                                                                                           \
            INSN_TRY(__asm__ volatile(#name " %0, -32768" : : "r"(s)));                                                \
        return insn_caught.number == SIGTRAP;                                                                          \
    }                                                                                                                  \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        static const uint32_t v[] = {0, 1, 5, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffff8000, 0xffffffff};         \
        insn_catch(SIGTRAP);                                                                                           \
        for (int i = 0; i < 9; i++) {                                                                                  \
            for (int which = 0; which < 3; which++)                                                                    \
                printf("%d", try_##name(v[i], which));                                                                 \
            printf(" ");                                                                                               \
        }                                                                                                              \
        printf("\n");                                                                                                  \
    }
TRAP_IMMEDIATE(teqi)
TRAP_IMMEDIATE(tnei)
TRAP_IMMEDIATE(tgei)
TRAP_IMMEDIATE(tgeiu)
TRAP_IMMEDIATE(tlti)
TRAP_IMMEDIATE(tltiu)

/* Adds and subtracts that trap on signed overflow leave their destination alone. */
#define OVERFLOW(name, second, operand)                                                                                \
    static NOINLINE uint32_t try_##name(uint32_t s, uint32_t t)                                                        \
    {                                                                                                                  \
        static volatile uint32_t kept;                                                                                 \
        (void)t;                                                                                                       \
        kept = 0xabcdef;                                                                                               \
        INSN_TRY({                                                                                                     \
            uint32_t d;                                                                                                \
            __asm__ volatile(#name " %0, %1, " second : "=r"(d) : "r"(s), operand);                                    \
            kept = d;                                                                                                  \
        });                                                                                                            \
        return kept;                                                                                                   \
    }                                                                                                                  \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        unsigned traps = 0;                                                                                            \
        insn_catch(SIGFPE);                                                                                            \
        for (size_t i = 0; i < INSN_VALUES; i++)                                                                       \
            for (size_t j = 0; j < INSN_VALUES; j += 3) {                                                              \
                SUM(&sum, try_##name(insn_values[i], insn_values[j]), "%zu, %zu", i, j);                               \
                traps += insn_caught.number == SIGFPE && insn_caught.code == FPE_INTOVF;                               \
            }                                                                                                          \
        printf("overflows %u\n", traps);                                                                               \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
OVERFLOW(add, "%2", "r"(t))
OVERFLOW(sub, "%2", "r"(t))
OVERFLOW(addi, "%2", "n"(0x7fff))

static void show(const char *what)
{
    printf("%s: signal %d\n", what, insn_caught.number);
}

CASE(insn_break)
{
    insn_catch(SIGTRAP);
    insn_catch(SIGFPE);
    INSN_TRY(__asm__ volatile("break"));
    show("break");
    INSN_TRY(__asm__ volatile("break 1"));
    show("break 1");
    INSN_TRY(__asm__ volatile("break 100"));
    show("break 100");
}

/* The code field of break tells overflow (6) and division by zero (7) from others. (In expected/.) */
CASE(insn_break_codes)
{
    insn_catch(SIGTRAP);
    insn_catch(SIGFPE);
    INSN_TRY(__asm__ volatile("break 6"));
    printf("break 6: SIGFPE %d, overflow %d\n", insn_caught.number == SIGFPE, insn_caught.code == FPE_INTOVF);
    INSN_TRY(__asm__ volatile("break 7"));
    printf("break 7: SIGFPE %d, division %d\n", insn_caught.number == SIGFPE, insn_caught.code == FPE_INTDIV);
}

/* The same for conditional traps. (In expected/.) */
CASE(insn_trap_codes)
{
    uint32_t zero = OPAQUE(0u);
    insn_catch(SIGTRAP);
    insn_catch(SIGFPE);
    INSN_TRY(__asm__ volatile("teq %0, $0, 1" : : "r"(zero)));
    show("teq 1");
    INSN_TRY(__asm__ volatile("teq %0, $0, 6" : : "r"(zero)));
    printf("teq 6: SIGFPE %d, overflow %d\n", insn_caught.number == SIGFPE, insn_caught.code == FPE_INTOVF);
    INSN_TRY(__asm__ volatile("teq %0, $0, 7" : : "r"(zero)));
    printf("teq 7: SIGFPE %d, division %d\n", insn_caught.number == SIGFPE, insn_caught.code == FPE_INTDIV);
    INSN_TRY(__asm__ volatile("tne %0, $0, 7" : : "r"(zero)));
    show("tne 7");
}

CASE_ALONE(insn_trap_default)
{
    printf("trapping\n");
    __asm__ volatile("teq $0, $0");
    printf("not reached\n");
}

#define ILLEGAL(name, text)                                                                                            \
    CASE(insn_illegal_##name)                                                                                          \
    {                                                                                                                  \
        insn_catch(SIGILL);                                                                                            \
        INSN_TRY(__asm__ volatile(text));                                                                              \
        printf("%d\n", insn_caught.number == SIGILL);                                                                  \
    }
ILLEGAL(mfc0, "mfc0 $0, $12")
ILLEGAL(mtc0, "mtc0 $0, $12")
ILLEGAL(eret, "eret")
ILLEGAL(tlbwi, "tlbwi")
ILLEGAL(di, "di")
ILLEGAL(daddu, ".word 0x0000002d") /* 64-bit only */
ILLEGAL(ld, ".word 0xdc000000")    /* 64-bit only */
ILLEGAL(special, ".word 0x00000015")
ILLEGAL(regimm, ".word 0x04050000")
ILLEGAL(opcode, ".word 0x4c00003f")

CASE_ALONE(insn_illegal_default)
{
    printf("executing\n");
    __asm__ volatile("eret");
    printf("not reached\n");
}
