/* Reads one fragment of 256 bytes of each of 32 pages again and again: the first of pages with an even number, the
 * ninth of the others. In a cache of 16 pages two pages can share a bin, one of each kind. The pages are first touched
 * in an order that mixes the kinds.
 *
 *     shade TIMES
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGES = 32, PAGE = 4096, FRAGMENT = 256, LINE = 16 };

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    volatile char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    unsigned sum = 0;
    for (int i = 0, page = 0; i < PAGES; i++, page = (page * 5 + 7) % PAGES)
        memory[page * PAGE] = (char)page;
    for (int time = 0; time < times; time++)
        for (int page = 0; page < PAGES; page++)
            for (int at = 0; at < FRAGMENT; at += LINE)
                sum += (unsigned char)memory[page * PAGE + page % 2 * 8 * FRAGMENT + at];
    printf("%u\n", sum);
    return 0;
}
