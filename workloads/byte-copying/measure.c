/* What is timed. Compiled without optimisation, as the paper's programs were ("All experiments were compiled using each
 * platform's C compiler with no optimization", section 4): so every copy has the cost of such a call. */
#include "copy.h"

/* Performance counter 0, which counts cycles (docs/reference/performance-counters.md). */
static unsigned read_cycles(void)
{
    unsigned value;
    __asm__ volatile("mfc0 %0, $25, 1" : "=r"(value));
    return value;
}

/* HP-UX calls what a pointer points to by way of a routine of its own ($$dyncall); this is one. */
static void call(copy_function *copy, void *to, const void *from, unsigned bytes)
{
    copy(to, from, bytes);
}

unsigned measure(const struct cell *cell)
{
    unsigned start = read_cycles();
    call(cell->copy, cell->to, cell->from, cell->bytes);
    return read_cycles() - start;
}
