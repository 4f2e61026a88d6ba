/* Floating point: all classes of numbers, rounding modes, flags, traps, libm. */
#include "stress.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#define FCSR_READ(value)  __asm__ volatile("cfc1 %0, $31" : "=r"(value))
#define FCSR_WRITE(value) __asm__ volatile("ctc1 %0, $31" : : "r"(value))
enum { FCSR_ENABLES = 0xf80, FCSR_ALL_BUT_UNIMPLEMENTED = 0x1f07c };

static uint32_t sum_double(uint32_t sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        bits = 1;
    return stress_mix(stress_mix(sum, (uint32_t)bits), (uint32_t)(bits >> 32));
}

/* All classes: denormalized, infinite, NaN, integers, near 1. */
static double any_double(uint32_t *seed)
{
    uint64_t bits = (uint64_t)stress_random(seed) << 32 | stress_random(seed);
    double value;
    switch (stress_random(seed) % 8) {
    case 0: bits &= 0x800fffffffffffffu; break;
    case 1: bits = (bits & 0x8000000000000000u) | 0x7ff0000000000000u; break;
    case 2: bits |= 0x7ff8000000000000u; break;
    case 3: return (double)(int32_t)bits;
    case 4: bits = 0x3fe0000000000000u | (bits & 0x801fffffffffffffu); break;
    case 5: bits = (bits & 0x801fffffffffffffu) | 0x0010000000000000u; break;
    default: break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float any_single(uint32_t *seed)
{
    uint32_t bits = stress_random(seed);
    float value;
    switch (stress_random(seed) % 6) {
    case 0: bits &= 0x807fffff; break;
    case 1: bits = (bits & 0x80000000) | 0x7f800000; break;
    case 2: return (float)(int16_t)bits;
    case 3: bits = 0x3f000000 | (bits & 0x80ffffff); break;
    default: break;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static NOINLINE uint32_t all_operations(uint32_t sum, double a, double b, float c, float d)
{
    double x;
    float y;
    int32_t word;
    sum = sum_double(sum, a + b);
    sum = sum_double(sum, a - b);
    sum = sum_double(sum, a * b);
    sum = sum_double(sum, a / b);
    sum = sum_double(sum, (double)(c + d));
    sum = sum_double(sum, (double)(c * d));
    sum = sum_double(sum, (double)(c / d));
    sum = sum_double(sum, (double)(float)a);
    __asm__("sqrt.d %0, %1" : "=f"(x) : "f"(a));
    sum = sum_double(sum, x);
    __asm__("sqrt.s %0, %1" : "=f"(y) : "f"(c));
    sum = sum_double(sum, (double)y);
    __asm__("madd.s %0, %1, %2, %1" : "=f"(y) : "f"(c), "f"(d));
    sum = sum_double(sum, (double)y);
    __asm__("nmsub.d %0, %1, %2, %1" : "=f"(x) : "f"(a), "f"(b));
    sum = sum_double(sum, x);
    __asm__("round.w.d %0, %1" : "=f"(y) : "f"(a));
    __asm__("mfc1 %0, %1" : "=r"(word) : "f"(y));
    sum = stress_mix(sum, (uint32_t)word);
    __asm__("floor.w.s %0, %1" : "=f"(y) : "f"(c));
    __asm__("mfc1 %0, %1" : "=r"(word) : "f"(y));
    sum = stress_mix(sum, (uint32_t)word);
    sum = stress_mix(sum, (uint32_t)(a < b) | (uint32_t)(a <= b) << 1 | (uint32_t)(a == b) << 2 |
                              (uint32_t)(c < d) << 3 | (uint32_t)(c != d) << 4 | (uint32_t)isunordered(a, b) << 5);
    return a > b ? sum_double(sum, fabs(a)) : sum_double(sum, -b);
}

uint32_t stress_float_bits(unsigned rounds)
{
    uint32_t seed = 3, sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum = all_operations(sum, any_double(&seed), any_double(&seed), any_single(&seed), any_single(&seed));
    return sum;
}

/* All rounding modes, flush-to-zero, and the resulting flags. */
uint32_t stress_float_modes(unsigned rounds)
{
    uint32_t seed = 5, sum = 0, saved;
    FCSR_READ(saved);
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned mode = 0; mode < 8; mode++) {
            uint32_t fcsr = (mode & 3) | (mode & 4 ? 1u << 24 : 0);
            FCSR_WRITE(fcsr);
            sum = all_operations(sum, any_double(&seed), any_double(&seed), any_single(&seed), any_single(&seed));
            FCSR_READ(fcsr);
            sum = stress_mix(sum, fcsr & FCSR_ALL_BUT_UNIMPLEMENTED);
        }
        FCSR_WRITE(saved);
        CHECK(fegetround() == FE_TONEAREST);
    }
    return sum;
}

/* Enabled exceptions become precise signals. */

static sigjmp_buf after_trap;
static volatile uint32_t trap_code;

static void on_fpe(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    trap_code = (uint32_t)info->si_code;
    siglongjmp(after_trap, 1);
}

uint32_t stress_float_traps(unsigned rounds)
{
    struct sigaction action = {.sa_sigaction = on_fpe, .sa_flags = SA_SIGINFO}, old;
    uint32_t seed = 9, saved;
    volatile uint32_t sum = 0, state = seed;
    sigaction(SIGFPE, &action, &old);
    FCSR_READ(saved);
    for (volatile unsigned i = 0; i < rounds; i = i + 1) {
        uint32_t random = state, enables;
        double a = any_double(&random), b = any_double(&random);
        float c = any_single(&random), d = any_single(&random);
        enables = stress_random(&random) & FCSR_ENABLES;
        state = random;
        if (sigsetjmp(after_trap, 1) == 0) {
            FCSR_WRITE(enables);
            sum = all_operations(sum, a, b, c, d);
            FCSR_WRITE(saved);
        } else {
            FCSR_WRITE(saved);
            sum = stress_mix(sum, trap_code);
        }
    }
    sigaction(SIGFPE, &old, NULL);
    return sum;
}

uint32_t stress_libm(unsigned rounds)
{
    uint32_t seed = 11, sum = 0;
    static double matrix[3][24][24];
    for (unsigned i = 0; i < rounds; i++) {
        double x = (double)(int32_t)stress_random(&seed) / 65536.0;
        sum = sum_double(sum, sin(x) + cos(x) * exp(-fabs(x) / 1000));
        sum = sum_double(sum, log(fabs(x) + 1) + atan2(x, 3) + pow(fabs(x), 0.37));
        sum = sum_double(sum, (double)(sinf((float)x) * cbrtf((float)x)));
        if (i % 16)
            continue;
        for (unsigned r = 0; r < 24; r++)
            for (unsigned c = 0; c < 24; c++) {
                matrix[0][r][c] = x + r;
                matrix[1][r][c] = x - c;
                matrix[2][r][c] = 0;
            }
        for (unsigned r = 0; r < 24; r++)
            for (unsigned c = 0; c < 24; c++)
                for (unsigned k = 0; k < 24; k++)
                    matrix[2][r][c] += matrix[0][r][k] * matrix[1][k][c];
        sum = sum_double(sum, matrix[2][i % 24][7]);
    }
    return sum;
}
