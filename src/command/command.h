/*
 * A command of the command line (`simos NAME ...`) as its own file describes it: usage, tables of options, operands,
 * what it does. src/cli/commands.def lists them; the parser is src/command/command_line.h.
 */
#ifndef SIMOS_COMMAND_COMMAND_H
#define SIMOS_COMMAND_COMMAND_H

#include "src/command/option.h"
#include "src/command/option_uses.h"

struct annotated_interpreter;
struct command_line;
struct named_files;

enum { COMMAND_USAGES = 2, COMMAND_TABLES = 3 };

struct command_usage {
    const char *synopsis; /* the words after "simos"; operands named as in the values of options */
    const char *help;
};

/* A table of options that a command has. */
struct command_table {
    const struct option *options; /* NULL: none */
    size_t at;                    /* where in the command's options the struct of the table is */
    uint32_t has;                 /* the bit of the command in `has` of its rows; 0: it has all */
};

struct command {
    const char *name;
    struct command_usage usages[COMMAND_USAGES];
    const char *page; /* file in docs/; NULL: none */
    struct command_table tables[COMMAND_TABLES];
    size_t size; /* of its options, a struct of its own; 0: it has none */

    /* All functions but operands() and main() are optional. OPTIONS is the struct, at first all 0. */

    /* Set the initial values; free what the struct owns. */
    void (*init)(void *options, const struct command_line *line);
    void (*release)(void *options);
    /* Its parameters, of --set. */
    struct params *(*params)(void *options);
    /* Are all words after the name operands, whatever they begin with? NULL: no. */
    bool (*takes_all)(int count, const char *const *words);
    /* Take an option with OPTION_PASSED: WORD, and VALUE if that is a separate word. */
    void (*pass)(void *options, const char *word, const char *value);
    /* Take the COUNT words after "--", at least one. */
    bool (*take_command)(void *options, int count, const char *const *words, struct err *err);
    bool guest_command; /* these words are a command for the guest, ... */
    int guest_operands; /* ... and so many operands may stand before */
    /* Take the COUNT operands WORDS of LINE. All options have been applied. */
    bool (*operands)(struct command_line *line, int count, const char *const *words, struct err *err);
    /* The uses (option_uses.h) that its options are; ALWAYS: those that all its command lines are. */
    uint32_t (*uses)(const void *options);
    uint32_t always;
    /* Add the files that the options name (src/host/named_files.h), with OWNER in front of their names in messages.
     * NULL: it writes none. */
    void (*add_files)(const void *options, const char *owner, struct named_files *files);
    /* Execute LINE. Returns the exit status of the process; EXIT_SIMOS_FAILED with ERR. */
    int (*main)(struct command_line *line, struct err *err);
};

/* The commands of a program. */
struct commands {
    const struct command *const *list;  /* NULL at the end; in the order of the help */
    const struct command *const *first; /* whose options `simos --help` shows before all others; NULL at the end */
    const struct command *help;         /* that --help in a command line asks for */
    /* What only the program has, as it stands above the commands: evaluates --script. */
    const struct annotated_interpreter *interpreter;
};

/* The command named WORD. NULL with ERR, which suggests the closest name or lists all. */
const struct command *commands_find(const struct commands *commands, const char *word, struct err *err);

/* Format the commands for which HAS is true, as "`run`, `restore` and `sweep`"; returns their number. */
unsigned commands_list(const struct commands *commands, bool (*has)(const struct command *command, const void *opaque),
                       const void *opaque, char *text, size_t size);

/* Where a walk through options stands; at first all 0. */
struct option_walk {
    unsigned group, table; /* of the option that was returned last */
    const struct option *next;
};

/* The next option of COMMAND, group by group; NULL at the end. */
const struct option *command_next_option(const struct command *command, struct option_walk *walk);

/* The next option of any command, group by group, those of the same name once; NULL at the end. */
const struct option *commands_next_option(const struct commands *commands, struct option_walk *walk);

/* The option NAME of COMMAND; NULL if it has none. */
const struct option *command_option(const struct command *command, const char *name);

/* The option of WORD, "--NAME" or "--NAME=VALUE", of any command; NULL: none. */
const struct option *commands_option(const struct commands *commands, const char *word);

#endif
