#include "src/sweep/sweep_product.h"

#include "src/tcl/tcl_versions.h"
#include "src/description/machine_file.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 4 * SWEEP_JOB_NAME_MAX };

/* Axes */

static void release_axis(struct sweep_axis *axis)
{
    for (unsigned i = 0; i < axis->count; i++)
        free(axis->values[i]);
    free(axis->values);
    free(axis->name);
}

static struct sweep_axis new_axis(enum sweep_axis_kind kind, const char *name, unsigned count,
                                  const char *const *values)
{
    struct sweep_axis axis = {.kind = kind,
                              .name = checked_memory(strdup(name)),
                              .count = count,
                              .values = checked_memory(calloc(count + 1, sizeof(char *)))};
    for (unsigned i = 0; i < count; i++)
        axis.values[i] = checked_memory(strdup(values[i]));
    return axis;
}

bool sweep_product_set_axis(struct sweep_product *product, enum sweep_axis_kind kind, const char *name, unsigned count,
                            const char *const *values, struct err *err)
{
    unsigned at = 0;
    while (at < product->count && (product->axes[at].kind != kind || strcmp(product->axes[at].name, name) != 0))
        at++;
    if (at == SWEEP_AXES_MAX)
        return err_set(err, "%.64s: too many axes: at most %d", name, SWEEP_AXES_MAX);
    if (at < product->count)
        release_axis(&product->axes[at]);
    else
        product->count++;
    product->axes[at] = new_axis(kind, name, count, values);
    return true;
}

void sweep_product_copy(struct sweep_product *to, const struct sweep_product *from)
{
    *to = (struct sweep_product){.count = from->count};
    for (unsigned i = 0; i < from->count; i++) {
        const struct sweep_axis *axis = &from->axes[i];
        to->axes[i] = new_axis(axis->kind, axis->name, axis->count, (const char *const *)axis->values);
    }
}

void sweep_product_release(struct sweep_product *product)
{
    for (unsigned i = 0; i < product->count; i++)
        release_axis(&product->axes[i]);
    *product = (struct sweep_product){0};
}

/* Names */

/* Append VALUE of AXIS to a job name. File names are reduced to their last component without extension; characters that
 * are invalid in a name become "_". */
static void append(char *name, size_t size, const struct sweep_axis *axis, const char *value)
{
    const char *slash = strrchr(value, '/');
    const char *text = slash && axis->kind != SWEEP_COMMAND ? slash + 1 : value;
    const char *dot = strrchr(text, '.');
    bool file = axis->kind == SWEEP_CHECKPOINT || (dot && strcmp(dot, ".tcl") == 0);
    size_t start = strlen(name);
    int length = file && dot && dot != text ? (int)(dot - text) : (int)strlen(text);
    snprintf(name + start, size - start, "%s%s%s%.*s", start ? "-" : "", axis->kind == SWEEP_PARAM ? axis->name : "",
             axis->kind == SWEEP_PARAM ? "=" : "", length, text);
    for (char *at = name + start; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("-_.+=", *at))
            *at = '_';
}

static void name_job(const struct sweep_product *product, const unsigned *at, const char *first, char *name,
                     size_t size)
{
    snprintf(name, size, "%s", first);
    for (unsigned i = 0; i < product->count; i++)
        if (product->axes[i].count > 1)
            append(name, size, &product->axes[i], product->axes[i].values[at[i]]);
    if (!*name)
        snprintf(name, size, "job");
}

/* Words */

static bool add_option(struct sweep_job *job, const char *option, const char *value, struct err *err)
{
    char word[64];
    snprintf(word, sizeof word, "--%s", option);
    return sweep_job_add_word(job, word, err) && sweep_job_add_word(job, value, err);
}

static bool add_param(struct sweep_job *job, const char *name, const char *value, struct err *err)
{
    size_t size = strlen(name) + strlen(value) + 2;
    char *word = checked_memory(malloc(size));
    snprintf(word, size, "%s=%s", name, value);
    bool done = add_option(job, "set", word, err);
    free(word);
    return done;
}

/* Call ADD for each element of LIST. */
static bool add_list(struct sweep_job *job, const char *list,
                     bool (*add)(struct sweep_job *job, const char *text, struct err *err), struct err *err)
{
    Tcl_Size count;
    const char **words;
    if (Tcl_SplitList(NULL, list, &count, &words) != TCL_OK)
        return err_set(err, "\"%.128s\" is no list", list);
    bool done = true;
    for (Tcl_Size i = 0; i < count && done; i++)
        done = add(job, words[i], err);
    Tcl_Free((char *)words);
    return done;
}

static bool add_input(struct sweep_job *job, const char *path, struct err *err)
{
    return sweep_job_add_input(job, INPUT_DEPENDENCY, path, err);
}

static bool add_value(struct sweep_job *job, const struct sweep_axis *axis, const char *value, struct err *err)
{
    switch (axis->kind) {
    case SWEEP_CHECKPOINT:
        return sweep_job_add_word(job, "restore", err) && sweep_job_add_word(job, value, err) &&
               sweep_job_add_input(job, INPUT_CHECKPOINT, value, err);
    case SWEEP_OPTION:
        return add_option(job, axis->name, value, err) &&
               (strcmp(axis->name, "machine") != 0 || machine_text_find(value, NULL) ||
                sweep_job_add_input(job, INPUT_NAMED, value, err));
    case SWEEP_PARAM: return add_param(job, axis->name, value, err);
    case SWEEP_COMMAND: return sweep_job_add_word(job, "--", err) && add_list(job, value, sweep_job_add_word, err);
    case SWEEP_WORDS: return add_list(job, value, sweep_job_add_word, err);
    case SWEEP_INPUTS: return add_list(job, value, add_input, err);
    }
    return false;
}

/* Order in the command line: the checkpoint first, the command last. */
static unsigned order_of(enum sweep_axis_kind kind)
{
    return kind == SWEEP_CHECKPOINT ? 0 : kind == SWEEP_COMMAND ? 2 : 1;
}

static bool add_job(const struct sweep_product *product, const unsigned *at, const char *first, struct sweep_jobs *jobs,
                    struct err *err)
{
    char name[NAME_SIZE];
    name_job(product, at, first, name, sizeof name);
    struct sweep_job *job = sweep_jobs_add(jobs, name, err);
    bool done = job;
    for (unsigned order = 0; order < 3; order++)
        for (unsigned i = 0; i < product->count && done; i++)
            if (order_of(product->axes[i].kind) == order)
                done = add_value(job, &product->axes[i], product->axes[i].values[at[i]], err);
    for (unsigned i = 0; i < product->count && done; i++)
        done = product->axes[i].kind == SWEEP_INPUTS ||
               sweep_job_add_label(job, product->axes[i].name, product->axes[i].values[at[i]], err);
    return done;
}

/* Advance AT to the next combination; false after the last one. */
static bool advance(const struct sweep_product *product, unsigned *at)
{
    for (unsigned i = product->count; i-- > 0;) {
        if (++at[i] < product->axes[i].count)
            return true;
        at[i] = 0;
    }
    return false;
}

bool sweep_product_add_jobs(const struct sweep_product *product, const char *name, struct sweep_jobs *jobs,
                            struct err *err)
{
    unsigned at[SWEEP_AXES_MAX] = {0}, checkpoints = 0;
    for (unsigned i = 0; i < product->count; i++)
        checkpoints += product->axes[i].kind == SWEEP_CHECKPOINT;
    if (checkpoints == 0)
        return err_set(err, "there is no checkpoint to start from (checkpoint FILE)");
    do
        if (!add_job(product, at, name, jobs, err))
            return false;
    while (advance(product, at));
    return true;
}
