/*
 * What tables of real machines measure: a program for the guest that times one thing, by the guest's clock, and prints
 * it as a number.
 *
 *     probe TEST ARGUMENT
 *
 * - chase KB: a load that needs the one before it, ns. One word after another of an area of so many KB, each once, in
 * an order in which neighbours lie on different pages: to a cache, lines at random
 * - random KB: loads in such an order, which do not need each other, ns for each
 * - read STEP: loads, STEP bytes apart, of 16 MB, MB a second; each line that is read counts as a whole
 * - chase_step STEP: the same, where each load needs the one before it
 * - write STEP: stores, STEP bytes apart, the same
 * - branch MHZ: cycles that a misprediction costs. Branches on random bits, half of which are mispredicted, less the
 * same branches on bits of which the first half are alike, and the second; the clock has so many MHz
 * - unaligned MHZ: a load of 4 bytes that cross a line, cycles
 * - stride KB: a load that needs the one before it, 128 bytes above it, ns, as lmbench does
 * - sum KB, store KB, copy KB: loads and additions, stores, loads and stores, word by word, MB a second, as lmbench
 * does
 *
 * What can be repeated is the quickest of eight parts. It stops at the mark "ready" when its memory is filled, so that
 * a run can begin there.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 32, STREAM = 16 << 20, LOADS = 1 << 18, WARM = 1 << 16, BRANCHES = 1 << 13, PARTS = 8, UNROLLED = 32 };

static void *area_of(size_t bytes)
{
    void *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return area;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What is measured in parts is the quickest of them: nothing else ran then. */
static void keep_least(double *best, double value)
{
    if (*best == 0 || value < *best)
        *best = value;
}

static void say_ready(void)
{
    if (system("simos-mark ready") != 0)
        fprintf(stderr, "probe: no mark\n");
}

/* The word behind word AT of WORDS, a power of two: all of them in turn (Hull and Dobell: an increment that is odd, and
 * a factor of which 4 divides one less), and neighbours in this order on different pages. */
static uint32_t next_word(uint32_t at, uint32_t words)
{
    return (at * 1664525u + 1013904223u) & (words - 1);
}

static void **make_ring(size_t bytes)
{
    const uint32_t words = (uint32_t)(bytes / sizeof(void *));
    void **area = area_of(bytes);
    for (uint32_t i = 0; i < words; i++)
        area[i] = area + next_word(i, words);
    return area;
}

#define EIGHT(at, f) f(at) f((at) + 1) f((at) + 2) f((at) + 3) f((at) + 4) f((at) + 5) f((at) + 6) f((at) + 7)
#define ALL(f)       EIGHT(0, f) EIGHT(8, f) EIGHT(16, f) EIGHT(24, f)
#define NEXT(i)      at = *(void **)at;
#define SUM(i)       sum += from[i];
#define STORE(i)     to[i] = 1;
#define COPY(i)      to[i] = from[i];

static void *follow(void *at, uint32_t loads)
{
    for (uint32_t i = 0; i < loads / UNROLLED; i++) {
        ALL(NEXT)
    }
    __asm__ volatile("" : "+r"(at));
    return at;
}

static double chase(size_t bytes)
{
    void *at = make_ring(bytes);
    double best = 0;
    say_ready();
    at = follow(at, WARM);
    for (int part = 0; part < PARTS; part++) {
        const double begin = now();
        at = follow(at, LOADS / PARTS);
        keep_least(&best, (now() - begin) / (LOADS / PARTS));
    }
    return best;
}

/* Loads that need only the number of their word, which registers hold. */
static double read_random(size_t bytes)
{
    const uint32_t words = (uint32_t)(bytes / sizeof(void *));
    void *const volatile *area = (void *const volatile *)make_ring(bytes);
    uint32_t at = 1;
    double best = 0;
    say_ready();
    for (int part = 0; part < PARTS; part++) {
        const double begin = now();
        for (uint32_t i = 0; i < LOADS / PARTS; i += 4) {
            (void)area[at = next_word(at, words)];
            (void)area[at = next_word(at, words)];
            (void)area[at = next_word(at, words)];
            (void)area[at = next_word(at, words)];
        }
        keep_least(&best, (now() - begin) / (LOADS / PARTS));
    }
    return best;
}

/* MB a second of lines that COUNT accesses, STEP bytes apart, have in NS nanoseconds. */
static double rate(uint32_t count, uint32_t step, double ns)
{
    return (double)count * (step < LINE ? step : LINE) * 1e3 / ns;
}

static double read_stream(uint32_t step)
{
    const uint32_t count = STREAM / step / 8 * 8;
    char *area = area_of(STREAM);
    memset(area, 1, STREAM);
    say_ready();
    const double begin = now();
    const volatile char *at = area;
    for (uint32_t i = 0; i < count; i += 8)
        for (int k = 0; k < 8; k++, at += step)
            (void)*(const volatile uint32_t *)at;
    return rate(count, step, now() - begin);
}

static double write_stream(uint32_t step)
{
    const uint32_t count = STREAM / step / 8 * 8;
    char *area = area_of(STREAM);
    memset(area, 1, STREAM);
    say_ready();
    const double begin = now();
    volatile char *at = area;
    for (uint32_t i = 0; i < count; i += 8)
        for (int k = 0; k < 8; k++, at += step)
            *(volatile uint32_t *)at = i;
    return rate(count, step, now() - begin);
}

static double chase_stream(uint32_t step)
{
    const uint32_t count = STREAM / step;
    char *area = area_of(STREAM);
    for (uint32_t i = 0; i < count; i++)
        *(void **)(area + (size_t)i * step) = area + (size_t)((i + 1) % count) * step;
    say_ready();
    const double begin = now();
    follow(area, count);
    return rate(count, step, now() - begin);
}

/* From the end of an area of so many BYTES to its beginning, and round. */
static double chase_backwards(size_t bytes)
{
    enum { STRIDE = 128 };
    const uint32_t count = (uint32_t)(bytes / STRIDE);
    char *area = area_of(bytes);
    double best = 0;
    for (uint32_t i = 0; i < count; i++)
        *(void **)(area + (size_t)i * STRIDE) = area + (size_t)((i + count - 1) % count) * STRIDE;
    say_ready();
    void *at = follow(area, count);
    for (int part = 0; part < PARTS; part++) {
        const double begin = now();
        at = follow(at, LOADS / PARTS);
        keep_least(&best, (now() - begin) / (LOADS / PARTS));
    }
    return best;
}

/* MB a second of STEP, which handles 32 words, over BYTES of words FROM and TO: the quickest of three times. */
static double rate_of(void (*step)(volatile uint32_t *to, const volatile uint32_t *from), size_t bytes)
{
    enum { TIMES = 3, APART = 4 << 10 }; /* the next page: not in the same lines of a direct-mapped cache */
    volatile uint32_t *from = area_of(2 * bytes + APART), *to = from + (bytes + APART) / sizeof *to;
    double best = 0;
    memset((void *)(uintptr_t)from, 1, 2 * bytes + APART);
    say_ready();
    for (int round = 0; round < TIMES; round++) {
        const double begin = now();
        for (size_t i = 0; i < bytes / sizeof *to; i += UNROLLED)
            step(to + i, from + i);
        keep_least(&best, now() - begin);
    }
    return (double)bytes * 1e3 / best;
}

static void sum_words(volatile uint32_t *to, const volatile uint32_t *from)
{
    uint32_t sum = 0;
    (void)to;
    ALL(SUM)
    __asm__ volatile("" : : "r"(sum));
}

static void store_words(volatile uint32_t *to, const volatile uint32_t *from)
{
    (void)from;
    ALL(STORE)
}

static void copy_words(volatile uint32_t *to, const volatile uint32_t *from)
{
    ALL(COPY)
}

/* Nanoseconds of a branch for each of BITS. */
static double branch_on(const uint8_t *bits)
{
    uint32_t taken = 0;
    const double begin = now();
    for (uint32_t i = 0; i < BRANCHES; i++) {
        if (bits[i])
            __asm__ volatile("addiu %0, %0, 1" : "+r"(taken));
        __asm__ volatile("" : "+r"(taken));
    }
    return (now() - begin) / BRANCHES;
}

static double mispredict(double mhz)
{
    uint8_t *random = area_of(BRANCHES), *alike = area_of(BRANCHES);
    uint64_t state = 88172645463325252ull;
    for (uint32_t i = 0; i < BRANCHES; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        random[i] = state & 1;
        alike[i] = i < BRANCHES / 2; /* as many are taken */
    }
    say_ready();
    double without = 0, with = 0;
    for (int part = 0; part < PARTS; part++) {
        keep_least(&without, branch_on(alike));
        keep_least(&with, branch_on(random));
    }
    return (with - without) * 2 * mhz / 1e3;
}

static double unaligned(double mhz)
{
    enum { COUNT = 512 };
    char *area = area_of(4096);
    say_ready();
    double best = 0;
    for (int part = 0; part < PARTS; part++) {
        const double begin = now();
        for (int i = 0; i < COUNT; i++) {
            uint32_t word;
            __asm__ volatile("lw %0, 30(%1)" : "=r"(word) : "r"(area));
        }
        keep_least(&best, (now() - begin) / COUNT);
    }
    return best * mhz / 1e3;
}

int main(int argc, char **argv)
{
    const char *test = argc > 2 ? argv[1] : "";
    const uint32_t argument = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    double value;
    if (strcmp(test, "chase") == 0)
        value = chase((size_t)argument << 10);
    else if (strcmp(test, "random") == 0)
        value = read_random((size_t)argument << 10);
    else if (strcmp(test, "read") == 0)
        value = read_stream(argument);
    else if (strcmp(test, "chase_step") == 0)
        value = chase_stream(argument);
    else if (strcmp(test, "write") == 0)
        value = write_stream(argument);
    else if (strcmp(test, "stride") == 0)
        value = chase_backwards((size_t)argument << 10);
    else if (strcmp(test, "sum") == 0)
        value = rate_of(sum_words, (size_t)argument << 10);
    else if (strcmp(test, "store") == 0)
        value = rate_of(store_words, (size_t)argument << 10);
    else if (strcmp(test, "copy") == 0)
        value = rate_of(copy_words, (size_t)argument << 10);
    else if (strcmp(test, "branch") == 0)
        value = mispredict(argument);
    else if (strcmp(test, "unaligned") == 0)
        value = unaligned(argument);
    else {
        fprintf(stderr, "usage: probe TEST ARGUMENT\n");
        return 2;
    }
    printf("probe %s %u %.2f\n", test, argument, value);
    return 0;
}
