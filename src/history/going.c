/* Going to an instant of the past, and asking there. */
#include "src/history/history_state.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_reached(const struct past_process *process, const struct history_target *target)
{
    switch (target->unit) {
    case HISTORY_INSNS: return process->last.position.insns == target->value;
    case HISTORY_CPU_INSNS: return process->last.cpu_insns[target->cpu] == target->value;
    case HISTORY_TIME: return process->last.position.time >= target->value;
    }
    log_bug("unit %d of a target", (int)target->unit);
}

/* Is TARGET the present, or later? */
static bool is_behind(const struct history *history, const struct history_target *target, bool *at)
{
    const struct history_position present = history_present(history);
    const uint64_t value = target->unit == HISTORY_INSNS  ? present.insns
                           : target->unit == HISTORY_TIME ? present.time
                                                          : history->machine->cores[target->cpu]->s.insns;
    *at = target->value == value;
    return target->value > value;
}

bool history_go(struct history *history, const struct history_target *target, struct err *err)
{
    struct past_process process;
    bool at;
    if (is_behind(history, target, &at))
        return err_set(err, "the present is after %" PRIu64 " instructions, at %.9f s", history_present(history).insns,
                       (double)history_present(history).time / (double)history->machine->queue->clock_hz);
    if (at) {
        history_return(history);
        return true;
    }
    if (!history_open_best(history, target, &process, err))
        return false;
    if (!is_reached(&process, target)) {
        past_process_close(&process);
        return err_set(err, "history: the machine was changed by hand there");
    }
    history_return(history);
    history->past = process;
    history->snapshots.needed = process.base.is_copy ? process.base.origin : process.base.pid;
    return true;
}

void history_return(struct history *history)
{
    past_process_close(&history->past);
    history->snapshots.needed = 0;
}

/* Asking */

/* The process of the past has come to its horizon: behind it is the present, or another snapshot. */
static enum history_outcome go_across(struct history *history, struct err *err)
{
    const struct history_target target = {.unit = HISTORY_INSNS, .value = history->past.last.position.insns};
    if (!history->past.to_change) {
        history_return(history);
        return HISTORY_PRESENT;
    }
    return history_go(history, &target, err) ? HISTORY_CHANGE : HISTORY_FAILED;
}

enum history_outcome history_ask(struct history *history, const char *question, size_t question_size, char **answer,
                                 size_t *size, struct err *err)
{
    struct past_process *past = &history->past;
    const struct history_position before = past->last.position;
    const enum reply reply =
        past_process_request(history, past, CHANNEL_ASK, question, question_size, answer, size, err);
    if (reply == REPLY_NONE)
        history_return(history);
    if (reply != REPLY_DONE)
        return HISTORY_FAILED;
    const struct history_position now = past->last.position;
    const bool moved = now.insns != before.insns || now.time != before.time;
    return past->last.at_horizon && moved ? go_across(history, err) : HISTORY_STAYED;
}

bool history_peek(struct history *history, const struct history_target *target, const char *question,
                  size_t question_size, char **answer, size_t *size, struct err *err)
{
    struct past_process process;
    if (!history_open_best(history, target, &process, err))
        return false;
    const enum reply reply =
        past_process_request(history, &process, CHANNEL_ASK, question, question_size, answer, size, err);
    past_process_close(&process);
    return reply == REPLY_DONE;
}
