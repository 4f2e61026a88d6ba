/*
 * What the simulated processor runs: fills an array with pseudo-random numbers, sorts it, looks numbers up in it,
 * multiplies matrices, and sums all of that up, ROUNDS times. Without a C library; natively (NATIVE) it prints the same
 * checksum.
 */
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef COUNT
#define COUNT 96 /* of the numbers; 16 at least */
#endif
enum { SIDE = 4 };

static unsigned numbers[COUNT];
static unsigned left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static unsigned seed = 12345;

static unsigned next_number(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static void sort_numbers(void)
{
    for (int gap = COUNT / 2; gap > 0; gap /= 2)
        for (int i = gap; i < COUNT; i++) {
            unsigned number = numbers[i];
            int j = i;

            for (; j >= gap && numbers[j - gap] > number; j -= gap)
                numbers[j] = numbers[j - gap];
            numbers[j] = number;
        }
}

/* How many numbers are smaller than NUMBER. */
static unsigned find_number(unsigned number)
{
    unsigned low = 0, high = COUNT;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void multiply(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            unsigned sum = 0;

            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
}

static unsigned run(void)
{
    unsigned sum = 0;
    unsigned char *bytes = (unsigned char *)product;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++)
            numbers[i] = next_number();
        sort_numbers();
        for (int i = 0; i < COUNT; i++)
            sum = sum * 31 + numbers[i] / (find_number(next_number()) + 1);
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) {
                left[i][j] = numbers[i * SIDE + j];
                right[i][j] = next_number() >> 16;
            }
        multiply();
        for (unsigned i = 0; i < sizeof product; i++)
            sum = (sum << 5 | sum >> 27) ^ bytes[i];
    }
    return sum;
}

#ifdef NATIVE
#include <stdio.h>

int main(void)
{
    printf("%08x\n", run());
    return 0;
}
#else
/* Runs first: the linker puts this section before all others, to address 0. */
__asm__(".section .text.unlikely, \"ax\"\n"
        ".globl first\n"
        "first: li $29, 0xfff0\n"
        "jal main\n"
        "nop\n"
        "lui $8, 0x10\n" /* HALT */
        "sw $2, 0($8)\n"
        "stop: b stop\n"
        "nop\n"
        ".text\n");

unsigned main(void)
{
    return run();
}
#endif
