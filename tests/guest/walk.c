/* Reads an array of 64 KB again and again:
 *
 *     walk TIMES
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 64 * 1024, LINE = 16 };

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    volatile char *array = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array == MAP_FAILED)
        return 1;
    unsigned sum = 0;
    for (int i = 0; i < SIZE; i += LINE)
        array[i] = (char)(i / LINE);
    for (int time = 0; time < times; time++)
        for (int i = 0; i < SIZE; i += LINE)
            sum += (unsigned char)array[i];
    printf("%u\n", sum);
    return 0;
}
