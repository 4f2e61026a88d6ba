/*
 * Control flow: switches as jump tables and as trees, computed jumps, non-local jumps, constructors, loops with odd
 * exits.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static NOINLINE int dense(int v)
{
    switch (v) {
    case 0: return 7;
    case 1: return 3;
    case 2: return 9;
    case 3:
    case 4: return 12;
    case 5: v *= 3; /* fall through */
    case 6: return v + 1;
    case 7: return -1;
    case 8: return 100;
    case 9: return dense(v - 9);
    default: return 1000;
    }
}

static NOINLINE int sparse(int v)
{
    switch (v) {
    case -2147483647 - 1: return 1;
    case -1000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 77: return 5;
    case 1000: return 6;
    case 65536: return 7;
    case 2147483647: return 8;
    default: return 9;
    }
}

static NOINLINE int ranges(unsigned v)
{
    switch (v) {
    case 0 ... 9: return 'd';
    case 10 ... 99: return 'D';
    case 100 ... 0xffff: return 'h';
    case 0x80000000 ... 0xffffffff: return 'n';
    default: return '?';
    }
}

static NOINLINE int wide(unsigned long long v)
{
    switch (v) {
    case 0: return 1;
    case 1ull << 32: return 2;
    case 0xffffffffull: return 3;
    case 0xffffffffffffffffull: return 4;
    default: return 5;
    }
}

CASE(switch_dense)
{
    for (int i = -2; i < 12; i++)
        printf("%d ", dense(i));
    printf("\n");
}

CASE(switch_sparse)
{
    const int v[] = {-2147483647 - 1, -1000, -1, 0, 77, 78, 1000, 65536, 2147483647};
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
        printf("%d ", sparse(v[i]));
    printf("\n");
}

CASE(switch_ranges)
{
    const unsigned v[] = {0, 9, 10, 99, 100, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
        printf("%c ", ranges(v[i]));
    printf("\n");
}

CASE(switch_wide)
{
    printf("%d %d %d %d %d\n", wide(0), wide(1ull << 32), wide(0xffffffff), wide(~0ull), wide(7));
}

/* A small stack machine with threaded code: one computed jump an instruction. */
CASE(computed_goto)
{
    static const unsigned char program[] = {0, 10, 0, 0, 4, 0, 3, 1, 0, 5, 2, 3, 4, 0, 7, 1, 3, 5};
    __extension__ static const void *const labels[] = {&&push, &&plus, &&times, &&print, &&copy, &&stop};
    int stack[16] = {0}, *top = stack;
    const unsigned char *next = program;
#define DISPATCH goto *labels[*next++]
    DISPATCH;
push:
    *++top = *next++;
    DISPATCH;
plus:
    top[-1] += top[0];
    top--;
    DISPATCH;
times:
    top[-1] *= top[0];
    top--;
    DISPATCH;
print:
    printf("%d ", *top);
    DISPATCH;
copy:
    top[1] = top[0];
    top++;
    DISPATCH;
stop:
    printf("depth %d\n", (int)(top - stack));
}

static NOINLINE void throw_after(jmp_buf target, int depth, int value)
{
    volatile char frame[64];
    frame[depth % 64] = (char)value;
    void (*volatile jump)(jmp_buf, int) = longjmp; /* so that the compiler does not see an endless recursion */
    if (depth == 0) {
        jump(target, value);
        return;
    }
    throw_after(target, depth - 1, value);
    printf("not reached %d\n", frame[depth % 64]);
}

CASE(setjmp_deep)
{
    jmp_buf target;
    volatile int round = 0;
    int value = setjmp(target);
    printf("round %d value %d\n", round, value);
    if (round < 4) {
        round++;
        throw_after(target, round * 10, round == 3 ? 0 : round * 7);
    }
}

/* Values in callee-saved registers, integer and floating, come back as they were at setjmp when unchanged since. */
static NOINLINE int keeps(int seed)
{
    jmp_buf target;
    int a = seed + 1, b = seed * 2, c = seed - 3, d = seed ^ 5;
    double x = seed * 0.5, y = seed * 0.25, z = seed + 0.125;
    if (setjmp(target) == 0)
        throw_after(target, 5, 1);
    return a + b * 3 + c * 5 + d * 7 + (int)(x * 100) + (int)(y * 1000) + (int)(z * 10000);
}

CASE(setjmp_registers)
{
    for (int i = 1; i < 6; i++)
        printf("%d\n", keeps(OPAQUE(i * 1000)));
}

CASE(setjmp_volatile)
{
    jmp_buf target;
    volatile int count = 0;
    volatile double x = 1.5;
    while (setjmp(target) < 1000) {
        count++;
        x *= 1.25;
        if (count == 10)
            break;
        longjmp(target, count);
    }
    printf("%d %a\n", count, x);
}

CASE(setjmp_nested)
{
    jmp_buf outer, inner;
    volatile int steps = 0;
    int value = setjmp(outer);
    if (value == 0) {
        int second = setjmp(inner);
        steps++;
        if (second < 3)
            longjmp(inner, second + 1);
        longjmp(outer, 9);
    }
    printf("%d %d\n", value, steps);
}

CASE_ALONE(setjmp_signal_mask)
{
    sigjmp_buf target;
    sigset_t block, now;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    for (volatile int save = 0; save < 2; save++) {
        sigprocmask(SIG_UNBLOCK, &block, NULL);
        if (sigsetjmp(target, save) == 0) {
            sigprocmask(SIG_BLOCK, &block, NULL);
            siglongjmp(target, 1);
        }
        sigprocmask(SIG_SETMASK, NULL, &now);
        printf("saved %d blocked %d\n", save, sigismember(&now, SIGUSR1));
    }
}

/* A generator whose loop is re-entered from inside. */
CASE(setjmp_generator)
{
    jmp_buf loop;
    volatile unsigned state = 1, produced = 0;
    if (setjmp(loop) == 5)
        printf("five\n");
    while (produced < 20) {
        state = state * 1664525 + 1013904223;
        produced++;
        if (state >> 29 == 5)
            longjmp(loop, 5);
    }
    printf("%u %u\n", state, produced);
}

static int constructed;
static __attribute__((constructor)) void construct(void)
{
    constructed = 41;
}

CASE(constructor_ran)
{
    printf("%d\n", constructed + 1);
}

CASE(loops_odd_exits)
{
    unsigned found = 0, skipped = 0;
    for (unsigned i = 1; i < 60; i++) {
        for (unsigned j = 1;; j++) {
            if (j * j > i)
                break;
            if (i % j != 0) {
                skipped++;
                continue;
            }
            if (i / j == j)
                goto next;
        }
        found += i;
    next:;
    }
    do
        found ^= found << 1;
    while (found < 1000000);
    printf("%u %u\n", found, skipped);
}

CASE(short_circuit)
{
    int calls = 0;
    for (int i = 0; i < 32; i++) {
        int a = OPAQUE(i & 1), b = OPAQUE(i & 2), c = OPAQUE(i & 4);
        calls = calls * 3 + ((a && b) || (!b && c) ? (a ? 1 : 2) : 0);
    }
    printf("%u\n", (unsigned)calls);
}

/* The one place where the exit status is the result. */
CASE_ALONE(exit_status)
{
    printf("leaving\n");
    exit(42);
}

static void at_exit_first(void)
{
    printf("registered first\n");
}
static void at_exit_second(void)
{
    printf("registered second\n");
}

CASE_ALONE(exit_handlers)
{
    atexit(at_exit_first);
    atexit(at_exit_second);
    exit(3);
}

CASE_ALONE(abort_signal)
{
    printf("aborting\n");
    abort();
}
