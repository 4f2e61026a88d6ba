#include "src/base/json_file.h"

#include "src/base/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

json_t *json_file_parse(const char *what, const char *path, const char *text, size_t length, struct err *err)
{
    json_error_t reason;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &reason);
    if (!root) {
        err_set(err, "%s %.256s: line %d: %.150s", what, path, reason.line, reason.text);
        return NULL;
    }
    if (json_is_object(root))
        return root;
    err_set(err, "%s %.256s: is no JSON object", what, path);
    json_decref(root);
    return NULL;
}

/* Read all of IN, at most JSON_FILE_MAX + 1 bytes. NULL with errno. */
static char *read_all(FILE *in, size_t *length)
{
    size_t size = 1 << 16;
    char *text = checked_memory(malloc(size));
    *length = 0;
    for (;;) {
        *length += fread(text + *length, 1, size - 1 - *length, in);
        if (*length < size - 1 || *length > JSON_FILE_MAX)
            break;
        size *= 2;
        text = checked_memory(realloc(text, size));
    }
    text[*length] = 0;
    if (!ferror(in))
        return text;
    free(text);
    return NULL;
}

json_t *json_file_read(const char *what, const char *path, char **text, struct err *err)
{
    size_t length = 0;
    FILE *in = input_file_stream(path);
    char *all = in ? read_all(in, &length) : NULL;
    int reason = errno;
    json_t *root = NULL;
    if (in)
        fclose(in);
    if (!all)
        err_set(err, "%s %.256s: %s", what, path, input_file_reason(reason));
    else if (length > JSON_FILE_MAX)
        err_set(err, "%s %.256s: longer than %d bytes", what, path, JSON_FILE_MAX);
    else
        root = json_file_parse(what, path, all, length, err);
    if (text && root)
        *text = all;
    else
        free(all);
    return root;
}

void json_file_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}
