/* Self-modifying code, remapped code, aliased code, and instructions that the kernel emulates. */
#define _GNU_SOURCE
#include "stress.h"

#include <string.h>
#include <sys/cachectl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, WORDS = PAGE / 4 };

#define ADDIU(rt, rs, imm) (0x24000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((imm)&0xffff))
#define ADDU(rd, rs, rt)   (0x00000021u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define XOR(rd, rs, rt)    (0x00000026u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | (unsigned)(rd) << 11)
#define SLL(rd, rt, sa)    ((unsigned)(rt) << 16 | (unsigned)(rd) << 11 | (unsigned)(sa) << 6)
#define SRL(rd, rt, sa)    (0x00000002u | SLL(rd, rt, sa))
#define BNE(rs, rt, words) (0x14000000u | (unsigned)(rs) << 21 | (unsigned)(rt) << 16 | ((unsigned)(words)&0xffff))
#define SW(rt, at, base)   (0xac000000u | (unsigned)(base) << 21 | (unsigned)(rt) << 16 | ((at)&0xffff))
#define JR_RA              0x03e00008u
#define SYNCI(at, base)    (0x041f0000u | (unsigned)(base) << 21 | ((at)&0xffff))
enum { NOP, V0 = 2, A0 = 4, A1, A2, T0 = 8 };

typedef uint32_t function(uint32_t a, uint32_t b, void *c);

static void flush(void *at, size_t size)
{
    CHECK(cacheflush(at, (int)size, BCACHE) == 0);
}

static uint32_t *map_code(size_t pages)
{
    void *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static uint32_t call(void *code, uint32_t a, uint32_t b, void *c)
{
    return ((function *)(uintptr_t)code)(a, b, c);
}

/* A function whose constant changes between calls, flushed by the kernel's cacheflush; and code that modifies later
 * words of its own page. */
uint32_t stress_patches(unsigned rounds)
{
    uint32_t *code = map_code(2), sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t *at = code + (i * 37) % (WORDS - 2); /* sometimes across a page boundary */
        at[0] = ADDIU(V0, A0, i);
        at[1] = JR_RA;
        at[2] = ADDU(V0, V0, A1);
        flush(at, 12);
        uint32_t result = call(at, 100, i, NULL);
        CHECK(result == 100 + (uint32_t)(int32_t)(int16_t)i + i);
        sum = stress_mix(sum, result);
    }
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t *at = code + WORDS - 8 + i % 12;
        at[0] = SW(A0, 16, A2); /* overwrites the instruction after the next two */
        at[1] = SYNCI(16, A2);
        at[2] = 0x0000000f; /* sync */
        at[3] = NOP;
        at[4] = ADDIU(V0, 0, 1);
        at[5] = JR_RA;
        at[6] = NOP;
        flush(at, 28);
        uint32_t result = call(at, ADDIU(V0, 0, i), 0, at);
        CHECK(result == (uint32_t)(int32_t)(int16_t)i);
        sum = stress_mix(sum, result);
    }
    munmap(code, 2 * PAGE);
    return sum;
}

/* One physical page at two addresses: written through one and executed through the other, and executed through both. */
uint32_t stress_aliases(unsigned rounds)
{
    int file = memfd_create("code", 0);
    uint32_t sum = 0;
    CHECK(file >= 0 && ftruncate(file, PAGE) == 0);
    uint32_t *write = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, file, 0);
    uint32_t *execute = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    CHECK(write != MAP_FAILED && execute != MAP_FAILED && write != execute);
    for (unsigned i = 0; i < rounds; i++) {
        unsigned at = i * 16 % WORDS;
        write[at] = ADDIU(V0, A0, i * 3);
        write[at + 1] = ADDU(V0, V0, A1);
        write[at + 2] = JR_RA;
        write[at + 3] = XOR(V0, V0, A0);
        flush(write + at, 16);
        flush(execute + at, 16);
        uint32_t expected = ((10 + (uint32_t)(int32_t)(int16_t)(i * 3)) + i) ^ 10;
        CHECK(call(execute + at, 10, i, NULL) == expected && call(write + at, 10, i, NULL) == expected);
        sum = stress_mix(sum, expected);
    }
    munmap(write, PAGE);
    munmap(execute, PAGE);
    close(file);
    return sum;
}

/* Random straight-line functions with a loop, in pages that are mapped and unmapped; the results are compared with
 * C. */
uint32_t stress_generated(unsigned rounds)
{
    uint32_t seed = 23, sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        enum { PAGES = 3, LONGEST = 1200 };
        uint32_t *code = map_code(PAGES), *out = code + stress_random(&seed) % 800, *begin = out;
        uint32_t start = stress_random(&seed), expected = start, times = 1 + stress_random(&seed) % 5;
        uint32_t recipe = seed;
        unsigned length = 10 + stress_random(&recipe) % LONGEST;
        for (unsigned round = 0; round < times; round++) {
            uint32_t again = recipe;
            for (unsigned j = 0; j < length; j++) {
                uint32_t word = stress_random(&again);
                unsigned shift = word >> 8 & 31;
                switch (word & 3) {
                case 0: expected += (uint32_t)(int32_t)(int16_t)(word >> 16); break;
                case 1: expected ^= expected << shift; break;
                case 2: expected ^= expected >> shift; break;
                default: expected += expected; break;
                }
            }
        }
        for (unsigned j = 0; j < length; j++) {
            uint32_t word = stress_random(&recipe);
            unsigned shift = word >> 8 & 31;
            switch (word & 3) {
            case 0: *out++ = ADDIU(A0, A0, word >> 16); break;
            case 1: *out++ = SLL(T0, A0, shift), *out++ = XOR(A0, A0, T0); break;
            case 2: *out++ = SRL(T0, A0, shift), *out++ = XOR(A0, A0, T0); break;
            default: *out++ = ADDU(A0, A0, A0); break;
            }
        }
        *out++ = ADDIU(A1, A1, -1);
        out[0] = BNE(A1, 0, begin - out - 1);
        out[1] = NOP;
        out[2] = JR_RA;
        out[3] = ADDU(V0, A0, 0);
        flush(code, PAGES * PAGE);
        CHECK(call(begin, start, times, NULL) == expected);
        sum = stress_mix(sum, expected);
        munmap(code, PAGES * PAGE);
        seed = recipe;
    }
    return sum;
}

/* Unaligned loads and stores, which the kernel emulates; in delay slots it emulates the branch, too. */
uint32_t stress_unaligned(unsigned rounds)
{
    static uint8_t bytes[64] __attribute__((aligned(8)));
    uint32_t sum = 0, word, half, taken;
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (uint8_t)(i * 37);
    for (unsigned i = 0; i < rounds; i++) {
        uint8_t *at = bytes + 1 + i % 3 + i % 8 * 4;
        __asm__ volatile("lw %0, 0(%2)\n\tlhu %1, 5(%2)\n\tsw %0, 8(%2)\n\tsh %1, 13(%2)"
                         : "=&r"(word), "=&r"(half)
                         : "r"(at)
                         : "memory");
        sum = stress_mix(sum, word + half);
        __asm__ volatile(".set push\n\t.set noreorder\n\tli %1, 0\n\t"
                         "bgtz %3, 1f\n\t lw %0, 2(%2)\n\tli %1, 7\n\t"
                         "1: beqzl %3, 2f\n\t sw %0, 6(%2)\n\taddiu %1, %1, 1\n\t2: .set pop"
                         : "=&r"(word), "=&r"(taken)
                         : "r"(at), "r"(i & 1)
                         : "memory");
        sum = stress_mix(sum, word ^ taken);
        double value;
        __asm__ volatile("ldc1 %0, 0(%1)\n\tsdc1 %0, 16(%1)" : "=f"(value) : "r"(bytes + (i & 4)) : "memory");
    }
    return stress_mix(sum, bytes[33]);
}
