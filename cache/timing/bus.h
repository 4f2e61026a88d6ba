/*
 * The snooping bus between the CPUs' last caches and memory, with the memory behind it: what has to wait for what.
 *
 * The latencies of the memory system (memory.miss_time and so on) are the whole stall of an access that nobody is in
 * the way of, as SOSP'95 table 3.1 gives them. The bus adds what an access waits: bus_transact() returns 0 on an idle
 * bus.
 *
 * A transaction has an address phase and, by its kind, an access of memory or another cache's answer, and a data phase:
 *
 *   kind           after the address phase            then
 *   READ           memory reads, dram.latency         data phase
 *   SUPPLY         bus.supply_time                    data phase
 *   SUPPLY_UPDATE  bus.supply_time                    data phase, and memory writes
 *   UPGRADE
 *   UNCACHED       the rest of memory.uncached_latency data phase
 *   WRITE, UPDATE                                     data phase, and memory writes
 *
 * split: the address wires are held for the address phase only, the data wires for the data phase only
 * (bus.multiplexed: they are the same wires). atomic: the bus is held from the start of the address phase to the end of
 * the data phase. none: no bus, accesses wait for memory's banks only.
 *
 * A request made at NOW asks for the bus bus.request_time later, if it comes from a CPU through its caches, and can
 * have it bus.arbitration later, if it is free: arbitration goes on while others use the bus. Memory takes written data
 * from a buffer of its own: a busy bank delays the next access to it, not the bus.
 *
 * DMA goes line by line: a device asks for the next line when it has the one before, and not sooner than
 * bus.dma_interval after it asked for that; so CPUs wait for one of its lines at most.
 *
 * Ordering rule: first come, first served in the order of times, the order of calls between equals; see resource.h.
 *
 * Not modelled: phases aligned to the bus clock's edges, retries, a limit to outstanding transactions.
 */
#ifndef SIMOS_CACHE_BUS_H
#define SIMOS_CACHE_BUS_H

#include "cache/param_rows.h"
#include "cache/timing/resource.h"

/* Rows of the parameter table. */
#define BUS_PARAMS                                                                                                      \
    BOOL_ROW("memory.contention", "off",                                                                                \
             "accesses wait for the bus (bus.*) and memory's banks (dram.*); off: latencies only"),                     \
        CHOICE_ROW("bus.model", "split", "split|atomic|none",                                                           \
                   "split transactions; held for a whole transaction; none: memory's banks only"),                      \
        {"bus.clock", PARAM_HZ, "Hz", "50M", 1000000, 10000000000, false, NULL, "clock of the bus"},                    \
        {"bus.width", PARAM_SIZE, "bytes", "8", 1, 256, true, NULL, "bytes that go over the bus in one of its cycles"}, \
        {"bus.arbitration", PARAM_INT, "bus cycles", "1", 0, 64, false, NULL, "from a request to the address phase"},   \
        {"bus.address_cycles", PARAM_INT, "bus cycles", "1", 1, 64, false, NULL, "length of the address phase"},        \
        BOOL_ROW("bus.multiplexed", "off", "addresses and data share the wires of a split-transaction bus"),            \
        TIME_ROW("bus.supply_time", "0", "another cache: from the address to the first datum; 0: as dram.latency"),     \
        TIME_ROW("bus.request_time", "0", "from a CPU's access to its request for the bus (looking up its caches)"),    \
        TIME_ROW("bus.dma_interval", "0", "least time between a device's requests for two lines")

enum bus_kind { BUS_READ, BUS_SUPPLY, BUS_SUPPLY_UPDATE, BUS_UPGRADE, BUS_UNCACHED, BUS_WRITE, BUS_UPDATE, BUS_KINDS };

struct bus_transaction {
    enum bus_kind kind;
    bool from_cpu; /* a CPU's access, which takes bus.request_time to get here; else a write out of a buffer */
    paddr address;
    uint32_t size; /* of the data, bytes; 0: one bus cycle */
    cycles now;
};

/* What the bus must know of the memory system: times in CPU cycles. */
struct bus_environment {
    uint64_t clock_hz;
    uint32_t line; /* of the last level, bytes */
    cycles miss_time, upgrade_time, uncached_latency;
};

struct bus;

/* The bus and memory of PARAMS. *BUS is NULL if memory.contention is off. Fails, naming the parameter, if the phases do
 * not fit into ENVIRONMENT's times. */
bool bus_create(struct bus **bus, const struct params *params, const struct bus_environment *environment,
                struct err *err);
void bus_free(struct bus *bus);

/* Do TRANSACTION: the cycles that it waits for others, for a CPU more of a stall. *DONE, unless NULL: the end of its
 * last phase. LOG: as for resource_reserve(), which takes it back. */
cycles bus_transact(struct bus *bus, const struct bus_transaction *transaction, struct bookings *log, cycles *done);

/* A device asks at NOW for SIZE bytes from ADDRESS, in one line: KIND is READ, SUPPLY_UPDATE or WRITE. It gets them
 * after what it has asked for before. */
void bus_dma(struct bus *bus, enum bus_kind kind, paddr address, uint32_t size, cycles now);

/* A transfer asks at NOW for the bus, all of it, for DURATION cycles: the wait until it has it. */
cycles bus_hold(struct bus *bus, cycles now, cycles duration);

/* Register counters: "bus." (transactions by kind, address and data wires), "dram.bankN.". */
void bus_register_stats(struct bus *bus, struct stats *stats);

/* One line of text: model, clock, width, phases in CPU cycles; and one of memory's banks. */
void bus_describe(const struct bus *bus, FILE *out);

#endif
