#include "src/base/save_file.h"

#include "src/base/open_outputs.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100, NAME_LONGEST = 200 /* bytes that leave room for a temporary name */ };

struct saving {
    char *what, *path;
    FILE *out;
    char *target;    /* NULL: PATH is written directly */
    int unnamed;     /* the new file, which has no name yet; -1: none */
    char *temporary; /* its name beside TARGET; NULL: none */
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

/* The name of attempt ATTEMPT beside TARGET; the caller frees it. */
static char *temporary_name(const char *target, int attempt)
{
    const size_t size = strlen(target) + 48;
    char *name = checked_memory(malloc(size));
    snprintf(name, size, "%s.new-%ld-%d", target, (long)getpid(), attempt);
    return name;
}

/* Create a file without a name in TARGET's directory: it disappears with the process, however that ends. -1 where the
 * file system cannot (open(2), O_TMPFILE), or where it could not be given a name later. */
static int create_unnamed(const char *target, mode_t mode)
{
    const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
    if (!*base || strlen(base) > NAME_LONGEST)
        return -1;
    char *folder = checked_memory(slash ? strndup(target, (size_t)(slash + 1 - target)) : strdup(".")), link[32];
    const int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    free(folder);
    if (descriptor < 0)
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (access(link, F_OK) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* Create a file in TARGET's directory and set *NAME to its name (the caller frees it). -1 with errno on failure. */
static int create_beside(const char *target, mode_t mode, char **name)
{
    int descriptor = -1;
    *name = NULL;
    for (int attempt = 0; descriptor < 0 && attempt < TEMPORARY_TRIES; attempt++) {
        free(*name);
        *name = temporary_name(target, attempt);
        descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
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
        (!(flags & O_TRUNC) || !S_ISREG(status.st_mode) || ftruncate(descriptor, 0) == 0)) {
        open_outputs_add(descriptor, what, path);
        return descriptor;
    }
    err_set(err, "%s %s: %s", what, path,
            errno == ENXIO         ? nobody_there(path)
            : errno == EWOULDBLOCK ? "in use by another run, which writes it"
                                   : strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

int save_close(int descriptor)
{
    open_outputs_remove(descriptor);
    return close(descriptor);
}

int save_close_stream(FILE *stream)
{
    const int flushed = fflush(stream), reason = errno; /* may wait for a reader: while it is in the list of outputs */
    open_outputs_remove(fileno(stream));
    const int closed = fclose(stream);
    if (flushed != 0)
        errno = reason;
    return flushed != 0 ? flushed : closed;
}

/* Write to a new file beside the one that PATH names or will name. The descriptor; -1 with errno. */
static int open_beside(struct saving *saving, const struct stat *there)
{
    /* A symbolic link is kept: its target is replaced. */
    saving->target = there ? realpath(saving->path, NULL) : NULL;
    if (!saving->target)
        saving->target = checked_memory(strdup(saving->path));
    int descriptor = create_unnamed(saving->target, 0666);
    if (descriptor >= 0)
        saving->unnamed = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor >= 0 && saving->unnamed < 0)
        close(descriptor), descriptor = -1;
    if (descriptor < 0)
        descriptor = create_beside(saving->target, 0666, &saving->temporary);
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
    saving->unnamed = -1;
    const int known = descriptor_of(path);
    struct stat there;
    const bool exists = known < 0 && stat(path, &there) == 0;
    int descriptor;
    if (known >= 0) {
        fflush(NULL); /* earlier output comes first */
        descriptor = fcntl(known, F_DUPFD_CLOEXEC, 0);
        open_outputs_add(descriptor, what, path);
    } else if (exists && !S_ISREG(there.st_mode))
        descriptor = save_open(what, path, 0, err);
    else
        descriptor = open_beside(saving, exists ? &there : NULL);
    if (descriptor >= 0 && (saving->out = fdopen(descriptor, "w")))
        return saving;
    report(saving, errno, err); /* no effect if save_open() has said more */
    if (descriptor >= 0)
        save_close(descriptor);
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
        reason = errno ? errno : EIO;                                              /* of the write that failed */
    else if (saving->target && fsync(fileno(saving->out)) != 0 && errno != EINVAL) /* not for this type of file */
        reason = errno;
    if (save_close_stream(saving->out) != 0 && reason == 0)
        reason = errno;
    saving->out = NULL;
    return report(saving, reason, err);
}

/* Give the file without a name the target's, or one beside it if the target is there. False with errno. */
static bool give_name(struct saving *saving)
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", saving->unnamed);
    bool done = linkat(AT_FDCWD, link, AT_FDCWD, saving->target, AT_SYMLINK_FOLLOW) == 0;
    for (int attempt = 0; !done && errno == EEXIST && attempt < TEMPORARY_TRIES; attempt++) {
        free(saving->temporary);
        saving->temporary = temporary_name(saving->target, attempt);
        done = linkat(AT_FDCWD, link, AT_FDCWD, saving->temporary, AT_SYMLINK_FOLLOW) == 0;
    }
    const int reason = errno;
    if (!done) {
        free(saving->temporary); /* the name of nothing of ours */
        saving->temporary = NULL;
    } else {
        close(saving->unnamed);
        saving->unnamed = -1;
    }
    errno = reason;
    return done;
}

bool saving_keep(struct saving *saving, struct err *err)
{
    sigset_t all, mask; /* no signal ends the process while the file has its temporary name */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    bool done = saving->unnamed < 0 || give_name(saving);
    if (done && saving->temporary) {
        done = rename(saving->temporary, saving->target) == 0;
        if (done)
            free(saving->temporary), saving->temporary = NULL;
    }
    const int reason = errno;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return done || report(saving, reason, err);
}

void saving_free(struct saving *saving)
{
    if (!saving)
        return;
    if (saving->out)
        save_close_stream(saving->out);
    if (saving->unnamed >= 0)
        close(saving->unnamed);
    if (saving->temporary)
        unlink(saving->temporary);
    free(saving->temporary);
    free(saving->target);
    free(saving->path);
    free(saving->what);
    free(saving);
}

bool path_ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
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
