/* Arithmetic, control flow, strings: compiler-generated code. */
#include "stress.h"

#include <setjmp.h>
#include <string.h>

/* All multiply and divide instructions, and those that compilers rarely emit. */
static uint32_t odd_instructions(uint32_t a, uint32_t b)
{
    uint32_t x, y, z;
    __asm__("mult %2, %3\n\tmadd %3, %2\n\tmsubu %2, %2\n\tmfhi %0\n\tmflo %1"
            : "=r"(x), "=r"(y)
            : "r"(a), "r"(b)
            : "hi", "lo");
    __asm__("clz %0, %1\n\tclo $8, %1\n\taddu %0, %0, $8\n\trotrv %0, %0, %2" : "=&r"(z) : "r"(a), "r"(b) : "$8");
    x = stress_mix(x, y ^ z);
    __asm__("wsbh %0, %1\n\tseb %0, %0\n\tins %0, %2, 7, 13\n\text %0, %0, 3, 22" : "=&r"(z) : "r"(a), "r"(b));
    __asm__("movz %0, %1, %2\n\tmovn %0, %2, %1" : "+r"(z) : "r"(a & 1), "r"(b & 2));
    __asm__("mthi %1\n\tmtlo %2\n\tdivu $0, %1, %3\n\tmfhi %0" : "=&r"(y) : "r"(a), "r"(b), "r"(b | 1) : "hi", "lo");
    return stress_mix(x, y + z);
}

/* Branch-likely: compilers do not emit it, old programs contain it. */
static uint32_t likely(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    __asm__(".set push\n\t.set noreorder\n\t"
            "1: bnel %1, $0, 1b\n\t addiu %1, %1, -1\n\t" /* the slot is annulled at the end */
            "bgezl %2, 2f\n\t addiu %0, %0, 3\n\t"
            "addiu %0, %0, 16\n\t"
            "2: beql %2, $0, 3f\n\t subu %0, $0, %0\n\t"
            "3: addu %0, %0, %1\n\t.set pop"
            : "+r"(sum), "+r"(a), "+r"(b));
    return sum;
}

uint32_t stress_integer(unsigned rounds)
{
    uint32_t seed = 1, sum = 0;
    for (unsigned i = 0; i < rounds * 256; i++) {
        uint32_t a = stress_random(&seed), b = stress_random(&seed);
        int64_t wide = (int64_t)(int32_t)a * (int32_t)b;
        sum = stress_mix(sum, (uint32_t)(wide >> (a & 31)));
        sum = stress_mix(sum, (uint32_t)((uint64_t)a << 32 | b) / (b >> 20 | 1));
        sum = stress_mix(sum, (uint32_t)((((uint64_t)a << 32) | b) % (b | 3)));
        sum = stress_mix(sum, (uint32_t)((int32_t)a / (int32_t)(b >> 8 | 1)) + (uint32_t)((int32_t)b % 1000));
        sum = stress_mix(sum, odd_instructions(a, b) + likely(a & 7, b));
    }
    return sum;
}

/* Calls: direct, indirect with many targets, recursive, jump tables, setjmp. */

static NOINLINE unsigned tak(unsigned x, unsigned y, unsigned z)
{
    return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z;
}

static NOINLINE uint32_t deep(unsigned depth, uint32_t seed)
{
    volatile uint32_t here[6] = {seed, depth};
    if (depth == 0)
        return seed;
    uint32_t below = deep(depth - 1, stress_mix(seed, depth));
    return stress_mix(below, here[depth % 6]);
}

#define TARGET(n)                                                                                                      \
    static NOINLINE uint32_t target##n(uint32_t x)                                                                     \
    {                                                                                                                  \
        return x * (2 * n + 1) ^ (x >> (n % 31 + 1));                                                                  \
    }                                                                                                                  \
    _Static_assert(n < 32, "")
TARGET(0);
TARGET(1);
TARGET(2);
TARGET(3);
TARGET(4);
TARGET(5);
TARGET(6);
TARGET(7);
TARGET(8);
TARGET(9);
TARGET(10);
TARGET(11);

static NOINLINE uint32_t machine(uint32_t x, unsigned count)
{
    static uint32_t (*const targets[])(uint32_t) = {target0, target1, target2, target3, target4,  target5,
                                                    target6, target7, target8, target9, target10, target11};
    for (unsigned i = 0; i < count; i++) {
        switch (x >> 3 & 15) {
        case 0: x += 7; break;
        case 1: x = ~x; break;
        case 2: x ^= x << 3; break;
        case 3: x = x * 5 + i; break;
        case 4: x -= i; break;
        case 5: x = x >> 7 | x << 25; break;
        case 6: x = targets[i % 3](x); break;
        case 7: x += targets[x % 2](i); break;
        default: x = targets[x % 12](x); break;
        }
        x += i;
    }
    return x;
}

static jmp_buf place;
static NOINLINE unsigned jump_from(unsigned depth)
{
    if (depth == 0)
        longjmp(place, 77);
    return depth > 1000 ? depth : jump_from(depth - 1) + 1;
}

static NOINLINE void jumps(void)
{
    volatile unsigned count = 0;
    int code = setjmp(place);
    CHECK(code == (count ? 77 : 0));
    if (count < 50) {
        count = count + 1;
        jump_from(count);
    }
}

uint32_t stress_calls(unsigned rounds)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        sum = stress_mix(sum, tak(10 + i % 2, 6, 2 + i % 3));
        sum = stress_mix(sum, deep(3000 + 100 * (i % 8), i));
        sum = stress_mix(sum, machine(sum, 20000));
        jumps();
    }
    return sum;
}

static int order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The library's string functions at all alignments, sorting, formatted output. */
uint32_t stress_strings(unsigned rounds)
{
    static char from[5000], to[5000];
    static uint32_t words[4000];
    uint32_t seed = 7, sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned j = 0; j < sizeof from; j++)
            from[j] = (char)(stress_random(&seed) >> 9 | 1);
        for (unsigned j = 0; j < 300; j++) {
            unsigned a = stress_random(&seed) % 40, b = stress_random(&seed) % 40;
            unsigned length = stress_random(&seed) % (j % 8 ? 100 : 4800);
            memcpy(to + a, from + b, length);
            memmove(to + b, to + a, length);
            from[b + length] = 0;
            sum = stress_mix(sum, (uint32_t)strlen(from + b) + (uint32_t)(memcmp(to + b, from + b, length) != 0));
            CHECK(strcmp(from + b, from + b) == 0 && strchr(from + b, 0) == from + b + strlen(from + b));
            from[b + length] = 'x';
            memset(to + a, (int)j, length / 2);
        }
        for (unsigned j = 0; j < 4000; j++)
            words[j] = stress_random(&seed);
        qsort(words, 4000, sizeof *words, order);
        for (unsigned j = 0; j < 4000; j += 99) {
            char text[64];
            CHECK(j == 0 || words[j - 1] <= words[j]);
            snprintf(text, sizeof text, "%u %x %.9g %s", words[j], words[j], words[j] / 3.0, "end");
            sum = stress_mix(sum, (uint32_t)strtoul(text, NULL, 10));
            sum = stress_mix(sum, (uint32_t)strlen(text));
        }
    }
    return sum;
}
