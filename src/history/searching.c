/* Searches from one snapshot to another. */
#include "src/history/history_state.h"

#include "src/base/array.h"
#include <stdlib.h>
#include <string.h>

/* Finding */

/* Ask a process that has been opened, and end it. *EVENTS, COUNT of them, is to be freed. */
static enum reply find_in(const struct history *history, struct past_process *process, const struct past_find *find,
                          struct find_event **events, size_t *count, struct err *err)
{
    char *rest = NULL;
    size_t size = 0;
    const enum reply reply =
        past_process_request(history, process, CHANNEL_FIND, find, sizeof *find, &rest, &size, err);
    *events = (struct find_event *)(void *)rest;
    *count = size / sizeof **events;
    past_process_close(process);
    return reply;
}

/* Ask snapshot *NUMBER, whose number may change. */
static enum reply find_from(struct history *history, unsigned *number, struct past_find *find,
                            struct find_event **events, size_t *count, struct err *err)
{
    struct past_process process;
    bool to_change;
    *events = NULL;
    *count = 0;
    enum reply reply = history_wake(history, number, err);
    if (reply != REPLY_DONE)
        return reply;
    find->horizon = history_horizon_of(history, *number, &to_change);
    reply = past_process_open(history, &history->snapshots.list[*number], &process, err);
    return reply == REPLY_DONE ? find_in(history, &process, find, events, count, err) : reply;
}

/* What changes a register is looked for instruction by instruction, which takes long: so in stretches before the place
 * that become longer. */
static bool find_change(struct history *history, const struct find_request *request, struct history_position until,
                        bool *found, struct find_event *event, struct err *err)
{
    enum { FIRST_STRETCH = 10000, LONGER = 8 };
    struct past_find find = {.request = *request, .until = until};
    const uint64_t first = history_first(history).insns;
    for (uint64_t stretch = FIRST_STRETCH; !*found && find.until.insns > first; stretch *= LONGER) {
        struct past_process process;
        struct find_event *events;
        size_t count;
        const uint64_t from = find.until.insns - first > stretch ? find.until.insns - stretch : first;
        const struct history_target target = {.unit = HISTORY_INSNS, .value = from};
        if (!history_open_best(history, &target, &process, err))
            return false;
        const unsigned number = history_latest_before(history, &target);
        bool to_change;
        find.horizon = history_horizon_of(history, number == UINT32_MAX ? 0 : number, &to_change);
        if (find_in(history, &process, &find, &events, &count, err) != REPLY_DONE)
            return false;
        *found = count > 0;
        if (*found)
            *event = events[count - 1];
        free(events);
        find.until = (struct history_position){.insns = from};
    }
    return true;
}

bool history_find(struct history *history, const struct find_request *request, struct history_position until,
                  bool *found, struct find_event *event, struct err *err)
{
    struct past_find find = {.request = *request, .until = until};
    const struct history_target place = {.unit = HISTORY_INSNS, .value = find.until.insns};
    unsigned number = history_latest_before(history, &place);
    *found = false;
    if (request->count && request->points[0].kind == FIND_CHANGE)
        return find_change(history, request, until, found, event, err);
    while (number != UINT32_MAX && !*found) {
        struct find_event *events;
        size_t count;
        const enum reply reply = find_from(history, &number, &find, &events, &count, err);
        *found = count > 0;
        if (*found)
            *event = events[count - 1];
        free(events);
        if (reply == REPLY_FAILED || history_is_ending(history))
            return false;
        if (reply == REPLY_NONE)
            history_lose(history, number, err);
        else
            find.until = history->snapshots.list[number].at;
        number = number > 0 ? number - 1 : UINT32_MAX;
    }
    return true;
}

static void append(struct find_event **events, size_t *count, const struct find_event *more, size_t more_count,
                   uint64_t from)
{
    for (size_t i = 0; i < more_count; i++) {
        if (more[i].insns < from)
            continue;
        *events = array_room(*events, *count, sizeof **events);
        (*events)[(*count)++] = more[i];
    }
}

bool history_find_all(struct history *history, const struct find_request *request, uint64_t from, uint64_t to,
                      struct find_event **events, size_t *count, struct err *err)
{
    struct past_find find = {.request = *request};
    const struct history_target begin = {.unit = HISTORY_INSNS, .value = from};
    const struct snapshots *snapshots = &history->snapshots;
    unsigned number = history_latest_before(history, &begin);
    *events = NULL;
    *count = 0;
    find.request.all = true;
    if (number == UINT32_MAX)
        number = 0;
    while (number < snapshots->count && snapshots->list[number].at.insns < to) {
        struct find_event *more;
        size_t more_count;
        const struct history_position end =
            number + 1 < snapshots->count ? snapshots->list[number + 1].at : history_present(history);
        find.until = end.insns < to ? end : (struct history_position){.insns = to};
        const enum reply reply = find_from(history, &number, &find, &more, &more_count, err);
        append(events, count, more, more_count, from);
        free(more);
        if (reply == REPLY_DONE)
            number++;
        else if (reply == REPLY_NONE && !history_is_ending(history) && number > 0)
            history_lose(history, number--, err);
        else
            return false;
    }
    return true;
}
