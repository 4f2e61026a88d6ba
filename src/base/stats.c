#include "src/base/stats.h"

#include "src/base/hash_map.h"
#include "src/base/save_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATS_FIRST_CAPACITY = 256, /* of the leaves */
    STATS_COUNTS_MAX = 1024     /* maximum bytes of counters of a formula */
};

enum kind { KIND_GROUP, KIND_COUNTER, KIND_FORMULA, KIND_INTEGER, KIND_TEXT, KIND_JSON };

/* A node of the tree of dotted names: a group or a leaf. */
struct node {
    char *name;        /* full dotted name, owned */
    const char *label; /* last component of the name */
    enum kind kind;
    const char *unit, *text;
    union {
        const uint64_t *counter;
        double (*formula)(const void *opaque);
        uint64_t (*integer)(const void *opaque);
        char *string; /* owned */
        void (*json)(void *opaque, struct json_writer *json);
    } value;
    const void *opaque;
    size_t size;      /* bytes of the counters of a formula; 0: not over counters */
    uint64_t *before; /* values of the counters, counter or integer at stats_begin(); owned; NULL: 0 */
    bool amount;      /* the formula is an amount; its value at stats_begin() is ... */
    double amount_before;
    bool undefined; /* a formula without a value after stats_begin() */
    void *json_opaque;
    struct node *first_child, *last_child, *next; /* children in registration order */
};

struct stats {
    struct node root;
    struct hash_map nodes; /* by full name */
    struct node **leaves;  /* in registration order */
    size_t leaf_count, leaf_capacity;
    void (*prepare)(void *opaque);
    void *prepare_opaque;
};

struct stats *stats_create(void)
{
    return checked_memory(calloc(1, sizeof(struct stats)));
}

void stats_free(struct stats *stats)
{
    if (!stats)
        return;
    for (struct hash_slot *slot = hash_map_next(&stats->nodes, NULL); slot; slot = hash_map_next(&stats->nodes, slot)) {
        struct node *node = slot->pointer;
        if (node->kind == KIND_TEXT)
            free(node->value.string);
        free(node->before);
        free(node->name);
        free(node);
    }
    hash_map_release(&stats->nodes);
    free(stats->leaves);
    free(stats);
}

/* The first LENGTH bytes of TEXT. */
struct name {
    const char *text;
    size_t length;
};

static bool has_name(const void *sought, const struct hash_slot *slot)
{
    const struct name *name = sought;
    const struct node *node = slot->pointer;
    return strncmp(node->name, name->text, name->length) == 0 && !node->name[name->length];
}

static struct node *find_part(const struct stats *stats, const char *text, size_t length)
{
    const struct name name = {text, length};
    const struct hash_slot *slot = hash_map_find_equal(&stats->nodes, hash_bytes(text, length), has_name, &name);
    return slot ? slot->pointer : NULL;
}

static struct node *find(const struct stats *stats, const char *name)
{
    return find_part(stats, name, strlen(name));
}

static struct node *node_add(struct stats *stats, struct node *parent, const char *name, size_t length, enum kind kind)
{
    struct node *node = checked_memory(calloc(1, sizeof *node));
    node->name = checked_memory(strndup(name, length));
    const char *dot = strrchr(node->name, '.');
    node->label = dot ? dot + 1 : node->name;
    if (!*node->label)
        log_bug("statistic \"%s\" has an empty part", name);
    node->kind = kind;
    hash_map_add(&stats->nodes, hash_bytes(name, length))->pointer = node;
    if (parent->last_child)
        parent->last_child->next = node;
    else
        parent->first_child = node;
    parent->last_child = node;
    return node;
}

/* Add the leaf NAME, and its groups if missing. */
static struct node *leaf_add(struct stats *stats, const char *name, const char *unit, const char *text, enum kind kind)
{
    struct node *parent = &stats->root;
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - name);
        struct node *group = find_part(stats, name, length);
        if (!group)
            group = node_add(stats, parent, name, length, KIND_GROUP);
        else if (group->kind != KIND_GROUP)
            log_bug("statistic %s: %s is a value, not a group", name, group->name);
        parent = group;
    }
    if (find(stats, name))
        log_bug("statistic %s is registered twice", name);
    struct node *leaf = node_add(stats, parent, name, strlen(name), kind);
    leaf->unit = unit ? unit : "";
    leaf->text = text ? text : "";
    if (stats->leaf_count == stats->leaf_capacity) {
        stats->leaf_capacity = stats->leaf_capacity ? 2 * stats->leaf_capacity : STATS_FIRST_CAPACITY;
        stats->leaves = checked_memory(realloc(stats->leaves, stats->leaf_capacity * sizeof(struct node *)));
    }
    stats->leaves[stats->leaf_count++] = leaf;
    return leaf;
}

void stats_counter(struct stats *stats, const char *name, const char *unit, const char *text, const uint64_t *value)
{
    leaf_add(stats, name, unit, text, KIND_COUNTER)->value.counter = value;
}

void stats_formula(struct stats *stats, const char *name, const char *unit, const char *text,
                   double (*formula)(const void *opaque), const void *opaque)
{
    struct node *leaf = leaf_add(stats, name, unit, text, KIND_FORMULA);
    leaf->value.formula = formula;
    leaf->opaque = opaque;
}

void stats_formula_of_counters(struct stats *stats, const char *name, const char *unit, const char *text,
                               double (*formula)(const void *opaque), const void *counts, size_t size)
{
    struct node *leaf = leaf_add(stats, name, unit, text, KIND_FORMULA);
    if (size == 0 || size > STATS_COUNTS_MAX || size % sizeof(uint64_t))
        log_bug("statistic %s is over %zu bytes", name, size);
    leaf->value.formula = formula;
    leaf->opaque = counts;
    leaf->size = size;
}

void stats_amount(struct stats *stats, const char *name, const char *unit, const char *text,
                  double (*formula)(const void *opaque), const void *opaque)
{
    struct node *leaf = leaf_add(stats, name, unit, text, KIND_FORMULA);
    leaf->value.formula = formula;
    leaf->opaque = opaque;
    leaf->amount = true;
}

void stats_integer(struct stats *stats, const char *name, const char *unit, const char *text,
                   uint64_t (*formula)(const void *opaque), const void *opaque)
{
    struct node *leaf = leaf_add(stats, name, unit, text, KIND_INTEGER);
    leaf->value.integer = formula;
    leaf->opaque = opaque;
}

void stats_text(struct stats *stats, const char *name, const char *text, const char *value)
{
    leaf_add(stats, name, "", text, KIND_TEXT)->value.string = checked_memory(strdup(value));
}

void stats_json(struct stats *stats, const char *name, const char *text,
                void (*write)(void *opaque, struct json_writer *json), void *opaque)
{
    struct node *node = find(stats, name);
    if (!node)
        node = node_add(stats, &stats->root, name, strlen(name), KIND_JSON);
    node->text = text;
    node->value.json = write;
    node->json_opaque = opaque;
}

void stats_prepare(struct stats *stats, void (*prepare)(void *opaque), void *opaque)
{
    if (stats->prepare)
        log_bug("two modules update their counters late");
    stats->prepare = prepare;
    stats->prepare_opaque = opaque;
}

static void prepare(const struct stats *stats)
{
    if (stats->prepare)
        stats->prepare(stats->prepare_opaque);
}

void stats_set_text(struct stats *stats, const char *name, const char *value)
{
    struct node *node = find(stats, name);
    if (!node || node->kind != KIND_TEXT)
        log_bug("there is no text %s", name);
    free(node->value.string);
    node->value.string = checked_memory(strdup(value));
}

static double apply_formula(const struct node *node)
{
    uint64_t grown[STATS_COUNTS_MAX / sizeof(uint64_t)];
    if (!node->before)
        return node->value.formula(node->opaque) - node->amount_before;
    memcpy(grown, node->opaque, node->size);
    for (size_t i = 0; i < node->size / sizeof *grown; i++)
        grown[i] -= node->before[i];
    return node->value.formula(grown);
}

/* 0/0 (misses per instruction before the first instruction) is 0; x/0 is undefined. */
static double formula_value(const struct node *node)
{
    double value = node->undefined ? (double)NAN : apply_formula(node);
    if (node->undefined)
        return value;
    if (isnan(value) || value == 0) /* also -0.0 */
        return 0;
    return isinf(value) ? (double)NAN : value;
}

/* Value of a counter or an integer: since the start, and since stats_begin(). */
static uint64_t whole_count(const struct node *node)
{
    return node->kind == KIND_COUNTER ? *node->value.counter : node->value.integer(node->opaque);
}

static uint64_t count_value(const struct node *node)
{
    return whole_count(node) - (node->before ? *node->before : 0);
}

static void begin_node(struct node *node)
{
    size_t size = node->kind == KIND_FORMULA ? node->size : sizeof(uint64_t);
    if (node->amount)
        node->amount_before = node->value.formula(node->opaque);
    node->undefined = node->kind == KIND_FORMULA && node->size == 0 && !node->amount;
    if (node->kind == KIND_TEXT || node->undefined || node->amount)
        return;
    if (!node->before)
        node->before = checked_memory(malloc(size));
    if (node->kind == KIND_FORMULA)
        memcpy(node->before, node->opaque, size);
    else
        *node->before = whole_count(node);
}

void stats_begin(struct stats *stats)
{
    prepare(stats);
    for (size_t i = 0; i < stats->leaf_count; i++)
        begin_node(stats->leaves[i]);
}

static double leaf_value(const struct node *node)
{
    switch (node->kind) {
    case KIND_COUNTER:
    case KIND_INTEGER: return (double)count_value(node);
    case KIND_FORMULA: return formula_value(node);
    default: return 0;
    }
}

bool stats_value(const struct stats *stats, const char *name, double *value)
{
    const struct node *node = find(stats, name);
    if (!node || node->kind == KIND_GROUP || node->kind == KIND_JSON)
        return false;
    prepare(stats);
    *value = leaf_value(node);
    return true;
}

void stats_settle(const struct stats *stats)
{
    prepare(stats);
}

double stats_settled_at(const struct stats *stats, size_t index)
{
    return index < stats->leaf_count ? leaf_value(stats->leaves[index]) : 0;
}

double stats_value_at(const struct stats *stats, size_t index)
{
    stats_settle(stats);
    return stats_settled_at(stats, index);
}

const char *stats_text_value(const struct stats *stats, const char *name)
{
    const struct node *node = find(stats, name);
    return node && node->kind == KIND_TEXT ? node->value.string : NULL;
}

const char *stats_name_at(const struct stats *stats, size_t index)
{
    return index < stats->leaf_count ? stats->leaves[index]->name : NULL;
}

const char *stats_describe(const struct stats *stats, const char *name, const char **unit)
{
    const struct node *node = find(stats, name);
    if (!node || node->kind == KIND_GROUP || node->kind == KIND_JSON)
        return NULL;
    if (unit)
        *unit = node->unit;
    return node->text;
}

/* JSON */

static void write_leaf(const struct node *node, struct json_writer *json)
{
    switch (node->kind) {
    case KIND_COUNTER:
    case KIND_INTEGER: json_put_count(json, count_value(node)); break;
    case KIND_FORMULA: json_put_double(json, formula_value(node)); break;
    case KIND_JSON: node->value.json(node->json_opaque, json); break;
    default: json_put_text(json, node->value.string); break;
    }
}

static void write_group(const struct node *group, int depth, struct json_writer *json);

static void write_members(const struct node *group, int depth, struct json_writer *json)
{
    for (const struct node *node = group->first_child; node; node = node->next) {
        json_line(json, 2 * (depth + 1));
        json_key(json, node->label);
        if (node->kind == KIND_GROUP)
            write_group(node, depth + 1, json);
        else
            write_leaf(node, json);
    }
}

/* The depth is the number of dots in a registered name: names are chosen by us, so the recursion is bounded. */
static void write_group(const struct node *group, int depth, struct json_writer *json)
{
    json_begin_object(json);
    write_members(group, depth, json);
    if (group->first_child)
        json_line(json, 2 * depth);
    json_end_object(json);
}

void stats_write_members(const struct stats *stats, struct json_writer *json)
{
    write_members(&stats->root, 0, json);
}

void stats_write_json(const struct stats *stats, FILE *out)
{
    struct json_writer json = json_writer_to(out);
    prepare(stats);
    write_group(&stats->root, 0, &json);
    putc('\n', out);
}

static void write_json(const void *stats, FILE *out)
{
    stats_write_json(stats, out);
}

bool stats_save_json(const struct stats *stats, const char *path, struct err *err)
{
    return save_file("statistics file", path, write_json, stats, err);
}
