/*
 * What is collected of a run besides its statistics: execution over time (src/observe/over_time.h), stacks for flame graphs
 * (annotations/services/contexts.h), a time line (annotations/services/timeline.h). All of it only looks.
 */
#ifndef SIMOS_COLLECT_H
#define SIMOS_COLLECT_H

#include "annotations/tcl/annotate.h"
#include "annotations/services/contexts.h"
#include "src/machine/machine.h"

/* What is wanted. */
struct collect_plan {
    nsec over_time; /* --over-time: an interval; 0: none */

    char *stacks_path; /* --stacks FILE[,of=stall][,every=DURATION]; owned; NULL: none */
    enum contexts_weight weight;
    nsec every; /* of simulated time, from sample to sample on average */

    char *timeline_path; /* --timeline FILE[,from=EVENT][,to=EVENT][,events=N]; owned; NULL: none */
    bool from_wanted, to_wanted;
    struct machine_event from, to;
    uint64_t events; /* at most */

    bool profile;         /* --profile: its code and data have names */
    const char **symbols; /* --symbols FOLDER: where names come from; owned, the words are not */
    unsigned symbol_count;
};

/* PLAN's part from TEXT. False with ERR saying what is wrong with it. */
bool collect_parse_over_time(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_stacks(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_timeline(struct collect_plan *plan, const char *text, struct err *err);
/* FOLDER of --symbols. False with ERR: it is none. */
bool collect_add_symbols(struct collect_plan *plan, const char *folder, struct err *err);
void collect_plan_release(struct collect_plan *plan);
/* Is anything wanted? Anything that needs services? */
bool collect_is_wanted(const struct collect_plan *plan);
bool collect_needs_services(const struct collect_plan *plan);
/* Do code and data need names? */
bool collect_needs_names(const struct collect_plan *plan);

struct collect;

/* PLAN must outlive it. */
struct collect *collect_create(const struct collect_plan *plan);
void collect_free(struct collect *collect); /* NULL is fine, here and below. Before annotations and machine go. */
/* Do its annotations have to tell services apart? */
bool collect_wants_services(const struct collect *collect);

/* MACHINE, with its annotations (NULL: none), is about to run for the first time. */
void collect_begin(struct collect *collect, struct machine *machine, struct annotate *annotate);
/* Bring *TIME down to where it wants to be asked next; do what is due now. Between runs. */
void collect_next(const struct collect *collect, cycles *time);
void collect_due(struct collect *collect);

/* The time line begins, ends. In the middle of a run, or between. */
void collect_start_timeline(struct collect *collect);
void collect_stop_timeline(struct collect *collect);
/* The guest is at the position NAME. */
void collect_mark(struct collect *collect, const char *name);

/* The figures of the run begin here. */
void collect_begin_figures(struct collect *collect);
/* The run has ended: what belongs into the statistics is there from now on. */
void collect_end(struct collect *collect);
/* Write the files. */
bool collect_save(const struct collect *collect, struct err *err);

#endif
