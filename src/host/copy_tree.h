/*
 * Makes files below a folder of the host, and nowhere else, whatever names and links somebody untrusted asks for.
 *
 * Paths are relative, their components separated by single slashes. Each is opened from the one before without
 * following symbolic links, so that neither one that was there nor one made here leads out. A new file takes the place
 * of an old one by rename, with permissions of owner, group and others that the umask allows; a folder that is there
 * keeps its own. Links are made only if they cannot lead out of the folder: relative, with ".." only in front and no
 * more of them than there are folders above the link.
 */
#ifndef SIMOS_COPY_TREE_H
#define SIMOS_COPY_TREE_H

#include "src/base/log.h"
#include "src/base/types.h"

struct copy_tree {
    int root;       /* the folder */
    int parent;     /* of the file that is being made; -1: none */
    int file;       /* that file; -1: none */
    char name[256]; /* its name in the end */
    unsigned mode, umask;
};

/* Open FOLDER, which must be there. False with ERR naming it. */
bool copy_tree_open(struct copy_tree *tree, const char *folder, struct err *err);
void copy_tree_close(struct copy_tree *tree);

/* Each makes the folders above PATH. False with ERR saying why; it begins with PATH. */
bool copy_tree_make_folder(struct copy_tree *tree, const char *path, unsigned mode, struct err *err);
bool copy_tree_make_symlink(struct copy_tree *tree, const char *path, const char *target, struct err *err);
/* Another name for the file EXISTING, a path of the same kind. */
bool copy_tree_make_link(struct copy_tree *tree, const char *path, const char *existing, struct err *err);

/* A file: begin, write at offsets, end. It is there under its name after a successful end. After a false nothing is
 * left of it. copy_tree_end_file() makes it SIZE bytes long. */
bool copy_tree_begin_file(struct copy_tree *tree, const char *path, unsigned mode, struct err *err);
bool copy_tree_write(struct copy_tree *tree, uint64_t offset, const void *bytes, size_t count, struct err *err);
bool copy_tree_end_file(struct copy_tree *tree, uint64_t size, struct err *err);
/* Give up the file that was begun, if one was. */
void copy_tree_drop_file(struct copy_tree *tree);

#endif
