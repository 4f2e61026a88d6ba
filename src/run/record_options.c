#include "src/run/record_options.h"

#include "src/machine/recorded_options.h"
#include "src/run/restore.h"
#include <stdlib.h>

bool record_options_open(struct record_options *tape, struct run_options *run, struct err *err)
{
    *tape = (struct record_options){0};
    if (!run->replay_path)
        return true;
    tape->replay = run->options.replay = replay_open(run->replay_path, err);
    if (!tape->replay || run->kind == RUN_KIND_SHELL)
        return tape->replay != NULL;
    const struct replay_machine *machine = replay_peek(tape->replay, err);
    return machine && replay_adopt(machine, &run->options, run->restore ? restore_path(run->restore) : NULL,
                                   &run->seconds, &run->max_insns, err);
}

bool record_options_create(struct record_options *tape, struct run_options *run, struct err *err)
{
    /* What a debugger writes is no input of the machine: a record would not repeat it. */
    const bool recorded = run->series.folder && !run->replay_path && !run->record_path && !run->gdb;
    char *const of_series = recorded ? series_record_path(run->series.folder) : NULL;
    const char *path = of_series ? of_series : run->record_path;
    if (!path)
        return true;
    tape->record = run->options.record = record_create(path, err);
    run->series.recorded = of_series && tape->record;
    free(of_series);
    if (tape->record && run->kind != RUN_KIND_SHELL)
        record_limit(tape->record, run->seconds, run->max_insns);
    return tape->record != NULL;
}

bool record_options_close(struct record_options *tape, struct err *err)
{
    replay_free(tape->replay);
    return record_close(tape->record, err);
}
