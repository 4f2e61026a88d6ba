/*
 * The commands of the command line, a row each: `simos --help` and the page simos(1) are made from them.
 */
#ifndef SIMOS_SUBCOMMANDS_H
#define SIMOS_SUBCOMMANDS_H

#include "src/cli/command_line.h"

/* A set of commands: a bit each. */
typedef uint32_t subcommand_set;
#define SUBCOMMAND_BIT(subcommand) ((subcommand_set)1 << (subcommand))

/* The commands that take a COMMAND for the guest behind "--". */
#define SUBCOMMANDS_WITH_COMMAND                                                                                       \
    (SUBCOMMAND_BIT(SUBCOMMAND_RUN) | SUBCOMMAND_BIT(SUBCOMMAND_RESTORE) | SUBCOMMAND_BIT(SUBCOMMAND_SWEEP))

/* One way to use a command: a command may have several rows, one after the other. */
struct subcommand_row {
    const char *name;
    enum subcommand subcommand;
    const char *synopsis; /* the words behind "simos" */
    const char *help;
    const char *page; /* of the documentation; NULL: none of its own */
};
/* INDEX from 0; NULL at the end. */
const struct subcommand_row *subcommand_at(unsigned index);

/* The first row called WORD. NULL with ERR, which says what there is, or what was most likely meant. */
const struct subcommand_row *subcommand_find(const char *word, struct err *err);

/* The name of a command that has a row. */
const char *subcommand_name(enum subcommand subcommand);

/* "`run`, `restore` and `sweep`". */
void subcommand_list(subcommand_set set, char *text, size_t size);

#endif
