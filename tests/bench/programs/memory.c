/* Loads and stores over 16 MB, in orders that ask for different things. */
#include "bench.h"

enum {
    AREA = 16 << 20,
    PAGE = 4096,
    LINE = 64,
    BLOCK = 16 * PAGE, /* of a list */
    STRIDE = 16        /* words */
};

struct element {
    uint32_t next; /* its index */
    uint32_t value;
    uint32_t unused[2];
};

enum { ELEMENTS = AREA / sizeof(struct element), IN_BLOCK = BLOCK / sizeof(struct element) };

static void shuffle(uint32_t *order, uint32_t count, uint32_t *state)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t j = bench_random(state) % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* Makes a ring of all elements and returns the first. They follow each other in random order within blocks, and so do
 * the blocks: a program's lists are not scattered evenly over memory, and a TLB miss at each access is the subject of
 * bench_tlb(). */
static uint32_t make_ring(struct element *list)
{
    static uint32_t blocks[ELEMENTS / IN_BLOCK], order[IN_BLOCK];
    uint32_t state = 1, first = 0, previous = 0;

    shuffle(blocks, ELEMENTS / IN_BLOCK, &state);
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        if (i % IN_BLOCK == 0)
            shuffle(order, IN_BLOCK, &state);
        uint32_t at = blocks[i / IN_BLOCK] * IN_BLOCK + order[i % IN_BLOCK];
        list[at].value = bench_random(&state);
        if (i == 0)
            first = at;
        list[previous].next = at;
        previous = at;
    }
    list[previous].next = first;
    return first;
}

/* One round follows the whole ring: 1048576 elements, each of which must be read before the next is known. */
uint32_t bench_chase(unsigned amount)
{
    struct element *list = bench_memory(AREA);
    uint32_t at = make_ring(list), sum = 0;

    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        for (uint32_t i = 0; i < ELEMENTS; i++) {
            sum += list[at].value;
            at = list[at].next;
        }
        sum = sum << 1 | sum >> 31;
    }
    bench_end();
    return bench_mix(sum, at);
}

/* One round reads and writes each of the 4194304 words once, every sixteenth in one pass. */
uint32_t bench_stride(unsigned amount)
{
    uint32_t *words = bench_memory(AREA);
    uint32_t state = 5, sum = 0;

    for (uint32_t i = 0; i < AREA / 4; i++)
        words[i] = bench_random(&state);
    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        for (uint32_t start = 0; start < STRIDE; start++) {
            for (uint32_t i = start; i < AREA / 4; i += STRIDE) {
                sum += words[i] ^ i;
                words[i] = sum;
            }
        }
    }
    bench_end();
    return sum;
}

/* One round touches each of the 4096 pages once. A TLB entry holds two neighbouring pages, so all even pages come
 * before the odd ones: between two accesses that one entry could serve lie 2047 others, more than any TLB has. The line
 * within the page changes, otherwise all accesses would fall into a few sets of the caches. */
uint32_t bench_tlb(unsigned amount)
{
    unsigned char *area = bench_memory(AREA);
    uint32_t sum = 0;

    for (uint32_t page = 0; page < AREA / PAGE; page++)
        *(uint32_t *)(area + page * PAGE + page * LINE % PAGE) = page * 2654435761u;
    bench_begin();
    for (unsigned round = 0; round < amount; round++) {
        for (uint32_t odd = 0; odd < 2; odd++) {
            for (uint32_t page = odd; page < AREA / PAGE; page += 2) {
                uint32_t *word = (uint32_t *)(area + page * PAGE + page * LINE % PAGE);
                sum += *word;
                *word = sum;
            }
        }
    }
    bench_end();
    return sum;
}
