/*
 * What memsys_exchange_fetch() and so on need to know of one CPU's first level, laid flat. Private to cache/.
 */
#ifndef SIMOS_CACHE_EXCHANGE_H
#define SIMOS_CACHE_EXCHANGE_H

#include "cache/array.h"

struct classified;

struct memsys_exchange {
    bool open;                      /* the caches are of the kind, and nobody but the full classification looks on */
    uint32_t set_mask, outer_mask;  /* of the first level, of the second */
    uint32_t *word, *outer, *inner; /* entries of the first level; of the second, and what is inside them */
    uint8_t *last, **quick;         /* of the first level */
    uint8_t *bytes;                 /* quick bytes, by line */
    uint32_t *state;                /* of lines in the first level (classify_inline.h) */
    cycles *used, *outer_used;      /* by their shadows */
    struct classified *first;
    uint64_t *misses, *write_backs;
    cycles time; /* stall of an access that the second level answers */
};

/* The hierarchy of MEMSYS, or who looks on, has changed: memsys->exchange is made anew. */
struct memsys;
void exchange_choose(struct memsys *memsys);

#endif
