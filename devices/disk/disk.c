#include "devices/disk/disk.h"
#include "devices/disk/disk_private.h"
#include <stdlib.h>

const char *disk_kind_name(enum disk_kind kind)
{
    static const char *const names[DISK_KINDS] = {[DISK_READ] = "read",
                                                  [DISK_WRITE] = "write",
                                                  [DISK_WRITE_MEDIUM] = "write",
                                                  [DISK_FLUSH] = "flush",
                                                  [DISK_COMMAND] = "command"};
    return names[kind];
}

static nsec now_of(const struct disk *disk)
{
    return disk_clock_now(&disk->clock);
}

static struct disk_request *in_service(struct disk *disk)
{
    return &disk->state.queue[disk->state.first];
}

/* Enter PHASE; the time since the last change counts for the phase that ends. */
static void enter_phase(struct disk *disk, enum disk_phase phase)
{
    nsec now = now_of(disk);
    disk->counts.phase[disk->state.phase] += now - disk->state.phase_start;
    disk->state.phase = phase;
    disk->state.phase_start = now;
}

static void wait_until(struct disk *disk, enum disk_phase phase, nsec time)
{
    enter_phase(disk, phase);
    event_schedule(disk->clock.queue, &disk->event, disk_clock_cycles(&disk->clock, time));
}

void disk_begin_request(struct disk *disk)
{
    struct disk_state *state = &disk->state;
    const struct disk_request *request = in_service(disk);
    cycles start = request->arrival > state->idle_since ? request->arrival : state->idle_since;
    disk->counts.queued += start - request->arrival;
    state->moved = state->part = 0;
    if (disk->config.model == DISK_HP97560) {
        wait_until(disk, DISK_OVERHEAD, now_of(disk) + DISK_CONTROLLER_OVERHEAD);
        return;
    }
    enter_phase(disk, DISK_CONSTANT);
    /* At least a cycle, so that simulated time advances even if each completion submits a request. */
    event_schedule(disk->clock.queue, &disk->event, start + (disk->config.latency ? disk->config.latency : 1));
}

static void end_request(struct disk *disk, bool ok)
{
    struct disk_state *state = &disk->state;
    struct disk_request request = *in_service(disk);
    enter_phase(disk, DISK_IDLE);
    state->first = (state->first + 1) % DISK_QUEUE;
    state->count--;
    state->idle_since = disk->clock.queue->now;
    disk->counts.requests++;
    disk->counts.responded += disk->clock.queue->now - request.arrival;
    disk->ops->done(disk->opaque, request.tag, ok);
    for (unsigned i = 0; i < disk->watchers; i++)
        disk->watcher[i].ended(disk->watcher[i].opaque, &request, ok);
    if (state->phase == DISK_IDLE && state->count)
        disk_begin_request(disk);
}

/* ---- the HP 97560 ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Request the bus for the next part of the request. */
static void request_bus(struct disk *disk)
{
    disk->counts.bus_transfer += (nsec)disk->state.part * 512 * SCSI_BUS_NSEC_PER_BYTE;
    enter_phase(disk, DISK_BUS);
    scsi_bus_request(disk->bus, &disk->port, disk->state.part * 512);
}

/* Transfer the next part of a read over the bus as soon as it is in the buffer. */
static void continue_read(struct disk *disk)
{
    struct disk_state *state = &disk->state;
    const struct disk_request *request = in_service(disk);
    uint64_t next_sector = request->sector + state->moved, end = request->sector + request->sectors;
    /* Sectors already transferred to the host free their space in the buffer. */
    uint64_t limit =
        disk->config.read_ahead ? next_sector + DISK_CACHE_SECTORS : least(end, next_sector + DISK_CACHE_SECTORS);
    disk_cache_extend(&state->cache, &disk->geometry, least(limit, disk->geometry.sectors), now_of(disk));
    state->part = (uint32_t)least(end - next_sector, DISK_READ_FENCE);
    nsec ready = disk_cache_time(&state->cache, &disk->geometry, next_sector + state->part);
    if (ready > now_of(disk))
        wait_until(disk, DISK_MEDIUM, ready);
    else
        request_bus(disk);
}

static void start_read(struct disk *disk)
{
    struct disk_cache *cache = &disk->state.cache;
    const struct disk_request *request = in_service(disk);
    disk->counts.hits += disk_cache_continues(cache, request->sector) && request->sector < cache->next;
    if (!disk_cache_continues(cache, request->sector))
        disk_cache_start(cache, DISK_RUN_READ, request->sector, now_of(disk));
    if (cache->wanted < request->sector + request->sectors)
        cache->wanted = request->sector + request->sectors;
    continue_read(disk);
}

/* Transfer the next part of a write over the bus as soon as the buffer has room for it. */
static void continue_write(struct disk *disk)
{
    struct disk_state *state = &disk->state;
    struct disk_cache *cache = &state->cache;
    state->part = (uint32_t)least(in_service(disk)->sectors - state->moved, DISK_READ_FENCE);
    uint64_t unwritten = disk_cache_unwritten(cache);
    if (unwritten + state->part <= DISK_CACHE_SECTORS)
        request_bus(disk);
    else
        wait_until(disk, DISK_MEDIUM,
                   disk_cache_time(cache, &disk->geometry, cache->limit + state->part - DISK_CACHE_SECTORS));
}

/* Does this write continue the preceding write, part of which is still in the buffer? */
static bool continues_writing(const struct disk_cache *cache, const struct disk_request *request)
{
    return disk_cache_unwritten(cache) && cache->limit == request->sector;
}

static void start_write(struct disk *disk)
{
    struct disk_cache *cache = &disk->state.cache;
    const struct disk_request *request = in_service(disk);
    if (!continues_writing(cache, request))
        disk_cache_start(cache, DISK_RUN_WRITE, request->sector, now_of(disk));
    continue_write(disk);
}

/* All data of a write is in the buffer: report it, or wait for the platters. */
static void end_write(struct disk *disk)
{
    struct disk_cache *cache = &disk->state.cache;
    if (disk->config.immediate_report && in_service(disk)->kind == DISK_WRITE) {
        disk->counts.reported++;
        end_request(disk, true);
    } else if (disk_cache_unwritten(cache)) {
        wait_until(disk, DISK_MEDIUM, disk_cache_time(cache, &disk->geometry, cache->limit));
    } else {
        end_request(disk, true);
    }
}

/* The controller has decoded the command, and the buffer holds no data that must be written first. */
static void start_transfer(struct disk *disk)
{
    switch (in_service(disk)->kind) {
    case DISK_READ: start_read(disk); break;
    case DISK_WRITE:
    case DISK_WRITE_MEDIUM: start_write(disk); break;
    case DISK_FLUSH:
    case DISK_COMMAND: end_request(disk, true); break;
    }
}

static bool must_drain(struct disk *disk)
{
    const struct disk_cache *cache = &disk->state.cache;
    const struct disk_request *request = in_service(disk);
    bool writes = request->kind == DISK_WRITE || request->kind == DISK_WRITE_MEDIUM;
    return disk_cache_unwritten(cache) && request->kind != DISK_COMMAND &&
           !(writes && continues_writing(cache, request));
}

static void command_decoded(struct disk *disk)
{
    struct disk_cache *cache = &disk->state.cache;
    if (must_drain(disk))
        wait_until(disk, DISK_DRAIN, disk_cache_time(cache, &disk->geometry, cache->limit));
    else
        start_transfer(disk);
}

static void medium_reached(struct disk *disk)
{
    const struct disk_request *request = in_service(disk);
    if (request->kind == DISK_READ || disk->state.moved < request->sectors)
        request_bus(disk);
    else
        end_request(disk, true);
}

/* All data of a read was transferred: the drive may use the whole buffer for read-ahead. */
static void end_read(struct disk *disk)
{
    const struct disk_request *request = in_service(disk);
    if (disk->config.read_ahead)
        disk_cache_extend(&disk->state.cache, &disk->geometry,
                          least(request->sector + request->sectors + DISK_CACHE_SECTORS, disk->geometry.sectors),
                          now_of(disk));
    end_request(disk, true);
}

static void bus_done(void *opaque)
{
    struct disk *disk = opaque;
    struct disk_state *state = &disk->state;
    const struct disk_request *request = in_service(disk);
    bool reads = request->kind == DISK_READ;
    bool ok = disk->ops->move(disk->opaque, request->tag, state->moved, state->part);
    state->moved += state->part;
    if (!reads) /* the mechanism may write the sectors received so far */
        disk_cache_extend(&state->cache, &disk->geometry, request->sector + state->moved, now_of(disk));
    bool all = state->moved == request->sectors;
    if (!ok)
        end_request(disk, false);
    else if (reads)
        all ? end_read(disk) : continue_read(disk);
    else
        all ? end_write(disk) : continue_write(disk);
}

/* ---- both models ---- */

static void constant_over(struct disk *disk)
{
    const struct disk_request *request = in_service(disk);
    bool transfers = request->kind < DISK_FLUSH;
    end_request(disk, !transfers || disk->ops->move(disk->opaque, request->tag, 0, request->sectors));
}

static void disk_fire(void *opaque)
{
    struct disk *disk = opaque;
    disk_cache_advance(&disk->state.cache, &disk->geometry, now_of(disk));
    switch (disk->state.phase) {
    case DISK_OVERHEAD: command_decoded(disk); break;
    case DISK_DRAIN: start_transfer(disk); break;
    case DISK_MEDIUM: medium_reached(disk); break;
    case DISK_CONSTANT: constant_over(disk); break;
    default: log_bug("disk: an event in phase %d", (int)disk->state.phase);
    }
}

struct disk *disk_create(struct event_queue *queue, const struct disk_config *config, uint64_t sectors,
                         struct scsi_bus *bus, unsigned number, const struct disk_ops *ops, void *opaque)
{
    struct disk *disk = checked_memory(calloc(1, sizeof *disk));
    disk->config = *config;
    disk->clock = (struct disk_clock){.queue = queue, .speed = config->speed ? config->speed : 1};
    disk->geometry = disk_geometry_of(sectors);
    disk->ops = ops;
    disk->opaque = opaque;
    struct disk_position first = disk_geometry_position(0);
    disk->state.cache.arm = (struct disk_arm){.cylinder = first.cylinder, .head = first.head};
    event_init(&disk->event, "disk", disk_fire, disk);
    if (config->model == DISK_HP97560) {
        disk->bus = bus;
        disk->port = (struct scsi_port){.done = bus_done, .opaque = disk};
        scsi_bus_connect(bus, &disk->port, number);
    }
    return disk;
}

void disk_free(struct disk *disk)
{
    if (!disk)
        return;
    event_cancel(disk->clock.queue, &disk->event);
    if (disk->bus)
        scsi_bus_disconnect(disk->bus, &disk->port);
    free(disk);
}

bool disk_submit(struct disk *disk, enum disk_kind kind, unsigned tag, uint64_t sector, uint32_t sectors,
                 cycles arrival)
{
    struct disk_state *state = &disk->state;
    bool transfers = kind < DISK_FLUSH;
    if (transfers && (sectors == 0 || sector >= disk->geometry.sectors || sectors > disk->geometry.sectors - sector))
        log_bug("disk: a transfer of %u sectors at %llu", sectors, (unsigned long long)sector);
    if (state->count == DISK_QUEUE)
        return false;
    const struct disk_request request = {
        .kind = kind, .sectors = sectors, .sector = sector, .tag = tag, .arrival = arrival};
    state->queue[(state->first + state->count) % DISK_QUEUE] = request;
    state->count++;
    for (unsigned i = 0; i < disk->watchers; i++)
        disk->watcher[i].submitted(disk->watcher[i].opaque, &request);
    if (state->count == 1)
        disk_begin_request(disk);
    return true;
}

void disk_add_observer(struct disk *disk, const struct disk_observer *watcher)
{
    if (disk->watchers == DISK_OBSERVERS_MAX)
        log_bug("more than %d watch a disk", DISK_OBSERVERS_MAX);
    disk->watcher[disk->watchers++] = *watcher;
}

void disk_remove_observer(struct disk *disk, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < disk->watchers; i++)
        if (disk->watcher[i].opaque != opaque)
            disk->watcher[kept++] = disk->watcher[i];
    disk->watchers = kept;
}

void disk_reset(struct disk *disk)
{
    event_cancel(disk->clock.queue, &disk->event);
    if (disk->bus)
        scsi_bus_cancel(disk->bus, &disk->port);
    enter_phase(disk, DISK_IDLE);
    disk->state.count = 0;
    disk->state.idle_since = disk->clock.queue->now;
}

unsigned disk_pending(const struct disk *disk)
{
    return disk->state.count;
}
