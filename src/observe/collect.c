#include "src/observe/collect.h"
#include "src/machine/machine_guest.h"

#include "annotations/automata/analyser.h"
#include "annotations/timeline/timeline.h"
#include "src/base/json_writer.h"
#include "src/observe/annotated.h"
#include "src/observe/bb_vectors.h"
#include "src/observe/over_time.h"
#include "src/observe/profile.h"
#include "src/base/save_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct collect {
    const struct collect_plan *plan;
    struct machine *machine;
    struct annotate *annotate; /* NULL: none */
    struct machine_view view;
    struct over_time *over_time; /* NULL: off; so are the next two */
    struct stack_profile *contexts;
    struct timeline *timeline;
    struct bb_vectors *vectors; /* NULL: off */
    cycles next_sample;         /* time of the next stack sample */
    uint64_t random;
};

bool collect_is_wanted(const struct collect_plan *plan)
{
    return plan->over_time || plan->samples_path || plan->vectors_path || collect_needs_services(plan);
}

bool collect_needs_names(const struct collect_plan *plan)
{
    return plan->profile || plan->stacks_path || plan->symbol_count > 0;
}

bool collect_needs_services(const struct collect_plan *plan)
{
    return plan->stacks_path || plan->timeline_path;
}

struct collect *collect_create(const struct collect_plan *plan)
{
    struct collect *collect = checked_memory(calloc(1, sizeof *collect));
    collect->plan = plan;
    return collect;
}

void collect_free(struct collect *collect)
{
    if (!collect)
        return;
    over_time_free(collect->over_time);
    stack_profile_free(collect->contexts);
    timeline_free(collect->timeline);
    bb_vectors_free(collect->vectors);
    free(collect);
}

bool collect_wants_services(const struct collect *collect)
{
    return collect && collect_needs_services(collect->plan);
}

static struct services *services_of(const struct collect *collect)
{
    return collect->annotate ? annotate_services(collect->annotate) : NULL;
}

static cycles to_cycles(const struct collect *collect, nsec duration)
{
    cycles time = cycles_of_nsec(duration, collect->machine->queue->clock_hz);
    return time ? time : 1;
}

/* Schedule the next stack sample. Periodic samples would alias with the clock interrupt, so the sampling interval is
 * uniformly distributed between 0.5 and 1.5 times plan->every, from a fixed seed: the sequence is the same in every
 * run. */
static void plan_sample(struct collect *collect)
{
    cycles step = to_cycles(collect, collect->plan->every);
    collect->random = collect->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    collect->next_sample = machine_now(collect->machine) + (step + 1) / 2 + (collect->random >> 33) % step;
}

bool collect_begin(struct collect *collect, struct machine *machine, struct annotate *annotate, struct err *err)
{
    if (!collect)
        return true;
    const struct collect_plan *plan = collect->plan;
    collect->machine = machine;
    collect->annotate = annotate;
    collect->view = machine_view_of(machine);
    if (plan->over_time)
        collect->over_time = over_time_create(machine, to_cycles(collect, plan->over_time));
    if (plan->stacks_path) {
        collect->contexts = stack_profile_create(&collect->view, services_of(collect));
        plan_sample(collect);
    }
    if (plan->timeline_path) {
        collect->timeline = timeline_create(&collect->view, services_of(collect), (size_t)plan->events);
        if (!plan->from_wanted)
            timeline_start(collect->timeline);
    }
    if (plan->vectors_path) {
        if (!machine->execution_profile)
            return err_set(err, "--bbv: needs execution.counts=profile");
        collect->vectors = bb_vectors_create(machine, plan->interval);
        if (!plan->vectors_from_wanted)
            bb_vectors_start(collect->vectors);
    }
    return !plan->samples_path || (annotate && analysers_trace(annotate_analysers(annotate))) ||
           err_set(err, "--samples: the script defines no analyser with a trace (--script)");
}

void collect_next(const struct collect *collect, cycles *time, uint64_t *insns)
{
    if (!collect)
        return;
    if (collect->over_time && over_time_next(collect->over_time) < *time)
        *time = over_time_next(collect->over_time);
    if (collect->contexts && collect->next_sample < *time)
        *time = collect->next_sample;
    if (collect->vectors && bb_vectors_next(collect->vectors) < *insns)
        *insns = bb_vectors_next(collect->vectors);
}

static void name_routine(void *opaque, struct core *core, char *text, size_t size)
{
    const struct collect *collect = opaque;
    profile_name_location(collect->machine, core, text, size);
}

void collect_sample(struct collect *collect)
{
    if (!collect)
        return;
    if (collect->over_time)
        over_time_sample(collect->over_time, services_of(collect));
    if (collect->contexts && machine_now(collect->machine) >= collect->next_sample) {
        stack_profile_sample(collect->contexts, name_routine, collect);
        plan_sample(collect);
    }
    if (collect->vectors)
        bb_vectors_sample(collect->vectors);
}

void collect_start_vectors(struct collect *collect)
{
    bb_vectors_start(collect->vectors);
}

void collect_start_timeline(struct collect *collect)
{
    timeline_start(collect->timeline);
}

void collect_stop_timeline(struct collect *collect)
{
    timeline_stop(collect->timeline);
}

void collect_mark(struct collect *collect, const char *name)
{
    if (collect && collect->timeline)
        timeline_add_mark(collect->timeline, name, collect->machine->queue->now);
}

void collect_reset(struct collect *collect)
{
    if (!collect)
        return;
    if (collect->over_time)
        over_time_reset(collect->over_time, services_of(collect));
    if (collect->contexts)
        stack_profile_reset(collect->contexts);
}

static void write_over_time(void *opaque, struct json_writer *json)
{
    over_time_write_json(((const struct collect *)opaque)->over_time, json);
}

void collect_write_member(const struct collect *collect, struct json_writer *json)
{
    if (!collect || !collect->over_time)
        return;
    json_line(json, 2);
    json_key(json, "over_time");
    over_time_write_json(collect->over_time, json);
}

void collect_end(struct collect *collect)
{
    if (!collect || !collect->machine)
        return;
    if (collect->over_time) {
        over_time_end(collect->over_time, services_of(collect));
        stats_json(collect->machine->stats, "over_time", "where the cycles went, by interval of simulated time",
                   write_over_time, collect);
    }
    if (collect->contexts)
        stack_profile_update(collect->contexts);
    if (collect->timeline)
        timeline_stop(collect->timeline);
    if (collect->vectors)
        bb_vectors_sample(collect->vectors);
}

static void write_stacks(const void *opaque, FILE *out)
{
    const struct collect *collect = opaque;
    stack_profile_write(collect->contexts, collect->plan->weight, out);
}

static bool save_samples(const struct collect *collect, struct err *err)
{
    const char *path = collect->plan->samples_path;
    const bool csv = strcmp(strrchr(path, '.'), ".csv") == 0;
    return save_file("samples", path, csv ? analysers_write_csv : analysers_write_vcd,
                     annotate_analysers(collect->annotate), err);
}

bool collect_is_short(const struct collect *collect, struct err *err)
{
    if (!collect || !collect->vectors || !bb_vectors_is_short(collect->vectors))
        return false;
    err_set(err,
            "--bbv: the run ended before an interval of %" PRIu64 " instructions was complete: no vectors in %.200s",
            collect->plan->interval, collect->plan->vectors_path);
    return true;
}

bool collect_save(const struct collect *collect, struct err *err)
{
    if (!collect)
        return true;
    const struct collect_plan *plan = collect->plan;
    if (collect->timeline && timeline_is_full(collect->timeline))
        log_info(collect->machine->log,
                 "--timeline %s: truncated after %zu slices, before the end of the run (events=N raises the limit)",
                 plan->timeline_path, timeline_count(collect->timeline));
    return (!collect->contexts || save_file("stacks", plan->stacks_path, write_stacks, collect, err)) &&
           (!collect->timeline ||
            save_file("time line", plan->timeline_path, timeline_write, collect->timeline, err)) &&
           (!collect->vectors || save_file("vectors", plan->vectors_path, bb_vectors_write, collect->vectors, err)) &&
           (!plan->samples_path || save_samples(collect, err));
}
