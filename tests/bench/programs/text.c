/* The text that md5sum, gzip and awk read: words that occur about as often as words do, and numbers. */
#include "bench.h"

#include <stdio.h>

static const char *const syllables[] = {"an", "be", "con", "de", "er",  "fi", "ga", "ho",  "in", "ju",  "ka",
                                        "lo", "mu", "ne",  "or", "pro", "qu", "re", "sta", "ti", "ver", "wo"};
enum { COUNT = sizeof syllables / sizeof *syllables };

/* Number of a word; a product of three is small more often than large. */
static unsigned rank(uint32_t *state)
{
    unsigned product = 1 + bench_random(state) % COUNT;

    product *= 1 + bench_random(state) % COUNT;
    product *= 1 + bench_random(state) % COUNT;
    return product - 1;
}

/* Writes word number NUMBER, short ones first, and returns its length. */
static unsigned put_word(unsigned number)
{
    unsigned length = 0;

    do {
        length += (unsigned)printf("%s", syllables[number % COUNT]);
        number /= COUNT;
    } while (number > 0);
    return length;
}

void bench_text(unsigned size)
{
    uint32_t state = 11, line = 0;

    for (unsigned written = 0; written < size; line++) {
        written += (unsigned)printf("%u", (unsigned)line);
        for (unsigned words = 4 + bench_random(&state) % 9; words > 0; words--) {
            putchar(' ');
            written += 1 + put_word(rank(&state));
        }
        unsigned whole = bench_random(&state) % 1000;
        written += (unsigned)printf(" %u.%02u\n", whole, (unsigned)(bench_random(&state) % 100));
    }
}
