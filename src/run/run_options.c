#include "src/run/run_options.h"

#include <stdlib.h>
#include <string.h>

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
    free(run->history_series);
    run->history_series = NULL;
    machine_options_release(&run->options);
}

void run_options_begin(struct run_options *run, enum run_kind kind, const struct command_line *line)
{
    run_options_init(run);
    run->kind = kind;
    run->place = line->place;
    run->interpreter = line->commands->interpreter;
    run->word_count = line->count;
    run->words = line->words;
}

void run_based_release(void *options)
{
    run_options_release(options);
}

struct params *run_based_params(void *options)
{
    struct run_options *run = options;
    return run->options.params;
}

bool run_based_take_command(void *options, int count, const char *const *words, struct err *err)
{
    struct run_options *run = options;
    (void)err;
    run->options.command = words;
    run->options.command_count = count;
    return true;
}

bool run_options_parse(struct run_options *run, const struct commands *commands, enum command_place place, int count,
                       const char *const *words, struct err *err)
{
    struct command_line line;
    const bool parsed = command_line_parse(&line, commands, place, count, words, err);
    struct run_options *found = command_line_struct(&line, run_option_table);
    run_options_init(run);
    if (found) {
        const struct run_options unused = *run;
        *run = *found;
        *found = unused;
    }
    command_line_release(&line);
    return parsed;
}

static bool has_names(const struct run_options *run)
{
    return run->profile_path || run->collect.stacks_path || run->annotations ||
           !params_is(run->options.params, "cache.profile", "off");
}

uint32_t run_based_uses(const void *options)
{
    const struct run_options *run = options;
    const bool restored = run->kind == RUN_KIND_RESTORE, over = run->over_count > 0;
    const bool any = run->kind == RUN_KIND_PARAMS; /* it lists what any run would have */
    const bool alone = (run->kind == RUN_KIND_RUN || restored) && run->place == COMMAND_PLACE_ALONE;
    const bool node = run->place == COMMAND_PLACE_NODE;
    return (run->lockstep ? OPTION_USE(LOCKSTEP) : 0) | (run->gdb ? OPTION_USE(GDB) : 0) |
           (alone && !run->gdb ? OPTION_USE(NO_GDB) : 0) | (run->checkpoint_path ? OPTION_USE(CHECKPOINT) : 0) |
           (run->series.folder ? OPTION_USE(SERIES) : 0) | (restored && run->window.wanted ? OPTION_USE(WINDOW) : 0) |
           (restored && run->window.length ? OPTION_USE(LENGTH) : 0) | (over ? OPTION_USE(OVER) : 0) |
           (over || any ? 0 : OPTION_USE(NO_OVER)) | (restored && !over ? OPTION_USE(ONE_RUN) : 0) |
           (run->trace_path || any ? 0 : OPTION_USE(NO_TRACE)) |
           (alone && !run->stats_path ? OPTION_USE(NO_STATS) : 0) | (has_names(run) ? 0 : OPTION_USE(NO_NAMES)) |
           (restored || run->kind == RUN_KIND_WINDOWS ? OPTION_USE(RESTORED) : 0) |
           (run->kind == RUN_KIND_SHELL ? OPTION_USE(SHELL) : 0) |
           (run->kind == RUN_KIND_CLUSTER || node ? OPTION_USE(CLUSTER) : 0) | (node ? OPTION_USE(NODE) : 0) |
           (run->place == COMMAND_PLACE_JOB ? OPTION_USE(JOB) : 0);
}
