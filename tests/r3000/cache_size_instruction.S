/* The size of the instruction cache, by swapping the caches, found as kernels do: isolated stores of 0 at all powers
 * of two, one of -1 at the start, and the first power at which -1 comes back. It is between 512 bytes and 256 KB,
 * and the same when asked twice, once running uncached and once cached.
 * gxemul: no (its isolated caches keep no tags) */
#define CACHE INSTRUCTION_CACHE
#include "cache_size.h"
