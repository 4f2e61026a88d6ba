/*
 * Floating point, and integers of 64 bits, with printed results: the same on every machine that computes as IEEE 754
 * and C say. Compiled for MIPS I and for the host. No function of libm, whose last bits are the library's own.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { SIZE = 40, CASES = 2000 };

static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static double fraction(void)
{
    return (double)(int64_t)(next() >> 11) / 9007199254740992.0;
}

/* Solve a dense system of equations by elimination with pivots, and print some of the solution. */
static void solve(void)
{
    static double matrix[SIZE][SIZE + 1];
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column <= SIZE; column++)
            matrix[row][column] = fraction() - 0.5;
    }
    for (int step = 0; step < SIZE; step++) {
        int pivot = step;
        for (int row = step + 1; row < SIZE; row++) {
            double here = matrix[row][step], best = matrix[pivot][step];
            if ((here < 0 ? -here : here) > (best < 0 ? -best : best))
                pivot = row;
        }
        for (int column = 0; column <= SIZE; column++) {
            double kept = matrix[step][column];
            matrix[step][column] = matrix[pivot][column];
            matrix[pivot][column] = kept;
        }
        for (int row = 0; row < SIZE; row++) {
            double factor = matrix[row][step] / matrix[step][step];
            for (int column = step; row != step && column <= SIZE; column++)
                matrix[row][column] -= factor * matrix[step][column];
        }
    }
    for (int row = 0; row < SIZE; row += 13)
        printf("x%d %.17g\n", row, matrix[row][SIZE] / matrix[row][row]);
}

/* A square root by Newton's method, in both precisions. */
static void roots(void)
{
    double sum = 0;
    float single = 0;
    for (int i = 1; i <= 500; i++) {
        double root = i;
        float short_root = (float)i;
        for (int step = 0; step < 12; step++) {
            root = (root + i / root) / 2;
            short_root = (short_root + (float)i / short_root) / 2;
        }
        sum += root;
        single += short_root;
    }
    printf("roots %.17g\n", sum);
    printf("single: roots %.9g\n", (double)single);
}

/* Integers of 64 bits: what the compiler calls functions for on a processor of 32. */
static void integers(void)
{
    uint64_t sum = 0;
    int64_t differences = 0;
    for (int i = 0; i < CASES; i++) {
        uint64_t left = next() >> (i & 63), right = (next() >> (next() & 63)) | 1;
        int64_t a = (int64_t)(left ^ -(uint64_t)(i & 1)), b = (int64_t)(right ^ -(uint64_t)(i >> 1 & 1));
        sum = (sum << 7 | sum >> 57) + left * right + left / right * 3 + left % right;
        sum ^= (uint64_t)(a >> (i & 63)) + (left << (i & 63)) + (left >> (i & 63));
        differences += a / (b ? b : 1) - a % (b ? b : 1) + (a < b) - (left < right);
        sum += (uint64_t)__builtin_clzll(left | 1) + (uint64_t)__builtin_ctzll(right) + __builtin_bswap64(left);
        sum += (uint64_t)__builtin_popcountll(left);
    }
    printf("integers %" PRIu64 " %" PRId64 "\n", sum, differences);
}

/* Conversions between integers of 64 bits and both precisions, of values that have to be rounded. */
static void conversions(void)
{
    double sum = 0, single = 0;
    uint64_t back = 0, short_back = 0;
    for (int i = 0; i < CASES; i++) {
        uint64_t value = next() >> (i & 63);
        int64_t number = (int64_t)(value ^ -(uint64_t)(i & 1));
        sum += (double)value / 3 - (double)number / 7;
        single += (double)(float)value / 5 - (double)(float)number / 11;
        back = back * 31 + (uint64_t)(int64_t)((double)number / 4.5) + (uint64_t)((double)value / 1.5);
        back += (uint64_t)(fraction() * 1e19) + (uint32_t)(fraction() * 4e9);
        short_back = short_back * 31 + (uint64_t)(int64_t)((float)number / 2.5f);
    }
    printf("conversions %.17g %" PRIu64 "\n", sum, back);
    printf("single: conversions %.17g %" PRIu64 "\n", single, short_back);
}

int main(void)
{
    solve();
    roots();
    integers();
    conversions();
    return 0;
}
