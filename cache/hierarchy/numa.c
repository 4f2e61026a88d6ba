#include "cache/hierarchy/numa.h"

#include "src/base/log.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES = 1 << (32 - PAGE_SHIFT), NODES_MAX = BOARD_MAX_CPUS };

/* What answers a request: the cache of a CPU in a node, memory, or only caches that lose the line. */
enum { BY_MEMORY = NODES_MAX, BY_UPGRADE, ANSWERS };

struct numa {
    unsigned nodes, cpus; /* all CPUs */
    unsigned node_cpus;   /* of a node, a power of two */
    bool first_touch;     /* otherwise by address */
    paddr interleave;     /* bytes, a power of two */
    cycles remote_miss_time, remote_intervention_time, remote_upgrade_time;
    uint8_t *home;                                    /* by page, with first touch: the node + 1; 0: none yet */
    uint64_t pages[NODES_MAX];                        /* with first touch, by home */
    uint64_t answered[NODES_MAX][NODES_MAX][ANSWERS]; /* requests by node of the requester, home, and what answered */
    uint64_t local[BOARD_MAX_CPUS], remote[BOARD_MAX_CPUS];
};

static unsigned node_of(const struct numa *numa, unsigned cpu)
{
    return cpu / numa->node_cpus;
}

/* The home of ADDRESS, which CPU requests. */
static unsigned home_of(struct numa *numa, unsigned cpu, paddr address)
{
    if (!numa->first_touch)
        return address / numa->interleave % numa->nodes;
    uint8_t *home = &numa->home[address >> PAGE_SHIFT];
    if (*home == 0) {
        *home = (uint8_t)(node_of(numa, cpu) + 1);
        numa->pages[*home - 1]++;
    }
    return *home - 1u;
}

/* Counts a request of CPU, with its home, that ANSWER answers. Returns TIME if it stays in the node, and REMOTE
 * otherwise. */
static cycles count(struct numa *numa, unsigned cpu, unsigned home, unsigned answer, bool stays, cycles time,
                    cycles remote)
{
    numa->answered[node_of(numa, cpu)][home][answer]++;
    (stays ? numa->local : numa->remote)[cpu]++;
    return stays ? time : remote;
}

cycles numa_memory_time(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = home_of(numa, cpu, address);
    return count(numa, cpu, home, BY_MEMORY, home == node_of(numa, cpu), memsys->miss_time, numa->remote_miss_time);
}

cycles numa_supply_time(struct memsys *memsys, unsigned cpu, unsigned owner, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = home_of(numa, cpu, address), here = node_of(numa, cpu), supplier = node_of(numa, owner);
    return count(numa, cpu, home, supplier, home == here && supplier == here, memsys->tier[0].intervention_time,
                 numa->remote_intervention_time);
}

cycles numa_upgrade_time(struct memsys *memsys, unsigned cpu, uint32_t others, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = home_of(numa, cpu, address), here = node_of(numa, cpu);
    bool stays = home == here;
    for (unsigned other = 0; other < numa->cpus; other++)
        if (others >> other & 1 && node_of(numa, other) != here)
            stays = false;
    return count(numa, cpu, home, BY_UPGRADE, stays, memsys->tier[0].upgrade_time, numa->remote_upgrade_time);
}

struct numa *numa_create(const struct geometry *g, unsigned cpus, uint64_t clock_hz)
{
    if (g->nodes == 1)
        return NULL;
    struct numa *numa = checked_memory(calloc(1, sizeof *numa));
    *numa = (struct numa){
        .nodes = g->nodes,
        .cpus = cpus,
        .node_cpus = g->node_cpus,
        .first_touch = g->first_touch,
        .interleave = g->home_interleave,
        .remote_miss_time = cycles_of_nsec(g->remote_miss_ns, clock_hz),
        .remote_intervention_time = cycles_of_nsec(g->remote_intervention_ns, clock_hz),
        .remote_upgrade_time = cycles_of_nsec(g->remote_upgrade_ns, clock_hz),
        .home = checked_memory(calloc(PAGES, sizeof *numa->home)),
    };
    return numa;
}

void numa_free(struct numa *numa)
{
    if (numa)
        free(numa->home);
    free(numa);
}

void numa_describe(const struct numa *numa, FILE *out)
{
    fprintf(out, "%u NUMA nodes: remote memory %llu, remote caches %llu, remote upgrade %llu, ", numa->nodes,
            (unsigned long long)numa->remote_miss_time, (unsigned long long)numa->remote_intervention_time,
            (unsigned long long)numa->remote_upgrade_time);
}

/* Results */

static void register_pair(struct numa *numa, struct stats *stats, unsigned from, unsigned home)
{
    char name[64];
    uint64_t *answered = numa->answered[from][home];
    snprintf(name, sizeof name, "numa.node%u.home%u.memory", from, home);
    stats_counter(stats, name, "requests", "requests that the home's memory answered", &answered[BY_MEMORY]);
    for (unsigned supplier = 0; supplier < numa->nodes; supplier++) {
        snprintf(name, sizeof name, "numa.node%u.home%u.cache%u", from, home, supplier);
        stats_counter(stats, name, "requests", "requests that a cache in this node answered", &answered[supplier]);
    }
    snprintf(name, sizeof name, "numa.node%u.home%u.upgrades", from, home);
    stats_counter(stats, name, "requests", "stores to shared lines", &answered[BY_UPGRADE]);
}

void numa_register_stats(struct numa *numa, struct stats *stats)
{
    char name[64];
    for (unsigned cpu = 0; cpu < numa->cpus; cpu++) {
        snprintf(name, sizeof name, "cpu%u.numa.local", cpu);
        stats_counter(stats, name, "requests", "requests that stayed in the CPU's node", &numa->local[cpu]);
        snprintf(name, sizeof name, "cpu%u.numa.remote", cpu);
        stats_counter(stats, name, "requests", "requests that left the CPU's node", &numa->remote[cpu]);
    }
    for (unsigned from = 0; from < numa->nodes; from++) {
        snprintf(name, sizeof name, "numa.node%u.pages", from);
        if (numa->first_touch)
            stats_counter(stats, name, "pages", "pages whose home the node became", &numa->pages[from]);
        for (unsigned home = 0; home < numa->nodes; home++)
            register_pair(numa, stats, from, home);
    }
}

/* Checkpoints */

static void write_homes(void *base, struct saved_out *out)
{
    const struct numa *numa = base;
    for (unsigned page = 0; page < PAGES; page++)
        if (numa->home[page]) {
            saved_put_u32(out, page);
            saved_put(out, &numa->home[page], 1);
        }
    saved_put_u32(out, PAGES);
}

static bool read_homes(void *base, struct saved_in *in, struct err *err)
{
    struct numa *numa = base;
    for (uint32_t page;;) {
        if (!saved_get_u32(in, &page))
            return false;
        if (page == PAGES)
            return true;
        uint8_t home;
        if (!saved_get(in, &home, 1))
            return false;
        if (page > PAGES || home == 0 || home > numa->nodes)
            return err_set(err, "page %u has home %u of %u", page, home, numa->nodes);
        numa->home[page] = home;
    }
}

void numa_register_saved(struct numa *numa, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_homes, .read = read_homes};
    static const struct saved_field fields[] = {
        SAVED_STATISTIC(struct numa, pages),
        SAVED_STATISTIC(struct numa, answered),
        SAVED_STATISTIC(struct numa, local),
        SAVED_STATISTIC(struct numa, remote),
    };
    saved_add(saved,
              &(struct saved_section){
                  .name = "caches.numa", .version = 1, .timing = true, .base = numa, SAVED_TABLE(fields), .ops = &ops});
}
