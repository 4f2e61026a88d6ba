#include "src/results/mix.h"

#include "src/base/array.h"
#include "src/measure/attribution.h"
#include "src/base/log.h"
#include "src/base/printable.h"
#include <stdlib.h>
#include <string.h>

/* Kinds of cpu/observe/mix.def. */
static const struct {
    const char *kind;
    enum mix_group group;
} groups[] = {{"alu", MIX_GROUP_ALU},
              {"shift", MIX_GROUP_ALU},
              {"nop", MIX_GROUP_NOP},
              {"marker", MIX_GROUP_NOP},
              {"multiply", MIX_GROUP_MULTIPLY},
              {"divide", MIX_GROUP_MULTIPLY},
              {"load", MIX_GROUP_LOAD},
              {"ll", MIX_GROUP_LOAD},
              {"store", MIX_GROUP_STORE},
              {"sc", MIX_GROUP_STORE},
              {"prefetch", MIX_GROUP_PREFETCH},
              {"branch_taken", MIX_GROUP_TAKEN},
              {"branch_not_taken", MIX_GROUP_NOT_TAKEN},
              {"jump", MIX_GROUP_JUMP},
              {"call", MIX_GROUP_JUMP},
              {"return", MIX_GROUP_JUMP},
              {"indirect", MIX_GROUP_JUMP}};

static enum mix_group group_of(const char *kind)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(groups[i].kind, kind) == 0)
            return groups[i].group;
    return strncmp(kind, "fp_", 3) == 0 ? MIX_GROUP_FP : MIX_GROUP_SYSTEM;
}

static struct mix_row *add_row(struct mix_table *table, const char *prefix, const char *name)
{
    table->row = array_room(table->row, table->count, sizeof *table->row);
    struct mix_row *row = &table->row[table->count++];
    *row = (struct mix_row){.name = ""};
    snprintf(row->name, sizeof row->name, "%s%s", prefix, name);
    printable_replace(row->name, '?');
    return row;
}

/* Add MIX to ROW. */
static void add_mix(struct mix_row *row, json_t *mix)
{
    const char *kind;
    json_t *count;
    json_object_foreach(mix, kind, count)
    {
        row->group[group_of(kind)] += json_number_value(count);
        row->insns += json_number_value(count);
    }
}

static void read_modes(struct mix_table *table, json_t *root)
{
    for (enum mode mode = 0; mode < MODE_COUNT; mode++) {
        struct mix_row *row = add_row(table, "", mode_name(mode));
        const char *name;
        json_t *part;
        json_object_foreach(root, name, part)
        {
            const json_t *of_mode = json_object_get(json_object_get(part, "mode"), mode_name(mode));
            if (strncmp(name, "cpu", 3) == 0)
                add_mix(row, json_object_get(of_mode, "mix"));
        }
        if (row->insns == 0)
            table->count--;
    }
    table->modes = table->count;
}

/* A row for each member of PARTS, all with PREFIX. */
static void read_parts(struct mix_table *table, const char *prefix, json_t *parts)
{
    const char *name;
    json_t *part;
    json_object_foreach(parts, name, part)
    {
        json_t *mix = json_object_get(part, "mix");
        if (json_is_object(mix))
            add_mix(add_row(table, prefix, name), mix);
    }
}

static int by_insns(const void *a, const void *b)
{
    const struct mix_row *x = a, *y = b;
    if (x->insns != y->insns)
        return x->insns < y->insns ? 1 : -1;
    return strcmp(x->name, y->name);
}

void mix_table_read(struct mix_table *table, const json_t *root)
{
    const json_t *annotations = json_object_get(root, "annotations");
    *table = (struct mix_table){0};
    read_modes(table, (json_t *)root);
    read_parts(table, "", json_object_get(annotations, "services"));
    if (table->count > table->modes)
        qsort(table->row + table->modes, table->count - table->modes, sizeof *table->row, by_insns);
    const char *name;
    json_t *automaton;
    json_object_foreach(json_object_get(annotations, "automata"), name, automaton)
    {
        char prefix[MIX_NAME_SIZE];
        snprintf(prefix, sizeof prefix, "%.24s: ", name);
        read_parts(table, prefix, json_object_get(automaton, "states"));
    }
}

void mix_table_release(struct mix_table *table)
{
    free(table->row);
    *table = (struct mix_table){0};
}
