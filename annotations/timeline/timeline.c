#include "annotations/timeline/timeline.h"
#include "annotations/services/service_tasks.h"
#include "annotations/services/service_frames.h"
#include "annotations/services/service_names.h"

#include "devices/disk/disk.h"
#include "src/base/board.h"
#include "src/base/json_writer.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = SERVICE_LEVELS + 1, TRACK_DISKS = BOARD_MAX_CPUS, MARKS_TRACK = UINT8_MAX };

enum slice_kind { SLICE_PROCESS, SLICE_SERVICE, SLICE_DISK, SLICE_MARK };

struct slice {
    cycles from, to;
    uint64_t insns;  /* of all processors, since power-on, at `from` */
    uint64_t sector; /* of a disk request */
    uint32_t number; /* process: pid; disk: sectors; service: its number */
    uint32_t name;   /* process and mark: index in names; disk: the same, of the request kind */
    uint8_t kind, track, depth, class;
};

/* A slice of a processor that has not ended. */
struct open_slice {
    cycles from, begun; /* start on this processor; start of the call, on any processor */
    uint64_t insns;     /* at `from`, as in struct slice */
    uint32_t number, name;
    uint8_t kind, class;
};

struct track {
    unsigned depth;
    struct open_slice open[LEVELS];
};

/* A disk serves one request at a time. */
struct disk_track {
    struct timeline *timeline;
    unsigned number;
    cycles ended; /* time at which the previous request ended */
};

struct timeline {
    const struct machine_view *machine;
    struct services *services;
    bool on, full;
    cycles started, stopped;
    struct slice *slices;
    size_t count, room, most;
    char (*names)[SERVICE_NAME]; /* of processes, marks, disk requests */
    uint32_t name_count, name_room;
    struct track track[BOARD_MAX_CPUS];
    struct disk_track disk[MACHINE_VIEW_DISKS];
};

struct timeline *timeline_create(const struct machine_view *machine, struct services *services, size_t most)
{
    struct timeline *timeline = checked_memory(calloc(1, sizeof *timeline));
    timeline->machine = machine;
    timeline->services = services;
    timeline->most = most;
    return timeline;
}

/* Index of NAME in names. There are few names; recent ones are most frequent. */
static uint32_t name_number(struct timeline *timeline, const char *name)
{
    for (uint32_t i = timeline->name_count; i-- > 0;)
        if (strncmp(timeline->names[i], name, SERVICE_NAME - 1) == 0)
            return i;
    if (timeline->name_count == timeline->name_room) {
        timeline->name_room = timeline->name_room ? 2 * timeline->name_room : 64;
        timeline->names = checked_memory(realloc(timeline->names, timeline->name_room * sizeof timeline->names[0]));
    }
    snprintf(timeline->names[timeline->name_count], SERVICE_NAME, "%s", name);
    return timeline->name_count++;
}

static void add(struct timeline *timeline, const struct slice *slice)
{
    if (timeline->count == timeline->room) {
        timeline->room = timeline->room ? 2 * timeline->room : 4096;
        timeline->slices = checked_memory(realloc(timeline->slices, timeline->room * sizeof *timeline->slices));
    }
    timeline->slices[timeline->count++] = *slice;
}

/* Slices */

static void close_above(struct timeline *timeline, unsigned cpu, unsigned depth, cycles now)
{
    struct track *track = &timeline->track[cpu];
    while (track->depth > depth) {
        const struct open_slice *open = &track->open[--track->depth];
        if (now > open->from)
            add(timeline, &(struct slice){.from = open->from,
                                          .to = now,
                                          .insns = open->insns,
                                          .number = open->number,
                                          .name = open->name,
                                          .kind = open->kind,
                                          .track = (uint8_t)cpu,
                                          .depth = (uint8_t)track->depth,
                                          .class = open->class});
    }
}

static bool is_recorded(const struct service_level *level)
{
    return level->begun || (level->service != SERVICE_USER && level->service != SERVICE_DAEMONS);
}

/* The slices that CORE's track should have open now. Returns their number. */
static unsigned wanted_slices(struct timeline *timeline, struct core *core, struct open_slice wanted[LEVELS])
{
    struct service_level levels[SERVICE_LEVELS];
    struct service_process process = services_current_process(timeline->services, core);
    unsigned count = services_stack(timeline->services, core, levels), depth = 0;
    wanted[depth++] = (struct open_slice){.kind = SLICE_PROCESS,
                                          .number = process.pid,
                                          .begun = process.task,
                                          .name = name_number(timeline, process.name)};
    for (unsigned i = 0; i < count; i++)
        if (is_recorded(&levels[i]))
            wanted[depth++] = (struct open_slice){.kind = SLICE_SERVICE,
                                                  .number = levels[i].service,
                                                  .begun = levels[i].begun,
                                                  .class = (uint8_t)levels[i].class};
    return depth;
}

/* True if OPEN continues as WANTED. A call may have been reclassified: its slice gets its last service. */
static bool continues(struct open_slice *open, const struct open_slice *wanted)
{
    if (open->kind != wanted->kind || open->begun != wanted->begun)
        return false;
    if (open->kind == SLICE_PROCESS || open->begun == 0)
        return open->number == wanted->number && open->name == wanted->name;
    open->number = wanted->number;
    open->class = wanted->class;
    return true;
}

/* Instructions of all processors since power-on. */
static uint64_t present_insns(const struct timeline *timeline)
{
    uint64_t insns = 0;
    for (unsigned cpu = 0; cpu < timeline->machine->cpus; cpu++) {
        core_sync(timeline->machine->cores[cpu]);
        insns += timeline->machine->cores[cpu]->s.insns;
    }
    return insns;
}

static cycles latest_time(const struct timeline *timeline)
{
    cycles now = 0;
    for (unsigned cpu = 0; cpu < timeline->machine->cpus; cpu++) {
        cycles time = machine_view_time(timeline->machine->cores[cpu]);
        now = time > now ? time : now;
    }
    return now;
}

/* Stop recording: close all open slices, which may exceed the maximum by a few. */
static void close_all(struct timeline *timeline)
{
    timeline->stopped = latest_time(timeline);
    for (unsigned cpu = 0; cpu < timeline->machine->cpus; cpu++)
        close_above(timeline, cpu, 0, machine_view_time(timeline->machine->cores[cpu]));
}

static void check_full(struct timeline *timeline)
{
    if (timeline->full || timeline->count < timeline->most)
        return;
    timeline->full = true;
    close_all(timeline);
}

static void service_changed(void *opaque, struct core *core)
{
    struct timeline *timeline = opaque;
    struct track *track = &timeline->track[core->number];
    if (timeline->full)
        return;
    struct open_slice wanted[LEVELS];
    unsigned depth = wanted_slices(timeline, core, wanted), same = 0;
    cycles now = machine_view_time(core);
    while (same < depth && same < track->depth && continues(&track->open[same], &wanted[same]))
        same++;
    close_above(timeline, core->number, same, now);
    const uint64_t insns = track->depth < depth ? present_insns(timeline) : 0;
    for (; track->depth < depth; track->depth++) {
        track->open[track->depth] = wanted[track->depth];
        track->open[track->depth].from = now;
        track->open[track->depth].insns = insns;
    }
    check_full(timeline);
}

/* Disks */

static void disk_submitted(void *opaque, const struct disk_request *request)
{
    (void)opaque;
    (void)request;
}

/* A request is served from its arrival or the end of the previous one, whichever is later. */
static void disk_ended(void *opaque, const struct disk_request *request, bool ok)
{
    struct disk_track *disk = opaque;
    struct timeline *timeline = disk->timeline;
    cycles now = timeline->machine->cores[0]->queue->now;
    cycles begin = request->arrival > disk->ended ? request->arrival : disk->ended;
    (void)ok;
    disk->ended = now;
    if (!timeline->full && now > begin)
        add(timeline, &(struct slice){.from = begin,
                                      .to = now,
                                      .sector = request->sector,
                                      .number = request->sectors,
                                      .name = name_number(timeline, disk_kind_name(request->kind)),
                                      .kind = SLICE_DISK,
                                      .track = (uint8_t)(TRACK_DISKS + disk->number)});
}

static void watch_disks(struct timeline *timeline)
{
    for (unsigned i = 0; i < MACHINE_VIEW_DISKS; i++) {
        timeline->disk[i] = (struct disk_track){timeline, i, timeline->started};
        if (timeline->machine->disk[i])
            disk_add_observer(timeline->machine->disk[i], &(struct disk_observer){.submitted = disk_submitted,
                                                                                  .ended = disk_ended,
                                                                                  .opaque = &timeline->disk[i]});
    }
}

static void unwatch_disks(struct timeline *timeline)
{
    for (unsigned i = 0; i < MACHINE_VIEW_DISKS; i++)
        if (timeline->machine->disk[i])
            disk_remove_observer(timeline->machine->disk[i], &timeline->disk[i]);
}

void timeline_start(struct timeline *timeline)
{
    if (timeline->on)
        return;
    timeline->on = true;
    timeline->started = latest_time(timeline);
    services_watch(timeline->services, service_changed, timeline);
    watch_disks(timeline);
    for (unsigned cpu = 0; cpu < timeline->machine->cpus; cpu++)
        service_changed(timeline, timeline->machine->cores[cpu]);
}

void timeline_stop(struct timeline *timeline)
{
    if (!timeline->on)
        return;
    timeline->on = false;
    services_unwatch(timeline->services, service_changed, timeline);
    unwatch_disks(timeline);
    if (!timeline->full)
        close_all(timeline);
}

void timeline_free(struct timeline *timeline)
{
    if (!timeline)
        return;
    if (timeline->on) {
        services_unwatch(timeline->services, service_changed, timeline);
        unwatch_disks(timeline);
    }
    free(timeline->slices);
    free(timeline->names);
    free(timeline);
}

void timeline_add_mark(struct timeline *timeline, const char *name, cycles now)
{
    if (timeline->on && !timeline->full)
        add(timeline, &(struct slice){.from = now,
                                      .to = now,
                                      .insns = present_insns(timeline),
                                      .name = name_number(timeline, name),
                                      .kind = SLICE_MARK,
                                      .track = MARKS_TRACK});
}

bool timeline_is_full(const struct timeline *timeline)
{
    return timeline->full;
}

size_t timeline_count(const struct timeline *timeline)
{
    return timeline->count;
}

/* The output file */

enum { PROCESS_CPUS = 1, PROCESS_DISKS = 2 }; /* the format's "processes": groups of tracks */

/* By track, then by start; enclosing slices first. */
static int in_order(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to > y->to ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static uint64_t nanoseconds(const struct timeline *timeline, cycles time)
{
    return (uint64_t)((unsigned __int128)time * 1000000000 / timeline->machine->clock_hz);
}

/* The format's unit is the microsecond. */
static void put_time(struct json_writer *json, const char *key, uint64_t ns)
{
    json_key(json, key);
    fprintf(json_put_raw(json), "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

static const char *category(const struct slice *slice)
{
    if (slice->kind == SLICE_PROCESS)
        return "process";
    if (slice->kind == SLICE_DISK)
        return "disk";
    if (slice->kind == SLICE_MARK)
        return "mark";
    if (slice->number == SERVICE_IDLE)
        return "idle";
    return slice->class == SERVICE_IS_INTERRUPT ? "interrupt" : slice->class == SERVICE_IS_FAULT ? "fault" : "service";
}

static void put_slice(const struct timeline *timeline, const struct slice *slice, struct json_writer *json)
{
    bool disk = slice->kind == SLICE_DISK, mark = slice->kind == SLICE_MARK;
    uint64_t from = nanoseconds(timeline, slice->from), to = nanoseconds(timeline, slice->to);
    json_line(json, 0);
    json_begin_object(json);
    json_member_text(json, "name",
                     slice->kind == SLICE_SERVICE ? services_name(timeline->services, slice->number)
                                                  : timeline->names[slice->name]);
    json_member_text(json, "cat", category(slice));
    json_member_text(json, "ph", mark ? "i" : "X");
    put_time(json, "ts", from);
    if (mark)
        json_member_text(json, "s", "g");
    else
        put_time(json, "dur", to - from);
    json_member_count(json, "pid", disk ? PROCESS_DISKS : PROCESS_CPUS);
    json_member_count(json, "tid", disk ? slice->track - (unsigned)TRACK_DISKS : mark ? 0 : slice->track);
    if (disk) {
        json_member_object(json, "args");
        json_member_count(json, "sector", slice->sector);
        json_member_count(json, "sectors", slice->number);
        json_end_object(json);
    } else if (slice->kind == SLICE_PROCESS) {
        json_member_object(json, "args");
        json_member_count(json, "pid", slice->number);
        json_end_object(json);
    }
    json_end_object(json);
}

/* A sample of the counter of instructions where SLICE begins. It is no argument of the slice: viewers take slices with
 * other arguments for slices of another kind. */
static void put_insns(const struct timeline *timeline, const struct slice *slice, struct json_writer *json)
{
    json_line(json, 0);
    json_begin_object(json);
    json_member_text(json, "name", "instructions");
    json_member_text(json, "ph", "C");
    put_time(json, "ts", nanoseconds(timeline, slice->from));
    json_member_count(json, "pid", PROCESS_CPUS);
    json_member_count(json, "tid", 0);
    json_member_object(json, "args");
    json_member_count(json, "insn", slice->insns);
    json_end_object(json);
    json_end_object(json);
}

/* By instructions, then by start. */
static int by_insns(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    if (x->insns != y->insns)
        return x->insns < y->insns ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Samples of the counter of instructions, one for each count. SLICES get another order. */
static void put_counter(const struct timeline *timeline, struct slice *slices, struct json_writer *json)
{
    const struct slice *last = NULL;
    qsort(slices, timeline->count, sizeof *slices, by_insns);
    for (size_t i = 0; i < timeline->count; i++) {
        if (slices[i].kind == SLICE_DISK || (last && slices[i].insns == last->insns))
            continue;
        last = &slices[i];
        put_insns(timeline, last, json);
    }
}

static void put_name(struct json_writer *json, const char *kind, unsigned process, unsigned thread, const char *name)
{
    json_line(json, 0);
    json_begin_object(json);
    json_member_text(json, "name", kind);
    json_member_text(json, "ph", "M");
    json_member_count(json, "pid", process);
    json_member_count(json, "tid", thread);
    json_member_object(json, "args");
    json_member_text(json, "name", name);
    json_end_object(json);
    json_end_object(json);
}

static void put_tracks(const struct timeline *timeline, struct json_writer *json)
{
    char name[32];
    uint64_t disks = 0;
    put_name(json, "process_name", PROCESS_CPUS, 0, "processors");
    for (unsigned cpu = 0; cpu < timeline->machine->cpus; cpu++) {
        snprintf(name, sizeof name, "CPU %u", cpu);
        put_name(json, "thread_name", PROCESS_CPUS, cpu, name);
    }
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->slices[i].kind == SLICE_DISK)
            disks |= UINT64_C(1) << (timeline->slices[i].track - TRACK_DISKS);
    if (disks)
        put_name(json, "process_name", PROCESS_DISKS, 0, "disks");
    for (unsigned disk = 0; disk < BOARD_DISKS; disk++) {
        snprintf(name, sizeof name, "disk %u", disk);
        if (disks >> disk & 1)
            put_name(json, "thread_name", PROCESS_DISKS, disk, name);
    }
}

void timeline_write(const void *opaque, FILE *out)
{
    const struct timeline *timeline = opaque;
    struct json_writer json = json_writer_to(out);
    struct slice *slices = checked_memory(malloc((timeline->count + 1) * sizeof *slices));
    if (timeline->count)
        memcpy(slices, timeline->slices, timeline->count * sizeof *slices);
    qsort(slices, timeline->count, sizeof *slices, in_order);
    json_begin_object(&json);
    json_member_text(&json, "displayTimeUnit", "ns");
    json_line(&json, 0);
    json_member_object(&json, "otherData");
    json_member_count(&json, "from_cycle", timeline->started);
    json_member_count(&json, "to_cycle", timeline->stopped);
    json_member_count(&json, "clock_hz", timeline->machine->clock_hz);
    json_key(&json, "complete");
    json_put_bool(&json, !timeline->full);
    json_end_object(&json);
    json_line(&json, 0);
    json_member_array(&json, "traceEvents");
    put_tracks(timeline, &json);
    for (size_t i = 0; i < timeline->count; i++)
        put_slice(timeline, &slices[i], &json);
    put_counter(timeline, slices, &json);
    json_line(&json, 0);
    json_end_array(&json);
    json_end_object(&json);
    putc('\n', out);
    free(slices);
}
