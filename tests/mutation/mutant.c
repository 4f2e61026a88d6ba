#include "tests/mutation/mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char unused[MUTANTS_MAX];
unsigned mutant_selected;
unsigned char *mutant_reached = unused;

/* Before other constructors: one of them may be where a fault is. */
static void __attribute__((constructor(101))) mutant_start(void)
{
    const char *number = getenv("SIMOS_MUTANT"), *path = getenv("SIMOS_MUTANTS_REACHED");
    if (number)
        mutant_selected = (unsigned)atoi(number);
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *bytes = mmap(NULL, MUTANTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (bytes != MAP_FAILED)
        mutant_reached = bytes;
}
