/* Coherent DMA: memsys_dma_read, memsys_dma_write. */
#include "cache/hierarchy/coherence.h"

/* The coherence blocks that a DMA of SIZE bytes (not 0) at ADDRESS touches: from FIRST, by STEP, below END, the end of
 * the DMA or of the address space. */
struct unit_range {
    uint64_t first, end, step;
};

static struct unit_range units_in(const struct memsys *memsys, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    struct unit_range range = {.first = coherence_block_of(memsys, address),
                               .end = end < top ? end : top,
                               .step = coherence_block_size(memsys)};
    return range;
}

/* Transfers the part of UNIT that the DMA of SIZE bytes at ADDRESS touches over the bus. */
static void use_bus(struct memsys *memsys, bool write, bool supplied, uint64_t unit, paddr address, uint32_t size,
                    cycles now)
{
    uint64_t start = unit > address ? unit : address, end = unit + coherence_block_size(memsys);
    if (end > (uint64_t)address + size)
        end = (uint64_t)address + size;
    if (memsys->timing)
        timing_dma(memsys->timing, write, supplied, (paddr)start, (uint32_t)(end - start), now);
}

static bool is_modified(const struct memsys *memsys, uint64_t unit)
{
    return directory_read(&memsys->units, (paddr)unit) & DIRECTORY_MODIFIED;
}

void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    if (memsys_is_flat(memsys) || size == 0)
        return;
    memsys->dma_writes++;
    const struct unit_range units = units_in(memsys, address, size);
    for (uint64_t unit = units.first; unit < units.end; unit += units.step) {
        bool whole = unit >= address && unit + units.step <= units.end;
        use_bus(memsys, true, is_modified(memsys, unit) && !whole, unit, address, size, now);
        coherence_device_write(memsys, (paddr)unit, whole);
    }
    TELL(memsys, dma, true, address, size);
}

void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    if (memsys_is_flat(memsys) || size == 0)
        return;
    memsys->dma_reads++;
    const struct unit_range units = units_in(memsys, address, size);
    for (uint64_t unit = units.first; unit < units.end; unit += units.step) {
        use_bus(memsys, false, is_modified(memsys, unit), unit, address, size, now);
        coherence_device_read(memsys, (paddr)unit);
    }
    TELL(memsys, dma, false, address, size);
}
