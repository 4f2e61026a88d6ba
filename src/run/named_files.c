#include "src/run/named_files.h"

#include "src/observe/annotated.h"
#include "src/machine/board_disks.h"
#include "src/host/copy_files.h"
#include "src/machine/machine_file.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct named_file {
    char *name;       /* for messages: "--stats", "node a: machine.disk0" */
    const char *kind; /* kind, for errors of writing; NULL: checked when the file is opened */
    char *path;
    bool written;
    /* Identity: the file's inode or, if it does not exist, that of its folder and the name there. */
    bool known, there, special;
    dev_t device;
    ino_t inode;
    const char *base;
};

struct named_files {
    struct named_file *files;
    unsigned count;
    int *held; /* descriptors of pipes */
    unsigned held_count;
};

/* Options that name one file, and where struct command_line has its path. Files that are written at the end of the run
 * are checked in advance; files that are opened immediately report their errors themselves. */
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
    }
    for (unsigned i = 0; i < files->held_count; i++)
        close(files->held[i]);
    free(files->files);
    free(files->held);
    free(files);
}

/* Collecting */

static void add(struct named_files *files, const char *owner, const char *name, const char *kind, const char *path,
                bool written)
{
    if (!path || !*path)
        return;
    struct named_file file = {.kind = kind, .path = checked_memory(strdup(path)), .written = written};
    if (asprintf(&file.name, "%s%s", owner, name) < 0)
        log_bug("out of memory");
    files->files = checked_memory(realloc(files->files, (files->count + 1) * sizeof file));
    files->files[files->count++] = file;
}

void named_files_add_input(struct named_files *files, const char *name, const char *path)
{
    add(files, "", name, NULL, path, false);
}

/* A disk image and its overlay. */
static void add_disk(struct named_files *files, const char *owner, const char *name, const char *text)
{
    char overlay[64];
    struct disk_text disk;
    board_disk_parse(&disk, text);
    snprintf(overlay, sizeof overlay, "%s overlay", name);
    add(files, owner, name, NULL, disk.path, disk.mode == DISK_WRITE_THROUGH);
    add(files, owner, overlay, NULL, disk.overlay, true);
}

void named_files_add_params(struct named_files *files, const char *owner, const struct params *params)
{
    const struct param_def *def;
    char path[PATH_MAX + 16];
    for (size_t i = 0; (def = params_at(params, i)); i++) {
        if (def->type < PARAM_INPUT)
            continue;
        const char *value = params_string(params, def->name);
        if (def->type == PARAM_INPUT && machine_guest_file(params, def->name, path, sizeof path))
            add(files, owner, def->name, NULL, path, false);
        else if (def->type == PARAM_WORDS && *value == '@')
            add(files, owner, def->name, NULL, value + 1, false);
        else if (def->type == PARAM_OUTPUT)
            add(files, owner, def->name, def->name, value, true);
        else if (def->type == PARAM_DISK)
            add_disk(files, owner, def->name, value);
        else if (def->type == PARAM_CONSOLE && strncmp(value, "file:", 5) == 0)
            add(files, owner, def->name, NULL, value + 5, true);
    }
}

static void add_copies(struct named_files *files, const char *owner, const struct copy_files *copy)
{
    char path[PATH_MAX];
    for (unsigned i = 0; i < copy->in_count; i++)
        add(files, owner, "--copy-in", NULL, copy->in[i].from, false);
    for (unsigned i = 0; i < copy->out_count; i++) {
        const char *slash = strrchr(copy->out[i].from, '/');
        if (snprintf(path, sizeof path, "%s/%s", copy->out[i].to, slash ? slash + 1 : copy->out[i].from) < PATH_MAX)
            add(files, owner, "--copy-out", NULL, path, true);
    }
}

/* The result files PREFIX.* of a sweep. Sweeps of several runs (no --over) also write PREFIX.json. */
static void add_results(struct named_files *files, const char *owner, const char *prefix, bool runs)
{
    static const char *const ends[] = {".txt", ".tsv", ".json"};
    char path[PATH_MAX];
    for (size_t i = 0; prefix && i < sizeof ends / sizeof ends[0] - !runs; i++)
        if (snprintf(path, sizeof path, "%s%s", prefix, ends[i]) < PATH_MAX)
            add(files, owner, "--out", NULL, path, true);
}

void named_files_add_run(struct named_files *files, const char *owner, const struct run_options *run)
{
    for (size_t i = 0; i < sizeof run_files / sizeof run_files[0]; i++) {
        const struct run_file *row = &run_files[i];
        const char *path;
        memcpy(&path, (const char *)run + row->path, sizeof path);
        if (path && !(row->path == offsetof(struct run_options, annotations) && annotated_is_library(path)))
            add(files, owner, row->name, row->kind, path, row->written);
    }
    if (run->options.copy)
        add_copies(files, owner, run->options.copy);
    add_results(files, owner, run->out, run->over_count == 0);
    named_files_add_params(files, owner, run->options.params);
}

/* Identity */

/* Copy the folder of PATH to FOLDER; returns the name in it. */
static const char *split(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(length ? length : 1) : 1, slash ? path : ".");
    return slash ? slash + 1 : path;
}

static void identify(struct named_file *file)
{
    struct stat status;
    char folder[PATH_MAX];
    file->known = file->there = stat(file->path, &status) == 0;
    if (!file->there) {
        file->base = split(file->path, folder);
        file->known = stat(folder, &status) == 0;
    } else
        file->special = !S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode);
    file->device = status.st_dev;
    file->inode = status.st_ino;
}

static bool are_same(const struct named_file *a, const struct named_file *b)
{
    return a->known && b->known && !a->special && !b->special && a->there == b->there && a->device == b->device &&
           a->inode == b->inode && (a->there || strcmp(a->base, b->base) == 0);
}

static bool check_pair(const struct named_file *a, const struct named_file *b, struct err *err)
{
    const struct named_file *first = a->written ? a : b, *second = a->written ? b : a;
    if ((!a->written && !b->written) || !are_same(a, b))
        return true;
    return err_set(err, "%.100s %.150s and %.100s %.150s are the same file, and %s", first->name, first->path,
                   second->name, second->path,
                   second->written ? "both would be written" : "the first would be written");
}

/* Writability */

static bool hold(struct named_files *files, const struct named_file *file, struct err *err)
{
    int fd = save_open(file->kind, file->path, 0, err);
    if (fd < 0)
        return false;
    files->held = checked_memory(realloc(files->held, (files->held_count + 1) * sizeof *files->held));
    files->held[files->held_count++] = fd;
    return true;
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
        split(file->path, folder);
        if (access(folder, W_OK | X_OK) == 0)
            return true;
    }
    return err_set(err, "%s %s: %s", file->kind, file->path, strerror(errno));
}

bool named_files_check(struct named_files *files, struct err *err)
{
    for (unsigned i = 0; i < files->count; i++) {
        identify(&files->files[i]);
        for (unsigned j = 0; j < i; j++)
            if (!check_pair(&files->files[j], &files->files[i], err))
                return false;
    }
    bool done = true;
    for (unsigned i = 0; i < files->count; i++) {
        struct err reason = {""};
        if (files->files[i].written && files->files[i].kind && !check_output(files, &files->files[i], &reason))
            done = err_add(err, &reason);
    }
    return done;
}

bool named_files_check_run(const struct run_options *run, struct err *err)
{
    struct named_files *files = named_files_create();
    named_files_add_run(files, "", run);
    bool done = named_files_check(files, err);
    named_files_free(files);
    return done;
}
