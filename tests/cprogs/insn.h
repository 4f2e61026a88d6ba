/*
 * Shared by the instruction families, which run single instructions through inline assembly: operands, and a way to
 * survive the signal an instruction raises.
 */
#ifndef SIMOS_TESTS_CPROGS_INSN_H
#define SIMOS_TESTS_CPROGS_INSN_H

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

static const uint32_t insn_values[] = {
    0,          1,          2,          3,          5,          0x1f,       0x20,       0x7f,
    0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x12345678,
    0x55555555, 0x7fffffff, 0x80000000, 0x80000001, 0x87654321, 0xaaaaaaaa, 0xdeadbeef, 0xffff0000,
    0xffff7fff, 0xffff8000, 0xffffff80, 0xfffffffe, 0xffffffff,
};
#define INSN_VALUES (sizeof insn_values / sizeof insn_values[0])

/* What the last caught signal was, and where control goes on after it. One case runs in a process. */
struct insn_caught {
    sigjmp_buf after;
    volatile int number, code;
};

static struct insn_caught insn_caught;

static inline void insn_handler(int number, siginfo_t *info, void *context)
{
    (void)context;
    insn_caught.number = number;
    insn_caught.code = info->si_code;
    siglongjmp(insn_caught.after, 1);
}

static inline void insn_catch(int number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = insn_handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(number, &action, NULL);
}

/* Runs statements; afterwards insn_caught.number is the signal it raised, 0 for none. */
#define INSN_TRY(...)                                                                                                  \
    do {                                                                                                               \
        insn_caught.number = insn_caught.code = 0;                                                                     \
        if (sigsetjmp(insn_caught.after, 1) == 0) {                                                                    \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    } while (0)

#endif
