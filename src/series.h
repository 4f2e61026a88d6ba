/*
 * A series of checkpoints: 0000.ckpt, 0001.ckpt ... in one folder, so many instructions apart, of which each holds
 * only what has changed (docs/how-to/series.md). What takes it does not disturb the run.
 *
 * A file holds the pages of RAM that are its own: those that have changed since the file before it. It names the files
 * that hold the others, at most SERIES_NEEDS_MAX: when there would be one more, the one of which the least is still
 * needed gives up its pages to the new file. So a restore reads a bounded number of files however long a series is.
 */
#ifndef SIMOS_SERIES_H
#define SIMOS_SERIES_H

#include "src/machine.h"
#include "src/watch.h"

/* --series FOLDER,every=N[,from=EVENT] */
struct series_plan {
    char *folder;     /* owned; NULL: no series is wanted */
    uint64_t every;   /* instructions of all CPUs from one file to the next */
    const char *from; /* the event at which it begins; NULL: at once */
    struct machine_event event;
};

/* PLAN from TEXT, which must outlive it. False with ERR saying what is wrong. Either way free(plan->folder). */
bool series_plan_parse(struct series_plan *plan, const char *text, struct err *err);

struct series;

/* Make the folder of PLAN, which must outlive the series. NULL with ERR if that cannot be, or there are checkpoints in
 * it already. */
struct series *series_create(const struct series_plan *plan, struct err *err);
void series_free(struct series *series); /* NULL is allowed. A folder that stayed empty is removed. */

/* machine_run(), watched by WATCH (NULL: by nobody), with every file written when its time comes. False with ERR if one
 * cannot be. */
bool series_run(struct series *series, struct watch *watch, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err);

/* The run is over. False with ERR if the series has not begun. */
bool series_end(const struct series *series, struct err *err);

#endif
