#include "cache/timing/bus_dma.h"

#include "cache/timing/bus_state.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void dma_init(struct dma *dma, cycles interval)
{
    memset(dma, 0, sizeof *dma);
    dma->interval = interval;
}

void dma_release(struct dma *dma)
{
    free(dma->queue);
    dma->queue = NULL;
}

static struct dma_line *entry(const struct dma *dma, uint32_t number)
{
    return &dma->queue[(dma->first + number) & (dma->room - 1)];
}

static void grow(struct dma *dma)
{
    uint32_t room = dma->room ? 2 * dma->room : FIRST_ROOM;
    struct dma_line *queue = malloc(room * sizeof *queue);
    if (!queue)
        abort();
    for (uint32_t i = 0; i < dma->count; i++)
        queue[i] = *entry(dma, i);
    free(dma->queue);
    dma->queue = queue;
    dma->first = 0;
    dma->room = room;
}

static bool continues(const struct dma_line *entry, const struct dma_line *line)
{
    return entry->kind == line->kind && entry->size == line->size && entry->requested == line->requested &&
           entry->address + entry->lines * entry->size == line->address;
}

void dma_append(struct dma *dma, struct dma_line line, uint32_t lines)
{
    if (dma->count == dma->room)
        grow(dma);
    dma->count++;
    line.lines = lines;
    *entry(dma, dma->count - 1) = line;
}

void dma_request(struct dma *dma, struct dma_line line)
{
    if (dma->count && continues(entry(dma, dma->count - 1), &line))
        entry(dma, dma->count - 1)->lines++;
    else
        dma_append(dma, line, 1);
}

static void do_line(struct bus *bus, struct dma_line *line, cycles requested)
{
    struct dma *dma = &bus->dma;
    struct bus_transaction transaction = {
        .kind = line->kind, .address = line->address, .size = line->size, .now = requested};
    cycles done;
    bus_reserve(bus, &transaction, NULL, &done);
    dma->lines++;
    dma->next = done > requested + dma->interval ? done : requested + dma->interval;
    line->address += line->size;
    if (--line->lines == 0) {
        dma->first = (dma->first + 1) & (dma->room - 1);
        dma->count--;
    }
}

void dma_run(struct bus *bus, cycles now)
{
    struct dma *dma = &bus->dma;
    while (SIM_UNLIKELY(dma->count)) {
        struct dma_line *line = entry(dma, 0);
        cycles requested = line->requested > dma->next ? line->requested : dma->next;
        if (requested > now)
            break;
        do_line(bus, line, requested);
    }
}
