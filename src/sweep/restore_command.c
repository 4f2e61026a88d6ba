/* `simos restore`: one run from a checkpoint, or with --over a sweep of caches. */
#include "src/run/restore.h"

#include "src/command/command_line.h"
#include "src/run/run.h"
#include "src/run/run_files.h"
#include "src/sweep/sweep_command.h"

static void init(void *options, const struct command_line *line)
{
    run_options_begin(options, RUN_KIND_RESTORE, line);
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct run_options *run = line->options;
    if (count == 0)
        return err_set(err, "`restore` needs the file that --checkpoint has written");
    run->restored = words[0];
    return count == 1 || command_line_unexpected(words[1], err);
}

static void add_files(const void *options, const char *owner, struct named_files *files)
{
    named_files_add_run(files, owner, options);
}

/* Parse LINE again, based on the parameters of the machine in RESTORE, instead of the initial ones. */
static bool parse_onto(struct command_line *line, const struct restore *restore, struct err *err)
{
    struct run_options *run = line->options;
    struct params *params = restore_params(restore, err);
    if (!params)
        return false;
    params_mark_unset(params); /* so that only parameters given as options count as set */
    run_options_release(run);
    init(run, line);
    params_free(run->options.params);
    run->options.params = params;
    snprintf(run->options.machine_name, sizeof run->options.machine_name, "%s", restore_name(restore));
    return command_line_parse_again(line, err);
}

static int execute(struct command_line *line, struct err *err)
{
    struct run_options *run = line->options;
    int status = EXIT_SIMOS_FAILED;
    struct restore *restore = restore_open(run->restored, err);
    if (restore && parse_onto(line, restore, err)) {
        run->restore = restore;
        status = run->over_count > 0 ? sweep_series(run, NULL, err) : run_main(run, err);
        run->restore = NULL;
    }
    run->options.job = NULL;
    restore_close(restore);
    return status;
}

const struct command restore_command = {
    .name = "restore",
    .usages = {{"restore CKPT [options] [-- COMMAND...]", "resume a checkpoint; one taken at `boot` runs any COMMAND"}},
    .page = "how-to/checkpoints.md",
    .tables = {{run_option_table, 0, RUN_HAS(RESTORE)}},
    .size = sizeof(struct run_options),
    .init = init,
    .release = run_based_release,
    .params = run_based_params,
    .take_command = run_based_take_command,
    .guest_command = true,
    .guest_operands = 1,
    .operands = take_operands,
    .uses = run_based_uses,
    .add_files = add_files,
    .main = execute,
};
