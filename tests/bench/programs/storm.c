/* What an operating system does all day: processes, pipes, page faults. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, FRESH_PAGES = 64, SHARED_PAGES = 32, MESSAGES = 16 };

static void read_exactly(int fd, void *buffer, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = read(fd, (char *)buffer + done, size - done);
        if (count <= 0)
            bench_die("read from a pipe");
        done += (size_t)count;
    }
}

static void write_exactly(int fd, const void *buffer, size_t size)
{
    if (write(fd, buffer, size) != (ssize_t)size)
        bench_die("write to a pipe");
}

static void end_child(pid_t child)
{
    int status;

    if (waitpid(child, &status, 0) != child || status != 0)
        bench_die("a child process failed");
}

/* Page faults: fresh memory used and given back. */
static uint32_t use_fresh_memory(uint32_t value)
{
    uint32_t sum = 0;
    unsigned char *p = mmap(NULL, FRESH_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        bench_die("memory");
    for (unsigned i = 0; i < FRESH_PAGES; i++)
        *(uint32_t *)(p + i * PAGE) = value + i;
    for (unsigned i = 0; i < FRESH_PAGES; i++)
        sum = bench_mix(sum, *(uint32_t *)(p + i * PAGE));
    munmap(p, FRESH_PAGES * PAGE);
    return sum;
}

/* A child that shares our memory and writes to it (copy on write) answers messages. */
static uint32_t talk_to_child(unsigned char *shared, uint32_t value)
{
    int to_child[2], from_child[2];
    uint32_t message = value;

    if (pipe(to_child) || pipe(from_child))
        bench_die("pipe");
    pid_t child = fork();
    if (child < 0)
        bench_die("fork");
    if (child == 0) {
        for (unsigned i = 0; i < SHARED_PAGES; i++)
            *(uint32_t *)(shared + i * PAGE) += value;
        for (unsigned i = 0; i < MESSAGES; i++) {
            read_exactly(to_child[0], &message, sizeof message);
            message = bench_mix(message, *(uint32_t *)(shared + i % SHARED_PAGES * PAGE));
            write_exactly(from_child[1], &message, sizeof message);
        }
        _exit(0);
    }
    for (unsigned i = 0; i < MESSAGES; i++) {
        write_exactly(to_child[1], &message, sizeof message);
        read_exactly(from_child[0], &message, sizeof message);
    }
    end_child(child);
    close(to_child[0]);
    close(to_child[1]);
    close(from_child[0]);
    close(from_child[1]);
    return message;
}

int bench_storm_child(const char *number)
{
    char line[16];

    snprintf(line, sizeof line, "%08x\n", (unsigned)bench_mix(5, (uint32_t)strtoul(number, NULL, 10)));
    write_exactly(STDOUT_FILENO, line, 9);
    return 0;
}

/* This program again, with its answer in a pipe. */
static uint32_t execute_child(uint32_t value)
{
    int from_child[2];
    char number[16], line[10] = "";

    snprintf(number, sizeof number, "%u", (unsigned)value);
    if (pipe(from_child))
        bench_die("pipe");
    pid_t child = fork();
    if (child < 0)
        bench_die("fork");
    if (child == 0) {
        dup2(from_child[1], STDOUT_FILENO);
        close(from_child[0]);
        close(from_child[1]);
        execl("/proc/self/exe", "bench", "child", number, (char *)NULL);
        _exit(1);
    }
    close(from_child[1]);
    read_exactly(from_child[0], line, 9);
    end_child(child);
    close(from_child[0]);
    return (uint32_t)strtoul(line, NULL, 16);
}

/* One round: 64 fresh pages, a child that copies 32 pages and answers 16 messages, a child that executes a program. */
uint32_t bench_storm(unsigned amount)
{
    unsigned char *shared = bench_memory(SHARED_PAGES * PAGE);
    uint32_t sum = 0;

    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        sum = bench_mix(sum, use_fresh_memory(sum));
        sum = bench_mix(sum, talk_to_child(shared, sum));
        sum = bench_mix(sum, execute_child(sum));
    }
    bench_end();
    return sum;
}
