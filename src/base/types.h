/*
 * Types for kinds of address and time, so that a signature states the kind.
 */
#ifndef SIMOS_BASE_TYPES_H
#define SIMOS_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t vaddr;  /* guest virtual address, bytes */
typedef uint32_t paddr;  /* guest physical address, bytes */
typedef uint64_t cycles; /* simulated time in CPU clock cycles since power-on */
typedef uint64_t nsec;   /* simulated time in nanoseconds */

enum { PAGE_SHIFT = 12, PAGE_SIZE = 1 << PAGE_SHIFT };

#define SIM_LIKELY(x)   __builtin_expect(!!(x), 1)
#define SIM_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* "Never": later than any event. */
#define CYCLES_NEVER UINT64_MAX

#endif
