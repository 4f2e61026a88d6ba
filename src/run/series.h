/*
 * A series of incremental checkpoints at equal instruction intervals: 0000.ckpt, 0001.ckpt ... in one folder
 * (docs/how-to/series.md). Taking a series does not change the simulation.
 *
 * Each file stores the RAM pages that changed since the previous file, and lists the earlier files that hold the
 * other pages, at most SERIES_DEPENDENCIES_MAX of them. If the list would grow longer, the listed file that holds the
 * fewest current pages is dropped and its pages are stored again in the new file. So a restore reads a bounded number
 * of files whatever the length of the series.
 */
#ifndef SIMOS_RUN_SERIES_H
#define SIMOS_RUN_SERIES_H

#include "src/machine/machine.h"
#include "src/observe/instrument.h"

/* Arguments of --series FOLDER,every=N[,from=EVENT] */
struct series_plan {
    char *folder;      /* owned; NULL: no series */
    uint64_t interval; /* interval in instructions, summed over all CPUs */
    bool recorded;     /* the folder has the record of the run too */
    const char *from;  /* event of the first checkpoint; NULL: at the start of the run */
    struct machine_event event;
};

/* Parse TEXT, which must outlive PLAN. Returns false with ERR. In both cases the caller frees plan->folder. */
bool series_plan_parse(struct series_plan *plan, const char *text, struct err *err);

struct series;

/* Create the folder of PLAN, which must outlive the series. Returns NULL with ERR if that fails or the folder already
 * contains checkpoints. */
struct series *series_create(const struct series_plan *plan, struct err *err);
/* FOLDER/record: the record of the run that takes a series in FOLDER. The caller frees it. */
char *series_record_path(const char *folder);
void series_free(struct series *series); /* NULL is allowed. Removes the folder if it was created here and is empty. */

/* machine_run(), instrumented by WATCH (NULL: not instrumented), with a checkpoint at each interval. Returns false with
 * ERR if one cannot be written. */
bool series_run(struct series *series, struct instrument *instrument, struct machine *machine,
                const struct machine_limits *limits, enum machine_stop *reason, struct err *err);

#endif
