/*
 * Branches and jumps, taken and not, with what their delay slots do: likely branches skip theirs when not taken.
 * Each case counts, for every pair of operands, 1 for a taken branch and 2 for an executed delay slot.
 */
#include "corpus.h"
#include "insn.h"

#define BRANCH(name, operands)                                                                                         \
    CASE(insn_##name)                                                                                                  \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        unsigned taken = 0;                                                                                            \
        for (size_t i = 0; i < INSN_VALUES; i++)                                                                       \
            for (size_t j = 0; j < INSN_VALUES; j++) {                                                                 \
                uint32_t s = insn_values[i], t = insn_values[j], r = 0;                                                \
                __asm__ volatile(".set push\n .set noreorder\n " #name " " operands "1f\n addiu %0, %0, 2\n b 2f\n"    \
                                 "nop\n 1: addiu %0, %0, 1\n 2: .set pop"                                              \
                                 : "+&r"(r)                                                                            \
                                 : "r"(s), "r"(t)                                                                      \
                                 : "$31");                                                                             \
                SUM(&sum, r, "%x, %x", s, t);                                                                          \
                taken += r & 1;                                                                                        \
            }                                                                                                          \
        printf("taken %u\n", taken);                                                                                   \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
BRANCH(beq, "%1, %2, ")
BRANCH(bne, "%1, %2, ")
BRANCH(blez, "%1, ")
BRANCH(bgtz, "%1, ")
BRANCH(bltz, "%1, ")
BRANCH(bgez, "%1, ")
BRANCH(bltzal, "%1, ")
BRANCH(bgezal, "%1, ")
BRANCH(beql, "%1, %2, ")
BRANCH(bnel, "%1, %2, ")
BRANCH(blezl, "%1, ")
BRANCH(bgtzl, "%1, ")
BRANCH(bltzl, "%1, ")
BRANCH(bgezl, "%1, ")
BRANCH(bltzall, "%1, ")
BRANCH(bgezall, "%1, ")

/* The link register is written whether or not the branch is taken. */
CASE(insn_branch_links)
{
    for (int v = -1; v <= 1; v++) {
        uint32_t link, label, second, after;
        __asm__ volatile(".set push\n .set noreorder\n move $31, $0\n bltzal %4, 1f\n nop\n 1: move %0, $31\n"
                         "bal 2f\n nop\n 2: move %1, $31\n move $31, $0\n bgezal %4, 3f\n nop\n 3: move %2, $31\n"
                         "bal 4f\n nop\n 4: move %3, $31\n .set pop"
                         : "=&r"(link), "=&r"(label), "=&r"(second), "=&r"(after)
                         : "r"(v)
                         : "$31");
        printf("%d %d\n", (int)(label - link), (int)(after - second));
    }
}

CASE(insn_jumps)
{
    uint32_t a = 1, link;
    __asm__ volatile(
        ".set push\n .set noreorder\n .set noat\n la $8, 1f\n jr $8\n addiu %0, %0, 10\n addiu %0, %0, 1000\n"
        "1: la $8, 2f\n jalr $9, $8\n sll %0, %0, 1\n addiu %0, %0, 1000\n 2: subu %1, $8, $9\n"
        "la $8, 3f\n jr.hb $8\n addiu %0, %0, 3\n addiu %0, %0, 1000\n 3: la $8, 4f\n jalr.hb $9, $8\n"
        "sll %0, %0, 2\n addiu %0, %0, 1000\n 4: .set pop"
        : "+&r"(a), "=&r"(link)
        :
        : "$8", "$9", "$31");
    printf("%u %d\n", a, (int)link);
}

/* The delay slot may overwrite the register the branch has tested, or the one the jump goes through. */
CASE(insn_delay_slot_overwrites)
{
    uint32_t a = 5, b = 0;
    __asm__ volatile(".set push\n .set noreorder\n bnez %0, 1f\n move %0, $0\n addiu %1, %1, 100\n"
                     "1: la $8, 2f\n jr $8\n move $8, $0\n addiu %1, %1, 1000\n 2: addu %1, %1, $8\n .set pop"
                     : "+&r"(a), "+&r"(b)
                     :
                     : "$8");
    printf("%u %u\n", a, b);
}

CASE(insn_loop_backwards)
{
    uint32_t n = 1000, sum = 0;
    __asm__ volatile(
        ".set push\n .set noreorder\n 1: addu %1, %1, %0\n addiu %0, %0, -1\n bgtz %0, 1b\n xori %1, %1, 0x55\n"
        ".set pop"
        : "+&r"(n), "+&r"(sum));
    printf("%u %u\n", n, sum);
}

CASE(insn_likely_loop)
{
    uint32_t n = 50, slots = 0;
    __asm__ volatile(".set push\n .set noreorder\n 1: addiu %0, %0, -1\n bnezl %0, 1b\n addiu %1, %1, 1\n .set pop"
                     : "+&r"(n), "+&r"(slots));
    printf("%u %u\n", n, slots);
}

/* Loads, multiplies and floating-point moves in delay slots. */
CASE(insn_delay_slot_kinds)
{
    uint32_t word = 77, a = 0, b = 0, c = 0, d;
    __asm__ volatile(".set push\n .set noreorder\n b 1f\n lw %0, 0(%4)\n 1: beqz $0, 2f\n mult %0, %0\n"
                     "2: beqz $0, 3f\n mflo %1\n 3: bnez $0, 4f\n sw %1, 0(%4)\n 4: lw %2, 0(%4)\n mtc1 %2, $f2\n"
                     "b 5f\n mfc1 %3, $f2\n 5: .set pop"
                     : "+&r"(a), "+&r"(b), "+&r"(c), "=&r"(d)
                     : "r"(&word)
                     : "memory", "hi", "lo", "$f2");
    printf("%u %u %u %u\n", a, b, c, d);
}

static NOINLINE int leaf(int v)
{
    return v * 2 + 1;
}

CASE(insn_call_and_return)
{
    int total = 0;
    for (int i = 0; i < 100; i++)
        total = leaf(total) ^ i;
    printf("%d\n", total);
}
