/* The trap of a quad store: MIPS has none, as the processors of the HP 755 and 712 have none. A store of coprocessor 2
 * (sdc2) stands for it; there is no coprocessor 2. The exception it raises carries it out: two double words of
 * floating-point registers, rt and rt + 2, to 16 bytes at the address. Any other exception ends the run. */
#include "copy.h"

enum { EXCEPTION_COPROCESSOR = 11, OPCODE_SDC2 = 0x3e, DELAY_SLOT = 1u << 31 };

static unsigned field(unsigned word, unsigned low, unsigned bits)
{
    return word >> low & ((1u << bits) - 1);
}

/* Stores the double word in floating-point register NUMBER. */
static void store_double(unsigned number, void *to)
{
#define STORE(n)                                                                                                       \
    case n: __asm__ volatile("sdc1 $f" #n ", 0(%0)" : : "r"(to) : "memory"); break
    switch (number) {
        STORE(0);
        STORE(2);
        STORE(4);
        STORE(6);
        STORE(8);
        STORE(10);
        STORE(12);
        STORE(14);
        STORE(16);
        STORE(18);
        STORE(20);
        STORE(22);
        STORE(24);
        STORE(26);
        STORE(28);
        STORE(30);
    default: finish(64 + number);
    }
}

/* Where control goes after the branch WORD at PC, whose delay slot has been carried out. */
static unsigned after_branch(const unsigned *registers, unsigned word, unsigned pc)
{
    const int rs = (int)registers[field(word, 21, 5)], rt = (int)registers[field(word, 16, 5)];
    int taken;
    switch (field(word, 26, 6)) {
    case 0x00: return (unsigned)rs; /* jr, jalr */
    case 0x02:
    case 0x03: return (pc & 0xf0000000) | field(word, 0, 26) << 2; /* j, jal */
    case 0x01: taken = field(word, 16, 1) ? rs >= 0 : rs < 0; break;
    case 0x04: taken = rs == rt; break;
    case 0x05: taken = rs != rt; break;
    case 0x06: taken = rs <= 0; break;
    case 0x07: taken = rs > 0; break;
    default: return finish(65), 0;
    }
    return taken ? pc + 4 + (unsigned)((int)(short)word * 4) : pc + 8;
}

unsigned emulate(const unsigned *registers, unsigned cause, unsigned pc)
{
    const int in_slot = (cause & DELAY_SLOT) != 0;
    const unsigned word = *(const unsigned *)(pc + (in_slot ? 4 : 0));
    if (field(cause, 2, 5) != EXCEPTION_COPROCESSOR || field(cause, 28, 2) != 2 || field(word, 26, 6) != OPCODE_SDC2)
        finish(32 + (int)field(cause, 2, 5));
    char *to = (char *)(registers[field(word, 21, 5)] + (unsigned)(short)word);
    const unsigned number = field(word, 16, 5);
    store_double(number, to);
    store_double(number + 2, to + 8);
    return in_slot ? after_branch(registers, *(const unsigned *)pc, pc) : pc + 4;
}
