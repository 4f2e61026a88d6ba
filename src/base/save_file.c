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
    const char *what, *path;
    save_file_fn *write;
    const void *opaque;
    struct err *err;
};

static bool report(const struct saving *saving, int reason)
{
    return reason == 0 || err_set(saving->err, "%s %s: %s", saving->what, saving->path, strerror(reason));
}

/* Write everything to DESCRIPTOR and close it; FILE_TO_KEEP: also fsync(). 0 or an errno. */
static int write_and_close(const struct saving *saving, int descriptor, bool file_to_keep)
{
    FILE *out = fdopen(descriptor, "w");
    if (!out) {
        int reason = errno;
        close(descriptor);
        return reason;
    }
    errno = 0;
    saving->write(saving->opaque, out);
    int reason = 0;
    if (fflush(out) != 0 || ferror(out))
        reason = errno ? errno : EIO;
    else if (file_to_keep && fsync(descriptor) != 0 && errno != EINVAL) /* EINVAL: not supported by this file type */
        reason = errno;
    if (fclose(out) != 0 && reason == 0)
        reason = errno;
    return reason;
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

static bool save_direct(const struct saving *saving, int descriptor)
{
    return report(saving, descriptor < 0 ? errno : write_and_close(saving, descriptor, false));
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

/* Write to an existing path that is not a regular file. */
static bool save_special(const struct saving *saving)
{
    int descriptor = save_open(saving->what, saving->path, 0, saving->err);
    return descriptor >= 0 && save_direct(saving, descriptor);
}

bool save_file(const char *what, const char *path, save_file_fn *write, const void *opaque, struct err *err)
{
    const struct saving saving = {what, path, write, opaque, err};
    int known = descriptor_of(path);
    if (known >= 0) {
        fflush(NULL); /* earlier output comes first */
        return save_direct(&saving, dup(known));
    }
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && !S_ISREG(there.st_mode))
        return save_special(&saving);

    /* A symbolic link is kept: its target is replaced. */
    char *target = exists ? realpath(path, NULL) : NULL;
    if (!target)
        target = checked_memory(strdup(path));
    char *temporary = NULL;
    int descriptor = create_beside(target, 0666, &temporary);
    int reason = 0;
    if (descriptor < 0)
        reason = errno;
    else {
        if (exists && fchmod(descriptor, there.st_mode & 0777) != 0)
            reason = errno;
        int written = write_and_close(&saving, descriptor, true);
        if (reason == 0)
            reason = written;
        if (reason == 0 && rename(temporary, target) != 0)
            reason = errno;
        if (reason != 0)
            unlink(temporary);
    }
    free(temporary);
    free(target);
    return report(&saving, reason);
}
