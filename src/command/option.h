/*
 * An option of a command: a row of a table of options, which ends with a row without a name. The table stands in a file
 * of the command, or of what several commands have in common; its rows set members of one struct. From the tables come
 * the parser, the help, the completion and the manual page.
 */
#ifndef SIMOS_COMMAND_OPTION_H
#define SIMOS_COMMAND_OPTION_H

#include "src/base/log.h"
#include "src/base/params.h"
#include <stddef.h>

/* Groups, in the order of the help. */
enum option_group {
    OPTION_GROUP_MACHINE,
    OPTION_GROUP_GUEST,
    OPTION_GROUP_LIMITS,
    OPTION_GROUP_RESULTS,
    OPTION_GROUP_CHECKPOINTS,
    OPTION_GROUP_SWEEPS,
    OPTION_GROUP_OBSERVE,
    OPTION_GROUP_OTHER,
    OPTION_GROUPS
};

enum option_flags {
    OPTION_FIRST = 1,         /* applied before all others, wherever it is: --set modifies what --machine describes */
    OPTION_ASSIGNS = 2,       /* its value is NAME=VALUE of a parameter, which must have an effect too */
    OPTION_PASSED = 4,        /* given to the command's pass() too */
    OPTION_HOST = 8,          /* accesses the host: in the words of a file only with --trust */
    OPTION_TRUST = 16,        /* --trust itself */
    OPTION_ORIGIN = 32,       /* its value is the file that the words after it come from; it has no apply() */
                              /* Names of files, which src/host/named_files.h checks against each other: */
    OPTION_READS = 64,        /* a file that is read */
    OPTION_READS_BELOW = 128, /* a file or folder; all below it is read */
    OPTION_WRITES = 256,      /* a file that is written, or a prefix of such */
    OPTION_MAKES = 512,       /* a folder in which files are made */
};

struct option {
    const char *name;
    const char *value; /* name of the value for the help; NULL: no value; in brackets: optional, only as --name=value */
    enum option_group group;
    unsigned flags;   /* enum option_flags */
    const char *help; /* NULL: for simos itself, and not shown */
    /* Apply the option to OPTIONS, the struct of its table. VALUE: NULL if none. False with ERR naming the option.
     * Those that several commands need are in src/command/option_values.h. */
    bool (*apply)(void *options, const struct option *option, const char *value, struct err *err);
    uint32_t without;  /* uses in which it would have no effect, one bit each (option_uses.h): there it is refused */
    uint32_t has;      /* which of the commands with this table have it, one bit each; 0: all */
    const char *param; /* the parameter that it sets; NULL: it does something else */
    size_t member;     /* offset of the member of the struct that it sets, for option_values.h */
};

#endif
