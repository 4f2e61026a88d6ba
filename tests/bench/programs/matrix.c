/* Matrix product in double precision. Compiled without contraction: the same bits everywhere. */
#include "bench.h"

#include <string.h>

enum { SIZE = 96 };

static double a[SIZE][SIZE], b[SIZE][SIZE], product[SIZE][SIZE];

static void multiply(void)
{
    for (unsigned i = 0; i < SIZE; i++) {
        for (unsigned j = 0; j < SIZE; j++) {
            double sum = 0;
            for (unsigned k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            product[i][j] = sum;
        }
    }
}

/* One round is a product of 96 x 96 matrices, 884736 multiplications and additions. */
uint32_t bench_matrix(unsigned amount)
{
    uint32_t state = 3, sum = 0;

    for (unsigned i = 0; i < SIZE; i++) {
        for (unsigned j = 0; j < SIZE; j++) {
            a[i][j] = (double)bench_random(&state) / 4294967296.0 - 0.5;
            b[i][j] = (double)bench_random(&state) / 4294967296.0 - 0.5;
        }
    }
    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        multiply();
        a[round % SIZE][round / SIZE % SIZE] = product[round / SIZE % SIZE][round % SIZE] / SIZE;
    }
    bench_end();
    for (unsigned i = 0; i < SIZE; i++) {
        for (unsigned j = 0; j < SIZE; j++) {
            uint64_t bits;
            memcpy(&bits, &product[i][j], sizeof bits);
            sum = bench_mix(bench_mix(sum, (uint32_t)bits), (uint32_t)(bits >> 32));
        }
    }
    return sum;
}
