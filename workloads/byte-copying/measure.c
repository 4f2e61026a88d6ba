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

unsigned measure(const struct cell *cell)
{
    unsigned start = read_cycles();
    cell->copy(cell->to, cell->from, cell->bytes);
    return read_cycles() - start;
}
