#include "cache/timing/bus.h"

#include "cache/timing/bus_dma.h"
#include "cache/timing/bus_state.h"
#include "cache/timing/timing_saved.h"
#include "src/base/event.h"
#include <stdlib.h>
#include <string.h>

static uint64_t divide_up(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

static cycles cycles_of_time(const struct params *params, const char *name, uint64_t clock_hz)
{
    return cycles_of_nsec(params_u64(params, name), clock_hz);
}

/* Converts COUNT bus cycles to CPU cycles. */
static cycles cycles_of_bus_cycles(const struct bus *bus, uint64_t count)
{
    return divide_up(count * bus->cpu_hz, bus->clock_hz);
}

static cycles data_phase(const struct bus *bus, uint32_t size)
{
    if (bus->model == BUS_MODEL_NONE)
        return 0;
    return cycles_of_bus_cycles(bus, size ? divide_up(size, bus->width) : 1);
}

/* Creation */

/* Chooses the LATENCY of memory: the parameter, or what the other phases leave of a miss. Returns false if the phases
 * take longer than a miss. */
static bool choose_latency(struct bus *bus, const struct params *params, const struct bus_environment *environment,
                           cycles *latency, struct err *err)
{
    cycles others = bus->request + bus->arbitration + bus->address + data_phase(bus, environment->line);
    *latency = cycles_of_time(params, "dram.latency", environment->clock_hz);
    if (others + *latency > environment->miss_time)
        return err_set(err,
                       "memory.miss_time is %llu cycles: the phases of a miss take %llu (bus.request_time %llu, "
                       "bus.arbitration %llu, bus.address_cycles %llu, dram.latency %llu, data %llu)",
                       (unsigned long long)environment->miss_time, (unsigned long long)(others + *latency),
                       (unsigned long long)bus->request, (unsigned long long)bus->arbitration,
                       (unsigned long long)bus->address, (unsigned long long)*latency,
                       (unsigned long long)data_phase(bus, environment->line));
    if (!*latency)
        *latency = environment->miss_time - others;
    return true;
}

/* The response time of a device or of memory in an uncached access: what the address and data phases leave of its
 * latency. */
static cycles device_time(const struct bus *bus, const struct bus_environment *environment)
{
    cycles phases = bus->request + bus->arbitration + bus->address + data_phase(bus, 0);
    return environment->uncached_latency > phases ? environment->uncached_latency - phases : 0;
}

static bool check_upgrade(const struct bus *bus, const struct bus_environment *environment, struct err *err)
{
    cycles phases = bus->request + bus->arbitration + bus->address;
    if (phases <= environment->upgrade_time)
        return true;
    return err_set(err,
                   "memory.upgrade_time is %llu cycles: bus.request_time, bus.arbitration and bus.address_cycles take "
                   "%llu",
                   (unsigned long long)environment->upgrade_time, (unsigned long long)phases);
}

static void init_model(struct bus *bus, const struct params *params)
{
    bus->model = params_is(params, "bus.model", "none")     ? BUS_MODEL_NONE
                 : params_is(params, "bus.model", "atomic") ? BUS_MODEL_ATOMIC
                                                            : BUS_MODEL_SPLIT;
    bus->data = bus->model == BUS_MODEL_ATOMIC || params_bool(params, "bus.multiplexed") ? &bus->address_wires
                                                                                         : &bus->data_wires;
    if (bus->model == BUS_MODEL_NONE)
        return;
    bus->arbitration = cycles_of_bus_cycles(bus, params_u64(params, "bus.arbitration"));
    bus->address = cycles_of_bus_cycles(bus, params_u64(params, "bus.address_cycles"));
}

bool bus_create(struct bus **result, const struct params *params, const struct bus_environment *environment,
                struct err *err)
{
    *result = NULL;
    if (!params_bool(params, "memory.contention"))
        return true;
    struct bus *bus = calloc(1, sizeof *bus);
    if (!bus)
        abort();
    bus->cpu_hz = environment->clock_hz;
    bus->clock_hz = params_u64(params, "bus.clock");
    bus->width = (uint32_t)params_u64(params, "bus.width");
    bus->request = cycles_of_time(params, "bus.request_time", bus->cpu_hz);
    resource_init(&bus->address_wires);
    resource_init(&bus->data_wires);
    init_model(bus, params);
    cycles latency;
    if (!choose_latency(bus, params, environment, &latency, err) || !check_upgrade(bus, environment, err)) {
        free(bus);
        return false;
    }
    uint32_t interleave = (uint32_t)params_u64(params, "dram.interleave");
    dram_init(&bus->dram, (uint32_t)params_u64(params, "dram.banks"), interleave ? interleave : environment->line,
              latency, cycles_of_time(params, "dram.bank_busy", bus->cpu_hz));
    cycles supply = cycles_of_time(params, "bus.supply_time", bus->cpu_hz);
    bus->supply = supply ? supply : latency;
    bus->device = device_time(bus, environment);
    dma_init(&bus->dma, cycles_of_time(params, "bus.dma_interval", bus->cpu_hz));
    *result = bus;
    return true;
}

void bus_free(struct bus *bus)
{
    if (!bus)
        return;
    dma_release(&bus->dma);
    dram_release(&bus->dram);
    free(bus);
}

/* Transactions */

/* What a transaction does after the address phase. */
struct phases {
    bool memory_reads, cache_supplies, device_answers, data, memory_writes;
};

static const struct phases phases_of[BUS_KINDS] = {
    [BUS_READ] = {.memory_reads = true, .data = true},
    [BUS_SUPPLY] = {.cache_supplies = true, .data = true},
    [BUS_SUPPLY_UPDATE] = {.cache_supplies = true, .data = true, .memory_writes = true},
    [BUS_UPGRADE] = {0},
    [BUS_UNCACHED] = {.device_answers = true, .data = true},
    [BUS_WRITE] = {.data = true, .memory_writes = true},
    [BUS_UPDATE] = {.data = true, .memory_writes = true},
};

/* Starts a phase at START: it was READY when the previous phase ended, and waited for its resource in between. Adds the
 * waiting time to *WAIT. */
static cycles start_phase(cycles ready, cycles start, cycles *wait)
{
    *wait += start - ready;
    return start;
}

/* Response time of a source other than memory. Such a source is not shared, so there is no waiting time. */
static cycles response_time(const struct bus *bus, const struct phases *phases)
{
    return phases->cache_supplies ? bus->supply : phases->device_answers ? bus->device : 0;
}

/* Reserves address and data phases separately. Returns the end of the last one. */
static cycles transact_split(struct bus *bus, const struct phases *phases, paddr address, cycles data, cycles requested,
                             struct reservations *log, cycles *wait)
{
    cycles time = start_phase(requested, resource_reserve(&bus->address_wires, requested, bus->address, log), wait) +
                  bus->address;
    if (phases->memory_reads)
        time = start_phase(time, dram_access(&bus->dram, address, time, log), wait) + bus->dram.latency;
    time += response_time(bus, phases);
    if (phases->data)
        time = start_phase(time, resource_reserve(bus->data, time, data, log), wait) + data;
    return time;
}

/* Reserves all phases as one. The hold time of the bus depends on the waiting time for the bank, which depends on when
 * the bus is free: tries longer hold times until the bank's waiting time fits. */
static cycles transact_atomic(struct bus *bus, const struct phases *phases, paddr address, cycles data,
                              cycles requested, struct reservations *log, cycles *wait)
{
    cycles uncontended = bus->address + (phases->memory_reads ? bus->dram.latency : 0) + response_time(bus, phases) +
                         (phases->data ? data : 0);
    cycles hold = uncontended;
    while (phases->memory_reads) {
        cycles access = resource_find(&bus->address_wires, requested, hold) + bus->address;
        cycles needed = uncontended + dram_find(&bus->dram, address, access) - access;
        if (needed <= hold)
            break;
        hold = needed;
    }
    cycles start = resource_reserve(&bus->address_wires, requested, hold, log);
    if (phases->memory_reads)
        dram_access(&bus->dram, address, start + bus->address, log);
    *wait = start - requested + hold - uncontended;
    return start + hold;
}

cycles bus_reserve(struct bus *bus, const struct bus_transaction *transaction, struct reservations *log, cycles *done)
{
    const struct phases *phases = &phases_of[transaction->kind];
    cycles data = data_phase(bus, transaction->size);
    cycles requested = transaction->now + (transaction->from_cpu ? bus->request : 0) + bus->arbitration;
    cycles wait = 0;
    cycles end = (bus->model == BUS_MODEL_ATOMIC ? transact_atomic : transact_split)(bus, phases, transaction->address,
                                                                                     data, requested, log, &wait);
    if (phases->memory_writes) {
        cycles write = dram_access(&bus->dram, transaction->address, end, log);
        if (bus->model == BUS_MODEL_NONE)
            end = write + bus->dram.busy;
    }
    if (transaction->now > bus->latest)
        bus->latest = transaction->now;
    *done = end;
    return wait;
}

cycles bus_transact(struct bus *bus, const struct bus_transaction *transaction, struct reservations *log, cycles *done)
{
    cycles end;
    dma_run(bus, transaction->now + (transaction->from_cpu ? bus->request : 0));
    bus->transactions[transaction->kind]++;
    cycles wait = bus_reserve(bus, transaction, log, &end);
    if (done)
        *done = end;
    return wait;
}

void bus_dma(struct bus *bus, enum bus_kind kind, paddr address, uint32_t size, cycles now)
{
    dma_request(&bus->dma, (struct dma_line){.kind = kind, .address = address, .size = size, .requested = now});
    dma_run(bus, now);
}

/* Reserves the whole bus: for a transfer of the block-transfer engine (Xia and Torrellas, IEEE TC 1999, section 4.3).
 */
cycles bus_hold(struct bus *bus, cycles now, cycles duration)
{
    if (bus->model == BUS_MODEL_NONE)
        return 0;
    const cycles requested = now + bus->arbitration;
    cycles start = requested, found = requested;
    dma_run(bus, requested);
    do {
        start = resource_find(&bus->address_wires, found, duration);
        found = resource_find(&bus->data_wires, start, duration);
    } while (found != start);
    resource_reserve(&bus->address_wires, start, duration, NULL);
    resource_reserve(&bus->data_wires, start, duration, NULL);
    return start - now;
}

/* Statistics */

static void register_kind(struct bus *bus, struct stats *stats, enum bus_kind kind, const char *name, const char *text)
{
    stats_counter(stats, name, "transactions", text, &bus->transactions[kind]);
}

static void register_resource(struct bus *bus, struct stats *stats, struct resource_view *view,
                              const struct resource *resource, const char *name)
{
    *view = (struct resource_view){resource, &bus->latest};
    resource_register_stats(view, stats, name);
}

void bus_register_stats(struct bus *bus, struct stats *stats)
{
    if (bus->model != BUS_MODEL_NONE) {
        register_kind(bus, stats, BUS_READ, "bus.reads", "reads of memory");
        register_kind(bus, stats, BUS_SUPPLY, "bus.supplies", "lines from cache to cache");
        register_kind(bus, stats, BUS_SUPPLY_UPDATE, "bus.supply_updates", "lines from cache to cache and memory");
        register_kind(bus, stats, BUS_UPGRADE, "bus.upgrades", "invalidations without data");
        register_kind(bus, stats, BUS_WRITE, "bus.writes", "writes of memory");
        register_kind(bus, stats, BUS_UNCACHED, "bus.uncached", "uncached and device accesses");
        register_kind(bus, stats, BUS_UPDATE, "bus.updates", "words broadcast to other caches and memory");
        stats_counter(stats, "bus.dma_lines", "lines", "lines, or parts of a line, from and to devices",
                      &bus->dma.lines);
        register_resource(bus, stats, &bus->address_view, &bus->address_wires,
                          bus->data == &bus->address_wires ? "bus.wires" : "bus.address");
        if (bus->data != &bus->address_wires)
            register_resource(bus, stats, &bus->data_view, &bus->data_wires, "bus.data");
    }
    for (uint32_t i = 0; i < bus->dram.banks; i++) {
        char name[32];
        snprintf(name, sizeof name, "dram.bank%u", i);
        register_resource(bus, stats, &bus->bank_view[i], &bus->dram.bank[i], name);
    }
}

void bus_describe(const struct bus *bus, FILE *out)
{
    static const char *const model[] = {"none", "atomic", "split transactions"};
    fprintf(out, "bus: %s", model[bus->model]);
    if (bus->model != BUS_MODEL_NONE)
        fprintf(out, ", %g MHz, %u bytes wide; cycles: arbitration %llu, address %llu, cache response %llu",
                (double)bus->clock_hz / 1e6, bus->width, (unsigned long long)bus->arbitration,
                (unsigned long long)bus->address, (unsigned long long)bus->supply);
    fprintf(out, "\nmemory: latency %llu cycles", (unsigned long long)bus->dram.latency);
    if (bus->dram.banks)
        fprintf(out, ", banks %u, each busy for %llu, next after %u bytes\n", bus->dram.banks,
                (unsigned long long)bus->dram.busy, 1u << bus->dram.interleave_shift);
    else
        fprintf(out, ", any number of accesses at once\n");
}

/* Checkpoints, except the reservation tables of the bus */

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
