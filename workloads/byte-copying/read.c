/*
 * Section 5 of Inouye, Walpole and Zhang 1995 on a running kernel: read() of a page that is in the page cache, into
 * buffers at every place that a page can have in a direct-mapped, virtually indexed cache.
 *
 *     read FILE PLACES READS
 *
 * FILE has at least a page. Each of PLACES pages that follow one another in memory is a buffer: FILE is read into it
 * once, and then READS times between the marks 1000 + N and 2000 + N (N from 0), by which read.tcl counts.
 * The marks are writes to the control device (docs/reference/guest.md) through /dev/mem.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, CONTROL = 0x18010000, MARK_NUMBER = 0x18, BEGIN = 1000, END = 2000 };

static void __attribute__((noreturn)) fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *map(int file, off_t offset, size_t size, int flags)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, offset);
    if (memory == MAP_FAILED)
        fail("mmap");
    return memory;
}

static void read_page(int file, char *buffer)
{
    if (pread(file, buffer, PAGE, 0) != PAGE)
        fail("pread");
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: read FILE PLACES READS\n");
        return 2;
    }
    const unsigned places = (unsigned)atoi(argv[2]), reads = (unsigned)atoi(argv[3]);
    const int memory = open("/dev/mem", O_RDWR | O_SYNC), file = open(argv[1], O_RDONLY);
    if (memory < 0 || file < 0)
        fail("open");
    volatile uint32_t *control = map(memory, CONTROL, PAGE, MAP_SHARED);
    char *buffers = map(-1, 0, (size_t)places * PAGE, MAP_PRIVATE | MAP_ANONYMOUS);
    for (unsigned place = 0; place < places; place++) {
        char *buffer = buffers + (size_t)place * PAGE;
        read_page(file, buffer);
        control[MARK_NUMBER / 4] = BEGIN + place;
        for (unsigned i = 0; i < reads; i++)
            read_page(file, buffer);
        control[MARK_NUMBER / 4] = END + place;
    }
    return 0;
}
