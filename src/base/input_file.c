#include "src/base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

enum { PIPE = 1, BLOCK = 2 }; /* also accepted */

/* The maxima: an ELF file of 32 bits has offsets up to 4 GiB; RAM, which bounds an initial RAM disk and most of a
 * checkpoint, is 2 GiB at most. The others are about ten times the longest that is in use. */
static const struct {
    const char *name;
    uint64_t max;
    unsigned accepts;
} kinds[INPUT_KINDS] = {
    [INPUT_KERNEL] = {"kernel", 4 * GIB, 0},
    [INPUT_INITRD] = {"initrd", 2 * GIB, 0},
    [INPUT_SYMBOLS] = {"symbol file", 64 * MIB, PIPE},
    [INPUT_LAYOUTS] = {"structures", 4 * MIB, PIPE},
    [INPUT_PROGRAM] = {"program", 4 * GIB, 0},
    [INPUT_GUARDS] = {"prefetch.guards", 16 * MIB, PIPE},
    [INPUT_PREFETCHES] = {"prefetch.points", 16 * MIB, PIPE},
    [INPUT_LAYOUT] = {"cache.layout", 256 * MIB, PIPE},
    [INPUT_PAGE_HINTS] = {"page_mapping.hints", 256 * MIB, PIPE},
    [INPUT_MACHINE] = {"machine", MIB, PIPE},
    [INPUT_NAMED] = {"machine", MIB, 0},
    [INPUT_SWEEP] = {"sweep", MIB, PIPE},
    [INPUT_CLUSTER] = {"cluster", MIB, PIPE},
    [INPUT_TEST] = {"test", MIB, PIPE},
    [INPUT_BASELINE] = {"baseline", 64 * MIB, 0},
    [INPUT_TREND] = {"trend", 64 * MIB, 0},
    [INPUT_SCRIPT] = {"script", 16 * MIB, PIPE},
    [INPUT_SIMPOINTS] = {"simpoints", 64 * MIB, PIPE},
    [INPUT_STATISTICS] = {"statistics file", 256 * MIB, PIPE},
    [INPUT_CHART] = {"chart", 16 * MIB, PIPE},
    [INPUT_RECORD] = {"record", GIB, 0},
    [INPUT_CHECKPOINT] = {"checkpoint", 64 * GIB, 0},
    [INPUT_TRACE] = {"trace", UINT64_MAX, PIPE},
    [INPUT_DISK] = {"disk image", UINT64_MAX, BLOCK},
    [INPUT_COPY] = {"--copy-in", UINT64_MAX, 0},
    [INPUT_DEPENDENCY] = {"input", 64 * GIB, 0},
    [INPUT_JOB] = {"job's file", 256 * MIB, 0},
    [INPUT_IDENTITY] = {"identity", 4 * KIB, 0},
};

const char *input_file_name(enum input_kind kind)
{
    return kinds[kind].name;
}

uint64_t input_file_max(enum input_kind kind)
{
    return kinds[kind].max;
}

/* Does the pipe FD have a writer, or unread data? Consumes no data. */
static bool has_writer(int fd)
{
    int copy[2];
    if (pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    const bool has = tee(fd, copy[1], 1, SPLICE_F_NONBLOCK) != 0;
    close(copy[0]);
    close(copy[1]);
    return has;
}

/* Is STATUS of /dev/null (Linux, admin-guide/devices.txt: character device 1, 3)? It is an empty file. */
static bool is_null(const struct stat *status)
{
    return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

static bool check_type(enum input_kind kind, const struct stat *status, struct err *err)
{
    const unsigned accepts = kinds[kind].accepts;
    const char *type = S_ISDIR(status->st_mode)    ? "directory"
                       : S_ISFIFO(status->st_mode) ? "pipe"
                       : S_ISSOCK(status->st_mode) ? "socket"
                       : S_ISBLK(status->st_mode)  ? "block device"
                                                   : "character device";
    if (S_ISREG(status->st_mode) || (accepts & PIPE && (S_ISFIFO(status->st_mode) || is_null(status))) ||
        (accepts & BLOCK && S_ISBLK(status->st_mode)))
        return true;
    return err_set(err, "not a regular file%s but a %s", accepts & BLOCK ? " or block device" : "", type);
}

/* Is FD a file of a file system whose content the kernel makes up when it is read, without a length? */
static bool is_made_up(int fd)
{
    static const long magic[] = {PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,    TRACEFS_MAGIC,
                                 CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC, SELINUX_MAGIC,
                                 BPF_FS_MAGIC,       BINFMTFS_MAGIC};
    struct statfs system;
    if (fstatfs(fd, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
        if ((unsigned long)system.f_type == (unsigned long)magic[i])
            return true;
    return false;
}

static bool too_long(enum input_kind kind, uint64_t size, struct err *err)
{
    return err_set(err, "%" PRIu64 " bytes; at most %" PRIu64 " are read", size, kinds[kind].max);
}

static bool check_open(enum input_kind kind, int fd, uint64_t *size, struct err *err)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return err_set(err, "%s", strerror(errno));
    if (!check_type(kind, &status, err))
        return false;
    if (S_ISREG(status.st_mode) && is_made_up(fd))
        return err_set(err, "not a regular file but an interface of the kernel");
    if (S_ISREG(status.st_mode) && (uint64_t)status.st_size > kinds[kind].max)
        return too_long(kind, (uint64_t)status.st_size, err);
    if (S_ISFIFO(status.st_mode) && !has_writer(fd))
        return err_set(err, "the pipe has no writer");
    if (size)
        *size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : is_null(&status) ? 0 : kinds[kind].max;
    return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0 || err_set(err, "%s", strerror(errno));
}

int input_file_open_at(enum input_kind kind, int folder, const char *name, int flags, uint64_t *size, struct err *err)
{
    struct stat status;
    const int follow = flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
    /* Checked before, because open() can have an effect on a device, and after, because the name may have changed.
     * O_NONBLOCK: open() does not wait for the other end of a pipe. */
    if (fstatat(folder, name, &status, follow) != 0) {
        err_set(err, "%s", strerror(errno));
        return -1;
    }
    if (!check_type(kind, &status, err))
        return -1;
    const int mode = flags & O_ACCMODE ? 0 : O_RDONLY;
    int fd = openat(folder, name, mode | flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        err_set(err, "%s", strerror(errno));
    if (fd < 0 || check_open(kind, fd, size, err))
        return fd;
    close(fd);
    return -1;
}

int input_file_open(enum input_kind kind, const char *path, uint64_t *size, struct err *err)
{
    struct err reason = {""};
    int fd = input_file_open_at(kind, AT_FDCWD, path, 0, size, &reason);
    if (fd < 0)
        err_set(err, "%s %.300s: %s", kinds[kind].name, path, reason.text);
    return fd;
}

FILE *input_file_stream(enum input_kind kind, const char *path, struct err *err)
{
    int fd = input_file_open(kind, path, NULL, err);
    return fd < 0 ? NULL : checked_memory(fdopen(fd, "rb"));
}

char *input_file_read(enum input_kind kind, const char *path, size_t *length, struct err *err)
{
    uint64_t expected = 0;
    int fd = input_file_open(kind, path, &expected, err), reason = 0;
    if (fd < 0)
        return NULL;
    const uint64_t max = kinds[kind].max;
    size_t size = expected < max ? (size_t)expected + 1 : 64 * KIB;
    char *text = checked_memory(malloc(size + 1));
    for (*length = 0;;) {
        ssize_t count = read(fd, text + *length, size - *length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            reason = errno;
        if (count <= 0)
            break;
        *length += (size_t)count;
        if (*length > max)
            break;
        if (*length == size)
            text = checked_memory(realloc(text, (size *= 2) + 1));
    }
    close(fd);
    text[*length] = 0;
    if (reason == 0 && *length <= max)
        return text;
    free(text);
    if (reason)
        err_set(err, "%s %.300s: %s", kinds[kind].name, path, strerror(reason));
    else
        err_set(err, "%s %.300s: longer than %" PRIu64 " bytes", kinds[kind].name, path, max);
    return NULL;
}

char *input_file_text(enum input_kind kind, const char *path, struct err *err)
{
    size_t length;
    char *text = input_file_read(kind, path, &length, err);
    if (!text || !memchr(text, 0, length))
        return text;
    err_set(err, "%s %.300s: is not a text file, it contains NUL bytes", kinds[kind].name, path);
    free(text);
    return NULL;
}
