/* Checkpoints of the bus, except its reservation tables. */
#include "cache/timing/bus_state.h"
#include "cache/timing/timing_saved.h"

void bus_list_resources(struct bus *bus, struct resource_list *list)
{
    resource_list_add(list, &bus->address_wires);
    resource_list_add(list, &bus->data_wires);
    for (uint32_t i = 0; i < bus->dram.banks; i++)
        resource_list_add(list, &bus->dram.bank[i]);
}

static void write_line(const struct dma_line *line, struct saved_out *out)
{
    saved_put_u32(out, line->kind);
    saved_put_u32(out, line->address);
    saved_put_u32(out, line->size);
    saved_put_u32(out, line->lines);
    saved_put_u64(out, line->requested);
}

void bus_write(const struct bus *bus, struct saved_out *out)
{
    const struct dma *dma = &bus->dma;
    saved_put(out, bus->transactions, sizeof bus->transactions);
    saved_put_u64(out, bus->latest);
    saved_put_u64(out, dma->next);
    saved_put_u64(out, dma->lines);
    saved_put_u32(out, dma->count);
    for (uint32_t i = 0; i < dma->count; i++)
        write_line(&dma->queue[(dma->first + i) & (dma->room - 1)], out);
}

static bool read_line(struct bus *bus, struct saved_in *in, struct err *err)
{
    struct dma_line line;
    uint32_t kind, lines;
    if (!saved_get_u32(in, &kind) || !saved_get_u32(in, &line.address) || !saved_get_u32(in, &line.size) ||
        !saved_get_u32(in, &lines) || !saved_get_u64(in, &line.requested))
        return false;
    line.kind = kind;
    if ((kind != BUS_READ && kind != BUS_SUPPLY_UPDATE && kind != BUS_WRITE) || !line.size || !lines ||
        line.address + (uint64_t)line.size * lines > (UINT64_C(1) << 32) || line.requested > TIMING_TIME_MAX)
        return err_set(err, "invalid DMA request: %u lines of %u bytes at 0x%08x", lines, line.size, line.address);
    dma_append(&bus->dma, line, lines);
    return true;
}

bool bus_read(struct bus *bus, struct saved_in *in, struct err *err)
{
    struct dma *dma = &bus->dma;
    uint32_t count;
    if (!saved_get(in, bus->transactions, sizeof bus->transactions) || !saved_get_u64(in, &bus->latest) ||
        !saved_get_u64(in, &dma->next) || !saved_get_u64(in, &dma->lines) || !saved_get_u32(in, &count))
        return false;
    if (bus->latest > TIMING_TIME_MAX || dma->next > TIMING_TIME_MAX)
        return err_set(err, "a time is out of range");
    for (uint32_t i = 0; i < count; i++)
        if (!read_line(bus, in, err))
            return false;
    return true;
}
