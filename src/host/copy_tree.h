/*
 * Creates files below a host directory, and nowhere else, from untrusted names and link targets.
 *
 * Paths are relative, with single slashes between components. Each component is opened relative to its parent without
 * following symbolic links, so that no link, old or new, leads outside. A new file replaces an old one by rename, with
 * owner, group and other permissions limited by the umask; an existing directory keeps its permissions. Symbolic links
 * are created only if they cannot lead out of the directory: relative, with ".." only at the beginning and at most as
 * many as there are directories above the link.
 */
#ifndef SIMOS_HOST_COPY_TREE_H
#define SIMOS_HOST_COPY_TREE_H

#include "src/base/log.h"
#include "src/base/types.h"

struct copy_tree {
    int root;       /* the directory */
    int parent;     /* directory of the file being written; -1: none */
    int file;       /* the file being written; -1: none */
    char name[256]; /* final name of that file */
    unsigned mode, umask;
};

/* Open FOLDER, which must exist. False with ERR naming it. */
bool copy_tree_open(struct copy_tree *tree, const char *folder, struct err *err);
void copy_tree_close(struct copy_tree *tree);

/* Each function creates missing parent directories of PATH. False with ERR, which begins with PATH. */
bool copy_tree_make_folder(struct copy_tree *tree, const char *path, unsigned mode, struct err *err);
bool copy_tree_make_symlink(struct copy_tree *tree, const char *path, const char *target, struct err *err);
/* Create a hard link at PATH to the file EXISTING, a path of the same kind. */
bool copy_tree_make_link(struct copy_tree *tree, const char *path, const char *existing, struct err *err);

/* Write a file: begin, write at offsets, end. It appears under its name after a successful end; after a failure nothing
 * of it remains. copy_tree_end_file() sets its size to SIZE bytes. */
bool copy_tree_begin_file(struct copy_tree *tree, const char *path, unsigned mode, struct err *err);
bool copy_tree_write(struct copy_tree *tree, uint64_t offset, const void *bytes, size_t count, struct err *err);
bool copy_tree_end_file(struct copy_tree *tree, uint64_t size, struct err *err);
/* Drop the file being written, if any. */
void copy_tree_drop_file(struct copy_tree *tree);

#endif
