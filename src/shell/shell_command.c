#include "src/shell/shell.h"

#include "src/command/command_line.h"
#include "src/run/record_options.h"
#include "src/run/run_files.h"
#include <stdlib.h>

struct shell_options {
    struct run_options run;
    const char *script; /* NULL: interactive */
};

static void init(void *options, const struct command_line *line)
{
    run_options_begin(options, RUN_KIND_SHELL, line);
}

static bool take_operands(struct command_line *line, int count, const char *const *words, struct err *err)
{
    struct shell_options *options = line->options;
    options->script = count ? words[0] : NULL;
    return count <= 1 || command_line_unexpected(words[1], err);
}

static void add_files(const void *opaque, const char *owner, struct named_files *files)
{
    const struct shell_options *options = opaque;
    named_files_add_input(files, "the script", options->script);
    named_files_add_run(files, owner, &options->run);
}

static int execute(struct command_line *line, struct err *err)
{
    struct shell_options *options = line->options;
    struct record_options tape;
    struct err broken = {""};
    int status = EXIT_SIMOS_FAILED;
    char *of_series = NULL;
    if (options->run.history_series && options->run.record_path) {
        err_set(err, "--history=series=: what is repeated is recorded already: not together with --record");
        return status;
    }
    if (options->run.history_series && !options->run.replay_path)
        options->run.replay_path = of_series = series_record_path(options->run.history_series);
    const bool opened = record_options_open(&tape, &options->run, of_series ? &broken : err);
    if (!opened && of_series)
        err_set(err, "--history=series=%.200s: %s", options->run.history_series, broken.text);
    if (opened && record_options_create(&tape, &options->run, err))
        status = shell_main(&options->run.options, options->run.history_wanted ? &options->run.history : NULL,
                            options->run.history_series, options->script);
    free(of_series);
    if (record_options_close(&tape, &broken))
        return status;
    err_set(err, "%s", broken.text);
    return EXIT_SIMOS_FAILED;
}

const struct command shell_command = {
    .name = "shell",
    .usages = {{"shell [options] [SCRIPT.tcl]", "Tcl prompt: build, run, inspect, step"}},
    .page = "reference/shell.md",
    .tables = {{run_option_table, offsetof(struct shell_options, run), RUN_HAS(SHELL)}},
    .size = sizeof(struct shell_options),
    .init = init,
    .release = run_based_release,
    .params = run_based_params,
    .operands = take_operands,
    .uses = run_based_uses,
    .add_files = add_files,
    .main = execute,
};
