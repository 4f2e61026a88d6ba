#include "src/run/record_options.h"

#include "src/machine/recorded_options.h"

static bool check(const struct run_options *run, struct err *err)
{
    const char *option = run->record_path ? "record" : "replay";
    if (run->lockstep)
        return err_set(err, "--%s: not together with --lockstep, whose machines get no input", option);
    if (run->record_path && run->gdb)
        return err_set(err, "--record: not together with --gdb: what a debugger does cannot be recorded");
    if (run->over_count > 0)
        return err_set(err, "--%s: not together with --over, which is many machines in one run", option);
    if (run->window.wanted)
        return err_set(err, "--%s: not together with --warmup, --window", option);
    return true;
}

bool record_options_open(struct record_options *tape, struct run_options *run, struct err *err)
{
    *tape = (struct record_options){0};
    if (!run->record_path && !run->replay_path)
        return true;
    if (!check(run, err))
        return false;
    if (run->record_path) {
        tape->record = run->options.record = record_create(run->record_path, err);
        if (tape->record && run->kind != RUN_KIND_SHELL)
            record_limit(tape->record, run->seconds, run->max_insns);
        return tape->record != NULL;
    }
    tape->replay = run->options.replay = replay_open(run->replay_path, err);
    if (!tape->replay || run->kind == RUN_KIND_SHELL)
        return tape->replay != NULL;
    const struct replay_machine *machine = replay_peek(tape->replay, err);
    return machine && replay_adopt(machine, &run->options, run->restore != NULL, &run->seconds, &run->max_insns, err);
}

bool record_options_close(struct record_options *tape, struct err *err)
{
    replay_free(tape->replay);
    return record_close(tape->record, err);
}
