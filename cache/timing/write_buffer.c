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

static const char *get_word(const struct params *params, const char *cache, const char *field)
{
    char name[64];
    snprintf(name, sizeof name, "cache.%s.write_buffer.%s", cache, field);
    return params_string(params, name);
}

static enum write_buffer_reads read_policy(const char *word)
{
    return strcmp(word, "forward") == 0 ? READS_FORWARD : strcmp(word, "match") == 0 ? READS_MATCH : READS_DRAIN;
}

bool write_buffer_config(struct write_buffer_config *config, const struct params *params, const char *name,
                         uint32_t line, struct err *err)
{
    config->depth = (uint32_t)get(params, name, "depth");
    config->width = (uint32_t)get(params, name, "width");
    config->merge = get(params, name, "merge");
    config->retire = get(params, name, "retire");
    config->reads = read_policy(get_word(params, name, "reads"));
    config->victims_after_fill = strcmp(get_word(params, name, "victims"), "after_fill") == 0;
    if (!config->width)
        config->width = line;
    if (config->depth && config->width > line)
        return err_set(err, "cache.%s.write_buffer.width is %u bytes: at most cache.%s.line = %u possible", name,
                       config->width, name, line);
    return true;
}

void write_buffer_init(struct write_buffer *buffer, const struct write_buffer_config *config,
                       write_buffer_retire *retire, void *next)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->config = *config;
    buffer->retire = retire;
    buffer->next = next;
    if (!config->depth)
        return;
    buffer->entry = calloc(config->depth, sizeof *buffer->entry);
    if (!buffer->entry)
        abort();
}

void write_buffer_release(struct write_buffer *buffer)
{
    free(buffer->entry);
    buffer->entry = NULL;
}

void write_buffer_clear(struct write_buffer *buffer)
{
    buffer->first = buffer->count = buffer->first_cancelled = 0;
    buffer->end = buffer->retired = 0;
}

/* Entries */

/* Entry NUMBER in FIFO order, the oldest first. */
static struct write_buffer_entry *entry_at(const struct write_buffer *buffer, uint32_t number)
{
    uint32_t slot = buffer->first + number;
    return &buffer->entry[slot < buffer->config.depth ? slot : slot - buffer->config.depth];
}

static void retire_oldest(struct write_buffer *buffer)
{
    const struct write_buffer_entry *oldest = entry_at(buffer, 0);
    buffer->counts.occupied += oldest->retirement.end - oldest->made;
    buffer->retired = oldest->retirement.end;
    buffer->first = buffer->first + 1 < buffer->config.depth ? buffer->first + 1 : 0;
    buffer->count--;
    buffer->first_cancelled--;
}

/* Removes the entries that have retired by NOW. */
static void retire_until(struct write_buffer *buffer, cycles now)
{
    while (buffer->count && entry_at(buffer, 0)->retirement.end <= now)
        retire_oldest(buffer);
}

/* Schedules the retirement of ENTRY at NOW or later, after that of the entries before it. */
static void schedule(struct write_buffer *buffer, struct write_buffer_entry *entry, cycles now)
{
    if (now < buffer->end)
        now = buffer->end;
    entry->reservations.count = 0;
    if (buffer->config.retire)
        entry->retirement = (struct retirement){now, now + buffer->config.retire};
    else
        entry->retirement = buffer->retire(buffer->next, entry->block, entry->size, now, &entry->reservations);
    entry->retirement.end += entry->extra;
    buffer->end = entry->retirement.end;
}

/* Cancels the reservations of entry NUMBER and later ones, which have not begun to retire. */
static void cancel_from(struct write_buffer *buffer, uint32_t number, cycles now)
{
    for (uint32_t i = buffer->count; i > number; i--)
        reservations_cancel(&entry_at(buffer, i - 1)->reservations);
    buffer->first_cancelled = number;
    buffer->cancelled_from = now;
    buffer->end = number ? entry_at(buffer, number - 1)->retirement.end : buffer->retired;
}

void write_buffer_resume(struct write_buffer *buffer)
{
    for (; buffer->first_cancelled < buffer->count; buffer->first_cancelled++) {
        struct write_buffer_entry *entry = entry_at(buffer, buffer->first_cancelled);
        schedule(buffer, entry, entry->made > buffer->cancelled_from ? entry->made : buffer->cancelled_from);
    }
}

/* Index of the first entry that has not begun to retire at NOW; count if there is none. */
static uint32_t first_waiting(const struct write_buffer *buffer, cycles now)
{
    uint32_t number = buffer->count;
    while (number && entry_at(buffer, number - 1)->retirement.start >= now &&
           entry_at(buffer, number - 1)->retirement.end > now)
        number--;
    return number;
}

/* Writes */

/* Merges SIZE bytes of BLOCK with an entry of that block. Returns false if there is none that has not begun to retire.
 */
static bool merge(struct write_buffer *buffer, cycles now, paddr block, uint32_t size)
{
    for (uint32_t i = first_waiting(buffer, now); i < buffer->count; i++) {
        struct write_buffer_entry *entry = entry_at(buffer, i);
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
    retire_until(buffer, now);
    if (buffer->config.merge && merge(buffer, now, block, size))
        return 0;
    if (buffer->count == buffer->config.depth) {
        wait = entry_at(buffer, 0)->retirement.end - now;
        retire_until(buffer, now + wait);
        buffer->counts.full++;
        buffer->counts.full_wait += wait;
    }
    struct write_buffer_entry *entry = entry_at(buffer, buffer->count);
    *entry = (struct write_buffer_entry){.block = block, .size = size, .made = now + wait, .extra = extra};
    schedule(buffer, entry, now + wait);
    buffer->count++;
    buffer->first_cancelled = buffer->count;
    buffer->counts.entries++;
    if (buffer->count > buffer->counts.peak)
        buffer->counts.peak = buffer->count;
    return wait;
}

cycles write_buffer_write(struct write_buffer *buffer, cycles now, paddr address, uint32_t size, cycles extra)
{
    if (!write_buffer_exists(buffer))
        return 0;
    write_buffer_resume(buffer);
    buffer->counts.writes++;
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
static cycles end_of_awaited(const struct write_buffer *buffer, paddr address, uint32_t size)
{
    if (buffer->config.reads == READS_FORWARD || !buffer->count)
        return 0;
    if (buffer->config.reads == READS_DRAIN)
        return entry_at(buffer, buffer->count - 1)->retirement.end;
    for (uint32_t i = buffer->count; i > 0; i--) {
        const struct write_buffer_entry *entry = entry_at(buffer, i - 1);
        if (entry->block < address + size && address < entry->block + buffer->config.width)
            return entry->retirement.end;
    }
    return 0;
}

cycles write_buffer_read(struct write_buffer *buffer, cycles now, paddr address, uint32_t size)
{
    if (!write_buffer_exists(buffer))
        return 0;
    write_buffer_resume(buffer);
    retire_until(buffer, now);
    cycles end = end_of_awaited(buffer, address, size);
    cycles wait = end > now ? end - now : 0;
    /* The entries that retire meanwhile stay in the buffer: the victim of this read is written at NOW, too. */
    cancel_from(buffer, first_waiting(buffer, now + wait), now + wait);
    buffer->counts.reads_held += wait != 0;
    buffer->counts.read_wait += wait;
    return wait;
}

void write_buffer_pass(struct write_buffer *buffer, cycles now)
{
    if (!write_buffer_exists(buffer))
        return;
    write_buffer_resume(buffer);
    retire_until(buffer, now);
    cancel_from(buffer, first_waiting(buffer, now), now);
}

cycles write_buffer_drain(const struct write_buffer *buffer, cycles now)
{
    return buffer->end > now ? buffer->end - now : 0;
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
    saved_put_u32(out, buffer->count);
    saved_put_u32(out, buffer->first_cancelled);
    saved_put_u64(out, buffer->cancelled_from);
    saved_put_u64(out, buffer->end);
    saved_put_u64(out, buffer->retired);
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
        (in->version != 1 && !saved_get_u64(in, &buffer->retired)) ||
        !saved_get(in, &buffer->counts, sizeof buffer->counts))
        return false;
    if (in->version == 1) /* the best that such a file says */
        buffer->retired = buffer->count ? 0 : buffer->end;
    if (buffer->count > buffer->config.depth || buffer->first_cancelled > buffer->count ||
        buffer->cancelled_from > TIMING_TIME_MAX || buffer->end > TIMING_TIME_MAX || buffer->retired > TIMING_TIME_MAX)
        return err_set(err, "a write buffer with %u of %u entries", buffer->count, buffer->config.depth);
    buffer->first = 0;
    for (uint32_t i = 0; i < buffer->count; i++)
        if (!read_entry(buffer, &buffer->entry[i], list, in, err))
            return false;
    return true;
}
