/*
 * Profiles of misses and stalls by routine and by data structure, from cache.profile (cache/classify/classify.h;
 * SOSP'95 section 2.1.1: "by the program counter generating the misses and by the virtual address of the misses").
 *
 * Kernel routines have names if there is a symbol file. Without names, code of user processes (by ASID) and data of
 * kernel and user processes are identified by 4 KB page.
 */
#ifndef SIMOS_OBSERVE_PROFILE_H
#define SIMOS_OBSERVE_PROFILE_H

#include "cache/classify/classify.h"
#include "src/base/json_writer.h"
#include "src/machine/machine.h"
#include <stdio.h>

enum { PROFILE_NAME = 96 };

/* All entries of a profile that have the same name. */
struct profile_row {
    char name[PROFILE_NAME];
    struct classify_profile_entry sum; /* its key is the lowest one */
};

/* The name of the routine of KEY, an entry of the profile by pc. */
void profile_name_routine(const struct machine *machine, uint64_t key, char name[PROFILE_NAME]);
/* The name of the routine that CORE executes, as in the rows by routine. */
void profile_name_location(const struct machine *machine, struct core *core, char *name, size_t size);

/* The rows of a profile, in order of decreasing stall, then by key. The caller frees them. NULL with *COUNT 0 if the
 * profile is off or empty. */
struct profile_row *profile_rows(const struct machine *machine, enum classify_profile which, size_t *count);

/* Print the first rows of each profile that is on. */
void profile_print(const struct machine *machine, FILE *out);

/* Executions by routine, and calls between routines, from the execution profile (cpu/observe/execution_profile.h). */
struct execution_row {
    char name[PROFILE_NAME];
    uint64_t key; /* the lowest one */
    int64_t insns[MODE_COUNT];
};
struct call_row {
    char from[PROFILE_NAME], to[PROFILE_NAME];
    int64_t count;
};
/* In order of decreasing count, then by name. The caller frees them. NULL with *COUNT 0 if there is no profile. */
struct execution_row *profile_executions(const struct machine *machine, size_t *count);
struct call_row *profile_calls(const struct machine *machine, size_t *count);
/* Executions of each instruction in MODES, a mask of 1 << enum mode, by ascending key; likewise. */
struct execution_count {
    uint64_t key;
    int64_t count;
};
struct execution_count *profile_instructions(const struct machine *machine, unsigned modes, size_t *count);

/* What instructions cost: those that missed or stalled, and those that executed. */
struct profile_insns {
    const struct machine *machine;
    const struct classify *classify;       /* NULL: no caches */
    struct classify_profile_entry *missed; /* by ascending key */
    struct execution_count *executed;      /* likewise */
    size_t missed_count, executed_count;
};
struct profile_insn {
    uint64_t key;
    const struct classify_profile_entry *costs; /* all 0 if it never missed */
    int64_t executions;
    size_t missed_read, executed_read; /* of the two arrays, up to this instruction */
};
/* Returns false with ERR, which names the PATH to be written, if the machine has neither caches nor execution counts.
 */
bool profile_insns_read(struct profile_insns *insns, const struct machine *machine, const char *path, struct err *err);
void profile_insns_free(struct profile_insns *insns);
/* The instruction after INSN by ascending key, the first one if all of INSN is 0. Returns false behind the last. */
bool profile_insns_next(const struct profile_insns *insns, struct profile_insn *insn);
/* The number of caches whose misses are known. */
unsigned profile_insns_caches(const struct profile_insns *insns);
/* The program, library or module that the code at KEY is of: its path, or "kernel" or "process N" in NAME. */
const char *profile_object(const struct machine *machine, uint64_t key, char name[PROFILE_NAME]);

/* Write the members of the object "locality" (docs/reference/performance-counters.md). Nothing without a profile or the
 * kernel's symbols. */
void profile_write_locality(const struct machine *machine, struct json_writer *json);

/* Write all rows as JSON: "routines" and "data" (empty if off), each row with name, key, stall cycles, misses by cache,
 * and classes, in the order of profile_rows(); "executions", "calls" and "locality" if executions are profiled. Saved
 * like stats_save_json(). Returns false with ERR. */
bool profile_save_json(const struct machine *machine, const char *path, struct err *err);

/* Write executions, calls, stalls and misses by routine and instruction in callgrind format. Returns false with ERR on
 * a write error, or if the machine has neither caches nor execution counts. */
bool profile_save_callgrind(const struct machine *machine, const char *path, struct err *err);

/* Write stalls, misses and executions by instruction for pprof: a gzipped protocol buffer. Likewise. */
bool profile_save_pprof(const struct machine *machine, const char *path, struct err *err);

/* Write samples of stalls, misses and executions by instruction as the text of `perf script`. Likewise. */
bool profile_save_perf(const struct machine *machine, const char *path, struct err *err);

/* Write a layout of the code of the kernel or of programs, a map for cache.layout, and beside it the guards of its
 * sequences (docs/reference/kernel-layout.md). Returns false with ERR on a write error, or if the machine has no
 * execution counts or no symbols of the kernel. */
bool profile_save_layout(const struct machine *machine, const char *path, struct err *err);
/* Write the names of the kernel's functions that executed, a line each, in the order in which this layout has their
 * first executed instructions: for a linker. Functions of modules are not among them. ERR as profile_save_layout(). */
bool profile_save_functions(const struct machine *machine, const char *path, struct err *err);
/* The path of these guards if PATH is that of a layout, else NULL; the caller frees it. */
char *profile_guards_path(const char *path);
/* Write the member "layout" of the JSON profile: its figures. Nothing as profile_write_locality(). */
void profile_write_layout(const struct machine *machine, struct json_writer *json);

/* Write prefetch points for the loads of the kernel that missed most (docs/reference/prefetch.md). Returns false with
 * ERR as profile_save_layout(), or if there are no caches. */
bool profile_save_points(const struct machine *machine, const char *path, struct err *err);

/* Write page hints for page_mapping.hints (docs/reference/page-mapping.md). Returns false with ERR on a write error, or
 * without page_mapping.profile. */
bool profile_save_pages(const struct machine *machine, const char *path, struct err *err);

/* Write PATH in callgrind format if it ends with ".callgrind", for pprof if with ".pb.gz", as text of `perf script` if
 * with ".perf", as a layout if with ".layout", as its order of functions if with ".functions", as prefetch points if
 * with ".points", as page hints if with ".pages", otherwise in JSON. */
bool profile_save(const struct machine *machine, const char *path, struct err *err);

#endif
