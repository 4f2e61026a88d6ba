#include "src/run/tape.h"

static bool check(const struct command_line *line, struct err *err)
{
    const char *option = line->record_path ? "record" : "replay";
    if (line->lockstep)
        return err_set(err, "--%s: not together with --lockstep, whose machines get no input", option);
    if (line->record_path && line->gdb)
        return err_set(err, "--record: not together with --gdb: what a debugger does cannot be recorded");
    if (line->over_count > 0)
        return err_set(err, "--%s: not together with --over, which is many machines in one run", option);
    if (line->window.wanted)
        return err_set(err, "--%s: not together with --warmup, --window", option);
    return true;
}

bool tape_open(struct tape *tape, struct command_line *line, struct err *err)
{
    *tape = (struct tape){0};
    if (!line->record_path && !line->replay_path)
        return true;
    if (!check(line, err))
        return false;
    if (line->record_path) {
        tape->record = line->options.record = record_create(line->record_path, err);
        if (tape->record && line->subcommand != SUBCOMMAND_SHELL)
            record_limit(tape->record, line->seconds, line->max_insns);
        return tape->record != NULL;
    }
    tape->replay = line->options.replay = replay_open(line->replay_path, err);
    if (!tape->replay || line->subcommand == SUBCOMMAND_SHELL)
        return tape->replay != NULL;
    const struct replay_machine *machine = replay_peek(tape->replay, err);
    return machine &&
           replay_adopt(machine, &line->options, line->restore != NULL, &line->seconds, &line->max_insns, err);
}

bool tape_close(struct tape *tape, struct err *err)
{
    replay_free(tape->replay);
    return record_close(tape->record, err);
}
