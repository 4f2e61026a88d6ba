#include "annotations/symbols/debug_files.h"
#include "src/base/error_lines.h"
#include "src/base/printable.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 2048 };

void debug_files_release(struct debug_files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        free(files->folder[i]);
    free(files->folder);
    *files = (struct debug_files){.count = 0};
}

bool debug_files_add(struct debug_files *files, const char *folder, struct err *err)
{
    struct stat status;
    if (stat(folder, &status) != 0)
        return err_set(err, "%.300s: %s", folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return err_set(err, "%.300s: %s", folder, strerror(ENOTDIR));
    files->folder = checked_memory(realloc(files->folder, (files->count + 1) * sizeof *files->folder));
    files->folder[files->count++] = checked_memory(strdup(folder));
    return true;
}

/* Open PATH if it is a regular file. NULL if not, or with a message on stderr if it is damaged. */
static struct program_file *open_file(const char *path)
{
    struct stat status;
    struct err err = {""};
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    struct program_file *file = program_file_open(path, &err);
    if (!file)
        error_lines_print("%s", err.text);
    return file;
}

/* True if FILE has the build-id ID. True also if either build-id is unknown: the name decides then. */
static bool is_of_build(const struct program_file *file, const uint8_t *id, size_t size)
{
    size_t own_size;
    uint32_t offset;
    const uint8_t *own = program_file_build_id(file, &own_size, &offset);
    return !own || size == 0 || (own_size == size && memcmp(own, id, size) == 0);
}

static struct program_file *open_of_build(const char *path, const char *guest_path, const uint8_t *id, size_t size)
{
    struct program_file *file = open_file(path);
    if (!file || is_of_build(file, id, size))
        return file;
    fprintf(stderr, "simos: %s is not the guest's %s: the build-id differs\n", PRINTABLE(path), PRINTABLE(guest_path));
    program_file_close(file);
    return NULL;
}

/* Search for .build-id/ab/cdef.debug. */
static struct program_file *find_by_id(const char *folder, const char *path, const uint8_t *id, size_t size)
{
    static const char *const places[] = {"usr/lib/debug/.build-id", ".build-id", "debug/.build-id"};
    char name[PATH_BYTES], digits[2 * 64 + 1];
    if (size < 2 || size > 64)
        return NULL;
    for (size_t i = 0; i < size; i++)
        snprintf(digits + 2 * i, 3, "%02x", id[i]);
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(name, sizeof name, "%s/%s/%.2s/%s.debug", folder, places[i], digits, digits + 2);
        struct program_file *file = open_of_build(name, path, id, size);
        if (file)
            return file;
    }
    return NULL;
}

static struct program_file *find_by_name(const char *folder, const char *path, const uint8_t *id, size_t size)
{
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    const struct {
        const char *before, *name, *after;
    } places[] = {{"/usr/lib/debug", path, ""},
                  {"/usr/lib/debug", path, ".debug"},
                  {"", path, ".debug"},
                  {"/", last, ".debug"},
                  {"", path, ""},
                  {"/", last, ""}};
    char name[PATH_BYTES];
    for (unsigned i = 0; i < sizeof places / sizeof places[0] && *last; i++) {
        if ((size_t)snprintf(name, sizeof name, "%s%s%s%s", folder, places[i].before, places[i].name,
                             places[i].after) >= sizeof name)
            continue;
        struct program_file *file = open_of_build(name, path, id, size);
        if (file)
            return file;
    }
    return NULL;
}

struct program_file *debug_files_find(const struct debug_files *files, const char *path, const uint8_t *id, size_t size)
{
    struct program_file *file = NULL;
    for (unsigned i = 0; i < files->count && !file; i++)
        file = find_by_id(files->folder[i], path, id, size);
    for (unsigned i = 0; i < files->count && !file; i++)
        file = find_by_name(files->folder[i], path, id, size);
    return file;
}

/* The first accepted file that matches PATTERN, in order of names. */
static struct program_file *find_kernel(const char *pattern, debug_files_accept_fn *accepts, void *opaque)
{
    struct program_file *file = NULL;
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !file; i++) {
        file = open_file(found.gl_pathv[i]);
        if (!file || accepts(opaque, file))
            continue;
        fprintf(stderr, "simos: %s is not the guest's kernel\n", PRINTABLE(found.gl_pathv[i]));
        program_file_close(file);
        file = NULL;
    }
    globfree(&found);
    return file;
}

struct program_file *debug_files_find_kernel(const struct debug_files *files, debug_files_accept_fn *accepts,
                                             void *opaque)
{
    static const char *const patterns[] = {"vmlinux*", "boot/vmlinux*", "usr/lib/debug/boot/vmlinux*",
                                           "usr/lib/debug/vmlinux*", "usr/lib/debug/lib/modules/*/vmlinux"};
    char pattern[PATH_BYTES];
    struct program_file *file = NULL;
    for (unsigned i = 0; i < files->count; i++)
        for (unsigned j = 0; j < sizeof patterns / sizeof patterns[0] && !file; j++) {
            snprintf(pattern, sizeof pattern, "%s/%s", files->folder[i], patterns[j]);
            file = find_kernel(pattern, accepts, opaque);
        }
    return file;
}
