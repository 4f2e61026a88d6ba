#include "src/results/differences.h"

#include "src/base/log.h"
#include "src/base/printable.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256 };

/* Format VALUE for the table; long strings are truncated. */
static void text_of(const json_t *value, char text[DIFFERENCE_TEXT])
{
    if (!value)
        snprintf(text, DIFFERENCE_TEXT, "(none)");
    else if (json_is_integer(value))
        snprintf(text, DIFFERENCE_TEXT, "%" PRId64, (int64_t)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, DIFFERENCE_TEXT, "%.6g", json_real_value(value));
    else if (json_is_string(value))
        snprintf(text, DIFFERENCE_TEXT, "\"%.56s\"", json_string_value(value));
    else
        snprintf(text, DIFFERENCE_TEXT, json_is_null(value) ? "null" : "(a list)");
    printable_replace(text, '?');
}

static void add_difference(struct differences *differences, const char *name, const json_t *old_value,
                           const json_t *new_value)
{
    struct difference difference = {.name = checked_memory(strdup(name)), .change = 2, .order = differences->count};
    printable_replace(difference.name, '?');
    text_of(old_value, difference.old_text);
    text_of(new_value, difference.new_text);
    if (json_is_number(old_value) && json_is_number(new_value)) {
        difference.before = json_number_value(old_value);
        difference.after = json_number_value(new_value);
        const double larger = fmax(fabs(difference.before), fabs(difference.after));
        difference.amount = fabs(difference.after - difference.before);
        difference.change = larger > 0 ? fmin(difference.amount / larger, 1) : 0;
    }
    if (differences->count == differences->room) {
        differences->room = differences->room ? 2 * differences->room : 256;
        differences->row = checked_memory(realloc(differences->row, differences->room * sizeof *differences->row));
    }
    differences->row[differences->count++] = difference;
}

static void join(char path[PATH_SIZE], const char *prefix, const char *name)
{
    snprintf(path, PATH_SIZE, "%.150s%s%.100s", prefix, *prefix ? "." : "", name);
}

static void compare_values(struct differences *differences, const char *path, json_t *old_value, json_t *new_value);

/* The version of the program is no result of the run. */
static bool is_compared(const char *path)
{
    return strcmp(path, "simos") != 0;
}

/* Compare the members of both objects in the order of the first, then those that only the second has. */
static void compare_objects(struct differences *differences, const char *prefix, json_t *old_object, json_t *new_object)
{
    const char *name;
    json_t *value;
    char path[PATH_SIZE];
    json_object_foreach(old_object, name, value)
    {
        join(path, prefix, name);
        if (is_compared(path))
            compare_values(differences, path, value, json_object_get(new_object, name));
    }
    json_object_foreach(new_object, name, value)
    {
        join(path, prefix, name);
        if (is_compared(path) && !json_object_get(old_object, name))
            compare_values(differences, path, NULL, value);
    }
}

static void compare_values(struct differences *differences, const char *path, json_t *old_value, json_t *new_value)
{
    bool deep = (!old_value || json_is_object(old_value)) && (!new_value || json_is_object(new_value));
    if (deep) {
        compare_objects(differences, path, old_value, new_value);
        return;
    }
    differences->seen++;
    if (!old_value || !new_value || !json_equal(old_value, new_value))
        add_difference(differences, path, old_value, new_value);
}

static int by_change(const void *first, const void *second)
{
    const struct difference *a = first, *b = second;
    if (a->change != b->change)
        return a->change > b->change ? -1 : 1;
    if (a->amount != b->amount)
        return a->amount > b->amount ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void differences_find(struct differences *differences, const struct results *before, const struct results *after)
{
    *differences = (struct differences){.count = 0};
    compare_objects(differences, "", before->root, after->root);
    if (differences->count > 0)
        qsort(differences->row, differences->count, sizeof *differences->row, by_change);
}

void differences_release(struct differences *differences)
{
    for (size_t i = 0; i < differences->count; i++)
        free(differences->row[i].name);
    free(differences->row);
    *differences = (struct differences){.count = 0};
}
