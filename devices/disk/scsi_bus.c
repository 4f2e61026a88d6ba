#include "devices/disk/scsi_bus.h"
#include "devices/device_stats.h"
#include <stdlib.h>

enum { NO_OWNER = SCSI_BUS_MAX_PORTS };

struct scsi_bus {
    struct disk_clock clock;
    struct event event; /* an arbitration, or the end of a transfer */
    struct scsi_port *ports[SCSI_BUS_MAX_PORTS];
    bool busy;
    unsigned owner; /* port whose transfer occupies the bus; NO_OWNER: the transfer was cancelled, or the bus is free */
    nsec busy_end;  /* disk time */
    uint64_t transfers, bytes, busy_time, waited;
};

static void begin_transfer(struct scsi_bus *bus, unsigned number)
{
    uint32_t bytes = bus->ports[number]->bytes;
    nsec duration = (nsec)bytes * SCSI_BUS_NSEC_PER_BYTE;
    bus->busy = true;
    bus->owner = number;
    bus->transfers++;
    bus->bytes += bytes;
    bus->busy_time += duration;
    bus->busy_end = disk_clock_now(&bus->clock) + duration;
    event_schedule(bus->clock.queue, &bus->event, disk_clock_cycles(&bus->clock, bus->busy_end));
}

static void arbitrate(struct scsi_bus *bus)
{
    unsigned winner = SCSI_BUS_MAX_PORTS, waiting = 0;
    for (unsigned i = SCSI_BUS_MAX_PORTS; i-- > 0;)
        if (bus->ports[i] && bus->ports[i]->bytes) {
            winner = i;
            waiting++;
        }
    if (waiting == 0)
        return;
    bus->waited += waiting - 1;
    begin_transfer(bus, winner);
}

/* Schedule an arbitration after the other events of this cycle. */
static void schedule_arbitration(struct scsi_bus *bus)
{
    if (!bus->busy && !event_is_scheduled(&bus->event))
        event_schedule(bus->clock.queue, &bus->event, bus->clock.queue->now);
}

static void bus_fire(void *opaque)
{
    struct scsi_bus *bus = opaque;
    if (!bus->busy) {
        arbitrate(bus);
        return;
    }
    struct scsi_port *port = bus->owner == NO_OWNER ? NULL : bus->ports[bus->owner];
    bus->busy = false;
    bus->owner = NO_OWNER;
    if (port) {
        port->bytes = 0;
        port->done(port->opaque);
    }
    schedule_arbitration(bus);
}

struct scsi_bus *scsi_bus_create(struct disk_clock clock)
{
    struct scsi_bus *bus = checked_memory(calloc(1, sizeof *bus));
    bus->clock = clock;
    bus->owner = NO_OWNER;
    event_init(&bus->event, "SCSI bus", bus_fire, bus);
    return bus;
}

void scsi_bus_free(struct scsi_bus *bus)
{
    if (!bus)
        return;
    event_cancel(bus->clock.queue, &bus->event);
    free(bus);
}

void scsi_bus_connect(struct scsi_bus *bus, struct scsi_port *port, unsigned number)
{
    if (number >= SCSI_BUS_MAX_PORTS || bus->ports[number])
        log_bug("SCSI bus: port %u is in use or does not exist", number);
    port->number = number;
    port->bytes = 0;
    bus->ports[number] = port;
}

void scsi_bus_disconnect(struct scsi_bus *bus, struct scsi_port *port)
{
    scsi_bus_cancel(bus, port);
    bus->ports[port->number] = NULL;
}

void scsi_bus_request(struct scsi_bus *bus, struct scsi_port *port, uint32_t bytes)
{
    if (port->bytes || !bytes)
        log_bug("SCSI bus: disk %u asks for %u bytes while it waits for %u", port->number, bytes, port->bytes);
    port->bytes = bytes;
    schedule_arbitration(bus);
}

void scsi_bus_cancel(struct scsi_bus *bus, struct scsi_port *port)
{
    if (bus->owner == port->number)
        bus->owner = NO_OWNER;
    port->bytes = 0;
}

/* Disk time for which the bus was occupied so far. */
static nsec occupied(const struct scsi_bus *bus)
{
    nsec now = disk_clock_now(&bus->clock);
    return bus->busy_time - (bus->busy && bus->busy_end > now ? bus->busy_end - now : 0);
}

static uint64_t busy_time(const void *opaque)
{
    const struct scsi_bus *bus = opaque;
    return occupied(bus) / bus->clock.speed;
}

static double utilisation(const void *opaque)
{
    const struct scsi_bus *bus = opaque;
    return (double)occupied(bus) / (double)disk_clock_now(&bus->clock);
}

static const struct saved_field fields[] = {
    SAVED_FIELD(struct scsi_bus, busy, SAVED_BOOL),    SAVED_LIMITED(struct scsi_bus, owner, SAVED_U32, NO_OWNER),
    SAVED_FIELD(struct scsi_bus, busy_end, SAVED_U64), /* disk time */
    SAVED_FIELD(struct scsi_bus, event, SAVED_EVENT),  SAVED_STATISTIC(struct scsi_bus, transfers),
    SAVED_STATISTIC(struct scsi_bus, bytes),           SAVED_STATISTIC(struct scsi_bus, busy_time),
    SAVED_STATISTIC(struct scsi_bus, waited),
};

/* An owned transfer must be in progress and requested by its port; a busy bus, or a waiting port, needs a scheduled
 * event. */
static bool bus_loaded(void *base, struct err *err)
{
    const struct scsi_bus *bus = base;
    bool waiting = false;
    for (unsigned i = 0; i < SCSI_BUS_MAX_PORTS; i++)
        waiting |= bus->ports[i] && bus->ports[i]->bytes;
    bool owned = bus->owner != NO_OWNER;
    bool ok = !owned || (bus->busy && bus->ports[bus->owner] && bus->ports[bus->owner]->bytes);
    ok &= !(bus->busy || waiting) || event_is_scheduled(&bus->event);
    return ok || err_set(err, "inconsistent state of a transfer");
}

void scsi_bus_register_saved(struct scsi_bus *bus, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.after_load = bus_loaded};
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .timing = true,
                                             .base = bus,
                                             .fields = fields,
                                             .field_count = sizeof fields / sizeof fields[0],
                                             .ops = &ops});
}

void scsi_bus_register_stats(const struct scsi_bus *bus, struct stats *stats, const char *prefix)
{
    char name[96];
    const struct device_counter rows[] = {
        {"transfers", "transfers", "transfers over the bus", &bus->transfers},
        {"bytes", "bytes", "bytes transferred", &bus->bytes},
        {"contended", "disks", "disks that lost an arbitration, once each", &bus->waited},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
    snprintf(name, sizeof name, "%s.busy_time", prefix);
    stats_integer(stats, name, "ns", "time the bus was occupied by transfers", busy_time, bus);
    snprintf(name, sizeof name, "%s.utilisation", prefix);
    stats_formula(stats, name, "", "part of the time that the bus was occupied", utilisation, bus);
}
