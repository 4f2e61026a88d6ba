#include "src/network/hub_window.h"

#include "devices/ethernet.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)HUB_FRAME_BYTES_MAX == (int)ETHERNET_MAX_BYTES, "a window takes what a card may send");

/* First word of every message; its first byte is the version of the format. */
enum { MAGIC = 0x62756801 };

enum { FLAG_LEAVING = 1, FLAG_ASLEEP = 2 };

/* Greatest valid time of a frame (146 years): sums with it stay below 2^64. */
#define LATEST ((nsec)1 << 62)

/* Frames */

void hub_window_begin(struct hub_window *window, uint64_t number)
{
    window->number = number;
    window->leaving = window->idle_forever = false;
    window->count = 0;
    window->size = 0;
}

void hub_window_release(struct hub_window *window)
{
    free(window->frames);
    free(window->bytes);
    *window = (struct hub_window){0};
}

static void make_room(struct hub_window *window, uint32_t length)
{
    if (window->count == window->frame_room) {
        window->frame_room = window->frame_room ? 2 * window->frame_room : 16;
        window->frames = checked_memory(realloc(window->frames, window->frame_room * sizeof *window->frames));
    }
    if (window->byte_room - window->size < length) {
        window->byte_room = 2 * window->byte_room + 16 * HUB_FRAME_BYTES_MAX;
        window->bytes = checked_memory(realloc(window->bytes, window->byte_room));
    }
}

bool hub_window_add(struct hub_window *window, nsec arrival, const uint8_t *bytes, uint32_t length)
{
    if (window->count == HUB_WINDOW_FRAMES_MAX || length < ETHERNET_HEADER_BYTES || length > HUB_FRAME_BYTES_MAX)
        return false;
    make_room(window, length);
    window->frames[window->count++] = (struct hub_frame){.arrival = arrival, .length = length, .at = window->size};
    memcpy(window->bytes + window->size, bytes, length);
    window->size += length;
    return true;
}

/* Merge order */

static int compare(const void *left, const void *right)
{
    const struct hub_arrival *a = left, *b = right;
    if (a->frame->arrival != b->frame->arrival)
        return a->frame->arrival < b->frame->arrival ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->frame->at < b->frame->at ? -1 : a->frame->at > b->frame->at;
}

size_t hub_window_merge(const struct hub_window *const *windows, unsigned nodes, struct hub_arrival *arrivals)
{
    size_t count = 0;
    for (unsigned node = 0; node < nodes; node++)
        for (uint32_t i = 0; windows[node] && i < windows[node]->count; i++)
            arrivals[count++] = (struct hub_arrival){node, windows[node], &windows[node]->frames[i]};
    if (count > 1)
        qsort(arrivals, count, sizeof *arrivals, compare);
    return count;
}

/* Encoding */

static void put(uint8_t *bytes, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

void hub_header_encode(const struct hub_header *header, uint8_t bytes[HUB_HEADER_BYTES])
{
    put(bytes, MAGIC, 4);
    put(bytes + 4, header->kind, 1);
    put(bytes + 5, header->node, 1);
    put(bytes + 6, (header->leaving ? FLAG_LEAVING : 0) | (header->asleep ? FLAG_ASLEEP : 0), 2);
    put(bytes + 8, header->count, 4);
    put(bytes + 12, header->body, 4);
    put(bytes + 16, header->number, 8);
}

bool hub_header_decode(struct hub_header *header, const uint8_t bytes[HUB_HEADER_BYTES], struct err *err)
{
    unsigned kind = bytes[4], node = bytes[5], flags = (unsigned)get(bytes + 6, 2);
    uint32_t count = (uint32_t)get(bytes + 8, 4), body = (uint32_t)get(bytes + 12, 4);
    if (get(bytes, 4) != MAGIC)
        return err_set(err, "these are not messages of a hub of this version");
    if (kind != HUB_HELLO && kind != HUB_WINDOW)
        return err_set(err, "a message of kind %u", kind);
    if (node >= HUB_NODES_MAX || (flags & ~(FLAG_LEAVING | FLAG_ASLEEP)))
        return err_set(err, "a message of node %u with flags %u", node, flags);
    if (kind == HUB_HELLO && (count < 1 || count > HUB_NODES_MAX || body || flags))
        return err_set(err, "a greeting with %u nodes, %u bytes, flags %u", count, body, flags);
    if (count > HUB_WINDOW_FRAMES_MAX || body > HUB_BODY_BYTES_MAX)
        return err_set(err, "a window of %u frames in %u bytes; at most %d and %d", count, body, HUB_WINDOW_FRAMES_MAX,
                       HUB_BODY_BYTES_MAX);
    *header = (struct hub_header){.kind = (enum hub_kind)kind,
                                  .node = node,
                                  .leaving = flags & FLAG_LEAVING,
                                  .asleep = flags & FLAG_ASLEEP,
                                  .count = count,
                                  .body = body,
                                  .number = get(bytes + 16, 8)};
    return true;
}

static size_t body_size(const struct hub_window *window)
{
    return window->size + (size_t)window->count * HUB_FRAME_HEADER_BYTES;
}

size_t hub_window_encoded_size(const struct hub_window *window)
{
    return HUB_HEADER_BYTES + body_size(window);
}

void hub_window_encode(const struct hub_window *window, unsigned node, uint8_t *bytes)
{
    const struct hub_header header = {.kind = HUB_WINDOW,
                                      .node = node,
                                      .leaving = window->leaving,
                                      .asleep = window->idle_forever,
                                      .count = window->count,
                                      .body = (uint32_t)body_size(window),
                                      .number = window->number};
    hub_header_encode(&header, bytes);
    uint8_t *at = bytes + HUB_HEADER_BYTES;
    for (uint32_t i = 0; i < window->count; i++) {
        const struct hub_frame *frame = &window->frames[i];
        put(at, frame->arrival, 8);
        put(at + 8, frame->length, 4);
        memcpy(at + HUB_FRAME_HEADER_BYTES, window->bytes + frame->at, frame->length);
        at += HUB_FRAME_HEADER_BYTES + frame->length;
    }
}

bool hub_window_decode(struct hub_window *window, const struct hub_header *header, const uint8_t *body, nsec earliest,
                       struct err *err)
{
    size_t rest = header->body;
    hub_window_begin(window, header->number);
    window->leaving = header->leaving;
    window->idle_forever = header->asleep;
    for (uint32_t i = 0; i < header->count; i++) {
        if (rest < HUB_FRAME_HEADER_BYTES)
            return err_set(err, "window %" PRIu64 " ends within the header of frame %u", header->number, i);
        nsec arrival = get(body, 8);
        uint32_t length = (uint32_t)get(body + 8, 4);
        body += HUB_FRAME_HEADER_BYTES;
        rest -= HUB_FRAME_HEADER_BYTES;
        if (length < ETHERNET_HEADER_BYTES || length > HUB_FRAME_BYTES_MAX)
            return err_set(err, "a frame of %u bytes; valid: %d to %d", length, ETHERNET_HEADER_BYTES,
                           HUB_FRAME_BYTES_MAX);
        if (length > rest)
            return err_set(err, "window %" PRIu64 " ends within frame %u", header->number, i);
        if (arrival < earliest || arrival > LATEST)
            return err_set(err, "a frame that arrives at %" PRIu64 " ns, before the end of its window", arrival);
        hub_window_add(window, arrival, body, length);
        body += length;
        rest -= length;
    }
    return rest == 0 || err_set(err, "window %" PRIu64 " has %zu bytes behind its frames", header->number, rest);
}

uint8_t *hub_window_grow(uint8_t *bytes, size_t *room, size_t size)
{
    if (size <= *room)
        return bytes;
    *room = 2 * size;
    return checked_memory(realloc(bytes, *room));
}
