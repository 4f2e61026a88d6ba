/*
 * `--script`: annotations beside a run. The script has the commands of annotations/ and those of the shell that only
 * look; it is evaluated before the first instruction of the run, and its annotations then go with it. watch.c tells it
 * what the machine does.
 */
#ifndef SIMOS_ANNOTATED_H
#define SIMOS_ANNOTATED_H

#include "annotations/tcl/annotate.h"
#include "src/machine/machine.h"

struct annotated;
struct end_signals;

/* Where the script is evaluated: a Tcl interpreter with the commands that only look at a machine. */
struct annotated_interpreter {
    /* Make one for MACHINE. One of SIGNALS (NULL: none) unwinds what it evaluates. NULL with ERR. */
    void *(*open)(struct machine *machine, struct end_signals *signals, struct err *err);
    Tcl_Interp *(*interp)(void *opened);
    void (*set_annotate)(void *opened, struct annotate *annotate);
    void (*select_cpu)(void *opened, unsigned cpu); /* whose registers commands look at */
    void (*close)(void *opened);                    /* NULL is fine */
};

/* What annotations know of MACHINE. */
struct subject annotated_subject(const struct machine *machine);

/* Does --script NAME mean a library, and not a file? */
bool annotated_is_library(const char *name);

/* *ANNOTATED is NULL if SCRIPT is, which is a file, or the name of a library ("services"), for INTERPRETER. False with
 * ERR: it cannot be read. */
bool annotated_create(struct annotated **annotated, const char *script,
                      const struct annotated_interpreter *interpreter, struct err *err);
/* NULL is fine, here and below. Before machine_free(). */
void annotated_free(struct annotated *annotated);

/* The guest is loaded: evaluate the script. False with ERR naming file and line. One of SIGNALS (NULL: none) unwinds
 * what is evaluated, then or later; the run is then to be ended by who asks for it. */
bool annotated_begin(struct annotated *annotated, struct machine *machine, struct end_signals *signals,
                     struct err *err);

/* If WANTED and the script has not, use the library "services". False with ERR if that fails. */
bool annotated_add_services(struct annotated *annotated, bool wanted, struct err *err);

/* User code, modules and data have names, in PROFILES too, with the symbols in COUNT FOLDERS besides what the guest's
 * memory tells. False with ERR: one is no folder. */
bool annotated_add_names(struct annotated *annotated, const char *const folders[], unsigned count, bool profiles,
                         struct err *err);

/* Its annotations; NULL before annotated_begin(). */
struct annotate *annotated_annotate(const struct annotated *annotated);

/* The run has ended: the last events, the check of the accounts, and what has been collected goes to the machine's
 * statistics. False with ERR: a checkpoint that the last of them has asked for cannot be written. */
bool annotated_end(struct annotated *annotated, struct err *err);
/* Print what has been collected, if anything. False with ERR if a body failed, in the run or at its end. */
bool annotated_print(struct annotated *annotated, FILE *out, struct err *err);

/* machine_run() of a machine with ANNOTATE (NULL: none), whose moments come between. */
enum machine_stop annotated_run(struct annotate *annotate, struct machine *machine,
                                const struct machine_limits *limits);

#endif
