#include "src/results/name_index.h"

#include "src/base/log.h"

size_t name_index_find(const struct name_index *index, const char *name)
{
    const json_t *const number = json_object_get(index->numbers, name);
    return number ? (size_t)json_integer_value(number) : NAME_INDEX_NONE;
}

void name_index_add(struct name_index *index, const char *name, size_t number)
{
    if (!index->numbers)
        index->numbers = checked_memory(json_object());
    if (name_index_find(index, name) == NAME_INDEX_NONE)
        json_object_set_new_nocheck(index->numbers, name, checked_memory(json_integer((json_int_t)number)));
}

size_t name_index_number(struct name_index *index, const char *name)
{
    const size_t number = name_index_find(index, name);
    if (number != NAME_INDEX_NONE)
        return number;
    const size_t next = json_object_size(index->numbers);
    name_index_add(index, name, next);
    return next;
}

void name_index_release(struct name_index *index)
{
    json_decref(index->numbers);
    index->numbers = NULL;
}
