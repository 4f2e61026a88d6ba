#include "cache/timing/write_buffer.h"

#include "cache/timing/timing_saved.h"
#include <stdlib.h>
#include <string.h>

/* Creation */

static uint64_t get(const struct params *params, const char *cache, const char *field)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.write_buffer.%s", cache, field);
    return params_u64(params, name);
}

static bool is(const struct params *params, const char *cache, const char *field, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.write_buffer.%s", cache, field);
    return params_is(params, name, word);
}

bool write_buffer_config(struct write_buffer_config *config, const struct params *params, const char *name,
                         uint32_t line, struct err *err)
{
    config->depth = (uint32_t)get(params, name, "depth");
    config->width = (uint32_t)get(params, name, "width");
    config->merge = get(params, name, "merge");
    config->retire = get(params, name, "retire");
    config->reads = is(params, name, "reads", "forward") ? READS_FORWARD
                    : is(params, name, "reads", "match") ? READS_MATCH
                                                         : READS_DRAIN;
    config->victims_after_fill = is(params, name, "victims", "after_fill");
    if (!config->width)
        config->width = line;
    if (config->depth && config->width > line)
        return err_set(err, "cache.%s.write_buffer.width is %u bytes: at most cache.%s.line = %u possible", name,
                       config->width, name, line);
    return true;
}

void write_buffer_init(struct write_buffer *buffer, const struct write_buffer_config *config,
                       const struct write_buffer_next *next)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->config = *config;
    buffer->next = config->retire ? (struct write_buffer_next){.time = config->retire} : *next;
    buffer->at_once = buffer->next.retire || buffer->next.shared || config->merge;
    buffer->queue.width = config->width;
    if (!config->depth)
        return;
    uint32_t ring = 1;
    while (ring < config->depth)
        ring *= 2;
    buffer->queue.mask = ring - 1;
    buffer->queue.entry = calloc(ring, sizeof *buffer->queue.entry);
    if (buffer->next.retire)
        buffer->on_bus = calloc(ring, sizeof *buffer->on_bus);
    if (!buffer->queue.entry || (buffer->next.retire && !buffer->on_bus))
        abort();
}

void write_buffer_release(struct write_buffer *buffer)
{
    free(buffer->queue.entry);
    free(buffer->on_bus);
    buffer->queue.entry = NULL;
    buffer->on_bus = NULL;
}

/* A write that makes the buffer fuller than it ever was, or has no room, looks at the others first. */
static inline void set_limit(struct write_buffer *buffer)
{
    buffer->queue.limit = buffer->at_once ? 0 : buffer->oldest + buffer->counts.peak;
    buffer->looked_at = buffer->queue.made;
}

void write_buffer_clear(struct write_buffer *buffer)
{
    write_buffer_settle(buffer);
    buffer->oldest = buffer->scheduled = buffer->passed = buffer->queue.made;
    buffer->end = buffer->retired = 0;
    set_limit(buffer);
}

/* Entries */

static inline struct store_entry *entry_of(const struct write_buffer *buffer, uint64_t number)
{
    return &buffer->queue.entry[number & buffer->queue.mask];
}

static inline cycles later(cycles a, cycles b)
{
    return a > b ? a : b;
}

/* The time from which the first entry that is not scheduled requests the next level. */
static inline cycles next_request(const struct write_buffer *buffer)
{
    cycles made = entry_of(buffer, buffer->scheduled)->made;
    if (buffer->scheduled < buffer->passed)
        made = later(made, buffer->passed_at);
    return later(made, buffer->end);
}

/* Schedules the retirement of the first entry that is not scheduled, requested at REQUEST. */
static inline void schedule(struct write_buffer *buffer, cycles request)
{
    const struct write_buffer_next *next = &buffer->next;
    const uint64_t number = buffer->scheduled++;
    struct store_entry *entry = entry_of(buffer, number);
    entry->requested = request;
    if (next->retire) {
        struct reservations *log = &buffer->on_bus[number & buffer->queue.mask];
        log->count = 0;
        const struct retirement retirement = next->retire(next->bus, entry->block, entry->size, request, log);
        entry->start = retirement.start;
        entry->end = retirement.end + entry->extra;
    } else {
        entry->start = next->port.bank
                           ? resource_reserve(banks_at(&next->port, entry->block), request, next->time, NULL)
                           : request;
        entry->end = entry->start + next->time + entry->extra;
    }
    buffer->end = entry->end;
}

/* Schedules the entries before NUMBER. */
static void schedule_entries(struct write_buffer *buffer, uint64_t number)
{
    while (buffer->scheduled < number)
        schedule(buffer, next_request(buffer));
}

/* Schedules the entries that may begin to retire by NOW. */
static inline void schedule_until(struct write_buffer *buffer, cycles now)
{
    while (buffer->scheduled < buffer->queue.made) {
        const cycles request = next_request(buffer);
        if (request > now)
            break;
        schedule(buffer, request);
    }
}

/* Removes the entries before NUMBER that have retired by NOW. */
static inline void retire_until(struct write_buffer *buffer, cycles now, uint64_t number)
{
    while (buffer->oldest < number) {
        if (buffer->scheduled == buffer->oldest)
            schedule(buffer, next_request(buffer));
        const struct store_entry *oldest = entry_of(buffer, buffer->oldest);
        if (oldest->end > now)
            break;
        buffer->counts.occupied += oldest->end - oldest->made;
        buffer->retired = oldest->end;
        buffer->oldest++;
    }
}

/* Brings the buffer to time NOW. */
static inline void advance(struct write_buffer *buffer, cycles now)
{
    retire_until(buffer, now, buffer->queue.made);
    set_limit(buffer);
}

cycles write_buffer_last_put(const struct write_buffer *buffer)
{
    return buffer->looked_at == buffer->queue.made ? 0 : entry_of(buffer, buffer->queue.made - 1)->made;
}

void write_buffer_settle(struct write_buffer *buffer)
{
    const cycles put = write_buffer_last_put(buffer);
    if (put)
        retire_until(buffer, put, buffer->queue.made - 1);
    schedule_entries(buffer, buffer->queue.made);
    buffer->counts.writes = buffer->queue.writes;
    buffer->counts.entries = buffer->queue.made;
    set_limit(buffer);
}

struct reservations write_buffer_reservations(const struct write_buffer *buffer, uint64_t number)
{
    const struct store_entry *entry = entry_of(buffer, number);
    const struct write_buffer_next *next = &buffer->next;
    if (next->retire)
        return buffer->on_bus[number & buffer->queue.mask];
    return (struct reservations){
        .count = next->port.bank != NULL,
        .reservation[0] = {.resource = next->port.bank ? banks_at(&next->port, entry->block) : NULL,
                           .requested = entry->requested,
                           .start = entry->start,
                           .duration = next->time}};
}

/* Cancels the reservations of entry NUMBER and later ones, which have not begun to retire: NOW is the earliest time for
 * new ones. */
static inline void cancel_from(struct write_buffer *buffer, uint64_t number, cycles now)
{
    buffer->passed = buffer->queue.made;
    buffer->passed_at = now;
    if (SIM_LIKELY(number == buffer->scheduled))
        return;
    while (buffer->scheduled > number) {
        struct reservations reservations = write_buffer_reservations(buffer, --buffer->scheduled);
        reservations_cancel(&reservations);
    }
    buffer->end = number == buffer->oldest ? buffer->retired : entry_of(buffer, number - 1)->end;
}

void write_buffer_schedule_all(struct write_buffer *buffer)
{
    schedule_entries(buffer, buffer->queue.made);
}

/* Number of the first scheduled entry that has not begun to retire at NOW. */
static inline uint64_t first_waiting(const struct write_buffer *buffer, cycles now)
{
    uint64_t number = buffer->scheduled;
    while (number > buffer->oldest && entry_of(buffer, number - 1)->start >= now &&
           entry_of(buffer, number - 1)->end > now)
        number--;
    return number;
}

/* A read that begins at NOW passes the entries that have not begun to retire. */
static inline void pass_waiting(struct write_buffer *buffer, cycles now)
{
    schedule_until(buffer, now);
    cancel_from(buffer, first_waiting(buffer, now), now);
}

/* Writes */

/* Merges SIZE bytes of BLOCK with an entry of that block. Returns false if there is none that has not begun to retire.
 */
static bool merge(struct write_buffer *buffer, cycles now, paddr block, uint32_t size)
{
    for (uint64_t i = first_waiting(buffer, now); i < buffer->queue.made; i++) {
        struct store_entry *entry = entry_of(buffer, i);
        if (entry->block != block)
            continue;
        uint32_t combined = entry->size + size;
        if (combined > buffer->config.width)
            combined = buffer->config.width;
        if (combined > entry->size) {
            cancel_from(buffer, i, now);
            entry->size = combined;
            write_buffer_resume(buffer);
        }
        buffer->counts.merged++;
        return true;
    }
    return false;
}

/* Writes SIZE bytes of BLOCK. Returns the cycles until they have an entry. */
static cycles write_block(struct write_buffer *buffer, cycles now, paddr block, uint32_t size, cycles extra)
{
    cycles wait = 0;
    retire_until(buffer, now, buffer->queue.made);
    if (buffer->config.merge && merge(buffer, now, block, size))
        return 0;
    if (write_buffer_count(buffer) == buffer->config.depth) {
        const cycles end = entry_of(buffer, buffer->oldest)->end;
        wait = end - now;
        retire_until(buffer, end, buffer->queue.made);
        buffer->counts.full++;
        buffer->counts.full_wait += wait;
    }
    struct store_entry *entry = entry_of(buffer, buffer->queue.made++);
    entry->block = block;
    entry->size = size;
    entry->made = now + wait;
    entry->extra = extra;
    write_buffer_resume(buffer);
    if (write_buffer_count(buffer) > buffer->counts.peak)
        buffer->counts.peak = write_buffer_count(buffer);
    set_limit(buffer);
    return wait;
}

cycles write_buffer_write(struct write_buffer *buffer, cycles now, paddr address, uint32_t size, cycles extra)
{
    if (!write_buffer_exists(buffer))
        return 0;
    buffer->queue.writes++;
    cycles start = now;
    uint32_t width = buffer->config.width;
    while (size) {
        uint32_t part = width - (address & (width - 1));
        if (part > size)
            part = size;
        now += write_block(buffer, now, address & ~(width - 1), part, extra);
        extra = 0;
        address += part;
        size -= part;
    }
    return now - start;
}

/* Reads */

/* End of the retirement of the last entry that a read of SIZE bytes from ADDRESS waits for; 0 if there is none. */
static inline cycles end_of_awaited(struct write_buffer *buffer, paddr address, uint32_t size)
{
    if (buffer->config.reads == READS_FORWARD)
        return 0;
    uint64_t number = buffer->queue.made;
    if (buffer->config.reads == READS_MATCH) {
        const uint32_t width = buffer->config.width;
        while (number > buffer->oldest && !(entry_of(buffer, number - 1)->block < address + size &&
                                            address < entry_of(buffer, number - 1)->block + width))
            number--;
    }
    if (number == buffer->oldest)
        return 0;
    schedule_entries(buffer, number);
    return entry_of(buffer, number - 1)->end;
}

cycles write_buffer_read(struct write_buffer *buffer, cycles now, paddr address, uint32_t size)
{
    if (!write_buffer_count(buffer))
        return 0;
    advance(buffer, now);
    cycles end = end_of_awaited(buffer, address, size);
    cycles wait = end > now ? end - now : 0;
    /* The entries that retire meanwhile stay in the buffer: the victim of this read is written at NOW, too. */
    pass_waiting(buffer, now + wait);
    buffer->counts.reads_held += wait != 0;
    buffer->counts.read_wait += wait;
    return wait;
}

void write_buffer_pass(struct write_buffer *buffer, cycles now)
{
    if (!write_buffer_count(buffer))
        return;
    advance(buffer, now);
    pass_waiting(buffer, now);
}

struct memsys_write_buffer write_buffer_at(const struct write_buffer *buffer, cycles now)
{
    struct memsys_write_buffer view = {.depth = buffer->config.depth};
    if (!write_buffer_exists(buffer))
        return view;
    /* entries that have left are in the ring until others take their places */
    const uint64_t made = buffer->queue.made, ring = buffer->queue.mask + 1;
    cycles free = buffer->end;
    for (uint64_t number = made > ring ? made - ring : 0; number < made; number++) {
        const struct store_entry *entry = entry_of(buffer, number);
        cycles start = entry->start, end = entry->end;
        if (number >= buffer->scheduled) {
            start = later(later(entry->made, free), number < buffer->passed ? buffer->passed_at : 0);
            end = free = start + buffer->next.time + entry->extra;
        }
        if (entry->made > now || end <= now)
            continue;
        view.entries++;
        view.writes |= start <= now;
    }
    return view;
}

cycles write_buffer_ready(struct write_buffer *buffer, cycles now)
{
    schedule_entries(buffer, buffer->queue.made);
    return later(now, buffer->end);
}

cycles write_buffer_drain(struct write_buffer *buffer, cycles now)
{
    return write_buffer_ready(buffer, now) - now;
}

/* Statistics */

void write_buffer_register_stats(const struct write_buffer *buffer, struct stats *stats, const char *name)
{
    const struct write_buffer_counts *counts = &buffer->counts;
    const struct {
        const char *name, *unit, *text;
        const uint64_t *value;
    } rows[] = {
        {"writes", "writes", "writes to the next level", &counts->writes},
        {"entries", "entries", "entries used by writes", &counts->entries},
        {"merged", "writes", "writes, or parts of one, merged with an entry", &counts->merged},
        {"full", "writes", "writes, or parts of one, that found the buffer full", &counts->full},
        {"full_wait", "cycles", "time that writes waited for an entry", &counts->full_wait},
        {"reads_held", "reads", "reads that waited for writes before them", &counts->reads_held},
        {"read_wait", "cycles", "waiting time of these reads", &counts->read_wait},
        {"occupied", "entry cycles", "time that entries spent in the buffer, summed over the retired entries",
         &counts->occupied},
        {"peak", "entries", "maximum number of entries in use", &counts->peak},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char full[96];
        snprintf(full, sizeof full, "%s.%s", name, rows[i].name);
        stats_counter(stats, full, rows[i].unit, rows[i].text, rows[i].value);
    }
}

/* Checkpoints: the entries in FIFO order, with their reservations */

void write_buffer_save(const struct write_buffer *buffer, const struct resource_list *list, struct saved_out *out)
{
    if (!write_buffer_exists(buffer))
        return;
    saved_put_u32(out, write_buffer_count(buffer));
    saved_put_u32(out, (uint32_t)(buffer->scheduled - buffer->oldest));
    saved_put_u64(out, buffer->passed_at);
    saved_put_u64(out, buffer->end);
    saved_put_u64(out, buffer->retired);
    saved_put(out, &buffer->counts, sizeof buffer->counts);
    for (uint64_t i = buffer->oldest; i < buffer->queue.made; i++) {
        const struct store_entry *entry = entry_of(buffer, i);
        saved_put_u32(out, entry->block);
        saved_put_u32(out, entry->size);
        saved_put_u64(out, entry->made);
        saved_put_u64(out, entry->extra);
        saved_put_u64(out, entry->start);
        saved_put_u64(out, entry->end);
        const struct reservations reservations = write_buffer_reservations(buffer, i);
        reservations_write(&reservations, list, out);
    }
}

static bool read_entry(struct write_buffer *buffer, uint64_t number, const struct resource_list *list,
                       struct saved_in *in, struct err *err)
{
    struct store_entry *entry = entry_of(buffer, number);
    struct reservations log;
    if (!saved_get_u32(in, &entry->block) || !saved_get_u32(in, &entry->size) || !saved_get_u64(in, &entry->made) ||
        !saved_get_u64(in, &entry->extra) || !saved_get_u64(in, &entry->start) || !saved_get_u64(in, &entry->end) ||
        !reservations_read(&log, list, in, err))
        return false;
    if (!entry->size || entry->size > buffer->config.width || entry->made > entry->end || entry->extra > UINT32_MAX ||
        entry->start > entry->end || entry->end > TIMING_TIME_MAX)
        return err_set(err, "invalid write buffer entry");
    if (buffer->next.retire) {
        buffer->on_bus[number & buffer->queue.mask] = log;
        return true;
    }
    const struct reservation *first = &log.reservation[0];
    if (log.count)
        entry->requested = first->requested;
    return !log.count ||
           (log.count == 1 && first->resource == banks_at(&buffer->next.port, entry->block) &&
            first->start == entry->start && first->duration == buffer->next.time) ||
           err_set(err, "a write buffer entry with other reservations than its next level makes");
}

bool write_buffer_load(struct write_buffer *buffer, const struct resource_list *list, struct saved_in *in,
                       struct err *err)
{
    if (!write_buffer_exists(buffer))
        return true;
    const struct write_buffer_counts *counts = &buffer->counts;
    uint32_t count, scheduled;
    if (!saved_get_u32(in, &count) || !saved_get_u32(in, &scheduled) || !saved_get_u64(in, &buffer->passed_at) ||
        !saved_get_u64(in, &buffer->end) || (in->version != 1 && !saved_get_u64(in, &buffer->retired)) ||
        !saved_get(in, &buffer->counts, sizeof buffer->counts))
        return false;
    if (in->version == 1) /* the best that such a file says */
        buffer->retired = count ? 0 : buffer->end;
    if (count > buffer->config.depth || counts->peak > buffer->config.depth || scheduled > count ||
        counts->entries < count || buffer->passed_at > TIMING_TIME_MAX || buffer->end > TIMING_TIME_MAX ||
        buffer->retired > TIMING_TIME_MAX)
        return err_set(err, "a write buffer with %u of %u entries", count, buffer->config.depth);
    buffer->queue.writes = counts->writes;
    buffer->queue.made = buffer->passed = counts->entries;
    buffer->oldest = counts->entries - count;
    buffer->scheduled = buffer->oldest + scheduled;
    set_limit(buffer);
    for (uint64_t i = buffer->oldest; i < buffer->queue.made; i++)
        if (!read_entry(buffer, i, list, in, err))
            return false;
    return true;
}
