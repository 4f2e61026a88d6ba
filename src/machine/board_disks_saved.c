/*
 * Disks in a checkpoint: identity of the images by size and SHA-256, and their paths when the checkpoint is restored.
 */
#include "src/machine/board_disks.h"
#include "src/base/file_identity_cache.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void board_disks_register_saved(const struct board_disks *disks, struct saved *saved)
{
    char name[32];
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        if (!disks->disk[i].block)
            continue;
        snprintf(name, sizeof name, "disk%u", i);
        virtio_block_register_saved(disks->disk[i].block, saved, name);
        snprintf(name, sizeof name, "disk%u.image", i);
        disk_image_register_saved(disks->disk[i].image, saved, name);
    }
    if (disks->bus)
        scsi_bus_register_saved(disks->bus, saved, "scsi");
}

bool board_disks_check_saved(const struct board_disks *disks, struct err *err)
{
    for (unsigned i = 0; i < BOARD_DISKS; i++)
        if (disks->disk[i].image && !disk_image_can_be_saved(disks->disk[i].image))
            return err_set(err, "machine.disk%u is write-through: its contents are not in a checkpoint; use an overlay",
                           i);
    return true;
}

/* Identity of the images */

/* Resolve the directory of the file PATH into FOLDER, without symbolic links. */
static bool find_folder(const char *path, char folder[PATH_MAX])
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return length < (int)sizeof parent && realpath(parent, folder);
}

/* Write PATH as an absolute path; its bare name if it is in the directory of CHECKPOINT, so that both can be moved
 * together and the checkpoint does not depend on the directory. */
static void put_path(const char *path, const char *checkpoint, FILE *out)
{
    char folder[PATH_MAX], other[PATH_MAX];
    if (checkpoint && find_folder(path, folder) && find_folder(checkpoint, other) && strcmp(folder, other) == 0)
        path = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    else if (*path != '/' && getcwd(folder, sizeof folder))
        fprintf(out, "%s/", folder);
    for (; *path; path++)
        fputc(*path == '\n' ? ' ' : *path, out);
}

char *board_disks_identify(const struct board_disks *disks, const struct params *params, const char *checkpoint,
                           struct err *err)
{
    char *text, name[32];
    size_t size;
    bool done = true;
    FILE *out = checked_memory(open_memstream(&text, &size));
    for (unsigned i = 0; i < BOARD_DISKS && done; i++) {
        struct file_identity identity;
        struct disk_text disk;
        if (!disks->disk[i].image)
            continue;
        snprintf(name, sizeof name, "machine.disk%u", i);
        done = file_identity_find(&identity, disk_image_file(disks->disk[i].image), name, err);
        if (!done)
            break;
        board_disk_parse(&disk, params_string(params, name));
        fprintf(out, "disk%u %" PRIu64 " %s ", i, identity.size, identity.digest);
        put_path(disk.path, checkpoint, out);
        fputc('\n', out);
    }
    fclose(out);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* The line of disk NUMBER in TEXT and its LENGTH; NULL if there is none. */
static const char *line_of(const char *text, unsigned number, size_t *length)
{
    char name[32];
    size_t size = (size_t)snprintf(name, sizeof name, "disk%u ", number);
    for (; *text; text += *length + (text[*length] == '\n')) {
        *length = strcspn(text, "\n");
        if (strncmp(text, name, size) == 0)
            return text;
    }
    return NULL;
}

/* Length of the identity in a LINE of LENGTH bytes: up to the end of the digest. */
static size_t identity_length(const char *line, size_t length)
{
    size_t end = 0;
    for (unsigned words = 0; end < length; end++)
        if (line[end] == ' ' && ++words == 3)
            break;
    return end;
}

/* WAS: disk NUMBER's line of LENGTH bytes in the checkpoint. */
static bool is_another(const struct params *params, unsigned number, const char *was, size_t length, struct err *err)
{
    struct disk_text disk;
    char name[32];
    snprintf(name, sizeof name, "machine.disk%u", number);
    board_disk_parse(&disk, params_string(params, name));
    return err_set(err,
                   "%s: %s is another image than the checkpoint was made with, or has been changed since (bytes and "
                   "SHA-256 there: %.*s)",
                   name, disk.path, length < 6 ? 0 : (int)(length - 6), was + 6);
}

/* Have the images the lengths that THERE says? To be asked first, since SHA-256 takes a second for each GB. */
static bool check_lengths(const struct board_disks *disks, const struct params *params, const char *there,
                          struct err *err)
{
    for (unsigned i = 0; i < BOARD_DISKS; i++) {
        size_t length = 0;
        const char *was = disks->disk[i].image ? line_of(there, i, &length) : NULL;
        if (was && strtoull(was + strlen("disk0 "), NULL, 10) !=
                       disk_image_sectors(disks->disk[i].image) * (uint64_t)DISK_SECTOR_SIZE)
            return is_another(params, i, was, identity_length(was, length), err);
    }
    return true;
}

bool board_disks_check_identity(const struct board_disks *disks, const struct params *params, const char *there,
                                struct err *err)
{
    char *here = check_lengths(disks, params, there, err) ? board_disks_identify(disks, params, NULL, err) : NULL;
    bool same = here;
    for (unsigned i = 0; same && i < BOARD_DISKS; i++) {
        size_t one = 0, other = 0;
        const char *is = line_of(here, i, &one), *was = line_of(there, i, &other);
        if (!is || !was)
            continue; /* a missing or extra disk is reported by the parameter comparison */
        one = identity_length(is, one);
        other = identity_length(was, other);
        if (one != other || strncmp(is, was, one) != 0)
            same = is_another(params, i, was, other, err);
    }
    free(here);
    return same;
}

/* Parameter values */

void board_disk_saved_text(const char *value, char *text, size_t size)
{
    struct disk_text disk;
    board_disk_parse(&disk, value);
    snprintf(text, size, "%s%s", disk.path, disk.mode == DISK_READ_ONLY ? ",ro" : "");
}

/* If the file named by LENGTH bytes of PATH exists, write it to TEXT with the suffix of DISK. False if it does not. */
static bool use_path_if_exists(const char *path, int length, const struct disk_text *disk, char *text, size_t size)
{
    char candidate[PATH_MAX];
    if (length <= 0 || length >= (int)sizeof candidate)
        return false;
    snprintf(candidate, sizeof candidate, "%.*s", length, path);
    if (access(candidate, F_OK) != 0)
        return false;
    snprintf(text, size, "%s%s", candidate, disk->mode == DISK_READ_ONLY ? ",ro" : "");
    return true;
}

void board_disk_restored_text(const char *value, unsigned number, const char *disks, const char *checkpoint, char *text,
                              size_t size)
{
    struct disk_text disk;
    size_t length;
    char beside[PATH_MAX];
    const char *line = line_of(disks, number, &length), *slash = strrchr(checkpoint, '/');
    board_disk_parse(&disk, value);
    snprintf(text, size, "%s", value);
    if (!*disk.path || access(disk.path, F_OK) == 0)
        return;
    size_t before = line ? identity_length(line, length) + 1 : 0;
    if (line && before < length && line[before] == '/' &&
        use_path_if_exists(line + before, (int)(length - before), &disk, text, size))
        return;
    const char *name = strrchr(disk.path, '/');
    int written = snprintf(beside, sizeof beside, "%.*s/%s", slash ? (int)(slash - checkpoint) : 1,
                           slash ? checkpoint : ".", name ? name + 1 : disk.path);
    use_path_if_exists(beside, written, &disk, text, size);
}

bool board_disk_compare(const char *name, const char *here, const char *there, struct err *err)
{
    struct disk_text now, before;
    board_disk_parse(&now, here);
    board_disk_parse(&before, there);
    if (!*now.path != !*before.path)
        return err_set(err, "%s: the machine in the checkpoint has %s disk there, and this cannot change", name,
                       *before.path ? "a" : "no");
    if (now.mode == DISK_WRITE_THROUGH)
        return err_set(err,
                       "%s: \"write\": what the guest wrote is in the checkpoint, beside an image that stays as it "
                       "is; use an overlay",
                       name);
    if ((now.mode == DISK_READ_ONLY) != (before.mode == DISK_READ_ONLY))
        return err_set(err, "%s: the machine in the checkpoint has it %s, and this cannot change", name,
                       before.mode == DISK_READ_ONLY ? "read only (,ro)" : "to be written");
    return true;
}
