/* The line of the data cache, found as kernels do: after a byte store has invalidated the line of
 * the first word, the first power of two at which a load hits. It is between 4 and 256 bytes.
 * gxemul: no (its isolated caches keep no tags) */
#define CACHE DATA_CACHE
#include "cache_line.h"
