/*
 * A program of known behaviour, for the accounting of services:
 *
 *     known CALLS PAGES CHILDREN COPIES
 *
 * makes exactly CALLS calls of sched_yield and twice as many of getpriority, touches PAGES pages that nobody has touched
 * before, and has CHILDREN children, each of which writes to COPIES of these pages.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { PAGE = 4096 };
    int number[4] = {0};
    for (int i = 0; i < 4 && i + 1 < argc; i++)
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
    return 0;
}
