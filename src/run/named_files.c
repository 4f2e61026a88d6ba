#include "src/run/named_files_private.h"

#include "checkpoint/series_member.h"
#include "src/observe/annotated.h"
#include "src/observe/profile.h"
#include "src/run/restore.h"
#include "src/machine/board_disks.h"
#include "src/host/copy_files.h"
#include "src/description/machine_file.h"
#include "src/base/open_outputs.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

struct named_files *named_files_create(void)
{
    return checked_memory(calloc(1, sizeof(struct named_files)));
}

void named_files_free(struct named_files *files)
{
    if (!files)
        return;
    for (unsigned i = 0; i < files->count; i++) {
        free(files->files[i].name);
        free(files->files[i].path);
        free(files->files[i].real);
    }
    for (unsigned i = 0; i < files->lock_count; i++)
        output_lock_release(files->locks[i]);
    free(files->locks);
    for (unsigned i = 0; i < files->held_count; i++)
        close(files->held[i]);
    free(files->files);
    free(files->held);
    free(files);
}

/* Collecting */

/* Add a name; returns it for details of its use, NULL if PATH is NULL or empty. */
static struct named_file *add(struct named_files *files, const char *owner, const char *name, const char *kind,
                              const char *path, enum named_use use)
{
    if (!path || !*path)
        return NULL;
    struct named_file file = {.kind = kind, .path = checked_memory(strdup(path)), .use = use};
    if (asprintf(&file.name, "%s%s", owner, name) < 0)
        log_bug("out of memory");
    files->files = checked_memory(realloc(files->files, (files->count + 1) * sizeof file));
    files->files[files->count] = file;
    return &files->files[files->count++];
}

void named_files_add_input(struct named_files *files, const char *name, const char *path)
{
    add(files, "", name, NULL, path, NAMED_READ);
}

void named_files_add_output(struct named_files *files, const char *name, const char *kind, const char *path)
{
    add(files, "", name, kind, path, NAMED_WRITTEN);
}

bool named_files_next_input(const struct named_files *files, unsigned *index, const char **name, const char **path)
{
    while (*index < files->count) {
        const struct named_file *file = &files->files[(*index)++];
        if (file->use != NAMED_READ || file->unread)
            continue;
        *name = file->name;
        *path = file->path;
        return true;
    }
    return false;
}

/* A disk image and its overlay. */
static void add_disk(struct named_files *files, const char *owner, const char *name, const char *text)
{
    char overlay[64];
    struct disk_text disk;
    board_disk_parse(&disk, text);
    snprintf(overlay, sizeof overlay, "%s overlay", name);
    add(files, owner, name, NULL, disk.path, disk.mode == DISK_WRITE_THROUGH ? NAMED_WRITTEN : NAMED_READ);
    add(files, owner, overlay, NULL, disk.overlay, NAMED_WRITTEN);
}

/* An output that a parameter names. mxs.view has a file of its own for each CPU (cpu/mxs/viewer.c). */
static void add_output(struct named_files *files, const char *owner, const struct params *params,
                       const struct param_def *def, const char *value)
{
    char path[PATH_MAX];
    add(files, owner, def->name, def->name, value, NAMED_WRITTEN);
    uint64_t cpus = *value && strcmp(def->name, "mxs.view") == 0 ? params_u64(params, "machine.cpus") : 1;
    for (unsigned cpu = 1; cpu < cpus; cpu++)
        if (snprintf(path, sizeof path, "%s.cpu%u", value, cpu) < PATH_MAX)
            add(files, owner, def->name, def->name, path, NAMED_WRITTEN);
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
            struct named_file *file = add(files, owner, def->name, NULL, path, NAMED_READ);
            if (file)
                file->unread = restored && is_in_checkpoint(params, def);
        } else if (def->type == PARAM_WORDS && *value == '@')
            add(files, owner, def->name, NULL, value + 1, NAMED_READ);
        else if (def->type == PARAM_OUTPUT)
            add_output(files, owner, params, def, value);
        else if (def->type == PARAM_DISK)
            add_disk(files, owner, def->name, value);
        else if (def->type == PARAM_CONSOLE && strncmp(value, "file:", 5) == 0)
            add(files, owner, def->name, NULL, value + 5, NAMED_WRITTEN);
        else if (def->type == PARAM_CONSOLE && strncmp(value, "pty:", 4) == 0 &&
                 (link = add(files, owner, def->name, NULL, value + 4, NAMED_WRITTEN)))
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
        add(files, owner, "--copy-in", NULL, copy->in[i].from, NAMED_READ_BELOW);
    for (unsigned i = 0; i < copy->out_count; i++) {
        const char *slash = strrchr(copy->out[i].from, '/');
        if (snprintf(path, sizeof path, "%s/%s", copy->out[i].to, slash ? slash + 1 : copy->out[i].from) < PATH_MAX)
            add(files, owner, "--copy-out", NULL, path, NAMED_WRITTEN_BELOW);
    }
}

/* Folders whose files are read, or in which files are made. */
static void add_folders(struct named_files *files, const char *owner, const struct run_options *run)
{
    struct named_file *file;
    for (unsigned i = 0; i < run->collect.symbol_count; i++)
        if ((file = add(files, owner, "--symbols", NULL, run->collect.symbols[i], NAMED_READ_BELOW)))
            file->follow = true;
    if ((file = add(files, owner, "--series", NULL, run->series.folder, NAMED_WRITTEN_BELOW)))
        file->concerns = series_is_member_name;
}

/* The files of the series that the restored checkpoint needs. */
static void add_needed(struct named_files *files, const char *owner, const struct restore *restore)
{
    char *paths[SERIES_DEPENDENCIES_MAX];
    unsigned count = restore_needed_files(restore, paths);
    for (unsigned i = 0; i < count; i++) {
        add(files, owner, "the series", NULL, paths[i], NAMED_READ);
        free(paths[i]);
    }
}

static struct named_file *add_suffixed(struct named_files *files, const char *kind, const char *prefix,
                                       const char *suffix, enum named_use use)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s%s", prefix, suffix) < PATH_MAX ? add(files, "", "--out", kind, path, use)
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

static bool is_figure(const char *name)
{
    return path_ends_with(name, ".svg");
}

void named_files_add_figures(struct named_files *files, const char *folder)
{
    struct named_file *file = add(files, "", "--svg", NULL, folder, NAMED_WRITTEN_BELOW);
    if (!file)
        return;
    file->concerns = is_figure;
    file->follow = true;
}

void named_files_add_series(struct named_files *files, const char *folder)
{
    struct named_file *file = add(files, "", "the series", NULL, folder, NAMED_READ_BELOW);
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
            add(files, owner, row->name, row->kind, path, row->written ? NAMED_WRITTEN : NAMED_READ);
    }
    char *guards = run->profile_path ? profile_guards_path(run->profile_path) : NULL;
    add(files, owner, "--profile guards", "profile", guards, NAMED_WRITTEN);
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

/* Conflicts */

static bool check_pair(const struct named_file *a, const struct named_file *b, struct err *err)
{
    if ((!named_file_is_written(a) && !named_file_is_written(b)) || !named_file_clashes(a, b))
        return true;
    bool both = named_file_is_written(a) && named_file_is_written(b);
    const struct named_file *first = named_file_is_written(a) ? a : b, *second = first == a ? b : a;
    if (strcmp(a->real, b->real) == 0 || !(a->folder || b->folder))
        return err_set(err, "%.100s %.150s and %.100s %.150s are the same file, and %s", first->name, first->path,
                       second->name, second->path, both ? "both would be written" : "the first would be written");
    bool swap = first->folder && !second->folder;
    return err_set(err, "%.100s %.150s is a file of %.100s %.150s, and %s", (swap ? second : first)->name,
                   (swap ? second : first)->path, (swap ? first : second)->name, (swap ? first : second)->path,
                   both ? "both would be written" : "would be written");
}

/* Writability */

static bool hold(struct named_files *files, const struct named_file *file, struct err *err)
{
    int fd = save_open(file->kind, file->path, 0, err);
    if (fd < 0)
        return false;
    open_outputs_remove(fd); /* nothing is written to it: who writes opens the pipe again */
    files->held = checked_memory(realloc(files->held, (files->held_count + 1) * sizeof *files->held));
    files->held[files->held_count++] = fd;
    return true;
}

/* Copy the folder of PATH to FOLDER. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(length ? length : 1) : 1, slash ? path : ".");
}

static bool check_output(struct named_files *files, const struct named_file *file, struct err *err)
{
    char folder[PATH_MAX];
    struct stat status;
    if (stat(file->path, &status) == 0) {
        if (S_ISFIFO(status.st_mode))
            return hold(files, file, err);
        if (S_ISDIR(status.st_mode))
            errno = EISDIR;
        else if (access(file->path, W_OK) == 0)
            return true;
    } else if (errno == ENOENT && strlen(file->path) < PATH_MAX) {
        folder_of(file->path, folder);
        if (access(folder, W_OK | X_OK) == 0)
            return true;
    }
    return err_set(err, "%s %s: %s", file->kind, file->path, strerror(errno));
}

/* Lock what FILE writes, unless another process does, it is a device or pipe, or names a descriptor that this process
 * was given. */
static bool lock(struct named_files *files, const struct named_file *file, struct err *err)
{
    if (!named_file_is_written(file) || file->others || !file->real || file->special ||
        strncmp(file->path, "/dev/", 5) == 0 || strncmp(file->path, "/proc/", 6) == 0)
        return true;
    struct output_lock *taken = (file->link ? output_lock_take_link : output_lock_take)(file->name, file->path, err);
    if (!taken)
        return false;
    files->locks = checked_memory(realloc(files->locks, (files->lock_count + 1) * sizeof(struct output_lock *)));
    files->locks[files->lock_count++] = taken;
    return true;
}

bool named_files_check(struct named_files *files, struct err *err)
{
    /* Of the sweeps' thousands of files few are written: only pairs with one of them are looked at. */
    unsigned *written = checked_memory(calloc(files->count + 1, sizeof *written)), written_count = 0;
    bool done = true;
    for (unsigned i = 0; done && i < files->count; i++) {
        const bool writes = named_file_is_written(&files->files[i]);
        named_file_identify(&files->files[i]);
        for (unsigned j = 0; done && j < (writes ? i : written_count); j++)
            done = check_pair(&files->files[writes ? j : written[j]], &files->files[i], err);
        if (writes)
            written[written_count++] = i;
    }
    free(written);
    if (!done)
        return false;
    for (unsigned i = 0; i < files->count; i++) {
        struct err reason = {""};
        if (named_file_is_written(&files->files[i]) && files->files[i].kind &&
            !check_output(files, &files->files[i], &reason))
            done = err_add(err, &reason);
    }
    for (unsigned i = 0; done && i < files->count; i++)
        done = lock(files, &files->files[i], err);
    return done;
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
