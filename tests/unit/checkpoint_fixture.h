/*
 * A small machine for checkpoint tests: an event queue, some RAM, a device with a saved field of every type, one with
 * a queue of frames, and one with timing state only.
 */
#ifndef SIMOS_TESTS_UNIT_CHECKPOINT_FIXTURE_H
#define SIMOS_TESTS_UNIT_CHECKPOINT_FIXTURE_H

#include "checkpoint/checkpoint.h"
#include "src/memory/physmem_saved.h"

#include <stdlib.h>
#include <string.h>

enum { TOY_RAM_PAGES = 24, TOY_HIGH = 0x00200000, TOY_FRAMES = 8, TOY_FRAME_MAX = 64, TOY_HZ = 200000000 };

struct toy_line {
    uint32_t map[3];
    bool level;
};

struct toy_device {
    uint8_t byte;
    uint16_t half[3];
    uint32_t word;
    uint64_t wide[2];
    bool flag;
    cycles since;
    uint32_t index; /* below 16 */
    struct toy_line lines[4];
    struct event event[3];
    uint64_t interrupts; /* a statistic: not compared */
    uint32_t derived;    /* index + 1 */
};

struct toy_queue {
    uint32_t count;
    struct {
        uint32_t length;
        uint8_t bytes[TOY_FRAME_MAX];
    } frames[TOY_FRAMES];
};

struct toy {
    struct event_queue *queue;
    struct physmem *mem;
    struct toy_device device;
    struct toy_queue frames;
    uint32_t tags[16];
    struct saved *saved;
};

static const struct saved_field toy_device_fields[] = {
    SAVED_FIELD(struct toy_device, byte, SAVED_U8),          SAVED_FIELD(struct toy_device, half, SAVED_U16),
    SAVED_FIELD(struct toy_device, word, SAVED_U32),         SAVED_FIELD(struct toy_device, wide, SAVED_U64),
    SAVED_FIELD(struct toy_device, flag, SAVED_BOOL),        SAVED_FIELD(struct toy_device, since, SAVED_TIME),
    SAVED_LIMITED(struct toy_device, index, SAVED_U32, 15),  SAVED_EACH(struct toy_device, lines, map, SAVED_U32),
    SAVED_EACH(struct toy_device, lines, level, SAVED_BOOL), SAVED_FIELD(struct toy_device, event, SAVED_EVENT),
    SAVED_STATISTIC(struct toy_device, interrupts),
};
static const struct saved_field toy_tag_fields[] = {SAVED_FIELD(struct toy, tags, SAVED_U32)};

static inline bool toy_after_load(void *base, struct err *err)
{
    struct toy_device *device = base;
    if (device->wide[0] == 13)
        return err_set(err, "thirteen makes no sense");
    device->derived = device->index + 1;
    return true;
}

static inline void toy_write_frames(void *base, struct saved_out *out)
{
    const struct toy_queue *queue = base;
    saved_put_u32(out, queue->count);
    for (uint32_t i = 0; i < queue->count; i++) {
        saved_put_u32(out, queue->frames[i].length);
        saved_put(out, queue->frames[i].bytes, queue->frames[i].length);
    }
}

static inline bool toy_read_frames(void *base, struct saved_in *in, struct err *err)
{
    struct toy_queue *queue = base;
    if (!saved_get_u32(in, &queue->count))
        return false;
    if (queue->count > TOY_FRAMES)
        return err_set(err, "%u frames; at most %d", queue->count, TOY_FRAMES);
    for (uint32_t i = 0; i < queue->count; i++) {
        if (!saved_get_u32(in, &queue->frames[i].length))
            return false;
        if (queue->frames[i].length > TOY_FRAME_MAX)
            return err_set(err, "a frame of %u bytes", queue->frames[i].length);
        if (!saved_get(in, queue->frames[i].bytes, queue->frames[i].length))
            return false;
    }
    return true;
}

static const struct saved_ops toy_device_ops = {.after_load = toy_after_load};
static const struct saved_ops toy_queue_ops = {.write = toy_write_frames, .read = toy_read_frames};

static inline void toy_fire(void *opaque)
{
    (void)opaque;
}

/* A machine in its initial state. */
static inline struct toy *toy_create(uint64_t clock_hz)
{
    struct toy *toy = calloc(1, sizeof *toy);
    struct err err = {""};
    toy->queue = event_queue_create(clock_hz);
    toy->mem = physmem_create(NULL, &err);
    if (!toy->mem || !physmem_add_ram(toy->mem, 0, (TOY_RAM_PAGES - 4) * PAGE_SIZE, &err) ||
        !physmem_add_ram(toy->mem, TOY_HIGH, 4 * PAGE_SIZE, &err))
        abort();
    for (int i = 0; i < 3; i++)
        event_init(&toy->device.event[i], "toy", toy_fire, toy);
    toy->saved = saved_create(toy->queue);
    physmem_register_saved(toy->mem, toy->saved);
    saved_add(toy->saved, &(struct saved_section){.name = "toy.device",
                                                  .version = 3,
                                                  SAVED_TABLE(toy_device_fields),
                                                  .base = &toy->device,
                                                  .ops = &toy_device_ops});
    saved_add(toy->saved,
              &(struct saved_section){.name = "toy.frames", .version = 1, .base = &toy->frames, .ops = &toy_queue_ops});
    saved_add(toy->saved,
              &(struct saved_section){
                  .name = "toy.tags", .version = 1, .timing = true, SAVED_TABLE(toy_tag_fields), .base = toy});
    return toy;
}

static inline void toy_free(struct toy *toy)
{
    for (int i = 0; i < 3; i++)
        event_cancel(toy->queue, &toy->device.event[i]);
    saved_free(toy->saved);
    physmem_free(toy->mem);
    event_queue_free(toy->queue);
    free(toy);
}

/* Set every saved field, event and page to a distinct value. */
static inline void toy_live(struct toy *toy)
{
    struct toy_device *device = &toy->device;
    toy->queue->now = 1000;
    device->byte = 0xa5;
    for (unsigned i = 0; i < 3; i++)
        device->half[i] = (uint16_t)(0x1234 * (i + 1));
    device->word = 0xdeadbeef;
    device->wide[0] = 0x0123456789abcdef;
    device->wide[1] = UINT64_MAX;
    device->flag = true;
    device->since = 777;
    device->index = 15;
    device->derived = 16;
    for (unsigned i = 0; i < 12; i++)
        device->lines[i / 3].map[i % 3] = 100 + i;
    device->lines[2].level = true;
    device->interrupts = 42;
    event_schedule(toy->queue, &device->event[2], 5000);
    event_schedule(toy->queue, &device->event[0], 5000);
    toy->frames.count = 3;
    for (unsigned i = 0; i < 3; i++) {
        toy->frames.frames[i].length = 20 * i + 1;
        memset(toy->frames.frames[i].bytes, (int)(i + 1), 20 * i + 1);
    }
    for (unsigned i = 0; i < 16; i++)
        toy->tags[i] = i * i;
    for (unsigned page = 2; page < 9; page++)
        memset(physmem_host(toy->mem, page * PAGE_SIZE), (int)(page % 3), PAGE_SIZE);
    uint32_t noise = 1;
    for (unsigned i = 0; i < PAGE_SIZE; i++) {
        noise = noise * 1664525 + 1013904223;
        physmem_host(toy->mem, TOY_HIGH + PAGE_SIZE)[i] = physmem_host(toy->mem, 12 * PAGE_SIZE)[i] =
            (uint8_t)(noise >> 24);
    }
}

static const struct checkpoint_text toy_texts[] = {{"about", "a toy\n"}};

static inline bool toy_save(const struct toy *toy, const char *path, struct err *err)
{
    return checkpoint_save(path, toy->saved, toy_texts, 1, err);
}

/* Load a complete checkpoint; its contents are untrusted. */
static inline bool toy_load(struct toy *toy, const char *path, bool same_machine, uint64_t clock_hz, struct err *err)
{
    const struct saved_terms terms = {.same_machine = same_machine, .clock_hz = clock_hz};
    struct checkpoint *checkpoint = checkpoint_open(path, err);
    char *text = checkpoint ? checkpoint_text(checkpoint, "about", err) : NULL;
    bool done = text && checkpoint_load(checkpoint, toy->saved, &terms, err);
    free(text);
    checkpoint_close(checkpoint);
    return done;
}

static inline bool toy_is_same_event(const struct event *a, const struct event *b)
{
    return event_is_scheduled(a) == event_is_scheduled(b) &&
           (!event_is_scheduled(a) || (a->when == b->when && a->order == b->order));
}

/* Compare all state except statistics and timing. */
static inline bool toy_is_same(const struct toy *a, const struct toy *b)
{
    const struct toy_device *c = &a->device, *d = &b->device;
    bool same = a->queue->now == b->queue->now && a->queue->next_order == b->queue->next_order &&
                a->queue->count == b->queue->count && c->byte == d->byte && c->word == d->word && c->flag == d->flag &&
                c->since == d->since && c->index == d->index && c->derived == d->derived &&
                memcmp(c->half, d->half, sizeof c->half) == 0 && memcmp(c->wide, d->wide, sizeof c->wide) == 0 &&
                memcmp(c->lines, d->lines, sizeof c->lines) == 0 && a->frames.count == b->frames.count;
    for (int i = 0; i < 3; i++)
        same = same && toy_is_same_event(&c->event[i], &d->event[i]);
    for (uint32_t i = 0; same && i < a->frames.count; i++)
        same = a->frames.frames[i].length == b->frames.frames[i].length &&
               memcmp(a->frames.frames[i].bytes, b->frames.frames[i].bytes, a->frames.frames[i].length) == 0;
    for (uint32_t page = 0; same && page < TOY_RAM_PAGES; page++) {
        paddr address = page < TOY_RAM_PAGES - 4 ? page * PAGE_SIZE : TOY_HIGH + (page + 4 - TOY_RAM_PAGES) * PAGE_SIZE;
        same = memcmp(physmem_host(a->mem, address), physmem_host(b->mem, address), PAGE_SIZE) == 0;
    }
    return same;
}

#endif
