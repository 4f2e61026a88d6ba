/*
 * Helpers for device registers. Private to devices/.
 */
#ifndef SIMOS_DEVICES_REGISTERS_H
#define SIMOS_DEVICES_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* The 64-bit register VALUE after a write of HALF to its HIGH or low word. */
static inline uint64_t register_replace_half(uint64_t value, bool high, uint32_t half)
{
    return high ? (value & 0xffffffff) | (uint64_t)half << 32 : (value & ~(uint64_t)0xffffffff) | half;
}

#endif
