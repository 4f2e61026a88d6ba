#include "src/base/output_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ENTER_TRIES = 1000 /* a millisecond each */ };

struct output_lock {
    struct output_lock *next;
    struct key {
        dev_t device; /* of the folder */
        ino_t inode;
        uint64_t name; /* a hash of the name there */
    } key;
    int folder; /* has the lock; -1: nothing is locked */
    unsigned count;
};

/* The locks of this process: like the descriptors, they belong to the process, whichever machine writes the file. */
static struct output_lock *held;

/* Copy the folder of PATH to FOLDER; returns the name in it. */
static const char *split(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(length ? length : 1) : 1, slash ? path : ".");
    return slash ? slash + 1 : path;
}

/* Make the key of PATH, or of the file that it leads to (FOLLOW), and copy its FOLDER; false if that does not exist.
 * Names are hashed (FNV-1a, 64 bits). */
static bool make_key(const char *path, bool follow, struct key *key, char folder[PATH_MAX])
{
    char real[PATH_MAX];
    struct stat status;
    uint64_t hash = 0xcbf29ce484222325u;
    const char *name = split(follow && realpath(path, real) ? real : path, folder);
    if (stat(folder, &status) != 0)
        return false;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    *key = (struct key){status.st_dev, status.st_ino, hash};
    return true;
}

static struct output_lock *find(const struct key *key)
{
    struct output_lock *lock = held;
    while (lock && (lock->key.device != key->device || lock->key.inode != key->inode || lock->key.name != key->name))
        lock = lock->next;
    return lock;
}

/* Let only one process at a time set and ask, so that of two that begin at once not both are refused. Somebody else may
 * have locked the folder for long (flock(1)): after a second it is done without. */
static void enter(int folder)
{
    for (unsigned i = 0; i < ENTER_TRIES && flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Lock the byte of KEY in FOLDER. The descriptor; -1 with errno, which is EADDRINUSE if another process has it. */
static int lock_byte(const char *folder, const struct key *key)
{
    const off_t at = (off_t)(key->name >> 2); /* its end must be a positive number, too */
    struct flock mine = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    struct flock others = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    enter(fd);
    int reason = fcntl(fd, F_OFD_SETLK, &mine) == 0 && fcntl(fd, F_OFD_GETLK, &others) == 0 ? 0 : errno;
    flock(fd, LOCK_UN);
    if (reason == 0 && others.l_type == F_UNLCK)
        return fd;
    close(fd);
    errno = reason ? reason : EADDRINUSE;
    return -1;
}

static struct output_lock *take(const char *what, const char *path, bool follow, struct err *err)
{
    struct key key = {0};
    char folder[PATH_MAX];
    struct output_lock *lock;
    const bool known = make_key(path, follow, &key, folder);
    if (known && (lock = find(&key))) {
        lock->count++;
        return lock;
    }
    const int fd = known ? lock_byte(folder, &key) : -1;
    if (known && fd < 0 && errno == EADDRINUSE) {
        err_set(err, "%.100s %.300s: in use by another run, which writes it", what, path);
        return NULL;
    }
    if (known && fd < 0)
        fprintf(stderr, "simos: %.100s %.300s: not locked against other runs: folder %.300s: %s\n", what, path, folder,
                strerror(errno));
    lock = checked_memory(calloc(1, sizeof *lock));
    *lock = (struct output_lock){.next = held, .key = key, .folder = fd, .count = 1};
    held = lock;
    return lock;
}

struct output_lock *output_lock_take(const char *what, const char *path, struct err *err)
{
    return take(what, path, true, err);
}

struct output_lock *output_lock_take_link(const char *what, const char *path, struct err *err)
{
    return take(what, path, false, err);
}

void output_lock_release(struct output_lock *lock)
{
    if (!lock || --lock->count > 0)
        return;
    struct output_lock **link = &held;
    while (*link != lock)
        link = &(*link)->next;
    *link = lock->next;
    if (lock->folder >= 0)
        close(lock->folder);
    free(lock);
}

bool output_lock_is_held(const char *path)
{
    struct key key;
    char folder[PATH_MAX];
    return make_key(path, true, &key, folder) && find(&key);
}
