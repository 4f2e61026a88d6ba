#include "src/run/run_options.h"

#include <stdlib.h>

void run_options_init(struct run_options *run)
{
    *run = (struct run_options){.max_insns = UINT64_MAX};
    machine_options_init(&run->options);
}

void run_options_release(struct run_options *run)
{
    free(run->checkpoint_file);
    run->checkpoint_file = NULL;
    collect_plan_release(&run->collect);
    free(run->series.folder);
    run->series.folder = NULL;
    machine_options_release(&run->options);
}

bool run_options_allow_several(const struct run_options *run, bool sweep, struct err *err)
{
    const struct {
        bool given, by_nodes; /* a node of a cluster may have it */
        const char *option;
    } refused[] = {{run->gdb, false, "gdb"},
                   {run->lockstep, false, "lockstep"},
                   {run->stats_path, true, "stats"},
                   {run->profile_path, true, "profile"},
                   {run->checkpoint_path, false, "checkpoint"},
                   {run->series.folder, false, "series"},
                   {run->trace_path, false, "trace"},
                   {run->record_path, false, "record"},
                   {run->replay_path, false, "replay"},
                   {run->options.copy, true, "copy-in, --copy-out"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].given && (sweep || !refused[i].by_nodes))
            return err_set(err, "--%s: not in a %s", refused[i].option, sweep ? "sweep" : "cluster");
    return true;
}
