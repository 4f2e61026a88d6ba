/*
 * Main memory as a set of banks: the latency of an access, and when its bank is free again.
 *
 * Bank = address / interleave % banks. An access, read or write, occupies the bank of its first byte for bank_busy
 * cycles. A bank_busy longer than the latency models recovery after the response (precharge, restoring the data read);
 * a shorter one models a pipelined memory. Without banks any number of accesses proceed at once: memory then only has a
 * latency.
 *
 * Not modelled: open rows, refresh.
 */
#ifndef SIMOS_CACHE_TIMING_DRAM_H
#define SIMOS_CACHE_TIMING_DRAM_H

#include "cache/param_rows.h"
#include "cache/timing/resource.h"
#include <stdlib.h>
#include <string.h>

enum { DRAM_BANKS_MAX = 64 };

/* Rows of the parameter table. */
#define DRAM_PARAMS                                                                                                    \
    TIME_ROW("dram.latency", MEMORY_TRAITS, "0",                                                                       \
             "memory latency, from the address to the first datum; 0: memory.miss_time less the other phases"),        \
        {"dram.banks", PARAM_INT, MEMORY_TRAITS, "", "0", 0, DRAM_BANKS_MAX, true, NULL, "memory banks; 0: no limit"}, \
        TIME_ROW("dram.bank_busy", MEMORY_TRAITS, "0", "bank busy time of an access; 0: as dram.latency"),             \
    {                                                                                                                  \
        "dram.interleave", PARAM_SIZE, MEMORY_TRAITS, "bytes", "0", 0, 1 << 30, true, NULL,                            \
            "bytes of consecutive addresses in a bank; 0: a line of the last level"                                    \
    }

struct dram {
    uint32_t banks; /* 0: unlimited */
    uint32_t interleave_shift;
    cycles latency, busy;
    struct resource *bank;
};

/* BANKS (0 .. DRAM_BANKS_MAX) and INTERLEAVE (bytes) are powers of two. BUSY 0: equal to LATENCY. */
static inline void dram_init(struct dram *dram, uint32_t banks, uint32_t interleave, cycles latency, cycles busy)
{
    memset(dram, 0, sizeof *dram);
    dram->banks = banks;
    dram->interleave_shift = (uint32_t)__builtin_ctz(interleave);
    dram->latency = latency;
    dram->busy = busy ? busy : latency;
    if (!banks)
        return;
    dram->bank = malloc(banks * sizeof *dram->bank);
    if (!dram->bank)
        abort();
    for (uint32_t i = 0; i < banks; i++)
        resource_init(&dram->bank[i]);
}

static inline void dram_release(struct dram *dram)
{
    free(dram->bank);
    dram->bank = NULL;
}

static inline struct resource *dram_bank(const struct dram *dram, paddr address)
{
    return &dram->bank[address >> dram->interleave_shift & (dram->banks - 1)];
}

/* Reserves the bank of ADDRESS for an access at NOW or later and returns its start time. LOG: as for
 * resource_reserve(). */
static inline cycles dram_access(struct dram *dram, paddr address, cycles now, struct reservations *log)
{
    return dram->banks ? resource_reserve(dram_bank(dram, address), now, dram->busy, log) : now;
}

/* The start time that dram_access() would return, without a reservation. */
static inline cycles dram_find(const struct dram *dram, paddr address, cycles now)
{
    return dram->banks ? resource_find(dram_bank(dram, address), now, dram->busy) : now;
}

#endif
