#include "src/host/copy_tree.h"
#include "src/host/copy_sparse.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Name of a file until it is complete. Only one file is written at a time; an old file of this name is deleted. */
#define TEMPORARY ".simos-copy-out"

enum { PERMISSIONS = 0777, OWNER_MAY_ENTER = 0700, OWNER_MAY_CHANGE = 0600 };

static bool failed(const char *path, struct err *err)
{
    return err_set(err, "%.300s: %s", path, strerror(errno));
}

bool copy_tree_open(struct copy_tree *tree, const char *folder, struct err *err)
{
    *tree = (struct copy_tree){.parent = -1, .file = -1};
    tree->umask = umask(0); /* umask() is the only way to read the mask */
    umask((mode_t)tree->umask);
    tree->root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return tree->root >= 0 || failed(folder, err);
}

void copy_tree_close(struct copy_tree *tree)
{
    copy_tree_drop_file(tree);
    if (tree->root >= 0)
        close(tree->root);
    tree->root = -1;
}

/* Copy the component of PATH at *AT to NAME, and advance *AT behind it. False with ERR if it is empty, "." or "..", or
 * the temporary name. */
static bool take_component(const char *path, const char **at, char *name, size_t size, struct err *err)
{
    size_t length = strcspn(*at, "/");
    if (length == 0 || (length == 1 && **at == '.') || (length == 2 && memcmp(*at, "..", 2) == 0))
        return err_set(err, "%.300s: not a path below the folder", path);
    if (length >= size) {
        errno = ENAMETOOLONG;
        return failed(path, err);
    }
    memcpy(name, *at, length);
    name[length] = 0;
    *at += length;
    return strcmp(name, TEMPORARY) != 0 || err_set(err, "%.300s: the name is in use here", path);
}

/* Open the parent directory of PATH; NAME is set to the last component. Missing directories are created if MAKE. -1
 * with ERR. */
static int open_parent(const struct copy_tree *tree, const char *path, bool make, char *name, size_t size,
                       struct err *err)
{
    const char *at = path;
    int folder = dup(tree->root);
    if (folder < 0)
        failed(path, err);
    while (folder >= 0) {
        if (!take_component(path, &at, name, size, err))
            break;
        if (!*at)
            return folder;
        at++;
        if (make && mkdirat(folder, name, PERMISSIONS) != 0 && errno != EEXIST) {
            failed(path, err);
            break;
        }
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0) {
            failed(path, err);
            break;
        }
        close(folder);
        folder = inner;
    }
    if (folder >= 0)
        close(folder);
    return -1;
}

bool copy_tree_make_folder(struct copy_tree *tree, const char *path, unsigned mode, struct err *err)
{
    char name[sizeof tree->name];
    int parent = open_parent(tree, path, true, name, sizeof name, err), folder = -1;
    if (parent < 0)
        return false;
    bool made = mkdirat(parent, name, PERMISSIONS) == 0, done = made || errno == EEXIST;
    if (done)
        folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    /* A new directory gets owner access, so that we can write to it. An existing one keeps its permissions. */
    done = folder >= 0 && (!made || fchmod(folder, (mode & ~tree->umask & PERMISSIONS) | OWNER_MAY_ENTER) == 0);
    if (!done)
        failed(path, err);
    if (folder >= 0)
        close(folder);
    close(parent);
    return done;
}

/* Does a symbolic link at PATH to TARGET stay inside the directory? Its parent directories are real ones, so each ".."
 * goes up one of them. */
static bool stays_inside(const char *path, const char *target)
{
    unsigned above = 0;
    for (const char *at = path; *at; at++)
        above += *at == '/';
    if (!*target || *target == '/')
        return false;
    bool in_front = true;
    for (const char *at = target; *at; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            if (!in_front || above-- == 0)
                return false;
        } else if (!(length == 1 && *at == '.'))
            in_front = false;
        at += length;
    }
    return true;
}

/* Rename TEMPORARY in PARENT to NAME. */
static bool rename_temporary(int parent, const char *name, const char *path, struct err *err)
{
    if (renameat(parent, TEMPORARY, parent, name) == 0) {
        unlinkat(parent, TEMPORARY, 0); /* remains if both names were links to the same file */
        return true;
    }
    failed(path, err);
    unlinkat(parent, TEMPORARY, 0);
    return false;
}

bool copy_tree_make_symlink(struct copy_tree *tree, const char *path, const char *target, struct err *err)
{
    char name[sizeof tree->name];
    if (!stays_inside(path, target))
        return err_set(err, "%.300s: the link to %.200s could lead out of the folder", path, target);
    int parent = open_parent(tree, path, true, name, sizeof name, err);
    if (parent < 0)
        return false;
    unlinkat(parent, TEMPORARY, 0);
    bool done = symlinkat(target, parent, TEMPORARY) == 0 || failed(path, err);
    done = done && rename_temporary(parent, name, path, err);
    close(parent);
    return done;
}

bool copy_tree_make_link(struct copy_tree *tree, const char *path, const char *existing, struct err *err)
{
    char name[sizeof tree->name], old_name[sizeof tree->name];
    struct stat status;
    int old_parent = open_parent(tree, existing, false, old_name, sizeof old_name, err);
    if (old_parent < 0)
        return false;
    int parent = open_parent(tree, path, true, name, sizeof name, err);
    bool done = parent >= 0;
    if (done) {
        unlinkat(parent, TEMPORARY, 0);
        done = (fstatat(old_parent, old_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
                linkat(old_parent, old_name, parent, TEMPORARY, 0) == 0) ||
               err_set(err, "%.300s: cannot become another name of %.300s", path, existing);
        done = done && rename_temporary(parent, name, path, err);
        close(parent);
    }
    close(old_parent);
    return done;
}

bool copy_tree_begin_file(struct copy_tree *tree, const char *path, unsigned mode, struct err *err)
{
    copy_tree_drop_file(tree);
    tree->parent = open_parent(tree, path, true, tree->name, sizeof tree->name, err);
    if (tree->parent < 0)
        return false;
    tree->mode = mode & ~tree->umask & PERMISSIONS;
    unlinkat(tree->parent, TEMPORARY, 0);
    tree->file =
        openat(tree->parent, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, OWNER_MAY_CHANGE);
    if (tree->file >= 0)
        return true;
    failed(path, err);
    copy_tree_drop_file(tree);
    return false;
}

bool copy_tree_write(struct copy_tree *tree, uint64_t offset, const void *bytes, size_t count, struct err *err)
{
    enum { BLOCK = 4096 }; /* a block of zeros stays a hole of the file, which is new */
    for (const char *at = bytes; count > 0;) {
        size_t part = BLOCK - offset % BLOCK < count ? BLOCK - offset % BLOCK : count;
        ssize_t done = copy_is_zero(at, part) ? (ssize_t)part : pwrite(tree->file, at, part, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            failed(tree->name, err);
            copy_tree_drop_file(tree);
            return false;
        }
        at += done;
        offset += (uint64_t)done;
        count -= (size_t)done;
    }
    return true;
}

bool copy_tree_end_file(struct copy_tree *tree, uint64_t size, struct err *err)
{
    bool done = ftruncate(tree->file, (off_t)size) == 0 && fchmod(tree->file, tree->mode) == 0;
    if (close(tree->file) != 0)
        done = false;
    tree->file = -1;
    if (!done)
        failed(tree->name, err);
    done = done && rename_temporary(tree->parent, tree->name, tree->name, err);
    copy_tree_drop_file(tree);
    return done;
}

void copy_tree_drop_file(struct copy_tree *tree)
{
    if (tree->file >= 0)
        close(tree->file);
    if (tree->parent >= 0) {
        unlinkat(tree->parent, TEMPORARY, 0);
        close(tree->parent);
    }
    tree->file = tree->parent = -1;
}
