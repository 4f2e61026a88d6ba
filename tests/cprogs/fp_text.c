/*
 * Numbers to text and back: printf, scanf, strtod and strtof, whose library code is multiple-precision integer
 * arithmetic, and which obey the rounding mode.
 */
#define _GNU_SOURCE
#include "corpus.h"
#include "fp.h"

#include <stdlib.h>

static const double samples[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    1.5,
    2.5,
    3.14159265358979,
    1e10,
    123456789.125,
    1e100,
    1e-100,
    1e22,
    1e23,
    1e300,
    5e-324,
    9.995,
    0.00001,
    99999.95,
    1.0 / 3,
    2.0 / 3,
    1e15,
    1e16,
    1e17,
    INFINITY,
    -INFINITY,
    1.7976931348623157e308,
    2.2250738585072014e-308,
};
#define SAMPLES (sizeof samples / sizeof samples[0])

#define FORMAT(name, format)                                                                                           \
    CASE(printf_##name)                                                                                                \
    {                                                                                                                  \
        char room[512];                                                                                                \
        for (size_t i = 0; i < SAMPLES; i++) {                                                                         \
            snprintf(room, sizeof room, format, samples[i]);                                                           \
            if (strlen(room) > 60)                                                                                     \
                printf("%.20s... %08x\n", room, corpus_hash_bytes(room, strlen(room)));                                \
            else                                                                                                       \
                printf("[%s]\n", room);                                                                                \
        }                                                                                                              \
    }
FORMAT(f, "%f")
FORMAT(f_0, "%.0f")
FORMAT(f_20, "%.20f")
FORMAT(e, "%e")
FORMAT(e_0, "%.0e")
FORMAT(e_17, "%+.17E")
FORMAT(g, "%g")
FORMAT(g_17, "%.17g")
FORMAT(g_alternate, "%#.4G")
FORMAT(a, "%a")
FORMAT(a_3, "%.3A")
FORMAT(width, "% 15.4f")
FORMAT(left, "%-15.3e|")
FORMAT(zeros, "%015.2f")
FORMAT(grouped, "%'f")

static const char *const texts[] = {
    "0",
    "1",
    "-1.5",
    "0.1",
    "1e10",
    "1e-10",
    "3.14159265358979323846",
    "1e308",
    "1.7976931348623157e308",
    "1.7976931348623159e308",
    "1e309",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "4.9e-324",
    "2.4e-324",
    "2.5e-324",
    "1e-400",
    "9007199254740993",
    "9007199254740993.0000000000000000000000001",
    "0x1.8p1",
    "0x1.fffffffffffff8p0",
    "0x.0000000000001p-1022",
    "inf",
    "-infinity",
    "1e",
    "1.5.5",
    "  +7.25abc",
    "",
    "x",
    "1.00000005960464477539",
    "1.000000059604644775390626",
    "3.4028235e38",
    "3.4028236e38",
    "1e-46",
    "7.006492321624086e-46",
};

#define PARSE(mode, direction)                                                                                         \
    CASE(strtod_##mode)                                                                                                \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {                                                  \
            char *end, *fend;                                                                                          \
            fesetround(direction);                                                                                     \
            double d = strtod(texts[i], &end);                                                                         \
            float f = strtof(texts[i], &fend);                                                                         \
            fesetround(FE_TONEAREST);                                                                                  \
            printf("%016llx %08x %d %d\n", (unsigned long long)fp_bits_f64(d), (unsigned)fp_bits_f32(f),               \
                   (int)(end - texts[i]), (int)(fend - texts[i]));                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    CASE(printf_rounding_##mode)                                                                                       \
    {                                                                                                                  \
        static const double ties[] = {0.5, 1.5, 2.5, -0.5, -1.5, 0.125, 0.375, 1e23, 0.1, -0.1, 9.995, 5e-324};        \
        for (size_t i = 0; i < sizeof ties / sizeof ties[0]; i++) {                                                    \
            char a[64], b[64], c[64];                                                                                  \
            fesetround(direction);                                                                                     \
            snprintf(a, sizeof a, "%.0f", ties[i]);                                                                    \
            snprintf(b, sizeof b, "%.2f", ties[i]);                                                                    \
            snprintf(c, sizeof c, "%.3g %.1a", ties[i], ties[i]);                                                      \
            fesetround(FE_TONEAREST);                                                                                  \
            printf("%s %s %s\n", a, b, c);                                                                             \
        }                                                                                                              \
    }
FP_EACH_MODE(PARSE)

CASE(scanf_reals)
{
    double d = 0;
    float f = 0;
    int n = 0;
    char word[16] = "";
    printf("%d", sscanf("1.5 2.25e3 word 7", "%lf %f %15s %d", &d, &f, word, &n));
    printf(" %g %g %s %d\n", d, (double)f, word, n);
    printf("%d", sscanf("0x1p-3,-inf", "%lf,%f", &d, &f));
    printf(" %g %g\n", d, (double)f);
    printf("%d", sscanf("12345678", "%3lf%2f%d", &d, &f, &n));
    printf(" %g %g %d\n", d, (double)f, n);
    printf("%d\n", sscanf("abc", "%lf", &d));
}

CASE(text_round_trips)
{
    uint32_t state = 424242;
    int same = 0, fsame = 0;
    for (int i = 0; i < 60; i++) {
        uint64_t bits = (uint64_t)corpus_random(&state) << 32 | corpus_random(&state);
        double d = fp_double(bits & 0xbfffffffffffffff);
        float f = fp_float((uint32_t)bits & 0xbfffffff);
        char room[64];
        snprintf(room, sizeof room, "%.17g", d);
        same += strtod(room, NULL) == d;
        snprintf(room, sizeof room, "%.9g", (double)f);
        fsame += strtof(room, NULL) == f;
    }
    printf("%d %d\n", same, fsame);
}

CASE(text_conversions_old)
{
    char room[64];
    int point, sign;
    printf("%s\n", gcvt(1234.5678, 6, room));
    ecvt_r(0.000123456, 5, &point, &sign, room, sizeof room);
    printf("%s %d %d\n", room, point, sign);
    fcvt_r(-9876.54321, 3, &point, &sign, room, sizeof room);
    printf("%s %d %d\n", room, point, sign);
    strfromd(room, sizeof room, "%.7g", 2.0 / 3);
    printf("%s\n", room);
}
