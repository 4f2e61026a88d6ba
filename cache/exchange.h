/*
 * What memsys_exchange_fetch() and so on need to know of one CPU's first level, laid flat. Private to cache/.
 */
#ifndef SIMOS_CACHE_EXCHANGE_H
#define SIMOS_CACHE_EXCHANGE_H

#include "cache/array.h"

struct classified;
struct classified_cpu;

/* While the caches are not of the kind, or others than the full classification look on, the words of both levels are
 * `nothing`: whatever is asked for has to be asked for elsewhere. */
struct memsys_exchange {
    uint32_t set_mask, outer_mask; /* of the first level, of the second */
    uint32_t *word, *outer;        /* entries of the first level, of the second */
    uint8_t *last;                 /* of the first level */
    uint8_t *bytes;                /* quick bytes, by line */
    uint32_t *state;               /* of lines in the first level (classify_inline.h) */
    cycles *used, *outer_used;     /* by their shadows */
    struct classified *first;
    struct classified_cpu *who;
    const uint32_t *present; /* the state of lines that are there */
    uint64_t *misses, *write_backs;
    cycles time; /* stall of an access that the second level answers */
    uint32_t nothing[2];
};

/* The hierarchy of MEMSYS, or who looks on, has changed: memsys->exchange is made anew. */
struct memsys;
void exchange_choose(struct memsys *memsys);

#endif
