/* Which of two names denote the same file, or a file below the other: links are followed, hard links count. */
#include "src/host/named_file.h"

#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The path without links of PATH, or of its folder and its name there (also if PATH is a LINK). NULL if the folder does
 * not exist. */
static char *real_path(const char *path, bool link)
{
    char *real = link ? NULL : realpath(path, NULL);
    if (real)
        return real;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if ((size_t)snprintf(folder, sizeof folder, "%.*s", slash ? (int)(length ? length : 1) : 1, slash ? path : ".") >=
        sizeof folder)
        return NULL;
    char *parent = realpath(folder, NULL), *whole = NULL;
    if (parent && asprintf(&whole, "%s/%s", strcmp(parent, "/") == 0 ? "" : parent, slash ? slash + 1 : path) < 0)
        log_bug("out of memory");
    free(parent);
    return whole;
}

void named_file_identify(struct named_file *file)
{
    struct stat status;
    free(file->real);
    file->real = real_path(file->path, file->link);
    file->there = !file->link && stat(file->path, &status) == 0;
    if (!file->there)
        return;
    file->folder = S_ISDIR(status.st_mode);
    file->special = !S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode) && !file->folder;
    file->linked = status.st_nlink > 1;
    file->device = status.st_dev;
    file->inode = status.st_ino;
}

/* The part of FILE's path below FOLDER's; NULL if it is not there. */
static const char *below(const struct named_file *folder, const struct named_file *file)
{
    size_t length = strlen(folder->real);
    if (strcmp(folder->real, "/") == 0)
        length = 0;
    return strncmp(file->real, folder->real, length) == 0 && file->real[length] == '/' && file->real[length + 1]
               ? file->real + length + 1
               : NULL;
}

static bool are_same(const struct named_file *a, const struct named_file *b)
{
    return strcmp(a->real, b->real) == 0 || (a->there && b->there && a->device == b->device && a->inode == b->inode);
}

static bool is_concerned(const struct named_file *folder, const char *name)
{
    return !folder->concerns || (!strchr(name, '/') && folder->concerns(name));
}

/* Does FOLDER have FILE, which exists, under another name: a hard link or, if they are followed, a symbolic one? Only
 * folders of which all files at any depth are concerned are walked through. */
static bool has_inode(const struct named_file *folder, const struct named_file *file)
{
    if (!folder->follow && !file->linked)
        return false;
    char *const roots[] = {folder->real, NULL};
    FTS *tree = fts_open(roots, (folder->follow ? FTS_LOGICAL : FTS_PHYSICAL) | FTS_NOCHDIR, NULL);
    bool found = false;
    FTSENT *entry;
    while (tree && !found && (entry = fts_read(tree))) {
        if (folder->concerns && entry->fts_info == FTS_D && entry->fts_level > 0)
            fts_set(tree, entry, FTS_SKIP);
        found = entry->fts_info == FTS_F && entry->fts_statp->st_dev == file->device &&
                entry->fts_statp->st_ino == file->inode &&
                is_concerned(folder, entry->fts_path + (entry->fts_level ? strlen(folder->real) + 1 : 0));
    }
    if (tree)
        fts_close(tree);
    return found;
}

/* Does OUTPUT write a file that INPUT reads? In a folder, a file that does not exist is no input. */
static bool overwrites(const struct named_file *output, const struct named_file *input)
{
    if (output->use == NAMED_WRITTEN && are_same(output, input))
        return true;
    if (!output->there)
        return false;
    if (output->use == NAMED_WRITTEN_BELOW) {
        const char *name = below(output, input);
        if (output->follow && input->there && has_inode(output, input))
            return true;
        if (output->concerns && input->use == NAMED_READ_BELOW)
            return false; /* such files (a series, checkpoints of a debugger) are new, or refused when they are there */
        if ((name && is_concerned(output, name)) || (!output->concerns && are_same(output, input)))
            return true;
        return input->use == NAMED_READ_BELOW && below(input, output) && !input->concerns;
    }
    if (input->use != NAMED_READ_BELOW)
        return false;
    const char *name = below(input, output);
    return (name && is_concerned(input, name)) || has_inode(input, output);
}

/* Would the outputs A and B make the same file? */
static bool makes_same(const struct named_file *a, const struct named_file *b)
{
    const char *name;
    if (a->use == NAMED_WRITTEN_BELOW && (name = below(a, b)) && is_concerned(a, name))
        return true;
    if (b->use == NAMED_WRITTEN_BELOW && (name = below(b, a)) && is_concerned(b, name))
        return true;
    /* Two folders that both get files, each of its own kind, may be one. */
    return are_same(a, b) && (a->use == NAMED_WRITTEN || !a->concerns || a->concerns == b->concerns);
}

bool named_file_clashes(const struct named_file *a, const struct named_file *b)
{
    if (!a->real || !b->real || a->special || b->special)
        return false;
    if (named_file_is_written(a) && named_file_is_written(b))
        return makes_same(a, b);
    return named_file_is_written(a) ? overwrites(a, b) : overwrites(b, a);
}
