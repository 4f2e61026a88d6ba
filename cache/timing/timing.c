#include "cache/timing/timing.h"

#include "cache/timing/timing_saved.h"
#include "cache/timing/timing_state.h"
#include "src/base/event.h"
#include <stdlib.h>

/* Creation */

static const char *const data_cache[TIMING_LEVELS] = {"l1d", "l2", "l3"};
static const char *const insn_cache[TIMING_LEVELS] = {"l1i", "l2i", "l3i"};

/* Whether LEVEL has a port of its own for instructions (INSN 1), or data (0). */
static bool has_own_port(const struct timing *timing, unsigned level, unsigned insn)
{
    return timing->occupancy[insn][level] && (!insn || timing->environment.level[level].split);
}

/* The parameter cache.CACHE.KEY in cycles. */
static cycles time_of(const struct params *params, const char *cache, const char *key, uint64_t clock_hz)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.%s", cache, key);
    return cycles_of_nsec(params_u64(params, name), clock_hz);
}

static uint32_t banks_of(const struct params *params, const char *cache)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.banks", cache);
    return (uint32_t)params_u64(params, name);
}

/* Reads the parameters of all levels. Sets *ANYTHING if there is any source of contention. */
static bool read_levels(struct timing *timing, const struct params *params, struct write_buffer_config *config,
                        bool *anything, struct err *err)
{
    const struct timing_environment *environment = &timing->environment;
    for (unsigned level = 0; level < environment->levels; level++) {
        if (!write_buffer_config(&config[level], params, data_cache[level], environment->level[level].line, err))
            return false;
        timing->write_back_time[level] = time_of(params, data_cache[level], "write_back_time", environment->clock_hz);
        if (config[level].depth != 0 && timing->write_back_time[level] != 0)
            return err_set(err,
                           "cache.%s.write_back_time: modified victims go to the write buffer (write_buffer.depth)",
                           data_cache[level]);
        *anything |= config[level].depth != 0 || timing->write_back_time[level] != 0;
        if (level == 0)
            continue; /* no port: the CPU makes one access at a time */
        const char *insn = environment->level[level].split ? insn_cache[level] : data_cache[level];
        timing->occupancy[0][level] = time_of(params, data_cache[level], "occupancy", environment->clock_hz);
        timing->occupancy[1][level] = time_of(params, insn, "occupancy", environment->clock_hz);
        timing->banks[0][level] = banks_of(params, data_cache[level]);
        timing->banks[1][level] = banks_of(params, insn);
        *anything |= timing->occupancy[0][level] || timing->occupancy[1][level];
    }
    return true;
}

static void make_port(const struct timing *timing, struct timing_port *port, unsigned level, unsigned insn)
{
    port->occupancy = timing->occupancy[insn][level];
    if (!has_own_port(timing, level, insn))
        return;
    const uint32_t count = timing->banks[insn][level];
    port->banks = (struct banks){.bank = checked_memory(malloc(count * sizeof *port->banks.bank)),
                                 .count = count,
                                 .block_shift = (uint32_t)__builtin_ctz(timing->environment.level[level].line)};
    for (uint32_t i = 0; i < count; i++)
        resource_init(&port->banks.bank[i]);
}

/* What the write buffer of STEP, which leads to level TAKER, retires to. A cache is busy for its occupancy, or for its
 * hit time if it has no port. */
static struct write_buffer_next next_of(const struct timing *timing, const struct timing_step *step, unsigned taker)
{
    const struct timing_environment *environment = &timing->environment;
    if (taker == environment->levels)
        return (struct write_buffer_next){
            .time = environment->miss_time, .retire = timing->bus ? timing_write_memory : NULL, .bus = timing->bus};
    const struct timing_port *port = step->port[0];
    return (struct write_buffer_next){.time = port->banks.bank ? port->occupancy : environment->level[taker].hit_time,
                                      .port = port->banks,
                                      .shared = port->banks.bank && environment->level[taker].shared > 1};
}

/* The first of the CPUs that share CPU's cache of LEVEL; memory has no ports, so that any CPU does. */
static unsigned first_of(const struct timing *timing, unsigned cpu, unsigned level)
{
    const unsigned shared = level < timing->environment.levels ? timing->environment.level[level].shared : 0;
    return shared > 1 ? cpu & ~(shared - 1) : cpu;
}

/* Makes the way from CPU's cache of LEVEL, of which it is the first CPU. */
static void make_step(struct timing *timing, unsigned cpu, unsigned level, const struct write_buffer_config *config)
{
    struct timing_step *step = &timing->node[cpu].own[level];
    const unsigned taker = level + 1;
    struct timing_port *ports = timing->node[first_of(timing, cpu, taker)].port[taker];
    step->line = timing->environment.level[level].line;
    step->split = timing->environment.level[level].split;
    step->port[0] = &ports[0];
    step->port[1] =
        taker < timing->environment.levels && timing->environment.level[taker].split ? &ports[1] : &ports[0];
    const struct write_buffer_next next = next_of(timing, step, taker);
    write_buffer_init(&step->buffer, config, &next);
}

/* Makes CPU's ways and ports; those with lower numbers have theirs. */
static void make_node(struct timing *timing, unsigned cpu, const struct write_buffer_config *config)
{
    struct timing_node *node = &timing->node[cpu];
    for (unsigned level = 1; level < timing->environment.levels; level++)
        for (unsigned insn = 0; insn < 2 && first_of(timing, cpu, level) == cpu; insn++)
            make_port(timing, &node->port[level][insn], level, insn);
    for (unsigned level = 0; level < timing->environment.levels; level++) {
        const unsigned first = first_of(timing, cpu, level);
        if (first == cpu)
            make_step(timing, cpu, level, &config[level]);
        node->step[level] = &timing->node[first].own[level];
    }
}

bool timing_create(struct timing **result, const struct params *params, const struct timing_environment *environment,
                   struct err *err)
{
    struct write_buffer_config config[TIMING_LEVELS] = {0};
    struct bus_environment bus = {.clock_hz = environment->clock_hz,
                                  .line = environment->block_size,
                                  .miss_time = environment->miss_time,
                                  .upgrade_time = environment->upgrade_time,
                                  .uncached_latency = environment->uncached_latency};
    *result = NULL;
    struct timing *timing = calloc(1, sizeof *timing);
    if (!timing)
        abort();
    timing->environment = *environment;
    bool anything = false;
    if (!read_levels(timing, params, config, &anything, err) || !bus_create(&timing->bus, params, &bus, err)) {
        free(timing);
        return false;
    }
    if (!anything && !timing->bus) {
        free(timing);
        return true;
    }
    for (unsigned cpu = 0; cpu < environment->cpus; cpu++)
        make_node(timing, cpu, config);
    *result = timing;
    return true;
}

struct memsys_write_buffer timing_write_buffer_at(const struct timing *timing, unsigned cpu, unsigned level, cycles now)
{
    return write_buffer_at(&timing->node[cpu].step[level]->buffer, now);
}

void timing_free(struct timing *timing)
{
    if (!timing)
        return;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++) {
            if (timing_is_first(timing, cpu, level))
                write_buffer_release(&timing->node[cpu].own[level].buffer);
            for (unsigned insn = 0; insn < 2; insn++)
                free(timing->node[cpu].port[level][insn].banks.bank);
        }
    bus_free(timing->bus);
    free(timing);
}

void timing_flush(struct timing *timing)
{
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            write_buffer_clear(&timing->node[cpu].step[level]->buffer);
}

/* Statistics */

/* Brings all write buffers and what they retire to up to date. */
static void settle(void *opaque)
{
    struct timing *timing = opaque;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++) {
            struct write_buffer *buffer = &timing->node[cpu].step[level]->buffer;
            const cycles put = write_buffer_last_put(buffer);
            if (put > timing->latest)
                timing->latest = put;
            write_buffer_settle(buffer);
        }
}

static void register_port(struct timing *timing, struct stats *stats, unsigned cpu, unsigned level, unsigned insn)
{
    struct timing_port *port = &timing->node[cpu].port[level][insn];
    for (uint32_t i = 0; port->banks.bank && i < port->banks.count; i++) {
        char name[64];
        if (port->banks.count == 1)
            snprintf(name, sizeof name, "cpu%u.%s.port", cpu, (insn ? insn_cache : data_cache)[level]);
        else
            snprintf(name, sizeof name, "cpu%u.%s.bank%u", cpu, (insn ? insn_cache : data_cache)[level], i);
        port->view[i] = (struct resource_view){&port->banks.bank[i], &timing->latest};
        resource_register_stats(&port->view[i], stats, name);
    }
}

static void register_node(struct timing *timing, struct stats *stats, unsigned cpu)
{
    for (unsigned level = 0; level < timing->environment.levels; level++) {
        const struct write_buffer *buffer = &timing->node[cpu].own[level].buffer;
        register_port(timing, stats, cpu, level, 1);
        register_port(timing, stats, cpu, level, 0);
        if (!timing_is_first(timing, cpu, level) || !write_buffer_exists(buffer))
            continue;
        char name[64];
        snprintf(name, sizeof name, "cpu%u.%s.write_buffer", cpu, data_cache[level]);
        write_buffer_register_stats(buffer, stats, name);
    }
}

void timing_register_stats(struct timing *timing, struct stats *stats)
{
    stats_prepare(stats, settle, timing);
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        register_node(timing, stats, cpu);
    if (timing->bus)
        bus_register_stats(timing->bus, stats);
}

static void describe_buffer(const struct write_buffer_config *config, const char *cache, FILE *out)
{
    static const char *const reads[] = {"reads pass", "reads wait for entries of their line", "reads wait for all"};
    if (!config->depth)
        return;
    fprintf(out, "write buffer behind %s: %u x %u bytes%s, ", cache, config->depth, config->width,
            config->merge ? ", merging" : "");
    if (config->retire)
        fprintf(out, "one retires in %llu cycles", (unsigned long long)config->retire);
    else
        fprintf(out, "retires as fast as the next level accepts it");
    fprintf(out, ", %s%s\n", reads[config->reads],
            config->victims_after_fill ? ", victims enter it when the fill has ended" : "");
}

void timing_describe(const struct timing *timing, FILE *out)
{
    for (unsigned level = 0; level < timing->environment.levels; level++) {
        describe_buffer(&timing->node[0].own[level].buffer.config, data_cache[level], out);
        if (timing->write_back_time[level])
            fprintf(out, "%s: a modified victim takes %llu cycles before the fill\n", data_cache[level],
                    (unsigned long long)timing->write_back_time[level]);
        for (unsigned insn = 0; insn < 2; insn++)
            if (has_own_port(timing, level, insn))
                fprintf(out, "%s: %sbusy for %llu cycles with an access\n", (insn ? insn_cache : data_cache)[level],
                        timing->banks[insn][level] > 1 ? "a bank is " : "",
                        (unsigned long long)timing->occupancy[insn][level]);
    }
    if (timing->bus)
        bus_describe(timing->bus, out);
}

/* The section "timing" of checkpoints: reservation tables of all ports, wires and banks; pending DMA; write buffers */

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct timing, latest, SAVED_TIME, TIMING_TIME_MAX),
};

/* When the ports of a step have done the prefetches before. */
static void write_prefetched(const struct timing_step *step, struct saved_out *out)
{
    for (unsigned insn = 0; insn < 2; insn++)
        saved_put_u64(out, step->port[insn]->prefetched);
}

static bool read_prefetched(struct timing_step *step, struct saved_in *in, struct err *err)
{
    for (unsigned insn = 0; insn < 2; insn++) {
        cycles *time = &step->port[insn]->prefetched;
        if (!saved_get_u64(in, time))
            return false;
        if (*time > TIMING_TIME_MAX)
            return err_set(err, "a prefetch ends at cycle %llu", (unsigned long long)*time);
    }
    return true;
}

static void add_banks(struct resource_list *list, const struct timing_port *port)
{
    for (uint32_t i = 0; port->banks.bank && i < port->banks.count; i++)
        resource_list_add(list, &port->banks.bank[i]);
}

static void list_resources(struct timing *timing, struct resource_list *list)
{
    list->count = 0;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 1; level < timing->environment.levels; level++)
            for (unsigned insn = 0; insn < 2; insn++)
                add_banks(list, &timing->node[cpu].port[level][insn]);
    if (timing->bus)
        bus_list_resources(timing->bus, list);
}

static void write_timing(void *base, struct saved_out *out)
{
    struct timing *timing = base;
    struct resource_list list;
    settle(timing);
    list_resources(timing, &list);
    for (uint32_t i = 0; i < list.count; i++)
        resource_write(list.resource[i], out);
    if (timing->bus)
        bus_write(timing->bus, out);
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            if (timing_is_first(timing, cpu, level))
                write_buffer_save(&timing->node[cpu].own[level].buffer, &list, out);
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            write_prefetched(timing->node[cpu].step[level], out);
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
            if (timing_is_first(timing, cpu, level) &&
                !write_buffer_load(&timing->node[cpu].own[level].buffer, &list, in, err))
                return false;
    const bool old = in->version == 1 || in->version == 2;
    for (unsigned cpu = 0; !old && cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            if (!read_prefetched(timing->node[cpu].step[level], in, err))
                return false;
    return true;
}

/* Copies all reservations of BUFFER to ALL, from index COUNT on. Returns the new count. */
static size_t collect(const struct write_buffer *buffer, struct reservation *all, size_t count)
{
    for (uint64_t i = buffer->oldest; i < buffer->queue.made; i++) {
        const struct reservations reservations = write_buffer_reservations(buffer, i);
        for (uint32_t j = 0; j < reservations.count; j++)
            all[count++] = reservations.reservation[j];
    }
    return count;
}

static bool after_load(void *base, struct err *err)
{
    struct timing *timing = base;
    size_t capacity = 1, count = 0;
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            if (timing_is_first(timing, cpu, level))
                capacity += (size_t)write_buffer_count(&timing->node[cpu].own[level].buffer) * RESERVATIONS_MAX;
    struct reservation *all = checked_memory(calloc(capacity, sizeof *all));
    for (unsigned cpu = 0; cpu < timing->environment.cpus; cpu++)
        for (unsigned level = 0; level < timing->environment.levels; level++)
            if (timing_is_first(timing, cpu, level))
                count = collect(&timing->node[cpu].own[level].buffer, all, count);
    bool good = reservations_check(all, count, err);
    free(all);
    return good;
}

void timing_register_saved(struct timing *timing, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_timing, .read = read_timing, .after_load = after_load};
    saved_add(saved, &(struct saved_section){.name = "timing",
                                             .version = 3,
                                             .oldest = 1,
                                             .timing = true,
                                             .base = timing,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
}
