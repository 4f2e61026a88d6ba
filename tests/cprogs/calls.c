/*
 * The calling convention: variable arguments, structures by value, many and mixed arguments, recursion, variable-length
 * frames, function pointers. Under o32 doubles and 64-bit integers take aligned register pairs, and the first two
 * arguments travel in floating-point registers only when they are floating-point.
 */
#include "corpus.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Reads arguments as the format says: i int, u unsigned, l long long, d double, s string, p structure. */
struct pair {
    int first;
    double second;
};

static NOINLINE void show(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *c = format; *c; c++) {
        switch (*c) {
        case 'i': printf(" %d", va_arg(arguments, int)); break;
        case 'u': printf(" %u", va_arg(arguments, unsigned)); break;
        case 'l': printf(" %lld", va_arg(arguments, long long)); break;
        case 'd': printf(" %.17g", va_arg(arguments, double)); break;
        case 's': printf(" %s", va_arg(arguments, const char *)); break;
        case 'p': {
            struct pair pair = va_arg(arguments, struct pair);
            printf(" {%d %g}", pair.first, pair.second);
            break;
        }
        default: break;
        }
    }
    va_end(arguments);
    printf("\n");
}

CASE(varargs_ints)
{
    show("i", 1);
    show("iiii", 1, -2, 3, -4);
    show("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    show("uiui", 4000000000u, -1, 0x80000000u, 0x7fffffff);
}

CASE(varargs_wide)
{
    show("l", 0x123456789abcdefll);
    show("il", 1, -2ll);
    show("ili", 1, 1ll << 40, 3);
    show("iilil", 1, 2, 3ll << 33, 4, -5ll);
    show("llll", 1ll, -1ll, 1ll << 62, 42ll);
}

CASE(varargs_doubles)
{
    show("d", 0.1);
    show("dd", 1.5, -2.5);
    show("id", 1, 2.25);
    show("did", 1e300, 7, 1e-300);
    show("iddid", 1, 0.2, 0.3, 4, 0.5);
    show("dddddddd", .1, .2, .3, .4, .5, .6, .7, .8);
}

CASE(varargs_mixed)
{
    show("sidlsu", "text", 1, 2.5, 1ll << 35, "more", 3u);
    show("lidlid", 1ll, 2, 3.5, 4ll, 5, 6.5);
    show("idlidlidl", 1, .2, 3ll, 4, .5, 6ll, 7, .8, 9ll);
    show("didi", (double)1.5f, (int)(char)'x', (double)2.5f, (int)(short)-7);
}

CASE(varargs_structs)
{
    struct pair a = {1, 1.5}, b = {-2, 2.5};
    show("p", a);
    show("ipip", 1, a, 2, b);
    show("dpl", 0.5, b, 3ll);
}

static NOINLINE int sum_twice(int count, ...)
{
    va_list first, second;
    va_start(first, count);
    va_copy(second, first);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(first, int);
    for (int i = 0; i < count; i++)
        sum += 10 * va_arg(second, int);
    va_end(second);
    va_end(first);
    return sum;
}

CASE(varargs_copy)
{
    printf("%d %d %d\n", sum_twice(0), sum_twice(3, 1, 2, 3), sum_twice(7, 1, 2, 3, 4, 5, 6, 7));
}

static NOINLINE int forward(char *room, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(room, size, format, arguments);
    va_end(arguments);
    return length;
}

CASE(varargs_forwarded)
{
    char room[64];
    int length = forward(room, sizeof room, "%d %s %.3f %lld %c %x", -5, "abc", 3.14159, 1ll << 50, 'z', 0xbeefu);
    printf("%d [%s]\n", length, room);
    length = forward(room, 8, "%s", "truncated text");
    printf("%d [%s]\n", length, room);
}

/* Structures of every small size, passed and returned by value, one case a size. */
#define BYTES(size)                                                                                                    \
    struct bytes_##size {                                                                                              \
        unsigned char byte[size];                                                                                      \
    };                                                                                                                 \
    static NOINLINE struct bytes_##size turn_##size(int before, struct bytes_##size s, double between, int after)      \
    {                                                                                                                  \
        for (int i = 0; i < size / 2; i++) {                                                                           \
            unsigned char byte = s.byte[i];                                                                            \
            s.byte[i] = (unsigned char)(s.byte[size - 1 - i] + before);                                                \
            s.byte[size - 1 - i] = (unsigned char)(byte + after);                                                      \
        }                                                                                                              \
        s.byte[0] = (unsigned char)(s.byte[0] + (int)between);                                                         \
        return s;                                                                                                      \
    }                                                                                                                  \
    CASE(struct_bytes_##size)                                                                                          \
    {                                                                                                                  \
        struct bytes_##size s;                                                                                         \
        for (int i = 0; i < size; i++)                                                                                 \
            s.byte[i] = (unsigned char)(i * 7 + 1);                                                                    \
        struct bytes_##size t = turn_##size(3, s, 5.5, 11);                                                            \
        for (int i = 0; i < size; i++)                                                                                 \
            printf("%d/%d ", s.byte[i], t.byte[i]);                                                                    \
        printf("\n");                                                                                                  \
    }
BYTES(1)
BYTES(2)
BYTES(3)
BYTES(4)
BYTES(5)
BYTES(6)
BYTES(7)
BYTES(8)
BYTES(9)
BYTES(12)
BYTES(15)
BYTES(16)
BYTES(17)
BYTES(33)

#define RECORD(name, fields, make, change, format, ...)                                                                \
    struct record_##name fields;                                                                                       \
    static NOINLINE struct record_##name pass_##name(struct record_##name r, struct record_##name q)                   \
    {                                                                                                                  \
        change;                                                                                                        \
        (void)q;                                                                                                       \
        return r;                                                                                                      \
    }                                                                                                                  \
    CASE(struct_##name)                                                                                                \
    {                                                                                                                  \
        struct record_##name q = make, r = pass_##name(q, q);                                                          \
        printf(format "\n", __VA_ARGS__);                                                                              \
        r = pass_##name(r, q);                                                                                         \
        printf(format "\n", __VA_ARGS__);                                                                              \
    }
#define ARGS(...) __VA_ARGS__

RECORD(
    float, { float a; }, {1.5f}, r.a += q.a, "%g", (double)r.a)
RECORD(
    double, { double a; }, {1.5}, r.a *= q.a, "%g", r.a)
RECORD(float_float, ARGS({ float a, b; }), ARGS({1.5f, 2.5f}), (r.a += q.b, r.b -= q.a), "%g %g", (double)r.a,
       (double)r.b)
RECORD(double_double, ARGS({ double a, b; }), ARGS({1.5, 2.5}), (r.a += q.b, r.b -= q.a), "%g %g", r.a, r.b)
RECORD(float_double, ARGS({
           float a;
           double b;
       }),
       ARGS({1.5f, 2.5}), (r.a += (float)q.b), "%g %g", (double)r.a, r.b)
RECORD(int_double, ARGS({
           int a;
           double b;
       }),
       ARGS({7, 2.5}), (r.a <<= 1, r.b += q.a), "%d %g", r.a, r.b)
RECORD(char_wide, ARGS({
           char a;
           long long b;
       }),
       ARGS({'a', 1ll << 40}), (r.a++, r.b -= q.a), "%c %lld", r.a, r.b)
RECORD(short_mix, ARGS({
           short a;
           char b;
           short c;
       }),
       ARGS({-3, 'b', 500}), (r.c = (short)(r.c * q.a)), "%d %c %d", r.a, r.b, r.c)
RECORD(floats_4, ARGS({ float a[4]; }), ARGS({{1, 2, 3, 4}}), (r.a[0] += q.a[3], r.a[2] *= q.a[1]), "%g %g %g %g",
       (double)r.a[0], (double)r.a[1], (double)r.a[2], (double)r.a[3])
RECORD(nested, ARGS({
           struct {
               int x;
               float y;
           } a[2];
           double z;
       }),
       ARGS({{{1, 2.5f}, {3, 4.5f}}, 5}), (r.a[1].x += q.a[0].x, r.z += (double)q.a[1].y), "%d %g %d %g %g", r.a[0].x,
       (double)r.a[0].y, r.a[1].x, (double)r.a[1].y, r.z)

static NOINLINE double many(int a, double b, float c, long long d, char e, float f, double g, short h, unsigned i,
                            long long j, double k)
{
    return a + b * 2 + (double)c * 3 + (double)d * 4 + e * 5 + (double)f * 6 + g * 7 + h * 8 + i * 9.0 +
           (double)j * 10 + k * 11;
}

static NOINLINE float floats_first(float a, float b, int c, float d)
{
    return a * 2 + b * 3 + (float)c * 5 + d * 7;
}

static NOINLINE double double_second(float a, double b, int c, long long d)
{
    return (double)a + b * 3 + c * 5 + (double)d * 7;
}

static NOINLINE double int_first(int a, double b, float c)
{
    return a + b * 3 + (double)c * 5;
}

CASE(arguments_mixed)
{
    printf("%g\n", many(1, 2.5, 3.5f, 4ll << 33, 'e', 6.25f, -7.125, -8, 4000000000u, -10, 11.0625));
    printf("%g\n", (double)floats_first(1.5f, 2.5f, 3, 4.5f));
    printf("%g\n", double_second(1.5f, 2.5, -3, 1ll << 34));
    printf("%g\n", int_first(1, 2.5, 3.5f));
}

CASE(arguments_through_pointers)
{
    double (*volatile first)(int, double, float) = int_first;
    float (*volatile second)(float, float, int, float) = floats_first;
    double (*volatile third)(float, double, int, long long) = double_second;
    printf("%g %g %g\n", first(2, 3, 4), (double)second(2, 3, 4, 5), third(2, 3, 4, 5));
}

static NOINLINE unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

CASE(recursion_ackermann)
{
    printf("%u %u\n", ackermann(2, 9), ackermann(3, 3));
}

static NOINLINE unsigned deep(unsigned level, const unsigned char *above)
{
    unsigned char frame[200];
    memset(frame, (int)(level & 0xff), sizeof frame);
    frame[level % sizeof frame] ^= above[level % 200];
    return level == 0 ? frame[0] : deep(level - 1, frame) * 3 + frame[level % sizeof frame];
}

CASE(recursion_deep)
{
    unsigned char top[200] = {9};
    printf("%u\n", deep(2000, top));
}

static NOINLINE int is_odd(unsigned n);
static NOINLINE int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
static NOINLINE int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

CASE(recursion_mutual)
{
    printf("%d %d %d\n", is_even(1000), is_odd(1000), is_odd(77));
}

static NOINLINE unsigned variable_frame(size_t size, unsigned seed)
{
    uint32_t state = seed;
    uint32_t array[size];
    char *text = alloca(size + 1);
    for (size_t i = 0; i < size; i++) {
        array[i] = corpus_random(&state);
        text[i] = (char)('a' + array[i] % 26);
    }
    text[size] = 0;
    return corpus_hash_bytes(array, sizeof array) + corpus_hash_bytes(text, strlen(text));
}

CASE(variable_length_frames)
{
    for (size_t size = 1; size < 200; size = size * 2 + 1)
        printf("%zu %u\n", size, variable_frame(size, (unsigned)size));
}

static NOINLINE int add(int a, int b)
{
    return a + b;
}
static NOINLINE int subtract(int a, int b)
{
    return a - b;
}
static NOINLINE int multiply(int a, int b)
{
    return a * b;
}

CASE(function_table)
{
    int (*const table[])(int, int) = {add, subtract, multiply};
    int value = 1;
    for (int i = 0; i < 30; i++)
        value = table[OPAQUE(i) % 3](value, i);
    printf("%d\n", value);
}

CASE(nested_function)
{
    int total = 0;
    __extension__ auto void count(int n);
    void count(int n)
    {
        total += n;
        if (n > 1)
            count(n - 1);
    }
    count(10);
    printf("%d\n", total);
}

static int compare_with(const void *a, const void *b, void *direction)
{
    return (*(const int *)a - *(const int *)b) * *(int *)direction;
}

static NOINLINE void insertion_sort(int *v, int n, int (*compare)(const void *, const void *, void *), void *context)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && compare(&v[j - 1], &v[j], context) > 0; j--) {
            int t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
}

CASE(callbacks)
{
    int v[] = {5, 3, 9, -1, 7, 0, 2}, up = 1, down = -1;
    insertion_sort(v, 7, compare_with, &up);
    for (int i = 0; i < 7; i++)
        printf("%d ", v[i]);
    insertion_sort(v, 7, compare_with, &down);
    for (int i = 0; i < 7; i++)
        printf("%d ", v[i]);
    printf("\n");
}

static NOINLINE _Complex double turn(_Complex double z, _Complex float w)
{
    return z * (_Complex double)w + 1.0;
}

CASE(complex_numbers)
{
    _Complex double z = __builtin_complex(1.5, -0.5);
    for (int i = 0; i < 5; i++) {
        z = turn(z, __builtin_complex(0.75f, 1.25f));
        printf("%a %a\n", __real__ z, __imag__ z);
    }
    z = z / __builtin_complex(0.3, 0.7);
    printf("%a %a\n", __real__ z, __imag__ z);
}
