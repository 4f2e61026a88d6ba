/*
 * Shared by the timing tests: CPUs of 200 MHz with the 1994 caches, and accesses at a given time.
 *
 * With BUS a bus cycle is 4 cycles. A miss at t: arbitration to t + 4, address to t + 8, memory to t + 36, data of a
 * line of 128 bytes to t + 100.
 */
#ifndef SIMOS_TESTS_UNIT_TIMING_MACHINE_H
#define SIMOS_TESTS_UNIT_TIMING_MACHINE_H

#include "memsys_fixture.h"

#define BUS "memory.contention=on bus.clock=50MHz bus.width=8 "

enum { ADDRESS = 4, DATA = 64 };

/* An access of CPU at NOW. Returns the stall cycles. */
static inline unsigned at(struct machine *m, unsigned cpu, enum memsys_access kind, paddr address, cycles now)
{
    struct memsys_request request = {.access = kind,
                                     .address = address,
                                     .virtual_address = address,
                                     .size = 4,
                                     .max_permission = PERMIT_READ_STORE,
                                     .permission = &m->permission,
                                     .now = now,
                                     .bucket = &m->bucket[cpu]};
    return (unsigned)memsys_access(m->memsys, cpu, &request);
}
static inline unsigned fetch_at(struct machine *m, unsigned cpu, paddr address, cycles now)
{
    return at(m, cpu, MEMSYS_FETCH, address, now);
}
static inline unsigned load_at(struct machine *m, unsigned cpu, paddr address, cycles now)
{
    return at(m, cpu, MEMSYS_READ, address, now);
}
static inline unsigned store_at(struct machine *m, unsigned cpu, paddr address, cycles now)
{
    return at(m, cpu, MEMSYS_WRITE, address, now);
}

/* The sum of all stall cycles charged to CPU; must equal the sum of the returned stalls. */
static inline unsigned charged(const struct machine *m, unsigned cpu)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < STALL_COUNT; i++)
        sum += m->bucket[cpu].stall[i];
    return (unsigned)sum;
}

/* A memory system of one CPU with SETTINGS is refused with MESSAGE. */
static inline void refuses(const char *settings, const char *message)
{
    struct params *params = make_params(settings);
    struct err err = {""};
    assert_null(memsys_create(params, 1, 200 * MHZ, &err));
    assert_string_equal(err.text, message);
    params_free(params);
}

#endif
