/*
 * `--script`: annotations beside a run. The script has the commands of annotations/ and those of the shell that only
 * look; it is evaluated before the first instruction of the run, and its annotations then go with it.
 */
#ifndef SIMOS_ANNOTATED_H
#define SIMOS_ANNOTATED_H

#include "annotations/annotate.h"
#include "src/machine.h"
#include "src/watch.h"

struct annotated;

/* What annotations know of MACHINE. */
struct subject annotated_subject(const struct machine *machine);

/* *ANNOTATED is NULL if SCRIPT is, which is a file, or the name of a library ("services"). False with ERR: it cannot be
 * read. */
bool annotated_create(struct annotated **annotated, const char *script, struct err *err);
/* NULL is fine. Before machine_free(). */
void annotated_free(struct annotated *annotated);

/* The host that a machine is to be given so that ANNOTATED hears what HOST with OPAQUE does. */
const struct machine_host *annotated_host(struct annotated *annotated, const struct machine_host *host, void *opaque);
void *annotated_host_opaque(struct annotated *annotated, void *opaque);

/* The guest is loaded: evaluate the script. False with ERR naming file and line. */
bool annotated_begin(struct annotated *annotated, struct machine *machine, struct err *err);

/* watch_run() with annotations between. */
enum machine_stop annotated_run(struct annotated *annotated, struct watch *watch, struct machine *machine,
                                const struct machine_limits *limits);
/* The same for annotations that somebody else owns; NULL: none. */
enum machine_stop annotated_run_with(struct annotate *annotate, struct watch *watch, struct machine *machine,
                                     const struct machine_limits *limits);

/* The checkpoint that the run paused for is about to be written. */
void annotated_checkpoint(struct annotated *annotated);

/* The run has ended: the last events, and the check of the accounts. False with ERR if a body failed there. */
bool annotated_end(struct annotated *annotated, struct err *err);
/* Print what has been collected, if anything. */
void annotated_print(struct annotated *annotated, FILE *out);

#endif
