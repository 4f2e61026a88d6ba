/* Checkpoints of page mapping: only a machine with the same configuration can load them (struct saved_terms). */
#include "cache/page_mapping_state.h"

#include "src/base/physmem.h"
#include "src/base/saved.h"

static const struct saved_field fields[] = {
    SAVED_FIELD(struct page_mapping, has_begun, SAVED_BOOL),
    SAVED_FIELD(struct page_mapping, random, SAVED_U64),
    SAVED_FIELD(struct page_mapping, next_kernel, SAVED_U32),
    SAVED_FIELD(struct page_mapping, next_serial, SAVED_U32),
    SAVED_FIELD(struct page_mapping, sites, SAVED_U32),
    SAVED_STATISTIC(struct page_mapping, placed),
    SAVED_STATISTIC(struct page_mapping, moved),
    SAVED_STATISTIC(struct page_mapping, full),
    SAVED_STATISTIC(struct page_mapping, reserved),
    SAVED_STATISTIC(struct page_mapping, missed),
};

/* Writing */

/* Pairs of a number and its element of TABLE, of those that are not 0. */
static void write_table(const uint32_t *table, struct saved_out *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MAPPING_FRAMES; i++)
        count += table[i] != 0;
    saved_put_u32(out, count);
    for (uint32_t i = 0; i < MAPPING_FRAMES; i++)
        if (table[i] != 0) {
            saved_put_u32(out, i);
            saved_put_u32(out, table[i]);
        }
}

/* The free frames of each bin, the last first. */
static void write_lists(const struct page_mapping *mapping, struct saved_out *out)
{
    for (uint32_t bin = 0; bin < mapping->options.bins; bin++) {
        uint32_t bottom = mapping->top[bin];
        while (bottom != 0 && mapping->below[bottom - 1] != 0)
            bottom = mapping->below[bottom - 1];
        saved_put_u32(out, mapping->count[bin]);
        for (uint32_t at = bottom; at != 0; at = mapping->above[at - 1])
            saved_put_u32(out, at - 1);
    }
}

static void write_spaces(const struct page_mapping *mapping, struct saved_out *out)
{
    saved_put_u32(out, mapping->spaces);
    for (const struct mapping_space *space = mapping->space, *end = space + mapping->spaces; space < end; space++) {
        saved_put_u32(out, space->key);
        saved_put_u32(out, space->serial);
        saved_put_u32(out, space->next);
        for (uint32_t bin = 0; bin < mapping->options.bins; bin++)
            saved_put_u32(out, space->used[bin]);
    }
}

static void write_threads(const struct page_mapping *mapping, struct saved_out *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MAPPING_THREADS; i++)
        count += mapping->thread[i].key != 0;
    saved_put_u32(out, count);
    for (uint32_t i = 0; i < MAPPING_THREADS; i++) {
        const struct mapping_thread *thread = &mapping->thread[i];
        if (thread->key == 0)
            continue;
        saved_put_u32(out, i);
        saved_put_u32(out, thread->key);
        saved_put_u32(out, thread->space);
        saved_put_u32(out, thread->page);
        saved_put_u32(out, thread->order << 1 | thread->for_program);
    }
}

static void write_mapping(void *base, struct saved_out *out)
{
    const struct page_mapping *mapping = base;
    write_table(mapping->seen, out);
    write_table(mapping->owner, out);
    write_lists(mapping, out);
    write_spaces(mapping, out);
    write_threads(mapping, out);
}

/* Reading */

static bool is_frame(const struct page_mapping *mapping, uint32_t frame)
{
    return frame < MAPPING_FRAMES && physmem_page_is_ram(mapping->mem, frame << PAGE_SHIFT);
}

/* The next pair of write_table(). LAST: the number before, which is smaller; UINT32_MAX: none. */
static bool read_pair(const struct page_mapping *mapping, struct saved_in *in, uint32_t last, uint32_t *frame,
                      uint32_t *value, struct err *err)
{
    return saved_get_u32(in, frame) && saved_get_u32(in, value) &&
           ((is_frame(mapping, *frame) && (last == UINT32_MAX || *frame > last) && *value != 0) ||
            err_set(err, "frame %u, which is not in memory or comes twice", *frame));
}

static bool read_seen(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint32_t count, frame = UINT32_MAX, other;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_pair(mapping, in, frame, &frame, &other, err))
            return false;
        const uint32_t seen = frame ^ other;
        if (!is_frame(mapping, seen) || mapping->holder[seen] != 0)
            return err_set(err, "frame %u is seen as %u, as another is", frame, seen);
        mapping_set(mapping, frame, seen);
    }
    for (frame = 0; frame < MAPPING_FRAMES; frame++)
        if ((mapping->seen[frame] != 0) != (mapping->holder[frame] != 0))
            return err_set(err, "frame %u is not seen as one other", frame);
    return true;
}

static bool read_owners(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint32_t count, frame = UINT32_MAX, owner;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_pair(mapping, in, frame, &frame, &owner, err))
            return false;
        mapping->owner[frame] = owner;
    }
    return true;
}

static bool read_lists(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    for (uint32_t bin = 0; bin < mapping->options.bins; bin++) {
        uint32_t count, seen;
        if (!saved_get_u32(in, &count))
            return false;
        for (uint32_t i = 0; i < count; i++) {
            if (!saved_get_u32(in, &seen))
                return false;
            if (!is_frame(mapping, seen) || seen % mapping->options.bins != bin || mapping->is_free[seen])
                return err_set(err, "free frame %u of bin %u, which is not in memory or comes twice", seen, bin);
            mapping_push(mapping, seen);
        }
    }
    return true;
}

static bool read_spaces(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint32_t count, key, serial;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!saved_get_u32(in, &key) || !saved_get_u32(in, &serial))
            return false;
        struct mapping_space *space = mapping_add_space(mapping, key, serial);
        if (space == NULL)
            return err_set(err, "%u processes; at most %d", count, MAPPING_SPACES);
        if (!saved_get_u32(in, &space->next))
            return false;
        if (space->next < mapping->options.reserved || space->next >= mapping->options.bins)
            return err_set(err, "bin %u of %u", space->next, mapping->options.bins);
        for (uint32_t bin = 0; bin < mapping->options.bins; bin++)
            if (!saved_get_u32(in, &space->used[bin]))
                return false;
    }
    return true;
}

static bool read_threads(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint32_t count, number, request;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!saved_get_u32(in, &number))
            return false;
        if (number >= MAPPING_THREADS)
            return err_set(err, "thread %u of %d", number, MAPPING_THREADS);
        struct mapping_thread *thread = &mapping->thread[number];
        if (!saved_get_u32(in, &thread->key) || !saved_get_u32(in, &thread->space) ||
            !saved_get_u32(in, &thread->page) || !saved_get_u32(in, &request))
            return false;
        thread->order = request >> 1;
        thread->for_program = request & 1;
        if (thread->order > MAPPING_ORDER_MAX)
            return err_set(err, "a request for 2^%u frames", thread->order);
    }
    return true;
}

static bool read_mapping(void *base, struct saved_in *in, struct err *err)
{
    struct page_mapping *mapping = base;
    if (mapping->next_kernel != 0 && mapping->next_kernel >= mapping->options.reserved)
        return err_set(err, "reserved bin %u of %u", mapping->next_kernel, mapping->options.reserved);
    return read_seen(mapping, in, err) && read_owners(mapping, in, err) && read_lists(mapping, in, err) &&
           read_spaces(mapping, in, err) && read_threads(mapping, in, err);
}

void page_mapping_register_saved(struct page_mapping *mapping, const struct physmem *mem, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_mapping, .read = read_mapping};
    mapping->mem = mem;
    saved_add(
        saved,
        &(struct saved_section){
            .name = "page_mapping", .version = 1, .timing = true, .base = mapping, SAVED_TABLE(fields), .ops = &ops});
}
