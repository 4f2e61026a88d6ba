/*
 * bench PROGRAM AMOUNT: does the work and prints "BENCH begin", "BENCH end" and "BENCH sum HEX".
 * bench text BYTES: writes the text that the other jobs read.
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint32_t (*run)(unsigned amount);
} programs[] = {
    {"alu", bench_alu},         {"calls", bench_calls},   {"chase", bench_chase},
    {"stride", bench_stride},   {"tlb", bench_tlb},       {"pages", bench_pages},
    {"strings", bench_strings}, {"matrix", bench_matrix}, {"storm", bench_storm},
};

void bench_die(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void print(const char *line)
{
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        bench_die("output");
    /* A terminal sends while the program runs on; where there is none this fails, and nothing is to be waited for. */
    tcdrain(STDOUT_FILENO);
}

void bench_begin(void)
{
    print("BENCH begin\n");
}

void bench_end(void)
{
    print("BENCH end\n");
}

void *bench_memory(size_t size)
{
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        bench_die("memory");
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)p)[i] = 0;
    return p;
}

uint32_t bench_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

uint32_t bench_mix(uint32_t sum, uint32_t value)
{
    sum = (sum ^ value) * 0x01000193;
    return sum << 5 | sum >> 27;
}

int main(int argc, char **argv)
{
    char line[32];

    if (argc == 3 && !strcmp(argv[1], "text")) {
        bench_text((unsigned)strtoul(argv[2], NULL, 10));
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "child"))
        return bench_storm_child(argv[2]);
    for (size_t i = 0; argc == 3 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(argv[1], programs[i].name))
            continue;
        uint32_t sum = programs[i].run((unsigned)strtoul(argv[2], NULL, 10));
        snprintf(line, sizeof line, "BENCH sum %08x\n", (unsigned)sum);
        print(line);
        return 0;
    }
    fputs("usage: bench PROGRAM AMOUNT\n       bench text BYTES\n", stderr);
    return 2;
}
