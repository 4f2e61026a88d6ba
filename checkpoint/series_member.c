#include "checkpoint/series_member.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *series_path(const char *folder, uint32_t number)
{
    char *path;
    if (asprintf(&path, "%s/%04u.ckpt", folder, number) < 0)
        log_bug("out of memory");
    return path;
}

bool series_is_member_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits >= 4 && strcmp(name + digits, ".ckpt") == 0;
}

char *series_member_text(const struct series_member *member)
{
    char *text;
    size_t size;
    FILE *out = checked_memory(open_memstream(&text, &size));
    fprintf(out, "number %u\nevery %" PRIu64 "\ninsns %" PRIu64 "\n", member->number, member->every, member->insns);
    for (unsigned i = 0; i < member->need_count; i++) {
        const struct series_dependency *need = &member->needs[i];
        fprintf(out, "needs %u %" PRIu64 " %s\n", need->number, need->identity.size, need->identity.digest);
    }
    fclose(out);
    return text;
}

/* Parsing */

/* Parse a decimal number of at most MOST at *AT, followed by the character END; advance *AT past both. */
static bool take_number(const char **at, uint64_t most, char end, uint64_t *value)
{
    char *rest;
    errno = 0;
    *value = strtoull(*at, &rest, 10);
    bool good = isdigit((unsigned char)**at) && errno == 0 && *value <= most && *rest == end;
    *at = rest + good;
    return good;
}

static bool take_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_digest(const char **at, char digest[DIGEST_DIGITS + 1])
{
    if (strspn(*at, "0123456789abcdef") != DIGEST_DIGITS || (*at)[DIGEST_DIGITS] != '\n')
        return false;
    memcpy(digest, *at, DIGEST_DIGITS);
    digest[DIGEST_DIGITS] = 0;
    *at += DIGEST_DIGITS + 1;
    return true;
}

static bool take_need(struct series_member *member, const char **at)
{
    if (member->need_count == SERIES_DEPENDENCIES_MAX)
        return false;
    struct series_dependency *need = &member->needs[member->need_count];
    uint64_t number, least = member->need_count ? need[-1].number + 1ull : 0;
    if (!take_word(at, "needs ") || !take_number(at, SERIES_FILES_MAX - 1, ' ', &number) ||
        !take_number(at, UINT64_MAX, ' ', &need->identity.size) || !take_digest(at, need->identity.digest))
        return false;
    need->number = (uint32_t)number;
    return number >= least && number < member->number && (member->need_count++ || number == 0);
}

bool series_member_parse(struct series_member *member, const char *text, struct err *err)
{
    uint64_t number;
    *member = (struct series_member){0};
    bool good = take_word(&text, "number ") && take_number(&text, SERIES_FILES_MAX - 1, '\n', &number) &&
                take_word(&text, "every ") && take_number(&text, UINT64_MAX, '\n', &member->every) &&
                take_word(&text, "insns ") && take_number(&text, UINT64_MAX, '\n', &member->insns);
    if (good)
        member->number = (uint32_t)number;
    while (good && *text)
        good = take_need(member, &text);
    return (good && member->every > 0 && (member->need_count > 0) == (member->number > 0)) ||
           err_set(err, "its contents are invalid");
}

bool series_has_member(const struct checkpoint *checkpoint)
{
    const struct checkpoint_section *section;
    for (size_t i = 0; (section = checkpoint_section_at(checkpoint, i)); i++)
        if (strcmp(section->name, "series") == 0)
            return true;
    return false;
}

bool series_member_read(struct series_member *member, struct checkpoint *checkpoint, struct err *err)
{
    struct err reason = {""};
    char *text = checkpoint_text(checkpoint, "series", err);
    if (!text)
        return false;
    bool done = series_member_parse(member, text, &reason) ||
                err_set(err, "checkpoint %s: section series: %s", checkpoint_path(checkpoint), reason.text);
    free(text);
    return done;
}

/* Loading */

/* Open the checkpoint at PATH that CHECKPOINT needs, after checking its size and digest. */
static struct checkpoint *open_need(const char *path, const struct series_dependency *need,
                                    const struct checkpoint *checkpoint, struct err *err)
{
    struct file_identity identity = {.size = 0};
    struct err reason = {""};
    uint64_t size;
    int fd = input_file_open(INPUT_CHECKPOINT, path, &size, &reason);
    bool done = fd >= 0 && (size != need->identity.size || file_identity_read_fd(&identity, fd, size, path, &reason));
    if (fd >= 0)
        close(fd);
    if (!done) {
        err_set(err, "checkpoint %s needs another file of its series: %s", checkpoint_path(checkpoint), reason.text);
        return NULL;
    }
    if (!file_identity_same(&identity, &need->identity)) {
        err_set(err, "checkpoint %s needs %s, which has been changed", checkpoint_path(checkpoint), path);
        return NULL;
    }
    return checkpoint_open(path, err);
}

bool series_load_dependencies(struct checkpoint *checkpoint, struct saved *saved, struct saved_terms *terms,
                              struct err *err)
{
    struct series_member member;
    if (!series_has_member(checkpoint))
        return true;
    if (!series_member_read(&member, checkpoint, err))
        return false;
    const char *path = checkpoint_path(checkpoint), *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    bool done = true;
    checked_memory(folder);
    for (unsigned i = 0; done && i < member.need_count; i++) {
        char *needed = series_path(folder, member.needs[i].number);
        struct checkpoint *before = open_need(needed, &member.needs[i], checkpoint, err);
        done = before && checkpoint_load_parts(before, saved, terms, err);
        checkpoint_close(before);
        free(needed);
        terms->over = true;
    }
    free(folder);
    return done;
}
