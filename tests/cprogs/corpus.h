/*
 * The frame of the C corpus: a case is one small program that prints deterministic text. Cases register themselves, so
 * that a few hundred of them share one static executable (a static C library costs 600 KB an executable).
 *
 * A case must not print addresses, process ids, times, or anything the C standard leaves undefined, and must end by
 * itself or by a signal that is the same on every correct machine. What it prints is compared between machines.
 *
 * Not here: any expectation. The expected text is what the same executable prints under another implementation.
 */
#ifndef SIMOS_TESTS_CPROGS_CORPUS_H
#define SIMOS_TESTS_CPROGS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct corpus_case {
    const char *name;
    void (*run)(void);
    bool alone; /* needs a process of its own */
};

/* The level a file is compiled at becomes part of its cases' names: varargs_ints.O2. */
#ifndef CORPUS_LEVEL
#error "CORPUS_LEVEL must be defined, as in -DCORPUS_LEVEL=O2"
#endif
#define CORPUS_STRING_(text) #text
#define CORPUS_STRING(text)  CORPUS_STRING_(text)

#define CORPUS_DEFINE(name_, alone_)                                                                                   \
    static void case_##name_(void);                                                                                    \
    static const struct corpus_case *const entry_##name_ __attribute__((used, section("corpus_cases"))) =              \
        &(const struct corpus_case){#name_ "." CORPUS_STRING(CORPUS_LEVEL), case_##name_, alone_};                     \
    static void case_##name_(void)

/*
 * CASE(name) { body }: defines and registers one case. It may run in a process after others and before others: it
 * leaves nothing behind but handlers of the signals that processor exceptions become, floating-point flags, and memory.
 * CASE_ALONE(name): the same for a case that ends its process, is ended by a signal, or changes what others rely on.
 */
#define CASE(name_)       CORPUS_DEFINE(name_, false)
#define CASE_ALONE(name_) CORPUS_DEFINE(name_, true)

/* Functions whose calls must stay calls, with arguments the compiler cannot see through. */
#define NOINLINE __attribute__((noinline, noclone))

/* Hides a value from the optimiser: the result is the same value, of unknown origin. */
#define OPAQUE(value)                                                                                                  \
    __extension__({                                                                                                    \
        __auto_type opaque_ = ((void)0, (value));                                                                      \
        __asm__ volatile("" : "+m"(opaque_));                                                                          \
        opaque_;                                                                                                       \
    })

/*
 * A sweep over many operands prints one short line: the number of results and a checksum over all of them. With -v on
 * the command line every result is printed too, so that the lines of two machines can be compared.
 */
struct corpus_sum {
    uint64_t hash;
    unsigned count;
};

extern bool corpus_verbose;

#define CORPUS_SUM_INIT                                                                                                \
    {                                                                                                                  \
        0x6a09e667f3bcc908u, 0                                                                                         \
    }

static inline void corpus_sum_add(struct corpus_sum *sum, uint64_t value)
{
    uint64_t mixed = (sum->hash ^ value) * 0x9e3779b97f4a7c15u;
    sum->hash = mixed ^ (mixed >> 29);
    sum->count++;
}

/* Adds one result; the text describes the operands and is printed only with -v. */
#define SUM(sum, value, ...)                                                                                           \
    do {                                                                                                               \
        uint64_t sum_value_ = (uint64_t)(value);                                                                       \
        corpus_sum_add(sum, sum_value_);                                                                               \
        if (corpus_verbose) {                                                                                          \
            printf("  " __VA_ARGS__);                                                                                  \
            printf(" -> %llx\n", (unsigned long long)sum_value_);                                                      \
        }                                                                                                              \
    } while (0)

static inline void corpus_sum_print(const char *what, const struct corpus_sum *sum)
{
    printf("%s: %u results, sum %016llx\n", what, sum->count, (unsigned long long)sum->hash);
}

/* A small generator for test data; the same everywhere (Marsaglia's xorshift, 32 bits). The state must not be 0. */
static inline uint32_t corpus_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* Checksum of a byte string (FNV-1a, 32 bits). */
static inline uint32_t corpus_hash_bytes(const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

#endif
