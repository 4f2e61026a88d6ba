/*
 * Machine descriptions: a new machine is one Tcl file of commands that set parameters (src/machine/machine_commands.h). It may
 * use all of Tcl that computes (expr, if, foreach, proc), and nothing that reaches files, programs or the network: the
 * interpreter is a safe one, and the number of commands is limited. Those in src/machines/ are built in.
 */
#ifndef SIMOS_MACHINE_FILE_H
#define SIMOS_MACHINE_FILE_H

#include "src/base/log.h"
#include "src/base/params.h"
#include <stdio.h>

/* A built-in description. The table is sorted by name and ends with a row without one; it is made by
 * src/embed_tcl.sh. The first line of a text is a comment that says what machine it is. */
struct machine_text {
    const char *name, *text;
};
extern const struct machine_text machine_texts[];

/* The one in use if none is named. */
#define MACHINE_DEFAULT "1994"

/* The text of the built-in description NAME; NULL with ERR listing those there are. */
const char *machine_text_find(const char *name, struct err *err);

/* Their names, separated by commas; one line each with what it is. */
void machine_file_names(char *buffer, size_t size);
void machine_file_list(FILE *out);

/* Apply the description NAME, a built-in one or else the path of a file, to PARAMS: what belongs to a machine's
 * hardware (its CPUs and their clock, TLB, caches, buses, memory) and is not described gets its default, the 1994
 * machine's; all else stays. Its name without directory and ".tcl" goes into LABEL (SIZE bytes). On failure PARAMS is
 * unchanged and ERR names the file, the line and the reason. */
bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err);

/* Apply TEXT, called NAME in error lines. */
bool machine_file_apply_text(struct params *params, const char *name, const char *text, struct err *err);

#endif
