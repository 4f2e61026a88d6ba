#include "annotations/accounts/timing_trees.h"

#include "annotations/accounts/account.h"
#include "src/base/board.h"
#include "src/base/printable.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct phase {
    struct phase *parent, *children, *next; /* children: the first one; next: sibling */
    char name[TIMING_NAME];
    uint64_t calls;
    struct bucket bucket; /* without that of phases within */
};

struct tree {
    struct tree *next;
    char name[TIMING_NAME];
    unsigned fields, phases;
    bool ended;
    struct phase root;
    struct phase *now[BOARD_MAX_CPUS];
    struct bucket charged[BOARD_MAX_CPUS];
};

struct timing_trees {
    const struct machine_view *machine;
    struct tree *first, **last;
};

static const char *const field_names[] = {"calls", "cycles", "insns", "wait", "stall", "misses", NULL};
enum { FIELDS = sizeof field_names / sizeof field_names[0] - 1 };

const char *timing_trees_field_name(unsigned field)
{
    return field < FIELDS ? field_names[field] : NULL;
}

struct timing_trees *timing_trees_create(const struct machine_view *machine)
{
    struct timing_trees *timing = checked_memory(calloc(1, sizeof *timing));
    timing->machine = machine;
    timing->last = &timing->first;
    return timing;
}

static void free_children(struct phase *phase)
{
    while (phase->children) {
        struct phase *one = phase->children;
        phase->children = one->next;
        free_children(one);
        free(one);
    }
}

void timing_trees_free(struct timing_trees *timing)
{
    if (!timing)
        return;
    while (timing->first) {
        struct tree *tree = timing->first;
        timing->first = tree->next;
        free_children(&tree->root);
        free(tree);
    }
    free(timing);
}

static struct tree *find(const struct timing_trees *timing, const char *name)
{
    struct tree *tree = timing ? timing->first : NULL;
    while (tree && strcmp(tree->name, name) != 0)
        tree = tree->next;
    return tree;
}

/* Charging */

static struct bucket read_core(struct core *core)
{
    struct bucket sum = {0};
    core_sync(core);
    core_account(core);
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        bucket_add(&sum, &core->mode_buckets[mode]);
    return sum;
}

static void charge(struct tree *tree, struct core *core)
{
    const struct bucket now = read_core(core);
    if (!tree->ended)
        bucket_add_difference(&tree->now[core->number]->bucket, &now, &tree->charged[core->number]);
    tree->charged[core->number] = now;
}

static void charge_all(const struct timing_trees *timing, struct tree *tree)
{
    for (unsigned cpu = 0; cpu < timing->machine->cpus; cpu++)
        charge(tree, timing->machine->cores[cpu]);
}

bool timing_trees_add(struct timing_trees *timing, const char *name)
{
    if (find(timing, name))
        return false;
    struct tree *tree = checked_memory(calloc(1, sizeof *tree));
    snprintf(tree->name, sizeof tree->name, "%s", name);
    snprintf(tree->root.name, sizeof tree->root.name, "%s", name);
    tree->fields = (1u << FIELDS) - 1;
    for (unsigned cpu = 0; cpu < timing->machine->cpus; cpu++) {
        tree->now[cpu] = &tree->root;
        tree->charged[cpu] = read_core(timing->machine->cores[cpu]);
    }
    *timing->last = tree;
    timing->last = &tree->next;
    return true;
}

bool timing_trees_set_fields(struct timing_trees *timing, const char *name, unsigned fields)
{
    struct tree *tree = find(timing, name);
    if (tree)
        tree->fields = fields;
    return tree != NULL;
}

/* Moves */

static unsigned depth_of(const struct phase *phase)
{
    unsigned depth = 0;
    for (; phase->parent; phase = phase->parent)
        depth++;
    return depth;
}

/* The phase NAME within PHASE, created if necessary, after its siblings. */
static struct phase *enter_phase(struct tree *tree, struct phase *phase, const char *name, struct err *err)
{
    struct phase **at = &phase->children;
    char cut[TIMING_NAME];
    snprintf(cut, sizeof cut, "%s", name);
    while (*at && strcmp((*at)->name, cut) != 0)
        at = &(*at)->next;
    if (*at)
        return *at;
    if (tree->phases == TIMING_NODES || depth_of(phase) == TIMING_DEPTH) {
        err_set(err, "timing tree %s: there are too many phases (%d, %d within each other)", tree->name, TIMING_NODES,
                TIMING_DEPTH);
        return NULL;
    }
    *at = checked_memory(calloc(1, sizeof **at));
    memcpy((*at)->name, cut, sizeof cut);
    (*at)->parent = phase;
    tree->phases++;
    return *at;
}

/* The parent of the phase NAME around PHASE, or of PHASE itself if NAME is NULL; NULL: there is none. */
static struct phase *leave_phase(struct phase *phase, const char *name)
{
    while (name && phase->parent && strncmp(phase->name, name, TIMING_NAME - 1) != 0)
        phase = phase->parent;
    return phase->parent;
}

bool timing_trees_move(struct timing_trees *timing, const char *name, enum timing_move move, struct core *core,
                       const char *phase, struct err *err)
{
    struct tree *tree = find(timing, name);
    if (!tree)
        return err_set(err, "there is no timing tree \"%.64s\"", name);
    struct phase **now = &tree->now[core->number], *next = &tree->root;
    if (move == TIMING_TERMINATE) {
        charge_all(timing, tree);
        tree->ended = true;
        return true;
    }
    charge(tree, core);
    if (move == TIMING_SWITCH)
        next = enter_phase(tree, *now, phase, err);
    else if (move == TIMING_END && !(next = leave_phase(*now, phase)))
        return err_set(err, "timing tree %s: the processor is in no phase %.64s", tree->name, phase ? phase : "");
    if (!next)
        return false;
    next->calls += move == TIMING_SWITCH && !tree->ended;
    *now = next;
    return true;
}

static void reset_phase(struct phase *phase)
{
    phase->calls = 0;
    phase->bucket = (struct bucket){0};
    for (struct phase *one = phase->children; one; one = one->next)
        reset_phase(one);
}

void timing_trees_reset(struct timing_trees *timing)
{
    for (struct tree *tree = timing ? timing->first : NULL; tree; tree = tree->next) {
        charge_all(timing, tree);
        reset_phase(&tree->root);
    }
}

/* Results */

bool timing_trees_any(const struct timing_trees *timing)
{
    return timing && timing->first;
}

static uint64_t field_of(const struct phase *phase, const struct bucket *b, unsigned field)
{
    const uint64_t values[FIELDS] = {
        phase->calls, b->cycles,       b->insns,
        b->wait,      bucket_stall(b), b->miss[MISS_L1I] + b->miss[MISS_L1D_READ] + b->miss[MISS_L1D_WRITE]};
    return values[field];
}

/* Sum of PHASE and all phases within. */
static struct bucket total_of(const struct phase *phase)
{
    struct bucket sum = phase->bucket;
    for (const struct phase *one = phase->children; one; one = one->next) {
        const struct bucket part = total_of(one);
        bucket_add(&sum, &part);
    }
    return sum;
}

static void print_phase(const struct tree *tree, const struct phase *phase, int indent, FILE *out)
{
    const struct bucket total = total_of(phase);
    fprintf(out, "%*s%-*.*s", indent, "", indent < 32 ? 40 - indent : 8, TIMING_NAME, PRINTABLE(phase->name));
    for (unsigned field = 0; field < FIELDS; field++)
        if (tree->fields >> field & 1)
            fprintf(out, " %15" PRIu64, field_of(phase, &total, field));
    fputc('\n', out);
    for (const struct phase *one = phase->children; one; one = one->next)
        print_phase(tree, one, indent + 2, out);
}

bool timing_trees_print(struct timing_trees *timing, const char *name, FILE *out)
{
    bool found = false;
    for (struct tree *tree = timing ? timing->first : NULL; tree; tree = tree->next) {
        if (name && strcmp(tree->name, name) != 0)
            continue;
        found = true;
        charge_all(timing, tree);
        fprintf(out, "\n%-40s", "Timing tree, nested phases included");
        for (unsigned field = 0; field < FIELDS; field++)
            if (tree->fields >> field & 1)
                fprintf(out, " %15s", field_names[field]);
        fputc('\n', out);
        print_phase(tree, &tree->root, 0, out);
    }
    return found;
}

static void write_phase(const struct phase *phase, struct json_writer *json)
{
    json_begin_object(json);
    json_member_text(json, "name", phase->name);
    for (unsigned field = 0; field < FIELDS; field++)
        json_member_count(json, field_names[field], field_of(phase, &phase->bucket, field));
    json_member_array(json, "within");
    for (const struct phase *one = phase->children; one; one = one->next)
        write_phase(one, json);
    json_end_array(json);
    json_end_object(json);
}

void timing_trees_write_json(struct timing_trees *timing, struct json_writer *json)
{
    json_begin_array(json);
    for (struct tree *tree = timing->first; tree; tree = tree->next) {
        charge_all(timing, tree);
        json_line(json, 6);
        write_phase(&tree->root, json);
    }
    json_line(json, 4);
    json_end_array(json);
}
