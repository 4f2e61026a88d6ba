/* Processes: signals, timers, children, pipes, files, new programs. */
#define _GNU_SOURCE
#include "stress.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t signals_seen;
static volatile double signal_float;

static void on_signal(int number)
{
    signals_seen += number == SIGUSR1;
    signal_float = signal_float * 1.5 + number; /* these registers must be preserved */
    if (number == SIGUSR2)
        raise(SIGUSR1);
}

/* The handler repairs a register and steps over the instruction. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    (void)number, (void)info;
    u->uc_mcontext.gregs[2] = 1234;
    u->uc_mcontext.pc += 4;
}

uint32_t stress_signals(unsigned rounds)
{
    static char stack[65536];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction user = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, old[3];
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    uint32_t sum = 0;
    sigaltstack(&alternate, NULL);
    sigaction(SIGUSR1, &user, &old[0]);
    sigaction(SIGUSR2, &user, &old[1]);
    sigaction(SIGTRAP, &trap, &old[2]);
    signals_seen = 0;
    for (unsigned i = 0; i < rounds; i++) {
        double kept = i / 3.0;
        uint32_t value = 0;
        signal_float = 0;
        raise(i % 2 ? SIGUSR1 : SIGUSR2);
        CHECK(kept == i / 3.0);
        __asm__ volatile("move $2, %1\n\ttne %1, $0, 5\n\tmove %0, $2" : "=r"(value) : "r"(i) : "$2");
        CHECK(value == (i ? 1234 : 0));
        sum = stress_mix(sum, value + (uint32_t)signal_float);
    }
    CHECK(signals_seen == (int)rounds);
    sigaction(SIGUSR1, &old[0], NULL);
    sigaction(SIGUSR2, &old[1], NULL);
    sigaction(SIGTRAP, &old[2], NULL);
    return sum;
}

/* A timer that interrupts computation at arbitrary points. */
static volatile sig_atomic_t ticks;
static void on_tick(int number)
{
    (void)number;
    ticks++;
}

uint32_t stress_timers(unsigned rounds)
{
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART}, old;
    struct itimerval every = {{0, 4000}, {0, 4000}}, never = {{0, 0}, {0, 0}};
    uint32_t seed = 29, sum = 0;
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &every, NULL);
    for (unsigned i = 0; i < rounds; i++) {
        double x = 1;
        for (ticks = 0; ticks < 5;) {
            sum = stress_mix(sum, stress_random(&seed));
            x = x * 1.0000001 + 1e-9;
        }
        CHECK(x > 1);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    return 0;
}

uint32_t stress_forks(unsigned rounds)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        enum { CHILDREN = 5 };
        pid_t child[CHILDREN];
        for (unsigned j = 0; j < CHILDREN; j++) {
            child[j] = fork();
            CHECK(child[j] >= 0);
            if (child[j] == 0) {
                if (j == 3)
                    raise(SIGKILL);
                _exit((int)((i * 7 + j) & 127));
            }
        }
        for (unsigned j = 0; j < CHILDREN; j++) {
            int status;
            CHECK(waitpid(child[j], &status, 0) == child[j]);
            CHECK(j == 3 ? WIFSIGNALED(status) : WEXITSTATUS(status) == (int)((i * 7 + j) & 127));
            sum = stress_mix(sum, (uint32_t)status);
        }
    }
    return sum;
}

/* Echo bytes through another process. */
uint32_t stress_pipes(unsigned rounds)
{
    int there[2], back[2], status;
    uint32_t sum = 0, seed = 31;
    uint8_t out[3000], in[3000];
    CHECK(pipe(there) == 0 && pipe(back) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        ssize_t count;
        close(there[1]);
        while ((count = read(there[0], in, sizeof in)) > 0) {
            for (ssize_t i = 0; i < count; i++)
                in[i] = (uint8_t)(in[i] + 1);
            CHECK(write(back[1], in, (size_t)count) == count);
        }
        _exit(0);
    }
    close(there[0]);
    for (unsigned i = 0; i < rounds * 32; i++) {
        size_t size = 1 + stress_random(&seed) % sizeof out, got = 0;
        for (size_t j = 0; j < size; j++)
            out[j] = (uint8_t)(j * i);
        CHECK(write(there[1], out, size) == (ssize_t)size);
        while (got < size) {
            ssize_t count = read(back[0], in + got, size - got);
            CHECK(count > 0);
            got += (size_t)count;
        }
        for (size_t j = 0; j < size; j++)
            CHECK(in[j] == (uint8_t)(out[j] + 1));
        sum = stress_mix(sum, (uint32_t)size);
    }
    close(there[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    close(back[0]);
    close(back[1]);
    return sum;
}

uint32_t stress_files(unsigned rounds)
{
    uint32_t sum = 0, seed = 37;
    for (unsigned i = 0; i < rounds; i++) {
        char name[64];
        struct stat status;
        uint32_t words[1024], word;
        snprintf(name, sizeof name, "/tmp/stress-%u", i % 8);
        mkdir("/tmp", 0777);
        int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        CHECK(file >= 0);
        for (unsigned j = 0; j < 40; j++) {
            for (unsigned k = 0; k < 1024; k++)
                words[k] = stress_random(&seed);
            struct iovec parts[2] = {{words, 100}, {(char *)words + 100, sizeof words - 100}};
            CHECK(writev(file, parts, 2) == (ssize_t)sizeof words);
        }
        for (unsigned j = 0; j < 200; j++) {
            off_t at = (off_t)(stress_random(&seed) % (40 * sizeof words - 4));
            CHECK(pread(file, &word, 4, at) == 4);
            word = stress_mix(sum, word);
            CHECK(pwrite(file, &word, 3, at) == 3);
            sum = word;
        }
        CHECK(fstat(file, &status) == 0 && status.st_size == 40 * (off_t)sizeof words);
        uint8_t *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        CHECK(mapped != MAP_FAILED);
        for (size_t j = 0; j < (size_t)status.st_size; j += 61)
            sum = stress_mix(sum, mapped[j]++);
        munmap(mapped, (size_t)status.st_size);
        CHECK(ftruncate(file, 100) == 0 && lseek(file, 0, SEEK_END) == 100);
        close(file);
        CHECK(unlink(name) == 0);
    }
    return sum;
}

/* Execute the program again, as a child. */
static NOINLINE void start_self(const char *number)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", "stress", "--child", number, (char *)NULL);
        _exit(127);
    }
}

uint32_t stress_exec(unsigned rounds)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        char number[16];
        int status;
        snprintf(number, sizeof number, "%u", i & 63);
        start_self(number);
        CHECK(wait(&status) > 0 && WEXITSTATUS(status) == (int)((i & 63) ^ 0x55));
        sum = stress_mix(sum, (uint32_t)status);
    }
    return sum;
}
