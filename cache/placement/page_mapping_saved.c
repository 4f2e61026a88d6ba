/* Checkpoints of page mapping: only a machine with the same configuration can load them (struct saved_terms). */
#include "cache/placement/page_mapping_state.h"

#include "src/memory/physmem.h"
#include "src/base/saved.h"
#include <stdlib.h>
#include <string.h>

static const struct saved_field fields[] = {
    SAVED_FIELD(struct page_mapping, has_begun, SAVED_BOOL),
    SAVED_FIELD(struct page_mapping, random, SAVED_U64),
    SAVED_FIELD(struct page_mapping, next_kernel, SAVED_U32),
    SAVED_FIELD(struct page_mapping, next_serial, SAVED_U32),
    SAVED_FIELD(struct page_mapping, sites, SAVED_U32),
    SAVED_EACH(struct page_mapping, last, fragment, SAVED_U32),
    SAVED_EACH(struct page_mapping, last, owner, SAVED_U32),
    SAVED_EACH(struct page_mapping, last, turn, SAVED_U32),
    SAVED_FIELD(struct page_mapping, turns, SAVED_U32),
    SAVED_FIELD(struct page_mapping, accesses, SAVED_U64),
    SAVED_STATISTIC(struct page_mapping, placed),
    SAVED_STATISTIC(struct page_mapping, moved),
    SAVED_STATISTIC(struct page_mapping, full),
    SAVED_STATISTIC(struct page_mapping, reserved),
    SAVED_STATISTIC(struct page_mapping, missed),
    SAVED_STATISTIC(struct page_mapping, hinted),
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
        saved_put_u32(out, space->base);
        for (uint32_t bin = 0; bin < mapping->options.bins; bin++)
            saved_put_u32(out, space->used[bin]);
    }
}

static void write_identity(const struct page_identity *of, struct saved_out *out)
{
    saved_put_u32(out, of->kind);
    saved_put_u32(out, of->number);
    saved_put(out, of->process, sizeof of->process);
    saved_put_u32(out, of->page);
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
        write_identity(&thread->of, out);
    }
}

static void write_hints(const struct page_mapping *mapping, struct saved_out *out)
{
    saved_put_u64(out, mapping->options.hints ? page_hints_digest(mapping->options.hints) : 0);
    if (mapping->options.hints) {
        write_table(mapping->hint, out);
        for (uint32_t i = 0; i < mapping->sets; i++)
            saved_put_u32(out, mapping->set_base[i]);
    }
}

static void write_profile(struct page_mapping *mapping, struct saved_out *out)
{
    const struct page_hints *profile = page_mapping_profile(mapping); /* lives up to now */
    const uint32_t count = profile ? page_hints_count(profile) : 0;
    saved_put_u32(out, profile != NULL);
    if (!profile)
        return;
    saved_put_u32(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct page_hint *hint = page_hints_at(profile, i);
        write_identity(&hint->of, out);
        saved_put_u64(out, hint->life);
        for (unsigned use = 0; use < PAGE_USES; use++)
            for (unsigned fragment = 0; fragment < PAGE_FRAGMENTS; fragment++) {
                saved_put_u64(out, hint->accesses[use][fragment]);
                saved_put_u64(out, hint->turns[use][fragment]);
                saved_put_u32(out, hint->turn[use][fragment]);
            }
    }
    write_table(mapping->profiled, out);
}

static void write_mapping(void *base, struct saved_out *out)
{
    struct page_mapping *mapping = base;
    write_table(mapping->seen, out);
    write_table(mapping->owner, out);
    write_lists(mapping, out);
    write_spaces(mapping, out);
    write_threads(mapping, out);
    write_hints(mapping, out);
    write_profile(mapping, out);
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
        if (mapping->is_laid_out[frame] || mapping->is_laid_out[seen])
            return err_set(err, "frame %u is seen as %u, and cache.layout moves one of them", frame, seen);
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
        if (mapping->is_laid_out[frame])
            return err_set(err, "frame %u was placed, and cache.layout moves it", frame);
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
            if (!is_frame(mapping, seen) || seen % mapping->options.bins != bin || mapping->is_free[seen] ||
                mapping->is_laid_out[seen])
                return err_set(err, "free frame %u of bin %u, which cannot be in its list, or comes twice", seen, bin);
            mapping_push(mapping, seen);
        }
    }
    return true;
}

/* Is BIN one for programs? */
static bool is_bin(const struct page_mapping *mapping, uint32_t bin, struct err *err)
{
    return (bin >= mapping->options.reserved && bin < mapping->options.bins) ||
           err_set(err, "bin %u of %u", bin, mapping->options.bins);
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
        if (!saved_get_u32(in, &space->next) || !saved_get_u32(in, &space->base))
            return false;
        if (!is_bin(mapping, space->next, err) || (space->base != 0 && !is_bin(mapping, space->base - 1, err)))
            return false;
        for (uint32_t bin = 0; bin < mapping->options.bins; bin++)
            if (!saved_get_u32(in, &space->used[bin]))
                return false;
    }
    return true;
}

static bool read_identity(struct saved_in *in, struct page_identity *of)
{
    return saved_get_u32(in, &of->kind) && saved_get_u32(in, &of->number) &&
           saved_get(in, of->process, sizeof of->process) && saved_get_u32(in, &of->page);
}

/* Nothing that was faulted on, or a page of a process? */
static bool is_of_fault(const struct page_identity *of)
{
    static const struct page_identity none = {.kind = PAGE_OF_FILE};
    return memcmp(of, &none, sizeof none) == 0 || (page_identity_is_whole(of) && of->process[0] != '\0');
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
            !saved_get_u32(in, &thread->page) || !saved_get_u32(in, &request) || !read_identity(in, &thread->of))
            return false;
        if (!is_of_fault(&thread->of))
            return err_set(err, "a fault on a page of no process");
        thread->order = request >> 1;
        thread->for_program = request & 1;
        if (thread->order > MAPPING_ORDER_MAX)
            return err_set(err, "a request for 2^%u frames", thread->order);
    }
    return true;
}

static bool read_hints(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint64_t digest;
    uint32_t count, frame = UINT32_MAX, hint;
    if (!saved_get_u64(in, &digest))
        return false;
    if (digest != (mapping->options.hints ? page_hints_digest(mapping->options.hints) : 0))
        return err_set(err, "page_mapping.hints: other hints than those of the checkpoint");
    if (!mapping->options.hints)
        return true;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_pair(mapping, in, frame, &frame, &hint, err))
            return false;
        if (hint > page_hints_count(mapping->options.hints))
            return err_set(err, "hint %u of %u", hint - 1, page_hints_count(mapping->options.hints));
        mapping_set_hint(mapping, frame, hint);
    }
    for (uint32_t i = 0; i < mapping->sets; i++)
        if (!saved_get_u32(in, &mapping->set_base[i]) ||
            (mapping->set_base[i] != 0 && !is_bin(mapping, mapping->set_base[i] - 1, err)))
            return false;
    return true;
}

static bool read_profiled_page(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    struct page_hint hint = {.life = 0};
    if (!read_identity(in, &hint.of) || !saved_get_u64(in, &hint.life))
        return false;
    for (unsigned use = 0; use < PAGE_USES; use++)
        for (unsigned i = 0; i < PAGE_FRAGMENTS; i++)
            if (!saved_get_u64(in, &hint.accesses[use][i]) || !saved_get_u64(in, &hint.turns[use][i]) ||
                !saved_get_u32(in, &hint.turn[use][i]))
                return false;
    if (!page_identity_is_whole(&hint.of) || page_hints_find(mapping->profile, &hint.of) != PAGE_HINT_NONE)
        return err_set(err, "a page of the profile that is none, or comes twice");
    const int32_t index = page_hints_add(mapping->profile, &hint.of);
    if (index == PAGE_HINT_NONE)
        return err_set(err, "more than %d pages in the profile", PAGE_HINTS_MAX);
    *page_hints_at(mapping->profile, (uint32_t)index) = hint;
    return true;
}

static bool read_profile(struct page_mapping *mapping, struct saved_in *in, struct err *err)
{
    uint32_t has, count, frame = UINT32_MAX, entry;
    if (!saved_get_u32(in, &has))
        return false;
    if (has != (mapping->profile != NULL))
        return err_set(err, "page_mapping.profile is not as in the checkpoint");
    if (!has)
        return true;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_profiled_page(mapping, in, err))
            return false;
    if (!saved_get_u32(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_pair(mapping, in, frame, &frame, &entry, err))
            return false;
        if (entry > page_hints_count(mapping->profile))
            return err_set(err, "page %u of a profile of %u", entry - 1, page_hints_count(mapping->profile));
        mapping->profiled[frame] = entry;
        mapping->born[frame] = mapping->accesses;
    }
    return true;
}

static bool read_mapping(void *base, struct saved_in *in, struct err *err)
{
    struct page_mapping *mapping = base;
    if (mapping->next_kernel != 0 && mapping->next_kernel >= mapping->options.reserved)
        return err_set(err, "reserved bin %u of %u", mapping->next_kernel, mapping->options.reserved);
    return read_seen(mapping, in, err) && read_owners(mapping, in, err) && read_lists(mapping, in, err) &&
           read_spaces(mapping, in, err) && read_threads(mapping, in, err) && read_hints(mapping, in, err) &&
           read_profile(mapping, in, err);
}

void page_mapping_register_saved(struct page_mapping *mapping, const struct physmem *mem, struct saved *saved)
{
    static const struct saved_ops ops = {.write = write_mapping, .read = read_mapping};
    mapping->mem = mem;
    saved_add(saved, &(struct saved_section){.name = "page_mapping",
                                             .version = 3,
                                             .oldest = 2,
                                             .timing = true,
                                             .base = mapping,
                                             SAVED_TABLE(fields),
                                             .ops = &ops});
}
