/*
 * Comparison of the memory system with the reference model: a line, counts, classes, fast-path bytes, everything.
 */
#ifndef SIMOS_TESTS_UNIT_REFERENCE_COMPARE_H
#define SIMOS_TESTS_UNIT_REFERENCE_COMPARE_H

#include "tests/unit/reference_pair.h"

/* --- comparison ------------------------------------------------------------------------------------------------- */

/* Compare the line of ADDRESS in every cache of the machine. */
static void pair_compare_line(struct pair *p, paddr address)
{
    struct ref_model *r = &p->reference;
    for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            if (!r->s.cache[id].exists)
                continue;
            const struct ref_entry *entry = ref_find(&r->node[cpu].cache[id], address);
            struct memsys_entry found = memsys_look(p->memsys, cpu, id, address);
            CHECK(p, (entry != NULL) == found.valid, "cpu%u %s 0x%08x: %s", cpu, ref_cache_names[id], address,
                  found.valid ? "should not be there" : "should be there");
            CHECK(p, !entry || (entry->line == found.line && entry->dirty == found.dirty), "cpu%u %s 0x%08x: dirty %d",
                  cpu, ref_cache_names[id], address, found.dirty);
            CHECK(p, !entry || ref_is_whole(&r->node[cpu].cache[id], entry) == !found.partial,
                  "cpu%u %s 0x%08x: partial %d", cpu, ref_cache_names[id], address, found.partial);
        }
        char expected = *ref_state(r, cpu, address), found = memsys_state(p->memsys, cpu, address);
        CHECK(p, (expected ? expected : 'I') == found, "cpu%u 0x%08x: state %c, expected %c", cpu, address, found,
              expected ? expected : 'I');
    }
}

static void pair_compare_counters(struct pair *p)
{
    for (unsigned i = 0; i < p->counters; i++) {
        double found = p->counter[i].index == SIZE_MAX ? 0 : stats_value_at(p->stats, p->counter[i].index);
        if (found == (double)*p->counter[i].value)
            continue;
        if (p->counter[i].index == SIZE_MAX && p->reference.s.cpus == 1)
            continue; /* uniprocessors count updates only if configured with update pages */
        /* position of the count, for the message */
        unsigned per_cpu = 1;
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++)
            per_cpu += p->reference.s.cache[id].exists * REF_COUNTS;
        CHECK(p, false, "%s (cpu%u, count %u): %.0f, expected %llu",
              p->counter[i].index == SIZE_MAX ? "a counter that does not exist"
                                              : stats_name_at(p->stats, p->counter[i].index),
              i / per_cpu, i % per_cpu % REF_COUNTS, found, (unsigned long long)*p->counter[i].value);
    }
}

static void pair_compare_classes(struct pair *p)
{
    static const char *const modes[] = {"user", "kernel", "idle"};
    struct ref_model *r = &p->reference;
    const struct classify *classify = memsys_classification(p->memsys);
    CHECK(p, (classify != NULL) == (r->s.classify != CLASSIFY_OFF), "classification %d", classify != NULL);
    for (unsigned cpu = 0; classify && cpu < r->s.cpus; cpu++) {
        unsigned number = 0;
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            if (!r->s.cache[id].exists)
                continue;
            const struct classify_counts *found = classify_counts(classify, cpu, number++);
            const struct classify_counts *expected = &r->classes.witness[cpu][id].counts;
            if (memcmp(found, expected, sizeof *found) == 0)
                continue;
            for (int mode = 0; mode < MODE_COUNT; mode++)
                for (int kind = 0; kind < MISS_KINDS; kind++) {
                    for (int class = 0; class < CLASS_COUNT; class ++)
                        CHECK(p, found->miss[mode][kind][class] == expected->miss[mode][kind][class],
                              "cpu%u %s %s %s: %s %llu, expected %llu", cpu, ref_cache_names[id], modes[mode],
                              kind == MISS_INSN ? "insn" : "data", classify_class_name((enum miss_class) class),
                              (unsigned long long)found->miss[mode][kind][class],
                              (unsigned long long)expected->miss[mode][kind][class]);
                    for (int by = 0; by < MISS_EVICTORS; by++)
                        CHECK(p, found->evicted[mode][kind][by] == expected->evicted[mode][kind][by],
                              "cpu%u %s %s: evicted by %s %llu, expected %llu", cpu, ref_cache_names[id], modes[mode],
                              by == EVICTED_BY_SELF ? "self" : "other",
                              (unsigned long long)found->evicted[mode][kind][by],
                              (unsigned long long)expected->evicted[mode][kind][by]);
                }
        }
    }
}

/* Compare a set: the same lines; if victims are taken by time in the same sequence, otherwise in the same ways. */
static void pair_compare_set(struct pair *p, unsigned cpu, const struct ref_cache *c, uint32_t set)
{
    const struct ref_entry *entries = c->entries + (size_t)set * c->s.ways;
    uint64_t (*time)(const struct ref_sector *sector) = ref_policies[c->s.replacement].time;
    struct memsys_entry found[REF_WAYS];
    for (uint32_t way = 0; way < c->s.ways; way++)
        found[way] = memsys_entry_at(p->memsys, cpu, c->id, set * c->s.ways + way);
    for (uint32_t way = 0; way < c->s.ways; way++) {
        uint32_t at = 0;
        if (!time) {
            at = way;
            CHECK(p, found[at].valid == entries[way].valid, "cpu%u %s set %u way %u: valid %d", cpu,
                  ref_cache_names[c->id], set, way, found[at].valid);
        } else { /* compare the number of lines, and find the line in any way */
            unsigned held = 0;
            for (uint32_t i = 0; i < c->s.ways; i++)
                held += entries[i].valid - found[i].valid;
            CHECK(p, held == 0, "cpu%u %s set %u: another number of lines", cpu, ref_cache_names[c->id], set);
            while (entries[way].valid && at < c->s.ways - 1 &&
                   !(found[at].valid && found[at].line == entries[way].line))
                at++;
        }
        if (!entries[way].valid)
            continue;
        CHECK(p, found[at].partial == !ref_is_whole(c, &entries[way]), "cpu%u %s set %u: 0x%08x is partial: %d", cpu,
              ref_cache_names[c->id], set, entries[way].line, found[at].partial);
        CHECK(p, found[at].valid && found[at].line == entries[way].line && found[at].dirty == entries[way].dirty,
              "cpu%u %s set %u: 0x%08x is not there, or not %s", cpu, ref_cache_names[c->id], set, entries[way].line,
              entries[way].dirty ? "dirty" : "clean");
        for (uint32_t i = 0; time && i < c->s.ways; i++)
            for (uint32_t j = 0; j < c->s.ways; j++)
                if (entries[i].valid && found[j].valid && found[j].line == entries[i].line)
                    CHECK(p,
                          (time(ref_sector_of_entry(c, &entries[i])) > time(ref_sector_of_entry(c, &entries[way]))) ==
                              (found[j].order < found[at].order),
                          "cpu%u %s set %u: 0x%08x and 0x%08x in another order", cpu, ref_cache_names[c->id], set,
                          entries[way].line, entries[i].line);
    }
}

/* Check the reference's invariants between states and entries. */
static void pair_verify_reference(struct pair *p, unsigned cpu, paddr line)
{
    struct ref_model *r = &p->reference;
    unsigned held, dirty;
    char state = *ref_state(r, cpu, line);
    ref_count_unit(r, cpu, line, &held, &dirty);
    CHECK(p, (state != 0) == (held > 0) && (state == 'M') == (dirty > 0),
          "reference: 0x%08x has state %c, %u held, %u dirty", line, state, held, dirty);
    CHECK(p, state != 'M' && state != 'E' ? true : ref_count_others(r, cpu, line) == 0,
          "reference: 0x%08x has another holder", line);
}

/* --- fast-path bytes -------------------------------------------------------------------------------------------- */

static struct ref_slot *pair_slot(struct pair *p, const struct ref_access *a)
{
    bool fetch = a->kind == MEMSYS_FETCH;
    uint32_t line = pair_first(p, a->cpu, fetch)->s.line;
    struct ref_slot *slot = ref_cell(&p->slots[a->cpu][fetch], a->virtual_address / line);
    if (!slot->made) {
        *slot = (struct ref_slot){.cpu = (uint8_t)a->cpu,
                                  .made = true,
                                  .fetch = fetch,
                                  .line = a->address / line * line,
                                  .virtual_line = a->virtual_address / line * line,
                                  .space = a->space};
        CHECK(p, p->made_count < REF_SLOTS, "too many lines");
        p->made[p->made_count++] = slot;
    }
    /* the virtual address is mapped to another line, or is in another address space now */
    if (slot->line != a->address / line * line || slot->space != a->space) {
        slot->byte = PERMIT_NONE;
        slot->line = a->address / line * line;
        slot->space = a->space;
    }
    return slot;
}

/* Whether stores to the line of ADDRESS in CPU's first level, which passes them on, change nothing: the next level,
 * inclusive and with one way, has it modified. */
static bool pair_stores_pass(struct pair *p, unsigned cpu, paddr address)
{
    if (p->reference.s.levels < 2)
        return false;
    const struct ref_cache *next = ref_at(&p->reference, cpu, 2, false);
    const struct ref_entry *outer = ref_find(next, address);
    return next->s.inclusive && next->s.ways == 1 && outer && outer->dirty;
}

/* Check that the permissions of SLOT are correct: the line is in the cache at this address, stores are permitted only
 * if it is writable, and an access changes no state except what the CPU model has undertaken to record. */
static void pair_verify_slot(struct pair *p, const struct ref_slot *slot)
{
    const struct ref_cache *c = pair_first(p, slot->cpu, slot->fetch);
    const struct ref_entry *entry = ref_find_at(c, slot->line, slot->virtual_line, slot->space);
    const char *const kind = slot->fetch ? "fetches" : "loads";
    if ((slot->byte & PERMIT_READ_STORE) == 0)
        return;
    CHECK(p, entry, "cpu%u %s 0x%08x: byte %u, and not in the cache", slot->cpu, kind, slot->line, slot->byte);
    CHECK(p, !ref_is_assist(c, entry), "cpu%u %s 0x%08x: byte %u, and in the assist cache", slot->cpu, kind, slot->line,
          slot->byte);
    CHECK(p, ref_is_whole(c, entry), "cpu%u %s 0x%08x: partly valid", slot->cpu, kind, slot->line);
    CHECK(p, slot->byte & PERMIT_READ, "cpu%u %s 0x%08x: stores only", slot->cpu, kind, slot->line);
    CHECK(p, !(slot->byte & PERMIT_STORE) || (c->s.through ? pair_stores_pass(p, slot->cpu, slot->line) : entry->dirty),
          "cpu%u 0x%08x: stores change its state", slot->cpu, slot->line);
    CHECK(p, pair_last(p, slot->cpu, slot->fetch) || ref_touch_changes_nothing(c, entry),
          "cpu%u %s 0x%08x: use changes the order", slot->cpu, kind, slot->line);
}

static void pair_list(struct pair *p, struct ref_slot *slot)
{
    if (slot->byte == 0 || slot->listed)
        return;
    slot->listed = true;
    p->listed[p->listed_count++] = slot;
}

/* Check all non-zero bytes; bytes that were never granted must be zero. */
static void pair_verify_slots(struct pair *p, bool all)
{
    for (unsigned i = 0; i < p->listed_count; i++) {
        struct ref_slot *slot = p->listed[i];
        if (slot->byte == 0) {
            slot->listed = false;
            p->listed[i--] = p->listed[--p->listed_count];
        } else {
            pair_verify_slot(p, slot);
        }
    }
    for (unsigned i = 0; all && i < p->made_count; i++)
        CHECK(p, p->made[i]->byte == 0 || p->made[i]->listed, "0x%08x: a byte nobody asked for", p->made[i]->line);
}

/* --- everything ------------------------------------------------------------------------------------------------- */

static void pair_compare_everything(struct pair *p)
{
    struct ref_model *r = &p->reference;
    struct err err = {""};
    for (unsigned cpu = 0; cpu < r->s.cpus; cpu++) {
        for (enum memsys_cache id = 0; id < MEMSYS_CACHES; id++) {
            const struct ref_cache *c = &r->node[cpu].cache[id];
            uint32_t ways = 0, entries = memsys_entries(p->memsys, id, &ways);
            CHECK(p, entries == (c->s.exists ? ref_entries(c) : 0) && (entries == 0 || ways == c->s.ways),
                  "%s: another size", ref_cache_names[id]);
            for (uint32_t set = 0; set < c->sets; set++)
                pair_compare_set(p, cpu, c, set);
            for (uint32_t i = c->sets * c->s.ways; i < entries; i++) {
                const struct memsys_entry found = memsys_entry_at(p->memsys, cpu, id, i);
                CHECK(p,
                      found.valid == c->entries[i].valid &&
                          (!found.valid || (found.line == c->entries[i].line && found.dirty == c->entries[i].dirty)),
                      "cpu%u %s slot %u: another line", cpu, ref_cache_names[id], i - c->sets * c->s.ways);
            }
            for (uint32_t i = 0; i < entries; i++)
                if (c->entries[i].valid) {
                    pair_verify_reference(p, cpu, c->entries[i].line);
                    CHECK(p, memsys_state(p->memsys, cpu, c->entries[i].line) == *ref_state(r, cpu, c->entries[i].line),
                          "cpu%u 0x%08x: state %c, expected %c", cpu, c->entries[i].line,
                          memsys_state(p->memsys, cpu, c->entries[i].line), *ref_state(r, cpu, c->entries[i].line));
                }
        }
        CHECK(p, memcmp(&p->bucket[cpu], &r->node[cpu].bucket, sizeof p->bucket[cpu]) == 0, "cpu%u: buckets differ",
              cpu);
    }
    pair_compare_counters(p);
    pair_compare_classes(p);
    pair_verify_slots(p, true);
    CHECK(p, memsys_check(p->memsys, &err), "%s", err.text);
}

/* Compare after a step that accessed ADDRESS on CPU. */
static void pair_compare_step(struct pair *p, unsigned cpu, paddr address)
{
    CHECK(p, memcmp(&p->bucket[cpu], &p->reference.node[cpu].bucket, sizeof p->bucket[cpu]) == 0,
          "cpu%u: buckets differ", cpu);
    pair_compare_line(p, address);
    if (p->step % (1 + p->listed_count / 100) == 0)
        pair_verify_slots(p, false);
    if (p->step % p->interval == 0)
        pair_compare_everything(p);
    else if (p->step % (1 + p->reference.s.cpus) == 0) {
        pair_compare_counters(p);
        pair_compare_classes(p);
    }
}

#endif
