/* What many options do with their value (`apply` of struct option). */
#ifndef SIMOS_COMMAND_OPTION_VALUES_H
#define SIMOS_COMMAND_OPTION_VALUES_H

#include "src/command/option.h"

/* Set the option's member, a bool, to true. */
bool option_set_flag(void *options, const struct option *option, const char *value, struct err *err);
/* Set the option's member, a const char *, to the name of a file. The name must not be empty. */
bool option_set_file(void *options, const struct option *option, const char *value, struct err *err);
/* The same for a folder. */
bool option_set_folder(void *options, const struct option *option, const char *value, struct err *err);
/* The same for the beginning of the names of several files. */
bool option_set_prefix(void *options, const struct option *option, const char *value, struct err *err);
/* Set a parameter of the option's member, a struct params *, from "NAME=VALUE". */
bool option_set_assignment(void *options, const struct option *option, const char *value, struct err *err);

/* Parse VALUE as a number from LOW to HIGH. NAME: what it belongs to, in ERR. */
bool option_parse_count(const char *name, const char *value, uint64_t low, uint64_t high, uint64_t *number,
                        struct err *err);

#endif
