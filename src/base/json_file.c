#include "src/base/json_file.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* While a text is parsed: the memory that it may still allocate, and whether it needed more. jansson gives its
 * allocator no pointer of ours. */
struct budget {
    size_t left;
    bool exceeded;
};
static struct budget budget;

static void *allocate(size_t size)
{
    void *memory = size <= budget.left ? malloc(size) : NULL;
    budget.exceeded |= size > budget.left;
    const size_t taken = malloc_usable_size(memory);
    budget.left -= taken < budget.left ? taken : budget.left;
    return memory;
}

static void release(void *memory)
{
    budget.left += malloc_usable_size(memory);
    free(memory);
}

static json_t *parse(const char *text, size_t length, json_error_t *reason)
{
    budget.left = JSON_MEMORY_LEAST + JSON_MEMORY_FACTOR * length;
    budget.exceeded = false;
    json_set_alloc_funcs(allocate, release);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, reason);
    json_set_alloc_funcs(malloc, free);
    return root;
}

json_t *json_file_parse(const char *what, const char *path, const char *text, size_t length, struct err *err)
{
    json_error_t reason;
    json_t *root = parse(text, length, &reason);
    if (budget.exceeded) {
        err_set(err, "%s %.256s: its values need more than %zu MB of memory, the limit for its length", what, path,
                (JSON_MEMORY_LEAST + JSON_MEMORY_FACTOR * length) >> 20);
        return NULL;
    }
    if (!root) {
        const bool null = strstr(reason.text, "JSON_ALLOW_NUL") != NULL;
        err_set(err, "%s %.256s: line %d: %.150s", what, path, reason.line,
                null ? "a text contains the character NUL" : reason.text);
        return NULL;
    }
    if (json_is_object(root))
        return root;
    err_set(err, "%s %.256s: is no JSON object", what, path);
    json_decref(root);
    return NULL;
}

json_t *json_file_read(enum input_kind kind, const char *path, char **text, struct err *err)
{
    size_t length = 0;
    char *all = input_file_read(kind, path, &length, err);
    json_t *root = all ? json_file_parse(input_file_name(kind), path, all, length, err) : NULL;
    if (text && root)
        *text = all;
    else
        free(all);
    return root;
}
