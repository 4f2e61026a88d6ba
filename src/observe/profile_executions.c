/* Execution profiles by routine and by instruction. */
#include "src/observe/profile.h"

#include "cpu/observe/execution_profile.h"
#include "src/base/log.h"
#include <stdlib.h>
#include <string.h>

static int64_t sum_of(const int64_t insns[MODE_COUNT])
{
    int64_t sum = 0;
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        sum += insns[mode];
    return sum;
}

static int by_name(const void *a, const void *b)
{
    const struct execution_row *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

static int by_insns(const void *a, const void *b)
{
    const struct execution_row *x = a, *y = b;
    const int64_t x_sum = sum_of(x->insns), y_sum = sum_of(y->insns);
    return x_sum != y_sum ? (x_sum < y_sum) - (x_sum > y_sum) : by_name(a, b);
}

/* Combine rows of the same name; ROWS are sorted by name. Returns the number of remaining rows. */
static size_t join_rows(struct execution_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || strcmp(rows[kept - 1].name, rows[i].name) != 0) {
            rows[kept++] = rows[i];
            continue;
        }
        for (unsigned mode = 0; mode < MODE_COUNT; mode++)
            rows[kept - 1].insns[mode] += rows[i].insns[mode];
    }
    return kept;
}

static int by_key(const void *a, const void *b)
{
    const struct execution_count *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Each block adds its count to its first instruction and subtracts it behind its last one; the count of an instruction
 * is the sum up to there. */
struct execution_count *profile_instructions(const struct machine *machine, unsigned modes, size_t *count)
{
    *count = 0;
    if (!machine->execution_profile)
        return NULL;
    size_t blocks, changes = 0, insns = 0;
    struct execution_block *block = execution_profile_blocks(machine->execution_profile, &blocks);
    if (blocks == 0)
        return NULL;
    struct execution_count *change = checked_memory(calloc(2 * blocks, sizeof *change));
    for (size_t i = 0; i < blocks; i++) {
        if (!(modes >> block[i].mode & 1))
            continue;
        insns += block[i].insns;
        change[changes++] = (struct execution_count){block[i].key, block[i].count};
        change[changes++] = (struct execution_count){block[i].key + block[i].insns * 4u, -block[i].count};
    }
    free(block);
    qsort(change, changes, sizeof *change, by_key);
    struct execution_count *counts = checked_memory(calloc(insns, sizeof *counts));
    int64_t sum = 0;
    for (size_t i = 0; i + 1 < changes; i++) {
        sum += change[i].count;
        for (uint64_t key = change[i].key; sum != 0 && key < change[i + 1].key; key += 4)
            counts[(*count)++] = (struct execution_count){key, sum};
    }
    free(change);
    return counts;
}
/* The names of instructions are found one by one, because a routine may begin in the middle of a block. */
struct execution_row *profile_executions(const struct machine *machine, size_t *count)
{
    struct execution_row *rows = NULL;
    size_t used = 0, room = 0;
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        size_t insns;
        struct execution_count *insn = profile_instructions(machine, 1u << mode, &insns);
        rows = insns > 0 ? checked_memory(realloc(rows, (used + insns) * sizeof *rows)) : rows;
        room = used + insns;
        for (size_t i = 0; i < insns; i++) {
            struct execution_row *row = &rows[used++];
            *row = (struct execution_row){.key = insn[i].key};
            profile_name_routine(machine, insn[i].key, row->name);
            row->insns[mode] = insn[i].count;
            if (i > 0 && strcmp(row[-1].name, row->name) == 0) {
                row[-1].insns[mode] += row->insns[mode];
                used--;
            }
        }
        free(insn);
    }
    *count = 0;
    if (room == 0)
        return rows;
    qsort(rows, used, sizeof *rows, by_name);
    *count = join_rows(rows, used);
    qsort(rows, *count, sizeof *rows, by_insns);
    return rows;
}

static int by_ends(const void *a, const void *b)
{
    const struct call_row *x = a, *y = b;
    const int order = strcmp(x->from, y->from);
    return order ? order : strcmp(x->to, y->to);
}

static int by_count(const void *a, const void *b)
{
    const struct call_row *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : by_ends(a, b);
}

struct call_row *profile_calls(const struct machine *machine, size_t *count)
{
    *count = 0;
    if (!machine->execution_profile)
        return NULL;
    size_t edges, calls = 0;
    struct execution_edge *edge = execution_profile_edges(machine->execution_profile, &edges);
    struct call_row *rows = edges > 0 ? checked_memory(calloc(edges, sizeof *rows)) : NULL;
    for (size_t i = 0; i < edges; i++) {
        if (!edge[i].is_call)
            continue;
        profile_name_routine(machine, edge[i].from, rows[calls].from);
        profile_name_routine(machine, edge[i].to, rows[calls].to);
        rows[calls++].count = edge[i].count;
    }
    free(edge);
    if (calls > 0)
        qsort(rows, calls, sizeof *rows, by_ends);
    for (size_t i = 0; i < calls; i++) {
        if (*count > 0 && by_ends(&rows[*count - 1], &rows[i]) == 0)
            rows[*count - 1].count += rows[i].count;
        else
            rows[(*count)++] = rows[i];
    }
    if (*count > 0)
        qsort(rows, *count, sizeof *rows, by_count);
    return rows;
}
