/*
 * The snooping bus between the last-level caches of the CPUs and memory, including memory: contention delays.
 *
 * The latencies of the memory system (memory.miss_time and so on) are the whole stall of an access without contention,
 * as SOSP'95 table 3.1 gives them. The bus adds waiting time only: bus_transact() returns 0 on an idle bus.
 *
 * A transaction has an address phase, then, depending on its kind, a memory access or the response of another cache,
 * then a data phase:
 *
 *   kind           after the address phase            then
 *   READ           memory reads, dram.latency         data phase
 *   SUPPLY         bus.supply_time                    data phase
 *   SUPPLY_UPDATE  bus.supply_time                    data phase, and memory writes
 *   UPGRADE
 *   UNCACHED       the rest of memory.uncached_latency data phase
 *   WRITE, UPDATE                                     data phase, and memory writes
 *
 * split: the address wires are held for the address phase only, the data wires for the data phase only (with
 * bus.multiplexed they are the same wires). atomic: the bus is held from the start of the address phase to the end of
 * the data phase. none: no bus; accesses wait for memory banks only.
 *
 * An access at time NOW that comes from a CPU through its caches requests the bus bus.request_time later. The bus is
 * granted bus.arbitration after the request at the earliest: arbitration overlaps with other transactions. Memory
 * buffers the data written to it, so a busy bank delays the next access to the bank and not the bus.
 *
 * DMA proceeds line by line. A device requests the next line when the previous one is complete, and at least
 * bus.dma_interval after the previous request. A CPU therefore waits for at most one line of a device.
 *
 * Ordering rule: requests are served in order of their times, those with equal times in call order; see resource.h.
 *
 * Not modelled: alignment of phases to bus clock edges, retries, a limit on outstanding transactions.
 */
#ifndef SIMOS_CACHE_TIMING_BUS_H
#define SIMOS_CACHE_TIMING_BUS_H

#include "cache/param_rows.h"
#include "cache/timing/resource.h"

/* Rows of the parameter table. */
#define BUS_PARAMS                                                                                                      \
    BOOL_ROW("memory.contention", MEMORY_TRAITS, "off",                                                                 \
             "model contention for the bus (bus.*) and the memory banks (dram.*); off: latencies only"),                \
        CHOICE_ROW("bus.model", MEMORY_TRAITS, "split", "split|atomic|none",                                            \
                   "split transactions; bus held for a whole transaction; none: memory banks only"),                    \
        {"bus.clock", PARAM_HZ, MEMORY_TRAITS, "Hz", "50M", 1000000, 10000000000, false, NULL, "clock of the bus"},     \
        {"bus.width", PARAM_SIZE, MEMORY_TRAITS, "bytes", "8", 1, 256, true, NULL, "bytes transferred in a bus cycle"}, \
        {"bus.arbitration",                                                                                             \
         PARAM_INT,                                                                                                     \
         MEMORY_TRAITS,                                                                                                 \
         "bus cycles",                                                                                                  \
         "1",                                                                                                           \
         0,                                                                                                             \
         64,                                                                                                            \
         false,                                                                                                         \
         NULL,                                                                                                          \
         "from a request to the address phase"},                                                                        \
        {"bus.address_cycles",         PARAM_INT, MEMORY_TRAITS, "bus cycles", "1", 1, 64, false, NULL,                 \
         "length of the address phase"},                                                                                \
        BOOL_ROW("bus.multiplexed", MEMORY_TRAITS, "off",                                                               \
                 "addresses and data share the wires of a split-transaction bus"),                                      \
        TIME_ROW("bus.supply_time", MEMORY_TRAITS, "0",                                                                 \
                 "response time of another cache, from the address to the first datum; 0: as dram.latency"),            \
        TIME_ROW("bus.request_time", MEMORY_TRAITS, "0",                                                                \
                 "from a CPU's access to its request for the bus (looking up its caches)"),                             \
        TIME_ROW("bus.dma_interval", MEMORY_TRAITS, "0", "minimum time between two line requests of a device")

enum bus_kind { BUS_READ, BUS_SUPPLY, BUS_SUPPLY_UPDATE, BUS_UPGRADE, BUS_UNCACHED, BUS_WRITE, BUS_UPDATE, BUS_KINDS };

struct bus_transaction {
    enum bus_kind kind;
    bool from_cpu; /* request of a CPU, which arrives after bus.request_time; else a write out of a buffer */
    paddr address;
    uint32_t size; /* bytes of data; 0: one bus cycle */
    cycles now;
};

/* Parameters of the memory system that the bus needs. Times in CPU cycles. */
struct bus_environment {
    uint64_t clock_hz;
    uint32_t line; /* last-level line size, bytes */
    cycles miss_time, upgrade_time, uncached_latency;
};

struct bus;

/* Creates the bus and memory that PARAMS describe. *BUS is NULL if memory.contention is off. Returns false, with ERR
 * naming the parameter, if the phases take longer than ENVIRONMENT's latencies. */
bool bus_create(struct bus **bus, const struct params *params, const struct bus_environment *environment,
                struct err *err);
void bus_free(struct bus *bus);

/* Performs TRANSACTION. Returns its waiting time in cycles, by which the stall of a CPU grows. *DONE, unless DONE is
 * NULL: the end of its last phase. LOG: the reservations, as for resource_reserve(), so that they can be cancelled. */
cycles bus_transact(struct bus *bus, const struct bus_transaction *transaction, struct reservations *log, cycles *done);

/* A device requests, at NOW, SIZE bytes from ADDRESS, within one line. KIND is READ, SUPPLY_UPDATE or WRITE. The
 * request is queued behind the device's earlier requests. */
void bus_dma(struct bus *bus, enum bus_kind kind, paddr address, uint32_t size, cycles now);

/* Reserves the whole bus for DURATION cycles, requested at NOW. Returns the waiting time in cycles. */
cycles bus_hold(struct bus *bus, cycles now, cycles duration);

/* Registers counters: "bus." (transactions by kind, address and data wires), "dram.bankN.". */
void bus_register_stats(struct bus *bus, struct stats *stats);

/* Prints one line with model, clock, width and phases in CPU cycles, and one for the memory banks. */
void bus_describe(const struct bus *bus, FILE *out);

#endif
