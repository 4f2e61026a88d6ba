/* Accesses with contention delays. */
#include "cache/hierarchy/access.h"
#include "cache/classify/classification.h"
#include "cache/state/response.h"

/* The category that the delay of OUTCOME's request is charged to: that of its stall. */
static enum stall stall_of(const struct memsys *memsys, const struct memsys_response *response)
{
    bool fetch = response->access == MEMSYS_FETCH;
    if (response->message && !response->writes && response->source <= memsys->levels)
        return STALL_UPGRADE;
    if (response->source > 2 && memsys->levels > 1 && !response->fetched_posted)
        return fetch ? STALL_L2I : STALL_L2D;
    return fetch ? STALL_L1I : STALL_L1D;
}

cycles access_timed(struct memsys *memsys, unsigned cpu, const struct memsys_request *request)
{
    struct memsys_response response;
    response_begin(&response, cpu, request);
    memsys->response = &response;
    response.stall = memsys->untimed[request->access](memsys, cpu, request);
    memsys->response = NULL;
    if (!response.source && !response.message && !response.writes)
        return response.stall;
    struct timing_wait wait = timing_waits(memsys->timing, &response);
    if (response.source > memsys->levels && !response.fetched_posted)
        classification_add_wait(memsys->classification, cpu, request, wait.request);
    return response.stall + charge(request->bucket, stall_of(memsys, &response), wait.request) +
           charge(request->bucket, STALL_WRITE_BUFFER, wait.write_buffer);
}
