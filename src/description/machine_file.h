/*
 * Machine descriptions: a machine is a Tcl file of commands that set parameters (src/description/machine_commands.h).
 * It may compute (expr, if, foreach, proc), but cannot access files, programs or the network: the interpreter is a safe
 * one, and the number of commands is limited. The descriptions in src/machines/ are built in.
 */
#ifndef SIMOS_DESCRIPTION_MACHINE_FILE_H
#define SIMOS_DESCRIPTION_MACHINE_FILE_H

#include "src/base/log.h"
#include "src/base/params.h"
#include <stdio.h>

/* A built-in description. The table is sorted by name and ends with a row without a name; src/embed_tcl.sh generates
 * it. The first line of a text is a comment that describes the machine. */
struct machine_text {
    const char *name, *text;
};
extern const struct machine_text machine_texts[];

/* Name of the default description. */
#define MACHINE_DEFAULT "1994"

/* The text of the built-in description NAME; NULL with ERR listing the existing ones. */
const char *machine_text_find(const char *name, struct err *err);

/* The names of the built-in descriptions, separated by commas; a list with one line per description. */
void machine_file_names(char *buffer, size_t size);
void machine_file_list(FILE *out);

/* Apply the description NAME, a built-in one or a file path, to PARAMS: hardware parameters (CPUs and their clock, TLB,
 * caches, buses, memory) that it does not set get their defaults, those of machine 1994; other parameters are
 * unchanged. LABEL (SIZE bytes) is set to the name without directory and ".tcl". On failure PARAMS is unchanged and ERR
 * names the file, the line and the reason. */
bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err);

/* Apply the description TEXT, called NAME in error messages. */
bool machine_file_apply_text(struct params *params, const char *name, const char *text, struct err *err);

#endif
