/*
 * Address spaces: mapping, unmapping, protecting, moving and sharing pages, copy on write, stacks that grow.
 */
#define _GNU_SOURCE
#include "corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static unsigned char *map(size_t pages, int protection, int flags, int file)
{
    void *p = mmap(NULL, pages * PAGE, protection, flags | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
    if (p == MAP_FAILED) {
        printf("mmap: %s\n", strerrorname_np(errno));
        exit(1);
    }
    return p;
}

/* A file that lives in memory, with a recognisable byte in each of its pages. */
static int memory_file(int pages)
{
    int file = memfd_create("corpus", 0);
    if (file < 0 || ftruncate(file, pages * PAGE) != 0) {
        printf("memfd_create: %s\n", strerrorname_np(errno));
        exit(1);
    }
    for (int i = 0; i < pages; i++)
        if (pwrite(file, &(unsigned char){(unsigned char)(i + 1)}, 1, i * PAGE) != 1)
            exit(1);
    return file;
}

CASE_ALONE(memory_fresh_pages_are_zero)
{
    unsigned char *p = map(16, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    unsigned sum = 0;
    for (size_t i = 0; i < 16 * PAGE; i += 61)
        sum += p[i];
    memset(p, 0xee, 16 * PAGE);
    munmap(p, 16 * PAGE);
    p = map(16, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    for (size_t i = 0; i < 16 * PAGE; i += 61)
        sum += p[i];
    printf("%u\n", sum);
}

CASE_ALONE(memory_discard)
{
    unsigned char *p = map(4, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    memset(p, 7, 4 * PAGE);
    madvise(p + PAGE, PAGE, MADV_DONTNEED);
    printf("%d %d %d\n", p[0], p[PAGE + 5], p[2 * PAGE]);
}

CASE_ALONE(memory_fixed_over)
{
    unsigned char *p = map(4, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    memset(p, 9, 4 * PAGE);
    void *q = mmap(p + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("%d %d %d %d\n", q == p + PAGE, p[PAGE - 1], p[PAGE], p[2 * PAGE]);
}

CASE_ALONE(memory_remap)
{
    unsigned char *p = map(2, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    for (int i = 0; i < 2 * PAGE; i++)
        p[i] = (unsigned char)(i * 7);
    uint32_t before = corpus_hash_bytes(p, 2 * PAGE);
    unsigned char *q = mremap(p, 2 * PAGE, 40 * PAGE, MREMAP_MAYMOVE);
    printf("%d %d\n", corpus_hash_bytes(q, 2 * PAGE) == before, q[39 * PAGE]);
    q[39 * PAGE] = 1;
    printf("%d %d\n", q[77], q[2 * PAGE]);
}

CASE_ALONE(memory_file_private)
{
    int file = memory_file(3);
    unsigned char *p = map(3, PROT_READ | PROT_WRITE, MAP_PRIVATE, file), byte = 0;
    p[PAGE] = 99;
    if (pread(file, &byte, 1, PAGE) != 1)
        return;
    printf("%d %d %d, in the file %d\n", p[0], p[PAGE], p[2 * PAGE], byte);
    close(file);
}

CASE_ALONE(memory_file_shared)
{
    int file = memory_file(3);
    unsigned char *p = map(3, PROT_READ | PROT_WRITE, MAP_SHARED, file), byte = 0;
    unsigned char *q = map(3, PROT_READ, MAP_SHARED, file);
    p[2 * PAGE + 1] = 55;
    if (pread(file, &byte, 1, 2 * PAGE + 1) != 1)
        return;
    printf("%d %d\n", q[2 * PAGE + 1], byte);
    if (pwrite(file, "A", 1, 5) != 1)
        return;
    printf("%d %d\n", p[5], q[5]);
    msync(p, 3 * PAGE, MS_SYNC);
    close(file);
}

CASE_ALONE(memory_file_offset)
{
    int file = memory_file(5);
    unsigned char *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 3 * PAGE);
    printf("%d\n", p == MAP_FAILED ? -1 : p[0]);
    close(file);
}

CASE_ALONE(memory_copy_on_write)
{
    unsigned char *p = map(8, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    memset(p, 1, 8 * PAGE);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 8; i += 2)
            p[i * PAGE] = 2;
        unsigned sum = 0;
        for (int i = 0; i < 8 * PAGE; i++)
            sum += p[i];
        _exit((int)(sum - 8 * PAGE));
    }
    int status;
    waitpid(child, &status, 0);
    unsigned sum = 0;
    for (int i = 0; i < 8 * PAGE; i++)
        sum += p[i];
    printf("child changed %d, parent changed %u\n", WEXITSTATUS(status), sum - 8 * PAGE);
}

CASE_ALONE(memory_copy_on_write_both_ways)
{
    static int value = 1, array[5000];
    int on_stack = 10, ends[2];
    if (pipe(ends) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        char byte;
        ssize_t n = read(ends[0], &byte, 1);
        _exit(n == 1 && value == 1 && on_stack == 10 && array[4999] == 0 ? 5 : 6);
    }
    value = 2;
    on_stack = 20;
    array[4999] = 3;
    int status;
    if (write(ends[1], "x", 1) != 1)
        return;
    waitpid(child, &status, 0);
    printf("%d %d %d %d\n", WEXITSTATUS(status), value, on_stack, array[4999]);
}

CASE_ALONE(memory_shared_with_child)
{
    volatile unsigned *p = (volatile unsigned *)(void *)map(1, PROT_READ | PROT_WRITE, MAP_SHARED, -1);
    for (unsigned i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0) {
            p[i] = i * i + 1;
            p[100] += i;
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    printf("%u %u %u %u %u\n", p[0], p[1], p[2], p[3], p[100]);
}

CASE_ALONE(memory_protect_then_write)
{
    unsigned char *p = map(3, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    p[PAGE] = 5;
    mprotect(p + PAGE, PAGE, PROT_READ);
    pid_t child = fork();
    if (child == 0) {
        p[PAGE] = 6;
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE);
    p[PAGE]++;
    printf("child ended by signal %d, parent reads %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0, p[PAGE]);
}

CASE_ALONE(memory_errors)
{
    static unsigned char here[2 * PAGE];
    void *p = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %s\n", p == MAP_FAILED, strerrorname_np(errno));
    int r = mprotect(here + 1, PAGE, PROT_READ);
    printf("%d %s\n", r, strerrorname_np(errno));
    r = munmap(here + 1, PAGE);
    printf("%d %s\n", r, strerrorname_np(errno));
}

CASE_ALONE(memory_break)
{
    unsigned char *start = sbrk(0);
    if (sbrk(10 * PAGE) == (void *)-1)
        return;
    memset(start, 3, 10 * PAGE);
    unsigned char *end = sbrk(0);
    printf("%td %d\n", end - start, start[10 * PAGE - 1]);
    sbrk(-10 * PAGE);
    printf("%d\n", sbrk(0) == (void *)start);
}

static NOINLINE unsigned grow(unsigned pages)
{
    volatile unsigned char frame[PAGE];
    frame[0] = (unsigned char)pages;
    frame[PAGE - 1] = 1;
    return pages == 0 ? 0 : grow(pages - 1) + frame[0] + frame[PAGE - 1];
}

CASE_ALONE(memory_stack_grows)
{
    printf("%u\n", grow(300));
}

/* More pages than any translation buffer holds, touched in several orders. */
CASE_ALONE(memory_many_pages)
{
    enum { PAGES = 400 };
    unsigned char *p = map(PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
    for (unsigned i = 0; i < PAGES; i++)
        p[i * PAGE + i] = (unsigned char)(i * 3 + 1);
    unsigned sum = 0;
    for (unsigned stride = 1; stride < 200; stride = stride * 3 + 2)
        for (unsigned i = 0, k = 0; k < PAGES; k++, i = (i + stride) % PAGES)
            sum = sum * 5 + p[i * PAGE + i];
    printf("%u\n", sum);
}

#ifdef __mips__
/* Code written as data, then run: two instructions, after the caches were told. */
CASE_ALONE(memory_written_code)
{
    uint32_t *code = (uint32_t *)(void *)map(1, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, -1);
    int total = 0;
    for (unsigned i = 1; i <= 5; i++) {
        code[0] = 0x03e00008;              /* jr $31 */
        code[1] = 0x24020000 | (i * 1111); /* addiu $2, $0, i * 1111, in the delay slot */
        __builtin___clear_cache((char *)code, (char *)(code + 2));
        int (*function)(void) = (int (*)(void))(uintptr_t)code;
        total = total * 3 + function();
        printf("%d ", total);
    }
    printf("\n");
}
#endif
