/* The main program: parses the command line, executes the subcommand, and reports an error in one line with exit status
 * 125. */
#include "src/base/error_lines.h"
#include "src/machine/board_devices.h"
#include "src/cluster/cluster.h"
#include "src/cli/command_help.h"
#include "src/cli/command_line.h"
#include "src/cli/command_options.h"
#include "src/cli/completion.h"
#include "src/description/machine_file.h"
#include "src/measure/measures.h"
#include "src/run/run_files.h"
#include "src/check/check.h"
#include "src/report/diagram.h"
#include "src/report/report.h"
#include "src/run/restore.h"
#include "src/run/run.h"
#include "src/shell/shell.h"
#include "src/base/standard_output.h"
#include "src/sweep/sweep_command.h"
#include "src/run/record_options.h"
#include "src/sweep/windows_command.h"
#include "src/trace/trace_command.h"

#include <signal.h>
#include <stdio.h>

static bool list_params(const struct command_line *line, struct err *err)
{
    const struct params *params = line->run.options.params;
    for (int i = 0; i < line->name_count; i++)
        if (params_print(params, line->names[i], stdout) == 0)
            return err_set(err, "no parameter's name begins with \"%.128s\"", line->names[i]);
    if (line->name_count == 0)
        params_print(params, NULL, stdout);
    return true;
}

/* Commands that print information on stdout. */
static int answer(const struct command_line *line, struct err *err)
{
    bool done = true;
    if (line->subcommand == SUBCOMMAND_MACHINES)
        machine_file_list(stdout);
    else if (line->subcommand == SUBCOMMAND_DEVICES)
        board_devices_list(stdout);
    else if (line->subcommand == SUBCOMMAND_MEASURES)
        measures_print(stdout);
    else if (line->picture)
        done = diagram_print(line->run.options.machine_name, line->run.options.params, stdout, err);
    else
        done = list_params(line, err);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

static int run_shell(struct command_line *line, struct err *err)
{
    struct record_options tape;
    struct err broken = {""};
    int status = EXIT_SIMOS_FAILED;
    if (record_options_open(&tape, &line->run, err) && record_options_create(&tape, &line->run, err))
        status = shell_main(&line->run.options, line->script);
    if (record_options_close(&tape, &broken))
        return status;
    err_set(err, "%s", broken.text);
    return EXIT_SIMOS_FAILED;
}

static int run_sweep(struct command_line *line, struct err *err)
{
    const struct sweep_options options = {.run = &line->run,
                                          .trace = line->replay,
                                          .jobs_file = line->jobs_file,
                                          .batch = command_line_batch(line),
                                          .parse = command_line_parse_run};
    return sweep_main(&options, err);
}

static int run_windows(struct command_line *line, struct err *err)
{
    const struct windows_options options = {.run = &line->run,
                                            .batch = command_line_batch(line),
                                            .confidence = line->confidence,
                                            .simpoints = line->simpoints,
                                            .each = line->each,
                                            .passed_count = line->passed_count,
                                            .passed = line->passed,
                                            .parse = command_line_parse_run};
    return windows_main(&options, err);
}

static int run_tests(struct command_line *line, struct err *err)
{
    struct regress_options options = line->regress;
    options.out = line->run.out;
    options.batch = command_line_batch(line);
    options.trust = line->run.options.trust;
    options.quiet = line->run.options.quiet;
    options.parse = command_line_parse_run;
    return regress_main(&options, err);
}

static bool find_explain_option(const char *word, struct explain_option *option)
{
    const struct option *found = command_option_of(word);
    if (found)
        *option = (struct explain_option){found->name, found->value, found->flags & (OPTION_WRITES | OPTION_MAKES)};
    return found;
}

static int run_explain(const struct command_line *line, struct err *err)
{
    struct explain_options options = line->explain;
    options.json_path = line->regress.json_path;
    options.trust = line->run.options.trust;
    options.find_option = find_explain_option;
    return explain_main(&options, err);
}

static int run_trace(struct command_line *line, struct err *err)
{
    const struct trace_options options = command_line_trace(line);
    return trace_main(&options, line->run.options.params, err);
}

static int run_cluster(struct command_line *line, struct err *err)
{
    const struct cluster_options options = {.file = line->script,
                                            .run = &line->run,
                                            .word_count = line->word_count,
                                            .words = line->words,
                                            .parse = command_line_parse_run};
    return cluster_main(&options, err);
}

/* The machine of the checkpoint that LINE names, as LINE's options change it. */
static int run_restored(struct command_line *line, struct err *err)
{
    int status = EXIT_SIMOS_FAILED;
    struct restore *restore = restore_open(line->run.restored, err);
    struct params *params = restore ? restore_params(restore, err) : NULL;
    if (params)
        params_mark_unset(params); /* so that only parameters given as options count as set */
    if (params && command_line_parse_onto(line, params, restore_name(restore), err)) {
        line->run.restore = restore;
        status = line->run.over_count > 0 ? run_sweep(line, err) : run_main(&line->run, err);
        line->run.restore = NULL;
    }
    line->run.options.job = NULL;
    restore_close(restore);
    return status;
}

/* Check the files named by LINE. run_with_sweeps() checks again, with the files of a checkpoint or recording. */
static bool check_files(struct named_files *files, const struct command_line *line, struct err *err)
{
    if (line->subcommand == SUBCOMMAND_HELP || line->subcommand == SUBCOMMAND_VERSION ||
        line->subcommand == SUBCOMMAND_COMPLETION)
        return true;
    command_line_add_files(line, "", files);
    return named_files_check(files, err);
}

int main(int argc, char **argv)
{
    struct command_line line;
    struct err err = {""};
    int status = EXIT_SIMOS_FAILED;
    if (!error_lines_open(&err)) {
        error_lines_print("%s", err.text);
        return EXIT_SIMOS_FAILED;
    }
    signal(SIGXFSZ, SIG_IGN); /* exceeding a file-size limit becomes an error of write() instead of a fatal signal */
    struct named_files *files = named_files_create();
    if (command_line_parse(&line, argc > 0 ? argc - 1 : 0, (const char *const *)argv + 1, &err) &&
        check_files(files, &line, &err))
        switch (line.subcommand) {
        case SUBCOMMAND_HELP:
            command_help(line.help_of, stdout);
            status = 0;
            break;
        case SUBCOMMAND_VERSION:
            command_version(stdout);
            status = 0;
            break;
        case SUBCOMMAND_RUN: status = run_main(&line.run, &err); break;
        case SUBCOMMAND_RESTORE: status = run_restored(&line, &err); break;
        case SUBCOMMAND_COMPLETION:
            status = completion_print(line.name_count, line.names, line.run.options.params, stdout, &err)
                         ? 0
                         : EXIT_SIMOS_FAILED;
            break;
        case SUBCOMMAND_INFO: status = restore_info(line.run.restored, &err); break;
        case SUBCOMMAND_TEST: status = run_tests(&line, &err); break;
        case SUBCOMMAND_WINDOWS: status = run_windows(&line, &err); break;
        case SUBCOMMAND_SWEEP: status = run_sweep(&line, &err); break;
        case SUBCOMMAND_CHECK: status = check_main(line.names, line.name_count, stdout, &err); break;
        case SUBCOMMAND_REPORT: status = report_main(&line.report, &err); break;
        case SUBCOMMAND_EXPLAIN: status = run_explain(&line, &err); break;
        case SUBCOMMAND_TRACE: status = run_trace(&line, &err); break;
        case SUBCOMMAND_PARAMS:
        case SUBCOMMAND_MACHINES:
        case SUBCOMMAND_DEVICES:
        case SUBCOMMAND_MEASURES: status = answer(&line, &err); break;
        case SUBCOMMAND_CLUSTER: status = run_cluster(&line, &err); break;
        case SUBCOMMAND_SHELL: status = run_shell(&line, &err); break;
        }
    named_files_free(files);
    struct err unprinted = {""};
    if (!standard_output_end(&unprinted)) {
        err_add(&err, &unprinted);
        status = EXIT_SIMOS_FAILED;
    }
    if (err.text[0])
        error_lines_print("%s", err.text);
    command_line_release(&line);
    return status;
}
