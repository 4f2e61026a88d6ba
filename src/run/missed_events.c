#include "src/run/missed_events.h"

#include "src/machine/machine_model.h"
#include "src/observe/instrument.h"
#include <inttypes.h>

static bool check_checkpoint(const struct run_options *run, const struct machine *machine, struct err *err)
{
    return !run->checkpoint_path || !machine->pause_wanted ||
           err_set(err, "--checkpoint: the run ended before %.200s: %.200s is not written", run->checkpoint_at,
                   run->checkpoint_path);
}

static bool check_series(const struct run_options *run, const struct machine *machine, struct err *err)
{
    return !run->series.folder || !machine->pause_wanted ||
           err_set(err, "--series: the run ended before %.200s: no checkpoint in %.200s", run->series.from,
                   run->series.folder);
}

static bool check_window(const struct window *window, struct err *err)
{
    if (!window->wanted || window->partial || window->complete)
        return true;
    if (!window->begun)
        return err_set(err, "--warmup %" PRIu64 ": the run ended during the warm-up", window->warmup);
    return window->length == 0 ||
           err_set(err, "--window %" PRIu64 ": the run ended before the window was complete", window->length);
}

/* Add REASON, if it is not empty, to ERR. */
static bool add(bool done, struct err *err, struct err *reason)
{
    if (!done)
        err_add(err, reason);
    reason->text[0] = 0;
    return done;
}

bool missed_events_check(const struct run_options *run, const struct machine *machine,
                         const struct instrument *instrument, struct err *err)
{
    struct err reason = {""};
    const char *model;
    const struct machine_event *event;
    bool done = add(check_checkpoint(run, machine, &reason), err, &reason);
    done &= add(check_series(run, machine, &reason), err, &reason);
    done &= add(check_window(&run->window, &reason), err, &reason);
    for (unsigned i = 0; machine_models_next_missed(machine, &i, &model, &event);) {
        char text[MACHINE_EVENT_TEXT_SIZE];
        machine_event_text(event, text);
        done &=
            add(err_set(&reason, "--switch: the run ended before %.200s: no switch to %s", text, model), err, &reason);
    }
    for (unsigned i = 0; instrument_next_missed(instrument, &i, &reason);)
        done &= add(false, err, &reason);
    return done;
}
