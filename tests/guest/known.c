/*
 * A program of known behaviour, for the accounting of services:
 *
 *     known CALLS PAGES CHILDREN COPIES [SLEEPS PINGS LOCKS]
 *
 * makes exactly CALLS calls of sched_yield and twice as many of getpriority, touches PAGES pages that nobody has touched
 * before, and has CHILDREN children, each of which writes to COPIES of these pages. Then it sleeps SLEEPS times for two
 * milliseconds, sends PINGS bytes to a child through a pipe, each of which comes back through another one before the
 * next, and LOCKS times waits for a futex that has another value already, for which the kernel takes one spin lock.
 */
#include <linux/futex.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child ends without another read. */
static int ping(int count)
{
    int to[2], from[2];
    char byte = 'p';
    if (count == 0)
        return 0;
    if (pipe(to) != 0 || pipe(from) != 0)
        return 1;
    pid_t child = fork();
    for (int i = 0; child == 0 && i < count; i++)
        if (read(to[0], &byte, 1) != 1 || write(from[1], &byte, 1) != 1)
            _exit(1);
    if (child == 0)
        _exit(0);
    for (int i = 0; i < count; i++)
        if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
            return 1;
    return waitpid(child, NULL, 0) != child;
}

int main(int argc, char **argv)
{
    enum { PAGE = 4096 };
    static uint32_t futex = 1;
    const int32_t two_milliseconds[2] = {0, 2000000};
    int number[7] = {0};
    for (int i = 0; i < 7 && i + 1 < argc; i++)
        number[i] = atoi(argv[i + 1]);
    for (int i = 0; i < number[0]; i++) {
        syscall(SYS_sched_yield);
        syscall(SYS_getpriority, 0, 0);
        syscall(SYS_getpriority, 0, 0);
    }
    volatile char *pages = mmap(NULL, (size_t)(number[1] + 1) * PAGE, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 1;
    for (int i = 0; i < number[1]; i++)
        pages[i * PAGE] = 1;
    for (int i = 0; i < number[2]; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int page = 0; page < number[3]; page++)
                pages[page * PAGE] = 2;
            _exit(0);
        }
        if (child < 0 || waitpid(child, NULL, 0) != child)
            return 1;
    }
    for (int i = 0; i < number[4]; i++)
        syscall(SYS_nanosleep, two_milliseconds, NULL);
    for (int i = 0; i < number[6]; i++)
        syscall(SYS_futex, &futex, FUTEX_WAIT_PRIVATE, 0, NULL);
    return ping(number[5]);
}
