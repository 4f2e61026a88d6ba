#include "cache/hierarchy/page_moves.h"

#include "cache/hierarchy/coherence.h"
#include "cache/hierarchy/node.h"
#include "cache/hierarchy/numa_state.h"
#include "cache/hierarchy/protocol.h"
#include "cache/placement/layout_map.h"
#include "src/base/log.h"

#include <stdlib.h>
#include <string.h>

/* What a page has had since the begin of an interval, beside the requests of each node. */
struct page_counts {
    uint32_t interval; /* its number */
    uint16_t writes;   /* requests to store */
    uint16_t moves;    /* migrations */
};

struct page_moves {
    struct page_move_policy policy;
    unsigned nodes;
    cycles interval, time;
    uint32_t present; /* number of the present interval */
    bool stores;      /* the present access is a store */
    uint64_t *copies; /* [page]: the nodes that have a copy, a bit mask */
    /* the pages that have or had copies are from the first of these to before the second */
    uint32_t first_copied, end_copied;
    struct page_counts *counts;           /* [page] */
    uint16_t *requests;                   /* [page][node] */
    uint32_t skipped[BOARD_MAX_CPUS];     /* requests since one was counted */
    uint32_t hot[BOARD_MAX_CPUS];         /* the page that the CPU asked for often enough, plus 1; 0: none */
    uint64_t hot_pages, written, settled; /* hot pages; those that stay, because they are written, or moved before */
    uint64_t migrations, replications, collapses;
};

struct page_moves *page_moves_create(const struct geometry *g, uint64_t clock_hz)
{
    if (!g->moves.migrates && !g->moves.replicates)
        return NULL;
    struct page_moves *moves = checked_memory(calloc(1, sizeof *moves));
    *moves = (struct page_moves){
        .policy = g->moves,
        .nodes = g->nodes,
        .interval = cycles_of_nsec(g->moves.interval_ns, clock_hz),
        .time = cycles_of_nsec(g->moves.time_ns, clock_hz),
        .copies = checked_memory(calloc(NUMA_PAGES, sizeof *moves->copies)),
        .first_copied = NUMA_PAGES,
        .counts = checked_memory(calloc(NUMA_PAGES, sizeof *moves->counts)),
        .requests = checked_memory(calloc((size_t)NUMA_PAGES * g->nodes, sizeof *moves->requests)),
    };
    return moves;
}

void page_moves_free(struct page_moves *moves)
{
    if (!moves)
        return;
    free(moves->copies);
    free(moves->counts);
    free(moves->requests);
    free(moves);
}

void page_moves_describe(const struct page_moves *moves, FILE *out)
{
    const struct page_move_policy *policy = &moves->policy;
    fprintf(out, "%s pages after %u %s misses, in %llu cycles, ",
            !policy->replicates ? "migrates"
            : !policy->migrates ? "replicates"
                                : "migrates and replicates",
            policy->threshold, policy->on_tlb_misses ? "TLB" : "cache", (unsigned long long)moves->time);
}

/* Counting */

static uint16_t *requests_of(const struct page_moves *moves, uint32_t page)
{
    return &moves->requests[(size_t)page * moves->nodes];
}

static void clear_requests(struct page_moves *moves, uint32_t page)
{
    memset(requests_of(moves, page), 0, moves->nodes * sizeof *moves->requests);
}

/* The counts of PAGE in the present interval. */
static struct page_counts *counts_of(struct page_moves *moves, uint32_t page)
{
    struct page_counts *counts = &moves->counts[page];
    if (counts->interval != moves->present) {
        *counts = (struct page_counts){.interval = moves->present};
        clear_requests(moves, page);
    }
    return counts;
}

static void increment(uint16_t *count)
{
    *count += *count < UINT16_MAX;
}

/* The time is NOW. The CPUs' times differ a little: an interval that has ended does not begin again. */
static void advance(struct page_moves *moves, cycles now)
{
    const uint64_t interval = now / moves->interval;
    if (interval > moves->present)
        moves->present = (uint32_t)interval;
}

bool page_moves_has_copy(const struct page_moves *moves, unsigned node, paddr address)
{
    return moves->copies[address >> PAGE_SHIFT] >> node & 1;
}

void page_moves_forget(struct page_moves *moves, uint32_t page)
{
    moves->copies[page] = 0;
    *counts_of(moves, page) = (struct page_counts){.interval = moves->present};
    clear_requests(moves, page);
}

/* CPU, in NODE, misses PAGE with HOME; every nth of these is counted. */
static void count_miss(struct page_moves *moves, unsigned cpu, unsigned node, unsigned home, uint32_t page)
{
    if (++moves->skipped[cpu] < moves->policy.sample)
        return;
    moves->skipped[cpu] = 0;
    counts_of(moves, page);
    uint16_t *count = &requests_of(moves, page)[node];
    increment(count);
    if (*count == moves->policy.threshold && home != node && !(moves->copies[page] >> node & 1))
        moves->hot[cpu] = page + 1;
}

void page_moves_requested(struct numa *numa, unsigned cpu, unsigned home, paddr address)
{
    struct page_moves *moves = numa->moves;
    const uint32_t page = address >> PAGE_SHIFT;
    advance(moves, numa->now); /* not at every access: which hits are reported depends on the CPU model */
    if (moves->stores)
        increment(&counts_of(moves, page)->writes);
    if (!moves->policy.on_tlb_misses)
        count_miss(moves, cpu, node_of(numa, cpu), home, page);
}

void memsys_tlb_missed(struct memsys *memsys, unsigned cpu, paddr physical, cycles now)
{
    struct numa *numa = memsys->numa;
    const uint32_t page = layout_data(memsys->layout, physical) >> PAGE_SHIFT;
    advance(numa->moves, now);
    if (numa->home[page] != 0)
        count_miss(numa->moves, cpu, node_of(numa, cpu), numa->home[page] - 1u, page);
}

bool memsys_counts_tlb_misses(const struct memsys *memsys)
{
    return memsys->numa && memsys->numa->moves && memsys->numa->moves->policy.on_tlb_misses;
}

bool memsys_moves_pages(const struct memsys *memsys)
{
    return memsys->numa && memsys->numa->moves;
}

/* Moving */

/* The caches of the nodes in the set NODES lose the lines of PAGE: they will look for them in another frame. What is
 * modified goes to memory, from where CPU, or a device, copies it. */
static void leave_frame(struct memsys *memsys, unsigned cpu, uint32_t page, uint64_t nodes)
{
    const struct removal removal = {.why = REMOVED_MOVE, .by_cpu = cpu};
    struct tier *tier = &memsys->tier[0];
    const paddr first = page << PAGE_SHIFT;
    for (paddr offset = 0; offset < PAGE_SIZE; offset += coherence_block_size(tier)) {
        coherence_device_read(memsys, first + offset);
        for (uint64_t set = directory_read(&tier->directory, first + offset).sharers; set;) {
            const unsigned member = protocol_take_lowest(&set);
            if (nodes >> node_of(memsys->numa, member) & 1)
                node_invalidate(memsys, tier, member, first + offset, &removal);
        }
    }
}

static void migrate(struct memsys *memsys, unsigned cpu, uint32_t page)
{
    struct numa *numa = memsys->numa;
    leave_frame(memsys, cpu, page, UINT64_MAX);
    numa_set_home(numa, node_of(numa, cpu), page);
    increment(&counts_of(numa->moves, page)->moves);
    numa->moves->migrations++;
}

/* PAGE has copies. */
static void note_copies(struct page_moves *moves, uint32_t page)
{
    if (page < moves->first_copied)
        moves->first_copied = page;
    if (page >= moves->end_copied)
        moves->end_copied = page + 1;
}

static void replicate(struct memsys *memsys, unsigned cpu, uint32_t page)
{
    struct page_moves *moves = memsys->numa->moves;
    const uint64_t node = UINT64_C(1) << node_of(memsys->numa, cpu);
    leave_frame(memsys, cpu, page, node);
    moves->copies[page] |= node;
    note_copies(moves, page);
    moves->replications++;
}

/* All copies of PAGE end, because CPU or a device writes it. */
static void collapse(struct memsys *memsys, unsigned cpu, uint32_t page)
{
    struct page_moves *moves = memsys->numa->moves;
    leave_frame(memsys, cpu, page, moves->copies[page]);
    moves->copies[page] = 0;
    moves->collapses++;
}

/* Do other nodes than NODE ask for PAGE so often that it is shared? */
static bool is_shared(const struct page_moves *moves, unsigned node, uint32_t page)
{
    for (unsigned other = 0; other < moves->nodes; other++)
        if (other != node && requests_of(moves, page)[other] >= moves->policy.sharing_threshold)
            return true;
    return moves->copies[page] != 0;
}

/* PAGE is hot for CPU: moves it if that may help (Verghese et al., figure 2). Returns what it takes. */
static cycles decide(struct memsys *memsys, unsigned cpu, uint32_t page)
{
    struct page_moves *moves = memsys->numa->moves;
    const struct page_move_policy *policy = &moves->policy;
    const struct page_counts *counts = counts_of(moves, page);
    const unsigned node = node_of(memsys->numa, cpu);
    const bool shared = is_shared(moves, node, page);
    moves->hot_pages++;
    if (shared && counts->writes >= policy->write_threshold) {
        moves->written++;
        return 0;
    }
    if (!shared && counts->moves >= policy->migrate_threshold) {
        moves->settled++;
        return 0;
    }
    if (shared ? !policy->replicates : !policy->migrates)
        return 0;
    (shared ? replicate : migrate)(memsys, cpu, page);
    clear_requests(moves, page);
    return moves->time;
}

cycles page_moves_before_store(struct memsys *memsys, unsigned cpu, paddr address)
{
    struct page_moves *moves = memsys->numa->moves;
    const uint32_t page = address >> PAGE_SHIFT;
    if (moves->copies[page] == 0)
        return 0;
    collapse(memsys, cpu, page);
    return moves->time;
}

void page_moves_device_wrote(struct memsys *memsys, paddr address, uint32_t size)
{
    const uint64_t end = (uint64_t)address + size;
    for (uint64_t page = address >> PAGE_SHIFT; page < NUMA_PAGES && page << PAGE_SHIFT < end; page++)
        if (memsys->numa->moves->copies[page])
            collapse(memsys, 0, (uint32_t)page);
}

cycles page_moves_access(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct page_moves *moves = memsys->numa->moves;
    cycles time = 0;
    moves->stores = request->access == MEMSYS_WRITE;
    if (moves->stores)
        time += page_moves_before_store(memsys, cpu, request->address);
    const cycles stall = memsys->in_place[request->access](memsys, cpu, request);
    moves->stores = false;
    if (SIM_UNLIKELY(moves->hot[cpu] != 0)) {
        time += decide(memsys, cpu, moves->hot[cpu] - 1);
        moves->hot[cpu] = 0;
    }
    return SIM_LIKELY(time == 0) ? stall : stall + charge(request->bucket, STALL_PAGE_MOVE, time);
}

bool page_moves_check(const struct memsys *memsys, struct err *err)
{
    const struct page_moves *moves = memsys->numa->moves;
    const struct tier *tier = &memsys->tier[0];
    for (uint32_t page = moves->first_copied; page < moves->end_copied; page++)
        for (paddr offset = 0; moves->copies[page] && offset < PAGE_SIZE; offset += coherence_block_size(tier))
            if (directory_read(&tier->directory, (page << PAGE_SHIFT) + offset).modified)
                return err_set(err, "line 0x%08x is modified, and its page has copies in nodes 0x%llx",
                               (page << PAGE_SHIFT) + offset, (unsigned long long)moves->copies[page]);
    return true;
}

/* Results */

void page_moves_register_stats(struct page_moves *moves, struct stats *stats)
{
    stats_counter(stats, "numa.hot_pages", "pages", "pages that a node asked for from afar up to memory.move_threshold",
                  &moves->hot_pages);
    stats_counter(stats, "numa.hot_written", "pages",
                  "hot pages that stayed because others ask for them and they are written", &moves->written);
    stats_counter(stats, "numa.hot_moved", "pages", "hot pages that stayed because they had just migrated",
                  &moves->settled);
    stats_counter(stats, "numa.migrations", "pages", "pages that moved to the node that asked for them",
                  &moves->migrations);
    stats_counter(stats, "numa.replications", "pages", "copies of pages made in the nodes that asked for them",
                  &moves->replications);
    stats_counter(stats, "numa.collapses", "pages", "pages that lost their copies because they were written",
                  &moves->collapses);
}

/* Checkpoints */

static bool has_state(const struct page_moves *moves, uint32_t page)
{
    return moves->copies[page] != 0 || moves->counts[page].interval == moves->present;
}

static void write_pages(void *base, struct saved_out *out)
{
    const struct page_moves *moves = base;
    for (uint32_t page = 0; page < NUMA_PAGES; page++) {
        if (!has_state(moves, page))
            continue;
        const struct page_counts *counts = &moves->counts[page];
        const bool is_present = counts->interval == moves->present;
        saved_put_u32(out, page);
        saved_put_u64(out, moves->copies[page]);
        saved_put_u32(out, is_present ? counts->writes : 0);
        saved_put_u32(out, is_present ? counts->moves : 0);
        for (unsigned node = 0; node < moves->nodes; node++)
            saved_put_u32(out, is_present ? requests_of(moves, page)[node] : 0);
    }
    saved_put_u32(out, NUMA_PAGES);
}

static bool read_count(struct saved_in *in, uint16_t *count)
{
    uint32_t value;
    if (!saved_get_u32(in, &value))
        return false;
    *count = (uint16_t)value;
    return true;
}

static bool read_page(struct page_moves *moves, uint32_t page, struct saved_in *in, struct err *err)
{
    struct page_counts *counts = counts_of(moves, page);
    if (!saved_get_u64(in, &moves->copies[page]) || !read_count(in, &counts->writes) || !read_count(in, &counts->moves))
        return false;
    for (unsigned node = 0; node < moves->nodes; node++)
        if (!read_count(in, &requests_of(moves, page)[node]))
            return false;
    return (moves->nodes == 64 || moves->copies[page] >> moves->nodes == 0) ||
           err_set(err, "page %u has copies in nodes 0x%llx of %u", page, (unsigned long long)moves->copies[page],
                   moves->nodes);
}

static bool read_pages(void *base, struct saved_in *in, struct err *err)
{
    struct page_moves *moves = base;
    for (uint32_t page;;) {
        if (!saved_get_u32(in, &page))
            return false;
        if (page == NUMA_PAGES)
            return true;
        if (page > NUMA_PAGES)
            return err_set(err, "page %u of %u", page, NUMA_PAGES);
        if (!read_page(moves, page, in, err))
            return false;
        if (moves->copies[page])
            note_copies(moves, page);
    }
}

void page_moves_register_saved(struct page_moves *moves, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_pages, .read = read_pages};
    static const struct saved_field fields[] = {
        SAVED_FIELD(struct page_moves, present, SAVED_U32),
        SAVED_FIELD(struct page_moves, skipped, SAVED_U32),
        SAVED_LIMITED(struct page_moves, hot, SAVED_U32, NUMA_PAGES),
        SAVED_STATISTIC(struct page_moves, hot_pages),
        SAVED_STATISTIC(struct page_moves, written),
        SAVED_STATISTIC(struct page_moves, settled),
        SAVED_STATISTIC(struct page_moves, migrations),
        SAVED_STATISTIC(struct page_moves, replications),
        SAVED_STATISTIC(struct page_moves, collapses),
    };
    saved_add(saved, &(struct saved_section){.name = "caches.page_moves",
                                             .version = 1,
                                             .timing = true,
                                             .base = moves,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
}
