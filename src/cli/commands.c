#include "src/cli/commands.h"

#include "src/shell/shell.h"

#define COMMAND(name) extern const struct command name##_command;
#include "src/cli/commands.def"
#undef COMMAND

static const struct command *const list[] = {
#define COMMAND(name) &name##_command,
#include "src/cli/commands.def"
#undef COMMAND
    NULL,
};

static const struct command *const first[] = {&run_command, &trace_command, &report_command, NULL};

const struct commands simos_commands = {
    .list = list, .first = first, .help = &help_command, .interpreter = &shell_interpreter};
