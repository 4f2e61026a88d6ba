#include "cache/hierarchy/block.h"

#include "cache/hierarchy/coherence.h"
#include "src/base/event.h"
#include "src/base/log.h"
#include "src/base/saved.h"
#include <stdlib.h>

struct block_counts {
    uint64_t copies, clears, bytes;
    uint64_t busy;       /* cycles that the engine was busy */
    uint64_t wait;       /* cycles that the CPU waited */
    uint64_t overlapped; /* cycles that the CPU executed meanwhile */
    uint64_t supplied;   /* coherence blocks that a cache had modified */
    uint64_t updated;    /* coherence blocks of destinations that caches held */
    uint64_t left;       /* bytes that no piece covered */
};

struct block_cpu {
    bool active;
    struct memsys_block block;
    cycles begun, end;
    uint64_t stalled; /* the stalls of the CPU's bucket then */
    struct block_counts counts;
};

struct block {
    uint64_t cpu_hz, bus_hz;
    uint32_t width, least;
    cycles setup, cache_time;
    access_function *wrapped[3];
    struct block_cpu cpu[BOARD_MAX_CPUS];
};

void block_create(struct memsys *memsys, const struct params *params, uint64_t clock_hz)
{
    if (!params_bool(params, "block.engine"))
        return;
    struct block *block = memsys->block = calloc(1, sizeof *block);
    if (!block)
        log_bug("out of memory for the block-transfer engine");
    block->cpu_hz = clock_hz;
    block->bus_hz = params_u64(params, "bus.clock");
    block->width = (uint32_t)params_u64(params, "bus.width");
    block->least = (uint32_t)params_u64(params, "block.least");
    block->setup = cycles_of_nsec(params_u64(params, "block.setup_time"), clock_hz);
    if (block->setup == 0)
        block->setup = memsys->uncached_latency;
    block->cache_time = cycles_of_nsec(params_u64(params, "block.cache_time"), clock_hz);
}

void block_free(struct memsys *memsys)
{
    free(memsys->block);
}

/* Ends the transfer of CPU, if there is one. (Its time is counted here, with what the CPU did in it, so that both are
 * in the same statistics if these are cleared meanwhile.) */
static void finish(struct block_cpu *cpu_block)
{
    if (cpu_block->active)
        cpu_block->counts.busy += cpu_block->end - cpu_block->begun;
    cpu_block->active = false;
}

void block_flush(struct memsys *memsys)
{
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        finish(&memsys->block->cpu[cpu]);
}

/* The parts of a block */

/* Whether ADDRESS is in the SIZE bytes from START. */
static bool is_in(paddr address, paddr start, uint32_t size)
{
    return address - start < size;
}

bool block_covers(const struct memsys *memsys, unsigned cpu, paddr address)
{
    const struct block_cpu *cpu_block = &memsys->block->cpu[cpu];
    if (!cpu_block->active)
        return false;
    const struct memsys_block *block = &cpu_block->block;
    for (uint32_t i = 0; i < block->pieces; i++)
        if (is_in(address, block->to[i], block->size[i]) ||
            (block->copies && is_in(address, block->from[i], block->size[i])))
            return true;
    return false;
}

/* Clears the fast-path permissions of CPU's first-level lines in the SIZE bytes from START. */
static void clear_permissions(struct memsys *memsys, unsigned cpu, paddr start, uint32_t size)
{
    struct array *first = memsys->node[cpu].first[1];
    for (uint64_t line = start & first->line_mask; line < (uint64_t)start + size; line += 1u << first->line_shift) {
        uint32_t entry = array_find(first, (paddr)line);
        if (entry != NO_ENTRY)
            array_withdraw_permission(first, entry);
    }
}

/* Coherence of a transfer: caches supply the source blocks that they have modified, and update the destination blocks
 * that they hold. Each function returns the number of coherence blocks concerned. */
static unsigned read_blocks(struct memsys *memsys, struct block_counts *counts, paddr start, uint32_t size)
{
    unsigned done = 0;
    for (uint64_t block = coherence_block_of(&memsys->tier[0], start); block < (uint64_t)start + size;
         block += coherence_block_size(&memsys->tier[0])) {
        if (!(directory_read(&memsys->tier[0].directory, (paddr)block).modified))
            continue;
        coherence_device_read(memsys, (paddr)block);
        done++;
    }
    counts->supplied += done;
    return done;
}

static unsigned write_blocks(struct memsys *memsys, struct block_counts *counts, paddr start, uint32_t size)
{
    unsigned done = 0;
    for (uint64_t block = coherence_block_of(&memsys->tier[0], start); block < (uint64_t)start + size;
         block += coherence_block_size(&memsys->tier[0])) {
        bool whole = block >= start && block + coherence_block_size(&memsys->tier[0]) <= (uint64_t)start + size;
        if (!(directory_read(&memsys->tier[0].directory, (paddr)block).sharers))
            continue;
        coherence_device_update(memsys, (paddr)block, whole);
        done++;
    }
    counts->updated += done;
    return done;
}

/* Bus time of a transfer: "8 bytes from source to destination every two bus cycles", one of which reads the source; a
 * clear needs only the other. Each piece begins with a datum of its own. */
static cycles transfer_time(const struct block *block, const struct memsys_block *what)
{
    uint64_t data = 0;
    for (uint32_t i = 0; i < what->pieces; i++)
        data += (what->size[i] + block->width - 1) / block->width;
    const uint64_t bus_cycles = data * (what->copies ? 2 : 1);
    return (bus_cycles * block->cpu_hz + block->bus_hz - 1) / block->bus_hz;
}

/* Bytes of the pieces of WHAT; 0 if one of them ends behind the last physical address. */
static uint64_t bytes_of(const struct memsys_block *what)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < what->pieces; i++) {
        if ((uint64_t)what->to[i] + what->size[i] > UINT32_MAX || (uint64_t)what->from[i] + what->size[i] > UINT32_MAX)
            return 0;
        bytes += what->size[i];
    }
    return bytes;
}

/* All cycles that BUCKET has been charged for something else than execution. */
static uint64_t stalls_of(const struct bucket *bucket)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        sum += bucket->stall[i];
    for (unsigned i = 0; i < INTERLOCK_COUNT; i++)
        sum += bucket->interlock[i];
    return sum;
}

bool memsys_moves_blocks(const struct memsys *memsys)
{
    return memsys->block != NULL;
}

/* Caches supply and take the lines of a piece; the CPU must ask for each of them. Returns how many lines. */
static unsigned move_piece(struct memsys *memsys, unsigned cpu, const struct memsys_block *what, uint32_t piece)
{
    struct block_counts *counts = &memsys->block->cpu[cpu].counts;
    const uint32_t size = what->size[piece];
    unsigned lines = 0;
    if (what->copies) {
        lines += read_blocks(memsys, counts, what->from[piece], size);
        clear_permissions(memsys, cpu, what->from[piece], size);
    }
    lines += write_blocks(memsys, counts, what->to[piece], size);
    clear_permissions(memsys, cpu, what->to[piece], size);
    return lines;
}

bool memsys_block_begin(struct memsys *memsys, unsigned cpu, const struct memsys_block *what,
                        const struct bucket *bucket, cycles now)
{
    struct block *block = memsys->block;
    if (!block)
        return false;
    const uint64_t bytes = bytes_of(what);
    struct block_cpu *cpu_block = &block->cpu[cpu];
    struct block_counts *counts = &cpu_block->counts;
    if (bytes + what->left >= block->least)
        counts->left += what->left;
    if (bytes == 0 || bytes < block->least)
        return false;
    unsigned lines = 0;
    for (uint32_t i = 0; i < what->pieces; i++)
        lines += move_piece(memsys, cpu, what, i);
    const cycles transfer = transfer_time(block, what) + lines * block->cache_time;
    cycles begins = now + block->setup;
    if (memsys->timing)
        begins += timing_hold_bus(memsys->timing, begins, transfer);
    finish(cpu_block);
    cpu_block->active = true;
    cpu_block->block = *what;
    cpu_block->begun = now;
    cpu_block->end = begins + transfer;
    cpu_block->stalled = stalls_of(bucket);
    counts->bytes += bytes;
    *(what->copies ? &counts->copies : &counts->clears) += 1;
    return true;
}

/* The cycles up to NOW in which the CPU of BUCKET executed while the engine was busy. (The statistics may have been
 * cleared since the beginning.) */
static cycles execution_of(const struct block_cpu *cpu_block, const struct bucket *bucket, cycles now)
{
    const cycles until = now < cpu_block->end ? now : cpu_block->end;
    const cycles elapsed = until > cpu_block->begun ? until - cpu_block->begun : 0;
    const uint64_t stalls = stalls_of(bucket);
    const uint64_t since = stalls >= cpu_block->stalled ? stalls - cpu_block->stalled : stalls;
    return elapsed > since ? elapsed - since : 0;
}

static cycles wait_for_engine(struct block_cpu *cpu_block, const struct memsys_request *request)
{
    finish(cpu_block);
    cpu_block->counts.overlapped += execution_of(cpu_block, request->bucket, request->now);
    if (cpu_block->end <= request->now)
        return 0;
    cpu_block->counts.wait += cpu_block->end - request->now;
    return charge(request->bucket, STALL_UNCACHED, cpu_block->end - request->now);
}

/* The address of the last byte of BLOCK. */
static paddr last_of(const struct memsys_block *block)
{
    return block->to[block->pieces - 1] + block->size[block->pieces - 1] - 1;
}

/* Handles accesses to a block in transfer, which bypass the caches; passes all others on. */
static cycles access_past_blocks(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct block *block = memsys->block;
    struct block_cpu *cpu_block = &block->cpu[cpu];
    if (SIM_LIKELY(!cpu_block->active) || !block_covers(memsys, cpu, request->address))
        return block->wrapped[request->access](memsys, cpu, request);
    *request->permission = PERMIT_NONE;
    bool done = request->access == MEMSYS_WRITE && is_in(last_of(&cpu_block->block), request->address, request->size);
    return done ? wait_for_engine(cpu_block, request) : 0;
}

void block_choose(struct memsys *memsys, enum memsys_access access)
{
    if (access == MEMSYS_FETCH)
        return;
    memsys->block->wrapped[access] = memsys->plain[access];
    memsys->plain[access] = access_past_blocks;
}

/* Upper limit of `end` in a checkpoint, so that the run cannot overflow it. */
#define END_MAX (UINT64_C(1) << 60)

static const struct saved_field saved_fields[] = {
    SAVED_EACH(struct block, cpu, active, SAVED_BOOL),
    SAVED_EACH_LIMITED(struct block, cpu, block.pieces, SAVED_U32, MEMSYS_BLOCK_PIECES),
    SAVED_EACH(struct block, cpu, block.to, SAVED_U32),
    SAVED_EACH(struct block, cpu, block.from, SAVED_U32),
    SAVED_EACH(struct block, cpu, block.size, SAVED_U32),
    SAVED_EACH(struct block, cpu, block.copies, SAVED_BOOL),
    SAVED_EACH_LIMITED(struct block, cpu, begun, SAVED_U64, END_MAX),
    SAVED_EACH_LIMITED(struct block, cpu, end, SAVED_U64, END_MAX),
    SAVED_EACH(struct block, cpu, stalled, SAVED_U64),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.copies),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.clears),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.bytes),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.busy),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.wait),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.overlapped),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.supplied),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.updated),
    SAVED_EACH_STATISTIC(struct block, cpu, counts.left),
};

static bool is_possible(void *base, struct err *err)
{
    const struct block *block = base;
    for (unsigned cpu = 0; cpu < BOARD_MAX_CPUS; cpu++) {
        const struct memsys_block *what = &block->cpu[cpu].block;
        bool empty = what->pieces == 0;
        for (uint32_t i = 0; i < what->pieces; i++)
            empty |= what->size[i] == 0;
        if (block->cpu[cpu].active && empty)
            return err_set(err, "cpu%u transfers a block of 0 bytes", cpu);
    }
    return true;
}

void block_register_saved(struct memsys *memsys, struct saved *saved)
{
    static const struct saved_ops ops = {.after_load = is_possible};
    saved_add(saved, &(struct saved_section){.name = "block",
                                             .version = 3,
                                             .oldest = 2,
                                             .timing = true,
                                             .base = memsys->block,
                                             SAVED_TABLE(saved_fields),
                                             .ops = &ops});
}

void block_register_stats(struct memsys *memsys, struct stats *stats)
{
    static const struct {
        const char *name, *unit, *text;
        size_t offset;
    } rows[] = {
#define ROW(NAME, UNIT, TEXT) {#NAME, UNIT, TEXT, offsetof(struct block_counts, NAME)}
        ROW(copies, "blocks", "copies by the block-transfer engine"),
        ROW(clears, "blocks", "blocks cleared by the block-transfer engine"),
        ROW(bytes, "bytes", "bytes copied and cleared by the block-transfer engine"),
        ROW(busy, "cycles", "time from the CPU's requests to the ends of the transfers"),
        ROW(wait, "cycles", "CPU stall (uncached) while a transfer outlasts the instructions of the guest's routine"),
        ROW(overlapped, "cycles",
            "of `busy`, cycles in which the CPU executed: the guest's routine, and interrupt handlers"),
        ROW(supplied, "lines", "last-level lines of sources supplied by a cache that had modified them"),
        ROW(updated, "lines", "last-level lines of destinations updated in caches that held them"),
        ROW(left, "bytes", "bytes of blocks that the engine left to the CPU"),
#undef ROW
    };
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            char name[64];
            const char *counts = (const char *)&memsys->block->cpu[cpu].counts;
            snprintf(name, sizeof name, "cpu%u.block.%s", cpu, rows[i].name);
            stats_counter(stats, name, rows[i].unit, rows[i].text, (const uint64_t *)(counts + rows[i].offset));
        }
}

void block_describe(const struct memsys *memsys, FILE *out)
{
    const struct block *block = memsys->block;
    const struct memsys_block page = {.pieces = 1, .size = {PAGE_SIZE}, .copies = true};
    fprintf(out, "block-transfer engine: blocks of %u bytes or more, a page copied in %llu cycles\n", block->least,
            (unsigned long long)(block->setup + transfer_time(block, &page)));
}
