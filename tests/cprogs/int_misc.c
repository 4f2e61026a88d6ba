/*
 * Integer odds and ends: conversions, bit-fields, unaligned and byte-swapped access, counting built-ins, wide
 * multiplication and division. Compiled with -fwrapv.
 */
#include "corpus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t values[] = {
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x1234,
    0x7fff,
    0x8000,
    0xffff,
    0x12345678,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x123456789abcdef0,
    0x7fffffffffffffff,
    0x8000000000000000,
    -1,
    -2,
    0xf0f0f0f0f0f0f0f0,
    0x00ff00ff00ff00ff,
};
#define VALUES (sizeof values / sizeof values[0])

/* Narrowing and widening through every integer type, one case a source type. */
#define CONVERT(name, type)                                                                                            \
    CASE(int_convert_##name)                                                                                           \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        for (size_t i = 0; i < VALUES; i++) {                                                                          \
            type v = OPAQUE((type)values[i]);                                                                          \
            SUM(&sum, (int8_t)v, "i8 %llx", (unsigned long long)v);                                                    \
            SUM(&sum, (uint8_t)v, "u8 %llx", (unsigned long long)v);                                                   \
            SUM(&sum, (int16_t)v, "i16 %llx", (unsigned long long)v);                                                  \
            SUM(&sum, (uint16_t)v, "u16 %llx", (unsigned long long)v);                                                 \
            SUM(&sum, (int32_t)v, "i32 %llx", (unsigned long long)v);                                                  \
            SUM(&sum, (uint32_t)v, "u32 %llx", (unsigned long long)v);                                                 \
            SUM(&sum, (int64_t)v, "i64 %llx", (unsigned long long)v);                                                  \
        }                                                                                                              \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
CONVERT(i8, int8_t)
CONVERT(u8, uint8_t)
CONVERT(i16, int16_t)
CONVERT(u16, uint16_t)
CONVERT(i32, int32_t)
CONVERT(u32, uint32_t)
CONVERT(i64, int64_t)
CONVERT(u64, uint64_t)

struct fields_unsigned {
    unsigned a : 1, b : 3, c : 7, d : 13, e : 8;
    unsigned f : 31, g : 1;
};
struct fields_signed {
    int a : 1, b : 3, c : 7, d : 13, e : 8;
    int f : 31, g : 1;
};
struct fields_wide {
    uint64_t a : 5, b : 33, c : 26;
    int64_t d : 40, e : 24;
};

CASE(bitfield_unsigned)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t i = 0; i < VALUES; i++) {
        unsigned v = OPAQUE((unsigned)values[i]);
        struct fields_unsigned s = {v & 1, v & 7, v & 0x7f, v & 0x1fff, v & 0xff, v & 0x7fffffff, v & 1};
        s.b++;
        s.c += s.b;
        s.d ^= s.c;
        s.f -= s.d;
        SUM(&sum, s.a + s.b + s.c + s.d + s.e + s.f + s.g, "%x", v);
        uint32_t raw[2];
        memcpy(raw, &s, sizeof raw);
        SUM(&sum, raw[0], "low word %x", v);
        SUM(&sum, raw[1], "high word %x", v);
    }
    corpus_sum_print("unsigned fields", &sum);
}

CASE(bitfield_signed)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t i = 0; i < VALUES; i++) {
        int v = OPAQUE((int)values[i]);
        struct fields_signed s;
        memset(&s, 0, sizeof s);
        s.a = v;
        s.b = v >> 1;
        s.c = v >> 2;
        s.d = v >> 3;
        s.e = v >> 4;
        s.f = v;
        s.g = v;
        SUM(&sum, s.a + s.b + s.c + s.d + s.e, "%x", (unsigned)v);
        SUM(&sum, s.f < 0, "negative %x", (unsigned)v);
        SUM(&sum, s.f * 2 + s.g, "f, g %x", (unsigned)v);
    }
    corpus_sum_print("signed fields", &sum);
}

CASE(bitfield_wide)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t i = 0; i < VALUES; i++) {
        uint64_t v = OPAQUE(values[i]);
        struct fields_wide s;
        memset(&s, 0, sizeof s);
        s.a = v;
        s.b = v >> 3;
        s.c = v >> 7;
        s.d = (int64_t)v;
        s.e = (int64_t)(v >> 20);
        s.b += s.a;
        s.d -= s.e;
        SUM(&sum, s.a + s.b * 3 + s.c * 5, "unsigned %llx", (unsigned long long)v);
        SUM(&sum, s.d + s.e, "signed %llx", (unsigned long long)v);
    }
    corpus_sum_print("64-bit fields", &sum);
}

/* Unaligned fields: the compiler uses lwl/lwr and swl/swr pairs. */
struct packed {
    uint8_t pad;
    uint16_t half;
    uint32_t word;
    uint64_t dword;
    double real;
    float single;
} __attribute__((packed));

static NOINLINE void packed_step(struct packed *p, uint64_t v)
{
    p->half += (uint16_t)v;
    p->word ^= (uint32_t)(v >> 7);
    p->dword = p->dword * 3 + v;
    p->real += (double)(v & 0xffff);
    p->single = (float)p->half;
}

#define UNALIGNED(offset)                                                                                              \
    CASE(unaligned_offset_##offset)                                                                                    \
    {                                                                                                                  \
        unsigned char room[64] __attribute__((aligned(8)));                                                            \
        memset(room, 0xa5, sizeof room);                                                                               \
        struct packed *p = (struct packed *)(void *)(room + offset);                                                   \
        memset(p, 0, sizeof *p);                                                                                       \
        for (size_t i = 0; i < VALUES; i++)                                                                            \
            packed_step(p, values[i]);                                                                                 \
        printf("%x %x %llx %g %g\n", p->half, p->word, (unsigned long long)p->dword, p->real, (double)p->single);      \
        printf("memory %08x\n", corpus_hash_bytes(room, sizeof room));                                                 \
    }
UNALIGNED(0)
UNALIGNED(1)
UNALIGNED(2)
UNALIGNED(3)
UNALIGNED(5)
UNALIGNED(6)
UNALIGNED(7)

CASE(bytes_load_store)
{
    unsigned char room[32];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = (unsigned char)(i * 37 + 0x71);
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (unsigned i = 0; i + 8 <= sizeof room; i++) {
        uint16_t half;
        int16_t shalf;
        uint32_t word;
        uint64_t dword;
        memcpy(&half, room + i, 2);
        memcpy(&shalf, room + i, 2);
        memcpy(&word, room + i, 4);
        memcpy(&dword, room + i, 8);
        SUM(&sum, half, "half at %u", i);
        SUM(&sum, shalf, "signed half at %u", i);
        SUM(&sum, word, "word at %u", i);
        SUM(&sum, dword, "dword at %u", i);
        SUM(&sum, (signed char)room[i], "byte at %u", i);
        word = ~word;
        memcpy(room + i + 3, &word, 4);
    }
    corpus_sum_print("loads", &sum);
    printf("memory %08x\n", corpus_hash_bytes(room, sizeof room));
}

#define BUILTIN(name, count, expression)                                                                               \
    CASE(builtin_##name)                                                                                               \
    {                                                                                                                  \
        struct corpus_sum sum = CORPUS_SUM_INIT;                                                                       \
        uint32_t state = 0x1234567;                                                                                    \
        for (unsigned i = 0; i < count; i++) {                                                                         \
            uint64_t wide = (uint64_t)corpus_random(&state) << 32 | corpus_random(&state);                             \
            wide >>= i % 64;                                                                                           \
            uint64_t v = OPAQUE(wide);                                                                                 \
            uint32_t w = (uint32_t)v;                                                                                  \
            (void)w;                                                                                                   \
            SUM(&sum, expression, "%llx", (unsigned long long)v);                                                      \
        }                                                                                                              \
        corpus_sum_print(#name, &sum);                                                                                 \
    }
BUILTIN(clz32, 128, w ? __builtin_clz(w) : 32)
BUILTIN(clz64, 128, v ? __builtin_clzll(v) : 64)
BUILTIN(ctz32, 128, w ? __builtin_ctz(w) : 32)
BUILTIN(ctz64, 128, v ? __builtin_ctzll(v) : 64)
BUILTIN(popcount, 128, __builtin_popcount(w) * 100 + __builtin_popcountll(v))
BUILTIN(parity, 128, __builtin_parity(w) * 2 + __builtin_parityll(v))
BUILTIN(ffs, 128, __builtin_ffs((int)w) * 100 + __builtin_ffsll((long long)v))
BUILTIN(clrsb, 128, __builtin_clrsb((int)w) * 100 + __builtin_clrsbll((long long)v))
BUILTIN(bswap16, 128, __builtin_bswap16((uint16_t)w))
BUILTIN(bswap32, 128, __builtin_bswap32(w))
BUILTIN(bswap64, 128, __builtin_bswap64(v))
BUILTIN(abs, 128, (uint64_t)llabs((long long)v) ^ (uint32_t)abs((int)(w | 1)))

/* 32 x 32 -> 64 and 64 x 64 -> 128 by parts, checked against the schoolbook identity. */
CASE(int_multiply_high)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (size_t i = 0; i < VALUES; i++) {
        for (size_t j = 0; j < VALUES; j++) {
            uint32_t a = (uint32_t)values[i], b = (uint32_t)values[j];
            uint64_t u = (uint64_t)a * b;
            int64_t s = (int64_t)(int32_t)a * (int32_t)b;
            SUM(&sum, u >> 32, "unsigned %x %x", a, b);
            SUM(&sum, s >> 32, "signed %x %x", a, b);
            uint64_t x = values[i], y = values[j];
            uint64_t ll = (x & 0xffffffff) * (y & 0xffffffff), lh = (x & 0xffffffff) * (y >> 32);
            uint64_t hl = (x >> 32) * (y & 0xffffffff), hh = (x >> 32) * (y >> 32);
            uint64_t middle = (ll >> 32) + (lh & 0xffffffff) + (hl & 0xffffffff);
            SUM(&sum, hh + (lh >> 32) + (hl >> 32) + (middle >> 32), "wide %llx %llx", (unsigned long long)x,
                (unsigned long long)y);
        }
    }
    corpus_sum_print("high halves", &sum);
}

/* a*b + c accumulations, which become madd, maddu, msub and msubu. */
CASE(int_multiply_add)
{
    int64_t s = 0;
    uint64_t u = 1;
    for (size_t i = 0; i < VALUES; i++) {
        for (size_t j = 0; j < VALUES; j++) {
            int32_t a = (int32_t)OPAQUE(values[i]), b = (int32_t)OPAQUE(values[j]);
            s += (int64_t)a * b;
            u += (uint64_t)(uint32_t)a * (uint32_t)b;
            s -= (int64_t)(a >> 3) * (b >> 5);
            u -= (uint64_t)(uint32_t)(a >> 1) * (uint32_t)(b >> 2);
        }
        printf("%016llx %016llx\n", (unsigned long long)s, (unsigned long long)u);
    }
}

CASE(int_shift_64_counts)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (unsigned count = 0; count < 64; count++) {
        unsigned n = OPAQUE(count);
        uint64_t v = OPAQUE((uint64_t)0x923456789abcdef1);
        SUM(&sum, v << n, "left %u", n);
        SUM(&sum, v >> n, "right %u", n);
        SUM(&sum, (int64_t)v >> n, "arithmetic %u", n);
    }
    corpus_sum_print("counts", &sum);
}

CASE(int_div_functions)
{
    struct corpus_sum sum = CORPUS_SUM_INIT;
    for (int a = -50; a <= 50; a += 3) {
        for (int b = -7; b <= 7; b++) {
            if (b == 0)
                continue;
            div_t d = div(OPAQUE(a), OPAQUE(b));
            lldiv_t l = lldiv((long long)a * 1000000007, b);
            imaxdiv_t m = imaxdiv((intmax_t)a << 33, b);
            SUM(&sum, d.quot * 1000 + d.rem, "div %d %d", a, b);
            SUM(&sum, l.quot * 1000 + l.rem, "lldiv %d %d", a, b);
            SUM(&sum, m.quot * 1000 + m.rem, "imaxdiv %d %d", a, b);
        }
    }
    corpus_sum_print("quotients and remainders", &sum);
}

CASE(int_promotions)
{
    uint8_t a = OPAQUE((uint8_t)200), b = OPAQUE((uint8_t)100);
    int8_t c = OPAQUE((int8_t)-1);
    uint16_t d = OPAQUE((uint16_t)65535);
    unsigned e = OPAQUE(1u);
    printf("%d %d %d\n", a + b, (uint8_t)(a + b), (int8_t)(a + b));
    printf("%d %d %u\n", c < (int)e, (unsigned)c < e, (unsigned)(c * d));
    printf("%d %d %d\n", a << 8, ~a, -d);
    printf("%lld %lld\n", (long long)c * d, (long long)(unsigned)(c * 2) * d);
    printf("%d %d\n", c >> 1, (uint8_t)c >> 1);
}

CASE(int_sizes)
{
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long long));
    printf("%zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(struct packed));
    printf("%d %d\n", (char)-1 < 0, (int)_Alignof(long long));
    printf("%zu %zu %zu\n", sizeof(struct fields_unsigned), sizeof(struct fields_wide), offsetof(struct packed, dword));
}
