#include "src/run/run_files.h"

#include "checkpoint/series_member.h"
#include "src/base/save_file.h"
#include "src/host/copy_files.h"
#include "src/host/named_file.h"
#include "src/machine/board_disks.h"
#include "src/description/machine_file.h"
#include "src/observe/annotated.h"
#include "src/observe/profile.h"
#include "src/run/restore.h"
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Options that name one file, and where struct run_options has its path. Files that are written at the end of the run
 * are checked in advance; files that are opened immediately report their errors themselves. The other options that name
 * files are those of add_folders(), add_copies() and named_files_add_results(); parameters are known by their type. */
#define PATH(member) offsetof(struct run_options, member)
static const struct run_file {
    const char *name, *kind;
    size_t path;
    bool written;
} run_files[] = {
    {"--stats", "statistics file", PATH(stats_path), true},
    {"--profile", "profile", PATH(profile_path), true},
    {"--stacks", "stacks", PATH(collect.stacks_path), true},
    {"--timeline", "time line", PATH(collect.timeline_path), true},
    {"--samples", "samples", PATH(collect.samples_path), true},
    {"--bbv", "vectors", PATH(collect.vectors_path), true},
    {"--checkpoint", "checkpoint", PATH(checkpoint_path), true},
    {"--trace", NULL, PATH(trace_path), true},
    {"--record", NULL, PATH(record_path), true},
    {"--replay", NULL, PATH(replay_path), false},
    {"--script", NULL, PATH(annotations), false},
    {"--machine", NULL, PATH(machine_file), false},
    {"the checkpoint", NULL, PATH(restored), false},
};
#undef PATH

/* A disk image and its overlay. */
static void add_disk(struct named_files *files, const char *owner, const char *name, const char *text)
{
    char overlay[64];
    struct disk_text disk;
    board_disk_parse(&disk, text);
    snprintf(overlay, sizeof overlay, "%s overlay", name);
    named_files_add(files, owner, name, NULL, disk.path, disk.mode == DISK_WRITE_THROUGH ? NAMED_WRITTEN : NAMED_READ);
    named_files_add(files, owner, overlay, NULL, disk.overlay, NAMED_WRITTEN);
}

/* An output that a parameter names. mxs.view has a file of its own for each CPU (cpu/mxs/viewer.c). */
static void add_output(struct named_files *files, const char *owner, const struct params *params,
                       const struct param_def *def, const char *value)
{
    char path[PATH_MAX];
    named_files_add(files, owner, def->name, def->name, value, NAMED_WRITTEN);
    uint64_t cpus = *value && strcmp(def->name, "mxs.view") == 0 ? params_u64(params, "machine.cpus") : 1;
    for (unsigned cpu = 1; cpu < cpus; cpu++)
        if (snprintf(path, sizeof path, "%s.cpu%u", value, cpu) < PATH_MAX)
            named_files_add(files, owner, def->name, def->name, path, NAMED_WRITTEN);
}

/* Does a restored machine not open the input that DEF names? It has its kernel and initial RAM disk in the checkpoint,
 * and does not use what is beside a kernel that only the checkpoint names (machine_load_symbols()). */
static bool is_in_checkpoint(const struct params *params, const struct param_def *def)
{
    const bool foreign = *params_string(params, "guest.kernel") && params_value_origin(params, "guest.kernel");
    return (def->traits & TRAIT_POWER_ON) || (foreign && !*params_string(params, def->name));
}

static void add_params(struct named_files *files, const char *owner, const struct params *params, bool restored)
{
    const struct param_def *def;
    struct named_file *link;
    char path[PATH_MAX + 16];
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        if (def->type < PARAM_INPUT)
            continue;
        const char *value = params_string(params, def->name);
        if (def->type == PARAM_INPUT && machine_guest_file(params, def->name, path, sizeof path)) {
            struct named_file *file = named_files_add(files, owner, def->name, NULL, path, NAMED_READ);
            if (file)
                file->unread = restored && is_in_checkpoint(params, def);
        } else if (def->type == PARAM_WORDS && *value == '@')
            named_files_add(files, owner, def->name, NULL, value + 1, NAMED_READ);
        else if (def->type == PARAM_OUTPUT)
            add_output(files, owner, params, def, value);
        else if (def->type == PARAM_DISK)
            add_disk(files, owner, def->name, value);
        else if (def->type == PARAM_CONSOLE && strncmp(value, "file:", 5) == 0)
            named_files_add(files, owner, def->name, NULL, value + 5, NAMED_WRITTEN);
        else if (def->type == PARAM_CONSOLE && strncmp(value, "pty:", 4) == 0 &&
                 (link = named_files_add(files, owner, def->name, NULL, value + 4, NAMED_WRITTEN)))
            link->link = true;
    }
}

void named_files_add_params(struct named_files *files, const char *owner, const struct params *params)
{
    add_params(files, owner, params, false);
}

/* Files and trees that are copied. A copy out may be a folder with anything below. */
static void add_copies(struct named_files *files, const char *owner, const struct copy_files *copy)
{
    char path[PATH_MAX];
    for (unsigned i = 0; i < copy->in_count; i++)
        named_files_add(files, owner, "--copy-in", NULL, copy->in[i].from, NAMED_READ_BELOW);
    for (unsigned i = 0; i < copy->out_count; i++) {
        const char *slash = strrchr(copy->out[i].from, '/');
        if (snprintf(path, sizeof path, "%s/%s", copy->out[i].to, slash ? slash + 1 : copy->out[i].from) < PATH_MAX)
            named_files_add(files, owner, "--copy-out", NULL, path, NAMED_WRITTEN_BELOW);
    }
}

/* Folders whose files are read, or in which files are made. */
static void add_folders(struct named_files *files, const char *owner, const struct run_options *run)
{
    struct named_file *file;
    for (unsigned i = 0; i < run->collect.symbol_count; i++)
        if ((file = named_files_add(files, owner, "--symbols", NULL, run->collect.symbols[i], NAMED_READ_BELOW)))
            file->follow = true;
    named_files_add(files, owner, "--history", NULL, run->history_series, NAMED_READ_BELOW);
    if ((file = named_files_add(files, owner, "--series", NULL, run->series.folder, NAMED_WRITTEN_BELOW)))
        file->concerns = series_is_member_name;
}

/* The files of the series that the restored checkpoint needs. */
static void add_needed(struct named_files *files, const char *owner, const struct restore *restore)
{
    char *paths[SERIES_DEPENDENCIES_MAX];
    unsigned count = restore_needed_files(restore, paths);
    for (unsigned i = 0; i < count; i++) {
        named_files_add(files, owner, "the series", NULL, paths[i], NAMED_READ);
        free(paths[i]);
    }
}

static struct named_file *add_suffixed(struct named_files *files, const char *kind, const char *prefix,
                                       const char *suffix, enum named_use use)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s%s", prefix, suffix) < PATH_MAX
               ? named_files_add(files, "", "--out", kind, path, use)
               : NULL;
}

/* A file of a sweep's work folder (src/sweep/sweep_run.h, slurm.h). */
static bool is_work_file(const char *name)
{
    static const char *const ends[] = {".job.json", ".stats.json", ".out", ".err", ".sbatch", ".lock"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (path_ends_with(name, ends[i]))
            return true;
    return false;
}

void named_files_add_results(struct named_files *files, const char *prefix, enum named_results results)
{
    static const char *const suffixes[][4] = {
        [NAMED_RESULTS_SERIES] = {".txt", ".tsv"},
        [NAMED_RESULTS_JOBS] = {".json", ".txt"},
        [NAMED_RESULTS_WINDOWS] = {".json", ".txt", ".merged.json", ".merged.txt"},
    };
    for (size_t i = 0; i < 4 && suffixes[results][i]; i++)
        add_suffixed(files, results == NAMED_RESULTS_SERIES ? "--out" : NULL, prefix, suffixes[results][i],
                     NAMED_WRITTEN); /* the jobs' work folder is made before the first job runs */
    struct named_file *work =
        results == NAMED_RESULTS_SERIES ? NULL : add_suffixed(files, NULL, prefix, ".work", NAMED_WRITTEN_BELOW);
    if (work)
        work->concerns = is_work_file;
}

void named_files_add_series(struct named_files *files, const char *folder)
{
    struct named_file *file = named_files_add(files, "", "the series", NULL, folder, NAMED_READ_BELOW);
    if (file)
        file->concerns = series_is_member_name;
}

void named_files_add_run(struct named_files *files, const char *owner, const struct run_options *run)
{
    for (size_t i = 0; i < sizeof run_files / sizeof run_files[0]; i++) {
        const struct run_file *row = &run_files[i];
        const char *path;
        memcpy(&path, (const char *)run + row->path, sizeof path);
        if (path && !(row->path == offsetof(struct run_options, annotations) && annotated_is_library(path)))
            named_files_add(files, owner, row->name, row->kind, path, row->written ? NAMED_WRITTEN : NAMED_READ);
    }
    char *guards = run->profile_path ? profile_guards_path(run->profile_path) : NULL;
    named_files_add(files, owner, "--profile guards", "profile", guards, NAMED_WRITTEN);
    free(guards);
    if (run->options.copy)
        add_copies(files, owner, run->options.copy);
    add_folders(files, owner, run);
    if (run->restore)
        add_needed(files, owner, run->restore);
    if (run->out && run->over_count > 0)
        named_files_add_results(files, run->out, NAMED_RESULTS_SERIES);
    add_params(files, owner, run->options.params, run->restore != NULL);
}

void named_files_add_job(struct named_files *files, const char *owner, const struct run_options *run)
{
    unsigned first = files->count;
    named_files_add_run(files, owner, run);
    for (unsigned i = first; i < files->count; i++)
        files->files[i].others = true;
}

struct named_files *named_files_take_run(const struct run_options *run, struct err *err)
{
    struct named_files *files = named_files_create();
    named_files_add_run(files, "", run);
    if (named_files_check(files, err))
        return files;
    named_files_free(files);
    return NULL;
}
