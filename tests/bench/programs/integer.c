/* Work in registers: an integer loop, and calls. */
#include "bench.h"

/* One round is 10000 turns of about 20 instructions. The branch inside goes one way seven times out of eight in a
 * pattern that a processor learns: the loop is about computing, not about mispredicted branches. */
uint32_t bench_alu(unsigned amount)
{
    uint32_t a = 1, b = 2, c = 3, sum = 0;

    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        for (uint32_t i = 0; i < 10000; i++) {
            a ^= a << 13;
            a ^= a >> 17;
            a ^= a << 5;
            b = b * 1664525u + 1013904223u;
            c += (a & b) ^ (i << 2);
            if ((i & 7) == 5)
                sum += (c >> 3) - b;
            else
                sum ^= c < b ? a + i : a - i;
        }
    }
    bench_end();
    return bench_mix(bench_mix(a, b), bench_mix(c, sum));
}

/* One function for all arguments. */
#ifdef __clang__
#define ONE_FUNCTION __attribute__((noinline))
#else
#define ONE_FUNCTION __attribute__((noinline, noclone))
#endif

/* The number of calls grows like the Fibonacci numbers. Mixing both results keeps the compiler from turning one of the
 * calls into a loop. */
ONE_FUNCTION static uint32_t fibonacci(unsigned n, uint32_t salt)
{
    if (n < 2)
        return n + salt;
    uint32_t left = fibonacci(n - 1, salt + 1);
    return (left << 1 | left >> 31) ^ fibonacci(n - 2, salt);
}

/* One round is 35421 calls. */
uint32_t bench_calls(unsigned amount)
{
    uint32_t sum = 0;

    bench_begin();
    for (unsigned round = 0; round < amount; round++)
        sum = bench_mix(sum, fibonacci(21, sum));
    bench_end();
    return sum;
}
