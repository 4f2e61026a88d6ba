/* The commands of simos. */
#ifndef SIMOS_CLI_COMMANDS_H
#define SIMOS_CLI_COMMANDS_H

#include "src/command/command.h"

extern const struct commands simos_commands;

#endif
