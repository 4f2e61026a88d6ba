/*
 * The table of command-line options, from which `simos --help` is made.
 */
#ifndef SIMOS_CLI_COMMAND_OPTIONS_H
#define SIMOS_CLI_COMMAND_OPTIONS_H

#include "src/cli/subcommands.h"

/* Groups, in the order of the help. */
enum command_group {
    COMMAND_GROUP_MACHINE,
    COMMAND_GROUP_GUEST,
    COMMAND_GROUP_LIMITS,
    COMMAND_GROUP_RESULTS,
    COMMAND_GROUP_CHECKPOINTS,
    COMMAND_GROUP_SWEEPS,
    COMMAND_GROUP_OBSERVE,
    COMMAND_GROUP_OTHER,
    COMMAND_GROUPS
};

enum command_option_flags {
    OPTION_FIRST = 1,          /* applied before all others, wherever it is: --set modifies what --machine describes */
    OPTION_OF_EACH_WINDOW = 8, /* of `windows`: passed to each window */
    OPTION_HOST = 16,          /* accesses the host: in the words of a file only with --trust */
    OPTION_EACH_PASS = 32,     /* applied in both passes, at its position */
    /* Names of files, which src/host/named_files.h checks against each other: */
    OPTION_READS = 64,        /* a file that is read */
    OPTION_READS_BELOW = 128, /* a file or folder; all below it is read */
    OPTION_WRITES = 256,      /* a file that is written, or a prefix of such */
    OPTION_MAKES = 512,       /* a folder in which files are made */
};

struct option {
    const char *name;
    const char *value; /* name of the value for the help; NULL: no value; in brackets: optional, only as --name=value */
    enum command_group group;
    subcommand_set commands; /* commands that have this option */
    unsigned flags;
    /* Apply the option. VALUE: NULL if none. Returns false with ERR naming the option. */
    bool (*apply)(struct command_line *line, const struct option *option, const char *value, struct err *err);
    const char *param; /* the parameter that it sets; NULL: it does something else */
    const char *help;
    uint32_t without; /* uses in which it would have no effect, one bit each (command_uses.h): there it is refused */
};

extern const char *const command_option_groups[COMMAND_GROUPS]; /* headings of the groups */

extern const struct option command_options[];
extern const unsigned command_option_count;

/* The option of WORD, "--NAME" or "--NAME=VALUE"; NULL: none. */
const struct option *command_option_of(const char *word);

#endif
