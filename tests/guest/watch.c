/*
 * The processor's watch registers as a debugger in the guest uses them (ptrace): a child runs to a watched store, load
 * and function, and no further; one line for each, and what the child has done by then.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <asm/ptrace.h> /* after it, whose constants it redefines as macros */
#include <sys/wait.h>
#include <unistd.h>

enum { STORE = 1, LOAD = 2, FETCH = 4, TRAP_BY_HARDWARE = 4 };

static volatile uint32_t before[2] __attribute__((aligned(8))), watched[2] __attribute__((aligned(8)));
static volatile uint32_t rounds;

static void __attribute__((noinline, aligned(8))) watched_function(void)
{
    rounds += 1000;
    __asm__ volatile("");
}

static void child(void)
{
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    for (rounds = 0; rounds < 200; rounds++) {
        before[rounds & 1] = rounds;
        if (rounds == 100)
            watched[1] = 7;
    }
    rounds += watched[0];
    watched_function();
    _exit(rounds == 1200 ? 0 : 1);
}

/* Run the child on, with KINDS of accesses to ADDRESS watched by PAIR; say how it stops. */
static void run_to(pid_t pid, const char *what, unsigned pair, const volatile void *address, unsigned kinds)
{
    struct pt_watch_regs regs;
    siginfo_t info;
    int status;
    memset(&regs, 0, sizeof regs);
    if (ptrace(PTRACE_GET_WATCH_REGS, pid, &regs, 0) != 0) {
        printf("there are no watch registers\n");
        return;
    }
    for (unsigned i = 0; i < regs.mips32.num_valid; i++) {
        regs.mips32.watchlo[i] = i == pair ? (unsigned)(uintptr_t)address | kinds : 0;
        regs.mips32.watchhi[i] = 0; /* the kernel refuses what it has recorded */
    }
    if (ptrace(PTRACE_SET_WATCH_REGS, pid, &regs, 0) != 0)
        printf("refused: ");
    ptrace(PTRACE_CONT, pid, 0, 0);
    waitpid(pid, &status, 0);
    if (WIFEXITED(status)) {
        printf("%s: exit %d\n", what, WEXITSTATUS(status));
        return;
    }
    ptrace(PTRACE_GETSIGINFO, pid, 0, &info);
    ptrace(PTRACE_GET_WATCH_REGS, pid, &regs, 0);
    printf("%s: %s %s, recorded %u, rounds %ld, watched %ld\n", what,
           WSTOPSIG(status) == SIGTRAP ? "trap" : strsignal(WSTOPSIG(status)),
           info.si_code == TRAP_BY_HARDWARE ? "by hardware" : "otherwise", regs.mips32.watchhi[pair] & 7u,
           ptrace(PTRACE_PEEKDATA, pid, &rounds, 0), ptrace(PTRACE_PEEKDATA, pid, &watched[1], 0));
}

int main(void)
{
    int status;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const pid_t pid = fork();
    if (pid == 0)
        child();
    waitpid(pid, &status, 0);
    run_to(pid, "store", 2, watched, STORE);
    if (system("simos-mark watched") != 0) /* the registers of the processor still have the store */
        return 1;
    run_to(pid, "load", 3, watched, LOAD);
    run_to(pid, "fetch", 0, (const void *)(uintptr_t)watched_function, FETCH);
    run_to(pid, "end", 0, NULL, 0);
    return 0;
}
