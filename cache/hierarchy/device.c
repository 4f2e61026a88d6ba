/* Coherent DMA: memsys_dma_read, memsys_dma_write, memsys_dma_changed. */
#include "cache/hierarchy/coherence.h"
#include "cache/hierarchy/page_moves.h"

/* The coherence blocks that a DMA of SIZE bytes (not 0) at ADDRESS touches: from FIRST, by STEP, below END, the end of
 * the DMA or of the address space. */
struct coherence_block_range {
    uint64_t first, end, step;
};

static struct coherence_block_range coherence_blocks_in(const struct memsys *memsys, paddr address, uint32_t size)
{
    uint64_t end = (uint64_t)address + size, top = UINT64_C(1) << 32;
    struct coherence_block_range range = {.first = coherence_block_of(&memsys->tier[0], address),
                                          .end = end < top ? end : top,
                                          .step = coherence_block_size(&memsys->tier[0])};
    return range;
}

/* Transfers the part of BLOCK that the DMA of SIZE bytes at ADDRESS touches over the bus. */
static void use_bus(struct memsys *memsys, bool write, bool supplied, uint64_t block, paddr address, uint32_t size,
                    cycles now)
{
    uint64_t start = block > address ? block : address, end = block + coherence_block_size(&memsys->tier[0]);
    if (end > (uint64_t)address + size)
        end = (uint64_t)address + size;
    if (memsys->timing)
        timing_dma(memsys->timing, write, supplied, (paddr)start, (uint32_t)(end - start), now);
}

static bool is_modified(const struct memsys *memsys, uint64_t block)
{
    return directory_read(&memsys->tier[0].directory, (paddr)block).modified;
}

void memsys_dma_write(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    if (memsys_is_flat(memsys) || size == 0)
        return;
    memsys->dma_writes++;
    if (memsys_moves_pages(memsys))
        page_moves_device_wrote(memsys, address, size);
    const struct coherence_block_range blocks = coherence_blocks_in(memsys, address, size);
    for (uint64_t block = blocks.first; block < blocks.end; block += blocks.step) {
        bool whole = block >= address && block + blocks.step <= blocks.end;
        use_bus(memsys, true, is_modified(memsys, block) && !whole, block, address, size, now);
        coherence_device_write(memsys, (paddr)block, whole);
    }
    TELL(memsys, dma, true, address, size);
}

void memsys_dma_changed(struct memsys *memsys, paddr address, uint32_t size)
{
    if (memsys_is_flat(memsys) || size == 0)
        return;
    if (memsys_moves_pages(memsys))
        page_moves_device_wrote(memsys, address, size);
    const struct coherence_block_range blocks = coherence_blocks_in(memsys, address, size);
    for (uint64_t block = blocks.first; block < blocks.end; block += blocks.step)
        coherence_device_write(memsys, (paddr)block, false); /* what is modified there are other data */
    TELL(memsys, dma, true, address, size);
}

void memsys_dma_read(struct memsys *memsys, paddr address, uint32_t size, cycles now)
{
    if (memsys_is_flat(memsys) || size == 0)
        return;
    memsys->dma_reads++;
    const struct coherence_block_range blocks = coherence_blocks_in(memsys, address, size);
    for (uint64_t block = blocks.first; block < blocks.end; block += blocks.step) {
        use_bus(memsys, false, is_modified(memsys, block), block, address, size, now);
        coherence_device_read(memsys, (paddr)block);
    }
    TELL(memsys, dma, false, address, size);
}
