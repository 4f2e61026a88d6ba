#include "cache/timing/dram.h"

#include <stdlib.h>
#include <string.h>

void dram_init(struct dram *dram, uint32_t banks, uint32_t interleave, cycles latency, cycles busy)
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

void dram_release(struct dram *dram)
{
    free(dram->bank);
    dram->bank = NULL;
}
