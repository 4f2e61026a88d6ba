#include "src/history/find.h"

#include "cache/observe/line_watch.h"
#include "cpu/privileged/data_watch.h"
#include "cpu/privileged/register_access.h"
#include "cpu/model.h"
#include "cpu/registers.h"
#include "src/base/array.h"
#include <stdlib.h>

struct finding {
    struct machine *machine;
    struct find_request request;
    struct find_event *events; /* by array_room() */
    size_t count;
    struct line_watch *lines[FIND_POINTS_MAX];
    uint64_t value; /* of the register, before the next instruction */
    struct find_event before;
    void (*after_write)(void *opaque, paddr address, uint32_t size); /* those of the machine */
    void (*before_read)(void *opaque, paddr address, uint32_t size);
    void *hook_opaque;
};

/* The instruction at the CPU's PC, of which COUNTED says whether s.insns has it already. */
static struct find_event of_core(const struct finding *finding, struct core *core, bool counted)
{
    core_sync(core);
    return (struct find_event){.cpu = core->number,
                               .insns = machine_insns(finding->machine) - counted,
                               .cpu_insns = core->s.insns - counted,
                               .time = core->s.cycle,
                               .pc = core->s.pc,
                               .user = core_is_user(core)};
}

static bool concerns(const struct finding *finding, unsigned cpu)
{
    return finding->request.cpu == FIND_ANY_CPU || finding->request.cpu == (int)cpu;
}

static void note(struct finding *finding, const struct find_event *event)
{
    if (!finding->request.all)
        finding->count = 0;
    finding->events = array_room(finding->events, finding->count, sizeof *event);
    finding->events[finding->count++] = *event;
}

/* CPUs */

static bool before_insn(void *opaque, struct core *core)
{
    struct finding *finding = opaque;
    if (!concerns(finding, core->number))
        return false;
    const uint32_t argument = core_argument(core, 0);
    if (finding->request.by_argument && argument != finding->request.argument)
        return false;
    struct find_event event = of_core(finding, core, false);
    event.kind = FIND_EXEC;
    event.caller = core_return_address(core);
    event.argument = argument;
    for (unsigned i = 0; i < finding->request.count; i++)
        if (finding->request.points[i].kind == FIND_EXEC && finding->request.points[i].first == core->s.pc)
            event.point = i;
    note(finding, &event);
    return false;
}

/* The first point that the access touches; UINT32_MAX: none. */
static unsigned point_of(const struct finding *finding, const struct data_access *access)
{
    const bool stores = access->kind == ACCESS_STORE;
    for (unsigned i = 0; i < finding->request.count; i++) {
        const struct find_point *point = &finding->request.points[i];
        const uint32_t from = point->by_virtual ? access->address : access->physical, to = from + access->size - 1;
        if (point->kind != FIND_EXEC && point->kind != (stores ? FIND_LOAD : FIND_STORE) && from <= point->last &&
            to >= point->first)
            return i;
    }
    return UINT32_MAX;
}

static void accessed(void *opaque, struct core *core, const struct data_access *access)
{
    struct finding *finding = opaque;
    const unsigned point = concerns(finding, core->number) ? point_of(finding, access) : UINT32_MAX;
    if (point == UINT32_MAX)
        return;
    struct find_event event = of_core(finding, core, !access->uncounted);
    event.kind = access->kind == ACCESS_STORE ? FIND_STORE : FIND_LOAD;
    event.point = point;
    event.address = access->address;
    event.physical = access->physical;
    event.size = access->size;
    event.value = access->value;
    note(finding, &event);
}

/* Registers: what is looked at between instructions */

static struct core *stepped_core(const struct finding *finding)
{
    return finding->machine->cores[finding->request.cpu];
}

int finding_steps(const struct finding *finding)
{
    return finding->request.count && finding->request.points[0].kind == FIND_CHANGE ? finding->request.cpu
                                                                                    : FIND_ANY_CPU;
}

void finding_look(struct finding *finding)
{
    struct core *core = stepped_core(finding);
    const uint64_t value = register_read(core, finding->request.number);
    if (value != finding->value) {
        struct find_event event = finding->before;
        event.kind = FIND_CHANGE;
        event.before = finding->value;
        event.value = value;
        note(finding, &event);
    }
    finding->value = value;
    finding->before = of_core(finding, core, false);
}

/* Lines of caches */

static void line_event(void *opaque, const struct line_event *line)
{
    static const enum find_kind kinds[] = {
        [LINE_MISSED] = FIND_MISS, [LINE_ENTERED] = FIND_ENTER, [LINE_LEFT] = FIND_LEAVE};
    struct finding *finding = opaque;
    struct core *core = finding->machine->current; /* NULL: a device */
    if (kinds[line->kind] != finding->request.points[0].kind || !concerns(finding, line->cpu))
        return;
    struct find_event event = {
        .by_device = true, .insns = machine_insns(finding->machine), .time = finding->machine->queue->now};
    if (core)
        event = of_core(finding, core, !core->model_ops->reorders); /* in order, it has been counted by then */
    event.kind = kinds[line->kind];
    event.owner = line->cpu;
    event.physical = event.address = line->line;
    event.size = 0;
    snprintf(event.why, sizeof event.why, "%s", line->why ? line->why : "");
    note(finding, &event);
}

/* Devices */

static void note_dma(struct finding *finding, enum find_kind kind, paddr address, uint32_t size)
{
    if (size == 0 || finding->request.cpu != FIND_ANY_CPU)
        return;
    for (unsigned i = 0; i < finding->request.count; i++) {
        const struct find_point *point = &finding->request.points[i];
        if (point->by_virtual || (point->kind != kind && point->kind != FIND_ACCESS) || address > point->last ||
            address + (size - 1) < point->first)
            continue;
        note(finding, &(struct find_event){.kind = kind,
                                           .by_device = true,
                                           .point = i,
                                           .insns = machine_insns(finding->machine),
                                           .time = finding->machine->queue->now,
                                           .address = address,
                                           .physical = address,
                                           .size = size < UINT8_MAX ? (uint8_t)size : UINT8_MAX});
        return;
    }
}

static void device_wrote(void *opaque, paddr address, uint32_t size)
{
    struct finding *finding = opaque;
    finding->after_write(finding->hook_opaque, address, size);
    note_dma(finding, FIND_STORE, address, size);
}

static void device_reads(void *opaque, paddr address, uint32_t size)
{
    struct finding *finding = opaque;
    finding->before_read(finding->hook_opaque, address, size);
    note_dma(finding, FIND_LOAD, address, size);
}

/* Begin and end */

static bool is_of_lines(enum find_kind kind)
{
    return kind == FIND_MISS || kind == FIND_ENTER || kind == FIND_LEAVE;
}

static void watch_point(struct finding *finding, unsigned number)
{
    const struct find_point *point = &finding->request.points[number];
    struct machine *machine = finding->machine;
    if (point->kind == FIND_EXEC) {
        for (unsigned i = 0; i < machine->cpus; i++)
            core_hook_add(machine->cores[i], point->first, before_insn, finding);
        return;
    }
    if (is_of_lines(point->kind)) {
        finding->lines[number] =
            line_watch_begin(machine->memsys, finding->request.cache, point->first, point->last, line_event, finding);
        return;
    }
    if (point->kind == FIND_CHANGE)
        return;
    const struct data_range range = {.loads = point->kind != FIND_STORE,
                                     .stores = point->kind != FIND_LOAD,
                                     .by_virtual = point->by_virtual,
                                     .first = point->first,
                                     .last = point->last,
                                     .callback = accessed,
                                     .opaque = finding};
    data_watch_add(machine->cores[0], &range);
}

struct finding *finding_begin(struct machine *machine, const struct find_request *request)
{
    struct finding *finding = checked_memory(calloc(1, sizeof *finding));
    finding->machine = machine;
    finding->request = *request;
    for (unsigned i = 0; i < request->count; i++)
        watch_point(finding, i);
    if (finding_steps(finding) != FIND_ANY_CPU) {
        finding->value = register_read(stepped_core(finding), request->number);
        finding->before = of_core(finding, stepped_core(finding), false);
    }
    data_watch_add_observer(machine->cores[0], true);
    finding->after_write = machine->mem->after_write;
    finding->before_read = machine->mem->before_read;
    finding->hook_opaque = machine->mem->hook_opaque;
    machine->mem->after_write = device_wrote;
    machine->mem->before_read = device_reads;
    machine->mem->hook_opaque = finding;
    return finding;
}

struct find_event *finding_end(struct finding *finding, size_t *count)
{
    struct machine *machine = finding->machine;
    struct find_event *events = finding->events;
    for (unsigned i = 0; i < finding->request.count; i++)
        for (unsigned cpu = 0; finding->request.points[i].kind == FIND_EXEC && cpu < machine->cpus; cpu++)
            core_hook_remove(machine->cores[cpu], finding->request.points[i].first, before_insn, finding);
    data_watch_remove(machine->cores[0], accessed, finding);
    data_watch_add_observer(machine->cores[0], false);
    machine->mem->after_write = finding->after_write;
    machine->mem->before_read = finding->before_read;
    machine->mem->hook_opaque = finding->hook_opaque;
    for (unsigned i = 0; i < finding->request.count; i++)
        line_watch_end(finding->lines[i]);
    *count = finding->count;
    free(finding);
    return events;
}
