/*
 * Numbers of calls: what service an interrupt or a fault is, is known only later, so that what is counted during a call
 * is counted under its number. A call of a service that cannot change needs none.
 */
#include "annotations/services/service_calls.h"

#include "annotations/services/service_frames.h"
#include "annotations/services/services_state.h"

#include <stdlib.h>

/* The calls are numbered from 1. Bit CALL_ENDED of an element: the service is final. */
enum { CALL_ENDED = 1 << 15, CALLS_MAX = (UINT32_MAX >> 1) - SERVICES_MAX };
_Static_assert((int)SERVICES_MAX < (int)CALL_ENDED, "room for a service and a bit");

void service_calls_wanted(struct services *services)
{
    services->numbers_calls = true;
}

uint32_t service_call_begin(struct services *services, unsigned service)
{
    if (!services->numbers_calls || services->calls == CALLS_MAX)
        return 0;
    if (services->calls + 1 >= services->calls_room) {
        services->calls_room = services->calls_room ? services->calls_room * 2 : 1024;
        services->service_of_call =
            checked_memory(realloc(services->service_of_call, services->calls_room * sizeof(uint16_t)));
    }
    services->service_of_call[++services->calls] = (uint16_t)service;
    return services->calls;
}

void service_call_reclassify(struct services *services, uint32_t call, unsigned service)
{
    if (call)
        services->service_of_call[call] = (uint16_t)service;
}

void service_call_end(struct services *services, uint32_t call)
{
    if (call)
        services->service_of_call[call] |= CALL_ENDED;
}

uint32_t service_executing(const struct services *services, unsigned cpu)
{
    const struct service_cpu *percpu = &services->percpu[cpu];
    const struct frame *frame = percpu->core->mode == MODE_KERNEL ? service_top(percpu->task) : NULL;
    if (!frame)
        return service_outside_frames(percpu);
    return frame->call ? SERVICES_MAX + frame->call : frame->service;
}

unsigned service_call_service(const struct services *services, uint32_t who)
{
    return who < SERVICES_MAX ? who : services->service_of_call[who - SERVICES_MAX] & (CALL_ENDED - 1);
}

uint32_t service_call_settled(const struct services *services, uint32_t who)
{
    const bool open = who >= SERVICES_MAX && !(services->service_of_call[who - SERVICES_MAX] & CALL_ENDED);
    return open ? who : service_call_service(services, who);
}
