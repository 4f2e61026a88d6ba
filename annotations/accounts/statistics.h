/*
 * Statistics of scripts, as in SimOS: named collections of values, grouped by key.
 */
#ifndef SIMOS_ANNOTATIONS_ACCOUNTS_STATISTICS_H
#define SIMOS_ANNOTATIONS_ACCOUNTS_STATISTICS_H

#include "src/base/json_writer.h"
#include "src/base/log.h"
#include <stdbool.h>
#include <stdio.h>

struct statistics;

enum { STATISTICS_NAME = 64, STATISTICS_KEYS = 1 << 14 };

struct statistics *statistics_create(void);
void statistics_free(struct statistics *statistics); /* NULL is ignored, as by the functions that only read */

/* Add a collection NAME. False if it exists. */
bool statistics_add(struct statistics *statistics, const char *name);
/* Add VALUE, which must be finite, to KEY of collection NAME. False with ERR if the collection does not exist or has
 * too many keys. */
bool statistics_enter(struct statistics *statistics, const char *name, const char *key, double value, struct err *err);

/* Remove all values. */
void statistics_reset(struct statistics *statistics);
bool statistics_any(const struct statistics *statistics);

/* The values of a key. Entries are in the order in which the keys were first used. */
struct statistics_entry {
    char key[STATISTICS_NAME];
    unsigned long long count;
    double sum, least, most;
};
/* The *COUNT entries of collection NAME; NULL if it does not exist. */
const struct statistics_entry *statistics_list(const struct statistics *statistics, const char *name, size_t *count);
/* Name of collection NUMBER, from 0; NULL after the last. */
const char *statistics_name(const struct statistics *statistics, size_t number);

void statistics_print(const struct statistics *statistics, FILE *out);
/* Write a JSON object. */
void statistics_write_json(const struct statistics *statistics, struct json_writer *json);

#endif
