/*
 * A file of the list of named files, with the details of its use: for src/host/named_files*.c, and what adds files of
 * kinds that these do not know (src/run/run_files.c).
 */
#ifndef SIMOS_HOST_NAMED_FILE_H
#define SIMOS_HOST_NAMED_FILE_H

#include "src/base/output_lock.h"
#include "src/host/named_files.h"
#include <sys/types.h>

/* What a run does with a name. */
enum named_use {
    NAMED_READ,          /* reads the file */
    NAMED_READ_BELOW,    /* reads files in the folder and below (a file: this file) */
    NAMED_WRITTEN,       /* writes the file */
    NAMED_WRITTEN_BELOW, /* makes the file or folder, and files in it and below */
};

struct named_file {
    char *name;       /* for messages: "--stats", "node a: machine.disk0" */
    const char *kind; /* kind, for errors of writing; NULL: checked when the file is opened */
    char *path;
    enum named_use use;
    bool unread; /* named, but not opened: it could only have been written over */
    bool link;   /* the run makes a symbolic link of this name, which counts instead of what it leads to */
    bool others; /* another process opens it, and locks it then */
    bool follow; /* *_BELOW: files that symbolic links in the folder lead to are read, or written, too */
    /* NAMED_READ_BELOW, NAMED_WRITTEN_BELOW: is the file NAME directly in the folder concerned, and no other file?
     * NULL: all files at any depth are. */
    bool (*concerns)(const char *name);
    /* Identity: the file's inode, and its path without links; of one that does not exist the folder's and its name. */
    char *real; /* NULL: the folder does not exist */
    bool there, special, folder;
    bool linked; /* the file has several names */
    dev_t device;
    ino_t inode;
};

struct named_files {
    struct named_file *files;
    unsigned count;
    int *held; /* descriptors of pipes */
    unsigned held_count;
    struct output_lock **locks;
    unsigned lock_count;
};

static inline bool named_file_is_written(const struct named_file *file)
{
    return file->use == NAMED_WRITTEN || file->use == NAMED_WRITTEN_BELOW;
}

/* Add a name, "OWNER" and "NAME" in messages; returns it for details of its use, until the next is added; NULL if PATH
 * is NULL or empty. */
struct named_file *named_files_add(struct named_files *files, const char *owner, const char *name, const char *kind,
                                   const char *path, enum named_use use);

/* Find the identity of FILE. */
void named_file_identify(struct named_file *file);

/* Do A and B, one of which is written, name the same file, or one a file that the other reads or makes below a folder?
 */
bool named_file_clashes(const struct named_file *a, const struct named_file *b);

#endif
