/*
 * Statistics of a script, as SimOS scripts have them: named collections of values, told apart by a key.
 */
#ifndef SIMOS_ANNOTATIONS_STATISTICS_H
#define SIMOS_ANNOTATIONS_STATISTICS_H

#include "src/base/log.h"
#include <stdbool.h>
#include <stdio.h>

struct statistics;

enum { STATISTICS_NAME = 64, STATISTICS_KEYS = 1 << 14 };

struct statistics *statistics_create(void);
void statistics_free(struct statistics *statistics); /* NULL is fine, here and in what asks */

/* A collection called NAME. False: there is one. */
bool statistics_add(struct statistics *statistics, const char *name);
/* One more VALUE, finite, of KEY. False with ERR: there is no such collection, or it has too many keys. */
bool statistics_enter(struct statistics *statistics, const char *name, const char *key, double value, struct err *err);

/* All are empty. */
void statistics_begin_again(struct statistics *statistics);
bool statistics_any(const struct statistics *statistics);

/* What has been entered of a key; in the order in which keys came. */
struct statistics_entry {
    char key[STATISTICS_NAME];
    unsigned long long count;
    double sum, least, most;
};
/* The entries of NAME, *COUNT of them; NULL: there is no such collection. */
const struct statistics_entry *statistics_list(const struct statistics *statistics, const char *name, size_t *count);
/* The name of collection NUMBER, from 0; NULL behind the last. */
const char *statistics_name(const struct statistics *statistics, size_t number);

void statistics_print(const struct statistics *statistics, FILE *out);
/* As a JSON object. */
void statistics_write_json(const struct statistics *statistics, FILE *out);

#endif
