/* Contention delays of an access: replays its recorded effects on write buffers, ports and bus. */
#include "cache/timing/timing.h"
#include "cache/timing/timing_state.h"

struct retirement timing_write_memory(void *bus, paddr address, uint32_t size, cycles now, struct reservations *log)
{
    struct bus_transaction write = {.kind = BUS_WRITE, .address = address, .size = size, .now = now};
    cycles end;
    bus_transact(bus, &write, log, &end);
    return (struct retirement){log->count ? log->reservation[0].start : now, end};
}

/* Reads */

/* A prefetch takes STEP at NOW, after the writes and the prefetches before it. It has the port only while nobody else
 * wants it, so it reserves nothing. Returns when it has the next level. */
static cycles take_idle_step(struct timing_step *step, bool fetch, paddr address, cycles now)
{
    struct timing_port *port = step->port[fetch];
    now = write_buffer_ready(&step->buffer, now);
    if (!port->banks.bank)
        return now;
    now = resource_find(banks_at(&port->banks, address), now > port->prefetched ? now : port->prefetched,
                        port->occupancy);
    port->prefetched = now + port->occupancy;
    return now;
}

/* RESPONSE's request takes STEP at NOW. Returns when it can use the next level. */
static inline cycles take_step(struct timing_step *step, const struct memsys_response *response, cycles now)
{
    const bool fetch = response->access == MEMSYS_FETCH;
    const struct timing_port *port = step->port[fetch];
    if (SIM_UNLIKELY(response->prefetch))
        return take_idle_step(step, fetch, response->address, now);
    if (fetch && step->split)
        write_buffer_pass(&step->buffer, now);
    else if (write_buffer_count(&step->buffer))
        now += write_buffer_read(&step->buffer, now, response->address & ~(step->line - 1), step->line);
    return port->banks.bank ? resource_reserve(banks_at(&port->banks, response->address), now, port->occupancy, NULL)
                            : now;
}

/* Transfers the line over the bus. Returns the waiting time. */
static cycles transfer_line(struct timing *timing, const struct memsys_response *response, cycles now)
{
    const uint32_t block = timing->environment.block_size;
    struct bus_transaction transaction = {
        .kind = BUS_READ, .from_cpu = true, .address = response->address & ~(block - 1), .size = block, .now = now};
    if (response->source == SOURCE_CACHE)
        transaction.kind = response->memory_updated ? BUS_SUPPLY_UPDATE : BUS_SUPPLY;
    return response->source == SOURCE_NODE ? 0 : bus_transact(timing->bus, &transaction, NULL, NULL);
}

/* A shared cache answers the upgrade of a store. Returns the waiting time: none if the access has come there anyway. */
static cycles ask_home(const struct timing *timing, const struct memsys_response *response, cycles now)
{
    const struct timing_port *port = timing->node[response->cpu].step[response->home - 2]->port[0];
    return !port->banks.bank || response->source >= response->home
               ? 0
               : resource_reserve(banks_at(&port->banks, response->address), now, port->occupancy, NULL) - now;
}

/* Sends the upgrade or update of a store to the other CPUs. Returns the waiting time. */
static cycles send_to_others(struct timing *timing, const struct memsys_response *response, cycles now)
{
    struct bus_transaction transaction = {
        .kind = BUS_UPGRADE, .from_cpu = true, .address = response->address, .size = response->size, .now = now};
    if (response->home)
        return ask_home(timing, response, now);
    if (response->message == MESSAGE_UPDATE)
        transaction.kind = BUS_UPDATE;
    return timing->bus ? bus_transact(timing->bus, &transaction, NULL, NULL) : 0;
}

/* Fetches RESPONSE's line to level FIRST, which requests it at NOW. Returns the sum of the waits on the way. */
static cycles fetch_memory_line(struct timing *timing, const struct memsys_response *response, unsigned first,
                                cycles now)
{
    struct timing_step *const *const step = timing->node[response->cpu].step;
    const unsigned levels = timing->environment.levels;
    const unsigned holder = response->source < SOURCE_MEMORY ? response->source - 1u : levels;
    cycles time = now;
    for (unsigned level = first; level < holder; level++)
        time = take_step(step[level], response, time);
    if (holder == levels && timing->bus)
        time += transfer_line(timing, response, time);
    for (unsigned level = holder; level > first; level--)
        write_buffer_resume(&step[level - 1]->buffer);
    return time - now;
}

/* Writes */

/* Writes to memory at NOW without a write buffer. */
static void write_unbuffered(struct timing *timing, const struct memsys_outward_write *write, cycles now)
{
    struct bus_transaction transaction = {
        .kind = BUS_WRITE, .address = write->address, .size = write->size, .now = now};
    if (timing->bus)
        bus_transact(timing->bus, &transaction, NULL, NULL);
}

/* Passes a write to memory, through the last level's write buffer if there is one. Returns the wait for a free entry.
 */
static cycles write_to_memory(struct timing *timing, struct timing_node *node, const struct memsys_outward_write *write,
                              cycles now)
{
    struct write_buffer *last = &node->step[timing->environment.levels - 1]->buffer;
    if (write_buffer_exists(last))
        return write_buffer_write(last, now, write->address, write->size, 0);
    write_unbuffered(timing, write, now);
    return 0;
}

static bool leaves_last_level(const struct timing *timing, const struct memsys_outward_write *write)
{
    return write->level == timing->environment.levels;
}

/* Puts WRITE into the write buffer behind its level at NOW. Returns the wait for a free entry. EXTRA: as for
 * write_buffer_write(). */
static cycles buffer_write(struct timing *timing, struct timing_node *node, const struct memsys_outward_write *write,
                           cycles now, cycles extra)
{
    struct write_buffer *buffer = &node->step[write->level - 1]->buffer;
    if (write_buffer_exists(buffer)) {
        if (write->memory && !leaves_last_level(timing, write))
            extra += write_to_memory(timing, node, write, write_buffer_ready(buffer, now));
        return write_buffer_write(buffer, now, write->address, write->size, extra);
    }
    if (!write->memory)
        return 0;
    return write_to_memory(timing, node, write, now);
}

/* Time to write back the modified victims, of caches that do so before the fill. */
static cycles write_back_first(const struct timing *timing, const struct memsys_response *response)
{
    cycles time = 0;
    for (unsigned i = 0; i < response->writes; i++)
        if (!response->write[i].store)
            time += timing->write_back_time[response->write[i].level - 1];
    return time;
}

/* Puts the dirty victims, evicted at NOW, into write buffers, at once or at LINE_ARRIVES. Returns the cycles after
 * LINE_ARRIVES until the last one has an entry. */
static cycles buffer_victims(struct timing *timing, const struct memsys_response *response, cycles now,
                             cycles line_arrives)
{
    struct timing_node *node = &timing->node[response->cpu];
    for (unsigned i = 0; i < response->writes; i++) {
        const struct memsys_outward_write *write = &response->write[i];
        if (write->store)
            continue;
        if (node->step[write->level - 1]->buffer.config.victims_after_fill && now < line_arrives)
            now = line_arrives;
        now += buffer_write(timing, node, write, now, 0);
    }
    return now > line_arrives ? now - line_arrives : 0;
}

/* Index of the first posted store at or after FIRST; response->writes if there is none. */
static unsigned find_store(const struct memsys_response *response, unsigned first)
{
    while (first < response->writes && !response->write[first].store)
        first++;
    return first;
}

static cycles latency_of(const struct timing *timing, const struct memsys_response *response)
{
    if (response->source < SOURCE_MEMORY)
        return timing->environment.level[response->source - 1].hit_time;
    return response->source == SOURCE_CACHE ? timing->environment.intervention_time : timing->environment.miss_time;
}

/* The work of the level that takes a posted store, which leaves the level before at NOW: fetches the line, sends an
 * upgrade or update. Returns its duration. */
static cycles perform_store(struct timing *timing, const struct memsys_response *response,
                            const struct memsys_outward_write *last, cycles now)
{
    const struct timing_environment *environment = &timing->environment;
    cycles time = now;
    if (response->fetched_posted) {
        unsigned taker = leaves_last_level(timing, last) ? last->level - 1u : last->level;
        time += write_back_first(timing, response);
        if (response->source) /* not if the line was allocated without a read */
            time += fetch_memory_line(timing, response, taker, time) + latency_of(timing, response);
        time += buffer_victims(timing, response, now, time);
    }
    if (response->message) {
        time += send_to_others(timing, response, time);
        time += response->message == MESSAGE_UPDATE ? environment->update_time
                : response->home                    ? environment->level[response->home - 1].upgrade_time
                                                    : environment->upgrade_time;
    }
    return time - now;
}

/* Posts the store write[INDEX] from its level at NOW. Returns the wait for write buffer entries. A level without a
 * buffer passes the store on at once; nothing waits for the work of the level that takes it. */
static cycles post_store(struct timing *timing, const struct memsys_response *response, unsigned index, cycles now)
{
    struct timing_node *node = &timing->node[response->cpu];
    const struct memsys_outward_write *write = &response->write[index];
    struct write_buffer *buffer = &node->step[write->level - 1]->buffer;
    const unsigned next = find_store(response, index + 1);
    cycles extra = 0;
    if (next < response->writes)
        extra = post_store(timing, response, next, write_buffer_ready(buffer, now));
    else if (response->fetched_posted || response->message)
        extra = perform_store(timing, response, write, write_buffer_ready(buffer, now));
    cycles wait = buffer_write(timing, node, write, now, extra);
    return !write_buffer_exists(buffer) && next < response->writes ? extra : wait;
}

/* Interface */

static void note_time(struct timing *timing, cycles now)
{
    if (now > timing->latest)
        timing->latest = now;
}

struct timing_wait timing_waits(struct timing *timing, const struct memsys_response *response)
{
    struct timing_wait wait = {0, 0};
    cycles now = response->now;
    note_time(timing, now);
    if (!response->fetched_posted) {
        wait.request = write_back_first(timing, response);
        if (response->source)
            wait.request += fetch_memory_line(timing, response, response->from, now + wait.request);
    }
    if (!response->writes && !response->message)
        return wait;
    unsigned store = find_store(response, 0);
    if (store == response->writes && response->message)
        wait.request += send_to_others(timing, response, now + wait.request);
    cycles end = now + wait.request + response->stall;
    if (!response->fetched_posted)
        wait.write_buffer += buffer_victims(timing, response, now, end);
    if (store < response->writes)
        wait.write_buffer += post_store(timing, response, store, end + wait.write_buffer);
    return wait;
}

cycles timing_store(struct timing *timing, unsigned cpu, paddr address, uint32_t size, cycles now)
{
    struct timing_node *node = &timing->node[cpu];
    struct write_buffer *buffer = &node->step[0]->buffer;
    if (store_queue_put(&buffer->queue, now, address, size))
        return 0;
    note_time(timing, now);
    const struct memsys_outward_write write = {
        .level = 1, .memory = timing->environment.levels == 1, .store = true, .address = address, .size = size};
    return buffer_write(timing, node, &write, now, 0);
}

struct store_queue *timing_store_queue(struct timing *timing, unsigned cpu)
{
    struct write_buffer *buffer = &timing->node[cpu].step[0]->buffer;
    return write_buffer_exists(buffer) && !buffer->at_once ? &buffer->queue : NULL;
}

cycles timing_uncached(struct timing *timing, unsigned cpu, enum memsys_access access, paddr address, uint32_t size,
                       cycles now)
{
    cycles wait = 0;
    note_time(timing, now);
    if (access != MEMSYS_FETCH) {
        for (unsigned level = 0; level < timing->environment.levels; level++)
            wait += write_buffer_drain(&timing->node[cpu].step[level]->buffer, now + wait);
    }
    struct bus_transaction transaction = {
        .kind = BUS_UNCACHED, .from_cpu = true, .address = address, .size = size, .now = now + wait};
    if (timing->bus)
        wait += bus_transact(timing->bus, &transaction, NULL, NULL);
    return wait;
}

void timing_dma(struct timing *timing, bool write, bool supplied, paddr address, uint32_t size, cycles now)
{
    if (!timing->bus)
        return;
    if (supplied && write) /* first the dirty line, then the device's part of it */
        bus_dma(timing->bus, BUS_WRITE, address & ~(timing->environment.block_size - 1), timing->environment.block_size,
                now);
    enum bus_kind kind = write ? BUS_WRITE : supplied ? BUS_SUPPLY_UPDATE : BUS_READ;
    bus_dma(timing->bus, kind, address, size, now);
}

cycles timing_hold_bus(struct timing *timing, cycles now, cycles duration)
{
    note_time(timing, now);
    return timing->bus ? bus_hold(timing->bus, now, duration) : 0;
}
