/* Copy in: host files to a tar stream. */
#include "src/host/copy_files.h"
#include "src/host/copy_sparse.h"
#include "src/base/input_file.h"
#include <inttypes.h>
#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 32768, DEPTH_MAX = 200 };

/* State while the stream is written. HOST and GUEST are the paths of the current file on both sides. */
struct packer {
    struct archive *archive;
    struct archive_entry *entry;
    time_t time;
    uint64_t size; /* of the stream so far, including the contents of the current file */
    unsigned depth;
    char host[PATH_MAX], guest[PATH_MAX];
    int data;        /* memory file of the sparse files' blocks */
    uint64_t blocks; /* in it */
    FILE *list;      /* of the sparse files */
    struct err *err;
};

static bool pack(struct packer *packer, int folder, const char *name);

static bool host_failed(struct packer *packer)
{
    return err_set(packer->err, "--copy-in %.300s: %s", packer->host, strerror(errno));
}

static bool stream_failed(struct packer *packer)
{
    return err_set(packer->err, "--copy-in %.300s: %.200s", packer->host, archive_error_string(packer->archive));
}

/* Append NAME to PATH, with a slash unless PATH is empty. False if it does not fit. */
static bool append(char *path, const char *name)
{
    size_t before = strlen(path);
    int added = snprintf(path + before, PATH_MAX - before, "%s%s", before ? "/" : "", name);
    return added >= 0 && (size_t)added < PATH_MAX - before;
}

static bool too_large(struct packer *packer)
{
    return err_set(packer->err, "--copy-in %.300s: more than %llu MB altogether", packer->host, COPY_IN_CAPACITY >> 20);
}

/* Sizes are checked before contents are read, since the stream is in host memory. */
static bool write_header(struct packer *packer, const struct stat *status, uint64_t size, const char *target)
{
    if (size > COPY_IN_CAPACITY || (packer->size += COPY_SECTOR + size) > COPY_IN_CAPACITY)
        return too_large(packer);
    struct archive_entry *entry = archive_entry_clear(packer->entry);
    archive_entry_set_pathname(entry, packer->guest);
    archive_entry_set_mode(entry, status->st_mode & (S_IFMT | 0777));
    archive_entry_set_size(entry, (int64_t)size);
    archive_entry_set_mtime(entry, packer->time, 0);
    archive_entry_set_uname(entry, "root");
    archive_entry_set_gname(entry, "root");
    if (target)
        archive_entry_set_symlink(entry, target);
    return archive_write_header(packer->archive, entry) == ARCHIVE_OK || stream_failed(packer);
}

static bool pack_link(struct packer *packer, int folder, const char *name, const struct stat *status)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(folder, name, target, sizeof target - 1);
    if (length < 0)
        return host_failed(packer);
    target[length] = 0;
    return write_header(packer, status, 0, target);
}

static const char changed[] = "--copy-in %.300s: changes while it is read";

/* Append block NUMBER of FILE to the blocks of sparse files. */
static bool pack_block(struct packer *packer, int file, uint64_t number, char *buffer)
{
    ssize_t count = pread(file, buffer, COPY_SPARSE_BLOCK, (off_t)(number * COPY_SPARSE_BLOCK));
    if (count < 0)
        return host_failed(packer);
    if (count == 0)
        return err_set(packer->err, changed, packer->host);
    memset(buffer + count, 0, COPY_SPARSE_BLOCK - (size_t)count);
    return pwrite(packer->data, buffer, COPY_SPARSE_BLOCK, (off_t)(packer->blocks++ * COPY_SPARSE_BLOCK)) ==
               COPY_SPARSE_BLOCK ||
           host_failed(packer);
}

/* In the stream a sparse file is empty; the guest fills it from the list. */
static bool pack_sparse(struct packer *packer, int file, const struct stat *status, const struct copy_parts *parts)
{
    if (parts->blocks > COPY_IN_CAPACITY / COPY_SPARSE_BLOCK ||
        (packer->size += parts->blocks * COPY_SPARSE_BLOCK) > COPY_IN_CAPACITY)
        return too_large(packer);
    if (!write_header(packer, status, 0, NULL))
        return false;
    fprintf(packer->list, "%lld %lld %u\n/%s\n", (long long)status->st_size, (long long)packer->time, parts->count,
            packer->guest);
    char *buffer = checked_memory(malloc(COPY_SPARSE_BLOCK));
    bool done = true;
    for (unsigned i = 0; done && i < parts->count; i++) {
        const struct copy_part *part = &parts->parts[i];
        fprintf(packer->list, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", part->first, part->count, packer->blocks);
        for (uint64_t k = 0; done && k < part->count; k++)
            done = pack_block(packer, file, part->first + k, buffer);
    }
    free(buffer);
    return done;
}

/* A file that changes while it is read is an error, so that the guest gets a consistent copy. */
static bool pack_file(struct packer *packer, int file, const struct stat *status)
{
    char buffer[CHUNK];
    struct copy_parts parts;
    int sparse = strchr(packer->guest, '\n') ? 0 : copy_parts_find(&parts, file, (uint64_t)status->st_size);
    if (sparse < 0)
        return host_failed(packer);
    if (sparse) {
        bool done = pack_sparse(packer, file, status, &parts);
        free(parts.parts);
        return done;
    }
    uint64_t left = (uint64_t)status->st_size;
    if (!write_header(packer, status, left, NULL))
        return false;
    for (;;) {
        ssize_t count = read(file, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return host_failed(packer);
        if ((uint64_t)count > left || (count == 0 && left > 0))
            return err_set(packer->err, changed, packer->host);
        if (count == 0)
            return true;
        if (archive_write_data(packer->archive, buffer, (size_t)count) != count)
            return stream_failed(packer);
        left -= (uint64_t)count;
    }
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static bool pack_folder(struct packer *packer, int folder, const struct stat *status)
{
    struct dirent **entries;
    if (!write_header(packer, status, 0, NULL))
        return false;
    if (++packer->depth > DEPTH_MAX)
        return err_set(packer->err, "--copy-in %.300s: more than %d folders in each other", packer->host, DEPTH_MAX);
    int count = scandirat(folder, ".", &entries, is_entry, by_name);
    if (count < 0)
        return host_failed(packer);
    bool done = true;
    for (int i = 0; i < count; i++) {
        done = done && pack(packer, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    packer->depth--;
    return done;
}

/* Pack the open FILE: a file or a directory. */
static bool pack_open(struct packer *packer, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return host_failed(packer);
    return (S_ISDIR(status.st_mode) ? pack_folder : pack_file)(packer, file, &status);
}

static bool pack_found(struct packer *packer, int folder, const char *name, bool follow)
{
    struct stat status;
    if (!follow && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
        return pack_link(packer, folder, name, &status);
    const int flags = follow ? 0 : O_NOFOLLOW;
    struct err reason = {""};
    int file = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags); /* fails at once on what is none */
    if (file < 0 && errno == ENOTDIR)
        file = input_file_open_at(INPUT_COPY, folder, name, flags, NULL, &reason);
    else if (file < 0)
        return host_failed(packer);
    if (file < 0)
        return err_set(packer->err, "--copy-in %.300s: %s", packer->host, reason.text);
    bool done = pack_open(packer, file);
    close(file);
    return done;
}

/* Pack NAME in the host directory FOLDER into the guest directory packer->guest. */
static bool pack(struct packer *packer, int folder, const char *name)
{
    size_t host = strlen(packer->host), guest = strlen(packer->guest);
    bool done = (append(packer->host, name) && append(packer->guest, name))
                    ? pack_found(packer, folder, name, false)
                    : err_set(packer->err, "--copy-in %.300s: path too long", packer->host);
    if (!done)
        return false;
    packer->host[host] = packer->guest[guest] = 0;
    return true;
}

/* Pack a requested file or directory, under its real name if it was requested as ".", "x/.." or the like. */
static bool pack_request(struct packer *packer, const struct copy_request *request)
{
    char *real = realpath(request->from, NULL);
    snprintf(packer->host, sizeof packer->host, "%s", request->from);
    if (!real)
        return host_failed(packer);
    const char *slash = strrchr(request->from, '/');
    const char *name = slash ? slash + 1 : request->from;
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        name = strrchr(real, '/') + 1;
    snprintf(packer->guest, sizeof packer->guest, "%s", request->to);
    bool done;
    if (!*name)
        done = err_set(packer->err, "--copy-in %.300s: not the whole root", request->from);
    else if (!append(packer->guest, name))
        done = err_set(packer->err, "--copy-in %.300s: path too long", request->from);
    else
        done = pack_found(packer, AT_FDCWD, request->from, true);
    free(real);
    return done;
}

static bool pack_all(struct packer *packer, const struct copy_files *copy)
{
    for (unsigned i = 0; i < copy->in_count; i++)
        if (!pack_request(packer, &copy->in[i]))
            return false;
    if (archive_write_close(packer->archive) == ARCHIVE_OK)
        return true;
    return err_set(packer->err, "--copy-in: %.200s", archive_error_string(packer->archive));
}

/* Append the list of LENGTH bytes to DISK and, from the next multiple of COPY_SPARSE_BLOCK on, the blocks. */
static bool append_sparse(struct packer *packer, int disk, const char *list, size_t length, uint64_t *end)
{
    bool done = pwrite(disk, list, length, (off_t)*end) == (ssize_t)length;
    uint64_t first = (*end + length + COPY_SPARSE_BLOCK - 1) / COPY_SPARSE_BLOCK;
    char *buffer = checked_memory(malloc(COPY_SPARSE_BLOCK));
    for (uint64_t i = 0; done && i < packer->blocks; i++)
        done = pread(packer->data, buffer, COPY_SPARSE_BLOCK, (off_t)(i * COPY_SPARSE_BLOCK)) == COPY_SPARSE_BLOCK &&
               pwrite(disk, buffer, COPY_SPARSE_BLOCK, (off_t)((first + i) * COPY_SPARSE_BLOCK)) == COPY_SPARSE_BLOCK;
    free(buffer);
    *end = (first + packer->blocks) * COPY_SPARSE_BLOCK;
    return (done && ftruncate(disk, (off_t)*end) == 0) || err_set(packer->err, "--copy-in: %s", strerror(errno));
}

/* Write the stream to the file DISK behind its first sector, and the sparse files; then their places to that sector. */
static bool fill_disk(struct packer *packer, struct copy_files *copy, int disk, char *const *list,
                      const size_t *list_length)
{
    char sector[COPY_SECTOR] = "";
    struct archive *archive = packer->archive;
    if (lseek(disk, COPY_SECTOR, SEEK_SET) < 0)
        return err_set(packer->err, "--copy-in: %s", strerror(errno));
    if (archive_write_set_format_gnutar(archive) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(archive, COPY_SECTOR) != ARCHIVE_OK ||
        archive_write_open_fd(archive, disk) != ARCHIVE_OK)
        return err_set(packer->err, "--copy-in: %.200s", archive_error_string(archive));
    if (!pack_all(packer, copy))
        return false;
    uint64_t end = (uint64_t)lseek(disk, 0, SEEK_END);
    if (end > COPY_IN_CAPACITY)
        return too_large(packer);
    const uint64_t stream = end;
    fflush(packer->list);
    if (*list_length > 0) {
        if (!append_sparse(packer, disk, *list, *list_length, &end))
            return false;
        if (end > COPY_IN_CAPACITY)
            return too_large(packer);
        snprintf(sector, sizeof sector, COPY_IN_MAGIC " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                 stream - COPY_SECTOR, stream, (uint64_t)*list_length, end / COPY_SPARSE_BLOCK - packer->blocks);
    } else
        snprintf(sector, sizeof sector, COPY_IN_MAGIC " %" PRIu64 "\n", stream - COPY_SECTOR);
    copy->stream_size = end;
    return pwrite(disk, sector, sizeof sector, 0) == COPY_SECTOR ||
           err_set(packer->err, "--copy-in: %s", strerror(errno));
}

bool copy_in_pack(struct copy_files *copy, uint64_t seconds, struct err *err)
{
    if (copy->stream >= 0 || copy->in_count == 0)
        return true;
    int disk = memfd_create("simos-copy-in", MFD_CLOEXEC);
    if (disk < 0)
        return err_set(err, "--copy-in: %s", strerror(errno));
    struct packer *packer = checked_memory(calloc(1, sizeof *packer));
    packer->archive = checked_memory(archive_write_new());
    packer->entry = checked_memory(archive_entry_new());
    packer->time = (time_t)seconds;
    packer->err = err;
    char *list;
    size_t list_length;
    packer->list = checked_memory(open_memstream(&list, &list_length));
    packer->data = memfd_create("simos-copy-in-sparse", MFD_CLOEXEC);
    bool done = packer->data >= 0 ? fill_disk(packer, copy, disk, &list, &list_length)
                                  : err_set(err, "--copy-in: %s", strerror(errno));
    fclose(packer->list);
    free(list);
    if (packer->data >= 0)
        close(packer->data);
    archive_entry_free(packer->entry);
    archive_write_free(packer->archive);
    free(packer);
    if (done)
        copy->stream = disk;
    else
        close(disk);
    return done;
}
