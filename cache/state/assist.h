/*
 * State of an assist cache: a few fully associative lines beside the sets of a first-level cache, as the PA7200 has
 * them (Kurpanek et al., COMPCON 94; Chan et al., Hewlett-Packard Journal, February 1996). Private to cache/.
 *
 * The lines are entries of the same array, behind those of its sets (cache/state/array.h). This file adds what belongs
 * to the assist cache alone: the slots are a ring, and each line knows where it goes when its slot is needed.
 */
#ifndef SIMOS_CACHE_STATE_ASSIST_H
#define SIMOS_CACHE_STATE_ASSIST_H

#include "src/base/types.h"

/* Not the address of a line. */
enum { ASSIST_NO_LINE = 1 };

struct assist_slot {
    uint32_t first; /* first entry of the set that the line moves to */
    bool streamed;  /* the line goes to the next level instead */
};

struct assist {
    uint32_t lines;
    uint32_t next; /* slot of the next line */
    struct assist_slot *slot;
    /* [lines]: lines that were hinted as streamed and are not present: a ring, or ASSIST_NO_LINE */
    paddr *hint;
    uint32_t next_hint;
    uint64_t hits, moved, dropped;
};

/* LINES (not 0) empty slots. Out of memory aborts. */
struct assist *assist_create(uint32_t lines);
void assist_free(struct assist *assist);
/* Empties the ring of hints and begins with the first slot. */
void assist_clear(struct assist *assist);
/* Remembers the hint that LINE is streamed. As many hints are remembered as there are slots. */
void assist_remember(struct assist *assist, paddr line);
/* Whether LINE is hinted; the hint is then forgotten. */
bool assist_recall(struct assist *assist, paddr line);

#endif
