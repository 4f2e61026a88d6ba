/* The types `disk` and `packet`: disk requests, frames of the network card. */
#include "annotations/tcl/annotate_state.h"
#include "devices/disk/disk.h"
#include "devices/ethernet_link.h"

#include <string.h>

enum { PHASE_REQUEST = 1, PHASE_DONE = 2, PACKET_IN = 1, PACKET_OUT = 2 };

static uint32_t request_bits(const char *word)
{
    uint32_t bits = 0;
    for (unsigned kind = 0; kind < DISK_KINDS; kind++)
        bits |= strcmp(disk_kind_name((enum disk_kind)kind), word) == 0 ? 1u << kind : 0;
    return bits;
}

bool disk_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    struct device_kinds *device = &annotation->device;
    char text[ANNOTATION_FILE], *rest = NULL;
    (void)annotate;
    snprintf(text, sizeof text, "%s", event);
    for (char *word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        const uint32_t kind = request_bits(word);
        if (strcmp(word, "request") == 0)
            device->phases |= PHASE_REQUEST;
        else if (strcmp(word, "done") == 0)
            device->phases |= PHASE_DONE;
        else if (!kind && strcmp(word, "any") != 0)
            return err_set(err, "an event of a disk is request or done, read, write, flush or command, not \"%.64s\"",
                           word);
        device->kinds |= kind;
    }
    device->phases = device->phases ? device->phases : PHASE_REQUEST | PHASE_DONE;
    device->kinds = device->kinds ? device->kinds : UINT32_MAX;
    return true;
}

/* Fire the armed annotations of EVENT's type that select this PHASE and KIND of event. */
static void raise_device(struct annotate *annotate, enum annotation_event event, uint32_t phase, unsigned kind)
{
    const struct annotation_type *wanted = &annotation_types[event];
    for (struct annotation *at = annotate->annotations; at; at = at->next)
        if (at->armed && at->type == wanted && at->device.phases & phase && at->device.kinds >> kind & 1)
            annotate_fire(annotate, at, annotate->core);
}

static void raise_disk(const struct device_watcher *watcher, const struct disk_request *request, bool ended, bool ok)
{
    struct annotate *annotate = watcher->annotate;
    const struct disk_event event = {.disk = watcher->number, .ended = ended, .ok = ok, .request = request};
    annotate->detail = (struct annotate_detail){.disk = &event};
    annotate->event = ended ? "done" : "request";
    raise_device(annotate, EVENT_DISK, ended ? PHASE_DONE : PHASE_REQUEST, request->kind);
    annotate->event = NULL;
    annotate->detail = (struct annotate_detail){0};
}

static void submitted(void *opaque, const struct disk_request *request)
{
    raise_disk(opaque, request, false, false);
}

static void ended(void *opaque, const struct disk_request *request, bool ok)
{
    raise_disk(opaque, request, true, ok);
}

/* Watching starts with the first annotation and continues until devices_unwatch(): an event may be in progress, and
 * device events are rare. */
void disk_arm(struct annotate *annotate, struct annotation *annotation)
{
    (void)annotation;
    if (annotate->watches_disks)
        return;
    annotate->watches_disks = true;
    for (unsigned i = 0; i < MACHINE_VIEW_DISKS; i++) {
        struct device_watcher *watcher = &annotate->watcher[i];
        *watcher = (struct device_watcher){annotate, i};
        if (annotate->view.machine.disk[i])
            disk_add_observer(annotate->view.machine.disk[i],
                              &(struct disk_observer){.submitted = submitted, .ended = ended, .opaque = watcher});
    }
}

bool packet_parse(struct annotate *annotate, struct annotation *annotation, const char *event, struct err *err)
{
    struct device_kinds *device = &annotation->device;
    (void)annotate;
    device->kinds = UINT32_MAX;
    device->phases = strcmp(event, "in") == 0    ? PACKET_IN
                     : strcmp(event, "out") == 0 ? PACKET_OUT
                                                 : PACKET_IN | PACKET_OUT;
    return device->phases != (PACKET_IN | PACKET_OUT) || strcmp(event, "any") == 0 ||
           err_set(err, "an event of packet is in, out or any, not \"%.64s\"", event);
}

static void frame(void *opaque, bool sent, const uint8_t *bytes, uint32_t length)
{
    struct annotate *annotate = opaque;
    const struct packet_event event = {.sent = sent, .frame = bytes, .length = length};
    annotate->detail = (struct annotate_detail){.packet = &event};
    annotate->event = sent ? "out" : "in";
    raise_device(annotate, EVENT_PACKET, sent ? PACKET_OUT : PACKET_IN, 0);
    annotate->event = NULL;
    annotate->detail = (struct annotate_detail){0};
}

void packet_arm(struct annotate *annotate, struct annotation *annotation)
{
    (void)annotation;
    if (annotate->watches_packets)
        return;
    annotate->watches_packets = true;
    if (annotate->view.machine.link)
        ethernet_link_add_observer(annotate->view.machine.link,
                                   &(struct ethernet_observer){.frame = frame, .opaque = annotate});
}

void devices_unwatch(struct annotate *annotate)
{
    for (unsigned i = 0; annotate->watches_disks && i < MACHINE_VIEW_DISKS; i++)
        if (annotate->view.machine.disk[i])
            disk_remove_observer(annotate->view.machine.disk[i], &annotate->watcher[i]);
    if (annotate->watches_packets && annotate->view.machine.link)
        ethernet_link_remove_observer(annotate->view.machine.link, annotate);
}
