/* The main program: parses the command line, executes the subcommand, and reports an error in one line with exit status
 * 125. */
#include "src/board_devices.h"
#include "src/cluster.h"
#include "src/command_help.h"
#include "src/command_line.h"
#include "src/machine_file.h"
#include "src/named_files.h"
#include "src/picture.h"
#include "src/report.h"
#include "src/restore.h"
#include "src/run.h"
#include "src/shell.h"
#include "src/standard_output.h"
#include "src/style.h"
#include "src/sweep_command.h"
#include "src/tape.h"
#include "src/trace_command.h"
#include "src/version.h"
#include "src/windows_command.h"

#include <signal.h>
#include <stdio.h>

static bool list_params(const struct command_line *line, struct err *err)
{
    const struct params *params = line->options.params;
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
    else if (line->picture)
        done = picture_print(line->options.machine_name, line->options.params, stdout, err);
    else
        done = list_params(line, err);
    return done ? 0 : EXIT_SIMOS_FAILED;
}

static int run_shell(struct command_line *line, struct err *err)
{
    struct tape tape;
    struct err broken = {""};
    int status = tape_open(&tape, line, err) ? shell_main(&line->options, line->script) : EXIT_SIMOS_FAILED;
    if (tape_close(&tape, &broken))
        return status;
    err_set(err, "%s", broken.text);
    return EXIT_SIMOS_FAILED;
}

/* Check the files named by LINE. run_watched() checks again, with the files of a checkpoint or recording. */
static bool check_files(struct named_files *files, const struct command_line *line, struct err *err)
{
    if (line->subcommand == SUBCOMMAND_HELP || line->subcommand == SUBCOMMAND_VERSION)
        return true;
    named_files_add_line(files, "", line);
    return named_files_check(files, err);
}

int main(int argc, char **argv)
{
    struct command_line line;
    struct err err = {""};
    int status = EXIT_SIMOS_FAILED;
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
            version_print(stdout);
            status = 0;
            break;
        case SUBCOMMAND_RUN: status = run_main(&line, &err); break;
        case SUBCOMMAND_RESTORE: status = restore_main(&line, &err); break;
        case SUBCOMMAND_INFO: status = restore_info(line.restored, &err); break;
        case SUBCOMMAND_WINDOWS: status = windows_main(&line, &err); break;
        case SUBCOMMAND_SWEEP: status = sweep_main(&line, &err); break;
        case SUBCOMMAND_REPORT: status = report_main(&line, &err); break;
        case SUBCOMMAND_TRACE: status = trace_main(line.replay, line.options.params, &err); break;
        case SUBCOMMAND_PARAMS:
        case SUBCOMMAND_MACHINES:
        case SUBCOMMAND_DEVICES: status = answer(&line, &err); break;
        case SUBCOMMAND_CLUSTER: status = cluster_main(&line, &err); break;
        case SUBCOMMAND_SHELL: status = run_shell(&line, &err); break;
        }
    named_files_free(files);
    struct err unprinted = {""};
    if (!standard_output_end(&unprinted)) {
        err_add(&err, &unprinted);
        status = EXIT_SIMOS_FAILED;
    }
    if (err.text[0])
        fprintf(stderr, "%ssimos:%s %s\n", style_on(stderr, STYLE_ERROR), style_off(stderr), err.text);
    command_line_release(&line);
    return status;
}
