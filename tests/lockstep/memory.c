/* Address spaces: mapping, unmapping, page faults, copy-on-write, and more pages than TLB entries. */
#define _GNU_SOURCE
#include "stress.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static uint8_t *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

/* mmap, touch, munmap; mremap; madvise that discards pages. */
uint32_t stress_pages(unsigned rounds)
{
    uint32_t seed = 13, sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        size_t size = PAGE * (8 + stress_random(&seed) % 60);
        uint8_t *memory = map(size);
        for (size_t at = 0; at < size; at += PAGE)
            memory[at + stress_random(&seed) % PAGE] = (uint8_t)at;
        CHECK(munmap(memory + size / 2 / PAGE * PAGE, PAGE) == 0);
        uint8_t *more = map(2 * size);
        memset(more, (int)i, 2 * size);
        more = mremap(more, 2 * size, 3 * size, MREMAP_MAYMOVE);
        CHECK(more != MAP_FAILED && more[2 * size - 1] == (uint8_t)i && more[2 * size] == 0);
        CHECK(madvise(more, PAGE, MADV_DONTNEED) == 0 && more[5] == 0);
        sum = stress_mix(sum, memory[stress_random(&seed) % PAGE] + more[PAGE + 3]);
        CHECK(munmap(more, 3 * size) == 0 && munmap(memory, size) == 0);
    }
    return sum;
}

/* Copy-on-write of parent and child. */
uint32_t stress_copies(unsigned rounds)
{
    enum { SIZE = 64 * PAGE };
    uint8_t *memory = map(SIZE);
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        int status;
        memset(memory, (int)i, SIZE);
        pid_t child = fork();
        CHECK(child >= 0);
        for (size_t at = child ? 0 : PAGE; at < SIZE; at += 2 * PAGE) {
            CHECK(memory[at] == (uint8_t)i);
            memory[at] = (uint8_t)(child ? 1 : 2);
        }
        uint32_t own = 0;
        for (size_t at = 0; at < SIZE; at += PAGE)
            own = stress_mix(own, memory[at]);
        if (child == 0)
            _exit(own & 63);
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        sum = stress_mix(sum, own ^ (uint32_t)WEXITSTATUS(status));
    }
    munmap(memory, SIZE);
    return sum;
}

/* Faults that a signal handler repairs, of loads and stores, in and out of delay slots. */

static uint8_t *guarded;
static volatile unsigned faults_taken;

static void mend(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    uint8_t *page = (uint8_t *)((uintptr_t)info->si_addr & -(uintptr_t)PAGE);
    CHECK(page >= guarded && page < guarded + 16 * PAGE);
    CHECK(mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
    faults_taken++;
}

static NOINLINE uint32_t touch_in_slot(uint8_t *at, uint32_t take)
{
    uint32_t value = 0;
    __asm__ volatile(".set push\n\t.set noreorder\n\t"
                     "beqz %2, 1f\n\t"
                     " lw %0, 0(%1)\n\t"
                     "addiu %0, %0, 1\n\t"
                     "1: b 2f\n\t"
                     " sw %0, 4(%1)\n\t"
                     "2: .set pop"
                     : "+r"(value)
                     : "r"(at), "r"(take)
                     : "memory");
    return value;
}

uint32_t stress_faults(unsigned rounds)
{
    struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO}, old;
    uint32_t seed = 17, sum = 0;
    guarded = map(16 * PAGE);
    faults_taken = 0;
    sigaction(SIGSEGV, &action, &old);
    for (unsigned i = 0; i < rounds; i++) {
        CHECK(mprotect(guarded, 16 * PAGE, i % 2 ? PROT_READ : PROT_NONE) == 0);
        for (unsigned j = 0; j < 16; j++) {
            uint8_t *at = guarded + stress_random(&seed) % 16 * PAGE + stress_random(&seed) % 500 * 8;
            if (j % 3 == 0)
                sum = stress_mix(sum, touch_in_slot(at, stress_random(&seed) & 1));
            else if (j % 3 == 1)
                memcpy(at, &seed, 4);
            else
                sum = stress_mix(sum, *(volatile double *)(void *)at > 1);
        }
    }
    CHECK(faults_taken > rounds);
    sigaction(SIGSEGV, &old, NULL);
    munmap(guarded, 16 * PAGE);
    return sum;
}

/* More pages than the TLB maps, in several orders; an access that crosses a page boundary. */
uint32_t stress_walk(unsigned rounds)
{
    enum { PAGES = 256 };
    uint32_t *memory = (uint32_t *)(void *)map(PAGES * PAGE);
    uint32_t seed = 19, sum = 0, words = PAGE / 4;
    for (unsigned i = 0; i < PAGES * words; i += words / 2)
        memory[i] = i;
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned page = 0; page < PAGES; page++)
            sum = stress_mix(sum, memory[page * words + page % words]);
        for (unsigned j = 0; j < 4 * PAGES; j++)
            memory[stress_random(&seed) % (PAGES * words)] += j;
        for (unsigned page = 1; page < PAGES; page++) {
            uint32_t value;
            __asm__ volatile("lwr %0, -2(%1)\n\tlwl %0, 1(%1)\n\tswl %0, 2(%1)\n\tswr %0, -1(%1)"
                             : "=&r"(value)
                             : "r"(memory + page * words)
                             : "memory");
            sum = stress_mix(sum, value);
        }
    }
    munmap(memory, PAGES * PAGE);
    return sum;
}
