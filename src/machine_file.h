/*
 * Machine descriptions: a new machine is one Tcl file, which sets parameters with
 *
 *     param NAME VALUE
 *
 * and may use all of Tcl that computes (expr, if, foreach, proc), and nothing that reaches files, programs or the
 * network: the interpreter is a safe one, and the number of commands is limited. Those in src/machines/ are built in.
 */
#ifndef SIMOS_MACHINE_FILE_H
#define SIMOS_MACHINE_FILE_H

#include "src/log.h"
#include "src/params.h"

/* A built-in description. The table ends with a row without name; it is made by src/machines/embed.sh. */
struct machine_text {
    const char *name, *text;
};
extern const struct machine_text machine_texts[];

/* Apply the description NAME, a built-in one or else the path of a file, to PARAMS. Its name without directory and
 * ".tcl" goes into LABEL (SIZE bytes). On failure PARAMS is unchanged and ERR names the file, the line and the reason.
 */
bool machine_file_apply(struct params *params, const char *name, char *label, size_t size, struct err *err);

/* Apply TEXT, called NAME in error lines. */
bool machine_file_apply_text(struct params *params, const char *name, const char *text, struct err *err);

#endif
