/* Passes the events of the processors to annotations. The cores are observed only while an annotation is armed for
 * them. */
#include "annotations/tcl/annotate_state.h"

#include "cpu/privileged/data_watch.h"

#include <string.h>

static void entered(void *opaque, struct core *core, const struct core_entry *entry)
{
    struct annotate *annotate = opaque;
    annotate->entry = entry;
    if (entry->refill && vaddr_in_kuseg(core_bad_address(core)))
        annotate_raise(annotate, EVENT_UTLB, 0, core);
    else
        annotate_raise(annotate, EVENT_EXC, entry->code, core);
    if (core_exception_kind(core, entry->code) == EXCEPTION_INTERRUPT)
        annotate_raise(annotate, EVENT_INTERRUPT, entry->line, core);
    annotate->entry = NULL;
}

static void returned(void *opaque, struct core *core, vaddr target)
{
    struct annotate *annotate = opaque;
    const struct annotate_detail before = annotate->detail;
    annotate->detail = (struct annotate_detail){.pc = &target}; /* whether a model has set s.pc already or not */
    annotate_raise(annotate, EVENT_INST, 0, core);
    annotate->detail = before;
}

static void mode_changed(void *opaque, struct core *core, enum mode before)
{
    struct annotate *annotate = opaque;
    (void)before;
    if (annotate->movable > 0 && core->mode == MODE_USER)
        relocatable_scan_mappings(annotate, core);
    annotate_raise(annotate, EVENT_MODE, core->mode, core);
}

static void space_changed(void *opaque, struct core *core, uint8_t before)
{
    (void)before;
    annotate_raise(opaque, EVENT_ASID, 0, core);
}

static void page_walked(void *opaque, struct core *core, vaddr address, bool found)
{
    struct annotate *annotate = opaque;
    const struct annotate_detail before = annotate->detail;
    annotate->detail = (struct annotate_detail){.walked = &address};
    annotate_raise(annotate, EVENT_PAGE_WALK, found ? WALK_FOUND : WALK_FAILED, core);
    annotate->detail = before;
}

/* The event is in the middle of an access, at which the body may read all registers. */
void walk_arm(struct annotate *annotate, struct annotation *annotation)
{
    (void)annotation;
    data_watch_add_observer(annotate->view.machine.cores[0], true);
}

void walk_disarm(struct annotate *annotate, struct annotation *annotation)
{
    (void)annotation;
    data_watch_add_observer(annotate->view.machine.cores[0], false);
}

static void waits(void *opaque, struct core *core)
{
    annotate_raise(opaque, EVENT_INST, 1, core);
}

static const struct core_observer observer = {.entered = entered,
                                              .returned = returned,
                                              .mode_changed = mode_changed,
                                              .asid_changed = space_changed,
                                              .page_walked = page_walked,
                                              .wait_begins = waits};

void annotate_update_observer(struct annotate *annotate)
{
    bool wanted = annotate->movable > 0;
    for (const struct annotation *at = annotate->annotations; at; at = at->next)
        wanted |= at->armed && at->type->observes;
    if (wanted && !annotate->observing)
        events_add_observer(annotate->events, &observer, annotate);
    /* an observer stays while bodies run, as removal during an event would skip others */
    if (!wanted && annotate->observing && annotate->depth == 0)
        events_remove_observer(annotate->events, &observer, annotate);
    else if (!wanted)
        wanted = annotate->observing;
    annotate->observing = wanted;
}
