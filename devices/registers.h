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

/* A device_ops.write of what cannot be written. */
static inline void register_ignore_write(void *opaque, uint32_t offset, unsigned size, uint32_t value, unsigned cpu)
{
    (void)opaque;
    (void)offset;
    (void)size;
    (void)value;
    (void)cpu;
}

#endif
