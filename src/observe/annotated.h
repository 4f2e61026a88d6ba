/*
 * Annotations of a run (`--script`). A script has the commands of annotations/ and the read-only commands of the
 * shell. It is evaluated before the first instruction of the run; its annotations stay active during the run.
 * instrument.c passes the machine's events to them.
 */
#ifndef SIMOS_OBSERVE_ANNOTATED_H
#define SIMOS_OBSERVE_ANNOTATED_H

#include "annotations/tcl/annotate.h"
#include "src/machine/machine.h"

struct annotated;
struct end_signals;

/* Creates the Tcl interpreter that evaluates the script, with read-only commands of a machine. */
struct annotated_interpreter {
    /* Opens an interpreter for MACHINE. A pending signal of SIGNALS (NULL: none) unwinds the script. NULL with ERR. */
    void *(*open)(struct machine *machine, struct end_signals *signals, struct err *err);
    Tcl_Interp *(*interp)(void *opened);
    void (*set_annotate)(void *opened, struct annotate *annotate);
    void (*select_cpu)(void *opened, unsigned cpu); /* the CPU whose registers commands read */
    void (*close)(void *opened);                    /* NULL is ignored */
};

/* True if NAME, the argument of --script, names a library: it contains neither "/" nor ".". False: it is a path. */
bool annotated_is_library(const char *name);

/* Create the annotations of SCRIPT, a path or the name of a library ("services"); *ANNOTATED is NULL if SCRIPT is NULL.
 * Returns false with ERR if the script cannot be read. */
bool annotated_create(struct annotated **annotated, const char *script, const struct annotated_interpreter *interpreter,
                      struct err *err);
/* Call before machine_free(). This function and those below accept NULL unless they say otherwise. */
void annotated_free(struct annotated *annotated);

/* Evaluate the script; the guest is loaded. Returns false with ERR naming file and line. A pending signal of SIGNALS
 * (NULL: none) unwinds the evaluation of the script and, later, of annotation bodies; the caller then ends the run. */
bool annotated_begin(struct annotated *annotated, struct machine *machine, struct end_signals *signals,
                     struct err *err);

/* If WANTED and the script has not loaded the library "services", load it. Returns false with ERR on failure. ANNOTATED
 * may be NULL only if WANTED is false. */
bool annotated_add_services(struct annotated *annotated, bool wanted, struct err *err);

/* What the parameter whatif.free says takes no time from now on. Returns false with ERR. ANNOTATED may be NULL only if
 * the parameter is empty. */
bool annotated_set_whatif(struct annotated *annotated, struct err *err);

/* Resolve names of user code, modules and data from the guest's memory and from the symbol files in the COUNT FOLDERS;
 * in profiles too if PROFILES. Returns false with ERR if a folder cannot be used. ANNOTATED must not be NULL. */
bool annotated_add_names(struct annotated *annotated, const char *const folders[], unsigned count, bool profiles,
                         struct err *err);

/* The annotation engine of ANNOTATED; NULL before annotated_begin(). */
struct annotate *annotated_annotate(const struct annotated *annotated);

/* Call at the end of the run: deliver the last events, check the accounts, and add the collected data to the machine's
 * statistics. Returns false with ERR if a checkpoint that a body requested cannot be written. */
bool annotated_end(struct annotated *annotated, struct err *err);
/* Write what has been collected so far as the member "annotations" of the object that JSON is writing; nothing if
 * nothing is collected. Between the runs of CPUs; changes nothing. */
void annotated_write_member(struct annotated *annotated, struct json_writer *json);
/* Print the collected data, if any, to OUT. Returns false with ERR if an annotation body failed during the run or at
 * its end. */
bool annotated_print(struct annotated *annotated, FILE *out, struct err *err);

/* machine_run() with ANNOTATE (NULL: plain machine_run()): executes its timed annotations and writes the checkpoints
 * that bodies request. */
enum machine_stop annotated_run(struct annotate *annotate, struct machine *machine,
                                const struct machine_limits *limits);

#endif
