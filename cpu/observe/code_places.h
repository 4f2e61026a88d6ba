/*
 * The places of a code layout: the physical addresses of the words of the code, in ascending order, and which of them
 * are taken. Blocks take consecutive ones; the words that are left over fill the rest.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_PLACES_H
#define SIMOS_CPU_OBSERVE_CODE_PLACES_H

#include "cpu/observe/code_blocks.h"

/* Consecutive addresses. */
struct place_run {
    size_t first, count; /* places */
};

struct code_places {
    const struct code_blocks *blocks;
    size_t count;
    paddr *address;        /* [count], ascending */
    ptrdiff_t *word;       /* [count]: the word that has the place; PROFILED_NONE: free */
    size_t *of;            /* [count]: the place of each word; valid if it has one */
    bool *placed;          /* [count]: the word has one */
    struct place_run *run; /* [runs], the longest first */
    size_t runs;
    uint32_t line, way;  /* of the cache, in bytes */
    bool *reserved;      /* [way / line]: sets without blocks */
    size_t at_run, next; /* where the next block is tried: run, and place in it */
};

/* Sort ADDRESS ([COUNT]), the lowest first. */
void code_places_sort(paddr *address, size_t count);

/* Places at the addresses AT of the words of BLOCKS' code. */
void code_places_create(struct code_places *places, const struct code_blocks *blocks, const paddr *at, uint32_t line,
                        uint32_t way);
void code_places_release(struct code_places *places);

/* Give the block NUMBER the next consecutive places that are free and in no reserved set; in any set, if it is longer
 * than all places between reserved sets. False: there are none. */
bool code_places_put(struct code_places *places, size_t number);
/* Give the COUNT blocks BLOCK, WORDS in all, consecutive places from the beginning of a line on, and reserve their sets
 * if the reserved sets allow it. False: there are none. */
bool code_places_put_area(struct code_places *places, const size_t *block, size_t count, size_t words);
/* Reserve the set of ADDRESS. Returns whether it was not. */
bool code_places_reserve(struct code_places *places, paddr address);
/* Give all other words the other places, in the order of both; delay slots stay behind their branches where the number
 * of places between placed blocks allows it. */
void code_places_fill(struct code_places *places);

/* The block at the places directly behind block NUMBER, or PROFILED_NONE. */
ptrdiff_t code_places_behind(const struct code_places *places, size_t number);

#endif
