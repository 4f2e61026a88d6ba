/*
 * Slow-downs made on purpose, for test_explain.sh. Built with -static.
 *
 *     explain conflict N OFFSET: N times a system call, and then calls of functions at OFFSET in pages, which take the
 *         place of what is at the same offset of a kernel page in the first-level instruction cache
 *     explain lock N PROCESSES SHARED: PROCESSES that take N times the lock of a table of open files: of one that all
 *         share, or each of its own
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 32, PAGE = 4096, STACK = 1 << 16 };

/* More pages than a set has lines, wherever they are in memory. In the program's file, so that they have a name. */
static uint8_t code[PAGES * PAGE] __attribute__((aligned(PAGE))) = {1};

static int conflict(unsigned long count, uint32_t offset)
{
    static const uint32_t returns[] = {0x03e00008, 0}; /* jr $ra; nop */
    if (mprotect(code, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 1;
    for (unsigned page = 0; page < PAGES; page++)
        memcpy(code + page * PAGE + offset, returns, sizeof returns);
    __builtin___clear_cache((char *)code, (char *)code + sizeof code);
    while (count-- > 0) {
        syscall(SYS_getpid);
        for (unsigned page = 0; page < PAGES; page++)
            ((void (*)(void))(uintptr_t)(code + page * PAGE + offset))();
    }
    return 0;
}

static unsigned long times;

static int take(void *opaque)
{
    (void)opaque;
    for (unsigned long i = 0; i < times; i++)
        syscall(SYS_dup3, 0, 9, 0);
    return 0;
}

static int locks(unsigned processes, int shared)
{
    const int flags = SIGCHLD | (shared ? CLONE_FILES : 0);
    for (unsigned i = 0; i < processes; i++)
        if (clone(take, (char *)malloc(STACK) + STACK, flags, NULL) < 0)
            return 1;
    for (unsigned i = 0; i < processes; i++)
        wait(NULL);
    return 0;
}

int main(int count, char **words)
{
    if (count == 4 && strcmp(words[1], "conflict") == 0)
        return conflict(strtoul(words[2], NULL, 0), (uint32_t)strtoul(words[3], NULL, 0) & (PAGE - 16));
    times = count == 5 ? strtoul(words[2], NULL, 0) : 0;
    return count == 5 ? locks((unsigned)atoi(words[3]), atoi(words[4])) : 2;
}
