#include "devices/ethernet_link.h"

#include "devices/device_stats.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

enum {
    PREAMBLE_BYTES = 8, /* including the start frame delimiter */
    CHECK_BYTES = 4,
    GAP_BYTES = 12,
    MIN_BYTES = 60, /* without the frame check sequence */
};

/* A frame in flight to the card. */
struct frame {
    uint32_t length;
    uint8_t bytes[];
};

struct ethernet_link {
    struct event_queue *queue;
    struct ethernet_receiver receiver;
    struct ethernet_port port;
    struct ethernet_tap tap;
    struct ethernet_observer watcher[ETHERNET_OBSERVERS_MAX];
    unsigned watchers;
    uint64_t bandwidth; /* bits a second */
    cycles latency;

    /* Frames to the card, sorted by `when`: the time of completion there if the wire is free. */
    uint32_t count;
    cycles when[ETHERNET_LINK_QUEUE];
    struct frame *frames[ETHERNET_LINK_QUEUE];
    cycles receive_free; /* end of the occupation of the wire to the card */
    cycles send_free;    /* the same for the wire from the card */
    struct event arrival;

    uint64_t sent_frames, sent_bytes, sent_cycles;
    uint64_t received_frames, received_bytes, received_cycles;
    uint64_t queue_cycles, dropped_queue, dropped_card;
};

const struct param_def ethernet_link_params[] = {
    {.name = "net.bandwidth",
     .type = PARAM_INT,
     .traits = TRAIT_TIMED,
     .unit = "bits/s",
     .initial = "100000000",
     .min = 1000,
     .max = 1000000000000ull,
     .help = "bits a second on the network card's cable, in each direction"},
    {.name = "net.latency",
     .type = PARAM_TIME,
     .traits = TRAIT_TIMED,
     .unit = "ns",
     .initial = "100us",
     .min = 0,
     .max = 10000000000ull,
     .help = "time from the last bit sent to its arrival at the far end"},
};
const size_t ethernet_link_param_count = sizeof ethernet_link_params / sizeof ethernet_link_params[0];

/* Cycles that BYTES occupy the wire, rounded up. Cannot overflow for valid frame lengths, clocks and bandwidths. */
static cycles wire_time(const struct ethernet_link *link, uint32_t bytes)
{
    uint64_t bit_cycles = (uint64_t)bytes * 8 * link->queue->clock_hz;
    return (bit_cycles + link->bandwidth - 1) / link->bandwidth;
}

static uint32_t bytes_on_wire(uint32_t length)
{
    return PREAMBLE_BYTES + (length < MIN_BYTES ? MIN_BYTES : length) + CHECK_BYTES;
}

static bool is_frame_length(uint32_t length)
{
    return length >= ETHERNET_HEADER_BYTES && length <= ETHERNET_MAX_BYTES;
}

static void notify_observers(const struct ethernet_link *link, bool sent, const uint8_t *frame, uint32_t length)
{
    if (link->tap.frame)
        link->tap.frame(link->tap.opaque, time_nsec(link->queue, link->queue->now), frame, length);
    for (unsigned i = 0; i < link->watchers; i++)
        link->watcher[i].frame(link->watcher[i].opaque, sent, frame, length);
}

/* Transmit, from the card */

cycles ethernet_link_send(struct ethernet_link *link, const uint8_t *frame, uint32_t length)
{
    cycles now = link->queue->now, bits = wire_time(link, bytes_on_wire(length));
    if (!is_frame_length(length) || now < link->send_free)
        log_bug("a frame of %u bytes at %llu on a wire free at %llu", length, (unsigned long long)now,
                (unsigned long long)link->send_free);
    link->send_free = now + wire_time(link, bytes_on_wire(length) + GAP_BYTES);
    link->sent_frames++;
    link->sent_bytes += length;
    link->sent_cycles += link->send_free - now;
    notify_observers(link, true, frame, length);
    if (link->port.send)
        link->port.send(link->port.opaque, frame, length, now + bits + link->latency);
    return link->send_free;
}

cycles ethernet_link_duration(const struct ethernet_link *link, uint32_t bytes)
{
    return wire_time(link, PREAMBLE_BYTES + bytes);
}

cycles ethernet_link_send_free(const struct ethernet_link *link)
{
    return link->send_free;
}

/* Receive, to the card */

/* Schedule the arrival of the first frame: when it is due, but not before the wire has carried its bits. */
static void schedule_arrival(struct ethernet_link *link)
{
    if (link->count == 0)
        return;
    cycles soonest = link->receive_free + wire_time(link, bytes_on_wire(link->frames[0]->length));
    event_schedule(link->queue, &link->arrival, link->when[0] > soonest ? link->when[0] : soonest);
}

/* Move COUNT frames within the queue. */
static void move(struct ethernet_link *link, uint32_t to, uint32_t from, uint32_t count)
{
    memmove(&link->when[to], &link->when[from], count * sizeof link->when[0]);
    memmove(&link->frames[to], &link->frames[from], count * sizeof link->frames[0]);
}

static void frame_arrives(void *opaque)
{
    struct ethernet_link *link = opaque;
    struct frame *frame = link->frames[0];
    cycles now = link->queue->now;
    link->queue_cycles += now - link->when[0];
    move(link, 0, 1, link->count - 1);
    link->count--;
    link->receive_free = now + wire_time(link, GAP_BYTES);
    link->received_frames++;
    link->received_bytes += frame->length;
    link->received_cycles += wire_time(link, bytes_on_wire(frame->length) + GAP_BYTES);
    schedule_arrival(link);
    notify_observers(link, false, frame->bytes, frame->length);
    if (!link->receiver.receive(link->receiver.opaque, frame->bytes, frame->length))
        link->dropped_card++;
    free(frame);
}

/* Insert FRAME behind all frames due at or before WHEN. Returns its index. */
static uint32_t insert(struct ethernet_link *link, struct frame *frame, cycles when)
{
    uint32_t index = link->count;
    while (index > 0 && link->when[index - 1] > when)
        index--;
    move(link, index + 1, index, link->count - index);
    link->when[index] = when;
    link->frames[index] = frame;
    link->count++;
    return index;
}

bool ethernet_link_receive(struct ethernet_link *link, const uint8_t *bytes, uint32_t length, cycles when)
{
    if (!is_frame_length(length) || link->count == ETHERNET_LINK_QUEUE) {
        link->dropped_queue++;
        return false;
    }
    struct frame *frame = checked_memory(malloc(sizeof *frame + length));
    frame->length = length;
    memcpy(frame->bytes, bytes, length);
    if (insert(link, frame, when > link->queue->now ? when : link->queue->now) == 0)
        schedule_arrival(link);
    return true;
}

/* Creation and connection */

struct ethernet_link *ethernet_link_create(struct event_queue *queue, uint64_t bandwidth, nsec latency,
                                           struct ethernet_receiver receiver)
{
    struct ethernet_link *link = checked_memory(calloc(1, sizeof *link));
    link->queue = queue;
    link->bandwidth = bandwidth;
    link->latency = time_cycles_of_nsec(queue, latency);
    link->receiver = receiver;
    event_init(&link->arrival, "ethernet", frame_arrives, link);
    return link;
}

void ethernet_link_free(struct ethernet_link *link)
{
    if (!link)
        return;
    event_cancel(link->queue, &link->arrival);
    for (uint32_t i = 0; i < link->count; i++)
        free(link->frames[i]);
    free(link);
}

void ethernet_link_connect(struct ethernet_link *link, struct ethernet_port port)
{
    link->port = port;
}

void ethernet_link_set_tap(struct ethernet_link *link, struct ethernet_tap tap)
{
    link->tap = tap;
}

void ethernet_link_add_observer(struct ethernet_link *link, const struct ethernet_observer *watcher)
{
    if (link->watchers == ETHERNET_OBSERVERS_MAX)
        log_bug("more than %d watch a network link", ETHERNET_OBSERVERS_MAX);
    link->watcher[link->watchers++] = *watcher;
}

void ethernet_link_remove_observer(struct ethernet_link *link, const void *opaque)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < link->watchers; i++)
        if (link->watcher[i].opaque != opaque)
            link->watcher[kept++] = link->watcher[i];
    link->watchers = kept;
}

cycles ethernet_link_latency(const struct ethernet_link *link)
{
    return link->latency;
}

cycles ethernet_link_lookahead(const struct ethernet_link *link)
{
    return link->latency + wire_time(link, bytes_on_wire(MIN_BYTES));
}

void ethernet_link_register_stats(const struct ethernet_link *link, struct stats *stats, const char *prefix)
{
    const struct device_counter rows[] = {
        {"sent_frames", "frames", "frames that the card sent", &link->sent_frames},
        {"sent_bytes", "bytes", "their bytes, without preamble and check sequence", &link->sent_bytes},
        {"sent_cycles", "cycles", "time that the wire from the card was busy", &link->sent_cycles},
        {"received_frames", "frames", "frames received by the card", &link->received_frames},
        {"received_bytes", "bytes", "their bytes, without preamble and check sequence", &link->received_bytes},
        {"received_cycles", "cycles", "time that the wire to the card was busy", &link->received_cycles},
        {"received_queue_cycles", "cycles", "time that frames to the card waited for the wire", &link->queue_cycles},
        {"dropped_queue", "frames", "frames to the card that were dropped because too many were in flight",
         &link->dropped_queue},
        {"dropped_card", "frames", "frames to the card that were dropped because it had no buffer",
         &link->dropped_card},
    };
    device_register_counters(stats, prefix, rows, sizeof rows / sizeof rows[0]);
}

/* Checkpoint */

static const struct saved_field fields[] = {
    SAVED_LIMITED(struct ethernet_link, count, SAVED_U32, ETHERNET_LINK_QUEUE),
    SAVED_FIELD(struct ethernet_link, when, SAVED_TIME),
    SAVED_FIELD(struct ethernet_link, receive_free, SAVED_TIME),
    SAVED_FIELD(struct ethernet_link, send_free, SAVED_TIME),
    SAVED_FIELD(struct ethernet_link, arrival, SAVED_EVENT),
    SAVED_STATISTIC(struct ethernet_link, sent_frames),
    SAVED_STATISTIC(struct ethernet_link, sent_bytes),
    SAVED_STATISTIC(struct ethernet_link, sent_cycles),
    SAVED_STATISTIC(struct ethernet_link, received_frames),
    SAVED_STATISTIC(struct ethernet_link, received_bytes),
    SAVED_STATISTIC(struct ethernet_link, received_cycles),
    SAVED_STATISTIC(struct ethernet_link, queue_cycles),
    SAVED_STATISTIC(struct ethernet_link, dropped_queue),
    SAVED_STATISTIC(struct ethernet_link, dropped_card),
};

static void write_frames(void *base, struct saved_out *out)
{
    const struct ethernet_link *link = base;
    for (uint32_t i = 0; i < link->count; i++) {
        saved_put_u32(out, link->frames[i]->length);
        saved_put(out, link->frames[i]->bytes, link->frames[i]->length);
    }
}

static bool read_frames(void *base, struct saved_in *in, struct err *err)
{
    struct ethernet_link *link = base;
    uint32_t count = link->count, length;
    for (link->count = 0; link->count < count;
         link->count++) { /* count only frames that are allocated, so that an error frees them */
        if (!saved_get_u32(in, &length))
            return false;
        if (!is_frame_length(length))
            return err_set(err, "a frame of %u bytes", length);
        struct frame *frame = checked_memory(malloc(sizeof *frame + length));
        frame->length = length;
        link->frames[link->count] = frame;
        if (!saved_get(in, frame->bytes, length)) {
            free(frame);
            return false;
        }
    }
    return true;
}

static bool after_load(void *base, struct err *err)
{
    const struct ethernet_link *link = base;
    if (event_is_scheduled(&link->arrival) != (link->count > 0))
        return err_set(err, "%u frames on the cable, but %s is scheduled to arrive", link->count,
                       link->count ? "none" : "one");
    for (uint32_t i = 1; i < link->count; i++)
        if (link->when[i - 1] > link->when[i])
            return err_set(err, "frame %u on the cable is out of order", i);
    return true;
}

void ethernet_link_register_saved(struct ethernet_link *link, struct saved *saved, const char *name)
{
    static const struct saved_ops ops = {.write = write_frames, .read = read_frames, .after_load = after_load};
    saved_add(saved, &(struct saved_section){.name = name,
                                             .version = 1,
                                             .fields = fields,
                                             .field_count = sizeof fields / sizeof fields[0],
                                             .base = link,
                                             .ops = &ops});
}

/* Addresses */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool ethernet_parse_address(const char *text, uint8_t address[ETHERNET_ADDRESS_BYTES])
{
    uint8_t any = 0;
    for (unsigned i = 0; i < ETHERNET_ADDRESS_BYTES; i++, text += 3) {
        int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0 || text[2] != (i + 1 < ETHERNET_ADDRESS_BYTES ? ':' : 0))
            return false;
        address[i] = (uint8_t)(high << 4 | low);
        any |= address[i];
    }
    return any != 0 && !(address[0] & 1);
}
