#include "src/run/window.h"

#include "src/machine/machine_model.h"
#include "src/observe/evictions.h"

#define WARMUP_MODEL "embra"

/* Execute the warm-up under its own CPU model, then switch back. *MODEL: the model that was used. */
static bool warm_up(struct window *window, struct instrument *instrument, struct machine *machine,
                    const struct machine_limits *limits, const char **model, enum machine_stop *reason, struct err *err)
{
    const char *own = machine_model_requested(machine);
    struct machine_limits until = *limits;
    if (!machine_set_cpu_model(machine, WARMUP_MODEL, err))
        return false;
    *model = machine_cpu_model(machine);
    until.insns = window->start;
    *reason = instrument_run(instrument, machine, &until);
    window->begun = *reason == MACHINE_STOP_INSNS && window->start <= limits->insns;
    return !window->begun || machine_set_cpu_model(machine, own, err);
}

static void register_stats(struct window *window, struct machine *machine, const char *warmup_model)
{
    struct stats *stats = machine->stats;
    stats_counter(stats, "window.start", "instructions", "since power-on, over all CPUs, at the start of the window",
                  &window->start);
    stats_counter(stats, "window.warmup", "instructions", "executed in the warm-up, not counted elsewhere",
                  &window->warmup);
    stats_text(stats, "window.warmup_model", "CPU model of the warm-up; none", warmup_model);
    stats_counter(stats, "window.length", "instructions", "requested length; 0: to the end of the run",
                  &window->length);
}

bool window_run(struct window *window, struct instrument *instrument, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err)
{
    uint64_t now = machine_insns(machine);
    const char *warmup_model = "none";
    struct machine_limits until = *limits;
    window->start = window->warmup <= UINT64_MAX - now ? now + window->warmup : UINT64_MAX;
    window->begun = window->warmup == 0;
    if (window->warmup && !warm_up(window, instrument, machine, limits, &warmup_model, reason, err))
        return false;
    stats_begin(machine->stats);
    evictions_begin(machine);
    instrument_reset(instrument);
    register_stats(window, machine, warmup_model);
    if (!window->begun)
        return true;
    if (window->length && window->length < until.insns - window->start)
        until.insns = window->start + window->length;
    *reason = instrument_run(instrument, machine, &until);
    window->complete = *reason == MACHINE_STOP_INSNS && until.insns < limits->insns;
    return true;
}
