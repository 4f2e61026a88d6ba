#include "src/run/provenance.h"

#include "src/base/file_identity_cache.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct read_file {
    char *role, *path; /* owned */
    struct file_identity identity;
};

struct provenance {
    const struct named_files *files;
    int word_count;
    const char *const *words;
    unsigned count;
    struct read_file *file;
};

static void add_file(struct provenance *provenance, const char *role, const char *path,
                     const struct file_identity *identity)
{
    provenance->file = checked_memory(realloc(provenance->file, (provenance->count + 1) * sizeof *provenance->file));
    provenance->file[provenance->count++] = (struct read_file){
        .role = checked_memory(strdup(role)), .path = checked_memory(strdup(path)), .identity = *identity};
}

/* Add the file PATH if it is a regular one. A kernel may be followed by "@ADDRESS", which is no part of the file's
 * name: a name that is not there is left out, and whoever needs it says so. */
static bool read_file(struct provenance *provenance, const char *role, const char *path, struct err *err)
{
    struct stat status;
    struct file_identity identity;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(err, "--provenance: %s %.200s: %s", role, path, strerror(errno));
    const bool done = file_identity_find(&identity, fd, path, err);
    close(fd);
    if (done)
        add_file(provenance, role, path, &identity);
    return done;
}

struct provenance *provenance_create(const struct run_options *run, const struct named_files *files)
{
    struct provenance *provenance = checked_memory(calloc(1, sizeof *provenance));
    provenance->files = files;
    provenance->word_count = run->word_count;
    provenance->words = run->words;
    return provenance;
}

bool provenance_read(struct provenance *provenance, struct err *err)
{
    unsigned index = 0;
    const char *role, *path;
    while (provenance && named_files_next_input(provenance->files, &index, &role, &path))
        if (!read_file(provenance, role, path, err))
            return false;
    return true;
}

void provenance_free(struct provenance *provenance)
{
    if (!provenance)
        return;
    for (unsigned i = 0; i < provenance->count; i++) {
        free(provenance->file[i].role);
        free(provenance->file[i].path);
    }
    free(provenance->file);
    free(provenance);
}

static void write_json(void *opaque, struct json_writer *json)
{
    const struct provenance *provenance = opaque;
    json_begin_object(json);
    json_line(json, 4);
    json_member_array(json, "words");
    for (int i = 0; i < provenance->word_count; i++)
        json_put_text(json, provenance->words[i]);
    json_end_array(json);
    json_line(json, 4);
    json_member_array(json, "files");
    for (unsigned i = 0; i < provenance->count; i++) {
        const struct read_file *file = &provenance->file[i];
        json_line(json, 6);
        json_begin_object(json);
        json_member_text(json, "role", file->role);
        json_member_text(json, "path", file->path);
        json_member_count(json, "size", file->identity.size);
        json_member_text(json, "sha256", file->identity.digest);
        json_end_object(json);
    }
    json_line(json, 4);
    json_end_array(json);
    json_line(json, 2);
    json_end_object(json);
}

void provenance_register(struct provenance *provenance, struct stats *stats)
{
    if (provenance)
        stats_json(stats, "provenance", "the command line, and the files that the run read", write_json, provenance);
}
