/*
 * Slow-downs made on purpose, for test_explain.sh. Built with -static.
 *
 *     explain conflict N OFFSET: N times a system call, and then calls of functions at OFFSET in pages, which take the
 *         place of what is at the same offset of a kernel page in the first-level instruction cache
 *     explain lock N PROCESSES SHARED: PROCESSES that take N times the lock of a table of open files: of one that all
 *         share, or each of its own
 *
 * Sets mark 1 before the first time, and ends the run after the last one: a run from the mark on is nothing else.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
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

enum { PAGES = 5, PAGE = 4096, STACK = 1 << 16 };
enum { CONTROL = 0x18010000, EXIT = 0x14 / 4, MARK_NUMBER = 0x18 / 4 };

static volatile uint32_t *control;

/* More pages than a set of four ways has lines. In the program's file, so that they have a name. */
static uint8_t code[PAGES * PAGE] __attribute__((aligned(PAGE))) = {1};

static int conflict(unsigned long count, uint32_t offset)
{
    static const uint32_t returns[] = {0x03e00008, 0}; /* jr $ra; nop */
    if (mprotect(code, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 1;
    for (unsigned page = 0; page < PAGES; page++)
        memcpy(code + page * PAGE + offset, returns, sizeof returns);
    __builtin___clear_cache((char *)code, (char *)code + sizeof code);
    control[MARK_NUMBER] = 1;
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
    control[MARK_NUMBER] = 1;
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
    const int memory = open("/dev/mem", O_RDWR | O_SYNC);
    control = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, CONTROL);
    int failed = 2;
    if (memory < 0 || control == MAP_FAILED)
        return 3;
    if (count == 4 && strcmp(words[1], "conflict") == 0)
        failed = conflict(strtoul(words[2], NULL, 0), (uint32_t)strtoul(words[3], NULL, 0) & (PAGE - 16));
    if (count == 5) {
        times = strtoul(words[2], NULL, 0);
        failed = locks((unsigned)atoi(words[3]), atoi(words[4]));
    }
    control[EXIT] = (uint32_t)failed;
    return failed;
}
