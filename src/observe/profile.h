/*
 * Where misses and stalls come from: the profiles of cache.profile (cache/classify/classify.h), by routine and by data structure
 * (SOSP'95 section 2.1.1: "by the program counter generating the misses and by the virtual address of the misses").
 *
 * Routines of the kernel have their names if there is a symbol file. The rest is known by its 4 KB page: code of a user
 * process (by ASID), data of the kernel and of user processes.
 */
#ifndef SIMOS_PROFILE_H
#define SIMOS_PROFILE_H

#include "cache/classify/classify.h"
#include "src/machine/machine.h"
#include <stdio.h>

enum { PROFILE_NAME = 96 };

/* All entries of a profile that have one name. */
struct profile_row {
    char name[PROFILE_NAME];
    struct classify_profile_entry sum; /* its key is the lowest of them */
};

/* The name of the routine of an entry of a profile by pc, by its key. */
void profile_name_routine(const struct machine *machine, uint64_t key, char name[PROFILE_NAME]);
/* The name of the routine that CORE of MACHINE is in, as rows by routine have it. */
void profile_name_place(const struct machine *machine, struct core *core, char *name, size_t size);

/* The rows of a profile of MACHINE, those with most stall first, then by key; the caller frees them. NULL with *COUNT 0
 * if that profile is not kept or empty. */
struct profile_row *profile_rows(const struct machine *machine, enum classify_profile which, size_t *count);

/* The first rows of each profile that is kept, for people; nothing if none is. */
void profile_print(const struct machine *machine, FILE *out);

/* Everything as JSON: "routines" and "data" (empty if not kept), a row each with its name, key, stall in cycles, misses
 * by cache and classes; in the order of profile_rows. Saved as stats_save_json() does. */
bool profile_save_json(const struct machine *machine, const char *path, struct err *err);

/* Stalls and misses by routine and instruction, in the format of callgrind. False also if the machine has no caches. */
bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err);

/* One of them: callgrind's if PATH ends in ".callgrind". */
bool profile_save(const struct machine *machine, const char *path, struct err *err);

#endif
