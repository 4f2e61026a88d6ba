/*
 * Makes accesses, CACHE operations and device requests in the memory system and in the reference model.
 *
 * The driver behaves like a CPU model. It has a fast-path byte for each virtual line, CPU and kind of access; it
 * skips memsys_access() if the byte permits the access, and records last-use times and MRU ways where it has
 * undertaken to.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_DRIVER_H
#define SIMOS_TESTS_UNIT_REFERENCE_DRIVER_H

#include "tests/unit/reference_compare.h"

/* The byte that an access must leave: the permissions of the line in the cache, unless another use changes the order.
 * Of a store that is passed on it may also leave PERMIT_STORE, which pair_verify_slot() checks. */
static uint8_t pair_expected_byte(struct pair *p, const struct ref_access *a, uint8_t grant)
{
    const struct ref_cache *c = pair_first(p, a->cpu, a->kind == MEMSYS_FETCH);
    const struct ref_entry *entry = ref_find_at(c, a->address, a->virtual_address, a->space);
    if (!entry || ref_is_assist(c, entry) || !ref_is_whole(c, entry) || !ref_touch_changes_nothing(c, entry))
        return PERMIT_NONE;
    return grant & (entry->dirty && !c->s.through ? PERMIT_READ_STORE : PERMIT_READ);
}

static cycles pair_ask(struct pair *p, const struct ref_access *a, uint8_t grant, struct ref_slot *slot)
{
    struct memsys_request request = {.access = a->kind,
                                     .address = a->address,
                                     .virtual_address = a->virtual_address,
                                     .space = a->space,
                                     .pc = 0x80001000,
                                     .size = (uint8_t)a->size,
                                     .max_permission = grant,
                                     .permission = &slot->byte,
                                     .now = 1000 + p->step,
                                     .bucket = &p->bucket[a->cpu]};
    return memsys_access(p->memsys, a->cpu, &request);
}

/* An access on the fast path. */
static void pair_use_quick(struct pair *p, const struct ref_access *a, const struct ref_slot *slot)
{
    const struct ref_cache *c = pair_first(p, a->cpu, slot->fetch);
    const struct memsys_uses *uses = &p->uses[a->cpu][slot->fetch];
    uint8_t *last = pair_last(p, a->cpu, slot->fetch);
    pair_verify_slot(p, slot);
    if (uses->time)
        memsys_record_use(uses, a->address / c->s.line, slot->fetch ? MEMSYS_FETCH : MEMSYS_READ, 1000 + p->step);
    if (last)
        last[a->address / c->s.line % c->sets] = slot->byte;
    p->quick[a->kind]++;
}

/* An access; ASK: on the slow path even if the byte permits the fast path. */
static void pair_access(struct pair *p, const struct ref_access *a, uint8_t grant, bool ask)
{
    struct ref_slot *slot = pair_slot(p, a);
    uint8_t needed = a->kind == MEMSYS_WRITE ? PERMIT_READ_STORE : PERMIT_READ;
    bool quick = !ask && (slot->byte & needed) == needed;
    cycles stall = 0;
    if (quick)
        pair_use_quick(p, a, slot);
    else
        stall = pair_ask(p, a, grant, slot);
    cycles expected = reference_access(&p->reference, a);
    CHECK(p, stall == expected, "cpu%u kind %d 0x%08x%s: stall %llu, expected %llu", a->cpu, a->kind, a->address,
          quick ? " (quick)" : "", (unsigned long long)stall, (unsigned long long)expected);
    pair_list(p, slot);
    if (!quick) {
        uint8_t byte = slot->byte & PERMIT_READ_STORE, right = pair_expected_byte(p, a, grant);
        bool lowered = p->reference.s.classify >= CLASSIFY_SHARING;
        if (pair_first(p, a->cpu, false)->s.through && a->kind == MEMSYS_WRITE &&
            pair_stores_pass(p, a->cpu, a->address))
            right |= byte & grant & PERMIT_STORE;
        CHECK(p, lowered ? (byte & ~right) == 0 : byte == right, "cpu%u kind %d 0x%08x: byte %u, expected %u", a->cpu,
              a->kind, a->address, byte, right);
    }
    pair_compare_step(p, a->cpu, a->address);
}

/* pref with hint 30. */
static void pair_prepare(struct pair *p, const struct ref_access *a)
{
    struct memsys_request request = {.access = MEMSYS_READ,
                                     .address = a->address,
                                     .virtual_address = a->virtual_address,
                                     .space = a->space,
                                     .pc = 0x80001000,
                                     .size = 1,
                                     .now = 1000 + p->step,
                                     .bucket = &p->bucket[a->cpu]};
    cycles stall = memsys_prepare_for_store(p->memsys, a->cpu, &request),
           expected = reference_prepare(&p->reference, a);
    CHECK(p, stall == expected, "cpu%u prepares 0x%08x: stall %llu, expected %llu", a->cpu, a->address,
          (unsigned long long)stall, (unsigned long long)expected);
    pair_compare_step(p, a->cpu, a->address);
}

/* OP on the line, or the set, of CPU, addresses and space of A. */
static void pair_cache_op(struct pair *p, enum memsys_cache cache, enum memsys_cache_op op, const struct ref_access *a)
{
    memsys_cache_op(
        p->memsys, a->cpu, cache, op,
        &(struct memsys_request){.address = a->address, .virtual_address = a->virtual_address, .space = a->space});
    reference_cache_op(&p->reference, cache, op, a);
    pair_compare_step(p, a->cpu, a->address);
}

static void pair_hint(struct pair *p, unsigned cpu, paddr address)
{
    const struct memsys_request request = {.address = address, .size = 1, .now = 1000 + p->step};
    memsys_prefetch_streamed(p->memsys, cpu, &request);
    reference_hint(&p->reference, cpu, address);
    pair_compare_step(p, cpu, address);
}

static void pair_dma(struct pair *p, bool write, paddr address, uint32_t size)
{
    (write ? memsys_dma_write : memsys_dma_read)(p->memsys, address, size, 1000 + p->step);
    if (size > 0)
        reference_dma(&p->reference, write, address, size);
    pair_compare_step(p, 0, address);
}

static void pair_uncached(struct pair *p, unsigned cpu, paddr address)
{
    struct memsys_request request = {
        .access = MEMSYS_READ, .address = address, .size = 4, .now = 1000 + p->step, .bucket = &p->bucket[cpu]};
    cycles stall = memsys_uncached(p->memsys, cpu, &request), expected = reference_uncached(&p->reference, cpu);
    CHECK(p, stall == expected, "uncached stall %llu", (unsigned long long)stall);
    pair_compare_step(p, cpu, address);
}

static void pair_flush(struct pair *p)
{
    memsys_flush(p->memsys);
    reference_flush(&p->reference);
    pair_compare_everything(p);
}

static void pair_set_protocol(struct pair *p, paddr first, paddr last, enum memsys_protocol protocol)
{
    memsys_set_protocol(p->memsys, first, last, protocol);
    reference_set_protocol(&p->reference, first, last, protocol);
    pair_compare_everything(p);
}

static void pair_set_context(struct pair *p, unsigned cpu, enum mode mode, uint32_t process)
{
    memsys_set_context(p->memsys, cpu, mode, process);
    p->reference.classes.context[cpu].mode = mode;
    p->reference.classes.context[cpu].process = process;
}

#endif
