/*
 * Precise exceptions: what is left of an instruction that faults, faults in delay slots and where they are reported,
 * enabled floating-point exceptions, and unaligned accesses, which the kernel makes good.
 */
#define _GNU_SOURCE
#include "corpus.h"
#include "fp.h"
#include "insn.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/* A page that may not be touched, after one that may. */
static unsigned char *guarded(void)
{
    unsigned char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    memset(p, 0x33, 8192);
    mprotect(p + 4096, 4096, PROT_NONE);
    return p;
}

/* Registers at the moment of the fault, as the handler finds them; the handler then opens the page. */
static volatile uint32_t fault_pc, fault_registers[3], faults;
static unsigned char *guard_page;

static void look_and_open(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    fault_pc = (uint32_t)machine->pc;
    for (int i = 0; i < 3; i++)
        fault_registers[i] = (uint32_t)machine->gregs[8 + i];
    faults++;
    mprotect(guard_page, 4096, PROT_READ | PROT_WRITE);
}

static unsigned char *open_on_fault(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = look_and_open;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    unsigned char *p = guarded();
    guard_page = p + 4096;
    faults = 0;
    return p + 4096;
}

/* Runs three instructions around label 9, which is where the fault must be reported, and prints what happened. */
#define FAULT(name, text)                                                                                              \
    CASE(insn_fault_##name)                                                                                            \
    {                                                                                                                  \
        unsigned char *page = open_on_fault();                                                                         \
        uint32_t place, a, b, c;                                                                                       \
        double d = 1.5, e = 0;                                                                                         \
        __asm__ volatile(".set push\n .set noreorder\n la %0, 9f\n li $8, 1\n li $9, 2\n li $10, 3\n" text             \
                         "\n move %1, $8\n move %2, $9\n move %3, $10\n .set pop"                                      \
                         : "=&r"(place), "=&r"(a), "=&r"(b), "=&r"(c), "+&f"(d), "+&f"(e)                              \
                         : "r"(page)                                                                                   \
                         : "$8", "$9", "$10", "$11", "$31", "hi", "lo", "memory");                                     \
        printf("faults %u at %d: %x %x %x\n", faults, (int)(fault_pc - place), fault_registers[0], fault_registers[1], \
               fault_registers[2]);                                                                                    \
        printf("after: %x %x %x %g %g, memory %08x\n", a, b, c, d, e, corpus_hash_bytes(page, 64));                    \
    }
FAULT(load, "9: lw $8, 0(%6)\n addiu $9, $9, 1")
FAULT(store, "addiu $8, $8, 7\n 9: sw $8, 4(%6)\n addiu $9, $9, 1")
FAULT(load_byte_into_base, "move $11, %6\n 9: lbu $11, 3($11)\n addiu $9, $9, 1\n move $10, $11")
FAULT(float_load, "9: ldc1 %4, 8(%6)\n addiu $9, $9, 1")
FAULT(float_store, "9: sdc1 %4, 8(%6)\n addiu $9, $9, 1")
FAULT(after_multiply, "mult $9, $10\n 9: lw $8, 0(%6)\n mflo $9\n mfhi $10")
FAULT(unaligned_left, "9: lwl $8, 6(%6)\n lwr $8, 3(%6)")
FAULT(slot_of_jump, "la $11, 1f\n 9: jr $11\n lw $8, 0(%6)\n li $10, 99\n 1: addiu $9, $9, 1")
FAULT(slot_of_taken_branch, "9: bnez $9, 1f\n lw $8, 0(%6)\n li $10, 99\n 1: addiu $9, $9, 1")
FAULT(slot_of_branch_not_taken, "9: beqz $9, 1f\n sw $9, 0(%6)\n li $10, 99\n 1: addiu $9, $9, 1")
FAULT(slot_of_likely_branch, "9: bnel $9, $10, 1f\n sw $9, 0(%6)\n li $10, 99\n 1: addiu $9, $9, 1")
FAULT(slot_of_skipped_likely, "9: beql $9, $10, 1f\n sw $9, 0(%6)\n sb $9, 1(%6)\n 1: addiu $9, $9, 1")
FAULT(slot_of_call, "9: bal 1f\n lw $8, 0(%6)\n 1: addiu $9, $9, 1")
FAULT(slot_of_float_branch, "c.eq.d %4, %4\n 9: bc1t 1f\n ldc1 %5, 0(%6)\n li $10, 99\n 1: addiu $9, $9, 1")

/* The fetch of an instruction faults. */
CASE(insn_fault_fetch)
{
    unsigned char *p = guarded();
    insn_catch(SIGSEGV);
    void (*volatile away)(void) = (void (*)(void))(uintptr_t)(p + 4096 + 16);
    INSN_TRY(away());
    printf("%d\n", insn_caught.number == SIGSEGV);
}

/* A trap in a delay slot. */
CASE(insn_fault_trap_in_slot)
{
    insn_catch(SIGTRAP);
    volatile uint32_t reached = 1;
    INSN_TRY({
        __asm__ volatile(".set push\n .set noreorder\n b 1f\n teq $0, $0\n 1: nop\n .set pop");
        reached = 2;
    });
    printf("%d %u\n", insn_caught.number == SIGTRAP, reached);
}

/*
 * Enabled floating-point exceptions: the operation raises SIGFPE, its destination and the flags stay as they were.
 * The enables are bits 7 (inexact) to 11 (invalid) of register 31.
 */
#define ENABLED(name, bit, text, first, second, wanted)                                                                \
    CASE(insn_enabled_##name)                                                                                          \
    {                                                                                                                  \
        static volatile double kept;                                                                                   \
        insn_catch(SIGFPE);                                                                                            \
        for (volatile int on = 0; on < 2; on++) {                                                                      \
            kept = 42;                                                                                                 \
            __asm__ volatile("ctc1 %0, $31" : : "r"(on ? 0x80u << (bit) : 0));                                         \
            INSN_TRY({                                                                                                 \
                double d = 42, a = (first), b = (second);                                                              \
                __asm__ volatile(text : "+&f"(d) : "f"(a), "f"(b));                                                    \
                kept = d;                                                                                              \
            });                                                                                                        \
            uint32_t status;                                                                                           \
            __asm__ volatile("cfc1 %0, $31\n ctc1 $0, $31" : "=r"(status));                                            \
            printf("SIGFPE %d, code %d, kept %d, flags %x\n", insn_caught.number == SIGFPE,                            \
                   insn_caught.code == (wanted), kept == 42, status >> 2 & 0x1f);                                      \
        }                                                                                                              \
    }
ENABLED(inexact, 0, "div.d %0, %1, %2", 1, 3, FPE_FLTRES)
ENABLED(underflow, 1, "mul.d %0, %1, %2", 0x1p-1000, 0x1.8p-100, FPE_FLTUND)
ENABLED(overflow, 2, "mul.d %0, %1, %2", 1e300, 1e300, FPE_FLTOVF)
ENABLED(zero_divide, 3, "div.d %0, %1, %2", 1, 0, FPE_FLTDIV)
ENABLED(invalid, 4, "div.d %0, %1, %2", 0, 0, FPE_FLTINV)
ENABLED(invalid_sqrt, 4, "sqrt.d %0, %1", -1, 0, FPE_FLTINV)
ENABLED(invalid_convert, 4, "cvt.w.d %0, %1", 1e10, 0, FPE_FLTINV)
ENABLED(other_than_raised, 2, "div.d %0, %1, %2", 1, 3, FPE_FLTINV)

/* Writing a cause together with its enable into the control register raises the exception at once. */
CASE(insn_enabled_by_control_write)
{
    insn_catch(SIGFPE);
    INSN_TRY(__asm__ volatile("ctc1 %0, $31" : : "r"(0x8000u | 0x400u)));
    __asm__ volatile("ctc1 $0, $31");
    printf("SIGFPE %d, division %d\n", insn_caught.number == SIGFPE, insn_caught.code == FPE_FLTDIV);
}

/* Loads and stores at odd addresses through plain instructions: the kernel emulates them. (In expected/.) */
CASE(insn_unaligned_emulated)
{
    unsigned char room[64] __attribute__((aligned(8)));
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = (unsigned char)(i * 17 + 0x81);
    for (unsigned i = 1; i < 8; i += 2) {
        uint32_t h, u, w;
        double d;
        float f;
        __asm__ volatile("lh %0, 0(%5)\n lhu %1, 0(%5)\n lw %2, 0(%5)\n ldc1 %3, 0(%5)\n lwc1 %4, 0(%5)"
                         : "=&r"(h), "=&r"(u), "=&r"(w), "=&f"(d), "=&f"(f)
                         : "r"(room + i)
                         : "memory");
        printf("%08x %08x %08x %a %a\n", h, u, w, d, (double)f);
        __asm__ volatile("sh %0, 16(%3)\n sw %1, 24(%3)\n sdc1 %2, 40(%3)"
                         :
                         : "r"(h), "r"(w), "f"(d), "r"(room + i)
                         : "memory");
    }
    printf("%08x\n", corpus_hash_bytes(room, sizeof room));
}

/* What the kernel does not make good: linked accesses off alignment, and addresses of its own. (In expected/.) */
CASE(insn_address_errors)
{
    uint32_t room[4] = {1, 2, 3, 4};
    insn_catch(SIGBUS);
    insn_catch(SIGSEGV);
    INSN_TRY(__asm__ volatile("ll $8, 1(%0)" : : "r"(room) : "$8", "memory"));
    printf("ll: SIGBUS %d\n", insn_caught.number == SIGBUS);
    INSN_TRY(__asm__ volatile("lw $8, 0(%0)" : : "r"(0x80000000) : "$8", "memory"));
    printf("kernel address: SIGBUS %d\n", insn_caught.number == SIGBUS);
    INSN_TRY(__asm__ volatile("sb $0, 0(%0)" : : "r"(0xc0000000) : "memory"));
    printf("mapped kernel address: SIGBUS %d\n", insn_caught.number == SIGBUS);
}
