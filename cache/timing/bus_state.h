/* Internal state of the bus, shared by its transactions and its DMA. Private to cache/timing/bus*.c. */
#ifndef SIMOS_CACHE_TIMING_BUS_STATE_H
#define SIMOS_CACHE_TIMING_BUS_STATE_H

#include "cache/timing/bus.h"
#include "cache/timing/bus_dma.h"
#include "cache/timing/dram.h"

enum bus_model { BUS_MODEL_NONE, BUS_MODEL_ATOMIC, BUS_MODEL_SPLIT };

struct bus {
    enum bus_model model;
    uint64_t cpu_hz, clock_hz;
    uint32_t width;
    cycles request, arbitration, address, supply, device;
    struct resource address_wires, data_wires;
    struct resource *data; /* wires used in the data phase: one of the two above */
    struct dram dram;
    struct dma dma;
    uint64_t transactions[BUS_KINDS];
    cycles latest; /* latest request time of any transaction */
    struct resource_view address_view, data_view, bank_view[DRAM_BANKS_MAX];
};

/* bus_transact() without pending DMA and without counting the transaction. */
cycles bus_reserve(struct bus *bus, const struct bus_transaction *transaction, struct reservations *log, cycles *done);

#endif
