#include "src/regress/regress_mend.h"

#include "src/base/input_file.h"
#include "src/base/save_file.h"
#include "src/guest/kernel_list.h"
#include "src/machine/machine.h"
#include "src/regress/regress_jobs.h"
#include "src/regress/regress_lines.h"
#include "src/sweep/sweep_record.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 64, NAME_SIZE = 80 };

/* The kernel, and what has executed of it. */
struct kernel {
    struct symbols *symbols;
    struct kernel_objects objects;
    char *executed;     /* text of a file of names */
    const char **names; /* of these, in their order */
    size_t name_count;
};

static void release_kernel(struct kernel *kernel)
{
    kernel_objects_release(&kernel->objects);
    symbols_free(kernel->symbols);
    free(kernel->names);
    free(kernel->executed);
}

static void divide_names(struct kernel *kernel)
{
    size_t lines = 1;
    for (const char *at = kernel->executed; *at; at++)
        lines += *at == '\n';
    kernel->names = checked_memory(calloc(lines, sizeof *kernel->names));
    char *rest = kernel->executed;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        kernel->names[kernel->name_count++] = line;
}

/* Which functions execute on MACHINE, in the order in which a linker is to put them: of a run of its own. */
static bool find_executed(const struct regress_run *run, const struct regress_side *side, unsigned machine,
                          struct kernel *kernel, int *signal, struct err *err)
{
    char path[PATH_MAX], removed[PATH_MAX], name[NAME_SIZE];
    struct sweep_jobs jobs = {0};
    snprintf(name, sizeof name, "functions-%u", machine);
    if (!sweep_record_path(path, run->work, name, ".functions", err))
        return false;
    const char *const words[] = {"--profile", path, NULL};
    bool done = regress_jobs_add_linked(run, side, machine, name, words, NULL, &jobs, signal, err);
    if (done)
        jobs.jobs[0].alone = true;
    done = done &&
           (access(path, F_OK) == 0 || sweep_record_remove(removed, run->work, jobs.jobs[0].name, ".job.json", err)) &&
           regress_jobs_run(run, &jobs, signal, err) && regress_jobs_finished(run, &jobs, err) &&
           (kernel->executed = input_file_text(INPUT_JOB, path, err)) != NULL;
    sweep_jobs_release(&jobs);
    if (done)
        divide_names(kernel);
    return done;
}

/* Ways to link */

struct list {
    const struct kernel_objects *objects;
    struct kernel_link link;
};

static void put_list(const void *opaque, FILE *out)
{
    const struct list *list = opaque;
    kernel_list_write(list->objects, &list->link, out);
}

/* Add a way to link for MACHINE to REPORT, of which WHAT is a name of KIND; NULL: there is one of this kind. */
static struct regress_mending *add_mending(struct regress_report *report, unsigned machine, enum regress_link kind,
                                           const char *what)
{
    report->mendings =
        checked_memory(realloc(report->mendings, (report->mending_count + 1) * sizeof *report->mendings));
    struct regress_mending *mending = &report->mendings[report->mending_count++];
    *mending =
        (struct regress_mending){.machine = machine,
                                 .link = kind,
                                 .object = what ? checked_memory(strdup(what)) : NULL,
                                 .value = checked_memory(calloc(report->run->file->row_count, sizeof *mending->value))};
    return mending;
}

static bool is_there(const struct regress_report *report, unsigned machine, const char *object)
{
    for (unsigned i = 0; i < report->mending_count; i++)
        if (report->mendings[i].machine == machine && report->mendings[i].object &&
            strcmp(report->mendings[i].object, object) == 0)
            return true;
    return false;
}

/* OBJECT of MACHINE behind all others, if it is one that can be moved. */
static void add_move(struct regress_report *report, unsigned machine, const struct kernel *kernel, const char *object)
{
    if (kernel_list_has_one(&kernel->objects, object) && !is_there(report, machine, object))
        add_mending(report, machine, REGRESS_LINK_LAST, object);
}

/* What is worth a try on MACHINE. */
static void choose(struct regress_report *report, unsigned machine, const struct kernel *kernel)
{
    add_mending(report, machine, REGRESS_LINK_ORDER, NULL);
    add_mending(report, machine, REGRESS_LINK_ALIGNED, NULL);
    for (unsigned i = 0; i < report->count; i++) {
        struct regress_pair pairs[REGRESS_PAIRS_SHOWN];
        if (report->results[i].machine != machine || regress_pairs_of(report, &report->results[i], pairs) == 0)
            continue;
        char missed[REGRESS_PAIR_NAME], evicted_by[REGRESS_PAIR_NAME];
        regress_pair_names(&pairs[0], missed, evicted_by);
        add_move(report, machine, kernel, missed);
        add_move(report, machine, kernel, evicted_by);
    }
}

/* The run of MENDING, number INDEX, and the list that it needs. */
static bool add_run(const struct regress_run *run, const struct regress_side *side, const struct kernel *kernel,
                    const struct regress_mending *mending, unsigned index, struct sweep_jobs *jobs, int *signal,
                    struct err *err)
{
    static const char *const none[] = {NULL};
    char name[NAME_SIZE], path[PATH_MAX];
    struct list list = {&kernel->objects, {.last = mending->object}};
    if (mending->link == REGRESS_LINK_ORDER)
        list.link = (struct kernel_link){.first = kernel->names, .first_count = kernel->name_count};
    else if (mending->link == REGRESS_LINK_ALIGNED)
        list.link = (struct kernel_link){.alignment = LINE_BYTES};
    snprintf(name, sizeof name, "%s-%u-%u", regress_link_name(mending->link), mending->machine, index);
    if (!sweep_record_remove(path, run->work, name, ".sym", err) ||
        !save_file("list of symbols", path, put_list, &list, err))
        return false;
    return regress_jobs_add_linked(run, side, mending->machine, name, none, path, jobs, signal, err);
}

static bool read_run(const struct regress_run *run, const struct sweep_job *job, struct sweep_inputs *inputs,
                     struct regress_mending *mending, struct err *err)
{
    struct sweep_result result;
    json_t *root = NULL;
    struct results *results = checked_memory(calloc(1, sizeof *results));
    bool done = regress_jobs_read(run, job, inputs, &result, &root, err) && results_read(results, job->name, root, err);
    for (unsigned row = 0; done && row < run->file->row_count; row++) {
        struct regress_parts parts = {0};
        unsigned unmatched = 0;
        done = regress_row_value(&run->file->rows[row], results, &mending->value[row], &parts, &unmatched, err);
        regress_parts_release(&parts);
    }
    results_release(results);
    free(results);
    json_decref(root);
    sweep_results_release(&result, 1);
    return done;
}

static bool mend_machine(const struct regress_run *run, const struct regress_side *side, unsigned machine,
                         struct regress_report *report, int *signal, struct err *err)
{
    struct kernel kernel = {.symbols = machine_read_symbols(side->kernel_path, err)};
    struct sweep_jobs jobs = {0};
    struct sweep_inputs *inputs = sweep_inputs_create();
    const unsigned first = report->mending_count;
    bool done = kernel.symbols && kernel_objects_find(&kernel.objects, kernel.symbols, run->data, err) &&
                find_executed(run, side, machine, &kernel, signal, err);
    if (done)
        choose(report, machine, &kernel);
    for (unsigned i = first; i < report->mending_count && done; i++)
        done = add_run(run, side, &kernel, &report->mendings[i], i - first, &jobs, signal, err);
    done = done && regress_jobs_run(run, &jobs, signal, err);
    for (unsigned i = first; i < report->mending_count && done; i++)
        done = read_run(run, &jobs.jobs[i - first], inputs, &report->mendings[i], err);
    sweep_inputs_free(inputs);
    sweep_jobs_release(&jobs);
    release_kernel(&kernel);
    return done;
}

static bool is_unlucky(const struct regress_report *report, unsigned machine)
{
    for (unsigned i = 0; i < report->count; i++)
        if (report->results[i].machine == machine && report->results[i].finding.linked.is_unlucky)
            return true;
    return false;
}

bool regress_mend(const struct regress_run *run, const struct regress_side *side, struct regress_report *report,
                  int *signal, struct err *err)
{
    bool done = true;
    for (unsigned machine = 0; machine < run->machines && done; machine++)
        done = !is_unlucky(report, machine) || mend_machine(run, side, machine, report, signal, err);
    return done;
}
