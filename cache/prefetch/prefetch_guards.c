#include "cache/prefetch/prefetch_guards.h"

#include "src/base/log.h"
#include <stdlib.h>

enum { WORD_BYTES = 256 /* of memory for each 64-bit word of the set */ };

static uint64_t *word_of(const struct guards *guards, paddr address)
{
    uint64_t *chunk = guards->chunk[address >> GUARDS_CHUNK_SHIFT];
    return chunk ? chunk + (address / WORD_BYTES & (GUARDS_CHUNK_WORDS - 1)) : NULL;
}

void guards_set(struct guards *guards, paddr address, bool on)
{
    uint64_t **chunk = &guards->chunk[address >> GUARDS_CHUNK_SHIFT];
    if (!*chunk && on)
        *chunk = calloc(GUARDS_CHUNK_WORDS, sizeof **chunk);
    if (!*chunk && on)
        log_bug("out of memory for guard bits");
    uint64_t *word = word_of(guards, address), bit = UINT64_C(1) << (address / 4 & 63);
    if (!word || !(*word & bit) == !on)
        return;
    *word ^= bit;
    guards->count += on ? 1 : UINT64_MAX;
}

bool guards_next(const struct guards *guards, uint64_t *address)
{
    while (*address < UINT64_C(1) << 32) {
        const uint64_t *word = word_of(guards, (paddr)*address);
        uint64_t after = word ? *word >> (*address / 4 & 63) : 0;
        if (after) {
            *address += 4 * (unsigned)__builtin_ctzll(after);
            return true;
        }
        uint64_t step = word ? WORD_BYTES : UINT64_C(1) << GUARDS_CHUNK_SHIFT;
        *address = (*address / step + 1) * step;
    }
    return false;
}

void guards_clear(struct guards *guards)
{
    for (size_t i = 0; i < GUARDS_CHUNKS; i++) {
        free(guards->chunk[i]);
        guards->chunk[i] = NULL;
    }
    guards->count = 0;
}

bool guards_in(const struct guards *guards, paddr start, uint32_t size)
{
    const uint64_t *word = word_of(guards, start);
    if (!word)
        return false;
    if (size < WORD_BYTES) {
        uint64_t bits = (UINT64_C(1) << size / 4) - 1;
        return *word >> (start / 4 & 63) & bits;
    }
    for (uint32_t i = 0; i < size / WORD_BYTES; i++)
        if (word[i])
            return true;
    return false;
}
