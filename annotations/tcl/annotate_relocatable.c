/*
 * `pc` annotations at symbols of position-independent code: shared libraries and position-independent executables. When
 * a process enters user mode and its number of mappings has changed since the last scan, the address at which the file
 * is mapped gets a PC hook. The hook checks that the current process has the file mapped at that address.
 */
#include "annotations/tcl/annotate_state.h"
#include "annotations/symbols/mappings.h"
#include "annotations/services/service_tasks.h"

#include <stdlib.h>

enum { LOCATIONS_MAX = 4096 };

static void add_hooks(struct annotate *annotate, struct annotation *annotation, vaddr location)
{
    for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
        if (annotation->cpus >> cpu & 1)
            core_hook_add(annotate->view.machine.cores[cpu], location, relocatable_hook, annotation);
}

static void add_location(struct annotate *annotate, struct annotation *annotation, vaddr location)
{
    for (unsigned i = 0; i < annotation->place_count; i++)
        if (annotation->locations[i] == location)
            return;
    if (annotation->place_count == LOCATIONS_MAX)
        return;
    annotation->locations =
        checked_memory(realloc(annotation->locations, (annotation->place_count + 1) * sizeof *annotation->locations));
    annotation->locations[annotation->place_count++] = location;
    add_hooks(annotate, annotation, location);
}

bool relocatable_hook(void *opaque, struct core *core)
{
    struct annotation *annotation = opaque;
    vaddr location;
    if (!vaddr_in_kuseg(core->s.pc))
        return false;
    for (unsigned i = 0; i < annotation->addresses.count; i++)
        if (programs_mapped_address(&annotation->annotate->view, core, annotation->program,
                                    annotation->addresses.address[i], &location) &&
            location == core->s.pc) {
            annotate_at_pc(annotation, core);
            break;
        }
    return false;
}

void relocatable_arm(struct annotate *annotate, struct annotation *annotation)
{
    annotate->movable++;
    for (unsigned i = 0; i < annotation->place_count; i++)
        add_hooks(annotate, annotation, annotation->locations[i]);
    for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
        annotate->mappings_scan[cpu] = (struct mappings_scan){0};
}

void relocatable_disarm(struct annotate *annotate, struct annotation *annotation)
{
    annotate->movable--;
    for (unsigned i = 0; i < annotation->place_count; i++)
        for (unsigned cpu = 0; cpu < annotate->view.machine.cpus; cpu++)
            if (annotation->cpus >> cpu & 1)
                core_hook_remove(annotate->view.machine.cores[cpu], annotation->locations[i], relocatable_hook,
                                 annotation);
}

void relocatable_scan_mappings(struct annotate *annotate, struct core *core)
{
    struct mappings_scan *last = &annotate->mappings_scan[core->number];
    const vaddr task = annotate->services ? services_current_process(annotate->services, core).task : 0;
    const uint32_t count = task ? mapping_count(&annotate->view, core, task) : 0;
    const uint8_t asid = core_asid(core);
    vaddr location;
    if (!count || (last->task == task && last->count == count && last->asid == asid))
        return;
    *last = (struct mappings_scan){task, count, asid};
    for (struct annotation *at = annotate->annotations; at; at = at->next)
        for (unsigned i = 0; i < at->addresses.count && at->armed && at->movable; i++)
            if (programs_mapped_address(&annotate->view, core, at->program, at->addresses.address[i], &location))
                add_location(annotate, at, location);
}
