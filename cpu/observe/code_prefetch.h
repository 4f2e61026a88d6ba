/*
 * Dpref: where the line of a load that misses can be prefetched (Xia and Torrellas 1999, section 4.5; there by hand,
 * from the source). From the load back along the path by which control mostly comes to it, as long as the address can
 * be computed: the base register has its value already, or is the sum of another one and a constant. If that leads
 * around a loop to the load again, with an address that differs by a constant, later iterations are prefetched.
 *
 * Not known: what memory holds; so the next node of a list is prefetched only where its pointer has been loaded. Calls
 * end the path.
 */
#ifndef SIMOS_CPU_OBSERVE_CODE_PREFETCH_H
#define SIMOS_CPU_OBSERVE_CODE_PREFETCH_H

#include "cpu/observe/code_blocks.h"
#include "src/base/params.h"

/* "execution.points". */
extern const struct param_def code_prefetch_param_defs[];
extern const size_t code_prefetch_param_count;

enum prefetch_how {
    PREFETCH_NOWHERE, /* the word is no load of BASE + OFFSET */
    PREFETCH_EARLIER, /* the load's own line, up to CODE_PREFETCH_INSNS before it; 0 before: at once */
    PREFETCH_STRIDE,  /* that of a later iteration, at the load */
};
/* As far back as a place is looked for; and at least so far ahead is a later iteration, and by a line. */
enum { CODE_PREFETCH_INSNS = 64, CODE_PREFETCH_AHEAD = 32 };

struct prefetch_place {
    enum prefetch_how how;
    size_t at;     /* word before which to prefetch BASE + OFFSET */
    unsigned base; /* general register */
    uint32_t offset;
    unsigned insns; /* that execute from there until the line is used */
    int32_t stride; /* PREFETCH_STRIDE: bytes in an iteration */
    unsigned ahead; /* PREFETCH_STRIDE: iterations */
};

/* Where to prefetch for the LOAD, a word of BLOCKS that executed, into lines of LINE bytes. */
struct prefetch_place code_prefetch_place(const struct code_blocks *blocks, size_t load, uint32_t line);

#endif
