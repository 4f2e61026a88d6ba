#include "src/run/run.h"

#include "src/command/command_line.h"
#include "src/run/run_files.h"

static void init(void *options, const struct command_line *line)
{
    run_options_begin(options, RUN_KIND_RUN, line);
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    (void)line;
    return count == 0 || command_line_unexpected(words[0], err);
}

static void add_files(const void *options, const char *owner, struct named_files *files)
{
    named_files_add_run(files, owner, options);
}

static int execute(struct command_line *line, struct err *err)
{
    return run_main(line->options, err);
}

const struct command run_command = {
    .name = "run",
    .usages = {{"run [options] [-- COMMAND...]",
                "boot the guest; with COMMAND run it there as the only job and exit with its status"}},
    .page = "tutorial.md",
    .tables = {{run_option_table, 0, RUN_HAS(RUN)}},
    .size = sizeof(struct run_options),
    .init = init,
    .release = run_based_release,
    .params = run_based_params,
    .take_command = run_based_take_command,
    .guest_command = true,
    .operands = take_operands,
    .uses = run_based_uses,
    .add_files = add_files,
    .main = execute,
};
