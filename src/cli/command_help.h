/* `simos --help` and `simos COMMAND --help`, made from the tables of commands and options, 80 columns wide. */
#ifndef SIMOS_CLI_COMMAND_HELP_H
#define SIMOS_CLI_COMMAND_HELP_H

#include "src/cli/command_line.h"
#include <stdio.h>

/* Print usage and options of SUBCOMMAND; SUBCOMMAND_HELP: all commands and options. */
void command_help(enum subcommand subcommand, FILE *out);

/* `simos --version`, three lines: version and commit; how it was built; what of it works on this host. */
void command_version(FILE *out);

#endif
