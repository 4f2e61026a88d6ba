/*
 * Displacement: for each miss of a service, which service took the line away. "The number of observed cache misses
 * corresponds to the number of cache lines that have been replaced by the interrupt handler" (Schaelicke, Davis and
 * McKee, Profiling I/O Interrupts in Modern Architectures, 1999, section 2); here each line is known.
 *
 * A line is marked with the call that takes it away, whose service may be known only later (service_calls.c). Misses
 * wait until they are looked at.
 */
#include "annotations/services/service_displacement.h"

#include "annotations/services/service_calls.h"
#include "annotations/services/service_charge.h"
#include "annotations/services/service_totals.h"
#include "annotations/services/services_state.h"

#include "cache/classify/miss_observer.h"
#include "cache/observe/displacement.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Who executes: a service, or SERVICES_MAX and more: the number of a call. As a cause DISPLACED_BY_EXECUTION more. */
enum { CAUSES = DISPLACED_BY_EXECUTION + SERVICES_MAX, WAITING_MAX = 1 << 16 };

/* A miss within a call whose service may not be known yet. */
struct waiting_miss {
    uint32_t victim, cause;
    enum memsys_cache cache;
};

struct displaced {
    struct services *services;
    struct displacement *displacement;
    uint64_t *misses[MEMSYS_CACHES][SERVICES_MAX]; /* [cache][service that missed][cause]; NULL: none */
    struct waiting_miss *waiting;
    unsigned waiting_count;
    uint64_t begin; /* service_first_level_misses() at the beginning or at the last reset */
};

static const char *const cause_names[DISPLACED_BY_EXECUTION] = {
    [DISPLACED_NEVER] = "(cold)",
    [DISPLACED_BY_DEVICE] = "(device)",
    [DISPLACED_BY_CACHE] = "(CACHE instruction)",
};

static void count(struct displaced *displaced, enum memsys_cache cache, uint32_t victim, uint32_t cause)
{
    uint64_t **row = &displaced->misses[cache][service_call_service(displaced->services, victim)];
    if (!*row)
        *row = checked_memory(calloc(CAUSES, sizeof **row));
    if (cause >= DISPLACED_BY_EXECUTION)
        cause = DISPLACED_BY_EXECUTION + service_call_service(displaced->services, cause - DISPLACED_BY_EXECUTION);
    (*row)[cause]++;
}

static void count_waiting(struct displaced *displaced)
{
    for (unsigned i = 0; i < displaced->waiting_count; i++) {
        const struct waiting_miss *miss = &displaced->waiting[i];
        count(displaced, miss->cache, miss->victim, miss->cause);
    }
    displaced->waiting_count = 0;
}

static uint32_t executing(void *opaque, unsigned cpu)
{
    const struct displaced *displaced = opaque;
    return DISPLACED_BY_EXECUTION + service_executing(displaced->services, cpu);
}

static void missed(void *opaque, unsigned cpu, enum memsys_cache cache, uint32_t cause)
{
    struct displaced *displaced = opaque;
    if (displaced->waiting_count == WAITING_MAX)
        count_waiting(displaced);
    displaced->waiting[displaced->waiting_count++] =
        (struct waiting_miss){service_executing(displaced->services, cpu), cause, cache};
}

static const struct displacement_ops ops = {executing, missed};

bool services_record_displacement(struct services *services)
{
    struct memsys *memsys = services->machine->memsys;
    if (!memsys)
        return false;
    if (services->displaced) {
        displacement_restart(services->displaced->displacement);
        services_charge(services);
        service_displacement_reset(services);
        return true;
    }
    struct displaced *displaced = checked_memory(calloc(1, sizeof *displaced));
    displaced->services = services;
    service_calls_wanted(services);
    displaced->waiting = checked_memory(calloc(WAITING_MAX, sizeof *displaced->waiting));
    displaced->displacement = displacement_begin(memsys, services->machine->cpus, &ops, displaced);
    services_charge(services);
    displaced->begin = service_first_level_misses(services);
    services->displaced = displaced;
    return true;
}

bool services_displacement_recorded(const struct services *services)
{
    return services->displaced != NULL;
}

void service_displacement_free(struct displaced *displaced)
{
    if (!displaced)
        return;
    displacement_end(displaced->displacement);
    for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
        for (unsigned service = 0; service < SERVICES_MAX; service++)
            free(displaced->misses[cache][service]);
    free(displaced->waiting);
    free(displaced);
}

void service_displacement_reset(struct services *services)
{
    struct displaced *displaced = services->displaced;
    if (!displaced)
        return;
    displaced->waiting_count = 0;
    for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++)
        for (unsigned service = 0; service < SERVICES_MAX; service++)
            if (displaced->misses[cache][service])
                memset(displaced->misses[cache][service], 0, CAUSES * sizeof *displaced->misses[cache][service]);
    displaced->begin = service_first_level_misses(services);
}

static const char *name_of_cause(const struct services *services, unsigned cause)
{
    return cause < DISPLACED_BY_EXECUTION ? cause_names[cause] : services->name[cause - DISPLACED_BY_EXECUTION];
}

bool services_displaced(struct services *services, const char *cache, service_displaced_fn *report, void *opaque)
{
    struct displaced *displaced = services->displaced;
    unsigned number = 0;
    for (; number < MEMSYS_CACHES; number++) {
        const char *name = memsys_cache_name(services->machine->memsys, number);
        if (name && strcmp(name, cache) == 0)
            break;
    }
    if (number == MEMSYS_CACHES)
        return false;
    count_waiting(displaced);
    for (unsigned victim = 0; victim < services->count; victim++)
        for (unsigned cause = 0; displaced->misses[number][victim] && cause < CAUSES; cause++)
            if (displaced->misses[number][victim][cause] > 0)
                report(opaque, services->name[victim], name_of_cause(services, cause),
                       displaced->misses[number][victim][cause]);
    return true;
}

static void write_row(const struct services *services, const uint64_t *row, unsigned victim, struct json_writer *json)
{
    bool any = false;
    for (unsigned cause = 0; row && !any && cause < CAUSES; cause++)
        any = row[cause] > 0;
    if (!any)
        return;
    json_line(json, 6);
    json_member_object(json, services->name[victim]);
    for (unsigned cause = 0; cause < CAUSES; cause++)
        if (row[cause] > 0)
            json_member_count(json, name_of_cause(services, cause), row[cause]);
    json_end_object(json);
}

void service_displacement_write_json(const struct services *services, struct json_writer *json)
{
    struct displaced *displaced = services->displaced;
    count_waiting(displaced);
    json_line(json, 4);
    json_member_object(json, "displaced");
    for (unsigned cache = 0; cache < MEMSYS_CACHES; cache++) {
        const char *name = memsys_cache_name(services->machine->memsys, cache);
        if (!name)
            continue;
        json_line(json, 5);
        json_member_object(json, name);
        for (unsigned victim = 0; victim < services->count; victim++)
            write_row(services, displaced->misses[cache][victim], victim, json);
        json_end_object(json);
    }
    json_end_object(json);
}

static uint64_t sum_of_cache(const struct displaced *displaced, enum memsys_cache cache)
{
    uint64_t sum = 0;
    for (unsigned victim = 0; victim < displaced->services->count; victim++)
        for (unsigned cause = 0; displaced->misses[cache][victim] && cause < CAUSES; cause++)
            sum += displaced->misses[cache][victim][cause];
    return sum;
}

bool service_displacement_check(const struct services *services, struct err *err)
{
    struct displaced *displaced = services->displaced;
    if (!displaced)
        return true;
    count_waiting(displaced);
    const uint64_t sum = sum_of_cache(displaced, MEMSYS_L1I) + sum_of_cache(displaced, MEMSYS_L1D);
    const uint64_t misses = service_first_level_misses(services) - displaced->begin;
    return sum == misses ||
           err_set(err, "the misses by who displaced the line add up to %" PRIu64 " of %" PRIu64, sum, misses);
}
