/* The main program: parses the command line, executes the command, and reports an error in one line with exit status
 * 125. */
#include "src/base/error_lines.h"
#include "src/base/standard_output.h"
#include "src/cli/commands.h"
#include "src/command/command_line.h"
#include "src/machine/machine.h"
#include "src/run/run_files.h"

#include <signal.h>

/* The guest's files, which simos reads unless it is told others: no command writes over them. */
static void add_guest(struct named_files *files)
{
    struct machine_options options;
    machine_options_init(&options);
    named_files_add_params(files, "", options.params);
    machine_options_release(&options);
}

/* Check the files named by LINE. run_with_sweeps() checks again, with the files of a checkpoint or recording. */
static bool check_files(struct named_files *files, const struct command_line *line, struct err *err)
{
    if (!line->command->add_files)
        return true;
    line->command->add_files(line->options, "", files);
    if (!line->command->params)
        add_guest(files);
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
    if (command_line_parse(&line, &simos_commands, COMMAND_PLACE_ALONE, argc > 0 ? argc - 1 : 0,
                           (const char *const *)argv + 1, &err) &&
        check_files(files, &line, &err)) {
        command_line_warn_deprecated(&line);
        status = line.command->main(&line, &err);
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
