#include "cache/hierarchy/numa_queues.h"

#include "cache/timing/resource.h"
#include "cache/timing/resource_saved.h"
#include "src/base/log.h"

#include <stdlib.h>

/* The resources of a node. */
enum { HOME, LINK_OUT, LINK_IN, PARTS };
static const char *const part_names[PARTS] = {"queue", "link_out", "link_in"};

struct node_parts {
    struct resource part[PARTS];
    struct resource_view view[PARTS];
};

struct numa_queues {
    unsigned nodes;
    cycles occupancy[PARTS];
    cycles latest; /* the latest time of a request */
    struct node_parts *node;
};

struct numa_queues *numa_queues_create(const struct geometry *g, uint64_t clock_hz)
{
    if (g->home_occupancy_ns == 0 && g->link_occupancy_ns == 0)
        return NULL;
    struct numa_queues *queues = checked_memory(calloc(1, sizeof *queues));
    const cycles link = cycles_of_nsec(g->link_occupancy_ns, clock_hz);
    *queues = (struct numa_queues){
        .nodes = g->nodes,
        .occupancy = {cycles_of_nsec(g->home_occupancy_ns, clock_hz), link, link},
        .node = checked_memory(calloc(g->nodes, sizeof *queues->node)),
    };
    for (unsigned node = 0; node < g->nodes; node++)
        for (unsigned part = 0; part < PARTS; part++)
            resource_init(&queues->node[node].part[part]);
    return queues;
}

void numa_queues_free(struct numa_queues *queues)
{
    if (queues)
        free(queues->node);
    free(queues);
}

void numa_queues_describe(const struct numa_queues *queues, FILE *out)
{
    fprintf(out, "a home busy for %llu, links for %llu, ", (unsigned long long)queues->occupancy[HOME],
            (unsigned long long)queues->occupancy[LINK_OUT]);
}

/* PART of NODE is used from TIME on, or as soon as it is free. Returns when that is. */
static cycles use(struct numa_queues *queues, unsigned node, unsigned part, cycles time)
{
    const cycles duration = queues->occupancy[part];
    return duration ? resource_reserve(&queues->node[node].part[part], time, duration, NULL) : time;
}

/* A message from node FROM to node TO leaves at TIME or later. Returns when it does. */
static cycles send(struct numa_queues *queues, unsigned from, unsigned to, cycles time)
{
    return from == to ? time : use(queues, to, LINK_IN, use(queues, from, LINK_OUT, time));
}

cycles numa_queues_wait(struct numa_queues *queues, cycles now, unsigned here, unsigned home, unsigned supplier,
                        uint64_t sharing, cycles taken)
{
    if (now > queues->latest)
        queues->latest = now;
    const cycles begun = use(queues, home, HOME, send(queues, here, home, now));
    cycles ready = send(queues, home, supplier, begun);
    for (; sharing; sharing &= sharing - 1) {
        const cycles told = send(queues, home, (unsigned)__builtin_ctzll(sharing), begun);
        ready = told > ready ? told : ready;
    }
    const cycles answered = send(queues, supplier, here, ready + taken);
    return answered - now - taken;
}

/* Results */

void numa_queues_register_stats(struct numa_queues *queues, struct stats *stats)
{
    for (unsigned node = 0; node < queues->nodes; node++)
        for (unsigned part = 0; part < PARTS; part++) {
            char name[32];
            snprintf(name, sizeof name, "numa.node%u.%s", node, part_names[part]);
            queues->node[node].view[part] = (struct resource_view){&queues->node[node].part[part], &queues->latest};
            if (queues->occupancy[part])
                resource_register_stats(&queues->node[node].view[part], stats, name);
        }
}

/* Checkpoints */

static void write_parts(void *base, struct saved_out *out)
{
    const struct numa_queues *queues = base;
    for (unsigned node = 0; node < queues->nodes; node++)
        for (unsigned part = 0; part < PARTS; part++)
            resource_write(&queues->node[node].part[part], out);
}

static bool read_parts(void *base, struct saved_in *in, struct err *err)
{
    struct numa_queues *queues = base;
    for (unsigned node = 0; node < queues->nodes; node++)
        for (unsigned part = 0; part < PARTS; part++)
            if (!resource_read(&queues->node[node].part[part], in, err))
                return false;
    return true;
}

void numa_queues_register_saved(struct numa_queues *queues, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_parts, .read = read_parts};
    static const struct saved_field fields[] = {
        SAVED_LIMITED(struct numa_queues, latest, SAVED_U64, TIMING_TIME_MAX),
    };
    saved_add(saved, &(struct saved_section){.name = "caches.numa_queues",
                                             .version = 1,
                                             .timing = true,
                                             .base = queues,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
}
