#include "src/history/find.h"

#include "cpu/privileged/data_watch.h"
#include "cpu/privileged/register_access.h"
#include "cpu/registers.h"
#include <stdlib.h>

struct finding {
    struct machine *machine;
    struct find_request request;
    bool any;
    struct find_event last;
    void (*after_write)(void *opaque, paddr address, uint32_t size); /* those of the machine */
    void (*before_read)(void *opaque, paddr address, uint32_t size);
    void *hook_opaque;
};

/* The instruction at the CPU's PC, of which BEFORE says whether s.insns has it already. */
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

/* CPUs */

static bool before_insn(void *opaque, struct core *core)
{
    struct finding *finding = opaque;
    if (!concerns(finding, core->number))
        return false;
    finding->any = true;
    finding->last = of_core(finding, core, false);
    finding->last.kind = FIND_EXEC;
    for (unsigned i = 0; i < finding->request.count; i++)
        if (finding->request.points[i].kind == FIND_EXEC && finding->request.points[i].first == core->s.pc)
            finding->last.point = i;
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
    finding->any = true;
    finding->last = of_core(finding, core, !access->uncounted);
    finding->last.kind = access->kind == ACCESS_STORE ? FIND_STORE : FIND_LOAD;
    finding->last.point = point;
    finding->last.address = access->address;
    finding->last.physical = access->physical;
    finding->last.size = access->size;
    finding->last.value = access->value;
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
        finding->any = true;
        finding->last = (struct find_event){.kind = kind,
                                            .by_device = true,
                                            .point = i,
                                            .insns = machine_insns(finding->machine),
                                            .time = finding->machine->queue->now,
                                            .address = address,
                                            .physical = address,
                                            .size = size < UINT8_MAX ? (uint8_t)size : UINT8_MAX};
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

static void watch_point(struct finding *finding, const struct find_point *point)
{
    struct machine *machine = finding->machine;
    if (point->kind == FIND_EXEC) {
        for (unsigned i = 0; i < machine->cpus; i++)
            core_hook_add(machine->cores[i], point->first, before_insn, finding);
        return;
    }
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
        watch_point(finding, &request->points[i]);
    data_watch_add_observer(machine->cores[0], true);
    finding->after_write = machine->mem->after_write;
    finding->before_read = machine->mem->before_read;
    finding->hook_opaque = machine->mem->hook_opaque;
    machine->mem->after_write = device_wrote;
    machine->mem->before_read = device_reads;
    machine->mem->hook_opaque = finding;
    return finding;
}

bool finding_end(struct finding *finding, struct find_event *event)
{
    struct machine *machine = finding->machine;
    const bool any = finding->any;
    for (unsigned i = 0; i < finding->request.count; i++)
        for (unsigned cpu = 0; finding->request.points[i].kind == FIND_EXEC && cpu < machine->cpus; cpu++)
            core_hook_remove(machine->cores[cpu], finding->request.points[i].first, before_insn, finding);
    data_watch_remove(machine->cores[0], accessed, finding);
    data_watch_add_observer(machine->cores[0], false);
    machine->mem->after_write = finding->after_write;
    machine->mem->before_read = finding->before_read;
    machine->mem->hook_opaque = finding->hook_opaque;
    *event = finding->last;
    free(finding);
    return any;
}
