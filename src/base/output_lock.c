#include "src/base/output_lock.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct output_lock {
    struct output_lock *next;
    char key[64];
    int socket; /* -1: this host has no such sockets, nothing is locked */
    unsigned count;
};

/* The locks of this process: like the sockets, they belong to the process, whichever machine writes the file. */
static struct output_lock *held;

/* Copy the folder of PATH to FOLDER; returns the name in it. */
static const char *split(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(length ? length : 1) : 1, slash ? path : ".");
    return slash ? slash + 1 : path;
}

/* Make the key of PATH, or of the file that it leads to (FOLLOW); false if its folder does not exist. Names are hashed
 * (FNV-1a, 64 bits). */
static bool make_key(const char *path, bool follow, char *key, size_t size)
{
    char real[PATH_MAX], folder[PATH_MAX];
    struct stat status;
    uint64_t hash = 0xcbf29ce484222325u;
    const char *name = split(follow && realpath(path, real) ? real : path, folder);
    if (stat(folder, &status) != 0)
        return false;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    snprintf(key, size, "simos output %llx %llx %llx", (unsigned long long)status.st_dev,
             (unsigned long long)status.st_ino, (unsigned long long)hash);
    return true;
}

static struct output_lock *find(const char *key)
{
    struct output_lock *lock = held;
    while (lock && strcmp(lock->key, key) != 0)
        lock = lock->next;
    return lock;
}

/* Bind a socket to the abstract name KEY. -1 with errno. */
static int bind_name(const char *key)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(key);
    memcpy(address.sun_path + 1, key, length); /* a zero byte in front: an abstract name */
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 &&
        bind(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0)
        return fd;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return -1;
}

static struct output_lock *take(const char *what, const char *path, bool follow, struct err *err)
{
    char key[sizeof held->key] = "";
    struct output_lock *lock;
    if (make_key(path, follow, key, sizeof key) && (lock = find(key))) {
        lock->count++;
        return lock;
    }
    int fd = *key ? bind_name(key) : -1;
    if (*key && fd < 0 && errno == EADDRINUSE) {
        err_set(err, "%.100s %.300s: in use by another run, which writes it", what, path);
        return NULL;
    }
    lock = checked_memory(calloc(1, sizeof *lock));
    *lock = (struct output_lock){.next = held, .socket = fd, .count = 1};
    memcpy(lock->key, key, sizeof lock->key);
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
    if (lock->socket >= 0)
        close(lock->socket);
    free(lock);
}

bool output_lock_is_held(const char *path)
{
    char key[sizeof held->key];
    return make_key(path, true, key, sizeof key) && find(key);
}
