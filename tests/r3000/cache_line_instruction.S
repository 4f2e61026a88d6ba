/* The line of the instruction cache, by swapping the caches, found as kernels do: after a byte store has invalidated
 * the line of the first word, the first power of two at which a load hits. It is between 4 and 256 bytes.
 * gxemul: no (its isolated caches keep no tags) */
#define CACHE INSTRUCTION_CACHE
#include "cache_line.h"
