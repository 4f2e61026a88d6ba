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
