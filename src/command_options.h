/*
 * The options of the command line, one row each: `simos --help` is made from them.
 */
#ifndef SIMOS_COMMAND_OPTIONS_H
#define SIMOS_COMMAND_OPTIONS_H

#include "src/command_line.h"

enum command_option_flags {
    OPTION_FIRST = 1,      /* applied before all others, wherever it stands: --set changes what --machine describes */
    OPTION_OF_BATCH = 2,   /* `sweep FILE.tcl` and `windows` may have it: it is not about a machine or its run */
    OPTION_OF_WINDOWS = 4, /* `windows` may have it */
    OPTION_OF_EACH_WINDOW = 8, /* the same, and each window gets it */
    OPTION_HOST = 16,      /* it touches the host: the words of a file have it only if the command line says --trust */
    OPTION_EACH_PASS = 32, /* applied in its place among those that are applied first, and among the others */
};

struct option {
    const char *name;
    const char *value; /* what it is, for people. NULL: there is none; in brackets: it may be left out, and is given as
                          --name=value only */
    unsigned flags;
    /* VALUE is NULL if there is none. False with ERR naming the option. */
    bool (*apply)(struct command_line *line, const struct option *option, const char *value, struct err *err);
    const char *param; /* the parameter that it sets; NULL: it is not just that */
    const char *help;
};

extern const struct option command_options[];
extern const unsigned command_option_count;

#endif
