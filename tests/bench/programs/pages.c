/*
 * Code over many pages: 256 functions, no two of them in one page, called in an order that looks random, each with an
 * access to one of 128 pages of data. A TLB of 64 entries reaches 128 pages, one of 32 half of that.
 */
#include "bench.h"

enum { PAGE = 4096, FUNCTIONS = 256, DATA_PAGES = 128, CALLS = 10000 };

static uint32_t *data;

/* LIVE is always 1. The space is never executed: it puts the next function into another page, at another offset, since
 * functions at one offset would fall into a few sets of the caches. */
#define FUNCTION(n)                                                                                                    \
    static __attribute__((noinline, noclone)) uint32_t page_##n(uint32_t x, int live)                                  \
    {                                                                                                                  \
        if (__builtin_expect(!live, 0))                                                                                \
            __asm__ volatile(".space 4096");                                                                           \
        x = x * 1103515245u + 0x##n;                                                                                   \
        data[(x >> 8) % (DATA_PAGES * (PAGE / 4))] += x;                                                               \
        return x ^ x >> 7;                                                                                             \
    }
#define NAME(n) page_##n,

/* The macro WHAT for each of the numbers 00 to ff. */
#define SIXTEEN(what, n)                                                                                               \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7) what(n##8) what(n##9)      \
        what(n##a) what(n##b) what(n##c) what(n##d) what(n##e) what(n##f)
#define ALL(what)                                                                                                      \
    SIXTEEN(what, 0)                                                                                                   \
    SIXTEEN(what, 1)                                                                                                   \
    SIXTEEN(what, 2)                                                                                                   \
    SIXTEEN(what, 3)                                                                                                   \
    SIXTEEN(what, 4)                                                                                                   \
    SIXTEEN(what, 5)                                                                                                   \
    SIXTEEN(what, 6)                                                                                                   \
    SIXTEEN(what, 7)                                                                                                   \
    SIXTEEN(what, 8)                                                                                                   \
    SIXTEEN(what, 9)                                                                                                   \
    SIXTEEN(what, a)                                                                                                   \
    SIXTEEN(what, b)                                                                                                   \
    SIXTEEN(what, c)                                                                                                   \
    SIXTEEN(what, d)                                                                                                   \
    SIXTEEN(what, e)                                                                                                   \
    SIXTEEN(what, f)

ALL(FUNCTION)

static uint32_t (*const functions[FUNCTIONS])(uint32_t, int) = {ALL(NAME)};

/* One round is 10,000 calls. */
uint32_t bench_pages(unsigned amount)
{
    uint32_t x = 1;

    data = bench_memory(DATA_PAGES * PAGE);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        x = functions[i](x, 1); /* reads its page from the file */
    bench_begin();
    for (unsigned round = 0; round < amount; round++)
        for (unsigned i = 0; i < CALLS; i++)
            x = functions[(x >> 5) % FUNCTIONS](x, 1);
    bench_end();
    return bench_mix(x, data[x % (DATA_PAGES * (PAGE / 4))]);
}
