#include "src/sweep/window_merge.h"

#include <string.h>

/* SUM, which may be NULL, plus the number PART: an integer as long as it can be one. A new reference. */
static json_t *add_numbers(const json_t *sum, const json_t *part)
{
    json_int_t total;
    if (json_is_integer(part) && (!sum || json_is_integer(sum)) &&
        !__builtin_add_overflow(json_integer_value(sum), json_integer_value(part), &total))
        return json_integer(total);
    return json_real(json_number_value(sum) + json_number_value(part));
}

/* Adds the numbers of PART to those of SUM that have the same names, at every depth; arrays are skipped. Strings come
 * from the first object that has them. The depth is that of the JSON parser at most. */
static void add_members(json_t *sum, json_t *part)
{
    const char *name;
    json_t *value;
    json_object_foreach(part, name, value)
    {
        json_t *member = json_object_get(sum, name);
        if (json_is_number(value)) {
            json_object_set_new(sum, name, add_numbers(member, value));
        } else if (json_is_object(value)) {
            if (!json_is_object(member))
                json_object_set_new(sum, name, json_object());
            add_members(json_object_get(sum, name), value);
        } else if (json_is_string(value) && !member) {
            json_object_set(sum, name, value);
        }
    }
}

/* Locks. What identifies one, and the numbers that are no sums. */
static const char *const identity[] = {"name", "kind", "caller", "address"};
static const char *const of_one_hold[] = {"held_longest", "longest_by"};

static bool is_same_lock(const json_t *a, const json_t *b)
{
    for (size_t i = 0; i < sizeof identity / sizeof identity[0]; i++) {
        const json_t *of_a = json_object_get(a, identity[i]), *of_b = json_object_get(b, identity[i]);
        if ((of_a || of_b) && !json_equal(of_a, of_b))
            return false;
    }
    return true;
}

static json_t *find_lock(json_t *locks, const json_t *lock)
{
    size_t i;
    json_t *known;
    json_array_foreach(locks, i, known) if (is_same_lock(known, lock)) return known;
    return NULL;
}

static void add_locks(json_t *locks, json_t *part)
{
    size_t i;
    json_t *lock;
    json_array_foreach(part, i, lock)
    {
        json_t *known = find_lock(locks, lock);
        if (!known)
            json_array_append_new(locks, known = json_object());
        add_members(known, lock);
        for (size_t n = 0; n < sizeof of_one_hold / sizeof of_one_hold[0]; n++)
            json_object_del(known, of_one_hold[n]);
    }
}

json_t *window_merge_annotations(json_t *const *annotations, size_t count)
{
    json_t *merged = json_object(), *locks = json_array();
    for (size_t i = 0; i < count; i++) {
        add_members(merged, annotations[i]);
        add_locks(locks, json_object_get(annotations[i], "locks"));
    }
    json_object_del(merged, "begun");
    json_object_set(merged, "locks", locks);
    json_decref(locks);
    return merged;
}
