#include "src/cli/command_uses.h"

#include "src/cli/command_options.h"
#include <string.h>

/* What is said of an option that a use makes idle, by use: "--OPTION: ...". */
static const char *const says[USE_COUNT] = {
    [USE_LOCKSTEP] = "not together with --lockstep",
    [USE_GDB] = "not together with --gdb",
    [USE_CHECKPOINT] = "not together with --checkpoint",
    [USE_SERIES] = "not together with --series",
    [USE_WINDOW] = "not together with --warmup or --window",
    [USE_LENGTH] = "not together with --window, which is the limit of the run",
    [USE_OVER] = "not together with --over",
    [USE_NO_OVER] = "accepted only with --over, a sweep of caches",
    [USE_ONE_RUN] = "accepted only with --over, a sweep of caches",
    [USE_TRACE] = "not in a sweep over a trace, which runs no machine",
    [USE_NO_TRACE] = "accepted only with --trace, or a trace to read",
    [USE_PRINT] = "no effect on a trace as text",
    [USE_JOBS] = "not allowed with a FILE.tcl, which defines the jobs",
    [USE_NO_JOBS] = "--jobs, --part, --merge and --slurm need a FILE.tcl that defines the jobs",
    [USE_PART] = "not together with --part",
    [USE_MERGE] = "not together with --merge",
    [USE_SLURM] = "not together with --slurm",
    [USE_NO_STATS] = "requires --stats",
    [USE_NO_NAMES] = "requires --profile, --stacks or --script, or the parameter cache.profile",
    [USE_COMPARE] = "not together with --compare, which takes two files, OLD.json NEW.json",
    [USE_SERVICES] = "not together with --services, which draws no figure",
    [USE_RESTORED] = "not for a checkpoint, which holds it already",
    [USE_PICTURE] = "not together with --picture, which draws CPUs, caches and memory",
    [USE_BLESS] = "not together with --bless, which judges nothing",
    [USE_SHELL] = "not in a shell, which has the guest's console",
    [USE_CLUSTER] = "not in a cluster, whose machines have no console",
    [USE_NODE] = "not in a cluster",
    [USE_JOB] = "not in a sweep",
};

static bool is(const struct command_line *line, enum subcommand subcommand)
{
    return line->subcommand == subcommand;
}

/* `run` and its kind, whose results are those of a machine. */
static bool runs(const struct command_line *line)
{
    return is(line, SUBCOMMAND_RUN) || is(line, SUBCOMMAND_RESTORE);
}

static bool has_names(const struct command_line *line)
{
    const struct run_options *run = &line->run;
    const struct params *params = run->options.params;
    return run->profile_path || run->collect.stacks_path || run->annotations ||
           strcmp(params_string(params, "cache.profile"), "off") != 0;
}

static bool has_trace(const struct command_line *line)
{
    return line->run.trace_path || line->replay || is(line, SUBCOMMAND_PARAMS);
}

/* Can the run sweep caches? `params` lists what such a run would have. */
static bool has_over(const struct command_line *line)
{
    return line->run.over_count > 0 || is(line, SUBCOMMAND_PARAMS);
}

bool command_use_applies(enum command_use use, const struct command_line *line)
{
    const struct run_options *run = &line->run;
    switch (use) {
    case USE_LOCKSTEP: return run->lockstep;
    case USE_GDB: return run->gdb;
    case USE_CHECKPOINT: return run->checkpoint_path;
    case USE_SERIES: return run->series.folder;
    case USE_WINDOW: return is(line, SUBCOMMAND_RESTORE) && run->window.wanted;
    case USE_LENGTH: return is(line, SUBCOMMAND_RESTORE) && run->window.length;
    case USE_OVER: return run->over_count > 0;
    case USE_NO_OVER: return !has_over(line);
    case USE_ONE_RUN: return is(line, SUBCOMMAND_RESTORE) && run->over_count == 0;
    case USE_TRACE: return is(line, SUBCOMMAND_SWEEP) && line->replay;
    case USE_NO_TRACE: return !has_trace(line);
    case USE_PRINT: return is(line, SUBCOMMAND_TRACE);
    case USE_JOBS: return line->jobs_file;
    case USE_NO_JOBS: return is(line, SUBCOMMAND_SWEEP) && !line->jobs_file;
    case USE_PART: return line->parts;
    case USE_MERGE: return line->merge;
    case USE_SLURM: return line->slurm;
    case USE_NO_STATS: return runs(line) && !run->stats_path && line->place == RUN_PLACE_ALONE;
    case USE_NO_NAMES: return !has_names(line);
    case USE_COMPARE: return line->report.compare;
    case USE_SERVICES: return line->report.services;
    case USE_RESTORED: return is(line, SUBCOMMAND_RESTORE) || is(line, SUBCOMMAND_WINDOWS);
    case USE_PICTURE: return line->picture;
    case USE_BLESS: return line->regress.bless;
    case USE_SHELL: return is(line, SUBCOMMAND_SHELL);
    case USE_CLUSTER: return is(line, SUBCOMMAND_CLUSTER) || line->place == RUN_PLACE_NODE;
    case USE_NODE: return line->place == RUN_PLACE_NODE;
    case USE_JOB: return line->place == RUN_PLACE_JOB;
    case USE_COUNT: break;
    }
    return false;
}

/* The first of the uses in the set WITHOUT that LINE belongs to; USE_COUNT if there is none. */
static enum command_use first_of(uint32_t without, const struct command_line *line)
{
    for (unsigned use = 0; use < USE_COUNT; use++)
        if ((without & USE_BIT(use)) && command_use_applies((enum command_use)use, line))
            return (enum command_use)use;
    return USE_COUNT;
}

/* Parameters of what only some uses do: the first row whose prefix a name begins with holds for it. Of the others, a
 * trace has caches only. */
static const struct {
    const char *prefix;
    uint32_t without;
} param_rows[] = {
    {"trace.cpus", USE_BIT(USE_NO_TRACE)},
    {"trace.modes", USE_BIT(USE_NO_TRACE)},
    {"trace.kinds", USE_BIT(USE_NO_TRACE)},
    {"trace.addresses", USE_BIT(USE_NO_TRACE)},
    {"trace.", USE_BIT(USE_NO_TRACE) | USE_BIT(USE_PRINT) | USE_BIT(USE_TRACE)},
    {"sweep.method", USE_BIT(USE_NO_OVER) | USE_BIT(USE_PRINT)},
    {"sweep.", USE_BIT(USE_NO_OVER) | USE_BIT(USE_PRINT) | USE_BIT(USE_TRACE)},
    {"console.", USE_BIT(USE_CLUSTER) | USE_BIT(USE_SHELL) | USE_BIT(USE_PRINT) | USE_BIT(USE_TRACE)},
    {"guest.initrd", USE_BIT(USE_RESTORED) | USE_BIT(USE_PRINT) | USE_BIT(USE_TRACE)},
};

uint32_t command_uses_without_param(const struct param_def *def)
{
    for (size_t i = 0; i < sizeof param_rows / sizeof param_rows[0]; i++)
        if (strncmp(def->name, param_rows[i].prefix, strlen(param_rows[i].prefix)) == 0)
            return param_rows[i].without;
    return USE_BIT(USE_PRINT) | (def->traits & TRAIT_SWEPT ? 0 : USE_BIT(USE_TRACE));
}

static bool check_assignment(const struct command_line *line, const char *assignment, struct err *err)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
    const enum command_use use =
        first_of(command_uses_without_param(params_find(line->run.options.params, name)), line);
    return use == USE_COUNT || err_set(err, "--set %.64s: %s", name, says[use]);
}

bool command_uses_check(const struct command_line *line, struct err *err)
{
    for (unsigned i = 0; i < command_option_count; i++) {
        const struct option *option = &command_options[i];
        const enum command_use use = line->given >> i & 1 ? first_of(option->without, line) : USE_COUNT;
        if (use != USE_COUNT)
            return err_set(err, "--%s: %s", option->name, says[use]);
    }
    for (unsigned i = 0; i < line->assigned_count; i++)
        if (!check_assignment(line, line->assigned[i], err))
            return false;
    return true;
}
