/* Shapes: what an access function may take for granted about the memory system it is compiled for. access_inline.h is
 * the text of an access; shapes.c has the list of shapes for which it is compiled. Private to cache/. */
#ifndef SIMOS_CACHE_HIERARCHY_SHAPE_H
#define SIMOS_CACHE_HIERARCHY_SHAPE_H

#include "cache/state/engine.h"

/* With SHAPES_FEW there are three shapes, one of each kind. With sanitizers one access takes so long to compile that
 * all of them take 180 s of processor time and 0.9 GB. */
#ifdef __SANITIZE_ADDRESS__
#define SHAPES_FEW
#endif

/* Each field that is not 0 is a promise; a shape of zeros holds for every memory system. */
struct shape {
    uint8_t ways;  /* of the first level */
    bool mru;      /* the CPU model records the MRU way of the first level, which has two (array->mru) */
    bool physical; /* the first level is physically indexed and not hashed */
    /* true LRU and a power of two of sets in all caches, none sectored, partitioned or exclusive; outer levels are
     * physically indexed and not hashed; no assist cache, no line is partly valid, a store that misses an outer level
     * allocates there, and stream buffers need not be looked up */
    bool simple;
    bool alone;   /* CPUs share no cache */
    bool nested;  /* alone, at least two levels; the last one is one cache and inclusive of all others, as is the second
                   */
    bool direct;  /* the outer levels have one way */
    bool only;    /* there is one level */
    bool untimed; /* no contention */
    bool unobserved; /* nothing observes the engine's events */
    /* two levels, the second one unified and inclusive, a first level that is written back; the classification is the
     * only observer and needs no more than the functions of cache/classify/classify_inline.h */
    bool classified;
};

/* Notifies the observers of an event unless there are none, or the classification is called directly. */
#define TELL_AS(SHAPE, MEMSYS, EVENT, ...)                                                                             \
    do {                                                                                                               \
        if (!(SHAPE)->unobserved && !(SHAPE)->classified)                                                              \
            TELL(MEMSYS, EVENT, __VA_ARGS__);                                                                          \
    } while (0)

#endif
