/*
 * The instruction mix in a statistics file (execution.counts=mix): of each mode, of each kernel service, and of each
 * state of an automaton.
 */
#ifndef SIMOS_RESULTS_MIX_H
#define SIMOS_RESULTS_MIX_H

#include "src/base/json_file.h"
#include <stddef.h>

enum { MIX_NAME_SIZE = 64 };

/* Kinds of instructions (cpu/observe/mix.def) together. */
enum mix_group {
    MIX_GROUP_ALU,
    MIX_GROUP_NOP,
    MIX_GROUP_MULTIPLY,
    MIX_GROUP_LOAD,
    MIX_GROUP_STORE,
    MIX_GROUP_PREFETCH,
    MIX_GROUP_TAKEN,
    MIX_GROUP_NOT_TAKEN,
    MIX_GROUP_JUMP,
    MIX_GROUP_FP,
    MIX_GROUP_SYSTEM, /* and kinds that this version of simos does not know */
    MIX_GROUPS
};

struct mix_row {
    char name[MIX_NAME_SIZE];
    double group[MIX_GROUPS], insns; /* instructions; insns: the sum */
};

struct mix_table {
    size_t modes, count; /* the first rows are modes; then services; then states */
    struct mix_row *row; /* owned */
};

/* Read TABLE from the statistics ROOT; no rows if the mix was not counted. The caller calls mix_table_release(). */
void mix_table_read(struct mix_table *table, const json_t *root);
void mix_table_release(struct mix_table *table);

#endif
