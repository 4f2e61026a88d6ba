/* Copy out: the guest's tar stream to host files. The stream is untrusted. */
#include "src/host/copy_files.h"
#include "src/host/copy_tree.h"
#include "src/base/error_lines.h"
#include "src/base/printable.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 65536 };

bool copy_out_check(const struct copy_files *copy, struct err *err)
{
    struct copy_tree tree;
    struct err reason = {""};
    for (unsigned i = 0; i < copy->out_count; i++) {
        if (!copy_tree_open(&tree, copy->out[i].to, &reason))
            return err_set(err, "--copy-out: folder %s%s", reason.text,
                           strspn(copy->out[i].to, "./") ? "" : " (behind a guest path that has a colon write \":.\")");
        copy_tree_close(&tree);
    }
    return true;
}

void copy_out_write_header(const struct copy_files *copy, char *header)
{
    char *at = header + COPY_SECTOR;
    memset(header, 0, COPY_HEADER_SIZE);
    memcpy(header, COPY_OUT_MAGIC "\n", sizeof COPY_OUT_MAGIC);
    for (unsigned i = 0; i < copy->out_count; i++)
        at += sprintf(at, "%s\n", copy->out[i].from); /* copy_files_add_out() checks the size */
    *at = '\n';
}

/* State while the stream is unpacked. */
struct unpacker {
    const struct copy_request *request;
    struct copy_tree tree;
    copy_out_read *read;
    void *opaque;
    uint64_t size, offset; /* of the disk */
    bool found;            /* the stream contains the requested file */
    bool refused;          /* a part of it could not be created */
    char buffer[CHUNK];
};

static ssize_t read_stream(struct archive *archive, void *opaque, const void **bytes)
{
    struct unpacker *unpacker = opaque;
    uint64_t left = unpacker->size - unpacker->offset;
    uint32_t count = left < CHUNK ? (uint32_t)left : CHUNK;
    if (count > 0 && !unpacker->read(unpacker->opaque, unpacker->offset, unpacker->buffer, count)) {
        archive_set_error(archive, EIO, "the disk cannot be read");
        return -1;
    }
    unpacker->offset += count;
    *bytes = unpacker->buffer;
    return count;
}

/* Report a skipped entry. REASON may contain names of the guest. */
static void refuse(struct unpacker *unpacker, const char *reason)
{
    unpacker->refused = true;
    error_lines_print("--copy-out /%s: left out: %s", PRINTABLE(unpacker->request->from), PRINTABLE(reason));
}

/* Destination of NAME of the stream, relative to the request's directory: the path below the requested one, beginning
 * with its last component. False if NAME is not part of the request. */
static bool destination_of(const struct copy_request *request, const char *name, char *destination, size_t size)
{
    size_t asked = strlen(request->from);
    const char *slash = strrchr(request->from, '/');
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    if (strncmp(name, request->from, asked) != 0 || (name[asked] && name[asked] != '/'))
        return false;
    int length = snprintf(destination, size, "%s%s", slash ? slash + 1 : request->from, name + asked);
    if (length < 0 || (size_t)length >= size)
        return false;
    while (length > 0 && destination[length - 1] == '/')
        destination[--length] = 0;
    return true;
}

static bool make_file(struct unpacker *unpacker, struct archive *archive, struct archive_entry *entry,
                      const char *destination, struct err *err)
{
    const void *bytes;
    size_t count;
    int64_t offset, size = archive_entry_size(entry);
    int result;
    if (size < 0 || (uint64_t)size > unpacker->size)
        return err_set(err, "%.300s: larger than the disk it came on", destination);
    if (!copy_tree_begin_file(&unpacker->tree, destination, archive_entry_perm(entry), err))
        return false;
    while ((result = archive_read_data_block(archive, &bytes, &count, &offset)) == ARCHIVE_OK) {
        if (offset < 0 || offset > size || count > (uint64_t)(size - offset)) {
            copy_tree_drop_file(&unpacker->tree);
            return err_set(err, "%.300s: more than its size", destination);
        }
        if (!copy_tree_write(&unpacker->tree, (uint64_t)offset, bytes, count, err))
            return false;
    }
    if (result != ARCHIVE_EOF) {
        copy_tree_drop_file(&unpacker->tree);
        return err_set(err, "%.300s: cut off", destination);
    }
    return copy_tree_end_file(&unpacker->tree, (uint64_t)size, err);
}

static bool make_link(struct unpacker *unpacker, const char *target, const char *destination, struct err *err)
{
    char existing[PATH_MAX];
    return destination_of(unpacker->request, target, existing, sizeof existing)
               ? copy_tree_make_link(&unpacker->tree, destination, existing, err)
               : err_set(err, "%.300s: a hard link to %.200s, which was not requested", destination, target);
}

static bool make_entry(struct unpacker *unpacker, struct archive *archive, struct archive_entry *entry,
                       const char *destination, struct err *err)
{
    struct copy_tree *tree = &unpacker->tree;
    const char *target = archive_entry_hardlink(entry);
    if (target)
        return make_link(unpacker, target, destination, err);
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return make_file(unpacker, archive, entry, destination, err);
    case AE_IFDIR: return copy_tree_make_folder(tree, destination, archive_entry_perm(entry), err);
    case AE_IFLNK:
        target = archive_entry_symlink(entry);
        return copy_tree_make_symlink(tree, destination, target ? target : "", err);
    default: return err_set(err, "%.300s: neither file, folder nor link", destination);
    }
}

/* Unpack the entries of the stream that belong to the request. */
static void unpack_entries(struct unpacker *unpacker, struct archive *archive)
{
    struct archive_entry *entry;
    char destination[PATH_MAX];
    int result;
    while ((result = archive_read_next_header(archive, &entry)) == ARCHIVE_OK || result == ARCHIVE_WARN) {
        struct err reason = {""};
        const char *name = archive_entry_pathname(entry);
        if (!name || !destination_of(unpacker->request, name, destination, sizeof destination))
            continue;
        unpacker->found = true;
        if (!make_entry(unpacker, archive, entry, destination, &reason))
            refuse(unpacker, reason.text);
    }
    if (result != ARCHIVE_EOF)
        refuse(unpacker, archive_error_string(archive) ? archive_error_string(archive) : "damaged");
}

static bool unpack_request(struct unpacker *unpacker, struct err *err)
{
    const char *from = unpacker->request->from;
    struct archive *archive = checked_memory(archive_read_new());
    if (archive_read_support_format_tar(archive) == ARCHIVE_OK &&
        archive_read_open(archive, unpacker, NULL, read_stream, NULL) == ARCHIVE_OK)
        unpack_entries(unpacker, archive);
    else
        refuse(unpacker, "the guest's output is not a tar stream");
    archive_read_free(archive);
    if (unpacker->found && !unpacker->refused)
        return true;
    return err_set(err, "--copy-out: /%.300s: %s", from,
                   unpacker->found     ? "not all of it could be copied"
                   : unpacker->refused ? "could not be copied"
                                       : "the guest has no such file");
}

bool copy_out_unpack(const struct copy_files *copy, copy_out_read *read, void *opaque, uint64_t size, struct err *err)
{
    char start[sizeof COPY_OUT_MAGIC];
    bool done = true;
    if (!read(opaque, 0, start, sizeof start))
        return err_set(err, "--copy-out: the disk cannot be read");
    if (memcmp(start, COPY_OUT_MAGIC "\n", sizeof start) == 0)
        return err_set(err, "--copy-out: the run ended before the guest had copied its files");
    struct unpacker *unpacker = checked_memory(calloc(1, sizeof *unpacker));
    for (unsigned i = 0; i < copy->out_count; i++) {
        struct err reason = {""};
        *unpacker = (struct unpacker){.request = &copy->out[i], .read = read, .opaque = opaque, .size = size};
        bool copied = copy_tree_open(&unpacker->tree, copy->out[i].to, &reason) && unpack_request(unpacker, &reason);
        copy_tree_close(&unpacker->tree);
        if (!copied && done)
            err_set(err, "%s", reason.text);
        done = done && copied;
    }
    free(unpacker);
    return done;
}
