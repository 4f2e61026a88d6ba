/* Checkpoints of a write buffer: its entries in FIFO order, with their reservations. */
#include "cache/timing/timing_saved.h"

#include "cache/timing/write_buffer.h"

void write_buffer_save(const struct write_buffer *buffer, const struct resource_list *list, struct saved_out *out)
{
    if (!write_buffer_exists(buffer))
        return;
    saved_put_u32(out, buffer->count);
    saved_put_u32(out, buffer->first_cancelled);
    saved_put_u64(out, buffer->cancelled_from);
    saved_put_u64(out, buffer->end);
    saved_put(out, &buffer->counts, sizeof buffer->counts);
    for (uint32_t i = 0; i < buffer->count; i++) {
        const struct write_buffer_entry *entry = &buffer->entry[(buffer->first + i) % buffer->config.depth];
        saved_put_u32(out, entry->block);
        saved_put_u32(out, entry->size);
        saved_put_u64(out, entry->made);
        saved_put_u64(out, entry->extra);
        saved_put_u64(out, entry->retirement.start);
        saved_put_u64(out, entry->retirement.end);
        reservations_write(&entry->reservations, list, out);
    }
}

static bool read_entry(const struct write_buffer *buffer, struct write_buffer_entry *entry,
                       const struct resource_list *list, struct saved_in *in, struct err *err)
{
    struct retirement *retirement = &entry->retirement;
    if (!saved_get_u32(in, &entry->block) || !saved_get_u32(in, &entry->size) || !saved_get_u64(in, &entry->made) ||
        !saved_get_u64(in, &entry->extra) || !saved_get_u64(in, &retirement->start) ||
        !saved_get_u64(in, &retirement->end))
        return false;
    if (!entry->size || entry->size > buffer->config.width || entry->made > retirement->end ||
        entry->extra > UINT32_MAX || retirement->start > retirement->end || retirement->end > TIMING_TIME_MAX)
        return err_set(err, "invalid write buffer entry");
    return reservations_read(&entry->reservations, list, in, err);
}

bool write_buffer_load(struct write_buffer *buffer, const struct resource_list *list, struct saved_in *in,
                       struct err *err)
{
    if (!write_buffer_exists(buffer))
        return true;
    if (!saved_get_u32(in, &buffer->count) || !saved_get_u32(in, &buffer->first_cancelled) ||
        !saved_get_u64(in, &buffer->cancelled_from) || !saved_get_u64(in, &buffer->end) ||
        !saved_get(in, &buffer->counts, sizeof buffer->counts))
        return false;
    if (buffer->count > buffer->config.depth || buffer->first_cancelled > buffer->count ||
        buffer->cancelled_from > TIMING_TIME_MAX || buffer->end > TIMING_TIME_MAX)
        return err_set(err, "a write buffer with %u of %u entries", buffer->count, buffer->config.depth);
    buffer->first = 0;
    for (uint32_t i = 0; i < buffer->count; i++)
        if (!read_entry(buffer, &buffer->entry[i], list, in, err))
            return false;
    return true;
}
