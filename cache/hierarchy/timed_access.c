/* Accesses with contention delays. */
#include "cache/hierarchy/access.h"
#include "cache/classify/classification.h"
#include "cache/state/response.h"

/* The category that the delay of OUTCOME's request is charged to: that of its stall. */
static enum stall stall_of(const struct memsys *memsys, const struct memsys_response *outcome)
{
    bool fetch = outcome->access == MEMSYS_FETCH;
    if (outcome->told && !outcome->writes && outcome->served <= memsys->levels)
        return STALL_UPGRADE;
    if (outcome->served > 2 && memsys->levels > 1 && !outcome->fetched_posted)
        return fetch ? STALL_L2I : STALL_L2D;
    return fetch ? STALL_L1I : STALL_L1D;
}

cycles access_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct memsys_response outcome;
    response_begin(&outcome, cpu, request);
    memsys->outcome = &outcome;
    outcome.stall = memsys->untimed[request->access](memsys, cpu, request);
    memsys->outcome = NULL;
    if (!outcome.served && !outcome.told && !outcome.writes)
        return outcome.stall;
    struct timing_wait wait = timing_waits(memsys->timing, &outcome);
    if (outcome.served > memsys->levels && !outcome.fetched_posted)
        classification_add_wait(memsys->classification, cpu, request, wait.request);
    return outcome.stall + charge(request->bucket, stall_of(memsys, &outcome), wait.request) +
           charge(request->bucket, STALL_WRITE_BUFFER, wait.write_buffer);
}
