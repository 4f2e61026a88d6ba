/*
 * What part II of Monster says of the placement of code and data, as two programs of a few lines:
 *
 *     placement functions conflict|page ROUNDS   calls two functions in turn: at the same place of two pages of one
 * bin, or on one page placement matrix plain|blocked             multiplies two matrices, each larger than the data
 * cache; blocked: in squares of the second one that fit into it
 *
 * Pages of one bin are BINS apart: with page_mapping.policy=colouring neighbouring pages have neighbouring bins.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, BINS = 16, INSTRUCTIONS = 400, SIZE = 160, BLOCK = 64 };
enum { CACHES = 3 }; /* cacheflush(): of instructions and of data */

typedef void function(void);

static void *pages(unsigned count)
{
    char *at = mmap(NULL, (size_t)count * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        perror("placement: mmap");
        exit(1);
    }
    return at;
}

/* A function without a loop: addiu $v0, $v0, 1 ... jr $ra; nop */
static function *make_function(char *at)
{
    uint32_t *const code = (uint32_t *)(void *)at;
    for (unsigned i = 0; i < INSTRUCTIONS; i++)
        code[i] = 0x24420001;
    code[INSTRUCTIONS] = 0x03e00008;
    code[INSTRUCTIONS + 1] = 0;
    syscall(SYS_cacheflush, at, (INSTRUCTIONS + 2) * 4, CACHES);
    return (function *)(uintptr_t)at;
}

static void call_in_turn(int in_conflict, unsigned rounds)
{
    char *const code = pages(BINS + 1);
    function *const f = make_function(code), *const g = make_function(code + (in_conflict ? BINS * PAGE : PAGE / 2));
    for (unsigned i = 0; i < rounds; i++) {
        f();
        g();
    }
}

static void multiply(int is_blocked)
{
    int(*const a)[SIZE] = pages(sizeof(int[SIZE][SIZE]) / PAGE + 1),
               (*const b)[SIZE] = pages(sizeof(int[SIZE][SIZE]) / PAGE + 1),
               (*const c)[SIZE] = pages(sizeof(int[SIZE][SIZE]) / PAGE + 1);
    const int block = is_blocked ? BLOCK : SIZE;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int jj = 0; jj < SIZE; jj += block)
        for (int kk = 0; kk < SIZE; kk += block)
            for (int i = 0; i < SIZE; i++)
                for (int j = jj; j < jj + block && j < SIZE; j++) {
                    int sum = c[i][j];
                    for (int k = kk; k < kk + block && k < SIZE; k++)
                        sum += a[i][k] * b[k][j];
                    c[i][j] = sum;
                }
    printf("%d\n", c[SIZE / 2][SIZE / 3]);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "functions") == 0)
        call_in_turn(strcmp(argv[2], "conflict") == 0, (unsigned)atoi(argv[3]));
    else if (argc == 3 && strcmp(argv[1], "matrix") == 0)
        multiply(strcmp(argv[2], "blocked") == 0);
    else {
        fprintf(stderr, "usage: placement functions conflict|page ROUNDS | placement matrix plain|blocked\n");
        return 2;
    }
    return 0;
}
