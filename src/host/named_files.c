#include "src/host/named_file.h"

#include "src/base/open_outputs.h"
#include "src/base/save_file.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

struct named_file *named_files_add(struct named_files *files, const char *owner, const char *name, const char *kind,
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
    named_files_add(files, "", name, NULL, path, NAMED_READ);
}

void named_files_add_output(struct named_files *files, const char *name, const char *kind, const char *path)
{
    named_files_add(files, "", name, kind, path, NAMED_WRITTEN);
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

static bool is_figure(const char *name)
{
    return path_ends_with(name, ".svg");
}

void named_files_add_figures(struct named_files *files, const char *folder)
{
    struct named_file *file = named_files_add(files, "", "--svg", NULL, folder, NAMED_WRITTEN_BELOW);
    if (!file)
        return;
    file->concerns = is_figure;
    file->follow = true;
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
