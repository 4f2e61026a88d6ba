/* A drive in a checkpoint: the saved fields and their consistency checks. */
#include "devices/disk/disk_private.h"
#include <stdio.h>

bool disk_is_pending(const struct disk *disk, unsigned tag)
{
    unsigned found = 0;
    for (unsigned i = 0; i < disk->state.count; i++)
        found += disk->state.queue[(disk->state.first + i) % DISK_QUEUE].tag == tag;
    return found == 1;
}

static const struct saved_field queue_fields[] = {
    SAVED_EACH_LIMITED(struct disk, state.queue, kind, SAVED_U32, DISK_COMMAND),
    SAVED_EACH(struct disk, state.queue, sectors, SAVED_U32),
    SAVED_EACH(struct disk, state.queue, sector, SAVED_U64),
    SAVED_EACH_LIMITED(struct disk, state.queue, tag, SAVED_U32, DISK_QUEUE - 1),
    SAVED_EACH(struct disk, state.queue, arrival, SAVED_TIME),
    SAVED_LIMITED(struct disk, state.first, SAVED_U32, DISK_QUEUE - 1),
    SAVED_LIMITED(struct disk, state.count, SAVED_U32, DISK_QUEUE),
    SAVED_FIELD(struct disk, state.idle_since, SAVED_TIME),
    SAVED_STATISTIC(struct disk, counts.requests),
    SAVED_STATISTIC(struct disk, counts.hits),
    SAVED_STATISTIC(struct disk, counts.reported),
    SAVED_STATISTIC(struct disk, counts.queued),
    SAVED_STATISTIC(struct disk, counts.responded),
    SAVED_STATISTIC(struct disk, counts.phase),
    SAVED_STATISTIC(struct disk, counts.bus_transfer),
    SAVED_STATISTIC(struct disk, state.cache.work.seek),
    SAVED_STATISTIC(struct disk, state.cache.work.rotation),
    SAVED_STATISTIC(struct disk, state.cache.work.transfer),
    SAVED_STATISTIC(struct disk, state.cache.work.seeks),
    SAVED_STATISTIC(struct disk, state.cache.work.read_ahead),
};

static const struct saved_field drive_fields[] = {
    SAVED_LIMITED(struct disk, state.phase, SAVED_U32, DISK_PHASES - 1),
    SAVED_FIELD(struct disk, state.phase_start, SAVED_U64), /* disk time, like the other times of this table */
    SAVED_FIELD(struct disk, state.moved, SAVED_U32),
    SAVED_LIMITED(struct disk, state.part, SAVED_U32, DISK_READ_FENCE),
    SAVED_LIMITED(struct disk, state.cache.run, SAVED_U32, DISK_RUN_WRITE),
    SAVED_FIELD(struct disk, state.cache.first, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.next, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.limit, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.wanted, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.when, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.ready, SAVED_U64),
    SAVED_FIELD(struct disk, state.cache.arm.cylinder, SAVED_U64),
    SAVED_LIMITED(struct disk, state.cache.arm.head, SAVED_U32, DISK_HEADS - 1),
    SAVED_LIMITED(struct disk, port.bytes, SAVED_U32, DISK_READ_FENCE * 512),
    SAVED_FIELD(struct disk, event, SAVED_EVENT),
};

static bool check_queue(const struct disk *disk, struct err *err)
{
    const struct disk_state *state = &disk->state;
    for (unsigned i = 0; i < state->count; i++) {
        const struct disk_request *request = &state->queue[(state->first + i) % DISK_QUEUE];
        uint64_t sectors = disk->geometry.sectors;
        if (request->kind < DISK_FLUSH &&
            (request->sectors == 0 || request->sector >= sectors || request->sectors > sectors - request->sector))
            return err_set(err, "a transfer of %u sectors at %llu of a disk of %llu", request->sectors,
                           (unsigned long long)request->sector, (unsigned long long)sectors);
        if (request->arrival > disk->clock.queue->now || !disk_is_pending(disk, request->tag))
            return err_set(err, "request %u occurs twice, or has an arrival time in the future", request->tag);
    }
    return true;
}

/* The requests are loaded. If no drive state follows, the drive restarts the first request now. */
static bool queue_loaded(void *base, struct err *err)
{
    struct disk *disk = base;
    if (disk->state.idle_since > disk->clock.queue->now)
        return err_set(err, "its last request ended in the future");
    if (!check_queue(disk, err))
        return false;
    if (disk->state.phase == DISK_IDLE && disk->state.count)
        disk_begin_request(disk);
    return true;
}

static bool is_run_consistent(const struct disk *disk)
{
    const struct disk_cache *cache = &disk->state.cache;
    nsec now = disk_clock_now(&disk->clock);
    return cache->first <= cache->next && cache->next <= cache->limit && cache->limit <= disk->geometry.sectors &&
           cache->next - cache->first <= DISK_CACHE_SECTORS && cache->limit - cache->next <= DISK_CACHE_SECTORS &&
           cache->when <= now && cache->ready <= now && cache->arm.cylinder < disk->geometry.cylinders;
}

/* In the middle of a transfer: is the next bus transfer part of the request, and does it match the buffer? */
static bool is_transfer_consistent(const struct disk *disk)
{
    const struct disk_state *state = &disk->state;
    const struct disk_cache *cache = &state->cache;
    const struct disk_request *request = &state->queue[state->first];
    uint64_t next_sector = request->sector + state->moved;
    if (request->kind >= DISK_FLUSH || state->moved > request->sectors)
        return false;
    bool reads = request->kind == DISK_READ, all = state->moved == request->sectors;
    if (reads ? cache->run != DISK_RUN_READ || cache->first > next_sector || cache->next < next_sector ||
                    cache->limit < next_sector + state->part
              : cache->run != DISK_RUN_WRITE || cache->limit != next_sector)
        return false;
    if (all) /* a write waiting for the platters */
        return !reads && state->phase == DISK_MEDIUM;
    return state->part > 0 && state->part <= request->sectors - state->moved;
}

/* Is the phase possible for a request, and does exactly the matching event or bus request exist? */
static bool is_phase_consistent(const struct disk *disk)
{
    const struct disk_state *state = &disk->state;
    bool idle = state->phase == DISK_IDLE, on_bus = state->phase == DISK_BUS;
    if (idle != (state->count == 0) || (!idle && !on_bus) != event_is_scheduled(&disk->event))
        return false;
    if (disk->port.bytes != (on_bus ? state->part * 512 : 0) || state->phase_start > disk_clock_now(&disk->clock))
        return false;
    if (!idle && (state->phase == DISK_CONSTANT) != (disk->config.model == DISK_FIXED))
        return false;
    return (!on_bus && state->phase != DISK_MEDIUM) || is_transfer_consistent(disk);
}

static bool drive_loaded(void *base, struct err *err)
{
    const struct disk *disk = base;
    if (!is_run_consistent(disk))
        return err_set(err, "inconsistent state of the buffer");
    return is_phase_consistent(disk) ||
           err_set(err, "inconsistent state of the request in phase %d", (int)disk->state.phase);
}

void disk_register_saved(struct disk *disk, struct saved *saved, const char *prefix)
{
    static const struct saved_ops queue_ops = {.after_load = queue_loaded}, drive_ops = {.after_load = drive_loaded};
    char name[SAVED_NAME_MAX + 1];
    snprintf(name, sizeof name, "%s.queue", prefix);
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .base = disk,
                                             .fields = queue_fields,
                                             .field_count = sizeof queue_fields / sizeof queue_fields[0],
                                             .ops = &queue_ops});
    snprintf(name, sizeof name, "%s.drive", prefix);
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .timing = true,
                                             .base = disk,
                                             .fields = drive_fields,
                                             .field_count = sizeof drive_fields / sizeof drive_fields[0],
                                             .ops = &drive_ops});
}
