#include "src/host/copy_saved.h"

#include "src/base/file_identity.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Saved text */

/* Write PATH as an absolute path, without newlines. */
static void put_host_path(const char *path, FILE *out)
{
    char folder[PATH_MAX];
    if (*path != '/' && getcwd(folder, sizeof folder))
        fprintf(out, "%s/", folder);
    for (; *path; path++)
        fputc(*path == '\n' ? ' ' : *path, out);
}

static bool put_stream(const struct copy_files *copy, FILE *out, struct err *err)
{
    struct file_identity identity;
    if (copy->stream < 0)
        return true;
    if (!file_identity_read_fd(&identity, copy->stream, copy->stream_size, "--copy-in", err))
        return false;
    fprintf(out, "stream %" PRIu64 " %s\n", identity.size, identity.digest);
    return true;
}

char *copy_saved_text(const struct copy_files *copy, struct err *err)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    for (unsigned i = 0; copy && i < copy->in_count; i++) {
        fputs("in ", out);
        put_host_path(copy->in[i].from, out);
        fprintf(out, ":/%s\n", copy->in[i].to);
    }
    for (unsigned i = 0; copy && i < copy->out_count; i++) {
        fprintf(out, "out /%s:", copy->out[i].from);
        put_host_path(copy->out[i].to, out);
        fputc('\n', out);
    }
    bool done = !copy || put_stream(copy, out, err);
    fclose(out);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* Find the INDEX-th line of TEXT that begins with WORD and a blank. Returns the text behind the blank and its length in
 * *LENGTH; NULL if there are fewer lines. */
static const char *find_line(const char *text, const char *word, unsigned index, size_t *length)
{
    size_t size = strlen(word);
    for (; *text; text += *length + (text[*length] == '\n')) {
        *length = strcspn(text, "\n");
        if (strncmp(text, word, size) != 0 || text[size] != ' ' || index-- > 0)
            continue;
        *length -= size + 1;
        return text + size + 1;
    }
    return NULL;
}

/* Restoring */

/* Add the requests of one direction from TEXT, unless the options contain requests (ASKED); requires TRUST. */
static bool adopt_way(struct copy_files *copy, const char *way, unsigned asked, const char *text, bool trust,
                      const char *path, struct err *err)
{
    bool in = strcmp(way, "in") == 0, done = true;
    struct err reason = {""};
    const char *line;
    size_t length;
    if (asked && !find_line(text, way, 0, &length))
        return err_set(
            err,
            "--copy-%s: the machine in checkpoint %s has no disk for that: save one from a run with --copy-%s "
            "(of anything)",
            way, path, way);
    if (!asked && !trust && (line = find_line(text, way, 0, &length)))
        return err_set(err,
                       "checkpoint %.200s: its copy-%s %.*s %s on this host: say --copy-%s on the command line, or "
                       "--trust the file",
                       path, way, (int)(length < 200 ? length : 200), line, in ? "reads" : "writes", way);
    for (unsigned i = 0; !asked && done && (line = find_line(text, way, i, &length)); i++) {
        char *request = checked_memory(strndup(line, length));
        done = (in ? copy_files_add_in : copy_files_add_out)(copy, request, &reason);
        free(request);
    }
    return done || err_set(err, "checkpoint %s: section copies: %s", path, reason.text);
}

bool copy_saved_adopt(struct copy_files **copy, const char *text, bool trust, const char *path, struct err *err)
{
    if (!*text && !*copy)
        return true;
    if (!*copy)
        *copy = copy_files_create();
    unsigned in = (*copy)->in_count, out = (*copy)->out_count;
    return adopt_way(*copy, "in", in, text, trust, path, err) && adopt_way(*copy, "out", out, text, trust, path, err);
}

bool copy_saved_check(const struct copy_files *copy, const char *text, struct err *err)
{
    size_t other, one;
    char *here = copy_saved_text(copy, err);
    if (!here)
        return false;
    const char *is = find_line(here, "stream", 0, &one), *was = find_line(text, "stream", 0, &other);
    bool same = !was || (is && one == other && strncmp(is, was, one) == 0);
    free(here);
    return same || err_set(err, "--copy-in: the copied files are not those of the checkpoint");
}
