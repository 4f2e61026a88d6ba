/* The C library's memory and string functions on sizes as programs use them: many short, some long. Compiled with
 * -fno-builtin, so that each call is one. */
#include "bench.h"

#include <string.h>

enum { LONGEST = 4096, CASES = 256 };

struct pair {
    uint32_t length;
    uint32_t offset; /* of the source from a word boundary */
    char wanted;     /* what strchr() looks for */
};

/* Sizes of which half are below 64 bytes; letters, with something rare near the end of each. */
static void prepare(struct pair *pairs, char *source)
{
    uint32_t state = 7;

    for (unsigned i = 0; i < CASES; i++) {
        uint32_t limit = 1u << (2 + bench_random(&state) % 11);
        pairs[i].length = 1 + bench_random(&state) % (limit - 1);
        pairs[i].offset = bench_random(&state) % 4;
        pairs[i].wanted = (char)('a' + bench_random(&state) % 26);
    }
    for (unsigned i = 0; i < LONGEST + 8; i++)
        source[i] = (char)('A' + bench_random(&state) % 26);
}

static uint32_t one_case(const struct pair *pair, char *source, char *copy, char *other)
{
    char *from = source + pair->offset, kept = from[pair->length], last = from[pair->length - 1];
    uint32_t sum;

    from[pair->length - 1] = pair->wanted;
    from[pair->length] = 0;
    memcpy(copy, from, pair->length + 1);
    memset(other, pair->wanted, pair->length);
    other[pair->length] = 0;
    sum = (uint32_t)strlen(copy);
    sum = bench_mix(sum, (uint32_t)(strchr(from, pair->wanted) - from));
    memcpy(other, copy, pair->length / 2);
    sum = bench_mix(sum, (uint32_t)(strcmp(copy, from) == 0));
    sum = bench_mix(sum, (uint32_t)(strcmp(copy, other) < 0));
    sum = bench_mix(sum, (uint32_t)(unsigned char)other[pair->length / 2]);
    from[pair->length] = kept;
    from[pair->length - 1] = last;
    return sum;
}

/* One round is 256 cases of 7 calls. */
uint32_t bench_strings(unsigned amount)
{
    static struct pair pairs[CASES];
    char *source = bench_memory(LONGEST + 16), *copy = bench_memory(LONGEST + 16), *other = bench_memory(LONGEST + 16);
    uint32_t sum = 0;

    prepare(pairs, source);
    bench_begin();
    for (unsigned round = 0; round < amount; round++)
        for (unsigned i = 0; i < CASES; i++)
            sum = bench_mix(sum, one_case(&pairs[i], source, copy, other));
    bench_end();
    return sum;
}
