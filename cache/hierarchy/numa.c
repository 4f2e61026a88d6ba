#include "cache/hierarchy/numa_state.h"

#include "cache/hierarchy/page_moves.h"
#include "cache/placement/layout_map.h"
#include "src/base/log.h"

#include <stdlib.h>
#include <string.h>

static unsigned policy_home(struct numa *numa, unsigned cpu, paddr address)
{
    switch (numa->policy) {
    case HOME_ADDRESS: return address / numa->interleave % numa->nodes;
    case HOME_ROUND_ROBIN: return numa->next_home++ % numa->nodes;
    default: return node_of(numa, cpu);
    }
}

void numa_set_home(struct numa *numa, unsigned node, uint32_t page)
{
    if (numa->home[page] != 0)
        numa->pages[numa->home[page] - 1]--;
    numa->home[page] = (uint8_t)(node + 1);
    numa->pages[node]++;
}

unsigned numa_home_of(struct numa *numa, unsigned cpu, paddr address)
{
    const uint32_t page = address >> PAGE_SHIFT;
    if (SIM_UNLIKELY(numa->home[page] == 0))
        numa_set_home(numa, policy_home(numa, cpu, address), page);
    return numa->home[page] - 1u;
}

bool memsys_follows_allocations(const struct memsys *memsys)
{
    return memsys->numa && memsys->numa->policy == HOME_ALLOCATION;
}

void memsys_page_freed(struct memsys *memsys, paddr physical)
{
    struct numa *numa = memsys->numa;
    const uint32_t page = layout_data(memsys->layout, physical) >> PAGE_SHIFT;
    if (numa->home[page] == 0)
        return;
    numa->pages[numa->home[page] - 1]--;
    numa->home[page] = 0;
    if (numa->moves)
        page_moves_forget(numa->moves, page);
}

/* The node that is asked for ADDRESS by CPU: the home, or its own if it has a copy of the page. */
static unsigned asked_of(struct numa *numa, unsigned cpu, paddr address)
{
    const unsigned home = numa_home_of(numa, cpu, address), here = node_of(numa, cpu);
    if (SIM_LIKELY(!numa->moves))
        return home;
    page_moves_requested(numa, cpu, home, address);
    return page_moves_has_copy(numa->moves, here, address) ? here : home;
}

bool numa_has_copy(const struct memsys *memsys, unsigned cpu, paddr address)
{
    const struct numa *numa = memsys->numa;
    return numa->moves && page_moves_has_copy(numa->moves, node_of(numa, cpu), address);
}

/* Counts a request of CPU, with its home, that ANSWER answers: a node's cache, memory, or the sharers in the set of
 * nodes SHARING. Returns TIME if it stays in the node, and REMOTE otherwise, with the waits. */
static cycles count(struct numa *numa, unsigned cpu, unsigned home, unsigned answer, uint64_t sharing, bool stays,
                    cycles time, cycles remote)
{
    const unsigned here = node_of(numa, cpu);
    const cycles taken = stays ? time : remote;
    numa->answered[here][home][answer]++;
    (stays ? numa->local : numa->remote)[cpu]++;
    if (SIM_LIKELY(!numa->queues))
        return taken;
    return taken +
           numa_queues_wait(numa->queues, numa->now, here, home, answer < NODES_MAX ? answer : home, sharing, taken);
}

cycles numa_memory_time(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = asked_of(numa, cpu, address);
    return count(numa, cpu, home, BY_MEMORY, 0, home == node_of(numa, cpu), memsys->miss_time, numa->remote_miss_time);
}

cycles numa_supply_time(struct memsys *memsys, unsigned cpu, unsigned owner, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = asked_of(numa, cpu, address), here = node_of(numa, cpu), supplier = node_of(numa, owner);
    return count(numa, cpu, home, supplier, 0, home == here && supplier == here, memsys->tier[0].intervention_time,
                 numa->remote_intervention_time);
}

cycles numa_upgrade_time(struct memsys *memsys, unsigned cpu, uint64_t others, paddr address)
{
    struct numa *numa = memsys->numa;
    const unsigned home = asked_of(numa, cpu, address), here = node_of(numa, cpu);
    const uint64_t cpus_here = UINT64_MAX >> (64 - numa->node_cpus) << here * numa->node_cpus;
    const bool stays = home == here && !(others & ~cpus_here);
    uint64_t sharing = 0;
    for (uint64_t left = others; numa->queues && left; left &= left - 1)
        sharing |= UINT64_C(1) << node_of(numa, (unsigned)__builtin_ctzll(left));
    return count(numa, cpu, home, BY_UPGRADE, sharing, stays, memsys->tier[0].upgrade_time, numa->remote_upgrade_time);
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
        .policy = g->home_policy,
        .interleave = g->home_interleave,
        .remote_miss_time = cycles_of_nsec(g->remote_miss_ns, clock_hz),
        .remote_intervention_time = cycles_of_nsec(g->remote_intervention_ns, clock_hz),
        .remote_upgrade_time = cycles_of_nsec(g->remote_upgrade_ns, clock_hz),
        .home = checked_memory(calloc(NUMA_PAGES, sizeof *numa->home)),
        .moves = page_moves_create(g, clock_hz),
        .queues = numa_queues_create(g, clock_hz),
    };
    return numa;
}

void numa_free(struct numa *numa)
{
    if (!numa)
        return;
    page_moves_free(numa->moves);
    numa_queues_free(numa->queues);
    free(numa->home);
    free(numa);
}

bool numa_needs_time(const struct memsys *memsys)
{
    return memsys->numa && (memsys->numa->moves || memsys->numa->queues);
}

void numa_set_time(struct numa *numa, cycles now)
{
    numa->now = now;
}

cycles numa_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    numa_set_time(memsys->numa, request->now);
    return memsys->numa->moves ? page_moves_access(memsys, cpu, request)
                               : memsys->in_place[request->access](memsys, cpu, request);
}

void numa_describe(const struct numa *numa, FILE *out)
{
    fprintf(out, "%u NUMA nodes: remote memory %llu, remote caches %llu, remote upgrade %llu, ", numa->nodes,
            (unsigned long long)numa->remote_miss_time, (unsigned long long)numa->remote_intervention_time,
            (unsigned long long)numa->remote_upgrade_time);
    if (numa->queues)
        numa_queues_describe(numa->queues, out);
    if (numa->moves)
        page_moves_describe(numa->moves, out);
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
        stats_counter(stats, name, "pages", "pages whose home the node is", &numa->pages[from]);
        for (unsigned home = 0; home < numa->nodes; home++)
            register_pair(numa, stats, from, home);
    }
    if (numa->moves)
        page_moves_register_stats(numa->moves, stats);
    if (numa->queues)
        numa_queues_register_stats(numa->queues, stats);
}

/* Checkpoints */

static void write_homes(void *base, struct saved_out *out)
{
    const struct numa *numa = base;
    for (unsigned page = 0; page < NUMA_PAGES; page++)
        if (numa->home[page]) {
            saved_put_u32(out, page);
            saved_put(out, &numa->home[page], 1);
        }
    saved_put_u32(out, NUMA_PAGES);
}

static bool read_homes(void *base, struct saved_in *in, struct err *err)
{
    struct numa *numa = base;
    for (uint32_t page;;) {
        if (!saved_get_u32(in, &page))
            return false;
        if (page == NUMA_PAGES)
            return true;
        uint8_t home;
        if (!saved_get(in, &home, 1))
            return false;
        if (page > NUMA_PAGES || home == 0 || home > numa->nodes)
            return err_set(err, "page %u has home %u of %u", page, home, numa->nodes);
        numa->home[page] = home;
    }
}

void numa_register_saved(struct numa *numa, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_homes, .read = read_homes};
    static const struct saved_field fields[] = {
        SAVED_FIELD(struct numa, next_home, SAVED_U32), SAVED_STATISTIC(struct numa, pages),
        SAVED_STATISTIC(struct numa, answered),         SAVED_STATISTIC(struct numa, local),
        SAVED_STATISTIC(struct numa, remote),
    };
    saved_add(saved,
              &(struct saved_section){
                  .name = "caches.numa", .version = 3, .timing = true, .base = numa, SAVED_TABLE(fields), .ops = &ops});
    if (numa->moves)
        page_moves_register_saved(numa->moves, saved);
    if (numa->queues)
        numa_queues_register_saved(numa->queues, saved);
}
