/* Checkpoints of the prefetchers: for each CPU the marks, lines in flight, and stream buffers; and the guards. */
#include "cache/prefetch/prefetch_state.h"

#include "src/base/saved.h"

/* Upper limit of the times in a checkpoint, so that the run cannot overflow them. */
#define TIME_MAX (UINT64_C(1) << 60)

static const struct saved_field fields[] = {
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, issued),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, useful),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, late),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, late_cycles),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, useless),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, requests),
    SAVED_EACH_STATISTIC(struct prefetch_cpu, counts, dropped),
    SAVED_EACH(struct prefetch_cpu, flight, start, SAVED_U32),
    SAVED_EACH(struct prefetch_cpu, flight, size, SAVED_U32),
    SAVED_EACH(struct prefetch_cpu, flight, level, SAVED_U8),
    SAVED_EACH_LIMITED(struct prefetch_cpu, flight, arrives, SAVED_U64, TIME_MAX),
    SAVED_LIMITED(struct prefetch_cpu, next_flight, SAVED_U32, FLIGHTS - 1),
    SAVED_EACH_LIMITED(struct prefetch_cpu, buffer, count, SAVED_U32, STREAM_DEPTH_MAX),
    SAVED_EACH(struct prefetch_cpu, buffer, next, SAVED_U32),
    SAVED_EACH(struct prefetch_cpu, buffer, last_used, SAVED_U64),
    SAVED_FIELD(struct prefetch_cpu, uses, SAVED_U64),
    SAVED_FIELD(struct prefetch_cpu, history, SAVED_U32),
    SAVED_LIMITED(struct prefetch_cpu, next_history, SAVED_U32, STREAM_HISTORY - 1),
};

/* Marks */

static void write_marks(const struct prefetch_mark *marks, uint32_t count, struct saved_out *out)
{
    for (uint32_t i = 0; i < count; i++) {
        saved_put_u32(out, marks[i].line);
        if (marks[i].line == NO_LINE)
            continue;
        saved_put(out, &marks[i].kind, 1);
        saved_put(out, &marks[i].level, 1);
        saved_put_u64(out, marks[i].arrives);
    }
}

static bool read_mark(struct prefetch_mark *mark, struct saved_in *in, struct err *err)
{
    if (!saved_get_u32(in, &mark->line))
        return false;
    if (mark->line == NO_LINE)
        return true;
    if (!saved_get(in, &mark->kind, 1) || !saved_get(in, &mark->level, 1) || !saved_get_u64(in, &mark->arrives))
        return false;
    return (mark->kind < PREFETCH_KINDS && mark->level >= 1 && mark->level <= LEVELS_MAX + 1 &&
            mark->arrives <= TIME_MAX) ||
           err_set(err, "invalid prefetched line");
}

static bool read_marks(struct prefetch_mark *marks, uint32_t count, struct saved_in *in, struct err *err)
{
    for (uint32_t i = 0; i < count; i++)
        if (!read_mark(&marks[i], in, err))
            return false;
    return true;
}

/* One CPU. `consulted` is not saved: it is false between accesses. */

static void write_cpu(void *base, struct saved_out *out)
{
    const struct prefetch_cpu *cpu_state = base;
    for (unsigned i = 0; i < STREAM_BUFFERS_MAX; i++)
        for (unsigned j = 0; j < cpu_state->buffer[i].count; j++) {
            saved_put_u32(out, cpu_state->buffer[i].entry[j].line);
            saved_put(out, &cpu_state->buffer[i].entry[j].level, 1);
            saved_put_u64(out, cpu_state->buffer[i].entry[j].arrives);
        }
    write_marks(cpu_state->mark[0], cpu_state->marks[0], out);
    if (cpu_state->mark[1] != cpu_state->mark[0])
        write_marks(cpu_state->mark[1], cpu_state->marks[1], out);
}

static bool read_buffer(struct stream_buffer *buffer, struct saved_in *in, struct err *err)
{
    for (unsigned j = 0; j < buffer->count; j++) {
        struct stream_entry *entry = &buffer->entry[j];
        if (!saved_get_u32(in, &entry->line) || !saved_get(in, &entry->level, 1) || !saved_get_u64(in, &entry->arrives))
            return false;
        if (entry->arrives > TIME_MAX || entry->level > LEVELS_MAX + 1)
            return err_set(err, "a line with an arrival time or a level out of range");
    }
    return buffer->next == NO_LINE || buffer->next % 4 == 0 || err_set(err, "0x%x is not a line address", buffer->next);
}

static bool read_cpu(void *base, struct saved_in *in, struct err *err)
{
    struct prefetch_cpu *cpu_state = base;
    for (unsigned i = 0; i < STREAM_BUFFERS_MAX; i++)
        if (!read_buffer(&cpu_state->buffer[i], in, err))
            return false;
    return read_marks(cpu_state->mark[0], cpu_state->marks[0], in, err) &&
           (cpu_state->mark[1] == cpu_state->mark[0] || read_marks(cpu_state->mark[1], cpu_state->marks[1], in, err));
}

/* Guards: their addresses, in ascending order */

static void write_guards(void *base, struct saved_out *out)
{
    const struct guards *guards = base;
    uint64_t address = 0;
    saved_put_u64(out, guards->count);
    for (; guards_next(guards, &address); address += 4)
        saved_put_u32(out, (paddr)address);
}

static bool read_guards(void *base, struct saved_in *in, struct err *err)
{
    struct guards *guards = base;
    uint64_t count;
    uint32_t address;
    guards_clear(guards);
    if (!saved_get_u64(in, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!saved_get_u32(in, &address))
            return false;
        guards_set(guards, address, true);
        if (address % 4 || guards->count != i + 1)
            return err_set(err, "misaligned or duplicate guard at 0x%x", address);
    }
    return true;
}

void prefetch_register_saved(struct memsys *memsys, struct saved *saved)
{
    static const struct saved_ops cpu_ops = {.write = write_cpu, .read = read_cpu};
    static const struct saved_ops guard_ops = {.write = write_guards, .read = read_guards};
    struct prefetch *prefetch = memsys->prefetch;
    for (unsigned cpu = 0; cpu < memsys->cpus; cpu++) {
        char name[32];
        snprintf(name, sizeof name, "cpu%u.prefetch", cpu);
        saved_add(saved, &(struct saved_section){.name = name,
                                                 .version = 2,
                                                 .timing = true,
                                                 .base = &prefetch->cpu[cpu],
                                                 SAVED_TABLE(fields),
                                                 .ops = &cpu_ops});
    }
    saved_add(
        saved,
        &(struct saved_section){
            .name = "prefetch.guards", .version = 1, .timing = true, .base = &prefetch->guards, .ops = &guard_ops});
}
