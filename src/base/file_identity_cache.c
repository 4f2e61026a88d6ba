#include "src/base/file_identity_cache.h"

#include "src/base/save_file.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Seconds since the last change after which a file may be cached: longer than the tick of any file system's clock. */
enum { SETTLED = 3, PLACES = 256 };

/* Path of the cache entry for the file STATUS. False if there is none. */
static bool cache_path(const struct stat *status, char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *below = "";
    if (!cache || *cache != '/') {
        cache = home;
        below = "/.cache";
    }
    if (!cache || *cache != '/' || !S_ISREG(status->st_mode))
        return false;
    int length = snprintf(path, size, "%s%s/simos", cache, below);
    if (length < 0 || (size_t)length + 40 > size)
        return false;
    mkdir(path, 0777); /* may already exist; if it cannot be created nothing is cached */
    strcat(path, "/identities");
    mkdir(path, 0777);
    snprintf(path + strlen(path), 16, "/%02x", (unsigned)((status->st_dev * 31 + status->st_ino) % PLACES));
    return true;
}

/* The key: device and inode, size, times of the last change of content and attributes. */
static void describe(const struct stat *status, char *text, size_t size)
{
    snprintf(text, size, "%" PRIx64 ":%" PRIx64 " %" PRIu64 " %" PRId64 ".%09ld %" PRId64 ".%09ld",
             (uint64_t)status->st_dev, (uint64_t)status->st_ino, (uint64_t)status->st_size,
             (int64_t)status->st_mtim.tv_sec, status->st_mtim.tv_nsec, (int64_t)status->st_ctim.tv_sec,
             status->st_ctim.tv_nsec);
}

static bool recall(struct file_identity *identity, const struct stat *status, const char *path)
{
    static const char digits[] = "0123456789abcdef";
    char expected[160], line[320], *digest;
    FILE *file = input_file_stream(INPUT_IDENTITY, path, NULL);
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    describe(status, expected, sizeof expected);
    size_t length = strlen(expected);
    if (!read || strncmp(line, expected, length) != 0 || line[length] != ' ')
        return false;
    digest = line + length + 1;
    if (strspn(digest, digits) != DIGEST_DIGITS || digest[DIGEST_DIGITS] != '\n')
        return false;
    identity->size = (uint64_t)status->st_size;
    memcpy(identity->digest, digest, DIGEST_DIGITS);
    identity->digest[DIGEST_DIGITS] = 0;
    return true;
}

struct line {
    const struct stat *status;
    const struct file_identity *identity;
};

static void print_line(const void *opaque, FILE *out)
{
    const struct line *line = opaque;
    char text[160];
    describe(line->status, text, sizeof text);
    fprintf(out, "%s %s\n", text, line->identity->digest);
}

static bool is_settled(const struct stat *status)
{
    struct timespec now;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 && status->st_mtim.tv_sec + SETTLED <= now.tv_sec &&
           status->st_ctim.tv_sec + SETTLED <= now.tv_sec;
}

bool file_identity_find(struct file_identity *identity, int fd, const char *name, struct err *err)
{
    struct stat status, after;
    char path[PATH_MAX];
    bool kept = fstat(fd, &status) == 0 && cache_path(&status, path, sizeof path);
    if (kept && recall(identity, &status, path))
        return true;
    bool settled = kept && is_settled(&status);
    if (!file_identity_read_fd(identity, fd, UINT64_MAX, name, err))
        return false;
    const struct line line = {&status, identity};
    bool unchanged = settled && fstat(fd, &after) == 0 && after.st_mtim.tv_sec == status.st_mtim.tv_sec &&
                     after.st_mtim.tv_nsec == status.st_mtim.tv_nsec && (uint64_t)after.st_size == identity->size;
    if (unchanged && identity->size == (uint64_t)status.st_size)
        save_file("identity", path, print_line, &line, NULL);
    return true;
}
