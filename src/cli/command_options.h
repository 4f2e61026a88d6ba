/*
 * The options of the command line, one row each: `simos --help` is made from them.
 */
#ifndef SIMOS_COMMAND_OPTIONS_H
#define SIMOS_COMMAND_OPTIONS_H

#include "src/cli/subcommands.h"

/* What an option is about, in the order of the help. */
enum command_group {
    COMMAND_GROUP_MACHINE,
    COMMAND_GROUP_GUEST,
    COMMAND_GROUP_LIMITS,
    COMMAND_GROUP_RESULTS,
    COMMAND_GROUP_STATES,
    COMMAND_GROUP_MANY,
    COMMAND_GROUP_LOOK,
    COMMAND_GROUP_OTHER,
    COMMAND_GROUPS
};

enum command_option_flags {
    OPTION_FIRST = 1,    /* applied before all others, wherever it stands: --set changes what --machine describes */
    OPTION_OF_BATCH = 2, /* `sweep FILE.tcl` may have it: it is not about a machine or its run */
    OPTION_OF_EACH_WINDOW = 8, /* of `windows`: each window gets it */
    OPTION_HOST = 16,      /* it touches the host: the words of a file have it only if the command line says --trust */
    OPTION_EACH_PASS = 32, /* applied in its place among those that are applied first, and among the others */
};

struct option {
    const char *name;
    const char *value; /* what it is, for people. NULL: there is none; in brackets: it may be left out, and is given as
                          --name=value only */
    enum command_group group;
    subcommand_set commands; /* that have it: no other takes it */
    unsigned flags;
    /* VALUE is NULL if there is none. False with ERR naming the option. */
    bool (*apply)(struct command_line *line, const struct option *option, const char *value, struct err *err);
    const char *param; /* the parameter that it sets; NULL: it is not just that */
    const char *help;
};

extern const char *const command_option_groups[COMMAND_GROUPS]; /* their headings */

extern const struct option command_options[];
extern const unsigned command_option_count;

#endif
