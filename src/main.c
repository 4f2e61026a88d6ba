/* The program: words to a subcommand, its errors to one line and exit status 125. */
#include "src/command_line.h"
#include "src/run.h"
#include "src/shell.h"

#include <stdio.h>

static int list_params(const struct command_line *line, struct err *err)
{
    const struct params *params = line->options.params;
    for (int i = 0; i < line->name_count; i++)
        if (params_print(params, line->names[i], stdout) == 0) {
            err_set(err, "no parameter's name begins with \"%.128s\"", line->names[i]);
            return EXIT_SIMOS_FAILED;
        }
    if (line->name_count == 0)
        params_print(params, NULL, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    err_set(err, "stdout: cannot be written");
    return EXIT_SIMOS_FAILED;
}

int main(int argc, char **argv)
{
    struct command_line line;
    struct err err = {""};
    int status = EXIT_SIMOS_FAILED;
    if (command_line_parse(&line, argc > 0 ? argc - 1 : 0, (const char *const *)argv + 1, &err))
        switch (line.subcommand) {
        case SUBCOMMAND_HELP:
            command_line_usage(stdout);
            status = 0;
            break;
        case SUBCOMMAND_RUN: status = run_main(&line, &err); break;
        case SUBCOMMAND_PARAMS: status = list_params(&line, &err); break;
        case SUBCOMMAND_SHELL: status = shell_main(&line.options, line.script); break;
        }
    if (err.text[0])
        fprintf(stderr, "simos: %s\n", err.text);
    command_line_release(&line);
    return status;
}
