/*
 * measure: runs a command and writes what it cost.
 *
 *     measure FILE COMMAND...
 *
 * FILE gets one line: seconds of wall time, seconds of processor time (user and system), largest resident set in KB,
 * and instructions executed in user mode by it and all it started, 0 where the processor or the system does not count
 * them. The exit status is the command's.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEASURE_FAILED 125 /* exit status */

/* A counter of instructions that starts with the exec; -1 if there is none. */
static int open_counter(void)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.disabled = 1;
    attr.inherit = 1;
    attr.enable_on_exec = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

int main(int argc, char **argv)
{
    uint64_t instructions = 0;
    struct timespec start, end;
    struct rusage usage;
    int counter, status;
    FILE *out;
    pid_t child;

    if (argc < 3) {
        fputs("usage: measure FILE COMMAND...\n", stderr);
        return MEASURE_FAILED;
    }
    counter = open_counter();
    clock_gettime(CLOCK_MONOTONIC, &start);
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "measure: %s: %s\n", argv[2], strerror(errno));
        _exit(MEASURE_FAILED);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        fprintf(stderr, "measure: %s\n", strerror(errno));
        return MEASURE_FAILED;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (counter >= 0 && read(counter, &instructions, sizeof instructions) != (ssize_t)sizeof instructions)
        instructions = 0;
    out = fopen(argv[1], "w");
    if (!out) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
        return MEASURE_FAILED;
    }
    fprintf(out, "%.3f %.3f %ld %llu\n",
            (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9,
            (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
            usage.ru_maxrss, (unsigned long long)instructions);
    if (fclose(out)) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
        return MEASURE_FAILED;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
