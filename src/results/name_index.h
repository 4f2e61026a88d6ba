/*
 * Numbers of names, for tables of a statistics file with a row for each name. The time for a name does not grow with
 * their number, whatever the names are: the files come from anywhere.
 */
#ifndef SIMOS_RESULTS_NAME_INDEX_H
#define SIMOS_RESULTS_NAME_INDEX_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* An index of all zero bytes is empty. */
struct name_index {
    json_t *numbers;
};

enum { NAME_INDEX_NONE = INT32_MAX };

/* The number of NAME; NAME_INDEX_NONE if it has none. */
size_t name_index_find(const struct name_index *index, const char *name);
/* Give NAME the number NUMBER, unless it has one. */
void name_index_add(struct name_index *index, const char *name, size_t number);
/* The number of NAME, which becomes the next one if it has none: 0, 1, 2 ... A number that equals the count of names so
 * far is new. */
size_t name_index_number(struct name_index *index, const char *name);
void name_index_release(struct name_index *index);

#endif
