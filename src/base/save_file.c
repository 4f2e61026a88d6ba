#include "src/base/save_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100 };

struct saving {
    char *what, *path;
    FILE *out;
    char *temporary, *target; /* NULL: PATH is written directly */
};

static bool report(const struct saving *saving, int reason, struct err *err)
{
    return reason == 0 || err_set(err, "%s %s: %s", saving->what, saving->path, strerror(reason));
}

/* The open descriptor that PATH names (/dev/stdout, /dev/fd/N), or -1. Opening such a path again could overwrite the
 * file from its beginning. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        const char *number = path + length;
        if (strncmp(path, folders[i], length) == 0 && *number && strlen(number) < 7 &&
            number[strspn(number, "0123456789")] == '\0')
            return atoi(number);
    }
    return -1;
}

/* Create a file in TARGET's directory and set *NAME to its name (the caller frees it). -1 with errno on failure. */
static int create_beside(const char *target, mode_t mode, char **name)
{
    size_t size = strlen(target) + 48;
    *name = checked_memory(malloc(size));
    for (int attempt = 0; attempt < TEMPORARY_TRIES; attempt++) {
        snprintf(*name, size, "%s.new-%ld-%d", target, (long)getpid(), attempt);
        int descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/* What open() means by ENXIO for PATH. */
static const char *nobody_there(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISCHR(status.st_mode))
        return strerror(ENXIO); /* /dev/tty of a process without a terminal */
    return S_ISSOCK(status.st_mode) ? "it is a socket" : "the pipe has no reader";
}

int save_open(const char *what, const char *path, int flags, struct err *err)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (flags & ~O_TRUNC), 0666);
    struct stat status;
    if (descriptor >= 0 && fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 &&
        fstat(descriptor, &status) == 0 &&
        (!S_ISREG(status.st_mode) || descriptor_of(path) >= 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 ||
         errno != EWOULDBLOCK) && /* other errors: some shared file systems have no locks */
        (!(flags & O_TRUNC) || !S_ISREG(status.st_mode) || ftruncate(descriptor, 0) == 0))
        return descriptor;
    err_set(err, "%s %s: %s", what, path,
            errno == ENXIO         ? nobody_there(path)
            : errno == EWOULDBLOCK ? "in use by another run, which writes it"
                                   : strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* Write to a new file beside the one that PATH names or will name. The descriptor; -1 with errno. */
static int open_beside(struct saving *saving, const struct stat *there)
{
    /* A symbolic link is kept: its target is replaced. */
    saving->target = there ? realpath(saving->path, NULL) : NULL;
    if (!saving->target)
        saving->target = checked_memory(strdup(saving->path));
    const int descriptor = create_beside(saving->target, 0666, &saving->temporary);
    if (descriptor < 0) {
        free(saving->temporary); /* the name of nothing of ours */
        saving->temporary = NULL;
    } else if (there && fchmod(descriptor, there->st_mode & 0777) != 0) {
        const int reason = errno;
        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
}

struct saving *saving_begin(const char *what, const char *path, struct err *err)
{
    struct saving *saving = checked_memory(calloc(1, sizeof *saving));
    saving->what = checked_memory(strdup(what));
    saving->path = checked_memory(strdup(path));
    const int known = descriptor_of(path);
    struct stat there;
    const bool exists = known < 0 && stat(path, &there) == 0;
    int descriptor;
    if (known >= 0) {
        fflush(NULL); /* earlier output comes first */
        descriptor = dup(known);
    } else if (exists && !S_ISREG(there.st_mode))
        descriptor = save_open(what, path, 0, err);
    else
        descriptor = open_beside(saving, exists ? &there : NULL);
    if (descriptor >= 0 && (saving->out = fdopen(descriptor, "w")))
        return saving;
    report(saving, errno, err); /* no effect if save_open() has said more */
    if (descriptor >= 0)
        close(descriptor);
    saving_free(saving);
    return NULL;
}

FILE *saving_stream(const struct saving *saving)
{
    return saving->out;
}

bool saving_complete(struct saving *saving, struct err *err)
{
    int reason = 0;
    if (fflush(saving->out) != 0 || ferror(saving->out))
        reason = errno ? errno : EIO;                                                 /* of the write that failed */
    else if (saving->temporary && fsync(fileno(saving->out)) != 0 && errno != EINVAL) /* not for this type of file */
        reason = errno;
    if (fclose(saving->out) != 0 && reason == 0)
        reason = errno;
    saving->out = NULL;
    return report(saving, reason, err);
}

bool saving_keep(struct saving *saving, struct err *err)
{
    if (!saving->temporary)
        return true;
    if (rename(saving->temporary, saving->target) != 0)
        return report(saving, errno, err);
    free(saving->temporary);
    saving->temporary = NULL;
    return true;
}

void saving_free(struct saving *saving)
{
    if (!saving)
        return;
    if (saving->out)
        fclose(saving->out);
    if (saving->temporary)
        unlink(saving->temporary);
    free(saving->temporary);
    free(saving->target);
    free(saving->path);
    free(saving->what);
    free(saving);
}

bool save_file(const char *what, const char *path, save_file_fn *write, const void *opaque, struct err *err)
{
    struct saving *saving = saving_begin(what, path, err);
    if (!saving)
        return false;
    errno = 0;
    write(opaque, saving_stream(saving));
    const bool done = saving_complete(saving, err) && saving_keep(saving, err);
    saving_free(saving);
    return done;
}
