/*
 * Collectors: data gathered during a run besides its statistics. Execution over time (src/observe/over_time.h), sampled
 * stacks for flame graphs (annotations/timeline/stack_profile.h), a time line (annotations/timeline/timeline.h), the
 * samples of logic analysers (annotations/automata/analyser.h), basic-block vectors (src/observe/bb_vectors.h). None of
 * them changes the simulation.
 */
#ifndef SIMOS_OBSERVE_COLLECT_H
#define SIMOS_OBSERVE_COLLECT_H

#include "annotations/tcl/annotate.h"
#include "annotations/timeline/stack_profile.h"
#include "src/machine/machine.h"

/* Which data to collect. */
struct collect_plan {
    nsec over_time; /* --over-time: the interval; 0: off */

    char *stacks_path; /* --stacks FILE[,of=stall][,every=DURATION]; owned; NULL: off */
    enum stack_profile_weight weight;
    nsec every; /* mean sampling interval in simulated time */

    char *timeline_path; /* --timeline FILE[,from=EVENT][,to=EVENT][,events=N]; owned; NULL: off */
    bool from_wanted, to_wanted;
    struct machine_event from, to;
    uint64_t events; /* maximum number of events */

    char *samples_path; /* --samples FILE.csv|FILE.vcd: the trace buffers of analysers; owned; NULL: off */

    char *vectors_path; /* --bbv FILE,every=N[,from=EVENT]; owned; NULL: off */
    uint64_t interval;  /* instructions */
    bool vectors_from_wanted;
    struct machine_event vectors_from;

    bool profile;         /* --profile: resolve names of code and data for it */
    const char **symbols; /* --symbols FOLDER: folders with symbol files; the array is owned, its strings are not */
    unsigned symbol_count;
};

/* Parse TEXT, the argument of the option, into PLAN. Returns false with ERR naming the invalid part. */
bool collect_parse_over_time(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_stacks(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_timeline(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_samples(struct collect_plan *plan, const char *text, struct err *err);
bool collect_parse_vectors(struct collect_plan *plan, const char *text, struct err *err);
/* Add the argument FOLDER of --symbols. Returns false with ERR if it is not a readable directory. */
bool collect_add_symbols(struct collect_plan *plan, const char *folder, struct err *err);
void collect_plan_release(struct collect_plan *plan);
/* Does PLAN have any collector? One that needs kernel services (annotations/services)? */
bool collect_is_wanted(const struct collect_plan *plan);
bool collect_needs_services(const struct collect_plan *plan);
/* Does PLAN need names of code and data? */
bool collect_needs_names(const struct collect_plan *plan);

struct collect;

/* PLAN must outlive the result. */
struct collect *collect_create(const struct collect_plan *plan);
void collect_free(
    struct collect *collect); /* Call before annotations and machine are freed. Below, COLLECT may be NULL. */
/* Do the collectors need annotations that distinguish kernel services? */
bool collect_wants_services(const struct collect *collect);

/* Start collecting. MACHINE has not run yet; ANNOTATE: its annotations, or NULL. False with ERR if they do not have
 * what is to be collected. */
bool collect_begin(struct collect *collect, struct machine *machine, struct annotate *annotate, struct err *err);
/* Lower *TIME and *INSNS to the next time, or count of instructions, at which collect_sample() must be called; take the
 * samples that are due. Between runs. */
void collect_next(const struct collect *collect, cycles *time, uint64_t *insns);
void collect_sample(struct collect *collect);

/* Start, stop the time line; allowed during a run and between runs. COLLECT must not be NULL here. */
void collect_start_timeline(struct collect *collect);
void collect_stop_timeline(struct collect *collect);
/* Start the first interval of basic-block vectors; likewise. */
void collect_start_vectors(struct collect *collect);
/* The guest has reached the mark NAME. */
void collect_mark(struct collect *collect, const char *name);

/* The measured part of the run begins: discard what has been collected. */
void collect_reset(struct collect *collect);
/* Call at the end of the run, before the statistics are written: adds the collected data to them. */
void collect_end(struct collect *collect);
/* Write the intervals so far, without the one that goes on, as the member "over_time" of the object that JSON is
 * writing; nothing if there is no such series. */
void collect_write_member(const struct collect *collect, struct json_writer *json);
/* Has the run ended within the first interval of --bbv, which then has no vectors? ERR then says so. */
bool collect_is_short(const struct collect *collect, struct err *err);
/* Write the output files. Returns false with ERR on a write error. */
bool collect_save(const struct collect *collect, struct err *err);

#endif
