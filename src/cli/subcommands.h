/*
 * The table of commands, from which `simos --help` and the manual page simos(1) are made.
 */
#ifndef SIMOS_CLI_SUBCOMMANDS_H
#define SIMOS_CLI_SUBCOMMANDS_H

#include "src/cli/command_line.h"

/* A set of commands, one bit each. */
typedef uint32_t subcommand_set;
#define SUBCOMMAND_BIT(subcommand) ((subcommand_set)1 << (subcommand))

/* Commands that accept a COMMAND for the guest after "--". */
#define SUBCOMMANDS_WITH_COMMAND                                                                                       \
    (SUBCOMMAND_BIT(SUBCOMMAND_RUN) | SUBCOMMAND_BIT(SUBCOMMAND_RESTORE) | SUBCOMMAND_BIT(SUBCOMMAND_SWEEP))

/* One usage of a command; a command may have several consecutive rows. */
struct subcommand_row {
    const char *name;
    enum subcommand subcommand;
    const char *synopsis; /* the words after "simos" */
    const char *help;
    const char *page; /* file in docs/; NULL: none */
};
/* The row INDEX, from 0; NULL at the end. */
const struct subcommand_row *subcommand_at(unsigned index);

/* The first row named WORD. NULL with ERR, which suggests the closest name or lists all. */
const struct subcommand_row *subcommand_find(const char *word, struct err *err);

/* The name of a command. */
const char *subcommand_name(enum subcommand subcommand);

/* Format a set: "`run`, `restore` and `sweep`". */
void subcommand_list(subcommand_set set, char *text, size_t size);

#endif
