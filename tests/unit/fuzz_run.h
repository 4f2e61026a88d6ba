/*
 * Shared by the device fuzzers: random numbers from a seed, and counting of checks.
 */
#ifndef SIMOS_TESTS_UNIT_FUZZ_RUN_H
#define SIMOS_TESTS_UNIT_FUZZ_RUN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fuzz_run {
    uint64_t random; /* not 0 */
    uint64_t passed, failed;
};

static inline void fuzz_seed(struct fuzz_run *run, uint64_t seed)
{
    run->random = seed * 0x9e3779b97f4a7c15u + 1; /* not 0 for any small seed */
    if (run->random == 0)
        run->random = 1;
}

__attribute__((format(printf, 3, 4))) static inline void check(struct fuzz_run *run, bool ok, const char *format, ...)
{
    if (ok) {
        run->passed++;
        return;
    }
    run->failed++;
    va_list arguments;
    va_start(arguments, format);
    fputs("failed: ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

/* xorshift64*, Vigna 2016 */
static inline uint32_t random32(struct fuzz_run *run)
{
    run->random ^= run->random >> 12;
    run->random ^= run->random << 25;
    run->random ^= run->random >> 27;
    return (uint32_t)((run->random * 0x2545f4914f6cdd1du) >> 32);
}

static inline uint32_t below(struct fuzz_run *run, uint32_t limit)
{
    return random32(run) % limit;
}

static inline bool one_in(struct fuzz_run *run, uint32_t n)
{
    return below(run, n) == 0;
}

#endif
