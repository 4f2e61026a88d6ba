/*
 * For each page of RAM the file of a series of checkpoints that holds it: the file written after the page's last
 * change.
 *
 * Changes are detected when the next file is written, by a 128-bit hash of the page's content: this covers stores, DMA
 * and writes of the simulator without a cost for each. A page needs 20 bytes here, and 128 MB of RAM about 25 ms per
 * file. A change of a single 64-bit word always changes the hash; any other change is missed with a probability of
 * about 2^-64.
 */
#ifndef SIMOS_MEMORY_PHYSMEM_HISTORY_H
#define SIMOS_MEMORY_PHYSMEM_HISTORY_H

#include "src/memory/physmem.h"

struct physmem_history;

/* Begin file NUMBER of MEM's series: pages changed since the preceding file belong to it. The first file is 0; all
 * pages belong to it. */
void physmem_history_begin(struct physmem *mem, uint32_t number);
void physmem_history_free(struct physmem_history *history); /* NULL is allowed */

/* Does PAGE, a page of RAM, belong to the present file? */
bool physmem_history_is_own(const struct physmem_history *history, uint32_t page);

/* The other functions of struct saved_parts (src/base/saved.h). */
void physmem_history_count(const struct physmem *mem, uint64_t *units);
void physmem_history_take_over(struct physmem *mem, uint32_t file);

#endif
