/*
 * The scripts that complete the command lines of simos in bash, zsh and fish. They show what `simos completion
 * candidates` answers (completion.c), and know nothing else.
 */
#ifndef SIMOS_CLI_COMPLETION_SCRIPTS_H
#define SIMOS_CLI_COMPLETION_SCRIPTS_H

/* The script for SHELL; NULL if it is none of the three. */
const char *completion_script(const char *shell);

#endif
