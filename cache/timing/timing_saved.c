/* The section "timing": reservation tables of all ports, wires and banks; pending DMA; write buffers. */
#include "cache/timing/timing_saved.h"

#include "cache/timing/timing_state.h"
#include <stdlib.h>

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct timing, latest, SAVED_TIME, TIMING_TIME_MAX),
};

static void list_resources(struct timing *timing, struct resource_list *list)
{
    list->count = 0;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++) {
            resource_list_add(list, timing->node[cpu].data_port[level]);
            resource_list_add(list, timing->node[cpu].insn_port[level]);
        }
    if (timing->bus)
        bus_list_resources(timing->bus, list);
}

static void write_timing(void *base, struct saved_out *out)
{
    struct timing *timing = base;
    struct resource_list list;
    list_resources(timing, &list);
    for (uint32_t i = 0; i < list.count; i++)
        resource_write(list.resource[i], out);
    if (timing->bus)
        bus_write(timing->bus, out);
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            write_buffer_save(&timing->node[cpu].buffer[level], &list, out);
}

static bool read_timing(void *base, struct saved_in *in, struct err *err)
{
    struct timing *timing = base;
    struct resource_list list;
    list_resources(timing, &list);
    for (uint32_t i = 0; i < list.count; i++)
        if (!resource_read(list.resource[i], in, err))
            return false;
    if (timing->bus && !bus_read(timing->bus, in, err))
        return false;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            if (!write_buffer_load(&timing->node[cpu].buffer[level], &list, in, err))
                return false;
    return true;
}

/* Copies all reservations of BUFFER to ALL, from index COUNT on. Returns the new count. */
static size_t collect(const struct write_buffer *buffer, struct reservation *all, size_t count)
{
    for (uint32_t i = 0; i < buffer->count; i++) {
        /* after loading, the oldest entry is number 0 */
        const struct reservations *reservations = &buffer->entry[i].reservations;
        for (uint32_t j = 0; j < reservations->count; j++)
            all[count++] = reservations->reservation[j];
    }
    return count;
}

static bool after_load(void *base, struct err *err)
{
    struct timing *timing = base;
    size_t capacity = 1, count = 0;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            capacity += (size_t)timing->node[cpu].buffer[level].count * RESERVATIONS_MAX;
    struct reservation *all = checked_memory(calloc(capacity, sizeof *all));
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            count = collect(&timing->node[cpu].buffer[level], all, count);
    bool good = reservations_check(all, count, err);
    free(all);
    return good;
}

void timing_register_saved(struct timing *timing, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_timing, .read = read_timing, .after_load = after_load};
    saved_add(saved,
              &(struct saved_section){
                  .name = "timing", .version = 1, .timing = true, .base = timing, SAVED_TABLE(fields), .ops = &ops});
}
