/*
 * Counts with the processor's performance counters through perf_event_open:
 *
 *     counters count              each event, in user mode, around 2^20 / 16 increments of bytes 16 apart and a loop of
 *                                 a million branches; one line "NAME: COUNT" for each
 *     counters sample PERIOD N    instructions in user mode, a sample every PERIOD of them, in a loop of N branches:
 *                                 count, number of samples, and those in the loop
 *     counters shares PERIOD N    the same in three routines with loops of N, 2 N and 5 N branches
 *     counters parallel           four processes: the instructions that each executed in its loop
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOP_INSNS = 2, RING_PAGES = 256, PAGE = 4096 };

#define CACHE(cache, result)                                                                                           \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} events[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"L1-dcache-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS)},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, MISS)},
    {"L1-icache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1I, MISS)},
    {"LLC-loads", PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS)},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, MISS)},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, MISS)},
    {"dTLB-loads", PERF_TYPE_HW_CACHE, CACHE(DTLB, ACCESS)},
    {"loads", PERF_TYPE_RAW, 15},
    {"stores", PERF_TYPE_RAW, 15 + 128},
};

static int open_event(uint32_t type, uint64_t config, uint64_t period)
{
    struct perf_event_attr attr = {.type = type,
                                   .size = sizeof attr,
                                   .config = config,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .sample_period = period,
                                   .sample_type = period ? PERF_SAMPLE_IP : 0};
    const int file = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    if (file < 0)
        printf("perf_event_open: %s\n", strerror(errno));
    return file;
}

static void __attribute__((noinline)) loop(unsigned count)
{
    __asm__ volatile(".set push\n.set noreorder\n1: bnez %0, 1b\n addiu %0, %0, -1\n.set pop" : "+r"(count));
}

#define ROUTINE(name)                                                                                                  \
    static void __attribute__((noinline, aligned(32))) name(unsigned count)                                            \
    {                                                                                                                  \
        __asm__ volatile(".set push\n.set noreorder\n1: bnez %0, 1b\n addiu %0, %0, -1\n.set pop" : "+r"(count));      \
    }
ROUTINE(one_part)
ROUTINE(two_parts)
ROUTINE(five_parts)

static volatile char memory[1 << 20];

static void touch(void)
{
    for (unsigned i = 0; i < sizeof memory; i += 16)
        memory[i]++;
}

static long long count_of(int file)
{
    long long count = -1000;
    if (read(file, &count, sizeof count) != sizeof count)
        printf("read: %s\n", strerror(errno));
    return count;
}

static void count_all(void)
{
    for (unsigned i = 0; i < sizeof events / sizeof events[0]; i++) {
        const int file = open_event(events[i].type, events[i].config, 0);
        touch();
        ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
        touch();
        loop(1000000);
        ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
        printf("%s: %lld\n", events[i].name, count_of(file));
        close(file);
    }
}

/* Samples while WORK(COUNT) runs, every PERIOD instructions; of them, those in each of the routines (32 bytes). */
static void sample(uint64_t period, unsigned count, void (*work)(unsigned), void (*const routine[])(unsigned),
                   unsigned routines)
{
    const int file = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, period);
    char *ring = mmap(NULL, PAGE * (1 + RING_PAGES), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (ring == MAP_FAILED) {
        printf("mmap: %s\n", strerror(errno));
        return;
    }
    ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
    work(count);
    ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
    const struct perf_event_mmap_page *head = (const void *)ring;
    unsigned samples = 0, inside[3] = {0};
    for (uint64_t at = 0; at < head->data_head;) {
        const struct perf_event_header *header = (const void *)(ring + PAGE + at % (PAGE * RING_PAGES));
        const uint64_t pc = *(const uint64_t *)(const void *)(header + 1);
        samples += header->type == PERF_RECORD_SAMPLE;
        for (unsigned i = 0; i < routines; i++)
            inside[i] += header->type == PERF_RECORD_SAMPLE && pc - (uintptr_t)routine[i] < 32;
        at += header->size;
    }
    printf("%lld %u", count_of(file), samples);
    for (unsigned i = 0; i < routines; i++)
        printf(" %u", inside[i]);
    printf("\n");
}

static void __attribute__((noinline)) parts(unsigned count)
{
    one_part(count);
    two_parts(2 * count);
    five_parts(5 * count);
}

/* The processes migrate between the processors, and their counters with them. */
static void parallel(void)
{
    for (unsigned i = 0; i < 4; i++)
        if (fork() == 0) {
            const int file = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0);
            ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
            for (unsigned part = 0; part < 50; part++) {
                loop(100000);
                usleep(1000);
            }
            ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
            const long long count = count_of(file), least = 50LL * LOOP_INSNS * 100000;
            printf("%s\n", count > least && count < least + 20000 ? "exact" : "wrong");
            exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4 && strcmp(argv[1], "sample") == 0)
        sample(strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10), loop,
               (void (*const[])(unsigned)){loop}, 1);
    else if (argc == 4 && strcmp(argv[1], "shares") == 0)
        sample(strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10), parts,
               (void (*const[])(unsigned)){one_part, two_parts, five_parts}, 3);
    else if (argc == 2 && strcmp(argv[1], "parallel") == 0)
        parallel();
    else
        count_all();
    return 0;
}
