/*
 * Completion of command lines in shells. `simos completion SHELL` prints a script for SHELL, which asks `simos
 * completion candidates WORD...` what the last WORD, of which a part has been typed, may become. The answer comes from
 * the tables of commands, options and parameters, so it is that of the program that would run.
 */
#ifndef SIMOS_CLI_COMPLETION_H
#define SIMOS_CLI_COMPLETION_H

#include "src/base/log.h"
#include "src/base/params.h"
#include <stdio.h>

/* Print what `completion` with the COUNT words WORDS asks for to OUT: a script; or the candidates, one per line, each
 * with a tab and its meaning if it has one. PARAMS: a table of all parameters. A candidate that ends in one of "/=:@,"
 * is to be continued. False with ERR for a shell that is not known. */
bool completion_print(int count, const char *const *words, const struct params *params, FILE *out, struct err *err);

#endif
