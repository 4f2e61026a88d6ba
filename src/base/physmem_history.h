/*
 * Which file of a series of checkpoints holds each page of RAM: the last one before which the page changed.
 *
 * Whether a page has changed is asked when the next file is to be written, by a hash of 128 bits of its content: so
 * stores, DMA and the simulator's own writes count alike, and none of them pays for it. A page costs 20 bytes here, and
 * 128 MB of RAM about 25 ms a file. A page in which only one 64-bit word has changed never has the same hash; any other
 * change goes unnoticed with a probability of about 2^-64.
 */
#ifndef SIMOS_PHYSMEM_HISTORY_H
#define SIMOS_PHYSMEM_HISTORY_H

#include "src/base/physmem.h"

struct physmem_history;

/* File NUMBER of MEM's series will be written: pages that have changed since the last one are its own. The first is 0,
 * and owns all. */
void physmem_history_begin(struct physmem *mem, uint32_t number);
void physmem_history_free(struct physmem_history *history); /* NULL is allowed */

/* Is PAGE, a page of RAM, in the file that begins now? */
bool physmem_history_is_own(const struct physmem_history *history, uint32_t page);

/* The rest of struct saved_parts (src/base/saved.h). */
void physmem_history_count(const struct physmem *mem, uint64_t *units);
void physmem_history_take_over(struct physmem *mem, uint32_t file);

#endif
