#include "cache/placement/layout_map.h"
#include "cache/placement/page_mapping_state.h"
#include "src/base/splitmix.h"
#include "src/base/stats.h"
#include <stdlib.h>
#include <string.h>

/* Threads are told apart by these bits of the addresses of their stacks, of 8 KB. */
enum { THREAD_SHIFT = 13 };

static void *frames_of(size_t size)
{
    return checked_memory(calloc(MAPPING_FRAMES, size));
}

struct page_mapping *page_mapping_create(struct layout_map *map, const struct page_mapping_options *options)
{
    if (options->bins < 2 || options->reserved >= options->bins)
        log_bug("page mapping with %u bins, %u reserved", options->bins, options->reserved);
    struct page_mapping *mapping = checked_memory(calloc(1, sizeof *mapping));
    mapping->map = map;
    mapping->options = *options;
    mapping->random = options->seed;
    mapping->next_serial = 1;
    mapping->seen = frames_of(sizeof *mapping->seen);
    mapping->holder = frames_of(sizeof *mapping->holder);
    mapping->below = frames_of(sizeof *mapping->below);
    mapping->above = frames_of(sizeof *mapping->above);
    mapping->is_laid_out = frames_of(sizeof *mapping->is_laid_out);
    mapping->is_free = frames_of(sizeof *mapping->is_free);
    mapping->owner = frames_of(sizeof *mapping->owner);
    mapping->top = checked_memory(calloc(options->bins, sizeof *mapping->top));
    mapping->count = checked_memory(calloc(options->bins, sizeof *mapping->count));
    mapping->space = checked_memory(calloc(MAPPING_SPACES, sizeof *mapping->space));
    mapping->thread = checked_memory(calloc(MAPPING_THREADS, sizeof *mapping->thread));
    for (uint64_t page = 0; layout_next_page(map, &page); page += PAGE_SIZE)
        mapping->is_laid_out[page >> PAGE_SHIFT] = true;
    mapping_hints_create(mapping);
    return mapping;
}

void page_mapping_free(struct page_mapping *mapping)
{
    if (!mapping)
        return;
    for (uint32_t i = 0; i < mapping->spaces; i++)
        free(mapping->space[i].used);
    free(mapping->space);
    free(mapping->thread);
    free(mapping->top);
    free(mapping->count);
    free(mapping->seen);
    free(mapping->holder);
    free(mapping->below);
    free(mapping->above);
    free(mapping->is_laid_out);
    free(mapping->is_free);
    free(mapping->owner);
    mapping_hints_free(mapping);
    free(mapping);
}

void page_mapping_set_host(struct page_mapping *mapping, const struct page_mapping_host *host)
{
    mapping->host = *host;
}

bool page_mapping_has_begun(const struct page_mapping *mapping)
{
    return mapping->has_begun;
}

void page_mapping_begin(struct page_mapping *mapping)
{
    mapping->has_begun = true;
}

uint32_t *page_mapping_sites(struct page_mapping *mapping)
{
    return mapping->sites;
}

/* Lists of free frames */

bool page_mapping_is_free(const struct page_mapping *mapping, uint32_t frame)
{
    return mapping->is_free[mapping_seen(mapping, frame)];
}

void mapping_push(struct page_mapping *mapping, uint32_t seen)
{
    const uint32_t bin = mapping_bin(mapping, seen), top = mapping->top[bin];
    mapping->is_free[seen] = true;
    mapping->below[seen] = top;
    mapping->above[seen] = 0;
    if (top != 0)
        mapping->above[top - 1] = seen + 1;
    mapping->top[bin] = seen + 1;
    mapping->count[bin]++;
}

static void take(struct page_mapping *mapping, uint32_t seen)
{
    const uint32_t below = mapping->below[seen], above = mapping->above[seen], bin = mapping_bin(mapping, seen);
    if (below != 0)
        mapping->above[below - 1] = above;
    if (above != 0)
        mapping->below[above - 1] = below;
    else
        mapping->top[bin] = below;
    mapping->is_free[seen] = false;
    mapping->count[bin]--;
}

bool mapping_has_free(struct page_mapping *mapping, uint32_t bin, uint32_t frame)
{
    while (mapping->top[bin] != 0) {
        const uint32_t seen = mapping->top[bin] - 1, holder = mapping_holder(mapping, seen);
        if (holder == frame || mapping->host.is_free(mapping->host.opaque, holder))
            return true;
        take(mapping, seen);
        mapping->missed++;
    }
    return false;
}

/* Spaces */

struct mapping_space *mapping_add_space(struct page_mapping *mapping, uint32_t key, uint32_t serial)
{
    if (mapping->spaces == MAPPING_SPACES)
        return NULL;
    struct mapping_space *space = &mapping->space[mapping->spaces++];
    *space = (struct mapping_space){
        .key = key, .serial = serial, .used = checked_memory(calloc(mapping->options.bins, sizeof *space->used))};
    return space;
}

static struct mapping_space *find_space(const struct page_mapping *mapping, uint32_t key)
{
    for (uint32_t i = mapping->spaces; i-- > 0;)
        if (mapping->space[i].key == key)
            return &mapping->space[i];
    return NULL;
}

uint32_t mapping_draw(struct page_mapping *mapping)
{
    const uint32_t low = mapping->options.reserved;
    return low + splitmix_below(&mapping->random, mapping->options.bins - low);
}

static struct mapping_space *get_space(struct page_mapping *mapping, uint32_t key)
{
    struct mapping_space *space = find_space(mapping, key);
    if (space == NULL && (space = mapping_add_space(mapping, key, mapping->next_serial)) != NULL) {
        mapping->next_serial++;
        space->next = mapping_draw(mapping);
    }
    return space;
}

void page_mapping_ended(struct page_mapping *mapping, uint32_t key)
{
    struct mapping_space *space = find_space(mapping, key);
    if (space == NULL)
        return;
    free(space->used);
    for (struct mapping_space *end = &mapping->space[--mapping->spaces]; space < end; space++)
        *space = space[1];
}

/* The space with SERIAL; NULL: there is none any more. */
static struct mapping_space *find_owner(const struct page_mapping *mapping, uint32_t serial)
{
    for (uint32_t i = 0; i < mapping->spaces; i++)
        if (mapping->space[i].serial == serial)
            return &mapping->space[i];
    return NULL;
}

static void disown(struct page_mapping *mapping, uint32_t frame)
{
    const uint32_t serial = mapping->owner[frame], bin = mapping_bin(mapping, mapping_seen(mapping, frame));
    struct mapping_space *space = serial != 0 ? find_owner(mapping, serial) : NULL;
    mapping->owner[frame] = 0;
    if (space != NULL && space->used[bin] > 0)
        space->used[bin]--;
}

/* The policies */

/* Kessler and Hill. */
uint32_t mapping_best_bin(struct page_mapping *mapping, const struct mapping_space *space, const uint64_t *cost,
                          uint32_t frame)
{
    uint32_t best = mapping->options.reserved;
    bool found = false;
    for (uint32_t bin = best; bin < mapping->options.bins; bin++) {
        if (!mapping_has_free(mapping, bin, frame))
            continue;
        const uint64_t costs[] = {cost ? cost[bin] : 0, cost ? cost[best] : 0};
        const uint32_t used = space ? space->used[bin] : 0, least = space ? space->used[best] : 0;
        const bool is_same = costs[0] == costs[1] && used == least;
        if (!found || costs[0] < costs[1] || (costs[0] == costs[1] && used < least) ||
            (is_same && mapping->count[bin] > mapping->count[best]))
            best = bin;
        found = true;
    }
    return best;
}

static uint32_t mapping_random_bin(struct page_mapping *mapping, struct mapping_space *space,
                                   const struct mapping_thread *thread, uint32_t frame)
{
    (void)space, (void)thread, (void)frame;
    return mapping_draw(mapping);
}

static uint32_t mapping_colour_of_file(const struct page_mapping *mapping, uint32_t index)
{
    const uint32_t low = mapping->options.reserved;
    return low + index % (mapping->options.bins - low);
}

static uint32_t mapping_colour(struct page_mapping *mapping, struct mapping_space *space,
                               const struct mapping_thread *thread, uint32_t frame)
{
    (void)space, (void)frame;
    return mapping_colour_of_file(mapping, thread->page);
}

static uint32_t mapping_next_bin(struct page_mapping *mapping, struct mapping_space *space,
                                 const struct mapping_thread *thread, uint32_t frame)
{
    if (space == NULL)
        return mapping_random_bin(mapping, space, thread, frame);
    const uint32_t bin = space->next;
    space->next = bin + 1 < mapping->options.bins ? bin + 1 : mapping->options.reserved;
    return bin;
}

static uint32_t mapping_emptiest_bin(struct page_mapping *mapping, struct mapping_space *space,
                                     const struct mapping_thread *thread, uint32_t frame)
{
    return space == NULL ? mapping_random_bin(mapping, space, thread, frame)
                         : mapping_best_bin(mapping, space, NULL, frame);
}

static const struct policy {
    const char *name;
    mapping_choose_fn *choose;
    mapping_hinted_fn *hinted;
    mapping_for_file_fn *for_file;
} policies[PAGE_MAPPING_POLICY_COUNT] = {
#define POLICY(id, name, choose, hinted, for_file) {name, choose, hinted, for_file},
#include "cache/placement/page_mapping_policies.def"
};

const char page_mapping_policies[] =
#define POLICY(id, name, ...) "|" name
#include "cache/placement/page_mapping_policies.def"
    ;

enum page_mapping_policy page_mapping_policy_named(const char *name)
{
    for (unsigned i = 0; i < PAGE_MAPPING_POLICY_COUNT; i++)
        if (strcmp(policies[i].name, name) == 0)
            return (enum page_mapping_policy)i;
    return PAGE_MAPPING_ARBITRARY;
}

bool page_mapping_policy_takes_hints(enum page_mapping_policy policy)
{
    return policies[policy].hinted != NULL;
}

static const struct policy *policy_of(const struct page_mapping *mapping)
{
    return &policies[mapping->options.policy];
}

static uint32_t hinted_bin(struct page_mapping *mapping, struct mapping_space *space, uint32_t hint, uint32_t frame)
{
    mapping->hinted++;
    return policy_of(mapping)->hinted(mapping, space, hint, frame);
}

/* The bin for FRAME, for the page that THREAD of SPACE (NULL: unknown) faulted on. */
static uint32_t choose(struct page_mapping *mapping, struct mapping_space *space, const struct mapping_thread *thread,
                       uint32_t frame)
{
    const uint32_t hint = mapping_hint_of(mapping, &thread->of);
    return hint != 0 ? hinted_bin(mapping, space, hint, frame)
                     : policy_of(mapping)->choose(mapping, space, thread, frame);
}

/* FRAME, which is in a list, is to be in BIN, or else in the next of the bins from LOW to before END with a free frame;
 * and leaves its list. */
static void place(struct page_mapping *mapping, uint32_t frame, uint32_t bin, uint32_t low, uint32_t end)
{
    uint32_t tries = end - low;
    for (; tries > 0 && !mapping_has_free(mapping, bin, frame); tries--)
        bin = bin + 1 < end ? bin + 1 : low;
    const uint32_t seen = mapping_seen(mapping, frame);
    mapping->full += tries < end - low;
    if (tries > 0 && bin != mapping_bin(mapping, seen)) {
        const uint32_t other = mapping->top[bin] - 1, holder = mapping_holder(mapping, other);
        mapping_set(mapping, frame, other);
        mapping_set(mapping, holder, seen);
        mapping->host.moved(mapping->host.opaque, frame);
        mapping->host.moved(mapping->host.opaque, holder);
        mapping->moved++;
    }
    take(mapping, mapping_seen(mapping, frame));
}

void mapping_set(struct page_mapping *mapping, uint32_t frame, uint32_t seen)
{
    mapping->seen[frame] = mapping->holder[seen] = frame ^ seen;
    layout_move_page(mapping->map, frame, seen);
}

/* What happens to frames */

void page_mapping_freed(struct page_mapping *mapping, uint32_t frame)
{
    const uint32_t seen = mapping_seen(mapping, frame);
    disown(mapping, frame);
    mapping_forget(mapping, frame);
    if (!mapping->is_free[seen] && !mapping->is_laid_out[frame])
        mapping_push(mapping, seen);
}

static struct mapping_thread *thread_of(const struct page_mapping *mapping, uint32_t key)
{
    return &mapping->thread[(key >> THREAD_SHIFT) % MAPPING_THREADS];
}

/* The same, of the thread KEY, with nothing known of it if another one had its place. */
static struct mapping_thread *get_thread(struct page_mapping *mapping, uint32_t key)
{
    struct mapping_thread *thread = thread_of(mapping, key);
    if (thread->key != key)
        *thread = (struct mapping_thread){.key = key};
    return thread;
}

void page_mapping_faulted(struct page_mapping *mapping, uint32_t key, uint32_t space, uint32_t page,
                          const struct page_identity *of)
{
    struct mapping_thread *thread = get_thread(mapping, key);
    thread->space = space;
    thread->page = page;
    thread->of = of ? *of : (struct page_identity){.kind = PAGE_OF_FILE};
}

void page_mapping_asked(struct page_mapping *mapping, uint32_t key, uint32_t order, bool for_program)
{
    struct mapping_thread *thread = get_thread(mapping, key);
    thread->order = order <= MAPPING_ORDER_MAX ? order : 0;
    thread->for_program = for_program;
}

/* FRAME is one of SPACE (NULL: of none) where it is seen. */
static void own(struct page_mapping *mapping, struct mapping_space *space, uint32_t frame)
{
    mapping->owner[frame] = space ? space->serial : MAPPING_NO_SPACE;
    if (space)
        space->used[mapping_bin(mapping, mapping_seen(mapping, frame))]++;
}

static void place_for_program(struct page_mapping *mapping, const struct mapping_thread *thread, uint32_t frame)
{
    struct mapping_space *space = thread->space != 0 ? get_space(mapping, thread->space) : NULL;
    place(mapping, frame, choose(mapping, space, thread, frame), mapping->options.reserved, mapping->options.bins);
    mapping->placed++;
    own(mapping, space, frame);
}

static void place_for_kernel(struct page_mapping *mapping, uint32_t frame)
{
    place(mapping, frame, mapping->next_kernel, 0, mapping->options.reserved);
    mapping->next_kernel = (mapping->next_kernel + 1) % mapping->options.reserved;
    mapping->reserved++;
}

void page_mapping_got(struct page_mapping *mapping, uint32_t key, uint32_t frame)
{
    struct mapping_thread *thread = thread_of(mapping, key);
    if (thread->key != key)
        return;
    const bool places = thread->order == 0 && policy_of(mapping)->choose != NULL &&
                        (thread->for_program || mapping->options.reserved > 0) && !mapping->is_laid_out[frame];
    for (uint32_t i = 0; i < UINT32_C(1) << thread->order && frame + i < MAPPING_FRAMES; i++) {
        disown(mapping, frame + i);
        mapping_forget(mapping, frame + i);
        if (!places && mapping->is_free[mapping_seen(mapping, frame + i)])
            take(mapping, mapping_seen(mapping, frame + i));
    }
    if (places && !mapping->is_free[mapping_seen(mapping, frame)])
        mapping_push(mapping, mapping_seen(mapping, frame));
    if (places && thread->for_program)
        place_for_program(mapping, thread, frame);
    else if (places)
        place_for_kernel(mapping, frame);
    if (thread->order == 0 && thread->for_program && thread->of.process[0] != '\0') {
        page_mapping_used(mapping, frame, &thread->of);
        thread->of = (struct page_identity){.kind = PAGE_OF_FILE};
    }
}

void page_mapping_is_of_file(struct page_mapping *mapping, uint32_t frame, uint32_t inode, uint32_t index)
{
    const uint32_t low = mapping->options.reserved, end = mapping->options.bins;
    const struct page_identity of = {.kind = PAGE_OF_FILE, .number = inode, .page = index};
    const uint32_t serial = mapping->owner[frame], hint = mapping_hint_of(mapping, &of);
    if (mapping->is_free[mapping_seen(mapping, frame)])
        return;
    mapping_forget(mapping, frame);
    if (serial != 0 && (policy_of(mapping)->for_file || hint != 0)) {
        struct mapping_space *space = find_owner(mapping, serial);
        disown(mapping, frame);
        mapping_push(mapping, mapping_seen(mapping, frame));
        place(mapping, frame,
              hint != 0 ? hinted_bin(mapping, space, hint, frame) : policy_of(mapping)->for_file(mapping, index), low,
              end);
        own(mapping, space, frame);
    }
    page_mapping_used(mapping, frame, &of);
}

/* Tests and figures */

bool page_mapping_check(const struct page_mapping *mapping, struct err *err)
{
    uint32_t listed = 0, marked = 0;
    for (uint32_t frame = 0; frame < MAPPING_FRAMES; frame++) {
        const uint32_t seen = mapping_seen(mapping, frame);
        if (seen >= MAPPING_FRAMES || mapping_holder(mapping, seen) != frame ||
            (!mapping->is_laid_out[frame] && (layout_data(mapping->map, frame << PAGE_SHIFT) != seen << PAGE_SHIFT ||
                                              layout_code(mapping->map, frame << PAGE_SHIFT) != seen << PAGE_SHIFT)))
            return err_set(err, "page mapping: frame %u is seen as %u, which another has", frame, seen);
        if (mapping->is_laid_out[frame] && (seen != frame || mapping->is_free[frame]))
            return err_set(err, "page mapping: frame %u, which cache.layout moves, is seen as %u", frame, seen);
        marked += mapping->is_free[frame];
    }
    for (uint32_t bin = 0; bin < mapping->options.bins; bin++) {
        uint32_t count = 0;
        for (uint32_t at = mapping->top[bin]; at != 0 && count <= MAPPING_FRAMES; at = mapping->below[at - 1], count++)
            if (mapping_bin(mapping, at - 1) != bin || !mapping->is_free[at - 1])
                return err_set(err, "page mapping: frame %u in the list of bin %u", at - 1, bin);
        if (count != mapping->count[bin])
            return err_set(err, "page mapping: bin %u has %u free frames, not %u", bin, count, mapping->count[bin]);
        listed += count;
    }
    if (listed != marked)
        return err_set(err, "page mapping: %u frames are free, %u in lists", marked, listed);
    uint32_t hinted = 0;
    for (uint32_t frame = 0; mapping->hint != NULL && frame < MAPPING_FRAMES; frame++)
        if (mapping->hint[frame] != 0) {
            hinted++;
            if (mapping->place[frame] >= mapping->hinted_frames ||
                mapping->hinted_frame[mapping->place[frame]] != frame)
                return err_set(err, "page mapping: frame %u has a hint and is not listed", frame);
        }
    return hinted == mapping->hinted_frames ||
           err_set(err, "page mapping: %u frames have hints, %u are listed", hinted, mapping->hinted_frames);
}

void page_mapping_register_stats(struct page_mapping *mapping, struct stats *stats)
{
    stats_counter(stats, "page_mapping.pages", "pages", "of programs and files that the policy placed",
                  &mapping->placed);
    stats_counter(stats, "page_mapping.reserved", "pages", "of the kernel placed in its reserved bins",
                  &mapping->reserved);
    stats_counter(stats, "page_mapping.moved", "pages", "seen in another bin than that of the kernel's frame",
                  &mapping->moved);
    stats_counter(stats, "page_mapping.full", "pages", "whose bin had no free frame: they got the next that had one",
                  &mapping->full);
    stats_counter(stats, "page_mapping.hinted", "pages", "of programs and files placed by a hint", &mapping->hinted);
    stats_counter(stats, "page_mapping.missed", "pages", "free frames that turned out to be in use", &mapping->missed);
}
