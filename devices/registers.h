/*
 * What devices do with their registers alike. Private to devices/.
 */
#ifndef SIMOS_DEVICES_REGISTERS_H
#define SIMOS_DEVICES_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* VALUE, a 64-bit register seen as two words, after its HIGH or low word was written with HALF. */
static inline uint64_t register_replace_half(uint64_t value, bool high, uint32_t half)
{
    return high ? (value & 0xffffffff) | (uint64_t)half << 32 : (value & ~(uint64_t)0xffffffff) | half;
}

#endif
