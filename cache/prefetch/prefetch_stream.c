/*
 * Instruction stream buffers: Jouppi, ISCA'90, section 4; Xia and Torrellas, IEEE TC 1999, section 4.2.2.
 *
 * The buffers are behind the cache level that they serve and read from the next level, which every line that they fetch
 * is filled into. Inclusion therefore holds, coherence finds the lines, and an entry is invalid once its line has left
 * that level.
 */
#include "cache/prefetch/prefetch_state.h"

static struct array *level_for_fetches(const struct memsys *memsys, unsigned cpu, unsigned level)
{
    struct array *cache = memsys->node[cpu].first[0];
    while (cache->level < level)
        cache = cache->next;
    return cache;
}

static bool is_page_start(paddr address)
{
    return (address & (PAGE_SIZE - 1)) == 0;
}

void prefetch_stream_empty(struct prefetch *prefetch, unsigned cpu)
{
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    for (unsigned i = 0; i < STREAM_BUFFERS_MAX; i++)
        cpu_state->buffer[i] = (struct stream_buffer){.next = NO_LINE};
    for (unsigned i = 0; i < STREAM_HISTORY; i++)
        cpu_state->history[i] = NO_LINE;
    cpu_state->consulted = false;
}

unsigned prefetch_stream_level(const struct memsys *memsys)
{
    return memsys->prefetch->level;
}

/* The buffer that holds LINE, with the entry number in *PLACE; NULL: none. */
static struct stream_buffer *find(struct prefetch *prefetch, unsigned cpu, paddr line, unsigned *place)
{
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    for (struct stream_buffer *buffer = cpu_state->buffer; buffer < cpu_state->buffer + prefetch->buffers; buffer++)
        for (*place = 0; *place < buffer->count; ++*place)
            if (buffer->entry[*place].line == line)
                return buffer;
    return NULL;
}

bool prefetch_stream_lookup(struct memsys *memsys, unsigned cpu, const struct array *from, const struct array *supplier,
                            const struct memsys_request *request, cycles *time)
{
    struct prefetch *prefetch = memsys->prefetch;
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    if (request->access != MEMSYS_FETCH || from->level > prefetch->level ||
        (supplier && supplier->level <= prefetch->level))
        return false;
    const struct array *served = level_for_fetches(memsys, cpu, prefetch->level);
    cpu_state->consulted = true;
    cpu_state->consulted_line = request->address & served->line_mask;
    cpu_state->consulted_buffer = NULL;
    if (!supplier || supplier->level != prefetch->level + 1)
        return false; /* if a buffer has an entry for this line, it is invalid */
    cpu_state->consulted_buffer = find(prefetch, cpu, cpu_state->consulted_line, &cpu_state->consulted_entry);
    if (!cpu_state->consulted_buffer)
        return false;
    const struct stream_entry *entry = &cpu_state->consulted_buffer->entry[cpu_state->consulted_entry];
    const cycles arrives = entry->arrives;
    *time = prefetch->buffer_hit_time;
    cpu_state->counts[PREFETCH_STREAM].useful++;
    if (request->bucket)
        request->bucket->streamed++;
    if (arrives > request->now) {
        cpu_state->counts[PREFETCH_STREAM].late++;
        cpu_state->counts[PREFETCH_STREAM].late_cycles += arrives - request->now;
        prefetch_count_late(memsys, request, prefetch->level + 1, entry->level);
        if (request->bucket)
            request->bucket->late_streamed++;
        *time += arrives - request->now;
    }
    return true;
}

/* Removes the first COUNT entries of BUFFER. USED: the last of them was used; the others count as useless. */
static void drop(struct prefetch_cpu *cpu_state, struct stream_buffer *buffer, unsigned count, bool used)
{
    cpu_state->counts[PREFETCH_STREAM].useless += count - used;
    buffer->count -= count;
    for (unsigned i = 0; i < buffer->count; i++)
        buffer->entry[i] = buffer->entry[i + count];
}

/* Whether the line before LINE, in the same page, is among the recent misses. Records LINE as the latest one. */
static bool follows_recent(struct prefetch_cpu *cpu_state, paddr line, uint32_t size)
{
    bool follows = false;
    for (unsigned i = 0; i < STREAM_HISTORY; i++)
        follows |= cpu_state->history[i] == line - size && !is_page_start(line);
    cpu_state->history[cpu_state->next_history] = line;
    cpu_state->next_history = (cpu_state->next_history + 1) % STREAM_HISTORY;
    return follows;
}

static struct stream_buffer *least_recent(struct prefetch *prefetch, struct prefetch_cpu *cpu_state)
{
    struct stream_buffer *oldest = cpu_state->buffer;
    for (unsigned i = 1; i < prefetch->buffers; i++)
        if (cpu_state->buffer[i].last_used < oldest->last_used)
            oldest = &cpu_state->buffer[i];
    return oldest;
}

static struct stream_entry fetch_line(struct memsys *memsys, unsigned cpu, struct array *outer,
                                      const struct memsys_request *request)
{
    const paddr line = request->address;
    const struct prefetch_result order = prefetch_fill(memsys, cpu, outer, request);
    return (struct stream_entry){line, (uint8_t)order.level, order.arrives};
}

/* Prefetches lines until BUFFER is full or the page ends. */
static void fill(struct memsys *memsys, unsigned cpu, struct stream_buffer *buffer,
                 const struct memsys_request *request, uint32_t size)
{
    struct prefetch *prefetch = memsys->prefetch;
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    struct array *outer = level_for_fetches(memsys, cpu, prefetch->level + 1);
    struct memsys_request adjusted = *request;
    adjusted.access = MEMSYS_FETCH;
    adjusted.bucket = NULL;
    while (buffer->count < prefetch->depth && buffer->next != NO_LINE) {
        adjusted.now += prefetch->interval;
        adjusted.address = buffer->next;
        buffer->entry[buffer->count++] = fetch_line(memsys, cpu, outer, &adjusted);
        cpu_state->counts[PREFETCH_STREAM].issued++;
        buffer->next = is_page_start(buffer->next + size) ? NO_LINE : buffer->next + size;
    }
}

void prefetch_stream_update(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct prefetch *prefetch = memsys->prefetch;
    struct prefetch_cpu *cpu_state = &prefetch->cpu[cpu];
    if (!cpu_state->consulted)
        return;
    cpu_state->consulted = false;
    const uint32_t size = 1u << level_for_fetches(memsys, cpu, prefetch->level)->line_shift;
    struct stream_buffer *buffer = cpu_state->consulted_buffer;
    unsigned place;
    if (buffer) {
        drop(cpu_state, buffer, cpu_state->consulted_entry + 1, true);
    } else if ((buffer = find(prefetch, cpu, cpu_state->consulted_line, &place)) != NULL) {
        /* the entry came too late for this line; the buffer continues after it */
        drop(cpu_state, buffer, place + 1, false);
    } else {
        if (!follows_recent(cpu_state, cpu_state->consulted_line, size) && !prefetch->any_miss)
            return;
        buffer = least_recent(prefetch, cpu_state);
        drop(cpu_state, buffer, buffer->count, false);
        buffer->next = is_page_start(cpu_state->consulted_line + size) ? NO_LINE : cpu_state->consulted_line + size;
    }
    buffer->last_used = ++cpu_state->uses;
    fill(memsys, cpu, buffer, request, size);
}
