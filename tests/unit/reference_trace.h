/*
 * Recorded streams: replays the references of a trace (docs/how-to/trace.md) in the memory system and in the reference
 * model. The caches may differ from those of the recording machine.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_TRACE_H
#define SIMOS_TESTS_UNIT_REFERENCE_TRACE_H

#include "cache/observe/trace.h"
#include "tests/unit/reference_driver.h"

static void replay_access(struct pair *p, const struct reference *record)
{
    static const enum memsys_access kinds[] = {
        [REFERENCE_FETCH] = MEMSYS_FETCH, [REFERENCE_READ] = MEMSYS_READ, [REFERENCE_WRITE] = MEMSYS_WRITE};
    const struct ref_access a = {.cpu = record->cpu,
                                 .kind = kinds[record->kind],
                                 .address = record->address,
                                 .virtual_address = record->virtual_address,
                                 .size = record->kind == REFERENCE_FETCH ? 4 : record->size};
    pair_set_context(p, a.cpu, record->mode, record->process);
    pair_access(p, &a, a.kind == MEMSYS_FETCH ? PERMIT_READ : PERMIT_READ_STORE, false);
}

static void replay_one(struct pair *p, const struct reference *record)
{
    switch (record->kind) {
    case REFERENCE_FETCH:
    case REFERENCE_READ:
    case REFERENCE_WRITE: replay_access(p, record); break;
    case REFERENCE_DMA_READ:
    case REFERENCE_DMA_WRITE: pair_dma(p, record->kind == REFERENCE_DMA_WRITE, record->address, record->size); break;
    case REFERENCE_CACHE_OP:
        pair_cache_op(p, record->cache, record->op,
                      &(struct ref_access){
                          .cpu = record->cpu, .address = record->address, .virtual_address = record->virtual_address});
        break;
    case REFERENCE_FLUSH: pair_flush(p); break;
    default: break;
    }
}

/* Part of a level-1 trace: COUNT references after the first SKIP. */
struct recorded {
    const char *path;
    uint64_t skip, count;
};

/* Replay PART on the machine of SETTINGS, with as many CPUs as recorded. */
static void replay(const struct recorded *part, const struct ref_settings *settings, const char *label,
                   unsigned interval)
{
    struct ref_settings with_cpus = *settings;
    struct err err = {""};
    struct trace_info info;
    struct trace_reader *reader = trace_reader_open(part->path, &info, &err);
    if (!reader)
        fail_msg("%s", err.text);
    assert_int_equal(info.level, 1);
    with_cpus.cpus = info.cpus;
    struct pair *p = pair_make(&with_cpus, true, label);
    struct reference record;
    enum trace_next next;
    p->interval = interval;
    for (uint64_t i = 0; i < part->skip + part->count; i++) {
        next = trace_reader_next(reader, &record, &err);
        if (next == TRACE_DAMAGED)
            fail_msg("%s", err.text);
        if (next == TRACE_END)
            break;
        p->step = i < part->skip ? 0 : p->step + 1;
        if (i >= part->skip)
            replay_one(p, &record);
    }
    pair_compare_everything(p);
    print_message("%s, %u CPUs: %llu references (%llu of them without asking) agree\n", label, with_cpus.cpus,
                  (unsigned long long)p->step, (unsigned long long)(p->quick[0] + p->quick[1] + p->quick[2]));
    trace_reader_close(reader);
    pair_free(p);
}

#endif
