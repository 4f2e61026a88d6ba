#include "src/host/copy_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct copy_files *copy_files_create(void)
{
    struct copy_files *copy = checked_memory(calloc(1, sizeof *copy));
    copy->stream = -1;
    return copy;
}

static void free_requests(struct copy_request *requests, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        free(requests[i].from);
        free(requests[i].to);
    }
}

void copy_files_free(struct copy_files *copy)
{
    if (!copy)
        return;
    free_requests(copy->in, copy->in_count);
    free_requests(copy->out, copy->out_count);
    if (copy->stream >= 0)
        close(copy->stream);
    free(copy);
}

static char *copy_text(const char *text, size_t length)
{
    return checked_memory(strndup(text, length));
}

/* Normalise the guest path TEXT of LENGTH bytes: no leading, doubled or trailing slashes, no "." components; a relative
 * path is in COPY_GUEST_FOLDER. NULL with ERR if it contains ".." or control characters. */
static char *guest_path(const char *text, size_t length, struct err *err)
{
    char *whole = NULL, *to;
    if (asprintf(&whole, "%s/%.*s", text[0] == '/' ? "" : COPY_GUEST_FOLDER, (int)length, text) < 0)
        log_bug("out of memory");
    to = whole;
    for (const char *from = whole; *from;) {
        size_t part = strcspn(from, "/");
        if (part == 2 && memcmp(from, "..", 2) == 0) {
            err_set(err, "\"%.200s\": .. is not allowed", text);
            free(whole);
            return NULL;
        }
        if (part > 0 && !(part == 1 && *from == '.')) {
            if (to != whole)
                *to++ = '/';
            memmove(to, from, part);
            to += part;
        }
        from += part;
        from += strspn(from, "/");
    }
    *to = 0;
    for (const char *at = whole; *at; at++)
        if ((unsigned char)*at < ' ') {
            err_set(err, "a control character is not allowed in a path of the guest");
            free(whole);
            return NULL;
        }
    return whole;
}

/* Is TO, as returned by guest_path(), outside /proc and /sys? */
static bool may_receive(const char *to)
{
    size_t length = strcspn(to, "/");
    return !(length == 4 && strncmp(to, "proc", length) == 0) && !(length == 3 && strncmp(to, "sys", length) == 0);
}

/* The colon that separates a path from the folder behind it: the last one that a slash follows or, if RELATIVE, "./",
 * "../", or "." or ".." as the rest; if there is none and RELATIVE, the last colon. NULL: no folder. So the path may
 * contain colons, and a folder may too. */
static const char *separator(const char *text, bool relative)
{
    const char *last = relative ? strrchr(text, ':') : NULL, *clear = NULL;
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        size_t dots = relative ? strspn(at + 1, ".") : 0;
        if (at[1 + dots] == '/' ? dots <= 2 : !at[1 + dots] && (dots == 1 || dots == 2))
            clear = at;
    }
    return clear ? clear : last;
}

bool copy_files_add_in(struct copy_files *copy, const char *text, struct err *err)
{
    const char *colon = separator(text, false);
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    const char *folder = colon ? colon + 1 : COPY_GUEST_FOLDER;
    if (length == 0)
        return err_set(err, "no file is named");
    if (copy->in_count == COPY_FILES_MAX)
        return err_set(err, "at most %d times", COPY_FILES_MAX);
    char *to = guest_path(folder, strlen(folder), err);
    if (!to)
        return false;
    if (!may_receive(to)) {
        free(to);
        return err_set(err, "%.200s: no file of the host can be put there", folder);
    }
    copy->in[copy->in_count++] = (struct copy_request){.from = copy_text(text, length), .to = to};
    return true;
}

bool copy_files_add_out(struct copy_files *copy, const char *text, struct err *err)
{
    const char *colon = separator(text, true), *folder = colon ? colon + 1 : ".";
    size_t length = colon ? (size_t)(colon - text) : strlen(text), size = 1024;
    if (length == 0 || !*folder)
        return err_set(err, "no %s is named", length == 0 ? "file" : "folder");
    if (copy->out_count == COPY_FILES_MAX)
        return err_set(err, "at most %d times", COPY_FILES_MAX);
    char *from = guest_path(text, length, err);
    if (!from)
        return false;
    for (unsigned i = 0; i < copy->out_count; i++)
        size += strlen(copy->out[i].from) + 1;
    if (!*from || size + strlen(from) > COPY_HEADER_SIZE) {
        err_set(err, *from ? "\"%.200s\": the paths are too long" : "\"%.200s\": not the whole root", text);
        free(from);
        return false;
    }
    copy->out[copy->out_count++] = (struct copy_request){.from = from, .to = copy_text(folder, strlen(folder))};
    return true;
}
