/*
 * Shared by the tests of the memory system: CPUs with caches, and accesses as a CPU model makes them.
 */
#ifndef SIMOS_TESTS_UNIT_MEMSYS_FIXTURE_H
#define SIMOS_TESTS_UNIT_MEMSYS_FIXTURE_H

#include "cache/memsys.h"
#include "tests/unit/params_fixture.h"

#include <stdlib.h>
#include <string.h>
#include "tests/unit/test.h"

#define MHZ UINT64_C(1000000)

/* Addresses that map to one set of the 1994 caches: 8 KB apart in L1 (16 KB, 2-way), 1 MB apart in L2. */
enum { A = 0x00100000, L1_STRIDE = 0x2000, L2_STRIDE = 0x100000, L2_HIT = 10, MEMORY = 100 };

struct machine {
    struct memsys *memsys;
    struct stats *stats;
    struct bucket bucket[64];
    uint8_t permission; /* fast-path byte of all lines; not evaluated */
};

/* SETTINGS: "name=value name=value", or "". */
static inline struct params *make_params(const char *settings)
{
    return params_from(memsys_param_defs, memsys_param_count, settings);
}

static inline struct machine *machine_at(uint64_t clock_hz, unsigned cpus, const char *settings)
{
    struct params *params = make_params(settings);
    struct err err = {""};
    struct machine *m = calloc(1, sizeof *m);
    m->memsys = memsys_create(params, cpus, clock_hz, &err);
    if (!m->memsys)
        fail_msg("%s", err.text);
    params_free(params); /* memsys_create() has copied what it needs */
    m->stats = stats_create();
    memsys_register_stats(m->memsys, m->stats);
    return m;
}

static inline struct machine *machine(unsigned cpus, const char *settings)
{
    return machine_at(200 * MHZ, cpus, settings);
}

static inline void done(struct machine *m)
{
    struct err err = {""};
    if (!memsys_check(m->memsys, &err))
        fail_msg("%s", err.text);
    stats_free(m->stats);
    memsys_free(m->memsys);
    free(m);
}

/* An access as a CPU model makes it. */
static inline unsigned access_as(struct machine *m, unsigned cpu, enum memsys_access kind, paddr address)
{
    struct memsys_request request = {.access = kind,
                                     .address = address,
                                     .virtual_address = address,
                                     .size = 4,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &m->permission,
                                     .bucket = &m->bucket[cpu]};
    return (unsigned)memsys_access(m->memsys, cpu, &request);
}
static inline unsigned uncached(struct machine *m, enum memsys_access kind, paddr address)
{
    const struct memsys_request request = {.access = kind, .address = address, .size = 4, .bucket = &m->bucket[0]};
    return (unsigned)memsys_uncached(m->memsys, 0, &request);
}
static inline unsigned fetch(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_FETCH, address);
}
static inline unsigned load(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_READ, address);
}
static inline unsigned store(struct machine *m, unsigned cpu, paddr address)
{
    return access_as(m, cpu, MEMSYS_WRITE, address);
}
/* A CACHE instruction at ADDRESS, physical and virtual. */
static inline void cache_op(struct machine *m, unsigned cpu, enum memsys_cache cache, enum memsys_cache_op op,
                            paddr address)
{
    memsys_cache_op(m->memsys, cpu, cache, op,
                    &(struct memsys_request){.address = address, .virtual_address = address});
}
/* What a miss of the address would replace. */
static inline struct memsys_entry victim_of(struct machine *m, unsigned cpu, enum memsys_cache cache, paddr physical,
                                            vaddr virtual)
{
    return memsys_look_victim(m->memsys, cpu, cache,
                              &(struct memsys_request){.address = physical, .virtual_address = virtual});
}
static inline unsigned value(struct machine *m, const char *name)
{
    double result = -1;
    if (!stats_value(m->stats, name, &result))
        fail_msg("no statistic %s", name);
    return (unsigned)result;
}

#endif
